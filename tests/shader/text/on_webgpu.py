"""Printed WGSL, HLSL and Slang drawn by wgpu, beside what `st.lower` makes of the same sample there."""

from __future__ import annotations

import subprocess
from itertools import islice
from pathlib import Path
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
from statetracker.webgpu import descriptor
from tests.shader.beside import bound, buffer_entry, image_entry, sampler_entry
from tests.shader.compiled import glsl
from tests.shader.drawn_whole import Job
from tests.shader.text.cases import (
    SIDE,
    Case,
    called,
    details,
    every_case,
    lesser,
    native,
    place_of,
    printed,
    quads,
    said,
    uploaded,
    within,
)
from tools.proofs.apart import apart
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER, driver_file
from tools.proofs.pixels.scene import GL_TARGETS
from tools.proofs.pixels.unit_run import LIMIT_S
from tools.proofs.pixels.webgpu_run import DEVICE, covered, open_device

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from statetracker.reference import Precision
    from statetracker.shader import Split
    from statetracker.shader.text import SampleFunction
    from statetracker.spirv import Instruction

#: Of three vertices as a `Job` has them, which cover the target.
_COVERING: Final = np.array([[0] * 8 + [x, y, 0, 1] for x, y in ((-1, -1), (3, -1), (-1, 3))], np.float32).tobytes()
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
    if language == "hlsl":
        return hlsl_module(source)
    return slang_wgsl(source) if language == "slang" else source


def hlsl_module(source: str) -> bytes:
    """By glslangValidator; without the capability that version 12 declares where a gather compares, for nothing."""
    module = Module.read(glsl(source, "frag", "-D", "-e", "main", "-V"))
    dropped = (Op.Extension, Op.Capability)
    kept = [one for one in module.instructions if one.opcode not in dropped or not _drops(one)]
    return Module(kept, version=module.version, bound=module.bound).to_bytes()


def slang_wgsl(source: str) -> str:
    """By slangc, on the PATH."""
    with TemporaryDirectory() as folder:
        file, made = Path(folder, "in.slang"), Path(folder, "o.wgsl")
        file.write_text(source, encoding="utf-8")
        command = ["slangc", str(file), "-target", "wgsl", "-entry", "main", "-stage", "fragment", "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert not done.returncode, f"{done.stdout}{done.stderr}\n{source}"
        return made.read_text(encoding="utf-8")


def _drops(one: Instruction) -> bool:
    return one.words == [_GATHER_BIAS] or (one.opcode == Op.Extension and "gather_bias" in text_of(one.words)[0])


class WebGpuStage:
    """A case's texture, places and details on a device of wgpu; None: as data alone.

    lavapipe loads no buffers for the helpers at a triangle's edge: numbers of fragments are texels.
    """

    def __init__(self, device: Any, case: Case) -> None:
        self.device, self.case = device, case
        self.state, self.lowering, self.values = lesser(case)
        self.size = GL_TARGETS[case.target].size

    def entries(self, shape: str, *, block: bool) -> list[dict[str, Any]]:
        """What is bound, read or not: image, sampler, places, details and the block are bindings 0 to 4."""
        case = self.case
        levels = [one.reshape(-1, *(1, *one.shape)[-3:]) for one in uploaded(case)]
        at = quads(case, self.size)
        wide = np.zeros((len(at), 4), np.float32)
        wide[:, : at.shape[1]] = at
        kind = "depth" if self.state.compare_mode else "float"
        return [
            image_entry(0, shape, kind, levels, FORMATS_THERE[case.texel_format]),
            sampler_entry(1, dict(descriptor(self.state, st.Screen.named("webgpu")))),
            *(
                image_entry(at, "2d", "unfilterable-float", [one.reshape(1, SIDE, SIDE, 4)], "rgba32float")
                for at, one in ((2, wide), (3, details()))
            ),
            *[buffer_entry(4, "uniform", st.border_values([self.values]))] * block,
        ]

    def module(self) -> Split:
        """What `st.lower` makes of the same sample, split."""
        case = self.case
        kind = f"sampler{suffix(TARGETS[case.target])}{'Shadow' * ('compare' in case.form)}"
        source = _GLSL.format(kind=kind, expression=native(case))
        made = st.lower(compiled(source, target="-V"), {(0, 0): self.lowering}, values=(0, 4), lod_query=False)
        return st.split_samplers(made.module, places={(0, 0): ((0, 0), (0, 1))})

    def job(self, function: SampleFunction) -> Job:
        """All that a page needs to draw a WGSL text."""
        entries = self.entries(self.case.target, block=bool(function.values))
        return Job("fragment", shader(self.case, function, "wgsl"), entries, _COVERING)

    def picture(self, code: str | bytes, *, block: bool, shape: str = "") -> NDArray[Any]:
        """Draw with a module or WGSL."""
        entries = self.entries(shape or self.case.target, block=block)
        return covered(self.device, code, [bound(self.device, entries)], SIDE)


def drops_levels(case: Case, function: SampleFunction) -> bool:
    """Return whether the text says that it compares at level 0, of a texture with others."""
    return case.levels > 1 and any("compares at level 0" in one for one in function.remarks)


class Judgement(NamedTuple):
    """The comparison of one case on a device.

    Attributes:
        case: Its name.
        outside: How many samples lie outside the bounds, by the text; 0 where it says that it drops their level.
        differs: How many of them are not what the rewritten module samples, to the last bit.
    """

    case: str
    outside: int
    differs: int


def judge(device: Any, case: Case, language: str, precision: Precision) -> Judgement:
    """Draw a text, and the rewritten module."""
    stage, function = WebGpuStage(device, case), printed(case, language)
    text = stage.picture(code(case, function, language), block=bool(function.values))
    split = stage.module()
    module = stage.picture(split.module, block=bool(function.values), shape=split.samplers[0].view_dimension)
    differs = int((text.view("u4") != module.view("u4")).any(axis=1).sum())
    outside = 0 if drops_levels(case, function) else int((~within(case, text, precision)).sum())
    return Judgement(case.name, outside, differs)


def webgpu_cases(language: str, step: int) -> Iterator[Case]:
    """One in so many of those that a language and WebGPU have.

    WebGPU has no predefined borders, no layers, levels or biases of 1D textures, and depth of 16 bits.
    """
    for case in said(islice(every_case(), 0, None, step), language):
        unlike_1d = case.levels > 1 or case.state.compare_mode or case.form == "bias"
        if case.device.route != "predefined" and case.target != "1d-array" and not (case.target == "1d" and unlike_1d):
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
