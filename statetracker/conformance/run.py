"""A whole live run: cases from a seed, the driver's answers, our verdicts, shrunk counter-examples, a recording."""

from __future__ import annotations

import gzip
import json
import time
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Any, Final, cast

from statetracker.conformance.drivers import driver as driver_named
from statetracker.conformance.drivers import driver_below
from statetracker.conformance.judge import Judge
from statetracker.conformance.spread import Asked, asked_of, cases_from, here, mismatch, spread
from statetracker.conformance.tally import Tally, reachable_rules
from statetracker.files import uninterrupted, written_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statetracker.conformance.live import Answer
    from statetracker.conformance.spread import Differs, Stream

__all__ = ["cases_from", "conform", "record_to"]

#: Mismatches that are shrunk; more of them are only counted.
_SHRUNK: Final = 10


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

    driver       a name of `drivers.DRIVERS`
    count        how many cases
    seed         repeats a run
    dialect      whose rules to compare with; None takes those of the version that the driver reports, or the nearest
    record       a file to write, as ``statetracker replay --check`` reads it; gzip where it ends in .gz
    limit_s      seconds that a case may take
    command      another worker, for tests
    cases        these instead of random ones
    stop_after   end after so many mismatches; 0 never does
    mesa_prefix  a folder with another Mesa (`drivers.driver_below`)
    jobs         processes of this machine that cases are spread over, each with a driver of its own
    scheduler    or the address of a Dask scheduler, as ``tcp://host:8786``, whose workers have the driver
    watch        called after every case

    Whatever runs them, the tally has the same counts and mismatches, and the recording the same lines.

    An interrupt (control-C) ends the run: the tally until then is returned, ``interrupted``, with the mismatches as
    they were seen where they are not shrunk yet. The recording is put at its place at the end. Raises `NoDevice` where
    the driver cannot be started or is not the same on all workers, `FileError` where there is no Mesa below
    ``mesa_prefix``, and what `run_jobs` does.
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
        with record_to(record, stream.header) as write:
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
        _shrink(stream, differ, tally)
    tally.seconds = time.monotonic() - started
    return tally


@contextmanager
def record_to(path: str | None, header: dict[str, Any]) -> Iterator[Callable[[Answer], None]]:
    """Write a recorded case file, put at its place at the end; gives a function to write answers with.

    path   None: nothing is written

    Raises `OSError`; after an exception there is no file.
    """
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


def _shrink(stream: Stream, differ: list[Differs], tally: Tally) -> None:
    """Shrink the mismatches; those that an interrupt leaves stay as they were seen."""
    try:
        if not tally.interrupted:
            tally.mismatches.extend(stream.shrunk(differ))
    except KeyboardInterrupt:
        tally.interrupted = True
    for answer, verdict in differ[len(tally.mismatches) :]:
        tally.mismatches.append(mismatch(tally.driver, answer.case, asked_of(answer.case), verdict))
