"""From the GLSL sources of a program to its active sampler uniforms, their slots and their locations.

``stage_samplers`` reads one stage, ``link`` puts the stages of a program together. Only what glLinkProgram decides
about uniforms is found out; whether a shader compiles is not.

Source: docs/glsl.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.gl.program import SAMPLER_TARGETS, STAGES, SamplerUniform
from statetracker.trace.glsl_active import trace_flow
from statetracker.trace.glsl_macros import default_version
from statetracker.trace.glsl_parse import parse
from statetracker.trace.glsl_preprocess import Token, preprocess
from statetracker.trace.glsl_proof import highest, prove
from statetracker.trace.glsl_values import NOTHING, WHOLE, Sources

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from statetracker.trace.glsl_flow import Flow, UniformLeaf
    from statetracker.trace.glsl_syntax import ShaderSyntax

__all__ = [
    "ActiveSampler",
    "ActiveUniform",
    "LinkedProgram",
    "LinkedSampler",
    "StageSamplers",
    "StageSlot",
    "link",
    "stage_samplers",
]

_RASTER_OUTPUTS: Final = frozenset(
    [
        "gl_Position",
        "gl_PointSize",
        "gl_ClipVertex",
        "gl_ClipDistance",
        "gl_CullDistance",
        "gl_Layer",
        "gl_ViewportIndex",
        "gl_TessLevelInner",
        "gl_TessLevelOuter",
    ]
)


class ActiveSampler(NamedTuple):
    """A sampler uniform that a stage uses.

    name      ``"s"``, ``"q.t"``, ``"q[1].t"``
    type      GLSL type
    first     its first slot in the stage
    size      slots, from its first element to the highest used
    array     whether it is an array, so that ``name[0]`` is its name too
    binding   layout(binding), or None
    location  layout(location), or None
    """

    name: str
    type: str
    first: int
    size: int
    array: bool = False
    binding: int | None = None
    location: int | None = None


class ActiveUniform(NamedTuple):
    """A uniform of any type that a stage uses; ``size`` elements have locations.

    block   it lies in a uniform block: its locations are counted, but cannot be asked for
    """

    name: str
    type: str
    size: int
    location: int | None = None
    block: bool = False


class StageSamplers(NamedTuple):
    """One stage.

    version    of GLSL: 130, 450, 300 for ES 3.00; the highest of several shaders
    samplers   active ones, in order of their slots
    uniforms   all active uniforms, samplers too, in order of declaration
    flow       what depends on what, for `link`; None where the source could not be read as GLSL
    problem    why it could not: samplers are then taken from the tokens, declared and named again
    inactive   names that were given as not active
    shaders    the sources, parsed
    """

    stage: str
    version: int
    samplers: tuple[ActiveSampler, ...]
    uniforms: tuple[ActiveUniform, ...]
    flow: Flow | None = None
    problem: str | None = None
    inactive: frozenset[str] = frozenset()
    shaders: tuple[ShaderSyntax, ...] = ()


class StageSlot(NamedTuple):
    """One slot of a stage: which element of which uniform it samples with."""

    sampler: str
    element: int


class LinkedSampler(NamedTuple):
    """A sampler uniform of a program.

    size      elements that have a location
    location  of its first element
    sizes     slots in each stage that uses it; stages may use different parts of one array
    """

    name: str
    type: str
    size: int
    array: bool
    binding: int | None
    location: int
    sizes: dict[str, int]

    @property
    def units(self) -> tuple[int, ...]:
        """The initial unit of each element: counted from the binding, else all 0."""
        return tuple(0 if self.binding is None else self.binding + at for at in range(self.size))


class LinkedProgram(NamedTuple):
    """A linked program.

    samplers   in order of location
    slots      of each stage, from 0 upwards
    locations  of every uniform by name; ``s``, ``s[0]``, ``s[1]`` for arrays
    """

    glsl_version: int
    samplers: tuple[LinkedSampler, ...]
    slots: dict[str, tuple[StageSlot, ...]]
    locations: dict[str, int]
    problems: tuple[str, ...] = ()

    def uniforms(self) -> tuple[SamplerUniform, ...]:
        """For `gl.Program`, which gives every stage the same elements in the same order."""
        return tuple(SamplerUniform(s.name, s.type, s.size, tuple(s.sizes), s.binding or 0) for s in self.samplers)


def stage_samplers(
    sources: Sequence[str],
    stage: str,
    *,
    inactive: Iterable[str] = (),
    extensions: Collection[str] | None = None,
    profile: str = "compatibility",
    driver: str = "llvmpipe",
) -> StageSamplers:
    """Find what a stage uses.

    sources     the whole source of each shader object attached for this stage
    stage       ``"vertex"``, ``"fragment"`` ...
    inactive    names that glGetUniformLocation gave -1 for
    extensions  macros of extensions that are defined; None: those that Mesa defines
    profile     of the context, as `gl.Limits` names it
    driver      ``softpipe`` defines fewer macros than ``llvmpipe``; any other counts as llvmpipe

    Everything the stage writes counts as used; `link` knows what the next stage reads. Raises `ArgumentError` for an
    unknown stage, never for a source.
    """
    if stage not in STAGES:
        raise ArgumentError("stage", stage, accepted=", ".join(STAGES))
    hidden = frozenset(inactive)
    version = 0
    tokens: list[Token] = []
    try:
        shaders = []
        for source in sources:
            preprocessed = preprocess(source, extensions=extensions, profile=profile, driver=driver)
            version = max(version, preprocessed.version)
            tokens.extend(preprocessed.tokens)
            shaders.append(parse(preprocessed.tokens))
        flow = trace_flow(shaders, stage)
    except (ArgumentError, RecursionError) as error:
        problem = str(error) if isinstance(error, ArgumentError) else "the source is nested too deeply"
        return _from_tokens(stage, version or default_version(profile), tokens, problem, hidden)
    live = NOTHING.union(flow.always, *flow.outputs.values())
    return _used(StageSamplers(stage, version, (), (), flow, None, hidden, tuple(shaders)), live)


def _used(stage: StageSamplers, live: Sources, everywhere: Mapping[str, int] | None = None) -> StageSamplers:
    """Fill in what is active when these sources are live.

    everywhere   the highest element of each array that any stage uses; by default what this one uses
    """
    leaves = stage.flow.uniforms if stage.flow else []
    own = highest(live)
    sizes = _sizes(leaves, own, own if everywhere is None else everywhere, stage.inactive)
    uniforms = [
        ActiveUniform(leaf.name, leaf.type, sizes[leaf.name], leaf.location, leaf.block)
        for leaf in leaves
        if leaf.name in sizes
    ]
    samplers: list[ActiveSampler] = []
    first = 0
    for leaf in _in_slot_order(leaf for leaf in leaves if leaf.name in sizes and is_sampler(leaf.type)):
        size = sizes[leaf.name]
        samplers.append(ActiveSampler(leaf.name, leaf.type, first, size, leaf.size != 0, leaf.binding, leaf.location))
        first += size
    return stage._replace(samplers=tuple(samplers), uniforms=tuple(uniforms))


def is_sampler(type_name: str) -> bool:
    """Whether a GLSL type is a sampler's."""
    plain = type_name.removesuffix("Shadow")
    return (plain[1:] if plain[:1] in {"i", "u"} else plain) in SAMPLER_TARGETS


