"""`statetracker.sampler.situation`: what follows from texture, screen and dialect alone."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import pytest

from statetracker.caps import FormatFeatures, Screen
from statetracker.gl import DepthTextureMode, Sampler, Texture, TextureFacts, UnitFacts
from statetracker.gl.formats import BASE_FORMATS
from statetracker.sampler import DIALECTS, sampler_state
from statetracker.sampler.situation import ConversionKey, composed_swizzle
from statetracker.sampler.tables import BORDER_TRANSLATION, DEPTH_SWIZZLE, FORMAT_SWIZZLE

LLVMPIPE: Final = Screen.named("llvmpipe")
SWIZZLES: Final = LLVMPIPE.replace(apply_texture_swizzle_to_border_color=True)
WORDS: Final = (0x80000001, 0x7FC12345, 0xFFFFFFFF, 0x00000007)
ONE: Final = 0x3F800000
COMPARABLE: Final = [
    ("DEPTH_COMPONENT", False, True),
    ("DEPTH_COMPONENT", True, True),
    ("DEPTH_STENCIL", False, True),
    ("DEPTH_STENCIL", True, False),
    ("STENCIL_INDEX", False, False),
    ("RGBA", False, False),
]
Words = tuple[int, ...]


def test_every_base_format_has_a_translation_and_a_swizzle() -> None:
    """Depth's swizzle follows DEPTH_TEXTURE_MODE instead."""
    assert set(BORDER_TRANSLATION) == set(BASE_FORMATS)
    assert set(FORMAT_SWIZZLE) == {base for base in BASE_FORMATS if not base.startswith(("DEPTH", "STENCIL"))}
    assert set(DEPTH_SWIZZLE) == set(DepthTextureMode)


def facts_of(base: str, *, integer: bool = False, stencil: bool = False, **others: object) -> TextureFacts:
    """Give facts with a base format, whatever the internal format."""
    plain = Texture("2d", "RGBA8").facts()
    return plain.replace(base_format=base, is_integer=integer, stencil_sampling=stencil, **others)


def translate(base: str, *, integer: bool, replicate: bool) -> Words:
    """Translate the border colour as the specification's table says, naively."""
    x, y, z, w = WORDS
    one = 1 if integer else ONE
    table: dict[str, Words] = {
        "RED": (x, 0, 0, one),
        "RG": (x, y, 0, one),
        "RGB": (x, y, z, one),
        "ALPHA": (0, 0, 0, w),
        "LUMINANCE": (x, x, x, one),
        "LUMINANCE_ALPHA": (x, x, x, w),
        "INTENSITY": (x, x, x, x),
    }
    if base == "STENCIL_INDEX" and replicate:
        return (x, x, x, x)
    return table.get(base, WORDS)


def expected_border(dialect: str, base: str, *, integer: bool, stencil: bool) -> tuple[bool, Words]:
    """Say whether the border is an integer, and its words."""
    packed = stencil and base == "DEPTH_STENCIL"
    if dialect in ("seed", "21.0", "21.1", "21.2"):
        seen = "STENCIL_INDEX" if stencil else base
        return integer and dialect != "21.0", translate(seen, integer=integer, replicate=not integer)
    samples = packed if dialect in ("23.3", "25.0") else stencil
    seen = "STENCIL_INDEX" if samples else base
    integer = integer or samples or base == "STENCIL_INDEX"
    return integer, translate(seen, integer=integer, replicate=integer)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("base", BASE_FORMATS)
@pytest.mark.parametrize(("integer", "stencil"), list(product((False, True), repeat=2)))
def test_border_of_every_base_format(dialect: str, base: str, integer: bool, stencil: bool) -> None:
    """Integer or float, sampling stencil or not, bit for bit."""
    sampler = Sampler(wrap="clamp-to-border", border_color_bits=WORDS)
    state = sampler_state(sampler, facts_of(base, integer=integer, stencil=stencil), LLVMPIPE, dialect=dialect)
    expected = expected_border(dialect, base, integer=integer, stencil=stencil)
    assert (state.border_color_is_integer, state.border_color) == expected


