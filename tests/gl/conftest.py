"""Contexts that tests of this room share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from statetracker.gl import Context, Limits

#: What a capable desktop driver announces.
EXTENSIONS = frozenset({
    "GL_AMD_seamless_cubemap_per_texture", "GL_ARB_seamless_cube_map", "GL_ARB_shadow", "GL_ARB_stencil_texturing",
    "GL_ARB_texture_border_clamp", "GL_ARB_texture_filter_anisotropic", "GL_ARB_texture_filter_minmax",
    "GL_ARB_texture_float", "GL_ARB_texture_mirror_clamp_to_edge", "GL_ARB_texture_rg", "GL_ATI_texture_mirror_once",
    "GL_ARB_texture_rgb10_a2ui", "GL_EXT_texture_filter_anisotropic", "GL_EXT_texture_filter_minmax",
    "GL_EXT_texture_integer", "GL_EXT_texture_mirror_clamp", "GL_EXT_texture_sRGB_decode", "GL_EXT_texture_sRGB",
    "GL_EXT_texture_swizzle", "GL_ARB_depth_buffer_float", "GL_EXT_packed_depth_stencil", "GL_ARB_depth_texture",
    "GL_EXT_framebuffer_object", "GL_EXT_texture_snorm", "GL_EXT_texture_compression_s3tc",
    "GL_ARB_texture_stencil8", "GL_EXT_texture_shared_exponent", "GL_ARB_framebuffer_object",
})  # fmt: skip

Make = Callable[..., Context]


@pytest.fixture
def make() -> Make:
    """Make a context of a profile, by default with every extension; ``lacking`` takes some away."""

    def context(profile: str = "compatibility", *, lacking: tuple[str, ...] = (), **facts: object) -> Context:
        strict = bool(facts.pop("strict", False))
        return Context(Limits(profile=profile, extensions=EXTENSIONS - set(lacking), **facts), strict=strict)  # type: ignore[arg-type]

    return context


@pytest.fixture
def gl(make: Make) -> Context:
    """A compatibility context with every extension."""
    return make()


@pytest.fixture
def smp(gl: Context) -> int:
    """A sampler object."""
    return gl.glGenSamplers(1)[0]


@pytest.fixture
def tex(gl: Context) -> int:
    """A 2D texture that is bound to the active unit and has no image."""
    (name,) = gl.glGenTextures(1)
    gl.glBindTexture("GL_TEXTURE_2D", name)
    return name
