"""The walk over a shader's blocks: dispatches each instruction and terminator to the code that lowers it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from statetracker.errors import NotLowered
from statetracker.geometry.program import Destination
from statetracker.geometry.shader.arithmetic import COMPARISONS, NOTHING
from statetracker.geometry.shader.code import UNDEFINED, Code, Column, Place, Stage, Value
from statetracker.geometry.shader.control_walk import NOWHERE, RETURN, Frame
from statetracker.geometry.shader.flow import Flow
from statetracker.geometry.shader.interface import BuiltIn, Interface, Storage
from statetracker.geometry.shader.memory import Memory
from statetracker.geometry.shader.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from statetracker.geometry.shader.memory import Key
    from statetracker.spirv import Block, Function, Instruction

_MOST_REGISTERS: Final = 50_000
_MOST_BLOCKS: Final = 100_000
_ONE_ROUND: Final = (
    "it returns from deep within: written as a loop of one round, so what is spilled there"
    " seems to cost ten times as much"
)
_STREAMS: Final = "vertices of a stream beyond 0 are written as those of stream 0; its bits are not counted"


def _targets(one: Instruction) -> list[int]:
    """Return the labels that a terminator branches to."""
    if one.name == "OpBranch":
        return one.words[:1]
    if one.name == "OpBranchConditional":
        return one.words[1:3]
    return [one.words[1], *one.words[3::2]] if one.name == "OpSwitch" else []


def _reached(blocks: Mapping[int, Block], starts: Iterable[int], *ends: int) -> set[int]:
    """Labels on the ways from some to others, which are not among them."""
    seen: set[int] = set()
    labels = list(starts)
    while labels:
        label = labels.pop()
        if label not in seen and label not in ends:
            seen.add(label)
            labels += _targets(blocks[label].instructions[-1])
    return seen


def _stored(
    blocks: Mapping[int, Block], functions: Mapping[int, Function], base: Callable[[int], int | None],
    header: int, merge: int,
) -> set[int]:  # fmt: skip
    """Variables that a loop may store to, functions called there included; ``base``: the variable of a pointer."""
    variables: set[int] = set()
    waiting, seen = _reached(blocks, [header], merge), set[int]()
    while waiting:
        label = waiting.pop()
        seen.add(label)
        for one in blocks[label].instructions:
            variables |= {variable for word in _written(one) if (variable := base(word)) is not None}
            if one.name == "OpFunctionCall":
                waiting |= {block.label for block in functions[one.words[2]].blocks} - seen
    return variables


def _written(one: Instruction) -> list[int]:
    """Operands that an instruction may write through, if they are pointers."""
    if one.name in {"OpStore", "OpCopyMemory"}:
        return one.words[:1]
    if one.name == "OpFunctionCall":
        return one.words[3:]
    return one.words[4:] if one.name == "OpExtInst" else []


def _carried(blocks: Mapping[int, Block], switch: Instruction, merge: int) -> list[int]:
    """Values made where one case of a switch falls into another, and read after it.

    Such a case is written once for each way into it, so that what it makes has to be brought together like a variable.
    """
    cases = {*_targets(switch)} - {merge}
    entered = {case for case in cases for other in cases - {case} if case in _reached(blocks, [other], merge)}
    return _read_beyond(blocks, _reached(blocks, entered, merge))


def _read_beyond(blocks: Mapping[int, Block], inside: set[int]) -> list[int]:
    """Values made in some blocks and read in others."""
    made = {one.result for label in inside for one in blocks[label].instructions if one.shape.typed}
    read = {
        word for label, block in blocks.items() if label not in inside and made
        for one in block.instructions for word in one.operands
    }  # fmt: skip
    return sorted(made & read)


class Blocks(Flow):
    """The walk over the entry point and the functions it calls.

    Args:
        interface: What the shader reads and writes.
        code: Where instructions go.
        scratch: Ids of the variables that live in scratch memory.

    Attributes:
        carried: Merge block of a switch or a loop -> values that ways written more than once bring there.
    """

    def __init__(self, interface: Interface, code: Code, scratch: frozenset[int]) -> None:
        super().__init__(code, Memory(interface.types, code, scratch))
        self.interface, self.module, self.types = interface, interface.module, interface.types
        self.values = Values(self.types, code, self.memory)
        ending = {"OpEndPrimitive", "OpEndStreamPrimitive"}
        self.ends = any(one.name in ending for one in self.module.instructions)
        self.stage = Stage(interface, code, ends=self.ends)
        self.functions = {one.id: one for one in self.module.functions}
        self.of_label = {block.label: block for one in self.module.functions for block in one.blocks}
        self.uses = Counter(word for one in self.module.instructions for word in one.operands)
        self.carried: dict[int, list[int]] = {}
        self.compares = {}
        self.calls = []
        self.walked = 0
        self.at = self.module.instructions[0]  # where the walk is
        self.remarks: dict[tuple[int, str], str] = {}

    def remark(self, one: Instruction, text: str) -> None:
        """Add a remark about an instruction, once."""
        self.remarks.setdefault((one.offset, one.name), text)

    def write(self) -> None:
        """Write the whole shader."""
        self.stage.begin()
        self._built_ins()
        for one in self.interface.variables:
            if one.words[2] in {Storage.PRIVATE, Storage.OUTPUT} and len(one.words) > 3:
                self.memory.store(self.values.pointer(one.words[1]), self.values.of(one.words[3]))
        self.call(self.functions[self.interface.entry.function], ())
        self.stage.end()

    def _built_ins(self) -> None:
        """Place built-in inputs: locations, the header, the primitive id; the instance id is computed first."""
        for one in self.interface.inputs:
            per_vertex = len(self.types.columns(self._vertex_type(one.variable)))
            for vertex in range(6):
                for n in range(len(self.types.columns(one.type_id))):
                    at = (one.variable, vertex * per_vertex + one.start + n)
                    if one.location is not None:
                        self.memory.place_of[at] = Place("attribute", (vertex, one.location + n), one.component)
                    elif one.built_in == BuiltIn.POINT_SIZE:
                        self.memory.place_of[at] = Place("attribute", (vertex, "header"), 0)
            if one.built_in == BuiltIn.INVOCATION_ID:
                self.code.note = "gl_InvocationID"
                reg = self.code.fresh()
                self.code.write("shr", Destination(reg, 1))
                self.memory.place_of[one.variable, 0] = Place("vgrf", reg, 0)

    def _vertex_type(self, variable: int) -> int:
        type_id = self.types.pointee(self.types.value_type(variable))
        return self.types.element(type_id) if self.types.name(type_id) == "OpTypeArray" else type_id

    def call(self, function: Function, arguments: Sequence[int], at: Instruction | None = None) -> Value:
        """Inline a function; gives its result."""
        if function.id in self.calls or not function.blocks:
            what = "calls itself" if function.blocks else "has no body"
            where = at or self.module.definitions[function.id]
            raise NotLowered(where.offset, f"the function {self.module.names.get(function.id, function.id)} {what}",
                             instruction=where.name, hint="Write it as a loop, or link it first.")  # fmt: skip
        self.values.bind(function.parameters, arguments)
        self._locals(function)
        kept, self.frame = self.frame, Frame()
        self.calls.append(function.id)
        first = function.blocks[0].label
        if not self.attempt(lambda: self.walk(first, RETURN), RETURN):
            if at is not None or self.interface.entry.function == function.id:
                where = at or self.module.definitions[function.id]
                self.remark(where, _ONE_ROUND)
            self.once(RETURN, lambda: self.walk(first, NOWHERE))
        self.calls.pop()
        self.frame, self.alive = kept, True
        return self._taken("return", function.id, self.types.value_type(function.id))

    def _taken(self, kind: str, ident: int, type_id: int) -> Value:
        """Return a value that control flow brings here, out of the state."""
        widths = self.types.columns(type_id)
        return tuple(self.state.pop((kind, ident, n), (UNDEFINED,) * width) for n, width in enumerate(widths))

    def _locals(self, function: Function) -> None:
        """Variables of a function begin undefined, or as they are initialised."""
        for block in function.blocks[:1]:
            for one in block.instructions:
                if one.name == "OpVariable":
                    for n in range(len(self.types.columns(self.types.pointee(one.words[0])))):
                        self.state.pop(("variable", one.words[1], n), None)
                    if len(one.words) > 3:
                        self.memory.store(self.values.pointer(one.words[1]), self.values.of(one.words[3]))

    def block(self, label: int) -> int | None:
        """Write a block; the label to go on with."""
        block = self.of_label[label]
        merge = next((one for one in block.instructions if one.name in {"OpLoopMerge", "OpSelectionMerge"}), None)
        if merge is not None and merge.name == "OpLoopMerge" and label not in self.frame.headers:
            after, again = merge.words[:2]
            if after not in self.carried:  # a continue construct is written once for each way into it, too
                self.carried[after] = _read_beyond(self.of_label, _reached(self.of_label, [again], label, after))
            return self.loop(label, after, again)
        self.walked += 1
        if len(self.code.sizes) > _MOST_REGISTERS or self.walked > _MOST_BLOCKS:
            raise NotLowered(block.instructions[0].offset, f"the shader takes more than {_MOST_REGISTERS} values or"
                             f" {_MOST_BLOCKS} blocks once functions are inlined and loops unrolled",
                             instruction="OpLabel", hint="Call fewer functions.")  # fmt: skip
        self.compares.clear()
        for ident in self.carried.get(label, ()):
            self.values.known[ident] = self._taken("value", ident, self.types.value_type(ident))
        for one in block.instructions:
            self.at = one
            if one is block.instructions[-1]:
                break
            if one.name == "OpPhi":
                self.values.known[one.words[1]] = self._taken("phi", one.words[1], one.words[0])
            elif one.name not in NOTHING:
                self._instruction(one)
        last = block.instructions[-1]
        selection = merge.words[0] if merge is not None and merge.name == "OpSelectionMerge" else None
        if last.name == "OpSwitch" and selection is not None and selection not in self.carried:
            self.carried[selection] = _carried(self.of_label, last, selection)
        return self.terminator(last, label, selection)

    def _instruction(self, one: Instruction) -> None:
        self.code.note = self.values.note(one)
        if one.name in {"OpEmitVertex", "OpEmitStreamVertex"}:
            if one.operands and (self.module.constant_value(one.operands[0]) or 0):
                self.remark(one, _STREAMS)
            self.stage.emit(self.state)
        elif one.name in {"OpEndPrimitive", "OpEndStreamPrimitive"}:
            self.stage.end_primitive()
        elif one.name == "OpFunctionCall":
            result = self.call(self.functions[one.words[2]], one.words[3:], one)
            self.values.known[one.words[1]] = result
        else:
            if one.name in COMPARISONS and self.uses[one.result] == 1:
                self.compares[one.result] = (self.code.note, [self.values.of(word)[0] for word in one.operands])
            self.values.write(one)

    def phis(self, target: int, previous: int) -> None:
        """Put the values that a block's phis take, coming from another, into the state."""
        block = self.of_label.get(target)
        entries: dict[Key, Column] = {}
        for one in block.instructions if block is not None else ():
            if one.name == "OpPhi":
                pairs = dict(zip(one.words[3::2], one.words[2::2], strict=True))
                if previous in pairs:
                    for n, column in enumerate(self.values.of(pairs[previous])):
                        entries["phi", one.words[1], n] = column
        for ident in self.carried.get(target, ()):
            for n, column in enumerate(self.values.known.get(ident, ())):
                entries["value", ident, n] = column
        self.state.update(entries)

    def changed(self, header: int, merge: int) -> list[tuple[Key, int]]:
        """Variables and phis that a loop changes, with their widths."""
        entries: list[tuple[Key, int]] = []
        for one in self.of_label[header].instructions:
            if one.name == "OpPhi":
                entries += [(("phi", one.words[1], n), w) for n, w in enumerate(self.types.columns(one.words[0]))]
        for variable in sorted(_stored(self.of_label, self.functions, self.values.base, header, merge)):
            one = self.module.definitions[variable]
            local = one.words[2] in {Storage.FUNCTION, Storage.PRIVATE, Storage.OUTPUT}
            if local and variable not in self.memory.scratch:
                widths = self.types.columns(self.types.pointee(one.words[0]))
                entries += [(("variable", variable, n), width) for n, width in enumerate(widths)]
        return entries
