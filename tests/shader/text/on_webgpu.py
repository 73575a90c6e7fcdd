"""Printed WGSL, HLSL and Slang drawn by wgpu, beside what `st.lower` makes of the same sample there."""

from __future__ import annotations

import subprocess
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import statetracker as st
from statetracker.reference import EXACT
from statetracker.shader.text import FORMS, LANGUAGES
from statetracker.shader.text.language import suffix
from statetracker.shader.text.template import TARGETS
from statetracker.spirv import Kind, Module, text_of
from statetracker.spirv.names import Op
from statetracker.webgpu import descriptor, screen_of
from tests.shader.beside import VERTEX
from tests.shader.text.cases import (
    SIDE,
    Case,
    called,
    details,
    every_case,
    lesser,
    place_of,
    printed,
    quads,
    said,
    within,
)
from tests.shader.text.drawn import native
from tools.proofs.apart import apart
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.formats import FORMATS
from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER, driver_file
from tools.proofs.pixels.scene import GL_TARGETS
from tools.proofs.pixels.unit_run import LIMIT_S
from tools.proofs.pixels.webgpu_run import DEVICE, drawn, open_device

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from statetracker.reference import Precision
    from statetracker.shader.text import SampleFunction
    from statetracker.spirv import Instruction

FORMATS_THERE: Final = {"RGBA32F": "rgba32float", "RGBA16F": "rgba16float", "DEPTH16": "depth16unorm"}
#: Cases of one process.
_PART: Final = 60
_GATHER_BIAS: Final = 5009  # ImageGatherBiasLodAMD
WGSL: Final = """
{text}
@group(0) @binding(0) var {image};
@group(0) @binding(1) var {sampler};
@group(0) @binding(2) var places: texture_2d<f32>;
@group(0) @binding(3) var details: texture_2d<f32>;
{block}
@fragment fn main(@builtin(position) at: vec4f) -> @location(0) vec4f {{
    let c = textureLoad(places, vec2i(at.xy), 0);
    let d = textureLoad(details, vec2i(at.xy), 0);
    return vec4f({expression});
}}
"""
HLSL: Final = """
{text}
[[vk::binding(0)]] {image};
[[vk::binding(1)]] {sampler};
[[vk::binding(2)]] Texture2D<float4> places;
[[vk::binding(3)]] Texture2D<float4> details;
{block}
{stage}float4 main(float4 at : SV_Position) : SV_Target {{
    float4 c = places.Load(int3(int2(at.xy), 0));
    float4 d = details.Load(int3(int2(at.xy), 0));
    return (float4)({expression});
}}
"""
_GLSL: Final = """\
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(binding = 0) uniform {kind} image;
layout(binding = 2) uniform texture2D places;
layout(binding = 3) uniform texture2D details;
layout(location = 0) out vec4 texel;
void main() {{
    vec4 c = texelFetch(places, ivec2(gl_FragCoord.xy), 0);
    vec4 d = texelFetch(details, ivec2(gl_FragCoord.xy), 0);
    texel = vec4({expression});
}}
"""


def shader(case: Case, function: SampleFunction, language: str) -> str:
    """A fragment shader that calls the function: WGSL, or HLSL and Slang."""
    form, target = FORMS[case.form], TARGETS[case.target]
    resources = LANGUAGES[language].resources(target, Kind.FLOAT, form)
    wgsl = language == "wgsl"
    expression = called(case, function, place_of(case), ("image", "image_sampler"))
    block = ""
    if function.values:
        wide = "@group(0) @binding(4) var<uniform> values: SamplerValues;"
        block = wide if wgsl else "[[vk::binding(4)]] cbuffer Block { SamplerValues values; };"
    if not wgsl:
        expression = expression.replace("vec", "float")
    stage = '[shader("pixel")]\n' * (language == "slang")
    return (WGSL if wgsl else HLSL).format(
        text=function.text, image=resources[0], sampler=resources[1], block=block, expression=expression, stage=stage,
    )  # fmt: skip


def code(case: Case, function: SampleFunction, language: str) -> str | bytes:
    """The shader as wgpu takes it."""
    source = shader(case, function, language)
    return {"hlsl": hlsl_module, "slang": slang_wgsl}.get(language, str)(source)


