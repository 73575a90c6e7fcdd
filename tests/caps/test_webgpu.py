"""WebGPU devices as facts: features, limits, formats."""

from __future__ import annotations

from pathlib import Path

import pytest

import statetracker as st
from statetracker.caps import WEBGPU_FEATURES, vulkan_format, webgpu_facts, webgpu_formats
from statetracker.caps.storage import TABLES
from statetracker.caps.vulkan_formats import table
from statetracker.errors import UnknownName
from statetracker.gl.formats import internal_formats

CORE = ("core-features-and-limits",)
EVERYTHING = webgpu_facts(WEBGPU_FEATURES)


def test_there_is_nothing_that_webgpu_lacks() -> None:
    features = webgpu_facts().features
    lacks = {"samplerMirrorClampToEdge", "samplerFilterMinmax", "customBorderColors", "nonSeamlessCubeMap"}
    assert not features & (lacks | {"samplerMipLodBias", "imageViewFormatSwizzle"})
    assert webgpu_facts().limits["maxSamplerLodBias"] == 0


@pytest.mark.parametrize(("features", "size", "cubes"), [(CORE, 8192, True), ((), 4096, False)])
def test_compatibility_mode_is_a_device_without_the_core_feature(
    features: tuple[str, ...], size: int, cubes: bool
) -> None:
    facts = webgpu_facts(features)
    assert facts.limits["maxImageDimension2D"] == size
    assert ("imageCubeArray" in facts.features) is cubes
    assert st.Screen.webgpu(features).max_texture_size == size


def test_limits_of_a_device_override_the_least() -> None:
    assert st.Screen.webgpu(CORE, limits={"maxImageDimension2D": 16384}).max_texture_size == 16384


@pytest.mark.parametrize(
    ("feature", "vulkan", "without"),
    [
        ("texture-compression-bc", "BC7_UNORM_BLOCK", False),
        ("texture-compression-etc2", "EAC_R11_SNORM_BLOCK", False),
        ("texture-compression-astc", "ASTC_12x12_SRGB_BLOCK", False),
        ("texture-formats-tier1", "R16G16_SNORM", False),
        ("float32-filterable", "R32_SFLOAT", False),
        ("core-features-and-limits", "B8G8R8A8_SRGB", False),
        ("float32-filterable", "R16_SFLOAT", True),
        ("float32-filterable", "D16_UNORM", None),
    ],
)
def test_a_feature_brings_formats_or_filters_them(feature: str, vulkan: str, without: bool | None) -> None:
    others = frozenset(WEBGPU_FEATURES) - {feature}
    assert webgpu_facts(others).filters(vulkan) is bool(without)
    assert EVERYTHING.filters(vulkan) is (without is not None)


def test_depth_of_floats_with_stencil_is_a_feature() -> None:
    assert EVERYTHING.samples("D32_SFLOAT_S8_UINT")
    assert not webgpu_facts().samples("D32_SFLOAT_S8_UINT")


def test_unknown_features_are_refused() -> None:
    with pytest.raises(UnknownName, match="feature: 'shader-f16' is not known; accepted: core-features-and-limits"):
        webgpu_facts(["shader-f16"])


def test_limits_by_other_names_are_refused() -> None:
    """Of WebGPU's own names nothing would be read."""
    with pytest.raises(UnknownName, match="limit: 'maxTextureDimension2D' is not known; accepted: maxSampler"):
        webgpu_facts(limits={"maxTextureDimension2D": 16384})


def test_every_format_has_a_vulkan_format_that_pipe_formats_are_kept_as() -> None:
    assert set(webgpu_formats()) <= set(table().values())
    kinds = {row.sample_type for row in webgpu_formats().values()}
    assert kinds == {"float", "unfilterable-float", "depth", "sint", "uint"}
    assert {row.feature for row in webgpu_formats().values()} <= {"", *WEBGPU_FEATURES}


def test_webgpu_has_what_gl_formats_are_stored_as_but_for_three() -> None:
    screen = st.Screen.webgpu(WEBGPU_FEATURES)
    kept = {one.name: vulkan_format(screen.stores(one.name), EVERYTHING) for one in internal_formats()}
    lacking = {name for name, vulkan in kept.items() if vulkan not in (EVERYTHING.formats or {})}
    assert lacking == {"COMPRESSED_RGB_FXT1_3DFX", "COMPRESSED_RGBA_FXT1_3DFX", "YCBCR_MESA"}
    assert TABLES[-1] == screen.storage == "webgpu"


@pytest.mark.parametrize(
    ("internal", "stored"),
    [("RGBA4", "R8G8B8A8_UNORM"), ("RGB16", "R32G32B32X32_FLOAT"), ("LUMINANCE16", "L32_FLOAT"), ("R8", "R8_UNORM")],
)
def test_formats_that_webgpu_lacks_are_widened(internal: str, stored: str) -> None:
    assert st.Screen.named("webgpu").stores(internal) == stored


@pytest.mark.parametrize("features", [CORE, (), tuple(WEBGPU_FEATURES)])
def test_a_saved_screen_is_still_webgpu(features: tuple[str, ...], tmp_path: Path) -> None:
    screen = st.Screen.webgpu(features)
    screen.save(tmp_path / "screen.json")
    loaded = st.Screen.load(tmp_path / "screen.json")
    assert loaded == screen
    sampler, texture = st.Sampler(wrap="clamp-to-border"), st.Texture("2d", "RGBA8")
    assert st.convert(sampler, texture, loaded).webgpu == st.convert(sampler, texture, screen).webgpu
