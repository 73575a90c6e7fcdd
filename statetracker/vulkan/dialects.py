"""Dialects: what a translation to Vulkan does differently from one driver to the other. Data, not code.

What depends on the device (a feature, a limit, a format) is no dialect; whether it is *used* is one.
Source: docs/vulkan_samplers.md.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from statetracker.spellings import looked_up


class VulkanDialect(NamedTuple):
    """One translation's choices.

    Attributes:
        name: zink21, zink22 or native.
        seams: When NON_SEAMLESS_CUBE_MAP is set: ``never``, with the ``extension``, with the ``feature``.
        lods: ``as-is``; ``max`` of both for the upper one; ``repair``: that, and NaN replaced.
        bias: ``as-is``; ``clamp`` to the device's limit; ``repair``: that, NaN and portability too.
        anisotropy: ``as-is``, or ``gate`` by feature and limit.
        clamp: GL_CLAMP becomes a clamped ``coordinate`` on a border, or ``coverage``: the edge, with the border mixed
            in by the shader.
        mirror_border: MIRROR_CLAMP_TO_BORDER becomes ``edge`` (near it), or ``fold``: CLAMP_TO_BORDER of
            abs(coordinate).
        mirror_edge: MIRROR_CLAMP_TO_EDGE ``as-is``, or ``gate``: folded where the device lacks it.
        reduction: ``as-is``, or ``gate`` by feature and comparison.
        border_need: The border is read if a ``pipe-wrap`` reads it, or if an ``address-mode`` still does.
        border_match: A predefined colour must match in ``all`` channels, or in ``red`` alone where depth is compared.
        border_gate: Custom colours with the ``extension``, or with the ``feature`` and a free slot.
        border_format: Custom colours with a format: ``never``, with pure integers clamped (``integers``), with
            ``every`` channel clamped to what the format holds.
        border_hidden: Where the feature of custom colours without a format is not used: ``nowhere``, or ``on-turnip``.
        border_shader: Whether a colour that no sampler can have is mixed in by the shader: ``no``, ``yes``.
        border_last: Where nothing else is possible: float ``transparent-black``, or the ``nearest`` of its type.
        border_swizzle: ``never``, or sent with the colour ``where-wanted``.
        unnormalized: ``as-is``, ``never``, or ``opt-in`` with everything else made fit.
        depth_border_sampler: Second sampler for 24-bit depth in floats: ``never``, where the ``colour`` differs, or its
            ``red``.
        filtering: Formats that cannot be filtered: ``as-is``, or by the ``shader``.
        view: Whether a texture's format, where it is known, is looked at: ``no``, ``yes``.
    """

    name: str
    seams: str
    lods: str
    bias: str
    anisotropy: str
    clamp: str
    mirror_border: str
    mirror_edge: str
    reduction: str
    border_need: str
    border_match: str
    border_gate: str
    border_format: str
    border_hidden: str
    border_shader: str
    border_last: str
    border_swizzle: str
    unnormalized: str
    depth_border_sampler: str
    filtering: str
    view: str


# fmt: off
DIALECTS: Final = {
    d.name: d
    for d in (
        VulkanDialect(
            name="zink21", seams="never", lods="as-is", bias="as-is", anisotropy="as-is",
            clamp="coordinate", mirror_border="edge", mirror_edge="as-is", reduction="as-is",
            border_need="pipe-wrap", border_match="all", border_gate="extension", border_format="never",
            border_hidden="nowhere", border_shader="no", border_last="transparent-black", border_swizzle="never",
            unnormalized="as-is", depth_border_sampler="never", filtering="as-is", view="no",
        ),
        VulkanDialect(
            name="zink22", seams="extension", lods="max", bias="clamp", anisotropy="as-is",
            clamp="coordinate", mirror_border="edge", mirror_edge="as-is", reduction="as-is",
            border_need="pipe-wrap", border_match="all", border_gate="extension", border_format="integers",
            border_hidden="on-turnip", border_shader="no", border_last="transparent-black", border_swizzle="never",
            unnormalized="never", depth_border_sampler="colour", filtering="as-is", view="no",
        ),
        VulkanDialect(
            name="native", seams="feature", lods="repair", bias="repair", anisotropy="gate",
            clamp="coverage", mirror_border="fold", mirror_edge="gate", reduction="gate",
            border_need="address-mode", border_match="red", border_gate="feature", border_format="every",
            border_hidden="nowhere", border_shader="yes", border_last="nearest", border_swizzle="where-wanted",
            unnormalized="opt-in", depth_border_sampler="red", filtering="shader", view="yes",
        ),
    )
}
# fmt: on


def vulkan_dialect(name: str | VulkanDialect) -> VulkanDialect:
    """Return a dialect by name (a `VulkanDialect` is passed through); raises `UnknownName` for any other word."""
    if isinstance(name, VulkanDialect):
        return name
    return looked_up("vulkan_dialect", name, DIALECTS)
