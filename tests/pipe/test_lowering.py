"""`statetracker.pipe.lowering`: what no sampler state can say, and a stage's masks of it."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from statetracker.pipe import ClampMasks, Lowering, WrapMasks, wrap_masks

LETTERS = ("", "s", "t", "st", "r", "sr", "tr", "str")


def test_equal_work_is_one_variant_key() -> None:
    """And texel coordinates alone are no work."""
    assert {Lowering("s"): "variant"}[Lowering(clamp="s")] == "variant"
    assert Lowering("s").needed
    assert not Lowering(texel_coords=True).needed
    assert Lowering(texel_coords=True).work == {}


@pytest.mark.parametrize(("one", "other"), list(product(LETTERS, repeat=2)))
@pytest.mark.parametrize("member", ["clamp", "mirror", "fold"])
def test_joined_work_is_that_of_both(member: str, one: str, other: str) -> None:
    """Letters stay in the order of str."""

    def of(axes: str) -> Lowering:
        work: dict[str, Any] = {member: axes}
        return Lowering(**work)

    joined = of(one).joined(of(other))
    assert joined == of("".join(axis for axis in "str" if axis in one + other))
    assert joined.needed is bool(one + other)


@pytest.mark.parametrize("member", Lowering._fields[3:])
def test_joined_flags_are_set_where_either_is(member: str) -> None:
    """The others stay off."""
    flag: dict[str, Any] = {member: True}
    for pair in ((Lowering(), Lowering(**flag)), (Lowering(**flag), Lowering()), (Lowering(**flag),) * 2):
        assert pair[0].joined(pair[1]) == Lowering(**flag)


@pytest.mark.parametrize(("one", "other"), [*product(Lowering._fields[3:], repeat=2)])
def test_joined_work_keeps_the_flags_of_both(one: str, other: str) -> None:
    """Beside one another, and beside axes."""
    first: dict[str, Any] = {one: True}
    second: dict[str, Any] = {other: True}
    assert Lowering(**first).joined(Lowering("s", **second)) == Lowering("s", **(first | second))


@pytest.mark.parametrize("member", ["normalize", "cube_edges", "add_lod_bias", "second_sampler"])
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
