"""`statetracker.gl.unit_calls` and `Saved` of `units`: units, biases, switches, push and pop."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable

import pytest

from statetracker.gl import Context
from statetracker.gl import enums as e
from statetracker.gl.unit_calls import ENABLE_BIT, MOST, TEXTURE_BIT
from statetracker.gl.units import Unit

Make = Callable[..., Context]
NONE, ENUM, OPERATION = "GL_NO_ERROR", "GL_INVALID_ENUM", "GL_INVALID_OPERATION"
FILTER, BIAS, TWO_D, SEAMLESS = (
    "GL_TEXTURE_FILTER_CONTROL",
    "GL_TEXTURE_LOD_BIAS",
    "GL_TEXTURE_2D",
    "GL_TEXTURE_CUBE_MAP_SEAMLESS",
)
T = e.Target


@pytest.mark.parametrize(
    ("call", "value"), [("glTexEnvf", 1.5), ("glTexEnvi", 3), ("glTexEnvfv", [1.5]), ("glTexEnviv", [3, 9])]
)
def test_the_bias_is_the_active_units(gl: Context, call: str, value: object) -> None:
    gl.glActiveTexture("GL_TEXTURE2")
    gl.call(call, FILTER, BIAS, value)
    assert (gl.unit(2).lod_bias, gl.unit(0).lod_bias) == (value[0] if isinstance(value, list) else value, 0.0)


@pytest.mark.parametrize("form", ["f", "i", "fv", "iv"])
def test_the_bias_of_any_unit_can_be_set(gl: Context, form: str) -> None:
    """MultiTexEnv names it; one past the last is INVALID_OPERATION."""
    gl.call(f"glMultiTexEnv{form}EXT", "GL_TEXTURE7", FILTER, BIAS, 40)
    assert (gl.unit(7).lod_bias, gl.glGetError()) == (40.0, NONE)
    gl.call(f"glMultiTexEnv{form}EXT", 0x84C0 + 192, FILTER, BIAS, 40)
    assert gl.glGetError() == OPERATION


def test_an_equal_bias_keeps_the_token_and_nan_never_does(gl: Context) -> None:
    tokens = []
    for bias in (0.0, -0.0, math.nan, math.nan):
        gl.glTexEnvf(FILTER, BIAS, bias)
        tokens.append(gl.unit().token)
    assert tokens[0] == tokens[1]
    assert len(set(tokens)) == 3


def test_other_parameters_of_filter_control_are_refused(gl: Context) -> None:
    gl.glTexEnvf(FILTER, "GL_TEXTURE_MIN_LOD", 1.0)
    assert str(gl.messages[-1]) == (
        "GL_INVALID_ENUM in glTexEnvf: pname=GL_TEXTURE_MIN_LOD of GL_TEXTURE_FILTER_CONTROL; "
        "accepted: GL_TEXTURE_LOD_BIAS"
    )


def test_the_bias_can_be_asked_for(gl: Context) -> None:
    gl.glTexEnvf(FILTER, BIAS, -2.75)
    assert (gl.glGetTexEnvfv(FILTER, BIAS), gl.glGetTexEnviv(FILTER, BIAS)) == ([-2.75], [-2])
    assert gl.glGetTexEnvfv(FILTER, "GL_TEXTURE_MIN_LOD") is None


def test_bind_samplers_binds_the_good_ones(gl: Context, smp: int) -> None:
    """Past the last unit nothing is bound; without an array all are unbound."""
    gl.glBindSamplers(0, 3, [smp, 99, smp])
    assert gl.glGetError() == OPERATION
    assert [gl.unit(n).sampler is not None for n in range(3)] == [True, False, True]
    gl.glBindSamplers(190, 3, [smp] * 3)
    assert (gl.glGetError(), gl.unit(190).sampler) == (OPERATION, None)
    gl.glBindSamplers(0, 3, None)
    assert (gl.unit(0).sampler, gl.unit(2).sampler) == (None, None)
    gl.glBindSamplers(0, -1, None)
    assert gl.glGetError() == OPERATION
    gl.glBindSamplers(1, -1, None)
    assert gl.glGetError() == NONE


def test_bind_textures_binds_by_each_textures_target(gl: Context) -> None:
    """A reserved name is no texture; 0 unbinds every target of a unit."""
    (cube,), (flat,), (reserved,) = (
        gl.glCreateTextures("GL_TEXTURE_CUBE_MAP", 1),
        gl.glCreateTextures(TWO_D, 1),
        gl.glGenTextures(1),
    )
    gl.glBindTextures(4, 3, [cube, reserved, flat])
    assert gl.glGetError() == OPERATION
    assert (gl.bound(T.TEXTURE_CUBE_MAP, 4).label, gl.bound(T.TEXTURE_2D, 6).label) == (cube, flat)
    gl.glBindTextures(4, 3)
    assert gl.bound(T.TEXTURE_CUBE_MAP, 4).label is None


@pytest.mark.parametrize(
    ("profile", "on"), [("compatibility", False), ("core", False), ("gles1", False), ("gles2", True), ("gles3", True)]
)
def test_seamless_cubes_start_on_in_gles_2_and_later(make: Make, profile: str, on: bool) -> None:
    gl = make(profile)
    assert gl.seamless is on
    gl.glEnable(SEAMLESS)
    assert gl.glGetError() == (NONE if gl.limits.desktop else ENUM)


def test_push_and_pop_restore_every_texture_parameter_but_the_stencil_mode(gl: Context, tex: int) -> None:
    """Bias, bindings and active unit too; the sampler object stays as it is bound."""
    (smp,) = gl.glGenSamplers(1)
    texture = gl.bound(T.TEXTURE_2D)
    before, swizzle = texture.sampler.state(), texture.swizzle
    gl.glPushAttrib(TEXTURE_BIT)
    texture.sampler.update(wrap="clamp", border_color=(1, 1, 1, 1))
    for pname, value in ((0x813C, 3), (0x8E42, 0), (0x884B, 0x1906), (0x8191, 1), (0x90EA, 0x1901)):
        gl.glTexParameteri(TWO_D, pname, value)
    gl.glTexEnvf(FILTER, BIAS, 2.0)
    gl.glBindSampler(0, smp)
    gl.glBindTexture(TWO_D, 0)
    gl.glActiveTexture(5)
    gl.glPopAttrib()
    assert (texture.sampler.state(), texture.swizzle, texture.base_level) == (before, swizzle, 0)
    assert (texture.depth_mode, texture.generate_mipmap, texture.stencil_sampling) == (0x1909, False, True)
    assert (gl.active, gl.unit(0).lod_bias, gl.unit(0).sampler) == (0, 0.0, gl.samplers[smp])
    assert gl.bound(T.TEXTURE_2D).label == tex


@pytest.mark.parametrize("target", [T.TEXTURE_2D, T.TEXTURE_CUBE_MAP, T.TEXTURE_RECTANGLE, T.TEXTURE_2D_MULTISAMPLE])
def test_a_default_texture_first_touched_after_the_push_is_as_new_after_the_pop(make: Make, target: T) -> None:
    """GL has it from the start; here it is made when it is asked for."""
    gl, new = make(), make().bound(target)
    gl.glPushAttrib(TEXTURE_BIT)
    assert not gl.defaults
    texture = gl.bound(target)
    gl.glTexParameteri(target, 0x8E42, 0)
    gl.glTexParameteri(target, 0x813D, 3)
    if not target.is_multisample:
        gl.glTexParameteri(target, 0x2802, "GL_CLAMP")
    gl.glPopAttrib()
    assert gl.bound(target) is texture
    assert texture.sampler.state() == new.sampler.state()
    assert (texture.swizzle, texture.max_level) == (new.swizzle, new.max_level)


def test_a_default_texture_touched_before_the_push_gets_back_what_it_had(gl: Context) -> None:
    gl.glBindTexture(TWO_D, 0)
    seen = []
    gl.glTexParameteri(TWO_D, 0x813A, 3)
    gl.glPushAttrib(TEXTURE_BIT)
    gl.glTexParameteri(TWO_D, 0x813A, 5)
    gl.glPushAttrib(TEXTURE_BIT)
    gl.glTexParameteri(TWO_D, 0x813A, 7)
    for _ in range(2):
        gl.glPopAttrib()
        seen.append(gl.glGetTexParameteriv(TWO_D, 0x813A))
    assert seen == [[5], [3]]


def test_only_textures_bound_to_a_unit_are_saved(gl: Context) -> None:
    bound, elsewhere, nowhere = gl.glCreateTextures(TWO_D, 3)
    gl.glBindTexture(TWO_D, bound)
    gl.glBindTextureUnit(9, elsewhere)
    gl.glPushAttrib(TEXTURE_BIT)
    gl.glBindTexture(TWO_D, nowhere)
    for name in (bound, elsewhere, nowhere):
        gl.glTextureParameteri(name, 0x813A, 5)
    gl.glPopAttrib()
    lods = [gl.glGetTextureParameteriv(name, 0x813A) for name in (bound, elsewhere, nowhere)]
    assert lods == [[-1000], [-1000], [5]]


@pytest.mark.parametrize("inner", [0, ENABLE_BIT, TEXTURE_BIT])
def test_an_outer_group_puts_back_what_was_changed_inside_an_inner_one(gl: Context, inner: int) -> None:
    gl.glPushAttrib(TEXTURE_BIT)
    gl.glPushAttrib(inner)
    gl.glTexParameteri(TWO_D, 0x813A, 5)
    gl.glActiveTexture(1)
    gl.glPopAttrib()
    gl.glPopAttrib()
    assert gl.active == 0
    assert gl.glGetTexParameteriv(TWO_D, 0x813A) == [-1000]


def test_pop_leaves_buffer_textures_and_multisample_samplers_alone(gl: Context) -> None:
    multisample, buffer = gl.bound(T.TEXTURE_2D_MULTISAMPLE), gl.bound(T.TEXTURE_BUFFER)
    gl.glPushAttrib(TEXTURE_BIT)
    for texture in (multisample, buffer):
        texture.sampler.update(lod_bias=1)
        texture.store("max_level", 3)
    gl.glPopAttrib()
    assert (multisample.sampler.lod_bias, multisample.max_level) == (1.0, 1000)
    assert (buffer.sampler.lod_bias, buffer.max_level) == (1.0, 3)


def test_enable_bit_saves_switches_only(gl: Context) -> None:
    """Parameters and biases stay as they were changed."""
    gl.glPushAttrib(ENABLE_BIT)
    gl.glEnable(TWO_D)
    gl.glEnable(SEAMLESS)
    gl.glEnable("GL_FRAGMENT_PROGRAM_ARB")
    gl.glTexEnvf(FILTER, BIAS, 2.0)
    gl.glPopAttrib()
    assert (gl.unit().enabled, gl.seamless, gl.enabled, gl.unit().lod_bias) == (set(), True, {0x884F}, 2.0)


def test_texture_bit_saves_texture_enables_but_no_other_switch(gl: Context) -> None:
    gl.glPushAttrib(TEXTURE_BIT)
    for cap in (TWO_D, SEAMLESS, "GL_FRAGMENT_PROGRAM_ARB"):
        gl.glEnable(cap)
    gl.glPopAttrib()
    assert [gl.glIsEnabled(cap) for cap in (TWO_D, SEAMLESS, "GL_FRAGMENT_PROGRAM_ARB")] == [False, True, True]


@pytest.mark.parametrize("mask", [TEXTURE_BIT, ENABLE_BIT, TEXTURE_BIT | ENABLE_BIT, 0xFFFFF])
@pytest.mark.parametrize("on", [False, True])
def test_the_switch_for_seamless_cubes_is_never_put_back(gl: Context, mask: int, *, on: bool) -> None:
    """As Mesa has it, recorded live."""
    (gl.glDisable if on else gl.glEnable)(SEAMLESS)
    gl.glPushAttrib(mask)
    (gl.glEnable if on else gl.glDisable)(SEAMLESS)
    gl.glPopAttrib()
    assert gl.seamless is on


def test_the_name_of_a_texture_deleted_between_push_and_pop_is_bound_again(gl: Context, tex: int) -> None:
    """As glBindTexture binds it: a new object, without images; the saved parameters are put into it."""
    gl.glTexParameteri(T.TEXTURE_2D, "GL_TEXTURE_WRAP_S", "GL_CLAMP_TO_EDGE")
    gl.glTexStorage2D(T.TEXTURE_2D, 1, "GL_RGBA8", 4, 4)
    before = gl.bound(T.TEXTURE_2D)
    gl.glPushAttrib(TEXTURE_BIT)
    gl.glDeleteTextures([tex])
    gl.glPopAttrib()
    after = gl.bound(T.TEXTURE_2D)
    assert after is gl.textures[tex] is not before
    assert after.label == tex
    assert gl.glIsTexture(tex)
    assert gl.glGetTexParameteriv(T.TEXTURE_2D, "GL_TEXTURE_WRAP_S") == [0x812F]
    assert not after.images
    assert not after.immutable_levels


def test_a_name_that_is_another_texture_at_the_pop_gets_the_parameters_if_it_fits(gl: Context, tex: int) -> None:
    gl.glPushAttrib(TEXTURE_BIT)
    gl.glDeleteTextures([tex])
    gl.glBindTexture(T.TEXTURE_2D, tex)
    gl.glTexParameteri(T.TEXTURE_2D, "GL_TEXTURE_WRAP_S", "GL_CLAMP_TO_EDGE")
    gl.glPopAttrib()
    assert gl.glGetTexParameteriv(T.TEXTURE_2D, "GL_TEXTURE_WRAP_S") == [0x2901]
    gl.glPushAttrib(TEXTURE_BIT)
    gl.glDeleteTextures([tex])
    gl.glBindTexture(T.TEXTURE_3D, tex)
    gl.glPopAttrib()
    assert gl.textures[tex].target == T.TEXTURE_3D  # type: ignore[union-attr]
    assert gl.bound(T.TEXTURE_2D) is gl.default_texture(T.TEXTURE_2D)


def test_a_name_that_has_another_target_at_the_pop_is_bound_there(gl: Context, tex: int) -> None:
    """What was bound where it was saved stays; the targets are gone through in Mesa's order. Observed on 22.3.6."""
    gl.glBindTexture("GL_TEXTURE_CUBE_MAP", 7)
    gl.glPushAttrib(TEXTURE_BIT)
    gl.glDeleteTextures(2, [tex, 7])
    for name in (7, tex, 0):
        gl.glBindTexture("GL_TEXTURE_3D", name)
    gl.glBindTexture("GL_TEXTURE_2D", 8)
    gl.glPopAttrib()
    assert {T(target).name: texture.label for target, texture in gl.unit().textures.items()} == {
        "TEXTURE_2D": 8,
        "TEXTURE_3D": tex,
    }


