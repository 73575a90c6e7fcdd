"""Trees of W-tiled stencil: where each texel of each level, layer and sample lies. Source: docs/stencil.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex

from statetracker.caps.intel import Generation, generation
from statetracker.errors import ArgumentError
from statetracker.surface.layout import layout
from statetracker.surface.mip_tree import ImagePlaces
from statetracker.surface.older import Target, miptree
from statetracker.surface.request import surface_request
from statetracker.surface.tilings import TILES, Tiling
from statetracker.surface.units import align, check_place, minify
from statetracker.surface.w_tiles import encode_sample, image_place, physical_size, pixel_size

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    if layout_of not in LAYOUTS:
        raise ArgumentError("layout_of", layout_of, accepted=", ".join(LAYOUTS))
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
