"""What else is left to the shader: levels, filters, depth, faces of cubes, and how the state samples."""

from __future__ import annotations

from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any, Final

import pytest

from statetracker.caps import Screen
from statetracker.caps.vulkan_formats import table
from statetracker.pipe import Func, LoweringValues, TexFilter, TexMipfilter, TexReduction
from statetracker.pipe.lowering import NO_LOWERING
from statetracker.vulkan import View
from statetracker.vulkan.enums import SamplerAddressMode
from statetracker.vulkan.ranges import words_of
from statetracker.vulkan.views import is_ycbcr
from tests.vulkan.devices import LAVAPIPE, NO_MINMAX, NO_SEAMS, NO_SHADER, screen_without
from tests.vulkan.lowered import COMPARED, LINEAR, NO_COLOURS, ODD, WHOLE, made

if TYPE_CHECKING:
    from statetracker.pipe import Lowering

NO_D24: Final = screen_without(formats=("X8_D24_UNORM_PACK32", "D24_UNORM_S8_UINT"))
NO_D24S8: Final = screen_without(formats=("D24_UNORM_S8_UINT",))
NO_FORMATS: Final = Screen.from_vulkan(LAVAPIPE._replace(formats=None))  # nothing is known against any
DEPTH: Final = View("Z16_UNORM", cube=False)  # lavapipe filters no depth
FLAT: Final = View("R8G8B8A8_UNORM", cube=False)
RED: Final = View("R8_UNORM", cube=False)
CUBE: Final = FLAT._replace(cube=True)


# How the state samples


def test_a_lowering_says_how_the_state_samples_whatever_the_sampler_has() -> None:
    state = {"min_img_filter": "LINEAR", "min_mip_filter": "NEAREST", **COMPARED}
    info = made(NO_COLOURS, "BRR", DEPTH, **state)
    work = info.lowering
    assert (info.min_filter.name, info.mag_filter.name) == ("NEAREST", "NEAREST")
    assert (work.min_img_filter, work.mag_img_filter) == (TexFilter.LINEAR, TexFilter.NEAREST)
    assert (work.min_mip_filter, work.compare_func, work.anisotropic) == (TexMipfilter.NEAREST, Func.GEQUAL, False)
    plain = made(WHOLE, "CRR", max_anisotropy=8, min_mip_filter="NONE", compare_func="LESS").lowering
    assert (plain.min_mip_filter, plain.compare_func, plain.anisotropic) == (TexMipfilter.NONE, None, True)
    assert not made(screen_without("samplerAnisotropy"), "CRR", max_anisotropy=8).lowering.anisotropic


def test_a_dialect_of_clamped_coordinates_says_nothing_of_it() -> None:
    work = made(WHOLE, "CRR", dialect=NO_SHADER, max_anisotropy=8, **LINEAR).lowering
    assert work == NO_LOWERING._replace(clamp="s")


# Views of YCbCr


@pytest.mark.parametrize("name", ["UYVY", "NV12", "P010", "Y8_U8_V8_444_UNORM", "R8_G8B8_420_UNORM", "G8R8_G8B8_UNORM"])
def test_a_view_that_needs_a_conversion_is_refused_with_the_reason(name: str) -> None:
    (one,) = made(WHOLE, "RRR", View(name, cube=False)).unsupported
    assert (one.name, one.member, one.wanted, one.got) == ("conversion", "pNext", "VkSamplerYcbcrConversionInfo", None)
    assert one.because == f"Vulkan samples {name} only so; keep its planes apart, and let the shader convert"


@pytest.mark.parametrize("name", ["R8_UNORM", "R8G8_UNORM", "R16G16_UNORM", "R8G8B8A8_UNORM", "L8_UNORM"])
def test_a_plane_and_a_colour_need_no_conversion(name: str) -> None:
    assert made(WHOLE, "RRR", View(name, cube=False)).unsupported == ()


def test_no_format_that_has_a_vkformat_needs_a_conversion() -> None:
    assert [name for name in table() if is_ycbcr(name)] == []


def test_the_recorded_dialects_do_not_look_at_the_view() -> None:
    assert made(WHOLE, "RRR", View("UYVY", cube=False), dialect="zink22").unsupported == ()


# Levels


