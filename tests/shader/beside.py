"""A fragment shader drawn as it stands by this machine's Vulkan, and split by its WebGPU, from the same textures."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import statetracker as st
from statetracker.bindings import vulkan
from statetracker.caps import Screen
from statetracker.vulkan import View, create_info
from statetracker.webgpu import descriptor, screen_of
from tests.shader.validator import assert_valid
from tests.vulkan.on_driver import on
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.lowered_vulkan import facts_of_device
from tools.proofs.pixels.vulkan_draw import combined, draw, storage, texture
from tools.proofs.pixels.webgpu_run import buffer_of, covered, open_device, texture_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from statetracker.bindings.vulkan_device import Device
    from statetracker.pipe import SamplerState
    from statetracker.shader import Split, SplitSampler

__all__ = [
    "SIDE", "Texture", "apart", "bound", "bound_of", "buffer_entry", "descriptor_of", "devices", "fragment",
    "image_entry", "native", "places", "sampler_entry", "state", "webgpu",
]  # fmt: skip

SIDE: Final = 24
#: Where the shader reads its places.
PLACES: Final = {"places": (0, 30), "details": (0, 31)}
_FORMATS: Final = {
    "colour": ("VK_FORMAT_R8G8B8A8_UNORM", "rgba8unorm", "R8G8B8A8_UNORM", 4, "u1"),
    "depth": ("VK_FORMAT_D16_UNORM", "depth16unorm", "Z16_UNORM", 1, "u2"),
    "integers": ("VK_FORMAT_R32G32B32A32_SINT", "rgba32sint", "R32G32B32A32_SINT", 4, "i4"),
}
_SMOOTH: Final = """\
    vec2 f = gl_FragCoord.xy;
    c = vec4(f.x / 30.0 + f.y / 200.0 - 0.1, f.y / 20.0 - f.x / 300.0, (f.x + f.y) / 40.0, f.x / 9.0);
"""


class Texture(NamedTuple):
    """What is sampled: its texels are random by ``seed``.

    Attributes:
        shape: As Vulkan has it.
        texels: ``colour``, ``depth`` or ``integers``.
    """

    shape: str
    size: tuple[int, ...]
    state: SamplerState
    texels: str = "colour"
    levels: int = 1
    layers: int = 1
    seed: int = 0

    def content(self, level: int) -> NDArray[Any]:
        """The texels of a level: layers or slices, rows, columns, channels."""
        *_, channels, dtype = _FORMATS[self.texels]
        chance = np.random.default_rng((self.seed, level))
        width, height, depth = (max(1, part >> level) for part in (*self.size, 1, 1)[:3])
        shape = (self.layers if self.layers > 1 else depth, height, width, channels)
        return chance.integers(0, np.iinfo(dtype).max, shape, endpoint=True).astype(dtype)

    @property
    def view(self) -> View:
        return View(_FORMATS[self.texels][2], cube=self.shape == "cube")


def places() -> dict[tuple[int, int], bytes]:
    """Coordinates, and a reference, a level and two more numbers, of each fragment."""
    chance = np.random.default_rng(5)
    at = chance.uniform(-1.2, 2.2, (SIDE, SIDE, 4)).astype(np.float32)
    more = np.stack([chance.random((SIDE, SIDE)), chance.uniform(-0.5, 3, (SIDE, SIDE)),
                     *chance.uniform(-0.3, 0.3, (2, SIDE, SIDE))], axis=-1)  # fmt: skip
    return dict(zip(PLACES.values(), (one.astype(np.float32).tobytes() for one in (at, more)), strict=True))


def fragment(declared: str, expression: str, *, opengl: bool = False, smooth: bool = False) -> bytes:
    """A shader that shows an expression of the place ``c`` and of ``d``: a reference, a level, two more.

    ``smooth``: the places have derivatives.
    """
    buffers = "\n".join(
        f"layout({'' if opengl else f'set = {group}, '}binding = {at}, std430)"
        f" readonly buffer B{at} {{ vec4 {name}[]; }};"
        for name, (group, at) in PLACES.items()
    )
    text = f"""#version 450
