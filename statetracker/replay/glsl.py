"""From the GLSL sources of a program to its sampler uniforms, their slots and their locations.

``stage_samplers`` reads one stage, ``link`` puts the stages of a program together. No shader is compiled: a sampler is
taken as used where main reaches its name, unless the stream says that GL has no location for it. `reached` is the call
graph by names, nothing else: functions that share a name are one; a sampler passed to a function is used by the caller;
a parameter or a local variable hides what has its name; what stands in code that never runs is reached too. Source:
docs/glsl.md (slots, locations, the order in which globals of several shaders are joined: Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import SamplerUniform
from statetracker.gl.program import is_sampler
from statetracker.replay.glsl_declarations import (
    LARGEST_ARRAY,
    LONGEST,
    WHOLE,
    closing,
    constant,
    declarations,
    further,
    is_basic,
)
from statetracker.replay.glsl_preprocess import preprocess
from statetracker.spellings import STAGES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from statetracker.replay.glsl_declarations import Body, Declarations, Leaf

#: Elements of uniforms of a stage, and uniforms looked at for reported names, that cost nothing.
_FREE: Final = 1_000
_ELEMENT: Final = re.compile(r"(.+)\[(\d{1,9})\]")


class Stage(NamedTuple):
    """One stage.

    Attributes:
        version: Of GLSL: 130, 450, 300 for ES 3.00; the highest of several shaders.
        leaves: Uniforms, in the order of their slots.
        used: The highest element of each uniform variable that main reaches.
        problems: What could not be read.
        failed: Why GL would not link it.
        cost: Tokens and elements that it expands to, beyond what its size allows.
    """

    version: int
    leaves: tuple[Leaf, ...]
    used: Mapping[str, int]
    problems: tuple[str, ...] = ()
    failed: str = ""
    cost: int = 0


class LinkedProgram(NamedTuple):
    """A linked program.

    Attributes:
        version: Of GLSL, the highest of its stages.
        samplers: In order of declaration, with the elements that have a location.
        slots: Stage -> (uniform, element) for each slot.
        locations: Of every active uniform by name; ``s``, ``s[0]``, ``s[1]`` for arrays.
        problems: What could not be read; the rest is as good as it gets.
        failed: Why GL would not link it; empty where it would.
        cost: Of its stages, and of looking for the names that GL reported.
    """

    version: int
    samplers: tuple[SamplerUniform, ...]
    slots: dict[str, list[tuple[str, int]]]
    locations: dict[str, int]
    problems: tuple[str, ...] = ()
    failed: str = ""
    cost: int = 0


def last_element(sampler: SamplerUniform) -> str:
    """Return the name of the last element: GL has a location for it if all of the sampler is used."""
    return f"{sampler.name}[{sampler.size - 1}]" if sampler.size > 1 else sampler.name


def stage_samplers(sources: Sequence[str], *, profile: str = "compatibility", driver: str = "llvmpipe") -> Stage:
    """Read the whole source of each shader object of a stage.

    ``profile`` is the context's, as `gl.Limits` names it. The ``driver`` ``softpipe`` defines fewer macros than
    ``llvmpipe``, as which any other counts.
    """
    read = [preprocess(source, profile=profile, driver=driver) for source in sources]
    shaders = [declarations(shader.tokens) for shader in read]
    names = reached(shaders)
    constants = {name: value for shader in shaders for name, value in shader.constants.items()}
    leaves: dict[str, Leaf] = {}
    for shader in shaders:
        for leaf in shader.leaves:
            leaves.setdefault(leaf.name, leaf)
    used = highest(names, constants)
    unsized = (leaf for leaf in leaves.values() if leaf.size == used.get(leaf.root) == WHOLE and is_sampler(leaf.type))
    rank = order(shaders)
    problems = [problem for shader in read for problem in shader.problems]
    problems += [problem for shader in shaders for problem in shader.problems]
    main = any(body.name == "main" for shader in shaders for body in shader.bodies)
    no_main = "" if main or problems else "there is no main"
    return Stage(
        max((shader.version for shader in read), default=0),
        tuple(sorted(leaves.values(), key=lambda leaf: rank.get(leaf.root, len(rank)))),
        used,
        (*problems, *(f"the size of {leaf.name!r} is not known" for leaf in unsized)),
        next((shader.refused for shader in read if shader.refused), no_main),
        sum(shader.cost for shader in read) + max(0, sum(max(leaf.size, 1) for leaf in leaves.values()) - _FREE),
    )


#: Stages that were read before are remembered, the last few of them.
_stage_once = lru_cache(maxsize=64)(stage_samplers)


def link_sources(
    sources: Mapping[str, Sequence[str]],
    *,
    inactive: Collection[str] = (),
    active: Collection[str] = (),
    profile: str = "compatibility",
    driver: str = "llvmpipe",
) -> LinkedProgram:
    """Read the texts of each stage's shader objects as one program, and link them; raises `MissingExtra`.

    ``inactive`` and ``active`` as for `link`, ``profile`` and ``driver`` as for `stage_samplers`.
    """
    stages = {stage: _stage_once(tuple(texts), profile=profile, driver=driver) for stage, texts in sources.items()}
    return link(stages, inactive=inactive, active=active)


def link(stages: Mapping[str, Stage], *, inactive: Collection[str] = (), active: Collection[str] = ()) -> LinkedProgram:
    """Put the stages of a program together.

    ``inactive`` are names that GL has no location for, of elements too; ``active`` those that it has one for, though
    main was not seen to reach them.
    """
    present = [stage for stage in STAGES if stage in stages]
    used = {stage: dict(stages[stage].used) for stage in present}
    for name in sorted(active):
        _prove(name, [(stages[stage], used[stage]) for stage in present])
    everywhere: dict[str, int] = {}
    for stage in present:
        for name, element in used[stage].items():
            everywhere[name] = further(element, everywhere.get(name, 0))
    kept = {stage: list(_kept(stages[stage].leaves, used[stage], everywhere, inactive)) for stage in present}
    slots = {stage: _slots(leaves) for stage, leaves in kept.items()}
    samplers = _samplers(kept)
    version = max((stages[stage].version for stage in present), default=0)
    reserved = [leaf for stage in present for leaf in stages[stage].leaves]
    return LinkedProgram(
        version,
        samplers,
        slots,
        _locations(reserved, [leaf for stage in present for leaf in kept[stage]]),
        tuple(f"{stage}: {text}" for stage, read in stages.items() for text in (*read.problems, read.failed) if text),
        next((f"{stage}: {read.failed}" for stage, read in stages.items() if read.failed), ""),
        sum(read.cost for read in stages.values()) + max(0, len(reserved) * len(active) - _FREE),
    )


def _kept(
    leaves: Iterable[Leaf], used: Mapping[str, int], everywhere: Mapping[str, int], inactive: Collection[str]
) -> Iterable[Leaf]:
    """Yield the leaves that are used, arrays cut after the element that any stage uses last.

    Arrays inside structures and arrays of arrays are never cut; a structure is kept with all its members.
    """
    for leaf in leaves:
        size = max(leaf.size, 1)
        if leaf.root in used and leaf.name not in inactive and f"{leaf.name}[0]" not in inactive:
            last = everywhere[leaf.root]
            if leaf.nested and WHOLE != last < leaf.outer:
                continue
            if leaf.size and not leaf.nested and last != WHOLE:
                size = last + 1 if leaf.size == WHOLE else min(last + 1, size)
            missing = (at for at in range(1, size) if f"{leaf.name}[{at}]" in inactive)
            yield leaf._replace(size=next(missing, size) if leaf.size else 0)


def _prove(name: str, stages: Sequence[tuple[Stage, dict[str, int]]]) -> None:
    """Mark a uniform with a location as used: where another element of it is, else wherever it is declared."""
    match = _ELEMENT.fullmatch(name)
    base, index = (match[1], int(match[2])) if match else (name, 0)
    declared: list[tuple[Leaf, dict[str, int]]] = []
    for stage, used in stages:
        leaf = next((leaf for leaf in stage.leaves if _means(leaf, name, base, index)), None)
        if leaf is not None:
            declared.append((leaf, used))
    for leaf, used in [(leaf, used) for leaf, used in declared if leaf.root in used] or declared:
        element = leaf.outer if leaf.nested else index
        used[leaf.root] = further(element, used.get(leaf.root, element))


def _means(leaf: Leaf, name: str, base: str, index: int) -> bool:
    """Return whether a name that GL knows is a uniform's, or one of its elements'."""
    size = LARGEST_ARRAY if leaf.size == WHOLE else leaf.size
    return leaf.name == name or (leaf.name == base and index < size)


def _slots(leaves: Iterable[Leaf]) -> list[tuple[str, int]]:
    """In order of declaration; the same member of all elements of an array of structures stands together."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for leaf in leaves:
        if is_sampler(leaf.type):
            groups.setdefault(leaf.group, []).extend((leaf.name, element) for element in range(max(leaf.size, 1)))
    return [slot for group in groups.values() for slot in group]


