"""Values by their ids, and every instruction that makes or stores one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import NotLowered
from statetracker.geometry.program import Destination
from statetracker.geometry.shader.arithmetic import ARITHMETIC, EXTENDED, MATRIX, PAIRS, Arithmetic, joined
from statetracker.geometry.shader.code import UNDEFINED, Code, Place, Value, immediate, places, register
from statetracker.geometry.shader.interface import CHAINS, Storage
from statetracker.geometry.shader.memory import Memory, Pointer
from statetracker.spirv import ids_in, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.geometry.shader.interface import Types
    from statetracker.spirv import Instruction, Module

#: How the names of instructions begin that send a message to the sampler or to memory.
_MESSAGES: Final = ("OpImage", "OpAtomic", "OpArrayLength")
_LISTED: Final = "docs/geometry.md lists those that are; write it with them."
_SAME: Final = frozenset({"OpCopyObject", "OpCopyLogical", "OpBitcast", "OpImage", "OpSampledImage"})
#: Instructions of GLSL.std.450 that no row of steps makes.
_BY_CODE: Final = {
    33: "Determinant", 34: "MatrixInverse", 35: "Modf", 36: "ModfStruct", 51: "Frexp", 52: "FrexpStruct",
}  # fmt: skip


def note(module: Module, one: Instruction) -> str:
    """Return an instruction of a module in the shader's words."""
    if one.name in {"OpLoad", "OpStore"}:
        at = one.words[2] if one.name == "OpLoad" else one.words[0]
        while module.definitions[at].name in CHAINS:
            at = module.definitions[at].words[2]
        return f"{one.name[2:].lower()} {module.names.get(at) or 'a block'}"
    if one.name == "OpExtInst":
        number = one.words[3]
        return EXTENDED[number][0] if number in EXTENDED else _BY_CODE.get(number, "OpExtInst")
    return one.name.removeprefix("Op")


