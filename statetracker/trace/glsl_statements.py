"""Statements of a shader: branches, loops, switches. Each gives the state after it; None: control does not come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.trace import glsl_syntax as syn
from statetracker.trace.glsl_calls import Calls
from statetracker.trace.glsl_flow import Exits, State, controls, merge, settled
from statetracker.trace.glsl_values import NOTHING, Atom, first_of, with_sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.trace.glsl_values import Sources

__all__ = ["Statements"]


#: Loops of at most this many rounds are run round by round, as Mesa unrolls them.
UNROLLED: Final = 32
#: What built-in functions that look something up in a texture or an image begin with.
LOOKUPS: Final = ("texture", "texel", "shadow", "image")
#: Rounds until a loop that is not unrolled changes nothing any more; a bound, not a rule.
ROUNDS: Final = 40
#: Expressions evaluated in one shader before loops are no longer unrolled.
PATIENCE: Final = 60_000


class Loop(NamedTuple):
    """A loop: its test, what is done after each round, its body, and whether the test comes before the first."""

    condition: syn.Expression | syn.Declaration | None
    step: syn.Expression | None
    body: syn.Statement
    test_first: bool


class Statements(Calls):
    """Runs statements."""

    def declare_local(self, declared: syn.Declaration, state: State) -> None:
        """A local variable, a new one every time control passes."""
        for name in declared.names:
            dims = name.dims + declared.type.dims
            if name.initial is not None:
                value = self.initial(declared.type.name, dims, name.initial, state)
            else:
                value = self.plain(declared.type.name, dims, state)
            key = f"{self.frame.depth}:{len(self.frame.scopes)}:{name.name}"
            self.frame.scopes[-1][name.name] = key
            state.values[key] = value

    def block(self, body: Sequence[syn.Statement], state: State | None) -> State | None:
        """Statements in a scope of their own."""
        self.frame.scopes.append({})
        for statement in body:
            if state is None:
                break
            state = self.statement(statement, state)
        self.frame.scopes.pop()
        return state

    def statement(self, statement: syn.Statement, state: State) -> State | None:  # noqa: PLR0911 (a list)
        """Any statement."""
        match statement:
            case syn.ExpressionStatement(expression):
                self.value(expression, state)
                return state
            case syn.Declaration():
                self.declare_local(statement, state)
                return state
            case syn.Block(body):
                return self.block(body, state)
            case syn.If(condition, yes, no):
                return self.if_(condition, yes, no, state)
            case syn.For(first, condition, step, body):
                self.frame.scopes.append({})
                after_first = self.statement(first, state) if not isinstance(first, syn.Block) else state
                after = after_first and self.loop(Loop(condition, step, body, test_first=True), after_first)
                self.frame.scopes.pop()
                return after
            case syn.While(condition, body, after_body):
                return self.loop(Loop(condition, None, body, test_first=not after_body), state)
            case syn.Switch(value, body):
                return self.switch(value, body, state)
            case syn.Return(value):
                result = None if value is None else self.value(value, state)
                self.frame.returns.append((state, result))
                return None
            case syn.Jump(kind):
                return self.jump(kind, state)
        return state

    def jump(self, kind: str, state: State) -> State | None:
        """``break``, ``continue``, ``discard``; what is written before and after a discard counts all the same."""
        if kind == "discard":
            self.effect(state)
            return state
        if kind == "continue":
            for exits in reversed(self.frame.loops):
                if exits.continues is not None:
                    exits.continues.append(state)
                    break
        elif self.frame.loops:
            self.frame.loops[-1].breaks.append(state)
        return None

    def if_(
        self, condition: syn.Expression, yes: syn.Statement, no: syn.Statement | None, state: State
    ) -> State | None:
        """Both ways, or the one that a constant leaves."""
        decided = first_of(self.value(condition, state))
        if decided.known is not None:
            chosen = yes if decided.known else no
            return state if chosen is None else self.block((chosen,), state)
        before = state.control
        other = state.copy()
        state.control = other.control = before | decided.sources
        with self.branch():
            after = self.block((yes,), state)
        with self.branch():
            after_no = other if no is None else self.block((no,), other)
        if after is None or after_no is None:
            return after or after_no
        # The condition counts also where it decided already whether this point is reached.
        rejoined = merge([after, after_no], before - decided.sources)
        if rejoined is not None:
            more = (after.control | after_no.control) - before - decided.sources
            rejoined.control = after.control | after_no.control if more else before
        return rejoined

    def loop(self, loop: Loop, state: State) -> State | None:
        """Round by round while the condition stays constant; else until nothing changes any more."""
        start = state.copy()
        always = self.always
        emitted = dict(self.emitted)
        lookups = dict(self.lookups[-1])
        unrolled = None if self.branches(loop.condition) else self.unroll(loop, state)
        if unrolled is not None:
            return unrolled[0]
        self.always = always
        self.emitted = emitted
        self.lookups[-1] = lookups
        with self.branch():
            return self.settle(loop, start)

    def branches(self, node: object, inside: bool = False) -> bool:  # noqa: FBT001, FBT002 (in a part of the test that may be skipped)
        """Whether a loop's test looks something up in one case only: such a loop is never unrolled."""
        match node:
            case syn.Call(name) if inside and name not in self.functions and name.startswith(LOOKUPS):
                return True
            case syn.Call(name) if inside and name not in self.calls and self.functions.get(name):
                self.calls.append(name)
                found = any(self.branches(function.body, inside=True) for function in self.functions[name])
                self.calls.pop()
                return found or any(self.branches(argument, inside=True) for argument in node.arguments)
            case syn.Binary("&&" | "||", left, right):
                return self.branches(left, inside) or self.branches(right, inside=True)
            case syn.Ternary(condition, yes, no):
                return self.branches(condition, inside) or self.branches((yes, no), inside=True)
        return isinstance(node, tuple) and any(self.branches(part, inside) for part in node)

    def test(self, condition: syn.Expression | syn.Declaration | None, state: State) -> Atom:
        """A loop's condition."""
        if condition is None:
            return Atom(known=True)
        if isinstance(condition, syn.Declaration):
            self.declare_local(condition, state)
            return first_of(self.read(condition.names[0].name, state))
        return first_of(self.value(condition, state))

    def round(self, body: syn.Statement, exits: Exits, state: State | None) -> list[State]:
        """Run a loop's body once; the states from which the next round begins, taken out of the exits."""
        self.frame.loops.append(exits)
        after = self.block((body,), state)
        self.frame.loops.pop()
        continues = exits.continues or []
        ways = [*continues, *([after] if after is not None else [])]
        continues.clear()
        return ways

    def unroll(self, loop: Loop, state: State) -> tuple[State | None] | None:
        """Run a loop whose every test is constant; None if it is none of these, or too long."""
        before = state.control
        exits = Exits([], [])
        current: State | None = state
        for round_ in range(UNROLLED + 1):
            if self.evaluated > PATIENCE:
                return None
            if current is None:
                break
            if loop.test_first or round_:
                decided = self.test(loop.condition, current)
                if decided.known is None:
                    return None
                if not decided.known:
                    exits.breaks.append(current)
                    break
            ways = self.round(loop.body, exits, current)
            current = merge(ways, before if len(ways) > 1 and not exits.breaks else controls(ways))
            if current is not None and loop.step is not None:
                self.value(loop.step, current)
        else:
            return None
        return (merge(exits.breaks, before),)

    def settle(self, loop: Loop, start: State) -> State | None:
        """Run a loop with all its rounds at once."""
        before = start.control
        entry = start
        outcome: State | None = None
        for _ in range(ROUNDS):
            exits = Exits([], [])
            current: State | None = entry.copy()
            if loop.test_first:
                decided = self.test(loop.condition, entry.copy())
                current = entry.copy()
                self.test(loop.condition, current)
                current.control = before | decided.sources
                if decided.known is None or not decided.known:
                    leaving = current.copy()
                    exits.breaks.append(leaving)
            ways = self.round(loop.body, exits, current)
            current = merge(ways, controls(ways))
            if current is not None and loop.step is not None:
                self.value(loop.step, current)
            if current is not None and not loop.test_first:
                decided = self.test(loop.condition, current)
                current.control |= decided.sources
                exits.breaks.append(current.copy())
            outcome = merge(exits.breaks, before)
            again = entry if current is None else merge([entry, current], before)
            if again is None or settled(again, entry):
                break
            entry = again
        if outcome is not None:
            self.drag(start, outcome, before, exits.breaks)
        return outcome

    def drag(self, start: State, outcome: State, before: Sources, breaks: Sequence[State]) -> None:
        """How often a loop ran decides everything that it changed."""
        extra = NOTHING.union(*(state.control for state in breaks)) - before
        for key, value in outcome.values.items():
            if key in start.values and start.values[key] != value:
                outcome.values[key] = with_sources(value, extra)

    def switch(self, value: syn.Expression, body: Sequence[syn.Statement], state: State) -> State | None:
        """Fall through from label to label; a constant value enters at its own label only."""
        decided = first_of(self.value(value, state))
        before = state.control
        exits = Exits([], None)
        labels = [statement.value for statement in body if isinstance(statement, syn.Case)]
        entry = state.copy()
        entry.control = before | decided.sources
        target = self.chosen_label(decided, labels, entry)
        current: State | None = None
        label = -1
        self.frame.loops.append(exits)
        self.frame.scopes.append({})
        self.lookups.append({})
        for statement in body:
            if isinstance(statement, syn.Case):
                label += 1
                if target is None or target == label:
                    ways = [entry.copy(), *([current] if current is not None else [])]
                    current = merge(ways, controls(ways))
                    self.lookups[-1] = {}
            elif current is not None:
                current = self.statement(statement, current)
        self.lookups.pop()
        self.frame.scopes.pop()
        self.frame.loops.pop()
        ways = [*exits.breaks, *([current] if current is not None else [])]
        if (target is None and None not in labels) or target == len(labels):
            ways.append(entry)
        return merge(ways, before)

    def chosen_label(self, decided: Atom, labels: Sequence[syn.Expression | None], state: State) -> int | None:
        """Which label a constant enters at; the number of labels for none, None where it is not known."""
        if decided.known is None:
            return None
        default = len(labels)
        for place, label in enumerate(labels):
            if label is None:
                default = place
            elif first_of(self.value(label, state)).known == decided.known:
                return place
        return default
