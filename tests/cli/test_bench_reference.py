"""The benchmark of the reference unit measures what its rows say."""

from __future__ import annotations

from statetracker.cli.bench import collect
from statetracker.cli.bench_reference import SAMPLES, reference_statements


def test_a_statement_takes_as_many_samples_as_the_row_says() -> None:
    for _, text, names in reference_statements():
        if text.startswith("unit"):
            assert eval(text, names).shape == (SAMPLES, 4)  # noqa: S307 (our own statement)


def test_rows_tell_a_sample_each() -> None:
    rows = collect("reference unit, a nearest", repeats=1)
    assert [row.name for row in rows if row.bytes is None and row.empty_calls] == [
        "empty call", "reference unit, a nearest sample",
    ]  # fmt: skip
    assert rows[1].times == SAMPLES