def _in_slot_order(leaves: Iterable[UniformLeaf]) -> list[UniformLeaf]:
    """In order of declaration; the same member of all elements of an array of structures stands together."""
    groups: dict[str, list[UniformLeaf]] = {}
    for leaf in leaves:
        groups.setdefault(leaf.group, []).append(leaf)
    return [leaf for group in groups.values() for leaf in group]


def _sizes(
    leaves: Sequence[UniformLeaf],
    own: Mapping[str, int],
    everywhere: Mapping[str, int],
    inactive: frozenset[str],
) -> dict[str, int]:
    """How many elements of each active uniform are kept: up to the highest used, all for an unknown index.

    Arrays inside structures and arrays of arrays are never cut; a structure is kept with all its members.
    """
    sizes: dict[str, int] = {}
    for leaf in leaves:
        if leaf.root not in own or leaf.name in inactive or f"{leaf.name}[0]" in inactive:
            continue
        used = everywhere[leaf.root]
        if leaf.nested:
            if used == WHOLE or leaf.outer <= used:
                sizes[leaf.name] = max(leaf.size, 1)
        else:
            sizes[leaf.name] = max(leaf.size, 1) if used == WHOLE or leaf.size == 0 else used + 1
    return sizes


def _from_tokens(
    stage: str, version: int, tokens: Sequence[Token], problem: str, inactive: frozenset[str]
) -> StageSamplers:
    """Samplers of a source that is no GLSL we can read: declared as uniforms and named again."""
    texts = [token.text for token in tokens]
    samplers: list[ActiveSampler] = []
    for place, text in enumerate(texts[:-1]):
        if not is_sampler(text) or not _is_uniform(texts, place):
            continue
        for name, size in _declared(texts, place + 1):
            if texts.count(name) > 1 and name not in inactive and all(name != s.name for s in samplers):
                first = samplers[-1].first + samplers[-1].size if samplers else 0
                samplers.append(ActiveSampler(name, text, first, max(size, 1), size > 0))
    uniforms = tuple(ActiveUniform(s.name, s.type, s.size) for s in samplers)
    return StageSamplers(stage, version, tuple(samplers), uniforms, None, problem, inactive)


