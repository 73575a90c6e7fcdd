"""The table of differences between releases, row by row: who differs from whom, and in what."""

from __future__ import annotations

from typing import Any, Final

import pytest

import statetracker as st
from statetracker.frontend.stage import convert_stage
from statetracker.gl import Limits
from statetracker.gl.limits import RELEASES
from statetracker.pipe import Func, SamplerState, TexFilter, TexMipfilter, TexWrap, pack_as
from statetracker.sampler import DIALECTS, SlotInput, converter, stage_records

SEED, OLD, REFERENCE, NEW = "seed", "mesa21", "mesa22", "mesa24"
ALL: Final = (SEED, OLD, REFERENCE, NEW)
LLVMPIPE: Final = st.Screen.named("llvmpipe")
SWIZZLES: Final = LLVMPIPE.replace(apply_texture_swizzle_to_border_color=True)
B = (0.125, 0.25, 0.5, 0.75)
BI = (3, -5, 7, 11)
BORDER = {"wrap": "clamp-to-border"}


def each(
    member: str, fields: dict[str, Any], texture: str | st.Texture = "RGBA8", screen: st.Screen = LLVMPIPE, **unit: Any
) -> list[Any]:
    """Give one member of the record in the four dialects; filters are NEAREST unless said."""
    sampler = st.Sampler(**({"min_filter": "nearest", "mag_filter": "nearest"} | fields))
    image = texture if isinstance(texture, st.Texture) else st.Texture("2d", texture)
    made = [st.convert(sampler, image, screen, dialect=name, **unit) for name in ALL]
    assert all(result.explain().state == result.pipe for result in made)
    return [getattr(result.pipe, member) for result in made]


def linear(**fields: Any) -> dict[str, Any]:
    """Give linear filters without mipmaps, and more."""
    return {"min_filter": "linear", "mag_filter": "linear"} | fields


def stencil(internal_format: str) -> st.Texture:
    """Give a texture whose DEPTH_STENCIL_TEXTURE_MODE is STENCIL_INDEX."""
    return st.Texture("2d", internal_format, stencil_sampling=True)


def test_1_seed_starts_from_zeros() -> None:
    """What no rule sets is 0 there, and GL's state elsewhere."""
    sampler = {"border_color": B, "compare_func": "greater"}
    assert each("border_color_f", sampler)[0] == (0.0, 0.0, 0.0, 0.0)
    assert each("border_color_f", sampler)[1:] == [B, B, B]


def test_2_inactive_function_is_zero_in_the_seed() -> None:
    """Elsewhere it is GL's, LEQUAL by default."""
    assert each("compare_func", {}) == [Func.NEVER, Func.LEQUAL, Func.LEQUAL, Func.LEQUAL]


def test_3_unused_border_is_zeros_in_the_seed() -> None:
    """Elsewhere it is what the user set, untranslated."""
    assert each("border_color_f", {"border_color": B}, "R8") == [(0.0, 0.0, 0.0, 0.0), B, B, B]


def test_4_used_border_of_zeros_is_the_same_everywhere() -> None:
    """Nobody translates it, so alpha stays 0."""
    assert each("border_color", BORDER, "R8") == [(0, 0, 0, 0)] * 4


@pytest.mark.parametrize(("forced", "image"), [(False, TexFilter.LINEAR), (True, TexFilter.NEAREST)])
def test_5_integer_textures_are_always_nearest_from_22_3_on(image: TexFilter, *, forced: bool) -> None:
    """Before, only with ForceIntegerTexNearest, and the mip filter stayed."""
    screen = LLVMPIPE.replace(force_integer_tex_nearest=forced)
    assert each("min_img_filter", linear(), "RGBA32I", screen) == [image, image, TexFilter.NEAREST, TexFilter.NEAREST]
    none, nearest = TexMipfilter.NONE, TexMipfilter.NEAREST
    assert each("min_mip_filter", linear(), "RGBA32I", screen) == [none, none, nearest, nearest]


def test_6_unsized_float_textures_are_forced_from_22_3_on() -> None:
    """On a driver that lacks float-linear; a driver that has it forces nothing."""
    texture = st.Texture("2d", "RGBA32F", is_float=True)
    forced = each("mag_img_filter", linear(), texture, LLVMPIPE.replace(float_linear=False))
    assert forced == [TexFilter.LINEAR, TexFilter.LINEAR, TexFilter.NEAREST, TexFilter.NEAREST]
    assert each("mag_img_filter", linear(), texture) == [TexFilter.LINEAR] * 4


