"""The border colour: each `BorderFallback` tried in order, the first that can carry the colour is taken.

What a fallback costs is the largest error of any channel that a shader can see. The dialect says how strict each one
is; the order is the same for all. Source: docs/vulkan_samplers.md (Mesa 22.3.6, recorded live; Vulkan 1.3,
VkBorderColor).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.caps.vulkan_formats import vulkan_format
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.wraps import WRAPS
from statetracker.vulkan.enums import (
    CUSTOM_COLORS,
    BorderChoice,
    BorderColor,
    BorderFallback,
    ComponentMapping,
    CustomBorderColor,
)
from statetracker.vulkan.info import Unsupported
from statetracker.vulkan.ranges import float_channels, format_and_words, values
from statetracker.vulkan.views import view_swizzle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statetracker.vulkan.draft import Draft

# fmt: off
#: Vulkan's three colours -> (as floats, as integers), the order in which they are tried.
PREDEFINED: Final = (
    ((0, 0, 0, 0), (BorderColor.FLOAT_TRANSPARENT_BLACK, BorderColor.INT_TRANSPARENT_BLACK)),
    ((0, 0, 0, 1), (BorderColor.FLOAT_OPAQUE_BLACK,      BorderColor.INT_OPAQUE_BLACK)),
    ((1, 1, 1, 1), (BorderColor.FLOAT_OPAQUE_WHITE,      BorderColor.INT_OPAQUE_WHITE)),
)
# fmt: on

#: Views of these are only sampled with a custom colour that has the format (VUID-*-format-04015).
FORMAT_REQUIRED: Final = (
    *("B4G4R4A4_UNORM_PACK16", "B5G6R5_UNORM_PACK16", "B5G5R5A1_UNORM_PACK16"),
    "A1B5G5R5_UNORM_PACK16",  # with VK_KHR_maintenance5 and Vulkan 1.4
)

#: Colours whose channels differ, or may: those a swizzle changes.
SWIZZLED: Final = (BorderColor.FLOAT_OPAQUE_BLACK, BorderColor.INT_OPAQUE_BLACK, *CUSTOM_COLORS)
_ALL: Final = (0, 1, 2, 3)
_RED: Final = (0,)
_IDENTITY: Final = "RGBA"


class _Question:
    """A colour, and what counts about it."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.dialect, self.device, self.integer = draft, draft.dialect, draft.device, draft.integer
        by_wrap = self.dialect.border_need == "pipe-wrap"
        self.needed = any(WRAPS[wrap].reads_border for wrap in draft.wraps) if by_wrap else draft.reads_border
        #: What no sampler can have is the shader's.
        self.left = self.dialect.border_shader == "yes"
        red_only = draft.compare_enable and self.dialect.border_match == "red"
        self.counted: tuple[int, ...] = _RED if red_only else _ALL
        self.measured: tuple[int, ...] = _ALL
        self.words = draft.color
        self.mapping = self._mapping()
        if self.mapping is not None and self.device.swizzled_before:
            self._unswizzle(self.mapping.components)
        self.colour = values(self.words, draft.kind)
        #: The pipe format that will be sampled, by the record, else by the view.
        self.format_name = draft.format_name or (None if draft.seen is None else draft.seen.format)
        #: How that reads the words: without a sign where it is a UINT.
        self.sampled_kind = "uint" if self.integer and "UINT" in (self.format_name or "") else draft.kind

    def _mapping(self) -> ComponentMapping | None:
        """Return the view's swizzle, where this device needs it and the view has one."""
        view = self.draft.view
        if view is None or self.dialect.border_swizzle == "never" or not self.needed or self.counted == _RED:
            return None
        if not self.device.swizzle_wanted:
            return None
        letters = view_swizzle(view.format, view.swizzle)
        return None if letters == _IDENTITY else ComponentMapping(letters, pipe_format(view.format).is_srgb)

    def _unswizzle(self, letters: str) -> None:
        """Undo the front end's swizzle of the colour, where this device swizzles it itself."""
        words = [self.words[letters.index(one)] if one in letters else 0 for one in _IDENTITY]
        self.words = (words[0], words[1], words[2], words[3])
        self.counted = self.measured = tuple(n for n, one in enumerate(_IDENTITY) if one in letters)

    def off_faces(self, choice: BorderChoice) -> BorderChoice:
        """Return a fallback, or why it is none: a sample within a face of a cube never meets the sampler's border."""
        if not (self.left and self.needed and self.draft.on_cube and self.draft.cube_edges):
            return choice
        return _refused(choice, "the shader samples the faces of the cube one by one")

    def error(self, got: Sequence[float], kind: str, among: Sequence[int] = _ALL) -> float:
        """Return the largest error of a channel that counts, words read as ``kind``; 0: nothing reads the colour."""
        if not self.needed:
            return 0.0
        wanted = values(self.words, kind)
        return max((_distance(wanted[n], got[n]) for n in self.counted if n in among), default=0.0)


