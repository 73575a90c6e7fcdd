"""Which uniforms a shader's outputs depend on: the shader is run on abstract values (`glsl_values`).

Constants are followed through variables, branches, calls and short loops, as an optimiser does; what stays unknown
carries the uniforms it comes from. A uniform is active when it reaches an output, or anything else that is seen from
outside: a discard, an image, a buffer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from statetracker.trace import glsl_syntax as syn
from statetracker.trace.glsl_functions import (
    EFFECTS,
    OUT_ARGUMENTS,
    binary,
    built_in,
    construct,
    convert,
    unary,
)
from statetracker.trace.glsl_order import built_in_names, declaration_order
from statetracker.trace.glsl_values import (
    NOTHING,
    SWIZZLES,
    WHOLE,
    Array,
    Atom,
    Handle,
    Record,
    Source,
    Sources,
    Value,
    Vec,
    alike,
    at_index,
    atoms_of,
    first_of,
    forget,
    fresh,
    join,
    known,
    member_of,
    replaced,
    shape_of,
    sources_of,
    unknown,
    with_constants,
    with_sources,
)
from statetracker.trace.glsl_variables import CONSTANTS, FRAGMENT_INPUTS, MOST_VERTICES, OUTPUTS, PER_VERTEX, SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Flow", "UniformLeaf", "trace_flow"]

#: Loops of at most this many rounds are run round by round, as Mesa unrolls them.
_UNROLLED: Final = 32
#: Rounds until a loop that is not unrolled changes nothing any more; a bound, not a rule.
_ROUNDS: Final = 40
#: Expressions evaluated in one shader before loops are no longer unrolled.
_PATIENCE: Final = 60_000
_LARGEST_ARRAY: Final = 4096


class UniformLeaf(NamedTuple):
    """A uniform of the default block as a program sees it: a number, a sampler, an array of either.

    name       ``"s"``, ``"q.t"``, ``"q[1].t"``
    type       GLSL type
    size       elements declared; 0 for no array, `WHOLE` for an array without a size
    binding    layout(binding), None where it is not given
    location   of its first element by layout(location), None where it is not given
    group      the name without indices: elements of an array of structures share it
    root       the variable; a structure is kept or dropped as a whole
    outer      the variable's own index, of an array of structures
    nested     whether it is only a part of its variable, so that its own size is never cut
    block      whether it lies in a uniform block: it has no location that can be asked for, but takes some
    """

    name: str
    type: str
    size: int
    binding: int | None
    location: int | None
    group: str
    root: str
    outer: int = 0
    nested: bool = False
    block: bool = False


class Flow(NamedTuple):
    """What depends on what.

    uniforms   declared, in order
    always     sources seen from outside whatever the next stage does
    outputs    each output's sources
    constants  the values of outputs that are constant in part, for the next stage
    has_main   without it a program does not link
    """

    uniforms: list[UniformLeaf]
    always: Sources
    outputs: dict[str, Sources]
    constants: dict[str, Value]
    has_main: bool


class _State:
    """The values of all variables at one point; ``control``: what decides whether this point is reached."""

    __slots__ = ("control", "values")

    def __init__(self, values: dict[str, Value], control: Sources) -> None:
        self.values = values
        self.control = control

    def copy(self) -> _State:
        return _State(dict(self.values), self.control)

    def become(self, other: _State) -> None:
        self.values = other.values
        self.control = other.control


class _Frame:
    """A call in progress: the names in scope and the ways out."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.scopes: list[dict[str, str]] = [{}]
        self.returns: list[tuple[_State, Value | None]] = []
        self.loops: list[_Exits] = []
        #: Sampler parameters -> what was passed; they are no variables.
        self.handles: dict[str, Value] = {}


class _Exits(NamedTuple):
    """The states at each break and each continue of a loop or switch."""

    breaks: list[_State]
    continues: list[_State] | None


class _Path(NamedTuple):
    """Where an assignment goes: a variable's key, then members, indices, swizzles."""

    key: str
    steps: tuple[str | Vec | tuple[int, ...], ...]


