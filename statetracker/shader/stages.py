"""Inputs and outputs of a stage, as WebGPU has them: the origin, positions, push constants, arrays.

Where a variable of a stage is another one in WebGPU, or several, a private variable takes its place: it is written as
the stage begins, or read as it ends.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError
from statetracker.shader.block_values import Descriptor, uniform_block
from statetracker.shader.flat_images import merged
from statetracker.shader.known import ONE, PROMISES, STAGES, built_ins, named, pointers
from statetracker.shader.origin import ACCESS_CHAINS, free_place, leaf, resources
from statetracker.spirv import Editor, Emitter, EntryPoint, Instruction, Kind, Module, Word, renamed, text_of, words_of
from statetracker.spirv.editor import ALL_GLOBALS
from statetracker.spirv.names import BuiltIn, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


#: Built-in variables of OpenGL -> WebGPU's.
_COUNTED: Final = {BuiltIn.VertexId: BuiltIn.VertexIndex, BuiltIn.InstanceId: BuiltIn.InstanceIndex}
#: How what is handed on is interpolated.
_SMOOTH: Final = (Decoration.NoPerspective, Decoration.Centroid, Decoration.Sample)
_BETWEEN: Final = (*_SMOOTH, Decoration.Flat)
#: Derivatives along y.
_UPWARDS: Final = (Op.DPdy, Op.DPdyFine, Op.DPdyCoarse)
_WHOLE: Final = (Op.TypeArray, Op.TypeMatrix, Op.TypeStruct)
_HEAD: Final = (Op.Function, Op.FunctionParameter, Op.Label, Op.Variable, Op.Line, Op.NoLine)
_STORAGE_SINCE: Final = 0x00010300
#: More parts than any device hands on.
_MOST: Final = 256


def staged(
    module: Module, blocks: Mapping[str, Descriptor], taken: set[Descriptor]
) -> tuple[Module, dict[str, Descriptor]]:
    """Write stages as WebGPU has them; with where the blocks are that this needs.

    ``blocks`` has (set, binding) of ``flip`` and ``push constants``; ``taken`` are places of other things than the
    module's variables.
    """
    work = _Stages(module, blocks, {*taken, *(place for place, _ in resources(module))})
    return work.pushed(work.run()), work.placed


class _Stages:
    def __init__(self, module: Module, blocks: Mapping[str, Descriptor], taken: set[Descriptor]) -> None:
        self.module, self.editor, self.blocks, self.taken = module, Editor(module), blocks, taken
        self.definitions = module.definitions
        self.placed: dict[str, Descriptor] = {}
        bound = resources(module)  # of which combined samplers give up their places
        self.fixed = {place for place, one in bound if leaf(module, one).opcode != Op.TypeSampledImage}
        self.flips = any(ExecutionMode.OriginLowerLeft in modes for modes in module.execution_modes.values())
        self.parts: dict[int, list[int]] = {}  # a variable -> those in its place
        self.proxies: dict[int, int] = {}  # a variable -> its private one
        self.sizes: dict[int, int] = {}  # a type -> how many scalars and vectors
        self.roots: dict[int, int] = {}  # a pointer to what comes in or goes out -> its variable
        self.points = {at for at, number in pointers(module).items() if number == BuiltIn.PointSize}
        self.built_ins = dict(built_ins(module))

    # What becomes private

    def declare(self) -> None:
        """Private variables, and the variables of parts."""
        passed, known = self.passed(), all(one.model in STAGES for one in self.module.entry_points)
        for one in self.module.variables:
            if one.result in passed:
                continue
            ident, kind = one.result, self.module.held(one).result
            said, storage = self.module.decorations.get(ident, {}), one.words[2]
            number = self.built_ins.get(ident)
            if number == BuiltIn.PointCoord or (number == BuiltIn.FragCoord and self.flips):
                self.parts[ident] = [] if number == BuiltIn.PointCoord else [ident]
            elif storage in {StorageClass.Input, StorageClass.Output} and self.definitions[kind].opcode in _WHOLE:
                located = Decoration.Location in said or (kind, 0) in self.module.member_decorations
                if (
                    number is not None
                    or kind in self.built_ins
                    or not located
                    or not known
                    or Decoration.PerVertexKHR in said
                    or self.size(kind) > _MOST
                ):
                    continue
                first = said.get(Decoration.Location, (0,))[0]
                own = {decoration for decoration in _BETWEEN if decoration in said}
                self.parts[ident] = [self.part(storage, *part) for part in self.leaves(kind, first, own)]
            else:
                continue
            private = self.editor.declare("OpTypePointer", StorageClass.Private, kind)
            self.proxies[ident] = self.editor.variable(private, StorageClass.Private)

    def passed(self) -> set[int]:
        """Variables that go somewhere as pointers, but for loads, stores and chains."""
        handed_on = {StorageClass.Input, StorageClass.Output}
        self.roots = {one.result: one.result for one in self.module.variables if one.words[2] in handed_on}
        passed = set[int]()
        for one in self.module.instructions:
            if one.opcode in ACCESS_CHAINS and one.words[2] in self.roots:
                self.roots[one.words[1]] = self.roots[one.words[2]]
            elif one.opcode in {Op.FunctionCall, Op.CopyObject, Op.Select, Op.Phi}:
                passed.update(self.roots[word] for word in one.words[2:] if word in self.roots)
        return passed

    def members(self, kind: int) -> list[int]:
        """Return the types of the parts of an array, a matrix or a structure."""
        one = self.definitions[kind]
        if one.opcode == Op.TypeStruct:
            return one.words[1:]
        length = one.words[2] if one.opcode == Op.TypeMatrix else self.module.constant_value(one.words[2]) or 0
        return [one.words[1]] * min(length, _MOST + 1)

    def size(self, kind: int) -> int:
        """Return how many scalars and vectors a type has, at least one; more than `_MOST` are not counted on."""
        if kind not in self.sizes:
            each = self.members(kind) if self.definitions[kind].opcode in _WHOLE else []
            self.sizes[kind] = min(sum(map(self.size, each)), _MOST + 1) or 1
        return self.sizes[kind]

    def leaves(self, kind: int, location: int, said: set[int]) -> Iterator[tuple[int, int, set[int]]]:
        """Yield the type, the location and the decorations of each scalar and vector."""
        if self.definitions[kind].opcode not in _WHOLE:
            yield kind, location, said
            return
        for number, member in enumerate(self.members(kind)):
            own = self.module.member_decorations.get((kind, number), {})
            location = own.get(Decoration.Location, (location,))[0]
            yield from self.leaves(member, location, said | {one for one in _BETWEEN if one in own})
            location += self.size(member)

    def part(self, storage: int, kind: int, location: int, said: set[int]) -> int:
        made = self.editor.variable(self.editor.declare("OpTypePointer", storage, kind), storage)
        self.editor.decorate(made, Decoration.Location, location)
        for decoration in sorted(said):
            self.editor.decorate(made, decoration)
        return made

    # The walk

    def run(self) -> Module:
        """Return the new module, but for push constants."""
        self.declare()
        positions = {ident for ident, number in built_ins(self.module) if number == BuiltIn.Position}
        lacking = {one.function for one in self.module.entry_points if self.lacks_position(one, positions)}
        position = self.position() if lacking else 0
        handed = {one.function: [at for at in one.interface if at in self.proxies] for one in self.module.entry_points}
        body: list[Instruction] = []
        function, begins = 0, False
        for one in self.module.instructions:
            if one.opcode == Op.Function:
                function, begins = one.words[1], True
            emit = Emitter(self.editor)
            if begins and one.opcode not in _HEAD:
                begins = False
                for ident in handed.get(function, ()):
                    self.read(emit, ident)
                if function in lacking:
                    emit.out.append(Instruction(Op.Store, [position, emit.number(Kind.FLOAT, 0.0, 4).id]))
            if one.opcode == Op.Return:
                for ident in handed.get(function, ()):
                    self.write(emit, ident)
            body += emit.out
            body += self.rewritten(one, position if one.opcode == Op.EntryPoint and one.words[1] in lacking else 0)
        return self.editor.finish(body, check=False)

    def lacks_position(self, entry: EntryPoint, positions: set[int]) -> bool:
        """Return whether a vertex stage has no position; a block may have it."""
        if entry.model != ExecutionModel.Vertex:
            return False
        kinds = {self.module.held(self.definitions[at]).result for at in entry.interface}
        return positions.isdisjoint(kinds | {*entry.interface})

    def position(self) -> int:
        vector, storage = self.editor.type_vector(self.editor.type_float(), 4), StorageClass.Output
        made = self.editor.variable(self.editor.declare("OpTypePointer", storage, vector), storage)
        self.editor.decorate(made, Decoration.BuiltIn, BuiltIn.Position)
        return made

    def rewritten(self, one: Instruction, position: int) -> list[Instruction]:
        words = list(one.words)
        if one.opcode == Op.EntryPoint:
            head = 2 + text_of(words[2:])[1]
            listed = [part for ident in words[head:] for part in self.parts.get(ident, [ident])]
            if self.module.version < ALL_GLOBALS:
                listed += [position] * bool(position)
            else:  # the editor lists what is new
                listed = [ident for ident in listed if ident in self.definitions]
            return [one.copy([*words[:head], *listed])]
        if one.opcode == Op.ExecutionMode:
            lower = words[1] == ExecutionMode.OriginLowerLeft
            new = one.copy([words[0], ExecutionMode.OriginUpperLeft]) if lower else one
            return [new] * (named(one) not in PROMISES)
        if one.opcode == Op.Store and words[0] in self.points:
            words[1] = self.editor.constant(self.editor.type_float(), ONE)
        if one.opcode in {Op.Decorate, Op.MemberDecorate, Op.Name, Op.Variable}:
            if one.opcode == Op.Decorate and words[1] == Decoration.BuiltIn:
                words[2] = _COUNTED.get(words[2], words[2])
            elif one.opcode == Op.Variable and words[2] == StorageClass.Workgroup:
                del words[3:]
            return [one.copy(words)] if self.kept(one) else []
        if self.flips and one.opcode in _UPWARDS:
            return self.turned(one)
        if one.opcode in ACCESS_CHAINS and self.roots.get(words[2]) in self.proxies:
            words[0] = self.editor.declare("OpTypePointer", StorageClass.Private, self.definitions[words[0]].words[2])
        made = one.copy(words) if words != one.words else one
        return [made if self.proxies.keys().isdisjoint(words) else renamed(self.definitions, made, self.proxies)]

    def kept(self, one: Instruction) -> bool:
        """Return whether what speaks of an id stays: not where that is a variable that others take the place of.

        Only positions are invariant in WGSL, and only what has a location is interpolated.
        """
        ident = one.result or one.words[0]
        if one.opcode == Op.MemberDecorate:
            return one.words[2] != Decoration.Invariant or ident in self.built_ins
        if one.opcode == Op.Decorate and one.words[1] in _SMOOTH and ident in self.built_ins:
            return False
        return ident not in self.proxies or ident in self.parts[ident]

    # What is written

    @cached_property
    def _flip(self) -> tuple[int, int]:
        return uniform_block(self.editor, 1, self.place("flip"))

    def flip(self, emit: Emitter) -> tuple[Word, Word]:
        """Return the factor of y, and what is added to it then."""
        variable, pointer = self._flip
        zero = emit.uint(0).id
        at = emit.op("OpAccessChain", pointer, variable, zero, zero)
        whole = emit.make(Kind.UINT, "OpLoad", at, count=4).bits(Kind.FLOAT)
        return emit.component(whole, 0), emit.component(whole, 1)

    def place(self, name: str) -> Descriptor:
        """Return the place of a block: as the caller says, else the first free binding of group 0."""
        if name not in self.placed:
            asked = self.blocks.get(name)
            if asked in self.placed.values() or asked in self.fixed:
                raise ArgumentError(f"blocks of {name}", asked, accepted="a place that nothing else has")
            self.placed[name] = asked or free_place(self.taken)
            self.taken.add(self.placed[name])
        return self.placed[name]

    def turned(self, one: Instruction) -> list[Instruction]:
        emit = Emitter(self.editor)
        factor, _ = self.flip(emit)
        made = emit.again(one, one.words[0], *one.words[2:])
        name = "OpVectorTimesScalar" if self.definitions[one.words[0]].opcode == Op.TypeVector else "OpFMul"
        emit.result(one, name, made, factor.id)
        return emit.out

    def read(self, emit: Emitter, ident: int) -> None:
        """As a stage begins: a private variable is what came in."""
        if self.definitions[ident].words[2] != StorageClass.Input:
            return
        kind = self.module.held(self.definitions[ident]).result
        if self.built_ins.get(ident) == BuiltIn.PointCoord:
            value = emit.number(Kind.FLOAT, 0.5, 2).id
        elif self.built_ins.get(ident) == BuiltIn.FragCoord:
            x, y, z, w = emit.parts(emit.op("OpLoad", kind, ident))
            factor, more = self.flip(emit)
            value = emit.joined([x, y * factor + more, z, w])
        else:
            kinds = zip(self.leaves(kind, 0, set()), self.parts[ident], strict=True)
            value = self.joined(emit, kind, iter([emit.op("OpLoad", leaf, part) for (leaf, *_), part in kinds]))
        emit.out.append(Instruction(Op.Store, [self.proxies[ident], value]))

    def write(self, emit: Emitter, ident: int) -> None:
        """As a stage ends: what goes out is that of a private variable."""
        if self.definitions[ident].words[2] != StorageClass.Output:
            return
        kind = self.module.held(self.definitions[ident]).result
        values = self.taken_apart(emit, kind, emit.op("OpLoad", kind, self.proxies[ident]))
        for part, value in zip(self.parts[ident], values, strict=True):
            emit.out.append(Instruction(Op.Store, [part, value]))

    def joined(self, emit: Emitter, kind: int, loaded: Iterator[int]) -> int:
        if self.definitions[kind].opcode not in _WHOLE:
            return next(loaded)
        parts = [self.joined(emit, member, loaded) for member in self.members(kind)]
        return emit.op("OpCompositeConstruct", kind, *parts)

    def taken_apart(self, emit: Emitter, kind: int, value: int) -> list[int]:
        if self.definitions[kind].opcode not in _WHOLE:
            return [value]
        parts = [emit.op("OpCompositeExtract", of, value, n) for n, of in enumerate(self.members(kind))]
        each = zip(self.members(kind), parts, strict=True)
        return [leaf for of, part in each for leaf in self.taken_apart(emit, of, part)]

    def pushed(self, module: Module) -> Module:
        of = {Op.TypePointer: 1, Op.Variable: 2}
        body, variables = list[Instruction](), list[int]()
        for one in module.instructions:
            words, at = list(one.words), of.get(one.opcode, 0)
            if at and words[at] == StorageClass.PushConstant:
                words[at] = StorageClass.StorageBuffer
                variables += [one.result] * (one.opcode == Op.Variable)
            body.append(one.copy(words))
        if not variables:
            return module
        if module.version < _STORAGE_SINCE:
            last = max(at for at, one in enumerate(body) if one.opcode == Op.Capability)
            body.insert(last + 1, Instruction(Op.Extension, words_of("SPV_KHR_storage_buffer_storage_class")))
        editor, place = Editor(module), self.place("push constants")
        for ident in variables:
            editor.bind(ident, place)
            editor.decorate(ident, Decoration.NonWritable)
        return editor.finish(merged(body, editor), check=False)
