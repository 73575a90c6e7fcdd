"""A whole live run: cases from a seed, the driver's answers, our verdicts, shrunk counter-examples, a recording.

Its cases run on a driver in this process, or in parts elsewhere: the same answers and verdicts, in the same order. A
part is what one driver's process serves, `PER_PROCESS` cases of a seed, and has a driver of its own. A driver's process
starts again there in any case, so it does not matter which part runs where.
"""

from __future__ import annotations

import gzip
import json
import time
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, cast

from statetracker.conformance.drivers import driver as driver_named
from statetracker.conformance.drivers import driver_below
from statetracker.conformance.generate import cases_from
from statetracker.conformance.judge import Judge
from statetracker.conformance.live import PER_PROCESS, LiveRun
from statetracker.conformance.shrink import paste, shrink
from statetracker.conformance.tally import Mismatch, Tally, reachable_rules
from statetracker.errors import NoDevice
from statetracker.files import uninterrupted, written_whole
from statetracker.jobs import run_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

    from statetracker.conformance.drivers import Driver
    from statetracker.conformance.judge import Verdict
    from statetracker.conformance.live import Answer, Judged

__all__ = ["conform"]

#: A case that differs.
Differs = tuple["Answer", "Verdict"]

#: Mismatches that are shrunk; more of them are only counted.
_SHRUNK: Final = 10


class Asked(NamedTuple):
    """The questions to drivers.

    Attributes:
        driver: The driver under test.
        limit_s: Seconds that a case may take.
        command: Another worker than ours, for tests.
        dialect: Whose rules to compare with; None: the driver's own.
        seed: Of the cases.
        numbers: Numbers of the cases.
        given: Cases in their place.
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
        return LiveRun(self.driver, limit_s=self.limit_s, command=self.command, dialect=self.dialect)

    def cases(self) -> Iterable[dict[str, Any]]:
        """Return the cases, given or drawn."""
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
    """A run that has begun: the driver's header, all cases, and what shrinks those that differ."""

    header: dict[str, Any]
    judged: Iterator[Judged]
    shrunk: Callable[[list[Differs]], Iterator[Mismatch]]


def conform(
    driver: str,
    *,
    count: int,
    seed: int,
    dialect: str | None = None,
    record: str | None = None,
    limit_s: float = 20.0,
    command: Sequence[str] = (),
    cases: Iterable[dict[str, Any]] | None = None,
    stop_after: int = 0,
    mesa_prefix: str | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    watch: Callable[[Tally], None] = lambda _: None,
) -> Tally:
    """Run cases on an installed driver and compare. The page is docs/conformance.md.

    Whatever runs them, the tally has the same counts and mismatches, and the recording the same lines.

    An interrupt (control-C) ends the run: the tally until then is returned, ``interrupted``, with the mismatches as
    they were seen where they are not shrunk yet. The recording is put at its place at the end.

    Args:
        driver: A name of `drivers.DRIVERS`.
        count: How many cases.
        seed: Repeats a run.
        dialect: Whose rules to compare with; None takes those of the version that the driver reports, or the nearest.
        record: A file to write, as ``statetracker replay --check`` reads it; gzip where it ends in .gz.
        limit_s: Seconds that a case may take.
        command: Another worker, for tests.
        cases: These instead of random ones.
        stop_after: End after so many mismatches; 0 never does.
        mesa_prefix: A folder with another Mesa (`drivers.driver_below`).
        jobs: Processes of this machine that cases are spread over, each with a driver of its own.
        scheduler: Address of a Dask scheduler, as ``tcp://host:8786``, whose workers have the driver; they run the
            cases.
        watch: Called after every case.

    Raises:
        NoDevice: The driver cannot be started or is not the same on all workers.
        FileError: There is no Mesa below ``mesa_prefix``. `run_jobs` raises more.
    """
    started = time.monotonic()
    chosen = driver_named(driver)
    if mesa_prefix is not None:
        chosen = driver_below(mesa_prefix, chosen)
    asked = Asked(chosen, limit_s, tuple(command), dialect, seed, range(count), cases)
    elsewhere = scheduler is not None or jobs > 1
    with spread(asked, jobs=jobs, scheduler=scheduler) if elsewhere else here(asked) as stream:
        judge = Judge(stream.header, dialect=dialect)
        reachable = reachable_rules(judge.screen, judge.dialect)
        tally = Tally(driver, stream.header, judge.dialect, judge.note, reachable=reachable)
        differ: list[Differs] = []
        with _recording(record, stream.header) as write:
            try:
                for answer, verdict in stream.judged:
                    with uninterrupted():
                        tally.add(answer, verdict)
                        write(answer)
                        if verdict and verdict.differences and len(differ) < _SHRUNK:
                            differ.append((answer, verdict))
                    watch(tally)
                    if stop_after and tally.differ >= stop_after:
                        break
            except KeyboardInterrupt:
                tally.interrupted = True
                tally.note = f"{tally.note}; interrupted after {tally.cases} cases".removeprefix("; ")
        try:
            if not tally.interrupted:
                tally.mismatches.extend(stream.shrunk(differ))
        except KeyboardInterrupt:
            tally.interrupted = True
        for answer, verdict in differ[len(tally.mismatches) :]:
            tally.mismatches.append(_mismatch(driver, answer.case, _asked_of(answer.case), verdict))
    tally.seconds = time.monotonic() - started
    return tally


