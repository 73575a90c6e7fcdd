"""What the rules of the eight words after word 0 do: for each row of `statetracker.sampler.rules` one function.

Each looks at a `Situation` and answers with a function from draft to draft, or None where the rule has nothing to do.
Word 0 is settled by then: `BORDER_USED` above it says whether a wrap reads the border colour.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.gl.floats import f32
from statetracker.sampler.gl_side import BORDER_USED, SKIPS_DECODE, RecordDraft, quantize_lod_bias

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.sampler.situation import Situation

__all__ = [
    "CONSTANTS",
    "add_unit_bias",
    "drop_unused_border",
    "floor_min_lod",
    "quantise_bias",
    "quantise_sum",
    "rearrange_border",
    "swap_lods",
    "tell_format",
]

#: A draft as the rules before left it -> the same, changed.
TailStep: TypeAlias = "Callable[[RecordDraft], RecordDraft]"

#: What selectors pick beside the border colour's four words: 0, 1.0 and the integer 1.
CONSTANTS: Final = (0, 0x3F800000, 1)


def quantise_bias(s: Situation) -> TailStep | None:
    """The sampler's LOD bias on its own."""
    if s.dialect.bias_rule != "quantise_then_sum":
        return None
    return lambda d: d._replace(lod_bias=quantize_lod_bias(d.lod_bias))


def add_unit_bias(s: Situation) -> TailStep | None:
    """The unit's LOD bias, which is on the grid too: the sum may be as large as 32 levels."""
    if s.dialect.bias_rule != "quantise_then_sum":
        return None
    return lambda d: d._replace(lod_bias=d.lod_bias + quantize_lod_bias(d.unit_lod_bias))


def quantise_sum(s: Situation) -> TailStep | None:
    """Both LOD biases as set, added before they are quantised once."""
    if s.dialect.bias_rule != "sum_then_quantise":
        return None
    return lambda d: d._replace(lod_bias=quantize_lod_bias(f32(d.lod_bias + d.unit_lod_bias)))


def floor_min_lod(_: Situation) -> TailStep:
    """NaN, -0.0 and what is negative become 0.0."""
    return lambda d: d if d.min_lod > 0.0 else d._replace(min_lod=0.0)


def swap_lods(s: Situation) -> TailStep | None:
    """NaN never swaps; a swap can make min_lod negative."""
    if not s.dialect.swap_lods:
        return None
    return lambda d: d._replace(min_lod=d.max_lod, max_lod=d.min_lod) if d.max_lod < d.min_lod else d


def rearrange_border(s: Situation, rule: str) -> TailStep | None:
    """The components that the sampler sees, by one of the three rules: the situation says which."""
    if s.border_rule != rule or s.picked == (0, 1, 2, 3):
        return None
    pick = itemgetter(*s.picked)
    return lambda d: d._replace(border_color=pick(d.border_color + CONSTANTS)) if d.word & BORDER_USED else d


def drop_unused_border(s: Situation) -> TailStep | None:
    """Zeros where no wrap reads it."""
    if s.dialect.keep_unused_border:
        return None
    return lambda d: d if d.word & BORDER_USED else d._replace(border_color=(0, 0, 0, 0))


def tell_format(s: Situation) -> TailStep | None:
    """The format of the view."""
    if s.formats == (0, 0):
        return None

    def step(d: RecordDraft) -> RecordDraft:
        told = s.formats[d.word & SKIPS_DECODE != 0]
        return d._replace(border_color_format=told) if d.word & BORDER_USED else d

    return step
