"""Rewritten shaders against native GL_CLAMP, drawn by the machine's GL; wider with ``make pixels``."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from statetracker.bindings.gl import GL
from tests.sampler.test_unsupported import clamps
from tools.proofs.pixels.clamp_forms import FORMS, SIDE, Form
from tools.proofs.pixels.clamp_run import BORDER, Stage, bias_precision, compare, resized
from tools.proofs.pixels.lowered_run import Case, compare_lowered

pytestmark = pytest.mark.live("egl", "glslangValidator")

#: What a form drawn without its rewrite is off by at least, of texels in [0, 1] and a border up to 5.
VISIBLE = 0.25
CLOSE = 1e-5
#: The places of a picture's columns, and of its rows.
STEPS = (np.arange(SIDE) + 0.55) / SIDE * 4 - 1.5
WHOLE = settings.get_current_profile_name() == "pixels"
SOME = ("implicit 1d", "implicit 2d", "implicit 3d", "offset 2d", "gather 2d", "mirror clamp 2d", "offset rect",
        "projection 2d", "shadow 2d", "dynamic index", "function", "implicit 2d-array")  # fmt: skip


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_rewritten_is_gl_clamp_and_without_it_the_picture_is_another(gl: GL, form: Form) -> None:
    comparison = compare(gl, form)
    allowed = {"exact": 0.0, "close": CLOSE, "bias": CLOSE}[form.judged]
    if form.judged == "bias" and "offset" not in form.name:
        # Levels are as exact as the driver has them: the same share of the range of values, 1 there and 5 here.
        share = bias_precision(gl, form)
        assert 1e-3 < share < 0.03
        allowed = share * 5
    assert comparison.largest <= allowed
    assert comparison.alone > VISIBLE
    assert not comparison.unresolved


@pytest.mark.parametrize("edge", range(1, 18) if WHOLE else (1, 3, 6, 17))
@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if form.levels == 1] if WHOLE else SOME)
def test_at_any_size_it_is_off_by_a_rounding_by_coordinates_and_by_coverage(gl: GL, name: str, edge: int) -> None:
    form, size = FORMS[name], resized(FORMS[name], edge)
    for comparison in (compare(gl, form, size), compare_lowered(gl, form, Case(form.wraps, "edge", size, {}))):
        assert comparison.largest <= CLOSE
        assert comparison.alone > VISIBLE / 2
        assert not comparison.unresolved


def test_equal_filters_are_right_and_nearest_ones_read_the_edge_and_need_no_rewrite(gl: GL) -> None:
    for filters, level in product(("nearest", "linear"), range(5)):
        members: dict[str, Any] = {"min_filter": f"{filters}-mipmap-nearest", "mag_filter": filters}
        comparison = compare(gl, FORMS[f"offset at level {level}.0"], **members)
        assert comparison.largest <= (CLOSE if filters == "linear" else 0)
    comparison = compare(gl, FORMS["implicit 2d"], min_filter="nearest", mag_filter="nearest")
    assert comparison.largest == comparison.alone == 0


def test_gather_through_nearest_filters_is_off_as_the_losses_say(gl: GL) -> None:
    stage = Stage(gl, FORMS["gather 2d"], min_filter="nearest", mag_filter="nearest")
    ((_, other),) = stage.both
    right, ours = stage.picture(stage.original, stage.native), stage.picture(stage.lowered.module, stage.chosen)
    (loss,) = clamps(other)
    assert loss.half == "gather"
    assert ((ours != right).any(axis=-1) == border_is_read(gathered=True)).all()
    assert 1 < np.abs(ours - right).max() <= loss.at_most(BORDER[:1])


def border_is_read(*, gathered: bool = False) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Texels of the picture whose linear footprint leaves the texture of 8 x 4; a gather sees those of weight 0 too."""
    inside = np.ones((SIDE, SIDE), np.bool_)
    for coordinate, size in zip(np.meshgrid(STEPS, STEPS), (8, 4), strict=True):
        u = np.round(coordinate * size, 9)
        inside &= (u >= 0.5) & ((u < size - 0.5) if gathered else (u <= size - 0.5))
    return ~inside


@pytest.mark.parametrize("dialect", ["mesa22", "seed"])
@pytest.mark.parametrize(("minify", "magnify"), [("linear", "nearest"), ("nearest", "linear")])
@pytest.mark.parametrize("half", ["minify", "magnify"])
def test_mixed_filters_are_off_exactly_where_the_losses_say(
    gl: GL, dialect: str, minify: str, magnify: str, half: str
) -> None:
    lod = 0.4 if half == "minify" else -0.4
    form = FORMS["lod 2d"]._replace(expression=f"textureLod(s, AT, {lod})")
    stage = Stage(gl, form, dialect=dialect, min_filter=minify, mag_filter=magnify)
    ((_, other),) = stage.both
    right, ours = stage.picture(stage.original, stage.native), stage.picture(stage.lowered.module, stage.chosen)
    off = (np.abs(ours - right) > 1e-6).any(axis=-1)
    losses = {loss.half: loss for loss in clamps(other)}
    assert set(losses) - {"gather"} <= {"minify", "magnify"}
    if half not in losses:
        assert not off.any()
        return
    s, t = np.meshgrid(STEPS, STEPS)  # nearest through CLAMP_TO_BORDER: the border from the upper edges on
    assert (off == (border_is_read() if losses[half].reads == "edge" else (s >= 1) | (t >= 1))).all()
    assert 1 < np.abs(ours - right).max() <= losses[half].at_most(BORDER)
