"""A module: read, checked, queried, written.

`Module.read` accepts what is sound (`check`): every instruction has its form, every id is below the bound, defined once
and of the right sort, functions and blocks are whole. It is no full validator (``spirv-val`` is): it promises that what
is built on it meets no surprise. Source: SPIR-V specification, unified 1, 2.3 (layout of a module), 2.4, 2.16.
"""

from __future__ import annotations

import struct
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError, ModuleError
from statetracker.spirv.check import check
from statetracker.spirv.instruction import Instruction, text_of
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from collections.abc import Iterator

Decorations = dict[int, dict[int, tuple[int, ...]]]
MemberDecorations = dict[tuple[int, int], dict[int, tuple[int, ...]]]

MAGIC: Final = 0x07230203
HEADER_WORDS: Final = 5
#: The universal limit on ids (2.17); a forged bound beyond it is refused.
MAX_BOUND: Final = 0x3FFFFF


class EntryPoint(NamedTuple):
    """An entry point of a module.

    Attributes:
        model: The execution model: 0 vertex, 3 geometry, 4 fragment, 5 compute ...
        function: The function's id.
        name: What a pipeline calls it by.
        interface: Ids of the variables that it uses.
    """

    model: int
    function: int
    name: str
    interface: tuple[int, ...]


class Block(NamedTuple):
    """A block: its label's id and its instructions, OpLabel first, terminator last."""

    label: int
    instructions: list[Instruction]


class Function(NamedTuple):
    """A function: where it lies is ``instructions[start:end]``.

    Attributes:
        id: Of the function.
        type_id: Of its type.
        parameters: Ids of what it is given.
        start: Number of its first instruction.
        end: Number of the first one after it.
        blocks: In their order in the module.
    """

    id: int
    type_id: int
    parameters: tuple[int, ...]
    start: int
    end: int
    blocks: tuple[Block, ...]


