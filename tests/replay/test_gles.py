"""GLES contexts of a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from statetracker.caps import Screen
from statetracker.replay.contexts import limits_of
from statetracker.sampler import converter
from tests.replay.conftest import program, texture

if TYPE_CHECKING:
    from tests.replay.conftest import Sampled

LLVMPIPE = converter(Screen.named("llvmpipe"), "mesa22")
DRAW = "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)"
PLAIN = texture(1, "GL_RGBA"), "glEnable(cap = GL_TEXTURE_2D)"
SHADERS = program(
    1,
    vertex="void main() { gl_Position = vec4(0.0); }",
    fragment="precision mediump float; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(0.5)); }",
)
RECTANGLE = "glDrawTexiOES(x = 0, y = 0, z = 0, width = {}, height = 9)"


def test_gles_1_draws_in_fixed_function(sampled: Sampled) -> None:
    assert sampled(*PLAIN, DRAW, profile="gles1") == [0]
    assert sampled(PLAIN[0], DRAW, profile="gles1") == []
    assert sampled(*PLAIN, DRAW, profile="gles2") == []
    assert sampled(PLAIN[0], SHADERS, DRAW, profile="gles2") == [1]


def test_gles_1_draws_textures_as_rectangles(sampled: Sampled) -> None:
    assert sampled(*PLAIN, RECTANGLE.format(9), profile="gles1") == [0]
    assert sampled(*PLAIN, RECTANGLE.format(0), profile="gles1") == []
    assert sampled(*PLAIN, "glDrawTexfvOES(coords = {0, 0, 0, 9, 9})", profile="gles1") == [0]


@pytest.mark.parametrize("kind", ["GL_FLOAT", "GL_HALF_FLOAT_OES"])
def test_float_textures_are_filtered_linearly_where_the_desktop_has_them(sampled: Sampled, kind: str) -> None:
    floats = PLAIN[0].replace("GL_UNSIGNED_BYTE", kind)
    assert sampled(floats, SHADERS, DRAW, profile="gles2") == [1]


def test_gles_contexts_have_the_extensions_of_gles() -> None:
    newest, first, core = (limits_of(LLVMPIPE, profile) for profile in ("gles2", "gles1", "core"))
    assert newest.profile == limits_of(LLVMPIPE, "gles3").profile == "gles32"
    assert newest.has("GL_OES_texture_half_float_linear")
    assert not newest.has("GL_ARB_texture_float")
    assert first.profile == "gles1"
    assert first.has("GL_OES_texture_cube_map")
    assert not first.has("GL_OES_texture_float")
    assert core.extensions == limits_of(LLVMPIPE, "").extensions


def test_a_driver_without_float_textures_has_none_in_gles() -> None:
    screen = Screen.named("llvmpipe")
    poor = screen.replace(extensions=screen.extensions - {"GL_ARB_texture_float"})
    assert not limits_of(converter(poor, "mesa22"), "gles2").has("GL_OES_texture_float_linear")