def format_swizzle(base: str, mode: DepthTextureMode, *, newer: bool) -> tuple[int, ...]:
    """Give a format's own swizzle, naively: 4 is 0, 5 is 1."""
    if base.startswith(("DEPTH", "STENCIL")):
        base = {"RED": "RED", "LUMINANCE": "LUMINANCE", "INTENSITY": "INTENSITY"}.get(mode.name, "")
        if not base:
            return (0, 0, 0, 0) if newer else (4, 4, 4, 0)
    return {
        "RED": (0, 4, 4, 5),
        "RG": (0, 1, 4, 5),
        "RGB": (0, 1, 2, 5),
        "ALPHA": (4, 4, 4, 3),
        "LUMINANCE": (0, 0, 0, 5),
        "LUMINANCE_ALPHA": (0, 0, 0, 3),
        "INTENSITY": (0, 0, 0, 0),
    }.get(base, (0, 1, 2, 3))


@pytest.mark.parametrize("newer", [False, True])
@pytest.mark.parametrize("base", BASE_FORMATS)
def test_composed_swizzle_over_all_user_swizzles(base: str, newer: bool) -> None:
    """All 1296: the user's components look through the format's, constants stay."""
    mode = DepthTextureMode.ALPHA
    facts = facts_of(base, depth_mode=int(mode))
    own = (*format_swizzle(base, mode, newer=newer), 4, 5)
    for user in product(range(6), repeat=4):
        got = composed_swizzle(facts.replace(swizzle=user), glsl130=newer)
        assert got == tuple(own[s] if s < 4 else s for s in user)


@pytest.mark.parametrize("mode", DepthTextureMode)
@pytest.mark.parametrize("base", ["DEPTH_COMPONENT", "DEPTH_STENCIL", "STENCIL_INDEX"])
@pytest.mark.parametrize("newer", [False, True])
def test_depth_swizzle_follows_depth_texture_mode(base: str, mode: DepthTextureMode, newer: bool) -> None:
    facts = facts_of(base, depth_mode=int(mode))
    assert composed_swizzle(facts, glsl130=newer) == format_swizzle(base, mode, newer=newer)


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("base", BASE_FORMATS)
def test_swizzle_quirk_works_on_the_translated_border(base: str, integer: bool) -> None:
    """First the base format, then the composed swizzle, with the one of the number type."""
    user = (2, 5, 4, 0)
    facts = facts_of(base, integer=integer, swizzle=user)
    sampler = Sampler(wrap="clamp-to-border", border_color_bits=WORDS)
    is_integer, translated = expected_border("22.3", base, integer=integer, stencil=False)
    sources = (*translated, 0, 1 if is_integer else ONE)
    own = (*format_swizzle(base, DepthTextureMode(facts.depth_mode), newer=True), 4, 5)
    state = sampler_state(sampler, facts, SWIZZLES)
    assert state.border_color == tuple(sources[own[s] if s < 4 else s] for s in user)


@pytest.mark.parametrize("swizzle", list(product((0, 3, 4, 5, 6), repeat=2)))
def test_view_swizzle_takes_unknown_selectors_for_zero(swizzle: tuple[int, int]) -> None:
    """4 is 0, 5 is 1, and anything above is 0 too."""
    sources = (*WORDS, 0, ONE, 0)
    facts = facts_of("RGBA", view_swizzle=(*swizzle, *swizzle))
    sampler = Sampler(wrap="clamp-to-border", border_color_bits=WORDS)
    state = sampler_state(sampler, facts, SWIZZLES, dialect="mesa21")
    assert state.border_color == tuple(sources[s] for s in swizzle * 2)


def test_hook_is_asked_for_the_surface_and_the_resource() -> None:
    """A surface-based texture is asked for by its surface's format."""
    asked: list[tuple[str, str]] = []

    def hook(view: str, resource: str) -> bool:
        asked.append((view, resource))
        return True

    screen = Screen(linear_filtering=hook)
    sampler_state(Sampler(), facts_of("RGBA", surface_format="NV12", storage_format="R8_UNORM"), screen)
    sampler_state(Sampler(), facts_of("RGBA"), screen)
    assert asked == [("NV12", "R8_UNORM"), (screen.stores("RGBA8"), screen.stores("RGBA8"))]


@pytest.mark.parametrize("treatment", ["nearest", "always-compare", "when-comparing"])
@pytest.mark.parametrize("fmt", ["DEPTH_COMPONENT16", "RGBA8"])
def test_treatment_of_depth_counts_for_refused_depth_alone(treatment: str, fmt: str) -> None:
    screen = Screen(linear_filtering=FormatFeatures({}, default=False), unfilterable_depth=treatment)
    s = ConversionKey(screen, DIALECTS["mesa22"], Texture("2d", fmt).facts())
    depth = fmt.startswith("DEPTH")
    assert s.depth_kept is (depth and treatment == "always-compare")
    assert s.demoted_unless_comparing is (depth and treatment == "when-comparing")


