"""The driver, the rules and split modules on a device of wgpu-py; wider with ``make webgpu``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.caps import webgpu_formats
from statetracker.cso import CsoContext
from statetracker.errors import DeviceLost, DriverError
from statetracker.vulkan import View
from statetracker.webgpu import WgpuDriver, descriptor, screen_of, violations
from tests.vulkan.strategies import records, views
from tests.webgpu.dawn import Dawn
from tools.proofs.pixels.webgpu_run import open_device

pytestmark = pytest.mark.live("wgpu")

SCREENS = [st.Screen.named(name) for name in ("webgpu", "webgpu-float32-filterable")]
LODS = some.sampled_from((0.0, -0.0, -1.0, 0.25, 1.0, 2.5, 14.0, 32.0, 1000.0))
COMPARES = ("never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always")
#: Members of descriptors, good and bad, of the right types.
MEMBERS: dict[str, some.SearchStrategy[Any]] = {
    **{f"address_mode_{axis}": some.sampled_from(("clamp-to-edge", "repeat", "mirror-repeat")) for axis in "uvw"},
    **{f"{which}_filter": some.sampled_from(("nearest", "linear")) for which in ("mag", "min", "mipmap")},
    "lod_min_clamp": LODS,
    "lod_max_clamp": LODS,
    "compare": some.none() | some.sampled_from(COMPARES),
    "max_anisotropy": some.sampled_from((1, 0, 2, 3, 16, 17, 65535)),
}


@pytest.fixture(scope="module")
def device() -> Any:
    return open_device()


def test_a_descriptor_is_what_create_sampler_takes(device: Any) -> None:
    sampler = st.Sampler(wrap="clamp-to-border", compare_mode="compare-ref-to-texture", min_filter="linear")
    result = st.convert(sampler, st.Texture("2d", "DEPTH_COMPONENT24"), st.Screen.named("webgpu"))
    assert device.create_sampler(label="a name", **result.webgpu) is not None


def test_a_cache_makes_and_forgets_samplers(device: Any) -> None:
    driver = WgpuDriver(device)
    context = CsoContext(driver, max_size=16)
    for number in range(64):
        context.set_samplers("fragment", [st.SamplerState(max_lod=float(number), min_mip_filter="LINEAR")])
    assert driver.live <= 17
    assert type(driver.bound["fragment"][0].sampler).__name__ == "GPUSampler"  # type: ignore[union-attr]
    context.unbind()
    context.destroy()
    assert driver.live == 0


def test_a_destroyed_device_is_a_lost_one_and_the_tracker_drops_its_handles() -> None:
    """No sampler of before is handed out again; a driver of a new device makes them anew."""
    device, texture = open_device(), st.Texture("2d", "RGBA8")
    samplers = [st.Sampler(wrap=wrap) for wrap in ("repeat", "clamp-to-edge")]
    driver = WgpuDriver(device)
    tracker = st.StateTracker(driver.screen, driver)
    (before,) = tracker.bind("fragment", ((samplers[0], texture),)).handles
    device.destroy()
    for sampler in reversed(samplers):
        with pytest.raises(DriverError) as caught:
            tracker.bind("fragment", ((sampler, texture),))
        assert isinstance(caught.value.__cause__, DeviceLost)
    tracker.device_lost(WgpuDriver(open_device()))
    (after,) = tracker.bind("fragment", ((samplers[0], texture),)).handles
    assert after not in {None, before}
    tracker.destroy()


@pytest.fixture(scope="module", params=["wgpu", pytest.param("Dawn", marks=pytest.mark.live("dawn"))])
def judge(request: pytest.FixtureRequest) -> Any:
    return Dawn() if request.param == "Dawn" else open_device(filters=True)


def refusal(make: Callable[..., object], **given: Any) -> str:
    """Return why something is not made, "" where it is."""
    try:
        make(**given)
    except Exception as error:  # noqa: BLE001 (wgpu-py's own classes)
        return str(error) or type(error).__name__
    return ""


@given(records(), some.none() | views(), some.sampled_from(SCREENS))
def test_a_descriptor_of_any_record_is_accepted(judge: Any, state: bytes, view: View | None, screen: st.Screen) -> None:
    assert refusal(judge.create_sampler, **descriptor(state, screen, view=view)) == ""


@given(some.fixed_dictionaries(MEMBERS))
def test_a_descriptor_is_refused_where_it_breaks_a_rule_and_nowhere_else(judge: Any, members: dict[str, Any]) -> None:
    assert bool(refusal(judge.create_sampler, **members)) == bool(violations(members))


# Bindings: our rules beside wgpu's


def bound(device: Any, layout: dict[str, Any], resource: Any) -> bool:
    """Whether wgpu binds a resource by a layout."""
    made = device.create_bind_group_layout(entries=[{"binding": 0, "visibility": "FRAGMENT", **layout}])
    said = refusal(device.create_bind_group, layout=made, entries=[{"binding": 0, "resource": resource}])
    assert not said or "Validation Error" in said
    return not said


@pytest.mark.parametrize("sampler_type", ["filtering", "non-filtering", "comparison"])
@pytest.mark.parametrize("members", [{}, {"mag_filter": "linear"}, {"mipmap_filter": "linear"}, {"compare": "less"}])
def test_wgpu_binds_samplers_that_our_rules_let_be_bound(
    device: Any, sampler_type: str, members: dict[str, Any]
) -> None:
    fine = violations(members, sampler_type=sampler_type) == []
    assert bound(device, {"sampler": {"type": sampler_type}}, device.create_sampler(**members)) == fine


@pytest.mark.parametrize("filters", [False, True])
@pytest.mark.parametrize("name", ["rgba8unorm", "rg16float", "rgba32float", "r8uint", "rg32sint", "depth16unorm"])
def test_wgpu_binds_textures_that_our_rules_let_be_bound(name: str, filters: bool) -> None:
    device = open_device(filters=filters)
    texture = device.create_texture(size=(4, 4, 1), format=name, usage="TEXTURE_BINDING")
    for sample_type in ("float", "unfilterable-float", "depth", "sint", "uint"):
        fine = violations({}, screen_of(device), sample_type=sample_type, texture_format=name) == []
        assert bound(device, {"texture": {"sample_type": sample_type}}, texture.create_view()) == fine


#: A pair that browsers refuse, and wgpu 0.32 takes.
TOLERATED = ("filtering", "depth")
PAIR = """
@group(0) @binding(0) var t: {texture};
@group(0) @binding(1) var s: {sampler};
@fragment fn main() -> @location(0) vec4f {{ return vec4f() + {sample}; }}
"""


@pytest.mark.parametrize("sampler_type", ["filtering", "non-filtering", "comparison"])
@pytest.mark.parametrize("sample_type", ["float", "unfilterable-float", "depth"])
def test_wgpu_makes_pipelines_of_pairs_that_our_rules_let_be(device: Any, sampler_type: str, sample_type: str) -> None:
    texture = "texture_depth_2d" if sample_type == "depth" else "texture_2d<f32>"
    plain = ("sampler", "textureSample(t, s, vec2f())")
    compares = ("sampler_comparison", "textureSampleCompare(t, s, vec2f(), 0.5)")
    sampler, sample = compares if sampler_type == "comparison" else plain
    code = PAIR.format(texture=texture, sampler=sampler, sample=sample)
    entries = [{"texture": {"sample_type": sample_type}}, {"sampler": {"type": sampler_type}}]
    numbered = [{"binding": n, "visibility": "FRAGMENT", **one} for n, one in enumerate(entries)]
    layout = device.create_pipeline_layout(bind_group_layouts=[device.create_bind_group_layout(entries=numbered)])
    vertex = device.create_shader_module(code="@vertex fn main() -> @builtin(position) vec4f { return vec4f(); }")

    def make() -> None:
        fragment = {"module": device.create_shader_module(code=code), "targets": [{"format": "rgba8unorm"}]}
        device.create_render_pipeline(layout=layout, vertex={"module": vertex}, fragment=fragment)

    made = not refusal(make)
    broken = [one.rule for one in violations({}, sampler_type=sampler_type, sample_type=sample_type)]
    assert made == (not any(rule.startswith("pair") for rule in broken) or (sampler_type, sample_type) == TOLERATED)


#: Formats that every device samples, and the size of a 3D or layered texture of them.
VIEWED = ("RGBA8", "SRGB8_ALPHA8", "RG8", "R16F", "RGB10_A2", "R32UI", "DEPTH_COMPONENT24", "DEPTH24_STENCIL8")
SIZES = {
    "2d": (32, 16),
    "2d-array": (32, 16, 6),
    "cube-map": (32, 32),
    "cube-map-array": (32, 32, 12),
    "3d": (16, 8, 4),
}


@pytest.mark.parametrize("name", VIEWED)
@pytest.mark.parametrize("target", SIZES)
def test_a_view_is_what_create_view_takes(device: Any, name: str, target: str) -> None:
    """Of whole textures and of levels 1 to 2, of stencil; wgpu-py 0.32 makes no texture with formats for its views."""
    depth = name.startswith("DEPTH")
    if depth and target == "3d":
        return
    for options in ({}, {"base_level": 1, "max_level": 2}, {"stencil_sampling": name.endswith("STENCIL8")}):
        texture = st.Texture(target, name, SIZES[target], immutable=True, **options)
        made = st.convert(None, texture, screen_of(device)).view.webgpu
        assert made.image.image_format is not None
        image = device.create_texture(
            size=(*SIZES[target], 6 if target == "cube-map" else 1)[:3],
            format=webgpu_formats()[made.image.image_format.removeprefix("VK_FORMAT_")].format,
            dimension="3d" if target == "3d" else "2d",
            mip_level_count=texture.immutable_levels,
            usage="TEXTURE_BINDING",
        )
        assert made.view_formats == ()
        assert type(image.create_view(**made)).__name__ == "GPUTextureView"
