"""Plans of the stages of a recorded program: what `plan_samplers` says of the states that a draw samples with."""

from __future__ import annotations

from pathlib import Path

import pytest

from statetracker.findings import inspect
from statetracker.findings.stages import MOST, STEPS, plans

PROGRAM = str(Path(__file__).parents[1] / "data" / "programs" / "sampler-tour.dump.txt.gz")


def test_draws_of_all_stages_are_those_of_the_states() -> None:
    made = inspect(PROGRAM)
    for use in made.uses:
        assert sum(one.draws * one.uses.count(use) for one in made.stages) == use.draws
    assert all(one.call >= max(use.call for use in one.uses) for one in made.stages)


@pytest.mark.parametrize("limit", [1, 2, 4, MOST])
def test_a_plan_goes_no_further_than_the_limit(limit: int) -> None:
    for one in plans(inspect(PROGRAM).stages, limit):
        assert len(one.plan.samplers) >= one.after[-1]
        assert one.plan.fits == (one.after[-1] <= limit)
        assert list(one.after) == sorted(one.after, reverse=True)
        if one.after[0] <= limit:
            assert (len(one.plan.samplers), one.taps) == (one.after[0], 0)


def test_the_most_samplers_come_first() -> None:
    counts = [one.after[0] for one in plans(inspect(PROGRAM).stages)]
    assert counts == sorted(counts, reverse=True)
    assert (counts[0], len(STEPS)) == (5, 4)
