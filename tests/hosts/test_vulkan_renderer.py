"""`Renderer` of the host for Vulkan: random samplers drawn on lavapipe within the reference's bounds; what is kept."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pytest

import statetracker as st
from statetracker.bindings.vulkan import Device, HostDevice, Instance, Messages
from statetracker.bindings.vulkan_calls import structs
from statetracker.errors import ArgumentError, SamplerLimitExceeded
from statetracker.gl.sampler import Sampler
from statetracker.hosts.vulkan import Draw, Renderer
from statetracker.reference import Precision, Texels, TextureUnit, bounds
from tests.vulkan.on_driver import on
from tools.proofs.pixels.unit_cases import places
from tools.proofs.pixels.vulkan_draw import Resource, draw, storage
from tools.proofs.pixels.vulkan_memory import buffer_of, texture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

#: How many states are drawn; ``STATETRACKER_STATES=2000`` for more.
COUNT: Final = int(os.environ.get("STATETRACKER_STATES", "60"))
SIDE: Final = 16
SIZE: Final = (5, 8)
LEVELS: Final = ((5, 8), (2, 4), (1, 2), (1, 1))
WRAPS: Final = (
    *("repeat", "mirrored-repeat", "clamp-to-edge", "clamp-to-border", "clamp"),
    *("mirror-clamp-to-edge", "mirror-clamp-to-border-ext", "mirror-clamp-ext"),
)
MIN_FILTERS: Final = (
    *("nearest", "linear", "nearest-mipmap-nearest"),
    *("linear-mipmap-nearest", "nearest-mipmap-linear", "linear-mipmap-linear"),
)
FUNCS: Final = ("never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always")
FRAGMENT: Final = """#version 450
layout(set = 0, binding = 3) uniform {kind} wall;
layout(set = 0, binding = 1, std430) readonly buffer Places {{ vec4 places[]; }};
layout(location = 0) out vec4 texel;
void main() {{
    vec4 c = places[int(gl_FragCoord.y) * {side} + int(gl_FragCoord.x)];
    texel = vec4({expression});
}}
"""
PLACES: Final = {
    "binding": 1,
    "descriptorType": "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER",
    "descriptorCount": 1,
    "stageFlags": ["VK_SHADER_STAGE_FRAGMENT_BIT"],
}


class Kind(NamedTuple):
    """A kind of texture: its format, how its texels are kept and seen, and how a shader samples it.

    seen   four letters: where GL takes each channel of a texel, and of the border colour
    """

    internal_format: str
    dtype: str
    channels: int
    seen: str
    sampler: str = "sampler2D"
    expression: str = "textureLod(wall, c.xy, c.z)"
    kind: str = "float"

    def shown(self, texels: NDArray[Any]) -> NDArray[Any]:
        """What GL sees of colours (..., 4)."""
        ends = np.stack([np.zeros_like(texels[..., 0]), np.ones_like(texels[..., 0])], -1)
        return np.concatenate([texels, ends], -1)[..., ["rgba01".index(letter) for letter in self.seen]]


KINDS: Final = {
    "colour": Kind("RGBA8", "u1", 4, "rgba"),
    "luminance": Kind("LUMINANCE8", "u1", 1, "rrr1"),
    "alpha": Kind("ALPHA8", "u1", 1, "000a"),
    "compared": Kind(
        "DEPTH_COMPONENT16", "u2", 1, "r001", "sampler2DShadow", "textureLod(wall, vec3(c.xy, c.w), c.z), 0, 0, 1",
        "unorm-depth",
    ),
    "depth": Kind("DEPTH_COMPONENT16", "u2", 1, "rrr1", kind="unorm-depth"),
    "integer": Kind("RGBA8I", "i1", 4, "rgba", "isampler2D", kind="int"),
}  # fmt: skip


class Case(NamedTuple):
    """One state, and the texture that it samples."""

    kind: str
    sampler: st.Sampler
    texture: st.Texture
    border: tuple[float, ...]


def random_case(chance: np.random.Generator) -> Case:
    kind = str(chance.choice([*KINDS]))
    row = KINDS[kind]
    integer = kind == "integer"
    border = tuple(float(one) for one in chance.uniform(-0.5, 1.5, 4).round(3))
    if integer:
        border = tuple(float(one) for one in chance.integers(-100, 100, 4))
    filters = [MIN_FILTERS[int(chance.integers(6))], ("nearest", "linear")[int(chance.integers(2))]]
    if integer and chance.random() < 0.8:  # else it is incomplete, which GL sees as black
        filters = [("nearest", "nearest-mipmap-nearest")[int(chance.integers(2))], "nearest"]
    sampler = st.Sampler(
        wrap_s=WRAPS[int(chance.integers(8))],
        wrap_t=WRAPS[int(chance.integers(8))],
        min_filter=filters[0],
        mag_filter=filters[1],
        lod_bias=float(chance.choice([0.0, 0.75, -1.25, 20.0])),
        compare_mode="compare-ref-to-texture" if kind == "compared" else "none",
        compare_func=FUNCS[int(chance.integers(8))],
        **{"border_color_i" if integer else "border_color": tuple(map(int, border)) if integer else border},
    )
    return Case(kind, sampler, st.Texture("2d", row.internal_format, SIZE), border)


def random_texels(row: Kind) -> tuple[list[bytes], list[NDArray[Any]]]:
    """Levels as they are uploaded, and as GL sees them."""
    chance, raw, seen = np.random.default_rng(7), list[bytes](), list[Any]()
    most = np.iinfo(row.dtype).max
    for width, height in LEVELS:
        texels = chance.integers(0, most, (height, width, row.channels), endpoint=True).astype(row.dtype)
        raw.append(texels.tobytes())
        values = texels.astype(np.float64) / (1 if row.kind == "int" else most)
        if row.channels == 1:
            values = np.repeat(values, 4, -1)
        seen.append(row.shown(values))
    return raw, seen


def expected(case: Case, points: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The least and the greatest of what GL may see."""
    row = KINDS[case.kind]
    if case.texture.missing(case.sampler):
        black = np.tile(np.array([0.0, 0.0, 0.0, 1.0]), (len(points), 1))
        return black, black
    border = np.array(case.border)
    if case.kind != "integer":
        border = border.clip(0, 1)
    words = row.shown(border).astype("i4" if case.kind == "integer" else "f4").view("u4")
    asked = st.convert(case.sampler, case.texture, st.Screen.named("llvmpipe")).pipe
    state = asked.replace(border_color=tuple(int(word) for word in words))
    unit = TextureUnit(state, Texels("2d", random_texels(row)[1], kind=row.kind))
    exactness = Precision(
        texel_bits=8, lod_bits=8, lod_absolute=2.0**-8, weight_bits=8,
        value_absolute=2 / 255 if row.dtype == "u1" else 2.0**-12,
    )  # fmt: skip
    given: dict[str, Any] = {"reference": points[:, 3]} if case.kind == "compared" else {}
    within = bounds(unit, points[:, :2], exactness, lod=points[:, 2], **given)
    return within.low, within.high


