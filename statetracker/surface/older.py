"""The mip trees of the i965 driver of 2014, generations 4 to 8: another layout than `statetracker.surface.layout`.

The two are never mixed: alignments, spacers and the meaning of a pitch differ. Here the pitch of stencil (S8) is the
logical one, 64 bytes a W tile; `statetracker.surface.tilings` wants twice that. See docs/surfaces.md.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.intel import generation
from statetracker.errors import ArgumentError
from statetracker.spellings import looked_up
from statetracker.surface.mip_tree import ImagePlaces, stacked
from statetracker.surface.tilings import TILES, Tiling
from statetracker.surface.units import align, cdiv, minify, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps.intel import Generation


class Target(StrEnum):
    """The textures whose depth can be rendered to."""

    D2 = "2D"
    D2_ARRAY = "2D_ARRAY"
    CUBE = "CUBE"


class OlderFormat(NamedTuple):
    """A depth or stencil format.

    Attributes:
        name: Without prefix.
        cpp: Bytes a pixel.
        packed: Whether it holds stencil, too.
        depth_part: The depth format without it.
    """

    name: str
    cpp: int
    packed: bool
    depth_part: str


# fmt: off
#: Depth and stencil formats by name.
OLDER_FORMATS: Final[Mapping[str, OlderFormat]] = {row.name: row for row in (
    #           name           cpp  packed  depth of a separate pair
    OlderFormat("Z16",           2, False,  "Z16"),
    OlderFormat("Z24X8",         4, False,  "Z24X8"),
    OlderFormat("Z32F",          4, False,  "Z32F"),
    OlderFormat("Z24S8",         4, True,   "Z24X8"),
    OlderFormat("Z32F_S8X24",    8, True,   "Z32F"),
    OlderFormat("S8",            1, False,  "S8"),
)}
# fmt: on


def storage_formats(gen: Generation, name: str) -> tuple[OlderFormat, OlderFormat | None]:
    """Return formats of the trees that store a texture: one, or from generation 6 on depth and S8 for a packed one."""
    row = looked_up("format", name, OLDER_FORMATS)
    if row.packed and gen.separate_stencil:
        return OLDER_FORMATS[row.depth_part], OLDER_FORMATS["S8"]
    return row, None


class Miptree(NamedTuple):
    """A tree laid out.

    Attributes:
        format: Of its pixels, one of `OLDER_FORMATS`.
        align: Of images, in pixels, width and height.
        total: Width and height in pixels.
        pitch: Bytes; S8: logical, 64 a tile.
        qpitch: Rows from one layer to the next; 0 for 2D and for cubes of generations 4 and 4.5.
        levels: First and last, as absolute level numbers.
        offsets: (level, layer) to (x, y) in pixels, computed on access.
        size0: Width and height of the first level.
        layers: 1 for 2D, 6 for a cube.
    """

    format: OlderFormat
    align: tuple[int, int]
    total: tuple[int, int]
    pitch: int
    qpitch: int
    levels: tuple[int, int]
    offsets: Mapping[tuple[int, int], tuple[int, int]]
    size0: tuple[int, int]
    layers: int

    @property
    def tiling(self) -> Tiling:
        """W for S8, Y for all others."""
        return Tiling.W if self.format.name == "S8" else Tiling.Y

    @property
    def row_pitch_B(self) -> int:
        """The physical row pitch, as `statetracker.surface.tilings` counts it."""
        return self.pitch * 2 if self.tiling is Tiling.W else self.pitch

    @property
    def size_B(self) -> int:
        """Bytes of whole rows of tiles."""
        tile = TILES[self.tiling]
        return cdiv(self.total[1], tile.height) * tile.phys_height * self.row_pitch_B

    def place(self, level: int, layer: int) -> tuple[int, int]:
        """Return where an image of a level lies, in pixels; a tree of one layer holds that layer, whichever it is."""
        return self.offsets[level, 0 if self.layers == 1 else layer]

    def to_dict(self) -> dict[str, object]:
        """Return the form of the recordings."""
        of, align, total = self.format, list(self.align), list(self.total)
        plain = {"format": of.name, "cpp": of.cpp, "align": align, "total": total, "pitch": self.pitch}
        return {**plain, "levels": list(self.levels)}


def miptree(
    gen: Generation | str | float,
    target: Target | str,
    format: str,  # noqa: A002 (the field's own word)
    size0: tuple[int, int],
    *,
    layers: int = 1,
    levels: tuple[int, int] = (0, 0),
    relative_cube: bool = False,
) -> Miptree:
    """Lay out a tree. Generation 8 has the trees of generation 7.

    Args:
        gen: 4 to 8.
        target: A `Target`, or the name of one.
        format: One of `OLDER_FORMATS`.
        size0: Width and height of its first level.
        layers: Of an array, which cost nothing; a cube has 6, 2D has 1.
        levels: First and last, absolute numbers.
        relative_cube: Cubes of generations 4 and 4.5: count levels from the first one, so that a temporary tree has
            space for its image. The driver counts absolute levels.

    Raises:
        ArgumentError: There can be no such tree.
        UnknownName: There is no such target or format.
    """
    gen = generation(gen)
    row, target = _checked(gen, target, format, size0=size0, layers=layers, levels=levels)
    if row.name == "S8":
        i, j = 8, 8 if gen.verx10 >= 70 else 4
    else:
        i, j = 8 if row.name == "Z16" and gen.verx10 >= 70 else 4, 4 if gen.verx10 >= 60 else 2
    offsets: Mapping[tuple[int, int], tuple[int, int]]
    qpitch = 0
    if target is Target.CUBE and gen.verx10 < 50:
        offsets, width, height = _stacked_cube(size0, (i, j), levels, 0 if not relative_cube else levels[0])
    else:
        first_layer, width, height = _mip_tree(size0, (i, j), levels)
        if target is not Target.D2:
            qpitch = align(size0[1], j) + align(minify(size0[1], 1), j) + gen.qpitch_rows * j
            height = qpitch * layers
        offsets = ImagePlaces(first_layer, layers, qpitch)
    if target is Target.CUBE:
        height += 2
    pitch = align(width, 64) if row.name == "S8" else align(width * row.cpp, 128)
    return Miptree(row, (i, j), (width, height), pitch, qpitch, levels, offsets, size0, layers)


def _checked(
    gen: Generation, target: Target | str, name: str, *, size0: tuple[int, int], layers: int, levels: tuple[int, int]
) -> tuple[OlderFormat, Target]:
    target, row = looked_up("target", target, Target), looked_up("format", name, OLDER_FORMATS)
    if row.name == "S8" and not gen.separate_stencil:
        raise ArgumentError("format", name, accepted="a packed format before generation 6")
    for field, value in (("width", size0[0]), ("height", size0[1]), ("layers", layers)):
        whole_number(field, value, 1)
    whole_number("last level", levels[1], 0, 32)
    whole_number("first level", levels[0], 0, levels[1])
    if layers != {Target.D2: 1, Target.CUBE: 6}.get(target, layers):
        raise ArgumentError("layers", layers, accepted="1 for 2D, 6 for a cube, any for an array")
    return row, target


def _mip_tree(
    size0: tuple[int, int], by: tuple[int, int], levels: tuple[int, int]
) -> tuple[dict[int, tuple[int, int]], int, int]:
    """Places of the levels in one layer, width and height."""
    (w0, h0), (i, j), (first, last) = size0, by, levels
    each = range(last - first + 1)
    widths = [align(minify(w0, level), i) for level in each]
    xs, ys, height = stacked(widths, [align(minify(h0, level), j) for level in each])
    width = max(w0, widths[1] + minify(w0, 2)) if last > first else w0
    return dict(enumerate(zip(xs, ys, strict=True), first)), width, height


def _stacked_cube(
    size0: tuple[int, int], by: tuple[int, int], levels: tuple[int, int], from_level: int
) -> tuple[dict[tuple[int, int], tuple[int, int]], int, int]:
    """Faces of a level in rows of 2 to the power of the level, as the slices of a 3D texture."""
    (w0, h0), (i, j) = size0, by
    width = y = 0
    offsets: dict[tuple[int, int], tuple[int, int]] = {}
    for level in range(levels[0], levels[1] + 1):
        n = level - from_level
        w, h = align(minify(w0, n), i), align(minify(h0, n), j)
        for face in range(6):
            x = face % (1 << n) * w
            offsets[level, face] = x, y + (face >> n) * h
            width = max(width, x + w)
        y += cdiv(6, 1 << n) * h
    return offsets, width, y
