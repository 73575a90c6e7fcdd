"""Printed WGSL, HLSL and Slang drawn by wgpu, beside what `st.lower` makes of the same sample there."""

from __future__ import annotations

import subprocess
from functools import cached_property
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import statetracker as st
from statetracker.shader.text import FORMS, LANGUAGES
from statetracker.shader.text.language import suffix
from statetracker.shader.text.template import TARGETS
from statetracker.spirv import Kind, Module, text_of
from statetracker.spirv.names import Op
from statetracker.webgpu import descriptor, screen_of
from tests.shader.beside import VERTEX
from tests.shader.text.drawn import SIDE, Case, called, details, lesser, native, place_of, quads
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.formats import FORMATS
from tools.proofs.pixels.scene import GL_TARGETS
from tools.proofs.pixels.webgpu_run import drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.shader.text import SampleFunction
    from statetracker.spirv import Instruction

FORMATS_THERE: Final = {"RGBA32F": "rgba32float", "RGBA16F": "rgba16float", "DEPTH16": "depth16unorm"}
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

    @cached_property
    def texture(self) -> Any:
        """The texels of the case's `Scene`."""
        case, wgpu, target = self.case, self.usage, TARGETS[self.case.target]
        spatial = self.size[: {0: 1, 1: 2, 2: 3, 3: 2}[target.dim]]
        layers = 6 if case.target == "cube" else self.size[-1] if target.arrayed else 0
        full = (*spatial, *(1,) * (2 - len(spatial)))
        made = self.device.create_texture(
            size=(*full[:2], layers or (full[2] if len(full) > 2 else 1)),
            dimension={"1d": "1d", "3d": "3d"}.get(case.target, "2d"), format=FORMATS_THERE[case.texel_format],
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

    def lowered(self) -> bytes:
        """What `st.lower` makes of the same sample, split."""
        case = self.case
        kind = f"sampler{suffix(TARGETS[case.target])}{'Shadow' * ('compare' in case.form)}"
        source = _GLSL.format(kind=kind, expression=native(case))
        made = st.lower(compiled(source, target="-V"), {(0, 0): self.lowering}, values=(0, 4), lod_query=False)
        return st.split_samplers(made.module, places={(0, 0): ((0, 0), (0, 1))}).module

    def field(self, numbers: NDArray[Any]) -> Any:
        """Four numbers a fragment, as a texture: lavapipe loads no buffers for the helpers at a triangle's edge."""
        wgpu, size = self.usage, (SIDE, SIDE, 1)
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
        made = self.device.create_texture(size=size, format="rgba32float", usage=usage)
        place = {"bytes_per_row": SIDE * 16, "rows_per_image": SIDE}
        self.device.queue.write_texture({"texture": made}, numbers.tobytes(), place, size)
        return made

    def layout(self, *, block: bool) -> Any:
        """What is bound, read or not."""
        case, plain = self.case, {"sample_type": "unfilterable-float", "view_dimension": "2d"}
        compares = bool(self.state.compare_mode)
        kinds: list[dict[str, Any]] = [
            {"texture": {"sample_type": "depth" if compares else "float", "view_dimension": case.target}},
            {"sampler": {"type": "comparison" if compares else "filtering"}},
            {"texture": plain},
            {"texture": plain},
            *[{"buffer": {"type": "uniform"}}] * block,
        ]
        entries = [{"binding": n, "visibility": "FRAGMENT", **kind} for n, kind in enumerate(kinds)]
        return self.device.create_bind_group_layout(entries=entries)

    def picture(self, code: str | bytes, *, block: bool) -> NDArray[Any]:
        """Draw with a module or WGSL: image, sampler, places, details and the block are bindings 0 to 4."""
        device, case, wgpu = self.device, self.case, self.usage
        layout = self.layout(block=block)
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
        view = self.texture.create_view(dimension=case.target)
        entries = [
            {"binding": 0, "resource": view},
            {"binding": 1, "resource": device.create_sampler(**descriptor(self.state, screen_of(device)))},
            *({"binding": n, "resource": one} for n, one in enumerate(bound, 2)),
        ]
        return drawn(device, pipeline, [device.create_bind_group(layout=layout, entries=entries)], SIDE)