class Module:
    """A SPIR-V module: header numbers and a list of instructions.

    The properties are read once: build a new module (`Editor.finish`) instead of changing the list.

    Args:
        instructions: In the order of the file.
        version: As the header has it: 0x00010300 is 1.3.
        bound: Larger than every id.
        generator: The number of the tool that made it; 0: none.
    """

    def __init__(self, instructions: list[Instruction], *, version: int, bound: int, generator: int = 0) -> None:
        self.instructions = instructions
        self.version = version
        self.bound = bound
        self.generator = generator

    @classmethod
    def read(cls, data: bytes | bytearray | memoryview | Module) -> Module:
        """Read the data of a module of either byte order; `ModuleError` with the word offset where it is broken.

        One that was read comes back as it is.

        Args:
            data: Its bytes, or a module.

        Raises:
            ArgumentError: It is no bytes, bytearray or memoryview.
        """
        if isinstance(data, Module):
            return data
        words = _words(_bytes(data))
        if len(words) < HEADER_WORDS:
            raise ModuleError(len(words), f"the header has {HEADER_WORDS} words, the file {len(words)}")
        _, version, generator, bound, schema = words[:HEADER_WORDS]
        if version >> 16 != 1 or version & 0xFF0000FF or (version >> 8) & 0xFF > 6:
            raise ModuleError(1, f"version {version:#010x} is not known", hint="Versions 1.0 to 1.6 are.")
        if not 0 < bound <= MAX_BOUND:
            raise ModuleError(3, f"the bound of ids is {bound}; accepted: 1 to {MAX_BOUND}")
        if schema:
            raise ModuleError(4, f"the schema is {schema}; accepted: 0")
        module = cls(list(_instructions(words)), version=version, bound=bound, generator=generator)
        module.check()
        return module

    def check(self) -> None:
        """Check that the module is sound; `ModuleError` where it is not."""
        self.definitions = check(self.instructions, self.bound)

    def having(self, instructions: list[Instruction]) -> Module:
        """Return a module of other instructions, not checked, with this one's header."""
        return Module(instructions, version=self.version, bound=self.bound, generator=self.generator)

    def to_bytes(self) -> bytes:
        """Return the module as a file, little-endian; `ModuleError` where what was made does not fit into one."""
        words = [MAGIC, self.version, self.generator, self.bound, 0]
        for one in self.instructions:
            words.append(len(one.words) + 1 << 16 | one.opcode)
            words.extend(one.words)
        try:
            return struct.pack(f"<{len(words)}I", *words)
        except struct.error as error:
            problem = "an instruction has more than 65,535 words, or a word no 32 bits"
            raise ModuleError(HEADER_WORDS, problem) from error

    __bytes__ = to_bytes

    @cached_property
    def definitions(self) -> dict[int, Instruction]:
        """Result id -> the instruction that defines it."""
        return {one.words[form.typed]: one for one in self.instructions if (form := one.shape).defines}

    def _of(self, code: int) -> list[Instruction]:
        return [one for one in self.instructions if one.opcode == code]

    @cached_property
    def variables(self) -> list[Instruction]:
        """The variables, those of functions too."""
        return self._of(Op.Variable)

    @cached_property
    def names(self) -> dict[int, str]:
        """Id -> its debug name."""
        return {one.words[0]: text_of(one.words[1:])[0] for one in self._of(Op.Name)}

    @cached_property
    def decorations(self) -> Decorations:
        """Id -> decoration -> its literal operands, of the id alone or of a group (the last one of a kind)."""
        decorations: Decorations = {}
        for one in self.instructions:
            if one.opcode == Op.Decorate:
                decorations.setdefault(one.words[0], {})[one.words[1]] = tuple(one.words[2:])
            elif one.opcode == Op.GroupDecorate:  # an id has its groups' where it has none of that kind
                for target in one.words[1:]:
                    decorations[target] = decorations.get(one.words[0], {}) | decorations.get(target, {})
        return decorations

    @cached_property
    def member_decorations(self) -> MemberDecorations:
        """(structure id, member) -> decoration -> its literal operands, of the member alone or of a group."""
        decorations: MemberDecorations = {}
        for one in self.instructions:
            if one.opcode == Op.MemberDecorate:
                decorations.setdefault((one.words[0], one.words[1]), {})[one.words[2]] = tuple(one.words[3:])
            elif one.opcode == Op.GroupMemberDecorate:
                for target in zip(one.words[1::2], one.words[2::2], strict=False):
                    decorations[target] = self.decorations.get(one.words[0], {}) | decorations.get(target, {})
        return decorations

    @cached_property
    def glsl(self) -> int:
        """The id of the extended instructions GLSL.std.450; 0 where they are not imported."""
        imports = self._of(Op.ExtInstImport)
        return next((one.words[0] for one in imports if text_of(one.words[1:])[0] == "GLSL.std.450"), 0)

    @cached_property
    def entry_points(self) -> tuple[EntryPoint, ...]:
        """The entry points."""
        named = [(one.words, *text_of(one.words[2:])) for one in self._of(Op.EntryPoint)]
        return tuple(EntryPoint(words[0], words[1], name, tuple(words[2 + count :])) for words, name, count in named)

    @cached_property
    def execution_modes(self) -> dict[int, dict[int, tuple[int, ...]]]:
        """Function id -> execution mode -> its literal operands."""
        modes: dict[int, dict[int, tuple[int, ...]]] = {}
        for one in self._of(Op.ExecutionMode):
            modes.setdefault(one.words[0], {})[one.words[1]] = tuple(one.words[2:])
        return modes

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The functions, in order; a declaration without a body has no blocks."""
        return tuple(self._functions())

    def _functions(self) -> Iterator[Function]:
        start, parameters, blocks = 0, list[int](), list[Block]()
        for at, one in enumerate(self.instructions):
            if one.opcode == Op.Function:
                start, parameters, blocks = at, [], []
            elif one.opcode == Op.FunctionParameter:
                parameters.append(one.words[1])
            elif one.opcode == Op.Label:
                blocks.append(Block(one.words[0], [one]))
            elif one.opcode == Op.FunctionEnd:
                head = self.instructions[start].words
                yield Function(head[1], head[3], tuple(parameters), start, at + 1, tuple(blocks))
            elif blocks:
                blocks[-1].instructions.append(one)

    def held(self, variable: Instruction) -> Instruction:
        """Return the type of what a pointer leads to, such as a ``variable``, the instruction that gives it."""
        return self.definitions[self.definitions[variable.words[0]].words[2]]

    def constant_value(self, ident: int) -> int | None:
        """Return the low 32 bits of an OpConstant or OpConstantNull; None: anything else, also if specialised."""
        one = self.definitions[ident]
        return one.words[2] if one.opcode == Op.Constant else 0 if one.opcode == Op.ConstantNull else None


def _bytes(data: object) -> bytes:
    if isinstance(data, bytes | bytearray | memoryview):
        return bytes(data)
    hint = "Read a file with Path(name).read_bytes()."
    raise ArgumentError("module", data, accepted="the bytes of a SPIR-V module", hint=hint)


def _words(data: bytes) -> tuple[int, ...]:
    if data[:4] not in {b"\x03\x02\x23\x07", b"\x07\x23\x02\x03"}:
        hint = "A module starts with the word 0x07230203. Compile GLSL with glslangValidator (Debian: glslang-tools)."
        raise ModuleError(0, "this is no SPIR-V module", hint=hint)
    if len(data) % 4:
        raise ModuleError(len(data) // 4, f"the file ends within a word: {len(data)} bytes")
    return struct.unpack(("<" if data[0] == 3 else ">") + f"{len(data) // 4}I", data)


def _instructions(words: tuple[int, ...]) -> Iterator[Instruction]:
    at, end = HEADER_WORDS, len(words)
    while at < end:
        count, opcode = words[at] >> 16, words[at] & 0xFFFF
        if not count:
            raise ModuleError(at, "the word count is 0")
        if at + count > end:
            raise ModuleError(at, f"the word count {count} goes beyond the end, {end - at} words away")
        yield Instruction(opcode, list(words[at + 1 : at + count]), at)
        at += count
