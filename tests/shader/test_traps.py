"""What is easily got wrong in lowering, each as a named fact: lowered, forty quads sample what they do natively."""

from __future__ import annotations

from itertools import product
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from statetracker.pipe import Func, SamplerState, TexCompare, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import Texels
from tests.shader.modules import SIMPLE, Numbers, Sample
from tests.shader.sampled import bits, both, grey, points, quads, state, texels
from tests.shader.test_lower import compare
from tools.proofs.pixels.lacking import Device, seamed

BORDER, CLAMP, EDGE = TexWrap.CLAMP_TO_BORDER, TexWrap.CLAMP, TexWrap.CLAMP_TO_EDGE
MIRROR_EDGE, MIRROR_BORDER = TexWrap.MIRROR_CLAMP_TO_EDGE, TexWrap.MIRROR_CLAMP_TO_BORDER
LINEAR, NEAREST = TexFilter.LINEAR, TexFilter.NEAREST
BETWEEN: Any = {"min_mip_filter": TexMipfilter.LINEAR}
WHOLE: Any = {"min_mip_filter": TexMipfilter.NEAREST}
MIXED: Any = {"min_img_filter": NEAREST, "mag_img_filter": LINEAR}
LIMITS: Any = {"min_lod": 0.25, "max_lod": 1.25}
LESS: Any = {"compare_mode": TexCompare.R_TO_TEXTURE, "compare_func": Func.LESS}

LINE = SIMPLE._replace(dim=0)
GATHER = SIMPLE._replace(level="gather")
NOTHING, PREDEFINED, NO_FILTER = Device(), Device("predefined"), Device(filters=False)
EDGE_ALONE, BIASED = Device(mirror_edge=True), Device(bias=2.0)
fact = pytest.param


def at(lod: float, **changed: Any) -> Sample:
    """A sample at an explicit level."""
    return SIMPLE._replace(level="lod", numbers=Numbers(lod=lod), **changed)


def check(form: Sample, asked: SamplerState, device: Device, given: Any = None, levels: int = 3) -> None:
    """Sample both ways, without a number that is none."""
    shots = points(7) if given is None else given
    got = both(form, asked, device, texels(form, 3, levels), shots)
    assert np.abs(got.native - got.lowered).max() < 1e-5


@pytest.mark.parametrize(
    ("form", "asked", "device"),
    [
        fact(SIMPLE, state(CLAMP, **MIXED, **WHOLE), NOTHING, id="GL_CLAMP has no border at nearest levels"),
        fact(at(0.25), state(BORDER, **BETWEEN), NOTHING, id="a quarter of level 1"),
        fact(at(0.25), state(BORDER, **BETWEEN), PREDEFINED, id="a quarter of level 1, by black"),
        fact(at(0.25), state(BORDER, **BETWEEN), NO_FILTER, id="a quarter of level 1, texel by texel"),
        fact(at(0.25), state(BORDER, **BETWEEN, **MIXED), NOTHING, id="coarser levels have the min filter's share"),
        fact(at(0.25, offset="const"), state(BORDER, **BETWEEN), NOTHING, id="both levels are sampled with the offset"),
        fact(at(0.25), state(MIRROR_BORDER, **BETWEEN), NOTHING, id="both levels are folded"),
        fact(at(0.0), state(BORDER, **MIXED), NOTHING, id="a level of 0 is magnified"),
        fact(at(0.25), state(BORDER, **MIXED), NOTHING, id="a quarter of a level is minified"),
        fact(at(0.5), state(BORDER, **WHOLE), NOTHING, id="half a level is the finer one's"),
    ],
)
def test_levels_and_their_weights(form: Sample, asked: SamplerState, device: Device) -> None:
    check(form, asked, device)


@pytest.mark.parametrize("device", [NOTHING, PREDEFINED, NO_FILTER], ids=["edge", "predefined", "no filter"])
def test_beyond_the_last_level_is_the_last(device: Device) -> None:
    """Of two, though the size would go on."""
    check(at(1.5), state(BORDER, **BETWEEN), device, levels=2)


@pytest.mark.parametrize("device", [NOTHING, PREDEFINED, NO_FILTER], ids=["edge", "predefined", "no filter"])
@pytest.mark.parametrize(
    ("form", "asked"),
    [
        fact(SIMPLE, LIMITS, id="limits that are no whole levels"),
        fact(at(2.0), LIMITS, id="limits of an explicit level"),
        fact(SIMPLE, {"lod_bias": 1.5}, id="a rest of the bias"),
        fact(SIMPLE._replace(bias=True), {}, id="a Bias operand"),
        fact(SIMPLE._replace(bias=True), {"lod_bias": -0.75}, id="a Bias operand beside a rest"),
        fact(SIMPLE._replace(min_lod=True), {"max_lod": 1.0}, id="a MinLod operand"),
        fact(SIMPLE._replace(min_lod=True), {"lod_bias": -1.5}, id="a MinLod operand beside a rest"),
    ],
)
def test_what_changes_the_level_changes_the_share(form: Sample, asked: dict[str, Any], device: Device) -> None:
    """The query's first component has the device's limits alone, and no operand."""
    check(form, state(BORDER, **BETWEEN, **asked), device)


