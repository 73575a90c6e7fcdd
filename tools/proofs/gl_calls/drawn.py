"""Random sequences in both contexts: hypothesis draws them, and shrinks the first that differs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from hypothesis import HealthCheck, Phase, given, seed, settings

from tools.proofs.gl_calls.compare import compare
from tools.proofs.gl_calls.generate import sequences
from tools.proofs.gl_calls.runs import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.proofs.gl_calls.sides import Call

__all__ = ["BATCH", "drawn"]

#: How many sequences hypothesis draws from one seed: it dwells on what it drew before, so many seeds reach further.
BATCH: Final = 250


class Different(Exception):
    """A sequence that differs: the sequence, and how."""

    def __init__(self, calls: list[Call], problem: str) -> None:
        super().__init__(problem)
        self.calls = calls
        self.problem = problem


def drawn(at: Callable[[str], object], profile: str, numbers: range) -> Outcome:
    """Compare as many sequences as there are numbers, the first of which is their seed; up to one that differs."""
    done: Counter[str] = Counter()

    @seed(numbers.start)
    @settings(
        max_examples=len(numbers), database=None, deadline=None, phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False, print_blob=False, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(sequences())
    def same(calls: list[Call]) -> None:
        at("\n".join(map(repr, calls)))
        compared = compare(profile, calls)
        done["sequences"] += 1
        done["calls"] += compared.calls
        done.update(compared.listed)
        if compared.problem:
            raise Different(calls, compared.problem)

    try:
        same()
    except Different as error:
        return Outcome(profile, done, error.problem, tuple(map(repr, error.calls)))
    return Outcome(profile, done)
