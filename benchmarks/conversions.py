"""Rows of ``statetracker bench`` for conversions, one at a time and with all answers; and for GL's setters."""

from __future__ import annotations

import itertools
from time import process_time_ns
from typing import TYPE_CHECKING, Final

from statetracker.benchmarks.measure import Work, statement
from statetracker.caps import Screen
from statetracker.frontend import convert
from statetracker.gl import Context, Sampler, Texture
from statetracker.sampler import Converter, dialect
from statetracker.sampler.memo import PackedSampler

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRAPS: Final = ("clamp", "repeat", "clamp-to-edge", "mirrored-repeat", "clamp-to-border", "mirror-clamp-to-edge")


def _samplers() -> list[Sampler]:
    """Samplers of which no two have the same combination of enums, border colours set."""
    combinations = itertools.product(itertools.product(_WRAPS, repeat=3), ("linear", "nearest"), (1, 2, 4, 8))
    return [
        Sampler(wrap_s=s, wrap_t=t, wrap_r=r, min_filter=low, max_anisotropy=a, border_color=(1.0, 0.5, 0.0, 1.0))
        for (s, t, r), low, a in combinations
    ]


def _fresh(name: str, screen: Screen, samplers: list[Sampler], seen: list[Sampler], *, derived: bool = True) -> Work:
    """Measure one conversion of each sampler by a new converter.

    ``seen``: samplers that the converter has converted before. ``derived``: what a sampler keeps from its last
    conversion is there; else it was changed since.
    """
    facts = Texture(internal_format="RGBA8").facts()

    def once() -> float:
        record = Converter(screen, dialect("mesa22")).record
        for sampler in [Sampler(max_anisotropy=16), *seen]:  # the plan for such textures is there
            record(sampler, facts)
        for sampler in samplers:
            sampler.derived = PackedSampler(sampler) if derived else None
        start = process_time_ns()
        for sampler in samplers:
            record(sampler, facts)
        return process_time_ns() - start

    return Work(name, len(samplers), once)


def conversions() -> Iterator[Work]:
    """Yield the rows of single conversions."""
    llvmpipe, zink = Screen.named("llvmpipe"), Screen.named("zink-lavapipe")
    plain, red = Texture(internal_format="RGBA8"), Texture(internal_format="R8")
    sampler, different = Sampler(wrap="clamp", min_filter="linear", border_color=(1.0, 0.5, 0.0, 1.0)), _samplers()
    zinks = "record, combination never seen, zink (GL_CLAMP emulated)"
    parts = [one for n, one in enumerate(different) if n < 8 or one.max_anisotropy == 1]
    new = [one for n, one in enumerate(different) if n >= 8 and one.max_anisotropy > 1]
    yield _fresh("record, combination never seen", llvmpipe, new, parts)
    yield _fresh(zinks, zink, new, parts)
    yield _fresh("record, combination never seen, sampler just changed", llvmpipe, new, parts, derived=False)
    yield _fresh("record, combination seen, sampler just changed", llvmpipe, different, different, derived=False)
    yield _fresh("record, combination never seen, its parts neither", llvmpipe, different, [])
    once = {"record": Converter(zink, dialect("mesa22")).record, "s": sampler, "simple": Sampler()}
    yield statement("record, again", "record(simple, f)", 20_000, f=plain.facts(), **once)
    yield statement("record, again, border colour rearranged", "record(s, f)", 20_000, f=red.facts(), **once)
    public = {"convert": convert, "s": sampler, "t": plain, "screen": zink}
    yield statement("convert(), all answers", "convert(s, t, screen)", 2_000, **public)
    yield statement("convert().explain()", "convert(s, t, screen).explain()", 200, **public)


def setters() -> Iterator[Work]:
    """Yield the rows of GL's setters."""
    context = Context(Screen.named("zink-lavapipe").gl_limits())
    (name,) = context.glGenSamplers(1)
    for call, parameter, values in (("f", 0x813A, (1.0, 2.0)), ("i", 0x2802, (0x2901, 0x812F))):
        names = {"call": getattr(context, f"glSamplerParameter{call}"), "values": itertools.cycle(values)}
        text = f"call({name}, {parameter}, next(values))"
        yield statement(f"glSamplerParameter{call}, a new value", text, 5_000, **names)
