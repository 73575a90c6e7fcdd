"""What no sampler state can say, and a shader must make up for.

`Lowering` is one slot's share, hashable, so that it can key shader variants; `ClampMasks` is a stage's three bit masks
over slots. Source: docs/rules/lowering.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.gl.enums import Target, Wrap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.gl.sampler import Sampler

__all__ = ["ClampMasks", "Lowering", "clamp_masks", "lowering"]

_CLAMPS = (int(Wrap.CLAMP), int(Wrap.MIRROR_CLAMP_EXT))
_RECTANGLE = int(Target.TEXTURE_RECTANGLE)


class Lowering(NamedTuple):
    """What the shader must do for one slot.

    saturate_s, saturate_t, saturate_r   clamp that coordinate to [0, 1] (to [0, size] where ``texel_coords``), after
                                         projection; never an array layer
    texel_coords                         the coordinates are texels: a rectangle texture
    normalize_rect                       divide rectangle coordinates by the texture's size: the driver has none
    """

    saturate_s: bool = False
    saturate_t: bool = False
    saturate_r: bool = False
    texel_coords: bool = False
    normalize_rect: bool = False

    @property
    def axes(self) -> int:
        """The axes to saturate as bits: 1 S, 2 T, 4 R."""
        return self.saturate_s | self.saturate_t << 1 | self.saturate_r << 2

    @property
    def needed(self) -> bool:
        """Whether the shader has anything to do."""
        return bool(self.axes or self.normalize_rect)


class ClampMasks(NamedTuple):
    """A stage's slots whose S, T and R coordinate the shader saturates: bit n is slot n."""

    s: int = 0
    t: int = 0
    r: int = 0


def lowering(sampler: Sampler, facts: TextureFacts, screen: Screen) -> Lowering:
    """Say what the shader must do; the clamp bits follow GL's wrap modes, whatever they were lowered to."""
    rectangle = facts.target == _RECTANGLE
    emulated = screen.emulate_gl_clamp
    return Lowering(
        emulated and sampler.wrap_s in _CLAMPS,
        emulated and sampler.wrap_t in _CLAMPS,
        emulated and sampler.wrap_r in _CLAMPS,
        rectangle,
        rectangle and screen.lower_rect_tex,
    )


def clamp_masks(slots: Iterable[tuple[int, Lowering]]) -> ClampMasks:
    """Gather the masks of a stage from (slot, lowering) pairs."""
    s = t = r = 0
    for slot, needs in slots:
        s |= needs.saturate_s << slot
        t |= needs.saturate_t << slot
        r |= needs.saturate_r << slot
    return ClampMasks(s, t, r)
