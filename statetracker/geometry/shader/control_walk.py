"""The walk along one way: from block to block with the state of all variables, until the way ends.

Its end decides what it is: the end of an arm, a jump out of a loop, a return. Where one form cannot express it, the
code is taken back (`ControlWalk.attempt`) and written in another. Where ways meet, the values that differ get a
register, and every way a move into it (`join`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from statetracker.errors import NotLowered
from statetracker.geometry.shader.blocks import Blocks
from statetracker.geometry.shader.code import UNDEFINED, Code, immediate, moves, places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.geometry.shader.code import Column, Edge
    from statetracker.geometry.shader.interface import Interface
    from statetracker.geometry.shader.memory import Key, State

_MOST_ROUNDS: Final = 32
_MOST_UNROLLED: Final = 1000
_DEEPEST: Final = 60
#: Labels that no block has: where a function returns to; the end of a loop's body, of a jump's arm.
RETURN: Final = -1
NOWHERE: Final = -2


class Retry(Exception):
    """A way leads to a label that cannot be reached in this form: the construct is written in another."""

    def __init__(self, target: int) -> None:
        super().__init__(target)
        self.target = target


@dataclass
class Scope:
    """A loop of the hardware around what is written: where its exits lead, and its ways out.

    Attributes:
        held: Variables that the loop changes, and their registers.
        flags: Label beyond the loop -> the register that says to go there.
    """

    leave: int
    again: int | None
    header: int | None
    depth: int
    held: list[tuple[Key, int]] = field(default_factory=list)
    entry: Edge = field(default_factory=list)
    exits: list[tuple[State, Edge]] = field(default_factory=list)
    flags: dict[int, int] = field(default_factory=dict)

    def reaches(self, label: int) -> bool:
        """Return whether a label is where a break or a continue of this loop leads."""
        return label in {self.leave, self.again, self.header}


@dataclass
class Open:
    """A construct written without if or loop: its labels may be reached at its own depth only."""

    merge: int
    labels: set[int]
    depth: int
    size: int
    rounds: int = 0


class Frame:
    """A function being inlined."""

    def __init__(self) -> None:
        self.ends: list[int] = []
        self.scopes: list[Scope] = []
        self.open: list[Open] = []
        self.headers: set[int] = set()


def join(ways: Sequence[tuple[State, Edge]], code: Code) -> State:
    """Return the state after ways have met. A value that only some of them have is undefined by the others."""
    if len(ways) == 1:
        return ways[0][0]
    merged: State = {}
    for key in dict.fromkeys(key for state, _ in ways for key in state):
        held = [state.get(key) for state, _ in ways]
        width = max(len(column) for column in held if column is not None)
        columns = [column if column is not None else (UNDEFINED,) * width for column in held]
        defined = {column for column in columns if any(one.file != "undefined" for one in column)}
        if len(defined) <= 1:
            merged[key] = defined.pop() if defined else columns[0]
            continue
        reg = code.fresh()
        for column, (_, edge) in zip(columns, ways, strict=True):
            edge.extend(moves(reg, column, code.note))
        merged[key] = places(reg, width)
    return merged


def parallel(wanted: Sequence[tuple[int, Column]], code: Code) -> None:
    """Write moves of columns into registers, all at once: what one would destroy for a later one is copied before."""
    changed = [(reg, column) for reg, column in wanted if column != places(reg, len(column))]
    targets = {reg for reg, _ in changed}
    for n, (reg, column) in enumerate(changed):
        if any(
            one.file == "vgrf" and one.at in targets and (one.at, one.channel) != (reg, channel)
            for channel, one in enumerate(column)
        ):  # fmt: skip
            changed[n] = (reg, code.copy(column))
    for reg, column in changed:
        code.move(reg, column)


class ControlWalk(Blocks):
    """The walk over blocks; how one is written, and how it ends, is the subclass's."""

    def __init__(self, interface: Interface, scratch: frozenset[int]) -> None:
        super().__init__(interface, scratch)
        self.frame = Frame()
        self.alive = True
        self.returned = False
        self.depth = 0

    def block(self, label: int) -> int | None:
        """Write a block; the label to go on with."""
        raise NotImplementedError

    def walk(self, label: int | None, end: int) -> None:
        """Write blocks from a label on until a way ends."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotLowered(self.at.offset, f"calls and control flow nest deeper than {_DEEPEST}",
                             instruction=self.at.name, hint="Flatten the shader.")  # fmt: skip
        self.frame.ends.append(end)
        while label is not None:
            label = self.block(label)
        self.frame.ends.pop()
        self.depth -= 1

    def arm(self, target: int, previous: int, end: int) -> None:
        """Write the way that begins with a branch to a label."""
        self.frame.ends.append(end)
        label = self.branch(target, previous)
        self.frame.ends.pop()
        if label is not None:
            self.walk(label, end)

    def branch(self, target: int, previous: int) -> int | None:
        """Go to a label: on with it, or the way ends here."""
        self.phis(target, previous)
        frame = self.frame
        if target == frame.ends[-1]:
            return None
        for n in range(len(frame.scopes) - 1, -1, -1):
            if frame.scopes[n].reaches(target):
                self.jump(n, target)
                return None
        if target == RETURN:
            if frame.ends[-2:-1] != [RETURN] or frame.open or frame.scopes:
                raise Retry(RETURN)
            self.returned = True
            return None
        for one in frame.open:
            if target in one.labels:
                self._reach(one, target)
        if target in frame.ends:
            raise Retry(target)
        return target

    def _reach(self, one: Open, target: int) -> None:
        if len(self.frame.ends) != one.depth:
            raise Retry(one.merge)
        if target != one.merge:
            one.rounds += target in self.frame.headers
            if one.rounds > _MOST_ROUNDS or len(self.code.lines) > one.size + _MOST_UNROLLED:
                raise Retry(one.merge)

    def attempt(self, work: Callable[[], None], target: int) -> bool:
        """Write code, and take it back where it cannot reach a label; whether it could."""
        code, frame, memory = self.code, self.frame, self.memory
        kept = code.lines, len(code.lines), len(code.sizes), set(code.fixed), set(memory.arrays)
        state, depth, alive = dict(self.state), self.depth, self.alive
        held = list(frame.ends), list(frame.scopes), list(frame.open), set(frame.headers)
        exits = [(len(one.exits), dict(one.flags), len(one.entry)) for one in frame.scopes]
        try:
            work()
        except Retry as retry:
            if retry.target != target:
                raise
            code.lines = kept[0]
            del code.lines[kept[1] :], code.sizes[kept[2] :]
            code.fixed, memory.arrays = kept[3:]
            self.frame, self.state, self.depth, self.alive, self.returned = frame, state, depth, alive, False
            frame.ends, frame.scopes, frame.open, frame.headers = held
            for one, (count, flags, entry) in zip(frame.scopes, exits, strict=True):
                del one.exits[count:], one.entry[entry:]
                one.flags = flags
            return False
        return True

    def jump(self, n: int, target: int) -> None:
        """Leave or repeat a loop; one that is not the innermost by a flag that is looked at after each loop between."""
        scope, inner = self.frame.scopes[n], self.frame.scopes[-1]
        if scope is not inner:
            reg = inner.flags.get(target)
            if reg is None:
                reg = inner.flags[target] = self.code.fresh()
                inner.entry += moves(reg, (immediate(0),), self.code.note)
            self.code.move(reg, (immediate(1),))
        if scope is not inner or target == scope.leave:
            self.leave(inner)
            self.code.write("break")
        else:
            self._again(scope, target)
        self.alive = False

    def leave(self, scope: Scope) -> None:
        """Start a way out of a loop."""
        edge: Edge = []
        self.code.lines.append(edge)
        scope.exits.append((dict(self.state), edge))

    def _again(self, scope: Scope, target: int) -> None:
        """Write the loop's continue construct, the moves of what it changes, and back."""
        last = len(self.frame.ends) == scope.depth
        if target != scope.header:
            self.walk(target, scope.header or NOWHERE)
        if self.alive:
            parallel([(reg, self.state[key]) for key, reg in scope.held if key in self.state], self.code)
            if not last:
                self.code.write("continue")

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
            self.code.write("test_flag", None, [self.code.read(places(reg, 1), 1)])
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
