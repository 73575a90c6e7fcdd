"""Lowered shaders against native sampling, drawn by the machine's GL; wider with ``make pixels``."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

import statetracker as st
from statetracker.bindings.gl import GL
from statetracker.pipe import TexFilter, TexMipfilter
from tools.proofs.pixels.clamp_forms import FORMS, Form
from tools.proofs.pixels.lacking import lacking
from tools.proofs.pixels.lowered_formats import LOOKS, Look, compare_format
from tools.proofs.pixels.lowered_run import (
    CUBES,
    DEVICES,
    WRAPS,
    Case,
    asked_for,
    compare_lowered,
    drawn_case,
)

pytestmark = pytest.mark.live("egl", "glslangValidator")

#: Of texels in [0, 1] and a border up to 5.
CLOSE = 2e-5
VISIBLE = 0.25


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_borders_on_a_lesser_device_are_the_native_ones(gl: GL, form: Form, device: str) -> None:
    case = Case(("bnb", "rrr", "nbb", "cbn")[: len(form.wraps)], device, (), {})
    comparison = compare_lowered(gl, form, case)
    assert comparison.largest <= CLOSE
    assert comparison.alone > VISIBLE or "constant" in form.name
    assert not comparison.unresolved


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_any_state_on_a_lesser_device_is_the_native_one(gl: GL, form: Form, whole: bool) -> None:
    chance = Random(form.name)  # noqa: S311 (cases)
    for _ in range(40 if whole else 1):
        case = drawn_case(form, chance)
        comparison = compare_lowered(gl, form, case)
        assert (comparison.largest <= CLOSE, comparison.unresolved) == (True, 0), case


def test_fractional_limits_that_are_not_opened_show_near_the_border(gl: GL) -> None:
    """The second sample is of a whole level, which the sampler's own limits would move."""
    form = FORMS["mipmaps 2d"]
    members = {"min_lod": 0.25, "max_lod": 1.75}
    assert compare_lowered(gl, form, Case(("bbb",), "edge", (), members)).largest <= CLOSE
    state, lowering, _ = lacking(asked_for(form, "bbb", **members), DEVICES["edge"])
    assert (lowering.limit_lod, state.min_lod, state.max_lod) == (True, 0.0, 2.0)


@pytest.mark.parametrize("device", ["edge", "no filtering"])
@pytest.mark.parametrize("form", CUBES.values(), ids=CUBES)
def test_a_face_of_a_cube_is_that_of_one_without_seams(gl: GL, form: Form, device: str) -> None:
    """Of an implicit level with filters that differ it is within the precision of levels, and so not compared."""
    for minify, magnify, mips in product(TexFilter, TexFilter, TexMipfilter):
        if minify != magnify and form.name == "cube":
            continue
        members = {"min_img_filter": minify, "mag_img_filter": magnify, "min_mip_filter": mips}
        comparison = compare_lowered(gl, form, Case(form.wraps, device, (), members))
        assert (comparison.largest <= CLOSE, comparison.unresolved) == (True, 0), members
    assert compare_lowered(gl, form, Case(form.wraps, device, (), {})).alone > VISIBLE


def test_nearest_filters_are_equal_bit_for_bit(gl: GL) -> None:
    members = {"min_img_filter": TexFilter.NEAREST, "mag_img_filter": TexFilter.NEAREST,
               "min_mip_filter": TexMipfilter.NONE}  # fmt: skip
    for letter in WRAPS.keys() - {"r"}:
        assert compare_lowered(gl, FORMS["implicit 2d"], Case((letter * 3,), "edge", (), members)).largest == 0


def test_without_the_lowering_the_picture_is_another_by_the_border(gl: GL) -> None:
    """What the comparison is worth: it sees a border that is missing, and a filter."""
    for wraps, device, least in (*(("bbb", device, 4.0) for device in DEVICES), ("rrr", "no filtering", VISIBLE)):
        assert compare_lowered(gl, FORMS["implicit 2d"], Case((wraps,), device, (), {})).alone > least


#: An Apple A12: neither custom border colours nor mirrored clamps.
DEVICE = st.Screen.device(report=38162)


@pytest.mark.parametrize("wrap", ["clamp-to-border", "clamp"])
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_the_border_is_what_the_format_shows_of_the_colour(gl: GL, look: Look, wrap: str) -> None:
    largest, alone = compare_format(gl, look, wrap, DEVICE)
    assert largest <= look.step
    if wrap == "clamp-to-border" or look.kind not in {"int", "uint"}:  # of integers GL_CLAMP is the edge
        assert alone > 0.2
