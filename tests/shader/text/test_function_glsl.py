"""Printed GLSL on llvmpipe: as GL's own sampler does, and bit for bit what `st.lower` makes of the same sample."""

from __future__ import annotations

import os
import struct
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import settings

import statetracker as st
from statetracker.bindings import egl
from statetracker.bindings.gl import build
from statetracker.conformance.drivers import driver
from statetracker.pipe import TexMipfilter, TexWrap
from statetracker.shader.text.language import suffix
from statetracker.shader.text.template import TARGETS
from tests.shader.sampled import state
from tests.shader.text.cases import (
    LEVELS,
    MIPS,
    NEAREST,
    SIDE,
    Case,
    called,
    details,
    every_case,
    lesser,
    native,
    printed,
    quads,
    said,
)  # fmt: skip
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.gl_draw import COVERING, draw, sampler
from tools.proofs.pixels.scene import Canvas, Scene, gl_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from statetracker.bindings.gl import GL
    from statetracker.pipe import SamplerState
    from statetracker.shader.text import SampleFunction

pytestmark = pytest.mark.live("egl:llvmpipe", "glslangValidator")

#: One in 41 of all (``make texts``: all), so that every form and target comes, and what is not among them.
DRAWN: Final = [
    *said(islice(every_case(), 0, None, 1 if settings.get_current_profile_name() == "texts" else 41), "glsl"),
    Case("2d", "implicit", state(TexWrap.CLAMP_TO_BORDER), offset=(1, -2)),
    Case("2d", "gather", state(TexWrap.CLAMP), offset=(1, -2), component=2),
    Case("3d", "level", state(TexWrap.MIRROR_CLAMP, min_mip_filter=MIPS), levels=3, offset=(1, 0, -1)),
    Case("2d", "level", state(TexWrap.CLAMP_TO_BORDER, NEAREST), texel_format="RGBA32I"),
    Case("2d", "gather", state(TexWrap.CLAMP_TO_BORDER, NEAREST), texel_format="RGBA32UI"),
    Case("2d", "level", state(TexWrap.CLAMP_TO_BORDER, min_mip_filter=MIPS, min_lod=0.25, max_lod=1.625), levels=3),
    Case("2d", "implicit", state(TexWrap.CLAMP, min_mip_filter=MIPS, lod_bias=0.75), levels=3),
]
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

    def native(self) -> NDArray[Any]:
        """What GL's own sampler samples."""
        border = struct.unpack("<4f", struct.pack("<4I", *self.values.border))
        if self.case.prefix:
            border = tuple(float(one) for one in np.array(self.values.border, "u4").view(f"{self.case.prefix}4"))
        return self.picture(glsl_source(self.case, None), self.case.state, border)

    def error(self, function: SampleFunction) -> float:
        """How far a text is from that at most."""
        text = self.picture(glsl_source(self.case, function), self.state)
        return float(np.abs(self.native().astype(np.float64) - text).max())

    def alike(self, function: SampleFunction) -> tuple[NDArray[Any], NDArray[Any]]:
        """The text, and the rewritten module, both as modules on one device."""
        lowered = st.lower(compiled(glsl_source(self.case, None)), {(0, 0): self.lowering}, values=_BLOCK)
        return self.picture(compiled(glsl_source(self.case, function)), self.state), self.picture(
            lowered.module, self.state
        )


@pytest.fixture(scope="module")
def canvas() -> Iterator[GL]:
    with patch.dict(os.environ, driver("llvmpipe").environment), egl.Context() as context:
        yield context.gl


@pytest.mark.parametrize("case", DRAWN, ids=[f"{at} {one.name}" for at, one in enumerate(DRAWN)])
def test_the_text_samples_as_gl_and_bit_for_bit_as_the_rewritten_module(canvas: GL, case: Case) -> None:
    function = printed(case, "glsl")
    assert not function.unresolved
    stage = Stage(canvas, case)
    levels = any("level of detail" in one or "gradients" in one for one in function.inexact)
    assert stage.error(function) < (LEVELS if levels else 1e-5)
    if not any(word.startswith("#") for word in function.declarations):  # glslang lacks the extension
        text, module = stage.alike(function)
        assert text.tobytes() == module.tobytes()
    stage.close()


WRAPPED: Final = (TexWrap.REPEAT, TexWrap.CLAMP_TO_EDGE, TexWrap.CLAMP_TO_BORDER, TexWrap.CLAMP, TexWrap.MIRROR_REPEAT)


@pytest.mark.parametrize(("form", "levels"), [("level", 3), ("implicit", 1), ("gather", 1)])
def test_one_text_has_every_wrap_where_the_block_has_the_shares(canvas: GL, form: str, levels: int) -> None:
    """Of wraps="data": the text of one state samples as all others do."""
    mip = MIPS if levels > 1 else TexMipfilter.NONE
    cases = [Case("2d", form, state(wrap, min_mip_filter=mip), levels=levels, data=True) for wrap in WRAPPED]
    cases = [
        one._replace(state=one.state.replace(wrap_t=other)) for one, other in zip(cases, WRAPPED[::-1], strict=True)
    ]
    one_text = printed(cases[2], "glsl")
    for case in cases:
        stage = Stage(canvas, case)
        assert stage.error(one_text) < 1e-5
        stage.close()


def test_constants_stand_in_for_the_block(canvas: GL) -> None:
    case = Case("2d", "level", state(TexWrap.CLAMP, min_mip_filter=MIPS), levels=3)
    stage = Stage(canvas, case)
    function = printed(case, "glsl", constants=stage.values)
    assert not function.values
    assert stage.error(function) < 1e-5
    stage.close()


def test_gles_takes_its_levels_from_the_block(canvas: GL) -> None:
    """GLSL ES 3.00, in the same context (GL_ARB_ES3_compatibility)."""
    case = Case("2d", "level", state(TexWrap.CLAMP_TO_BORDER, min_mip_filter=MIPS), levels=3)
    function = printed(case, "glsl-es")
    stage = Stage(canvas, case)
    stage.block = stage.block[:44] + np.float32(3).tobytes()
    source = glsl_source(case, function).replace("#version 450", "#version 310 es\nprecision highp float;")
    source = source.replace("uniform sampler2D", "uniform highp sampler2D").replace(") out vec4", ") out highp vec4")
    vertex = COVERING.replace("#version 450", "#version 310 es").replace(
        "gl_VertexID & 1, ", "float(gl_VertexID & 1), "
    )
    vertex = vertex.replace(", gl_VertexID >> 1", ", float(gl_VertexID >> 1)")
    assert np.abs(stage.picture(source, stage.state, vertex=vertex) - stage.native()).max() < 1e-5
    stage.close()
