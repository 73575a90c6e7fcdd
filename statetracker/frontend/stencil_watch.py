"""Which slots of a stage sample stencil that hardware cannot read, and whether that has changed since the last look.

DEPTH_STENCIL_TEXTURE_MODE, another texture or texture view on the unit, its number of samples, the wrap and the border
are all part of the shader that reads W-tiled stencil; a call that switches one of them needs another variant. See
docs/stencil.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.frontend.stage_watch import StageWatch
from statetracker.gl.enums import Wrap
from statetracker.shader.stencil_request import StencilKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.gl import Context, Program, Sampler, Texture

#: Wraps that are another one where filters are nearest, which those of stencil are.
_AS_NEAREST: Final = {Wrap.CLAMP: Wrap.CLAMP_TO_EDGE, Wrap.MIRROR_CLAMP_EXT: Wrap.MIRROR_CLAMP_TO_EDGE}
_LARGEST: Final = 255


def stage_stencil(
    context: Context, stage: str, described: Callable[[Texture], StencilKey | None], program: Program | None = None
) -> dict[int, StencilKey]:
    """Give the slots of a stage that sample stencil in the next draw, each with what `lower_stencil` takes.

    described   the samples and view of a texture, as ``StencilKey.of(override(tree), samples)``; None where the
                hardware reads its stencil by itself. Wraps and border are those of the sampler
    program     the program to use; None: the context's current one, or fixed function without one

    A wrap that the rewrite lacks (MIRROR_CLAMP_TO_BORDER_EXT) is passed on: `lower_stencil` refuses it by name.
    """
    keys = {}
    for slot in context.slots(stage, program):
        now = context.current(slot.unit, slot.target, shadow=slot.shadow)
        facts = now.texture.facts()
        if facts.base_format == "STENCIL_INDEX" or (facts.base_format == "DEPTH_STENCIL" and facts.stencil_sampling):
            key = described(now.texture)
            if key is not None:
                keys[slot.index] = _sampled(key, now.sampler)
    return keys


def _sampled(key: StencilKey, sampler: Sampler) -> StencilKey:
    s, t = (_AS_NEAREST.get(Wrap(wrap), Wrap(wrap)) for wrap in (sampler.wrap_s, sampler.wrap_t))
    words = [wrap.name.removesuffix("_EXT").lower().replace("_", "-") for wrap in (s, t)]
    border = min(sampler.border_color[0], _LARGEST) if Wrap.CLAMP_TO_BORDER in (s, t) else 0
    return key._replace(wrap_s=words[0], wrap_t=words[1], border=border)


class StencilWatch(StageWatch[dict[int, StencilKey]]):
    """Whether the slots of a stage that sample stencil, or how they do, have changed since the last look.

    Ask before a draw; True means: the shader has to be rewritten for other images. `stage_stencil` says by what.
    """

    __slots__ = ("described",)

    def __init__(self, described: Callable[[Texture], StencilKey | None]) -> None:
        """Start without slots: the first answer for each stage is True."""
        super().__init__()
        self.described = described

    def look(self, context: Context, stage: str, program: Program | None) -> dict[int, StencilKey]:
        """Give the slots of a stage that sample stencil: `stage_stencil`."""
        return stage_stencil(context, stage, self.described, program)

    def keys(self, stage: str) -> dict[int, StencilKey]:
        """The slots as last seen; none for a stage that was never looked at."""
        return self._last.get(stage, {})
