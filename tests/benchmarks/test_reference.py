"""The benchmark of the reference unit measures what its rows say."""

from __future__ import annotations

from statetracker.benchmarks.reference import SAMPLES, reference_statements
from statetracker.benchmarks.run import collect


def test_a_statement_takes_as_many_samples_as_its_row_says() -> None:
    for _, text, names in reference_statements():
        if text.startswith("unit"):
            assert eval(text, names).shape == (SAMPLES, 4)  # noqa: S307 (our own statement)
    (_, row) = collect("reference unit, a nearest", repeats=1)
    assert (row.name, row.times) == ("reference unit, a nearest sample", SAMPLES)
