"""`statetracker.gl.limits`, `parameters` and `targets`: what a context knows of its machine, and which has what."""

from __future__ import annotations

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl import Limits
from statetracker.gl.limits import (
    ALWAYS,
    ANISOTROPIC,
    COMPATIBILITY,
    DESKTOP,
    GLES_1_TOO,
    MINMAX,
    MODERN,
    NOT_GLES_1,
    PROFILES,
    RELEASES,
    SEAMLESS,
    SHADOW,
    SRGB_DECODE,
    STENCIL_TEXTURING,
    SWIZZLE,
    Gate,
)
from statetracker.gl.parameters import availability_of


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_is_desktop_or_gles(profile: str) -> None:
    limits = Limits(profile=profile)
    assert limits.desktop is (profile in ("core", "compatibility"))
    assert limits.compatibility is (profile == "compatibility")


@pytest.mark.parametrize(("field", "value"), [("profile", "gles9"), ("release", "19.0")])
def test_unknown_words_are_argument_errors(field: str, value: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Limits(**{field: value})  # type: ignore[arg-type]
    assert caught.value.field == field
    assert caught.value.accepted == ", ".join(PROFILES if field == "profile" else RELEASES)


def test_anisotropy_is_at_least_two() -> None:
    assert [Limits(max_anisotropy=n).max_anisotropy for n in (0.0, 1.0, 8.0)] == [2.0, 2.0, 8.0]


def test_any_of_several_extensions_is_enough() -> None:
    limits = Limits(extensions=frozenset({"GL_A"}))
    assert (limits.has("GL_B", "GL_A"), limits.has("GL_B"), limits.has()) == (True, False, False)


def test_releases_are_named_by_their_keys() -> None:
    assert all(release.name == name for name, release in RELEASES.items())


# fmt: off
GATES = [
    (DESKTOP,       {"compatibility", "core"}),
    (COMPATIBILITY, {"compatibility"}),
    (GLES_1_TOO,    {"compatibility", "gles1"}),
    (MODERN,        {"compatibility", "core", "gles3", "gles31", "gles32"}),
    (SHADOW,        {"gles3", "gles31", "gles32"}),
    (SRGB_DECODE,   set()),
]
# fmt: on


@pytest.mark.parametrize(("gate", "having"), GATES)
def test_a_gate_lets_profiles_through(gate: Gate, having: set[str]) -> None:
    assert {profile for profile in PROFILES if gate.allows(Limits(profile=profile))} == having


def test_an_extension_opens_a_gate_on_either_side() -> None:
    extension = frozenset({"GL_EXT_texture_sRGB_decode"})
    assert all(SRGB_DECODE.allows(Limits(profile=profile, extensions=extension)) for profile in PROFILES)


@pytest.mark.parametrize(
    ("gate", "extensions"),
    [
        (ANISOTROPIC, ("GL_EXT_texture_filter_anisotropic", "GL_ARB_texture_filter_anisotropic")),
        (MINMAX, ("GL_EXT_texture_filter_minmax", "GL_ARB_texture_filter_minmax")),
        (SEAMLESS, ("GL_AMD_seamless_cubemap_per_texture", "GL_ARB_seamless_cubemap_per_texture")),
        (SWIZZLE, ("GL_EXT_texture_swizzle", "GL_ARB_texture_swizzle")),
    ],
)
def test_either_of_two_extensions_opens_a_gate(gate: Gate, extensions: tuple[str, str]) -> None:
    assert not gate.allows(Limits())
    assert all(gate.allows(Limits(extensions=frozenset({name}))) for name in extensions)


def test_the_last_version_of_a_gate_is_let_through() -> None:
    gate = Gate(gles_last=30)
    assert [gate.allows(Limits(profile=p)) for p in ("gles2", "gles3", "gles31")] == [True, True, False]


# fmt: off
NEEDS = [
    (ALWAYS,                                 "desktop GL, or GLES 1.0 or later"),
    (NOT_GLES_1,                             "desktop GL, or GLES 2.0 or later"),
    (MODERN,                                 "desktop GL, or GLES 3.0 or later"),
    (STENCIL_TEXTURING,                      "desktop GL with GL_ARB_stencil_texturing, or GLES 3.1 or later"),
    (SWIZZLE, "desktop GL with GL_EXT_texture_swizzle or GL_ARB_texture_swizzle, or GLES 3.0 or later"),
    (DESKTOP,                                "desktop GL"),
    (GLES_1_TOO,                             "the compatibility profile, or GLES up to 1.1"),
    (SHADOW,                                 "desktop GL with GL_ARB_shadow, or GLES 3.0 or later"),
    (SRGB_DECODE,                            "GL_EXT_texture_sRGB_decode"),
    (Gate(None, 99, ("GL_OES_x", "GL_y")),   "GLES with GL_OES_x or GL_y"),
]
# fmt: on


@pytest.mark.parametrize(("gate", "words"), NEEDS)
def test_a_gate_says_what_it_wants(gate: Gate, words: str) -> None:
    assert gate.needs() == words


def test_the_same_limits_have_the_same_gates() -> None:
    limits = Limits()
    assert availability_of(limits) is availability_of(limits)


def test_driver_may_have_what_the_context_has_not() -> None:
    """An extension of the desktop, in a GLES context; a gate that desktop GL never opens has none to ask for."""
    gles = Limits(profile="gles3", extensions=frozenset({"GL_X"}))
    assert Gate(("GL_X", "GL_Y"), 99).driver_has(gles)
    assert not Gate(("GL_X", "GL_Y"), 99).allows(gles)
    assert not Gate(("GL_Y",), 99).driver_has(gles)
    assert not Gate(None).driver_has(gles)
