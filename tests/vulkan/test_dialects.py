"""What a translation does differently: each named field, shown by dialects that differ in that field alone."""

from __future__ import annotations

from math import inf, nan
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

import statetracker as st
from statetracker.errors import UnknownName
from statetracker.pipe.layout import SHIFTS
from statetracker.vulkan import (
    DIALECTS,
    SamplerCreateInfo,
    View,
    VulkanDialect,
    create_info,
    violations,
    vulkan_dialect,
)
from tests.vulkan.devices import (
    NO_COLOURS,
    NO_MIRROR,
    NO_SEAMS,
    NO_SHADER,
    SWIZZLE_TOLD,
    WHOLE,
    WITH_FORMAT,
    newest_rows,
    screen_of,
    screen_without,
)
from tools.proofs.vulkan_live.infos import random_record

if TYPE_CHECKING:
    from collections.abc import Callable

NO_FEATURE: Final = screen_without("customBorderColors")
NO_D24: Final = screen_without(formats=("X8_D24_UNORM_PACK32", "D24_UNORM_S8_UINT"))
TURNIP: Final = screen_without(device="Turnip Adreno (TM) 750")

Shown = tuple[dict[str, Any], st.Screen, "Callable[[SamplerCreateInfo], object]", dict[str, object]]
ODD: Final = (0.25, 0.5, 0.75, 1.0)
_BORDER: Final = {"wrap_s": "CLAMP_TO_BORDER", "border_color": ODD}
_WIDE: Final = {"wrap_s": "CLAMP_TO_BORDER", "border_color": (2.5, 0.0, 0.0, 0.0)}


def _custom(info: SamplerCreateInfo) -> object:
    return info.border_color.name, None if info.custom_border_color is None else info.custom_border_color.format


def _twin(info: SamplerCreateInfo) -> object:
    return info.depth_border_sampler and info.depth_border_sampler.border_color.name


_FREE: Final = ("FLOAT_CUSTOM_EXT", "UNDEFINED")
_NONE: Final = ("FLOAT_TRANSPARENT_BLACK", None)

