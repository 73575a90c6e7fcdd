"""A whole live run: cases from a seed, the driver's answers, our verdicts, shrunk counter-examples, a recording.

See docs/conformance.md.
"""

from __future__ import annotations

import gzip
import json
import time
from contextlib import ExitStack
from random import Random
from typing import IO, TYPE_CHECKING, Any, Final, cast

from statetracker.conformance.coverage import reachable_rules
from statetracker.conformance.drivers import driver as driver_named
from statetracker.conformance.generate import case as random_case
from statetracker.conformance.judge import Judge
from statetracker.conformance.live import PER_PROCESS, LiveRun
from statetracker.conformance.prefix import driver_below
from statetracker.conformance.shrink import paste, shrink
from statetracker.conformance.tally import Mismatch, Tally
from statetracker.files import uninterrupted, written_whole
from statetracker.vulkan import explain_info

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType

    from statetracker.conformance.judge import Verdict
    from statetracker.conformance.live import Answer

__all__ = ["cases_from", "conform", "record_to"]

#: Mismatches that are shrunk; more of them are only counted.
_SHRUNK: Final = 10


def cases_from(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """Give the cases of a seed: case n of a seed is always the same."""
    for number in range(count):
        yield random_case(Random(f"{seed}/{number}"), f"{seed}/{number}")  # noqa: S311 (no secret)


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
    watch: Callable[[Tally], None] = lambda _: None,
) -> Tally:
    """Run cases on an installed driver and compare.

    driver       a name of `drivers.DRIVERS`
    count        how many cases
    seed         repeats a run
    dialect      whose rules to compare with; None takes those of the version that the driver reports, or the nearest
    record       a file to write, as ``statetracker replay --check`` reads it; gzip where it ends in .gz
    limit_s      seconds that a case may take
    command      another worker, for tests
    cases        these instead of random ones
    stop_after   end after so many mismatches; 0 never does
    mesa_prefix  a folder with another Mesa (`prefix.driver_below`)
    watch        called after every case

    An interrupt (control-C) ends the run: the tally until then is returned, ``interrupted``, with the mismatches as
    they were found where they are not shrunk yet. The recording is put at its place at the end. Raises `NoDevice` where
    the driver cannot be started, `FileError` where there is no Mesa below ``mesa_prefix``.
    """
    started = time.monotonic()
    chosen = driver_named(driver)
    if mesa_prefix is not None:
        chosen = driver_below(mesa_prefix, chosen)
    with LiveRun(chosen, limit_s=limit_s, command=command) as live:
        judge = Judge(live.header, dialect=dialect)
        reachable = reachable_rules(judge.screen, judge.dialect)
        tally = Tally(driver, live.header, judge.dialect, judge.note, reachable=reachable)
        mismatches: list[tuple[dict[str, Any], Verdict]] = []
        with record_to(record, live.header) as write:
            try:
                for answer in live.run(cases_from(seed, count) if cases is None else cases):
                    verdict = None if answer.failure else judge.judge(answer.place % PER_PROCESS, answer.case)
                    with uninterrupted():
                        tally.add(answer, verdict)
                        write(answer)
                        if verdict and verdict.differences and len(mismatches) < _SHRUNK:
                            mismatches.append((answer.case, verdict))
                    watch(tally)
                    if stop_after and tally.differ >= stop_after:
                        break
            except KeyboardInterrupt:
                tally.interrupted = True
                tally.note = f"{tally.note}; interrupted after {tally.cases} cases".removeprefix("; ")
        for case, verdict in mismatches:
            tally.mismatches.append(_mismatch(live, judge, case, verdict, tally))
    tally.seconds = time.monotonic() - started
    return tally


class record_to:  # noqa: N801 (used like a function)
    """Write a recorded case file; a context manager that gives a function to write answers with."""

    def __init__(self, path: str | None, header: dict[str, Any]) -> None:
        """Take the file's path, or None to write nothing."""
        self._path = path
        self._header = header
        self._stream: IO[bytes] | None = None
        self._opened = ExitStack()

    def __enter__(self) -> Callable[[Answer], None]:
        """Open the file and write its header; raises `OSError`."""
        if self._path is not None:
            with ExitStack() as opened:
                stream: IO[bytes] = opened.enter_context(written_whole(self._path))
                if self._path.endswith(".gz"):
                    stream = cast("IO[bytes]", opened.enter_context(gzip.open(stream, "wb")))
                self._stream = stream
                self._line(self._header)
                self._opened = opened.pop_all()
        return self._write

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Put the file at its place; after an exception there is none."""
        self._opened.__exit__(kind, error, trace)

    def _write(self, answer: Answer) -> None:
        if self._stream is None:
            return
        case = answer.case
        if answer.failure is not None:
            kept = {"id": case.get("id"), "calls": case["calls"]}
            case = kept | {"skipped": f"{answer.failure.kind}: {answer.failure.detail}"}
        self._line(case)

    def _line(self, data: dict[str, Any]) -> None:
        if self._stream is not None:
            self._stream.write(json.dumps(data).encode() + b"\n")


def _mismatch(live: LiveRun, judge: Judge, case: dict[str, Any], verdict: Verdict, tally: Tally) -> Mismatch:
    """Shrink a mismatch, unless the run is interrupted, and explain it."""
    small, final = _asked(case), verdict
    if not tally.interrupted:
        try:
            small, final = _shrunk(live, judge, case, verdict)
        except KeyboardInterrupt:
            tally.interrupted = True
    explained = ""
    if final.ours is not None and final.ours.record is not None:
        explained = str(judge.replayer.explain(final.ours))
        if any("VkSampler" in one.what for one in final.differences):
            explained += f"\n\n{explain_info(final.ours.record, judge.screen, dialect=judge.vulkan_dialect)}"
    return Mismatch(case, small, final.differences, explained, paste(small, final.differences, driver=live.driver.name))


def _shrunk(live: LiveRun, judge: Judge, case: dict[str, Any], verdict: Verdict) -> tuple[dict[str, Any], Verdict]:
    """Reduce a mismatch: any difference that is still there counts, of the members that differed at first.

    What agrees alone, in a process of its own, is given back as it was.
    """
    wanted = {_kind(one.what) for one in verdict.differences}

    def judged(smaller: dict[str, Any]) -> Verdict | None:
        answer = next(live.run([_asked(smaller)]))
        return None if answer.failure else judge.judge(0, answer.case)

    def differs(found: Verdict | None) -> bool:
        return found is not None and bool(wanted & {_kind(one.what) for one in found.differences})

    small = shrink(_asked(case), lambda smaller: differs(judged(smaller)))
    final = judged(small)
    return (small, final) if final is not None and differs(final) else (_asked(case), verdict)


def _kind(what: str) -> str:
    """Leave out a call's number, which changes while calls are taken away."""
    return what.partition("(")[2] if what.startswith("call ") else what


def _asked(case: dict[str, Any]) -> dict[str, Any]:
    """A case without its answers."""
    kept = {name: case[name] for name in ("id", "texture", "unit", "shader") if name in case}
    return kept | {"calls": [{"fn": call["fn"], "args": call["args"]} for call in case["calls"]]}
