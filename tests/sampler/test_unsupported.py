"""`statetracker.sampler.unsupported`: bounds hold, are reached, and the other half is exact."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

import statetracker as st
from statetracker.caps import Screen
from statetracker.errors import ArgumentError
from statetracker.reference import Texels, TextureUnit
from statetracker.sampler import DIALECTS, UnsupportedClamp, sampler_state, unsupported_clamps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.frontend import Result

ZINK = Screen.named("zink-lavapipe")
BORDER = (2.0, -1.0, 0.5, 3.0)
#: Minify, magnify -> what is off in dialects that look at the min filter alone, and in those that look at both.
# fmt: off
MIXED = {
    #                      seed                    21.2 and later
    ("linear", "linear"):   ([],                    []),
    ("nearest", "nearest"): (["gather"],            ["gather"]),
    ("linear", "nearest"):  (["magnify"],           ["minify", "gather"]),
    ("nearest", "linear"):  (["magnify", "gather"], ["magnify", "gather"]),
}
# fmt: on
_SHAPES = {"1d": (4,), "2d": (4, 8), "3d": (4, 2, 8)}


def converted(smallest: str, largest: str, *, dialect: str = "mesa22", target: str = "2d", **fields: Any) -> Result:
    wraps = {"wrap": "clamp", "border_color": BORDER} | fields
    sampler = st.Sampler(min_filter=smallest, mag_filter=largest, **wraps)
    return st.convert(sampler, st.Texture(target, "RGBA32F"), ZINK, dialect=dialect)


def clamps(result: Result) -> tuple[UnsupportedClamp, ...]:
    """What is lost, which is halves of GL_CLAMP alone."""
    assert all(isinstance(one, UnsupportedClamp) for one in result.unsupported)
    return cast("tuple[UnsupportedClamp, ...]", result.unsupported)


@pytest.mark.parametrize("dialect", [name for name, row in DIALECTS.items() if row.clamp_filter != "never"])
@pytest.mark.parametrize(("smallest", "largest"), MIXED)
def test_each_dialect_names_the_halves_that_its_choice_of_wrap_leaves_off(
    smallest: str, largest: str, dialect: str
) -> None:
    """The specification's table of mixed filters; gathers want the border whatever the filter."""
    losses = clamps(converted(smallest, largest, dialect=dialect))
    assert [loss.half for loss in losses] == MIXED[smallest, largest][dialect != "seed"]


def sampled(result: Result, image: Texels, points: NDArray[Any], lod: float, *, shaded: bool) -> NDArray[Any]:
    needs = result.lowering
    if shaded:
        columns = list(points.T)
        for axis, letter in enumerate("str"[: len(columns)]):
            column = np.abs(columns[axis]) if letter in needs.mirror else columns[axis]
            columns[axis] = np.clip(column, 0, 1) if letter in needs.clamp + needs.mirror else column
        points = np.stack(columns, axis=-1)
    return TextureUnit(result.pipe, image).sample(points, lod=lod)


@pytest.mark.parametrize("target", _SHAPES)
@pytest.mark.parametrize("wrap", ["clamp", "mirror-clamp-ext"])
@pytest.mark.parametrize("dialect", ["seed", "mesa22"])
@pytest.mark.parametrize(("smallest", "largest"), MIXED)
def test_only_the_named_half_is_off_and_by_the_bound_and_no_more(
    smallest: str, largest: str, dialect: str, wrap: str, target: str
) -> None:
    """On texels that are all 0 or 1 the bound is reached, at a corner; elsewhere nothing passes it."""
    result = converted(smallest, largest, dialect=dialect, target=target, wrap=wrap)
    asked = st.convert(
        st.Sampler(wrap=wrap, border_color=BORDER, min_filter=smallest, mag_filter=largest),
        st.Texture(target, "RGBA32F"),
        ZINK.replace(emulate_gl_clamp=False),
        dialect=dialect,
    )
    shape = _SHAPES[target]
    steps = np.linspace(-1.5, 2.5, 17 if len(shape) < 3 else 9)
    points = np.array(list(product(steps, repeat=len(shape))))
    off = {loss.half: loss for loss in clamps(result)}
    for texel in (0.0, 1.0):
        image = Texels(target, [np.full((*shape, 4), texel)])
        for half, lod in (("minify", 1.0), ("magnify", -1.0)):
            wanted = sampled(asked, image, points, lod, shaded=False)
            apart = np.abs(sampled(result, image, points, lod, shaded=True) - wanted)
            bound = off[half].at_most(BORDER, (texel, texel)) if half in off else 0.0
            assert apart.max() == pytest.approx(bound, abs=1e-12)


