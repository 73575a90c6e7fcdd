"""The choices of a surface: tiling, layout, multisampling, alignment, span. Tables first, then the steps.

Source: docs/surfaces.md, after the layout library of Mesa 22.3 as recorded. A listener gets every choice with its
reason; explanations are made so.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import SurfaceRefused
from statetracker.surface.request import HIZ_FORMAT, Kind
from statetracker.surface.tilings import Tiling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.surface.request import SurfaceRequest

    #: Called with (field, value, reason) for every number.
    Listener = Callable[[str, object, str], None]


class DimLayout(StrEnum):
    """The arrangement of levels and layers."""

    GFX4_2D = "GFX4_2D"
    GFX6_STENCIL_HIZ = "GFX6_STENCIL_HIZ"


class MsaaLayout(StrEnum):
    """The arrangement of a pixel's samples: one, beside each other, or in array slices."""

    NONE = "NONE"
    INTERLEAVED = "INTERLEAVED"
    ARRAY = "ARRAY"


class Span(StrEnum):
    """The end of an array slice: padded to the rows of the hardware's own formula (FULL), or where it ends."""

    FULL = "FULL"
    COMPACT = "COMPACT"


#: Interleaved samples: size of a pixel in samples, width and height.
PIXEL_SAMPLES: Final[Mapping[int, tuple[int, int]]] = {1: (1, 1), 2: (2, 1), 4: (2, 2), 8: (4, 2), 16: (4, 4)}

#: Every reason for refusal, by name.
REFUSALS: Final[Mapping[str, str]] = {
    "no_tiling": "no tiling is left of those allowed",
    "msaa_compressed": "a compressed format has one sample",
    "msaa_levels": "a multisampled surface has one level",
    "msaa_element_size": "generation 6 multisamples elements of up to 64 bits",
    "msaa_signed": "generation 7 does not multisample signed integers",
    "msaa_valign2": "generation 7 cannot align the rows of this format to 4, as multisampling needs",
    "msaa_interleaved_width": "generation 7: wider than 8192, 8 samples need array slices; depth has none",
    "msaa_depth_rendered": "generation 8: multisampled depth, stencil or HiZ is no colour target",
    "pitch_too_small": "the wanted pitch does not hold a row",
    "pitch_unaligned": "the wanted pitch is no whole number of tiles or elements",
    "pitch_too_large": "the pitch has more bits than the hardware's field",
    "size_too_large": "the surface is larger than 2 GiB",
    "stencil_offset": "an image of stencil off the grid of 8 x 4 texels cannot be described by a Y tile's offset",
    "stencil_width": "stencil, twice as wide as bytes or half as wide as blocks, passes the hardware's largest surface",
}


class LayoutChoice(NamedTuple):
    """The choices for a surface; all surfaces that only differ in size share it."""

    tiling: Tiling
    dim_layout: DimLayout
    msaa_layout: MsaaLayout
    align_el: tuple[int, int]
    span: Span
    pixel_sa: tuple[int, int]
    slices: int
    qpitch_extra: int


class _Align(NamedTuple):
    """A row of the table of alignments: what it holds for, and the alignment of generations 6, 7 and 7.5, 8."""

    what: str
    gen6: tuple[int, int]
    gen7: tuple[int, int]
    gen8: tuple[int, int]


# fmt: off
#: Alignment of images in elements. gen8 colour: the width is 4 where auxiliary surfaces are disabled.
ALIGNMENTS: Final = (
    #      what                      gen6    gen7    gen8
    _Align("HiZ",                   (1, 1), (2, 2), (2, 2)),
    _Align("compressed",            (1, 1), (1, 1), (1, 1)),
    _Align("stencil",               (4, 2), (8, 8), (8, 8)),
    _Align("depth, 16 bits",        (4, 4), (8, 4), (8, 4)),
    _Align("depth",                 (4, 4), (4, 4), (4, 4)),
    _Align("multisampled colour",   (4, 4), (4, 4), (16, 4)),
    _Align("tiled colour target",   (4, 2), (4, 4), (16, 4)),
    _Align("colour",                (4, 2), (4, 2), (16, 4)),
)
# fmt: on
_BY_WHAT: Final = {row.what: row for row in ALIGNMENTS}


def refuse(reason: str, field: str, value: object, *, accepted: str = "") -> SurfaceRefused:
    """Make the error of a row of `REFUSALS`."""
    hint = f"{REFUSALS[reason][0].upper()}{REFUSALS[reason][1:]}."
    return SurfaceRefused(reason, field, value, accepted=accepted, hint=hint)


def choose(r: SurfaceRequest, say: Listener) -> LayoutChoice:
    """Make every choice that does not need a size in memory. Raises `SurfaceRefused`."""
    tiling = _tiling(r, say)
    flat = r.generation.flat_stencil_hiz and tiling in {Tiling.W, Tiling.HIZ}
    dim_layout = DimLayout.GFX6_STENCIL_HIZ if flat else DimLayout.GFX4_2D
    say("dim_layout", dim_layout, "generation 6 stencil and HiZ packets know no levels" if flat else "a mip tree")
    align_el, why = _alignment(r, tiling)
    msaa, because = _msaa(r)
    say("msaa_layout", msaa, because)
    say("align_el", align_el, why)
    slices = r.samples if msaa is MsaaLayout.ARRAY else 1
    span, because = _span(r, dim_layout, r.array_len * slices)
    say("span", span, because)
    extra = 4 if r.generation.verx10 == 60 and r.samples > 1 and r.height % 4 == 1 else 0
    pixel = PIXEL_SAMPLES[r.samples] if msaa is MsaaLayout.INTERLEAVED else (1, 1)
    return LayoutChoice(tiling, dim_layout, msaa, align_el, span, pixel, slices, extra)


