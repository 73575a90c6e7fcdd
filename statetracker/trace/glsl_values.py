"""What a GLSL expression may be worth: what is known of it, and which uniforms and inputs it comes from.

Every component of a vector is an `Atom`: a known constant, or an unknown that carries its sources. A sampler whose
sources reach no output is not active. Values are never changed in place.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.trace.glsl_numbers import to_int

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = [
    "NOTHING",
    "SWIZZLES",
    "WHOLE",
    "Array",
    "Atom",
    "Handle",
    "Record",
    "Source",
    "Sources",
    "Value",
    "Vec",
    "alike",
    "at_index",
    "atoms_of",
    "first_of",
    "forget",
    "fresh",
    "gather",
    "join",
    "known",
    "mark",
    "member_of",
    "replaced",
    "shape_of",
    "sources_of",
    "unknown",
    "with_constants",
    "with_sources",
]

#: The element of a source that may be any element of its array.
WHOLE: Final = -1


class Source(NamedTuple):
    """Where a value comes from: a uniform or an input.

    kind      ``uniform`` or ``input``
    name      of the variable, as declared; for inputs the name that outputs are matched by
    element   of an array, by its first index; 0 for no array, `WHOLE` for an index that is not constant
    """

    kind: str
    name: str
    element: int = 0


Sources: TypeAlias = "frozenset[Source]"
NOTHING: Final[Sources] = frozenset()


class Atom(NamedTuple):
    """One component; a known one has no sources. Unknown ones with the same ``tag`` are the same number."""

    known: float | bool | None
    sources: Sources = NOTHING
    tag: int = 0


class Vec(NamedTuple):
    """A scalar, a vector, or (``rows`` not 0) a matrix, column by column."""

    atoms: tuple[Atom, ...]
    rows: int = 0


class Array(NamedTuple):
    """An array; ``whole`` is what an unknown index gives, where that is more than the sum of the items."""

    items: tuple[Value, ...]
    whole: Value | None = None


class Record(NamedTuple):
    """A structure, or an instance of an interface block."""

    fields: dict[str, Value]


class Handle(NamedTuple):
    """A sampler or image: its type, and the uniforms it may be; the same ``tag`` means the same one."""

    type: str
    sources: Sources
    tag: int = 0


Value: TypeAlias = Vec | Array | Record | Handle

_UNKNOWN: Final = Atom(None)

#: A letter of a swizzle -> the component.
SWIZZLES: Final = {letter: place for letters in ("xyzw", "rgba", "stpq") for place, letter in enumerate(letters)}

#: Types made of numbers; a function or a structure may have any other name, also one that begins like a type.
_NUMERIC: Final = re.compile(r"float|double|bool|u?int(?:64_t)?|(?:[biud]|[iu]64)?vec([234])|d?mat([234])(?:x([234]))?")

#: What was calculated from what -> its tag. Tags are never used again, so emptying this only loses knowledge.
_TAGS: Final[dict[tuple[object, ...], int]] = {}
_NUMBERS: Final = itertools.count(1)


def fresh() -> int:
    """A tag nothing else has."""
    return next(_NUMBERS)


def mark(*origin: object) -> int:
    """The tag of what is calculated like this: the same for the same operation on the same tags."""
    return _TAGS.setdefault(origin, next(_NUMBERS))


def forget() -> None:
    """Drop what was calculated from what."""
    _TAGS.clear()


def gather(operation: object, *atoms: Atom) -> Atom:
    """An unknown that is calculated from these."""
    origin = tuple(atom.tag if atom.known is None else ("known", atom.known) for atom in atoms)
    return Atom(None, NOTHING.union(*(atom.sources for atom in atoms)), mark(operation, *origin))


def unknown(size: int, sources: Sources = NOTHING, *, rows: int = 0, origin: object = None) -> Vec:
    """Components of which only the sources are known; the same again for the same ``origin``, if one is given."""
    tags = (fresh() if origin is None else mark(origin, at) for at in range(size))
    return Vec(tuple(Atom(None, sources, tag) for tag in tags), rows)


def known(*numbers: float | bool) -> Vec:
    """Constant components."""
    return Vec(tuple(Atom(number) for number in numbers))


def atoms_of(value: Value) -> tuple[Atom, ...]:
    """All components, in order."""
    if isinstance(value, Vec):
        return value.atoms
    if isinstance(value, Handle):
        return (Atom(None, value.sources, value.tag),)
    inner: Iterable[Value] = value.items if isinstance(value, Array) else value.fields.values()
    return tuple(atom for item in inner for atom in atoms_of(item))


def sources_of(*values: Value) -> Sources:
    """All sources together."""
    return NOTHING.union(*(atom.sources for value in values for atom in atoms_of(value)))


def shape_of(type_name: str) -> tuple[int, int]:
    """How many components a type has, and how many rows if it is a matrix; (0, 0) for what is no number."""
    found = _NUMERIC.fullmatch(type_name)
    if found is None:
        return 0, 0
    size, columns, rows = found.groups()
    if columns:
        return int(columns) * int(rows or columns), int(rows or columns)
    return int(size or 1), 0


def with_sources(value: Value, extra: Sources, origin: object = None) -> Value:
    """Add sources to every component, constant or not: what chose the value has a say in it."""
    why = fresh() if origin is None else origin
    return _map(value, lambda atom: gather(why, atom)._replace(sources=atom.sources | extra))


def alike(left: Value, right: Value) -> bool:
    """Whether the same is known of two values, though they may differ."""
    if left is right:
        return True
    if isinstance(left, Vec) and isinstance(right, Vec):
        return [atom[:2] for atom in left.atoms] == [atom[:2] for atom in right.atoms]
    if isinstance(left, Array) and isinstance(right, Array) and len(left.items) == len(right.items):
        return all(map(alike, left.items, right.items))
    if isinstance(left, Record) and isinstance(right, Record) and left.fields.keys() == right.fields.keys():
        return all(alike(field, right.fields[name]) for name, field in left.fields.items())
    return isinstance(left, Handle) and isinstance(right, Handle) and left[:2] == right[:2]


def _map(value: Value, change: Callable[[Atom], Atom]) -> Value:
    if isinstance(value, Vec):
        return Vec(tuple(change(atom) for atom in value.atoms), value.rows)
    if isinstance(value, Handle):
        changed = change(Atom(None, value.sources, value.tag))
        return Handle(value.type, changed.sources, changed.tag)
    if isinstance(value, Array):
        return Array(tuple(_map(item, change) for item in value.items))
    return Record({name: _map(field, change) for name, field in value.fields.items()})


def join(left: Value, right: Value, extra: Sources = NOTHING) -> Value:
    """What a value may be that is one or the other; where they differ, ``extra`` had a say in which."""
    if left is right or left == right:
        return left
    if isinstance(left, Vec) and isinstance(right, Vec) and len(left.atoms) == len(right.atoms):
        return Vec(tuple(_either(a, b, extra) for a, b in zip(left.atoms, right.atoms, strict=True)), left.rows)
    if isinstance(left, Array) and isinstance(right, Array) and len(left.items) == len(right.items):
        return Array(tuple(join(a, b, extra) for a, b in zip(left.items, right.items, strict=True)))
    if isinstance(left, Record) and isinstance(right, Record) and left.fields.keys() == right.fields.keys():
        return Record({name: join(field, right.fields[name], extra) for name, field in left.fields.items()})
    if isinstance(left, Handle) and isinstance(right, Handle):
        return Handle(left.type, left.sources | right.sources | extra, fresh())
    return unknown(max(len(atoms_of(left)), len(atoms_of(right))), sources_of(left, right) | extra)


def _either(left: Atom, right: Atom, extra: Sources) -> Atom:
    if left == right and type(left.known) is type(right.known):
        return left
    return Atom(None, left.sources | right.sources | extra, fresh())


def at_index(base: Value, index: Value) -> Value:
    """``base[index]``; an index past the end gives the last element."""
    place = index.atoms[0] if isinstance(index, Vec) and index.atoms else _UNKNOWN
    parts = _parts(base)
    if not parts:
        return unknown(4, sources_of(base, index))
    if place.known is not None:
        return parts[max(0, min(to_int(place.known), len(parts) - 1))]
    if isinstance(base, Array) and base.whole is not None:
        return with_sources(base.whole, place.sources, ("index", place.tag))
    found = parts[0]
    for part in parts[1:]:
        found = join(found, part)
    return with_sources(found, place.sources)


def _parts(base: Value) -> Sequence[Value]:
    if isinstance(base, Array):
        return base.items
    if isinstance(base, Vec) and base.rows:
        return [Vec(base.atoms[at : at + base.rows]) for at in range(0, len(base.atoms), base.rows)]
    return [Vec((atom,)) for atom in base.atoms] if isinstance(base, Vec) else ()


def first_of(value: Value) -> Atom:
    """The first component, which is what a scalar is."""
    atoms = atoms_of(value)
    return atoms[0] if atoms else Atom(None)


def member_of(base: Value, name: str) -> Value:
    """A structure's member, or a swizzle."""
    if isinstance(base, Record) and name in base.fields:
        return base.fields[name]
    if isinstance(base, Vec) and base.atoms and set(name) <= SWIZZLES.keys():
        return Vec(tuple(base.atoms[min(SWIZZLES[letter], len(base.atoms) - 1)] for letter in name))
    return unknown(4, sources_of(base))


