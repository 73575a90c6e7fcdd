"""GL's samplers on this machine's WebGPU, by wgpu-py: lowered, split, and within the bounds of the reference unit.

A judgement says of a case how many samples lie outside natively, on llvmpipe's GL, and on WebGPU.
"""

from __future__ import annotations

import os
from hashlib import sha256
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unittest.mock import patch

import numpy as np

from statetracker.bindings import egl
from statetracker.conformance.drivers import driver as driver_named
from statetracker.errors import CallFailed, MissingExtra
from statetracker.pipe import Func, SamplerState, TexWrap
from statetracker.reference import Precision, Texels, TextureUnit, bounds
from statetracker.shader import border_values, lower, split_samplers
from statetracker.vulkan import SamplerCreateInfo, View
from statetracker.vulkan.conversion import by_data, by_texels
from statetracker.vulkan.draft import Draft
from statetracker.webgpu import descriptor, screen_of
from statetracker.webgpu.conversion import of_info
from tools.proofs.apart import apart
from tools.proofs.pixels.formats import FORMATS, random_levels
from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER, driver_file
from tools.proofs.pixels.scene import GL_TARGETS, Canvas, with_border
from tools.proofs.pixels.unit_cases import COMPARED, Case, cases, places
from tools.proofs.pixels.unit_run import LIMIT_S, details_of, judge
from tools.proofs.pixels.vulkan_draw import placed_module, wide

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from statetracker.shader.split import Split
    from statetracker.webgpu import SamplerDescriptor

__all__ = [
    "DEVICE",
    "VERTEX",
    "WEBGPU_FORMATS",
    "WEBGPU_GROUPS",
    "WebGpuJudgement",
    "bound_groups",
    "buffer_of",
    "covered",
    "drawn",
    "drawn_cases",
    "open_device",
    "random_cases",
    "texture_of",
    "webgpu_judgements",
]

SIDE: Final = 24
#: wgpu, once its instance is chosen.
_INSTANCE: Final[list[Any]] = []
#: What mixing a border up to 5 rounds.
_ROUNDINGS: Final = 2.0**-20
_BLOCK: Final = (1, 0)
#: Three vertices cover the target.
VERTEX: Final = """
@vertex fn main(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(n & 1), f32(n >> 1)) * 4.0 - 1.0, 0.0, 1.0);
}
"""
#: Groups of the reference unit's cases that WebGPU can draw some of.
WEBGPU_GROUPS: Final = ("wraps", "compares", "levels", "offsets", "gathers")
#: Texels -> (GPUTextureFormat, pipe format); depth of 16 bits is the only one that WebGPU can upload.
WEBGPU_FORMATS: Final = {
    "RGBA32F": ("rgba32float", "R32G32B32A32_FLOAT"),
    "RGBA16F": ("rgba16float", "R16G16B16A16_FLOAT"),
    "RGBA8": ("rgba8unorm", "R8G8B8A8_UNORM"),
    "RGBA8_SNORM": ("rgba8snorm", "R8G8B8A8_SNORM"),
    "DEPTH16": ("depth16unorm", "Z16_UNORM"),
}
#: Targets that are drawn; each is a GPUTextureViewDimension, too.
WEBGPU_TARGETS: Final = ("1d", "2d", "2d-array", "3d")
#: What every Vulkan device keeps at least of a coordinate, a level of detail and, as NVIDIA's do, of a texel's weight.
DEVICE: Final = Precision(texel_bits=8, lod_bits=8, lod_absolute=2.0**-8, weight_bits=8, value_absolute=_ROUNDINGS)
#: Formats of bytes: devices filter them in 8 bits.
_BYTES: Final = {"RGBA8": 2 / 255, "RGBA8_SNORM": 2 / 127}
#: How all states share a sampler -> what makes its info; of several, the first is drawn and held beside the others.
_WAYS: Final = {"shared": (by_texels,), "dynamic": (by_data, by_texels)}
#: Targets whose comparisons are drawn.
_COMPARED: Final = ("2d", "2d-array")


class WebGpuJudgement(NamedTuple):
    """The comparison of one case.

    Attributes:
        case: Its name.
        filters: Whether the device filters 32-bit floats itself.
        work: What the shader did.
        samples: How many were compared.
        native: How many lay outside their bounds, drawn by GL.
        outside: How many lay outside their bounds, drawn by WebGPU.
        alone: The same without the shader's work.
        remarks: What `split_samplers` says that WebGPU does otherwise.
        module: The SHA-256 of the module that was drawn with.
        apart: Samples that differ in any bit from those of a module that knows the state; of ``dynamic``.
    """

    case: str
    filters: bool
    work: str
    samples: int
    native: int
    outside: int
    alone: int
    remarks: tuple[str, ...]
    module: str
    apart: int = 0