def _samplers(kept: Mapping[str, Iterable[Leaf]]) -> tuple[SamplerUniform, ...]:
    samplers: dict[str, SamplerUniform] = {}
    for stage, leaves in kept.items():
        for leaf in leaves:
            if not is_sampler(leaf.type):
                continue
            known = samplers.get(leaf.name, SamplerUniform(leaf.name, leaf.type, 1, ()))
            size, binding = max(leaf.size, known.size), leaf.binding if known.binding is None else known.binding
            samplers[leaf.name] = known._replace(size=size, stages=(*known.stages, stage), binding=binding)
    return tuple(samplers.values())


def _locations(declared: Iterable[Leaf], kept: Iterable[Leaf]) -> dict[str, int]:
    """Locations by layout, then counted from 0 over those that a layout names: first stage first, first fit."""
    merged: dict[str, Leaf] = {}
    for leaf in kept:
        known = merged.get(leaf.name, leaf)
        location = leaf.location if known.location is None else known.location
        merged[leaf.name] = known._replace(size=max(known.size, leaf.size), location=location)
    taken = {leaf.location + at for leaf in declared if leaf.location is not None for at in range(max(leaf.size, 1))}
    locations: dict[str, int] = {}
    free: dict[int, int] = {}
    for leaf in merged.values():
        size, start = max(leaf.size, 1), leaf.location
        if start is None:
            start = free.get(size, 0)
            while (hit := next((at for at in range(start + size - 1, start - 1, -1) if at in taken), None)) is not None:
                start = hit + 1
            free[size] = start
            taken.update(range(start, start + size))
        locations[leaf.name] = start
        locations.update({f"{leaf.name}[{at}]": start + at for at in range(leaf.size)})
    return locations