class Drawn(NamedTuple):
    """A Vulkan device, a renderer over it, and what the validation layer said."""

    device: Device
    renderer: Renderer
    messages: Messages
    shaders: dict[str, Any]


@contextmanager
def opened(what: str = "nothing", **options: Any) -> Iterator[Drawn]:
    messages = Messages(stop_errors=False)
    with on("lavapipe"), Instance(validation=True, messages=messages) as instance, ExitStack() as stack:
        less: dict[str, Any] = {} if what == "everything" else {"extensions": (), "features": {}}
        device = stack.enter_context(Device(instance.device(), **less))

        def black(view: Any) -> int:
            texel = b"\0\0\0\1" if "INT" in view["format"] else bytes(4) if "D32" in view["format"] else b"\0\0\0\xff"
            return stack.enter_context(texture(device, "2d", view["format"], (1, 1), [texel], view=view))

        renderer = Renderer(device, black=black, **options)
        yield Drawn(device, renderer, messages, {})
        renderer.destroy()


def shader(one: Drawn, row: Kind) -> Any:
    text = FRAGMENT.format(kind=row.sampler, side=SIDE, expression=row.expression)
    if text not in one.shaders:
        one.shaders[text] = one.renderer.shader(text, layouts=((0, PLACES),))
    return one.shaders[text]


