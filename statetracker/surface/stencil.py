"""W-tiled stencil, described to a sampler that cannot read it: translations, trees, and surface overrides.

A W tile and a Y tile are the same 4096 bytes in another order. The surface is described as Y-tiled, and the shader
permutes coordinates so that the sampler reads the byte that was meant. Two ways to describe it: the whole tree at once,
with offsets added in the shader (``dynamic``), or one level of one layer by its base address and the surface's tile
offset (``static``, what generation 6 has to do). Two views of the bytes: one byte an element, twice as wide; or blocks
of 2 x 2 texels in four channels, where the doubled width would pass the hardware's limit.

Coordinates may be ints or NumPy arrays of them. Source: Sandy Bridge PRM volume 1 part 2, W-major tile format and
surface state; Ivy Bridge PRM, memory views; docs/stencil.md.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex, TypeVar

from statetracker.caps.intel import Generation, generation
from statetracker.errors import ArgumentError
from statetracker.surface.choices import PIXEL_SAMPLES, refuse
from statetracker.surface.images import ImagePlaces
from statetracker.surface.layout import layout
from statetracker.surface.older import Target, miptree
from statetracker.surface.request import surface_request
from statetracker.surface.units import align, minify

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "LAYOUTS",
    "Mode",
    "Override",
    "StencilTree",
    "View",
    "decode_sample",
    "encode_sample",
    "image_place",
    "override",
    "stencil_tree",
    "w_to_block",
    "w_to_y",
    "y_to_w",
]

#: Tree -> where its offsets come from.
LAYOUTS: Final = {
    "plain": "the 2D array tree of generation 7, and of the driver of 2014 on generation 6",
    "isl": "the newer driver's layout; on generation 6 every level is an array of its own",
}
_PAGE: Final = 4096
_Y_TILE: Final = (128, 32)


class View(StrEnum):
    """How the sampler sees the bytes."""

    BYTE = "byte"
    BLOCK = "block"


class Mode(StrEnum):
    """How levels and layers are reached."""

    DYNAMIC = "dynamic"
    STATIC = "static"


def w_to_y(x: Any, y: Any) -> tuple[Any, Any]:  # noqa: ANN401 (an int or an array of them)
    """Translate a W coordinate into the Y coordinate of the same byte."""
    return (x & ~5) << 1 | (y & 2) << 2 | (y & 1) << 1 | (x & 1), (y & ~3) >> 1 | (x & 4) >> 2


def y_to_w(x: Any, y: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Translate a Y coordinate into the W coordinate of the same byte; the inverse of `w_to_y`."""
    return (x & ~11) >> 1 | (y & 1) << 2 | (x & 1), (y & ~1) << 1 | (x & 8) >> 2 | (x & 2) >> 1