#extension GL_ARB_sparse_texture_clamp : enable
#extension GL_ARB_sparse_texture2 : enable
{declared}
{buffers}
layout(location = 0) out vec4 texel;
void main() {{
    int n = int(gl_FragCoord.y) * {SIDE} + int(gl_FragCoord.x);
    vec4 c = places[n], d = details[n];
    {_SMOOTH if smooth else ""}
    texel = vec4({expression});
}}"""
    return compiled(text, target="-G" if opengl else "-V")


def state(filters: str = "NNN", func: str = "", wraps: str = "REPEAT", **more: Any) -> st.SamplerState:
    """A state by letters: magnification, minification, between levels."""
    words = {"N": "NEAREST", "L": "LINEAR", "0": "NONE"}
    members: dict[str, Any] = dict(
        zip(("mag_img_filter", "min_img_filter", "min_mip_filter"), map(words.get, filters), strict=True)
    )
    members |= {"compare_mode": "R_TO_TEXTURE", "compare_func": func} if func else {}
    members |= dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), wraps)
    return st.SamplerState(**members | {"max_lod": 15.0} | more)


def apart(
    declared: str,
    expression: str,
    *textures: Texture,
    smooth: bool = False,
    right: str = "",
    right_declared: str = "",
    **more: Any,
) -> NDArray[np.float32]:
    """The largest difference of each fragment's two pictures, which are of more than one colour.

    ``right``: the expression that Vulkan shows, where it is another one; ``right_declared`` likewise. ``**more``:
    arguments of `split_samplers`.
    """
    device, beside = devices()
    module = fragment(f"layout(set = 0, binding = 0) uniform {declared};", expression, smooth=smooth)
    bound, buffers = {(0, 0): textures}, places()
    split = st.split_samplers(module, samplers={(0, 0): descriptor_of(device, textures[0])}, **more)
    assert split.unresolved == ()
    assert_valid(split.module)
    plain = fragment(
        f"layout(set = 0, binding = 0) uniform {right_declared or declared};", right or expression, smooth=smooth
    )
    picture = native(beside, plain, bound, buffers)
    assert len(np.unique(picture, axis=0)) > 1
    largest: NDArray[np.float32] = np.abs(webgpu(device, split, bound, buffers) - picture).max(axis=1)
    return largest


@cache
def devices() -> tuple[Any, vulkan.Device]:
    """Lavapipe by wgpu, and by Vulkan; they stay open."""
    with on("lavapipe"):
        instance = vulkan.Instance()
    return open_device(), vulkan.Device(instance.device())


@cache
def _screen(device: Device) -> Screen:
    return Screen.from_vulkan(facts_of_device(device))


def native(
    device: Device,
    module: bytes,
    textures: Mapping[tuple[int, int], Sequence[Texture]],
    buffers: Mapping[tuple[int, int], bytes],
) -> NDArray[np.float32]:
    """Draw on Vulkan."""
    screen = _screen(device)
    with ExitStack() as stack:
        resources = {place: storage(content) for place, content in buffers.items()}
        for place, each in textures.items():
            pairs = []
            for one in each:
                # Without the view of depth: lavapipe compares linearly, and reports no linear filter.
                view = None if one.texels == "depth" else one.view
                handle = device.create_sampler(create_info(one.state, screen, view=view))
                stack.callback(device.destroy_sampler, handle)
                levels = [one.content(level).tobytes() for level in range(one.levels)]
                made = texture(device, one.shape, _FORMATS[one.texels][0], one.size, levels, layers=one.layers,
                               depth=one.texels == "depth")  # fmt: skip
                pairs.append((stack.enter_context(made), handle))
            resources[place] = combined(*pairs)
        return np.frombuffer(draw(device, module, (SIDE, SIDE), resources), np.float32).reshape(-1, 4)


def descriptor_of(device: Any, one: Texture) -> Any:
    """The GPUSamplerDescriptor of a texture's state."""
    return descriptor(one.state, screen_of(device), view=one.view)


