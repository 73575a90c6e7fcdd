"""Printed GLSL on llvmpipe: as GL's own sampler does, and bit for bit what `st.lower` makes of the same sample."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import settings

from statetracker.bindings import egl
from statetracker.conformance.drivers import driver
from statetracker.pipe import TexMipfilter, TexWrap
from tests.shader.sampled import state
from tests.shader.text.cases import LEVELS, MIPS, NEAREST, Case, edited, every_case, printed, said
from tests.shader.text.drawn import Stage, glsl_source
from tools.proofs.pixels.gl_draw import COVERING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.bindings.gl import GL

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


@pytest.fixture(scope="module")
def canvas() -> Iterator[GL]:
    with patch.dict(os.environ, driver("llvmpipe").environment), egl.Context() as context:
        yield context.gl


@pytest.mark.parametrize("case", DRAWN, ids=[f"{at} {one.name}" for at, one in enumerate(DRAWN)])
def test_the_text_samples_as_gl_and_bit_for_bit_as_the_rewritten_module(canvas: GL, case: Case) -> None:
    function = printed(case, "glsl")
    assert not function.unresolved
    stage = Stage(canvas, case)
    drawn = stage.drawn(function)
    levels = any("level of detail" in one or "gradients" in one for one in function.inexact)
    assert drawn.error < (LEVELS if levels else 1e-5)
    if not any(word.startswith("#") for word in function.declarations):  # glslang lacks the extension
        text, module = stage.alike(function)
        assert text.tobytes() == module.tobytes()
    stage.close()


def test_without_the_function_most_states_are_far_off(canvas: GL) -> None:
    errors = []
    for case in DRAWN[:24]:
        stage = Stage(canvas, case)
        errors.append(stage.drawn(printed(case, "glsl")).without)
        stage.close()
    assert sum(error > 0.1 for error in errors) > 20


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
        assert stage.drawn(one_text).error < 1e-5
        stage.close()


def test_constants_stand_in_for_the_block(canvas: GL) -> None:
    case = Case("2d", "level", state(TexWrap.CLAMP, min_mip_filter=MIPS), levels=3)
    stage = Stage(canvas, case)
    function = printed(case, "glsl", constants=stage.values)
    assert not function.values
    assert stage.drawn(function).error < 1e-5
    stage.close()


def test_an_edit_of_the_text_is_noticed(canvas: GL) -> None:
    case = Case("2d", "level", state(TexWrap.CLAMP_TO_BORDER, min_mip_filter=MIPS), levels=3)
    stage = Stage(canvas, case)
    for function in edited(case, "glsl"):
        assert stage.drawn(function).error > 0.01
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
    native = stage.drawn(printed(case, "glsl")).native
    assert np.abs(stage.picture(source, stage.state, vertex=vertex) - native).max() < 1e-5
    stage.close()
