"""Watches: has what a stage's shader depends on changed since the last look: its clamp masks, its stencil samplers?

`ClampWatch` compares the masks themselves, which costs a few look-ups a slot and cannot miss a call; `CLAMP_EVENTS`
lists what can change them (docs/rules/lowering.md). `StencilWatch` notices a call that switches what is part of the
shader that reads W-tiled stencil: mode, texture, view, samples, wrap and border (docs/stencil.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from statetracker.gl.enums import Wrap
from statetracker.pipe.lowering import WrapMasks, wrap_masks
from statetracker.sampler.conversion import lowering
from statetracker.sampler.dialects import dialect as dialect_named
from statetracker.shader.stencil import StencilKey
from statetracker.shader.variants import VariantKeys
from statetracker.spellings import STAGES, stage_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.caps import Screen
    from statetracker.gl import Context, Program, Sampler, Texture
    from statetracker.sampler import Dialect

Seen = TypeVar("Seen")


class StageWatch(Generic[Seen]):
    """A watch on a stage's values, for changes since the last look.

    Ask before a draw; True means: make the stage's variant key anew. A change is never missed, and the first answer for
    each stage is True. ``context`` is the GL context that draws, ``program`` its program; None: the current one.
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: dict[str, Seen] = {}

    def look(self, context: Context, stage: str, program: Program | None) -> Seen:
        """Return a stage's values as the next draw would have them."""
        raise NotImplementedError

    def changed(self, context: Context, stage: str, program: Program | None = None) -> bool:
        """Look at a context's stage (of a program, by default the current one)."""
        return self.see(stage, self.look(context, stage, program))

    def changed_stages(self, context: Context) -> list[str]:
        """Look at all six stages; those whose values have changed, in pipeline order."""
        return [stage for stage in STAGES if self.changed(context, stage)]

    def see(self, stage: str, values: Seen) -> bool:
        """Take a stage's values from elsewhere, such as `BoundStage.masks`; whether they differ from the last."""
        try:
            known = self._last[stage] == values
        except KeyError:
            stage = stage_named(stage)
            known = stage in self._last and self._last[stage] == values
        self._last[stage] = values
        return not known


class ClampEvent(NamedTuple):
    """One kind of event that can change a stage's masks.

    Attributes:
        event: What happens.
        calls: Calls that do it.
        upstream: The first release of Mesa that then looks again; ``no``: none up to 24.1; empty: not examined.
    """

    event: str
    calls: tuple[str, ...]
    upstream: str


# fmt: off
#: Source: docs/rules/lowering.md (Mesa 21.2, 22.3 and 24.1; the sampler object's case recorded live on 22.3.6).
CLAMP_EVENTS: Final = (
    ClampEvent("a wrap of the texture, from or to a clamp", ("glTexParameteri", "glTextureParameteri"), "21.2"),
    ClampEvent("a wrap of the sampler object, likewise",    ("glSamplerParameteri",),                   "21.2"),
    ClampEvent("another texture on the unit",               ("glBindTexture", "glBindTextures"),        "22.3"),
    ClampEvent("another program",                           ("glUseProgram",),                          "21.2"),
    ClampEvent("another sampler object, or none",           ("glBindSampler", "glBindSamplers"),        "no"),
    ClampEvent("the texture's state is restored",           ("glPopAttrib",),                           "no"),
    ClampEvent("the bound sampler object is deleted",       ("glDeleteSamplers",),                      "no"),
    ClampEvent("a sampler uniform names another unit",      ("glUniform1i", "glUniform1iv", "glProgramUniform1i"), ""),
    ClampEvent("the bound texture is deleted",              ("glDeleteTextures",),                      ""),
    ClampEvent("the texture is complete now, or no more",   ("glTexImage2D", "glTexParameteri"),        ""),
)
# fmt: on


