"""New parts for a module: ids, types, constants, decorations, capabilities, and the new module with them in place.

Types are reused where the module has them (two equal types are invalid), constants too. `Editor.finish` puts
everything where the layout of a module (SPIR-V, 2.4) wants it.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from statetracker.spirv.grammar import opcode
from statetracker.spirv.module import MAX_BOUND, Module
from statetracker.spirv.words import Instruction, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Editor"]

_CAPABILITY, _EXTENSION, _IMPORT, _FUNCTION, _VARIABLE = 17, 10, 11, 54, 59
_TYPE_BOOL, _TYPE_INT, _TYPE_FLOAT, _TYPE_VECTOR, _TYPE_FUNCTION = 20, 21, 22, 23, 33
_CONSTANT, _COMPOSITE, _NULL, _DECORATE = 43, 44, 46, 71
_SPEC_COMPOSITE, _SPEC_OP = 51, 52
_SPECIALISED = range(48, 53)  # constants whose value the module's user may set, or that are made of such
_ANNOTATIONS = range(71, 76)
_ENTRY_POINT, _MEMBER_DECORATE = 15, 72
_AGGREGATES = {"OpTypeArray", "OpTypeStruct"}  # their decorations make each its own
_ALL_GLOBALS = 0x00010400  # from this version on, an entry point lists every global variable
_TYPES = range(19, 40)


class Editor:
    """Collects what is added to a module. `body` is the list of instructions to change at will; it starts as a copy."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.body = list(module.instructions)
        self.definitions = dict(module.definitions)
        self.bound = module.bound
        self._globals: list[Instruction] = []
        self._annotations: list[Instruction] = []
        self._capabilities = {one.words[0] for one in self.body if one.opcode == _CAPABILITY}
        self._added: list[Instruction] = []
        self._import: list[Instruction] = []
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}
        for one in self.body:
            if one.opcode == _FUNCTION:
                break
            if _TYPE_BOOL <= one.opcode <= _TYPE_VECTOR or one.opcode == _TYPE_FUNCTION:
                self._known.setdefault((one.opcode, tuple(one.words[1:])), one.words[0])
            elif one.opcode in {_CONSTANT, _COMPOSITE, _NULL}:
                self._known.setdefault((one.opcode, (one.words[0], *one.words[2:])), one.words[1])

    def new_id(self) -> int:
        """An id that nothing has."""
        if self.bound >= MAX_BOUND:
            raise Instruction(0, []).error(f"the bound of ids would pass {MAX_BOUND}")
        self.bound += 1
        return self.bound - 1

    def build(self, name: str, type_id: int, *operands: int) -> Instruction:
        """A new instruction with a fresh result id, not yet placed: put it into ``body`` or a list of your own."""
        one = Instruction(opcode(name), [type_id, self.new_id(), *operands])
        self.definitions[one.words[1]] = one
        return one

    def _type(self, code: int, *words: int) -> int:
        key = (code, words)
        if key not in self._known:
            self._known[key] = self.new_id()
            self._global(Instruction(code, [self._known[key], *words]), self._known[key])
        return self._known[key]

    def _global(self, one: Instruction, ident: int) -> None:
        self._globals.append(one)
        self.definitions[ident] = one

    def type_bool(self) -> int:
        """The id of OpTypeBool."""
        return self._type(_TYPE_BOOL)

    def type_int(self, *, signed: bool, width: int = 32) -> int:
        """The id of an integer type."""
        return self._type(_TYPE_INT, width, int(signed))

    def type_float(self, width: int = 32) -> int:
        """The id of a float type."""
        return self._type(_TYPE_FLOAT, width)

    def type_vector(self, component: int, count: int) -> int:
        """The id of a vector type; of the component itself for a count of 1."""
        return component if count == 1 else self._type(_TYPE_VECTOR, component, count)

    def type_function(self, returned: int, parameters: Sequence[int]) -> int:
        """The id of a function type."""
        return self._type(_TYPE_FUNCTION, returned, *parameters)

    def declare(self, name: str, *operands: int) -> int:
        """A type (or another global that has no result type), placed before the functions; its id.

        The module's own where it has the same: two equal types that are no aggregates are invalid.
        """
        wanted = Instruction(opcode(name), [0, *operands])
        for ident, one in self.definitions.items():
            if one.opcode == wanted.opcode and one.words[1:] == wanted.words[1:] and name not in _AGGREGATES:
                return ident
        ident = self.new_id()
        self._global(Instruction(opcode(name), [ident, *operands]), ident)
        return ident

    def variable(self, pointer_type: int, storage_class: int) -> int:
        """A new global variable; its id. From version 1.4 on it joins the interface of every entry point."""
        ident = self.new_id()
        self._global(Instruction(_VARIABLE, [pointer_type, ident, storage_class]), ident)
        if self.module.version >= _ALL_GLOBALS:
            self.body = [one.copy([*one.words, ident]) if one.opcode == _ENTRY_POINT else one for one in self.body]
        return ident

    def constant(self, type_id: int, bits: int) -> int:
        """The id of a 32-bit constant by its bits."""
        return self._constant(_CONSTANT, type_id, (bits & 0xFFFFFFFF,))

    def float_constant(self, value: float) -> int:
        """The id of a 32-bit float constant."""
        return self.constant(self.type_float(), struct.unpack("<I", struct.pack("<f", value))[0])

    def composite(self, type_id: int, parts: Sequence[int]) -> int:
        """The id of an OpConstantComposite; of an OpSpecConstantComposite where a part may be specialised."""
        specialised = any(self.definitions[part].opcode in _SPECIALISED for part in parts)
        return self._constant(_SPEC_COMPOSITE if specialised else _COMPOSITE, type_id, tuple(parts))

    def null(self, type_id: int) -> int:
        """The id of an OpConstantNull."""
        return self._constant(_NULL, type_id, ())

    def spec_op(self, type_id: int, code: int, *operands: int) -> int:
        """The id of an OpSpecConstantOp: an instruction carried out when the module is specialised."""
        return self._constant(_SPEC_OP, type_id, (code, *operands))

    def _constant(self, code: int, type_id: int, words: tuple[int, ...]) -> int:
        key = (code, (type_id, *words))
        if key not in self._known:
            self._known[key] = self.new_id()
            self._global(Instruction(code, [type_id, self._known[key], *words]), self._known[key])
        return self._known[key]

    def capability(self, number: int) -> None:
        """Declare a capability, once."""
        if number not in self._capabilities:
            self._capabilities.add(number)
            self._added.append(Instruction(_CAPABILITY, [number]))

    def glsl(self) -> int:
        """The id of the extended instructions GLSL.std.450."""
        for one in (*self.body, *self._import):
            if one.opcode == _IMPORT and text_of(one.words[1:])[0] == "GLSL.std.450":
                return one.words[0]
        text = list(struct.unpack("<4I", b"GLSL.std.450\0\0\0\0"))
        self._import.append(Instruction(_IMPORT, [self.new_id(), *text]))
        return self._import[0].words[0]

    def decorate(self, ident: int, decoration: int, *literals: int) -> None:
        """Decorate an id."""
        self._annotations.append(Instruction(_DECORATE, [ident, decoration, *literals]))

    def decorate_member(self, ident: int, member: int, decoration: int, *literals: int) -> None:
        """Decorate a member of a struct."""
        self._annotations.append(Instruction(_MEMBER_DECORATE, [ident, member, decoration, *literals]))

    def finish(self) -> Module:
        """The new module, checked."""
        out: list[Instruction] = list(self._added)
        waiting = [(self._import, _after_extensions), (self._annotations, _at_types), (self._globals, _at_functions)]
        for one in self.body:
            while waiting and waiting[0][1](one):
                out += waiting.pop(0)[0]
            out.append(one)
        for part, _ in waiting:
            out += part
        made = Module(out, version=self.module.version, bound=self.bound, generator=self.module.generator)
        made.check()
        return made


def _after_extensions(one: Instruction) -> bool:
    return one.opcode not in {_CAPABILITY, _EXTENSION}


def _at_types(one: Instruction) -> bool:
    return one.opcode in _TYPES or one.opcode in {_FUNCTION, _VARIABLE}


def _at_functions(one: Instruction) -> bool:
    return one.opcode == _FUNCTION
