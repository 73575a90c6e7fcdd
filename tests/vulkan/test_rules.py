"""What cannot be had: what is lost, by how much and why; and what the shader does instead."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.caps import VulkanFacts
from statetracker.pipe.layout import SHIFTS
from statetracker.vulkan import DIALECTS, BorderFallback, View, create_info, explain_info
from statetracker.vulkan.draft import TRACKED, Draft
from statetracker.vulkan.rules import RULES
from tests.vulkan.devices import NO_COLOURS, NO_MINMAX, NO_MIRROR, NO_SEAMS, NO_SHADER, WHOLE, screen_without
from tests.vulkan.strategies import devices, records, views

PAGE: Final = (Path(__file__).parents[2] / "docs" / "vulkan_samplers.md").read_text()
NO_ANISOTROPY: Final = screen_without("samplerAnisotropy")
NO_SWIZZLE: Final = screen_without("VK_EXT_border_color_swizzle", "borderColorSwizzle", "borderColorSwizzleFromImage")
COMPARED: Final[dict[str, Any]] = {"compare_mode": "R_TO_TEXTURE", "compare_func": "LESS"}
LINEAR: Final[dict[str, Any]] = {"mag_img_filter": "LINEAR", "min_img_filter": "LINEAR", "min_mip_filter": "LINEAR"}
BORDER: Final[dict[str, Any]] = {"wrap_s": "CLAMP_TO_BORDER", "border_color": (0.25, 0.5, 0.75, 1.0)}
BLACK: Final[dict[str, Any]] = {"wrap_s": "CLAMP_TO_BORDER", "border_color": (0.0, 0.0, 0.0, 1.0)}
INTEGER: Final = {"wrap_s": "CLAMP_TO_BORDER", "border_color": (1, 2, 3, 4), "border_color_is_integer": True}
SWIZZLED: Final = View("R8G8B8A8_UNORM", "WZYX")
NEAREST: Final = "the predefined colour of that type nearest in value: the device lacks "
UNKNOWN: Final = "the view's swizzle is ABGR, and whether the border goes through it is not reported"


def portable() -> st.Screen:
    """The device as a portability subset, which cannot bias."""
    facts = WHOLE.vulkan
    assert facts is not None
    return st.Screen.from_vulkan(facts._replace(extensions=facts.extensions | {"VK_KHR_portability_subset"}))


def can(format_name: str, bit: int, *, able: bool, of: st.Screen = WHOLE) -> st.Screen:
    """A device, where a Vulkan format can do something that a bit of its features says, or cannot."""
    facts = of.vulkan
    assert facts is not None
    formats = dict(facts.formats or {})
    masks = formats[format_name]
    formats[format_name] = masks._replace(optimal=masks.optimal | bit if able else masks.optimal & ~bit)
    return st.Screen.from_vulkan(facts._replace(formats=formats))


FILTER: Final = 1 << 12
MINMAX: Final = 1 << 16
COMPARE: Final = 1 << 33
#: What is asked, a device, a view -> what is lost: member, what was wanted, what there is, by how much, why.
LOST: Final[list[tuple[dict[str, Any], st.Screen, View | None, tuple[object, ...]]]] = [
    ({"max_anisotropy": 31}, WHOLE, None,
     ("anisotropy", "max_anisotropy", 31.0, 16.0, 15.0, "the device allows no more")),
    ({"max_anisotropy": 8}, screen_without(maxSamplerAnisotropy=2), None,
     ("anisotropy", "max_anisotropy", 8.0, 2.0, 6.0, "the device allows no more")),
    ({"max_anisotropy": 8}, screen_without(maxSamplerAnisotropy=1), None,
     ("anisotropy", "max_anisotropy", 8.0, 0.0, 7.0, "the device has none")),
    ({"max_anisotropy": 8}, NO_ANISOTROPY, None,
     ("anisotropy", "max_anisotropy", 8.0, 0.0, 7.0, "the device has none")),
    ({"max_anisotropy": 8}, can("R8_UNORM", FILTER, able=False), View("R8_UNORM"),
     ("anisotropy", "max_anisotropy", 8.0, 0.0, 7.0, "R8_UNORM cannot be filtered")),
    ({**LINEAR, "reduction_mode": "MIN"}, NO_MINMAX, None,
     ("reduction", "reduction_mode", "MIN", "WEIGHTED_AVERAGE", None,
      "the device has neither samplerFilterMinmax nor VK_EXT_sampler_filter_minmax")),
    ({**LINEAR, "reduction_mode": "MAX", **COMPARED}, WHOLE, None,
     ("reduction", "reduction_mode", "MAX", "WEIGHTED_AVERAGE", None,
      "depth is compared, and Vulkan then only averages")),
    ({"min_mip_filter": "LINEAR", "reduction_mode": "MIN"}, can("R8_UNORM", MINMAX, able=False), View("R8_UNORM"),
     ("reduction", "reduction_mode", "MIN", "WEIGHTED_AVERAGE", None, "the device cannot reduce R8_UNORM")),
    ({**COMPARED, **LINEAR}, can("D16_UNORM", COMPARE, able=False), View("Z16_UNORM"),
     ("comparison", "compare_enable", "LESS", "NEVER", None, "the device cannot compare Z16_UNORM")),
    (LINEAR, WHOLE, View("Z16_UNORM"),
     ("filtering", "min_filter", "LINEAR", "NEAREST", None, "the device does not filter Z16_UNORM")),
    (LINEAR, WHOLE, View("R8_UINT", cube=False),
     ("filtering", "min_filter", "LINEAR", "NEAREST", None, "the device does not filter R8_UINT")),
    ({**COMPARED, **LINEAR, "max_anisotropy": 8}, WHOLE, View("Z16_UNORM", cube=False),
     ("anisotropy", "max_anisotropy", 8.0, 0.0, 7.0, "the device does not filter Z16_UNORM")),
    ({**LINEAR, "reduction_mode": "MIN", "max_anisotropy": 8}, NO_MINMAX, View("R8_UNORM", cube=False),
     ("anisotropy", "max_anisotropy", 8.0, 0.0, 7.0,
      "the device has neither samplerFilterMinmax nor VK_EXT_sampler_filter_minmax; the shader reduces")),
]  # fmt: skip

#: What is lost where the shader mixes in no border.
LOST_BORDERS: Final[list[tuple[dict[str, Any], st.Screen, View | None, tuple[object, ...]]]] = [
    (BORDER, NO_COLOURS, None,
     ("border", "border_color", [0.25, 0.5, 0.75, 1.0], "FLOAT_OPAQUE_BLACK", 0.75,
      f"{NEAREST}VK_EXT_custom_border_color")),
    (BORDER, screen_without("customBorderColors"), None,
     ("border", "border_color", [0.25, 0.5, 0.75, 1.0], "FLOAT_OPAQUE_BLACK", 0.75,
      f"{NEAREST}feature customBorderColors")),
    (BORDER, screen_without("customBorderColorWithoutFormat"), None,
     ("border", "border_color", [0.25, 0.5, 0.75, 1.0], "FLOAT_OPAQUE_BLACK", 0.75,
      "the predefined colour of that type nearest in value: the record does not have the format")),
    (INTEGER, screen_without("customBorderColors"), None,
     ("border", "border_color", [1, 2, 3, 4], "INT_OPAQUE_WHITE", 3, f"{NEAREST}feature customBorderColors")),
    (BORDER | {"border_color": (0.5, 0.5, 65536.0, 1.0), "border_color_format": "R16G16B16A16_FLOAT"},
     screen_without("customBorderColorWithoutFormat"), None,
     ("border", "border_color", [0.5, 0.5, 65536.0, 1.0], "FLOAT_CUSTOM_EXT", 32.0,
      "R16G16B16A16_FLOAT is R16G16B16A16_SFLOAT, which cannot hold all of it")),
    (BLACK, NO_SWIZZLE, SWIZZLED, ("border-swizzle", "border_color", [1, 0, 0, 0], "undefined", 1, UNKNOWN)),
    (BORDER, NO_SWIZZLE, SWIZZLED,
     ("border-swizzle", "border_color", [1.0, 0.75, 0.5, 0.25], "undefined", 0.75, UNKNOWN)),
    (INTEGER, NO_SWIZZLE, View("R8G8B8A8_UINT", "WZYX"),
     ("border-swizzle", "border_color", [4, 3, 2, 1], "undefined", 3, UNKNOWN)),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "screen", "view", "lost"), LOST)
def test_what_is_lost_is_reported_with_its_size_and_its_reason(
    asked: dict[str, Any], screen: st.Screen, view: View | None, lost: tuple[object, ...]
) -> None:
    info = create_info(st.SamplerState(**asked), screen, view=view)
    assert info.unsupported == (lost,)
    step = explain_info(st.SamplerState(**asked), screen, view=view).last(str(lost[1]))
    assert str(lost[-1]) in step.because


@pytest.mark.parametrize(("asked", "screen", "view", "lost"), LOST_BORDERS)
def test_a_border_is_lost_only_where_the_shader_mixes_in_none(
    asked: dict[str, Any], screen: st.Screen, view: View | None, lost: tuple[object, ...]
) -> None:
    state = st.SamplerState(**asked)
    assert create_info(state, screen, view=view, dialect=NO_SHADER).unsupported == (lost,)
    assert explain_info(state, screen, view=view, dialect=NO_SHADER).last(str(lost[1])).rule == "border"
    info = create_info(state, screen, view=view)
    assert info.unsupported == ()
    assert info.border.fallback is BorderFallback.IN_SHADER


@pytest.mark.parametrize("wrap", ["CLAMP", "CLAMP_TO_BORDER"])
def test_a_reduction_at_a_border_in_the_shader_is_lost_where_the_view_is_not_known(wrap: str) -> None:
    """The shader blends; inside the device reduces."""
    asked = st.SamplerState(**BORDER | LINEAR | {"wrap_s": wrap, "reduction_mode": "MAX"})
    info = create_info(asked, NO_COLOURS)
    because = "the shader mixes in the border"
    assert info.unsupported == (("reduction", "reduction_mode", "MAX", "blended", None, because),)
    assert info.reduction_mode is not None
    nearest = create_info(asked.replace(min_img_filter=0, mag_img_filter=0, min_mip_filter=0), NO_COLOURS)
    assert (nearest.unsupported, nearest.reduction_mode) == ((), info.reduction_mode)


@pytest.mark.parametrize(
    ("asked", "screen", "view"),
    [
        ({"max_anisotropy": 8}, WHOLE, View("R32_UINT")),
        ({"max_anisotropy": 8}, NO_ANISOTROPY, View("R32_UINT")),
        ({"reduction_mode": "MIN"}, NO_MINMAX, None),
        ({"reduction_mode": "MAX", **COMPARED}, WHOLE, None),
        ({"reduction_mode": "MIN"}, can("R8_UNORM", MINMAX, able=False), View("R8_UNORM")),
        ({"reduction_mode": "MIN"}, NO_MINMAX, View("R32_UINT")),
    ],
)
def test_of_a_texel_that_nothing_is_mixed_with_nothing_is_lost(
    asked: dict[str, Any], screen: st.Screen, view: View | None
) -> None:
    info = create_info(st.SamplerState(**asked), screen, view=view)
    assert (info.unsupported, info.anisotropy_enable, info.reduction_mode) == ((), False, None)
    explained = explain_info(st.SamplerState(**asked), screen, view=view)
    assert "nothing is lost" in explained.last(next(iter(asked))).because


@pytest.mark.parametrize(
    ("asked", "screen", "view"),
    [
        ({"max_anisotropy": 16}, WHOLE, View("R8_UNORM")),
        ({"max_anisotropy": 8, **COMPARED}, WHOLE, View("Z16_UNORM")),  # depth is filtered after it is compared
        ({"reduction_mode": "MIN"}, WHOLE, None),
        ({"reduction_mode": "MAX"}, can("R8_UNORM", MINMAX, able=True), View("R8_UNORM")),
        ({**COMPARED, **LINEAR}, WHOLE, View("Z16_UNORM")),
        ({**COMPARED, **LINEAR}, WHOLE, View("Z16_UNORM", cube=False)),
        (LINEAR, WHOLE, View("Z16_UNORM", cube=False)),  # the shader filters
        (BORDER, WHOLE, None),
        (BORDER, NO_SWIZZLE, View("R8G8B8A8_UNORM")),
        (BORDER | {"wrap_s": "REPEAT"}, NO_SWIZZLE, SWIZZLED),
        (BLACK | {"wrap_s": "REPEAT"}, NO_SWIZZLE, SWIZZLED),
        (BORDER | COMPARED, NO_SWIZZLE, View("Z16_UNORM", "WZYX")),
        (BLACK, WHOLE, SWIZZLED),
        (BORDER, NO_SWIZZLE, None),
        (BLACK | {"border_color": (1.0, 1.0, 1.0, 1.0)}, NO_SWIZZLE, SWIZZLED),
        (BLACK | {"border_color": (0.0, 0.0, 0.0, 0.0)}, NO_SWIZZLE, View("R8G8B8A8_UNORM", "WZY1")),
    ],
)
def test_nothing_is_lost_where_the_device_can_do_it(
    asked: dict[str, Any], screen: st.Screen, view: View | None
) -> None:
    for dialect in ("native", NO_SHADER):
        assert create_info(st.SamplerState(**asked), screen, view=view, dialect=dialect).unsupported == ()


@pytest.mark.parametrize("dialect", ["zink21", "zink22"])
def test_other_dialects_look_at_no_view(dialect: str) -> None:
    for view in (None, SWIZZLED):
        assert create_info(st.SamplerState(**BLACK), NO_SWIZZLE, dialect=dialect, view=view).unsupported == ()
    asked = st.SamplerState(max_anisotropy=8, reduction_mode="MIN", compare_mode="R_TO_TEXTURE", compare_func="LESS")
    screen = can("D16_UNORM", COMPARE | FILTER | MINMAX, able=False)
    made = [create_info(asked, screen, dialect=dialect, view=view) for view in (None, View("Z16_UNORM"))]
    assert made[0] == made[1]
    assert made[0].compare_enable


def test_depth_that_is_not_compared_keeps_its_filters_only_where_it_can_be_filtered() -> None:
    asked = st.SamplerState(**COMPARED, **LINEAR)
    for able in (False, True):
        screen = can("D16_UNORM", FILTER, able=able, of=can("D16_UNORM", COMPARE, able=False))
        info = create_info(asked, screen, view=View("Z16_UNORM"))
        assert (info.compare_enable, int(info.compare_op)) == (False, 0)
        assert {int(info.mag_filter), int(info.min_filter), int(info.mipmap_mode)} == {int(able)}


def test_a_reduction_without_a_name_is_reported_with_its_number() -> None:
    record = (3 << SHIFTS["reduction_mode"]).to_bytes(4, "little") + bytes(32)
    (loss,) = create_info(record, WHOLE).unsupported
    assert loss == ("reduction", "reduction_mode", 3, None, None, "no reduction mode has that number")


@pytest.mark.parametrize(
    ("cube", "edges"), [(None, True), (True, True), (False, False)], ids=["not known", "cube", "no cube"]
)
def test_edges_of_cubes_are_the_shaders_work_unless_there_is_no_cube(cube: bool | None, edges: bool) -> None:
    view = None if cube is None else View("R8_UNORM", cube=cube)
    for given_view in (view, View("R8_UNORM", cube=cube)):
        info = create_info(st.SamplerState(), NO_SEAMS, view=given_view)
        assert (info.flags, info.lowering.cube_edges) == (0, edges)
    assert not create_info(st.SamplerState(seamless_cube_map=True), NO_SEAMS).lowering.cube_edges


@pytest.mark.parametrize("wrap", ["MIRROR_CLAMP_TO_BORDER", "MIRROR_CLAMP"])
def test_a_dialect_without_the_mirrored_border_says_what_it_takes_instead(wrap: str) -> None:
    (loss,) = create_info(st.SamplerState(wrap_t=wrap, **LINEAR), WHOLE, dialect="zink22").unsupported
    because = "Vulkan has no such address mode, and this dialect takes the edge for the border"
    assert loss == ("mirror-border", "address_mode_v", "MIRROR_CLAMP_TO_BORDER", "MIRROR_CLAMP_TO_EDGE", None, because)


def test_a_bias_that_the_device_allows_needs_nothing() -> None:
    for screen, bias in ((WHOLE, 16.0), (WHOLE, -16.0), (WHOLE, 1.5), (portable(), 0.0)):
        info = create_info(st.SamplerState(lod_bias=bias, seamless_cube_map=True), screen)
        assert (info.mip_lod_bias, info.lowering.work, info.lod_bias_rest) == (bias, {}, 0.0)


def test_a_bias_that_is_no_number_gives_the_shader_nothing_to_add() -> None:
    info = create_info(st.SamplerState(lod_bias=float("nan")), WHOLE, dialect="zink22")
    assert (info.mip_lod_bias, info.lod_bias_rest, info.lowering.add_lod_bias) == (-16.0, 0.0, False)


def test_a_border_that_is_not_read_is_not_retyped() -> None:
    info = create_info(st.SamplerState(border_color=(1, 2, 3, 4)), WHOLE, view=View("R8G8B8A8_UINT"))
    assert info.border_color.name == "FLOAT_TRANSPARENT_BLACK"
    why = explain_info(st.SamplerState(**BORDER), WHOLE, view=View("R8G8B8A8_UINT")).last("border_color")
    assert why.because.endswith(", integers as in R8G8B8A8_UINT")
    why = explain_info(st.SamplerState(**BORDER), WHOLE, view=View("R8G8B8A8_UNORM")).last("border_color")
    assert " as in " not in why.because


# The table


#: The rules in their order (what a rule reads, those before it have settled), and the sections that they stand in.
ORDER: Final = [
    *("one-filter", "level-0", "lod-order", "cube", "clamp", "mirror-border", "mirror-edge", "address-mode"),
    *("bias-limit", "no-anisotropy", "anisotropy-gate", "no-compare", "reduction", "view-comparison", "view"),
    *("conversion", "sampled", "filtering", "seams", "border-type", "unnormalized", "border", "in-shader"),
    *("whole-limits", "fixed-depth"),
]
SECTIONS: Final = {
    "mipmaps": "one-filter level-0 lod-order whole-limits",
    "address-modes": "cube clamp mirror-border mirror-edge address-mode",
    "bias": "bias-limit",
    "anisotropy": "no-anisotropy anisotropy-gate",
    "comparison": "no-compare fixed-depth",
    "reduction": "reduction",
    "views": "view-comparison view conversion sampled filtering",
    "seams": "seams",
    "border": "border-type border in-shader",
    "coordinates": "unnormalized",
}


def test_rules_are_in_order_and_have_a_section_of_the_page() -> None:
    assert [rule.name for rule in RULES] == ORDER
    sections = {name: section for section, names in SECTIONS.items() for name in names.split()}
    assert {rule.name: rule.section for rule in RULES} == sections
    anchors = {
        re.sub(r"[^a-z0-9]+", "-", line.lower()).strip("-") for line in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    } | {*re.findall('<a id="([^"]+)"></a>', PAGE)}
    assert {rule.section for rule in RULES} <= anchors


def changed(state: st.SamplerState | bytes, screen: Any, **how: Any) -> dict[str, set[str]]:
    """The members that each rule changes, whatever its row says."""
    draft = Draft(
        state, screen, **{"dialect": "native", "view": None, "free_slots": None, "unnormalized_fits": False} | how
    )
    seen = {}
    for rule in RULES:
        before = {name: repr(getattr(draft, name)) for name in TRACKED}
        rule.apply(draft)
        seen[rule.name] = {name for name in TRACKED if repr(getattr(draft, name)) != before[name]}
    return seen


@given(records(), devices(), some.none() | views(), some.sampled_from(list(DIALECTS)), some.booleans())
def test_a_rule_changes_no_more_than_its_row_names(
    record: bytes, facts: VulkanFacts, view: View | None, dialect: str, fits: bool
) -> None:
    seen = changed(record, facts, view=view, dialect=dialect, unnormalized_fits=fits)
    for rule in RULES:
        assert seen[rule.name] <= set(rule.sets)


def test_a_rule_can_change_every_member_that_its_row_names() -> None:
    wraps = ("CLAMP", "MIRROR_CLAMP", "MIRROR_CLAMP_TO_BORDER", "MIRROR_CLAMP_TO_EDGE", "REPEAT")
    texels = {"unnormalized_coords": True, "min_lod": 1.0, "max_lod": 9.0, "max_anisotropy": 8}
    cases: list[tuple[dict[str, Any], st.Screen, dict[str, Any]]] = [
        *((asked, screen, {"view": view}) for asked, screen, view, _ in (*LOST, *LOST_BORDERS)),
        *((asked, screen, {}) for asked, screen, *_ in SENTENCES),
        *((dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), wrap), NO_MIRROR, {}) for wrap in wraps),
        ({"min_mip_filter": "NONE", "min_lod": 2.0}, WHOLE, {}),
        ({"min_mip_filter": "NEAREST", "min_lod": float("nan")}, WHOLE, {}),
        (texels | LINEAR | {"mag_img_filter": "NEAREST"}, WHOLE, {"unnormalized_fits": True}),
        (texels, WHOLE, {}),
        (BORDER, screen_without("borderColorSwizzleFromImage"), {"view": SWIZZLED}),
        (COMPARED | LINEAR, can("D16_UNORM", COMPARE | FILTER, able=False), {"view": View("Z16_UNORM")}),
        (BORDER | {"wrap_s": "CLAMP", "wrap_t": "CLAMP_TO_BORDER", "wrap_r": "CLAMP_TO_BORDER"}, NO_COLOURS, {}),
        (BORDER | {"wrap_r": "CLAMP"}, NO_COLOURS, {}),
        (LINEAR | {"wrap_s": "CLAMP", "min_lod": 0.5, "max_lod": 1.5}, WHOLE, {}),
        (LINEAR | {"mag_img_filter": "NEAREST"}, WHOLE, {"view": View("Z16_UNORM", cube=False)}),
        (LINEAR, WHOLE, {"view": View("Z16_UNORM", cube=False)}),
        (LINEAR | {"max_anisotropy": 8, "min_mip_filter": "NONE"}, st.Screen.named("webgpu"), {}),
        *(
            ({"mag_img_filter": "LINEAR", "min_mip_filter": "NONE"} | limit, st.Screen.named("webgpu"), {})
            for limit in ({"min_lod": 0.5, "max_lod": 1.0}, {"max_lod": 0.0})
        ),
        *(
            (BORDER | LINEAR | {"reduction_mode": "MIN", "max_anisotropy": 8} | asked, screen, {"view": view})
            for asked, screen, view in (
                ({}, NO_COLOURS, View("R8_UNORM", cube=True)),  # by its faces, with the border among their texels
                ({"wrap_s": "REPEAT"}, NO_SEAMS, View("R8_UNORM", cube=True)),
                ({}, WHOLE, View("Z16_UNORM", cube=False)),
                (
                    dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), "REPEAT") | {"seamless_cube_map": True},
                    WHOLE,
                    View("R8_UNORM", cube=True),
                ),
            )
        ),
    ]
    all_of_them: dict[str, set[str]] = {rule.name: set() for rule in RULES}
    for asked, screen, how in cases:
        for name, members in changed(st.SamplerState(**asked), screen, **how).items():
            all_of_them[name] |= members
    assert all_of_them == {rule.name: set(rule.sets) for rule in RULES}
    assert all(len(set(rule.sets)) == len(rule.sets) for rule in RULES)


SENTENCES: Final[list[tuple[dict[str, Any], st.Screen, str, str, str]]] = [
    ({"min_mip_filter": "NONE", "max_lod": 9.0}, WHOLE, "max_lod", "level-0",
     "there is no mip filter: level 0 alone, and still magnified or minified"),
    ({"min_mip_filter": "LINEAR", "min_lod": 2.0, "max_lod": 1.0}, WHOLE, "max_lod", "lod-order",
     "Vulkan needs the upper LOD not below the lower one, and no NaN"),
    ({"wrap_s": "CLAMP", **LINEAR}, WHOLE, "address_mode_u", "clamp",
     "Vulkan has no such mode; the shader mixes in the border"),
    ({"wrap_s": "MIRROR_CLAMP_TO_BORDER"}, WHOLE, "address_mode_u", "mirror-border",
     "Vulkan has no such mode; the shader takes the coordinate's absolute value"),
    ({"wrap_s": "MIRROR_CLAMP_TO_EDGE"}, NO_MIRROR, "address_mode_u", "mirror-edge",
     "the device lacks samplerMirrorClampToEdge; the shader takes the coordinate's absolute value"),
    ({"lod_bias": 17.0}, WHOLE, "mip_lod_bias", "bias-limit", "maxSamplerLodBias is 16"),
    ({"lod_bias": 17.0}, st.Screen.from_vulkan(VulkanFacts(limits={"maxSamplerLodBias": 15.99609375})), "mip_lod_bias",
     "bias-limit", "maxSamplerLodBias is 15.99609375"),
    ({"lod_bias": float("nan")}, WHOLE, "mip_lod_bias", "bias-limit", "NaN is no bias"),
    ({"max_anisotropy": 1}, WHOLE, "max_anisotropy", "no-anisotropy", "1 and less is off, and off is 0"),
    ({"max_anisotropy": 31}, WHOLE, "max_anisotropy", "anisotropy-gate", "the device allows no more"),
    ({"max_anisotropy": 8}, NO_ANISOTROPY, "max_anisotropy", "anisotropy-gate", "the device has none"),
    ({"compare_func": "LESS"}, WHOLE, "compare_op", "no-compare", "depth is not compared"),
    ({"reduction_mode": "WEIGHTED_AVERAGE", "max_anisotropy": 31}, WHOLE, "reduction_mode", "reduction",
     "averaging needs no struct"),
    ({"reduction_mode": "MIN", "max_anisotropy": 31, **COMPARED}, WHOLE, "reduction_mode", "reduction",
     "depth is compared, and Vulkan then only averages; of one texel nothing is lost"),
    ({}, WHOLE, "flags", "seams", "seamless_cube_map is off"),
    ({"unnormalized_coords": True}, WHOLE, "unnormalized_coordinates", "unnormalized",
     "the shader divides by the texture's size"),
    (BORDER, WHOLE, "border_color", "border", "custom: bit for bit"),
    (BORDER, NO_COLOURS, "border_color", "border", "in-shader: the shader mixes it in"),
    (BORDER | {"wrap_t": "CLAMP"}, NO_COLOURS, "address_mode_u", "in-shader",
     "the shader mixes in the border, and the sampler reads the edge"),
    ({"wrap_s": "CLAMP", "min_lod": 0.5, **LINEAR}, WHOLE, "min_lod", "whole-limits",
     "the shader samples whole levels, and limits the level of detail itself"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "screen", "field", "rule", "because"), SENTENCES)
def test_a_step_says_which_input_made_it(
    asked: dict[str, Any], screen: st.Screen, field: str, rule: str, because: str
) -> None:
    steps = explain_info(st.SamplerState(**asked), screen).of(field)
    assert [step.because for step in steps if step.rule == rule] == [because]


def test_a_clamped_coordinate_goes_by_both_filters() -> None:
    for filters, word in ((LINEAR, "both"), (LINEAR | {"min_img_filter": "NEAREST"}, "not both")):
        steps = explain_info(st.SamplerState(wrap_s="CLAMP", **filters), WHOLE, dialect=NO_SHADER).of("address_mode_u")
        because = f"the image filters are {word} linear, and the shader clamps the coordinate"
        assert [step.because for step in steps if step.rule == "clamp"] == [f"Vulkan has no such mode; {because}"]


@pytest.mark.parametrize(("of", "end"), [(False, "; the shader does"), (True, "; the shader does"), (None, "")])
def test_a_step_says_who_filters_what_the_device_does_not(of: bool | None, end: str) -> None:
    explained = explain_info(st.SamplerState(**LINEAR), WHOLE, view=View("Z16_UNORM", cube=of))
    for field in ("min_filter", "mag_filter", "mipmap_mode"):
        step = explained.last(field)
        assert (step.after, step.rule) == ("NEAREST", "filtering")
        assert step.because == f"the device does not filter Z16_UNORM{end}"


def test_coordinates_in_texels_leave_no_choice() -> None:
    asked = st.SamplerState(unnormalized_coords=True, max_anisotropy=8, **LINEAR | {"mag_img_filter": "NEAREST"})
    explained = explain_info(asked, WHOLE, unnormalized_fits=True)
    for field in ("min_filter", "mipmap_mode", "max_anisotropy"):
        assert explained.last(field).because == "coordinates in texels leave no choice"
    (loss,) = explained.info.unsupported
    assert loss == (
        "anisotropy", "max_anisotropy", 8.0, 0.0, 7.0, "unnormalised coordinates have no anisotropy",
    )  # fmt: skip
    without = create_info(asked.replace(max_anisotropy=0), WHOLE, unnormalized_fits=True)
    assert (without.unsupported, without.max_anisotropy) == ((), 0.0)
    folded = explain_info(st.SamplerState(wrap_s="MIRROR_CLAMP_TO_BORDER"), WHOLE, dialect="zink22")
    assert [step.because for step in folded.of("address_mode_u") if step.rule == "mirror-border"] == [
        "Vulkan has no such mode; the edge is near the border"
    ]


def test_a_portable_device_that_cannot_bias_is_named_so() -> None:
    explained = explain_info(st.SamplerState(lod_bias=1.5), portable())
    assert (explained.info.mip_lod_bias, explained.info.lod_bias_rest) == (0.0, 1.5)
    assert explained.last("mip_lod_bias").because == "the device cannot bias; the shader adds it"


def test_of_two_losses_each_step_shows_its_own() -> None:
    asked = st.SamplerState(max_anisotropy=31, reduction_mode="MIN", **COMPARED | LINEAR)
    explained = explain_info(asked, can("D16_UNORM", COMPARE | FILTER, able=False), view=View("Z16_UNORM"))
    assert [loss.name for loss in explained.info.unsupported] == ["anisotropy", "reduction", "comparison", "anisotropy"]
    assert explained.last("reduction_mode").because == "depth is compared, and Vulkan then only averages"
    assert explained.last("compare_op").because == "the device cannot compare Z16_UNORM"
    assert explained.last("max_anisotropy").because == "Z16_UNORM cannot be filtered"
