"""Arithmetic of a module that is being written: `Word`s, whose operators write what computes them, and the `Emitter`.

A word is a value of 32-bit components. A function of integers that has no ``if`` on their values, called with `Word`s,
thus writes itself into the module. See docs/spirv.md.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from statetracker.spirv.instruction import Instruction
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from statetracker.spirv.editor import Editor


class Kind(IntEnum):
    """The kind of a word."""

    FLOAT = 0
    INT = 1
    UINT = 2
    BOOL = 3


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
    "round_even": (2, 0, 0),
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
    """Return an operator with another word; its result is of the same kind, or of ``kind``."""

    def write(self: Word, other: Word | float) -> Word:
        name, made = _INSTRUCTIONS[sign][self.kind], self.kind if kind is None else kind
        if name.startswith("OpLogical") and self.count > 1 and sign in "&|":  # naga has these of scalars alone
            other = self.like(other)
            return self.select(other, self) if sign == "&" else self.select(self, other)
        return self.emit.make(made, name, self.id, self.like(other).id, count=self.count)

    names = dict.fromkeys(name for name in _INSTRUCTIONS[sign] if name)
    write.__doc__ = f"Write {' or '.join(names)}, by kind, of this and the other; component by component."
    return write


def _function(name: str) -> Callable[..., Word]:
    """Return an extended instruction on words of one kind."""

    def write(self: Word, *others: Word | float) -> Word:
        number, ids = _FUNCTIONS[name][self.kind], [self.like(one).id for one in others]
        return self.emit.make(self.kind, "OpExtInst", self.emit.editor.glsl(), number, self.id, *ids, count=self.count)

    name_there = {"finite_clamp": "NClamp (of a NaN the least)", "round_even": "RoundEven"}.get(name, name)
    write.__doc__ = (
        f"Write {name_there} of GLSL.std.450 of this and of others, all of one kind, component by component."
    )
    return write


class Word:
    """The ``id`` of a value, the ``kind`` of its components and their ``count``: 1 a scalar, 2 to 4 a vector.

    Plain numbers beside it are constants of its kind, and scalars beside a vector stand for all its components.

    `Emitter` makes these.

    Args:
        emit: The `Emitter` that its operators write to.
        ident: The id.
        kind: Of its components.
        count: Of components: 1 a scalar, 2 to 4 a vector.
    """

    __slots__ = ("count", "emit", "id", "kind")

    def __init__(self, emit: Emitter, ident: int, kind: Kind, count: int = 1) -> None:
        self.emit = emit
        self.id = ident
        self.kind = kind
        self.count = count

    def named(self, name: str) -> Word:
        """Return this, with a debug name where the module that is rewritten names its results; see `Editor.names`."""
        self.emit.editor.names.setdefault(self.id, name)
        return self

    def like(self, value: Word | float) -> Word:
        """Return a value of this kind and as many components."""
        if not isinstance(value, Word):
            return self.emit.number(self.kind, value, self.count)
        return value if value.count == self.count else value.spread(self.count)

    def spread(self, count: int) -> Word:
        """Return a vector of this scalar; for a count of 1 itself."""
        if count == self.count:
            return self
        return self.emit.make(self.kind, "OpCompositeConstruct", *[self.id] * count, count=count)

    def lanes(self, other: Word, axes: Collection[int]) -> Word:
        """Return this, but on some axes, numbers of components, the other."""
        if len(axes) in {0, self.count}:
            return other if axes else self
        picks = [n + self.count if n in axes else n for n in range(self.count)]
        return self.emit.make(self.kind, "OpVectorShuffle", self.id, other.id, *picks, count=self.count)

    def scaled(self, by: Word) -> Word:
        """Every component times a float, a scalar: scaled by it."""
        name = "OpFMul" if self.count == 1 else "OpVectorTimesScalar"
        return self.emit.make(self.kind, name, self.id, by.id, count=self.count)

    def dot(self) -> Word:
        """Return the square of its length."""
        return self * self if self.count == 1 else self.emit.make(self.kind, "OpDot", self.id, self.id)

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

    round_even = _function("round_even")
    abs = _function("abs")
    floor = _function("floor")
    ceil = _function("ceil")
    exp2 = _function("exp2")
    log2 = _function("log2")
    min = _function("min")
    max = _function("max")
    clamp = _function("clamp")
    sqrt = _function("sqrt")
    finite_clamp = _function("finite_clamp")

    def __invert__(self) -> Word:
        return self.emit.make(
            self.kind, "OpLogicalNot" if self.kind is Kind.BOOL else "OpNot", self.id, count=self.count
        )

    def __neg__(self) -> Word:
        return self.emit.make(
            self.kind, "OpFNegate" if self.kind is Kind.FLOAT else "OpSNegate", self.id, count=self.count
        )

    def select(self, yes: Word, no: Word | float) -> Word:
        """One of two, by this bool: yes where it is true, else no."""
        flag = self.spread(yes.count)
        return self.emit.make(yes.kind, "OpSelect", flag.id, yes.id, yes.like(no).id, count=yes.count)

    def bits(self, kind: Kind) -> Word:
        """Return the same bits as another kind, or itself."""
        return self if kind is self.kind else self.emit.make(kind, "OpBitcast", self.id, count=self.count)

    def to(self, kind: Kind) -> Word:
        """Return the same value as another kind, or itself; of an integer as another integer the same bits."""
        if kind is self.kind:
            return self
        return self.emit.make(kind, _CONVERSIONS[self.kind, kind], self.id, count=self.count)


class Emitter:
    """Appends new instructions to ``out``. Values of 32 bits are `Word`s, whose operators write; the rest are ids.

    Methods share these arguments:

    * ``name``: of an instruction, with its ``Op``
    * ``type_id``, ``operands``: id of the type of the result, and the words after type and result
    * ``kind``, ``count``: of components: float, signed, unsigned or bool; 1 a scalar, 2 to 4 a vector
    * ``ident``: id of a value that there is already
    * ``value``: of a constant, in every component; float32 or 32 bits

    Args:
        editor: Of the module.
    """

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.out: list[Instruction] = []

    def op(self, name: str, type_id: int, *operands: int) -> int:
        """One instruction; the id of its result."""
        one = self.editor.build(name, type_id, *operands)
        self.out.append(one)
        return one.words[1]

    def result(self, of: Instruction, name: str, *operands: int) -> None:
        """Write the last of the instructions that stand for another one: it has that one's type and id.

        ``of`` is the other one.
        """
        one = self.editor.build(name, of.words[0], *operands)
        one.words[1] = of.words[1]
        self.out.append(one)

    def again(self, one: Instruction, type_id: int, *operands: int, code: int = 0, ident: int = 0) -> int:
        """Return the same instruction once more, with another type and other operands; the id of its result.

        ``one`` is the instruction, ``code`` the opcode and ``ident`` the id that it gets; 0: its own, and a new one.
        """
        made = Instruction(code or one.opcode, [type_id, ident or self.editor.new_id(), *operands], one.offset)
        self.editor.definitions[made.words[1]] = made
        self.out.append(made)
        return made.words[1]

    def make(self, kind: Kind, name: str, *operands: int, count: int = 1) -> Word:
        """One instruction whose result is a scalar of 32 bits, or a vector of ``count`` of them."""
        return Word(self, self.op(name, self.type_id(kind, count), *operands), kind, count)

    def number(self, kind: Kind, value: float, count: int = 1) -> Word:
        """Return a constant, the same in every component."""
        if kind is Kind.FLOAT:
            ident = self.editor.float_constant(value)
        else:
            ident = self.editor.constant(self.type_id(kind), int(value))
        if count > 1:
            ident = self.editor.composite(self.type_id(kind, count), [ident] * count)
        return Word(self, ident, kind, count)

    def uint(self, value: int) -> Word:
        """Return an unsigned constant."""
        return self.number(Kind.UINT, value)

    def word(self, ident: int) -> Word:
        """Return a scalar or a vector of 32 bits that there is already."""
        one, count = self.editor.components(self.type_of(ident))
        if one.opcode == Op.TypeInt:
            return Word(self, ident, Kind.INT if one.words[2] else Kind.UINT, count)
        return Word(self, ident, Kind.FLOAT if one.opcode == Op.TypeFloat else Kind.BOOL, count)

    def type_id(self, kind: Kind, count: int = 1) -> int:
        """Return the type's id of a kind of words."""
        if kind is Kind.FLOAT:
            one = self.editor.type_float()
        else:
            one = self.editor.type_bool() if kind is Kind.BOOL else self.editor.type_int(signed=kind is Kind.INT)
        return self.editor.type_vector(one, count)

    def type_of(self, ident: int) -> int:
        """Return the type id of a value."""
        return self.editor.definitions[ident].words[0]

    def part_ids(self, ident: int, count: int | None = None) -> list[int]:
        """Return the components of a vector, or the first ``count`` of them; a scalar is its own."""
        kind = self.editor.definitions[self.type_of(ident)]
        if kind.opcode != Op.TypeVector:
            return [ident]
        parts = range(kind.words[2] if count is None else count)
        return [self.op("OpCompositeExtract", kind.words[1], ident, n) for n in parts]

    def parts(self, ident: int, count: int | None = None) -> list[Word]:
        """Return the components, each of 32 bits."""
        return [self.word(one) for one in self.part_ids(ident, count)]

    def vector(self, parts: Sequence[int], component: int) -> int:
        """Return the id of a vector of components, by their ids and that of the type of each; of one, itself."""
        if len(parts) == 1:
            return parts[0]
        return self.op("OpCompositeConstruct", self.editor.type_vector(component, len(parts)), *parts)

    def joined(self, words: Sequence[Word]) -> int:
        """Return the id of a vector of the components of words of one kind; of one, itself."""
        return self.join(words).id

    def join(self, words: Sequence[Word]) -> Word:
        """Return a vector of the components of words of one kind; of one, itself."""
        if len(words) == 1:
            return words[0]
        count = sum(one.count for one in words)
        return self.make(words[0].kind, "OpCompositeConstruct", *(one.id for one in words), count=count)

    def head(self, vector: Word, count: int) -> Word:
        """Return the first components of a vector, as many as ``count``."""
        if vector.count == count:
            return vector
        if count == 1:
            return self.make(vector.kind, "OpCompositeExtract", vector.id, 0)
        return self.make(vector.kind, "OpVectorShuffle", vector.id, vector.id, *range(count), count=count)

    def component(self, vector: Word, at: int) -> Word:
        """One component of a vector: number ``at``, from 0."""
        return vector if vector.count == 1 else self.make(vector.kind, "OpCompositeExtract", vector.id, at)

    def as_float32(self, ident: int) -> int:
        """Return a float value of any width in 32 bits: derivatives exist for no other."""
        component, count = self.editor.components(self.type_of(ident))
        if component.opcode != Op.TypeFloat or component.words[1] == 32:
            return ident
        return self.op("OpFConvert", self.editor.type_vector(self.editor.type_float(), count), ident)

    def float32(self, ident: int) -> Word:
        """Return a float scalar of any width in 32 bits."""
        return self.word(self.as_float32(ident))
