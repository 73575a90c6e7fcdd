"""``statetracker replay``: recorded case files in, a table or one line a case out; dumps are for `replay_dump`."""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statetracker.cli.descriptions import screen_named
from statetracker.cli.jsonl import summary, verdict
from statetracker.cli.output import (
    BYTES,
    EXIT_DIFFERS,
    EXIT_FAILED,
    EXIT_FINE,
    console,
    error,
    info,
    json_line,
    progress,
    quiet,
    report,
    table,
)
from statetracker.errors import InputTooLarge, StateTrackerError
from statetracker.gl.limits import PROFILES
from statetracker.replay.cases import Recording
from statetracker.sampler import converter
from statetracker.sampler import dialect as dialect_named
from statetracker.spellings import looked_up
from statetracker.trace import Problem
from statetracker.trace.recording_file import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.caps import Screen
    from statetracker.replay.cases import Outcome

_SHOWN = 10  # differences shown before only counting


class FileTally:
    """The counts of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.recording: Recording | None = None
        self.counts: Counter[str] = Counter()
        self.states: set[bytes] = set()

    def add(self, outcome: Outcome) -> None:
        """Count one case."""
        self.counts["cases"] += 1
        self.counts["GL errors"] += sum(error != "GL_NO_ERROR" for error in outcome.result.errors)
        if outcome.result.record is not None:
            self.counts["states"] += 1
            self.states.add(outcome.result.record)
        if outcome.differences is not None:
            self.counts["compared"] += 1
            self.counts["differ"] += bool(outcome.differences)

    def row(self) -> tuple[object, ...]:
        """One line of the table."""
        c, r = self.counts, self.recording
        names = (r.screen.name, r.dialect) if r is not None else ("", "")
        agreed = f"{c['compared'] - c['differ']} of {c['compared']}" if c["compared"] else "-"
        return (Path(self.path).name, *names, c["cases"], c["GL errors"], c["states"], len(self.states), agreed)


COLUMNS = ("file", "screen", "dialect", "cases", "GL errors", "states", "distinct", "agreed")
NUMBERS = COLUMNS[3:]


def replay_any(  # one argument an option
    files: list[str],
    *,
    screen: str | None,
    dialect: str | None,
    check: bool,
    explain: str | None,
    profile: str | None,
    as_json: bool,
) -> int:
    """Replay recorded cases and dumps, recognised by their content; Mesa's traces go with the dumps."""
    counts = Counter[str]()
    kinds = _sorted(files, counts)
    worst = EXIT_FAILED if counts["problems"] else EXIT_FINE
    traces, dumps = kinds["trace"], kinds["dump"]
    if profile is not None:
        looked_up("profile", profile, PROFILES)
    if traces and not check:
        error(f"{traces[0]} is a Mesa trace: compare a dump with it, statetracker replay DUMP --check {traces[0]}")
        return EXIT_FAILED
    if check and len(traces) != len(dumps):
        error(f"--check compares each dump with a Mesa trace of the same run: {len(dumps)} dumps, {len(traces)} traces")
        return EXIT_FAILED
    if dumps:
        from statetracker.cli.replay_dump import replay_dump

        made = converter(screen_named(screen or "llvmpipe"), dialect or "mesa22")
        for path, trace in zip_longest(dumps, traces):
            code = replay_dump(path, made, counts, check=trace, explain=explain, profile=profile or "", as_json=as_json)
            worst = max(worst, code)
    if kinds["cases"]:
        code = replay_files(
            kinds["cases"], counts, screen=screen, dialect=dialect, check=check, explain=explain, as_json=as_json
        )
        worst = max(worst, code)
    if as_json and check and explain is None:
        json_line(summary(counts))
    return worst


def _sorted(files: list[str], counts: Counter[str]) -> dict[str, list[str]]:
    """Return cases, dumps and Mesa's traces apart; what is none of them is reported and counted as a problem."""
    kinds: dict[str, list[str]] = {"cases": [], "dump": [], "trace": []}
    for path in files:
        try:
            kind = kind_of(path)
        except StateTrackerError as failure:
            report(failure)
            counts["problems"] += 1
            continue
        if kind == "run":
            error(f"{path} is a run of the loop: statetracker budget reads it")
            counts["problems"] += 1
            continue
        kinds["trace" if kind in {"xml", "states"} else kind].append(path)
    return kinds


