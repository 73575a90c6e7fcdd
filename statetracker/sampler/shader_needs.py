"""What no sampler state can say, and a shader must make up for.

`Lowering` is one slot's share, hashable, so that it can key shader variants; `WrapMasks` is a stage's, as bit masks
over sampler indices, in two triples: GL_CLAMP and GL_MIRROR_CLAMP_EXT. `ClampMasks` is the two of them as one, which is
all that upstream knows. Source: docs/rules/lowering.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl.enums import Target, Wrap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.gl.sampler import Sampler

__all__ = ["ClampMasks", "Lowering", "WrapMasks", "clamp_masks", "lowering", "wrap_masks"]

#: GL's wrap -> whether the coordinate is saturated where GL_CLAMP is emulated, and whether its absolute value first.
_CLAMPS: Final = {int(Wrap.CLAMP): (True, False), int(Wrap.MIRROR_CLAMP_EXT): (True, True)}
_NEITHER: Final = (False, False)
_LETTERS: Final = ((1, "s"), (2, "t"), (4, "r"))
_FOR_THE_DEVICE: Final = ("cube_edges", "add_lod_bias", "second_sampler")
_RECTANGLE: Final = int(Target.TEXTURE_RECTANGLE)
_BUFFER: Final = int(Target.TEXTURE_BUFFER)


class Lowering(NamedTuple):
    """What the shader must do for one slot.

    saturate_s, saturate_t, saturate_r   clamp that coordinate to [0, 1] (to [0, size] where ``texel_coords``), after
                                         projection; never an array layer
    texel_coords                         the coordinates are texels: a rectangle texture
    normalize_rect                       divide rectangle coordinates by the texture's size: the driver has none
    mirror_s, mirror_t, mirror_r         take that coordinate's absolute value before it is clamped:
                                         GL_MIRROR_CLAMP_EXT; never without the axis's ``saturate``
    fold_s, fold_t, fold_r               take that coordinate's absolute value, derivatives before it; the wrap mode
                                         does the rest: a mirrored clamp that the device lacks
    cube_edges                           sample the faces of a cube one by one: the device cannot but look across edges
    add_lod_bias                         add the part of the LOD bias that the device's samplers may not: how much is
                                         ``result.vulkan.needs.lod_bias``
    second_sampler                       bind ``result.vulkan.depth_border_sampler``: 24-bit depth, kept in floats

    The last four rows are for Vulkan devices; `statetracker.frontend.convert` sets them.
    """

    saturate_s: bool = False
    saturate_t: bool = False
    saturate_r: bool = False
    texel_coords: bool = False
    normalize_rect: bool = False
    mirror_s: bool = False
    mirror_t: bool = False
    mirror_r: bool = False
    fold_s: bool = False
    fold_t: bool = False
    fold_r: bool = False
    cube_edges: bool = False
    add_lod_bias: bool = False
    second_sampler: bool = False

    @property
    def axes(self) -> int:
        """The axes to saturate as bits: 1 S, 2 T, 4 R."""
        return self.saturate_s | self.saturate_t << 1 | self.saturate_r << 2

    @property
    def mirrored(self) -> int:
        """Those of the axes to saturate that are mirrored first, as bits: 1 S, 2 T, 4 R."""
        return self.axes & (self.mirror_s | self.mirror_t << 1 | self.mirror_r << 2)

    @property
    def clamp(self) -> str:
        """The axes that wrap with GL_CLAMP, as letters of ``str``."""
        return _letters(self.axes & ~self.mirrored)

    @property
    def mirror(self) -> str:
        """The axes that wrap with GL_MIRROR_CLAMP_EXT, as letters of ``str``."""
        return _letters(self.mirrored)

    @property
    def folded(self) -> str:
        """The axes whose absolute value is taken for Vulkan, as letters of ``str``."""
        return _letters(self.fold_s | self.fold_t << 1 | self.fold_r << 2)

    @property
    def for_the_device(self) -> list[str]:
        """What else a Vulkan device lacks: which of ``cube_edges``, ``add_lod_bias``, ``second_sampler``."""
        return [name for name in _FOR_THE_DEVICE if getattr(self, name)]

    @property
    def needed(self) -> bool:
        """Whether the shader, or whoever binds the sampler, has anything to do."""
        return bool(self.axes or self.normalize_rect or self.folded or self.for_the_device)

    @property
    def merged(self) -> Lowering:
        """The same as upstream has it: mirrored axes are saturated like the others, and lose their negative half."""
        return self._replace(mirror_s=False, mirror_t=False, mirror_r=False)

    def __str__(self) -> str:
        """In words: ``clamp st, mirror-clamp r, normalize rect``; ``nothing`` where the shader has nothing to do."""
        words = [f"{word} {axes}" for word, axes in (("clamp", self.clamp), ("mirror-clamp", self.mirror)) if axes]
        if self.texel_coords and words:
            words.append("in texels")
        if self.normalize_rect:
            words.append("normalize rect")
        if self.folded:
            words.append(f"fold {self.folded}")
        words += [name.replace("_", " ") for name in self.for_the_device]
        return ", ".join(words) or "nothing"


class ClampMasks(NamedTuple):
    """A stage's slots whose S, T and R coordinate the shader saturates: bit n is slot n."""

    s: int = 0
    t: int = 0
    r: int = 0

    @property
    def any(self) -> bool:
        """Whether some bit is set."""
        return bool(self.s | self.t | self.r)


