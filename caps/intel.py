"""Intel graphics generations, one row each: what layout, alignment and stencil reads need to know of the hardware.

A generation is named as people write it (``"4.5"``) and numbered by ten times that (``verx10``: 45), so that Haswell
is 75. Nothing here depends on a screen: these chips have no Gallium caps in this library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping


class Generation(NamedTuple):
    """One hardware generation.

    Attributes:
        name: As written: "4", "4.5", "7.5".
        verx10: Ten times the number: 40, 45, 75.
        product: The name it was sold or developed under.
        max_size_2d: Largest width and height of a 2D surface, in pixels.
        sample_counts: Samples a pixel that rendering takes, 1 included.
        surface_pitch_B: Largest row pitch of a surface that is sampled or rendered to, depth included, in bytes.
        stencil_pitch_B: Largest row pitch of stencil and HiZ, in bytes.
        qpitch_rows: Spacer rows of a full array pitch, in units of the vertical alignment.
        separate_stencil: Depth and stencil lie in two surfaces; before, in one packed surface.
        hiz: Depth can have a HiZ surface in the drivers described here.
        tile_offset: The surface can be moved by pixels inside its first tile.
        level_layer: The depth packets name level and layer themselves.
        flat_stencil_hiz: Stencil and HiZ packets know neither level nor size: every level must be a full-size surface.
        samples_w: The sampler reads W-tiled stencil.
        bit6_swizzle: The memory controller may exchange halves of a line pair as the processor sees them.
    """

    name: str
    verx10: int
    product: str
    max_size_2d: int
    sample_counts: tuple[int, ...]
    surface_pitch_B: int  # noqa: N815 (units of this field are written B and el)
    stencil_pitch_B: int  # noqa: N815
    qpitch_rows: int
    separate_stencil: bool
    hiz: bool
    tile_offset: bool
    level_layer: bool
    flat_stencil_hiz: bool
    samples_w: bool
    bit6_swizzle: bool


_K: Final = 1 << 10
_Y: Final = True
_N: Final = False

# fmt: off
_ROWS: Final = (
    #                                       max     sample        surface  stencil  qpitch separate  hiz  tile    level  flat     samples bit-6
    #           name verx10  product        size    counts        pitch    pitch    rows   stencil        offset  layer  st., HiZ W       swizzle
    Generation("4",   40, "965",           8 * _K, (1,),          128*_K,  128*_K,  11,    _N,       _N,  _N,     _N,    _N,      _N,     _Y),
    Generation("4.5", 45, "G45",           8 * _K, (1,),          128*_K,  128*_K,  11,    _N,       _N,  _Y,     _N,    _N,      _N,     _Y),
    Generation("5",   50, "Ironlake",      8 * _K, (1,),          128*_K,  128*_K,  11,    _N,       _N,  _Y,     _N,    _N,      _N,     _Y),
    Generation("6",   60, "Sandy Bridge",  8 * _K, (1, 4),        128*_K,  128*_K,  11,    _Y,       _Y,  _Y,     _N,    _Y,      _N,     _Y),
    Generation("7",   70, "Ivy Bridge",   16 * _K, (1, 4, 8),     256*_K,  128*_K,  12,    _Y,       _Y,  _Y,     _Y,    _N,      _N,     _Y),
    Generation("7.5", 75, "Haswell",      16 * _K, (1, 4, 8),     256*_K,  128*_K,  12,    _Y,       _Y,  _Y,     _Y,    _N,      _N,     _Y),
    Generation("8",   80, "Broadwell",    16 * _K, (1, 2, 4, 8),  256*_K,  128*_K,  12,    _Y,       _Y,  _Y,     _Y,    _N,      _Y,     _N),
)
# fmt: on

#: Generation by its number times ten.
GENERATIONS: Final[Mapping[int, Generation]] = {row.verx10: row for row in _ROWS}
_BY_NAME: Final = {row.name: row for row in _ROWS}


def generation(value: Generation | str | float) -> Generation:
    """Return a generation by its name or number.

    Args:
        value: ``"4.5"``, ``4.5``, ``7``, or the number times ten, ``45``; a `Generation` is given back.

    Raises:
        UnknownName: There is none; the error has the names of all.
    """
    if isinstance(value, Generation):
        return value
    if isinstance(value, str) and value in _BY_NAME:
        return _BY_NAME[value]
    try:
        number = float(value)
        match = GENERATIONS.get(round(number * 10 if number < 20 else number))
    except (TypeError, ValueError, OverflowError):
        match = None
    if match is None or (match.verx10 != number * 10 and match.verx10 != number):
        raise UnknownName("generation", value, accepted=", ".join(f"{row.name!r}" for row in _ROWS))
    return match
