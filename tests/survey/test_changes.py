"""`statetracker.survey.changes`: which change is the cheapest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import statetracker as st
from statetracker.survey.changes import cheapest

if TYPE_CHECKING:
    from collections.abc import Callable


def wanting(holds: Callable[[st.Sampler], bool]) -> Callable[[st.Sampler, int], int]:
    return lambda sampler, _: 0 if holds(sampler) else 9


def change(
    sampler: st.Sampler, holds: Callable[[st.Sampler], bool], *, integer: bool = False
) -> dict[str, object] | None:
    seen = cheapest(sampler, wanting(holds), aim="native", integer=integer)
    return None if seen is None else dict(seen.members)


def test_what_needs_no_change_gets_none() -> None:
    assert change(st.Sampler(wrap="clamp"), lambda _: True) is None
    assert change(st.Sampler(wrap="clamp"), lambda _: False) is None


def test_a_wrap_is_changed_on_every_axis_that_has_it_as_one_member() -> None:
    sampler = st.Sampler(wrap_s="clamp", wrap_r="clamp", wrap_t="repeat")
    assert change(sampler, lambda one: one.wrap_s != 0x2900) == {"wrap_s": "clamp-to-edge", "wrap_r": "clamp-to-edge"}


def test_two_members_are_changed_only_where_one_does_not_do() -> None:
    sampler = st.Sampler(wrap="clamp", max_anisotropy=31.0, lod_bias=-9.0)
    assert change(sampler, lambda one: one.max_anisotropy <= 2) == {"max_anisotropy": 1.0}
    both = change(sampler, lambda one: one.max_anisotropy <= 16 and abs(one.lod_bias) < 4)
    assert both == {"lod_bias": -2.0, "max_anisotropy": 16.0}


def test_the_nearest_predefined_colour_comes_first() -> None:
    sampler = st.Sampler(wrap="clamp-to-border", border_color=(0.9, 1, 0.8, 1))
    assert change(sampler, lambda one: one.border_color != sampler.border_color) == {"border_color": (1, 1, 1, 1)}
    integers = st.Sampler(border_color_i=(0, 0, 1, 7))
    assert change(integers, lambda one: one.border_color != integers.border_color, integer=True) == {
        "border_color_i": (0, 0, 0, 1)
    }


def test_levels_become_whole_outwards() -> None:
    sampler = st.Sampler(min_lod=0.5, max_lod=2.25)
    assert change(sampler, lambda one: (one.min_lod, one.max_lod) == (0.0, 3.0)) == {"min_lod": 0.0, "max_lod": 3.0}


def test_what_misses_fewer_wins_though_none_misses_nothing() -> None:
    seen = cheapest(
        st.Sampler(wrap="clamp", mag_filter="linear"),
        lambda one, _: 5 + 2 * (one.wrap_s == 0x2900) + (one.mag_filter == 0x2601),
        aim="exact",
        integer=False,
    )
    assert seen is not None
    assert (seen.missed, seen.aim) == (5, "exact")
    assert seen.to_dict()["members"] == dict(seen.members)
    assert str(seen).endswith("mag_filter nearest")
