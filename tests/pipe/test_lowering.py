"""`statetracker.pipe.lowering`: what no sampler state can say, and a stage's masks of it."""

from __future__ import annotations

from itertools import product
from math import inf, nan
from struct import unpack
from typing import Any

import pytest

from statetracker.errors import ArgumentError
from statetracker.pipe import ClampMasks, Func, Lowering, LoweringValues, SamplerState, TexFilter, WrapMasks, wrap_masks
from statetracker.pipe.lowering import AXIS_MEMBERS

LETTERS = ("", "s", "t", "st", "r", "sr", "tr", "str")
FLAGS = tuple(name for name, value in Lowering()._asdict().items() if value is False)


def test_equal_work_is_one_variant_key() -> None:
    """And texel coordinates alone are no work."""
    assert {Lowering("s"): "variant"}[Lowering(clamp="s")] == "variant"
    assert Lowering("s").needed
    assert not Lowering(texel_coords=True).needed
    assert Lowering(texel_coords=True).work == {}


@pytest.mark.parametrize(("one", "other"), list(product(LETTERS, repeat=2)))
@pytest.mark.parametrize("member", AXIS_MEMBERS)
def test_joined_work_is_that_of_both(member: str, one: str, other: str) -> None:
    """Letters stay in the order of str."""

    def of(axes: str) -> Lowering:
        work: dict[str, Any] = {member: axes}
        return Lowering(**work)

    joined = of(one).joined(of(other))
    assert joined == of("".join(axis for axis in "str" if axis in one + other))
    assert joined.needed is bool(one + other and member not in {"reflect", "repeat", "mirror_repeat"})


@pytest.mark.parametrize(("one", "other"), [*product(FLAGS, repeat=2)])
def test_joined_work_keeps_the_flags_of_both(one: str, other: str) -> None:
    """Beside one another, and beside axes."""
    first: dict[str, Any] = {one: True}
    second: dict[str, Any] = {other: True}
    assert Lowering(**first).joined(Lowering("s", **second)) == Lowering("s", **(first | second))


@pytest.mark.parametrize(
    "member", ["normalize", "cube_edges", "add_lod_bias", "second_sampler", "limit_lod", "filter_texels", "fixed_depth"]
)
def test_each_flag_is_work_by_itself(member: str) -> None:
    """And is named as its member."""
    flag: dict[str, Any] = {member: True}
    assert Lowering(**flag).needed
    assert Lowering(**flag).work == {member: True}


def test_stage_masks_keep_clamp_and_mirror_apart() -> None:
    """Bit n is slot n, one mask an axis; two triples with no bit in both; merged, they are what upstream has."""
    slots = [(0, Lowering("t", "s")), (3, Lowering("s")), (5, Lowering("sr")), (31, Lowering("", "r"))]
    masks = wrap_masks(slots)
    assert masks == WrapMasks(ClampMasks(0b101000, 1, 0b100000), ClampMasks(1, 0, 1 << 31))
    assert masks.merged == ClampMasks(0b101001, 1, 1 << 31 | 0b100000)
    assert wrap_masks([]) == WrapMasks()


@pytest.mark.parametrize(
    ("lowering", "words"),
    [
        (Lowering(), "nothing"),
        (Lowering(texel_coords=True), "nothing"),
        (Lowering("st"), "clamp st"),
        (Lowering("s", "t"), "clamp s, mirror t"),
        (Lowering("t", texel_coords=True), "clamp t, in texels"),
        (Lowering("", "t", texel_coords=True), "mirror t, in texels"),
        (Lowering(texel_coords=True, normalize=True), "normalize"),
        (Lowering("r", fold="sr"), "clamp r, fold sr"),
        (Lowering(cube_edges=True, add_lod_bias=True), "cube edges, add lod bias"),
        (Lowering(fold="t", second_sampler=True), "fold t, second sampler"),
        (Lowering("s", swizzle="RRR1"), "clamp s, swizzle RRR1"),
        (Lowering(filter_texels=True, dynamic=True), "sample by data"),
    ],
)
def test_a_lowering_reads_as_words(lowering: Lowering, words: str) -> None:
    """For people; the members are for machines."""
    assert str(lowering) == words


