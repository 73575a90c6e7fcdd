"""How blocks end: branches, conditions, switches, returns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from statetracker.errors import NotLowered
from statetracker.geometry.shader.code import immediate
from statetracker.geometry.shader.flow import FlagTest, Flow
from statetracker.geometry.shader.reach import carried
from statetracker.geometry.shader.scopes import NOWHERE, RETURN, Open, Retry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.geometry.shader.code import Column, Place
    from statetracker.geometry.shader.values import Values
    from statetracker.spirv import Block, Instruction


def _without_merge(one: Instruction) -> NotLowered:
    hint = "Compile for a shader: structured control flow is needed."
    return NotLowered(one.offset, "it branches without a merge block", instruction=one.name, hint=hint)


class Terminators(Flow):
    """The last instruction of a block, to the ways it opens.

    values     of the shader
    compares   comparisons of this block that only one instruction reads: name, operands
    calls      functions being inlined, the innermost last
    of_label   blocks by their labels
    carried    merge block of a switch -> values that cases falling into one another bring there
    """

    values: Values
    compares: dict[int, tuple[str, list[Column] | None]]
    calls: list[int]
    of_label: dict[int, Block]
    carried: dict[int, list[int]]

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
        self.dead()
        return None

    def test(self, ident: int) -> FlagTest:
        """Set the flag by a condition: the comparison itself where it stands right before, else its result."""
        note, columns = self.compares.get(ident, ("branch", None))
        place = self.values.of(ident)[0]

        def write(*, inverse: bool) -> None:
            self.code.note = note
            ending = "_not" if inverse else ""
            if columns is not None:
                sources = [self.code.read(column, 1) for column in self.code.legal(columns)]
                self.code.write(f"cmp_flag{ending}", None, sources)
            else:
                self.code.write(f"test_flag{ending}", None, [self.code.read(place, 1)])

        return write

    def _conditional(self, one: Instruction, label: int, merge: int | None) -> int | None:
        condition, yes, no = one.words[:3]
        (place,) = self.values.of(condition)[0]
        if place.file == "immediate" and place.at is not None:
            return self.branch(yes if place.at else no, label)
        test = self.test(condition)
        for taken, other in ((yes, no), (no, yes)):
            if self.leaves(taken):
                self._leaving(partial(test, inverse=taken is no), taken, label)
                return self.branch(other, label)
        if merge is None:
            for scope in self.frame.open:
                if scope.labels & {yes, no}:
                    raise Retry(scope.merge)
            raise _without_merge(one)
        return self.arms(test, [lambda: self.arm(yes, label, merge), lambda: self.arm(no, label, merge)], merge)

    def _leaving(self, test: Callable[[], None], target: int, label: int) -> None:
        """A branch that leaves or repeats a loop where a condition holds."""
        if not self.breaks(target):
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
        if merge not in self.carried:
            self.carried[merge] = carried(self.of_label, sorted({default, *one.words[3::2]}), merge)
        cases: dict[int, list[int]] = {}
        for literal, target in zip(one.words[2::2], one.words[3::2], strict=True):
            cases.setdefault(target, []).append(literal)
        if place.file == "immediate" and place.at is not None:
            default = next((target for target, literals in cases.items() if place.at in literals), default)
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
            self.arms(self._case(place, literals), ways, merge)
            self.frame.ends.pop()

        def open_chain() -> None:
            self.frame.open.append(Open(merge, {merge}, -1, 0))
            chain(0)
            self.frame.open.pop()

        if not self.attempt(open_chain, merge):
            self.once(merge, lambda: self._cases(place, rest, default, label))
        return merge if self.alive and merge != self.frame.ends[-1] else None

    def _case(self, place: Place, literals: Sequence[int]) -> FlagTest:
        """Set the flag where a selector is one of some values."""
        pairs = [((place,), (immediate(one),)) for one in literals]

        def write(*, inverse: bool) -> None:
            self.code.note = "case"
            ending = "_not" if inverse else ""
            if len(pairs) == 1:
                self.code.write(f"cmp_flag{ending}", None, [self.code.read(one, 1) for one in pairs[0]])
                return
            flag = self.code.make("cmp", 1, pairs[0])
            for pair in pairs[1:]:
                flag = self.code.make("or", 1, [flag, self.code.make("cmp", 1, pair)])
            self.code.write(f"test_flag{ending}", None, [self.code.read(flag, 1)])

        return write

    def _cases(self, place: Place, rest: Sequence[tuple[int, list[int]]], default: int, label: int) -> None:
        """Cases one after another, each in an if that it leaves by a break."""
        for target, literals in rest:
            self._case(place, literals)(inverse=False)
            self.aside(lambda target=target: self.arm(target, label, NOWHERE))  # type: ignore[misc]
        self.arm(default, label, NOWHERE)
