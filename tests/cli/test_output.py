"""`statetracker.cli.output`: tables that fit, words that are never broken, errors with the nearest file, progress."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Final

import pytest

import statetracker as st
from statetracker.cli import main
from statetracker.cli.output import BYTES, console, hushed, info, progress, quiet, reasons, report, table
from statetracker.errors import FileError
from statetracker.pipe.state import FIELD_NAMES
from statetracker.replay import RecordedStates

if TYPE_CHECKING:
    from pathlib import Path

CLAMPED: Final = st.Sampler(wrap="clamp", min_filter="linear-mipmap-linear")
BROKEN: Final = st.Texture(internal_format="R8", size=(4, 4), levels=1)
COLUMNS: Final = ("screen", "what it can do", "number")
ROWS: Final = [("zink-lavapipe", "something that takes several words to say", 12345), ("nv50", "less", 1)]


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def written(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    table("", COLUMNS, ROWS, right=("number",), typed=("screen",))
    return lines(capsys)


def test_without_a_terminal_and_without_columns_it_is_160_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert console().width == 160
    monkeypatch.setenv("COLUMNS", "72")
    assert console().width == 72


def test_colons_in_names_stay_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    table("of :a:", ["file :x:"], [["run:a:.jsonl"]])
    console().print("call :x:")
    assert lines(capsys) == ["of :a:", "file :x:", "run:a:.jsonl", "call :x:"]


@pytest.mark.parametrize(
    ("width", "table"),
    [
        pytest.param(
            80,
            [
                "screen         what it can do                             number",
                "zink-lavapipe  something that takes several words to say   12345",
                "nv50           less                                            1",
            ],
            id="what fits is a line each",
        ),
        pytest.param(
            48,
            [
                "screen         what it can do             number",
                "zink-lavapipe  something that takes        12345",
                "               several words to say",
                "nv50           less                            1",
            ],
            id="the widest column gives way first, and between words",
        ),
        pytest.param(
            30,
            [
                "zink-lavapipe",
                "    what it can do: something",
                "    that takes several words",
                "    to say; number: 12345",
                "nv50",
                "    what it can do: less;",
                "    number: 1",
            ],
            id="where words would break each row is a paragraph",
        ),
    ],
)
def test_a_table_is_as_wide_as_columns_says(
    width: int, table: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert written(capsys, monkeypatch, width) == table


@pytest.mark.parametrize("width", [60, 80, 120])
def test_reasons_go_on_in_the_next_line_where_they_do_not_fit(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = st.convert(CLAMPED, BROKEN, st.Screen.named("nv50"))
    monkeypatch.setenv("COLUMNS", str(width))
    reasons(result.explain())
    shown = lines(capsys)
    assert all(len(line) <= width for line in shown)
    text = " ".join(" ".join(shown).split())
    assert all(f" {name} " in f" {text}" for name in FIELD_NAMES)
    assert "note: GL would sample its black fallback texture instead: level 1 is missing" in text
    assert "was -1000" in text


def test_where_nobody_looks_reasons_are_a_line_each(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    why = st.convert(CLAMPED, BROKEN, st.Screen.named("nv50")).explain()
    reasons(why)
    assert capsys.readouterr().out == f"{why}\n"


def test_a_file_that_is_not_there_brings_the_nearest_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "border.toml").touch()
    absent = "cannot be read: No such file or directory"
    for name, near in (("bordr.toml", True), ("quite-another", False)):
        report(FileError(str(tmp_path / name), None, absent))
        err = capsys.readouterr().err
        assert err.endswith(f"{absent}. Did you mean '{tmp_path / 'border.toml'}'?\n" if near else f"{absent}\n")
    report(FileError(str(tmp_path / "none" / "bordr.toml"), None, absent))
    assert "Did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize("source", ["#version 450\nvoid main() {}\n", "// " + "a" * 5000 + "\n"])
def test_a_text_where_a_file_is_expected_is_said_to_be_one(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    for read in (st.Screen.load, RecordedStates):
        with pytest.raises(FileError, match=r"^'[^\n]*: cannot be [^\n]*pass the name of a file that has it$"):
            read(source)
    for command in (["lower", source, "-o", "out.spv"], ["convert", source]):
        assert main(command) == 2
        said = capsys.readouterr().err
        assert "pass the name of a file that has it" in said
        assert len(said) < 500


def test_quiet_leaves_notes_out_until_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    with hushed(True), hushed(False):
        assert quiet()
        info("nothing")
    assert not quiet()
    info("something")
    assert capsys.readouterr().err == "statetracker: something\n"


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


@pytest.mark.parametrize(
    ("total", "unit", "words"),
    [
        (2000, "cases", ["a name", "1,500 of 2,000 cases", "98% agree"]),
        (3000, BYTES, ["1.5/3.0 kB"]),
        (None, "events", ["1,500 events"]),
    ],
)
def test_it_shows_how_many_of_what(
    total: float | None, unit: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = shown(monkeypatch, total, unit)
    assert [word for word in words if word not in text] == []


def test_quietly_and_where_results_are_written_to_the_same_terminal_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with hushed(True):
        assert shown(monkeypatch, 2000, "cases") == ""
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