@pytest.mark.parametrize("axis", ["s", "t", "r"])
def test_masks_are_there_if_any_axis_has_a_bit(axis: str) -> None:
    """Each axis alone counts, of either wrap."""
    masks = ClampMasks(**{axis: 4})
    assert masks.any
    assert WrapMasks(clamp=masks).any
    assert WrapMasks(mirror=masks).any
    assert not ClampMasks().any
    assert not WrapMasks().any


def test_joined_settings_are_the_others_where_it_has_some() -> None:
    """A comparison that never passes is one too."""
    compared = Lowering(border="s", route="edge", compare_func=Func.NEVER, min_img_filter=TexFilter.LINEAR)
    assert Lowering(fold="t").joined(compared) == compared._replace(fold="t")
    assert compared.joined(Lowering(fold="t")) == compared._replace(fold="t")
    assert not Lowering(compare_func=Func.NEVER, reflect="s", anisotropic=True).needed


def test_a_swizzle_is_work_that_reads_no_values_and_joins_any_other() -> None:
    swizzled = Lowering(swizzle="000R")
    assert (swizzled.needed, swizzled.work, swizzled.reads_values) == (True, {"swizzle": "000R"}, False)
    for pair in ((swizzled, Lowering("s")), (Lowering("s"), swizzled)):
        assert pair[0].joined(pair[1]) == Lowering("s", swizzle="000R")
    assert Lowering("s", swizzle="000R").unswizzled == Lowering("s")
    assert swizzled.joined(Lowering(swizzle="RRR1")).swizzle == "RRR1"


def test_covered_axes_are_those_with_a_border() -> None:
    """CLAMP_TO_BORDER's and GL_CLAMP's."""
    assert Lowering(border="r", half_border="s").covered == "sr"
    assert str(Lowering(border="r", half_border="s", route="edge")) == "border r, half border s, by edge"


def test_values_are_one_element_of_std140() -> None:
    """48 bytes; a max_lod below min_lod is min_lod."""
    values = LoweringValues((1, 2, 3, 4), (0.0, 0.5, 1.0), 2.0, 1.5, 3.0, 1.0)
    assert unpack("<4I8f", values.to_bytes()) == (1, 2, 3, 4, 0.0, 0.5, 1.0, 2.0, 1.5, 3.0, 3.0, 0.0)


def test_what_a_state_samples_is_a_word_of_its_values() -> None:
    """And equal states but for that have equal work."""
    state = Lowering(filter_texels=True, repeat="s", mirror_repeat="t", reflect="r", fold="st", swizzle="RRR1")
    work, sampling = state._replace(mag_img_filter=TexFilter.LINEAR).as_values()
    assert sampling == 0b001 | 0b010 << 3 | 0b100 << 6 | 0b011 << 9 | 1 << 13
    assert (work.dynamic, work.filter_texels, work.swizzle) == (True, True, "RRR1")
    assert Lowering(filter_texels=True, swizzle="RRR1").as_values() == (work, 0)
    assert unpack("<12I", LoweringValues(sampling=sampling).to_bytes())[-1] == sampling
    assert work.sampled_as(SamplerState(min_img_filter=1)) == work


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": (0.25, 1.0, 1.0)},
        {"k": (1.0, 1.0)},
        {"k": (nan, 1.0, 1.0)},
        {"lod_bias": inf},
        {"rest": nan},
        {"min_lod": nan},
        {"max_lod": nan},
        {"lod_bias": 1e39},
        {"min_lod": -1e39},
        {"border": (0, 0, 0)},
        {"border": (1 << 32, 0, 0, 0)},
        {"border": (1.0, 0, 0, 0)},
        {"sampling": -1},
    ],
)
def test_values_that_no_state_has_are_refused(wrong: dict[str, Any]) -> None:
    """Infinite limits are none of them."""
    with pytest.raises(ArgumentError, match=next(iter(wrong))):
        LoweringValues(**wrong).to_bytes()
    assert len(LoweringValues(min_lod=-inf, max_lod=inf).to_bytes()) == 48


def test_a_lowering_shows_what_it_says_alone() -> None:
    assert repr(Lowering()) == "Lowering()"
    made = Lowering(half_border="st", limit_lod=True, mag_img_filter=TexFilter.LINEAR)
    assert repr(made) == "Lowering(half_border='st', limit_lod=True, mag_img_filter=LINEAR)"
