"""Expressions of a shader, run on abstract values: what they are worth, and what they assign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.trace import glsl_syntax as syn
from statetracker.trace.glsl_flow import Path, merge, scalar_of
from statetracker.trace.glsl_functions import binary, construct, convert, unary
from statetracker.trace.glsl_globals import Globals
from statetracker.trace.glsl_values import (
    NOTHING,
    SWIZZLES,
    Array,
    Record,
    Value,
    Vec,
    at_index,
    atoms_of,
    first_of,
    join,
    known,
    member_of,
    replaced,
    sources_of,
    unknown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.trace.glsl_flow import State
    from statetracker.trace.glsl_values import Sources

__all__ = ["Expressions"]


class Expressions(Globals):
    """Reads and writes variables, and evaluates expressions."""

    def find(self, name: str) -> str:
        """The key of the variable that a name means here."""
        for scope in reversed(self.frame.scopes):
            if name in scope:
                return scope[name]
        return name

    def read(self, name: str, state: State) -> Value:
        """A variable's value."""
        key = self.find(name)
        if key in self.frame.handles:
            return self.frame.handles[key]
        value = state.values.get(key)
        if value is None:
            value = self.built_in_variable(name)
            state.values[key] = value
        return value

    def initial(
        self, type_name: str, dims: Sequence[syn.Expression | None], expression: syn.Expression, state: State
    ) -> Value:
        """An initial value, turned into the variable's type."""
        if isinstance(expression, syn.ListInit):
            return self.braced(type_name, dims, expression, state)
        value = self.value(expression, state)
        if isinstance(value, Vec) and not dims and type_name not in self.structs:
            return Vec(tuple(convert(scalar_of(type_name), atom) for atom in value.atoms), value.rows)
        return value

    def braced(
        self, type_name: str, dims: Sequence[syn.Expression | None], braces: syn.ListInit, state: State
    ) -> Value:
        """``{a, b}`` for an array, a structure, a vector or a matrix."""
        if dims:
            return Array(tuple(self.initial(type_name, dims[1:], item, state) for item in braces.items))
        if type_name in self.structs:
            members = [(name, member) for member in self.structs[type_name] for name in member.names]
            return Record(
                {
                    name.name: self.initial(member.type.name, name.dims + member.type.dims, item, state)
                    for (name, member), item in zip(members, braces.items, strict=False)
                }
            )
        return construct(
            type_name,
            [
                Vec(
                    tuple(
                        atom
                        for inner in (item.items if isinstance(item, syn.ListInit) else (item,))
                        for atom in atoms_of(self.value(inner, state))
                    )
                )
                for item in braces.items
            ],
        )

    def path(self, target: syn.Expression, state: State) -> Path:
        """Where an expression that can be assigned to lies."""
        match target:
            case syn.NameRef(name):
                self.read(name, state)
                return Path(self.find(name), ())
            case syn.Member(base, name):
                inner = self.path(base, state)
                return Path(inner.key, (*inner.steps, self.member_step(base, name, state)))
            case syn.Index(base, index):
                inner = self.path(base, state)
                place = self.value(index, state)
                return Path(inner.key, (*inner.steps, place if isinstance(place, Vec) else unknown(1)))
        self.value(target, state)
        return Path("", ())

    def member_step(self, base: syn.Expression, name: str, state: State) -> str | tuple[int, ...]:
        """A structure's member, or which components a swizzle names."""
        if isinstance(self.value(base, state), Vec) and set(name) <= SWIZZLES.keys():
            return tuple(SWIZZLES[letter] for letter in name)
        return name

    def write(self, path: Path, value: Value, state: State) -> None:
        """Store a value."""
        if not path.key:
            return
        old = state.values.get(path.key)
        if old is None:
            return
        new = replaced(old, path.steps, value)
        state.values[path.key] = join(old, new) if path.key in self.weak else new
        if path.key in self.seen_outside:
            indices = [step for step in path.steps if isinstance(step, Vec)]
            self.effect(state, sources_of(value, *indices))

    def effect(self, state: State, sources: Sources = NOTHING) -> None:
        """Something that is seen from outside happens here."""
        self.always |= state.control | sources

    def value(self, expression: syn.Expression, state: State) -> Value:  # noqa: C901, PLR0911, PLR0912 (a list)
        """An expression's value; what it assigns is in the state afterwards."""
        self.evaluated += 1
        match expression:
            case syn.Literal(number):
                return known(number)
            case syn.NameRef(name):
                return self.read(name, state)
            case syn.Member(base, name):
                return member_of(self.value(base, state), name)
            case syn.Index(base, index):
                return at_index(self.value(base, state), self.value(index, state))
            case syn.Unary(op, operand):
                return unary(op, self.value(operand, state))
            case syn.Binary(op, left, right):
                if op in {"&&", "||"}:
                    return self.short_circuit(op, left, right, state)
                return binary(op, self.value(left, state), self.value(right, state))
            case syn.Ternary(condition, yes, no):
                return self.ternary(condition, yes, no, state)
            case syn.Assign(op, target, value):
                return self.assign(op, target, self.value(value, state), state)
            case syn.Step(op, target, after):
                old = self.value(target, state)
                new = self.assign(op, target, known(1), state)
                return old if after else new
            case syn.Comma(left, right):
                self.value(left, state)
                return self.value(right, state)
            case syn.ListInit(items):
                return Array(tuple(self.value(item, state) for item in items))
            case syn.Call():
                return self.call(expression, state)

    def short_circuit(self, op: str, left: syn.Expression, right: syn.Expression, state: State) -> Value:
        """``&&`` and ``||``: the right side may not be reached."""
        first = self.value(left, state)
        decided = first_of(first)
        if decided.known is not None and bool(decided.known) == (op == "||"):
            return known(op == "||")
        if decided.known is not None:
            return binary(op, first, self.value(right, state))
        second = self.aside(right, state, decided.sources)
        return binary(op, first, second)

    def aside(self, expression: syn.Expression, state: State, deciding: Sources) -> Value:
        """Evaluate something that may not be reached; what it changes is changed only maybe."""
        if _is_pure(expression):
            return self.value(expression, state)
        before = state.control
        other = state.copy()
        other.control = before | deciding
        with self.branch():
            value = self.value(expression, other)
        merged = merge([state, other], before)
        if merged is not None:
            state.become(merged)
        return value

    def ternary(self, condition: syn.Expression, yes: syn.Expression, no: syn.Expression, state: State) -> Value:
        """``a ? b : c``."""
        decided = first_of(self.value(condition, state))
        if decided.known is not None:
            return self.value(yes if decided.known else no, state)
        first = self.aside(yes, state, decided.sources)
        second = self.aside(no, state, decided.sources)
        return join(first, second, decided.sources)

    def assign(self, op: str, target: syn.Expression, value: Value, state: State) -> Value:
        """``target op= value``."""
        old = self.value(target, state)
        if op:
            value = binary(op, old, value)
        if isinstance(old, Vec) and isinstance(value, Vec) and len(value.atoms) == 1 < len(old.atoms):
            value = Vec(value.atoms * len(old.atoms), old.rows)
        self.write(self.path(target, state), value, state)
        return value

    def call(self, call: syn.Call, state: State) -> Value:
        """A call's value: `Calls`."""
        raise NotImplementedError


def _is_pure(expression: syn.Expression) -> bool:
    """Whether evaluating an expression changes nothing for certain."""
    match expression:
        case syn.Literal() | syn.NameRef():
            return True
        case syn.Member(base, _):
            return _is_pure(base)
        case syn.Index(left, right) | syn.Binary(_, left, right):
            return _is_pure(left) and _is_pure(right)
        case syn.Unary(_, operand):
            return _is_pure(operand)
    return False
