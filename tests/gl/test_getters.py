"""`statetracker.gl.getters`: what is answered in which form. `test_readback.py` compares with recordings."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from statetracker.gl import Context
from statetracker.gl import enums as e
from statetracker.gl.gates import gates_of
from statetracker.gl.getters import get_texture
from statetracker.gl.parameters import PARAMETERS

Make = Callable[..., Context]
FORMS = ("iv", "fv", "Iiv", "Iuiv")
BORDER, LOD, TWO_D = "GL_TEXTURE_BORDER_COLOR", "GL_TEXTURE_LOD_BIAS", "GL_TEXTURE_2D"


@pytest.mark.parametrize("pname", PARAMETERS, ids=lambda p: e.TextureParameter(p).name)
@pytest.mark.parametrize("form", FORMS)
def test_every_parameter_can_be_asked_for(gl: Context, smp: int, tex: int, pname: int, form: str) -> None:
    """Of textures all, of sampler objects those they have."""
    assert gl.call(f"glGetTexParameter{form}", TWO_D, pname) == gl.call(f"glGetTextureParameter{form}", tex, pname)
    assert gl.glGetError() == "GL_NO_ERROR"
    answer = gl.call(f"glGetSamplerParameter{form}", smp, pname)
    assert (answer is not None) == PARAMETERS[pname].on_sampler == (gl.glGetError() == "GL_NO_ERROR")


def test_a_samplers_border_comes_back_unclamped_as_floats(gl: Context, smp: int) -> None:
    """And as the very words through I forms."""
    gl.glSamplerParameterfv(smp, BORDER, [2.0, -1.0, 0.5, 1.0])
    assert gl.glGetSamplerParameterfv(smp, BORDER) == [2.0, -1.0, 0.5, 1.0]
    assert gl.glGetSamplerParameterIiv(smp, BORDER) == [0x40000000, 0xBF800000 - (1 << 32), 0x3F000000, 0x3F800000]
    assert gl.glGetSamplerParameterIuiv(smp, BORDER) == [0x40000000, 0xBF800000, 0x3F000000, 0x3F800000]


def test_a_samplers_border_as_ints_has_no_room_for_two(gl: Context, smp: int) -> None:
    """The smallest int stands for NaN and for what does not fit."""
    gl.glSamplerParameterfv(smp, BORDER, [2.0, math.nan, -1.0, 0.25])
    assert gl.glGetSamplerParameteriv(smp, BORDER) == [-(1 << 31), -(1 << 31), -2147483647, 536870911]


def test_a_textures_border_is_clamped_as_floats_and_ints(gl: Context) -> None:
    """But not its words."""
    gl.glTexParameterfv(TWO_D, BORDER, [2.0, -1.0, math.nan, 0.5])
    assert gl.glGetTexParameterfv(TWO_D, BORDER) == [1.0, 0.0, 0.0, 0.5]
    assert gl.glGetTexParameteriv(TWO_D, BORDER) == [2147483647, 0, 0, 1073741823]
    assert gl.glGetTexParameterIuiv(TWO_D, BORDER) == [0x40000000, 0xBF800000, 0x7FC00000, 0x3F000000]


def test_a_textures_border_is_not_clamped_without_colour_clamping(gl: Context) -> None:
    """As with a floating-point framebuffer; ints always are."""
    texture = gl.bound(e.Target.TEXTURE_2D)
    texture.sampler.update(border_color=(2.0, -1.0, 0.0, 0.0))
    gates = gates_of(gl.limits)
    assert get_texture(gates, texture, 0x1004, "fv", clamps_border=False)[0] == [2.0, -1.0, 0.0, 0.0]
    assert get_texture(gates, texture, 0x1004, "iv", clamps_border=False)[0] == [2147483647, 0, 0, 0]


@pytest.mark.parametrize(("form", "expected"), [("fv", [2.5]), ("iv", [3]), ("Iiv", [2]), ("Iuiv", [2])])
def test_floats_are_rounded_by_iv_and_truncated_by_the_i_forms(
    gl: Context, smp: int, form: str, expected: list[float]
) -> None:
    """On textures and sampler objects alike."""
    gl.glSamplerParameterf(smp, LOD, 2.5)
    gl.glTexParameterf(TWO_D, LOD, 2.5)
    assert gl.call(f"glGetSamplerParameter{form}", smp, LOD) == expected
    assert gl.call(f"glGetTexParameter{form}", TWO_D, LOD) == expected


def test_anisotropy_answers_what_was_stored(gl: Context, smp: int) -> None:
    """The driver's maximum, not the 100 that was asked for."""
    gl.glSamplerParameterf(smp, "GL_TEXTURE_MAX_ANISOTROPY", 100.0)
    assert gl.glGetSamplerParameterfv(smp, "GL_TEXTURE_MAX_ANISOTROPY") == [16.0]


