"""The traps: where a port of Mesa's sampler translation goes wrong. One test a trap, or a few."""

from __future__ import annotations

from math import copysign, inf, isnan, nan
from typing import Any

import pytest

import statetracker as st
from statetracker.frontend.stage import convert_stage
from statetracker.gl import Limits, Wrap
from statetracker.pipe import Func, TexCompare, TexFilter, TexMipfilter, TexWrap
from statetracker.sampler import converter

LLVMPIPE = st.Screen.named("llvmpipe")
EMULATES = LLVMPIPE.replace(emulate_gl_clamp=True)
REFUSES = LLVMPIPE.replace(linear_filtering=st.FormatFeatures({}, default=False))
B = (0.125, 0.25, 0.5, 0.75)
BI = (3, -5, 7, 11)
NEAREST = {"min_filter": "nearest", "mag_filter": "nearest"}
LINEAR: dict[str, Any] = {"min_filter": "linear", "mag_filter": "linear"}


def made(
    fields: dict[str, Any], texture: str | st.Texture = "RGBA8", screen: st.Screen = LLVMPIPE, **options: Any
) -> st.SamplerState:
    """Convert a sampler, NEAREST unless it says otherwise."""
    image = texture if isinstance(texture, st.Texture) else st.Texture("2d", texture)
    return st.convert(st.Sampler(**(NEAREST | fields)), image, screen, **options).pipe


def context() -> st.Context:
    """Make a context with texture 1 bound to the 2D target and sampler object 1."""
    made = st.Context(LLVMPIPE.gl_limits())
    made.glGenTextures(1)
    made.glBindTexture("GL_TEXTURE_2D", 1)
    made.glGenSamplers(1)
    return made


def texture_of(gl: st.Context) -> st.Texture:
    """Give texture 1."""
    seen = gl.textures[1]
    assert seen is not None
    return seen


def test_zero_is_nearest_mipmapping_not_none() -> None:
    """Trap 1: NONE is 2, so forcing filters to 0 switches nearest mipmapping on."""
    assert [int(mip) for mip in (TexMipfilter.NEAREST, TexMipfilter.LINEAR, TexMipfilter.NONE)] == [0, 1, 2]
    assert made({}, "RGBA32I").min_mip_filter == TexMipfilter.NEAREST
    assert made({}, "RGBA32F", REFUSES, dialect="seed").min_mip_filter == TexMipfilter.NEAREST
    assert made({}).min_mip_filter == TexMipfilter.NONE


def test_biases_are_quantised_one_by_one_and_in_the_seed_as_a_sum() -> None:
    """Trap 2: 0.1 + 0.1 is 52/256 in Mesa 22.3 and 51/256 in the seed; halves go away from zero."""
    assert made({"lod_bias": 0.1}, unit_lod_bias=0.1).lod_bias == 52 / 256
    assert made({"lod_bias": 0.1}, unit_lod_bias=0.1, dialect="seed").lod_bias == 51 / 256
    assert made({"lod_bias": -2.5 / 256}).lod_bias == -3 / 256


def test_negative_zero_bias_needs_both_parts() -> None:
    """Trap 3: -0.0 + 0.0 is 0.0, and the two zeros are different states."""
    both, one = made({"lod_bias": -0.001}, unit_lod_bias=-0.001), made({"lod_bias": -0.001})
    assert (copysign(1, both.lod_bias), copysign(1, one.lod_bias)) == (-1, 1)
    assert both.lod_bias == one.lod_bias
    assert both != one


def test_negative_zero_is_kept_in_max_lod_and_border_but_not_in_min_lod() -> None:
    """Trap 3: min_lod is the larger of itself and 0.0."""
    state = made({"min_lod": -0.0, "max_lod": -0.0, "border_color": (-0.0, 0, 0, 0)})
    assert (copysign(1, state.min_lod), copysign(1, state.max_lod)) == (1, -1)
    assert state.border_color == (0x80000000, 0, 0, 0)


def test_nan_has_a_fate_in_every_member() -> None:
    """Trap 4: bias -16, min_lod 0, max_lod kept, anisotropy the driver's maximum, border kept to the bit."""
    state = made({"lod_bias": nan, "min_lod": nan, "max_lod": nan, "max_anisotropy": nan})
    assert (state.lod_bias, state.min_lod, state.max_anisotropy) == (-16.0, 0.0, 16)
    assert isnan(state.max_lod)
    payload = (0x7FC01234, 0xFFC00001, 0x7F800001, 0)
    assert made({"border_color_bits": payload, "wrap": "clamp-to-border"}).border_color == payload


