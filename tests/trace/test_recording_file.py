"""Kinds of files, told by their content; gzip, and files that are not there, in all readers."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from statetracker.errors import InputTooLarge, RecordingError
from statetracker.trace.apitrace import open_dump
from statetracker.trace.cases import open_cases
from statetracker.trace.gallium import open_gallium_trace, open_states
from statetracker.trace.recording_file import Problem, kind_of
from statetracker.unpacking import ReadLimits, read_limits
from tests.trace.test_cases import HEADER, lines
from tests.trace.test_gallium import DRAW, HEAD

DATA = Path(__file__).parents[1] / "data"
PROGRAMS = DATA / "programs"
#: Reader -> its file's head, and 5,000 items.
READ: dict[Any, bytes] = {
    open_dump: b"".join(b"%d glVertex2f(x = %d, y = %d)\n" % (n, n * 37 % 1001, n * n % 997) for n in range(5000)),
    open_cases: lines(HEADER, *({"id": n, "calls": [], "pad": str(n * 7919 % 10007)} for n in range(5000))),
    open_gallium_trace: (HEAD + "".join(DRAW.format(no=n) for n in range(5000))).encode(),
    open_states: lines({"program": "x"}, *({"event": "draw", "call": n, "pipe": n * n % 997} for n in range(5000))),
}


def test_the_kind_of_a_file_follows_from_its_content() -> None:
    assert kind_of(PROGRAMS / "texwrap.dump.txt.gz") == "dump"
    assert kind_of(PROGRAMS / "texwrap.xml.gz") == "xml"
    assert kind_of(PROGRAMS / "texwrap.states.jsonl.gz") == "states"
    assert kind_of(DATA / "mesa" / "zink.jsonl.gz") == "cases"


@pytest.mark.parametrize("opened", READ)
def test_gzip_is_known_by_its_magic_and_not_by_its_name(opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "recording.txt"
    for data in (READ[opened], gzip.compress(READ[opened])):
        path.write_bytes(data)
        with opened(path) as file:
            assert [isinstance(item, Problem) for item in file] == [False] * 5000


@pytest.mark.parametrize("opened", READ)
def test_a_cut_gzip_stream_gives_what_is_whole_and_then_a_problem(opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "recording.txt"
    path.write_bytes(gzip.compress(READ[opened])[:-200])
    with opened(path) as file:
        *whole, last = file
    assert len(whole) > 1000
    assert not any(isinstance(item, Problem) for item in whole)
    assert isinstance(last, Problem)
    assert "cut short" in str(last.error)


@pytest.mark.parametrize("opened", READ)
def test_a_file_that_is_not_there_is_one_clear_line(opened: Any, tmp_path: Path) -> None:
    with pytest.raises(RecordingError) as caught:
        opened(tmp_path / "none")
    assert str(caught.value) == f"{tmp_path / 'none'}: cannot be opened: No such file or directory"


@pytest.mark.parametrize("opened", READ)
def test_a_path_that_cannot_be_is_one_clear_line(opened: Any) -> None:
    with pytest.raises(RecordingError, match="cannot be opened: embedded null byte"):
        opened("null\0byte")


@pytest.mark.parametrize(
    ("opened", "start"), [(open_dump, '1 glF(s = "'), (open_gallium_trace, HEAD + "<call "), (open_states, "{}\n")]
)
def test_the_limit_named_is_the_one_that_was_in_force_when_the_file_was_opened(
    opened: Any, start: str, tmp_path: Path
) -> None:
    path = tmp_path / "recording.txt"
    path.write_text(start + "x" * 9000)
    with read_limits(ReadLimits(line=5000)):
        file = opened(path)
    with file, pytest.raises(InputTooLarge, match="5,000 bytes"):
        list(file)
