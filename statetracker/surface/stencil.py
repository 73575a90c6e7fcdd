"""W-tiled stencil: where each texel of each level, layer and sample lies, and the same byte seen through Y tiles.

A W tile and a Y tile are the same 4096 bytes in another order. Coordinates may be ints, NumPy arrays of them, or words
of a shader that is being written (`statetracker.spirv.Word`): nothing here asks for their values. Source: Sandy Bridge
PRM volume 1 part 2, W-major tile format; docs/stencil.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex

from statetracker.caps.intel import Generation, generation
from statetracker.errors import ArgumentError
from statetracker.spellings import looked_up
from statetracker.surface.choices import PIXEL_SAMPLES
from statetracker.surface.layout import layout
from statetracker.surface.mip_tree import ImagePlaces
from statetracker.surface.older import Target, miptree
from statetracker.surface.request import surface_request
from statetracker.surface.tilings import TILES, Tiling
from statetracker.surface.units import align, check_place, minify, wide

if TYPE_CHECKING:
    from collections.abc import Mapping


def w_to_y(x: Any, y: Any) -> tuple[Any, Any]:  # noqa: ANN401 (an int, an array of them, or a word)
    """Translate a W coordinate into the Y coordinate of the same byte."""
    x, y = wide(x), wide(y)
    return (x & ~5) << 1 | (y & 2) << 2 | (y & 1) << 1 | (x & 1), (y & ~3) >> 1 | (x & 4) >> 2


def y_to_w(x: Any, y: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Translate a Y coordinate into the W coordinate of the same byte; the inverse of `w_to_y`."""
    x, y = wide(x), wide(y)
    return (x & ~11) >> 1 | (y & 1) << 2 | (x & 1), (y & ~1) << 1 | (x & 8) >> 2 | (x & 2) >> 1