def replaced(old: Value, steps: Sequence[str | Vec | tuple[int, ...]], value: Value) -> Value:
    """A copy of a value with one part of it replaced."""
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(step, tuple) and not isinstance(step, Vec):
        return _swizzled(old, step, rest, value)
    if isinstance(step, str):
        if isinstance(old, Record) and step in old.fields:
            return Record({**old.fields, step: replaced(old.fields[step], rest, value)})
        return with_sources(old, sources_of(value))
    return _indexed(old, step, rest, value)


def _swizzled(old: Value, places: tuple[int, ...], rest: Sequence[str | Vec | tuple[int, ...]], value: Value) -> Value:
    if not isinstance(old, Vec) or not old.atoms:
        return old
    atoms = list(old.atoms)
    part = Vec(tuple(atoms[min(place, len(atoms) - 1)] for place in places))
    given = atoms_of(replaced(part, rest, value)) or (Atom(None),)
    for at, place in enumerate(places):
        if place < len(atoms):
            atoms[place] = given[min(at, len(given) - 1)]
    return Vec(tuple(atoms), old.rows)


def _indexed(old: Value, index: Vec, rest: Sequence[str | Vec | tuple[int, ...]], value: Value) -> Value:
    """Replace one element; where the index is not known, any of them may be it."""
    atom = first_of(index)
    if isinstance(old, Array):
        items = list(old.items)
        for place in range(len(items)):
            if atom.known is None:
                items[place] = join(items[place], replaced(items[place], rest, value), atom.sources)
            elif place == to_int(atom.known):
                items[place] = replaced(items[place], rest, value)
        return Array(tuple(items))
    if not isinstance(old, Vec) or not old.atoms:
        return old
    width = old.rows or 1
    atoms = list(old.atoms)
    for start in range(0, len(atoms), width):
        part = Vec(tuple(atoms[start : start + width]))
        new = replaced(part, rest, value)
        if atom.known is None:
            new = join(part, new, atom.sources)
        elif start != to_int(atom.known) * width:
            continue
        atoms[start : start + width] = (atoms_of(new) * width)[:width]
    return Vec(tuple(atoms), old.rows)


def with_constants(value: Value, before: Value) -> Value:
    """Take over the constant components of a value of the same shape."""
    if isinstance(value, Vec) and isinstance(before, Vec) and len(value.atoms) == len(before.atoms):
        pairs = zip(value.atoms, before.atoms, strict=True)
        return Vec(tuple(own if other.known is None else other for own, other in pairs), value.rows)
    if isinstance(value, Array) and isinstance(before, Array) and len(value.items) == len(before.items):
        return Array(tuple(map(with_constants, value.items, before.items)))
    return value