@contextmanager
def _recording(path: str | None, header: dict[str, Any]) -> Iterator[Callable[[Answer], None]]:
    """Write a recorded case file, put at its place at the end; after an exception there is none."""
    with ExitStack() as opened:
        if path is None:
            yield lambda _: None
            return
        stream: IO[bytes] = opened.enter_context(written_whole(path))
        if path.endswith(".gz"):
            stream = cast("IO[bytes]", opened.enter_context(gzip.open(stream, "wb")))

        def write(answer: Answer) -> None:
            case = answer.case
            if answer.failure is not None:
                kept = {"id": case.get("id"), "calls": case["calls"]}
                case = kept | {"skipped": f"{answer.failure.kind}: {answer.failure.detail}"}
            stream.write(json.dumps(case).encode() + b"\n")

        stream.write(json.dumps(header).encode() + b"\n")
        yield write


@contextmanager
def here(asked: Asked) -> Iterator[Stream]:
    """Run all cases in one driver's process after the other, each when it is asked for; raises `NoDevice`."""
    with asked.live() as live:
        yield Stream(
            live.header, live.judged(asked.cases()), lambda differing: (_shrunk(live, *one) for one in differing)
        )


@contextmanager
def spread(asked: Asked, *, jobs: int, scheduler: str | None) -> Iterator[Stream]:
    """Run parts of 150 cases on processes or on Dask's workers, see `run_jobs`; raises `NoDevice`, `WorkerLost`."""

    def results(work: Callable[..., Any], parts: Mapping[str, tuple[Any, ...]]) -> Generator[Any]:
        with closing(run_jobs(work, parts, scheduler=scheduler, jobs=jobs)) as done:
            for _, result in done:
                yield result

    def shrunk(differing: list[Differs]) -> Iterator[Mismatch]:
        each = {f"shrink {one[0].case.get('id')}": (asked._replace(given=None), *one) for one in differing}
        return results(_shrunk_part, each)

    with closing(results(_done_part, asked.parts())) as done:
        header, judged = next(done)
        rest = (one for part in done for one in _alike(header, *part))
        yield Stream(header, chain(judged, rest), shrunk)


def _done_part(asked: Asked) -> tuple[dict[str, Any], list[Judged]]:
    """Return the driver's header, and the cases of a part."""
    with asked.live() as live:
        return live.header, list(live.judged(asked.cases()))


def _shrunk_part(asked: Asked, answer: Answer, verdict: Verdict) -> Mismatch:
    with asked.live() as live:
        return _shrunk(live, answer, verdict)


def _alike(first: dict[str, Any], header: dict[str, Any], judged: list[Judged]) -> list[Judged]:
    """Return the cases of a part, if its driver is that of the first."""
    for name in first.keys() | header.keys():
        one, other = first.get(name), header.get(name)
        if one != other:
            hint = "Start workers on machines that have the same driver"
            raise NoDevice("Mesa", f"two workers' drivers differ in {name}: {one!r:.80}, {other!r:.80}", hint=hint)
    return judged


def _shrunk(live: LiveRun, answer: Answer, verdict: Verdict) -> Mismatch:
    """Reduce a mismatch: any difference that is still there counts, of the members that differed at first.

    What agrees alone, in a process of its own, is given back as it was.
    """
    wanted, asked = {_kind(one.what) for one in verdict.differences}, _asked_of(answer.case)

    def differing(smaller: dict[str, Any]) -> Verdict | None:
        _, now = next(live.judged([_asked_of(smaller)]))
        return now if now and wanted & {_kind(one.what) for one in now.differences} else None

    live.renew()
    small = shrink(asked, lambda smaller: differing(smaller) is not None)
    final = differing(small)
    if final is None:
        return _mismatch(live.driver.name, answer.case, asked, verdict)
    return _mismatch(live.driver.name, answer.case, small, final)


def _mismatch(driver: str, case: dict[str, Any], small: dict[str, Any], verdict: Verdict) -> Mismatch:
    test = paste(small, verdict.differences, driver=driver)
    return Mismatch(case, small, verdict.differences, verdict.explanation, test)


def _kind(what: str) -> str:
    """Leave out a call's number, which changes while calls are taken away."""
    return what.partition("(")[2] if what.startswith("call ") else what


def _asked_of(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case without its answers."""
    kept = {name: case[name] for name in ("id", "texture", "unit", "shader") if name in case}
    return kept | {"calls": [{"fn": call["fn"], "args": call["args"]} for call in case["calls"]]}
