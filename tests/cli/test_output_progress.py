"""`statetracker.cli.output`, progress: a bar with its unit where a person is watching, and nothing else."""

from __future__ import annotations

import io
import sys

import pytest

from statetracker.cli import main
from statetracker.cli.output import BYTES, hushed, progress


class Terminal(io.StringIO):
    """Text that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def watched(patch: pytest.MonkeyPatch) -> Terminal:
    """Make standard error a terminal of 100 columns; in the test, since pytest puts its own in place before it."""
    stream = Terminal()
    patch.setattr(sys, "stderr", stream)
    for name, value in (("COLUMNS", "100"), ("TERM", "xterm")):
        patch.setenv(name, value)
    return stream


def shown(patch: pytest.MonkeyPatch, total: float | None, unit: str, *, lines: bool = False) -> str:
    stream = watched(patch)
    with progress("a name", total, unit, lines=lines) as watch:
        watch(1500, "98% agree")
    return stream.getvalue()


def test_it_shows_how_many_of_what(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, 2000, "cases")
    assert "a name" in text
    assert "1,500 of 2,000 cases" in text
    assert "98% agree" in text


def test_a_file_has_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "1.5/3.0 kB" in shown(monkeypatch, 3000, BYTES)


def test_without_a_total_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "1,500 events" in shown(monkeypatch, None, "events")


def test_quietly_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with hushed(True):
        assert shown(monkeypatch, 2000, "cases") == ""


def test_nor_where_results_are_written_to_the_same_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, 2000, "cases", lines=True) != ""
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert shown(monkeypatch, 2000, "cases", lines=True) == ""


def test_nor_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("a name", 3, "cases") as watch:
        watch(1)
    assert capsys.readouterr() == ("", "")


def test_bench_shows_which_row_it_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = watched(monkeypatch)
    assert main(["bench", "--select", "bind", "--repeats", "1"]) == 0
    assert " rows" in stream.getvalue()
    assert "bind" in stream.getvalue()