@pytest.mark.parametrize("filters", [True, False], ids=["filters", "no filter"])
@pytest.mark.parametrize(
    ("form", "asked"),
    [
        fact(at(0.25), {"lod_bias": 0.75}, id="in the explicit level that is sampled again"),
        fact(SIMPLE, {"lod_bias": 0.75}, id="in an implicit one"),
        fact(at(0.25), {"lod_bias": 0.75, **LIMITS}, id="with limits of an explicit one"),
        fact(SIMPLE, {"lod_bias": 0.75, **LIMITS}, id="with limits of an implicit one"),
        fact(SIMPLE, {"lod_bias": 2.75, **LIMITS}, id="with limits, beside a rest"),
    ],
)
def test_the_bias_of_the_device_counts_once(form: Sample, asked: dict[str, Any], filters: bool) -> None:
    check(form, state(BORDER, **BETWEEN, **asked), BIASED._replace(filters=filters))


def test_gradients_have_the_rest_of_the_bias() -> None:
    check(SIMPLE._replace(level="grad"), state(EDGE, **BETWEEN, lod_bias=-2.5), NOTHING, points(7) / 4)


@pytest.mark.parametrize("wrap", [MIRROR_EDGE, MIRROR_BORDER, TexWrap.MIRROR_CLAMP], ids=["edge", "border", "GL_CLAMP"])
@pytest.mark.parametrize(
    ("form", "asked"),
    [
        fact(SIMPLE, BETWEEN, id="levels are those of the coordinate before it"),
        fact(SIMPLE._replace(offset="const"), {}, id="the offset is folded too"),
        fact(at(0.25, offset="const"), BETWEEN, id="the offset is folded at each level's size"),
        fact(at(1.0, offset="const"), WHOLE, id="the offset is folded at the level's size"),
    ],
)
@pytest.mark.parametrize("device", [NOTHING, PREDEFINED], ids=["edge", "predefined"])
def test_a_fold(device: Device, wrap: TexWrap, form: Sample, asked: dict[str, Any]) -> None:
    check(form, state(wrap, **asked), device)


@pytest.mark.parametrize("wrap", [MIRROR_EDGE, MIRROR_BORDER], ids=["edge", "border"])
def test_a_fold_of_integers_at_their_level(wrap: TexWrap) -> None:
    """They are texels or the border, never mixed."""
    levels = [np.random.default_rng(3).integers(-99, 99, (n, n, 4)) for n in (8, 4, 2)]
    border = {"border_color": (2**32 - 7, 3, 2**31, 255), "border_color_is_integer": True}
    asked = state(wrap, NEAREST, **WHOLE, **border)
    got = both("offset_int_2d.frag", asked, NOTHING, Texels("2d", levels, kind="int"), points(7))
    assert (got.native == got.lowered).all()


@pytest.mark.parametrize("form", [SIMPLE, GATHER, at(0.25)], ids=["implicit", "gather", "two levels"])
@pytest.mark.parametrize("filters", TexFilter)
@pytest.mark.parametrize("device", [NOTHING, PREDEFINED, NO_FILTER], ids=["edge", "predefined", "no filter"])
def test_each_element_of_an_array_has_its_own_wraps(device: Device, filters: TexFilter, form: Sample) -> None:
    """They are data, and the axes that some have are all that is written."""
    wraps = ({"wrap_s": BORDER}, {"wrap_t": BORDER}, {"wrap_s": CLAMP, "wrap_t": BORDER})
    each = [state(EDGE, filters, border_color=bits(2.0), **BETWEEN, **one) for one in wraps]
    compare(form._replace(elements=3, dynamic=True), each, device, seed=7, levels=3)


def test_cubes_of_an_array_whose_faces_are_filtered_apart_have_states_of_their_own() -> None:
    """Linear ones are written from the face by itself, the nearest one is the device's."""
    each = [state(EDGE, LINEAR), state(TexWrap.REPEAT, LINEAR), state(EDGE, NEAREST)]
    compare(at(0.0, dim=3, elements=3, dynamic=True), each, NOTHING, seed=7, levels=1, less_of=seamed)