def test_7_hook_is_the_screens_so_every_dialect_obeys_it() -> None:
    """Upstream only the seed had it; without a hook nothing is refused."""
    refuses = LLVMPIPE.replace(linear_filtering=st.FormatFeatures({}, default=False))
    assert each("min_img_filter", linear(), screen=refuses) == [TexFilter.NEAREST] * 4
    assert each("min_img_filter", linear()) == [TexFilter.LINEAR] * 4


def test_8_rectangles_stay_in_texels_before_22_3() -> None:
    """From then on only where the driver has TEXRECT."""
    texture = st.Texture("rectangle", "RGBA8")
    assert each("unnormalized_coords", {}, texture) == [True] * 4
    lowered = each("unnormalized_coords", {}, texture, LLVMPIPE.replace(lower_rect_tex=True))
    assert lowered == [True, True, False, False]


def test_9_seed_quantises_the_sum_of_the_biases() -> None:
    """The others quantise each, so that the sum reaches 32, or 62 from 23.1 on."""
    assert each("lod_bias", {"lod_bias": 16.0}, unit_lod_bias=20.0) == [16.0, 32.0, 32.0, 36.0]
    assert each("lod_bias", {"lod_bias": 40.0}, unit_lod_bias=40.0) == [16.0, 32.0, 32.0, 62.0]
    assert each("lod_bias", {"lod_bias": float("nan")}, unit_lod_bias=-50.0) == [-16.0, -32.0, -32.0, -64.0]
    assert each("lod_bias", {"lod_bias": 0.1}, unit_lod_bias=0.1) == [51 / 256, *[52 / 256] * 3]


def test_10_seed_swaps_lods() -> None:
    """Where the greatest is below the least."""
    assert each("min_lod", {"min_lod": 5.0, "max_lod": 2.0}) == [2.0, 5.0, 5.0, 5.0]
    assert each("max_lod", {"min_lod": 5.0, "max_lod": 2.0}) == [5.0, 2.0, 2.0, 2.0]
    assert each("min_lod", {"min_lod": -5.0, "max_lod": -2.0}) == [-2.0, 0.0, 0.0, 0.0]


def test_11_seed_lowers_clamp_by_the_min_filter_alone() -> None:
    """The others want both filters linear."""
    screen = LLVMPIPE.replace(emulate_gl_clamp=True)
    edge, border = TexWrap.CLAMP_TO_EDGE, TexWrap.CLAMP_TO_BORDER
    one = {"wrap": "clamp", "min_filter": "linear", "mag_filter": "nearest"}
    assert each("wrap_s", one, screen=screen) == [border, edge, edge, edge]
    assert each("wrap_s", linear(wrap="clamp"), screen=screen) == [border] * 4


def test_12_stencil_sampling_makes_an_integer_border_from_22_3_on() -> None:
    """In 22.3 of any texture, in 24.1 of depth-stencil textures."""
    used: dict[str, Any] = BORDER | {"border_color_i": BI}
    assert each("border_color_is_integer", used, stencil("DEPTH24_STENCIL8")) == [False, False, True, True]
    assert each("border_color_is_integer", used, stencil("RGBA8")) == [False, False, True, False]
    overlooked = st.Texture("2d", "STENCIL_INDEX8", (4, 4), base_level=1, max_level=0)
    assert each("border_color_is_integer", used, overlooked) == [False, False, True, True]


def test_13_stencil_sampling_replicates_on_colour_textures_until_24_1() -> None:
    """Before, any texture's base format became STENCIL_INDEX."""
    used = BORDER | {"border_color": B}
    assert each("border_color_f", used, stencil("RGBA8")) == [(0.125,) * 4] * 3 + [B]


def test_14_stencil_replicates_in_the_float_path_and_then_in_the_integer_path() -> None:
    """STENCIL_INDEX8 is an integer format, packed stencil was none before 22.3."""
    used: dict[str, Any] = BORDER | {"border_color_i": BI}
    assert each("border_color_i", used, "STENCIL_INDEX8") == [BI, BI, (3,) * 4, (3,) * 4]
    assert each("border_color_i", used, stencil("DEPTH24_STENCIL8")) == [(3,) * 4] * 4