def w_to_block(x: Any, y: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Translate a W coordinate into the element and channel (0 red to 3 alpha) of the block view."""
    x, y = wide(x), wide(y)
    return x >> 3 << 2 | (y >> 1 & 1) << 1 | (x >> 1 & 1), y >> 2 << 1 | (x >> 2 & 1), (y & 1) << 1 | (x & 1)


def pixel_size(samples: int) -> tuple[int, int]:
    """Width and height of a pixel in interleaved samples; raises `ArgumentError` for other numbers than 1 to 16."""
    if samples not in PIXEL_SAMPLES:
        raise ArgumentError("samples", samples, accepted=", ".join(map(str, PIXEL_SAMPLES)))
    return PIXEL_SAMPLES[samples]


def physical_size(size: tuple[int, int], samples: int) -> tuple[int, int]:
    """Return a size in pixels in samples: rounded up to pairs of pixels where there are several samples."""
    across, down = pixel_size(samples)
    return size if samples == 1 else (align(size[0], 2) * across, align(size[1], 2) * down)


def encode_sample(x: Any, y: Any, sample: Any, samples: int) -> tuple[Any, Any]:  # noqa: ANN401
    """Return the physical coordinate of a sample of a pixel: interleaved, for 1, 2, 4, 8 or 16 samples."""
    across, down = pixel_size(samples)
    x, y, sample = wide(x), wide(y), wide(sample)
    return _interleaved(x, sample, across), _interleaved(y, sample >> 1, down) if down > 1 else y


def decode_sample(x: Any, y: Any, samples: int) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Return pixel and sample of a physical coordinate; the inverse of `encode_sample`."""
    across, down = pixel_size(samples)
    (column, even), (row, odd) = _taken_apart(wide(x), across), _taken_apart(wide(y), down)
    return column, row, even | odd << 1


def _interleaved(at: Any, sample: Any, size: int) -> Any:  # noqa: ANN401
    """One axis of a pixel of 1, 2 or 4 samples: its bit 0, then bits 0 and 2 of the sample, then the rest."""
    if size == 1:
        return at
    low = (sample & 1) << 1 | (at & 1)
    return (at & ~1) << 1 | low if size == 2 else (at & ~1) << 2 | (sample & 4) | low


def _taken_apart(at: Any, size: int) -> tuple[Any, Any]:  # noqa: ANN401
    """Return the pixel and bits 0 and 2 of the sample: the inverse of `_interleaved`."""
    if size == 1:
        return at, at & 0
    if size == 2:
        return (at & ~3) >> 1 | (at & 1), at >> 1 & 1
    return (at & ~7) >> 2 | (at & 1), (at >> 1 & 1) | (at & 4)


def image_place(x: Any, y: Any, place: Any, layer: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Return the W coordinate in the tree of one in an image; ``place``: its level's x, y, and rows between layers."""
    left, top, layer_rows = place
    return x + left, y + (top + layer * layer_rows)


#: Tree -> where its offsets come from.
LAYOUTS: Final = {
    "plain": "the 2D array tree of generation 7, and of the driver of 2014 on generation 6",
    "isl": "the newer driver's layout; on generation 6 every level is an array of its own",
}


class StencilTree(NamedTuple):
    """A stencil texture as it lies in memory. Lengths in W texels (samples), rows and columns of single bytes.

    Attributes:
        size: Width and height of the base level, in pixels.
        physical: The same in samples: rounded up to pairs of pixels where there are several samples.
        offsets: (level, layer) to (x, y).
        layer_rows: Rows from one layer to the next.
        row_pitch_B: Physical: bytes of a row of tiles' 128-byte lines.
        rows: Rows of W texels that are stored, whole tiles.
    """

    generation: Generation
    layout: str
    size: tuple[int, int]
    levels: int
    layers: int
    samples: int
    physical: tuple[int, int]
    offsets: Mapping[tuple[int, int], tuple[int, int]]
    layer_rows: int
    width: int
    height: int
    row_pitch_B: int
    rows: int

    def level_size(self, level: int) -> tuple[int, int]:
        """Width and height of a level in pixels; raises `ArgumentError` for one that the tree does not have."""
        self.check_image(level, 0)
        return minify(self.size[0], level), minify(self.size[1], level)

    @property
    def size_B(self) -> int:
        """Bytes of the whole tree."""
        return self.row_pitch_B * self.rows // 2

    def check_memory(self, size_B: int) -> None:
        """Raise `ArgumentError` for memory of another size than the tree's."""
        if size_B != self.size_B:
            raise ArgumentError("memory", size_B, accepted=f"{self.size_B} bytes")

    def level_place(self, level: int) -> tuple[int, int, int]:
        """Return where a level begins, x and y, and the rows from one layer of it to the next."""
        return (*self.offsets[level, 0], self.layer_rows)

    def place(self, x: Any, y: Any, *, level: int = 0, layer: int = 0, sample: Any = 0) -> tuple[Any, Any]:  # noqa: ANN401
        """Return a texel's W coordinate in the whole tree; raises `ArgumentError` for a level or layer it lacks."""
        self.check_image(level, layer)
        return image_place(*encode_sample(x, y, sample, self.samples), self.level_place(level), layer)

    def check_image(self, level: int, layer: int) -> None:
        """Raise `ArgumentError` for a level or layer that the tree does not have."""
        check_place(level, self.levels, layer, self.layers)


def stencil_tree(
    gen: Generation | str | float,
    size: tuple[int, int],
    *,
    levels: int = 1,
    layers: int = 1,
    samples: int = 1,
    layout_of: str = "plain",
    row_pitch_B: int | None = None,
) -> StencilTree:
    """Lay out a stencil texture of 8 bits a sample.

    Args:
        gen: Generation 6, 7, 7.5 (or 8, whose sampler reads W-tiled stencil by itself).
        size: Width and height of the base level in pixels.
        levels: Mip levels.
        layers: Of an array.
        samples: A pixel.
        layout_of: A key of `LAYOUTS`.
        row_pitch_B: Another row pitch than the least one, in physical bytes.

    Raises:
        ArgumentError: Sizes below 1 or beyond the generation's largest 2D surface, levels beyond the size, several
            levels of a multisampled texture, samples that the generation lacks, or a pitch that is too small or no
            whole number of tiles.
        UnknownName: There is no such layout.
        SurfaceRefused: The layout itself refuses.
    """
    gen = generation(gen)
    _check(gen, size, layout_of, levels=levels, layers=layers, samples=samples)
    physical = physical_size(size, samples)
    offsets: Mapping[tuple[int, int], tuple[int, int]]
    if layout_of == "isl":
        request = surface_request(gen, "stencil", "R8_UINT", *size, levels=levels, array_len=layers, samples=samples)
        surface = layout(request)
        layer_rows, pitch = surface.array_pitch_el_rows, surface.row_pitch_B
        width, height = pitch // 2, surface.size_B // pitch * 2
        places = zip(surface.tree.x_sa, surface.tree.y_sa, strict=True)
        offsets = ImagePlaces(dict(enumerate(places)), layers, layer_rows)
    else:
        target = Target.D2 if layers == 1 else Target.D2_ARRAY
        tree = miptree(gen, target, "S8", physical, layers=layers, levels=(0, levels - 1))
        offsets, layer_rows, pitch = tree.offsets, tree.qpitch, tree.row_pitch_B
        width, height = tree.total
    if row_pitch_B is not None:
        step = TILES[Tiling.Y].phys_width_B
        if row_pitch_B < pitch or row_pitch_B % step:
            raise ArgumentError("row_pitch_B", row_pitch_B, accepted=f"a multiple of {step}, at least {pitch}")
        pitch = row_pitch_B
    rows = align(height, TILES[Tiling.W].height)
    of = (physical, offsets, layer_rows, width, height, pitch, rows)
    return StencilTree(gen, layout_of, size, levels, layers, samples, *of)


def _check(gen: Generation, size: tuple[int, int], layout_of: str, *, levels: int, layers: int, samples: int) -> None:
    if not gen.separate_stencil:
        raise ArgumentError("generation", gen.name, accepted="6 and later: before, it lies in one surface with depth")
    looked_up("layout_of", layout_of, LAYOUTS)
    if not (
        isinstance(size, tuple | list) and len(size) == 2 and all(isinstance(part, SupportsIndex) for part in size)
    ):
        raise ArgumentError("size", size, accepted="(width, height), two whole numbers")
    if min(*size, layers) < 1:
        raise ArgumentError("size, layers", (*size, layers), accepted="at least 1 each")
    if max(size) > gen.max_size_2d:
        raise ArgumentError("size", size, accepted=f"1 to {gen.max_size_2d} each on generation {gen.name}")
    most = max(size).bit_length()
    if not 1 <= levels <= most:
        raise ArgumentError("levels", levels, accepted=f"1 to {most} for a size of {size[0]} x {size[1]}")
    pixel_size(samples)
    if samples > 1 and levels > 1:
        raise ArgumentError("levels", levels, accepted="1 with several samples a pixel")
    if samples not in gen.sample_counts:
        counts = ", ".join(map(str, gen.sample_counts))
        raise ArgumentError("samples", samples, accepted=f"{counts} on generation {gen.name}")