def _is_uniform(texts: Sequence[str], place: int) -> bool:
    while place >= 0 and texts[place] not in {";", "{", "}"}:
        if texts[place] == "uniform":
            return True
        place -= 1
    return False


def _declared(texts: Sequence[str], place: int) -> Iterable[tuple[str, int]]:
    """Names and sizes up to the semicolon."""
    while place < len(texts) and texts[place] != ";":
        if texts[place].isidentifier():
            sized = texts[place + 1 : place + 2] == ["["] and texts[place + 2].isdigit()
            yield texts[place], int(texts[place + 2]) if sized else 0
        place += 1


def link(
    stages: Mapping[str, StageSamplers],
    *,
    captured: Collection[str] = (),
    separable: bool = False,
    active: Collection[str] = (),
) -> LinkedProgram:
    """Put the stages of a program together.

    captured   outputs that transform feedback records, as glTransformFeedbackVaryings takes them; a part records all
    separable  whether the last stage's outputs are read by a program that is not known
    active     names that glGetUniformLocation gave a location for: they are active whatever is found out here, in the
               stages whose code names them
    """
    order = [stage for stage in STAGES if stage in stages]
    read_by_stage = dict(stages)
    _pass_constants(order, read_by_stage)
    live: dict[str, Sources] = {}
    read: frozenset[str] | None = None
    for stage in reversed(order):
        live[stage], read = _live(read_by_stage[stage], read, captured, separable=separable)
    for name in sorted(active):
        prove(name, [read_by_stage[stage] for stage in order], live)
    everywhere: dict[str, int] = {}
    for stage in order:
        for name, used in highest(live[stage]).items():
            known = everywhere.get(name, 0)
            everywhere[name] = WHOLE if WHOLE in {used, known} else max(used, known)
    linked = {
        stage: read_by_stage[stage]
        if read_by_stage[stage].flow is None
        else _used(read_by_stage[stage], live[stage], everywhere)
        for stage in order
    }
    samplers, locations = _locations([linked[stage] for stage in order])
    slots = {
        stage: tuple(StageSlot(s.name, element) for s in linked[stage].samplers for element in range(s.size))
        for stage in order
    }
    problems = tuple(f"{stage}: {linked[stage].problem}" for stage in order if linked[stage].problem)
    problems += tuple(
        f"{stage}: there is no main" for stage in order for flow in [linked[stage].flow] if flow and not flow.has_main
    )
    version = max((linked[stage].version for stage in order), default=0)
    return LinkedProgram(version, tuple(samplers), slots, locations, problems)


