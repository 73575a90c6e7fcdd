"""The allocator against an exact solver, with the register file cut down: the short form of ``make solver``."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statetracker.geometry import Interval, Program, allocate, interfere
from tools.proofs.exact_registers import KINDS, SPARE, case, cliques, colourable, verdict


@pytest.mark.live("ortools")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spare", SPARE)
def test_nothing_is_coloured_that_cannot_be_and_most_of_what_can(kind: str, spare: int) -> None:
    seen = [verdict(case(kind, spare, seed)) for seed in range(8)]
    assert all(one.fits for one in seen if one.coloured)
    assert all(one.spills == 0 for one in seen if one.coloured)
    assert sum(one.coloured for one in seen) >= (0, 4, 6)[spare]


@pytest.mark.live("ortools")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.startswith("singles")])
def test_singles_fit_exactly_the_registers_that_are_alive_at_once(kind: str) -> None:
    for seed in range(30):
        one = case(kind, 0, seed)
        assert colourable(one.program, one.payload, one.need) is True
        assert colourable(one.program, one.payload, one.need - 1) is False


@pytest.mark.live("ortools")
def test_pairs_are_laid_across_each_other_by_going_round_where_they_would_fit() -> None:
    """2 takes registers 0 and 1, 1 goes on from there and takes 1 and 2: nothing is left for 0 in a file of 4."""
    lines = [["mov", "0.xyzw", []], ["mov", "1.xyzw", ["0.xyzw"]], ["add", "2.xy", ["0.xyzw", "1.xyzw"]],
             ["mov_mrf", 0, ["0.xyzw"]]]  # fmt: skip
    program = Program.parse([2, 2, 2], lines)
    assert colourable(program, 0, 4) is True
    assert allocate(program, 0, count=4, spilling=False).registers == [-1, 1, 0]


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 6)), max_size=12))
def test_cliques_hold_every_pair_that_interferes_and_no_other(spans: list[tuple[int, int]]) -> None:
    intervals = [Interval(start, start + length) for start, length in spans]
    seen = {frozenset((a, b)) for clique in cliques(intervals) for a in clique for b in clique if a != b}
    assert seen == {
        frozenset((a, b)) for a in range(len(spans)) for b in range(a) if interfere(intervals[a], intervals[b])
    }
