"""Printed GLSL drawn beside GL's own samplers, and beside what `st.lower` makes of the same sample."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import statetracker as st
from statetracker.bindings.gl import build
from statetracker.shader.text.language import suffix
from statetracker.shader.text.template import TARGETS
from tests.shader.text.cases import SIDE, Case, called, details, gradients, lesser, place_of, quads
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.gl_draw import COVERING, draw, sampler
from tools.proofs.pixels.scene import Canvas, Scene, gl_parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.bindings.gl import GL
    from statetracker.pipe import SamplerState
    from statetracker.shader.text import SampleFunction

_BLOCK: Final = (0, 7)
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