@pytest.mark.parametrize("lod", [inf, -inf])
def test_infinite_max_lod_passes(lod: float) -> None:
    """Trap 5: max_lod is passed as it was set."""
    assert made({"max_lod": lod}).max_lod == lod


def test_inactive_compare_func_is_passed() -> None:
    """Trap 6: the function survives compare_mode 0, so it makes states differ; in the seed it is 0."""
    assert made({}).compare_func == Func.LEQUAL
    assert made({"compare_func": "less"}) != made({})
    assert made({"compare_func": "less"}, dialect="seed") == made({}, dialect="seed")


def test_unused_border_colours_make_states_differ() -> None:
    """Trap 7: an unused colour stays, untranslated; a used one is translated."""
    unused, used = made({"border_color": B}, "R8"), made({"border_color": B, "wrap": "clamp-to-border"}, "R8")
    assert (unused.border_color_f, used.border_color_f) == (B, (0.125, 0.0, 0.0, 1.0))
    assert unused != made({}, "R8")


def test_zero_border_is_not_translated() -> None:
    """Trap 8: alpha of a RED border stays 0; the test is on bits, so -0.0 is translated."""
    zero, minus = ({"border_color": (x, 0, 0, 0), "wrap": "clamp-to-border"} for x in (0.0, -0.0))
    assert made(zero, "R8").border_color_f == (0.0, 0.0, 0.0, 0.0)
    assert made(minus, "R8").border_color_f == (-0.0, 0.0, 0.0, 1.0)


def test_wrap_r_uses_the_border_of_a_2d_texture() -> None:
    """Trap 9: all three axes count, whatever the target."""
    assert made({"border_color": B, "wrap_r": "clamp-to-border"}, "R8").border_color_f == (0.125, 0.0, 0.0, 1.0)


def test_clamp_lowering_sees_gls_filters_of_an_integer_texture() -> None:
    """Trap 10: linear filters choose the border though the record says NEAREST."""
    state = made(LINEAR | {"wrap": "clamp"}, "RGBA32I", EMULATES.replace(force_integer_tex_nearest=True))
    assert (state.wrap_s, state.min_img_filter) == (TexWrap.CLAMP_TO_BORDER, TexFilter.NEAREST)


def test_stencil_border_is_integer_but_filters_are_not_forced() -> None:
    """Trap 11: packed stencil keeps mip NONE, an integer format does not."""
    border = {"border_color_i": BI, "wrap": "clamp-to-border"}
    packed = made(border, st.Texture("2d", "DEPTH24_STENCIL8", stencil_sampling=True))
    alone = made(border, "STENCIL_INDEX8")
    assert packed.border_color_is_integer
    assert alone.border_color_is_integer
    assert (packed.min_mip_filter, alone.min_mip_filter) == (TexMipfilter.NONE, TexMipfilter.NEAREST)


@pytest.mark.parametrize(
    ("texture", "words"), [("ALPHA", (0.75, 0.25, 0.5, 0.75)), ("LUMINANCE8_ALPHA8", (0.125, 0.75, 0.5, 0.75))]
)
def test_alpha_not_w_replaces_translation(texture: str, words: tuple[float, ...]) -> None:
    """Trap 12: one component is copied, the others keep the user's words."""
    zink = st.Screen.named("zink-lavapipe")
    assert made({"border_color": B, "wrap": "clamp-to-border"}, texture, zink).border_color_f == words


def test_swizzle_quirk_wins_over_the_others() -> None:
    """Trap 13: no alpha-not-w and no format where the swizzle is applied."""
    screen = LLVMPIPE.replace(
        apply_texture_swizzle_to_border_color=True, use_format_with_border_color=True, alpha_border_color_is_not_w=True
    )
    state = made({"border_color": B, "wrap": "clamp-to-border"}, "ALPHA8", screen)
    assert (state.border_color_f, state.border_color_format) == ((0.0, 0.0, 0.0, 0.75), "NONE")


def test_skip_decode_counts_for_bindless_handles_alone() -> None:
    """Trap 14: and there it changes border_color_format, nothing else."""
    screen = LLVMPIPE.replace(use_format_with_border_color=True)
    skips = {"border_color": B, "wrap": "clamp-to-border", "srgb_decode": "skip-decode"}
    unit, handle = (made(skips, "SRGB8_ALPHA8", screen, bindless=bindless) for bindless in (False, True))
    assert unit.border_color_format.endswith("_SRGB")
    assert handle == unit.replace(border_color_format=unit.border_color_format.replace("_SRGB", "_UNORM"))