# fmt: off
#: Field -> a state, a device, what is looked at, and what each choice of the field makes of it; the rest is native's.
SHOWN: Final[dict[str, Shown]] = {
    "seams": ({}, NO_SEAMS, lambda i: i.flags, {"never": 0, "extension": 4, "feature": 0}),
    "lods": ({"min_lod": nan, "max_lod": 1.0, "min_mip_filter": "LINEAR"}, WHOLE,
             lambda i: f"{i.min_lod} {i.max_lod}", {"as-is": "nan 1.0", "max": "nan nan", "repair": "0.0 1.0"}),
    "bias": ({"lod_bias": nan}, WHOLE, lambda i: repr(i.mip_lod_bias),
             {"as-is": "nan", "clamp": "-16.0", "repair": "0.0"}),
    "anisotropy": ({"max_anisotropy": 31}, WHOLE, lambda i: i.max_anisotropy, {"as-is": 31.0, "gate": 16.0}),
    "clamp": ({"wrap_s": "CLAMP", "min_img_filter": "LINEAR", "mag_img_filter": "LINEAR"}, WHOLE,
              lambda i: (i.address_mode_u.name, i.lowering.clamp, i.lowering.half_border),
              {"coordinate": ("CLAMP_TO_BORDER", "s", ""), "coverage": ("CLAMP_TO_EDGE", "", "s")}),
    "mirror_border": ({"wrap_t": "MIRROR_CLAMP_TO_BORDER"}, WHOLE, lambda i: i.address_mode_v.name,
                      {"edge": "MIRROR_CLAMP_TO_EDGE", "fold": "CLAMP_TO_BORDER"}),
    "mirror_edge": ({"wrap_r": "MIRROR_CLAMP_TO_EDGE"}, NO_MIRROR, lambda i: i.address_mode_w.name,
                    {"as-is": "MIRROR_CLAMP_TO_EDGE", "gate": "CLAMP_TO_EDGE"}),
    "reduction": ({"reduction_mode": "MIN", "compare_mode": "R_TO_TEXTURE"}, WHOLE,
                  lambda i: i.reduction_mode and i.reduction_mode.name, {"as-is": "MIN", "gate": None}),
    "border_need": (_BORDER | {"wrap_s": "CLAMP"}, WHOLE, _custom,
                    {"pipe-wrap": _FREE, "address-mode": _NONE}),
    "border_match": (_BORDER | {"border_color": (1.0, 0.5, 0.5, 0.5), "compare_mode": "R_TO_TEXTURE"}, WHOLE, _custom,
                     {"all": _FREE, "red": ("FLOAT_OPAQUE_WHITE", None)}),
    "border_gate": (_BORDER, NO_FEATURE, _custom,
                    {"extension": _FREE, "feature": _NONE}),
    "border_format": (_WIDE | {"border_color_format": "R8G8B8A8_UNORM"}, WITH_FORMAT,
                      lambda i: (i.border.fallback.label, i.custom_border_color and i.custom_border_color.words[0]),
                      {"never": ("nearest", None), "integers": ("custom-format", 0x40200000),  # 2.5, as it is
                       "every": ("custom-format", 0x3F800000)}),  # clamped to 1
    "border_hidden": (_BORDER | {"border_color_format": "R8G8B8A8_UNORM"}, TURNIP, _custom,
                      {"nowhere": _FREE, "on-turnip": ("FLOAT_CUSTOM_EXT", "R8G8B8A8_UNORM")}),
    "border_shader": (_BORDER, NO_COLOURS, lambda i: (i.border.fallback.label, i.lowering.border),
                      {"no": ("nearest", ""), "yes": ("in-shader", "s")}),
    "border_last": (_BORDER, NO_COLOURS, _custom,
                    {"transparent-black": _NONE, "nearest": ("FLOAT_OPAQUE_BLACK", None)}),
    "border_swizzle": (_BORDER, SWIZZLE_TOLD, lambda i: i.component_mapping and i.component_mapping.components,
                       {"never": None, "where-wanted": "BGRA"}),
    "unnormalized": ({"unnormalized_coords": True, "min_mip_filter": "LINEAR"}, WHOLE,
                     lambda i: (i.unnormalized_coordinates, i.mipmap_mode.name, i.lowering.normalize),
                     {"as-is": (True, "LINEAR", False), "never": (False, "LINEAR", True),
                      "opt-in": (True, "NEAREST", False)}),
    "depth_border_sampler": (_WIDE | {"border_color_format": "Z24X8_UNORM"}, NO_D24, _twin,
                             {"never": None, "colour": "FLOAT_CUSTOM_EXT", "red": "FLOAT_OPAQUE_WHITE"}),
    "filtering": ({"min_img_filter": "LINEAR", "min_mip_filter": "LINEAR"}, WHOLE,
                  lambda i: (i.min_filter.name, i.mipmap_mode.name, i.lowering.filter_texels),
                  {"as-is": ("LINEAR", "LINEAR", False), "shader": ("NEAREST", "NEAREST", True)}),
    "view": (_BORDER | {"border_color": (0.0, 0.0, 0.0, 2.0)}, WHOLE, lambda i: i.border_color.name,
             {"no": "FLOAT_CUSTOM_EXT", "yes": "INT_CUSTOM_EXT"}),
}
# fmt: on
_VIEWS: Final = {
    "border_swizzle": View("R8G8B8A8_UNORM", "ZYXW"),
    "filtering": View("Z16_UNORM", cube=False),  # lavapipe filters no depth
    "view": View("R32G32B32A32_UINT"),
}
#: Fields of which nothing is seen where the shader mixes in what no sampler can have.
_HIDDEN: Final = ("border_format", "border_last")
_FIELDS: Final = [name for name in VulkanDialect._fields if name != "name"]
_BASE: Final = DIALECTS["native"]


def shown(field: str, dialect: VulkanDialect) -> object:
    members, screen, look, _ = SHOWN[field]
    members = {"wrap_s": "REPEAT", "wrap_t": "REPEAT", "wrap_r": "REPEAT", **members}
    if field in _HIDDEN:
        dialect = dialect._replace(border_shader="no")
    asked: dict[str, Any] = {"view": _VIEWS.get(field), "unnormalized_fits": True}
    return look(create_info(st.SamplerState(**members), screen, dialect=dialect, **asked))


