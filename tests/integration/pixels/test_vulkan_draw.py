"""Draws on the machine's Vulkan, under the validation layer."""

from __future__ import annotations

import struct
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.bindings import vulkan
from tests.bindings.vulkan_infos import BORDER, custom_info, plain_info
from tests.vulkan.on_driver import BOTH, on
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.vulkan_draw import combined, draw, storage, texture, uniform

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.live("validation", "glslangValidator")

R32F, RGBA8 = "VK_FORMAT_R32_SFLOAT", "VK_FORMAT_R8G8B8A8_UNORM"
NEAREST: dict[str, Any] = {
    "magFilter": "VK_FILTER_NEAREST",
    "mipmapMode": "VK_SAMPLER_MIPMAP_MODE_NEAREST",
    "mipLodBias": 0.0,
}


@pytest.fixture(scope="module")
def messages() -> vulkan.Messages:
    return vulkan.Messages()


@pytest.fixture(scope="module", params=BOTH)
def opened(request: pytest.FixtureRequest, messages: vulkan.Messages) -> Iterator[vulkan.Device]:
    with on(request.param):
        loaded = vulkan.Instance(validation=True, messages=messages)
    with loaded as instance, vulkan.Device(instance.device()) as device:
        yield device


@pytest.fixture
def device(opened: vulkan.Device, messages: vulkan.Messages) -> Iterator[vulkan.Device]:
    """A device; a test leaves nothing on it, and the layer has nothing to say."""
    before = opened.created - opened.destroyed
    yield opened
    assert [message.text for message in messages.take()] == []
    assert opened.created - opened.destroyed == before


@contextmanager
def sampled(device: vulkan.Device, info: dict[str, Any]) -> Iterator[int]:
    handle = device.create_sampler(info)
    yield handle
    device.destroy_sampler(handle)


def fragment(body: str, declarations: str) -> bytes:
    out = "layout(location = 0) out vec4 texel;"
    return compiled(f"#version 450\n{declarations}\n{out}\nvoid main() {{ {body} }}\n", target="-V")


def floats(texels: bytes) -> list[tuple[float, ...]]:
    return list(struct.iter_unpack("4f", texels))


def test_a_draw_gives_one_texel_a_fragment_first_row_first(device: vulkan.Device) -> None:
    module = fragment(
        "texel = vec4(gl_FragCoord.xy, number[1], 1.0);",
        "layout(set = 1, binding = 3) buffer Read { float number[]; };",
    )
    texels = floats(draw(device, module, (3, 2), {(1, 3): storage(struct.pack("2f", 7, 0.5))}))
    assert texels == [(x + 0.5, y + 0.5, 0.5, 1.0) for y in range(2) for x in range(3)]


def test_a_texture_is_sampled_through_a_sampler(device: vulkan.Device) -> None:
    module = fragment(
        "texel = texture(image, vec2(gl_FragCoord.x - 1.0, 0.5) / 2.0);",
        "layout(set = 1, binding = 3) uniform sampler2D image;",
    )
    info = custom_info() | NEAREST | {"pNext": custom_info()["pNext"] | {"pNext": None}}
    with sampled(device, info) as sampler, texture(device, "2d", R32F, (2, 1), [struct.pack("2f", 7, 9)]) as view:
        texels = floats(draw(device, module, (4, 1), {(1, 3): combined((view, sampler))}))
    assert [texel[0] for texel in texels] == [1.0, 7.0, 9.0, 1.0]
    assert texels[0] == (1.0, 0.0, 0.0, 1.0), "the border colour loses what the format has not"