@pytest.mark.parametrize("target", ["1d", "2d", "3d", "2d-array", "cube-map", "rectangle"])
def test_context_seamless_sets_the_bit_on_every_target(target: str) -> None:
    """Trap 15: not on cubes alone."""
    size = {"1d": (4,), "3d": (4, 4, 4), "2d-array": (4, 4, 4)}.get(target, (4, 4))
    assert made({}, st.Texture(target, "RGBA8", size), seamless=True).seamless_cube_map


@pytest.mark.parametrize(("profile", "on"), [("compatibility", False), ("core", False), ("gles2", True)])
def test_gles_contexts_start_seamless(profile: str, *, on: bool) -> None:
    """Trap 15: nobody has to enable it there."""
    assert st.Context(Limits(profile=profile)).seamless is on


def test_multisample_defaults_depend_on_how_the_object_was_made() -> None:
    """Trap 16: CLAMP_TO_EDGE and NEAREST at the first bind, ordinary defaults from glCreateTextures."""
    gl = context()
    (bound,) = gl.glGenTextures(1)
    gl.glBindTexture("GL_TEXTURE_2D_MULTISAMPLE", bound)
    (created,) = gl.glCreateTextures("GL_TEXTURE_2D_MULTISAMPLE", 1)
    first, second = gl.textures[bound], gl.textures[created]
    assert first is not None
    assert second is not None
    assert (first.sampler.wrap_s, second.sampler.wrap_s) == (Wrap.CLAMP_TO_EDGE, Wrap.REPEAT)


def test_one_float_form_rounds_and_all_others_truncate() -> None:
    """Trap 17: 0x2600.9 is LINEAR to glTexParameterf and NEAREST to everybody else."""
    gl = context()
    gl.glTexParameterf("GL_TEXTURE_2D", "GL_TEXTURE_MAG_FILTER", 0x2600 + 0.9)
    rounded = texture_of(gl).sampler.mag_filter
    gl.glTexParameterfv("GL_TEXTURE_2D", "GL_TEXTURE_MAG_FILTER", [0x2600 + 0.9])
    gl.glSamplerParameterf(1, "GL_TEXTURE_MAG_FILTER", 0x2600 + 0.9)
    assert (rounded, texture_of(gl).sampler.mag_filter, gl.samplers[1].mag_filter) == (0x2601, 0x2600, 0x2600)


def test_unsigned_form_converts_signed_on_textures() -> None:
    """Trap 18: 0xFFFFFFFF is 4294967296.0 on a sampler object and -1.0 on a texture."""
    gl = context()
    gl.glSamplerParameterIuiv(1, "GL_TEXTURE_MAX_LOD", [0xFFFFFFFF])
    gl.glTexParameterIuiv("GL_TEXTURE_2D", "GL_TEXTURE_MAX_LOD", [0xFFFFFFFF])
    assert (gl.samplers[1].max_lod, texture_of(gl).sampler.max_lod) == (4294967296.0, -1.0)


def test_seamless_setter_differs_between_the_paths() -> None:
    """Trap 19: a sampler object takes the low 8 bits and answers INVALID_VALUE, a texture INVALID_ENUM."""
    gl = context()
    gl.glSamplerParameteri(1, "GL_TEXTURE_CUBE_MAP_SEAMLESS", 257)
    assert (gl.glGetError(), gl.samplers[1].cube_map_seamless) == ("GL_NO_ERROR", True)
    gl.glSamplerParameteri(1, "GL_TEXTURE_CUBE_MAP_SEAMLESS", 2)
    assert gl.glGetError() == "GL_INVALID_VALUE"
    gl.glTexParameteri("GL_TEXTURE_2D", "GL_TEXTURE_CUBE_MAP_SEAMLESS", 257)
    assert gl.glGetError() == "GL_INVALID_ENUM"


def test_integer_vector_of_zeros_is_a_non_zero_border() -> None:
    """Trap 20: (2*0 + 1) / (2^32 - 2)."""
    gl = context()
    gl.glSamplerParameteriv(1, "GL_TEXTURE_BORDER_COLOR", [0, 0, 0, 0])
    assert gl.samplers[1].border_color == (0x2F800000,) * 4
    state = st.convert(gl.samplers[1].copy(wrap="clamp-to-border"), st.Texture("2d", "R8"), LLVMPIPE).pipe
    assert state.border_color == (0x2F800000, 0, 0, 0x3F800000)


@pytest.mark.parametrize(("value", "expected"), [(1.0, 0), (1.5, 1), (2.9, 2), (16.0, 16), (100.0, 16), (inf, 16)])
def test_anisotropy_is_off_at_exactly_one(value: float, expected: int) -> None:
    """Trap 21: 1.5 is 1, which is on."""
    assert made({"max_anisotropy": value}).max_anisotropy == expected


