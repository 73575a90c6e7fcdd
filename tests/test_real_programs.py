"""`make programs`: its list, its table, its exit codes, and one small program recorded and compared."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from tools.real_programs import LIST, Program, Result, main, programs, report

DATA = Path(__file__).parent / "data" / "programs"
LINE = "name | game | one two | egl seconds=3 | run it --fast | less"
TOUR = Program("tour", "demo", (), {}, f"{sys.executable} {DATA / 'sampler_tour.py'}")


def result(*, states: int = 5, differing: int = 0, problems: int = 0, glsl: bool = True) -> Result:
    return Result(
        TOUR,
        calls=3000,
        seconds=1.5,
        draws=7,
        states=states,
        differing=differing,
        unknown=0,
        doubts=0,
        problems=problems,
        glsl=glsl,
        profiles=("core", "gles32"),
        found=(1, 0, 2, 3),
    )


def recorded(folder: Path, *, wrap: str = "") -> list[str]:
    """The arguments for a recording of an earlier run, whose first state may have another wrap mode."""
    lines = gzip.decompress((DATA / "texwrap.states.jsonl.gz").read_bytes()).decode().splitlines()
    events = [json.loads(line) for line in lines]
    first = next(event["state"] for event in events if event.get("event") == "create")
    first["wrap_s"] = wrap or first["wrap_s"]
    (folder / "texwrap.dump.txt.gz").write_bytes((DATA / "texwrap.dump.txt.gz").read_bytes())
    (folder / "texwrap.xml.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, events)).encode()))
    (folder / "list").write_text("texwrap | demo | - | | none\nother | demo | - | | none\n")
    return ["--again", "--list", str(folder / "list"), "--output", str(folder)]


def test_a_line_is_read() -> None:
    options = {"egl": "", "seconds": "3"}
    assert Program.parse(LINE) == Program("name", "game", ("one", "two"), options, "run it --fast | less")


@pytest.mark.parametrize("line", ["", "name", "name | game | one | | ", " | game | one | | run", "name | game | | run"])
def test_a_bad_line_is_refused_with_its_form(line: str) -> None:
    with pytest.raises(ValueError, match="accepted is NAME"):
        Program.parse(line)


def test_a_name_stands_once() -> None:
    assert [program.name for program in programs(f"# words\n\n{LINE}\n")] == ["name"]
    with pytest.raises(ValueError, match="twice: \\['name'\\]"):
        programs(f"{LINE}\n{LINE}\n")


def test_the_list_has_games_emulators_and_toolkits() -> None:
    seen = programs(LIST.read_text(encoding="utf-8"))
    assert len(seen) >= 20
    assert {"game", "emulator", "toolkit"} <= {program.kind for program in seen}
    assert all(program.needs for program in seen)


def test_a_row_says_how_much_was_replayed_and_whether_it_agrees() -> None:
    row = (
        "tour",
        "demo",
        "3,000",
        "2,000",
        "7",
        "5",
        "0",
        "0",
        "0",
        "1",
        "0",
        "2",
        "3",
        "GLSL",
        "core gles32",
        "agrees",
    )
    assert result().row() == row
    assert result(differing=2).row()[-1] == "DIFFERS"
    assert result(problems=2, glsl=False).row()[-3:] == ("-", "core gles32", "2 PROBLEMS")


@pytest.mark.parametrize(
    ("results", "code", "line"),
    [
        ([result(), result(glsl=False)], 0, "2 of 2 recorded programs agree, 1 with GLSL; 1 not recorded"),
        ([result(), result(differing=1)], 1, "1 of 2 recorded programs agree, 2 with GLSL; 1 not recorded"),
        ([result(problems=1)], 1, "0 of 1 recorded programs agree, 1 with GLSL; 1 not recorded"),
        ([], 2, "0 of 0 recorded programs agree, 0 with GLSL; 1 not recorded"),
    ],
)
def test_the_exit_code_says_whether_all_agree(
    capsys: pytest.CaptureFixture[str], results: list[Result], code: int, line: str
) -> None:
    assert report(results, ["other"]) == code
    assert capsys.readouterr().out.splitlines()[-1] == line


@pytest.mark.parametrize(("wrap", "code", "verdict"), [("", 0, "agrees"), ("7", 1, "DIFFERS")])
def test_a_recording_is_compared_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrap: str, code: int, verdict: str
) -> None:
    assert main(recorded(tmp_path, wrap=wrap)) == code
    printed = capsys.readouterr().out
    assert printed.splitlines()[-2].split()[-1] == verdict
    assert "[2/2] other\n  no recording" in printed


def test_without_apitrace_it_says_what_is_missing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--output", str(tmp_path / "out")]) == 2
    assert "apitrace (Debian: apitrace) and Xvfb (Debian: xvfb) missing" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


@pytest.mark.live("apitrace", "xvfb", "egl")
def test_a_program_is_recorded_and_agrees_and_one_that_is_missing_is_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "list").write_text(
        f"tour | demo | - | seconds=60 | {TOUR.command}\nnone | game | this that | | /nowhere/nothing\n"
    )
    assert main(["--list", str(tmp_path / "list"), "--output", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert "not installed; it needs this that" in printed
    assert printed.endswith("1 of 1 recorded programs agree, 1 with GLSL; 1 not recorded\n")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["tour.dump.txt.gz", "tour.xml.gz"]
