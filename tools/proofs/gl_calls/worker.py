"""The child process of a comparison: ``python -m tools.proofs.gl_calls.worker PROFILE SEED COUNT PLACE``.

Hypothesis draws the sequences, and shrinks the first that differs. Every so often a line of JSON goes to the parent. A
sequence is written to the file PLACE before it is made, so that a crash of the driver can be named.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hypothesis import HealthCheck, Phase, given, seed, settings

from tools.proofs.gl_calls.compare import compare
from tools.proofs.gl_calls.generate import sequences

if TYPE_CHECKING:
    from tools.proofs.gl_calls.sides import Call

__all__ = ["main"]

_EVERY: Final = 50  # sequences between two lines
#: How many sequences hypothesis draws from one seed: it dwells on what it drew before, so many seeds reach further.
_BATCH: Final = 250


class Different(Exception):
    """A sequence that differs: the sequence, and how."""

    def __init__(self, calls: list[Call], problem: str) -> None:
        super().__init__(problem)
        self.calls = calls
        self.problem = problem


def _say(line: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _run(profile: str, number: int, count: int, place: Path, done: Counter[str]) -> None:
    """Compare ``count`` sequences of one seed; raises `Different` with the shortest that differs."""

    @seed(number)
    @settings(
        max_examples=count, database=None, deadline=None, phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False, print_blob=False, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(sequences())
    def same(calls: list[Call]) -> None:
        place.write_text("\n".join(map(repr, calls)), encoding="utf-8")
        compared = compare(profile, calls)
        done["sequences"] += 1
        done["calls"] += compared.calls
        done.update(compared.listed)
        if done["sequences"] % _EVERY == 0:
            _say({"done": _EVERY})
        if compared.problem:
            raise Different(calls, compared.problem)

    same()


def main(profile: str, first: int, count: int, place: Path) -> int:
    """Compare ``count`` sequences, in batches with a seed each; 1 where one differs."""
    done: Counter[str] = Counter()
    for start in range(0, count, _BATCH):
        try:
            _run(profile, first + start, min(_BATCH, count - start), place, done)
        except Different as seen:
            _say({"problem": seen.problem, "calls": [repr(call) for call in seen.calls], "seed": first + start})
            break
    _say({"total": done})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])))