def test_15_border_swizzle_came_from_the_view() -> None:
    """Without a view there was none; from 22.3 on it is the texture's."""
    used = BORDER | {"border_color": B}
    turned, swizzle = (0.75, 0.5, 0.25, 0.125), ("alpha", "blue", "green", "red")
    plain = st.Texture("2d", "RGBA8", swizzle=swizzle)
    viewed = st.Texture("2d", "RGBA8", view_swizzle=(3, 2, 1, 0))
    assert each("border_color_f", used, plain, SWIZZLES) == [B, B, turned, turned]
    assert each("border_color_f", used, viewed, SWIZZLES) == [turned, turned, B, B]


def test_7_the_seeds_hook_is_asked_about_the_view_if_there_is_one() -> None:
    """Stencil read through a view is no depth; without a view, and in every other dialect, the resource counts."""
    asked: list[str] = []

    def hook(view: str, resource: str) -> bool:
        asked.append(view)
        assert resource == "Z24_UNORM_S8_UINT"
        return not asked[-1].startswith("Z")

    screen = st.Screen("hooked", linear_filtering=hook, unfilterable_depth="always-compare")
    filters = {"min_filter": "linear-mipmap-linear", "mag_filter": "linear"}
    stored: dict[str, Any] = {"storage_format": "Z24_UNORM_S8_UINT", "stencil_sampling": True}
    for view in (None, (0, 0, 0, 0)):
        texture = st.Texture("2d", "DEPTH24_STENCIL8", (4, 4), view_swizzle=view, **stored)
        states = each("min_img_filter", filters, texture, screen)
        assert [int(state) for state in states] == ([0] * 4 if view is None else [1, 0, 0, 0])
    assert asked == ["Z24_UNORM_S8_UINT"] * 4 + ["X24S8_UINT"] + ["Z24_UNORM_S8_UINT"] * 3
    asked.clear()
    surface = st.Texture("2d", "DEPTH24_STENCIL8", (4, 4), view_swizzle=(0, 0, 0, 0), surface_format="NV12", **stored)
    each("min_img_filter", filters, surface, screen)
    assert asked == ["NV12"] * 4


def test_7_a_view_that_has_no_stencil_to_read_is_the_resource() -> None:
    """Also one of a colour texture, with whatever it skips."""
    asked: list[str] = []

    def hook(view: str, resource: str) -> bool:
        asked.append(view)
        return view != resource

    screen = st.Screen("hooked", linear_filtering=hook)
    for fmt, stored in (("DEPTH_COMPONENT24", "Z24X8_UNORM"), ("SRGB8_ALPHA8", "R8G8B8A8_SRGB")):
        texture = st.Texture("2d", fmt, storage_format=stored, stencil_sampling=True, view_swizzle=(0, 1, 2, 3))
        st.convert(st.Sampler(srgb_decode="skip-decode-ext"), texture, screen, dialect=SEED)
    assert asked == ["Z24X8_UNORM", "R8G8B8A8_SRGB"]


def test_16_format_quirks_exist_from_22_3_on() -> None:
    """Before, border_color_format and alpha-not-w are unknown."""
    screen = LLVMPIPE.replace(use_format_with_border_color=True, alpha_border_color_is_not_w=True)
    used = BORDER | {"border_color": B}
    assert each("border_color_format", used, "ALPHA8", screen) == ["NONE", "NONE", "A8_UNORM", "A8_UNORM"]
    old, new = (0.0, 0.0, 0.0, 0.75), (0.75, 0.25, 0.5, 0.75)
    assert each("border_color_f", used, "ALPHA8", screen) == [old, old, new, new]


def test_17_every_dialect_says_whether_the_border_is_an_integer() -> None:
    """In the seed as the last member of its layout."""
    used: dict[str, Any] = BORDER | {"border_color_i": BI}
    assert each("border_color_is_integer", used, "RGBA32I") == [True] * 4
    state = st.convert(st.Sampler(**used), st.Texture("2d", "RGBA32I"), LLVMPIPE, dialect=SEED).pipe
    assert pack_as(bytes(state), "seed")[32:] == b"\1\0\0\0"


def test_18_seed_has_no_reduction_mode() -> None:
    """The member came with 21.2."""
    assert [int(mode) for mode in each("reduction_mode", {"reduction_mode": "max"})] == [0, 2, 2, 2]