@pytest.mark.parametrize("wrap", [BORDER, CLAMP, MIRROR_EDGE, MIRROR_BORDER, TexWrap.MIRROR_CLAMP])
@pytest.mark.parametrize(
    "form",
    [
        fact(GATHER, id="no offset"),
        fact(GATHER._replace(offset="const"), id="an offset"),
        fact(GATHER._replace(offset="four"), id="four offsets"),
        fact(GATHER._replace(dref=True), id="a comparison"),
    ],
)
@pytest.mark.parametrize("device", [NOTHING, EDGE_ALONE], ids=["folded", "mirror-edge"])
def test_a_gather_has_each_texel_in_its_place(device: Device, form: Sample, wrap: TexWrap) -> None:
    """At the centres of texels, too, where a mirrored one is the other's neighbour."""
    centres = quads([[s / 14, t / 10] for s in range(-21, 22, 2) for t in range(-15, 16, 2)])
    asked = state(wrap, border_color=bits(2.0, 0.25, 3.0, 4.0), **(LESS if form.dref else {}))
    for given in (points(7), centres):
        check(form, asked, device, given, levels=1)


@pytest.mark.parametrize("s", [0.05, 0.2, -0.45, 0.95])
def test_a_gather_is_in_the_middle_of_its_texels(s: float) -> None:
    """Where hardware cannot round to others: a whole number of texels."""
    got = both(GATHER, state(BORDER), NOTHING, texels(GATHER, 3, 1), quads([[s, 0.5]]))
    (place,) = got.coordinates()
    assert place * (7, 5) == pytest.approx(np.round(np.array([s * 7, 2.5 + 1e-9])))


@pytest.mark.parametrize("device", [NOTHING, PREDEFINED, NO_FILTER], ids=["edge", "predefined", "no filter"])
def test_a_projection_divides_the_reference(device: Device) -> None:
    given = np.abs(points(7)) + np.array([0.0, 0.0, 0.5, 0.5])
    check(SIMPLE._replace(dref=True, project=True), state(BORDER, border_color=bits(0.75), **LESS), device, given)


def test_four_answers_are_mixed_along_s_then_t() -> None:
    """Texels that are no mirror image of themselves."""
    check(SIMPLE._replace(dref=True), state(EDGE, **LESS), NO_FILTER, levels=1)


@pytest.mark.parametrize("device", [NOTHING, BIASED], ids=["no bias", "a bias"])
@pytest.mark.parametrize("wrap", [EDGE, BORDER, TexWrap.REPEAT])
@pytest.mark.parametrize("level", ["lod", "implicit", "grad"])
def test_every_face_of_a_cube_has_its_own_s_and_t(level: str, wrap: TexWrap, device: Device) -> None:
    """And its level is that of their gradients on the face."""
    form = SIMPLE._replace(dim=3, level=level, numbers=Numbers(lod=0.0))
    check(form, state(wrap, **BETWEEN, lod_bias=0.25 if device.bias else 0.0), device, points(7, quads=200))


def test_of_equal_components_z_comes_before_y_before_x() -> None:
    """The device may choose otherwise, each way a face by itself."""
    form = SIMPLE._replace(dim=3, level="lod", numbers=Numbers(lod=0.0))
    ties = [one for one in product((-1.0, 0.0, 1.0), repeat=3) if np.abs(one).sum() > 1]
    check(form, state(EDGE), NOTHING, quads(ties), levels=1)


def test_no_level_is_smaller_than_a_texel() -> None:
    """The last levels of a texture of 8 by 1 are one texel high."""
    image = Texels("2d", [grey(np.arange(8 >> n).reshape(1, -1)) for n in range(4)])
    got = both(at(2.0), state(BORDER, **WHOLE), NOTHING, image, points(7))
    assert got.lowered == pytest.approx(got.native)


@pytest.mark.parametrize(
    "form", [LINE, LINE._replace(level="lod", numbers=Numbers(lod=0.5))], ids=["one", "two levels"]
)
def test_an_infinite_texel_without_weight_counts_for_nothing(form: Sample) -> None:
    image = Texels("1d", [grey([inf, 1, 2, inf]), grey([inf, inf])])
    got = both(form, state(BORDER, **BETWEEN), NOTHING, image, quads([[-3.0], [4.0]]))
    assert (got.lowered == 200).all()


@pytest.mark.parametrize("filters", TexFilter)
def test_a_coordinate_that_is_no_number_is_outside(filters: TexFilter) -> None:
    """GL leaves it undefined; here the border is read, whatever the texel is."""
    got = both(LINE, state(BORDER, filters), NOTHING, texels(LINE, 3, 1), quads([[nan]]))
    assert (got.lowered == 200).all()


@pytest.mark.parametrize("filters", TexFilter)
def test_transparent_black_without_alpha_has_an_alpha_of_one(filters: TexFilter) -> None:
    """What the device's sampler reads beyond the edge of a format that has none."""
    asked = state(BORDER, filters, border_color=bits(0.5, 0.25, 0.75, 1.0))
    opaque = np.random.default_rng(3).random((5, 7, 4))
    opaque[..., 3] = 1.0
    black = asked.replace(border_color=bits(0.0, 0.0, 0.0, 1.0))
    got = both(SIMPLE, asked, PREDEFINED, Texels("2d", [opaque]), points(7), less=black, ones="a")
    assert got.lowered == pytest.approx(got.native)
