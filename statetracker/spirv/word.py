"""A scalar of 32 bits of the module that is being written: its operators write the instructions that compute it.

A function of integers that has no ``if`` on their values, called with `Word`s, thus writes itself into the module.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from statetracker.spirv.emitter import Emitter

__all__ = ["Kind", "Word"]


class Kind(IntEnum):
    """What a word holds."""

    FLOAT = 0
    INT = 1
    UINT = 2
    BOOL = 3


#: Operator -> the instruction for floats, signed and unsigned integers; "" where none is needed here.
_INSTRUCTIONS: Final[dict[str, tuple[str, str, str]]] = {
    "+": ("OpFAdd", "OpIAdd", "OpIAdd"),
    "-": ("OpFSub", "OpISub", "OpISub"),
    "*": ("OpFMul", "OpIMul", "OpIMul"),
    "/": ("OpFDiv", "", ""),
    "//": ("", "", "OpUDiv"),
    "%": ("", "", "OpUMod"),
    "&": ("", "OpBitwiseAnd", "OpBitwiseAnd"),
    "|": ("", "OpBitwiseOr", "OpBitwiseOr"),
    "<<": ("", "OpShiftLeftLogical", "OpShiftLeftLogical"),
    ">>": ("", "OpShiftRightArithmetic", "OpShiftRightLogical"),
    "<": ("", "OpSLessThan", "OpULessThan"),
    "equals": ("", "OpIEqual", "OpIEqual"),
    "differs": ("", "OpINotEqual", "OpINotEqual"),
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


class Word:
    """The ``id`` of a value, and its ``kind``. Plain numbers beside it are constants of its kind."""

    __slots__ = ("emit", "id", "kind")

    def __init__(self, emit: Emitter, ident: int, kind: Kind) -> None:
        """Name a value; `Emitter` makes these."""
        self.emit = emit
        self.id = ident
        self.kind = kind

    def like(self, value: Word | float) -> Word:
        """A constant of this kind; a word is itself."""
        return value if isinstance(value, Word) else self.emit.number(self.kind, value)

    def _operator(self, sign: str, other: Word | float, kind: Kind | None = None) -> Word:
        name = _INSTRUCTIONS[sign][self.kind]
        return self.emit.make(self.kind if kind is None else kind, name, self.id, self.like(other).id)

    def _function(self, name: str, *others: Word | float) -> Word:
        number = _FUNCTIONS[name][self.kind]
        ids = [self.like(one).id for one in others]
        return self.emit.make(self.kind, "OpExtInst", self.emit.editor.glsl(), number, self.id, *ids)

    def __add__(self, other: Word | float) -> Word:
        return self._operator("+", other)

    def __sub__(self, other: Word | float) -> Word:
        return self._operator("-", other)

    def __mul__(self, other: Word | float) -> Word:
        return self._operator("*", other)

    def __truediv__(self, other: Word | float) -> Word:
        return self._operator("/", other)

    def __floordiv__(self, other: Word | int) -> Word:
        return self._operator("//", other)

    def __mod__(self, other: Word | int) -> Word:
        return self._operator("%", other)

    def __and__(self, other: Word | int) -> Word:
        return self._operator("&", other)

    def __or__(self, other: Word | int) -> Word:
        return self._operator("|", other)

    def __lshift__(self, other: Word | int) -> Word:
        return self._operator("<<", other)

    def __rshift__(self, other: Word | int) -> Word:
        return self._operator(">>", other)

    def __invert__(self) -> Word:
        return self.emit.make(self.kind, "OpNot", self.id)

    def __neg__(self) -> Word:
        return self.emit.make(self.kind, "OpSNegate", self.id)

    def __lt__(self, other: Word | int) -> Word:
        return self._operator("<", other, Kind.BOOL)

    def equals(self, other: Word | int) -> Word:
        """Whether both are the same."""
        return self._operator("equals", other, Kind.BOOL)

    def differs(self, other: Word | int) -> Word:
        """Whether they are not the same."""
        return self._operator("differs", other, Kind.BOOL)

    def select(self, yes: Word, no: Word | float) -> Word:
        """One of two, by this bool."""
        return self.emit.make(yes.kind, "OpSelect", self.id, yes.id, yes.like(no).id)

    def abs(self) -> Word:
        """Its magnitude."""
        return self._function("abs")

    def floor(self) -> Word:
        """Rounded down."""
        return self._function("floor")

    def ceil(self) -> Word:
        """Rounded up."""
        return self._function("ceil")

    def exp2(self) -> Word:
        """Two to its power."""
        return self._function("exp2")

    def log2(self) -> Word:
        """Its logarithm to base 2."""
        return self._function("log2")

    def min(self, other: Word | float) -> Word:
        """The smaller one."""
        return self._function("min", other)

    def max(self, other: Word | float) -> Word:
        """The larger one."""
        return self._function("max", other)

    def clamp(self, low: Word | float, high: Word | float) -> Word:
        """The nearest value between two."""
        return self._function("clamp", low, high)

    def to(self, kind: Kind) -> Word:
        """The same value as another kind, or itself; of an integer as another integer the same bits."""
        if kind is self.kind:
            return self
        return self.emit.make(kind, _CONVERSIONS[self.kind, kind], self.id)
