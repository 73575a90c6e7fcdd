"""Values by their ids, and every instruction that makes or stores one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import NotLowered
from statetracker.geometry.program import Destination
from statetracker.geometry.shader.arithmetic import Arithmetic
from statetracker.geometry.shader.code import UNDEFINED, Code, Place, Value, immediate, places
from statetracker.geometry.shader.memory import Memory, Pointer
from statetracker.geometry.shader.rules import ARITHMETIC, EXTENDED, PAIRS
from statetracker.geometry.shader.types import Storage
from statetracker.spirv import id_positions, literal_words_in, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.geometry.shader.types import Types
    from statetracker.spirv import Instruction

_MATRIX: Final = frozenset({
    "OpMatrixTimesVector", "OpMatrixTimesMatrix", "OpVectorTimesMatrix", "OpMatrixTimesScalar", "OpOuterProduct",
    "OpTranspose",
})  # fmt: skip
#: How the names of instructions begin that send a message to the sampler or to memory.
_MESSAGES: Final = ("OpImage", "OpAtomic", "OpArrayLength")
_CHAINS: Final = frozenset({"OpAccessChain", "OpInBoundsAccessChain"})
_SAME: Final = frozenset({"OpCopyObject", "OpCopyLogical", "OpBitcast", "OpImage", "OpSampledImage"})
_MODF, _MODF_STRUCT, _FREXP, _FREXP_STRUCT, _DETERMINANT, _INVERSE = 35, 36, 51, 52, 33, 34
_BY_CODE: Final = {
    _MODF: "Modf", _MODF_STRUCT: "ModfStruct", _FREXP: "Frexp", _FREXP_STRUCT: "FrexpStruct",
    _DETERMINANT: "Determinant", _INVERSE: "MatrixInverse",
}  # fmt: skip


class Values:
    """Ids to places; instructions to lines."""

    def __init__(self, types: Types, code: Code, memory: Memory) -> None:
        self.types, self.code, self.memory = types, code, memory
        self.module = types.module
        self.arithmetic = Arithmetic(types, code)
        self.known: dict[int, Value] = {}
        self.constants: dict[int, Value] = {}
        self.pointers: dict[int, Pointer] = {}
        self.special: dict[str, Callable[[Instruction], Value]] = {
            **dict.fromkeys(_MATRIX, self._matrix),
            "OpExtInst": self._extended,
            "OpCompositeConstruct": self._construct,
            "OpCompositeExtract": self._extract,
            "OpCompositeInsert": self._insert,
            "OpVectorShuffle": self._shuffle,
            "OpVectorExtractDynamic": self._extract_dynamic,
            "OpVectorInsertDynamic": self._insert_dynamic,
            "OpUndef": self._undefined,
        }
        self.imports = {
            one.words[0]: text_of(one.words[1:])[0]
            for one in self.module.instructions if one.name == "OpExtInstImport"
        }  # fmt: skip

    def of(self, ident: int) -> Value:
        """Where a value lies. What is no constant and was never made is undefined."""
        value = self.known.get(ident) or self.constants.get(ident)
        if value is None:
            value = self.constants[ident] = self._constant(ident)
        return value

    def _constant(self, ident: int) -> Value:
        one = self.module.definitions[ident]
        if one.name in {"OpConstant", "OpSpecConstant"}:
            self.types.columns(one.words[0])
            return ((immediate(one.words[2]),),)
        if one.name in {"OpConstantTrue", "OpConstantFalse", "OpSpecConstantTrue", "OpSpecConstantFalse"}:
            return ((immediate(int(one.name.endswith("True"))),),)
        if one.name in {"OpConstantComposite", "OpSpecConstantComposite"}:
            return self.arithmetic.construct(one.words[0], [self.of(word) for word in one.words[2:]])
        widths = self.types.columns(one.words[0]) if one.shape.typed and one.name != "OpFunction" else ()
        if one.name in {"OpConstantNull", "OpSpecConstantOp"}:
            place = immediate(0 if one.name == "OpConstantNull" else None)
            return tuple((place,) * width for width in widths)
        return tuple((UNDEFINED,) * width for width in widths)

    def pointer(self, ident: int) -> Pointer:
        """A pointer: a variable, or what an access chain made."""
        pointer = self.pointers.get(ident)
        if pointer is None:
            one = self.module.definitions[ident]
            if one.name != "OpVariable":
                raise NotLowered(one.offset, "pointers are made by variables and access chains here",
                                 instruction=one.name, hint="Use no variable pointers.")  # fmt: skip
            pointer = Pointer(ident, one.words[2], self.types.pointee(one.words[0]))
        return pointer

    def bind(self, parameters: Sequence[int], arguments: Sequence[int]) -> None:
        """Give a function's parameters their values; pointers stay pointers."""
        given = [(one, self.is_pointer(one), argument) for one, argument in zip(parameters, arguments, strict=True)]
        pointers = {one: self.pointer(argument) for one, pointer, argument in given if pointer}
        values = {one: self.of(argument) for one, pointer, argument in given if not pointer}
        self.pointers |= pointers
        self.known |= values

    def is_pointer(self, ident: int) -> bool:
        """Whether an id is a pointer."""
        return self.types.name(self.types.value_type(ident)) == "OpTypePointer"

    def note(self, one: Instruction) -> str:
        """An instruction in the shader's words."""
        if one.name in {"OpLoad", "OpStore"}:
            at = one.words[2] if one.name == "OpLoad" else one.words[0]
            while self.module.definitions[at].name in _CHAINS:
                at = self.module.definitions[at].words[2]
            return f"{one.name[2:].lower()} {self.module.names.get(at) or 'a block'}"
        if one.name == "OpExtInst":
            number = one.words[3]
            return EXTENDED[number][0] if number in EXTENDED else _BY_CODE.get(number, "OpExtInst")
        return one.name.removeprefix("Op")

    def base(self, ident: int) -> int | None:
        """The variable that a pointer points into; None for what is no pointer."""
        one = self.module.definitions.get(ident)
        while one is not None and one.name in _CHAINS:
            ident = one.words[2]
            one = self.module.definitions.get(ident)
        if one is not None and one.name == "OpVariable":
            return ident
        return self.pointers[ident].variable if ident in self.pointers else None

    def write(self, one: Instruction) -> None:
        """Write an instruction without control flow. Raises `NotLowered`."""
        name, words = one.name, one.words
        if name in _CHAINS:
            at = self.pointer(words[2])
            for word in words[3:]:
                at = self.memory.step(at, self.of(word)[0][0])
            self.pointers[words[1]] = at
        elif name == "OpLoad":
            self.known[words[1]] = self.memory.load(self.pointer(words[2]))
        elif name == "OpStore":
            self.memory.store(self.pointer(words[0]), self.of(words[1]))
        elif name == "OpCopyMemory":
            self.memory.store(self.pointer(words[0]), self.memory.load(self.pointer(words[1])))
        elif name in _SAME:
            self.known[words[1]] = () if self.types.opaque(words[0]) else self.of(words[2])
        elif name.startswith(_MESSAGES):
            self._message(one)
        else:
            self.known[one.result] = self._value(one)
            if not one.result:
                raise self._unknown(one)

    def _message(self, one: Instruction) -> None:
        """Operands to message registers, and the answer in a register."""
        if "Sparse" in one.name:
            raise NotLowered(one.offset, "sparse images are not of gen7", instruction=one.name,
                             hint="Sample without residency.")  # fmt: skip
        skip = one.shape.typed + one.shape.defines
        for at in id_positions(one, lambda value: literal_words_in(self.module.definitions, one, value)):
            word = one.words[at]
            if at < skip:
                continue
            if word in self.pointers or self.is_pointer(word):
                for index in self.pointer(word).indices:
                    self.code.put("mov_mrf", (index.place,))
                continue
            for column in self.of(word):
                self.code.put("mov_mrf", column)
        if one.name == "OpImageTexelPointer":
            self.pointers[one.result] = Pointer(one.result, Storage.UNIFORM_CONSTANT, one.words[0])
            return
        op = "tex" if one.name.startswith("OpImage") and one.name != "OpImageWrite" else "surface"
        if not one.result:
            self.code.write(op)
            return
        widths = self.types.columns(one.words[0])
        regs = [self.code.fresh() for _ in widths]
        for reg, width in zip(regs, widths, strict=True):
            self.code.write(op, Destination(reg, (1 << width) - 1))
        self.known[one.result] = tuple(places(reg, width) for reg, width in zip(regs, widths, strict=True))

    def _unknown(self, one: Instruction) -> NotLowered:
        return NotLowered(
            one.offset, "this instruction is not lowered", instruction=one.name,
            hint="docs/geometry.md lists those that are; write it with them.",
        )  # fmt: skip

    def _value(self, one: Instruction) -> Value:
        name = one.name
        if name in self.special:
            return self.special[name](one)
        operands = [self.of(word) for word in one.operands] if name in ARITHMETIC or name in PAIRS else []
        if name in PAIRS:
            return self.arithmetic.pair(name, operands)
        if name not in ARITHMETIC:
            raise self._unknown(one)
        if name == "OpSelect" and len(operands[1]) > 1:
            parts = zip(operands[1], operands[2], strict=True)
            return tuple(self.arithmetic.plain(name, [operands[0], (a,), (b,)])[0] for a, b in parts)
        return self.arithmetic.plain(name, operands)

    def _matrix(self, one: Instruction) -> Value:
        return self.arithmetic.matrix(one.name, [self.of(word) for word in one.operands])

    def _construct(self, one: Instruction) -> Value:
        return self.arithmetic.construct(one.words[0], [self.of(word) for word in one.words[2:]])

    def _extract(self, one: Instruction) -> Value:
        return self.arithmetic.extract(self.types.value_type(one.words[2]), self.of(one.words[2]), one.words[3:])

    def _insert(self, one: Instruction) -> Value:
        return self.arithmetic.insert(one.words[0], self.of(one.words[3]), self.of(one.words[2]), one.words[4:])

    def _shuffle(self, one: Instruction) -> Value:
        return (self.arithmetic.shuffle(self.of(one.words[2])[0], self.of(one.words[3])[0], one.words[4:]),)

    def _extract_dynamic(self, one: Instruction) -> Value:
        return ((self.memory.component(self.of(one.words[2])[0], self._scalar(one.words[3])),),)

    def _insert_dynamic(self, one: Instruction) -> Value:
        vector, part, index = one.words[2:]
        return (self.memory.replaced(self.of(vector)[0], self._scalar(index), self._scalar(part)),)

    def _undefined(self, one: Instruction) -> Value:
        return tuple((UNDEFINED,) * width for width in self.types.columns(one.words[0]))

    def _scalar(self, ident: int) -> Place:
        return self.of(ident)[0][0]

    def _extended(self, one: Instruction) -> Value:
        library, number = self.imports.get(one.words[2], ""), one.words[3]
        if library.startswith("NonSemantic."):
            return ()
        if library != "GLSL.std.450" or (number not in EXTENDED and number not in _BY_CODE):
            raise NotLowered(one.offset, f"number {number} of {library} is not lowered", instruction=one.name,
                             hint="docs/geometry.md lists those that are; write it with them.")  # fmt: skip
        if number in EXTENDED:
            columns = [self.of(word)[0] for word in one.words[4:]]
            return (self.arithmetic.steps(EXTENDED[number][1], columns)[-1],)
        value = self.of(one.words[4])
        if number in {_DETERMINANT, _INVERSE}:
            inverse = number == _INVERSE
            return self.arithmetic.inverse(value) if inverse else (self.arithmetic.determinant(value),)
        made = self.arithmetic.pair("ModfStruct" if number in {_MODF, _MODF_STRUCT} else "FrexpStruct", [value])
        if number in {_MODF, _FREXP}:
            self.memory.store(self.pointer(one.words[5]), made[1:])
            return made[:1]
        return made
