"""Policies of the depth/stencil alignment decision: which oddities of the recorded routine each has.

See docs/surfaces.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Quirk(NamedTuple):
    """A defect or oddity of the recorded routine.

    what   the routine does, in words
    safe   what the safe policy does instead
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

    level_layer   it does
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
