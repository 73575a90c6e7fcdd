"""New parts for a module: ids, types, constants, decorations, capabilities, and the new module with them in place.

Types are reused where the module has them (two equal types are invalid), constants too. `Editor.finish` puts
everything where the layout of a module (SPIR-V, 2.4) wants it.
"""

from __future__ import annotations

import struct
from math import inf
from typing import TYPE_CHECKING, Final

from statetracker.errors import ModuleError
from statetracker.spirv.check import type_opcodes
from statetracker.spirv.grammar import opcode
from statetracker.spirv.instruction import Instruction, text_of, words_of
from statetracker.spirv.module import HEADER_WORDS, MAX_BOUND, Module
from statetracker.spirv.names import Decoration, Op

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

#: Constants whose value the module's user may set, or that are made of such.
_SPECIALISED: Final = frozenset(
    {Op.SpecConstantTrue, Op.SpecConstantFalse, Op.SpecConstant, Op.SpecConstantComposite, Op.SpecConstantOp}
)
#: Types of which a module has one each (not arrays and structures, which differ by decorations) and constants:
#: the place of the result id.
_ONCE: Final = {
    **dict.fromkeys((Op.TypeBool, Op.TypeInt, Op.TypeFloat, Op.TypeVector, Op.TypeFunction), 0),
    **dict.fromkeys((Op.TypeImage, Op.TypeSampledImage, Op.TypePointer), 0),
    **dict.fromkeys((Op.Constant, Op.ConstantComposite, Op.ConstantNull), 1),
}
#: Annotations of the one id that comes first.
_OF_ONE: Final = frozenset({Op.Name, Op.Decorate, Op.DecorateId, Op.DecorateString})
_OF_MANY: Final = frozenset({Op.GroupDecorate, Op.EntryPoint})
ALL_GLOBALS: Final = 0x00010400  # from this version on, an entry point lists every global variable
#: Words that may be written to a module: 4 megabytes. So a small file does not become one of gigabytes.
MAX_WRITTEN: Final = 1 << 20
_BOUND: Final = 3  # the word of the header that has the bound
#: With types, of which there is one before any constant, what stands after annotations.
_AFTER_ANNOTATIONS: Final = frozenset({Op.Function, Op.Variable, Op.Line, Op.NoLine})