class Named(NamedTuple):
    """A name in a function; ``element`` has the tokens of ``[...]`` behind it, None where there is none."""

    name: str
    element: Sequence[str] | None


def _named(body: Body, types: Collection[str]) -> Iterator[Named]:
    """Yield the names of a body that mean something global, in order.

    ``types`` are names of structures; a name behind a type is declared there, and hidden up to the end of its block.
    """
    scopes: list[set[str]] = [set(body.parameters)]
    hidden = Counter(body.parameters)
    declared: set[str] = set()
    brackets, before = 0, ""
    for place, word in enumerate(body.tokens):
        brackets += (word in "([") - (word in ")]")
        if word == "{":
            scopes.append(set())
        elif word == "}" and len(scopes) > 1:
            hidden.subtract(scopes.pop())
        elif word == ";" and not brackets:
            hidden.update(declared - scopes[-1])
            scopes[-1] |= declared
            declared = set()
        elif word.isidentifier() and (before in types or is_basic(before)):
            if not brackets:  # what the head of a loop declares is not followed to the loop's end
                declared.add(word)
        elif word.isidentifier() and before != "." and not hidden[word]:
            yield Named(word, _element(body.tokens, place + 1))
        before = word


def _element(tokens: Sequence[str], place: int) -> Sequence[str] | None:
    """Return what stands between brackets at a place."""
    if tokens[place : place + 1] != ["["]:
        return None
    part = tokens[place : place + LONGEST + 3]  # what is longer is no constant
    return part[1 : closing(part, 0) - 1]


def _graph(shaders: Sequence[Declarations]) -> dict[str, list[list[Named]]]:
    """Return the names in each body of some shaders, bodies of one name together."""
    types = {name for shader in shaders for name in shader.structs}
    graph: dict[str, list[list[Named]]] = {}
    for shader in shaders:
        for body in shader.bodies:
            graph.setdefault(body.name, []).append(list(_named(body, types)))
    return graph


def reached(shaders: Sequence[Declarations]) -> list[Named]:
    """Every global name that main and what it reaches name; in a stage without main, every name."""
    graph = _graph(shaders)
    entries = [body.name for shader in shaders for body in shader.bodies if body.entry]
    todo = ["main", *entries] if "main" in graph else list(graph)
    visited: list[Named] = []
    while todo:
        for names in graph.pop(todo.pop(), ()):
            visited += names
            todo += [name.name for name in names if name.name in graph]
    return visited


def highest(names: Sequence[Named], constants: Mapping[str, int]) -> dict[str, int]:
    """Return the highest element that each name is used with; `WHOLE` without a constant index."""
    last: dict[str, int] = {}
    for name, element in names:
        value = None if element is None else constant(element, constants)
        last[name] = further(WHOLE if value is None or value < 0 else value, last.get(name, 0))
    return last


def order(shaders: Sequence[Declarations]) -> dict[str, int]:
    """Rank uniforms as linking several shaders of a stage does.

    The globals of the shader with main come in order of declaration; those that only a function of another shader
    names come before them, each new one in front.
    """
    home = next((shader for shader in shaders if any(body.name == "main" for body in shader.bodies)), None)
    others = [shader for shader in shaders if shader is not home]
    if home is None:
        return {}
    ranked = list(dict.fromkeys(leaf.root for leaf in home.leaves))
    elsewhere = {leaf.root for shader in others for leaf in shader.leaves}
    own, foreign = _graph([home] if others else []), _graph(others)
    visited = set(own)

    def visit(names: Sequence[Named], *, away: bool) -> None:
        for name, _ in names:
            if name in foreign and name not in visited:
                visited.add(name)
                for inner in foreign[name]:
                    visit(inner, away=True)
            if away and name in elsewhere and name not in ranked:
                ranked.insert(0, name)

    for bodies in own.values():
        for names in bodies:
            visit(names, away=False)
    return {name: rank for rank, name in enumerate(ranked)}
