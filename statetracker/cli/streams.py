"""``statetracker replay`` of an apitrace dump: one line an event; a summary, and the check, to standard error."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.cli.kinds import kind_of
from statetracker.cli.output import EXIT_DIFFERS, EXIT_FAILED, EXIT_FINE, console, json_line, say
from statetracker.errors import StateTrackerError
from statetracker.frontend.agreement import Agreement, compare_states
from statetracker.frontend.stream import StreamReplay
from statetracker.frontend.stream_draws import Binds, Creates
from statetracker.replay import SourceAnalysis
from statetracker.trace import Problem
from statetracker.trace.apitrace import DumpFile, open_dump
from statetracker.trace.gallium import CreateSampler, GalliumTrace, open_gallium_trace, open_states

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statetracker.frontend.stream_draws import StreamEvent
    from statetracker.sampler import Converter
    from statetracker.trace.gallium import StatesFile

__all__ = ["DumpReplay", "Recorded", "event_line", "place_of", "replay_dump", "verdict"]

#: Problems, doubts and differing states shown before only counting.
_SHOWN: Final = 10


class DumpReplay:
    """A dump replayed: iterate once for the events; then everything else is known.

    problems   what could not be read or replayed, as text, with file and call number
    created    the records in order of creation
    """

    def __init__(self, path: str, converter: Converter, *, explained: bool = False, profile: str = "") -> None:
        """Open the dump; raises `RecordingError`."""
        self.path = path
        self.replay = StreamReplay(
            converter, SourceAnalysis(converter.screen.name), explained=explained, profile=profile
        )
        self.problems: list[str] = []
        self.created: list[Creates] = []
        self.binds = 0
        self._dump: DumpFile = open_dump(path)

    def __iter__(self) -> Iterator[StreamEvent]:
        """Every event, in order."""
        with self._dump as dump:
            for item in dump:
                if isinstance(item, Problem):
                    self.problems.append(str(item.error))
                    continue
                events = self.replay.feed(item)
                if events:
                    yield from self._noted(events)
                if self.replay.problems:
                    self._take_problems()
        yield from self._noted(self.replay.finish())
        self._take_problems()
        if not self.replay.calls and not self.problems:
            empty = "the file is empty: " if self._dump.lines == 0 else ""
            self.problems.append(f"{self.path}: {empty}no call of an apitrace dump is in it")

    def _take_problems(self) -> None:
        for problem in self.replay.problems:
            place = f"{self.path}:{problem.line}" if problem.line else self.path
            self.problems.append(f"{place}: call {problem.call}: {problem.text}")
        self.replay.problems.clear()

    def _noted(self, events: list[StreamEvent]) -> list[StreamEvent]:
        for event in events:
            if isinstance(event, Creates):
                self.created.append(event)
            elif isinstance(event, Binds):
                self.binds += 1
        return events

    def summary(self) -> Iterator[str]:
        """What happened, in a few lines."""
        replay = self.replay
        hits, misses = (sum(getattr(s, name) for s in replay.statistics()) for name in ("hits", "misses"))
        hits += sum(s.shortcuts for s in replay.statistics())
        yield (
            f"{_number(replay.calls, 'call')}, {_number(replay.draws, 'draw')}, {_number(self.binds, 'bind')}; "
            f"cache: {_number(hits, 'hit')}, {misses:,} missed, {_number(len(self.created), 'state')} created"
        )
        own = [str(event.id) for event in self.created if event.made_for is not None and event.made_for.own]
        if own:
            yield f"state {', '.join(own)}: not the program's, but Mesa's own for glBitmap, glDrawPixels, glCopyPixels"
        if replay.guesses:
            yield f"not wholly shown by the dump, guessed: {_counted(replay.guesses)}"
        yield f"not modelled: {_counted(replay.unmodelled) if replay.unmodelled else 'nothing'}"


def _number(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _counted(names: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({n:,})" for name, n in sorted(names.items(), key=lambda item: (-item[1], item[0])))


def event_line(event: StreamEvent) -> dict[str, object]:
    """One event for machines."""
    if isinstance(event, Creates):
        return {"call": event.call, "event": "create", "id": event.id, "state": event.state.hex()}
    if isinstance(event, Binds):
        return {
            "call": event.call,
            "event": "bind",
            "stage": event.stage,
            "start": event.start,
            "ids": list(event.ids),
        }
    return {"call": event.call, "event": "delete", "id": event.id}


class Recorded:
    """The states of Mesa's trace of a run; ``complete``: False where the trace breaks off."""

    def __init__(self, path: str) -> None:
        """Read the creates; raises `RecordingError` where there is nothing to read."""
        self.path = path
        self.states: list[dict[str, object]] = []
        self.problems: list[str] = []
        opened: GalliumTrace | StatesFile = open_gallium_trace(path) if kind_of(path) == "xml" else open_states(path)
        with opened as events:
            for event in events:
                if isinstance(event, Problem):
                    self.problems.append(str(event.error))
                elif isinstance(event, CreateSampler):
                    self.states.append(dict(event.state))
        self.complete = not self.problems and (not isinstance(opened, GalliumTrace) or opened.complete)


