"""What a walk over a shader keeps: the values of all variables at a point, calls in progress, and what it finds."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from statetracker.trace.glsl_values import NOTHING, Sources, Value, alike, join

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.trace.glsl_values import Vec

__all__ = [
    "Exits",
    "Flow",
    "Frame",
    "Path",
    "State",
    "UniformLeaf",
    "controls",
    "interface_name",
    "merge",
    "scalar_of",
    "settled",
]


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
    recorded   outputs that the shader itself gives to transform feedback (``xfb_offset``)
    variables  outputs that are matched by their place -> the name that transform feedback takes
    """

    uniforms: list[UniformLeaf]
    always: Sources
    outputs: dict[str, Sources]
    constants: dict[str, Value]
    has_main: bool
    recorded: frozenset[str] = frozenset()
    variables: Mapping[str, str] = MappingProxyType({})


class State:
    """The values of all variables at one point; ``control``: what decides whether this point is reached."""

    __slots__ = ("control", "values")

    def __init__(self, values: dict[str, Value], control: Sources) -> None:
        self.values = values
        self.control = control

    def copy(self) -> State:
        """The same values, to go another way with."""
        return State(dict(self.values), self.control)

    def become(self, other: State) -> None:
        """Take another point's values."""
        self.values = other.values
        self.control = other.control


class Frame:
    """A call in progress: the names in scope and the ways out."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.scopes: list[dict[str, str]] = [{}]
        self.returns: list[tuple[State, Value | None]] = []
        self.loops: list[Exits] = []
        #: Sampler parameters -> what was passed; they are no variables.
        self.handles: dict[str, Value] = {}


class Exits(NamedTuple):
    """The states at each break and each continue of a loop or switch."""

    breaks: list[State]
    continues: list[State] | None


class Path(NamedTuple):
    """Where an assignment goes: a variable's key, then members, indices, swizzles."""

    key: str
    steps: tuple[str | Vec | tuple[int, ...], ...]


def merge(states: Sequence[State], before: Sources) -> State | None:
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
    return State(merged, before)


def controls(ways: Sequence[State]) -> Sources:
    """What decides that any of these states is reached."""
    return NOTHING.union(*(state.control for state in ways))


def settled(again: State, entry: State) -> bool:
    """Whether another round of a loop would find out nothing new."""
    return all(key in entry.values and alike(value, entry.values[key]) for key, value in again.values.items())


def scalar_of(type_name: str) -> str:
    """The type of a vector's components."""
    if "64" in type_name:
        return "int64_t"
    return {"i": "int", "u": "uint", "b": "bool", "d": "double"}.get(type_name[:1], "float")


def interface_name(name: str, location: int | None, component: int | None = None, index: int | None = None) -> str:
    """What outputs and inputs are matched by: several may share a location by ``component``, or by ``index``."""
    if location is None:
        return name
    return (
        f"location {location}" + (f" component {component}" if component else "") + (f" index {index}" if index else "")
    )