def _refused(choice: BorderChoice, because: str) -> BorderChoice:
    return choice._replace(possible=False, because=because)


def _swizzled(colour: Sequence[float], letters: str) -> tuple[float, ...]:
    """Return a colour as it is seen through a view; the letters are ``RGBA01``."""
    return tuple(colour[_IDENTITY.index(letter)] if letter in _IDENTITY else float(letter) for letter in letters)


def _distance(wanted: float, got: float) -> float:
    if wanted == got or (wanted != wanted and got != got):  # noqa: PLR0124 (NaN that stays NaN is no error)
        return 0.0
    distance = abs(wanted - got)
    return distance if distance == distance else float("inf")  # noqa: PLR0124 (the test for NaN)


def border_fallbacks(draft: Draft) -> Iterator[BorderChoice]:
    """Try each fallback for a draft's border colour, finest first; the last is always possible.

    The address modes must be settled. Nothing is written into the draft. Where the shader mixes in what the sampler
    cannot have, a colour that the device may or may not put through the view's swizzle is such a one.
    """
    asked = _Question(draft)
    corrected = None
    for attempt in (_predefined, _custom, _custom_format):
        choice = attempt(asked)
        if asked.mapping is not None and choice.border_color in SWIZZLED:  # one that is not possible has no colour
            choice = choice._replace(mapping=asked.mapping)
            if _swizzled(asked.colour, asked.mapping.components) != asked.colour:
                corrected = corrected or choice._replace(fallback=BorderFallback.SWIZZLE_CORRECTED)
                choice = _refused(choice, "this device needs the view's swizzle with the colour")
        if asked.needed and draft.device.webgpu:
            choice = _refused(choice, "WebGPU has no border")
        if asked.left and (unknown := unknown_swizzle(draft, choice)) is not None:
            choice = _refused(choice, unknown.because)
        yield asked.off_faces(choice)
    yield asked.off_faces(corrected or _refused(BorderChoice(BorderFallback.SWIZZLE_CORRECTED), _uncorrected(asked)))
    yield _in_shader(asked)
    yield _last(asked)


def choose_border(draft: Draft) -> BorderChoice:
    """Return the first fallback that is possible."""
    return next(choice for choice in border_fallbacks(draft) if choice.possible)


def unknown_swizzle(draft: Draft, choice: BorderChoice) -> Unsupported | None:
    """By how much a border is off on a device that does not say whether it goes through the view's swizzle."""
    view = draft.view
    if draft.dialect.border_swizzle == "never" or view is None or draft.compare_enable:
        return None
    if choice.border_color not in SWIZZLED or not draft.reads_border or draft.device.swizzle_known:
        return None
    letters = view_swizzle(view.format, view.swizzle)
    colour = (0, 0, 0, 1) if choice.custom is None else values(choice.custom.words, draft.kind)
    seen = _swizzled(colour, letters)
    size = max(map(_distance, seen, colour))
    if not size:
        return None
    because = f"the view's swizzle is {letters}, and whether the border goes through it is not reported"
    return Unsupported("border-swizzle", "border_color", list(seen), "undefined", size, because)


def _uncorrected(asked: _Question) -> str:
    if asked.mapping is not None:
        return "there is no custom colour to send it with"
    if not asked.device.swizzle_wanted:
        return "this device does not need the view's swizzle"
    return "the view's swizzle is not known, or changes nothing"


