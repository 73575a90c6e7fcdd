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
    from statetracker.cli.options import Given
    from statetracker.replay.cases import Outcome

_SHOWN = 10  # differences shown before only counting


COLUMNS = ("file", "screen", "dialect", "cases", "GL errors", "states", "distinct", "agreed")


class FileTally:
    """The counts of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.recording: Recording | None = None
        self.counts: Counter[str] = Counter()
        self.states: set[bytes] = set()

    def add(self, outcome: Outcome) -> None:
        """Count one case."""
        record, differences = outcome.result.record, outcome.differences
        self.counts["cases"] += 1
        self.counts["GL errors"] += sum(error != "GL_NO_ERROR" for error in outcome.result.errors)
        self.counts["states"] += record is not None
        self.states |= set() if record is None else {record}
        self.counts["compared"] += differences is not None
        self.counts["differ"] += bool(differences)

    def row(self) -> tuple[object, ...]:
        """One line of the table."""
        c, r = self.counts, self.recording
        names = (r.screen.name, r.dialect) if r is not None else ("", "")
        agreed = f"{c['compared'] - c['differ']} of {c['compared']}" if c["compared"] else "-"
        return (Path(self.path).name, *names, c["cases"], c["GL errors"], c["states"], len(self.states), agreed)


def replay_any(given: Given) -> int:
    """Replay recorded cases and dumps, recognised by their content; Mesa's traces go with the dumps."""
    counts = Counter[str]()
    kinds = _sorted(given.files, counts)
    worst = EXIT_FAILED if counts["problems"] else EXIT_FINE
    traces, dumps = kinds["trace"], kinds["dump"]
    if given.profile is not None:
        looked_up("profile", given.profile, PROFILES)
    if traces and not given.check:
        error(f"{traces[0]} is a Mesa trace: compare a dump with it, statetracker replay DUMP --check {traces[0]}")
        return EXIT_FAILED
    if given.check and len(traces) != len(dumps):
        error(f"--check compares each dump with a Mesa trace of the same run: {len(dumps)} dumps, {len(traces)} traces")
        return EXIT_FAILED
    if dumps:
        from statetracker.cli.replay_dump import replay_dump

        made = converter(screen_named(given.screen or "llvmpipe"), given.dialect or "mesa22")
        for path, trace in zip_longest(dumps, traces):
            worst = max(worst, replay_dump(given, path, trace, made, counts))
    if kinds["cases"]:
        worst = max(worst, replay_files(given, kinds["cases"], counts))
    if given.as_json and given.check and given.explain is None:
        json_line(summary(counts, worst))
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


def replay_files(given: Given, files: list[str], counts: Counter[str]) -> int:
    """Replay every file; the exit code says whether all could be done, and whether all agreed.

    ``counts`` is added to: files, compared and differing cases, problems.
    """
    screen = None if given.screen is None else screen_named(given.screen)
    if given.dialect is not None:
        dialect_named(given.dialect)
    whole, rows = Counter(files=len(files)), list[tuple[object, ...]]()
    for tally in map(FileTally, files):
        for item in _outcomes(tally, screen, given):
            if isinstance(item, Problem):
                whole["problems"] += 1
                error(str(item.error))
                continue
            tally.add(item)
            if given.as_json and given.explain is None:
                _print_line(item)
            if item.differences and whole["differ"] + tally.counts["differ"] <= _SHOWN:
                _show_differences(tally.path, item)
            if str(item.case.id) == given.explain:
                whole["explained"] += 1
                show_outcome(tally.recording, item, as_json=given.as_json)
        whole += tally.counts
        rows += [tally.row()] * (tally.recording is not None)
    counts.update({name: whole[name] for name in ("files", "compared", "differ", "problems")})
    if rows and not given.as_json and given.explain is None and not (given.check and quiet()):
        table("", COLUMNS, rows, right=COLUMNS[3:])
    return _verdict(given, whole)


def _print_line(outcome: Outcome) -> None:
    """Write a case as JSON; one that was compared has its verdict."""
    line = {"id": outcome.case.id, **outcome.result.to_dict()}
    json_line(line if outcome.differences is None else verdict(line, outcome.differences))


def _verdict(given: Given, whole: Counter[str]) -> int:
    compared, differ, failed = whole["compared"], whole["differ"], whole["problems"]
    if differ > _SHOWN:
        error(f"{differ - _SHOWN} more cases differ")
    if given.explain is not None and not whole["explained"]:
        error(f"no case has the id {given.explain}")
        return EXIT_FAILED
    if given.check:
        (error if differ else info)(f"{differ} of {compared} cases differ")
        if not compared:
            error("nothing could be compared: the recordings hold no results")
            return EXIT_FAILED
    if failed:
        others = "; everything else was replayed" if whole["cases"] else ""
        error(f"{failed} problem{'s' * (failed != 1)}{others}")
        return EXIT_FAILED
    return EXIT_DIFFERS if differ else EXIT_FINE


def _outcomes(tally: FileTally, screen: Screen | None, given: Given) -> Iterator[Outcome | Problem]:
    """Every outcome of a file, with a progress bar where a person is watching."""
    try:
        tally.recording = Recording(tally.path, screen=screen, dialect=given.dialect)
    except InputTooLarge:
        raise
    except StateTrackerError as error:
        yield Problem(error)  # type: ignore[arg-type]
        return
    path = Path(tally.path)
    with progress(path.name, path.stat().st_size, BYTES, lines=given.as_json) as watch:
        for number, outcome in enumerate(tally.recording.outcomes(check=given.check), 1):
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
