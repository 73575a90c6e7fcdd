"""GL's functions by name: prototypes, conversions, errors; against the machine's own GL."""

from __future__ import annotations

from typing import Any

import pytest

from statetracker.bindings.gl import GL, build, prototypes
from statetracker.errors import ArgumentError, CallFailed, NoDevice, UnknownName

TEXTURE_2D, WRAP_S, BORDER = 0x0DE1, 0x2802, 0x1004


def test_prototypes_are_looked_up_by_name() -> None:
    assert prototypes()["glGetString"] == "const GLubyte *glGetString(GLenum name);"
    assert prototypes()["glTexParameteri"].startswith("void glTexParameteri(GLenum target")


def test_unknown_function_and_one_the_driver_lacks_are_distinguished() -> None:
    """No driver is needed to see it."""
    from statetracker.bindings.libraries import new_ffi

    empty = GL(new_ffi("a test"), lambda _: None)
    with pytest.raises(UnknownName, match="glTexParametr"):
        empty.call("glTexParametr", 1)
    with pytest.raises(NoDevice, match="this driver has no glTexParameteri"):
        empty.call("glTexParameteri", 1, 2, 3)
    assert not empty.has("glTexParameteri")


@pytest.mark.live("egl")
def test_parameters_go_in_and_come_back(gl: GL) -> None:
    (texture,) = gl.names("glGenTextures")
    gl.call("glBindTexture", TEXTURE_2D, texture)
    gl.call("glTexParameteri", TEXTURE_2D, WRAP_S, 0x2900)
    gl.call("glTexParameterfv", TEXTURE_2D, BORDER, [1, 0.5, 0, 1])
    assert gl.read("glGetTexParameteriv", TEXTURE_2D, WRAP_S) == [0x2900]
    assert gl.read("glGetTexParameterfv", TEXTURE_2D, BORDER, count=4) == [1, 0.5, 0, 1]
    assert gl.error() == "GL_NO_ERROR"


@pytest.mark.live("egl")
def test_gl_errors_are_reported_by_name(gl: GL) -> None:
    gl.call("glTexParameteri", TEXTURE_2D, WRAP_S, 77)
    assert [gl.error(), gl.error()] == ["GL_INVALID_ENUM", "GL_NO_ERROR"]


@pytest.mark.live("egl")
def test_texels_are_written_into_a_buffer(gl: GL) -> None:
    """Bytes go in, a bytearray is filled."""
    (texture,) = gl.names("glGenTextures")
    gl.call("glBindTexture", TEXTURE_2D, texture)
    texels = bytes(range(16))
    gl.call("glTexImage2D", TEXTURE_2D, 0, 0x8058, 2, 2, 0, 0x1908, 0x1401, texels)
    read = bytearray(16)
    gl.call("glGetTexImage", TEXTURE_2D, 0, 0x1908, 0x1401, read)
    assert bytes(read) == texels


@pytest.mark.live("egl")
def test_strings_come_back_as_str_and_nothing_as_none(gl: GL) -> None:
    """GL_VERSION; a null pointer."""
    assert isinstance(gl.call("glGetString", 0x1F02), str)
    assert gl.call("glGetString", 1) is None
    assert gl.error() == "GL_INVALID_ENUM"


@pytest.mark.live("egl")
@pytest.mark.parametrize("texels", [[1, 2, 3, 4], memoryview(bytes(8))[::2]])
def test_what_is_no_memory_shows_the_prototype(gl: GL, texels: object) -> None:
    with pytest.raises(ArgumentError, match="void glTexImage1D"):
        gl.call("glTexImage1D", 0x0DE0, 0, 0x8058, 1, 0, 0x1908, 0x1401, texels)
    with pytest.raises(ArgumentError, match="GLint glGetUniformLocation"):
        gl.call("glGetUniformLocation", 0, "\ud800")


@pytest.mark.live("egl")
@pytest.mark.parametrize("arguments", [(1,), (1, "x"), (1, 2**40)])
def test_wrong_arguments_show_the_prototype(gl: GL, arguments: tuple[object, ...]) -> None:
    with pytest.raises(ArgumentError, match=r"void glBindTexture\(GLenum target, GLuint texture\);"):
        gl.call("glBindTexture", *arguments)
    assert gl.error() == "GL_NO_ERROR"


@pytest.mark.live("egl")
def test_every_prototype_can_be_loaded(gl: GL) -> None:
    assert {name for name in prototypes() if gl.has(name)} >= {"glTexParameterIuiv", "glSpecializeShader"}
    for name in prototypes():
        if gl.has(name):
            gl._load(name)


@pytest.mark.live("egl")
def test_compiler_s_own_text_is_in_the_error(gl: GL) -> None:
    with pytest.raises(CallFailed, match=r"fragment shader answered .*nonsense"):
        build(gl, {"fragment": "#version 450\nvoid main() { nonsense; }"})
    assert gl.error() == "GL_NO_ERROR"


@pytest.mark.live("egl")
def test_module_that_is_no_spirv_is_refused(gl: GL) -> None:
    with pytest.raises(CallFailed, match="vertex shader"):
        build(gl, {"vertex": b"\0" * 64})
    gl.error()


@pytest.mark.live("egl")
@pytest.mark.parametrize(
    "stages", [{"fragment": "nonsense"}, {"nothing": ""}, {"vertex": "void main() { }", "fragment": 5}]
)
def test_what_fails_to_build_leaves_nothing(gl: GL, stages: Any) -> None:
    before = gl.call("glCreateProgram")  # numbers of programs and shaders go up
    with pytest.raises((CallFailed, ArgumentError, AttributeError)):
        build(gl, stages)
    after = gl.call("glCreateProgram")
    left = [name for name in range(before + 1, after) if gl.call("glIsProgram", name) or gl.call("glIsShader", name)]
    assert left == []


@pytest.mark.live("egl")
def test_an_unknown_stage_is_refused(gl: GL) -> None:
    with pytest.raises(ArgumentError, match="vertex, tess-ctrl"):
        build(gl, {"pixel": ""})
