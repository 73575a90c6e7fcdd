"""`statetracker.gl.program`, and calls on programs: sampler uniforms, their units and slots; bindless handles."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable
from typing import Any

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl import Context, Program, SamplerUniform, sampler_target
from statetracker.gl.program import SAMPLER_TARGETS

NONE, VALUE, OPERATION = "GL_NO_ERROR", "GL_INVALID_VALUE", "GL_INVALID_OPERATION"
TWO_D = "GL_TEXTURE_2D"


@pytest.mark.parametrize("plain", SAMPLER_TARGETS)
@pytest.mark.parametrize("spelled", ["{}", "i{}", "u{}", "{}Shadow"])
def test_prefix_and_shadow_do_not_change_a_samplers_target(plain: str, spelled: str) -> None:
    assert sampler_target(spelled.format(plain)) == SAMPLER_TARGETS[plain]


@pytest.mark.parametrize(
    "uniform",
    [
        {"type": "vec4"}, {"type": "sampler2D", "stages": ("pixel",)}, {"type": "sampler2D", "size": 0},
        {"type": "sampler2D", "binding": -1},
    ],
)  # fmt: skip
def test_what_is_no_sampler_uniform_is_an_argument_error(uniform: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        Program([SamplerUniform("tex", **uniform)])


def test_slots_are_packed_in_order_of_declaration_stage_by_stage() -> None:
    """An array takes one slot an element; a uniform of two stages is one uniform."""
    program = Program(
        [
            SamplerUniform("a", "sampler2D", stages=("vertex",), binding=3),
            SamplerUniform("b", "samplerCube", size=2, stages=("vertex", "fragment"), binding=5),
            SamplerUniform("c", "sampler3D", size=2, bindless=True),
        ]
    )
    assert [slot.unit for slot in program.slots("vertex")] == [3, 5, 6]
    assert [(slot.index, slot.unit, slot.bindless) for slot in program.slots("fragment")] == [
        (0, 5, False),
        (1, 6, False),
        (2, 0, True),
        (3, 0, True),
    ]
    assert program.slots("geometry") == []


def test_locations_name_arrays_and_their_elements(gl: Context) -> None:
    name = gl.add_program(Program([SamplerUniform("x", "sampler2D"), SamplerUniform("a", "sampler2D", size=2)]))
    seen = [gl.glGetUniformLocation(name, word) for word in ("x", "a", "a[0]", "a[1]", "a[2]")]
    assert seen == [0, 1, 1, 2, -1]
    assert gl.glGetUniformLocation(99, "x") == -1
    assert gl.glGetError() == VALUE


def test_uniforms_set_units(gl: Context) -> None:
    """Of the current program, or of a named one; arrays by elements, no further than their end."""
    program = Program([SamplerUniform("a", "sampler2D", size=2), SamplerUniform("b", "sampler2D")])
    name = gl.add_program(program)
    gl.glUseProgram(name)
    gl.glUniform1i(2, 9)
    gl.glUniform1iv(0, 3, [4, 5, 6])
    assert program.units == [4, 5, 9]
    gl.glProgramUniform1i(name, 0, 1)
    gl.glProgramUniform1iv(name, 1, [2])
    gl.glUniform1i(-1, 77)
    assert (program.units, gl.glGetError()) == ([1, 2, 9], NONE)


def test_bad_uniform_calls_change_nothing(gl: Context) -> None:
    """No program, no such location, no such unit, no such program."""
    gl.glUniform1i(0, 1)
    name = gl.add_program(Program([SamplerUniform("a", "sampler2D", size=2)]))
    gl.glUseProgram(name)
    gl.glUniform1i(2, 1)
    gl.glUniform1iv(0, 2, [1, 192])
    gl.glUniform1iv(0, -1, [1])
    gl.glUseProgram(99)
    gl.glProgramUniform1i(99, 0, 1)
    assert [m.error for m in gl.messages] == [OPERATION, OPERATION, VALUE, VALUE, VALUE, VALUE]
    assert gl.programs[name].units == [0, 0]
    assert gl.program is gl.programs[name]


def test_a_deleted_program_stays_in_use_until_another_is(gl: Context) -> None:
    name = gl.add_program(Program(), 7)
    gl.glUseProgram(name)
    gl.glDeleteProgram(name)
    assert (name, gl.program is not None, gl.programs) == (7, True, {})
    gl.glUseProgram(0)
    gl.glDeleteProgram(0)
    assert (gl.program, gl.glGetError()) == (None, NONE)


@pytest.mark.parametrize(
    ("version", "modern"), [(0, False), (100, False), (120, False), (130, True), (300, True), (450, True)]
)
def test_glsl_130_divides_old_from_new(version: int, modern: bool) -> None:
    assert Program(glsl_version=version).glsl130 is modern


def complete(gl: Context) -> int:
    (name,) = gl.glCreateTextures(TWO_D, 1)
    gl.glTextureStorage2D(name, 1, "GL_RGBA8", 4, 4)
    return name


def test_a_handle_freezes_texture_and_sampler(gl: Context, smp: int) -> None:
    """Setting is INVALID_OPERATION, asking is not; deleting sets the other half free."""
    texture = complete(gl)
    handle = gl.glGetTextureSamplerHandleARB(texture, smp)
    assert handle == gl.glGetTextureSamplerHandleARB(texture, smp) != 0
    gl.glSamplerParameteri(smp, "GL_TEXTURE_WRAP_S", "GL_CLAMP")
    gl.glTextureParameteri(texture, "GL_TEXTURE_WRAP_S", "GL_CLAMP")
    gl.glGenerateTextureMipmap(texture)
    assert [m.error for m in gl.messages] == [OPERATION] * 3
    assert gl.glGetSamplerParameteriv(smp, "GL_TEXTURE_WRAP_S") == [0x2901]
    gl.glDeleteSamplers([smp])
    gl.glGetError()
    gl.glTextureParameteri(texture, "GL_TEXTURE_WRAP_S", "GL_CLAMP")
    assert (gl.glGetError(), gl.handles) == (NONE, {})


def test_handles_of_one_sampler_are_told_apart_and_go_with_their_texture(gl: Context, smp: int) -> None:
    first, second = complete(gl), complete(gl)
    handles = [gl.glGetTextureSamplerHandleARB(name, smp) for name in (first, second, first)]
    own = gl.glGetTextureHandleARB(first)
    assert handles[0] == handles[2] != handles[1]
    gl.glDeleteTextures([first])
    assert (list(gl.handles), gl.samplers[smp].handles) == ([handles[1]], 1)
    assert own not in (*handles, gl.glGetTextureHandleARB(second))
    gl.glDeleteSamplers([smp])
    assert [sampler for _, sampler in gl.handles.values()] == [None]


def test_thousands_of_handles_cost_no_more_each_than_a_few(gl: Context) -> None:
    """Before, each was looked for among all; 20,000 took two minutes."""
    names = [complete(gl) for _ in range(20_000)]
    start = time.process_time()
    for name in (*names, *names):
        gl.glGetTextureHandleARB(name)
    gl.glDeleteTextures(names)
    assert gl.handles == {}
    assert time.process_time() - start < 3


def test_a_handles_number_is_never_given_twice(gl: Context) -> None:
    first = complete(gl)
    handle = gl.glGetTextureHandleARB(first)
    gl.glDeleteTextures([first])
    assert gl.glGetTextureHandleARB(complete(gl)) != handle


def test_handles_want_complete_textures_and_known_names(gl: Context, tex: int, smp: int) -> None:
    """INVALID_VALUE for names, INVALID_OPERATION for what is incomplete."""
    seen = [
        gl.glGetTextureHandleARB(99),
        gl.glGetTextureHandleARB(tex),
        gl.glGetTextureSamplerHandleARB(complete(gl), 99),
    ]
    assert seen == [0, 0, 0]
    assert gl.glGetTextureSamplerHandleARB(99, smp) == 0
    assert [m.error for m in gl.messages] == [VALUE, OPERATION, VALUE, VALUE]


@pytest.mark.parametrize(
    ("colour", "error"),
    [
        ((0, 0, 0, 0), NONE), ((1, 1, 1, 0), NONE), ((0, 0, 0, 1), NONE), ((1, 1, 1, 1), NONE),
        ((0.5, 0, 0, 0), OPERATION), ((1, 0, 0, 1), OPERATION),
    ],
)  # fmt: skip
def test_handles_want_black_or_white_borders(gl: Context, smp: int, colour: tuple[float, ...], error: str) -> None:
    gl.glSamplerParameterfv(smp, "GL_TEXTURE_BORDER_COLOR", colour)
    gl.glGetTextureSamplerHandleARB(complete(gl), smp)
    assert gl.glGetError() == error


def test_slots_and_locations_may_be_given() -> None:
    program = Program(
        [SamplerUniform("a", "sampler2D"), SamplerUniform("s", "sampler3D", 3)],
        slots={"vertex": [("s", 0)], "fragment": [("s", 0), ("s", 1), ("a", 0)]},
        locations={4: ("a", 0), 7: ("s", 0), 8: ("s", 1), 9: ("s", 2)},
    )
    program.set_units(7, [5, 6])
    program.set_units(5, [3])  # of another uniform, perhaps
    assert [slot.unit for slot in program.slots("fragment")] == [5, 6, 0]
    assert [slot.unit for slot in program.slots("vertex")] == [5]
    assert program.locations["s[2]"] == 9


def test_what_gl_says_of_locations_replaces_what_was_counted() -> None:
    program = Program([SamplerUniform("a", "sampler2D"), SamplerUniform("b", "sampler2D")])
    program.place(5, "a")
    program.vacate(1)
    program.set_units(0, [7])
    program.set_units(1, [7])
    program.set_units(5, [3])
    assert program.units == [3, 0]


def test_elements_that_nobody_gave_a_unit_do_not_count_as_two_types_on_one() -> None:
    program = Program([SamplerUniform("a", "sampler2D", 2), SamplerUniform("b", "sampler3D", 2)])
    program.set_units(1, [1])
    program.set_units(3, [2])
    assert program.units_in_use("fragment") == [(1, 0x0DE1, "a"), (2, 0x806F, "b")]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301 (our own)
def test_a_copy_has_a_token_of_its_own(copied: Callable[[Program], Program]) -> None:
    """Equal tokens mean equal content, and a copy is changed by itself."""
    program = Program([SamplerUniform("tex", "sampler2D", size=2)])
    other = copied(program)
    assert other.token != program.token
    assert (other.samplers, other.units, other.locations) == (program.samplers, program.units, program.locations)


@pytest.mark.parametrize("unit", [float("nan"), float("inf"), 10**400, -(10**400)])
def test_a_unit_that_no_int_holds_is_an_error_of_gl(gl: Context, unit: float) -> None:
    name = gl.add_program(Program([SamplerUniform("s", "sampler2D")]))
    gl.glUseProgram(name)
    gl.glUniform1iv(0, [unit])  # type: ignore[list-item]
    assert gl.glGetError() == "GL_INVALID_VALUE"