class Values:
    """Ids to places; instructions to lines."""

    def __init__(self, types: Types, code: Code, memory: Memory) -> None:
        self.types, self.code, self.memory = types, code, memory
        self.module = types.module
        self.arithmetic = Arithmetic(code)
        self.known: dict[int, Value] = {}
        self.constants: dict[int, Value] = {}
        self.pointers: dict[int, Pointer] = {}
        #: Instructions that no table has -> what makes their value, given the words behind type and result.
        self.special: dict[str, Callable[[Instruction, Sequence[int]], Value]] = {
            "OpExtInst": self._extended,
            "OpUndef": lambda one, _: self._undefined(one.words[0]),
            "OpCompositeConstruct": lambda one, parts: self._composed(one.words[0], parts),
            "OpCompositeExtract": self._extracted,
            "OpCompositeInsert": self._inserted,
            "OpVectorShuffle": self._shuffled,
            "OpVectorExtractDynamic": self._chosen,
            "OpVectorInsertDynamic": self._replaced,
        }
        self.imports = {
            one.words[0]: text_of(one.words[1:])[0]
            for one in self.module.instructions if one.name == "OpExtInstImport"
        }  # fmt: skip

    def of(self, ident: int) -> Value:
        """Return the place of a value. What is no constant and was never made is undefined."""
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
            return self._composed(one.words[0], one.words[2:])
        if not one.shape.typed or one.name == "OpFunction":
            return ()
        held = {"OpConstantNull": immediate(0), "OpSpecConstantOp": immediate(None)}.get(one.name, UNDEFINED)
        return self._undefined(one.words[0], held)

    def _undefined(self, type_id: int, held: Place = UNDEFINED) -> Value:
        return tuple((held,) * width for width in self.types.columns(type_id))

    def pointer(self, ident: int) -> Pointer:
        """Return a pointer: a variable, or what an access chain made."""
        pointer = self.pointers.get(ident)
        if pointer is None:
            one = self.module.definitions[ident]
            if one.name != "OpVariable":
                raise NotLowered(one.offset, "pointers are made by variables and access chains here",
                                 instruction=one.name, hint="Use no variable pointers.")  # fmt: skip
            pointer = Pointer(ident, one.words[2], self.types.pointee(one.words[0]))
        return pointer

    def bind(self, parameters: Sequence[int], arguments: Sequence[int]) -> None:
        """Bind the parameters of a function to their values; pointers stay pointers."""
        given = [(one, self.is_pointer(one), argument) for one, argument in zip(parameters, arguments, strict=True)]
        pointers = {one: self.pointer(argument) for one, pointer, argument in given if pointer}
        values = {one: self.of(argument) for one, pointer, argument in given if not pointer}
        self.pointers |= pointers
        self.known |= values

    def is_pointer(self, ident: int) -> bool:
        """Return whether an id is a pointer."""
        return self.types.name(self.types.value_type(ident)) == "OpTypePointer"

    def base(self, ident: int) -> int | None:
        """Return the variable that a pointer points into; None for what is no pointer."""
        one = self.module.definitions.get(ident)
        while one is not None and one.name in CHAINS:
            ident = one.words[2]
            one = self.module.definitions.get(ident)
        if one is not None and one.name == "OpVariable":
            return ident
        return self.pointers[ident].variable if ident in self.pointers else None

    def write(self, one: Instruction) -> None:
        """Write an instruction without control flow. Raises `NotLowered`."""
        name, words = one.name, one.words
        if name in CHAINS:
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
        for at in ids_in(self.module.definitions, one):
            word = one.words[at]
            if at < skip:
                continue
            if word in self.pointers or self.is_pointer(word):
                self.memory.put_indices(self.pointer(word))
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
        columns = [places(self.code.fresh(), width) for width in self.types.columns(one.words[0])]
        for column in columns:
            self.code.write(op, Destination(register(column[0]), (1 << len(column)) - 1))
        self.known[one.result] = tuple(columns)

    def _unknown(self, one: Instruction) -> NotLowered:
        return NotLowered(one.offset, "this instruction is not lowered", instruction=one.name, hint=_LISTED)

    def _value(self, one: Instruction) -> Value:
        name = one.name
        if name in self.special:
            return self.special[name](one, one.words[2:])
        if name not in ARITHMETIC and name not in PAIRS and name not in MATRIX:
            raise self._unknown(one)
        operands = [self.of(word) for word in one.operands]
        if name in MATRIX:
            return self.arithmetic.matrix(name, operands)
        if name in PAIRS:
            return self.arithmetic.pair(name, operands)
        if name == "OpSelect" and len(operands[1]) > 1:
            parts = zip(operands[1], operands[2], strict=True)
            return tuple(self.arithmetic.plain(name, [operands[0], (a,), (b,)])[0] for a, b in parts)
        return self.arithmetic.plain(name, operands)

    def _scalar(self, ident: int) -> Place:
        return self.of(ident)[0][0]

    def _composed(self, type_id: int, parts: Sequence[int]) -> Value:
        """Return a composite of its parts."""
        columns = tuple(column for part in parts for column in self.of(part))
        return (joined(columns),) if self.types.name(type_id) == "OpTypeVector" else columns

    def _extracted(self, _: Instruction, words: Sequence[int]) -> Value:
        """Return a part of a composite."""
        value = self.of(words[0])
        start, component, at = self.types.part(self.types.value_type(words[0]), words[1:])
        if component is not None:
            return ((value[start][component],),)
        return value[start : start + len(self.types.columns(at))]

    def _inserted(self, one: Instruction, words: Sequence[int]) -> Value:
        """Return a composite with a part replaced."""
        value, part = self.of(words[1]), self.of(words[0])
        start, component, _ = self.types.part(one.words[0], words[2:])
        if component is not None:
            old = value[start]
            part = ((*old[:component], part[0][0], *old[component + 1 :]),)
        return (*value[:start], *part, *value[start + len(part) :])

    def _shuffled(self, _: Instruction, words: Sequence[int]) -> Value:
        """Return components of two vectors; read where they lie."""
        both = (*self.of(words[0])[0], *self.of(words[1])[0])
        return (tuple(both[one] if one < len(both) else UNDEFINED for one in words[2:]),)

    def _chosen(self, _: Instruction, words: Sequence[int]) -> Value:
        """Return the component of a vector that an index chooses."""
        return ((self.memory.component(self.of(words[0])[0], self._scalar(words[1])),),)

    def _replaced(self, _: Instruction, words: Sequence[int]) -> Value:
        """Return a vector with the component that an index chooses replaced."""
        return (self.memory.replaced(self.of(words[0])[0], self._scalar(words[2]), self._scalar(words[1])),)

    def _extended(self, one: Instruction, words: Sequence[int]) -> Value:
        library, number = self.imports.get(words[0], ""), words[1]
        if library.startswith("NonSemantic."):
            return ()
        if library != "GLSL.std.450" or (number not in EXTENDED and number not in _BY_CODE):
            what = f"number {number} of {library} is not lowered"
            raise NotLowered(one.offset, what, instruction=one.name, hint=_LISTED)
        if number in EXTENDED:
            return (self.arithmetic.steps(EXTENDED[number][1], [self.of(word)[0] for word in words[2:]])[-1],)
        value, name = self.of(words[2]), _BY_CODE[number]
        if name == "MatrixInverse":
            return self.arithmetic.inverse(value)
        if name == "Determinant":
            return (self.arithmetic.determinant(value),)
        made = self.arithmetic.pair(f"{name.removesuffix('Struct')}Struct", [value])
        if name.endswith("Struct"):
            return made
        self.memory.store(self.pointer(words[3]), made[1:])
        return made[:1]