def test_without_a_hook_every_format_is_linear() -> None:
    """Even what the driver could not store."""
    s = ConversionKey(
        LLVMPIPE, DIALECTS["mesa22"], facts_of("RGBA", storage_format="NO_SUCH_FORMAT"), UnitFacts(glsl130=False)
    )
    assert s.linear


@pytest.mark.parametrize(("base", "stencil", "can"), COMPARABLE)
def test_what_can_be_compared(base: str, stencil: bool, can: bool) -> None:
    """Depth, unless its stencil part is what is sampled; plain depth has none."""
    s = ConversionKey(LLVMPIPE, DIALECTS["mesa22"], facts_of(base, stencil=stencil))
    assert s.can_compare is can


def bordered(facts: TextureFacts, screen: Screen, **options: Any) -> tuple[Words, str]:
    """Convert a used border colour; give its words and its format."""
    state = sampler_state(Sampler(wrap="clamp-to-border", border_color_bits=WORDS), facts, screen, **options)
    return state.border_color, state.border_color_format


@pytest.mark.parametrize("name", ["ALPHA8", "LUMINANCE8_ALPHA8"])
def test_each_quirk_of_the_border_does_its_own_part_alone(name: str) -> None:
    """The format quirk leaves the words, the alpha quirk the format; without either nothing happens."""
    facts = Texture("2d", name).facts()
    plain, _ = bordered(facts, LLVMPIPE)
    given, fmt = bordered(facts, LLVMPIPE.replace(use_format_with_border_color=True))
    assert given == plain
    assert fmt in ("A8_UNORM", "L8A8_UNORM")
    moved, none = bordered(facts, LLVMPIPE.replace(alpha_border_color_is_not_w=True))
    assert (moved == plain, none) == (False, "NONE")


@pytest.mark.parametrize("quirk", ["use_format_with_border_color", "alpha_border_color_is_not_w"])
def test_quirks_leave_the_words_of_other_formats_alone(quirk: str) -> None:
    """Only alpha and luminance-alpha are stored otherwise."""
    facts = Texture("2d", "RGBA8").facts()
    assert bordered(facts, LLVMPIPE.replace(**{quirk: True}))[0] == WORDS


def test_skipped_decoding_gives_no_format_where_none_is_asked_for() -> None:
    """Not even to a bindless handle."""
    sampler = Sampler(wrap="clamp-to-border", border_color_bits=WORDS, srgb_decode="skip-decode")
    state = sampler_state(sampler, Texture("2d", "SRGB8_ALPHA8").facts(), LLVMPIPE, unit=UnitFacts(bindless=True))
    assert state.border_color_format == "NONE"


@pytest.mark.parametrize("glsl130", [False, True])
def test_glsl_version_decides_what_the_swizzle_quirk_sees_of_alpha_depth(glsl130: bool) -> None:
    """From 1.30 on it is the depth in all four components."""
    facts = Texture("2d", "DEPTH_COMPONENT16", depth_mode="alpha").facts()
    x, *_ = WORDS
    assert bordered(facts, SWIZZLES, unit=UnitFacts(glsl130=glsl130))[0] == ((x, x, x, x) if glsl130 else (0, 0, 0, x))
    assert bordered(facts, SWIZZLES, unit=UnitFacts(glsl130=glsl130, bindless=True))[0] == (x, x, x, x)


@pytest.mark.parametrize("dialect", ["seed", "mesa21"])
def test_view_without_a_swizzle_of_its_own_leaves_the_border(dialect: str) -> None:
    assert bordered(facts_of("RGBA"), SWIZZLES, dialect=dialect)[0] == WORDS


def test_view_format_is_the_surfaces_or_what_stands_for_the_resource() -> None:
    """Without a hook nobody asks what the driver stores, and the GL name is kept."""
    got = [
        ConversionKey(screen, DIALECTS["mesa22"], facts).view_format
        for screen in (LLVMPIPE, Screen(linear_filtering=FormatFeatures({})))
        for facts in (facts_of("RGBA"), facts_of("RGBA", surface_format="NV12"))
    ]
    assert got == ["RGBA8", "NV12", LLVMPIPE.stores("RGBA8"), "NV12"]
