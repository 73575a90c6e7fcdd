"""A run's cases on drivers, in this process or in parts elsewhere: the same answers and verdicts, in the same order.

A part is what one driver's process serves, `PER_PROCESS` cases of a seed, and has a driver of its own. A driver's
process starts again there in any case, so it does not matter which part runs where.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from statetracker.conformance.generate import case as random_case
from statetracker.conformance.judge import Judge
from statetracker.conformance.live import PER_PROCESS, LiveRun
from statetracker.conformance.shrink import paste, shrink
from statetracker.conformance.tally import Mismatch
from statetracker.errors import NoDevice
from statetracker.jobs import run_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping

    from statetracker.conformance.drivers import Driver
    from statetracker.conformance.judge import Verdict
    from statetracker.conformance.live import Answer

#: An answer, and how it compares; a failure has no verdict.
Judged = tuple["Answer", "Verdict | None"]
#: A case that differs.
Differs = tuple["Answer", "Verdict"]


class Asked(NamedTuple):
    """What drivers are asked.

    driver    which
    limit_s   seconds that a case may take
    command   another worker than ours, for tests
    dialect   whose rules to compare with; None: the driver's own
    seed      of the cases
    numbers   which of that seed
    given     these cases instead
    """

    driver: Driver
    limit_s: float
    command: tuple[str, ...]
    dialect: str | None
    seed: int
    numbers: range
    given: Iterable[dict[str, Any]] | None = None

    def live(self) -> LiveRun:
        """Start the driver; raises `NoDevice`."""
        return LiveRun(self.driver, limit_s=self.limit_s, command=self.command)

    def cases(self) -> Iterable[dict[str, Any]]:
        """The cases, given or drawn."""
        return cases_from(self.seed, len(self.numbers), self.numbers.start) if self.given is None else self.given

    def parts(self) -> dict[str, tuple[Asked]]:
        """Id -> itself with the cases of that part."""
        given = None if self.given is None else list(self.given)
        which, numbers = (f"seed {self.seed}", self.numbers) if given is None else ("given", range(len(given)))
        parts = {}
        for first in range(0, len(numbers) or 1, PER_PROCESS):
            some = numbers[first : first + PER_PROCESS]
            asked = self._replace(numbers=some, given=given and given[first : first + PER_PROCESS])
            parts[f"{self.driver.name}, {which}, cases {some.start} to {some.stop}"] = (asked,)
        return parts


class Stream(NamedTuple):
    """A run that has begun.

    header    the driver's
    judged    all cases
    shrunk    shrinks cases that differ
    """

    header: dict[str, Any]
    judged: Iterator[Judged]
    shrunk: Callable[[list[Differs]], Iterator[Mismatch]]


class Done(NamedTuple):
    """The result of a part: its driver's header, and its cases."""

    header: dict[str, Any]
    judged: list[Judged]


def cases_from(seed: int, count: int, first: int = 0) -> Iterator[dict[str, Any]]:
    """Give ``count`` cases of a seed, from number ``first`` on: case n of a seed is always the same."""
    for number in range(first, first + count):
        yield random_case(Random(f"{seed}/{number}"), f"{seed}/{number}")  # noqa: S311 (no secret)


@contextmanager
def here(asked: Asked) -> Iterator[Stream]:
    """Run all cases in one driver's process after the other, each when it is asked for; raises `NoDevice`."""
    with asked.live() as live:
        judge = Judge(live.header, dialect=asked.dialect)
        judged = _judged(asked, live, judge)
        yield Stream(live.header, judged, lambda differing: (_shrunk(live, judge, *one) for one in differing))


@contextmanager
def spread(asked: Asked, *, jobs: int, scheduler: str | None) -> Iterator[Stream]:
    """Run parts of 150 cases on processes or on Dask's workers, see `run_jobs`; raises `NoDevice`, `WorkerLost`."""

    def results(work: Callable[..., Any], parts: Mapping[str, tuple[Any, ...]]) -> Generator[Any]:
        with closing(run_jobs(work, parts, scheduler=scheduler, jobs=jobs)) as done:
            for _, result in done:
                yield result

    def shrunk(differing: list[Differs]) -> Iterator[Mismatch]:
        return results(
            shrunk_part, {f"shrink {one[0].case.get('id')}": (asked._replace(given=None), one) for one in differing}
        )

    with closing(results(done_part, asked.parts())) as done:
        first: Done = next(done)
        yield Stream(
            first.header, chain.from_iterable(_alike(first.header, one) for one in chain([first], done)), shrunk
        )


def done_part(asked: Asked) -> Done:
    """Run the cases of a part."""
    with asked.live() as live:
        return Done(live.header, list(_judged(asked, live, Judge(live.header, dialect=asked.dialect))))


def shrunk_part(asked: Asked, differing: Differs) -> Mismatch:
    """Shrink a case that differs."""
    with asked.live() as live:
        return _shrunk(live, Judge(live.header, dialect=asked.dialect), *differing)


def mismatch(driver: str, case: dict[str, Any], small: dict[str, Any], verdict: Verdict) -> Mismatch:
    """Put a case that differs, and what is left of it, into words."""
    return Mismatch(
        case, small, verdict.differences, verdict.explanation, paste(small, verdict.differences, driver=driver)
    )


def _judged(asked: Asked, live: LiveRun, judge: Judge) -> Iterator[Judged]:
    for answer in live.run(asked.cases()):
        yield answer, None if answer.failure else judge.judge(answer.place % PER_PROCESS, answer.case)


def _alike(header: dict[str, Any], done: Done) -> list[Judged]:
    """The cases of a part, if its driver is that of the others."""
    for name in header.keys() | done.header.keys():
        one, other = header.get(name), done.header.get(name)
        if one != other:
            hint = "Start workers on machines that have the same driver"
            raise NoDevice("Mesa", f"two workers' drivers differ in {name}: {one!r:.80}, {other!r:.80}", hint=hint)
    return done.judged


def _shrunk(live: LiveRun, judge: Judge, answer: Answer, verdict: Verdict) -> Mismatch:
    """Reduce a mismatch: any difference that is still there counts, of the members that differed at first.

    What agrees alone, in a process of its own, is given back as it was.
    """
    wanted, asked = {_kind(one.what) for one in verdict.differences}, asked_of(answer.case)

    def judged(smaller: dict[str, Any]) -> Verdict | None:
        answer = next(live.run([asked_of(smaller)]))
        return None if answer.failure else judge.judge(0, answer.case)

    def differs(now: Verdict | None) -> bool:
        return now is not None and bool(wanted & {_kind(one.what) for one in now.differences})

    live.renew()
    small = shrink(asked, lambda smaller: differs(judged(smaller)))
    final = judged(small)
    if final is None or not differs(final):
        small, final = asked, verdict
    return mismatch(live.driver.name, answer.case, small, final)


def _kind(what: str) -> str:
    """Leave out a call's number, which changes while calls are taken away."""
    return what.partition("(")[2] if what.startswith("call ") else what


def asked_of(case: dict[str, Any]) -> dict[str, Any]:
    """A case without its answers."""
    kept = {name: case[name] for name in ("id", "texture", "unit", "shader") if name in case}
    return kept | {"calls": [{"fn": call["fn"], "args": call["args"]} for call in case["calls"]]}
