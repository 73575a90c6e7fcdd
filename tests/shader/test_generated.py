"""`st.lower` on generated shaders: any mixture of forms, operands, arrays and ways to a sampler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import statetracker as st
from statetracker.pipe import Func, Lowering, TexFilter, TexMipfilter
from statetracker.pipe.lowering import AXES
from statetracker.shader import Lowered
from statetracker.shader.sample_ops import SAMPLES
from statetracker.spirv import Module
from tests.shader.modules import Sample, module, samples
from tests.shader.validator import assert_valid

if TYPE_CHECKING:
    from statetracker.shader.request import Request

SHADERS = some.lists(samples(), min_size=1, max_size=6)
CUBE = 3


@some.composite
def wraps(draw: some.DrawFn) -> Lowering:
    """Draw the axes of one sampler."""
    modes = draw(some.tuples(*[some.sampled_from(["", "clamp", "mirror"])] * 3))
    letters = {
        mode: "".join(letter for letter, one in zip("str", modes, strict=True) if one == mode)
        for mode in ("clamp", "mirror")
    }
    return Lowering(clamp=letters["clamp"], mirror=letters["mirror"])


def requested(axes: list[Lowering], forms: list[Sample]) -> Request:
    """Ask each binding for its axes; of a longer array only for every second element, in odd bindings for the last."""
    return {
        (0, at): [one if n % 2 == at % 2 else Lowering() for n in range(form.elements, 0, -1)]
        if form.elements > 1
        else one
        for at, (form, one) in enumerate(zip(forms, axes, strict=False))
    }


def expected(at: int, form: Sample, axes: Lowering) -> bool:
    """Whether a sample has to be rewritten: a clamped axis that the image has, of an element that can be meant."""
    count = 0 if form.dim == CUBE else form.spatial
    asked = any(letter in axes.clamp + axes.mirror for letter in "str"[:count])
    return asked and (form.elements <= 1 or form.dynamic or at % 2 == 1)


@given(SHADERS, some.lists(wraps(), min_size=6, max_size=6))
@settings(max_examples=150)
def test_each_sample_is_rewritten_where_an_axis_of_its_own_is_clamped_and_nowhere_else(
    forms: list[Sample], axes: list[Lowering]
) -> None:
    made, results = module(forms)
    result = st.lower(made, requested(axes, forms))
    assert not result.unresolved
    rewritten = sorted(note.descriptor[1] for note in result.rewritten if note.descriptor is not None)
    assert rewritten == [at for at, form in enumerate(forms) if expected(at, form, axes[at])]
    if not rewritten:
        assert result.module == made
    _results_stay(result, made, results, rewritten, forms)


def _results_stay(result: Lowered, made: bytes, results: list[int], rewritten: list[int], forms: list[Sample]) -> None:
    """Types of results stay; what is clamped takes its level from nothing that the clamp could change."""
    before, after = Module.read(made).definitions, Module.read(result.module).definitions
    for at, ident in enumerate(results):
        if forms[at].via == "function":
            continue  # in a copy, under another id
        assert after[ident].type_id == before[ident].type_id
        if at in rewritten and after[ident].opcode in SAMPLES:
            form = SAMPLES[after[ident].opcode]
            assert (form.implicit, form.project) == (False, False)


@given(SHADERS, some.lists(wraps(), min_size=6, max_size=6))
@settings(max_examples=25)
def test_the_same_shader_and_request_give_the_same_bytes(forms: list[Sample], axes: list[Lowering]) -> None:
    made, _ = module(forms)
    request = requested(axes, forms)
    assert st.lower(made, request) == st.lower(made, request)


@some.composite
def lowerings(draw: some.DrawFn) -> Lowering:
    """Draw any work, of wraps and of everything else; filters that agree with the texels are not asked for."""
    axes = {name: draw(some.sampled_from(AXES)) for name in ("fold", "border", "half_border", "repeat", "reflect")}
    axes["half_border"] = "".join(letter for letter in axes["half_border"] if letter not in axes["border"])
    covered = axes["border"] + axes["half_border"]
    taken = covered + axes["fold"]
    for name in ("clamp", "mirror"):
        axes[name] = "".join(letter for letter in draw(some.sampled_from(AXES)) if letter not in taken)
        taken += axes[name]
    flags = ("normalize", "cube_edges", "add_lod_bias", "limit_lod", "filter_texels", "fixed_depth", "anisotropic")
    return Lowering(
        **axes,  # type: ignore[arg-type]
        **{name: draw(some.booleans()) for name in flags},  # type: ignore[arg-type]
        route=("edge" if axes["half_border"] else draw(some.sampled_from(["edge", "predefined"]))) if covered else "",
        swizzle=draw(some.sampled_from(["", "", "RRR1", "000R", "BGRA", "1111"])),
        ones=draw(some.sampled_from(["", "a", "rgba"])),
        min_img_filter=draw(some.sampled_from(TexFilter)),
        mag_img_filter=draw(some.sampled_from(TexFilter)),
        min_mip_filter=draw(some.sampled_from(TexMipfilter)),
        compare_func=draw(some.sampled_from(Func)),
    )


@given(some.lists(samples(), min_size=1, max_size=4), some.lists(lowerings(), min_size=4, max_size=4))
def test_without_queries_of_levels_anisotropy_decides_nothing_but_at_a_cube_s_edges(
    forms: list[Sample], rows: list[Lowering]
) -> None:
    """So a renderer that asks for no level keeps its modules where a user changes anisotropy."""
    made, _ = module(forms)
    modules = {
        st.lower(
            made,
            {(0, at): row if row.cube_edges else row._replace(anisotropic=on) for at, row in enumerate(rows)},
            values=(5, 3),
            keep_going=True,
            lod_query=False,
        ).module
        for on in (False, True)
    }
    assert len(modules) == 1


#: Environment of spirv-val -> whether modules are OpenGL's, the place of their block.
ENVIRONMENTS: Final = {"vulkan1.1": (False, (5, 3)), "opengl4.5": (True, (0, 60))}


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("environment", ENVIRONMENTS)
@given(some.data(), some.lists(some.one_of(wraps(), lowerings()), min_size=15, max_size=15), some.booleans())
def test_any_work_at_any_sample_gives_a_module_that_passes_spirv_val(
    environment: str, data: some.DataObject, rows: list[Lowering], query: bool
) -> None:
    """With `make modules` of 1,000 modules for Vulkan and 1,000 for OpenGL."""
    opengl, block = ENVIRONMENTS[environment]
    forms = data.draw(some.lists(samples(rectangles=opengl), min_size=2, max_size=5))
    made, _ = module(forms, opengl=opengl)
    assert_valid(made, environment)
    request = {
        (0, at): [rows[3 * at + n % 3] for n in range(form.elements)] if form.elements else rows[3 * at]
        for at, form in enumerate(forms)
    }
    assert_valid(st.lower(made, request, values=block, lod_query=query).module, environment)
