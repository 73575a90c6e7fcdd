"""Draws and dispatches on the machine's Vulkan, under the validation layer."""

from __future__ import annotations

import struct
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.bindings import vulkan
from statetracker.bindings.vulkan_descriptors import Resource, combined, images, samplers, storage, uniform
from statetracker.bindings.vulkan_memory import SHAPES, Texture
from statetracker.bindings.vulkan_run import COVERING, covering, dispatch, draw
from statetracker.errors import ArgumentError
from tests.bindings.vulkan_infos import BORDER, custom_info, plain_info
from tests.vulkan.on_driver import BOTH, on

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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


def compiled(folder: Path, stage: str, source: str) -> bytes:
    path = folder / f"shader.{stage}"
    path.write_text(f"#version 450\n{source}", encoding="ascii")
    command = ["glslangValidator", "-V", "--target-env", "vulkan1.1", "-o", str(folder / "out.spv"), str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    return (folder / "out.spv").read_bytes()


def fragment(folder: Path, body: str, declarations: str = "", kind: str = "vec4") -> dict[str, bytes]:
    source = f"{declarations}\nlayout(location = 0) out {kind} texel;\nvoid main() {{ {body} }}\n"
    return {"vertex": covering(), "fragment": compiled(folder, "frag", source)}


def floats(texels: bytes) -> list[tuple[float, ...]]:
    return list(struct.iter_unpack("4f", texels))


def test_the_covering_module_is_the_covering_source(tmp_path: Path, messages: vulkan.Messages) -> None:
    del messages
    made = compiled(tmp_path, "vert", COVERING.removeprefix("#version 450\n"))
    assert len(made) == len(covering()), "another glslangValidator may number otherwise, but needs the same words"


def test_a_draw_gives_one_texel_a_fragment_first_row_first(device: vulkan.Device, tmp_path: Path) -> None:
    modules = fragment(tmp_path, "texel = vec4(gl_FragCoord.xy, 0.5, 1.0);")
    texels = floats(draw(device, modules, (3, 2)).texels)
    assert texels == [(x + 0.5, y + 0.5, 0.5, 1.0) for y in range(2) for x in range(3)]


def test_a_texture_is_sampled_through_a_sampler(device: vulkan.Device, tmp_path: Path) -> None:
    modules = fragment(
        tmp_path,
        "texel = texture(image, vec2(gl_FragCoord.x - 1.0, 0.5) / 2.0);",
        "layout(set = 1, binding = 3) uniform sampler2D image;",
    )
    info = custom_info() | NEAREST | {"pNext": custom_info()["pNext"] | {"pNext": None}}
    with device.scope() as create, Texture(device, "2d", R32F, (2, 1), [struct.pack("2f", 7, 9)]) as texture:
        sampler = create("VkSampler", info)
        texels = floats(draw(device, modules, (4, 1), {(1, 3): combined((texture, sampler))}).texels)
    assert [texel[0] for texel in texels] == [1.0, 7.0, 9.0, 1.0]
    assert texels[0] == (1.0, 0.0, 0.0, 1.0), "the border colour loses what the format has not"


@pytest.mark.parametrize("shape", list(SHAPES))
def test_every_shape_is_filled_level_by_level_layer_by_layer(device: vulkan.Device, tmp_path: Path, shape: str) -> None:
    """The texels are their own number; a fetch at every level finds the first of each layer."""
    dimensions, _, _, faces = SHAPES[shape]
    layers = (2 if "array" in shape else 1) * faces
    size = (4, 4, 4)[:dimensions]
    counts = [layers * (4 >> level) ** dimensions for level in range(3)]
    starts = [sum(counts[:level]) for level in range(3)]
    levels = [struct.pack(f"{n}f", *range(s, s + n)) for s, n in zip(starts, counts, strict=True)]
    cube = "cube" in shape
    kind = {"1d": "1D", "2d": "2D", "3d": "3D", "cube": "Cube"}[shape.removesuffix("-array")]
    name = f"texture{kind}{'Array' if 'array' in shape else ''}"
    lookup = _lookup(shape)
    modules = fragment(
        tmp_path,
        f"int layer = int(gl_FragCoord.x); int level = int(gl_FragCoord.y); texel = vec4({lookup}.r);",
        f"layout(binding = 0) uniform {name} image; layout(binding = 1) uniform sampler how;"
        "const vec3 X = vec3(1,0,0), Y = vec3(0,1,0), Z = vec3(0,0,1);"
        "const vec3 FACES[6] = vec3[](X, -X, Y, -Y, Z, -Z);",
    )
    with device.scope() as create, Texture(device, shape, R32F, size, levels, layers=layers // faces) as texture:
        how = create("VkSampler", plain_info(**NEAREST))
        resources = {(0, 0): images(texture), (0, 1): samplers(how)}
        drawn = floats(draw(device, modules, (layers, 3), resources).texels)
    texels = [int(texel[0]) for texel in drawn]
    for n, texel in enumerate(texels):
        level, layer = divmod(n, layers)
        one = (4 >> level) ** dimensions
        assert (texel - starts[level]) // one == layer
        assert cube or texel == starts[level] + layer * one  # a cube is asked near the middle of a face


def _lookup(shape: str) -> str:
    where = {"1d": "0.0", "2d": "vec2(0.0)", "3d": "vec3(0.0)", "cube": "FACES[layer] + vec3(0.001)"}
    where["1d-array"] = "vec2(0.0, layer)"
    where["2d-array"] = "vec3(0.0, 0.0, layer)"
    where["cube-array"] = "vec4(FACES[layer % 6] + vec3(0.001), layer / 6)"
    kind = {"1d": "1D", "2d": "2D", "3d": "3D", "cube": "Cube"}[shape.removesuffix("-array")]
    sampler = f"sampler{kind}{'Array' if 'array' in shape else ''}"
    return f"textureLod({sampler}(image, how), {where[shape]}, level)"


def test_integers_come_out_whole(device: vulkan.Device, tmp_path: Path) -> None:
    modules = fragment(
        tmp_path,
        "texel = texelFetch(image, ivec2(gl_FragCoord.xy), 0);",
        "layout(binding = 0) uniform usampler2D image;",
        kind="uvec4",
    )
    texels = struct.pack("8I", *(0xFFFFFFFF - n for n in range(8)))
    with (
        device.scope() as create,
        Texture(device, "2d", "VK_FORMAT_R32G32B32A32_UINT", (2, 1), [texels]) as texture,
    ):
        how = create("VkSampler", plain_info(**NEAREST))
        assert draw(device, modules, (2, 1), {(0, 0): combined((texture, how))}, kind="uint").texels == texels


def test_depth_and_stencil_are_filled_and_viewed_apart(device: vulkan.Device, tmp_path: Path) -> None:
    depth, stencil = struct.pack("2f", 0.25, 0.75), bytes([200, 3])
    for view, kind, expected in (("depth", "", [0.25, 0.75]), ("stencil", "u", [200, 3])):
        modules = fragment(
            tmp_path,
            "texel = vec4(texelFetch(image, ivec2(gl_FragCoord.xy), 0).r);",
            f"layout(binding = 0) uniform {kind}sampler2D image;",
        )
        texture = Texture(
            device,
            "2d",
            "VK_FORMAT_D32_SFLOAT_S8_UINT",
            (2, 1),
            [depth],
            stencil=[stencil],
            aspects=("depth", "stencil"),
            view=view,
        )
        with device.scope() as create, texture:
            how = create("VkSampler", plain_info(**NEAREST))
            texels = floats(draw(device, modules, (2, 1), {(0, 0): combined((texture, how))}).texels)
        assert [texel[0] for texel in texels] == expected


def test_a_view_swizzles(device: vulkan.Device, tmp_path: Path) -> None:
    modules = fragment(
        tmp_path, "texel = texelFetch(image, ivec2(0), 0);", "layout(binding = 0) uniform sampler2D image;"
    )
    with (
        device.scope() as create,
        Texture(device, "2d", RGBA8, (1, 1), [bytes([255, 0, 51, 102])], swizzle="ab1r") as texture,
    ):
        how = create("VkSampler", plain_info(**NEAREST))
        (texel,) = floats(draw(device, modules, (1, 1), {(0, 0): combined((texture, how))}).texels)
    assert texel == pytest.approx((0.4, 0.2, 1.0, 1.0))


def test_arrays_of_samplers_uniforms_and_push_constants_reach_every_stage(
    device: vulkan.Device, tmp_path: Path
) -> None:
    declarations = (
        "layout(binding = 0) uniform sampler2D image[2];"
        "layout(binding = 1) uniform Block { vec4 added; };"
        "layout(push_constant) uniform Push { float scale; };"
    )
    vertex = compiled(
        tmp_path,
        "vert",
        declarations + "layout(location = 0) flat out float seen; void main() {"
        "vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0; gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);"
        "seen = textureLod(image[0], vec2(0.5), 0.0).r * scale; }",
    )
    body = "texel = vec4(seen, texture(image[1], vec2(0.5)).r * scale, 0.0, 0.0) + added;"
    modules = fragment(tmp_path, body, declarations + "layout(location = 0) flat in float seen;")
    with (
        device.scope() as create,
        Texture(device, "2d", R32F, (1, 1), [struct.pack("f", 3)]) as one,
        Texture(device, "2d", R32F, (1, 1), [struct.pack("f", 5)]) as two,
    ):
        how = create("VkSampler", plain_info(**NEAREST))
        resources: dict[tuple[int, int], Resource] = {
            (0, 0): combined((one, how), (two, how)),
            (0, 1): uniform(struct.pack("4f", 0.5, 0.25, 0, 1)),
        }
        made = draw(device, modules | {"vertex": vertex}, (1, 1), resources, push=struct.pack("f", 2))
    assert floats(made.texels) == [(6.5, 10.25, 0, 1)]


def test_a_dispatch_gives_back_what_the_storage_holds(device: vulkan.Device, tmp_path: Path) -> None:
    module = compiled(
        tmp_path,
        "comp",
        "layout(local_size_x = 4) in; layout(set = 2, binding = 5) buffer Numbers { uint number[]; };"
        "layout(push_constant) uniform Push { uint by; };"
        "void main() { number[gl_GlobalInvocationID.x] *= by; }",
    )
    place = (2, 5)
    contents = dispatch(
        device, module, (2, 1, 1), {place: storage(struct.pack("8I", *range(8)))}, push=struct.pack("I", 3)
    )
    assert struct.unpack("8I", contents[place]) == tuple(3 * n for n in range(8))


def test_a_border_colour_of_each_predefined_kind_is_seen(device: vulkan.Device, tmp_path: Path) -> None:
    modules = fragment(tmp_path, "texel = texture(image, vec2(-1.0));", "layout(binding = 0) uniform sampler2D image;")
    colors = {"TRANSPARENT_BLACK": (0, 0, 0, 0), "OPAQUE_BLACK": (0, 0, 0, 1), "OPAQUE_WHITE": (1, 1, 1, 1)}
    with device.scope() as create, Texture(device, "2d", RGBA8, (1, 1), [bytes(4)]) as texture:
        for name, expected in colors.items():
            wrap = dict.fromkeys(("addressModeU", "addressModeV"), BORDER)
            how = create("VkSampler", plain_info(**NEAREST, **wrap, borderColor=f"VK_BORDER_COLOR_FLOAT_{name}"))
            (texel,) = floats(draw(device, modules, (1, 1), {(0, 0): combined((texture, how))}).texels)
            assert texel == expected


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"shape": "4d"}, "shape"),
        ({"size": (1, 1, 1)}, "size"),
        ({"size": (0, 1)}, "size"),
        ({"levels": []}, "levels"),
        ({"aspects": ("alpha",)}, "aspects"),
        ({"swizzle": "rgb"}, "swizzle"),
    ],
)
def test_a_texture_that_makes_no_sense_is_refused_and_leaves_nothing(
    device: vulkan.Device, change: dict[str, Any], field: str
) -> None:
    arguments: dict[str, Any] = {"shape": "2d", "format": R32F, "size": (1, 1), "levels": [bytes(4)]}
    with pytest.raises(ArgumentError) as caught:
        Texture(device, **(arguments | change))
    assert caught.value.field == field


def test_unknown_kinds_and_stages_are_refused(device: vulkan.Device) -> None:
    with pytest.raises(ArgumentError, match="float, int, uint"):
        draw(device, {"vertex": covering()}, (1, 1), kind="double")
    with pytest.raises(ArgumentError, match="stage='pixel'"):
        draw(device, {"pixel": covering()}, (1, 1))
