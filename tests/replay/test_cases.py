"""All recorded drivers, replayed: every GL error and all 36 bytes of every case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from statetracker.caps.files import screen_from
from statetracker.errors import ArgumentError, RecordingError
from statetracker.pipe import SamplerState
from statetracker.replay import Recording, Replayer, compare
from statetracker.replay.cases import Outcome
from statetracker.replay.comparison import expected_record
from statetracker.sampler import converter
from statetracker.trace import Case, open_cases

DATA = Path(__file__).parents[1] / "data" / "mesa"
FILES = sorted(DATA.glob("*.jsonl.gz"))
EXPECTED_CASES = {"llvmpipe": 2000, "softpipe": 2000, "zink": 2000}


def first_outcome() -> Outcome:
    recording = Recording(DATA / "llvmpipe.jsonl.gz")
    with recording.file:
        outcome = next(iter(recording.outcomes()))
    assert isinstance(outcome, Outcome)
    return outcome


def test_eleven_recordings_are_here() -> None:
    assert len(FILES) == 11


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_every_case_agrees_in_all_gl_errors_and_all_36_bytes(path: Path) -> None:
    """And in the text of each state; the last step of each field's explanation is its value, of every fifth case."""
    recording = Recording(path)
    seen = list(recording.outcomes(check=True))
    assert len(seen) == EXPECTED_CASES.get(path.name.removesuffix(".jsonl.gz"), 500)
    for place, outcome in enumerate(seen):
        assert isinstance(outcome, Outcome)
        assert outcome.differences == [], outcome.case.id
        if outcome.result.record is None:
            continue
        printed = outcome.case.data.get("pipe_sampler_state") or {}
        ours = SamplerState.from_bytes(outcome.result.record).to_trace()
        assert printed == {name: value for name, value in ours.items() if name in printed}
        if place % 5 == 0:
            explanation = recording.replayer.explain(outcome.result)
            assert bytes(explanation.state) == outcome.result.record
            fields = explanation.to_dict()["fields"]
            assert isinstance(fields, dict)
            assert {n: repr(explanation.last(n).after) for n in fields} == {n: repr(v) for n, v in fields.items()}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_a_file_stripped_of_every_result_gives_the_same(path: Path) -> None:
    with open_cases(path) as file:
        replayer = Replayer(converter(screen_from(file.header.data)))
        for case in file:
            assert isinstance(case, Case)
            replayer.start(case.place)
            result = replayer.run(stripped(case.data))
            assert result.errors == [call["err"] for call in case.data["calls"]]
            raw = case.data.get("raw")
            assert result.record == (expected_record(raw) if raw else None)


def stripped(data: dict[str, Any]) -> dict[str, Any]:
    calls = [{"fn": call["fn"], "args": call["args"]} for call in data["calls"]]
    return {"id": data["id"], "calls": calls, "shader": data.get("shader"), "unit": data.get("unit", 0)}


def test_a_wrong_byte_is_seen_and_named() -> None:
    outcome = first_outcome()
    raw = outcome.case.data["raw"]
    raw["wrap_s"] ^= 1
    (seen,) = compare(outcome.case.data, outcome.result) or []
    assert seen.what == "wrap_s"


def test_a_wrong_error_is_seen_and_named() -> None:
    outcome = first_outcome()
    outcome.case.data["calls"][2]["err"] = "GL_OUT_OF_MEMORY"
    (seen,) = compare(outcome.case.data, outcome.result) or []
    assert (seen.what.split()[0], seen.expected, seen.got) == ("call", "GL_OUT_OF_MEMORY", "GL_NO_ERROR")


def test_a_recording_without_results_has_nothing_to_compare() -> None:
    outcome = first_outcome()
    assert compare(stripped(outcome.case.data), outcome.result) is None


def test_a_raw_record_with_a_missing_member_is_an_error_that_names_it() -> None:
    with pytest.raises(ArgumentError, match="wrap_s"):
        expected_record({})


@pytest.mark.parametrize(
    ("version", "dialect"),
    [("21.2.6", "21.2"), ("22.3.6", "22.3"), ("24.1.0", "24.1"), ("25.0.7-2+deb13u1", "25.0"), ("", "22.3")],
)
def test_the_dialect_follows_the_recorded_mesa_version(tmp_path: Path, version: str, dialect: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"header": True, "caps": {}, "mesa_version": version}) + "\n")
    recording = Recording(path)
    assert recording.dialect == dialect
    recording.file.close()


def test_a_mesa_version_with_unknown_rules_is_refused_unless_a_dialect_is_given(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"header": true, "caps": {}, "mesa_version": "30.1.0"}\n')
    with pytest.raises(RecordingError, match=r"'30\.1\.0' is not known"):
        Recording(path)
    recording = Recording(path, dialect="mesa24")
    assert recording.dialect == "mesa24"
    recording.file.close()