def w_to_block(x: Any, y: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Translate a W coordinate into the element and channel (0 red to 3 alpha) of the block view."""
    return x >> 3 << 2 | (y >> 1 & 1) << 1 | (x >> 1 & 1), y >> 2 << 1 | (x >> 2 & 1), (y & 1) << 1 | (x & 1)


def encode_sample(x: Any, y: Any, sample: Any, samples: int) -> tuple[Any, Any]:  # noqa: ANN401
    """Give the physical coordinate of a sample of a pixel: interleaved, for 1, 2, 4, 8 or 16 samples."""
    _check_samples(samples)
    wide, high = PIXEL_SAMPLES[samples]
    if wide == 2:
        x = (x & ~1) << 1 | (sample & 1) << 1 | (x & 1)
    elif wide == 4:
        x = (x & ~1) << 2 | (sample & 4) | (sample & 1) << 1 | (x & 1)
    if high == 2:
        y = (y & ~1) << 1 | (sample & 2) | (y & 1)
    elif high == 4:
        y = (y & ~1) << 2 | (sample & 8) >> 1 | (sample & 2) | (y & 1)
    return x, y


def image_place(x: Any, y: Any, place: Any, layer: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Give the W coordinate in the tree of one in an image; ``place``: its level's x, y, and rows between layers."""
    left, top, layer_rows = place
    return x + left, y + (top + layer * layer_rows)


def decode_sample(x: Any, y: Any, samples: int) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Give pixel and sample of a physical coordinate; the inverse of `encode_sample`."""
    _check_samples(samples)
    wide, high = PIXEL_SAMPLES[samples]
    sample = x & 0
    if wide == 2:
        sample, x = sample | (x >> 1 & 1), (x & ~3) >> 1 | (x & 1)
    elif wide == 4:
        sample, x = sample | (x >> 1 & 1) | (x & 4), (x & ~7) >> 2 | (x & 1)
    if high == 2:
        sample, y = sample | (y & 2), (y & ~3) >> 1 | (y & 1)
    elif high == 4:
        sample, y = sample | (y & 2) | (y & 4) << 1, (y & ~7) >> 2 | (y & 1)
    return x, y, sample


class StencilTree(NamedTuple):
    """A stencil texture as it lies in memory. Lengths in W texels (samples), rows and columns of single bytes.

    size          width and height of the base level, in pixels
    physical      the same in samples: rounded up to pairs of pixels where there are several samples
    offsets       (level, layer) to (x, y)
    layer_rows    rows from one layer to the next
    row_pitch_B   physical: bytes of a row of tiles' 128-byte lines
    rows          rows of W texels that are stored, whole tiles
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
        if not 0 <= level < self.levels:
            raise ArgumentError("level", level, accepted=f"0 to {self.levels - 1}")
        return minify(self.size[0], level), minify(self.size[1], level)

    def place(self, x: Any, y: Any, *, level: int = 0, layer: int = 0, sample: Any = 0) -> tuple[Any, Any]:  # noqa: ANN401
        """Give the W coordinate of a texel in the whole tree; raises `ArgumentError` for a level or layer it lacks."""
        self.level_size(level)
        if not 0 <= layer < self.layers:
            raise ArgumentError("layer", layer, accepted=f"0 to {self.layers - 1}")
        column, row = encode_sample(x, y, sample, self.samples)
        return image_place(column, row, self.level_place(level), layer)

    def level_place(self, level: int) -> tuple[int, int, int]:
        """Where a level begins, x and y, and the rows from one layer of it to the next."""
        return (*self.offsets[level, 0], self.layer_rows)


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

    gen           generation 6, 7, 7.5 (or 8, whose sampler reads W-tiled stencil by itself)
    size          width and height of the base level in pixels
    layout_of     a key of `LAYOUTS`
    row_pitch_B   another row pitch than the least one, in physical bytes

    Raises `ArgumentError` for sizes below 1 or beyond the generation's largest 2D surface, levels beyond the size,
    several levels of a multisampled texture, samples that the generation lacks, or a pitch that is too small or no
    whole number of tiles; `SurfaceRefused` where the layout itself refuses.
    """
    gen = generation(gen)
    _check(gen, size, layout_of, levels=levels, layers=layers, samples=samples)
    physical = _physical(size, samples)
    if layout_of == "isl":
        request = surface_request(gen, "stencil", "R8_UINT", *size, levels=levels, array_len=layers, samples=samples)
        found = layout(request)
        places = {level: (found.tree.x_sa[level], found.tree.y_sa[level]) for level in range(levels)}
        offsets: Mapping[tuple[int, int], tuple[int, int]]
        offsets = ImagePlaces(places, layers, found.plan.slices * found.tree.pitch_sa)
        layer_rows, pitch = found.array_pitch_el_rows, found.row_pitch_B
        width = pitch // 2
        height = found.size_B // pitch * 2
    else:
        target = Target.D2 if layers == 1 else Target.D2_ARRAY
        tree = miptree(gen, target, "S8", physical, layers=layers, levels=(0, levels - 1))
        offsets = tree.offsets
        layer_rows, pitch = tree.qpitch, tree.row_pitch_B
        width, height = tree.total
    if row_pitch_B is not None:
        pitch = _checked_pitch(row_pitch_B, pitch)
    return StencilTree(
        gen,
        layout_of,
        size,
        levels,
        layers,
        samples,
        physical,
        offsets,
        layer_rows,
        width,
        height,
        pitch,
        align(height, 64),
    )


class Override(NamedTuple):
    """What the sampler is told, in the terms of a surface state; ``reasons`` says why, member by member.

    needed           False where the hardware reads the surface as it is; then nothing else holds
    format           R8_UINT (bytes) or R8G8B8A8_UINT (blocks)
    width, height    of the described surface, in elements
    row_pitch_B      its row pitch
    base_offset_B    to add to the address of the tree
    tile_x, tile_y   offset inside the first tile, in elements of the byte view (hardware fields hold a quarter, a half)
    uniforms         values that the shader needs, by name: base_w, base_h (unaligned size of the base level in pixels),
                     layer_count, level_count, and in offsets for each level its x, y and the rows between layers
    """

    needed: bool
    mode: Mode
    view: View
    tiling: str
    format: str
    width: int
    height: int
    row_pitch_B: int
    samples: int
    levels: int
    base_offset_B: int
    tile_x: int
    tile_y: int
    uniforms: Mapping[str, Any]
    reasons: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        found = self._asdict()
        found["reasons"] = dict(self.reasons)
        found["uniforms"] = {name: value for name, value in self.uniforms.items()}  # noqa: C416 (a plain dict)
        return found

    def __str__(self) -> str:
        """A line a member, with its reason."""
        if not self.needed:
            return f"nothing to do: {self.reasons[0][1]}"
        why = dict(self.reasons)
        rows = [
            (name, value) for name, value in self._asdict().items() if name not in {"needed", "reasons", "uniforms"}
        ]
        rows += list(self.uniforms.items())
        return "\n".join(f"{name:<14} {value!s:<24} {why.get(name, '')}".rstrip() for name, value in rows)


def override(
    tree: StencilTree,
    *,
    mode: Mode | str | None = None,
    view: View | str | None = None,
    level: int = 0,
    layer: int = 0,
) -> Override:
    """Say how a tree is described to the sampler.

    mode           None: ``static`` on generation 6, ``dynamic`` after it
    view           None: bytes, or blocks where the doubled width passes the limit of the generation
    level, layer   the image that ``static`` describes

    Raises `ArgumentError` for a level or layer that the tree lacks, or a mode or view that does not exist;
    `SurfaceRefused` for an image that ``static`` cannot express, or a view wider than the hardware's limit.
    """
    gen = tree.generation
    chosen = _named(Mode, "mode", mode) or (Mode.STATIC if gen.verx10 < 70 else Mode.DYNAMIC)
    asked = _named(View, "view", view)
    tree.level_size(level)
    if not 0 <= layer < tree.layers:
        raise ArgumentError("layer", layer, accepted=f"0 to {tree.layers - 1}")
    if gen.samples_w:
        reason = f"the sampler of generation {gen.name} reads W-tiled stencil; only the pitch is doubled"
        return Override(
            needed=False,
            mode=chosen,
            view=View.BYTE,
            tiling="W",
            format="R8_UINT",
            width=tree.physical[0],
            height=tree.physical[1],
            row_pitch_B=tree.row_pitch_B,
            samples=tree.samples,
            levels=tree.levels,
            base_offset_B=0,
            tile_x=0,
            tile_y=0,
            uniforms={},
            reasons=(("needed", reason),),
        )
    width_B, height, base, tile_x, tile_y, why = _described(tree, chosen, level, layer)
    picked, why_view = _view(asked, width_B, gen)
    reasons = [
        ("mode", _WHY_MODE[chosen]),
        ("view", why_view),
        ("tiling", "a Y tile is the same 4096 bytes as a W tile, in another order"),
        ("row_pitch_B", "a line of a W tile holds the bytes of two rows: twice the logical pitch"),
        ("samples", "the shader finds the sample: the view has one" if tree.samples > 1 else "one a pixel"),
        ("levels", "the shader, or the base address, finds the level: the view has one"),
        *why,
    ]
    bytes_seen = picked is View.BYTE
    return Override(
        needed=True,
        mode=chosen,
        view=picked,
        tiling="Y",
        format="R8_UINT" if bytes_seen else "R8G8B8A8_UINT",
        width=width_B if bytes_seen else width_B // 4,
        height=height,
        row_pitch_B=tree.row_pitch_B,
        samples=1,
        levels=1,
        base_offset_B=base,
        tile_x=tile_x,
        tile_y=tile_y,
        uniforms=_uniforms(tree, chosen, level),
        reasons=tuple(reasons),
    )


_WHY_MODE: Final = {
    Mode.DYNAMIC: "the whole tree is one surface; the shader adds the offset of level and layer",
    Mode.STATIC: "one image: its page goes into the base address, the rest into the tile offset",
}


def _described(
    tree: StencilTree, mode: Mode, level: int, layer: int
) -> tuple[int, int, int, int, int, list[tuple[str, str]]]:
    """Width in bytes, height, base offset and tile offset of what is described, with reasons."""
    if mode is Mode.DYNAMIC:
        why = [("width", "twice the tree's width, which is a multiple of 8"), ("height", "half the tree's rows")]
        return align(tree.width, 8) * 2, align(tree.height, 4) // 2, 0, 0, 0, why
    x, y = tree.offsets[level, layer]
    if x % 8 or y % 4:
        raise refuse("stencil_offset", "offset", (x, y), accepted="x a multiple of 8, y of 4")
    width, height = (minify(part, level) for part in tree.physical)
    rows = 8 if tree.samples > 1 else 4
    left, top = 2 * x, y // 2
    base = (top & ~(_Y_TILE[1] - 1)) * tree.row_pitch_B + left // _Y_TILE[0] * _PAGE
    why = [
        ("width", "the level's width rounded up to 8, doubled"),
        ("height", f"the level's height rounded up to {rows}, halved"),
        ("base_offset_B", f"the page of the image at ({x}, {y})"),
        ("tile_x", "what is left of the column inside a Y tile; hardware holds a quarter of it"),
        ("tile_y", "what is left of the row inside a Y tile; hardware holds half of it"),
    ]
    return align(width, 8) * 2, align(height, rows) // 2, base, left % _Y_TILE[0], top % _Y_TILE[1], why


_Name = TypeVar("_Name", bound=StrEnum)


def _named(names: type[_Name], field: str, value: str | None) -> _Name | None:
    if value is None:
        return None
    try:
        return names(value)
    except ValueError:
        raise ArgumentError(field, value, accepted=", ".join(names)) from None


def _view(asked: View | None, width_B: int, gen: Generation) -> tuple[View, str]:
    limit = gen.max_size_2d
    fits = width_B <= limit
    picked = asked or (View.BYTE if fits else View.BLOCK)
    if picked is View.BYTE and not fits:
        accepted = f"at most {limit}; the block view is a quarter as wide"
        raise refuse("stencil_width", "width", width_B, accepted=accepted)
    if width_B // 4 > limit:
        raise refuse("stencil_width", "width", width_B // 4, accepted=f"at most {limit}")
    if fits:
        return picked, f"{width_B} bytes are within the limit of {limit} elements"
    return picked, f"{width_B} bytes pass the limit of {limit} elements: four channels an element"


def _uniforms(tree: StencilTree, mode: Mode, level: int) -> dict[str, Any]:
    if mode is Mode.STATIC:
        width, height = tree.level_size(level)
        return {"base_w": width, "base_h": height, "layer_count": 1, "level_count": 1, "offsets": ((0, 0, 0),)}
    places = tuple(tree.level_place(one) for one in range(tree.levels))
    return {
        "base_w": tree.size[0],
        "base_h": tree.size[1],
        "layer_count": tree.layers,
        "level_count": tree.levels,
        "offsets": places,
    }


def _physical(size: tuple[int, int], samples: int) -> tuple[int, int]:
    if samples == 1:
        return size
    wide, high = PIXEL_SAMPLES[samples]
    return align(size[0], 2) * wide, align(size[1], 2) * high


def _check_samples(samples: int) -> None:
    if samples not in PIXEL_SAMPLES:
        raise ArgumentError("samples", samples, accepted=", ".join(map(str, PIXEL_SAMPLES)))


def _check(gen: Generation, size: tuple[int, int], layout_of: str, *, levels: int, layers: int, samples: int) -> None:
    if not gen.separate_stencil:
        raise ArgumentError(
            "generation", gen.name, accepted="6 and later: before, stencil lies in one surface with depth"
        )
    if layout_of not in LAYOUTS:
        raise ArgumentError("layout_of", layout_of, accepted=", ".join(LAYOUTS))
    if not _is_size(size):
        raise ArgumentError("size", size, accepted="(width, height), two whole numbers")
    if min(*size, layers) < 1:
        raise ArgumentError("size, layers", (*size, layers), accepted="at least 1 each")
    if max(size) > gen.max_size_2d:
        accepted = f"1 to {gen.max_size_2d} each on generation {gen.name}"
        raise ArgumentError("size", size, accepted=accepted)
    most = max(size).bit_length()
    if not 1 <= levels <= most:
        raise ArgumentError("levels", levels, accepted=f"1 to {most} for a size of {size[0]} x {size[1]}")
    _check_samples(samples)
    if samples > 1 and levels > 1:
        raise ArgumentError("levels", levels, accepted="1 with several samples a pixel")
    if samples not in gen.sample_counts:
        counts = ", ".join(map(str, gen.sample_counts))
        raise ArgumentError("samples", samples, accepted=f"{counts} on generation {gen.name}")


def _is_size(size: object) -> bool:
    return isinstance(size, tuple | list) and len(size) == 2 and all(isinstance(part, SupportsIndex) for part in size)


def _checked_pitch(wanted: int, least: int) -> int:
    if wanted < least or wanted % _Y_TILE[0]:
        raise ArgumentError("row_pitch_B", wanted, accepted=f"a multiple of {_Y_TILE[0]}, at least {least}")
    return wanted
