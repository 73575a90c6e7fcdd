"""The worked examples of docs/shader_lowering.md: each sampled natively and, lowered, on devices that lack something.

The numbers in the names are the table's. Rows are T = 10, 20, 40, 80 and the border is 200 unless another is named.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import statetracker as st
from statetracker.pipe import Func, TexCompare, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import Texels
from tests.frontend.test_vulkan_view import screens, shown
from tests.shader.modules import SIMPLE, Numbers
from tests.shader.sampled import bits, both, grey, quads, state
from tools.proofs.pixels.lacking import Device

LINE = SIMPLE._replace(dim=0)
ROW = Texels("1d", [grey([10, 20, 40, 80])])
SQUARE = Texels("2d", [grey([[10, 20], [30, 40]])])
MIPS = Texels("1d", [grey([10] * 4), grey([20] * 2)])
LADDER = Texels("1d", [grey([level] * (64 >> level)) for level in range(7)])

BORDER, CLAMP, EDGE = TexWrap.CLAMP_TO_BORDER, TexWrap.CLAMP, TexWrap.CLAMP_TO_EDGE
MIRROR_BORDER, MIRROR_CLAMP = TexWrap.MIRROR_CLAMP_TO_BORDER, TexWrap.MIRROR_CLAMP
LINEAR, NEAREST = TexFilter.LINEAR, TexFilter.NEAREST
COMPARES: Any = {"compare_mode": TexCompare.R_TO_TEXTURE}

#: What may be missing: the border by either route, the mirrored address mode, filtering.
DEVICES = {
    "edge": Device(),
    "predefined": Device("predefined"),
    "mirror-edge": Device(mirror_edge=True),
    "no-filter": Device(filters=False),
}
devices = pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)


@pytest.mark.parametrize(
    ("wrap", "texels", "places", "wanted"),
    [
        pytest.param(BORDER, LINEAR, [-0.25], [200], id="1-a texel out, all is border"),
        pytest.param(BORDER, LINEAR, [-0.0625], [152.5], id="2-a quarter of the edge texel"),
        pytest.param(BORDER, LINEAR, [0.0], [105], id="3-half of it at 0"),
        pytest.param(BORDER, LINEAR, [0.0625], [57.5], id="4-three quarters of it"),
        pytest.param(BORDER, LINEAR, [0.5], [30], id="5-inside, no border"),
        pytest.param(BORDER, LINEAR, [1.0], [140], id="6-half of the last texel at 1"),
        pytest.param(BORDER, LINEAR, [1.09375], [185], id="7-an eighth of it"),
        pytest.param(CLAMP, LINEAR, [-3.0], [105], id="8-GL_CLAMP never less than half"),
        pytest.param(CLAMP, LINEAR, [0.0625, 1.09375], [57.5, 140], id="9-GL_CLAMP near both edges"),
        pytest.param(CLAMP, NEAREST, [-3.0, 1.0], [10, 80], id="10-GL_CLAMP, nearest, is the edge"),
        pytest.param(BORDER, NEAREST, [-(2.0**-30), 0.0, 1.0], [200, 10, 200], id="11-nearest: 0 inside, 1 outside"),
        pytest.param(MIRROR_BORDER, LINEAR, [-0.0625, 0.0, -1.09375], [57.5, 105, 185], id="12-mirrored border"),
        pytest.param(MIRROR_CLAMP, LINEAR, [-3.0, -0.25], [140, 15], id="13-mirrored GL_CLAMP"),
        pytest.param(TexWrap.MIRROR_CLAMP_TO_EDGE, LINEAR, [-0.25], [15], id="14-mirrored edge, folded"),
        pytest.param(BORDER, NEAREST, [-0.25, 0.5], [200, 40], id="17-nearest, far out and inside"),
    ],
)
@devices
def test_a_row_of_four_texels(
    device: Device, wrap: TexWrap, texels: TexFilter, places: list[float], wanted: list[float]
) -> None:
    got = both(LINE, state(wrap, texels), device, ROW, quads([[s] for s in places]))
    assert got.native[:, 0] == pytest.approx(wanted)
    assert got.lowered == pytest.approx(got.native)


@pytest.mark.parametrize(
    ("row", "places", "wanted"),
    [
        pytest.param([10], [-0.5, 0.0, 0.5, 1.25], [200, 105, 10, 152.5], id="15-one texel"),
        pytest.param([10, 20, 40], [-1 / 12, 13 / 12], [152.5, 160], id="16-three texels"),
    ],
)
@devices
def test_a_row_of_another_size(device: Device, row: list[int], places: list[float], wanted: list[float]) -> None:
    got = both(LINE, state(BORDER), device, Texels("1d", [grey(row)]), quads([[s] for s in places]))
    assert got.native[:, 0] == pytest.approx(wanted)
    assert got.lowered == pytest.approx(got.native)


@devices
def test_18_an_offset_counts_before_the_border_does(device: Device) -> None:
    """At s = 0.5 with an offset of 2, u is 4."""
    form = LINE._replace(offset="const", numbers=Numbers(offset=2))
    got = both(form, state(BORDER), device, ROW, quads([[0.5]]))
    assert (got.native[0, 0], got.lowered[0, 0]) == (140, 140)


@pytest.mark.parametrize(
    ("dim", "image", "point", "wanted"),
    [
        pytest.param(1, SQUARE, [0.0, 0.0], 152.5, id="19-at a corner a quarter is inside"),
        pytest.param(1, SQUARE, [1.125, 0.5], 157.5, id="20-at one edge"),
        pytest.param(2, Texels("3d", [grey(np.full((2, 2, 2), 10))]), [0.0] * 3, 176.25, id="21-an eighth, in 3D"),
    ],
)
@devices
def test_axes_multiply(device: Device, dim: int, image: Texels, point: list[float], wanted: float) -> None:
    got = both(SIMPLE._replace(dim=dim), state(BORDER), device, image, quads([point]))
    assert (got.native[0, 0], got.lowered[0, 0]) == pytest.approx((wanted, wanted))


@pytest.mark.parametrize("name", ["edge", "predefined", "no-filter"], ids=["22-edge", "23-predefined", "no-filter"])
@pytest.mark.parametrize("level", ["lod", "implicit"])
def test_two_levels_have_a_coverage_each(name: str, level: str) -> None:
    """At lambda 0.5: three quarters of level 0 inside, five eighths of level 1."""
    form = LINE._replace(level=level, numbers=Numbers(lod=0.5))
    asked = state(BORDER, min_mip_filter=TexMipfilter.LINEAR)
    got = both(form, asked, DEVICES[name], MIPS, quads([[0.0625]], step=2**0.5 / 4))
    assert (got.native[0, 0], got.lowered[0, 0]) == pytest.approx((72.5, 72.5))


@devices
def test_24_an_offset_counts_in_texels_of_the_level(device: Device) -> None:
    """Level 1 has two texels, so that s = 0.5 with an offset of 2 is far out."""
    form = LINE._replace(level="lod", offset="const", numbers=Numbers(lod=1.0, offset=2))
    got = both(form, state(BORDER, min_mip_filter=TexMipfilter.LINEAR), device, MIPS, quads([[0.5]]))
    assert (got.native[0, 0], got.lowered[0, 0]) == (200, 200)


@devices
def test_25_of_a_comparison_the_answers_are_blended(device: Device) -> None:
    """The texels fail, the border passes: never a comparison with a blended depth."""
    asked = state(BORDER, border_color=bits(0.75), compare_func=Func.LEQUAL, **COMPARES)
    got = both(LINE._replace(dref=True), asked, device, Texels("1d", [grey([0.25] * 4)]), quads([[0.0625]]))
    assert (got.native[0, 0], got.lowered[0, 0]) == (0.25, 0.25)


@pytest.mark.parametrize(("func", "wanted"), [(Func.GEQUAL, 1.0), (Func.GREATER, 0.0)])
@devices
def test_26_fixed_depth_limits_reference_and_border(device: Device, func: Func, wanted: float) -> None:
    """1.2 and 5 are both 1; unclamped both comparisons would fail."""
    form = LINE._replace(dref=True, numbers=Numbers(reference=1.2))
    asked = state(BORDER, border_color=bits(5.0), compare_func=func, **COMPARES)
    images = Texels("1d", [grey([0.25] * 4)], kind="unorm-depth"), Texels("1d", [grey([0.25] * 4)])
    got = both(form, asked, device, images, quads([[-1.0]]), fixed_depth=True)
    assert (got.native[0, 0], got.lowered[0, 0]) == (wanted, wanted)


@pytest.mark.parametrize(
    ("wrap", "s", "middle", "wanted"),
    [
        pytest.param(BORDER, 0.0, 0.0, [200, 30, 10, 200], id="27-the first column is out"),
        pytest.param(CLAMP, -3.0, None, [200, 30, 10, 200], id="28-GL_CLAMP gathers at 0"),
        pytest.param(BORDER, -3.0, -3.0, [200] * 4, id="29-all are out"),
    ],
)
@devices
def test_a_gather_has_the_border_by_texel(
    device: Device, wrap: TexWrap, s: float, middle: float | None, wanted: list[float]
) -> None:
    """And is sampled in the middle of its four texels."""
    form = SIMPLE._replace(level="gather", numbers=Numbers(component=0))
    got = both(form, state(wrap), device, SQUARE, quads([[s, 0.5]]))
    assert (list(got.native[0]), list(got.lowered[0])) == (wanted, wanted)
    assert middle is None or [list(one) for one in got.coordinates()] == [[middle, 0.5]]


@devices
def test_30_a_rectangle_counts_in_texels(device: Device) -> None:
    rows = [grey([[10, 20, 40, 80]] * 4)]
    got = both("rect.gl.frag", state(BORDER), device, Texels("rect", rows), quads([[3.9, 2.0]]))
    assert (got.native[0, 0], got.lowered[0, 0]) == pytest.approx((128, 128))


def test_31_a_rectangle_as_2d_is_sampled_at_the_middle_of_its_texel() -> None:
    """Three sevenths may round to a little less than the third texel."""
    rows = [grey([np.arange(7)] * 7)]
    images = Texels("rect", rows), Texels("2d", rows)
    asked = state(EDGE, NEAREST)
    got = both("rect.gl.frag", asked, Device(), images, quads([[3.0, 3.0]]), normalize=True, texel_coords=True)
    assert (got.native[0, 0], got.lowered[0, 0]) == (3, 3)
    assert got.coordinates()[0] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize(
    ("level", "operand", "reached"),
    [
        pytest.param("lod", 2.5, 4.5, id="32-of an explicit level, added to it"),
        pytest.param("implicit", 1.75, 3.75, id="33-of an implicit one, less what the sampler adds"),
    ],
)
def test_the_rest_of_a_bias_is_in_the_lod_operand(level: str, operand: float, reached: float) -> None:
    """A bias of 3.5 on a device that has 2: every level of the ladder is its own number."""
    form = LINE._replace(level=level)
    asked = state(EDGE, min_mip_filter=TexMipfilter.LINEAR, lod_bias=3.5)
    got = both(form, asked, Device(bias=2.0), LADDER, quads([[0.5]], step=2**0.25 / 64))
    assert got.lods() == pytest.approx([operand])
    assert (got.native[0, 0], got.lowered[0, 0]) == pytest.approx((reached, reached))


@pytest.mark.parametrize(("t", "wanted"), [(0.5, 0.5), (0.375, 0.375)], ids=["34", "34-a quarter of the way up"])
def test_answers_of_a_gather_are_mixed_by_weight(t: float, wanted: float) -> None:
    """x, y, z, w are 1, 0, 1, 0: one gather is all of percentage-closer filtering."""
    depths = Texels("2d", [grey([[0.25, 0.75], [0.75, 0.25]])])
    form = SIMPLE._replace(dref=True)
    asked = state(EDGE, compare_func=Func.LEQUAL, **COMPARES)
    got = both(form, asked, Device(filters=False), depths, quads([[0.375, t]]))
    assert (got.native[0, 0], got.lowered[0, 0]) == pytest.approx((wanted, wanted))
    assert [one.name for one in got.samples()] == ["OpImageDrefGather"]


@pytest.mark.parametrize(("wrap", "wanted"), [(EDGE, 10.0), (BORDER, 67.0)], ids=["35-edge", "35-border"])
def test_a_face_of_a_cube_ends_at_its_own_edge(wrap: TexWrap, wanted: float) -> None:
    """The place 0.2 of 4 is sampled at 0.5, where sc is -0.75; seven tenths are inside."""
    faces = np.full((6, 4, 4), 90.0)
    faces[0] = [10, 20, 40, 80]
    form = SIMPLE._replace(dim=3, level="lod", numbers=Numbers(lod=0.0))
    got = both(form, state(wrap), Device(), Texels("cube", [grey(faces)]), quads([[1.0, 0.0, 0.9]]))
    assert (got.native[0, 0], got.lowered[0, 0]) == pytest.approx((wanted, wanted))
    assert [1.0, 0.0, 0.75] in [list(one) for one in got.coordinates()]


@pytest.mark.parametrize(
    ("internal", "border", "seen"),
    [
        pytest.param("R8", (0.3, 0.6, 0.9, 0.5), (0.3, 0.0, 0.0, 1.0), id="36-red alone"),
        pytest.param("RGB8", (0.3, 0.6, 0.9, 0.5), (0.3, 0.6, 0.9, 1.0), id="36-no alpha"),
        pytest.param("ALPHA8", (0.3, 0.6, 0.9, 0.5), (0.0, 0.0, 0.0, 0.5), id="36-alpha alone"),
        pytest.param("LUMINANCE8", (0.3, 0.6, 0.9, 0.5), (0.3, 0.3, 0.3, 1.0), id="36-luminance"),
        pytest.param("RGBA8", (2.0, -1.0, 0.5, 1.0), (1.0, 0.0, 0.5, 1.0), id="38-beyond unorm"),
    ],
)
@screens
def test_a_border_is_what_the_texture_could_hold(
    screen: st.Screen, internal: str, border: tuple[float, ...], seen: tuple[float, ...]
) -> None:
    assert shown(screen, internal, border=border) == bits(*seen)


@screens
def test_37_an_integer_border_is_limited_to_the_texels_range(screen: st.Screen) -> None:
    assert shown(screen, "RGBA8UI", border=(300, -1, 7, 255)) == (255, 255, 7, 255)