def open_device(name: str = "llvmpipe", *, filters: bool = False) -> Any:
    """Open a Vulkan device by wgpu-py whose name has ``name`` in it, with float32-filterable or without.

    Args:
        name: A part of its name.
        filters: With float32-filterable.

    Raises:
        MissingExtra: wgpu is not installed.
        CallFailed: wgpu finds no such device.
    """
    try:
        import wgpu
        from wgpu.backends.wgpu_native import extras
    except ImportError:
        raise MissingExtra("WebGPU", "wgpu", extra="webgpu") from None
    if not _INSTANCE:  # before the first call: its GL would disturb that of this process
        extras.set_instance_extras(backends=["Vulkan"])
        _INSTANCE.append(wgpu)
    for adapter in wgpu.gpu.enumerate_adapters_sync():
        if adapter.info["backend_type"] == "Vulkan" and name in adapter.info["device"]:
            return adapter.request_device_sync(required_features=["float32-filterable"] if filters else [])
    raise CallFailed("WebGPU", "requestAdapter", f"no Vulkan device named {name} (Debian: mesa-vulkan-drivers)")


def _judge(canvas: Canvas, device: Any, case: Case, *, filters: bool, way: str) -> WebGpuJudgement:
    native = judge(canvas, case)
    of, row = GL_TARGETS[case.target], FORMATS[case.texel_format]
    arrays = random_levels(case.target, of.size, case.levels, case.texel_format)
    texels = Texels(case.target, [row.seen(array) for array in arrays], kind=row.kind)
    state = with_border(case.state, case.border, row)
    screen, view = screen_of(device), View(WEBGPU_FORMATS[case.texel_format][1], cube=False)
    every = [descriptor(state, screen, view=view)]
    if way:
        infos = [make(Draft(state, screen, dialect="native", view=view)) for make in _WAYS[way]]
        every = [of_info(info, screen, view) for info in infos if isinstance(info, SamplerCreateInfo)]
    made = every[0]
    kind = f"sampler{of.suffix}{'Shadow' if state.compare_mode else ''}"
    module = placed_module(kind, SIDE, case.expression.replace("AT", of.taken))
    lowered = [lower(module, {(0, 0): one.lowering}, values=_BLOCK, lod_query=False) for one in every]
    if lowered[0].unresolved:
        raise CallFailed("WebGPU", case.name, lowered[0].unresolved[0].reason)
    blocks = [border_values([one] * len(of_it.values)) for one, of_it in zip(every, lowered, strict=True)]
    halves = [split_samplers(code) for code in (*(one.module for one in lowered), module)]
    at, details = places(case.target, of.size, SIDE), details_of(SIDE)
    pictures = [
        _picture(device, half, made, case, arrays, (at, details), numbers)
        for half, numbers in zip(halves, (*blocks, b""), strict=True)
    ]
    unit = TextureUnit(state, texels)
    if case.gather is None:
        precision = case.precision._replace(value_absolute=max(_ROUNDINGS, case.precision.value_absolute))
        within = bounds(unit, at, precision, **case.arguments(unit, details))
        inside = [within.hold(picture) for picture in pictures]
    else:
        exact = unit.gather(at, case.gather)
        inside = [np.abs(picture - exact).max(axis=1) <= _ROUNDINGS for picture in pictures]
    ours, *_, alone = (int((~part).sum()) for part in inside)
    words = [picture.view(np.uint32) for picture in pictures[: len(every)]]
    differ = int((words[0] != words[-1]).any(axis=1).sum())
    remarks = tuple(dict.fromkeys(one.reason for one in halves[0].unresolved))
    counts = len(at), native.outside, ours, alone
    name = sha256(halves[0].module).hexdigest()
    return WebGpuJudgement(case.name, filters, str(made.lowering), *counts, remarks, name, differ)


