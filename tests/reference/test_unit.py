"""Samples by definition: the worked example of GL_CLAMP, filters, comparison, reduction, gathers, bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from statetracker.errors import ArgumentError
from statetracker.pipe import Func, SamplerState, TexReduction, TexWrap
from statetracker.reference import Texels, TextureUnit, bounds

LINEAR: dict[str, Any] = {
    "min_img_filter": "LINEAR",
    "mag_img_filter": "LINEAR",
    "min_mip_filter": "NONE",
    "max_lod": 1000.0,
}
ROW = Texels("1d", [[[value] * 4 for value in (10, 20, 40, 80)]])
BORDER = {"border_color": (200.0, 200.0, 200.0, 200.0)}

#: s -> GL_CLAMP, to edge, to border, saturated to border: four texels 10, 20, 40, 80 and border 200.
EXAMPLE = {
    -1.0: (105, 10, 200, 105),
    -0.125: (105, 10, 200, 105),
    -0.0625: (105, 10, 152.5, 105),
    0.0: (105, 10, 105, 105),
    0.03125: (81.25, 10, 81.25, 81.25),
    0.0625: (57.5, 10, 57.5, 57.5),
    0.125: (10, 10, 10, 10),
    0.25: (15, 15, 15, 15),
    0.5: (30, 30, 30, 30),
    0.75: (60, 60, 60, 60),
    0.875: (80, 80, 80, 80),
    0.9375: (110, 80, 110, 110),
    0.96875: (125, 80, 125, 125),
    1.0: (140, 80, 140, 140),
    1.0625: (140, 80, 170, 140),
    1.125: (140, 80, 200, 140),
    2.0: (140, 80, 200, 140),
}


def state(**fields: Any) -> SamplerState:
    """Linear, one level, unless said otherwise."""
    return SamplerState(**LINEAR).replace(**fields)


def sample(texels: Texels, at: Any, **fields: Any) -> Any:
    """Sample one place and give channel 0."""
    return TextureUnit(state(**fields), texels).sample([at])[0, 0]


@pytest.mark.parametrize("s", EXAMPLE)
def test_worked_example_of_gl_clamp(s: float) -> None:
    """Half the border and half the edge texel outside, neither alone."""
    clamp, edge, border, saturated = EXAMPLE[s]
    assert sample(ROW, [s], wrap_s="CLAMP", **BORDER) == clamp == saturated
    assert sample(ROW, [s], wrap_s="CLAMP_TO_EDGE", **BORDER) == edge
    assert sample(ROW, [s], wrap_s="CLAMP_TO_BORDER", **BORDER) == border
    assert sample(ROW, [min(max(s, 0), 1)], wrap_s="CLAMP_TO_BORDER", **BORDER) == saturated


@pytest.mark.parametrize(("s", "value"), [(-1, 10), (0.2499, 10), (0.25, 20), (0.5, 40), (0.75, 80), (1, 80), (2, 80)])
def test_nearest_gl_clamp_never_reads_the_border(s: float, value: float) -> None:
    """Unlike border with a saturated coordinate."""
    nearest = {"min_img_filter": "NEAREST", "mag_img_filter": "NEAREST"}
    assert sample(ROW, [s], wrap_s="CLAMP", **nearest, **BORDER) == value
    assert sample(ROW, [1.0], wrap_s="CLAMP_TO_BORDER", **nearest, **BORDER) == 200


def test_corner_of_gl_clamp_is_three_quarters_border() -> None:
    corner = Texels("2d", [np.full((4, 4, 4), 40.0)])
    assert sample(corner, [-1, -1], wrap_s="CLAMP", wrap_t="CLAMP", **BORDER) == 200 * 3 / 4 + 40 / 4


@given(
    some.integers(1, 17),
    some.floats(-3, 3, width=32),
    some.sampled_from([("CLAMP", lambda s: min(max(s, 0), 1)), ("MIRROR_CLAMP", lambda s: min(abs(s), 1))]),
)
def test_emulation_equals_gl_clamp(size: int, s: float, rule: tuple[str, Any]) -> None:
    """Folded coordinate and CLAMP_TO_BORDER, any size."""
    texels = Texels("1d", [np.random.default_rng(size).random((size, 4))])
    wrap, fold = rule
    asked = sample(texels, [s], wrap_s=wrap, **BORDER)
    assert sample(texels, [fold(s)], wrap_s="CLAMP_TO_BORDER", **BORDER) == pytest.approx(asked, rel=1e-12)


@pytest.mark.parametrize("func", Func)
def test_comparison_is_with_each_texel_before_filtering(func: Func) -> None:
    """Reference FUNC texel, then the share that passes."""
    texels = Texels("1d", [[[0.25] * 4, [0.75] * 4]], kind="unorm-depth")
    unit = TextureUnit(state(compare_mode="R_TO_TEXTURE", compare_func=func, wrap_s="CLAMP_TO_EDGE"), texels)
    passes = {
        "NEVER": (0, 0), "LESS": (0, 1), "EQUAL": (1, 0), "LEQUAL": (1, 1),
        "GREATER": (0, 0), "NOTEQUAL": (0, 1), "GEQUAL": (1, 0), "ALWAYS": (1, 1),
    }[func.name]  # fmt: skip
    share = (1 - 0.3125) * passes[0] + 0.3125 * passes[1]
    seen = unit.sample([[0.25 + 0.3125 / 2]], reference=0.25)
    assert seen[0].tolist() == [pytest.approx(share), 0, 0, 1]


def test_reference_of_unorm_depth_is_limited() -> None:
    """A reference of 2 compares as 1; float depth compares as it is."""
    compare: dict[str, object] = {"compare_mode": "R_TO_TEXTURE", "compare_func": "EQUAL"}
    for kind, passes in (("unorm-depth", 1), ("float", 0)):
        unit = TextureUnit(state(**compare), Texels("1d", [[[1.0] * 4]], kind=kind))
        assert unit.sample([[0.5]], reference=2.0)[0, 0] == passes


def test_reduction_takes_the_least_or_largest_that_has_weight() -> None:
    """A texel of weight 0 does not count."""
    assert sample(ROW, [0.5], reduction_mode="MIN") == 20
    assert sample(ROW, [0.5], reduction_mode="MAX") == 40
    assert sample(ROW, [0.375], reduction_mode="MAX") == 20


def test_integer_texels_and_borders_keep_their_bits() -> None:
    nearest: dict[str, object] = {"min_img_filter": "NEAREST", "mag_img_filter": "NEAREST", "wrap_s": "CLAMP_TO_BORDER"}
    for kind, value in (("int", -1), ("uint", 0xFFFFFFFF)):
        texels = Texels("1d", [[[7] * 4]], kind=kind)
        assert sample(texels, [2.0], border_color=(0xFFFFFFFF, 0, 0, 0), **nearest) == value
        assert sample(texels, [0.5], **nearest) == 7


def test_gather_gives_four_texels_anticlockwise_from_the_top_left() -> None:
    """(i0, j1), (i1, j1), (i1, j0), (i0, j0)."""
    texels = Texels("2d", [np.arange(4.0).reshape(2, 2, 1) * [1, 10, 100, 1000]])
    assert TextureUnit(state(), texels).gather([[0.5, 0.5]], 1).tolist() == [[20, 30, 10, 0]]


def test_layer_is_rounded_to_even_and_limited() -> None:
    """Array layers, and whole cubes of a cube array."""
    array = Texels("1d-array", [[[[layer] * 4] for layer in range(4)]])
    assert [sample(array, [0.5, layer]) for layer in (-3, 0.5, 1.5, 2.5, 9)] == [0, 0, 2, 2, 3]
    cubes = Texels("cube-array", [[[[[layer] * 4]] for layer in range(12)]])
    assert [sample(cubes, [0, 0, 1, layer]) for layer in (0, 1, 7)] == [4, 10, 10]


def test_derivatives_choose_the_level() -> None:
    """Four texels a step: level 2."""
    levels = [np.full((8 >> level, 8 >> level, 4), float(level)) for level in range(4)]
    unit = TextureUnit(state(min_mip_filter="LINEAR"), Texels("2d", levels))
    assert unit.sample([[0.5, 0.5]], derivatives=([[0.5, 0]], [[0, 0.25]]))[0, 0] == 2
    assert unit.sample([[0.5, 0.5]], derivatives=([[0.5, 0]], [[0, 0.25]]), bias=-0.5)[0, 0] == 1.5


def test_rectangle_takes_texels() -> None:
    rect = Texels("rect", [np.arange(6.0).reshape(2, 3, 1).repeat(4, 2)])
    assert sample(rect, [1.5, 1.5], wrap_s="CLAMP_TO_EDGE") == 4


@settings(max_examples=50)
@given(
    some.sampled_from(TexWrap),
    some.sampled_from(["NEAREST", "LINEAR"]),
    some.sampled_from(TexReduction),
    some.lists(some.tuples(some.floats(-3, 3), some.floats(-3, 3)), min_size=1, max_size=8),
    some.floats(-2, 5),
)
def test_bounds_hold_what_the_unit_itself_gives(
    wrap: TexWrap, image: str, mode: TexReduction, at: list[tuple[float, float]], lod: float
) -> None:
    """The exact value is always allowed."""
    random = np.random.default_rng(3)
    texels = Texels("2d", [random.random((8 >> level, 4 >> level or 1, 4)) for level in range(4)])
    members = {"wrap_s": wrap, "wrap_t": wrap, "min_img_filter": image, "reduction_mode": mode}
    unit = TextureUnit(state(**members, min_mip_filter="LINEAR", **BORDER), texels)
    assert bounds(unit, at, lod=lod).hold(unit.sample(at, lod=lod)).all()


def test_bounds_are_wider_for_coarser_hardware_and_not_empty_talk() -> None:
    """Four bits of fraction: a sixteenth of the step between two texels, here 20, both ways together."""
    from statetracker.reference import EXACT, Precision

    unit = TextureUnit(state(), ROW)
    exact, coarse = (bounds(unit, [[0.5]], precision) for precision in (EXACT, Precision(texel_bits=4)))
    assert (exact.high - exact.low)[0, 0] < 0.001
    assert (coarse.high - coarse.low)[0, 0] == pytest.approx(20 / 16, rel=0.01)


def test_bounds_hold_hardware_that_rounds_the_weight_of_each_texel() -> None:
    """As NVIDIA's H100 was seen to: axes to 256ths, then their products, which add up to 1."""
    from statetracker.reference import Precision

    rng = np.random.default_rng(7)
    rows = rng.random((4, 4, 4))
    unit = TextureUnit(state(wrap_s="CLAMP_TO_EDGE", wrap_t="CLAMP_TO_EDGE"), Texels("2d", [rows]))
    at = rng.random((2000, 2)) * 0.7 + 0.15
    place = np.round((at * 4 - 0.5) * 256).astype(int)
    cell, (x, y) = place // 256, (place % 256).T
    first = np.floor((256 - x) * (256 - y) / 256 + 0.5)
    weights = first, 256 - y - first, 256 - x - first, x + y - 256 + first
    around = ((0, 0), (1, 0), (0, 1), (1, 1))
    corners = [rows[cell[:, 1] + down, cell[:, 0] + right] for right, down in around]
    sampled = sum(one[:, None] * corner for one, corner in zip(weights, corners, strict=True)) / 256
    eight = Precision()
    assert not bounds(unit, at, eight).hold(sampled).all()
    assert bounds(unit, at, eight._replace(weight_bits=8)).hold(sampled).all()


