"""Workers that die, hang and babble: one finding each, and the run goes on."""

from __future__ import annotations

import gzip
import json
import signal
import sys
from pathlib import Path

import pytest

from statetracker.conformance.drivers import driver
from statetracker.conformance.generate import cases_from
from statetracker.conformance.live import Failure, LiveRun
from statetracker.conformance.run import conform

STAND_IN = str(Path(__file__).parent / "stand_in.py")

#: What the stand-in does -> (kind of failure, part of its detail).
KINDS = {
    "crash": ("crash", "signal 11 (segmentation fault)"),
    "exit": ("crash", "exit code 3: LLVM ERROR: Cannot select"),
    "hang": ("hang", "no answer within 2 s"),
    "rubbish": ("invalid answer", "no answer: b'Hello"),
    "wrong": ("invalid answer", "an answer to case 'another' instead"),
    "endless": ("invalid answer", "more than 1,048,576 bytes without an end of line"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_misdeed_is_one_finding_and_the_run_goes_on(kind: str) -> None:
    """Every third case is lost, with its calls; the others are answered by new workers."""
    limit_s = 2 if kind == "hang" else 60
    with LiveRun(driver("llvmpipe"), limit_s=limit_s, command=(sys.executable, STAND_IN, kind)) as run:
        answers = list(run.run(cases_from(1, 7)))
    lost = [answer.place for answer in answers if answer.failure is not None]
    assert lost == [2, 5]
    assert len(answers) == 7
    expected, detail = KINDS[kind]
    for place in lost:
        failure = answers[place].failure
        assert isinstance(failure, Failure)
        assert failure.kind == expected
        assert detail in failure.detail
        assert answers[place].case["calls"]


def test_lost_cases_are_counted_with_their_number() -> None:
    tally = conform("llvmpipe", count=6, seed=1, command=(sys.executable, STAND_IN, "crash"), limit_s=5)
    assert (tally.cases, tally.differ, tally.fine) == (6, 0, False)
    assert [part["id"] for part in tally.to_dict()["failures"]] == ["1/2", "1/5"]


def test_an_interrupt_in_the_middle_of_a_write_leaves_whole_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is counted is in the recording, and nothing else."""
    place, write = tmp_path / "cases.jsonl.gz", gzip.GzipFile.write

    def torn(stream: gzip.GzipFile, data: bytes) -> int:
        first = write(stream, data[:9])
        if b'"1/7"' in data:
            signal.raise_signal(signal.SIGINT)
        return first + write(stream, data[9:])

    monkeypatch.setattr(gzip.GzipFile, "write", torn)
    tally = conform("llvmpipe", count=50, seed=1, record=str(place), command=(sys.executable, STAND_IN, "fine"))
    with gzip.open(place, "rt") as lines:
        kept = [json.loads(line).get("id") for line in lines]
    assert (tally.interrupted, tally.cases) == (True, 8)
    assert kept == [None, *(f"1/{number}" for number in range(8))]