def pictured(one: Drawn, case: Case, points: NDArray[np.float32]) -> tuple[Draw, NDArray[Any]]:
    """Draw with what the renderer says: its modules, layouts, views and writes."""
    row = KINDS[case.kind]
    got = one.renderer.bind(shader(one, row), {"wall": (case.sampler, case.texture, "image")})
    (sampled,) = got.images
    with ExitStack() as stack:
        image = sampled.image
        if image == "image":
            raw, _ = random_texels(row)
            name, depth = sampled.view.image_format or "", "depth" in row.kind
            if row.internal_format == "ALPHA8" and "A8" in name:  # kept as four channels: the view reads the last
                raw = [bytes(byte for byte in level for _ in range(4)) for level in raw]
            image = stack.enter_context(texture(one.device, "2d", name, SIZE, raw, depth=depth, view=sampled.view))

        def bound(device: Device, create: Any, resources: dict[tuple[int, int], Resource]) -> tuple[int, Any]:
            return written(device, create, resources, got, image)

        texels = draw(one.device, got.fragment, (SIDE, SIDE), {(0, 1): storage(points.tobytes())}, bound)
    return got, np.frombuffer(texels, np.float32).reshape(-1, 4)


def written(
    device: Device, create: Any, resources: dict[tuple[int, int], Resource], got: Draw, image: int
) -> tuple[int, Any]:
    """A pipeline layout and descriptor sets, as a host makes them of a `Draw`."""
    ffi, calls, keep = device.calls.ffi, device.calls, list[Any]()
    layouts = [create("VkDescriptorSetLayout", info) for _, info in sorted(got.layout_infos().items())]
    layout = create("VkPipelineLayout", {"setLayoutCount": len(layouts), "pSetLayouts": layouts})
    sizes = [{"type": row["descriptorType"], "descriptorCount": 1} for rows in got.layouts.values() for row in rows]
    pool = create("VkDescriptorPool", {"maxSets": len(layouts), "poolSizeCount": len(sizes), "pPoolSizes": sizes})
    sets = ffi.new("VkDescriptorSet[]", len(layouts))
    wanted = {"descriptorPool": pool, "descriptorSetCount": len(layouts), "pSetLayouts": layouts}
    info = structs().new("VkDescriptorSetAllocateInfo", wanted, keep)
    device.check("vkAllocateDescriptorSets", calls.vkAllocateDescriptorSets(device.handle, info, sets))
    uniform = "VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT"
    buffers = {place: buffer_of(device, create, content, uniform)[0] for place, content in got.blocks.items()}
    writes = got.writes([*sets], buffers, view=lambda _: image, ffi=ffi)
    calls.vkUpdateDescriptorSets(device.handle, len(writes), writes, 0, ffi.NULL)
    buffer, _ = buffer_of(device, create, resources[0, 1].content, "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT")
    own = {"dstSet": sets[0], "dstBinding": 1, "descriptorCount": 1, "descriptorType": PLACES["descriptorType"]}
    own["pBufferInfo"] = [{"buffer": buffer, "range": len(resources[0, 1].content)}]
    calls.vkUpdateDescriptorSets(device.handle, 1, structs().new("VkWriteDescriptorSet", own, keep), 0, ffi.NULL)
    return layout, sets


@pytest.mark.live("validation", "glslangValidator", "lavapipe")
@pytest.mark.parametrize("what", ["everything", "nothing"])
def test_random_samplers_look_as_gl_says(what: str) -> None:
    """Each wrap, filter, bias and kind of texture; on the device that enables nothing, every border is lowered."""
    chance = np.random.default_rng(48)
    points = np.zeros((SIDE * SIDE, 4), np.float32)
    points[:, :2] = places("2d", SIZE, SIDE)
    points[:, 2], points[:, 3] = chance.uniform(-1, 4, len(points)), chance.uniform(0, 1, len(points))
    wrong = []
    with opened(what) as one:
        for number in range(COUNT):
            case = random_case(chance)
            got, picture = pictured(one, case, points)
            low, high = expected(case, points)
            outside = ((picture < low) | (picture > high)).any(1).sum()
            if outside or got.unsupported:
                wrong.append((number, what, int(outside), got.unsupported, case))
        print(f"{what}: {COUNT} states, {one.renderer.modules.made} modules, {one.renderer.driver.peak} samplers")
        assert one.messages.take() == []
    assert wrong == []
