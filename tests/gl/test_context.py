"""`statetracker.gl.context`: errors, strict mode, binding, what a slot samples."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

import pytest

from statetracker.errors import GLError, UnknownName, UnmodelledCall
from statetracker.gl import Context, Program, SamplerUniform
from statetracker.gl import enums as e
from statetracker.gl.context import DESKTOP_CALLS
from statetracker.gl.names import glenum

Make = Callable[..., Context]
TWO_D, CUBE = "GL_TEXTURE_2D", "GL_TEXTURE_CUBE_MAP"
T = e.Target


def fill(gl: Context, name: int, target: str = TWO_D, fmt: str = "GL_RGBA8") -> None:
    gl.glBindTexture(target, name)
    gl.glTexStorage2D(target, 1, fmt, 4, 4)


def test_the_first_error_stays_until_it_is_taken(gl: Context) -> None:
    gl.glBindSampler(0, 99)
    gl.glBindSampler(-1, 0)
    assert gl.glGetError() == "GL_INVALID_OPERATION"
    assert gl.glGetError() == "GL_NO_ERROR"
    assert [m.error for m in gl.messages] == ["GL_INVALID_OPERATION", "GL_INVALID_VALUE"]


def test_a_strict_context_raises_with_its_parts_as_attributes(make: Make) -> None:
    gl = make(strict=True)
    with pytest.raises(GLError) as caught:
        gl.glBindSampler(0, 99)
    assert (caught.value.error, caught.value.call) == ("GL_INVALID_OPERATION", "glBindSampler")
    assert str(caught.value) == (
        "GL_INVALID_OPERATION in glBindSampler: sampler=99 is no sampler object; accepted: none exists yet"
    )
    assert gl.glGetError() == "GL_NO_ERROR"


@pytest.mark.parametrize("name", ["glBindTextureEXT", "glTexImage3DEXT", "glActiveTextureARB", "glTexStorage2DEXT"])
def test_older_names_of_extensions_are_the_same_calls(gl: Context, name: str) -> None:
    assert gl.function(name) is not None


@pytest.mark.parametrize("name", ["glDrawArrays", "glTextureSubImage2DEXT", "glMultiTexGenfEXT", "fail", "_set", "glx"])
def test_an_unknown_call_is_not_made(gl: Context, name: str) -> None:
    """Nor one of EXT_direct_state_access whose arguments differ, nor a method that is no GL call."""
    with pytest.raises(UnmodelledCall):
        gl.call(name)


@pytest.mark.parametrize(
    ("name", "near"), [("glDrawArrays", ""), ("glTexParamateri", "glTexParameteri"), ("glBindTexure", "glBindTexture")]
)
def test_a_method_that_a_context_lacks_says_what_a_context_is_for(gl: Context, name: str, near: str) -> None:
    with pytest.raises(UnmodelledCall, match=r"draws nothing\. Leave the call out") as caught:
        getattr(gl, name)
    assert isinstance(caught.value, AttributeError)
    assert str(caught.value).startswith(f"{name} is not a modelled GL call. ")
    assert near in str(caught.value)
    assert ("Near are" in str(caught.value)) is bool(near)
    assert not hasattr(gl, name)


def test_an_attribute_that_is_no_gl_call_is_missing_as_in_any_object(gl: Context) -> None:
    with pytest.raises(AttributeError, match="'Context' object has no attribute 'textures_'") as caught:
        _ = gl.textures_  # type: ignore[attr-defined]
    assert not isinstance(caught.value, UnmodelledCall)
    assert copy(gl).limits is gl.limits


def test_the_newest_thousand_messages_are_kept_and_not_all(gl: Context) -> None:
    """A program that errs in every frame must not fill the memory."""
    for name in range(1, 5001):
        gl.glUseProgram(name)
    assert 1000 <= len(gl.messages) <= 2000
    assert gl.messages[0].message < gl.messages[-1].message
    assert gl.messages[-1].message.startswith("program=5000 ")
    assert gl.glGetError() == "GL_INVALID_VALUE"


def test_a_word_that_is_no_enum_is_a_python_error(gl: Context) -> None:
    """GL knows numbers only; a misspelled name is a mistake in the program that calls us."""
    with pytest.raises(UnknownName, match="Did you mean GL_TEXTURE_2D"):
        gl.glBindTexture("GL_TEXTUR_2D", 1)


def test_names_from_gen_get_their_target_at_the_first_bind(gl: Context) -> None:
    """Until then they are no textures; then no other target will do."""
    (name,) = gl.glGenTextures(1)
    assert not gl.glIsTexture(name)
    gl.glBindTexture(CUBE, name)
    assert gl.glIsTexture(name)
    gl.glBindTexture(TWO_D, name)
    assert gl.glGetError() == "GL_INVALID_OPERATION"
    assert gl.bound(T.TEXTURE_CUBE_MAP).label == name


@pytest.mark.parametrize(
    ("target", "by_bind"), [("GL_TEXTURE_2D_MULTISAMPLE", 0x812F), ("GL_TEXTURE_RECTANGLE", 0x812F), (TWO_D, 0x2901)]
)
def test_sampler_defaults_depend_on_the_creation_path(gl: Context, target: str, by_bind: int) -> None:
    """Textures from glCreateTextures keep REPEAT if they are multisample ones."""
    gl.glBindTexture(target, gl.glGenTextures(1)[0])
    created = gl.textures[gl.glCreateTextures(target, 1)[0]]
    assert created is not None
    assert gl.bound(glenum(target)).sampler.wrap_s == by_bind
    assert created.sampler.wrap_s == (0x2901 if "MULTI" in target else by_bind)


@pytest.mark.parametrize(
    ("profile", "error"), [("compatibility", "GL_NO_ERROR"), ("core", "GL_INVALID_OPERATION"), ("gles2", "GL_NO_ERROR")]
)
def test_only_core_contexts_insist_on_generated_names(make: Make, profile: str, error: str) -> None:
    gl = make(profile)
    gl.glBindTexture(TWO_D, 7)
    assert gl.glGetError() == error


@pytest.mark.parametrize(("profile", "mode"), [("compatibility", 0x1909), ("gles3", 0x1909), ("core", 0x1903)])
def test_depth_texture_mode_starts_as_the_profile_has_it(make: Make, profile: str, mode: int) -> None:
    assert make(profile).bound(T.TEXTURE_2D).depth_mode == mode


def test_the_default_texture_is_shared_by_all_units(gl: Context) -> None:
    gl.glTexParameteri(TWO_D, "GL_TEXTURE_WRAP_S", "GL_CLAMP")
    gl.glActiveTexture("GL_TEXTURE5")
    assert gl.glGetTexParameteriv(TWO_D, "GL_TEXTURE_WRAP_S") == [0x2900]
    assert not gl.glIsTexture(0)


def test_a_complete_texture_is_current_with_the_sampler_that_applies(gl: Context, tex: int, smp: int) -> None:
    """The unit's sampler object, else the texture's own."""
    fill(gl, tex)
    own = gl.current(0, T.TEXTURE_2D)
    gl.glBindSampler(0, smp)
    now = gl.current(0, T.TEXTURE_2D)
    assert own.texture is now.texture is gl.textures[tex]
    assert (own.sampler, now.sampler) == (own.texture.sampler, gl.samplers[smp])


def test_an_incomplete_texture_brings_the_fallback_and_its_sampler(gl: Context, tex: int) -> None:
    """Nothing of the application's texture remains but the target."""
    gl.glTexParameteri(TWO_D, "GL_DEPTH_STENCIL_TEXTURE_MODE", "GL_STENCIL_INDEX")
    now = gl.current(0, T.TEXTURE_2D)
    assert now.texture is not gl.textures[tex]
    assert now.incomplete == "there is no image at BASE_LEVEL 0"
    assert (now.sampler.min_filter, now.texture.stencil_sampling) == (0x2600, False)
    assert gl.current(0, T.TEXTURE_2D).texture is now.texture


