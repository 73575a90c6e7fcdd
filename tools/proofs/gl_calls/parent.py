"""Starts a worker for each profile, as many at a time as wished, and gathers what they saw."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.conformance.drivers import driver
from tools.proofs.gl_calls.sides import PROFILES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["EVERY", "WORKER", "Outcome", "run"]

ROOT: Final = Path(__file__).resolve().parents[3]
WORKER: Final = (sys.executable, "-m", "tools.proofs.gl_calls.worker")
EVERY: Final = (sys.executable, "-m", "tools.proofs.gl_calls.formats")
_PATIENCE_S: Final = 300  # a worker that writes nothing for so long hangs, and is ended


class Outcome(NamedTuple):
    """What the sequences of one profile showed.

    profile   which
    counts    sequences, calls and questions that agree, and how often each listed departure was met
    problem   the first difference that is not listed, or how the driver died; empty where there is none
    calls     the shortest sequence that shows it
    """

    profile: str
    counts: Mapping[str, int]
    problem: str = ""
    calls: tuple[str, ...] = ()


def run(
    count: int, *, seed: int, workers: int, done: Callable[[str, int], object], worker: Sequence[str] = WORKER
) -> list[Outcome]:
    """Compare ``count`` sequences, or internal formats, in each profile.

    seed      of hypothesis, the same seed draws the same sequences; or the first format
    workers   processes at a time
    done      called with a profile and a number of sequences
    worker    the command of a worker, before its arguments
    """
    with ThreadPoolExecutor(workers) as pool:
        tasks = [pool.submit(_one, (*worker, profile, str(seed), str(count)), profile, done) for profile in PROFILES]
        return [task.result() for task in tasks]


def _lines(process: subprocess.Popen[str]) -> Iterator[str]:
    """What a worker writes; one that writes nothing for too long is ended."""
    while True:
        timer = Timer(_PATIENCE_S, process.kill)
        timer.start()
        text = process.stdout.readline() if process.stdout is not None else ""
        timer.cancel()
        if not text:
            return
        yield text


def _one(command: Sequence[str], profile: str, done: Callable[[str, int], object]) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="gl-calls-") as folder:
        place = Path(folder) / "sequence"
        variables = os.environ | dict(driver("llvmpipe").environment) | {"PYTHONPATH": str(ROOT)}
        counts: dict[str, int] = {}
        problem, calls = "", tuple[str, ...]()
        with (Path(folder) / "errors").open("w+", encoding="utf-8") as errors:
            with subprocess.Popen(
                [*command, str(place)], cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=errors, text=True
            ) as process:
                for text in _lines(process):
                    line = json.loads(text)
                    done(profile, line.get("done", 0))
                    counts = line.get("total", counts)
                    problem, calls = line.get("problem", problem), tuple(line.get("calls", calls))
            if process.returncode and not problem:
                errors.seek(0)
                last = errors.read().strip().splitlines()[-1:]
                problem = f"the worker ended with {process.returncode}: {' '.join(last)}"
                calls = tuple(place.read_text(encoding="utf-8").splitlines()) if place.exists() else ()
        return Outcome(profile, counts, problem, calls)