@pytest.mark.parametrize(
    ("screen", "wraps", "more", "opened"),
    [
        (NO_COLOURS, "BCR", {}, True),
        (WHOLE, "CRR", {}, True),
        (NO_COLOURS, "BRR", {}, False),  # transparent black is sampled once
        (NO_COLOURS, "BRR", {"seamless_cube_map": False}, True),  # but on the faces of a cube, which may come
        (NO_COLOURS, "BRR", {"seamless_cube_map": False, "view": FLAT}, False),
        (WHOLE, "BRR", {"seamless_cube_map": False}, False),
        (NO_COLOURS, "MRR", {}, True),  # folded: an explicit level each
        (WHOLE, "CRR", {"min_mip_filter": "NEAREST"}, False),
        (NO_SEAMS, "RRR", {"seamless_cube_map": False}, True),
        (WHOLE, "RRR", {"view": DEPTH, "min_mip_filter": "NEAREST"}, True),
        (WHOLE, "BRR", {}, False),
        (WHOLE, "CRR", {"dialect": NO_SHADER}, False),
        (WHOLE, "MRR", {"dialect": NO_SHADER}, False),
        (NO_SEAMS, "RRR", {"dialect": "zink21", "seamless_cube_map": False}, False),
    ],
)
def test_limits_between_levels_are_opened_where_the_shader_samples_whole_ones(
    screen: Screen, wraps: str, more: dict[str, Any], opened: bool
) -> None:
    info = made(screen, wraps, **LINEAR | {"min_lod": 0.75, "max_lod": 2.5} | more)
    assert (info.min_lod, info.max_lod) == ((0.0, 3.0) if opened else (0.75, 2.5))
    assert info.lowering.limit_lod == opened
    assert (info.lowering_values.min_lod, info.lowering_values.max_lod) == (0.75, 2.5)


@pytest.mark.parametrize(
    ("limits", "sampler", "opened"),
    [
        ((0.0, 1000.0), (0.0, 1000.0), False),
        ((1.0, 2.5), (1.0, 3.0), True),
        ((-0.5, 3.0), (-1.0, 3.0), True),
        ((-inf, inf), (-inf, inf), False),
        ((0.5, inf), (0.0, inf), True),
        ((2.5, 1.5), (2.0, 3.0), True),  # in the wrong order: both are the lower one
    ],
)
def test_limits_are_opened_to_whole_levels_and_no_further(
    limits: tuple[float, float], sampler: tuple[float, float], opened: bool
) -> None:
    info = made(WHOLE, "CRR", **LINEAR, min_lod=limits[0], max_lod=limits[1])
    assert (info.min_lod, info.max_lod, info.lowering.limit_lod) == (*sampler, opened)
    assert (info.lowering_values.min_lod, info.lowering_values.max_lod) == (limits[0], max(limits))


def test_without_mips_the_limits_stay_as_the_sampler_has_them() -> None:
    """Level 0 alone, magnified or minified: the shader must switch its filter where the sampler does."""
    info = made(NO_COLOURS, "BCR", min_mip_filter="NONE", min_lod=3.5, max_lod=9.5)
    assert (info.min_lod, info.max_lod, info.lowering.limit_lod) == (0.0, 0.25, False)
    assert (info.lowering_values.min_lod, info.lowering_values.max_lod) == (0.0, 0.25)
    filtered = made(WHOLE, "RRR", DEPTH, mag_img_filter="LINEAR", min_mip_filter="NONE")
    assert (filtered.max_lod, filtered.lowering.filter_texels, filtered.lowering.limit_lod) == (0.25, True, False)


@pytest.mark.parametrize(("bias", "kept", "rest"), [(20.0, 16.0, 4.0), (-17.5, -16.0, -1.5), (3.0, 3.0, 0.0)])
def test_the_shader_is_given_the_samplers_bias_and_the_rest(bias: float, kept: float, rest: float) -> None:
    info = made(WHOLE, "CRR", lod_bias=bias)
    assert (info.mip_lod_bias, info.lod_bias_rest) == (kept, rest)
    assert (info.lowering_values.lod_bias, info.lowering_values.rest) == (kept, rest)
    assert info.lowering.add_lod_bias == bool(rest)
    assert info.lowering_values == LoweringValues(words_of(ODD, "float"), (0.5, 1.0, 1.0), kept, rest, 0.0, 0.0)


# Filters


def test_formats_that_the_device_does_not_filter_the_shader_does() -> None:
    for more, cube in product(({}, COMPARED), (False, True)):
        info = made(WHOLE, "RRR", DEPTH._replace(cube=cube), **LINEAR, **more)
        assert {int(info.min_filter), int(info.mag_filter), int(info.mipmap_mode)} == {0}
        assert info.lowering.filter_texels
        assert info.unsupported == ()
    assert made(WHOLE, "RRR", DEPTH).lowering == NO_LOWERING, "nearest filters are the device's"
    assert made(WHOLE, "RRR", View("R8_UNORM", cube=False), **LINEAR).lowering == NO_LOWERING
    assert made(WHOLE, "RRR", DEPTH, min_mip_filter="LINEAR").lowering.filter_texels, "between levels too"


