"""Printed GLSL on llvmpipe: as GL's own sampler does, and bit for bit what `st.lower` makes of the same sample."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from statetracker.bindings import egl
from statetracker.conformance.drivers import driver
from statetracker.pipe import Func, TexFilter, TexMipfilter, TexWrap
from statetracker.shader.text import FORMS, TARGETS
from statetracker.shader.text.template import ONLY
from tests.shader.sampled import state
from tests.shader.text.drawn import Case, Stage, glsl_source, printed
from tools.environment import environment
from tools.proofs.pixels.gl_draw import COVERING
from tools.proofs.pixels.lacking import Device

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.bindings.gl import GL

pytestmark = pytest.mark.live("egl:llvmpipe", "glslangValidator")

LINEAR, NEAREST, MIPS = TexFilter.LINEAR, TexFilter.NEAREST, TexMipfilter.LINEAR
#: Of llvmpipe's levels for gradients, beside borders up to 5; as docs/shader_lowering.md says of `lower`.
LEVELS: Final = 0.15
COMPARES: Final[Any] = {"compare_mode": 1, "compare_func": Func.LEQUAL}
DEVICES: Final = (Device(), Device("predefined"), Device(filters=False))
WRAPS: Final = (
    *(TexWrap.CLAMP_TO_BORDER, TexWrap.CLAMP, TexWrap.MIRROR_CLAMP, TexWrap.MIRROR_CLAMP_TO_EDGE),
    *(TexWrap.MIRROR_CLAMP_TO_BORDER, TexWrap.REPEAT),
)


def every_case() -> Iterator[Case]:
    """Every form, target, wrap, filter and device; cubes without seams, whose borders llvmpipe does not show."""
    for target, form in product(TARGETS, FORMS):
        if form == "fetch" or target not in ONLY.get(form, TARGETS):
            continue
        if form == "compare_level" and target not in {"1d", "2d", "1d-array"}:
            continue  # GLSL 4.50 has no such overload to compare with
        compares, gathers = form.startswith("compare"), "gather" in form
        wraps = (TexWrap.CLAMP_TO_EDGE,) if TARGETS[target].cube else WRAPS
        for wrap, device, (image, mip) in product(
            wraps, DEVICES, ((LINEAR, TexMipfilter.NONE), (NEAREST, TexMipfilter.NONE), (LINEAR, MIPS))
        ):
            if mip == MIPS and gathers:
                continue
            made = state(wrap, image, min_mip_filter=mip, **(COMPARES if compares else {}))
            levels, texels = 3 if mip == MIPS else 1, "DEPTH32F" if compares else "RGBA32F"
            yield Case(target, form, made, device, levels, texels)


#: One in 41 of all, so that every form and target comes, and what is not among them.
DRAWN: Final = [
    *list(every_case())[::41],
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
    with environment(driver("llvmpipe").environment), egl.Context() as context:
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


#: What is done to the text, and undone by no other part of it.
EDITS: Final = (
    ("size + 0.5 - in_texels", "size - in_texels"),
    ("values.border * outside", "values.border"),
    ("coarse_weight * (1.0 - coverage_2)", "coarse_weight"),
    ("floor(sampled_level)", "ceil(sampled_level)"),
)


@pytest.mark.parametrize(("right", "wrong"), EDITS)
def test_an_edit_of_the_text_is_noticed(canvas: GL, right: str, wrong: str) -> None:
    case = Case("2d", "level", state(TexWrap.CLAMP_TO_BORDER, min_mip_filter=MIPS), levels=3)
    function = printed(case, "glsl")
    assert right in function.text
    stage = Stage(canvas, case)
    edited = function._replace(text=function.text.replace(right, wrong))
    assert stage.drawn(edited).error > 0.01
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
