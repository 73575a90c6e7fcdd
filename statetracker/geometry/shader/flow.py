"""The walk over a shader: instructions, how blocks end, and what selections, switches and calls become."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import NotLowered
from statetracker.geometry.shader.arithmetic import COMPARISONS, NOTHING
from statetracker.geometry.shader.code import immediate
from statetracker.geometry.shader.control_walk import NOWHERE, RETURN, ControlWalk, Frame, Open, Retry, join
from statetracker.geometry.shader.interface import Interface, Storage
from statetracker.geometry.shader.values import note

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.geometry.program import Instruction as Line
    from statetracker.geometry.shader.code import Column, Edge, Place, Value
    from statetracker.geometry.shader.memory import State
    from statetracker.spirv import Function, Instruction

    #: Writes what sets the flag where a condition holds or, given ``_not``, where it does not.
    FlagTest = Callable[[str], None]
    #: An arm that was written: its lines, the state at its end, whether it goes on, whether it returned.
    _Arm = tuple[list[Line | Edge], State, bool, bool]

_MOST_REGISTERS: Final = 50_000
_MOST_BLOCKS: Final = 100_000
_MOST_NESTED_CASES: Final = 250  # each in the else of the one before; Python's stack ends not far beyond
_ONE_ROUND: Final = (
    "it returns from deep within: written as a loop of one round, so what is spilled there"
    " seems to cost ten times as much"
)
_STREAMS: Final = "vertices of a stream beyond 0 are written as those of stream 0; its bits are not counted"


def _without_merge(one: Instruction) -> NotLowered:
    hint = "Compile for a shader: structured control flow is needed."
    return NotLowered(one.offset, "it branches without a merge block", instruction=one.name, hint=hint)


class Flow(ControlWalk):
    """The walk over the entry point and the functions it calls.

    Args:
        interface: What the shader reads and writes.
        scratch: Ids of the variables that live in scratch memory.

    Attributes:
        compares: Comparisons of this block that only one instruction reads: name, operands.
        calls: Functions being inlined, the innermost last.
        walked: Blocks written so far.
        remarks: Offset and name of an instruction -> what to know about it.
    """

    def __init__(self, interface: Interface, scratch: frozenset[int]) -> None:
        super().__init__(interface, scratch)
        self.compares: dict[int, tuple[str, list[Column]]] = {}
        self.calls: list[int] = []
        self.walked = 0
        self.remarks: dict[tuple[int, str], str] = {}

    def write(self) -> None:
        """Write the whole shader."""
        self.stage.begin()
        self.place_built_ins()
        self.initialise(one for one in self.interface.variables if one.words[2] in {Storage.PRIVATE, Storage.OUTPUT})
        self.call(self.functions[self.interface.entry.function], ())
        self.stage.end()

    def call(self, function: Function, arguments: Sequence[int], at: Instruction | None = None) -> Value:
        """Inline a function; gives its result."""
        where = at or self.module.definitions[function.id]
        if function.id in self.calls or not function.blocks:
            what = "calls itself" if function.blocks else "has no body"
            raise NotLowered(where.offset, f"the function {self.module.names.get(function.id, function.id)} {what}",
                             instruction=where.name, hint="Write it as a loop, or link it first.")  # fmt: skip
        self.values.bind(function.parameters, arguments)
        self.begin_locals(function)
        kept, self.frame = self.frame, Frame()
        self.calls.append(function.id)
        first = function.blocks[0].label
        if not self.attempt(lambda: self.walk(first, RETURN), RETURN):
            self.remarks.setdefault((where.offset, where.name), _ONE_ROUND)
            self.once(RETURN, lambda: self.walk(first, NOWHERE))
        self.calls.pop()
        self.frame, self.alive = kept, True
        return self.taken("return", function.id, self.types.value_type(function.id))

    # blocks

    def block(self, label: int) -> int | None:
        """Write a block; the label to go on with."""
        block = self.of_label[label]
        merge = next((one for one in block.instructions if one.name in {"OpLoopMerge", "OpSelectionMerge"}), None)
        if merge is not None and merge.name == "OpLoopMerge" and label not in self.frame.headers:
            after, again = merge.words[:2]
            self.carry_out_of_loop(label, after, again)
            return self.loop(label, after, again)
        self.walked += 1
        if len(self.code.sizes) > _MOST_REGISTERS or self.walked > _MOST_BLOCKS:
            raise NotLowered(block.instructions[0].offset, f"the shader takes more than {_MOST_REGISTERS} values or"
                             f" {_MOST_BLOCKS} blocks once functions are inlined and loops unrolled",
                             instruction="OpLabel", hint="Call fewer functions.")  # fmt: skip
        self.compares.clear()
        for ident in self.carried.get(label, ()):
            self.values.known[ident] = self.taken("value", ident, self.types.value_type(ident))
        *body, last = block.instructions
        for self.at in body:
            self._instruction(self.at)
        self.at = last
        selection = merge.words[0] if merge is not None and merge.name == "OpSelectionMerge" else None
        if last.name == "OpSwitch" and selection is not None:
            self.carry_out_of_switch(last, selection)
        return self.terminator(last, label, selection)

    def _instruction(self, one: Instruction) -> None:
        if one.name in NOTHING:
            return
        if one.name == "OpPhi":
            self.values.known[one.words[1]] = self.taken("phi", one.words[1], one.words[0])
            return
        self.code.note = note(self.module, one)
        if one.name in {"OpEmitVertex", "OpEmitStreamVertex"}:
            if one.operands and (self.module.constant_value(one.operands[0]) or 0):
                self.remarks.setdefault((one.offset, one.name), _STREAMS)
            self.stage.emit(self.state)
        elif one.name in {"OpEndPrimitive", "OpEndStreamPrimitive"}:
            self.stage.end_primitive()
        elif one.name == "OpFunctionCall":
            self.values.known[one.words[1]] = self.call(self.functions[one.words[2]], one.words[3:], one)
        else:
            if one.name in COMPARISONS and self.uses[one.result] == 1:
                self.compares[one.result] = (self.code.note, [self.values.of(word)[0] for word in one.operands])
            self.values.write(one)

    # selections

    def arms(self, test: FlagTest, ways: Sequence[Callable[[], None]], merge: int) -> int | None:
        """If and else; where to go on. Each way is written from its beginning to the merge block."""
        outer, start = self.code.lines, self.state
        arms: list[_Arm] = []
        for way in ways:
            self.code.lines, self.state, self.alive, self.returned = [], dict(start), True, False
            way()
            arms.append((self.code.lines, self.state, self.alive, self.returned))
        finished = any(returned for *_, returned in arms)
        for n, (lines, state, alive, returned) in enumerate(arms):
            if finished and alive and not returned:  # the rest of the function belongs to the arm that did not return
                self.code.lines, self.state, self.alive, self.returned = lines, state, True, False
                self.walk(merge, RETURN)
                arms[n] = (lines, self.state, self.alive, True)
        self.code.lines, self.returned = outer, False
        self._assemble(test, *arms)
        return None if finished or not self.alive or merge == self.frame.ends[-1] else merge

    def _assemble(self, test: FlagTest, one: _Arm, two: _Arm) -> None:
        edges: list[Edge] = [[], []]
        living = [(state, edge) for (_, state, alive, _), edge in zip((one, two), edges, strict=True) if alive]
        self.alive = bool(living)
        if living:
            self.state = join(living, self.code)
        (then, _, then_goes_on, _), (other, *_) = one, two
        code, ending = self.code, ""
        if other and not then and then_goes_on:
            then, other, edges, ending = other, then, edges[::-1], "_not"
        if not other and (then or edges[0] or edges[1]):
            code.lines.append(edges[1])
            edges[1] = []
        if then or other or edges[0] or edges[1]:
            test(ending)
            code.write("if")
            code.lines += [*then, edges[0]]
            if other or edges[1]:
                code.write("else")
                code.lines += [*other, edges[1]]
            code.write("endif")

    # the ends of blocks

    def terminator(self, one: Instruction, label: int, merge: int | None) -> int | None:
        """Write what ends a block; the label to go on with."""
        if one.name == "OpBranch":
            return self.branch(one.words[0], label)
        if one.name == "OpBranchConditional":
            return self._conditional(one, label, merge)
        if one.name == "OpSwitch":
            return self._switch(one, label, merge)
        if one.name == "OpReturnValue":
            for n, column in enumerate(self.values.of(one.words[0])):
                self.state["return", self.calls[-1], n] = column
        if one.name in {"OpReturn", "OpReturnValue"}:
            return self.branch(RETURN, label)
        if one.name != "OpUnreachable":
            raise NotLowered(one.offset, "it ends a block in a way no geometry shader may", instruction=one.name,
                             hint="End it with a branch or a return.")  # fmt: skip
        self.alive = False
        return None

    def _test(self, ident: int) -> FlagTest:
        """Set the flag by a condition: the comparison itself where it stands right before, else its result."""
        note, columns = self.compares.get(ident, ("branch", None))
        place = self.values.of(ident)[0]

        def write(ending: str) -> None:
            self.code.note = note
            if columns is not None:
                sources = [self.code.read(column, 1) for column in self.code.legal(columns)]
                self.code.write(f"cmp_flag{ending}", None, sources)
            else:
                self.code.write(f"test_flag{ending}", None, [self.code.read(place, 1)])

        return write

    def _conditional(self, one: Instruction, label: int, merge: int | None) -> int | None:
        condition, yes, no = one.words[:3]
        (place,) = self.values.of(condition)[0]
        if place.known is not None:
            return self.branch(yes if place.known else no, label)
        test = self._test(condition)
        for taken, other, ending in ((yes, no, ""), (no, yes, "_not")):
            if any(scope.reaches(taken) for scope in self.frame.scopes):
                self._leaving(lambda ending=ending: test(ending), taken, label)  # type: ignore[misc]
                return self.branch(other, label)
        if merge is None:
            for construct in self.frame.open:
                if construct.labels & {yes, no}:
                    raise Retry(construct.merge)
            raise _without_merge(one)
        return self.arms(test, [lambda: self.arm(yes, label, merge), lambda: self.arm(no, label, merge)], merge)

    def _leaving(self, test: Callable[[], None], target: int, label: int) -> None:
        """Write a branch that leaves or repeats a loop where a condition holds."""
        if self.frame.scopes[-1].leave != target:
            test()
            self.aside(lambda: self.arm(target, label, NOWHERE))
            return
        kept = dict(self.state)
        self.phis(target, label)
        self.leave(self.frame.scopes[-1])
        self.state = kept
        test()
        self.code.write("break", maybe=True)

    def _switch(self, one: Instruction, label: int, merge: int | None) -> int | None:
        selector, default = one.words[:2]
        (place,) = self.values.of(selector)[0]
        if merge is None:
            raise _without_merge(one)
        cases: dict[int, list[int]] = {}
        for literal, target in zip(one.words[2::2], one.words[3::2], strict=True):
            cases.setdefault(target, []).append(literal)
        if place.known is not None:
            default = next((target for target, literals in cases.items() if place.known in literals), default)
            cases = {}
        cases.pop(default, None)
        rest = list(cases.items())

        def chain(n: int) -> None:
            if n == len(rest):
                self.arm(default, label, merge)
                return
            target, literals = rest[n]
            ways = [lambda: self.arm(target, label, merge), lambda: chain(n + 1)]
            self.frame.ends.append(merge)
            self.arms(lambda ending: self._case(place, literals, ending), ways, merge)
            self.frame.ends.pop()

        def nested() -> None:
            self.frame.open.append(Open(merge, {merge}, -1, 0))
            chain(0)
            self.frame.open.pop()

        def in_turn() -> None:
            """Cases one after another, each in an if that it leaves by a break."""
            for target, literals in rest:
                self._case(place, literals, "")
                self.aside(lambda target=target: self.arm(target, label, NOWHERE))  # type: ignore[misc]
            self.arm(default, label, NOWHERE)

        if len(rest) > _MOST_NESTED_CASES or not self.attempt(nested, merge):
            self.once(merge, in_turn)
        return merge if self.alive and merge != self.frame.ends[-1] else None

    def _case(self, place: Place, literals: Sequence[int], ending: str) -> None:
        """Set the flag where a selector is one of some values."""
        pairs = [((place,), (immediate(one),)) for one in literals]
        self.code.note = "case"
        if len(pairs) == 1:
            self.code.write(f"cmp_flag{ending}", None, [self.code.read(one, 1) for one in pairs[0]])
            return
        flag = self.code.make("cmp", 1, pairs[0])
        for pair in pairs[1:]:
            flag = self.code.make("or", 1, [flag, self.code.make("cmp", 1, pair)])
        self.code.write(f"test_flag{ending}", None, [self.code.read(flag, 1)])