@pytest.mark.parametrize(
    ("shape", "at"),
    [
        ("1d", "0.0"),
        ("2d", "vec2(0.0)"),
        ("3d", "vec3(0.0)"),
        ("1d-array", "vec2(0.0, layer)"),
        ("2d-array", "vec3(0.0, 0.0, layer)"),
    ],
)
def test_every_shape_is_filled_level_by_level_layer_by_layer(device: vulkan.Device, shape: str, at: str) -> None:
    """The texels are their own number; a look at every level finds the first of each layer."""
    dimensions, layers = int(shape[0]), 2 if "array" in shape else 1
    counts = [layers * (4 >> level) ** dimensions for level in range(3)]
    starts = [sum(counts[:level]) for level in range(3)]
    levels = [struct.pack(f"{n}f", *range(s, s + n)) for s, n in zip(starts, counts, strict=True)]
    module = fragment(
        "int layer = int(gl_FragCoord.x); int level = int(gl_FragCoord.y);"
        f"texel = vec4(textureLod(image, {at}, level).r);",
        f"layout(binding = 0) uniform sampler{shape[0]}D{'Array' if layers > 1 else ''} image;",
    )
    size = (4, 4, 4)[:dimensions]
    with (
        sampled(device, plain_info(**NEAREST)) as how,
        texture(device, shape, R32F, size, levels, layers=layers) as view,
    ):
        texels = floats(draw(device, module, (layers, 3), {(0, 0): combined((view, how))}))
    assert [int(texel[0]) for texel in texels] == [
        starts[level] + layer * (4 >> level) ** dimensions for level in range(3) for layer in range(layers)
    ]


def test_depth_is_filled_and_viewed(device: vulkan.Device) -> None:
    module = fragment(
        "texel = vec4(texelFetch(image, ivec2(gl_FragCoord.xy), 0).r);", "layout(binding = 0) uniform sampler2D image;"
    )
    levels = [struct.pack("2f", 0.25, 0.75)]
    with (
        sampled(device, plain_info(**NEAREST)) as how,
        texture(device, "2d", "VK_FORMAT_D32_SFLOAT", (2, 1), levels, depth=True) as view,
    ):
        texels = floats(draw(device, module, (2, 1), {(0, 0): combined((view, how))}))
    assert [texel[0] for texel in texels] == [0.25, 0.75]


def test_arrays_of_samplers_and_uniforms_reach_the_shader(device: vulkan.Device) -> None:
    module = fragment(
        "texel = vec4(texture(image[0], vec2(0.5)).r, texture(image[1], vec2(0.5)).r, 0.0, 0.0) + added;",
        "layout(binding = 0) uniform sampler2D image[2]; layout(binding = 1) uniform Block { vec4 added; };",
    )
    with (
        sampled(device, plain_info(**NEAREST)) as how,
        texture(device, "2d", R32F, (1, 1), [struct.pack("f", 3)]) as one,
        texture(device, "2d", R32F, (1, 1), [struct.pack("f", 5)]) as two,
    ):
        resources = {(0, 0): combined((one, how), (two, how)), (0, 1): uniform(struct.pack("4f", 0.5, 0.25, 0, 1))}
        assert floats(draw(device, module, (1, 1), resources)) == [(3.5, 5.25, 0, 1)]


def test_a_border_colour_of_each_predefined_kind_is_seen(device: vulkan.Device) -> None:
    module = fragment("texel = texture(image, vec2(-1.0));", "layout(binding = 0) uniform sampler2D image;")
    colors = {"TRANSPARENT_BLACK": (0, 0, 0, 0), "OPAQUE_BLACK": (0, 0, 0, 1), "OPAQUE_WHITE": (1, 1, 1, 1)}
    wrap = dict.fromkeys(("addressModeU", "addressModeV"), BORDER)
    with texture(device, "2d", RGBA8, (1, 1), [bytes(4)]) as view:
        for name, expected in colors.items():
            info = plain_info(**NEAREST, **wrap, borderColor=f"VK_BORDER_COLOR_FLOAT_{name}")
            with sampled(device, info) as how:
                (texel,) = floats(draw(device, module, (1, 1), {(0, 0): combined((view, how))}))
            assert texel == expected
