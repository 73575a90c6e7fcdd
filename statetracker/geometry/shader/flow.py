"""Structured control flow: selections, loops and rounds become if, do, break, continue and while."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from statetracker.geometry.program import Source
from statetracker.geometry.shader.code import Edge, places
from statetracker.geometry.shader.control_walk import ControlWalk, join, parallel
from statetracker.geometry.shader.scopes import NOWHERE, RETURN, Open, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.geometry.program import Instruction
    from statetracker.geometry.shader.memory import State


class FlagTest(Protocol):
    """Writes the instruction that sets the flag where a condition holds, or where it does not."""

    def __call__(self, *, inverse: bool) -> None:
        """Write it."""


class Flow(ControlWalk):
    """The constructs."""

    def arms(self, test: FlagTest, ways: Sequence[Callable[[], None]], merge: int) -> int | None:
        """If and else; where to go on. Each way is written from its beginning to the merge block."""
        outer, start = self.code.lines, self.state
        done: list[tuple[list[Instruction | Edge], State, bool, bool]] = []
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
        if finished or not self.alive or merge == self.frame.ends[-1]:
            return None
        return merge

    def _assemble(self, test: FlagTest, done: list) -> None:  # type: ignore[type-arg]
        edges = [Edge(), Edge()]
        living = [(state, edge) for (_, state, alive), edge in zip(done, edges, strict=True) if alive]
        self.alive = bool(living)
        if living:
            self.state = join(living, self.code)
        (then, _, _), (other, _, _) = done
        code = self.code
        inverse = bool(other) and not then and done[0][2]
        if inverse:
            then, other, edges = other, then, edges[::-1]
        early = not other and (then or edges[0].moves or edges[1].moves)
        if early:
            code.lines.append(edges[1])
        if then or other or edges[0].moves or (edges[1].moves and not early):
            test(inverse=inverse)
            code.write("if")
            code.lines += [*then, edges[0]]
            if other or (edges[1].moves and not early):
                code.write("else")
                code.lines += [*other, edges[1]]
            code.write("endif")

    def once(self, leave: int, work: Callable[[], None]) -> None:
        """A loop of one round, so that a way may leave from deep within."""
        scope = self._begin(leave, None, None)
        work()
        self._end(scope)

    def loop(self, header: int, merge: int, again: int) -> int | None:
        """A loop: unrolled where every round is known, else do and while. Where to go on."""
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
        if header is not None:
            for key, width in self.changed(header, leave):
                reg = self.code.fresh()
                at = len(self.code.lines)
                if key in self.state:
                    parallel([(key, reg, self.state[key])], self.code)
                scope.entry.moves += self.code.lines[at:]  # type: ignore[arg-type]
                del self.code.lines[at:]
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
        self._jump(n, target)

    def aside(self, way: Callable[[], None]) -> None:
        """A way that leaves, in a separate if; the state stays for the channels that do not take it."""
        kept = dict(self.state)
        self.code.write("if")
        self.frame.ends.append(NOWHERE)
        way()
        self.frame.ends.pop()
        self.code.write("endif")
        self.state, self.alive = kept, True