def _picture(  # noqa: PLR0917 (a draw's own order)
    device: Any,
    half: Split,
    made: SamplerDescriptor,
    case: Case,
    arrays: Sequence[NDArray[Any]],
    numbers: Sequence[NDArray[Any]],
    block: bytes,
) -> NDArray[Any]:
    """Draw with a split module: image 0:0, places and details 0:1 and 0:2, sampler 0:3, the block 1:0."""
    dimension = half.samplers[0].view_dimension  # of a 1D texture that may be 2D: it is kept as rows
    image = {"sample_type": made.sample_type, "view_dimension": dimension}
    levels = [np.array(array, ndmin=4) for array in arrays]
    seen = texture_of(device, levels, dimension, WEBGPU_FORMATS[case.texel_format][0])
    kinds: list[dict[str, Any]] = [
        {"texture": image, "resource": seen},
        *({"buffer": {"type": "read-only-storage"}, "resource": buffer_of(device, wide(one, SIDE))} for one in numbers),
        {"sampler": {"type": made.sampler_type}, "resource": device.create_sampler(**made)},
    ]
    groups = [kinds]
    if block:
        groups.append([{"buffer": {"type": "uniform"}, "resource": buffer_of(device, block, uniform=True)}])
    entries = [[{"binding": n, "visibility": "FRAGMENT", **kind} for n, kind in enumerate(group)] for group in groups]
    return covered(device, half.module, entries, SIDE)


def buffer_of(device: Any, content: bytes, *, uniform: bool = False) -> dict[str, Any]:
    """Return a buffer as it is bound; one for storage can be copied from."""
    usage = "UNIFORM" if uniform else "STORAGE|COPY_SRC"
    return {"buffer": device.create_buffer_with_data(data=content, usage=usage)}


def texture_of(device: Any, levels: Sequence[NDArray[Any]], view: str, texel_format: str) -> Any:
    """Return a view of a texture; a level is an array of layers or slices, rows, columns, channels."""
    depth, height, width, _ = levels[0].shape
    made = device.create_texture(
        size=(width, height, depth),
        dimension=view if view in {"1d", "3d"} else "2d",
        format=texel_format,
        mip_level_count=len(levels),
        usage="TEXTURE_BINDING|COPY_DST",
    )
    for level, texels in enumerate(levels):
        deep, rows, columns, _ = texels.shape
        place = {"bytes_per_row": texels[0, 0].nbytes, "rows_per_image": rows}
        device.queue.write_texture(
            {"texture": made, "mip_level": level}, texels.tobytes(), place, (columns, rows, deep)
        )
    return made.create_view(dimension=view)


def bound_groups(device: Any, groups: Sequence[Sequence[dict[str, Any]]]) -> tuple[Any, list[Any]]:
    """Return a pipeline layout and its bind groups, of GPUBindGroupLayoutEntries with what is bound as ``resource``."""
    layouts = [
        device.create_bind_group_layout(
            entries=[{key: value for key, value in entry.items() if key != "resource"} for entry in group]
        )
        for group in groups
    ]
    bound = [
        device.create_bind_group(
            layout=layout, entries=[{key: entry[key] for key in ("binding", "resource")} for entry in group]
        )
        for layout, group in zip(layouts, groups, strict=True)
    ]
    return device.create_pipeline_layout(bind_group_layouts=layouts), bound


def covered(
    device: Any, fragment: str | bytes, groups: Sequence[Sequence[dict[str, Any]]], side: int
) -> NDArray[np.float32]:
    """Draw a fragment shader over a target; groups are those of `bound_groups`."""
    layout, bound = bound_groups(device, groups)
    pipeline = device.create_render_pipeline(
        layout=layout,
        vertex={"module": device.create_shader_module(code=VERTEX), "entry_point": "main"},
        primitive={"topology": "triangle-list"},
        fragment={
            "module": device.create_shader_module(code=fragment),
            "entry_point": "main",
            "targets": [{"format": "rgba32float"}],
        },
    )
    return drawn(device, pipeline, bound, side)


def drawn(device: Any, pipeline: Any, groups: Sequence[Any], side: int) -> NDArray[np.float32]:
    """Draw a triangle with bind groups 0 and on; return a target's floats, (side * side, 4), row by row."""
    import wgpu

    size, usage = (side, side, 1), wgpu.TextureUsage
    target = device.create_texture(size=size, format="rgba32float", usage=usage.RENDER_ATTACHMENT | usage.COPY_SRC)
    encoder = device.create_command_encoder()
    attachment = {"view": target.create_view(), "load_op": "clear", "store_op": "store"}
    drawing = encoder.begin_render_pass(color_attachments=[attachment])
    drawing.set_pipeline(pipeline)
    for n, group in enumerate(groups):
        drawing.set_bind_group(n, group)
    drawing.draw(3)
    drawing.end()
    device.queue.submit([encoder.finish()])
    texels = device.queue.read_texture({"texture": target}, {"bytes_per_row": side * 16}, size)
    return np.frombuffer(texels, np.float32).reshape(-1, 4)


