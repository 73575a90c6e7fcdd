"""A scalar of 32 bits of the module that is being written: its operators write the instructions that compute it.

A function of integers that has no ``if`` on their values, called with `Word`s, thus writes itself into the module.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.spirv.editor import Editor
    from statetracker.spirv.instruction import Instruction

__all__ = ["Kind", "Word"]


class Kind(IntEnum):
    """What a word holds."""

    FLOAT = 0
    INT = 1
    UINT = 2
    BOOL = 3


class _Writer(Protocol):
    """What operators call of an `Emitter`."""

    editor: Editor
    out: list[Instruction]

    def make(self, kind: Kind, name: str, *operands: int) -> Word: ...

    def number(self, kind: Kind, value: float) -> Word: ...


#: Operator -> the instruction for floats, signed and unsigned integers, bools; "" where none is needed here.
_INSTRUCTIONS: Final[dict[str, tuple[str, str, str, str]]] = {
    "+": ("OpFAdd", "OpIAdd", "OpIAdd", ""),
    "-": ("OpFSub", "OpISub", "OpISub", ""),
    "*": ("OpFMul", "OpIMul", "OpIMul", ""),
    "/": ("OpFDiv", "", "", ""),
    "//": ("", "", "OpUDiv", ""),
    "%": ("", "", "OpUMod", ""),
    "&": ("", "OpBitwiseAnd", "OpBitwiseAnd", "OpLogicalAnd"),
    "|": ("", "OpBitwiseOr", "OpBitwiseOr", "OpLogicalOr"),
    "<<": ("", "OpShiftLeftLogical", "OpShiftLeftLogical", ""),
    ">>": ("", "OpShiftRightArithmetic", "OpShiftRightLogical", ""),
    "<": ("OpFOrdLessThan", "OpSLessThan", "OpULessThan", ""),
    "<=": ("OpFOrdLessThanEqual", "OpSLessThanEqual", "OpULessThanEqual", ""),
    "equals": ("OpFOrdEqual", "OpIEqual", "OpIEqual", "OpLogicalEqual"),
    "differs": ("OpFUnordNotEqual", "OpINotEqual", "OpINotEqual", "OpLogicalNotEqual"),
}
#: Function -> its number in GLSL.std.450 for floats, signed and unsigned integers; 0 likewise.
_FUNCTIONS: Final[dict[str, tuple[int, int, int]]] = {
    "abs": (4, 0, 0),
    "floor": (8, 0, 0),
    "ceil": (9, 0, 0),
    "exp2": (29, 0, 0),
    "log2": (30, 0, 0),
    "min": (37, 39, 38),
    "max": (40, 42, 41),
    "clamp": (43, 45, 44),
    "sqrt": (31, 0, 0),
    "finite_clamp": (81, 0, 0),
}
#: (From, to) -> the conversion that keeps the value; between integers the bits are kept.
_CONVERSIONS: Final[dict[tuple[Kind, Kind], str]] = {
    (Kind.FLOAT, Kind.INT): "OpConvertFToS",
    (Kind.FLOAT, Kind.UINT): "OpConvertFToU",
    (Kind.INT, Kind.FLOAT): "OpConvertSToF",
    (Kind.UINT, Kind.FLOAT): "OpConvertUToF",
    (Kind.INT, Kind.UINT): "OpBitcast",
    (Kind.UINT, Kind.INT): "OpBitcast",
}


def _operator(sign: str, kind: Kind | None = None) -> Callable[[Word, Word | float], Word]:
    """An operator with another word; its result is of the same kind, or of ``kind``."""

    def write(self: Word, other: Word | float) -> Word:
        name = _INSTRUCTIONS[sign][self.kind]
        return self.emit.make(self.kind if kind is None else kind, name, self.id, self.like(other).id)

    return write


def _function(name: str) -> Callable[..., Word]:
    """An extended instruction on words of one kind."""

    def write(self: Word, *others: Word | float) -> Word:
        number, ids = _FUNCTIONS[name][self.kind], [self.like(one).id for one in others]
        return self.emit.make(self.kind, "OpExtInst", self.emit.editor.glsl(), number, self.id, *ids)

    return write


class Word:
    """The ``id`` of a value, and its ``kind``. Plain numbers beside it are constants of its kind."""

    __slots__ = ("emit", "id", "kind")

    def __init__(self, emit: _Writer, ident: int, kind: Kind) -> None:
        """Name a value; `Emitter` makes these."""
        self.emit = emit
        self.id = ident
        self.kind = kind

    def like(self, value: Word | float) -> Word:
        """A constant of this kind; a word is itself."""
        return value if isinstance(value, Word) else self.emit.number(self.kind, value)

    __add__ = _operator("+")
    __sub__ = _operator("-")
    __mul__ = _operator("*")
    __truediv__ = _operator("/")
    __floordiv__ = _operator("//")
    __mod__ = _operator("%")
    __and__ = _operator("&")
    __or__ = _operator("|")
    __lshift__ = _operator("<<")
    __rshift__ = _operator(">>")
    __lt__ = _operator("<", Kind.BOOL)
    __le__ = _operator("<=", Kind.BOOL)
    equals = _operator("equals", Kind.BOOL)
    differs = _operator("differs", Kind.BOOL)

    abs = _function("abs")
    floor = _function("floor")
    ceil = _function("ceil")
    exp2 = _function("exp2")
    log2 = _function("log2")
    min = _function("min")
    max = _function("max")
    clamp = _function("clamp")
    sqrt = _function("sqrt")
    #: NClamp: of a NaN the least.
    finite_clamp = _function("finite_clamp")

    def __invert__(self) -> Word:
        return self.emit.make(self.kind, "OpLogicalNot" if self.kind is Kind.BOOL else "OpNot", self.id)

    def __neg__(self) -> Word:
        return self.emit.make(self.kind, "OpFNegate" if self.kind is Kind.FLOAT else "OpSNegate", self.id)

    def select(self, yes: Word, no: Word | float) -> Word:
        """One of two, by this bool."""
        return self.emit.make(yes.kind, "OpSelect", self.id, yes.id, yes.like(no).id)

    def bits(self, kind: Kind) -> Word:
        """The same bits as another kind, or itself."""
        return self if kind is self.kind else self.emit.make(kind, "OpBitcast", self.id)

    def to(self, kind: Kind) -> Word:
        """The same value as another kind, or itself; of an integer as another integer the same bits."""
        if kind is self.kind:
            return self
        return self.emit.make(kind, _CONVERSIONS[self.kind, kind], self.id)
