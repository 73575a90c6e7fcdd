"""The benchmark of the loop measures what its rows say."""

from __future__ import annotations

from statetracker.benchmarks.loop import MEMORY, loop_works
from statetracker.benchmarks.run import collect


def test_there_is_a_row_for_none_one_and_all_of_each_number_of_units() -> None:
    names = [work.name for work in loop_works()]
    assert len(names) == len(set(names))
    for count in (1, 4, 16):
        assert {f"bind, 0 of {count} changed", f"bind, two tuples in turn, 1 of {count} changed"} <= set(names)
    assert {f"bind, two tuples in turn, all of {n} changed" for n in (4, 16)} | {"cache, miss"} <= set(names)


def test_a_cached_state_takes_at_most_150_bytes_and_a_bind_is_measured_in_empty_calls() -> None:
    (_, row) = collect(MEMORY, repeats=1)
    assert row.bytes is not None
    assert row.bytes <= 150
    empty, row = collect("bind, 0 of 4 changed, slots in a dict", repeats=1)
    assert row.median_ns > 0
    assert row.empty_calls
    assert empty.name == "empty call"
