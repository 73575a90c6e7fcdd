"""The request for one surface, checked when it is made, and the formats of surfaces.

See docs/surfaces.md.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.intel import generation
from statetracker.errors import ArgumentError
from statetracker.spellings import looked_up
from statetracker.surface.tilings import Tiling, tiling_named
from statetracker.surface.units import LARGEST_COUNT, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statetracker.caps.intel import Generation

_USAGE: Final = frozenset("TRND")
_LAID_OUT: Final = (60, 70, 75, 80)
_DEPTH: Final = ("R16_UNORM", "R24_UNORM_X8_TYPELESS", "R32_FLOAT")


class SurfaceFormat(NamedTuple):
    """One format.

    Attributes:
        name: As in `FORMATS`.
        bpb: Bits of a block.
        bw: Samples a block covers in width; 1 for plain formats.
        bh: Samples it covers in height.
        compressed: Blocks are a compression (HiZ is none here).
        sint: Signed integers.
        x8: 24 bits and 8 unused ones.
    """

    name: str
    bpb: int
    bw: int = 1
    bh: int = 1
    compressed: bool = False
    sint: bool = False
    x8: bool = False

    @property
    def bs(self) -> int:
        """Bytes of a block."""
        return self.bpb // 8

    @property
    def three_components(self) -> bool:
        """True where a tiled element lies in three tiles."""
        return self.bpb == 96


_Y: Final = True
_N: Final = False

# fmt: off
#: Surface formats by name.
FORMATS: Final[Mapping[str, SurfaceFormat]] = {row.name: row for row in (
    #              name                      bpb   bw bh  compressed  sint  x8
    SurfaceFormat("R8_UINT",                   8,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R16_UNORM",                16,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R24_UNORM_X8_TYPELESS",    32,  1, 1,  _N,         _N,   _Y),
    SurfaceFormat("R32_FLOAT",                32,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R8_UNORM",                  8,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R8G8_UNORM",               16,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R8G8B8A8_UNORM",           32,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R8G8B8A8_UINT",            32,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R8G8B8A8_SINT",            32,  1, 1,  _N,         _Y,   _N),
    SurfaceFormat("B8G8R8A8_UNORM",           32,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R32_UINT",                 32,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R32_SINT",                 32,  1, 1,  _N,         _Y,   _N),
    SurfaceFormat("R16G16B16A16_FLOAT",       64,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R32G32_FLOAT",             64,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R32G32B32_FLOAT",          96,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("R32G32B32A32_FLOAT",      128,  1, 1,  _N,         _N,   _N),
    SurfaceFormat("BC1_UNORM",                64,  4, 4,  _Y,         _N,   _N),
    SurfaceFormat("BC2_UNORM",               128,  4, 4,  _Y,         _N,   _N),
    SurfaceFormat("BC3_UNORM",               128,  4, 4,  _Y,         _N,   _N),
    SurfaceFormat("BC4_UNORM",                64,  4, 4,  _Y,         _N,   _N),
    SurfaceFormat("BC5_UNORM",               128,  4, 4,  _Y,         _N,   _N),
    SurfaceFormat("HIZ",                     128,  8, 4,  _N,         _N,   _N),
)}
# fmt: on
HIZ_FORMAT: Final = FORMATS["HIZ"]


class Kind(StrEnum):
    """The use of a surface."""

    STENCIL = "stencil"
    DEPTH = "depth"
    COLOR = "color"
    HIZ = "hiz"


class SurfaceRequest(NamedTuple):
    """A requested surface, in pixels; `surface_request` makes one from names. Members are as in `surface_request`.

    Attributes:
        generation: Of the hardware.
    """

    generation: Generation
    kind: Kind
    format: SurfaceFormat
    width: int
    height: int
    levels: int
    array_len: int
    samples: int
    usage: frozenset[str]
    tilings: frozenset[Tiling]
    row_pitch_B: int

    @property
    def depth_like(self) -> bool:
        """True where this is depth, stencil or HiZ."""
        return self.kind is not Kind.COLOR


def surface_request(
    gen: Generation | str | float,
    kind: Kind | str,
    format: str,  # noqa: A002 (the field's own word)
    width: int,
    height: int,
    *,
    levels: int = 1,
    array_len: int = 1,
    samples: int = 1,
    usage: str = "",
    tilings: str | Iterable[str | Tiling] = "ANY",
    row_pitch_B: int = 0,
) -> SurfaceRequest:
    """Check a request.

    Args:
        gen: 6, 7, 7.5 or 8.
        kind: ``"stencil"`` (format R8_UINT), ``"depth"``, ``"color"``, ``"hiz"`` (format HIZ).
        format: A key of `FORMATS`.
        width: Of level 0, in pixels.
        height: Of level 0, in pixels.
        levels: Mip levels, 1 to 32.
        array_len: Layers.
        samples: A pixel: 1, or a count that the generation takes.
        usage: Letters: T sampled, R render target, N auxiliary surfaces disabled, D display.
        tilings: ``"ANY"``, one name, or several.
        row_pitch_B: Wanted row pitch, physical; 0 chooses the smallest.

    Raises:
        ArgumentError: No request may have such a value.
        UnknownName: There is no such name. Whether the hardware has the surface is `layout`'s answer.
    """
    row = generation(gen)
    if row.verx10 not in _LAID_OUT:
        hint = "statetracker.surface.older lays out generations 4 to 7."
        raise ArgumentError("generation", row.name, accepted="6, 7, 7.5, 8", hint=hint)
    kind = looked_up("kind", kind, Kind)
    chosen = _format_for(kind, format)
    for name, value, least, most in (
        ("width", width, 1, LARGEST_COUNT), ("height", height, 1, LARGEST_COUNT), ("levels", levels, 1, 32),
        ("array_len", array_len, 1, LARGEST_COUNT), ("row_pitch_B", row_pitch_B, 0, LARGEST_COUNT),
    ):  # fmt: skip
        whole_number(name, value, least, most)
    if type(samples) is not int or samples not in {1, 2, 4, 8, 16}:
        raise ArgumentError("samples", samples, accepted="1, 2, 4, 8, 16")
    if not isinstance(usage, str) or not _USAGE.issuperset(usage):
        raise ArgumentError("usage", usage, accepted="the letters T, R, N, D")
    return SurfaceRequest(
        row, kind, chosen, width, height, levels, array_len, samples, frozenset(usage), _allowed(tilings), row_pitch_B
    )


def _allowed(tilings: str | Iterable[str | Tiling]) -> frozenset[Tiling]:
    try:
        names = [tilings] if isinstance(tilings, str) else list(tilings)
    except TypeError:
        raise ArgumentError("tilings", tilings, accepted=f"ANY, or one or several of {', '.join(Tiling)}") from None
    return frozenset(Tiling) if names == ["ANY"] else frozenset(tiling_named(name) for name in names)


def _format_for(kind: Kind, name: str) -> SurfaceFormat:
    chosen = looked_up("format", name, FORMATS)
    wanted = {Kind.STENCIL: ("R8_UINT",), Kind.DEPTH: _DEPTH, Kind.HIZ: (HIZ_FORMAT.name,)}.get(kind)
    if (wanted is None and chosen is HIZ_FORMAT) or (wanted is not None and chosen.name not in wanted):
        accepted = "any format but HIZ" if wanted is None else ", ".join(wanted)
        raise ArgumentError("format", chosen.name, accepted=f"{accepted} for a {kind} surface")
    return chosen