def _merge(states: Sequence[_State], before: Sources) -> _State | None:
    """The state where several ways meet; ``before``: what decided already where they parted."""
    if not states:
        return None
    if len(states) == 1:
        return states[0]
    extra = NOTHING.union(*(state.control for state in states)) - before
    merged = dict(states[0].values)
    for state in states[1:]:
        other = state.values
        if other is merged:
            continue
        merged = {key: join(value, other[key], extra) for key, value in merged.items() if key in other}
    return _State(merged, before)


def trace_flow(shaders: Sequence[syn.ShaderSyntax], stage: str, *, inputs: Mapping[str, Value] | None = None) -> Flow:
    """Run the shaders of one stage.

    inputs  what is constant of the outputs of the stage before

    Raises `ArgumentError` for what no GLSL compiler takes either.
    """
    forget()
    return _Runner(shaders, stage, inputs or {}).run()


class _Runner:
    def __init__(self, shaders: Sequence[syn.ShaderSyntax], stage: str, inputs: Mapping[str, Value]) -> None:
        self.stage = stage
        self.inputs = inputs
        self.block_outputs: dict[str, str] = {}
        self.shaders = shaders
        self.structs: dict[str, tuple[syn.Declaration, ...]] = {}
        self.functions: dict[str, list[syn.Function]] = {}
        self.uniforms: list[UniformLeaf] = []
        self.outputs: dict[str, str] = {}
        self.weak: set[str] = set()
        self.seen_outside: set[str] = set()
        self.uniform_keys: set[str] = set()
        self.always: Sources = NOTHING
        self.emitted: dict[str, Sources] = {}
        self.calls: list[str] = []
        self.frame = _Frame(0)
        self.evaluated = 0

    def run(self) -> Flow:
        """Declare everything, then run main."""
        state = _State({}, NOTHING)
        for shader in self.shaders:
            self.structs.update(shader.structs)
            for function in shader.functions:
                if function.body is not None:
                    self.functions.setdefault(function.name, []).append(function)
        for shader in self.shaders:
            for declared in shader.globals:
                self.declare_global(declared, state)
        for name in built_in_names(self.shaders):
            state.values.setdefault(name, self.built_in_variable(name))
        mains = self.functions.get("main", [])
        if mains:
            self.call_function(mains[0], [], (), state)
        order = declaration_order(self.shaders)
        self.uniforms.sort(key=lambda leaf: (not leaf.block, order.get(leaf.root, len(order))))
        return Flow(self.uniforms, self.always, self.final_outputs(state), self.constant_outputs(state), bool(mains))

    def final_outputs(self, state: _State) -> dict[str, Sources]:
        """What each output is made of at the end, or at each EmitVertex."""
        if self.stage == "geometry":
            return self.emitted
        return self.current_outputs(state)

    def current_outputs(self, state: _State) -> dict[str, Sources]:
        """What each output is made of now."""
        found = {name: sources_of(value) for name, value in self.declared_outputs(state)}
        for key, value in state.values.items():
            if key in OUTPUTS and not (self.stage == "fragment" and key in FRAGMENT_INPUTS):
                found[key] = sources_of(value)
        return found

    def declared_outputs(self, state: _State) -> Iterator[tuple[str, Value]]:
        """Outputs that the shader declares, members of blocks one by one."""
        for key, name in self.outputs.items():
            value = state.values.get(key)
            if value is None:
                continue
            while isinstance(value, Array) and value.items and key in self.block_outputs:
                value = value.items[0]
            if key in self.block_outputs and isinstance(value, Record):
                for member, field in value.fields.items():
                    yield (member if name == "gl_PerVertex" else f"{name}.{member}"), field
            else:
                yield name, value

    def constant_outputs(self, state: _State) -> dict[str, Value]:
        """Outputs that are constant in part; after a geometry shader nothing is known of them."""
        if self.stage not in {"vertex", "tess-eval"}:
            return {}
        found = dict(self.declared_outputs(state))
        return {name: value for name, value in found.items() if any(a.known is not None for a in atoms_of(value))}

    # Declarations.

    def declare_global(self, declared: syn.Declaration | syn.InterfaceBlock, state: _State) -> None:
        """Give a global its value: uniforms and inputs are their own sources."""
        words = declared.qualifiers.words
        if isinstance(declared, syn.InterfaceBlock):
            self.declare_block(declared, state)
            return
        for name in declared.names:
            dims = name.dims + declared.type.dims
            if "uniform" in words:
                if name.name not in self.uniform_keys:
                    self.uniform_keys.add(name.name)
                    value = self.uniform(declared, name.name, dims, state)
                    state.values[name.name] = value
                continue
            if self.is_input(words):
                state.values[name.name] = self.input(declared, name.name, dims, state)
                continue
            if self.is_output(words):
                self.outputs[name.name] = _interface_name(name.name, self.location(declared, state))
            if words & {"shared", "out"} and self.stage in {"compute", "tess-ctrl"}:
                self.weak.add(name.name)
            if name.initial is not None:
                initial = self.initial(declared.type.name, dims, name.initial, state)
                state.values[name.name] = initial
            elif name.name not in state.values:
                state.values[name.name] = self.plain(declared.type.name, dims, state)

    def is_input(self, words: frozenset[str]) -> bool:
        """Whether these qualifiers make an input."""
        return bool(words & {"in", "attribute"}) or ("varying" in words and self.stage == "fragment")

    def is_output(self, words: frozenset[str]) -> bool:
        """Whether these qualifiers make an output."""
        return bool(words & {"out", "inout"}) or ("varying" in words and self.stage != "fragment")

    def location(self, declared: syn.Declaration, state: _State, key: str = "location") -> int | None:
        """A number in layout(...)."""
        given = declared.qualifiers.layout.get(key)
        return None if given is None else self.constant(given, state)

    def constant(self, expression: syn.Expression, state: _State) -> int | None:
        """A constant expression's value, None for what is none."""
        atoms = atoms_of(self.value(expression, state))
        number = atoms[0].known if atoms else None
        return None if number is None else int(number)

    def declare_block(self, block: syn.InterfaceBlock, state: _State) -> None:
        """Members of blocks: inputs and outputs are matched by the block's name, buffers are seen from outside."""
        words = block.qualifiers.words
        if block.name == "gl_PerVertex" and not block.instance:
            return
        fields: dict[str, Value] = {}
        for member in block.members:
            for name in member.names:
                dims = name.dims + member.type.dims
                full = name.name if block.name == "gl_PerVertex" else f"{block.name}.{name.name}"
                fields[name.name] = self.block_member(block, full, member.type.name, dims, state)
                if not block.instance:
                    state.values[name.name] = fields[name.name]
                    self.note_block_variable(name.name, full, words)
        if block.instance:
            instance: Value = Record(fields)
            for dim in block.dims[:1]:
                size = self.size(dim, state)
                instance = Array((instance,) * (MOST_VERTICES if size == WHOLE else size))
            state.values[block.instance] = instance
            self.note_block_variable(block.instance, block.name, words)
            if "out" in words:
                self.block_outputs[block.instance] = block.name

    def block_member(
        self,
        block: syn.InterfaceBlock,
        full: str,
        type_name: str,
        dims: Sequence[syn.Expression | None],
        state: _State,
    ) -> Value:
        """A member of a block, as a value."""
        words = block.qualifiers.words
        if "in" in words:
            return self.from_before(full, self.plain(type_name, dims, state, frozenset({Source("input", full)})))
        if "uniform" in words and full not in self.uniform_keys:
            self.uniform_keys.add(full)
            start = len(self.uniforms)
            self.uniform_value(type_name, full, dims, state, full)
            packed = "packed" in block.qualifiers.layout
            self.uniforms[start:] = [leaf._replace(block=True) for leaf in self.uniforms[start:]]
            sources = frozenset({Source("uniform", full, WHOLE)})
            if not packed:
                self.always |= sources
            return self.plain(type_name, dims, state, sources)
        return self.plain(type_name, dims, state)

    def note_block_variable(self, key: str, full: str, words: frozenset[str]) -> None:
        """Remember what a write to a block's variable means."""
        if "buffer" in words:
            self.seen_outside.add(key)
            self.weak.add(key)
        elif "out" in words:
            self.outputs[key] = full
            if self.stage == "tess-ctrl":
                self.weak.add(key)

    def from_before(self, matched: str, value: Value) -> Value:
        """An input with the components filled in that the stage before leaves constant."""
        before = self.inputs.get(matched)
        return value if before is None else with_constants(value, before)

    def size(self, dim: syn.Expression | None, state: _State) -> int:
        """An array's size; `WHOLE` where it has none."""
        number = None if dim is None else self.constant(dim, state)
        return WHOLE if number is None else max(0, min(number, _LARGEST_ARRAY))

    def plain(
        self,
        type_name: str,
        dims: Sequence[syn.Expression | None],
        state: _State,
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

    def input(
        self, declared: syn.Declaration, name: str, dims: Sequence[syn.Expression | None], state: _State
    ) -> Value:
        """An input: its own source, except in a vertex shader, where nothing stands before it."""
        matched = _interface_name(name, self.location(declared, state))
        sources = NOTHING if self.stage == "vertex" else frozenset({Source("input", matched)})
        return self.from_before(matched, self.plain(declared.type.name, dims, state, sources))

    # Uniforms.

    def uniform(
        self, declared: syn.Declaration, name: str, dims: Sequence[syn.Expression | None], state: _State
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
        state: _State,
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
        state: _State,
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

    # Variables.

    def find(self, name: str) -> str:
        """The key of the variable that a name means here."""
        for scope in reversed(self.frame.scopes):
            if name in scope:
                return scope[name]
        return name

    def read(self, name: str, state: _State) -> Value:
        """A variable's value."""
        key = self.find(name)
        if key in self.frame.handles:
            return self.frame.handles[key]
        value = state.values.get(key)
        if value is None:
            value = self.built_in_variable(name)
            state.values[key] = value
        return value

    def built_in_variable(self, name: str) -> Value:
        """A ``gl_`` variable before anything is written to it."""
        if name in CONSTANTS:
            return known(CONSTANTS[name])
        if name in {"gl_in", "gl_out"}:
            return self.per_vertex(name == "gl_in")
        sources = NOTHING
        if self.stage == "fragment" and name in FRAGMENT_INPUTS:
            sources = frozenset(Source("input", output) for output in FRAGMENT_INPUTS[name])
        elif self.stage == "tess-eval" and name.startswith("gl_TessLevel"):
            sources = frozenset({Source("input", name)})
        size, rows, elements = SHAPES.get(name, (16, 4, 0) if "Matrix" in name else (4, 0, 0))
        items = [unknown(size, sources, rows=rows) for _ in range(elements or 1)]
        return Array(tuple(items)) if elements else items[0]

    def per_vertex(self, incoming: bool) -> Value:  # noqa: FBT001 (gl_in or gl_out)
        """gl_in and gl_out."""
        fields: dict[str, Value] = {}
        for name, size in PER_VERTEX.items():
            fields[name] = unknown(size, frozenset({Source("input", name)}) if incoming else NOTHING)
        for name, size in (("gl_ClipDistance", 1), ("gl_CullDistance", 1), ("gl_TexCoord", 4)):
            sources = frozenset({Source("input", name)}) if incoming else NOTHING
            fields[name] = Array(tuple(unknown(size, sources) for _ in range(8)))
        return Array(tuple(with_sources(Record(fields), NOTHING) for _ in range(MOST_VERTICES)))

    def declare_local(self, declared: syn.Declaration, state: _State) -> None:
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

    def initial(
        self, type_name: str, dims: Sequence[syn.Expression | None], expression: syn.Expression, state: _State
    ) -> Value:
        """An initial value, turned into the variable's type."""
        if isinstance(expression, syn.ListInit):
            return self.braced(type_name, dims, expression, state)
        value = self.value(expression, state)
        if isinstance(value, Vec) and not dims and type_name not in self.structs:
            return Vec(tuple(convert(_scalar(type_name), atom) for atom in value.atoms), value.rows)
        return value

    def braced(
        self, type_name: str, dims: Sequence[syn.Expression | None], braces: syn.ListInit, state: _State
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

    # Writing.

    def path(self, target: syn.Expression, state: _State) -> _Path:
        """Where an expression that can be assigned to lies."""
        match target:
            case syn.NameRef(name):
                self.read(name, state)
                return _Path(self.find(name), ())
            case syn.Member(base, name):
                inner = self.path(base, state)
                return _Path(inner.key, (*inner.steps, self.member_step(base, name, state)))
            case syn.Index(base, index):
                inner = self.path(base, state)
                place = self.value(index, state)
                return _Path(inner.key, (*inner.steps, place if isinstance(place, Vec) else unknown(1)))
        self.value(target, state)
        return _Path("", ())

    def member_step(self, base: syn.Expression, name: str, state: _State) -> str | tuple[int, ...]:
        """A structure's member, or which components a swizzle names."""
        if isinstance(self.value(base, state), Vec) and set(name) <= SWIZZLES.keys():
            return tuple(SWIZZLES[letter] for letter in name)
        return name

    def write(self, path: _Path, value: Value, state: _State) -> None:
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

    def effect(self, state: _State, sources: Sources = NOTHING) -> None:
        """Something that is seen from outside happens here."""
        self.always |= state.control | sources

    # Statements: each gives the state after it, or None where control does not come out.

    def block(self, body: Sequence[syn.Statement], state: _State | None) -> _State | None:
        """Statements in a scope of their own."""
        self.frame.scopes.append({})
        for statement in body:
            if state is None:
                break
            state = self.statement(statement, state)
        self.frame.scopes.pop()
        return state

    def statement(self, statement: syn.Statement, state: _State) -> _State | None:  # noqa: PLR0911 (a list)
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
                after = after_first and self.loop(condition, step, body, after_first, test_first=True)
                self.frame.scopes.pop()
                return after
            case syn.While(condition, body, after_body):
                return self.loop(condition, None, body, state, test_first=not after_body)
            case syn.Switch(value, body):
                return self.switch(value, body, state)
            case syn.Return(value):
                result = None if value is None else self.value(value, state)
                self.frame.returns.append((state, result))
                return None
            case syn.Jump(kind):
                self.jump(kind, state)
                return None
        return state

    def jump(self, kind: str, state: _State) -> None:
        """``break``, ``continue``, ``discard``."""
        if kind == "discard":
            self.effect(state)
        elif kind == "continue":
            for exits in reversed(self.frame.loops):
                if exits.continues is not None:
                    exits.continues.append(state)
                    return
        elif self.frame.loops:
            self.frame.loops[-1].breaks.append(state)

    def if_(
        self, condition: syn.Expression, yes: syn.Statement, no: syn.Statement | None, state: _State
    ) -> _State | None:
        """Both ways, or the one that a constant leaves."""
        decided = first_of(self.value(condition, state))
        if decided.known is not None:
            chosen = yes if decided.known else no
            return state if chosen is None else self.block((chosen,), state)
        before = state.control
        other = state.copy()
        state.control = other.control = before | decided.sources
        after = self.block((yes,), state)
        after_no = other if no is None else self.block((no,), other)
        if after is None or after_no is None:
            return after or after_no
        # The condition counts also where it decided already whether this point is reached.
        rejoined = _merge([after, after_no], before - decided.sources)
        if rejoined is not None:
            more = (after.control | after_no.control) - before - decided.sources
            rejoined.control = after.control | after_no.control if more else before
        return rejoined

    def loop(
        self,
        condition: syn.Expression | syn.Declaration | None,
        step: syn.Expression | None,
        body: syn.Statement,
        state: _State,
        *,
        test_first: bool,
    ) -> _State | None:
        """Round by round while the condition stays constant; else until nothing changes any more."""
        start = state.copy()
        always = self.always
        emitted = dict(self.emitted)
        unrolled = self.unroll(condition, step, body, state, test_first=test_first)
        if unrolled is not None:
            return unrolled[0]
        self.always = always
        self.emitted = emitted
        return self.settle(condition, step, body, start, test_first=test_first)

    def test(self, condition: syn.Expression | syn.Declaration | None, state: _State) -> Atom:
        """A loop's condition."""
        if condition is None:
            return Atom(known=True)
        if isinstance(condition, syn.Declaration):
            self.declare_local(condition, state)
            return first_of(self.read(condition.names[0].name, state))
        return first_of(self.value(condition, state))

    def unroll(
        self,
        condition: syn.Expression | syn.Declaration | None,
        step: syn.Expression | None,
        body: syn.Statement,
        state: _State,
        *,
        test_first: bool,
    ) -> tuple[_State | None] | None:
        """Run a loop whose every test is constant; None if it is none of these, or too long."""
        before = state.control
        exits = _Exits([], [])
        current: _State | None = state
        for round_ in range(_UNROLLED + 1):
            if self.evaluated > _PATIENCE:
                return None
            if current is None:
                break
            if test_first or round_:
                decided = self.test(condition, current)
                if decided.known is None:
                    return None
                if not decided.known:
                    exits.breaks.append(current)
                    break
            self.frame.loops.append(exits)
            after = self.block((body,), current)
            self.frame.loops.pop()
            continues = exits.continues or []
            ways = [*continues, *([after] if after is not None else [])]
            current = _merge(ways, before if len(ways) > 1 and not exits.breaks else _controls(ways))
            continues.clear()
            if current is not None and step is not None:
                self.value(step, current)
        else:
            return None
        return (_merge(exits.breaks, before),)

    def settle(
        self,
        condition: syn.Expression | syn.Declaration | None,
        step: syn.Expression | None,
        body: syn.Statement,
        start: _State,
        *,
        test_first: bool,
    ) -> _State | None:
        """Run a loop with all its rounds at once."""
        before = start.control
        entry = start
        outcome: _State | None = None
        for _ in range(_ROUNDS):
            exits = _Exits([], [])
            current: _State | None = entry.copy()
            if test_first:
                decided = self.test(condition, entry.copy())
                current = entry.copy()
                self.test(condition, current)
                current.control = before | decided.sources
                if decided.known is None or not decided.known:
                    leaving = current.copy()
                    exits.breaks.append(leaving)
            self.frame.loops.append(exits)
            after = self.block((body,), current)
            self.frame.loops.pop()
            ways = [*(exits.continues or []), *([after] if after is not None else [])]
            current = _merge(ways, _controls(ways))
            if current is not None and step is not None:
                self.value(step, current)
            if current is not None and not test_first:
                decided = self.test(condition, current)
                current.control |= decided.sources
                exits.breaks.append(current.copy())
            outcome = _merge(exits.breaks, before)
            again = entry if current is None else _merge([entry, current], before)
            if again is None or _settled(again, entry):
                break
            entry = again
        if outcome is not None:
            self.drag(start, outcome, before, exits.breaks)
        return outcome

    def drag(self, start: _State, outcome: _State, before: Sources, breaks: Sequence[_State]) -> None:
        """How often a loop ran decides everything that it changed."""
        extra = NOTHING.union(*(state.control for state in breaks)) - before
        for key, value in outcome.values.items():
            if key in start.values and start.values[key] != value:
                outcome.values[key] = with_sources(value, extra)

    def switch(self, value: syn.Expression, body: Sequence[syn.Statement], state: _State) -> _State | None:
        """Fall through from label to label; a constant value enters at its own label only."""
        decided = first_of(self.value(value, state))
        before = state.control
        exits = _Exits([], None)
        labels = [statement.value for statement in body if isinstance(statement, syn.Case)]
        entry = state.copy()
        entry.control = before | decided.sources
        target = self.chosen_label(decided, labels, entry)
        current: _State | None = None
        label = -1
        self.frame.loops.append(exits)
        self.frame.scopes.append({})
        for statement in body:
            if isinstance(statement, syn.Case):
                label += 1
                if target is None or target == label:
                    ways = [entry.copy(), *([current] if current is not None else [])]
                    current = _merge(ways, _controls(ways))
            elif current is not None:
                current = self.statement(statement, current)
        self.frame.scopes.pop()
        self.frame.loops.pop()
        ways = [*exits.breaks, *([current] if current is not None else [])]
        if (target is None and None not in labels) or target == len(labels):
            ways.append(entry)
        return _merge(ways, before)

    def chosen_label(self, decided: Atom, labels: Sequence[syn.Expression | None], state: _State) -> int | None:
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

    # Expressions.

    def value(self, expression: syn.Expression, state: _State) -> Value:  # noqa: C901, PLR0911, PLR0912 (a list)
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

    def short_circuit(self, op: str, left: syn.Expression, right: syn.Expression, state: _State) -> Value:
        """``&&`` and ``||``: the right side may not be reached."""
        first = self.value(left, state)
        decided = first_of(first)
        if decided.known is not None and bool(decided.known) == (op == "||"):
            return known(op == "||")
        second = self.aside(right, state, decided.sources)
        return binary(op, first, second)

    def aside(self, expression: syn.Expression, state: _State, deciding: Sources) -> Value:
        """Evaluate something that may not be reached; what it changes is changed only maybe."""
        if _is_pure(expression):
            return self.value(expression, state)
        before = state.control
        other = state.copy()
        other.control = before | deciding
        value = self.value(expression, other)
        merged = _merge([state, other], before)
        if merged is not None:
            state.become(merged)
        return value

    def ternary(self, condition: syn.Expression, yes: syn.Expression, no: syn.Expression, state: _State) -> Value:
        """``a ? b : c``."""
        decided = first_of(self.value(condition, state))
        if decided.known is not None:
            return self.value(yes if decided.known else no, state)
        first = self.aside(yes, state, decided.sources)
        second = self.aside(no, state, decided.sources)
        return join(first, second, decided.sources)

    def assign(self, op: str, target: syn.Expression, value: Value, state: _State) -> Value:
        """``target op= value``."""
        old = self.value(target, state)
        if op:
            value = binary(op, old, value)
        if isinstance(old, Vec) and isinstance(value, Vec) and len(value.atoms) == 1 < len(old.atoms):
            value = Vec(value.atoms * len(old.atoms), old.rows)
        self.write(self.path(target, state), value, state)
        return value

    # Calls.

    def call(self, call: syn.Call, state: _State) -> Value:
        """A constructor, one of the shader's functions, or a built-in one."""
        arguments = [self.value(argument, state) for argument in call.arguments]
        if call.dims:
            return Array(tuple(arguments))
        if call.name in self.structs:
            names = [name.name for member in self.structs[call.name] for name in member.names]
            return Record(dict(zip(names, arguments, strict=False)))
        own = self.overload(call.name, arguments)
        if own is not None:
            return self.call_function(own, arguments, call.arguments, state)
        if shape_of(call.name)[0]:
            return construct(call.name, arguments)
        if call.name.startswith("Emit") and call.name.endswith("Vertex"):
            self.emit(state)
            return known(0)
        value = built_in(call.name, arguments)
        for place in OUT_ARGUMENTS.get(call.name, ()):
            if place < len(arguments):
                self.write(self.path(call.arguments[place], state), value, state)
        if call.name.startswith(EFFECTS):
            self.effect(state, sources_of(*arguments))
            if call.name.startswith("atomic") and arguments and call.arguments:
                self.write(self.path(call.arguments[0], state), value, state)
        return value

    def emit(self, state: _State) -> None:
        """A geometry shader hands its outputs on."""
        self.effect(state)
        for name, sources in self.current_outputs(state).items():
            self.emitted[name] = self.emitted.get(name, NOTHING) | sources

    def overload(self, name: str, arguments: Sequence[Value]) -> syn.Function | None:
        """The function that fits the arguments best: the same number of them, then the same shapes."""
        fitting = [f for f in self.functions.get(name, ()) if len(f.parameters) == len(arguments)]
        if len(fitting) <= 1:
            return fitting[0] if fitting else None
        return max(fitting, key=lambda f: sum(map(self.fits, f.parameters, arguments)))

    def fits(self, parameter: syn.Parameter, argument: Value) -> bool:
        """Whether an argument has a parameter's shape."""
        if isinstance(argument, Handle):
            return argument.type == parameter.type.name
        if isinstance(argument, Array):
            return bool(parameter.type.dims)
        if isinstance(argument, Record):
            return parameter.type.name in self.structs
        shape = shape_of(parameter.type.name)
        number = argument.atoms[0].known if argument.atoms else None
        exact = number is None or isinstance(number, float) == (_scalar(parameter.type.name) == "float")
        return shape == (len(argument.atoms), argument.rows) and not parameter.type.dims and exact

    def call_function(
        self, function: syn.Function, arguments: Sequence[Value], targets: Sequence[syn.Expression], state: _State
    ) -> Value:
        """Run a function's body on its arguments, then copy out what it gives back."""
        if function.name in self.calls or function.body is None:
            self.recursion(function)
        paths = [
            self.path(target, state) if parameter.qualifiers.words & {"out", "inout"} else None
            for parameter, target in zip(function.parameters, targets, strict=True)
        ]
        outer, before = self.frame, state.control
        self.calls.append(function.name)
        self.frame = _Frame(outer.depth + 1)
        keys = [
            self.bind(parameter, value, state) for parameter, value in zip(function.parameters, arguments, strict=True)
        ]
        after = self.block(function.body.body, state.copy())
        ways = [*self.frame.returns, *([(after, None)] if after is not None else [])]
        self.frame = outer
        self.calls.pop()
        merged = _merge([way for way, _ in ways], before)
        if merged is not None:
            state.become(merged)
        for key, path in zip(keys, paths, strict=True):
            if path is not None and key in state.values:
                self.write(path, state.values[key], state)
        return self.returned(function, ways, before, state)

    def recursion(self, function: syn.Function) -> NoReturn:
        """GLSL knows none."""
        from statetracker.trace.glsl_preprocess import refuse

        refuse(function.line, f"function {function.name} calls itself")

    def bind(self, parameter: syn.Parameter, value: Value, state: _State) -> str:
        """Give a parameter its value."""
        key = f"{self.frame.depth}:0:{parameter.name}"
        self.frame.scopes[0][parameter.name] = key
        if "out" in parameter.qualifiers.words and "inout" not in parameter.qualifiers.words:
            value = self.plain(parameter.type.name, parameter.type.dims, state)
        if shape_of(parameter.type.name)[0] or parameter.type.name in self.structs:
            state.values[key] = self.as_parameter(parameter, value)
        else:
            self.frame.handles[key] = value
        return key

    def as_parameter(self, parameter: syn.Parameter, value: Value) -> Value:
        """Convert constants to the parameter's type."""
        if not isinstance(value, Vec) or parameter.type.dims:
            return value
        return Vec(tuple(convert(_scalar(parameter.type.name), atom) for atom in value.atoms), value.rows)

    def returned(
        self, function: syn.Function, ways: Sequence[tuple[_State, Value | None]], before: Sources, state: _State
    ) -> Value:
        """What a call is worth: any of the values returned."""
        values = [value for _, value in ways if value is not None]
        if not values:
            return self.plain(function.type.name, function.type.dims, state)
        extra = NOTHING.union(*(way.control for way, _ in ways)) - before
        result = values[0]
        for value in values[1:]:
            result = join(result, value, extra)
        return result


def _settled(again: _State, entry: _State) -> bool:
    """Whether another round of a loop would find out nothing new."""
    return all(key in entry.values and alike(value, entry.values[key]) for key, value in again.values.items())


def _scalar(type_name: str) -> str:
    """The type of a vector's components."""
    first = {"i": "int", "u": "uint", "b": "bool"}.get(type_name[:1], "float")
    return "bool" if type_name == "bool" else first


def _interface_name(name: str, location: int | None) -> str:
    """What outputs and inputs are matched by."""
    return name if location is None else f"location {location}"


def _group(name: str) -> str:
    """A leaf's name without indices."""
    return "".join(part.partition("]")[2] if at else part for at, part in enumerate(name.split("[")))


def _controls(ways: Sequence[_State]) -> Sources:
    """What decides that any of these states is reached."""
    return NOTHING.union(*(state.control for state in ways))


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
