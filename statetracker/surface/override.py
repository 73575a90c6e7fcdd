"""W-tiled stencil described to a sampler that cannot read it: as a Y-tiled surface, whose coordinates are permuted.

Either the whole tree, with offsets added in the shader (``dynamic``), or one image by its base address and tile offset
(``static``, as generation 6 has to). An element is a byte, or a block of 2 x 2 texels where the doubled width would
pass the limit. Source: Sandy Bridge PRM 1.2, surface state; Ivy Bridge PRM, memory views; docs/stencil.md.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.spellings import looked_up
from statetracker.surface.choices import refuse
from statetracker.surface.tilings import Tiling, tile_offset
from statetracker.surface.units import Reason, align, minify

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps.intel import Generation
    from statetracker.surface.stencil import StencilTree


class View(StrEnum):
    """The sampler's view of the bytes."""

    BYTE = "byte"
    BLOCK = "block"


class Mode(StrEnum):
    """The way to levels and layers."""

    DYNAMIC = "dynamic"
    STATIC = "static"


class Override(NamedTuple):
    """The surface state that overrides the sampler's; ``reasons`` says why, member by member.

    Attributes:
        needed: False where the hardware reads the surface as it is; then nothing else holds.
        format: R8_UINT (bytes) or R8G8B8A8_UINT (blocks).
        width: Of the described surface, in elements.
        height: Of the described surface, in elements.
        row_pitch_B: Its row pitch.
        base_offset_B: To add to the address of the tree.
        tile_x: Offset inside the first tile, in elements of the byte view; hardware has a quarter.
        tile_y: Likewise; hardware has a half.
        uniforms: Values that the shader needs, by name: base_w, base_h (unaligned size of the base level in pixels),
            layer_count, level_count, and in offsets for each level its x, y and the rows between layers.
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
        return self._asdict() | {"uniforms": dict(self.uniforms), "reasons": dict(self.reasons)}

    def steps(self) -> list[Reason]:
        """Every member of the surface state and every value that the shader needs, with its reason where it has one."""
        why = dict(self.reasons) | _WHY_UNIFORM
        if not self.needed:
            return [Reason("needed", False, why["needed"])]
        uniforms = dict(self.uniforms)
        offsets = {f"level {level}": place for level, place in enumerate(uniforms.pop("offsets"))}
        shown = [name for name in self._fields if name not in {"needed", "reasons", "uniforms"}]
        rows = {name: getattr(self, name) for name in shown} | uniforms | offsets
        return [Reason(name, value, why.get(name, "")) for name, value in rows.items()]

    def __str__(self) -> str:
        """Return a line a member, with its reason."""
        if not self.needed:
            return f"nothing to do: {self.reasons[0][1]}"
        return "\n".join(f"{name:<14} {value!s:<24} {why}".rstrip() for name, value, why in self.steps())


#: What is described of a tree: width, height, base offset, tile offsets in elements of the byte view; and the reasons.
_Described = tuple[int, int, int, int, int, tuple[tuple[str, str], ...]]


def override(
    tree: StencilTree,
    *,
    mode: Mode | str | None = None,
    view: View | str | None = None,
    level: int = 0,
    layer: int = 0,
) -> Override:
    """Say how a tree is described to the sampler.

    Args:
        tree: The texture as it lies in memory.
        mode: None: ``static`` on generation 6, ``dynamic`` after it.
        view: None: bytes, or blocks where the doubled width passes the limit of the generation.
        level: Of the image that ``static`` describes.
        layer: Of that image.

    Raises:
        ArgumentError: A level or layer that the tree lacks.
        UnknownName: There is no such mode or view.
        SurfaceRefused: An image that ``static`` cannot express, or a view wider than the hardware's limit.
    """
    gen, pitch = tree.generation, tree.row_pitch_B
    if mode is None:
        mode = Mode.STATIC if gen.verx10 < 70 else Mode.DYNAMIC
    chosen, asked = looked_up("mode", mode, Mode), None if view is None else looked_up("view", view, View)
    tree.check_image(level, layer)
    if gen.samples_w:
        reason = f"the sampler of generation {gen.name} reads W-tiled stencil; only the pitch is doubled"
        plain = ("W", "R8_UINT", *tree.physical, pitch, tree.samples, tree.levels, 0, 0, 0, dict[str, Any]())
        return Override(False, chosen, View.BYTE, *plain, (("needed", reason),))
    described = _whole(tree) if chosen is Mode.DYNAMIC else _image(tree, level, layer)
    width, height, base_B, tile_x, tile_y, why_image = described
    picked, why_view = _view(asked, width, gen)
    reasons = (
        ("mode", _WHY_MODE[chosen]),
        ("view", why_view),
        ("tiling", "a Y tile is the same 4096 bytes as a W tile, in another order"),
        ("row_pitch_B", "a line of a W tile holds the bytes of two rows: twice the logical pitch"),
        ("samples", "the shader finds the sample: the view has one" if tree.samples > 1 else "one a pixel"),
        ("levels", "the shader, or the base address, finds the level: the view has one"),
        *why_image,
    )
    seen = ("R8_UINT", width) if picked is View.BYTE else ("R8G8B8A8_UINT", width // 4)
    shown = ("Y", *seen, height, pitch, 1, 1, base_B, tile_x, tile_y)
    return Override(True, chosen, picked, *shown, _uniforms(tree, chosen, level), reasons)


_WHY_UNIFORM: Final = {
    "base_w": "for the shader: the size that was asked for, which the described one does not show",
    "level 0": "for the shader: x and y of each level, and the rows from one layer to the next",
}
_WHY_MODE: Final = {
    Mode.DYNAMIC: "the whole tree is one surface; the shader adds the offset of level and layer",
    Mode.STATIC: "one image: its page goes into the base address, the rest into the tile offset",
}


def _whole(tree: StencilTree) -> _Described:
    reasons = ("width", "twice the tree's width, which is a multiple of 8"), ("height", "half the tree's rows")
    return align(tree.width, 8) * 2, align(tree.height, 4) // 2, 0, 0, 0, reasons


def _image(tree: StencilTree, level: int, layer: int) -> _Described:
    x, y = tree.offsets[level, layer]
    if x % 8 or y % 4:
        raise refuse("stencil_offset", "offset", (x, y), accepted="x a multiple of 8, y of 4")
    width, height = (minify(part, level) for part in tree.physical)
    rows = 8 if tree.samples > 1 else 4
    reasons = (
        ("width", "the level's width rounded up to 8, doubled"),
        ("height", f"the level's height rounded up to {rows}, halved"),
        ("base_offset_B", f"the page of the image at ({x}, {y})"),
        ("tile_x", "what is left of the column inside a Y tile; hardware holds a quarter of it"),
        ("tile_y", "what is left of the row inside a Y tile; hardware holds half of it"),
    )
    inside = tile_offset(Tiling.Y, 8, tree.row_pitch_B, 2 * x, y // 2)
    return align(width, 8) * 2, align(height, rows) // 2, *inside, reasons


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
    places: tuple[tuple[int, int, int], ...]
    if mode is Mode.STATIC:
        (width, height), layers, places = tree.level_size(level), 1, ((0, 0, 0),)
    else:
        (width, height), layers = tree.size, tree.layers
        places = tuple(tree.level_place(one) for one in range(tree.levels))
    return {"base_w": width, "base_h": height, "layer_count": layers, "level_count": len(places), "offsets": places}
