"""Rows of text in columns."""

from __future__ import annotations

import pytest

from statetracker.aligned import aligned


def test_cells_start_below_each_other_and_the_last_is_as_long_as_it_is() -> None:
    assert aligned([("a", "bb", "c"), ("aaa", "b", "long, and longer")]) == ["a    bb  c", "aaa  b   long, and longer"]


def test_no_line_ends_in_blanks() -> None:
    assert aligned([("a", "b"), ("aa", "")]) == ["a   b", "aa"]


def test_rows_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        aligned([("a", "b"), ("a",)])