def test_anisotropy_below_one_keeps_the_old_value() -> None:
    """Trap 21: it is an error."""
    gl = context()
    gl.glSamplerParameterf(1, "GL_TEXTURE_MAX_ANISOTROPY", 4.0)
    gl.glSamplerParameterf(1, "GL_TEXTURE_MAX_ANISOTROPY", 0.5)
    assert (gl.glGetError(), gl.samplers[1].max_anisotropy) == ("GL_INVALID_VALUE", 4.0)


def test_sum_of_biases_is_not_clamped() -> None:
    """Trap 22: 16 + 16 is 32; the seed clamps the sum."""
    assert made({"lod_bias": 16.0}, unit_lod_bias=20.0).lod_bias == 32.0
    assert made({"lod_bias": 16.0}, unit_lod_bias=20.0, dialect="seed").lod_bias == 16.0


def test_lods_are_not_swapped_but_in_the_seed() -> None:
    """Trap 23: where the swap can give a negative min_lod."""
    new, old = (made({"min_lod": -5.0, "max_lod": -2.0}, dialect=name) for name in ("mesa22", "seed"))
    assert ((new.min_lod, new.max_lod), (old.min_lod, old.max_lod)) == ((0.0, -2.0), (-2.0, 0.0))


def test_slots_are_sampler_indices() -> None:
    """Trap 24: two variables on one unit are two slots, and a buffer's slot is NULL, not skipped."""
    gl = context()
    gl.glTexStorage2D("GL_TEXTURE_2D", 1, "GL_RGBA8", 4, 4)
    gl.glGenTextures(1)
    gl.glBindTexture("GL_TEXTURE_BUFFER", 2)
    gl.glTexBuffer("GL_TEXTURE_BUFFER", "GL_RGBA8")
    uniforms = [st.SamplerUniform(*pair) for pair in (("a", "sampler2D"), ("b", "samplerBuffer"), ("c", "sampler2D"))]
    records = convert_stage(gl, converter(LLVMPIPE), "fragment", st.Program(uniforms)).records
    assert len(records) == 3
    assert records[0] is not None
    assert (records[1], records[2]) == (None, records[0])


def test_value_that_is_stored_already_is_accepted_without_a_look() -> None:
    """Trap 25: GL_CLAMP on a core profile's sampler object, if it got there before."""
    gl = st.Context(Limits(profile="core"))
    gl.glGenSamplers(1)
    gl.samplers[1].update(wrap_s="clamp")
    gl.glSamplerParameteri(1, "GL_TEXTURE_WRAP_S", "GL_CLAMP")
    assert gl.glGetError() == "GL_NO_ERROR"
    gl.glSamplerParameteri(1, "GL_TEXTURE_WRAP_T", "GL_CLAMP")
    assert gl.glGetError() == "GL_INVALID_ENUM"


def test_anisotropy_above_the_maximum_is_stored_as_the_maximum_each_time() -> None:
    """Trap 26: 16 and then 100 are both stored as 16, and neither is an error."""
    gl = context()
    stored = []
    for value in (16.0, 100.0):
        gl.glSamplerParameterf(1, "GL_TEXTURE_MAX_ANISOTROPY", value)
        stored.append((gl.glGetError(), gl.samplers[1].max_anisotropy))
    assert stored == [("GL_NO_ERROR", 16.0)] * 2


def test_internal_samplers_have_function_and_max_lod_zero() -> None:
    """Trap 27: no application sampler looks like that unless it asks for NEVER and 0."""
    state = made({})
    assert (state.compare_mode, state.compare_func, state.max_lod) == (TexCompare.NONE, Func.LEQUAL, 1000.0)
    internal = made({"compare_func": "never", "max_lod": 0.0})
    assert (internal.compare_func, internal.max_lod) == (Func.NEVER, 0.0)


def test_max_level_below_base_level_hides_that_a_texture_holds_integers() -> None:
    """Trap 28: it is complete without mipmaps, keeps its linear filters, and its border is no integer."""
    texture = st.Texture("2d", "RGBA32I", (4, 4), base_level=1, max_level=0)
    result = st.convert(st.Sampler(**LINEAR, wrap="clamp-to-border", border_color_i=BI), texture, LLVMPIPE)
    assert result.incomplete == ""
    assert (result.pipe.min_img_filter, result.pipe.min_mip_filter) == (TexFilter.LINEAR, TexMipfilter.NONE)
    assert not result.pipe.border_color_is_integer