def test_weights_of_two_texels_are_rounded_once() -> None:
    from statetracker.reference import Precision

    unit, eight = TextureUnit(state(), ROW), Precision()
    wide, usual = (bounds(unit, [[0.4]], one) for one in (eight._replace(weight_bits=8), eight))
    assert (wide.low == usual.low).all()
    assert (wide.high == usual.high).all()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"target": "4d", "levels": [[[[0] * 4]]]}, "target='4d'"),
        ({"target": "2d", "levels": []}, "at least one level"),
        ({"target": "2d", "levels": [np.zeros((2, 2, 3))]}, "four channels"),
        ({"target": "cube", "levels": [np.zeros((5, 2, 2, 4))]}, "six square faces"),
        ({"target": "1d", "levels": [np.zeros((4, 4)), np.zeros((3, 4))]}, "level 1"),
        ({"target": "1d", "levels": [np.zeros((4, 4))], "kind": "half"}, "kind='half'"),
        ({"target": "cube", "levels": [np.zeros((12, 2, 2, 4))]}, "six square faces"),
        ({"target": "2d", "levels": [np.zeros((5, 1, 2, 2, 4))]}, "1 for each axis that 2d lacks"),
        ({"target": "2d-array", "levels": [np.zeros((5, 3, 2, 2, 4))]}, "1 for each axis that 2d-array lacks"),
    ],
)
def test_texels_that_make_no_texture_are_refused(arguments: dict[str, Any], said: str) -> None:
    """With the value and what would be accepted."""
    with pytest.raises(ArgumentError, match=said):
        Texels(**arguments)


