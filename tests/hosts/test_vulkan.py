"""`Renderer` of the host for Vulkan: random samplers drawn on lavapipe within the reference's bounds; what is kept."""

from __future__ import annotations

import gc
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

import numpy as np
import pytest
from cffi import FFI

import statetracker as st
from statetracker.bindings.vulkan import Device, Instance, Messages
from statetracker.bindings.vulkan_calls import structs
from statetracker.errors import ArgumentError, FileError, LibraryMissing
from statetracker.frontend import warm_start
from statetracker.hosts.vulkan import Draw, Renderer
from statetracker.shader.glslang import compiled_text
from statetracker.spirv import Module
from statetracker.vulkan import facts_of
from tests.hosts.drawn import KINDS, SIDE, SIZE, Case, cases, places, wrong
from tests.hosts.promises import CLAMPED, assert_kept, assert_warm
from tests.vulkan.on_driver import on
from tools.proofs.pixels.vulkan_draw import Resource, buffer_of, draw, storage, texture

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from statetracker.hosts.texture_set import Shader

pytestmark = pytest.mark.live("glslangValidator")
LIVE: Final = pytest.mark.live("validation", "glslangValidator", "lavapipe")

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
FRAGMENT: Final = """#version 450
layout(set = 0, binding = 3) uniform {kind} image;
layout(set = 0, binding = 1, std430) readonly buffer Places {{ vec4 places[]; }};
layout(set = 0, binding = 2, std430) readonly buffer Details {{ vec4 details[]; }};
layout(location = 0) out vec4 texel;
void main() {{
    int at = int(gl_FragCoord.y) * {side} + int(gl_FragCoord.x);
    vec4 c = places[at], d = details[at];
    texel = vec4({expression});
}}
"""
STORAGE: Final = "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER"
#: The host's own bindings: places and details.
OWN: Final = [
    {
        "binding": binding,
        "descriptorType": STORAGE,
        "descriptorCount": 1,
        "stageFlags": ["VK_SHADER_STAGE_FRAGMENT_BIT"],
    }
    for binding in (1, 2)
]
FIRST, SECOND = ((0, row) for row in OWN)


class Canvas:
    """A Vulkan device, a renderer over it, and what the validation layer said."""

    def __init__(self, device: Device, messages: Messages) -> None:
        self.device, self.messages = device, messages
        self.renderer = Renderer(device, black=lambda view: view["format"])
        self.shaders: dict[str, Shader] = {}

    def bound(self, case: Case) -> Draw:
        row = case.kind
        text = FRAGMENT.format(kind=row.shader, side=SIDE, expression=row.expression)
        if text not in self.shaders:
            self.shaders[text] = self.renderer.shader(text, layouts=(FIRST, SECOND))
        return self.renderer.bind(self.shaders[text], {"image": (case.sampler, case.texture, "image")})

    def drawn(self, case: Case) -> NDArray[Any]:
        """Draw with what the renderer says: its modules, layouts, views and writes."""
        got, row = self.bound(case), case.kind
        (one,) = got.images
        size, texels = SIZE[: int(row.target[0])], [level.tobytes() for level in case.levels]
        if one.image != "image":  # GL sees black
            size, texels = (1, 1), [b"\0\0\0\1"]
        name, depth = one.view.image_format or "", row.internal_format.startswith("DEPTH")
        resources = {(0, 1 + at): storage(field.tobytes()) for at, field in enumerate(places())}
        with texture(self.device, row.target, name, size, texels, depth=depth, view=one.view) as view:
            drawn = draw(
                self.device, got.fragment, (SIDE, SIDE), resources,
                lambda device, create, resources: written(device, create, resources, got, view),
            )  # fmt: skip
        return np.frombuffer(drawn, np.float32).reshape(-1, 4)


