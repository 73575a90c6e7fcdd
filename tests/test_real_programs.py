"""Real programs, recorded, replayed and compared: a small one here, those of the list with ``make programs``."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tools.real_programs import LIST, OUTPUT, Program, environment, programs, record, replayed, server, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parent / "data" / "programs"
LINE = "name | game | one two | egl seconds=3 | run it --fast | less"
LISTED = programs(LIST.read_text(encoding="utf-8"))
WHOLE = settings.get_current_profile_name() == "programs"
NAMES = os.environ.get("NAMES", "").split()
TOUR = Program("tour", "demo", (), {"seconds": "60"}, f"{{python}} {DATA / 'sampler_tour.py'}")
CHOSEN = [one for one in LISTED if not NAMES or one.name in NAMES] if WHOLE else [TOUR]


def test_a_line_is_read_and_a_name_stands_once() -> None:
    options = {"egl": "", "seconds": "3"}
    assert programs(f"# words\n\n{LINE}\n") == [
        Program("name", "game", ("one", "two"), options, "run it --fast | less")
    ]
    with pytest.raises(ValueError, match="twice: \\['name'\\]"):
        programs(f"{LINE}\n{LINE}\n")


@pytest.mark.parametrize("line", ["", "name", "name | game | one | | ", " | game | one | | run", "name | game | | run"])
def test_a_bad_line_is_refused_with_its_form(line: str) -> None:
    with pytest.raises(ValueError, match="accepted is NAME"):
        Program.parse(line)


def test_the_list_has_games_emulators_and_toolkits() -> None:
    assert len(LISTED) >= 20
    assert {"game", "emulator", "toolkit"} <= {program.kind for program in LISTED}
    assert all(program.needs for program in LISTED)


@pytest.mark.parametrize("wrap", ["", "7"])
def test_a_state_that_differs_is_named_on_both_sides(tmp_path: Path, wrap: str) -> None:
    lines = gzip.decompress((DATA / "texwrap.states.jsonl.gz").read_bytes()).decode().splitlines()
    events = [json.loads(line) for line in lines]
    first = next(event["state"] for event in events if event.get("event") == "create")
    first["wrap_s"] = wrap or first["wrap_s"]
    trace = tmp_path / "texwrap.xml.gz"
    trace.write_bytes(gzip.compress("\n".join(map(json.dumps, events)).encode()))
    seen = replayed(DATA / "texwrap.dump.txt.gz", trace)
    assert (seen.states, seen.problems) == (6, [])
    assert [line.partition(":")[0] for line in seen.differing] == (["missing", "too many"] if wrap else [])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where recordings go."""
    place = OUTPUT if WHOLE else tmp_path_factory.mktemp("programs")
    place.mkdir(parents=True, exist_ok=True)
    return place


@pytest.fixture(scope="module")
def python() -> Path:
    return environment(CHOSEN)


@pytest.fixture
def variables() -> Iterator[dict[str, str]]:
    """The environment of a program, with an X server."""
    with server() as given:
        yield given


@pytest.mark.live("apitrace", "xvfb", "egl")
@pytest.mark.parametrize("program", CHOSEN, ids=lambda program: program.name)
def test_a_program_is_recorded_and_agrees(
    program: Program, folder: Path, python: Path, variables: dict[str, str]
) -> None:
    words = words_of(program, python)
    if not shutil.which(words[0], path=variables["PATH"]):
        pytest.skip(f"{program.name} is not installed; it needs {' '.join(program.needs)}")
    dump, trace = folder / f"{program.name}.dump.txt.gz", folder / f"{program.name}.xml.gz"
    assert record(program, words, dump, variables) == ""
    seen = replayed(dump, trace)
    assert (seen.problems, seen.differing) == ([], [])
    assert seen.states > 0


@pytest.mark.live("apitrace", "xvfb", "egl")
def test_a_program_that_cannot_be_recorded_says_why(tmp_path: Path, variables: dict[str, str]) -> None:
    silent = [sys.executable, "-c", "pass"]
    assert "made no GL call" in record(TOUR, silent, tmp_path / "none.dump.txt.gz", variables)
