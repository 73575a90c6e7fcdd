"""Uniforms of the default block, and values of which only the sources are known."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from statetracker.trace.glsl_flow import Frame, UniformLeaf
from statetracker.trace.glsl_numbers import to_int
from statetracker.trace.glsl_values import (
    NOTHING,
    WHOLE,
    Array,
    Handle,
    Record,
    Source,
    Sources,
    Value,
    Vec,
    atoms_of,
    fresh,
    shape_of,
    unknown,
    with_constants,
)
from statetracker.trace.glsl_variables import MOST_VERTICES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from statetracker.trace import glsl_syntax as syn
    from statetracker.trace.glsl_flow import State

__all__ = ["Uniforms"]


LARGEST_ARRAY: Final = 4096


class Uniforms:
    """The walk's own data, and how a uniform becomes a value. Its subclasses add what it does, one thing each."""

    def __init__(self, shaders: Sequence[syn.ShaderSyntax], stage: str, inputs: Mapping[str, Value]) -> None:
        self.stage = stage
        self.inputs = inputs
        self.block_outputs: dict[str, str] = {}
        self.shaders = shaders
        self.structs: dict[str, tuple[syn.Declaration, ...]] = {}
        self.functions: dict[str, list[syn.Function]] = {}
        self.uniforms: list[UniformLeaf] = []
        self.outputs: dict[str, str] = {}
        self.recorded: set[str] = set()
        self.weak: set[str] = set()
        self.seen_outside: set[str] = set()
        self.uniform_keys: set[str] = set()
        self.always: Sources = NOTHING
        self.emitted: dict[str, Sources] = {}
        self.calls: list[str] = []
        self.frame = Frame(0)
        self.evaluated = 0
        #: Lookups made so far, in a scope for each branch that control may not take.
        self.lookups: list[dict[tuple[int, ...], Vec]] = [{}]

    @contextmanager
    def branch(self) -> Iterator[None]:
        """A part that control may not reach: what is looked up in it is not known outside."""
        self.lookups.append({})
        yield
        self.lookups.pop()

    def looked_up(self, value: Vec) -> Vec:
        """The same lookup gives the same again where control came by the first; none is moved out of its branch."""
        key = tuple(atom.tag for atom in value.atoms)
        for scope in self.lookups:
            if key in scope:
                return scope[key]
        found = Vec(tuple(atom._replace(tag=fresh()) for atom in value.atoms), value.rows)
        self.lookups[-1][key] = found
        return found

    def value(self, expression: syn.Expression, state: State) -> Value:
        """An expression's value: `Expressions`."""
        raise NotImplementedError

    def constant(self, expression: syn.Expression, state: State) -> int | None:
        """A constant expression's value, None for what is none."""
        atoms = atoms_of(self.value(expression, state))
        number = atoms[0].known if atoms else None
        return None if number is None else to_int(number)

    def size(self, dim: syn.Expression | None, state: State) -> int:
        """An array's size; `WHOLE` where it has none."""
        number = None if dim is None else self.constant(dim, state)
        return WHOLE if number is None else max(0, min(number, LARGEST_ARRAY))

    def plain(
        self,
        type_name: str,
        dims: Sequence[syn.Expression | None],
        state: State,
        sources: Sources = NOTHING,
    ) -> Value:
        """A value of a type of which only the sources are known."""
        if dims:
            size = self.size(dims[0], state)
            count = MOST_VERTICES if size == WHOLE else size
            return Array(tuple(self.plain(type_name, dims[1:], state, sources) for _ in range(count)))
        if type_name in self.structs:
            return Record(
                {
                    name.name: self.plain(member.type.name, name.dims + member.type.dims, state, sources)
                    for member in self.structs[type_name]
                    for name in member.names
                }
            )
        size, rows = shape_of(type_name)
        return unknown(size, sources, rows=rows) if size else Handle(type_name, sources, fresh())

    def location(self, declared: syn.Declaration, state: State, key: str = "location") -> int | None:
        """A number in layout(...)."""
        given = declared.qualifiers.layout.get(key)
        return None if given is None else self.constant(given, state)

    def from_before(self, matched: str, value: Value) -> Value:
        """An input with the components filled in that the stage before leaves constant."""
        before = self.inputs.get(matched)
        return value if before is None else with_constants(value, before)

    def uniform(
        self, declared: syn.Declaration, name: str, dims: Sequence[syn.Expression | None], state: State
    ) -> Value:
        """A uniform of the default block: one leaf for each name that glGetUniformLocation takes."""
        start = len(self.uniforms)
        value = self.uniform_value(declared.type.name, name, dims, state, name)
        binding = self.location(declared, state, "binding")
        location = self.location(declared, state)
        placed: list[UniformLeaf] = []
        for leaf in self.uniforms[start:]:
            placed.append(leaf._replace(binding=binding, location=location))
            if location is not None:
                location += max(leaf.size, 1)
            if binding is not None:
                binding += max(leaf.size, 1)
        self.uniforms[start:] = placed
        return value

    def uniform_value(  # noqa: PLR0917 (where the walk stands)
        self,
        type_name: str,
        name: str,
        dims: Sequence[syn.Expression | None],
        state: State,
        root: str,
        outer: int | None = None,
    ) -> Value:
        """Split structures and outer arrays; only the last index of a name belongs to its leaf.

        outer   the variable's own index once it is chosen; `WHOLE` for an array of arrays, which is kept as a whole
        """
        nested = type_name in self.structs
        if dims and (nested or len(dims) > 1):
            size = max(self.size(dims[0], state), 1)
            keep_all = len(dims) > 1 or outer is not None
            return Array(
                tuple(
                    self.uniform_value(
                        type_name, f"{name}[{at}]", dims[1:], state, root, (outer or WHOLE) if keep_all else at
                    )
                    for at in range(size)
                )
            )
        if nested:
            fields: dict[str, Value] = {}
            for member in self.structs[type_name]:
                for inner in member.names:
                    inner_dims = inner.dims + member.type.dims
                    fields[inner.name] = self.uniform_value(
                        member.type.name, f"{name}.{inner.name}", inner_dims, state, root, 0 if outer is None else outer
                    )
            return Record(fields)
        return self.uniform_leaf(type_name, name, dims, state, root, outer)

    def uniform_leaf(  # noqa: PLR0917 (where the walk stands)
        self,
        type_name: str,
        name: str,
        dims: Sequence[syn.Expression | None],
        state: State,
        root: str,
        outer: int | None,
    ) -> Value:
        """One leaf and its value."""
        size = self.size(dims[0], state) if dims else 0
        self.uniforms.append(
            UniformLeaf(name, type_name, size, None, None, _group(name), root, outer or 0, outer is not None)
        )

        def item(element: int) -> Value:
            sources = frozenset({Source("uniform", root, element if outer is None else outer)})
            components, rows = shape_of(type_name)
            return unknown(components, sources, rows=rows) if components else Handle(type_name, sources, fresh())

        if not dims:
            return item(0)
        count = MOST_VERTICES if size == WHOLE else size
        return Array(tuple(item(element) for element in range(count)), item(WHOLE))


def _group(name: str) -> str:
    """A leaf's name without indices."""
    return "".join(part.partition("]")[2] if at else part for at, part in enumerate(name.split("[")))
