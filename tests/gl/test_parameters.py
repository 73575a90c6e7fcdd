"""`statetracker.gl.parameters`: gates, and what a context's profile, extensions and release let through."""

from __future__ import annotations

from itertools import product

import pytest

from statetracker.gl import Limits, Target, Wrap
from statetracker.gl import enums as e
from statetracker.gl import limits as g
from statetracker.gl.limits import PROFILES, RELEASES
from statetracker.gl.parameters import PARAMETERS, Availability

ATI, EXT = "GL_ATI_texture_mirror_once", "GL_EXT_texture_mirror_clamp"
EDGE, NEW_EDGE = "GL_ARB_texture_mirror_clamp_to_edge", "GL_EXT_texture_mirror_clamp_to_edge"
BORDER = ("GL_ARB_texture_border_clamp", "GL_OES_texture_border_clamp")
FLOAT = ("GL_ARB_texture_float", "GL_OES_texture_float")
MIRRORS = (Wrap.MIRROR_CLAMP_EXT, Wrap.MIRROR_CLAMP_TO_EDGE, Wrap.MIRROR_CLAMP_TO_BORDER_EXT)
SETS = [(), (ATI,), (EXT,), (EDGE,), (NEW_EDGE,), (BORDER[0],), (BORDER[1],), (ATI, NEW_EDGE, BORDER[0])]
#: Releases whose gates are the newest.
NEWEST = ("24.1", "25.0")


def test_gates_are_those_of_the_specification() -> None:
    """Names that are missing here are always there; no row stands under another's number."""
    both = {
        g.SHADOW: "COMPARE_MODE COMPARE_FUNC",
        g.ANISOTROPIC: "MAX_ANISOTROPY",
        g.SEAMLESS: "CUBE_MAP_SEAMLESS",
        g.SRGB_DECODE: "SRGB_DECODE",
        g.MINMAX: "REDUCTION_MODE",
    }
    textures = {
        g.NOT_GLES_1: "BORDER_COLOR",
        g.MODERN: "MIN_LOD MAX_LOD BASE_LEVEL",
        g.DESKTOP: "LOD_BIAS",
        g.COMPATIBILITY: "DEPTH_TEXTURE_MODE PRIORITY",
        g.STENCIL_TEXTURING: "DEPTH_STENCIL_TEXTURE_MODE",
        g.GLES_1_TOO: "GENERATE_MIPMAP",
        g.SWIZZLE: "SWIZZLE_R SWIZZLE_G SWIZZLE_B SWIZZLE_A SWIZZLE_RGBA",
    }
    rows = {pname.name: PARAMETERS[pname] for pname in e.TextureParameter}
    assert all(row.pname == e.TextureParameter[name] for name, row in rows.items())
    for column, named in (("sampler_gate", both), ("texture_gate", both | textures)):
        gates = {name: gate for gate, names in named.items() for name in names.split()}
        assert {name: getattr(row, column) for name, row in rows.items()} == dict.fromkeys(rows, g.ALWAYS) | gates


def gates(*extensions: str, profile: str = "compatibility", release: str = "22.3") -> Availability:
    """Return a context's gates."""
    return Availability(Limits(profile=profile, release=release, extensions=frozenset(extensions)))