def test_samples_that_make_no_sense_are_refused() -> None:
    unit, square = TextureUnit(state(), ROW), TextureUnit(state(), Texels("2d", [np.zeros((2, 2, 4))]))
    for call in (
        lambda: unit.sample([[0, 0]]),
        lambda: unit.sample([[0]], reference=1),
        lambda: unit.sample([[0]], offset=(1, 2)),
        lambda: unit.sample([[0]], lod=1, derivatives=([[0]], [[0]])),
        lambda: unit.sample([[0]], lod=[1, 2]),
        lambda: unit.sample([[0], [1]], bias=[1, 2, 3]),
        lambda: unit.sample([[0], [1]], derivatives=([0, 0], [0, 0])),
        lambda: bounds(unit, [[0]], offset=(1, 2)),
        lambda: unit.gather([[0]]),
        lambda: square.gather([[0, 0, 0]]),
        lambda: square.gather([[0, 0]], 4),
        lambda: square.gather([[0, 0]], -1),
        lambda: square.gather([[0, 0]], reference=1),
        lambda: TextureUnit(state(unnormalized_coords=True), Texels("1d", [np.zeros((2, 4)), np.zeros((1, 4))])),
        lambda: TextureUnit(state(compare_mode="R_TO_TEXTURE"), ROW).sample([[0]]),
    ):
        with pytest.raises(ArgumentError):
            call()


def test_a_precision_is_asked_for_by_its_class() -> None:
    unit = TextureUnit(SamplerState(), Texels("1d", [np.zeros((4, 4))]))
    with pytest.raises(ArgumentError, match=r"precision=8 .*Precision\(weight_bits=8\)"):
        bounds(unit, [[0.5]], 8)  # type: ignore[arg-type]