@pytest.mark.parametrize("target", ["cube-map", "cube-map-array"])
@pytest.mark.parametrize("how", [{"seamless": True}, {}])
def test_19_seamless_cubes_take_edges_in_24_1(target: str, how: dict[str, Any]) -> None:
    """Before the border test, so that the border stays raw; other targets keep their wraps."""
    used = BORDER | {"border_color_i": BI, "cube_map_seamless": not how}
    texture = st.Texture(target, "R32I", (4, 4, 6))
    assert each("wrap_r", used, texture, **how) == [TexWrap.CLAMP_TO_BORDER] * 3 + [TexWrap.CLAMP_TO_EDGE]
    assert each("border_color_i", used, texture, **how)[2:] == [(3, 0, 0, 1), BI]
    assert each("wrap_r", used, "R32I", **how) == [TexWrap.CLAMP_TO_BORDER] * 4


def test_20_context_seamless_counts_on_units_and_not_on_handles() -> None:
    """In every release, wherever the step stands."""
    assert each("seamless_cube_map", {}, seamless=True) == [True] * 4
    assert each("seamless_cube_map", {}, seamless=True, bindless=True) == [False] * 4


def test_21_buffer_textures_have_no_sampler_in_24_1() -> None:
    """Before, drivers could ask for one."""
    facts = st.Texture("buffer").facts()
    asks = LLVMPIPE.replace(texture_buffer_sampler=True)
    for name, screen, there in [(n, asks, n != NEW) for n in ALL] + [(n, LLVMPIPE, False) for n in ALL]:
        (record,) = stage_records(converter(screen, name), [SlotInput(0, st.Sampler(), facts)])
        assert (record is not None) is there


def test_22_stencil_is_never_compared() -> None:
    """Depth is; packed stencil and colour are not."""
    compares = {"compare_mode": True}
    assert each("compare_mode", compares, "DEPTH_COMPONENT24") == [1] * 4
    assert each("compare_mode", compares, "DEPTH24_STENCIL8") == [1] * 4
    assert each("compare_mode", compares, stencil("DEPTH24_STENCIL8")) == [0] * 4
    assert each("compare_mode", compares) == [0] * 4


@pytest.mark.parametrize(("version", "alpha"), [(120, (0.0, 0.0, 0.0, 0.125)), (130, (0.125,) * 4)])
def test_23_swizzle_of_depth_follows_the_programs_version(version: int, alpha: tuple[float, ...]) -> None:
    """The older ones take the swizzle of the view, which every draw has, and which follows it too."""
    gl = st.Context(LLVMPIPE.gl_limits())
    gl.glGenTextures(1)
    gl.glBindTexture("GL_TEXTURE_2D", 1)
    gl.glTexStorage2D("GL_TEXTURE_2D", 1, "GL_DEPTH_COMPONENT24", 4, 4)
    gl.glTexParameteri("GL_TEXTURE_2D", "GL_DEPTH_TEXTURE_MODE", "GL_ALPHA")
    gl.glTexParameteri("GL_TEXTURE_2D", "GL_TEXTURE_WRAP_S", "GL_CLAMP_TO_BORDER")
    gl.glTexParameterfv("GL_TEXTURE_2D", "GL_TEXTURE_BORDER_COLOR", B)
    program = st.Program([st.SamplerUniform("depth", "sampler2D")], glsl_version=version)
    for name in ALL:
        (record,) = convert_stage(gl, converter(SWIZZLES, name), "fragment", program).records
        assert SamplerState.from_bytes(record or b"").border_color_f == alpha


def test_24_reduction_excuses_integer_textures_from_completeness_but_in_the_seed() -> None:
    """21.0 had no such exemption, and the seed starts from it."""
    sampler, texture = st.Sampler(**linear(reduction_mode="min")), st.Texture("2d", "RGBA32I")
    missing = [st.convert(sampler, texture, LLVMPIPE, dialect=name).incomplete != "" for name in ALL]
    assert missing == [True, False, False, False]


def test_25_sampler_wrap_gates_changed_twice() -> None:
    """21.x asks for ARB_texture_border_clamp; 24.1 asks the context, which offers GLES another extension."""
    refused = []
    for name in ALL:
        gl = st.Context(Limits(release=DIALECTS[name].gl_release))
        gl.glGenSamplers(1)
        gl.glSamplerParameteri(1, "GL_TEXTURE_WRAP_S", "GL_CLAMP_TO_BORDER")
        refused.append(gl.glGetError() == "GL_INVALID_ENUM")
    assert refused == [True, True, False, False]
    assert [RELEASES[DIALECTS[name].gl_release].advertised_wraps for name in ALL] == [False, False, False, True]