def test_a_sampler_object_stays_in_force_over_the_fallback(gl: Context, smp: int) -> None:
    gl.glBindSampler(0, smp)
    assert gl.current(0, T.TEXTURE_2D).sampler is gl.samplers[smp]


def test_fixed_function_takes_the_first_complete_target_by_priority(gl: Context, tex: int) -> None:
    """Cube map, 3D, rectangle, 2D, 1D; an incomplete one is passed over; binding alone enables nothing."""
    fill(gl, tex)
    gl.glTexParameteri(TWO_D, "GL_TEXTURE_MIN_FILTER", "GL_LINEAR")
    assert gl.slots("fragment") == []
    for cap in ("GL_TEXTURE_CUBE_MAP", "GL_TEXTURE_2D", "GL_TEXTURE_1D"):
        gl.glEnable(cap)
    assert [(slot.unit, slot.target) for slot in gl.slots("fragment")] == [(0, T.TEXTURE_2D)]
    assert gl.slots("vertex") == []


def test_a_programs_slots_are_its_own(gl: Context) -> None:
    gl.glEnable(TWO_D)
    gl.glUseProgram(gl.add_program(Program([SamplerUniform("tex", "samplerCube", binding=4)])))
    assert [(slot.unit, slot.target) for slot in gl.slots("fragment")] == [(4, T.TEXTURE_CUBE_MAP)]


def test_what_is_deleted_is_unbound_everywhere_and_its_name_is_no_object(gl: Context) -> None:
    for unit, (texture, sampler) in enumerate([(1, 1), (2, 2), (1, 2)]):
        gl.glGenSamplers(1)
        gl.glActiveTexture(unit)
        gl.glBindTexture(TWO_D, texture)
        gl.glBindSampler(unit, sampler)
    gl.glBindTexture(CUBE, 9)
    gl.glDeleteTextures([1, 0, 77])
    gl.glDeleteSamplers(2, [2, 77])
    assert [gl.bound(T.TEXTURE_2D, unit).label for unit in range(3)] == [None, 2, None]
    assert [gl.unit(unit).sampler for unit in range(3)] == [gl.samplers[1], None, None]
    assert gl.bound(T.TEXTURE_CUBE_MAP).label == 9
    assert [(gl.glIsTexture(name), gl.glIsSampler(name)) for name in (1, 2)] == [(False, True), (True, False)]
    assert gl.glGetError() == "GL_NO_ERROR"
    gl.glBindSampler(0, 2)
    assert gl.glGetError() == "GL_INVALID_OPERATION"
    gl.glBindTexture(CUBE, 1)  # a new object
    assert gl.bound(T.TEXTURE_CUBE_MAP).label == 1


def test_every_call_of_the_table_is_modelled_on_the_desktop(gl: Context) -> None:
    assert [name for name in DESKTOP_CALLS if gl.function(name) is None] == []


@pytest.mark.parametrize("profile", ["gles1", "gles32"])
@pytest.mark.parametrize("name", DESKTOP_CALLS)
def test_a_call_of_the_table_does_nothing_in_gles(make: Make, profile: str, name: str) -> None:
    gl = make(profile)
    assert gl.call(name, 1, "GL_TEXTURE_2D", 1) is None
    assert gl.glGetError() == "GL_INVALID_OPERATION"
    assert not any((gl.textures, gl.samplers, gl.units))