@pytest.mark.parametrize(
    ("view", "more"),
    [
        (DEPTH, {"filter_in_shader": False}),
        (View("Z16_UNORM"), {}),
        (View("R8G8B8A8_UINT", cube=False), {}),
    ],
)
def test_integers_and_views_that_are_not_known_the_shader_does_not_filter(view: View, more: dict[str, Any]) -> None:
    info = made(WHOLE, "RRR", view, **LINEAR, **more)
    assert {int(info.min_filter), int(info.mag_filter), int(info.mipmap_mode)} == {0}
    assert [loss.name for loss in info.unsupported] == ["filtering"]
    assert info.lowering == NO_LOWERING


@pytest.mark.parametrize(
    ("screen", "wraps", "view", "more"),
    [
        (NO_MINMAX, "RRR", FLAT, {}),
        (NO_MINMAX, "RRR", CUBE, {}),
        (NO_COLOURS, "BRR", FLAT, {}),  # the border is one of the texels
        (WHOLE, "RCR", RED, {}),
        (WHOLE, "RRR", FLAT, {}),  # lavapipe reduces one channel alone
        (NO_SEAMS, "RRR", CUBE, {"seamless_cube_map": False}),
        (WHOLE, "RRR", View("Z32_FLOAT", cube=False), COMPARED),
        (WHOLE, "RRR", DEPTH, {}),
    ],
)
def test_the_shader_takes_the_least_texel_where_the_device_cannot(
    screen: Screen, wraps: str, view: View, more: dict[str, Any]
) -> None:
    info = made(screen, wraps, view, **LINEAR | {"reduction_mode": "MIN"} | more)
    assert (info.unsupported, info.reduction_mode, int(info.mag_filter)) == ((), None, 0)
    assert (info.lowering.filter_texels, info.lowering.reduction) == (True, TexReduction.MIN)
    assert made(screen, wraps, view, **LINEAR, **more).lowering.reduction == TexReduction.WEIGHTED_AVERAGE


@pytest.mark.parametrize(("wraps", "view"), [("RRR", RED), ("EBR", RED), ("BCR", RED._replace(cube=True))])
def test_the_least_texel_is_the_devices_where_it_has_it(wraps: str, view: View) -> None:
    info = made(WHOLE, wraps, view, **LINEAR, reduction_mode="MIN")
    assert (info.unsupported, info.lowering) == ((), NO_LOWERING)
    assert info.reduction_mode is not None


# Depth


@pytest.mark.parametrize(
    ("screen", "wraps", "form", "more", "fixed"),
    [
        (NO_COLOURS, "BRR", "Z16_UNORM", COMPARED, True),
        (NO_COLOURS, "BRR", "Z24_UNORM_S8_UINT", COMPARED, True),
        (NO_COLOURS, "BRR", "Z32_FLOAT", COMPARED, False),
        (NO_COLOURS, "BRR", "Z32_FLOAT_S8X24_UINT", COMPARED, False),
        (NO_COLOURS, "BRR", "Z16_UNORM", {}, False),
        (WHOLE, "CRR", "Z16_UNORM", COMPARED, True),
        (WHOLE, "RRR", "Z16_UNORM", COMPARED | LINEAR, True),
        (WHOLE, "RRR", "Z16_UNORM", COMPARED, False),  # the device clamps
        (NO_D24, "RRR", "Z24X8_UNORM", COMPARED, True),  # but not what it keeps in floats
        (NO_D24, "RRR", "Z24X8_UNORM", {}, False),
        (NO_D24S8, "RRR", "Z24_UNORM_S8_UINT", COMPARED, True),
        (NO_D24S8, "RRR", "Z24X8_UNORM", COMPARED, False),
        (NO_D24, "RRR", "Z16_UNORM", COMPARED, False),
        (NO_D24, "RRR", "Z24X8_UNORM", COMPARED | {"dialect": NO_SHADER}, False),
        (NO_FORMATS, "CRR", "Z16_UNORM", COMPARED, True),
        (NO_FORMATS, "CRR", "R8_UNORM", COMPARED, False),
    ],
)
def test_references_are_clamped_where_the_shader_compares_with_a_border_or_the_device_has_floats(
    screen: Screen, wraps: str, form: str, more: dict[str, Any], fixed: bool
) -> None:
    work = made(screen, wraps, View(form, cube=False), **more).lowering
    assert work.fixed_depth == fixed
    assert not made(screen, wraps, **more).lowering.fixed_depth, "of a view that is not known nothing is clamped"


