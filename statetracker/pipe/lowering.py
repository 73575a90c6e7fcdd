"""`Lowering`: what no sampler state can express, and the shader must do. One record from GL to the rewrite.

`statetracker.sampler.lowering` makes it of GL's state, `statetracker.vulkan.create_info` of what a create info cannot
express, `statetracker.frontend.convert` joins both, and `statetracker.shader.lower` reads it. It is hashable and in a
shader variant's key, so it holds no number that may change from state to state: those go to the shader as values.

Each member is one kind of work. Work that an axis may need is a member of letters, a set of axes; work that concerns
the whole sampler is a bool. `WrapMasks` is GL_CLAMP's share of a whole stage, as bit masks over sampler indices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["AXES", "NO_LOWERING", "ClampMasks", "Lowering", "WrapMasks", "wrap_masks"]

#: Axes as bits (1 S, 2 T, 4 R) -> as letters.
AXES: Final = ("", "s", "t", "st", "r", "sr", "tr", "str")
_BITS: Final = {letters: bits for bits, letters in enumerate(AXES)}


class Lowering(NamedTuple):
    """What the shader must do for one sampler; ``clamp``, ``mirror`` and ``fold`` are axes, letters of ``str``.

    clamp            axes that wrap with GL_CLAMP: clamp the coordinate to [0, 1] (to [0, size] where
                     ``texel_coords``), after projection; never an array layer
    mirror           axes that wrap with GL_MIRROR_CLAMP_EXT: clamp the coordinate's absolute value likewise
    fold             axes of a mirrored clamp that the device lacks: take the coordinate's absolute value, derivatives
                     before it; the wrap mode does the rest
    texel_coords     the coordinates are texels: a rectangle texture. No work by itself
    normalize        divide the coordinates by the texture's size: the driver has no rectangles
    cube_edges       sample the faces of a cube one by one: the device always looks across edges
    add_lod_bias     add `SamplerCreateInfo.lod_bias_rest`, the part of the LOD bias beyond the device's samplers
    second_sampler   bind `SamplerCreateInfo.depth_border_sampler` for 24-bit depth that the device keeps in floats
    """

    clamp: str = ""
    mirror: str = ""
    fold: str = ""
    texel_coords: bool = False
    normalize: bool = False
    cube_edges: bool = False
    add_lod_bias: bool = False
    second_sampler: bool = False

    @property
    def work(self) -> dict[str, str | bool]:
        """The members that are work to do, by name; empty where the shader has nothing to do."""
        return {name: value for name, value in self._asdict().items() if value and name != "texel_coords"}

    @property
    def needed(self) -> bool:
        """Whether there is any work."""
        return self._replace(texel_coords=False) != NO_LOWERING

    def joined(self, other: Lowering) -> Lowering:
        """The work of both."""
        if other == NO_LOWERING:
            return self
        clamp, mirror, fold = (AXES[_BITS[one] | _BITS[two]] for one, two in zip(self[:3], other[:3], strict=True))
        return Lowering(clamp, mirror, fold, *(one or two for one, two in zip(self[3:], other[3:], strict=True)))

    def __str__(self) -> str:
        """In words: ``clamp st, mirror r, normalize``; ``nothing`` where the shader has nothing to do."""
        words = [f"{name.replace('_', ' ')}{'' if on is True else f' {on}'}" for name, on in self.work.items()]
        if self.texel_coords and (self.clamp or self.mirror):
            words.append("in texels")
        return ", ".join(words) or "nothing"


#: Nothing to do.
NO_LOWERING: Final = Lowering()


class ClampMasks(NamedTuple):
    """A stage's slots whose S, T and R coordinate the shader clamps: bit n is slot n."""

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
        """Both wraps as one triple, which is all that upstream has."""
        return ClampMasks._make(clamp | mirror for clamp, mirror in zip(self.clamp, self.mirror, strict=True))

    @property
    def any(self) -> bool:
        """Whether some bit is set."""
        return self.clamp.any or self.mirror.any


def wrap_masks(slots: Iterable[tuple[int, Lowering]]) -> WrapMasks:
    """Gather the masks of a stage from (slot, lowering) pairs."""
    clamp, mirror = [0, 0, 0], [0, 0, 0]
    for slot, lowering in slots:
        for axes, masks in ((lowering.clamp, clamp), (lowering.mirror, mirror)):
            for axis in axes:
                masks["str".index(axis)] |= 1 << slot
    return WrapMasks(ClampMasks._make(clamp), ClampMasks._make(mirror))
