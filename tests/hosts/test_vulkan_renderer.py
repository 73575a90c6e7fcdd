"""`Renderer` of the host for Vulkan: random samplers drawn on lavapipe within the reference's bounds; what is kept."""

from __future__ import annotations

import gc
import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pytest
from cffi import FFI

import statetracker as st
from statetracker.bindings.vulkan import Device, Instance, Messages
from statetracker.bindings.vulkan_calls import structs
from statetracker.errors import ArgumentError
from statetracker.hosts.vulkan import Draw, Renderer
from statetracker.reference import Precision, Texels, TextureUnit, bounds
from statetracker.vulkan import facts_of
from tests.vulkan.on_driver import on
from tools.proofs.pixels.unit_cases import places
from tools.proofs.pixels.vulkan_draw import Resource, draw, storage
from tools.proofs.pixels.vulkan_memory import buffer_of, texture

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

#: How many states are drawn on each device; ``STATETRACKER_STATES=2000`` for more.
COUNT: Final = int(os.environ.get("STATETRACKER_STATES", "30"))
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
#: What of Vulkan another cffi knows.
OTHERS: Final = """
typedef uint64_t VkDescriptorSet;
typedef struct { uint64_t sampler, imageView; int imageLayout; } VkDescriptorImageInfo;
typedef struct { uint64_t buffer, offset, range; } VkDescriptorBufferInfo;
typedef struct { uint32_t binding; int descriptorType; uint32_t descriptorCount, stageFlags; const uint64_t *p; }
    VkDescriptorSetLayoutBinding;
typedef struct { int sType; const void *pNext; uint32_t flags, bindingCount;
    const VkDescriptorSetLayoutBinding *pBindings; } VkDescriptorSetLayoutCreateInfo;
typedef struct { int sType; const void *pNext; VkDescriptorSet dstSet;
    uint32_t dstBinding, dstArrayElement, descriptorCount; int descriptorType;
    const VkDescriptorImageInfo *pImageInfo; const VkDescriptorBufferInfo *pBufferInfo; const uint64_t *pTexels; }
    VkWriteDescriptorSet;
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
        border_color=border,
    )
    if integer:
        sampler.update(border_color_i=tuple(map(int, border)))
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

        def bound(device: Device, create: Any, resources: Mapping[tuple[int, int], Resource]) -> tuple[int, Any]:
            return written(device, create, resources, got, image)

        texels = draw(one.device, got.fragment, (SIDE, SIDE), {(0, 1): storage(points.tobytes())}, bound)
    return got, np.frombuffer(texels, np.float32).reshape(-1, 4)


def written(
    device: Device, create: Any, resources: Mapping[tuple[int, int], Resource], got: Draw, image: int
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
    writes = got.writes(dict(zip(sorted(got.layouts), sets, strict=True)), buffers, view=lambda _: image, ffi=ffi)
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
            outside = int(((picture < low) | (picture > high)).any(1).sum())
            if outside or got.unsupported:
                wrong.append((number, outside, got.unsupported, case))
        assert one.messages.take() == []
        assert one.renderer.modules.made > COUNT / 4
    assert wrong == []


class Fake:
    """A device that makes numbers."""

    lost = False
    physical = None

    def __init__(self) -> None:
        self.made = 0
        self.alive: set[int] = set()

    def create_sampler(self, _info: object) -> int:
        self.made += 1
        self.alive.add(self.made)
        return self.made

    def destroy(self, _kind: str, handle: int) -> None:
        self.alive.remove(handle)


LAVAPIPE: Final = facts_of(st.Screen.named("zink-lavapipe"))
PLAIN: Final = st.Screen.from_vulkan(LAVAPIPE._replace(extensions=frozenset(), features=frozenset()))
COLOURS: Final = st.Texture("2d", "RGBA8", (4, 4))
CLAMP: Final = st.Sampler(wrap="clamp", min_filter="linear", border_color=(1.0, 0.5, 0.0, 1.0))
QUAD: Final = """#version 450
layout(set = 0, binding = 0) uniform sampler2D wall;
layout(location = 0) out vec4 texel;
void main() { texel = texture(wall, gl_FragCoord.xy); }
"""
SEVERAL: Final = """#version 450
layout(set = 1, binding = 4) uniform sampler2D walls[2];
layout(set = 3, binding = 0) uniform Own { vec4 tint; };
layout(location = 0) out vec4 texel;
void main() { texel = tint * texture(walls[0], gl_FragCoord.xy) + texture(walls[1], gl_FragCoord.yx); }
"""
SWAY: Final = """#version 450
layout(set = 1, binding = 4) uniform sampler2D walls[2];
layout(set = 1, binding = 5) uniform sampler2D heights;
void main() { gl_Position = textureLod(heights, vec2(2.0), 0.0) + textureLod(walls[1], vec2(2.0), 0.0); }
"""


def renderer(**options: Any) -> tuple[Renderer, Fake]:
    device = Fake()
    return Renderer(device, **{"screen": PLAIN} | options), device


@pytest.mark.live("glslangValidator")
def test_equal_requests_give_the_same_draw_and_nothing_is_made_twice() -> None:
    own, device = renderer()
    shader = own.shader(QUAD)
    draw = own.bind(shader, {"wall": (CLAMP, COLOURS, "image")})
    again = st.Sampler(wrap="clamp", min_filter="linear", border_color=(1.0, 0.5, 0.0, 1.0))
    assert own.bind(shader, {"wall": (CLAMP, COLOURS, "image")}) is draw
    assert own.bind(shader, {"wall": (again, COLOURS, "image")}) == draw
    assert own.bind(own.shader(QUAD), {"wall": (CLAMP, COLOURS, "image")}) == draw
    other = st.Sampler(wrap="clamp", min_filter="linear", border_color=(0.0, 0.0, 1.0, 1.0))
    blue = own.bind(shader, {"wall": (other, COLOURS, "image")})
    assert (blue.key, blue.fragment, blue.layouts) == (draw.key, draw.fragment, draw.layouts)
    assert blue.blocks != draw.blocks
    assert (device.made, own.modules.made) == (2, 1), "a sampler for each state, and one module"
    assert isinstance(hash(draw.key), int)


@pytest.mark.live("glslangValidator")
def test_another_policy_and_back_finds_the_key_of_before() -> None:
    own, device = renderer()
    shader, slots = own.shader(QUAD), {"wall": (CLAMP, COLOURS, "image")}
    before, policy = own.bind(shader, slots), own.policy
    own.policy = st.Policy(force_nearest=True)
    assert own.bind(shader, slots).key != before.key
    own.policy = policy
    assert own.bind(shader, slots) == before
    assert (device.made, own.modules.made) == (2, 2)
    with pytest.raises(ArgumentError, match="policy"):
        own.policy = None  # type: ignore[assignment]


@pytest.mark.live("glslangValidator")
def test_a_second_start_rewrites_and_makes_nothing(tmp_path: Path) -> None:
    first, _ = renderer()
    draw = first.bind(first.shader(QUAD), {"wall": (CLAMP, COLOURS, "image")})
    assert first.save(tmp_path / "kept") == 2
    second, device = renderer()
    assert second.warm(tmp_path / "kept") == 2
    made = device.made
    again = second.bind(second.shader(QUAD), {"wall": (CLAMP, COLOURS, "image")})
    assert (again.key, again.fragment, again.blocks) == (draw.key, draw.fragment, draw.blocks)
    assert (second.modules.made, device.made - made) == (0, 0)


@pytest.mark.live("glslangValidator")
def test_after_a_loss_samplers_are_made_on_the_new_device_and_modules_are_not() -> None:
    own, old = renderer()
    shader, slots = own.shader(QUAD), {"wall": (CLAMP, COLOURS, "image")}
    before, device = own.bind(shader, slots), Fake()
    own.lost(device)
    after = own.bind(shader, slots)
    assert (after.key, after.fragment) == (before.key, before.fragment)
    assert (old.alive, device.made, own.modules.made) == ({1}, 1, 1), "nothing of the old one is destroyed"
    own.destroy()
    assert device.alive == set()


@pytest.mark.live("glslangValidator")
def test_deleted_samplers_wait_for_retire_within_the_budget() -> None:
    own, device = renderer(budget=16, deferred=True)
    shader = own.shader(QUAD)
    for step in range(40):
        own.bind(shader, {"wall": (st.Sampler(max_lod=float(step)), COLOURS, "image")})
        assert len(device.alive) <= 16
        if step % 7 == 6:
            own.end_frame()
            own.retire()
    assert device.made == 40
    assert own.policy.max_states is None
    assert own.tracker.policy.max_states == 8
    own.destroy()
    assert device.alive == set()


@pytest.mark.live("glslangValidator")
def test_no_more_samplers_are_alive_than_the_device_allows() -> None:
    own, device = renderer(budget=4)
    shader = own.shader(QUAD)
    for step in range(20):
        own.bind(shader, {"wall": (st.Sampler(max_lod=float(step)), COLOURS, "image")})
        assert len(device.alive) <= 4


@pytest.mark.live("glslangValidator")
def test_stages_and_arrays_share_sets_and_uniform_blocks_have_one_of_their_own() -> None:
    own, _ = renderer()
    shader = own.shader(SEVERAL, SWAY)
    linear = st.Sampler(min_filter="linear")
    bound = {"walls": [(CLAMP, COLOURS, 20), (linear, COLOURS, 21)], "heights": (CLAMP, COLOURS, 22)}
    draw = own.bind(shader, bound)
    fragment, vertex = ("VK_SHADER_STAGE_FRAGMENT_BIT",), ("VK_SHADER_STAGE_VERTEX_BIT",)
    seen = [
        (number, row["binding"], row["descriptorCount"], tuple(row["stageFlags"]))
        for number, rows in draw.layouts.items()
        for row in rows
    ]
    assert seen == [
        (1, 4, 2, fragment + vertex), (1, 5, 1, vertex), (4, 0, 1, fragment), (4, 1, 1, vertex)
    ]  # fmt: skip
    assert [(one.place, one.name, one.image) for one in draw.images] == [
        ((1, 4), "walls", 20), ((1, 4), "walls", 21), ((1, 5), "heights", 22),
    ]  # fmt: skip
    assert sorted(draw.blocks) == [(4, 0), (4, 1)]
    writes = draw.writes({1: 100, 4: 101}, {(4, 0): 7, (4, 1): (7, 256)})
    assert [(row["dstSet"], row["dstBinding"], row["descriptorCount"]) for row in writes] == [
        (100, 4, 2), (100, 5, 1), (101, 0, 1), (101, 1, 1),
    ]  # fmt: skip
    assert writes[-1]["pBufferInfo"] == [{"buffer": 7, "offset": 256, "range": len(draw.blocks[4, 1])}]


@pytest.mark.live("glslangValidator")
def test_structs_of_another_cffi_keep_what_they_point_to() -> None:
    ffi = FFI()
    ffi.cdef(OTHERS)
    own, _ = renderer()
    draw = own.bind(own.shader(QUAD), {"wall": (CLAMP, COLOURS, 20)})
    infos = draw.layout_infos(ffi)
    writes = draw.writes({0: ffi.cast("VkDescriptorSet", 100), 1: 101}, {(1, 0): 7}, ffi=ffi)
    gc.collect()
    assert [info.pBindings[0].descriptorType for info in infos.values()] == [1, 6]
    assert [(one.dstSet, one.descriptorType) for one in writes] == [(100, 1), (101, 6)]
    assert (writes[0].pImageInfo[0].sampler, writes[0].pImageInfo[0].imageView) == (draw.images[0].sampler, 20)
    assert writes[1].pBufferInfo[0].range == len(draw.blocks[1, 0])


@pytest.mark.live("glslangValidator")
def test_what_is_missing_for_a_write_is_named() -> None:
    own, _ = renderer()
    draw = own.bind(own.shader(QUAD), {"wall": (CLAMP, COLOURS, 20)})
    for sets, buffers, view, name in (
        ({0: 100}, {(1, 0): 7}, None, "set 1"),
        ({0: 100, 1: 101}, {}, None, r"buffer of \(1, 0\)"),
        ({0: 100, 1: 101}, {(1, 0): 7}, lambda _: None, "view of wall"),
    ):
        with pytest.raises(ArgumentError, match=name):
            draw.writes(sets, buffers, view=view)


@pytest.mark.live("glslangValidator")
def test_the_hosts_rows_stand_beside_the_samplers_and_none_may_be_missing() -> None:
    text = FRAGMENT.format(kind="sampler2D", side=SIDE, expression="textureLod(wall, c.xy, c.z)")
    own, _ = renderer()
    with pytest.raises(ArgumentError, match=r"what the shader has in \(0, 1\)"):
        own.shader(text)
    draw = own.bind(own.shader(text, layouts=((0, PLACES),)), {"wall": (CLAMP, COLOURS, 20)})
    assert [row["binding"] for row in draw.layouts[0]] == [1, 3]
    assert [row["dstBinding"] for row in draw.writes({0: 1, 1: 2}, {(1, 0): 7})] == [3, 0]
    with pytest.raises(ArgumentError, match="one thing in a place"):
        own.shader(QUAD, layouts=((0, PLACES | {"binding": 0}),))


@pytest.mark.live("glslangValidator")
def test_uniform_blocks_go_where_the_host_says() -> None:
    own, _ = renderer(block_set=2)
    draw = own.bind(own.shader(QUAD), {"wall": (CLAMP, COLOURS, 20)})
    assert [*draw.layouts, *draw.blocks] == [0, 2, (2, 0)]
    own, _ = renderer(block_set=0)
    with pytest.raises(ArgumentError, match="block_set=0 cannot be used"):
        own.shader(QUAD)


@pytest.mark.live("glslangValidator")
@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("maxPerStageDescriptorSamplers", "samplers of the vertex stage=3"),
        ("maxPerStageDescriptorSampledImages", "samplers of the vertex stage=3"),
        ("maxDescriptorSetSamplers", "samplers=3"),
    ],
)
def test_a_shader_that_passes_a_limit_of_the_device_is_refused_by_its_name(limit: str, text: str) -> None:
    screen = st.Screen.from_vulkan(LAVAPIPE._replace(limits={**LAVAPIPE.limits, limit: 2}))
    own, _ = renderer(screen=screen)
    with pytest.raises(ArgumentError, match=f"{text} cannot be used; accepted: up to 2, the device's {limit}"):
        own.shader(SEVERAL, SWAY)


@pytest.mark.live("glslangValidator")
def test_a_black_image_is_asked_for_once_and_an_incomplete_texture_without_one_is_an_error() -> None:
    incomplete, asked = st.Texture("2d", "RGBA8", (4, 4), levels=1), list[Any]()
    mipmaps = st.Sampler(min_filter="linear-mipmap-linear")
    own, _ = renderer()
    with pytest.raises(ArgumentError, match="image of wall=None") as caught:
        own.bind(own.shader(QUAD), {"wall": (mipmaps, incomplete, 20)})
    assert "black=" in str(caught.value)
    own, _ = renderer(black=lambda view: asked.append(view["format"]) or 99)  # type: ignore[func-returns-value]
    shader = own.shader(QUAD)
    for image in (20, 21):
        draw = own.bind(shader, {"wall": (mipmaps, incomplete, image)})
        assert [one.image for one in draw.images] == [99]
    assert (asked, own.created) == (["VK_FORMAT_R8G8B8A8_UNORM"], {"black": 1})


@pytest.mark.live("glslangValidator")
def test_24_bit_depth_that_is_kept_in_floats_has_its_own_sampler() -> None:
    formats = {name: masks for name, masks in (LAVAPIPE.formats or {}).items() if "D24" not in name}
    own, device = renderer(screen=st.Screen.from_vulkan(LAVAPIPE._replace(formats=formats)))
    bright = st.Sampler(wrap="clamp-to-border", border_color=(5.0, 0.0, 0.0, 0.0), min_filter="nearest")
    shader, depth = own.shader(QUAD), st.Texture("2d", "DEPTH_COMPONENT24", (4, 4))
    handle = own.tracker.bind("fragment", ((bright, depth),)).named[0]
    assert handle is not None
    assert handle.depth_sampler is not None
    (one,) = own.bind(shader, {"wall": (bright, depth, 20)}).images
    assert one.sampler == handle.depth_sampler
    handle = own.tracker.bind("fragment", ((bright, COLOURS),)).named[0]
    assert handle is not None
    (one,) = own.bind(shader, {"wall": (bright, COLOURS, 20)}).images
    assert one.sampler == handle.sampler
    own.destroy()
    assert device.alive == set()


@pytest.mark.live("glslangValidator")
@pytest.mark.parametrize(
    ("sampler", "texture"),
    [
        (st.Sampler(compare_mode="compare-ref-to-texture"), st.Texture("2d", "DEPTH_COMPONENT16", (4, 4))),
        (st.Sampler(min_filter="nearest", mag_filter="nearest"), st.Texture("2d", "RGBA8UI", (4, 4))),
    ],
)
def test_what_the_shader_does_not_sample_is_refused(sampler: st.Sampler, texture: st.Texture) -> None:
    own, _ = renderer()
    with pytest.raises(ArgumentError, match="float texels, compare_mode off, as the shader has them"):
        own.bind(own.shader(QUAD), {"wall": (sampler, texture, 20)})