def written(
    device: Device, create: Any, resources: Mapping[tuple[int, int], Resource], got: Draw, view: int
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
    usage = "VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT"
    blocks = {place: buffer_of(device, create, content, usage)[0] for place, content in got.blocks.items()}
    numbered = dict(zip(sorted(got.layouts), sets, strict=True))
    ours = got.writes(numbered, blocks, view=lambda _: view, ffi=ffi)
    calls.vkUpdateDescriptorSets(device.handle, len(ours), ours, 0, ffi.NULL)
    rows = []
    for (number, binding), one in resources.items():
        buffer, _ = buffer_of(device, create, one.content, "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT")
        row = {"dstSet": numbered[number], "dstBinding": binding, "descriptorCount": 1, "descriptorType": STORAGE}
        rows.append({**row, "pBufferInfo": [{"buffer": buffer, "range": len(one.content)}]})
    own = structs().array("VkWriteDescriptorSet", rows, keep)
    calls.vkUpdateDescriptorSets(device.handle, len(rows), own, 0, ffi.NULL)
    return layout, sets


@pytest.fixture(scope="module", params=["everything", "nothing"])
def canvas(request: pytest.FixtureRequest) -> Iterator[Canvas]:
    """On the device that enables nothing, every border is lowered."""
    messages = Messages(stop_errors=False)
    less: dict[str, Any] = {} if request.param == "everything" else {"extensions": (), "features": {}}
    with (
        on("lavapipe"),
        Instance(validation=True, messages=messages) as instance,
        Device(instance.device(), **less) as device,
    ):
        yield Canvas(device, messages)


@LIVE
@pytest.mark.parametrize("kind", KINDS)
def test_every_state_is_drawn_as_gl_draws_it(canvas: Canvas, kind: str, whole: bool) -> None:
    for case in cases(kind, 2_000 // len(KINDS) if whole else 4):
        assert canvas.bound(case).unsupported == ()
        assert wrong(case, canvas.drawn(case)) == 0, case.name
    assert canvas.messages.take() == []


@LIVE
def test_an_incomplete_texture_is_drawn_black(canvas: Canvas) -> None:
    (case,) = cases("integer", 1)
    case.sampler.update(min_filter="linear")
    assert canvas.bound(case).images[0].image == "VK_FORMAT_R8G8B8A8_UINT"
    assert np.unique(canvas.drawn(case), axis=0).tolist() == [[0.0, 0.0, 0.0, 1.0]]
    assert canvas.messages.take() == []


@LIVE
def test_the_old_device_is_closed_after_the_new_one_has_been_taken() -> None:
    messages = Messages(stop_errors=False)
    with on("lavapipe"), Instance(validation=True, messages=messages) as instance:
        old, new = (Device(instance.device()) for _ in range(2))
        own = Renderer(old)
        shader = own.shader(QUAD)
        own.bind(shader, {"wall": (CLAMP, COLOURS, 20)})
        own.lost(new)
        assert (old.live("VkSampler"), new.live("VkSampler")) == (1, 0)
        old.close()
        own.bind(shader, {"wall": (CLAMP, COLOURS, 20)})
        assert new.live("VkSampler") == 1
        own.destroy()
        new.close()
    assert messages.take() == []


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
CLAMP: Final = st.Sampler(**CLAMPED)
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


def test_equal_requests_give_the_same_draw_and_nothing_is_made_twice() -> None:
    own, device = renderer()
    shader = own.shader(QUAD)
    assert_kept(own, lambda one: own.bind(shader, {"wall": (one, COLOURS, "image")}), st.Policy(force_nearest=True))
    assert (device.made, own.modules.made) == (3, 2), "a sampler for each state, and a module for each work"
    draw = own.bind(shader, {"wall": (CLAMP, COLOURS, "image")})
    assert own.bind(own.shader(QUAD), {"wall": (CLAMP, COLOURS, "image")}) == draw
    assert isinstance(hash(draw.key), int)
    assert draw.key in repr(draw)
    assert len(repr(draw)) < 1_500  # without its modules
    with pytest.raises(ArgumentError, match="policy"):
        own.policy = None  # type: ignore[assignment]


def test_a_second_start_rewrites_and_makes_nothing(tmp_path: Path) -> None:
    def bind(own: Renderer) -> Draw:
        return own.bind(own.shader(QUAD), {"wall": (CLAMP, COLOURS, "image")})

    first, second = renderer()[0], renderer()[0]
    assert_warm(first, second, bind, tmp_path / "kept", 2)
    assert bind(first).blocks == bind(second).blocks


def test_a_second_start_compiles_no_glsl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = renderer()
    first.shader(QUAD)
    first.save(tmp_path / "kept")
    second, _ = renderer()
    second.warm(tmp_path / "kept")
    monkeypatch.setenv("PATH", "")
    assert second.shader(QUAD).modules == first.shader(QUAD).modules
    with pytest.raises(LibraryMissing):
        second.shader(QUAD + "\n")


def test_another_renderers_shader_is_refused() -> None:
    first, second = renderer()[0], renderer()[0]
    shader, slots = first.shader(QUAD), {"wall": (CLAMP, COLOURS, "image")}
    for _ in range(2):
        with pytest.raises(ArgumentError, match="this renderer"):
            second.bind(shader, slots)
        first.bind(shader, slots)


def test_samplers_made_anew_for_every_draw_do_not_pile_up() -> None:
    own, _ = renderer()
    shader = own.shader(QUAD)
    for _ in range(40):
        for _ in range(100):
            own.bind(shader, {"wall": (st.Sampler(wrap="clamp"), COLOURS, "image")})
        own.end_frame()
    assert len(shader.sets) <= 512


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


def test_modules_of_many_shaders_are_not_kept_read() -> None:
    """One that was read long ago is drawn with as the others; they differ by the word of their generator."""

    def read() -> int:
        gc.collect()
        return sum(isinstance(one, Module) for one in gc.get_objects())

    own, _ = renderer()
    module, before = compiled_text(QUAD, "frag", "vulkan", bindings=True), read()
    first = own.shader(module)
    for number in range(800):
        own.shader(module[:8] + number.to_bytes(4, "little") + module[12:])
    assert read() - before < 600
    assert own.bind(first, {"wall": (CLAMP, COLOURS, 20)}).fragment != module


class Image:
    """An image that can be watched."""


def test_a_level_that_is_left_goes_part_by_part_so_that_no_frame_stops() -> None:
    own, _ = renderer()
    shader, alive, left = own.shader(QUAD), WeakSet[Image](), [320]
    for image in [Image() for _ in range(left[0])]:
        alive.add(image)
        own.bind(shader, {"wall": (CLAMP, COLOURS, image)})
    del image
    for _ in range(200):
        own.bind(shader, {"wall": (CLAMP, COLOURS, 20)})
        own.end_frame()
        left.append(len(alive))
    assert left[-1] == 0
    assert max(before - after for before, after in pairwise(left)) < 64


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
    assert (own.policy.max_states, own.tracker.policy.max_states) == (None, 8)
    own.destroy()
    assert device.alive == set()
    assert renderer(budget=4)[0].tracker.policy.max_states == 4


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


def test_the_hosts_rows_stand_beside_the_samplers_and_none_may_be_missing() -> None:
    text = FRAGMENT.format(kind="sampler2D", side=SIDE, expression="textureLod(image, c.xy, c.z)")
    own, _ = renderer()
    with pytest.raises(ArgumentError, match=r"what the shader has in \(0, 1\)"):
        own.shader(text)
    draw = own.bind(own.shader(text, layouts=(SECOND, FIRST)), {"image": (CLAMP, COLOURS, 20)})
    assert [row["binding"] for row in draw.layouts[0]] == [1, 2, 3]
    assert [row["dstBinding"] for row in draw.writes({0: 1, 1: 2}, {(1, 0): 7})] == [3, 0]
    with pytest.raises(ArgumentError, match="one thing in a place"):
        own.shader(QUAD, layouts=((0, OWN[0] | {"binding": 0}),))


def test_uniform_blocks_go_where_the_host_says() -> None:
    own, _ = renderer(block_set=2)
    draw = own.bind(own.shader(QUAD), {"wall": (CLAMP, COLOURS, 20)})
    assert [*draw.layouts, *draw.blocks] == [0, 2, (2, 0)]
    own, _ = renderer(block_set=0)
    with pytest.raises(ArgumentError, match="block_set=0 cannot be used"):
        own.shader(QUAD)


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


def test_a_black_image_is_asked_for_once_and_an_incomplete_texture_without_one_is_an_error() -> None:
    incomplete, asked = st.Texture("2d", "RGBA8", (4, 4), levels=1), list[Any]()
    mipmaps = st.Sampler(min_filter="linear-mipmap-linear")
    own, _ = renderer()
    with pytest.raises(ArgumentError, match=r"texture of wall='incomplete'.*level 1 is missing") as caught:
        own.bind(own.shader(QUAD), {"wall": (mipmaps, incomplete, 20)})
    assert "black=" in str(caught.value)
    own, _ = renderer(black=lambda view: asked.append(view["format"]) or 99)  # type: ignore[func-returns-value]
    shader = own.shader(QUAD)
    for image in (20, 21):
        draw = own.bind(shader, {"wall": (mipmaps, incomplete, image)})
        assert [one.image for one in draw.images] == [99]
    assert (asked, own.created) == (["VK_FORMAT_R8G8B8A8_UNORM"], {"black": 1})


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


@pytest.mark.parametrize(
    ("sampler", "texture", "words"),
    [
        (st.Sampler(compare_mode="compare-ref-to-texture"), st.Texture("2d", "DEPTH_COMPONENT16", (4, 4)), "float tex"),
        (st.Sampler(filter="nearest"), st.Texture("2d", "RGBA8UI", (4, 4)), "float texels, compare_mode off"),
        *(
            (CLAMP, st.Texture(target, "RGBA8", levels=1), r"texture of wall.*TEXTURE_2D")
            for target in ("1d", "3d", "cube-map", "2d-array", "buffer", "2d-multisample")
        ),
    ],
)
def test_what_the_shader_does_not_sample_is_refused(sampler: st.Sampler, texture: st.Texture, words: str) -> None:
    own, _ = renderer()
    with pytest.raises(ArgumentError, match=words):
        own.bind(own.shader(QUAD), {"wall": (sampler, texture, 20)})


@pytest.mark.parametrize(
    ("sets", "buffers", "words"),
    [
        ([1, 2], {(1, 0): 3}, "sets="),
        ({0: 1, 1: 2}, [3], "buffers="),
        ({0: 1, 1: 2}, {}, "buffer of"),
        ({0: 1, 1: 2}, {(1, 0): (3, 4, 5)}, "buffer of"),
        ({0: 1, 1: 2}, {(1, 0): (3, -4)}, "offset of"),
        ({0: 1}, {(1, 0): (3, 256)}, "set 1="),
    ],
)
def test_what_is_no_set_or_buffer_is_not_written(sets: Any, buffers: Any, words: str) -> None:
    own, _ = renderer()
    draw = own.bind(own.shader(QUAD), {"wall": (CLAMP, COLOURS, 20)})
    assert draw.writes({0: 1, 1: 2}, {(1, 0): (3, 256)})[1]["pBufferInfo"][0]["offset"] == 256
    with pytest.raises(ArgumentError, match=words):
        draw.writes(sets, buffers)


@pytest.mark.parametrize("number", [-1, True, "1", 1.5])
def test_what_is_no_number_of_a_set_is_refused_at_once(number: Any) -> None:
    with pytest.raises(ArgumentError, match="block_set="):
        renderer(block_set=number)


@pytest.mark.parametrize(
    "lines", [[], ["5"], ["[5]"], ["[]", "{}"], ["[]", "["], ["[" * 100_000], ["[]", '{"key": "a"}']]
)
def test_a_file_whose_content_is_another_is_damaged(lines: list[str], tmp_path: Path) -> None:
    """Though its digest is right."""
    own, device = renderer()
    file = tmp_path / "kept"
    warm_start.write_lines(file, "samplers and modules", own._made_for(), lines)
    with pytest.raises(FileError, match="damaged"):
        own.warm(file)
    assert device.made == 0


@pytest.mark.parametrize("layouts", [((0, ({"binding": 0},)),), ((0, {}),), (1,)])
def test_layouts_of_another_form_are_told_the_form(layouts: Any) -> None:
    own, _ = renderer()
    with pytest.raises(ArgumentError, match="one pair for each binding"):
        own.shader(QUAD, layouts=layouts)