def stage_masks(context: Context, stage: str, screen: Screen, program: Program | None = None) -> WrapMasks:
    """Return a stage's masks as the next draw would have them; all 0 where the screen does not emulate GL_CLAMP.

    Args:
        context: The GL context that draws.
        stage: A name of `cso.STAGES`.
        screen: What the hardware can do.
        program: The program to use; None: the context's current one, or fixed function without one.
    """
    needs = []
    for slot in context.slots(stage, program):
        now = context.current(slot.unit, slot.target, shadow=slot.shadow)
        needs.append((slot.index, lowering(now.sampler, now.texture.facts(), screen)))
    return wrap_masks(needs)


class ClampWatch(StageWatch[WrapMasks]):
    """A watch on a stage's masks, for changes since the last look.

    Ask before a draw; True means: make the stage's variant key anew. A change is never missed, and the first answer for
    each stage is True.

    Args:
        screen: What the hardware can do: masks are 0 where it has GL_CLAMP.
    """

    __slots__ = ("screen",)

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        self.screen = screen

    def look(self, context: Context, stage: str, program: Program | None) -> WrapMasks:
        """Return a stage's masks: `stage_masks`."""
        return stage_masks(context, stage, self.screen, program)

    def masks(self, stage: str) -> WrapMasks:
        """Return the masks as last seen; all 0 for a stage that was never looked at."""
        return self._last.get(stage_named(stage), WrapMasks())


def variant_keys(
    screen: Screen,
    dialect: str | Dialect = "mesa22",
    *,
    compatible: bool = False,
    fragment_bytes: int = 0,
    common_bytes: int = 0,
) -> VariantKeys:
    """Return the way a context on a screen compares its shader variants.

    Args:
        screen: What the hardware can do.
        dialect: The seed compares the bytes before the masks until a mask is seen; later releases all bytes.
        compatible: Merge GL_CLAMP and GL_MIRROR_CLAMP_EXT into one triple, as upstream does.
        fragment_bytes: How many bytes the front end's members take in the fragment key.
        common_bytes: How many they take in every other stage's key.

    Raises:
        UnknownName: An unknown dialect.
    """
    return VariantKeys(
        emulates=screen.emulate_gl_clamp,
        reduced=dialect_named(dialect).variant_key == "reduced",
        merged=compatible,
        fragment_bytes=fragment_bytes,
        common_bytes=common_bytes,
    )


#: Wraps that are another one where filters are nearest, which those of stencil are.
_AS_NEAREST: Final = {Wrap.CLAMP: Wrap.CLAMP_TO_EDGE, Wrap.MIRROR_CLAMP_EXT: Wrap.MIRROR_CLAMP_TO_EDGE}
_LARGEST: Final = 255


def stage_stencil(
    context: Context, stage: str, described: Callable[[Texture], StencilKey | None], program: Program | None = None
) -> dict[int, StencilKey]:
    """Return the slots of a stage that sample stencil in the next draw, each with what `lower_stencil` takes.

    A wrap that the rewrite lacks (MIRROR_CLAMP_TO_BORDER_EXT) is passed on: `lower_stencil` refuses it by name.

    Args:
        context: The GL context that draws.
        stage: A name of `cso.STAGES`.
        described: The samples and view of a texture, as ``StencilKey.of(override(tree), samples)``; None where the
            hardware reads its stencil by itself. Wraps and border are those of the sampler.
        program: The program to use; None: the context's current one, or fixed function without one.
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
    """A watch on a stage's slots that sample stencil, and how, for changes since the last look.

    Ask before a draw; True means: the shader has to be rewritten for other images. `stage_stencil` says by what.
    The first answer for each stage is True.
    """

    __slots__ = ("described",)

    def __init__(self, described: Callable[[Texture], StencilKey | None]) -> None:
        super().__init__()
        self.described = described

    def look(self, context: Context, stage: str, program: Program | None) -> dict[int, StencilKey]:
        """Return the slots of a stage that sample stencil: `stage_stencil`."""
        return stage_stencil(context, stage, self.described, program)

    def keys(self, stage: str) -> dict[int, StencilKey]:
        """Return the slots as last seen; none for a stage that was never looked at."""
        return self._last.get(stage_named(stage), {})