@pytest.mark.parametrize("filters", MIXED)
def test_a_gather_is_off_exactly_where_it_is_named(filters: tuple[str, str]) -> None:
    """By the whole distance: it returns texels, not their mean."""
    result = converted(*filters)
    asked = sampler_state(
        st.Sampler(wrap="clamp", border_color=BORDER, min_filter=filters[0], mag_filter=filters[1]),
        st.Texture("2d", "RGBA32F"),
        ZINK.replace(emulate_gl_clamp=False),
    )
    image = Texels("2d", [np.full((4, 4, 4), 0.25)])
    points = np.array(list(product(np.linspace(-1, 2, 25), repeat=2)))
    given = TextureUnit(result.pipe, image).gather(np.clip(points, 0, 1))
    apart = np.abs(given - TextureUnit(asked, image).gather(points)).max()
    losses = [loss for loss in clamps(result) if loss.half == "gather"]
    assert apart == sum(loss.at_most(BORDER[:1], (0.25, 0.25)) for loss in losses)


@pytest.mark.parametrize(("wraps", "share"), [({"wrap_s": "clamp"}, 0.5), ({"wrap_t": "clamp"}, 0.5), ({}, 0.75)])
def test_a_corner_mixes_in_more_of_the_border_than_an_edge(wraps: dict[str, str], share: float) -> None:
    """Half on one axis, three quarters on two."""
    fields = {"wrap": "repeat"} | wraps if wraps else {}
    (loss, _) = clamps(converted("nearest", "linear", **fields))
    assert (loss.share, loss.formula) == (share, f"{share} * |border - edge texel|")


def test_the_number_follows_border_and_texels() -> None:
    """The farthest component decides; NaN stays NaN; comparisons are between 0 and 1."""
    loss = UnsupportedClamp("minify", "s", "edge", 0.5)
    assert loss.at_most(BORDER) == 1.5
    assert loss.at_most([0.5], (0.25, 1.0)) == 0.25
    assert np.isnan(loss.at_most([1.0, float("nan")]))
    assert UnsupportedClamp("minify", "s", "edge", 0.5, compares=True).at_most([9.0]) == 0.5
    with pytest.raises(ArgumentError, match="texels"):
        loss.at_most(BORDER, (1.0, 0.0))
    with pytest.raises(ArgumentError, match="border"):
        loss.at_most([])


def test_a_loss_reads_as_one_line_and_stands_in_the_explanation() -> None:
    """Half, axes, what is read, by how much."""
    result = converted("nearest", "linear")
    line = (
        "magnify (st): reads the edge texel alone where GL mixes in the border; "
        "off by at most 0.75 * |border - edge texel|"
    )
    assert str(clamps(result)[0]) == line
    assert line in str(result.explain())
    assert len({clamps(result)[0], clamps(result)[0]}) == 1


@pytest.mark.parametrize("fields", [{"wrap": "clamp-to-border"}, {"wrap": "repeat", "wrap_r": "clamp"}])
def test_wraps_that_hardware_has_and_axes_that_a_texture_lacks_lose_nothing(fields: dict[str, str]) -> None:
    """R of a 2D texture is no axis."""
    assert clamps(converted("linear", "nearest", **fields)) == ()


@pytest.mark.parametrize("target", ["buffer", "2d-multisample"])
def test_textures_that_are_not_filtered_lose_nothing(target: str) -> None:
    assert clamps(converted("nearest", "linear", target=target)) == ()


@pytest.mark.parametrize("seamless", [False, True])
def test_a_cube_is_off_at_the_edges_of_its_faces_unless_it_has_none(seamless: bool) -> None:
    sampler = st.Sampler(wrap="clamp", min_filter="nearest", mag_filter="linear")
    result = st.convert(sampler, st.Texture("cube-map", "RGBA8"), ZINK, seamless=seamless)
    assert [loss.half for loss in clamps(result)] == ([] if seamless else ["magnify", "gather"])


def test_native_hardware_loses_nothing() -> None:
    """It has GL_CLAMP."""
    facts, llvmpipe = st.Texture("2d", "RGBA8").facts(), Screen.named("llvmpipe")
    sampler = st.Sampler(wrap="clamp", min_filter="linear", mag_filter="nearest")
    assert unsupported_clamps(sampler, facts, llvmpipe, sampler_state(sampler, facts, llvmpipe)) == ()


def test_integers_with_linear_filters_read_the_border_at_the_far_end() -> None:
    """Mesa 22.3 turns the filters after it chose the wrap; such a texture is incomplete in GL."""
    sampler = st.Sampler(wrap="clamp", min_filter="linear", mag_filter="linear")
    result = st.convert(sampler, st.Texture("2d", "RGBA8UI", size=(4, 4)), ZINK)
    assert [(loss.half, loss.reads) for loss in clamps(result)] == [("minify", "border"), ("magnify", "border")]
    assert "filter" in result.incomplete


def test_a_minimum_or_maximum_may_be_the_border_itself() -> None:
    """In place of the mean; so the whole distance."""
    losses = clamps(converted("nearest", "linear", reduction_mode="max"))
    assert [loss.share for loss in losses] == [1.0, 1.0]