@pytest.mark.parametrize("field", _FIELDS)
def test_a_field_alone_makes_the_difference_that_it_names(field: str) -> None:
    choices = SHOWN[field][3]
    assert {choice: shown(field, _BASE._replace(**{field: choice})) for choice in choices} == choices
    assert len({repr(value) for value in choices.values()}) > 1


@pytest.mark.parametrize("field", _FIELDS)
def test_every_choice_of_a_dialect_is_shown(field: str) -> None:
    assert {getattr(dialect, field) for dialect in DIALECTS.values()} <= set(SHOWN[field][3])


#: What each dialect is said to choose, in the order of the fields: docs/vulkan_samplers.md.
CHOSEN: Final = {
    "zink21": (
        *("never", "as-is", "as-is", "as-is", "coordinate", "edge", "as-is", "as-is"),
        *("pipe-wrap", "all", "extension", "never", "nowhere", "no", "transparent-black", "never"),
        *("as-is", "never", "as-is", "no"),
    ),
    "zink22": (
        *("extension", "max", "clamp", "as-is", "coordinate", "edge", "as-is", "as-is"),
        *("pipe-wrap", "all", "extension", "integers", "on-turnip", "no", "transparent-black", "never"),
        *("never", "colour", "as-is", "no"),
    ),
    "native": (
        *("feature", "repair", "repair", "gate", "coverage", "fold", "gate", "gate"),
        *("address-mode", "red", "feature", "every", "nowhere", "yes", "nearest", "where-wanted"),
        *("opt-in", "red", "shader", "yes"),
    ),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_does_in_each_field_what_is_said_of_it(name: str) -> None:
    for field, choice in zip(_FIELDS, CHOSEN[name], strict=True):
        assert shown(field, DIALECTS[name]) == SHOWN[field][3][choice], field


@pytest.mark.parametrize("name", ["zink21", "zink22", "native"])
def test_a_dialect_is_looked_up_by_name_and_passed_through(name: str) -> None:
    assert vulkan_dialect(name) is vulkan_dialect(DIALECTS[name])


def test_an_unknown_dialect_is_an_error_that_names_the_others() -> None:
    with pytest.raises(UnknownName, match="zink21, zink22, native"):
        vulkan_dialect("zink24")


# Worked examples, one a row of the mapping


def plain(dialect: str | VulkanDialect = "native", screen: st.Screen = WHOLE, **members: Any) -> SamplerCreateInfo:
    return create_info(st.SamplerState(**members), screen, dialect=dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_mip_filter_is_level_0_and_still_magnified_or_minified(dialect: str) -> None:
    info = plain(dialect, min_mip_filter="NONE", min_lod=3.0, max_lod=9.0)
    assert (info.mipmap_mode.name, info.min_lod, info.max_lod) == ("NEAREST", 0.0, 0.25)


@pytest.mark.parametrize(("dialect", "expected"), [("zink21", 1.0), ("zink22", 3.0), ("native", 3.0)])
def test_lods_in_the_wrong_order(dialect: str, expected: float) -> None:
    info = plain(dialect, min_mip_filter="LINEAR", min_lod=3.0, max_lod=1.0)
    assert (info.min_lod, info.max_lod) == (3.0, expected)
    assert any("01973" in broken.rule for broken in violations(info, WHOLE)) == (dialect == "zink21")


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (nan, 5.0, (0.0, 5.0)),
        (2.0, nan, (2.0, 2.0)),
        (nan, nan, (0.0, 0.0)),
        (nan, -1.0, (0.0, 0.0)),
        (inf, 0.0, (inf, inf)),
        (-inf, inf, (-inf, inf)),
    ],
)
def test_native_repairs_lods_that_are_no_numbers(low: float, high: float, expected: tuple[float, float]) -> None:
    info = plain(min_mip_filter="NEAREST", min_lod=low, max_lod=high)
    assert (info.min_lod, info.max_lod) == expected


