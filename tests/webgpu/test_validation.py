"""WebGPU's validation rules: each is broken by one thing, and by nothing else."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError, UnknownName
from statetracker.webgpu import RULES, violations

CORE = st.Screen.named("webgpu")
COMPARES = ("never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always", None)
LINEAR = {"mag_filter": "linear", "min_filter": "linear", "mipmap_filter": "linear"}
FINE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"lod_min_clamp": 32.0}, {}),
    *(({"compare": word}, {}) for word in COMPARES),
    *(({"address_mode_w": word}, {}) for word in ("clamp-to-edge", "repeat", "mirror-repeat")),
    *((LINEAR | {"max_anisotropy": count}, {}) for count in (1, 40000, 65535)),
    *(({}, {"sampler_type": kind}) for kind in ("filtering", "non-filtering")),
    ({"label": "a name", "magFilter": "linear", "lodMaxClamp": 0}, {}),
    (LINEAR | {"max_anisotropy": 16}, {"sampler_type": "filtering", "sample_type": "float"}),
    ({"compare": "less"} | LINEAR, {"sampler_type": "comparison", "sample_type": "depth"}),
    ({}, {"sampler_type": "filtering", "sample_type": "float", "texture_format": "rgba8unorm"}),
    ({}, {"sampler_type": "non-filtering", "sample_type": "unfilterable-float", "texture_format": "r32float"}),
    ({}, {"sampler_type": "non-filtering", "sample_type": "unfilterable-float", "texture_format": "depth16unorm"}),
    ({}, {"sampler_type": "non-filtering", "sample_type": "depth", "texture_format": "depth24plus"}),
    ({}, {"sampler_type": "non-filtering", "sample_type": "uint", "texture_format": "rg8uint"}),
]
NO_FLOATS = (nan, inf, 1e39, 10**400, "0", True)
LODS = ("lod_min_clamp", "lod_max_clamp")
#: Section and name of a rule, its member -> members and bindings that break it; in the order of `RULES`.
BROKEN: dict[tuple[str, str, str], list[tuple[dict[str, Any], dict[str, Any]]]] = {
    **{("Web IDL", "address-mode", f"address_mode_{axis}"): [({f"address_mode_{axis}": "clamp"}, {})] for axis in "uw"},
    ("Web IDL", "address-mode", "address_mode_v"): [({"addressModeV": "clamp-to-border"}, {})],
    **{("Web IDL", "filter", name): [({name: "cubic"}, {})] for name in LINEAR},
    **{("Web IDL", "lod-finite", name): [({name: lod}, {}) for lod in NO_FLOATS] for name in LODS},
    ("Web IDL", "compare", "compare"): [({"compare": "LEQUAL"}, {})],
    ("Web IDL", "anisotropy-whole", "max_anisotropy"): [
        ({"max_anisotropy": count}, {}) for count in (True, -1, 2.5, 1 << 16)
    ],
    ("Sampler Creation", "lod-min", "lod_min_clamp"): [({"lod_min_clamp": -0.5}, {})],
    ("Sampler Creation", "lod-order", "lod_max_clamp"): [
        (limits, {})
        for limits in ({"lod_min_clamp": 4.0, "lod_max_clamp": 3.0}, {"lod_min_clamp": 32.5}, {"lod_max_clamp": -0.5})
    ],
    ("Sampler Creation", "anisotropy-least", "max_anisotropy"): [({"max_anisotropy": 0}, {})],
    ("Sampler Creation", "anisotropy-filters", "max_anisotropy"): [
        (LINEAR | {"max_anisotropy": 2, name: "nearest"}, {}) for name in LINEAR
    ],
    ("Bind Group Creation", "binding-filtering", "compare"): [({"compare": "less"}, {"sampler_type": "filtering"})],
    ("Bind Group Creation", "binding-non-filtering", "mag_filter"): [
        (one, {"sampler_type": "non-filtering"}) for one in ({"mag_filter": "linear"}, {"compare": "less"})
    ],
    ("Bind Group Creation", "binding-comparison", "compare"): [({}, {"sampler_type": "comparison"})],
    ("Bind Group Creation", "texture-format", "texture_format"): [({}, {"texture_format": "bc7-rgba-unorm"})],
    ("Bind Group Creation", "sample-type", "sample_type"): [
        ({}, dict(zip(("texture_format", "sample_type"), pair.split(), strict=True)))
        for pair in ("r32float float", "rgba8unorm depth", "depth16unorm float", "stencil8 sint")
    ],
    ("validating GPUProgrammableStage", "pair-filtering", "sample_type"): [
        (LINEAR, {"sampler_type": "filtering", "sample_type": kind})
        for kind in ("unfilterable-float", "depth", "sint", "uint")
    ],
    ("WGSL, textureSampleCompare", "pair-comparison", "sample_type"): [
        ({"compare": "less"}, {"sampler_type": "comparison", "sample_type": kind})
        for kind in ("float", "unfilterable-float", "sint", "uint")
    ],
}  # fmt: skip
#: That of the compatibility mode alone.
PAIR = ("Compatibility Mode 20", "pair-depth", "sample_type")


@pytest.mark.parametrize(("members", "bindings"), FINE)
def test_what_is_fine_breaks_nothing(members: dict[str, Any], bindings: dict[str, Any]) -> None:
    assert violations(members, CORE, **bindings) == []


@pytest.mark.parametrize("rule", BROKEN, ids=lambda rule: f"{rule[1]} {rule[2]}")
def test_one_thing_wrong_breaks_one_rule(rule: tuple[str, str, str]) -> None:
    for members, bindings in BROKEN[rule]:
        (broken,) = violations(members, CORE, **bindings)
        assert (broken.rule, broken.member) == rule[1:]
        assert str(broken).startswith(f"{rule[1]}: {rule[2]} is ")


def test_every_rule_is_broken_here_with_its_section() -> None:
    assert {(rule.section, rule.name, rule.member) for rule in RULES} == {*BROKEN, PAIR}
    order = ["Web IDL"] * 10 + ["Sampler Creation"] * 4 + ["Bind Group Creation"] * 5
    assert [rule.section for rule in RULES][:19] == order
    assert RULES[0].fix == "use one of clamp-to-edge, repeat, mirror-repeat"
    assert next(rule.fix for rule in RULES if rule.name == "compare").endswith("greater-equal, always, or None")


def test_a_depth_texture_beside_a_plain_sampler_breaks_a_rule_of_compatibility_mode_alone() -> None:
    pair = {"sampler_type": "non-filtering", "sample_type": "depth"}
    (broken,) = violations({}, st.Screen.named("webgpu-compatibility"), **pair)
    assert broken.rule == "pair-depth"
    assert violations({}, CORE, **pair) == []
    for name, count in (("webgpu", 0), ("webgpu-compatibility", 1)):
        assert len(violations({}, st.Screen.named(name), texture_format="bgra8unorm-srgb")) == count


def test_a_float_of_32_bits_is_filtered_with_its_feature() -> None:
    pair: dict[str, Any] = {"sample_type": "float", "texture_format": "rg32float"}
    assert violations({}, st.Screen.named("webgpu-float32-filterable"), **pair) == violations({}, **pair) == []
    assert [one.rule for one in violations({}, CORE, **pair)] == ["sample-type"]


def test_what_is_no_descriptor_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="accepted: a SamplerDescriptor, or a mapping of its members"):
        violations([])  # type: ignore[arg-type]
    for given in ({"border_color": 0}, {"mip_lod_bias": 1.0}):
        with pytest.raises(UnknownName, match=r"member: '\w+' is not known; accepted: address_mode_u"):
            violations(given)
    for field, word in (("sampler_type", "linear"), ("sample_type", "int"), ("texture_format", "rgb8unorm")):
        with pytest.raises(UnknownName, match=f"{field}: '{word}' is not known"):
            violations({}, None, **{field: word})
