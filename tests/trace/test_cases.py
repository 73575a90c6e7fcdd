"""Recorded case files: what is read, and what damage looks like."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from statetracker.caps import Screen
from statetracker.errors import RecordingError
from statetracker.replay import StreamReplay
from statetracker.sampler import converter
from statetracker.trace import Case, Problem, open_cases
from statetracker.trace.apitrace import DumpCall
from statetracker.trace.recording_file import MOST_KEPT, Kept

HEADER = {"header": True, "driver": "llvmpipe", "mesa_version": "22.3.6", "oracle_version": 1, "caps": {}}
CASE = {"id": 1, "calls": [{"fn": "glActiveTexture", "args": [0], "err": "GL_NO_ERROR"}]}


def lines(*objects: object) -> bytes:
    return b"".join(json.dumps(o).encode() + b"\n" if not isinstance(o, bytes) else o + b"\n" for o in objects)


def written(tmp_path: Path, content: bytes, name: str = "cases.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def read(path: Path) -> list[Case | Problem]:
    with open_cases(path) as file:
        return list(file)


def test_a_header_and_its_cases_are_read_in_order(tmp_path: Path) -> None:
    path = written(tmp_path, lines(HEADER, CASE, CASE | {"id": 2}))
    with open_cases(path) as file:
        assert (file.header.driver, file.header.mesa_version) == ("llvmpipe", "22.3.6")
        cases = [case for case in file if isinstance(case, Case)]
    assert [(case.id, case.place, case.line) for case in cases] == [(1, 0, 2), (2, 1, 3)]
    assert [tuple(call) for call in cases[0].calls()] == [("glActiveTexture", [0], "GL_NO_ERROR")]


def test_a_broken_line_is_a_problem_that_names_file_and_line_and_reading_goes_on(tmp_path: Path) -> None:
    path = written(tmp_path, lines(HEADER, CASE, b'{"id": 2, "calls": [', CASE | {"id": 3}))
    first, second, third = read(path)
    assert isinstance(second, Problem)
    assert str(second.error).startswith(f"{path}:3: not JSON")
    assert [c.id for c in (first, third) if isinstance(c, Case)] == [1, 3]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"id": 1}, "no 'calls'"),
        ({"id": 1, "calls": 7}, "'calls' is int, not a list of calls"),
        ({"id": 1, "calls": [7]}, "a call is an object"),
        ({"id": 1, "calls": [{"fn": 7, "args": []}]}, "a call is an object"),
        ({"id": 1, "calls": [{"fn": "glEnable"}]}, "a call is an object"),
        (CASE | {"unit": "one"}, "'unit' is str, not a unit number"),
        (CASE | {"shader": []}, "'shader' is list, not an object"),
        ([], "one JSON object, not list"),
    ],
)
def test_a_case_of_the_wrong_shape_is_a_problem(tmp_path: Path, bad: object, words: str) -> None:
    path = written(tmp_path, lines(HEADER, bad))
    (problem,) = read(path)
    assert isinstance(problem, Problem)
    assert words in str(problem.error)
    assert str(problem.error).startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"", 1, "the file is empty"),
        (b"hello\n", 1, "not JSON"),
        (lines(CASE), 1, "no header"),
        (lines(HEADER | {"oracle_version": 2}), 1, "format version 2; this reader knows version 1"),
        (b"\x1f\x8bgarbage", 1, "damaged or cut short"),
        (b"\xff\xfe\n", 1, "not JSON"),
    ],
)
def test_a_file_without_a_good_header_is_refused(tmp_path: Path, content: bytes, line: int, words: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(RecordingError, match=words) as caught:
        open_cases(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)


def test_position_counts_the_bytes_read_from_disk(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(lines(HEADER, CASE)))
    with open_cases(path) as file:
        list(file)
        assert file.position() == path.stat().st_size


TIMES = MOST_KEPT + 5


def test_what_was_taken_away_stays_counted_and_leaves_room() -> None:
    kept: Kept[str] = Kept()
    kept.add("one")
    kept.clear()
    kept.add("two")
    assert kept == ["two"]
    assert kept.total == 2


def test_a_stream_keeps_as_many_problems_and_doubts_and_no_more() -> None:
    replay = StreamReplay(converter(Screen.named("llvmpipe"), "mesa22"))
    source = "#version 130\nvoid main() {}"
    for call in (
        DumpCall(0, "glCreateProgram", {}, result=1),
        DumpCall(0, "glCreateShader", {"type": 0x8B30}, result=2),
        DumpCall(0, "glShaderSource", {"shader": 2, "count": 1, "string": (source,), "length": None}),
        DumpCall(0, "glCompileShader", {"shader": 2}),
        DumpCall(0, "glAttachShader", {"program": 1, "shader": 2}),
        DumpCall(0, "glLinkProgram", {"program": 1}),
    ):
        replay.feed(call)
    for number in range(TIMES):
        replay.feed(DumpCall(number, "glGetUniformLocation", {"program": 1, "name": f"u{number}"}, result=number))
        replay.feed(DumpCall(number, "glBindTexture", {"target": 3553, "texture": "x"}))
    for seen in (replay.doubts, replay.problems):
        assert [problem.call for problem in seen] == list(range(MOST_KEPT))
        assert seen.total == TIMES
