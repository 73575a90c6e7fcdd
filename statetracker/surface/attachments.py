"""Depth and stencil attachments with their trees, and policies: what the alignment decision works on.

See docs/surfaces.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.intel import generation
from statetracker.errors import ArgumentError
from statetracker.spellings import looked_up
from statetracker.surface.older import Target, miptree, storage_formats
from statetracker.surface.units import minify, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps.intel import Generation
    from statetracker.surface.older import Miptree


class Quirk(NamedTuple):
    """A defect or oddity of the recorded routine.

    Attributes:
        what: The routine does, in words.
        safe: What the safe policy does instead.
    """

    what: str
    safe: str


#: Quirks of the policy ``i965-2014``, by name.
QUIRKS: Final[Mapping[str, Quirk]] = {
    "double_move": Quirk(
        "one renderbuffer for both is moved a second time when its layer stays unaligned", "an image is moved once"
    ),
    "discards_depth": Quirk(
        "moving packed stencil that is being cleared does not copy its depth either", "copied unless both are cleared"
    ),
    "stale_remainder": Quirk(
        "the shared offset is not computed anew after stencil moved along with depth", "computed anew after each move"
    ),
    "hiz_from_depth": Quirk(
        "the HiZ offset is computed with pitch and pixel size of the depth tree",
        "the same: in this layout the HiZ tree has the depth tree's format and pitch",
    ),
    "stencil_only_page_lost": Quirk(
        "packed stencil without depth gets depth offset 0, though it goes through the depth packet",
        "the offset of the stencil's tree",
    ),
    "masks_before_moves": Quirk(
        "masks come from the trees before any move", "the same: a temporary has the same formats, hence the same masks"
    ),
    "second_move": Quirk(
        "depth that was fine is moved after its stencil, whose move could not help", "only what a move helps is moved"
    ),
    "silent_mismatch": Quirk(
        "depth that was moved first and stencil moved after it can still disagree, and no flag says so",
        "both temporaries start at (0, 0)",
    ),
    "all_layers": Quirk(
        "a temporary has all layers of its level, so that layers above 0 can stay unaligned", "only the image"
    ),
    "cube_levels": Quirk(
        "generations 4 and 4.5: a temporary of a cube is reduced by its level again and is too small", "only the image"
    ),
}


class Policy(NamedTuple):
    """A name, which quirks it has, and whether generation 6 names level and layer as generation 7 does.

    Attributes:
        level_layer: Whether it does the last.
    """

    name: str
    quirks: frozenset[str]
    level_layer: bool = False


_HARMLESS: Final = frozenset({"hiz_from_depth", "masks_before_moves"})

#: Policies by name; ``safe`` keeps the two that make no difference.
POLICIES: Final[Mapping[str, Policy]] = {
    "safe": Policy("safe", _HARMLESS),
    "level-layer": Policy("level-layer", _HARMLESS, level_layer=True),
    "i965-2014": Policy("i965-2014", frozenset(QUIRKS)),
}


class Attach(StrEnum):
    """The attachments there are."""

    DEPTH_ONLY = "depth_only"
    SAME_RENDERBUFFER = "same_renderbuffer"
    SAME_TEXTURE = "same_texture"
    SEPARATE_S8 = "separate_s8"
    STENCIL_ONLY = "stencil_only"


class Texture(NamedTuple):
    """A depth or stencil texture, of which an image is rendered to."""

    generation: Generation
    target: Target
    format: str
    width: int
    height: int
    layers: int
    levels: int

    def storage(self) -> Storage:
        """Its trees, all levels."""
        return self._laid_out((self.width, self.height), (0, self.levels - 1), self.target, self.layers, relative=False)

    def level_size(self, level: int) -> tuple[int, int]:
        """Width and height of a level in pixels."""
        return minify(self.width, level), minify(self.height, level)

    def temporary(self, level: int, *, one_image: bool) -> Storage:
        """Return new trees whose only level is one of this texture's.

        Args:
            level: Number of the level.
            one_image: Only the image; otherwise all layers, as the driver does it.
        """
        size = self.level_size(level)
        target, layers = (Target.D2, 1) if one_image else (self.target, self.layers)
        return self._laid_out(size, (level, level), target, layers, relative=one_image)

    def _laid_out(
        self, size: tuple[int, int], levels: tuple[int, int], target: Target, layers: int, *, relative: bool
    ) -> Storage:
        depth, s8 = storage_formats(self.generation, self.format)

        def one(name: str) -> Miptree:
            return miptree(self.generation, target, name, size, layers=layers, levels=levels, relative_cube=relative)

        return Storage(one(depth.name), one(s8.name) if s8 is not None else None, self)


@dataclass(eq=False)
class Storage:
    """Trees in memory; two attachments are on the same tree when they have the same object.

    ``mt`` alone, or depth in it and a separate stencil tree ``s8``.
    """

    mt: Miptree
    s8: Miptree | None
    texture: Texture

    @property
    def packed(self) -> bool:
        """True where depth and stencil are in here together, in one tree or in two."""
        return self.s8 is not None or self.mt.format.packed

    @property
    def stencil_mt(self) -> Miptree:
        """The tree that stencil is in."""
        return self.s8 if self.s8 is not None else self.mt


class Image(NamedTuple):
    """A level and layer of a texture."""

    level: int
    layer: int


@dataclass(eq=False)
class Attachment:
    """A renderbuffer: an image and the storage it is rendered to now, which a move replaces.

    ``name`` is ``depth``, ``stencil`` or ``depth_stencil``.
    """

    name: str
    storage: Storage
    image: Image

    def depth_draw(self) -> tuple[int, int]:
        """Place of the image in the depth tree."""
        return self.storage.mt.place(*self.image)

    def stencil_draw(self) -> tuple[int, int]:
        """Place of the image in the tree that stencil is in."""
        return self.storage.stencil_mt.place(*self.image)


class Framebuffer(NamedTuple):
    """Attachments as they are before the decision; ``stencil`` may be the same object as ``depth``.

    Attributes:
        generation: Of the hardware.
        clear_depth: About to be cleared entirely: the content need not be kept.
        clear_stencil: Stencil is about to be cleared entirely.
        texture: The texture that is attached.
        tree: Its trees, all levels.
    """

    generation: Generation
    depth: Attachment | None
    stencil: Attachment | None
    clear_depth: bool
    clear_stencil: bool
    texture: Texture
    tree: Storage


def framebuffer(
    gen: Generation | str | float,
    target: Target | str,
    format: str,  # noqa: A002 (the field's own word)
    width: int,
    height: int,
    *,
    layers: int = 1,
    levels: int = 1,
    level: int = 0,
    layer: int = 0,
    attach: Attach | str = Attach.DEPTH_ONLY,
    stencil_level: int | None = None,
    stencil_layer: int | None = None,
    clear_depth: bool = False,
    clear_stencil: bool = False,
) -> Framebuffer:
    """Attach an image of a texture for depth, stencil or both.

    Generation 7 and later: the buffers are recorded, and `decide` finds nothing to do.

    Args:
        gen: Of the hardware, 4 to 8.
        target: Of the texture: a `Target`, or the name of one.
        format: Of the texture: one of `OLDER_FORMATS`.
        width: Of its level 0, in pixels.
        height: Of its level 0, in pixels.
        layers: How many it has; a cube has 6.
        levels: How many it has.
        level: Of the depth attachment, or of the only one.
        layer: Of the depth attachment, or of the only one.
        attach: Which attachments there are.
        stencil_level: With ``same_texture``; by default that of depth, and it must be the same.
        stencil_layer: With ``same_texture``; by default that of depth.
        clear_depth: About to be cleared entirely: the content need not be kept.
        clear_stencil: Stencil is about to be cleared entirely.

    Raises:
        ArgumentError: It cannot be attached.
        UnknownName: There is no such target or format.
    """
    gen = generation(gen)
    target, attach = looked_up("target", target, Target), looked_up("attach", attach, Attach)
    stencil_level = level if stencil_level is None else stencil_level
    stencil_layer = layer if stencil_layer is None else stencil_layer
    whole_number("levels", levels, 1, 33)
    texture = Texture(gen, target, format, width, height, layers, levels)
    tree = texture.storage()
    whole_number("level", level, 0, levels - 1)
    whole_number("layer", layer, 0, layers - 1)
    if attach in {Attach.SAME_RENDERBUFFER, Attach.SAME_TEXTURE, Attach.STENCIL_ONLY} and not tree.packed:
        raise ArgumentError("format", format, accepted="a format with stencil (Z24S8, Z32F_S8X24)")
    image = Image(level, layer)
    depth: Attachment | None = Attachment("depth", tree, image)
    stencil: Attachment | None = None
    if attach is Attach.SAME_RENDERBUFFER:
        depth = stencil = Attachment("depth_stencil", tree, image)
    elif attach is Attach.STENCIL_ONLY:
        depth, stencil = None, Attachment("stencil", tree, image)
    elif attach is Attach.SAME_TEXTURE:
        if stencil_level != level:
            raise ArgumentError("stencil_level", stencil_level, accepted=f"{level}, the level of depth")
        whole_number("stencil_layer", stencil_layer, 0, layers - 1)
        stencil = Attachment("stencil", tree, Image(stencil_level, stencil_layer))
    elif attach is Attach.SEPARATE_S8:
        size = texture.level_size(level)
        stencil = Attachment("stencil", Texture(gen, Target.D2, "S8", *size, 1, 1).storage(), Image(0, 0))
    return Framebuffer(gen, depth, stencil, clear_depth, clear_stencil, texture, tree)
