"""GL_CLAMP that no sampler can be, even with the shader's help: which half is off, and by how much at most.

Emulated GL_CLAMP is CLAMP_TO_BORDER where a filter is LINEAR and CLAMP_TO_EDGE where it is NEAREST, and a sampler has
one wrap for both its filters. So with mixed filters one half is off, and a gather, which always reads the texels of
linear filtering, is off with NEAREST ones. Source: docs/rules/lowering.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.gl.enums import Target
from statetracker.pipe.enums import TexCompare, TexFilter, TexReduction
from statetracker.pipe.wraps import WRAPS
from statetracker.sampler.conversion import lowering

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.gl.sampler import Sampler
    from statetracker.pipe import Lowering, SamplerState

#: Target -> axes that wrap, and whether it can be gathered from. Others are not sampled with a wrap.
AXES: Final[dict[int, tuple[int, bool]]] = {
    Target.TEXTURE_1D: (1, False),
    Target.TEXTURE_1D_ARRAY: (1, False),
    Target.TEXTURE_2D: (2, True),
    Target.TEXTURE_2D_ARRAY: (2, True),
    Target.TEXTURE_RECTANGLE: (2, True),
    Target.TEXTURE_EXTERNAL_OES: (2, False),
    Target.TEXTURE_3D: (3, False),
    Target.TEXTURE_CUBE_MAP: (2, True),
    Target.TEXTURE_CUBE_MAP_ARRAY: (2, True),
}
_CUBES: Final = (Target.TEXTURE_CUBE_MAP, Target.TEXTURE_CUBE_MAP_ARRAY)

#: What is read -> where, and what GL does there.
_STORIES: Final = {
    "edge": "reads the edge texel alone where GL mixes in the border",
    "border": "reads the border where GL reads the edge texel",
    "gather": "reads the edge texel where GL gathers the border",
}


class UnsupportedClamp(NamedTuple):
    """One half of a sampler's uses that is not GL_CLAMP.

    Attributes:
        half: ``minify``, ``magnify`` or ``gather``.
        axes: The clamped axes, letters of ``str``; off within half a texel of their edges and beyond.
        reads: ``edge`` or ``border``: what the sampler reads there.
        share: The error is at most this share of the distance between border and edge texel, 0.5 to 1.
        compares: The sampler compares: what is mixed are results from 0 to 1, not texels.
    """

    half: str
    axes: str
    reads: str
    share: float
    compares: bool = False

    @property
    def formula(self) -> str:
        """The bound as a formula, for each component of what is sampled."""
        share = "" if self.share == 1.0 else f"{self.share:g} * "
        return f"{share}1" if self.compares else f"{share}|border - edge texel|"

    def at_most(
        self, border: Sequence[float] = (0.0, 0.0, 0.0, 0.0), texels: tuple[float, float] = (0.0, 1.0)
    ) -> float:
        """Return the bound as a number, over all components.

        Args:
            border: The border colour's components that are sampled, in the texels' unit (decoded from sRGB).
            texels: Smallest and largest value that a texel can have.

        Returns:
            The largest error; NaN where one of the numbers is NaN.

        Raises:
            ArgumentError: A range that is the wrong way round, or a border without components.
        """
        low, high = texels
        if low > high:
            raise ArgumentError("texels", texels, accepted="(smallest, largest)")
        if not border:
            raise ArgumentError("border", border, accepted="one component or more")
        if self.compares:
            return self.share
        distances = [abs(one - end) for one in border for end in texels]
        if any(distance != distance for distance in distances):  # noqa: PLR0124 (the test for NaN)
            return float("nan")
        return self.share * max(distances)

    @property
    def name(self) -> str:
        """``clamp-minify``, ``clamp-magnify`` or ``clamp-gather``."""
        return f"clamp-{self.half}"

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON, with the bound as a formula."""
        return {**self._asdict(), "at_most": self.formula}

    def __str__(self) -> str:
        """One line: which half, what it reads, by how much it is off."""
        story = _STORIES["gather" if self.half == "gather" else self.reads]
        return f"{self.half} ({self.axes}): {story}; off by at most {self.formula}"


def unsupported_clamps(
    sampler: Sampler, facts: TextureFacts, screen: Screen, state: SamplerState
) -> tuple[UnsupportedClamp, ...]:
    """Return the halves of a converted sampler that are off; none where GL_CLAMP is not emulated or not used.

    With n clamped axes linear filtering mixes in up to 1 - 1/2^n of the border (at a corner), so this is the share
    where the edge is read alone; with a minimum or maximum in place of the mean it is 1.

    Args:
        sampler: As GL has it.
        facts: Of the texture: its target counts alone.
        screen: The one that it was converted for.
        state: What the sampler and the texture became on the screen. The filters that count are its own: that a
            format's filter was turned to NEAREST is another matter.
    """
    return clamp_halves(lowering(sampler, facts, screen), facts, state)


def clamp_halves(asked: Lowering, facts: TextureFacts, state: SamplerState) -> tuple[UnsupportedClamp, ...]:
    """Return the same of a sampler whose lowering is known."""
    count, gathers = AXES.get(facts.target, (0, False))
    if facts.target in _CUBES and state.seamless_cube_map:
        count = 0
    axes = "".join(axis for axis in "str"[:count] if axis in asked.clamp + asked.mirror)
    if not axes:
        return ()
    border = WRAPS[getattr(state, f"wrap_{axes[0]}")].reads_border
    weighted = state.reduction_mode == TexReduction.WEIGHTED_AVERAGE
    compares = state.compare_mode == TexCompare.R_TO_TEXTURE
    halves = []
    for half, kept in (("minify", state.min_img_filter), ("magnify", state.mag_img_filter)):
        if border and kept == TexFilter.NEAREST:
            halves.append(UnsupportedClamp(half, axes, "border", 1.0, compares))
        elif not border and kept == TexFilter.LINEAR:
            halves.append(UnsupportedClamp(half, axes, "edge", 1 - 0.5 ** len(axes) if weighted else 1.0, compares))
    if gathers and not border:
        halves.append(UnsupportedClamp("gather", axes, "edge", 1.0, compares))
    return tuple(halves)