def run(command: list[str], source: str, ending: str, made: str) -> bytes:
    """Compile by a program; raises `RuntimeError` with what it says."""
    with TemporaryDirectory() as folder:
        with open(f"{folder}/in{ending}", "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write(source)
        words = [word.replace("IN", f"{folder}/in{ending}").replace("OUT", f"{folder}/{made}") for word in command]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{done.stdout}{done.stderr}\n{source}")
        with open(f"{folder}/{made}", "rb") as file:  # noqa: PTH123
            return file.read()


def hlsl_module(source: str) -> bytes:
    """By glslangValidator; without the capability that version 12 declares where a gather compares, for nothing."""
    command = ["glslangValidator", "-D", "-e", "main", "-S", "frag", "-V", "-o", "OUT", "IN"]
    module = Module.read(run(command, source, ".hlsl", "o.spv"))
    dropped = (Op.Extension, Op.Capability)
    kept = [one for one in module.instructions if one.opcode not in dropped or not _drops(one)]
    return Module(kept, version=module.version, bound=module.bound).to_bytes()


def slang_wgsl(source: str) -> str:
    """By slangc, on the PATH."""
    command = [str(which("slangc")), "IN", "-target", "wgsl", "-entry", "main", "-stage", "fragment", "-o", "OUT"]
    return run(command, source, ".slang", "o.wgsl").decode()


def _drops(one: Instruction) -> bool:
    return one.words == [_GATHER_BIAS] or (one.opcode == Op.Extension and "gather_bias" in text_of(one.words)[0])


class WebGpuStage:
    """A case's texture, places and details on a device of wgpu."""

    def __init__(self, device: Any, case: Case) -> None:
        import wgpu

        self.device, self.case, self.usage = device, case, wgpu
        self.state, self.lowering, self.values = lesser(case)
        self.size = GL_TARGETS[case.target].size

    def texture(self, shape: str) -> Any:
        """The texels of the case's `Scene`, a GPUTextureViewDimension."""
        case, wgpu, target = self.case, self.usage, TARGETS[self.case.target]
        spatial = self.size[: {0: 1, 1: 2, 2: 3, 3: 2}[target.dim]]
        layers = 6 if case.target == "cube" else self.size[-1] if target.arrayed else 0
        full = (*spatial, *(1,) * (2 - len(spatial)))
        made = self.device.create_texture(
            size=(*full[:2], layers or (full[2] if len(full) > 2 else 1)),
            dimension={"1d": "1d", "3d": "3d"}.get(shape, "2d"), format=FORMATS_THERE[case.texel_format],
            mip_level_count=case.levels, usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST,
        )  # fmt: skip
        for level in range(case.levels):
            here = [max(1, part >> level) for part in spatial]
            outer = (layers,) if layers else ()
            texels = FORMATS[case.texel_format].random((*outer, *here[::-1]), 7 + level)
            here += [1] * (2 - len(here))
            depth = layers or (here[2] if len(here) > 2 else 1)
            place = {"bytes_per_row": texels.nbytes // (here[1] * depth), "rows_per_image": here[1]}
            self.device.queue.write_texture(
                {"texture": made, "mip_level": level}, texels.tobytes(), place, (here[0], here[1], depth)
            )
        return made

    def module(self) -> st.Split:
        """What `st.lower` makes of the same sample, split."""
        case = self.case
        kind = f"sampler{suffix(TARGETS[case.target])}{'Shadow' * ('compare' in case.form)}"
        source = _GLSL.format(kind=kind, expression=native(case))
        made = st.lower(compiled(source, target="-V"), {(0, 0): self.lowering}, values=(0, 4), lod_query=False)
        return st.split_samplers(made.module, places={(0, 0): ((0, 0), (0, 1))})

    def field(self, numbers: NDArray[Any]) -> Any:
        """Four numbers a fragment, as a texture: lavapipe loads no buffers for the helpers at a triangle's edge."""
        wgpu, size = self.usage, (SIDE, SIDE, 1)
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
        made = self.device.create_texture(size=size, format="rgba32float", usage=usage)
        place = {"bytes_per_row": SIDE * 16, "rows_per_image": SIDE}
        self.device.queue.write_texture({"texture": made}, numbers.tobytes(), place, size)
        return made

    def layout(self, shape: str, *, block: bool) -> Any:
        """What is bound, read or not."""
        plain = {"sample_type": "unfilterable-float", "view_dimension": "2d"}
        compares = bool(self.state.compare_mode)
        kinds: list[dict[str, Any]] = [
            {"texture": {"sample_type": "depth" if compares else "float", "view_dimension": shape}},
            {"sampler": {"type": "comparison" if compares else "filtering"}},
            {"texture": plain},
            {"texture": plain},
            *[{"buffer": {"type": "uniform"}}] * block,
        ]
        entries = [{"binding": n, "visibility": "FRAGMENT", **kind} for n, kind in enumerate(kinds)]
        return self.device.create_bind_group_layout(entries=entries)

    def picture(self, code: str | bytes, *, block: bool, shape: str = "") -> NDArray[Any]:
        """Draw with a module or WGSL: image, sampler, places, details and the block are bindings 0 to 4."""
        device, case, wgpu = self.device, self.case, self.usage
        shape = shape or case.target
        layout = self.layout(shape, block=block)
        pipeline = device.create_render_pipeline(
            layout=device.create_pipeline_layout(bind_group_layouts=[layout]),
            vertex={"module": device.create_shader_module(code=VERTEX), "entry_point": "main"},
            primitive={"topology": "triangle-list"},
            fragment={"module": device.create_shader_module(code=code), "entry_point": "main",
                      "targets": [{"format": "rgba32float"}]},
        )  # fmt: skip
        at = quads(case, self.size)
        wide = np.zeros((len(at), 4), np.float32)
        wide[:, : at.shape[1]] = at
        bound: list[Any] = [self.field(wide).create_view(), self.field(details()).create_view()]
        if block:
            numbers = st.border_values([self.values])
            bound.append({"buffer": device.create_buffer_with_data(data=numbers, usage=wgpu.BufferUsage.UNIFORM)})
        view = self.texture(shape).create_view(dimension=shape)
        entries = [
            {"binding": 0, "resource": view},
            {"binding": 1, "resource": device.create_sampler(**descriptor(self.state, screen_of(device)))},
            *({"binding": n, "resource": one} for n, one in enumerate(bound, 2)),
        ]
        return drawn(device, pipeline, [device.create_bind_group(layout=layout, entries=entries)], SIDE)


class Judgement(NamedTuple):
    """The comparison of one case on a device.

    Attributes:
        case: Its name.
        outside: How many samples lie outside the bounds, by the text; 0 where it says that it drops their level.
        differs: How many of them are not what the rewritten module samples, to the last bit.
        alone: How many lie outside by the device's sampler alone.
    """

    case: str
    outside: int
    differs: int
    alone: int


def judge(device: Any, case: Case, language: str, precision: Precision) -> Judgement:
    """Draw a text, the rewritten module, and the sample alone."""
    stage, function = WebGpuStage(device, case), printed(case, language)
    plain = printed(case, language, plain=True)
    text, alone = (stage.picture(code(case, one, language), block=bool(one.values)) for one in (function, plain))
    split = stage.module()
    module = stage.picture(split.module, block=bool(function.values), shape=split.samplers[0].view_dimension)
    differs = int((text.view("u4") != module.view("u4")).any(axis=1).sum())
    if any("compares at level 0" in one for one in function.remarks) and case.levels > 1:
        return Judgement(case.name, 0, differs, 0)
    outside, without = (int((~within(case, one, precision)).sum()) for one in (text, alone))
    return Judgement(case.name, outside, differs, without)


def webgpu_cases(language: str) -> Iterator[Case]:
    """Those that a language and WebGPU have: no predefined borders, no layers or levels of 1D, depth of 16 bits."""
    for case in said(every_case(), language):
        one_d = case.target == "1d-array" or (
            case.target == "1d" and (case.levels > 1 or case.state.compare_mode or case.form == "bias")
        )
        if case.device.route != "predefined" and not one_d:
            yield case._replace(texel_format="DEPTH16") if case.state.compare_mode else case


def judgements(cases: Sequence[Case], language: str, *, device: str = "llvmpipe") -> list[Judgement]:
    """Judge cases in processes of their own, where ``device`` (SwiftShader or lavapipe's llvmpipe) draws."""
    parts = {
        f"{device} {language} {at}": (cases[at : at + _PART], language, device) for at in range(0, len(cases), _PART)
    }
    with driver_file(SWIFTSHADER if device == "SwiftShader" else None):
        return [one for judged in apart(_judged, parts, limit_s=LIMIT_S) for one in judged]


def _judged(at: Callable[[str], object], cases: Sequence[Case], language: str, name: str) -> list[Judgement]:
    device, judged = open_device(name, filters=True), []
    for case in cases:
        at(case.name)
        judged.append(judge(device, case, language, EXACT._replace(lod_bits=8) if name == "llvmpipe" else DEVICE))
    return judged