@pytest.mark.parametrize(("wraps", "second"), [("BRR", True), ("BCR", True), ("CCC", False), ("RRR", False)])
def test_24_bits_in_floats_have_a_second_sampler_where_the_sampler_has_a_border(wraps: str, second: bool) -> None:
    info = made(NO_D24, wraps, View("Z24X8_UNORM", cube=False), border_color=(2.5, 0.0, 0.0, 0.0))
    assert info.lowering.second_sampler == second == (info.depth_border_sampler is not None)
    assert info.lowering.border == ""
    lacking = ("VK_EXT_custom_border_color", "customBorderColors")
    poor = screen_without(*lacking, formats=("X8_D24_UNORM_PACK32", "D24_UNORM_S8_UINT"))
    assert made(poor, wraps, border_color=(2.5, 0.0, 0.0, 0.0)).depth_border_sampler is None, "the shader clamps"


# Cubes


@pytest.mark.parametrize("wraps", ["BBB", "CRR", "MHR", "REB"])
def test_a_seamless_cube_has_no_wraps(wraps: str) -> None:
    info = made(NO_COLOURS, wraps, CUBE)
    assert {info.address_mode_u, info.address_mode_v, info.address_mode_w} == {SamplerAddressMode.CLAMP_TO_EDGE}
    assert info.lowering == NO_LOWERING
    assert made(NO_COLOURS, wraps, CUBE, seamless_cube_map=False).lowering.needed


@pytest.mark.parametrize(
    ("screen", "wraps", "view", "border"),
    [
        (WHOLE, "CBR", CUBE, "t"),
        (NO_COLOURS, "BRR", CUBE, "s"),
        (NO_SEAMS, "BRR", CUBE, "s"),
        (WHOLE, "RRR", DEPTH._replace(cube=True), ""),
    ],
)
def test_faces_are_sampled_by_themselves_where_the_shader_has_other_work_there(
    screen: Screen, wraps: str, view: View, border: str
) -> None:
    """Of a border the shader's share is all, for it samples within the face."""
    info = made(screen, wraps, view, **LINEAR, seamless_cube_map=False)
    assert (info.flags, info.lowering.cube_edges, info.lowering.border) == (0, True, border)
    own = made(WHOLE, "BRR", CUBE, **LINEAR, seamless_cube_map=False)
    assert (bool(own.flags), own.lowering) == (True, NO_LOWERING)


@pytest.mark.parametrize(("wraps", "repeat"), [("RRR", "st"), ("RER", "s"), ("ERE", "t"), ("EER", "")])
def test_faces_that_are_sampled_by_themselves_repeat_within(wraps: str, repeat: str) -> None:
    seams = made(NO_SEAMS, wraps, seamless_cube_map=False).lowering
    assert (seams.cube_edges, seams.repeat) == (True, repeat)
    bias: Lowering = made(NO_SEAMS, wraps, lod_bias=20.0).lowering
    assert (bias.work, bias.repeat) == ({"add_lod_bias": True}, "")


# Coordinates in texels


@pytest.mark.parametrize(
    ("screen", "wraps", "more", "divided"),
    [
        (WHOLE, "EER", {}, False),
        (WHOLE, "BBR", {}, False),
        (WHOLE, "MER", {}, False),
        (WHOLE, "CER", {}, True),
        (NO_COLOURS, "BER", {}, True),
        (NO_COLOURS, "BER", {"border_color": (0.0, 0.0, 0.0, 1.0)}, False),
        (WHOLE, "EER", {"view": DEPTH, **LINEAR}, True),
    ],
)
def test_work_that_counts_texels_needs_coordinates_that_are_divided(
    screen: Screen, wraps: str, more: dict[str, Any], divided: bool
) -> None:
    info = made(screen, wraps, unnormalized_coords=True, unnormalized_fits=True, **more)
    assert (info.unnormalized_coordinates, info.lowering.normalize) == (not divided, divided)


@pytest.mark.parametrize("bias", [inf, -inf, 1e30])
def test_an_infinite_lod_bias_leaves_a_rest_that_a_block_can_hold(bias: float) -> None:
    info = made(WHOLE, "RRR", lod_bias=bias)
    assert abs(info.lowering_values.rest) == 1000
    assert len(info.lowering_values.to_bytes()) == 48
