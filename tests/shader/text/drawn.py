"""Printed GLSL drawn beside GL's own samplers, and beside what `st.lower` makes of the same sample."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import statetracker as st
from statetracker.bindings.gl import build
from statetracker.shader.text import FORMS, SampleFunction, sample_function
from statetracker.shader.text.language import suffix
from statetracker.shader.text.template import TARGETS
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.gl_draw import COVERING, draw, sampler
from tools.proofs.pixels.lacking import Device, lacking, seamed
from tools.proofs.pixels.scene import GL_TARGETS, Canvas, Scene, gl_parameters
from tools.proofs.pixels.unit_cases import places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.bindings.gl import GL
    from statetracker.pipe import Lowering, LoweringValues, SamplerState

SIDE: Final = 24
_BLOCK: Final = (0, 7)
_BORDER: Final = (2.0, 3.0, -5.0, 0.25)
_SHADER: Final = """\
#version 450
{head}
layout(binding = 0) uniform highp {kind} image;
layout(binding = 1) uniform sampler2D places;
layout(binding = 2) uniform sampler2D details;
layout(location = 0) out {result} texel;
{text}
void main() {{
    vec4 c = texelFetch(places, ivec2(gl_FragCoord.xy), 0);
    vec4 d = texelFetch(details, ivec2(gl_FragCoord.xy), 0);
    texel = {result}({expression});
}}
"""
_KINDS: Final = {"": "float", "i": "int", "u": "uint"}


class Case(NamedTuple):
    """One sample on a device that lacks something."""

    target: str
    form: str
    state: SamplerState
    device: Device = Device()
    levels: int = 1
    texel_format: str = "RGBA32F"
    offset: tuple[int, ...] = ()
    component: int = 0
    data: bool = False

    @property
    def name(self) -> str:
        state = self.state
        wraps = "/".join(one.name for one in (state.wrap_s, state.wrap_t, state.wrap_r))
        filters = f"{state.min_img_filter.name}-{state.mag_img_filter.name}-{state.min_mip_filter.name}"
        return f"{self.target} {self.form} {wraps} {filters} {self.device.route} x{self.levels} {self.texel_format}"

    @property
    def prefix(self) -> str:
        return {"RGBA32I": "i", "RGBA32UI": "u"}.get(self.texel_format, "")


class Drawn(NamedTuple):
    """What a case sampled: natively, by the text, by the lesser sampler alone; and the text."""

    native: NDArray[Any]
    text: NDArray[Any]
    alone: NDArray[Any]
    function: SampleFunction

    @property
    def error(self) -> float:
        return float(np.abs(self.native.astype(np.float64) - self.text).max())

    @property
    def without(self) -> float:
        return float(np.abs(self.native.astype(np.float64) - self.alone).max())


def quads(case: Case, size: tuple[int, ...], seed: int = 3) -> NDArray[np.float32]:
    """Places, the four fragments of a quad near each other; of a cube in one direction."""
    target = TARGETS[case.target]
    if target.cube:
        return places(case.target, size, SIDE, seed)
    chance, count = np.random.default_rng(seed), SIDE // 2
    base = chance.uniform(-1.5, 2.5, (count, count, 1, 1, 4))
    steps = chance.uniform(-1, 1, (count, count, 2, 4)) * np.exp2(chance.integers(-6, 1, (count, count, 1, 1)))
    steps[:, :, 0, 1:] = steps[:, :, 1, ::2] = steps[:, :, 1, 3] = 0  # llvmpipe's own levels are exact along axes alone
    corners = np.arange(2.0)
    at = base + corners[None, None, :, None, None] * steps[:, :, 0, None, None]
    at = at + corners[None, None, None, :, None] * steps[:, :, 1, None, None]
    at = at.transpose(0, 2, 1, 3, 4).reshape(SIDE * SIDE, 4)
    if target.arrayed:
        layer = chance.uniform(-1, size[-1] + 1, (count, 1, count, 1))
        at[:, target.spatial] = np.broadcast_to(layer, (count, 2, count, 2)).reshape(-1)
    return at[:, : target.spatial + target.arrayed].astype(np.float32)


def details(seed: int = 5) -> NDArray[np.float32]:
    """A value to compare with; a level of detail and two gradients that a quad shares."""
    chance, count = np.random.default_rng(seed), SIDE // 2
    quad = np.stack([
        chance.integers(0, 40, (count, count)) / 8 - 0.9375,
        *(chance.uniform(-1, 1, (2, count, count)) * np.exp2(chance.integers(-6, 1, (count, count)))),
    ], axis=-1)  # fmt: skip
    each = quad.repeat(2, 0).repeat(2, 1).reshape(-1, 3)
    return np.hstack([chance.uniform(-0.2, 1.2, (SIDE * SIDE, 1)), each]).astype(np.float32)


def place_of(case: Case, taken: str = "") -> str:
    """GLSL of the place, with q where the form projects."""
    taken = taken or GL_TARGETS[case.target].taken
    if "project" not in case.form:
        return taken
    spatial = TARGETS[case.target].spatial
    return f"vec{spatial + 1}({taken} * (d.x + 1.5), d.x + 1.5)"


def gradients(case: Case) -> tuple[str, str]:
    return {1: ("d.z", "d.w"), 2: ("d.zw", "d.wz"), 3: ("d.zwz", "d.wzw")}[TARGETS[case.target].spatial]


def native(case: Case) -> str:
    """GLSL of the sample as a person writes it."""
    at, target, off = place_of(case), TARGETS[case.target], "Offset" if case.offset else ""
    words = [f"{'int' if len(case.offset) == 1 else f'ivec{len(case.offset)}'}({', '.join(map(str, case.offset))})"]
    offset = f", {words[0]}" if off else ""
    kind = case.form.removeprefix("compare_")
    if kind == "gather":
        third = "d.x" if case.form.startswith("compare") else str(case.component)
        order = f"{offset}, {third}" if not case.form.startswith("compare") else f", {third}{offset}"
        return f"textureGather{off}(image, {at}{order})"
    if case.form.startswith("compare"):
        if kind == "project":
            axes = "c.xy * (d.x + 1.5)" if target.spatial == 2 else "c.x * (d.x + 1.5), 0.0"
            at = f"vec4({axes}, d.x, d.x + 1.5)"
        elif target.spatial + target.arrayed < 4:
            fill = "0.0, " if case.target == "1d" else ""
            at = f"vec{max(3, target.spatial + target.arrayed + 1)}({at}, {fill}d.x)"
        else:
            at = f"{at}, d.x"
    first, second = gradients(case)
    return {
        "implicit": f"texture{off}(image, {at}{offset})",
        "compare": f"texture{off}(image, {at}{offset})",
        "project": f"textureProj{off}(image, {at}{offset})",
        "bias": f"texture{off}(image, {at}{offset}, d.y)",
        "level": f"textureLod{off}(image, {at}, d.y{offset})",
        "grad": f"textureGrad{off}(image, {at}, {first}, {second}{offset})",
    }[kind]


def called(case: Case, function: SampleFunction, at: str = "", first: tuple[str, ...] = ("image",)) -> str:
    """A call of the printed function."""
    one, other = gradients(case)
    given = {"more": "d.y", "lod": "d.y", "along_x": one, "along_y": other, "reference": "d.x"}
    words = [given[name] for name in FORMS[case.form].taken]
    (name,) = function.functions
    block = ["values"] * bool(function.values)
    return f"{name}({', '.join([*first, at or place_of(case), *words, *block])})"


def lesser(case: Case) -> tuple[SamplerState, Lowering, LoweringValues]:
    make = seamed if TARGETS[case.target].cube else lacking
    words = np.array([int(one) for one in _BORDER], "i4") if case.prefix else np.array(_BORDER, "f4")
    if case.state.compare_mode:
        words = np.array([0.5, 0, 0, 0], "f4")
    border = tuple(int(word) for word in words.view("u4"))
    state, lowering, values = make(case.state.replace(border_color=border), case.device)
    return state, lowering._replace(anisotropic=False), values


def printed(case: Case, language: str, **more: Any) -> SampleFunction:
    """The text of a case."""
    _, lowering, _ = lesser(case)
    texels = {"": "float", "i": "int", "u": "uint"}[case.prefix]
    wraps = "data" if case.data else "state"
    return sample_function(
        lowering, language, forms=[case.form], target=case.target, texels=texels, offset=case.offset,
        component=case.component, wraps=wraps, **more,
    )  # fmt: skip


def glsl_source(case: Case, function: SampleFunction | None) -> str:
    """A fragment shader that calls the function, or samples as it stands."""
    text = head = ""
    if function is not None:
        head = "".join(one for one in function.declarations if one.startswith("#"))
        text = function.text.replace(head, "") if head else function.text
        if function.values:
            cut = "".join(one for one in function.declarations if not one.startswith("#"))
            block = "layout(std140, binding = 7) uniform Block { SamplerValues values; };\n"
            text = text.replace(cut, cut + block)
    kind = f"{case.prefix}sampler{suffix(TARGETS[case.target])}{'Shadow' * ('compare' in case.form)}"
    expression = native(case) if function is None else called(case, function)
    return _SHADER.format(head=head, kind=kind, result=f"{case.prefix}vec4", text=text, expression=expression)


class Stage:
    """A case's texture, places and details on GL."""

    def __init__(self, gl: GL, case: Case) -> None:
        self.gl, self.case = gl, case
        self.canvas = Canvas(gl, SIDE)
        self.scene = Scene(self.canvas, case.target, levels=case.levels, texel_format=case.texel_format)
        self.at = quads(case, self.scene.size)
        self.fields = [self.canvas.field(self.at), self.canvas.field(details())]
        self.state, self.lowering, self.values = lesser(case)
        self.block = st.border_values([self.values])

    def picture(
        self,
        source: str | bytes,
        state: SamplerState,
        border: tuple[float, ...] = (0.0,) * 4,
        vertex: str | bytes = COVERING,
    ) -> NDArray[Any]:
        """Draw a fragment shader, text or a module, with a sampler."""
        gl, case = self.gl, self.case
        vertex = vertex if isinstance(source, str) else compiled(COVERING, "vert")
        program = build(gl, {"vertex": vertex, "fragment": source})
        bound = sampler(gl, gl_parameters(state), border, self.scene.texels.kind)
        gl.call("glEnable" if state.seamless_cube_map else "glDisable", 0x884F)
        units = {unit: (0x0DE1, field, 0) for unit, field in enumerate(self.fields, 1)}
        units[0] = (self.scene.gl_target.number, self.scene.name, bound)
        kind = _KINDS[case.prefix]
        made = draw(gl, program, (SIDE, SIDE), kind=kind, textures=units, uniform={_BLOCK[1]: self.block})
        gl.call("glDeleteProgram", program)
        gl.call("glDeleteSamplers", 1, [bound])
        return np.frombuffer(made, {"float": "f4", "int": "i4", "uint": "u4"}[kind]).reshape(-1, 4)

    def close(self) -> None:
        names = [*self.fields, self.scene.name]
        self.gl.call("glDeleteTextures", len(names), names)

    def drawn(self, function: SampleFunction) -> Drawn:
        """Beside GL's own sampler."""
        case = self.case
        border = struct.unpack("<4f", struct.pack("<4I", *self.values.border))
        if case.prefix:
            border = tuple(float(one) for one in np.array(self.values.border, "u4").view(f"{case.prefix}4"))
        plain = glsl_source(case, None)
        return Drawn(
            self.picture(plain, case.state, border),
            self.picture(glsl_source(case, function), self.state),
            self.picture(plain, self.state),
            function,
        )

    def alike(self, function: SampleFunction) -> tuple[NDArray[Any], NDArray[Any]]:
        """The text, and the rewritten module, both as modules on one device."""
        lowered = st.lower(compiled(glsl_source(self.case, None)), {(0, 0): self.lowering}, values=_BLOCK)
        return self.picture(compiled(glsl_source(self.case, function)), self.state), self.picture(
            lowered.module, self.state
        )
