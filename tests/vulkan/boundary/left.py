"""What is left: what sampler and shader together do not do as GL asks, by kind.

A kind that is in `KINDS` may be left, for the reason that stands there. Anything else is refused: a loss that is said
of a conversion or a rewrite and is of no kind, and what was dropped without a word.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import statetracker as st
from statetracker.frontend.vulkan_view import whole_screen
from statetracker.gl import Target
from tests.vulkan.boundary.account import Conversion, dropped
from tests.vulkan.boundary.forms import notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statetracker.frontend.result import Result
    from tests.vulkan.boundary.states import GlState

__all__ = ["KINDS", "Kind", "kind_of", "left_of", "refused"]


class Kind(NamedTuple):
    """A kind of loss that may be left.

    Attributes:
        means: What differs.
        because: Why neither a sampler nor a shader can do it, or how exact it is.
        says: How the texts begin that say it, as patterns: remarks and refusals of a rewrite, ``name: because`` of an
            `Unsupported`.
    """

    means: str
    because: str
    says: tuple[str, ...]


_OWN: Final = "impossible: which samples a device takes along a gradient is its own"

#: Name -> kind. The reasons are those of docs/shader_lowering.md, "What is not exact".
KINDS: Final[Mapping[str, Kind]] = {
    "less anisotropy": Kind(
        "fewer samples along the gradient than asked for, or one",
        "impossible: the device takes no more, and GL's own limit, GL_MAX_TEXTURE_MAX_ANISOTROPY, is the device's",
        ("anisotropy: the device (allows no more|has none)$",),
    ),
    "anisotropy of texels": Kind(
        "one sample, of texels that the shader filters or reduces, or of a format that the device does not filter",
        _OWN,
        (
            "anisotropy: .*; the shader reduces$",
            "anisotropy: (the device does not filter .*|.* cannot be filtered)$",
            "anisotropy: the shader (mixes in the border|samples the faces of a cube)$",
            "anisotropy is lost: the shader filters$",
        ),
    ),
    "anisotropy at a border": Kind(
        "how much of the border is mixed in",
        _OWN,
        ("anisotropy at a border: ",),
    ),
    "anisotropy at edges of faces": Kind(
        "one sample, where a cube that is not seamless is filtered at an edge",
        _OWN,
        ("anisotropy is lost at the edges of a cube's faces$",),
    ),
    "anisotropy of whole levels": Kind(
        "one sample, of each of two levels",
        "impossible: only an explicit LOD takes one level, for limits between levels and for a folded offset",
        ("anisotropy is lost: the (limits of its level of detail are no|offset is folded at) whole levels$",),
    ),
    "level of gradients": Kind(
        "the weight of a border, or of the edge of a face, between levels",
        "within the device's precision of levels: what it makes of given gradients, and on a cube, cannot be asked",
        ("its level of detail comes of gradients: ",),
    ),
    "bias of gradients": Kind(
        "the level of detail, where the rest of a bias is no whole level",
        "within the device's precision of levels: what it makes of given gradients cannot be asked",
        ("its LOD bias scales gradients: ",),
    ),
    "residency": Kind(
        "the residency code of a sparse sample",
        "impossible: a code is of the texels that the device reads",
        ("the residency code is ",),
    ),
    "gather above level 0": Kind(
        "the level that a cube that is not seamless is gathered from, where the state's least level is above 0",
        "impossible: a gather takes level 0, and the samples in its place obey the sampler's limits",
        ("its four texels are sampled at level 0: ",),
    ),
    "YCbCr in one view": Kind(
        "all: such a view is no texture of this sampler",
        "impossible: Vulkan fixes a conversion with the set's layout; planes in views of their own lose nothing",
        ("conversion: Vulkan samples .* only so; ",),
    ),
    "integers with linear filters": Kind(
        "nothing that GL defines: nearest filters, or the instruction as it stands",
        "GL calls the texture incomplete",
        ("its texels are integers, and GL calls them incomplete ", "filtering: the device does not filter .*_[US]INT$"),
    ),
}
_SAYS: Final = {name: re.compile("|".join(kind.says)) for name, kind in KINDS.items()}


@cache
def kind_of(text: str) -> str:
    """The kind of a text, or the text itself: it is of none."""
    return next((name for name, says in _SAYS.items() if says.match(text)), text)


def refused(kinds: Iterable[str]) -> list[str]:
    """Those that may not be left."""
    return [kind for kind in kinds if kind not in KINDS]


def left_of(state: GlState, screen: st.Screen, result: Result) -> dict[str, frozenset[str]]:
    """Kind of loss -> the forms of sampling that have it; no form where the sampler itself has it.

    ``state``: what was converted natively for ``screen``, to ``result``.
    """
    sampler, texture, seamless, glsl130 = state
    asked = st.convert(sampler, texture, whole_screen(screen), seamless=seamless, glsl130=glsl130).pipe
    rectangle = texture.target == Target.TEXTURE_RECTANGLE
    info, work = result.vulkan, result.lowering
    whole = Conversion(asked, rectangle, info, work, result.lowering_values, result.view, screen)
    left: dict[str, frozenset[str]] = {f"dropped: {name}": frozenset() for name in dropped(whole)}
    for text, forms in notes(work, texture.target, integer=whole.integer).items():
        left[kind_of(text)] = left.get(kind_of(text), frozenset()) | forms
    return left | {kind_of(f"{one.name}: {one.because}"): frozenset() for one in info.unsupported}