def _predefined(asked: _Question) -> BorderChoice:
    for counted in (_ALL, asked.counted):
        for colour, kinds in PREDEFINED:
            if all(asked.colour[n] == colour[n] for n in counted):
                what = "that colour" if counted == _ALL else "that colour in every channel that is read"
                return BorderChoice(border_color=kinds[asked.integer], because=f"{kinds[asked.integer].name} is {what}")
    if not asked.needed:
        return BorderChoice(border_color=PREDEFINED[0][1][asked.integer], because="no address mode reads it")
    return BorderChoice(possible=False, because="no predefined colour is that colour")


def _refusal(asked: _Question, *more: tuple[bool, str]) -> str:
    """Return the first reason why there can be no custom colour, ``more`` come last; empty where there can be one."""
    device = asked.device
    gated = asked.dialect.border_gate == "feature"
    spent = gated and min(asked.draft.free_slots, device.custom_slots) < 1
    reasons = (
        (not asked.needed, "no address mode reads it"),
        (not device.custom_extension, "the device lacks VK_EXT_custom_border_color"),
        (gated and not device.custom_feature, "the device lacks feature customBorderColors"),
        (spent, f"none of the device's {device.custom_slots} custom colours is free"),
        *more,
    )
    for holds, because in reasons:
        if holds:
            return because
    return ""


def _custom(asked: _Question) -> BorderChoice:
    seen = asked.draft.seen
    view_format = None if seen is None else vulkan_format(seen.format, asked.device.facts)
    on_turnip = asked.device.turnip and asked.dialect.border_hidden == "on-turnip"
    refusal = _refusal(
        asked,
        (not asked.device.without_format, "the device lacks feature customBorderColorWithoutFormat"),
        (on_turnip, "on Turnip this dialect sends the format, though it need not"),
        (view_format in FORMAT_REQUIRED, f"{view_format} needs the format sent"),
    )
    if refusal:
        return _refused(BorderChoice(BorderFallback.CUSTOM), refusal)
    custom = CustomBorderColor(asked.words)
    return BorderChoice(BorderFallback.CUSTOM, True, CUSTOM_COLORS[asked.integer], custom, None, 0.0, "bit for bit")


def _custom_format(asked: _Question) -> BorderChoice:
    choice, name, when = BorderChoice(BorderFallback.CUSTOM_FORMAT), asked.format_name, asked.dialect.border_format
    never = when == "never", "this dialect never sends the format"
    refusal = _refusal(asked, never, (name is None, "the record does not have the format"))
    if refusal or name is None:
        return _refused(choice, refusal)
    every = when == "every"
    custom = format_and_words(name, asked.words, asked.device.facts, integer=asked.integer, every=every)
    if custom is None:
        kind = "an integer" if asked.integer else "a float"
        return _refused(choice, f"{name} cannot go with {kind} colour")
    among = float_channels(custom.format) if every else _ALL
    error = asked.error(values(custom.words, asked.sampled_kind), asked.sampled_kind, among)
    because = f"{name} is {custom.format}"
    if custom.words != asked.words:
        because += ", which cannot hold all of it" if error else ", to which GL clamps it"
    if error and asked.left:
        return _refused(choice, because)
    return BorderChoice(choice.fallback, True, CUSTOM_COLORS[asked.integer], custom, None, error, because)


def _in_shader(asked: _Question) -> BorderChoice:
    if not asked.left:
        return _refused(BorderChoice(BorderFallback.IN_SHADER), "this dialect leaves no border to the shader")
    colour = PREDEFINED[0][1][asked.integer]
    return BorderChoice(BorderFallback.IN_SHADER, border_color=colour, because="the shader mixes it in")


def _last(asked: _Question) -> BorderChoice:
    if asked.dialect.border_last == "transparent-black":
        colour, border_color = PREDEFINED[0][0], BorderColor.FLOAT_TRANSPARENT_BLACK
        because = "all that is left"
    else:
        held = [min(max(value, 0.0), 1.0) if value == value else 0.0 for value in asked.colour]  # noqa: PLR0124 (not NaN)
        colour, kinds = min(PREDEFINED, key=lambda row: sum((held[n] - row[0][n]) ** 2 for n in asked.measured))
        border_color = kinds[asked.integer]
        because = "the predefined colour of that type nearest in value"
    mapping = asked.mapping if border_color in SWIZZLED else None
    return BorderChoice(
        BorderFallback.NEAREST, True, border_color, None, mapping, asked.error(colour, asked.sampled_kind), because
    )