def mirrors(extensions: tuple[str, ...], *, newest: bool) -> set[Wrap]:
    """Say which mirrored modes extensions bring, naively."""
    seen = {Wrap.MIRROR_CLAMP_EXT, Wrap.MIRROR_CLAMP_TO_EDGE} if {ATI, EXT} & {*extensions} else set()
    seen |= {Wrap.MIRROR_CLAMP_TO_BORDER_EXT} if EXT in extensions else set()
    return seen | ({Wrap.MIRROR_CLAMP_TO_EDGE} if EDGE in extensions or (newest and NEW_EDGE in extensions) else set())


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("extensions", SETS)
def test_wraps_of_sampler_objects(extensions: tuple[str, ...], profile: str, release: str) -> None:
    """CLAMP asks for the profile; up to 21.2 borders for an extension; from 24.1 on GLES mirrors by one of its own."""
    expected = {Wrap.REPEAT, Wrap.CLAMP_TO_EDGE, Wrap.MIRRORED_REPEAT} | mirrors(extensions, newest=release in NEWEST)
    expected |= {Wrap.CLAMP} if profile == "compatibility" else set()
    expected |= {Wrap.CLAMP_TO_BORDER} if release > "22" or {*BORDER} & {*extensions} else set()
    if release in NEWEST and profile.startswith("gles"):
        expected -= set(MIRRORS)
        expected |= {Wrap.MIRROR_CLAMP_TO_EDGE} if {NEW_EDGE, EDGE} & {*extensions} else set()
        expected |= {Wrap.MIRROR_CLAMP_TO_BORDER_EXT} if EXT in extensions else set()
    assert gates(*extensions, profile=profile, release=release).sampler_wraps == expected


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("extensions", SETS)
def test_wraps_of_textures(extensions: tuple[str, ...], profile: str, release: str) -> None:
    """GLES mirrors from 24.1 on, by an extension of its own, GLES 1 never; no border there; rectangles never repeat."""
    expected = {Wrap.REPEAT, Wrap.CLAMP_TO_EDGE, Wrap.MIRRORED_REPEAT} | mirrors(extensions, newest=release in NEWEST)
    expected |= {Wrap.CLAMP} if profile == "compatibility" else set()
    expected |= {Wrap.CLAMP_TO_BORDER} if profile != "gles1" else set()
    if profile.startswith("gles"):
        expected -= set(MIRRORS)
        own = release in NEWEST and {NEW_EDGE, EDGE} & {*extensions} and profile != "gles1"
        expected |= {Wrap.MIRROR_CLAMP_TO_EDGE} if own else set()
    seen = gates(*extensions, profile=profile, release=release).texture_wraps
    assert seen[None] == expected
    assert seen[Target.TEXTURE_RECTANGLE] == expected & {Wrap.CLAMP, Wrap.CLAMP_TO_EDGE, Wrap.CLAMP_TO_BORDER}
    assert seen[Target.TEXTURE_EXTERNAL_OES] == {Wrap.CLAMP_TO_EDGE}


@pytest.mark.parametrize(("profile", "extension"), list(product(PROFILES, (*FLOAT, ""))))
def test_borders_are_clamped_up_to_gles_2_without_float_textures(profile: str, extension: str) -> None:
    old = profile in ("compatibility", "core", "gles1", "gles2")
    assert gates(extension, profile=profile).clamps_border is (old and not extension)


def test_depth_mode_red_came_with_texture_rg() -> None:
    assert gates("GL_ARB_texture_rg").depth_modes == set(e.DepthTextureMode)
    assert gates().depth_modes == set(e.DepthTextureMode) - {e.DepthTextureMode.RED}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "extension", ["GL_AMD_seamless_cubemap_per_texture", "GL_ARB_seamless_cubemap_per_texture", ATI]
)
def test_what_sampler_objects_may_be_asked_for(profile: str, extension: str) -> None:
    """Parameters that may be set; with its extension also the seamless switch, which GLES cannot set."""
    seen = gates(extension, profile=profile)
    seamless = int(e.TextureParameter.CUBE_MAP_SEAMLESS)
    has = extension != ATI
    assert seen.sampler_queries == seen.sampler | ({seamless} if has else set())
    assert (seamless in seen.sampler) == (has and not profile.startswith("gles"))


def test_parameters_of_textures_alone_are_none_of_sampler_objects() -> None:
    everything = gates(*(name for row in PARAMETERS.values() for name in row.texture_gate.desktop or ()))
    assert everything.texture == set(PARAMETERS)
    assert everything.sampler == {number for number, row in PARAMETERS.items() if row.on_sampler}
