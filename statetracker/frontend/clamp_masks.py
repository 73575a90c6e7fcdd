"""A stage's clamp masks as a draw would have them, and whether they have changed since the last look.

The masks of a stage follow from its program's sampler indices, the units they sample, what is bound there and how that
wraps. Many calls change one of these; `ClampWatch` compares the masks themselves, which costs a few look-ups a slot and
cannot miss a call. `CLAMP_EVENTS` lists what can change masks and what upstream notices. See docs/rules/lowering.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.frontend.stage_watch import StageWatch
from statetracker.pipe.lowering import WrapMasks, wrap_masks
from statetracker.sampler.dialects import dialect as dialect_named
from statetracker.sampler.shader_work import lowering
from statetracker.shader.variants import VariantKeys

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.gl import Context, Program
    from statetracker.sampler import Dialect


class ClampEvent(NamedTuple):
    """One kind of event that can change a stage's masks.

    event      what happens
    calls      calls that do it
    upstream   the first release of Mesa that then looks again; ``no``: none up to 24.1; empty: not examined
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
    """Give a stage's masks as the next draw would have them; all 0 where the screen does not emulate GL_CLAMP.

    context   the GL context that draws
    program   the program to use; None: the context's current one, or fixed function without one
    """
    needs = []
    for slot in context.slots(stage, program):
        now = context.current(slot.unit, slot.target, shadow=slot.shadow)
        needs.append((slot.index, lowering(now.sampler, now.texture.facts(), screen)))
    return wrap_masks(needs)


class ClampWatch(StageWatch[WrapMasks]):
    """Whether a stage's masks have changed since the last look.

    screen   what the hardware can do: masks are 0 where it has GL_CLAMP

    Ask before a draw; True means: make the stage's variant key anew. A change is never missed.
    """

    __slots__ = ("screen",)

    def __init__(self, screen: Screen) -> None:
        """Start without masks: the first answer for each stage is True."""
        super().__init__()
        self.screen = screen

    def look(self, context: Context, stage: str, program: Program | None) -> WrapMasks:
        """Give a stage's masks: `stage_masks`."""
        return stage_masks(context, stage, self.screen, program)

    def masks(self, stage: str) -> WrapMasks:
        """The masks as last seen; all 0 for a stage that was never looked at."""
        return self._last.get(stage, WrapMasks())


def variant_keys(
    screen: Screen,
    dialect: str | Dialect = "mesa22",
    *,
    compatible: bool = False,
    fragment_bytes: int = 0,
    common_bytes: int = 0,
) -> VariantKeys:
    """Give the way a context on a screen compares its shader variants.

    dialect      the seed compares the bytes before the masks until a mask is seen; later releases all bytes
    compatible   merge GL_CLAMP and GL_MIRROR_CLAMP_EXT into one triple, as upstream does
    fragment_bytes, common_bytes   how many bytes the front end's members take in the fragment key and in the common one

    Raises `UnknownName` for an unknown dialect.
    """
    return VariantKeys(
        emulates=screen.emulate_gl_clamp,
        reduced=dialect_named(dialect).variant_key == "reduced",
        merged=compatible,
        fragment_bytes=fragment_bytes,
        common_bytes=common_bytes,
    )
