"""A shader's blocks: the ways between them, and the values that control flow brings from one to another."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from statetracker.geometry.shader.code import UNDEFINED, Code, Column, Place, Stage, Value
from statetracker.geometry.shader.interface import BuiltIn, Interface, Storage
from statetracker.geometry.shader.memory import Memory
from statetracker.geometry.shader.values import Values

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.geometry.shader.memory import Key, State
    from statetracker.spirv import Function, Instruction


def _targets(one: Instruction) -> list[int]:
    """Return the labels that a terminator branches to."""
    if one.name == "OpBranch":
        return one.words[:1]
    if one.name == "OpBranchConditional":
        return one.words[1:3]
    return [one.words[1], *one.words[3::2]] if one.name == "OpSwitch" else []


def _written(one: Instruction) -> list[int]:
    """Operands that an instruction may write through, if they are pointers."""
    if one.name in {"OpStore", "OpCopyMemory"}:
        return one.words[:1]
    if one.name == "OpFunctionCall":
        return one.words[3:]
    return one.words[4:] if one.name == "OpExtInst" else []


class Blocks:
    """The blocks of the entry point and of the functions it calls, and what is known where the walk is.

    Args:
        interface: What the shader reads and writes.
        scratch: Ids of the variables that live in scratch memory.

    Attributes:
        carried: Merge block of a switch or a loop -> values that ways written more than once bring there.
        at: The instruction where the walk is.
    """

    def __init__(self, interface: Interface, scratch: frozenset[int]) -> None:
        self.interface, self.module, self.types = interface, interface.module, interface.types
        self.code = Code()
        self.memory = Memory(self.types, self.code, scratch)
        self.values = Values(self.types, self.code, self.memory)
        ending = {"OpEndPrimitive", "OpEndStreamPrimitive"}
        self.ends = any(one.name in ending for one in self.module.instructions)
        self.stage = Stage(interface, self.code, ends=self.ends)
        self.functions = {one.id: one for one in self.module.functions}
        self.of_label = {block.label: block for one in self.module.functions for block in one.blocks}
        self.uses = Counter(word for one in self.module.instructions for word in one.operands)
        self.carried: dict[int, list[int]] = {}
        self.at = self.module.instructions[0]

    @property
    def state(self) -> State:
        """The variables here."""
        return self.memory.state

    @state.setter
    def state(self, state: State) -> None:
        self.memory.state = state

    def place_built_ins(self) -> None:
        """Place built-in inputs: locations, the header, the primitive id; the instance id is computed first."""
        for one in self.interface.inputs:
            type_id = self.types.pointee(self.types.value_type(one.variable))
            arrayed = self.types.name(type_id) == "OpTypeArray"
            per_vertex = len(self.types.columns(self.types.element(type_id) if arrayed else type_id))
            for vertex in range(6):
                for n in range(len(self.types.columns(one.type_id))):
                    at = (one.variable, vertex * per_vertex + one.start + n)
                    if one.location is not None:
                        self.memory.place_of[at] = Place("attribute", (vertex, one.location + n), one.component)
                    elif one.built_in == BuiltIn.POINT_SIZE:
                        self.memory.place_of[at] = Place("attribute", (vertex, "header"), 0)
            if one.built_in == BuiltIn.INVOCATION_ID:
                self.code.note = "gl_InvocationID"
                self.memory.place_of[one.variable, 0] = self.code.result("shr", 1)[0]

    def initialise(self, variables: Iterable[Instruction]) -> None:
        """Store the initial values that variables have."""
        for one in variables:
            if len(one.words) > 3:
                self.memory.store(self.values.pointer(one.words[1]), self.values.of(one.words[3]))

    def begin_locals(self, function: Function) -> None:
        """Variables of a function begin undefined, or as they are initialised."""
        for one in function.blocks[0].instructions:
            if one.name == "OpVariable":
                self.taken("variable", one.words[1], self.types.pointee(one.words[0]))
                self.initialise([one])

    def taken(self, kind: str, ident: int, type_id: int) -> Value:
        """Return a value that control flow brings here, out of the state."""
        widths = self.types.columns(type_id)
        return tuple(self.state.pop((kind, ident, n), (UNDEFINED,) * width) for n, width in enumerate(widths))

    def brought(self, kind: str, ident: int, value: Value) -> dict[Key, Column]:
        """Return the entries of the state by which control flow brings a value on."""
        return {(kind, ident, n): column for n, column in enumerate(value)}

    def phis(self, target: int, previous: int) -> None:
        """Put the values that a block's phis take, coming from another, into the state."""
        block = self.of_label.get(target)
        entries: dict[Key, Column] = {}
        for one in block.instructions if block is not None else ():
            if one.name == "OpPhi":
                pairs = dict(zip(one.words[3::2], one.words[2::2], strict=True))
                if previous in pairs:
                    entries |= self.brought("phi", one.words[1], self.values.of(pairs[previous]))
        for ident in self.carried.get(target, ()):
            entries |= self.brought("value", ident, self.values.known.get(ident, ()))
        self.state.update(entries)

    def changed(self, header: int, merge: int) -> list[tuple[Key, int]]:
        """Variables and phis that a loop changes, with their widths."""
        found = [
            ("phi", one.words[1], one.words[0]) for one in self.of_label[header].instructions if one.name == "OpPhi"
        ]
        for variable in sorted(self._stored(header, merge)):
            one = self.module.definitions[variable]
            local = one.words[2] in {Storage.FUNCTION, Storage.PRIVATE, Storage.OUTPUT}
            if local and variable not in self.memory.scratch:
                found.append(("variable", variable, self.types.pointee(one.words[0])))
        return [
            ((kind, ident, n), width)
            for kind, ident, type_id in found for n, width in enumerate(self.types.columns(type_id))
        ]  # fmt: skip

    def _stored(self, header: int, merge: int) -> set[int]:
        """Variables that a loop may store to, functions called there included."""
        variables: set[int] = set()
        waiting, seen = self._reached([header], merge), set[int]()
        while waiting:
            label = waiting.pop()
            seen.add(label)
            for one in self.of_label[label].instructions:
                variables.update(base for word in _written(one) if (base := self.values.base(word)) is not None)
                if one.name == "OpFunctionCall":
                    waiting |= {block.label for block in self.functions[one.words[2]].blocks} - seen
        return variables

    def carry_out_of_switch(self, switch: Instruction, merge: int) -> None:
        """Record the values that a case makes into which another one falls, and that are read after the switch.

        The walk writes such a case once for each way into it, and joins its values like those of a variable.
        """
        if merge not in self.carried:
            cases = {*_targets(switch)} - {merge}
            entered = {case for other in cases for case in cases & self._reached([other], merge) if case != other}
            self.carried[merge] = self._read_beyond(self._reached(entered, merge))

    def carry_out_of_loop(self, header: int, merge: int, again: int) -> None:
        """Record the values that a continue construct makes: the walk writes it, too, once for each way into it."""
        if merge not in self.carried:
            self.carried[merge] = self._read_beyond(self._reached([again], header, merge))

    def _reached(self, starts: Iterable[int], *ends: int) -> set[int]:
        """Labels on the ways from some to others, which are not among them."""
        seen: set[int] = set()
        labels = list(starts)
        while labels:
            label = labels.pop()
            if label not in seen and label not in ends:
                seen.add(label)
                labels += _targets(self.of_label[label].instructions[-1])
        return seen

    def _read_beyond(self, inside: set[int]) -> list[int]:
        """Values made in some blocks and read in others."""
        made = {one.result for label in inside for one in self.of_label[label].instructions if one.shape.typed}
        read = {
            word for label, block in self.of_label.items() if label not in inside and made
            for one in block.instructions for word in one.operands
        }  # fmt: skip
        return sorted(made & read)
