"""Which axes are clamped for an index: known now, or selected by the shader."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from statetracker.shader.emitter import Emitter
    from statetracker.shader.origin import Origin
    from statetracker.shader.request import Elements
    from statetracker.spirv import Module

__all__ = ["AxisModes", "axis_modes", "selected"]

_WORD_BITS = 32
_INT = 21


class AxisModes(NamedTuple):
    """One axis: ``mode`` where every element that can be meant agrees, else one mode an element in ``each``."""

    mode: str
    each: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether some element is clamped."""
        return bool(self.mode) or any(self.each)


def axis_modes(source: Origin, elements: Elements, module: Module) -> tuple[AxisModes, ...]:
    """The modes of s, t and r for a sampler, its array indices flattened row by row."""
    index = _flat_index(source, module)
    if index is not None:
        return tuple(AxisModes(mode) for mode in elements.of(index))
    count = _count(source)
    length = max(len(elements.modes) + 1, 1) if count is None else count
    rows = [elements.of(0)] if elements.all else [elements.of(n) for n in range(length)]
    return tuple(
        AxisModes(column[0]) if len(set(column)) == 1 else AxisModes("", column) for column in zip(*rows, strict=True)
    )


def _count(source: Origin) -> int | None:
    count = 1
    for length in source.lengths:
        if length is None or count * length > 65536:
            return None
        count *= length
    return count


def _flat_index(source: Origin, module: Module) -> int | None:
    flat = 0
    for at, (ident, length) in enumerate(zip(source.indexes, source.lengths, strict=True)):
        value = module.constant_value(ident)
        if value is None or (at and length is None):
            return None
        flat = flat * (length or 0) + value
    return flat


def dynamic_index(emit: Emitter, source: Origin) -> int | None:
    """Write the flattened index as a 32-bit unsigned integer; None for indices of other widths."""
    flat: int | None = None
    for ident, length in zip(source.indexes, source.lengths, strict=True):
        kind = emit.editor.definitions[emit.type_of(ident)]
        if kind.opcode != _INT or kind.words[1] != _WORD_BITS or (flat is not None and length is None):
            return None
        one = emit.uop("OpBitcast", ident) if kind.words[2] else ident
        if flat is not None and length is not None:
            one = emit.uop("OpIAdd", emit.uop("OpIMul", flat, emit.uint(length)), one)
        flat = one
    return flat


def selected(emit: Emitter, index: int, each: tuple[str, ...], mode: str) -> int:
    """Write whether the element at ``index`` has a mode, as a boolean; one mask word for every 32 elements."""
    masks = [
        sum(1 << bit for bit, one in enumerate(each[at : at + _WORD_BITS]) if one == mode)
        for at in range(0, len(each), _WORD_BITS)
    ]
    boolean = emit.editor.type_bool()
    which = emit.uop("OpShiftRightLogical", index, emit.uint(5))
    word = emit.uint(0)
    for at, mask in enumerate(masks):
        if mask:
            here = emit.op("OpIEqual", boolean, which, emit.uint(at))
            word = emit.uop("OpSelect", here, emit.uint(mask), word)
    bit = emit.uop(
        "OpBitwiseAnd",
        emit.uop("OpShiftRightLogical", word, emit.uop("OpBitwiseAnd", index, emit.uint(31))),
        emit.uint(1),
    )
    return emit.op("OpINotEqual", boolean, bit, emit.uint(0))