class Editor:
    """Collects what is added to a module. `body` is the list of instructions to change at will; it starts as a copy.

    `names` are debug names of new results, by id; a module that has some gets those of results in the body. Methods
    share these arguments:

    * ``name``: of an instruction, with its ``Op``
    * ``type_id``, ``operands``: id of the type of the result, and the words after type and result
    * ``ident``, ``decoration``, ``literals``: id of what is decorated, SPIR-V's number, the decoration's own words
    * ``width``: bits: 32, or another that the module has the capability for
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.body = list(module.instructions)
        self.definitions = dict(module.definitions)
        self.bound = module.bound
        self.names: dict[int, str] = {}
        self._written = 0
        self._globals: list[Instruction] = []
        self._annotations: list[Instruction] = []
        self._interface: list[int] = []
        self._capabilities: set[int] = set()
        self._added: list[Instruction] = []
        self._import: list[Instruction] = []
        self._glsl = module.glsl
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}
        for one in self.body:
            if one.opcode == Op.Function:
                break
            if one.opcode == Op.Capability:
                self._capabilities.add(one.words[0])
            elif one.opcode in _ONCE:
                at = _ONCE[one.opcode]
                self._known.setdefault((one.opcode, (*one.words[:at], *one.words[at + 1 :])), one.words[at])

    def new_id(self) -> int:
        """Return an id that nothing has; raises `ModuleError` where the module is full."""
        if self.bound >= MAX_BOUND:
            raise ModuleError(_BOUND, f"the bound of ids would pass {MAX_BOUND}")
        self.bound += 1
        return self.bound - 1

    def spend(self, words: int, offset: int = _BOUND) -> None:
        """Count words that are written; raises `ModuleError` where they are more than a module may gain.

        ``offset`` is the word of the module that they are written for.
        """
        self._written += words
        if self._written > MAX_WRITTEN:
            hint = "Call large functions with fewer samplers, or sample fewer times."
            raise ModuleError(offset, f"what is written to it would be larger than {MAX_WRITTEN} words", hint=hint)

    def build(self, name: str, type_id: int, *operands: int) -> Instruction:
        """Return a new instruction with a fresh result id, not yet placed: append it to ``body`` or to another list."""
        one = Instruction(opcode(name), [type_id, self.new_id(), *operands])
        self.spend(len(one.words) + 1)
        self.definitions[one.words[1]] = one
        return one

    def _once(self, code: int, *words: int, at: int = 0) -> int:
        """Return the id of a type or constant of these words, which has its own id at a place among them."""
        key = (code, words)
        if key not in self._known:
            self._known[key] = self._global(code, *words, at=at)
        return self._known[key]

    def _global(self, code: int, *words: int, at: int = 0) -> int:
        """Declare a type, a constant or a variable of these words, its own id at a place among them; that id."""
        ident = self.new_id()
        self.definitions[ident] = one = Instruction(code, [*words[:at], ident, *words[at:]])
        self._globals.append(one)
        return ident

    def type_bool(self) -> int:
        """Return the id of OpTypeBool."""
        return self._once(Op.TypeBool)

    def type_int(self, *, signed: bool, width: int = 32) -> int:
        """Return the id of an integer type, signed or not."""
        return self._once(Op.TypeInt, width, int(signed))

    def type_float(self, width: int = 32) -> int:
        """Return the id of a float type."""
        return self._once(Op.TypeFloat, width)

    def type_vector(self, component: int, count: int) -> int:
        """Return the id of a vector type; of the component itself for a count of 1."""
        return component if count == 1 else self._once(Op.TypeVector, component, count)

    def type_function(self, returned: int, parameters: Sequence[int]) -> int:
        """Return the id of a function type, by the ids of the types that it gives and takes."""
        return self._once(Op.TypeFunction, returned, *parameters)

    def is_float32(self, type_id: int) -> bool:
        """Return whether the type of an id is a float of 32 bits, or a vector of them."""
        one, _ = self.components(type_id)
        return one.opcode == Op.TypeFloat and one.words[1] == 32

    def components(self, type_id: int) -> tuple[Instruction, int]:
        """Return the type of a vector's components and how many they are; of any other type, itself and 1."""
        one = self.definitions[type_id]
        return (self.definitions[one.words[1]], one.words[2]) if one.opcode == Op.TypeVector else (one, 1)

    def declare(self, name: str, *operands: int) -> int:
        """Return the id of any other type; arrays and structures are new each time."""
        code = opcode(name)
        return self._once(code, *operands) if code in _ONCE else self._global(code, *operands)

    def variable(self, pointer_type: int, storage_class: int) -> int:
        """Return a new global variable; its id. From version 1.4 on it joins the interface of every entry point.

        ``pointer_type`` is the id of the type of a pointer to it, ``storage_class`` SPIR-V's number.
        """
        ident = self._global(Op.Variable, pointer_type, storage_class, at=1)
        if self.module.version >= ALL_GLOBALS:
            self._interface.append(ident)
        return ident

    def constant(self, type_id: int, bits: int) -> int:
        """Return the id of a 32-bit constant by its bits; of a bool, which is true where some bit is set."""
        if self.definitions[type_id].opcode == Op.TypeBool:
            return self._once(opcode("OpConstantTrue" if bits else "OpConstantFalse"), type_id, at=1)
        return self._once(Op.Constant, type_id, bits & 0xFFFFFFFF, at=1)

    def float_constant(self, value: float) -> int:
        """Return the id of a 32-bit float constant of a value, any float: it is rounded, beyond all to an infinite."""
        try:
            bits = struct.pack("<f", value)
        except OverflowError:
            bits = struct.pack("<f", inf if value > 0 else -inf)
        return self.constant(self.type_float(), struct.unpack("<I", bits)[0])

    def composite(self, type_id: int, parts: Sequence[int]) -> int:
        """Return the id of an OpConstantComposite; of an OpSpecConstantComposite where a part may be specialised.

        ``parts`` are the ids of its components, constants.
        """
        specialised = any(self.definitions[part].opcode in _SPECIALISED for part in parts)
        return self._once(Op.SpecConstantComposite if specialised else Op.ConstantComposite, type_id, *parts, at=1)

    def null(self, type_id: int) -> int:
        """Return the id of an OpConstantNull."""
        return self._once(Op.ConstantNull, type_id, at=1)

    def spec_op(self, type_id: int, code: int, *operands: int) -> int:
        """Return the id of an OpSpecConstantOp: an instruction carried out when the module is specialised."""
        return self._once(Op.SpecConstantOp, type_id, code, *operands, at=1)

    def capability(self, number: int) -> None:
        """Declare a capability, by its number in SPIR-V, once."""
        if number not in self._capabilities:
            self._capabilities.add(number)
            self._added.append(Instruction(Op.Capability, [number]))

    def glsl(self) -> int:
        """Return the id of the extended instructions GLSL.std.450."""
        if not self._glsl:
            self._glsl = self.new_id()
            self._import.append(Instruction(Op.ExtInstImport, [self._glsl, *words_of("GLSL.std.450")]))
        return self._glsl

    def decorate(self, ident: int, decoration: int, *literals: int) -> None:
        """Decorate an id."""
        self._annotations.append(Instruction(Op.Decorate, [ident, decoration, *literals]))

    def decorate_member(self, ident: int, member: int, decoration: int, *literals: int) -> None:
        """Decorate a member of a struct."""
        self._annotations.append(Instruction(Op.MemberDecorate, [ident, member, decoration, *literals]))

    def bind(self, ident: int, place: Sequence[int]) -> None:
        """Decorate a variable with its place, (set, binding)."""
        self.decorate(ident, Decoration.DescriptorSet, place[0])
        self.decorate(ident, Decoration.Binding, place[1])

    def finish(self, body: list[Instruction] | None = None, *, check: bool = True) -> Module:
        """Return the new module, checked; raises `ModuleError` where what a damaged one leads to is unsound.

        Args:
            body: Takes the place of ``body``; None: that one as it is.
            check: False for one between steps, of which the last is checked.
        """
        self.body = self.body if body is None else body
        out: list[Instruction] = list(self._added)
        placed = {one.result for one in self.body if self.names and one.shape.defines} - self.module.names.keys()
        names = [Instruction(Op.Name, [at, *words_of(text)]) for at, text in self.names.items() if at in placed]
        waiting: list[tuple[list[Instruction], Callable[[int], bool]]] = [
            (self._import, lambda code: code not in {Op.Capability, Op.Extension}),
            (self._annotations, (_AFTER_ANNOTATIONS | type_opcodes()).__contains__),
            (self._globals, lambda code: code == Op.Function),
        ]
        for at, one in enumerate(self.body):
            while waiting and waiting[0][1](one.opcode):
                out += waiting.pop(0)[0]
            if not waiting:
                out += self.body[at:]
                break
            out.append(one.copy([*one.words, *self._interface]) if one.opcode == Op.EntryPoint else one)
            if names and one.opcode == Op.Name:
                out, names = [*out, *names], []
        for part, _ in waiting:
            out += part
        made = self.module.having(out)
        made.bound = self.bound
        try:
            if check:
                made.check()
        except ModuleError as error:
            if error.offset >= 0:
                raise
            raise ModuleError(HEADER_WORDS, f"what was made of it is unsound: {error.problem}") from error
        return made


def without(instructions: Iterable[Instruction], gone: Collection[int]) -> list[Instruction]:
    """Return the instructions without the names and decorations of ids that are gone; groups and interfaces lose them.

    ``gone`` are ids of instructions that are no longer there.
    """
    kept = []
    for one in instructions:
        words = one.words
        if one.opcode in _OF_ONE:
            if words[0] in gone:
                continue
        elif one.opcode in _OF_MANY:
            first = 2 + text_of(words[2:])[1] if one.opcode == Op.EntryPoint else 1
            if any(ident in gone for ident in words[first:]):
                words = [*words[:first], *(ident for ident in words[first:] if ident not in gone)]
                if len(words) > 1:
                    kept.append(one.copy(words))
                continue
        kept.append(one)
    return kept
