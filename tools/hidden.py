"""The live tests with every package hidden in turn: those that ask for it skip and name it, and none fails.

Run by ``make hidden``, quickly: tests look at what they need, and do not run. With ``--run`` they run (half an hour),
``--only PACKAGE`` takes one package. The packages, and how each is hidden, are in tests/live.py. Exit codes: 0 all is
well, 1 a test failed, or was skipped for another reason, or hiding a package made no difference.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from tests.live import HIDE, MODE, PACKAGES

ROOT: Final = Path(__file__).resolve().parents[1]
_SKIPPED: Final = re.compile(r"^SKIPPED \[(\d+)\] [^ ]+ (.*)$", re.MULTILINE)
_COUNT: Final = re.compile(r"(\d+) (passed|skipped|failed|errors?)\b")


class Run(NamedTuple):
    """What came of the live tests with a package hidden.

    Attributes:
        package: That was hidden; "" for none.
        counts: Passed, skipped, failed, error: how many.
        reasons: Of tests that skipped: how many each.
        text: What pytest printed.
        seconds: That it took.
    """

    package: str
    counts: dict[str, int]
    reasons: dict[str, int]
    text: str
    seconds: float


def named(package: str, reason: str) -> bool:
    """Whether a reason to skip names a package as what is to be installed."""
    return f"({PACKAGES[package].install} {package})" in reason


def live_run(package: str, *, running: bool = False) -> Run:
    """Run the live tests with a package hidden; unless ``running``, they only look at what they need."""
    files = [file for file in (ROOT / "tests").rglob("test_*.py") if "mark.live(" in file.read_text(encoding="utf-8")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {HIDE: package, MODE: "" if running else "ask", "HYPOTHESIS_PROFILE": "ci"}
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-rs", "--tb=short", "-p", "no:cacheprovider"]
    command += ["-n", "0", "-m", "live", *map(str, sorted(files))]
    begun = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    counts = {word.removesuffix("s"): int(number) for number, word in _COUNT.findall(done.stdout[-200:])}
    reasons: Counter[str] = Counter()
    for number, reason in _SKIPPED.findall(done.stdout):
        reasons[reason] += int(number)
    if done.returncode and not {"failed", "error"} & counts.keys():
        counts["error"] = 1
    return Run(package, counts, reasons, done.stdout + done.stderr, time.monotonic() - begun)


def faults(run: Run, before: Run) -> list[str]:
    """Say what is wrong with a run, beside the one with nothing hidden."""
    problems = [run.text] if {"failed", "error"} & run.counts.keys() else []
    others = [reason for reason in run.reasons if reason not in before.reasons and not named(run.package, reason)]
    problems += [f"another reason to skip: {reason}" for reason in others]
    if run.package and not any(named(run.package, reason) for reason in run.reasons):
        problems.append("no test was skipped for it")
    return problems


def main() -> int:
    """Run the chosen parts and print the result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--run", action="store_true", help="run the tests, too")
    parser.add_argument("--only", action="append", choices=list(PACKAGES), help="this package; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="runs side by side")
    options = parser.parse_args()
    before = live_run("")
    bad = show(before, before)
    with ThreadPoolExecutor(options.jobs) as pool:
        for run in pool.map(lambda package: live_run(package, running=options.run), options.only or PACKAGES):
            bad |= show(run, before)
    return int(bad)


def show(run: Run, before: Run) -> bool:
    """Print a line of a run, its reasons to skip and its faults; whether there are any."""
    counted = ", ".join(f"{number} {word}" for word, number in run.counts.items())
    print(f"{run.package or 'nothing'} hidden: {counted} ({run.seconds:.0f} s)", flush=True)
    for reason, number in sorted(run.reasons.items()):
        if run.package == before.package or reason not in before.reasons:
            print(f"  {number:4} {reason[:160]}")
    problems = faults(run, before)
    print("".join(f"  {fault}\n" for fault in problems), end="", flush=True)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
