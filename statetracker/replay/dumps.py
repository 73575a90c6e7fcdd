"""An apitrace dump replayed: its events, then a summary. And Mesa's trace of the same run, read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import RecordingError
from statetracker.replay.comparison import counted
from statetracker.replay.kinds import kind_of
from statetracker.replay.states import Binds, Creates
from statetracker.replay.streams import StreamReplay
from statetracker.trace import Problem
from statetracker.trace.apitrace import DumpFile, open_dump
from statetracker.trace.gallium import CreateSampler, GalliumTrace, open_gallium_trace, open_states
from statetracker.trace.recording_file import Kept

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statetracker.replay.states import StreamEvent
    from statetracker.sampler import Converter
    from statetracker.trace.gallium import StatesFile

#: Problems after which a file is given up.
_MOST_PROBLEMS: Final = 100_000


class DumpReplay:
    """A dump replayed: iterate once for the events; the rest is complete after that.

    path       of the dump
    problems   what could not be read or replayed, as text, with file and call number: the first 1,000
    created    the records in order of creation

    The other arguments are as in `StreamReplay`. Raises `RecordingError` where it cannot be opened.
    """

    def __init__(
        self,
        path: str,
        converter: Converter,
        *,
        explained: bool = False,
        profile: str = "",
        replay: StreamReplay | None = None,
    ) -> None:
        """Open the dump, for `StreamReplay`'s arguments or for a replay; raises `RecordingError`."""
        self.path = path
        self.replay = replay or StreamReplay(converter, explained=explained, profile=profile)
        self.problems: Kept[str] = Kept()
        self.created: list[Creates] = []
        self.binds = 0
        self._dump: DumpFile = open_dump(path)

    def __iter__(self) -> Iterator[StreamEvent]:
        """Every event, in order."""
        with self._dump as dump:
            for item in dump:
                if isinstance(item, Problem):
                    self.problems.add(str(item.error))
                    _check_number(self.path, self.problems)
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
            self.problems.add(f"{self.path}: {empty}no call of an apitrace dump is in it")

    def _take_problems(self) -> None:
        for problem in self.replay.problems:
            place = f"{self.path}:{problem.line}" if problem.line else self.path
            self.problems.add(f"{place}: call {problem.call}: {problem.text}")
        self.replay.problems.clear()

    def _noted(self, events: list[StreamEvent]) -> list[StreamEvent]:
        self.created += [event for event in events if isinstance(event, Creates)]
        self.binds += sum(isinstance(event, Binds) for event in events)
        return events

    def summary(self) -> Iterator[str]:
        """What happened, in a few lines."""
        replay, caches = self.replay, self.replay.statistics()
        hits, misses = sum(s.hits + s.shortcuts for s in caches), sum(s.misses for s in caches)
        yield (
            f"{counted(replay.calls, 'call')}, {counted(replay.draws, 'draw')}, {counted(self.binds, 'bind')}; "
            f"cache: {counted(hits, 'hit')}, {misses:,} missed, {counted(len(self.created), 'state')} created"
        )
        own = [str(event.id) for event in self.created if event.made_for is not None and event.made_for.own]
        if own:
            yield f"state {', '.join(own)}: not the program's, but Mesa's own for glBitmap, glDrawPixels, glCopyPixels"
        if replay.guesses:
            yield f"not wholly shown by the dump, guessed: {_listed(replay.guesses)}"
        if replay.allowance.refused:
            yield f"not expanded: {_listed(replay.allowance.refused)}"
        yield f"not modelled: {_listed(replay.unmodelled) if replay.unmodelled else 'nothing'}"


class RecordedStates:
    """The states of Mesa's trace of a run, at a path; ``complete``: False where the trace breaks off."""

    def __init__(self, path: str) -> None:
        """Read the creates; raises `RecordingError` where there is nothing to read."""
        self.path = path
        self.states: list[dict[str, object]] = []
        self.problems: Kept[str] = Kept()
        known: dict[str, dict[str, object]] = {}  # equal states are one object: traces repeat them
        opened: GalliumTrace | StatesFile = open_gallium_trace(path) if kind_of(path) == "xml" else open_states(path)
        with opened as events:
            for event in events:
                if isinstance(event, Problem):
                    self.problems.add(str(event.error))
                    _check_number(path, self.problems)
                elif isinstance(event, CreateSampler):
                    self.states.append(known.setdefault(repr(event.state), dict(event.state)))
        self.complete = not self.problems and (not isinstance(opened, GalliumTrace) or opened.complete)


def _check_number(path: str, problems: Kept[str]) -> None:
    """Give up on a file that is nothing but problems; raises `RecordingError`."""
    if problems.total > _MOST_PROBLEMS:
        raise RecordingError(path, None, f"more than {_MOST_PROBLEMS:,} problems; the first is {problems[0]}")


def _listed(names: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({n:,})" for name, n in sorted(names.items(), key=lambda item: (-item[1], item[0])))