@pytest.mark.parametrize(
    ("minimum", "magnified", "wrap", "expected", "work"),
    [
        ("LINEAR", "LINEAR", "CLAMP", "CLAMP_TO_BORDER", {"clamp": "s"}),
        ("LINEAR", "NEAREST", "CLAMP", "CLAMP_TO_EDGE", {"clamp": "s"}),
        ("NEAREST", "LINEAR", "CLAMP", "CLAMP_TO_EDGE", {"clamp": "s"}),
        ("LINEAR", "LINEAR", "MIRROR_CLAMP", "CLAMP_TO_BORDER", {"mirror": "s", "fold": "s"}),
        ("NEAREST", "NEAREST", "MIRROR_CLAMP", "MIRROR_CLAMP_TO_EDGE", {"mirror": "s"}),
        ("NEAREST", "NEAREST", "MIRROR_CLAMP_TO_BORDER", "CLAMP_TO_BORDER", {"fold": "s"}),
    ],
)
def test_wraps_that_vulkan_lacks_by_a_clamped_coordinate(
    minimum: str, magnified: str, wrap: str, expected: str, work: dict[str, str]
) -> None:
    rest: dict[str, Any] = {"wrap_t": "REPEAT", "wrap_r": "REPEAT", "seamless_cube_map": True}
    info = plain(NO_SHADER, min_img_filter=minimum, mag_img_filter=magnified, wrap_s=wrap, **rest)
    assert info.address_mode_u.name == expected
    assert info.lowering.work == work


def test_reserved_values_are_their_neighbours() -> None:
    """min_mip_filter 3 counts as NONE, reduction_mode 3 as the average, which is a loss."""
    record = (3 << SHIFTS["min_mip_filter"] | 3 << SHIFTS["reduction_mode"]).to_bytes(4, "little") + bytes(32)
    info = create_info(record, WHOLE)
    assert (info.mipmap_mode.name, info.max_lod, info.reduction_mode) == ("NEAREST", 0.25, None)
    assert [loss.name for loss in info.unsupported] == ["reduction"]


def test_fitting_unnormalized_coordinates_has_its_price() -> None:
    state = st.SamplerState(
        unnormalized_coords=True, min_img_filter="LINEAR", mag_img_filter="NEAREST", max_anisotropy=8,
        wrap_s="REPEAT", wrap_t="CLAMP_TO_BORDER", wrap_r="REPEAT", min_lod=1.0, max_lod=9.0,
    )  # fmt: skip
    info = create_info(state, WHOLE, unnormalized_fits=True)
    assert (info.unnormalized_coordinates, info.min_filter.name, info.max_lod) == (True, "NEAREST", 0.0)
    assert (info.address_mode_u.name, info.address_mode_v.name, info.address_mode_w.name) == (
        "CLAMP_TO_EDGE", "CLAMP_TO_BORDER", "REPEAT",
    )  # fmt: skip
    assert "anisotropy" in {loss.name for loss in info.unsupported}
    assert violations(info, WHOLE) == []
    compared = create_info(state.replace(compare_mode="R_TO_TEXTURE"), WHOLE, unnormalized_fits=True)
    assert (compared.unnormalized_coordinates, compared.lowering.normalize) == (False, True)


def test_zink_without_its_front_end_breaks_what_is_written_of_it() -> None:
    rng, rules = Random(1), set[str]()  # noqa: S311 (the same in every run)
    for screen in map(screen_of, newest_rows()[::10]):
        for _ in range(40):
            rules |= {one.rule for one in violations(create_info(random_record(rng), screen, dialect="zink22"), screen)}
    assert rules >= {
        f"VUID-VkSamplerCreateInfo-{rule}"
        for rule in (
            *("anisotropyEnable-01070", "anisotropyEnable-01071", "addressModeU-01079", "compareEnable-01423"),
            *("maxLod-01973", "customBorderColors-04085", "samplerMipLodBias-04467", "pNext-06726"),
            "nonSeamlessCubeMap-06788",
        )
    }