def test_the_anisotropy_getter_needs_its_extension_on_textures_only() -> None:
    """Sampler objects answer 1."""
    gl = Context()
    (smp,) = gl.glGenSamplers(1)
    assert gl.glGetSamplerParameterfv(smp, "GL_TEXTURE_MAX_ANISOTROPY") == [1.0]
    assert gl.glGetTexParameterfv(TWO_D, "GL_TEXTURE_MAX_ANISOTROPY") is None
    assert gl.glGetError() == "GL_INVALID_ENUM"


@pytest.mark.parametrize("pname", ["GL_TEXTURE_REDUCTION_MODE_ARB", "GL_TEXTURE_CUBE_MAP_SEAMLESS"])
def test_reduction_and_seamless_getters_need_their_extensions_on_both(pname: str) -> None:
    """INVALID_ENUM without."""
    gl = Context()
    (smp,) = gl.glGenSamplers(1)
    assert gl.glGetSamplerParameteriv(smp, pname) is None
    assert gl.glGetTexParameteriv(TWO_D, pname) is None
    assert [m.error for m in gl.messages] == ["GL_INVALID_ENUM"] * 2


def test_storage_can_be_asked_for(gl: Context, tex: int) -> None:
    """Immutable or not, how many levels, and the target."""
    gl.glTexStorage2D(TWO_D, 2, "GL_RGBA8", 4, 4)
    asked = ("GL_TEXTURE_IMMUTABLE_FORMAT", "GL_TEXTURE_IMMUTABLE_LEVELS", "GL_TEXTURE_TARGET", "GL_TEXTURE_RESIDENT")
    assert [gl.glGetTextureParameteriv(tex, name) for name in asked] == [[1], [2], [0x0DE1], [1]]


def test_an_unknown_name_is_answered_with_the_known_ones(gl: Context, smp: int) -> None:
    """The message names argument, value and choices."""
    gl.glGetSamplerParameteriv(smp, "GL_TEXTURE_BASE_LEVEL")
    message = gl.messages[-1].message
    assert message.startswith("pname=GL_TEXTURE_BASE_LEVEL cannot be asked of a sampler object here; accepted: GL_TEX")


@pytest.mark.usefixtures("tex")
def test_levels_answer_size_and_format(gl: Context) -> None:
    """An image that is not there has size 0."""
    gl.glTexStorage2D(TWO_D, 2, "GL_RGBA8", 8, 4)
    ask = gl.glGetTexLevelParameteriv
    assert [ask(TWO_D, level, "GL_TEXTURE_WIDTH") for level in (0, 1, 2)] == [[8], [4], [0]]
    assert ask(TWO_D, 1, "GL_TEXTURE_INTERNAL_FORMAT") == [0x8058]
    assert gl.glGetTexLevelParameterfv(TWO_D, 0, "GL_TEXTURE_HEIGHT") == [4.0]
    assert ask(TWO_D, -1, "GL_TEXTURE_WIDTH") is None
    assert ask(TWO_D, 0, "GL_TEXTURE_RED_SIZE") is None
    assert [m.error for m in gl.messages] == ["GL_INVALID_VALUE", "GL_INVALID_ENUM"]
