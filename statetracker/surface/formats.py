"""Formats of surfaces: what a layout needs to know of each.

See docs/surfaces.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping


class SurfaceFormat(NamedTuple):
    """One format.

    name         as in `FORMATS`
    bpb          bits of a block
    bw, bh       samples a block covers; 1, 1 for plain formats
    compressed   blocks are a compression (HiZ is none here)
    sint         signed integers
    x8           24 bits and 8 unused ones
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
        """Whether a tiled element lies in three tiles."""
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


def format_named(name: str) -> SurfaceFormat:
    """Give a format by its name; raises `UnknownName` with the names there are."""
    try:
        return FORMATS[name]
    except (KeyError, TypeError):
        raise UnknownName("format", name, accepted=", ".join(FORMATS)) from None