def test_the_stack_overflows_and_underflows(gl: Context) -> None:
    gl.glPopAttrib()
    assert gl.glGetError() == "GL_STACK_UNDERFLOW"
    for _ in range(MOST + 1):
        gl.glPushAttrib(TEXTURE_BIT)
    assert gl.glGetError() == "GL_STACK_OVERFLOW"


ENV, MODE = "GL_TEXTURE_ENV", "GL_TEXTURE_ENV_MODE"


@pytest.mark.parametrize(
    ("pname", "good", "bad"),
    [
        (MODE, "GL_REPLACE", 0x1234), (MODE, "GL_COMBINE4_NV", "GL_NEAREST"),
        ("GL_COMBINE_RGB", "GL_DOT3_RGBA", "GL_DECAL"), ("GL_COMBINE_ALPHA", "GL_ADD", "GL_DOT3_RGBA"),
        ("GL_SOURCE0_RGB", "GL_TEXTURE7", "GL_TEXTURE8"), ("GL_SOURCE2_ALPHA", "GL_ONE", "GL_RGBA"),
        ("GL_OPERAND0_RGB", "GL_SRC_COLOR", 0x5555), ("GL_OPERAND1_ALPHA", "GL_SRC_ALPHA", "GL_SRC_COLOR"),
    ],
)  # fmt: skip
def test_a_texture_environment_keeps_only_what_gl_accepts(
    gl: Context, pname: str, good: str | int, bad: str | int
) -> None:
    gl.glTexEnvi(ENV, pname, good)
    assert gl.glGetError() == "GL_NO_ERROR"
    kept = dict(gl.unit().environment)
    assert kept
    gl.glTexEnvi(ENV, pname, bad)
    assert gl.glGetError() == "GL_INVALID_ENUM"
    assert gl.unit().environment == kept


