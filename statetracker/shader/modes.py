"""Which axes are clamped for an index: known now, or selected by the shader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.spirv import Kind
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.origin import Origin
    from statetracker.shader.request import Elements
    from statetracker.spirv import Emitter, Module, Word

_WORD_BITS: Final = 32


class AxisModes(NamedTuple):
    """One axis: ``mode`` where every element that can be meant agrees, else one mode an element in ``each``."""

    mode: str
    each: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether some element is clamped."""
        return bool(self.mode) or any(self.each)


def rows_meant(source: Origin, elements: Elements, module: Module) -> tuple[int | None, list[Lowering]]:
    """The array element that is meant, where that is known, and the lowerings of all that can be meant."""
    index = _flat_index(source, module)
    if index is not None:
        return index, [elements.of(index)]
    if elements.all:
        return None, [elements.of(0)]
    count = _count(source)
    length = max(len(elements.rows) + 1, 1) if count is None else count
    return None, [elements.of(n) for n in range(length)]


def axis_modes(rows: list[Lowering]) -> tuple[AxisModes, ...]:
    """How s, t and r are clamped: ``clamp``, ``mirror`` or nothing, by element where that differs."""
    columns = ([_mode(row, letter) for row in rows] for letter in "str")
    return tuple(AxisModes(column[0]) if len(set(column)) == 1 else AxisModes("", tuple(column)) for column in columns)


def _mode(row: Lowering, letter: str) -> str:
    return "clamp" if letter in row.clamp else "mirror" if letter in row.mirror else ""


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


def dynamic_index(emit: Emitter, source: Origin) -> Word | None:
    """Write the flattened index as a 32-bit unsigned integer; None for indices of other widths."""
    flat: Word | None = None
    for ident, length in zip(source.indexes, source.lengths, strict=True):
        kind = emit.editor.definitions[emit.type_of(ident)]
        if kind.opcode != Op.TypeInt or kind.words[1] != _WORD_BITS or (flat is not None and length is None):
            return None
        one = emit.word(ident).to(Kind.UINT)
        flat = flat * length + one if flat is not None and length is not None else one
    return flat


def selected(index: Word, each: tuple[str, ...], mode: str) -> Word:
    """Write whether the element at ``index`` has a mode, as a boolean; one mask word for every 32 elements."""
    masks = [
        sum(1 << bit for bit, one in enumerate(each[at : at + _WORD_BITS]) if one == mode)
        for at in range(0, len(each), _WORD_BITS)
    ]
    which = index >> 5
    word = index.like(0)
    for at, mask in enumerate(masks):
        if mask:
            word = which.equals(at).select(index.like(mask), word)
    return (word >> (index & 31) & 1).differs(0)


def clamped(value: Word, modes: AxisModes, top: Word | float, index: Word | None) -> Word:
    """Write one component of a coordinate: clamped to 0 to ``top``, folded, or selected by the array index."""
    if not modes.each or index is None:
        return _apply(value, modes.mode, top)
    result = value
    for mode in sorted({one for one in modes.each if one}):
        result = selected(index, modes.each, mode).select(_apply(value, mode, top), result)
    return result


def _apply(value: Word, mode: str, top: Word | float) -> Word:
    if not mode:
        return value
    top = value.like(top)
    return value.abs().min(top) if mode == "mirror" else value.clamp(0.0, top)
