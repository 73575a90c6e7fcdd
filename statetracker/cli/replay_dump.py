"""``statetracker replay`` of an apitrace dump: a line an event, or with --check a verdict."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.cli.output import (
    EXIT_DIFFERS,
    EXIT_FAILED,
    EXIT_FINE,
    console,
    error,
    info,
    json_line,
    print_wrapped,
    progress,
    quiet,
    report,
)
from statetracker.errors import StateTrackerError
from statetracker.pipe import SamplerState
from statetracker.replay import RecordedStates, compare_states
from statetracker.replay.dumps import DumpReplay, counted, printed
from statetracker.replay.states import Creates

if TYPE_CHECKING:
    from collections import Counter

    from statetracker.cli.options import Given
    from statetracker.replay import Binds, Deletes
    from statetracker.replay.dumps import Printed
    from statetracker.sampler import Converter

#: Problems, doubts and differing states shown before only counting.
_SHOWN: Final = 10


def replay_dump(given: Given, path: str, check: str | None, converter: Converter, counts: Counter[str]) -> int:
    """Replay one dump and print its events, under --check its verdict, as JSON both; gives the exit code.

    Args:
        given: The options.
        path: The dump.
        check: Mesa's trace of the same run, if any.
        converter: The rules.
        counts: Is added to: files, compared and differing states, problems.
    """
    explain, as_json = given.explain, given.as_json
    try:
        recorded = RecordedStates(check) if check is not None else None
        run = DumpReplay(path, converter, explained=explain is not None, profile=given.profile or "")
    except StateTrackerError as failure:
        report(failure)
        counts.update(files=1, problems=1)
        return EXIT_FAILED
    known = None if recorded is None else {printed(state) for state in recorded.states}
    explained = False
    written = explain is None and (as_json or known is None)
    with progress(Path(path).name, None, "events", lines=written) as watch:
        for number, event in enumerate(run, 1):
            watch(number)
            if written:
                json_line(_line(event, known))
            elif isinstance(event, Creates) and str(event.id) == explain:
                explained = True
                _show(event, as_json=as_json)
    _say_some(run.problems, run.problems.total, "problem", "problems")
    name = Path(path).name
    for line in run.summary():
        info(f"{name}: {line}")
    doubts = run.replay.doubts
    _say_some([f"{name}: call {doubt.call}: {doubt.text}" for doubt in doubts], doubts.total, "doubt", "doubts")
    if explain is not None and not explained:
        error(f"no state has the id {explain}")
        return EXIT_FAILED
    compared = recorded is not None and (recorded.complete or bool(recorded.states))
    differs = recorded is not None and _checked(run, recorded, counts, verdict=compared and not as_json)
    if recorded is not None and not compared:
        error(f"{check}: nothing could be compared: no state can be read from the trace")
        counts["problems"] += 1
        return EXIT_FAILED
    if run.problems:
        error(f"{name}: {counted(run.problems.total, 'problem')}; everything else was replayed")
        return EXIT_FAILED
    return EXIT_DIFFERS if differs else EXIT_FINE


def _line(event: Creates | Binds | Deletes, known: set[Printed] | None) -> dict[str, object]:
    """Return an event as data; under --check a created state has ``agrees``: whether the trace has it, too."""
    if known is None or not isinstance(event, Creates):
        return event.to_dict()
    return {**event.to_dict(), "agrees": printed(SamplerState.from_bytes(event.state).to_trace()) in known}


def _say_some(lines: list[str], count: int, one: str, many: str) -> None:
    """Report the first of ``count`` lines, and count the others (``one`` and ``many`` name them)."""
    for line in lines[:_SHOWN]:
        error(line)
    if count > _SHOWN:
        more = count - _SHOWN
        error(f"{more} more {one if more == 1 else many}")


def _checked(run: DumpReplay, recorded: RecordedStates, counts: Counter[str], *, verdict: bool) -> bool:
    """Compare the states with the recorded ones, and say how; whether they differ.

    With ``verdict`` agreement is said too: it is the result, one line on standard output.
    """
    agreement = compare_states([event.state for event in run.created], recorded.states, complete=recorded.complete)
    name = Path(recorded.path).name
    _say_some(recorded.problems, recorded.problems.total, "problem of the trace", "problems of the trace")
    if not recorded.complete:
        error(f"{name}: the trace breaks off; after its end the replay has {counted(agreement.beyond, 'state')}")
    for words, states in (
        ("recorded, not created by the replay", agreement.missing),
        ("not recorded", agreement.extra),
    ):
        lines = [f"{name}: {words}: {_members(state)}" for state in states]
        _say_some(lines, len(lines), "such state", "such states")
    extra = len(agreement.extra)
    differ = len(agreement.missing) + extra
    counts.update(files=1, compared=agreement.recorded + extra, differ=differ, problems=run.problems.total)
    if not agreement.same:
        error(f"{name}: {agreement}")
    elif verdict and not quiet():
        print_wrapped(f"{run.path}: agrees with {recorded.path}: {agreement}")
    return not agreement.same


def _members(state: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in state)


def _show(event: Creates, *, as_json: bool) -> None:
    made = event.made_for
    why = made.why if made is not None else None
    if as_json:
        json_line({**event.to_dict(), "explanation": None if why is None else why.to_dict()})
        return
    out = console()
    place = "" if made is None else f" for {made}"
    out.print(f"state {event.id}, created at call {event.call}{place}\n\n{event.state.hex()}\n")
    out.print(str(why) if why is not None else "Mesa's own state for pixel rectangles: all fixed.", soft_wrap=True)
    sys.stdout.flush()