def test_replace_of_the_older_extension_is_replace(gl: Context) -> None:
    gl.glTexEnvi(ENV, MODE, "GL_REPLACE_EXT")
    assert list(gl.unit().environment.values()) == [0x1E01]


def test_fixed_function_has_eight_units(gl: Context) -> None:
    gl.glActiveTexture("GL_TEXTURE7")
    gl.glEnable("GL_TEXTURE_2D")
    assert gl.unit().enabled
    gl.glActiveTexture("GL_TEXTURE8")
    gl.glEnable("GL_TEXTURE_2D")
    assert (gl.glGetError(), gl.unit().enabled) == ("GL_NO_ERROR", set())
    gl.glEnablei("GL_TEXTURE_2D", 8)
    assert (gl.glGetError(), gl.unit().enabled) == ("GL_NO_ERROR", set())
    assert not gl.glIsEnabledi("GL_TEXTURE_2D", 8)
    gl.glIsEnabledi("GL_TEXTURE_2D", 192)
    assert gl.glGetError() == "GL_INVALID_VALUE"


@pytest.mark.parametrize("cap", ["GL_BLEND", 0x1234])
def test_switches_that_no_sampler_reads_are_kept(gl: Context, cap: object) -> None:
    gl.glEnable(cap)
    assert gl.glIsEnabled(cap)
    gl.glEnablei(cap, 99)
    assert gl.glGetError() == NONE


def test_one_switch_by_index(gl: Context) -> None:
    gl.glEnablei("GL_TEXTURE_CUBE_MAP", 3)
    gl.glActiveTexture("GL_TEXTURE3")
    assert gl.glIsEnabled("GL_TEXTURE_CUBE_MAP")
    assert gl.glIsEnabledi("GL_TEXTURE_CUBE_MAP", 3)
    assert not gl.glIsEnabledi("GL_TEXTURE_CUBE_MAP", 2)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301 (our own)
def test_a_copy_of_a_unit_has_tokens_of_its_own(copied: Callable[[Unit], Unit]) -> None:
    unit = Unit()
    unit.set_lod_bias(0.5)
    other = copied(unit)
    assert {other.token, other.switches}.isdisjoint({unit.token, unit.switches})
    assert (other.lod_bias, other.sampler, other.textures) == (0.5, None, {})
