"""`ConversionKey`: all that the rules look at which does not change from sampler to sampler.

A screen, a dialect, a texture's facts and the program's way to it; what follows from them is worked out once, here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.facts import IDENTITY_SWIZZLE, UNIT
from statetracker.pipe.formats import pipe_format, sampler_view_format
from statetracker.sampler.tables import (
    BORDER_TRANSLATION,
    DEPTH_SWIZZLE,
    FORMAT_SWIZZLE,
    ONE,
    STENCIL_REPLICATED,
    ZERO,
    Selectors,
)

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts, UnitFacts
    from statetracker.pipe.formats import PipeFormat
    from statetracker.sampler.dialects import Dialect

_DEPTH: Final = ("DEPTH_COMPONENT", "DEPTH_STENCIL", "STENCIL_INDEX")


class ConversionKey:
    """Screen, dialect, texture facts, and of the unit's facts all but its LOD bias and seamless switch; what follows.

    Args:
        screen: What the hardware can do.
        dialect: Whose rules.
        facts: Of the texture.
        unit: Its unit's facts.

    Attributes:
        glsl130: The program is GLSL 1.30 or later; every handle counts as such.
        view_format: The pipe format that is sampled, without prefix.
        linear: The screen can filter it linearly (without a hook every format can be).
        depth_kept: Unfilterable depth that the screen treats by comparing with ALWAYS.
        demoted_unless_comparing: Unfilterable depth that the screen filters only while comparing.
        can_compare: Comparing is possible: depth, not sampled as stencil.
        border_is_integer: The border colour's words are integers.
        border_rule: What rearranges the border colour: translation, swizzle or alpha-not-w.
        border_selectors: Which component each border component comes from.
        formats: border_color_format: of a sampler that decodes sRGB, and of one that skips it.
    """

    def __init__(self, screen: Screen, dialect: Dialect, facts: TextureFacts, unit: UnitFacts = UNIT) -> None:
        self.screen = screen
        self.dialect = dialect
        self.facts = facts
        self.bindless = unit.bindless
        self.glsl130 = unit.glsl130 or unit.bindless
        base = facts.base_format
        stencil_depth = facts.stencil_sampling and base == "DEPTH_STENCIL"
        self.can_compare = base == "DEPTH_COMPONENT" or (base == "DEPTH_STENCIL" and not facts.stencil_sampling)
        only_depth_stencil = dialect.stencil_integer == "depth_stencil_only"
        samples_stencil = stencil_depth if only_depth_stencil else facts.stencil_sampling
        self.border_base = "STENCIL_INDEX" if samples_stencil else base
        stencil_counts = dialect.stencil_integer != "no" and self.border_base == "STENCIL_INDEX"
        self.border_is_integer = facts.is_integer or stencil_counts
        self._filtering()
        self._border()

    def _resource(self) -> str:
        facts = self.facts
        return facts.storage_format or self.screen.stores(facts.internal_format)

    def _filtering(self) -> None:
        screen = self.screen
        self.linear, self.depth_kept, self.demoted_unless_comparing = True, False, False
        self.view_format = self.facts.surface_format or self.facts.internal_format
        if screen.linear_filtering is None:
            return
        resource = self._resource()
        self.view_format = self.facts.surface_format or self._viewed(resource)
        self.linear = screen.filters(self.view_format, resource)
        has_depth = pipe_format(self.view_format).has_depth
        self.depth_kept = has_depth and screen.unfilterable_depth == "always-compare"
        when_comparing = screen.unfilterable_depth == "when-comparing"
        self.demoted_unless_comparing = has_depth and not self.linear and when_comparing

    def _viewed(self, resource: str) -> str:
        """Return the current sampler view's format where there is one and the dialect asks; else the resource's."""
        facts = self.facts
        if self.dialect.hook_format != "view" or facts.view_swizzle is None:
            return resource
        base, stencil = facts.base_format, facts.stencil_sampling
        fmt = sampler_view_format(resource, base_format=base, stencil_sampling=stencil, skip_decode=False)
        return fmt.name if fmt.number else resource

    def _border(self) -> None:
        screen, members = self.screen, self.dialect.members
        self.formats = (0, 0)
        self.border_rule = "translation"
        self.border_selectors = self._translation()
        if screen.apply_texture_swizzle_to_border_color:
            self.border_rule = "swizzle"
            self.border_selectors = self._swizzled(self.border_selectors)
            return
        alpha_not_w = screen.alpha_border_color_is_not_w and self.dialect.alpha_not_w
        if members != "all" or not (screen.use_format_with_border_color or alpha_not_w):
            return
        plain, skipped = (self._sampler_view(skip) for skip in (False, self.bindless))
        if screen.use_format_with_border_color:
            self.formats = (plain.number, skipped.number)
        if alpha_not_w and (plain.is_alpha or plain.is_luminance_alpha):
            self.border_rule = "alpha-not-w"
            self.border_selectors = (3, 1, 2, 3) if plain.is_alpha else (0, 3, 2, 3)

    def _sampler_view(self, skip: bool) -> PipeFormat:  # noqa: FBT001 (one of two values)
        facts = self.facts
        depth_alone = facts.base_format == "DEPTH_COMPONENT" and self.dialect.stencil_view == "depth_stencil"
        return sampler_view_format(
            self._resource(),
            base_format=facts.base_format,
            stencil_sampling=facts.stencil_sampling and not depth_alone,
            skip_decode=skip,
            surface=facts.surface_format,
        )

    def _translation(self) -> Selectors:
        if self.border_base == "STENCIL_INDEX":
            replicated = self.border_is_integer == (self.dialect.stencil_replicate == "integer")
            return STENCIL_REPLICATED if replicated else BORDER_TRANSLATION["STENCIL_INDEX"]
        return BORDER_TRANSLATION.get(self.border_base, BORDER_TRANSLATION["RGBA"])

    def _swizzled(self, colour: Selectors) -> Selectors:
        if self.dialect.swizzle_source == "view":
            swizzle = self.facts.view_swizzle or IDENTITY_SWIZZLE
        else:
            swizzle = composed_swizzle(self.facts, glsl130=self.glsl130)
        x, y, z, w = (colour[s] if s < ZERO else ONE if s == ONE else ZERO for s in swizzle)
        return x, y, z, w

    @property
    def picked(self) -> tuple[int, int, int, int]:
        """The border selectors as indices into the border colour's words and `CONSTANTS`."""
        one = 6 if self.border_is_integer else 5
        x, y, z, w = (one if s == ONE else s for s in self.border_selectors)
        return x, y, z, w

    @property
    def border_picture(self) -> str:
        """The border selectors for people: ``(x, x, x, 1)``."""
        return f"({', '.join('xyzw01'[selector] for selector in self.border_selectors)})"


def with_default_view(facts: TextureFacts, dialect: Dialect, *, glsl130: bool) -> TextureFacts:
    """Return a texture's facts as a draw has them: where the dialect asks the current view, there is one.

    A view that is not given shows what the program sees: format, DEPTH_TEXTURE_MODE and GL's swizzle, composed.
    """
    if dialect.swizzle_source != "view" or facts.view_swizzle is not None:
        return facts
    return facts.replace(view_swizzle=composed_swizzle(facts, glsl130=glsl130))


def composed_swizzle(facts: TextureFacts, *, glsl130: bool) -> Selectors:
    """Compose the user's swizzle with the format's, as a shader sees the texture.

    ``glsl130``: the program is GLSL 1.30 or later, which changes one depth mode.
    """
    base = facts.base_format
    if base in _DEPTH:
        of_format = DEPTH_SWIZZLE[facts.depth_mode][glsl130]
    else:
        of_format = FORMAT_SWIZZLE.get(base, FORMAT_SWIZZLE["RGBA"])
    if facts.swizzle == IDENTITY_SWIZZLE:
        return of_format
    x, y, z, w = (of_format[s] if s < ZERO else s for s in facts.swizzle)
    return x, y, z, w