def bound_of(part: SplitSampler, made: Mapping[str, Any]) -> dict[str, Any]:
    """What is bound of a sampler's members: where the shader compares, nearest filters alone."""
    by_hand = {"compare": None, **dict.fromkeys(("mag_filter", "min_filter", "mipmap_filter"), "nearest")}
    return dict(made) | (by_hand if part.by_hand else {})


def sampler_entry(at: int, made: Mapping[str, Any], visible: str = "FRAGMENT") -> dict[str, Any]:
    """A GPUBindGroupLayoutEntry of a sampler of these members; ``resource`` has what is bound, as data."""
    kind = "comparison" if made["compare"] else "filtering" if "linear" in made.values() else "non-filtering"
    return {"binding": at, "visibility": visible, "sampler": {"type": kind}, "resource": {"sampler": made}}


def image_entry(
    at: int,
    view: str,
    kind: str,
    levels: Sequence[NDArray[Any]],
    texels: str,
    visible: str = "FRAGMENT",
    *,
    samples: int = 1,
) -> dict[str, Any]:
    """The same of a texture: its levels, arrays of layers or slices, rows, columns and channels, and its format."""
    deep, height, width, _ = levels[0].shape
    made = {
        "format": texels,
        "size": [width, height, 1 if samples > 1 else deep],
        "mip_level_count": len(levels),
        "dimension": view if view in {"1d", "3d"} else "2d",
        "sample_count": samples,
    }
    layout = {"sample_type": kind, "view_dimension": view, "multisampled": samples > 1}
    resource = {"texture": made, "view": view, "levels": levels}
    return {"binding": at, "visibility": visible, "texture": layout, "resource": resource}


def buffer_entry(at: int, kind: str, content: bytes, visible: str = "FRAGMENT") -> dict[str, Any]:
    """The same of a buffer."""
    return {"binding": at, "visibility": visible, "buffer": {"type": kind}, "resource": {"content": content}}


def bound(device: Any, entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries, with the device's own objects in place of data."""
    made = []
    for entry in entries:
        given = entry["resource"]
        if "buffer" in entry:
            given = buffer_of(device, given["content"], uniform=entry["buffer"]["type"] == "uniform")
        elif "sampler" in entry:
            given = device.create_sampler(**given["sampler"])
        elif isinstance(given, dict):
            given = texture_of(device, given["levels"], given["view"], given["texture"]["format"])
        made.append(entry | {"resource": given})
    return made


def webgpu(
    device: Any,
    split: Split,
    textures: Mapping[tuple[int, int], Sequence[Texture]],
    buffers: Mapping[tuple[int, int], bytes],
    uniforms: Mapping[tuple[int, int], bytes] = {},
) -> NDArray[np.float32]:
    """Draw a split module."""
    entries = [buffer_entry(at, "read-only-storage", content) for (_, at), content in buffers.items()]
    entries += [buffer_entry(at, "uniform", content) for (_, at), content in uniforms.items()]
    for part in split.samplers:
        one = textures[part.descriptor][part.element]
        made = bound_of(part, descriptor_of(device, one))
        kind = "depth" if part.compares else "float" if "linear" in made.values() else "unfilterable-float"
        kind = part.kind if part.kind != "float" else kind
        levels = [one.content(level) for level in range(one.levels)]
        entries.append(image_entry(part.image[1], part.view_dimension, kind, levels, _FORMATS[one.texels][1]))
        if part.sampler:
            entries.append(sampler_entry(part.sampler[1], made))
    return covered(device, split.module, [bound(device, entries)], SIDE)