def _tiling(r: SurfaceRequest, say: Listener) -> Tiling:
    if r.kind is Kind.HIZ:
        say("tiling", Tiling.HIZ, "HiZ has a tiling of its own")
        return Tiling.HIZ
    left = [tiling for tiling in (Tiling.Y, Tiling.X, Tiling.W, Tiling.LINEAR) if tiling in r.tilings]
    reasons = []
    for applies, allowed, reason in _tiling_rules(r):
        if applies:
            left = [tiling for tiling in left if tiling in allowed]
            reasons.append(reason)
    if not left:
        accepted = "; ".join(reasons) or "Y, X, W, LINEAR"
        raise refuse("no_tiling", "tilings", "/".join(sorted(r.tilings)), accepted=accepted)
    say("tiling", left[0], "; ".join([*reasons, "the first left of Y, X, W, LINEAR"]))
    return left[0]


_NO_W: Final = frozenset(Tiling) - {Tiling.W}
_NO_Y: Final = frozenset(Tiling) - {Tiling.Y}


def _tiling_rules(r: SurfaceRequest) -> tuple[tuple[bool, frozenset[Tiling], str], ...]:
    """Rows (whether it applies, tilings it leaves, why)."""
    gen, kind, bpb = r.generation.verx10, r.kind, r.format.bpb
    single = "R" in r.usage and r.samples == 1
    display = frozenset({Tiling.LINEAR, Tiling.X})
    # fmt: off
    return (
        (kind is Kind.DEPTH,                        frozenset({Tiling.Y}),           "depth is Y"),
        (kind is Kind.STENCIL,                      frozenset({Tiling.W}),           "stencil is W"),
        (kind is not Kind.STENCIL,                  _NO_W,                           "only stencil is W"),
        ("D" in r.usage,                            display,                         "display reads X and LINEAR"),
        (r.samples > 1,                             frozenset({Tiling.Y, Tiling.W}), "multisampled is Y or W"),
        (gen == 70 and bpb == 96 and single,        _NO_Y,                           "Ivy Bridge renders no 96-bit Y"),
        (gen == 60 and bpb >= 128,                  _NO_Y,                           "generation 6 has no 128-bit Y"),
        (gen == 80 and r.width > 16382 and single,  frozenset({Tiling.LINEAR}),      "wider than 16382 is LINEAR"),
    )
    # fmt: on


def _what(r: SurfaceRequest, tiling: Tiling) -> str:
    if r.kind is Kind.HIZ:
        return "HiZ"
    if r.format.compressed:
        return "compressed"
    if r.kind is Kind.STENCIL:
        return "stencil"
    if r.kind is Kind.DEPTH:
        return "depth, 16 bits" if r.format.bpb == 16 else "depth"
    if r.samples > 1:
        return "multisampled colour"
    return "tiled colour target" if tiling is Tiling.Y and "R" in r.usage else "colour"


def _alignment(r: SurfaceRequest, tiling: Tiling) -> tuple[tuple[int, int], str]:
    row = _BY_WHAT[_what(r, tiling)]
    gen = r.generation.verx10
    if gen < 80:
        return (row.gen6 if gen < 70 else row.gen7), f"{row.what} of generation {r.generation.name}"
    if row.gen8[0] == 16 and "N" in r.usage:
        return (4, row.gen8[1]), f"{row.what} of generation 8, no auxiliary surface"
    return row.gen8, f"{row.what} of generation 8"


def _msaa(r: SurfaceRequest) -> tuple[MsaaLayout, str]:
    if r.samples == 1:
        return MsaaLayout.NONE, "one sample"
    gen, hiz = r.generation.verx10, r.format is HIZ_FORMAT
    # fmt: off
    for wrong, reason, field, value in (
        (r.format.compressed,                         "msaa_compressed",     "format",  r.format.name),
        (r.levels > 1,                                "msaa_levels",         "levels",  r.levels),
        (gen == 60 and r.format.bpb > 64 and not hiz, "msaa_element_size",   "format",  r.format.name),
        (gen in {70, 75} and r.format.sint,           "msaa_signed",         "format",  r.format.name),
        (gen == 70 and r.format.three_components,     "msaa_valign2",        "format",  r.format.name),
        (gen == 80 and r.depth_like and "R" in r.usage, "msaa_depth_rendered", "usage", "R"),
    ):
        if wrong:
            raise refuse(reason, field, value)
    # fmt: on
    if gen == 60:
        return MsaaLayout.INTERLEAVED, "generation 6 knows no other"
    if gen == 80 and r.depth_like:
        return MsaaLayout.INTERLEAVED, "depth, stencil and HiZ are interleaved"
    if gen != 80 and (r.depth_like or r.format.x8):
        if r.samples == 8 and r.width > 8192:
            raise refuse("msaa_interleaved_width", "width", r.width, accepted="at most 8192 with 8 samples")
        return MsaaLayout.INTERLEAVED, "depth, stencil, HiZ and 24 bits with 8 unused are interleaved"
    return MsaaLayout.ARRAY, "colour lies in slices"


def _span(r: SurfaceRequest, dim_layout: DimLayout, slices: int) -> tuple[Span, str]:
    gen = r.generation.verx10
    if dim_layout is DimLayout.GFX6_STENCIL_HIZ:
        return Span.COMPACT, "every level is an array of its own"
    if gen == 80:
        return Span.COMPACT, "generation 8 takes any array pitch"
    if slices == 1:
        return Span.COMPACT, "one slice"
    if gen >= 70 and not r.depth_like and r.levels == 1:
        return Span.COMPACT, "colour of one level can be spaced by its own height"
    return Span.FULL, "the hardware computes the pitch itself"
