"""The image operands that give a sample its level of detail. Source: docs/shader_lowering.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from statetracker.shader.work import Work
    from statetracker.spirv import Word

    Operands: TypeAlias = dict[int, list[int]]

__all__ = ["lod_operands"]

_SCALED: Final = "its LOD bias scales gradients: within the device's precision of levels"


def lod_operands(work: Work) -> tuple[Operands, bool, bool]:
    """The image operands that give the level of detail, whether it is explicit, whether anything changed."""
    site, lowering, levels = work.site, work.lowering, work.levels
    operands = dict(site.operands)
    snapped = work.normalized and levels.mixed
    if work.limits and work.probes:
        work.remarks.append("anisotropy is lost: the limits of its level of detail are no whole levels")
    if ImageOperands.Grad in operands:
        return _given_gradients(work, operands)
    if ImageOperands.Lod in operands:
        if work.limits:
            operands[ImageOperands.Lod] = [(levels.limited - work.values.lod_bias).id]
        elif lowering.add_lod_bias:
            operands[ImageOperands.Lod] = [(site.emit.word(operands[ImageOperands.Lod][0]) + work.values.rest).id]
        return operands, True, work.limits or lowering.add_lod_bias
    if not site.implicit or not (work.moved or snapped or lowering.add_lod_bias or work.limits):
        return operands, False, False
    keeps = (lowering.anisotropic or not work.has_values) and not work.limits
    if keeps or not (levels.query or work.limits):
        return _kept_gradients(work, operands)
    operands.pop(ImageOperands.Bias, None)
    least = operands.pop(ImageOperands.MinLod, None)
    lod = levels.limited if work.limits or least else levels.unlimited
    operands[ImageOperands.Lod] = [(lod - work.values.lod_bias).id]
    return operands, True, True


def _given_gradients(work: Work, operands: Operands) -> tuple[Operands, bool, bool]:
    """For given gradients."""
    lowering = work.lowering
    if work.limits:
        del operands[ImageOperands.Grad]
        operands.pop(ImageOperands.MinLod, None)
        operands[ImageOperands.Lod] = [(work.levels.limited - work.values.lod_bias).id]
        return operands, True, True
    if not (work.normalized or lowering.add_lod_bias):
        return operands, True, False
    factor = work.values.rest.exp2() if lowering.add_lod_bias else None
    if factor is not None:
        work.remarks.append(_SCALED)
    operands[ImageOperands.Grad] = _scaled(work, factor)
    return operands, True, True


def _kept_gradients(work: Work, operands: Operands) -> tuple[Operands, bool, bool]:
    """For derivatives of the coordinate as it was, scaled by two to the power of the bias."""
    bias = work.site.scalar(ImageOperands.Bias)
    operands.pop(ImageOperands.Bias, None)
    if work.lowering.add_lod_bias:
        bias = work.values.rest if bias is None else bias + work.values.rest
    operands[ImageOperands.Grad] = _scaled(work, None if bias is None else bias.exp2())
    if bias is not None:
        work.remarks.append(_SCALED)
    return operands, True, True


def _scaled(work: Work, factor: Word | None) -> list[int]:
    made = []
    for given in work.levels.gradients():
        scaled = given if factor is None else given.scaled(factor)
        made.append((scaled / work.site.sizes.whole(0) if work.normalized else scaled).id)
    return made