def webgpu_judgements(groups: Sequence[str] = (), *, device: str = "llvmpipe") -> list[WebGpuJudgement]:
    """Judge cases in processes that have llvmpipe: on a device without float32-filterable, and on one with it.

    Args:
        groups: Of the reference unit's cases, or ``random``, a seed and a count: `random_cases`; then ``shared``: all
            states through one nearest sampler that clamps to the edge, but for the comparison; or ``dynamic``: by data.
        device: What draws for WebGPU: ``llvmpipe`` (lavapipe) or ``SwiftShader``.

    Raises:
        WorkerLost: With a note of the case of which a process died.
    """
    each = [tuple(groups)] if {"random", *_WAYS} & {*groups} else [(group,) for group in groups or WEBGPU_GROUPS]
    parts = {f"WebGPU, {device}, {' '.join(part)}": (device, part) for part in each}
    chosen = driver_file(SWIFTSHADER if device == "SwiftShader" else None)
    with patch.dict(os.environ, driver_named("llvmpipe").environment), chosen:
        return [one for judgements in apart(_judged, parts, limit_s=LIMIT_S) for one in judgements]


def _judged(at: Callable[[str], object], name: str, groups: tuple[str, ...]) -> list[WebGpuJudgement]:
    if groups[0] == "random":
        seed, count = map(int, groups[1:3])
        chosen = random_cases(count, seed)
    else:
        chosen = drawn_cases([one for one in groups if one not in _WAYS])
    way = next((one for one in groups if one in _WAYS), "")
    judgements = []
    with egl.Context() as context:
        canvas = Canvas(context.gl, SIDE)
        for filters in (False, True):
            device = open_device(name, filters=filters)
            for case in chosen:
                at(case.name)
                judgements.append(_judge(canvas, device, case, filters=filters, way=way))
    return judgements


def drawn_cases(groups: Sequence[str] = ()) -> list[Case]:
    """Cases of the reference unit that WebGPU can draw: its targets, and formats that it can upload."""
    every = cases("llvmpipe", tuple(groups) or WEBGPU_GROUPS)
    formats = {"RGBA32F", "DEPTH16"}
    return [case for case in every if case.target in WEBGPU_TARGETS[1:] and case.texel_format in formats]


def random_cases(count: int = 200, seed: int = 21) -> list[Case]:
    """Random samplers: every wrap and filter on each axis, borders, limits, biases, comparisons.

    Targets follow each other, so that each comes equally often; 1D textures have one level and are not compared, as
    WebGPU has them. The same for the same seed.
    """
    chance = np.random.default_rng(seed)
    return [_random(chance, target) for target in islice(cycle(WEBGPU_TARGETS), count)]


def _random(chance: np.random.Generator, target: str) -> Case:
    compares = target in _COMPARED and chance.random() < 0.25
    texel_format = "DEPTH16" if compares else str(chance.choice([one for one in WEBGPU_FORMATS if one != "DEPTH16"]))
    levels = 1 if target == "1d" or compares else int(chance.integers(1, 4))
    members: dict[str, Any] = {f"wrap_{axis}": TexWrap(int(chance.integers(len(TexWrap)))) for axis in "str"} | {
        "min_img_filter": int(chance.integers(2)),
        "mag_img_filter": int(chance.integers(2)),
        "min_mip_filter": int(chance.integers(3)),
        "lod_bias": float(chance.choice([0.0, 0.0, -1.5, 0.375, 0.75, 2.0])),
        "min_lod": float(chance.choice([-1000.0, -1000.0, 0.0, 0.375, 1.0])),
        "max_lod": float(chance.choice([1000.0, 1000.0, 0.25, 1.0, 1.625])),
    }
    members["max_lod"] = max(members["min_lod"], members["max_lod"])
    if compares:
        members |= {"compare_mode": 1, "compare_func": Func(int(chance.integers(len(Func))))}
    return Case(
        target, SamplerState(**members),
        COMPARED[target] if compares else "textureLod(image, AT, d.y)",
        texel_format, levels,
        border=tuple(float(one) for one in chance.uniform(-0.5, 1.5, 4).round(3)),
        lod=0.0 if compares else None,
        precision=DEVICE._replace(value_absolute=_BYTES.get(texel_format, 2.0**-20)),
    )  # fmt: skip