def replay_dump(  # one argument an option
    path: str, converter: Converter, *, check: str | None, explain: str | None, profile: str = "", as_json: bool
) -> int:
    """Replay one dump and print its events; gives the exit code.

    profile   of contexts whose making the dump does not show; "" is the screen's
    """
    try:
        recorded = Recorded(check) if check is not None else None
        run = DumpReplay(path, converter, explained=explain is not None, profile=profile)
    except StateTrackerError as error:
        say(str(error))
        return EXIT_FAILED
    found = False
    for event in run:
        if explain is None:
            json_line(event_line(event))
        elif isinstance(event, Creates) and str(event.id) == explain:
            found = True
            _show(event, as_json=as_json)
    _told(run.problems, "problem", "problems")
    name = Path(path).name
    for line in run.summary():
        say(f"{name}: {line}")
    doubts = run.replay.doubts
    _told([f"{name}: call {doubt.call}: {doubt.text}" for doubt in doubts], "doubt", "doubts")
    if explain is not None and not found:
        say(f"no state has the id {explain}")
        return EXIT_FAILED
    differs = recorded is not None and _checked(run, recorded)
    if run.problems:
        count = len(run.problems)
        say(f"{name}: {_number(count, 'problem')}; everything else was replayed")
        return EXIT_FAILED
    return EXIT_DIFFERS if differs else EXIT_FINE


def _told(lines: list[str], one: str, many: str) -> None:
    for line in lines[:_SHOWN]:
        say(line)
    if len(lines) > _SHOWN:
        more = len(lines) - _SHOWN
        say(f"{more} more {one if more == 1 else many}")


def _checked(run: DumpReplay, recorded: Recorded) -> bool:
    """Tell how the states compare; whether they differ."""
    found = compare_states([event.state for event in run.created], recorded.states, complete=recorded.complete)
    name = Path(recorded.path).name
    _told(recorded.problems, "problem of the trace", "problems of the trace")
    if not recorded.complete:
        say(f"{name}: the trace breaks off; after its end the replay has {_number(found.beyond, 'state')}")
    for words, states in (("recorded, not created by the replay", found.missing), ("not recorded", found.extra)):
        _told([f"{name}: {words}: {_members(state)}" for state in states], "such state", "such states")
    say(f"{name}: {verdict(found)}")
    return not found.same


def verdict(found: Agreement) -> str:
    """Say in one line whether states agree."""
    own = {(1, 0): "; only the replay made Mesa's own state", (0, 1): "; only the recording has Mesa's own state"}
    end = own.get(found.own, "")
    recorded = _number(found.recorded, "recorded state")
    if not found.same:
        return f"the states differ: {len(found.missing)} missing, {len(found.extra)} too many, of {recorded}{end}"
    if found.order is not None:
        return f"same set: {recorded}; the order differs from number {found.order} on{end}"
    return f"same set, same order: {recorded}{end}"


def _members(state: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in state)


def _show(event: Creates, *, as_json: bool) -> None:
    made = event.made_for
    why = made.why if made is not None else None
    if as_json:
        json_line({**event_line(event), "explanation": None if why is None else why.to_dict()})
        return
    out = console()
    out.print(f"state {event.id}, created at call {event.call}{place_of(event)}\n\n{event.state.hex()}\n")
    out.print(str(why) if why is not None else "Mesa's own state for pixel rectangles: all fixed.", soft_wrap=True)
    sys.stdout.flush()


def place_of(event: Creates) -> str:
    """What a state was first made for, in words that go on a sentence."""
    made = event.made_for
    if made is None:
        return ""
    if made.own:
        return f" for Mesa's own use, {made.stage} slot {made.slot}"
    texture = "the default texture" if made.texture is None else f"texture {made.texture}"
    return f" for {made.stage} slot {made.slot}: unit {made.unit}, {texture}"
