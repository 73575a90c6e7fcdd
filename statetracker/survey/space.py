"""The whole discrete space of a sampler: 331,776 states of one texture, as columns of states that become alike.

What becomes of a state depends on which wraps there are, not on which axis has which, and which function compares is
passed on. So a column is a set of up to three wraps with the rest. ``make space`` compares with the conversion of
random states, on devices themselves. See docs/portability.md.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.frontend.vulkan_view import vulkan_view, whole_screen
from statetracker.gl import Sampler, Texture
from statetracker.gl.enums import CompareFunc, MagFilter, MinFilter, ReductionMode, Wrap
from statetracker.sampler import sampler_state
from statetracker.survey.outcomes import any_screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.gl import TextureFacts
    from statetracker.vulkan import View

#: Wraps, min and mag filters, no comparison or one by a function, seams, reductions.
SPACE: Final = len(Wrap) ** 3 * len(MinFilter) * len(MagFilter) * (1 + len(CompareFunc)) * 2 * len(ReductionMode)

#: Textures on which the space is looked at: name -> target, internal format.
TEXTURES: Final = {
    "RGBA8, 2D": ("2d", "RGBA8"),
    "RGBA8, cube": ("cube_map", "RGBA8"),
    "RGBA32F, 2D": ("2d", "RGBA32F"),
    "DEPTH_COMPONENT24, 2D": ("2d", "DEPTH_COMPONENT24"),
}

#: No predefined one, and within what every format holds.
_COLOUR: Final = (0.25, 0.5, 0.75, 1.0)


class Column(NamedTuple):
    """States that become alike: ``sampler`` is one of them, ``states`` how many they are."""

    sampler: Sampler
    states: int


#: Wraps, filters, comparison or none, seams and reduction.
Point = tuple[tuple[Wrap, ...], MinFilter, MagFilter, CompareFunc | None, bool, ReductionMode]


def sampler_at(point: Point) -> Sampler:
    """Return the state at a point; the last of the wraps is that of the axes beyond them."""
    wraps, minify, magnify, compare, seamless, reduction = point
    s, t, r = (*wraps, wraps[-1], wraps[-1])[:3]
    return Sampler(
        wrap_s=s,
        wrap_t=t,
        wrap_r=r,
        min_filter=minify,
        mag_filter=magnify,
        compare_mode=compare is not None,
        compare_func=compare or CompareFunc.LEQUAL,
        cube_map_seamless=seamless,
        reduction_mode=reduction,
        border_color=_COLOUR,
    )


def _folded() -> Iterator[tuple[Point, int]]:
    """Yield a point for each column, and how many states it has."""
    sets = [(one, (0, 1, 6, 6)[count]) for count in (1, 2, 3) for one in combinations(Wrap, count)]
    compares = ((None, 1), (CompareFunc.LEQUAL, len(CompareFunc)))
    rest = product(MinFilter, MagFilter, compares, (False, True), ReductionMode)
    for (wraps, orders), (minify, magnify, (compare, functions), seamless, mode) in product(sets, list(rest)):
        yield (wraps, minify, magnify, compare, seamless, mode), orders * functions


@cache
def columns(name: str) -> tuple[Column, ...]:
    """Return the columns of a texture, by its name in `TEXTURES`; those of one record are one."""
    facts, screen = texture_facts(name), whole_screen(any_screen())
    samplers: dict[bytes, Sampler] = {}
    states: dict[bytes, int] = {}
    for point, count in _folded():
        sampler = sampler_at(point)
        record = bytes(sampler_state(sampler, facts, screen))
        samplers.setdefault(record, sampler)
        states[record] = states.get(record, 0) + count
    return tuple(Column(samplers[record], count) for record, count in states.items())


@cache
def texture_facts(name: str) -> TextureFacts:
    """Return the facts of a texture of `TEXTURES`."""
    target, internal_format = TEXTURES[name]
    return Texture(target, internal_format).facts()


def texture_view(name: str) -> View:
    """Its view, which is the same on every device of the corpus."""
    return vulkan_view(texture_facts(name), any_screen(), glsl130=True)
