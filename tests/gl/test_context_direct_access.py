"""`statetracker.gl.context`: calls that name a texture or a unit first. Errors observed on Mesa 22.3.6."""

from __future__ import annotations

import pytest

from statetracker.gl import Context

NONE, ENUM, OPERATION = "GL_NO_ERROR", "GL_INVALID_ENUM", "GL_INVALID_OPERATION"
WRAP, EDGE, FIRST = "GL_TEXTURE_WRAP_S", 0x812F, 0x84C0

# fmt: off
#: Target -> the error of setting MAX_LEVEL and WRAP_S by a new name, and whether that made an object.
TARGETS = [
    ("GL_TEXTURE_2D",                  NONE,      NONE,      True),
    ("GL_TEXTURE_CUBE_MAP_POSITIVE_X", NONE,      NONE,      True),
    ("GL_TEXTURE_2D_MULTISAMPLE",      NONE,      OPERATION, True),
    ("GL_TEXTURE_BUFFER",              OPERATION, OPERATION, True),
    ("GL_PROXY_TEXTURE_2D",            OPERATION, OPERATION, False),
    ("GL_TEXTURE_EXTERNAL_OES",        ENUM,      ENUM,      False),
    (0x1234,                           ENUM,      ENUM,      False),
]
# fmt: on


@pytest.mark.parametrize(("target", "level", "wrap", "made"), TARGETS)
def test_targets_of_parameters(gl: Context, target: object, level: str, wrap: str, made: bool) -> None:
    """A call that fails may still have made the object."""
    gl.call("glTextureParameteriEXT", 5, target, "GL_TEXTURE_MAX_LEVEL", 3)
    errors = [gl.glGetError()]
    gl.call("glTextureParameteriEXT", 5, target, WRAP, EDGE)
    assert ([*errors, gl.glGetError()], gl.glIsTexture(5)) == ([level, wrap], made)


def test_a_cube_face_means_its_cube(gl: Context) -> None:
    gl.call("glTextureParameteriEXT", 5, "GL_TEXTURE_CUBE_MAP_NEGATIVE_Y", WRAP, EDGE)
    gl.call("glTextureStorage2DEXT", 5, "GL_TEXTURE_CUBE_MAP_NEGATIVE_Y", 1, "GL_RGBA8", 4, 4)
    assert gl.glGetError() == NONE
    assert gl.call("glGetTextureParameterivEXT", 5, "GL_TEXTURE_CUBE_MAP", WRAP) == [EDGE]
    assert gl.call("glGetTextureLevelParameterivEXT", 5, 0x8515, 0, "GL_TEXTURE_WIDTH") == [4]
    assert gl.glGetTextureLevelParameteriv(5, 0, "GL_TEXTURE_WIDTH") == [4]


def test_a_unit_answers_for_its_texture(gl: Context) -> None:
    gl.glBindMultiTextureEXT(FIRST + 2, "GL_TEXTURE_2D", 7)
    gl.glMultiTexParameteriEXT(FIRST + 2, "GL_TEXTURE_2D", WRAP, EDGE)
    assert gl.call("glGetMultiTexParameterivEXT", FIRST + 2, "GL_TEXTURE_2D", WRAP) == [EDGE]
    assert gl.call("glGetMultiTexLevelParameterivEXT", FIRST + 2, "GL_TEXTURE_2D", 0, "GL_TEXTURE_WIDTH") == [0]
    assert gl.active == 0
    gl.call("glGetMultiTexParameterivEXT", FIRST + 192, "GL_TEXTURE_2D", WRAP)
    assert gl.glGetError() == OPERATION


def test_forms_with_i_take_proxies(gl: Context) -> None:
    for form, error in (("Iiv", NONE), ("iv", OPERATION)):
        gl.call(f"glMultiTexParameter{form}EXT", FIRST + 192, "GL_PROXY_TEXTURE_2D", WRAP, [EDGE])
        assert gl.glGetError() == error
    assert gl.call("glGetMultiTexParameterIivEXT", FIRST, "GL_PROXY_TEXTURE_2D", WRAP) == [EDGE]
