"""A comparison in each profile: parts of it in processes of their own, up to the first that differs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.conformance.drivers import driver
from tools.environment import environment
from tools.proofs.gl_calls.sides import PROFILES
from tools.proofs.progress import apart

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Outcome", "run"]

_LIMIT_S: Final = 300


class Outcome(NamedTuple):
    """What the sequences of one profile, or some of them, showed.

    profile   which
    counts    sequences, calls and questions that agree, and how often each listed departure was met
    problem   the first difference that is not listed, or how the driver died; empty where there is none
    calls     the shortest sequence that shows it, or the one that the driver died of
    """

    profile: str
    counts: Mapping[str, int]
    problem: str = ""
    calls: tuple[str, ...] = ()


def run(what: str, work: Callable[..., Outcome], ranges: Sequence[range], *, workers: int = 0) -> list[Outcome]:
    """Compare in each profile, on Mesa's llvmpipe.

    what      what is compared, for the reader
    work      does one part: what tells what it is at, a profile, one of the ranges
    ranges    numbers of sequences or of internal formats
    workers   processes at a time, by default one for each core
    """
    with environment(driver("llvmpipe").environment):
        return [_in_profile(profile, what, work, ranges, workers) for profile in PROFILES]


def _in_profile(
    profile: str, what: str, work: Callable[..., Outcome], ranges: Sequence[range], workers: int
) -> Outcome:
    title = f"{what}, {profile}"
    parts = {f"{title}, from {numbers.start}": (profile, numbers) for numbers in ranges}
    done: dict[str, Outcome] = {}
    seen = Outcome(profile, {})
    try:
        for seen in apart(title, work, parts, limit_s=_LIMIT_S, workers=workers, kept=done):
            if seen.problem:
                break
    except Exception as error:  # noqa: BLE001 (a driver's death, or whatever a side raises)
        last = "".join(getattr(error, "__notes__", ())[-1:])
        seen = Outcome(profile, {}, f"{type(error).__name__}: {error}", tuple(last.splitlines()))
    counts: Counter[str] = Counter()
    for one in done.values():
        counts.update(one.counts)
    return seen._replace(counts=counts)
