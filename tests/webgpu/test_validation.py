"""WebGPU's validation rules: each is broken by one thing, and by nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError, UnknownName
from statetracker.webgpu import RULES, violations

CORE = st.Screen.named("webgpu")
LINEAR = {"mag_filter": "linear", "min_filter": "linear", "mipmap_filter": "linear"}
FINE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"label": "a name", "magFilter": "linear", "lodMaxClamp": 0}, {}),
    (LINEAR | {"max_anisotropy": 16}, {"sampler_type": "filtering", "sample_type": "float"}),
    ({"compare": "less"} | LINEAR, {"sampler_type": "comparison", "sample_type": "depth"}),
    ({}, {"sampler_type": "filtering", "sample_type": "float", "texture_format": "rgba8unorm"}),
    ({}, {"sampler_type": "non-filtering", "sample_type": "unfilterable-float", "texture_format": "r32float"}),
    ({}, {"sampler_type": "non-filtering", "sample_type": "unfilterable-float", "texture_format": "depth16unorm"}),
    ({}, {"sampler_type": "non-filtering", "sample_type": "depth", "texture_format": "depth24plus"}),
    ({}, {"sampler_type": "non-filtering", "sample_type": "uint", "texture_format": "rg8uint"}),
]
#: Members and bindings -> the rule they break, and its member.
BROKEN: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    *(({name: "clamp"}, {}, "address-mode", name) for name in ("address_mode_u", "address_mode_v", "address_mode_w")),
    ({"addressModeV": "clamp-to-border"}, {}, "address-mode", "address_mode_v"),
    *(({name: "cubic"}, {}, "filter", name) for name in LINEAR),
    ({"lod_min_clamp": float("nan")}, {}, "lod-finite", "lod_min_clamp"),
    ({"lod_max_clamp": float("inf")}, {}, "lod-finite", "lod_max_clamp"),
    ({"lod_max_clamp": "4"}, {}, "lod-finite", "lod_max_clamp"),
    ({"lod_min_clamp": "0"}, {}, "lod-finite", "lod_min_clamp"),
    ({"lod_max_clamp": True}, {}, "lod-finite", "lod_max_clamp"),
    ({"max_anisotropy": True}, {}, "anisotropy-whole", "max_anisotropy"),
    ({"max_anisotropy": -1}, {}, "anisotropy-whole", "max_anisotropy"),
    ({"compare": "LEQUAL"}, {}, "compare", "compare"),
    ({"max_anisotropy": 2.5}, {}, "anisotropy-whole", "max_anisotropy"),
    ({"max_anisotropy": 1 << 16}, {}, "anisotropy-whole", "max_anisotropy"),
    ({"lod_min_clamp": -0.5}, {}, "lod-min", "lod_min_clamp"),
    ({"lod_min_clamp": 4.0, "lod_max_clamp": 3.0}, {}, "lod-order", "lod_max_clamp"),
    ({"max_anisotropy": 0}, {}, "anisotropy-least", "max_anisotropy"),
    *((LINEAR | {"max_anisotropy": 2, name: "nearest"}, {}, "anisotropy-filters", "max_anisotropy") for name in LINEAR),
    ({"compare": "less"}, {"sampler_type": "filtering"}, "binding-filtering", "compare"),
    ({"mag_filter": "linear"}, {"sampler_type": "non-filtering"}, "binding-non-filtering", "mag_filter"),
    ({"compare": "less"}, {"sampler_type": "non-filtering"}, "binding-non-filtering", "mag_filter"),
    ({}, {"sampler_type": "comparison"}, "binding-comparison", "compare"),
    ({}, {"texture_format": "bc7-rgba-unorm"}, "texture-format", "texture_format"),
    ({}, {"sample_type": "float", "texture_format": "r32float"}, "sample-type", "sample_type"),
    ({}, {"sample_type": "depth", "texture_format": "rgba8unorm"}, "sample-type", "sample_type"),
    ({}, {"sample_type": "float", "texture_format": "depth16unorm"}, "sample-type", "sample_type"),
    ({}, {"sample_type": "sint", "texture_format": "stencil8"}, "sample-type", "sample_type"),
    *(
        (LINEAR, {"sampler_type": "filtering", "sample_type": kind}, "pair-filtering", "sample_type")
        for kind in ("unfilterable-float", "depth", "sint", "uint")
    ),
    *(
        ({"compare": "less"}, {"sampler_type": "comparison", "sample_type": kind}, "pair-comparison", "sample_type")
        for kind in ("float", "unfilterable-float", "sint", "uint")
    ),
]


@pytest.mark.parametrize(("members", "bindings"), FINE)
def test_what_is_fine_breaks_nothing(members: dict[str, Any], bindings: dict[str, Any]) -> None:
    assert violations(members, CORE, **bindings) == []


@pytest.mark.parametrize(("members", "bindings", "rule", "member"), BROKEN)
def test_one_thing_wrong_breaks_one_rule(
    members: dict[str, Any], bindings: dict[str, Any], rule: str, member: str
) -> None:
    (broken,) = violations(members, CORE, **bindings)
    assert (broken.rule, broken.member) == (rule, member)
    assert str(broken).startswith(f"{rule}: {member} is ")


def test_a_depth_texture_beside_a_plain_sampler_breaks_a_rule_of_compatibility_mode_alone() -> None:
    pair = {"sampler_type": "non-filtering", "sample_type": "depth"}
    (broken,) = violations({}, st.Screen.named("webgpu-compatibility"), **pair)
    assert broken.rule == "pair-depth"
    assert violations({}, CORE, **pair) == []


ROWS = [
    *(("address-mode", "Web IDL", f"address_mode_{axis}") for axis in "uvw"),
    *(("filter", "Web IDL", f"{which}_filter") for which in ("mag", "min", "mipmap")),
    *(("lod-finite", "Web IDL", f"lod_{which}_clamp") for which in ("min", "max")),
    ("compare", "Web IDL", "compare"),
    ("anisotropy-whole", "Web IDL", "max_anisotropy"),
    ("lod-min", "Sampler Creation", "lod_min_clamp"),
    ("lod-order", "Sampler Creation", "lod_max_clamp"),
    ("anisotropy-least", "Sampler Creation", "max_anisotropy"),
    ("anisotropy-filters", "Sampler Creation", "max_anisotropy"),
    ("binding-filtering", "Bind Group Creation", "compare"),
    ("binding-non-filtering", "Bind Group Creation", "mag_filter"),
    ("binding-comparison", "Bind Group Creation", "compare"),
    ("texture-format", "Bind Group Creation", "texture_format"),
    ("sample-type", "Bind Group Creation", "sample_type"),
    ("pair-filtering", "validating GPUProgrammableStage", "sample_type"),
    ("pair-comparison", "WGSL, textureSampleCompare", "sample_type"),
    ("pair-depth", "Compatibility Mode 20", "sample_type"),
]


def test_every_rule_names_its_section_and_its_member() -> None:
    assert [(rule.name, rule.section, rule.member) for rule in RULES] == ROWS
    assert RULES[0].fix == "use one of clamp-to-edge, repeat, mirror-repeat"
    compares = "never, less, equal, less-equal, greater, not-equal, greater-equal, always"
    assert next(rule for rule in RULES if rule.name == "compare").fix == f"use one of {compares}, or None"


def test_every_word_of_an_enum_is_accepted() -> None:
    for word in ("never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always", None):
        assert violations({"compare": word}) == []
    for word in ("clamp-to-edge", "repeat", "mirror-repeat"):
        assert violations({"address_mode_w": word}) == []
    for count in (1, 40000, 65535):
        assert violations(LINEAR | {"max_anisotropy": count}) == []


def test_what_is_left_out_has_webgpus_default() -> None:
    assert violations({"lod_min_clamp": 32.0}) == []
    assert [one.rule for one in violations({"lod_min_clamp": 32.5})] == ["lod-order"]
    assert [one.rule for one in violations({"lod_max_clamp": -0.5})] == ["lod-order"]
    assert violations({}, sampler_type="non-filtering") == violations({}, sampler_type="filtering") == []


def test_every_rule_is_broken_here() -> None:
    assert {rule for _, _, rule, _ in BROKEN} | {"pair-depth"} == {rule.name for rule in RULES}
    assert all(rule.section and rule.fix for rule in RULES)


def test_a_float_of_32_bits_is_filtered_with_its_feature() -> None:
    pair: dict[str, Any] = {"sample_type": "float", "texture_format": "rg32float"}
    assert violations({}, st.Screen.named("webgpu-float32-filterable"), **pair) == []
    assert violations({}, **pair) == []
    assert [one.rule for one in violations({}, CORE, **pair)] == ["sample-type"]


def test_compatibility_mode_has_no_bgra8unorm_srgb() -> None:
    for name, broken in (("webgpu", 0), ("webgpu-compatibility", 1)):
        assert len(violations({}, st.Screen.named(name), texture_format="bgra8unorm-srgb")) == broken


def test_what_is_no_descriptor_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="accepted: a SamplerDescriptor, or a mapping of its members"):
        violations([])  # type: ignore[arg-type]
    for given in ({"border_color": 0}, {"mip_lod_bias": 1.0}):
        with pytest.raises(UnknownName, match=r"member: '\w+' is not known; accepted: address_mode_u"):
            violations(given)
    for field, word in (("sampler_type", "linear"), ("sample_type", "int"), ("texture_format", "rgb8unorm")):
        with pytest.raises(UnknownName, match=f"{field}: '{word}' is not known"):
            violations({}, None, **{field: word})