def replay_files(  # one argument an option
    files: list[str],
    counts: Counter[str],
    *,
    screen: str | None,
    dialect: str | None,
    check: bool,
    explain: str | None,
    as_json: bool,
) -> int:
    """Replay every file; the exit code says whether all could be done, and whether all agreed.

    ``counts`` is added to: files, compared and differing cases, problems.
    """
    chosen = screen_named(screen) if screen is not None else None
    if dialect is not None:
        dialect_named(dialect)
    tallies = [FileTally(path) for path in files]
    failed = shown = explained = 0
    for tally in tallies:
        for item in _outcomes(tally, chosen, dialect, check=check, lines=as_json):
            if isinstance(item, Problem):
                failed += 1
                error(str(item.error))
                continue
            tally.add(item)
            if as_json and explain is None:
                line = {"id": item.case.id, **item.result.to_dict()}
                json_line(verdict(line, item.differences or ()) if item.differences is not None and check else line)
            if item.differences and check:
                shown += 1
                _show_differences(tally.path, item) if shown <= _SHOWN else None
            if explain is not None and str(item.case.id) == explain:
                explained += 1
                show_outcome(tally.recording, item, as_json=as_json)
    whole = sum((tally.counts for tally in tallies), Counter[str]())
    counts.update(files=len(files), compared=whole["compared"], differ=whole["differ"], problems=failed)
    if not as_json and explain is None and not (check and quiet()):
        rows = [tally.row() for tally in tallies if tally.recording is not None]
        table("", COLUMNS, rows, right=NUMBERS) if rows else None
    if shown > _SHOWN:
        error(f"{shown - _SHOWN} more cases differ")
    return _verdict(whole, failed=failed, check=check, explain=explain, explained=explained)


def _verdict(whole: Counter[str], *, failed: int, check: bool, explain: str | None, explained: int) -> int:
    compared, differ = whole["compared"], whole["differ"]
    if explain is not None and not explained:
        error(f"no case has the id {explain}")
        return EXIT_FAILED
    if check:
        (error if differ else info)(f"{differ} of {compared} cases differ")
        if not compared:
            error("nothing could be compared: the recordings hold no results")
            return EXIT_FAILED
    if failed:
        others = "; everything else was replayed" if whole["cases"] else ""
        error(f"{failed} problem{'s' * (failed != 1)}{others}")
        return EXIT_FAILED
    return EXIT_DIFFERS if differ else EXIT_FINE


def _outcomes(
    tally: FileTally, screen: Screen | None, dialect: str | None, *, check: bool, lines: bool
) -> Iterator[Outcome | Problem]:
    """Every outcome of a file, with a progress bar where a person is watching."""
    try:
        tally.recording = Recording(tally.path, screen=screen, dialect=dialect)
    except InputTooLarge:
        raise
    except StateTrackerError as error:
        yield Problem(error)  # type: ignore[arg-type]
        return
    outcomes = tally.recording.outcomes(check=check)
    path = Path(tally.path)
    with progress(path.name, path.stat().st_size, BYTES, lines=lines) as watch:
        for number, outcome in enumerate(outcomes, 1):
            watch(tally.recording.file.position(), f"{number:,} cases")
            yield outcome


def _show_differences(path: str, outcome: Outcome) -> None:
    for difference in outcome.differences or ():
        place = f"{path}: case {outcome.case.id}: {difference.what}"
        error(f"{place}: recorded {difference.expected}, got {difference.got}")


def show_outcome(recording: Recording | None, outcome: Outcome, *, as_json: bool) -> None:
    """Show one case: its calls and their errors, its record, and why each member is what it is."""
    result = outcome.result
    out = console()
    if not as_json:
        out.print(f"case {outcome.case.id}")
        for call, error in zip(outcome.case.calls(), result.errors, strict=True):
            shown = f"  {call.fn}({', '.join(map(_argument, call.args))})"
            out.print(shown if error == "GL_NO_ERROR" else f"{shown}   -> {error}")
        for message in result.context.messages:
            out.print(f"  {message}")
    if result.record is None or recording is None:
        if as_json:
            json_line({"id": outcome.case.id, "explanation": None})
        else:
            out.print("no sampler state is bound")
        return
    explanation = recording.replayer.explain(result)
    if as_json:
        json_line({"id": outcome.case.id, "explanation": explanation.to_dict()})
    else:
        out.print(f"\n{result.record.hex()}\n\n{explanation}", soft_wrap=True)


def _argument(value: Any) -> str:  # noqa: ANN401 (as recorded)
    return "NULL" if value is None else str(value)
