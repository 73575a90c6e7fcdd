"""Structured control flow: how blocks end, and what selections, loops and switches become in the back end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.errors import NotLowered
from statetracker.geometry.program import Source
from statetracker.geometry.shader.code import immediate, places
from statetracker.geometry.shader.control_walk import NOWHERE, RETURN, ControlWalk, Open, Retry, Scope, join, parallel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.geometry.program import Instruction as Line
    from statetracker.geometry.shader.code import Column, Edge, Place
    from statetracker.geometry.shader.memory import State
    from statetracker.geometry.shader.values import Values
    from statetracker.spirv import Instruction

    #: Writes what sets the flag where a condition holds or, given ``_not``, where it does not.
    FlagTest = Callable[[str], None]


def _without_merge(one: Instruction) -> NotLowered:
    hint = "Compile for a shader: structured control flow is needed."
    return NotLowered(one.offset, "it branches without a merge block", instruction=one.name, hint=hint)


class Flow(ControlWalk):
    """Constructs, and the last instruction of a block, to the ways it opens.

    Attributes:
        values: Of the shader.
        compares: Comparisons of this block that only one instruction reads: name, operands.
        calls: Functions being inlined, the innermost last.
    """

    values: Values
    compares: dict[int, tuple[str, list[Column]]]
    calls: list[int]

    # selections

    def arms(self, test: FlagTest, ways: Sequence[Callable[[], None]], merge: int) -> int | None:
        """If and else; where to go on. Each way is written from its beginning to the merge block."""
        outer, start = self.code.lines, self.state
        done: list[tuple[list[Line | Edge], State, bool, bool]] = []
        for way in ways:
            self.code.lines, self.state, self.alive, self.returned = [], dict(start), True, False
            way()
            done.append((self.code.lines, self.state, self.alive, self.returned))
        finished = any(one[3] for one in done)
        if finished:
            for n, (lines, state, alive, returned) in enumerate(done):
                if alive and not returned:  # the rest of the function belongs to the arm that did not return
                    self.code.lines, self.state, self.alive, self.returned = lines, state, True, False
                    self.walk(merge, RETURN)
                    done[n] = (lines, self.state, self.alive, True)
        self.code.lines, self.returned = outer, False
        self._assemble(test, [one[:3] for one in done])
        return None if finished or not self.alive or merge == self.frame.ends[-1] else merge

    def _assemble(self, test: FlagTest, done: Sequence[tuple[list[Line | Edge], State, bool]]) -> None:
        edges: list[Edge] = [[], []]
        living = [(state, edge) for (_, state, alive), edge in zip(done, edges, strict=True) if alive]
        self.alive = bool(living)
        if living:
            self.state = join(living, self.code)
        (then, _, then_goes_on), (other, _, _) = done
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

    # loops

    def once(self, leave: int, work: Callable[[], None]) -> None:
        """Write a loop of one round, so that a way may leave from deep within."""
        scope = self._begin(leave, None, None)
        work()
        self._end(scope)

    def loop(self, header: int, merge: int, again: int) -> int | None:
        """Return a loop: unrolled where every round is known, else do and while. Where to go on."""
        self.frame.headers.add(header)
        if not self.attempt(lambda: self._unrolled(header, merge, again), merge):
            self.frame.headers.add(header)
            scope = self._begin(merge, again, header)
            self.walk(header, NOWHERE)
            self._end(scope)
        self.frame.headers.discard(header)
        return merge if self.alive else None

    def _unrolled(self, header: int, merge: int, again: int) -> None:
        self.frame.open.append(Open(merge, {header, merge, again}, len(self.frame.ends) + 1, len(self.code.lines)))
        self.walk(header, merge)
        self.frame.open.pop()

    def _begin(self, leave: int, again: int | None, header: int | None) -> Scope:
        scope = Scope(leave, again, header, len(self.frame.ends) + 1)
        self.code.lines.append(scope.entry)
        for key, width in self.changed(header, leave) if header is not None else ():
            reg = self.code.fresh()
            if key in self.state:
                outer, self.code.lines = self.code.lines, scope.entry  # type: ignore[assignment]
                parallel([(reg, self.state[key])], self.code)
                self.code.lines = outer
            self.state[key] = places(reg, width)
            scope.held.append((key, reg))
        self.code.write("do")
        self.frame.scopes.append(scope)
        return scope

    def _end(self, scope: Scope) -> None:
        if self.alive:  # a body that ends without a jump
            self.leave(scope)
            self.code.write("break")
        self.code.write("while")
        self.frame.scopes.pop()
        self.alive = bool(scope.exits)
        if not scope.exits:
            return
        self.state = join(scope.exits, self.code)
        for target, reg in scope.flags.items():
            self.code.note = "further out"
            self.code.write("test_flag", None, [Source(reg, "xxxx")])
            self.aside(lambda target=target: self._beyond(target))  # type: ignore[misc]

    def _beyond(self, target: int) -> None:
        n = max(n for n, one in enumerate(self.frame.scopes) if one.reaches(target))
        self.jump(n, target)

    def aside(self, way: Callable[[], None]) -> None:
        """Write a way that leaves, in a separate if; the state stays for the channels that do not take it."""
        kept = dict(self.state)
        self.code.write("if")
        self.frame.ends.append(NOWHERE)
        way()
        self.frame.ends.pop()
        self.code.write("endif")
        self.state, self.alive = kept, True

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

        if not self.attempt(nested, merge):
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