class WrapMasks(NamedTuple):
    """A stage's masks by wrap: bit n is the sampler index n, whatever unit it samples. No bit is in both triples.

    clamp    slots that wrap with GL_CLAMP
    mirror   slots that wrap with GL_MIRROR_CLAMP_EXT
    """

    clamp: ClampMasks = ClampMasks()
    mirror: ClampMasks = ClampMasks()

    @property
    def merged(self) -> ClampMasks:
        """The one triple that upstream has."""
        return ClampMasks._make(clamp | mirror for clamp, mirror in zip(self.clamp, self.mirror, strict=True))

    @property
    def any(self) -> bool:
        """Whether some bit is set."""
        return self.clamp.any or self.mirror.any


def lowering(sampler: Sampler, facts: TextureFacts, screen: Screen) -> Lowering:
    """Say what the shader must do; the clamp bits follow GL's wrap modes, whatever they were lowered to.

    Filters and the texture's dimensions do not count: the rewrite ignores surplus axes. A buffer texture has no sampler
    unless the screen says so.
    """
    rectangle = facts.target == _RECTANGLE
    normalize = rectangle and screen.lower_rect_tex
    if not screen.emulate_gl_clamp or (facts.target == _BUFFER and not screen.texture_buffer_sampler):
        return Lowering(texel_coords=rectangle, normalize_rect=normalize)
    s, mirror_s = _CLAMPS.get(sampler.wrap_s, _NEITHER)
    t, mirror_t = _CLAMPS.get(sampler.wrap_t, _NEITHER)
    r, mirror_r = _CLAMPS.get(sampler.wrap_r, _NEITHER)
    return Lowering(s, t, r, rectangle, normalize, mirror_s, mirror_t, mirror_r)


def wrap_masks(slots: Iterable[tuple[int, Lowering]]) -> WrapMasks:
    """Gather the masks of a stage from (slot, lowering) pairs, each wrap for itself."""
    clamp, mirror = [0, 0, 0], [0, 0, 0]
    for slot, needs in slots:
        mirrored = needs.mirrored
        clamped = needs.axes & ~mirrored
        for axis in range(3):
            clamp[axis] |= (clamped >> axis & 1) << slot
            mirror[axis] |= (mirrored >> axis & 1) << slot
    return WrapMasks(ClampMasks._make(clamp), ClampMasks._make(mirror))


def clamp_masks(slots: Iterable[tuple[int, Lowering]]) -> ClampMasks:
    """Gather the masks of a stage from (slot, lowering) pairs, both wraps as one."""
    return wrap_masks(slots).merged


def _letters(axes: int) -> str:
    return "".join(letter for bit, letter in _LETTERS if axes & bit)