def _pass_constants(order: Sequence[str], stages: dict[str, StageSamplers]) -> None:
    """Read the fragment stage again with what is constant of the outputs of the stage before it."""
    if len(order) < 2 or order[-1] != "fragment":
        return
    before, fragment = stages[order[-2]].flow, stages["fragment"]
    if before is not None and before.constants and fragment.flow is not None:
        flow = trace_flow(fragment.shaders, "fragment", inputs=before.constants)
        stages["fragment"] = fragment._replace(flow=flow)


def _live(
    stage: StageSamplers, read: frozenset[str] | None, captured: Collection[str], *, separable: bool
) -> tuple[Sources, frozenset[str] | None]:
    """What is live when only those outputs are that are read (None: by something that is not known); what it reads."""
    if stage.flow is None:
        return NOTHING, None
    live = stage.flow.always
    taken = {part for name in captured for part in (re.sub(r"\[\d+\]", "", name), re.split(r"[.[]", name)[0])}
    kept = _RASTER_OUTPUTS | stage.flow.recorded
    for name, sources in stage.flow.outputs.items():
        wanted = read is None or separable or name in read | kept
        if wanted or taken & {name, stage.flow.variables.get(name)}:
            live |= sources
    return live, frozenset(source.name for source in live if source.kind == "input")


def _locations(stages: Sequence[StageSamplers]) -> tuple[list[LinkedSampler], dict[str, int]]:
    """Locations by layout, then counted from 0 over the gaps: first stage first, in order of declaration."""
    merged: dict[str, ActiveUniform] = {}
    for stage in stages:
        for uniform in stage.uniforms:
            known = merged.get(uniform.name)
            if known is None:
                merged[uniform.name] = uniform
            else:
                location = known.location if known.location is not None else uniform.location
                merged[uniform.name] = known._replace(size=max(known.size, uniform.size), location=location)
    taken = _reserved(stages)
    places: dict[str, int] = {}
    for uniform in merged.values():
        if uniform.location is not None:
            places[uniform.name] = uniform.location
            taken.update(range(uniform.location, uniform.location + uniform.size))
    for uniform in merged.values():
        if uniform.name not in places:
            start = 0
            while not taken.isdisjoint(range(start, start + uniform.size)):
                start += 1
            places[uniform.name] = start
            taken.update(range(start, start + uniform.size))
    return _linked_samplers(stages, merged, places)


def _reserved(stages: Sequence[StageSamplers]) -> set[int]:
    """Locations that a layout names, also for uniforms that are not active."""
    return {
        leaf.location + at
        for stage in stages
        if stage.flow
        for leaf in stage.flow.uniforms
        if leaf.location is not None
        for at in range(max(leaf.size, 1))
    }


def _linked_samplers(
    stages: Sequence[StageSamplers], merged: Mapping[str, ActiveUniform], places: Mapping[str, int]
) -> tuple[list[LinkedSampler], dict[str, int]]:
    locations: dict[str, int] = {}
    found: dict[str, LinkedSampler] = {}
    arrays = {s.name for stage in stages for s in stage.samplers if s.array}
    for name, uniform in merged.items():
        if uniform.block:
            continue
        locations[name] = places[name]
        if uniform.size > 1 or name in arrays:
            locations.update({f"{name}[{at}]": places[name] + at for at in range(uniform.size)})
    for stage in stages:
        for sampler in stage.samplers:
            known = found.get(sampler.name)
            sizes = {**(known.sizes if known else {}), stage.stage: sampler.size}
            found[sampler.name] = LinkedSampler(
                sampler.name,
                sampler.type,
                merged[sampler.name].size,
                sampler.array,
                sampler.binding if known is None or known.binding is None else known.binding,
                places[sampler.name],
                sizes,
            )
    return sorted(found.values(), key=lambda s: s.location), locations
