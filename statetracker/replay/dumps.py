"""An apitrace dump replayed: its events, then a summary. And Mesa's trace of the same run, read and compared with it.

States are compared as Mesa prints them: floats with six digits, without ``border_color_is_integer`` and
``reduction_mode``. What counts is the set; order, and states that Mesa makes for itself, are reported beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.errors import ArgumentError, RecordingError
from statetracker.pipe import SamplerState
from statetracker.replay.states import Binds, Creates
from statetracker.replay.streams import StreamReplay
from statetracker.trace import Problem
from statetracker.trace.apitrace import DumpFile, open_dump
from statetracker.trace.gallium import CreateSampler, GalliumTrace, open_gallium_trace, open_states
from statetracker.trace.recording_file import Kept, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.replay.states import StreamEvent
    from statetracker.sampler import Converter
    from statetracker.trace.gallium import StatesFile

#: The members of a state as text, in the order in which Mesa prints them.
Printed: TypeAlias = "tuple[tuple[str, str], ...]"

#: What `DumpReplay.states` counts.
STATE: Final = "different sampler state"
#: Problems after which a file is given up.
_MOST_PROBLEMS: Final = 100_000


class DumpReplay:
    """A dump replayed: iterate once for the events; the rest is complete after that.

    Args:
        path: Of the dump.
        converter: The rules, for a screen.
        explained: As for `StreamReplay`.
        profile: As for `StreamReplay`.
        replay: What replays the calls; None: a new `StreamReplay`.

    Attributes:
        problems: What could not be read or replayed, as text, with file and call number: the first 1,000.
        created: The records in order of creation.

    Raises:
        RecordingError: It cannot be opened.
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
        self.path = path
        self.replay = replay or StreamReplay(converter, explained=explained, profile=profile)
        self.problems: Kept[str] = Kept()
        self.created: list[Creates] = []
        self.binds = 0
        self._dump: DumpFile = open_dump(path)

    def __iter__(self) -> Iterator[StreamEvent]:
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
        if not self.replay.calls:
            empty = "the file is empty: " if self._dump.lines == 0 else ""
            first = f" ({self.problems[0].removeprefix(f'{self.path}:')})" if self.problems else ""
            self.problems = Kept()  # one for each line of another file
            self.problems.add(f"{self.path}: {empty}no call of an apitrace dump is in it{first}")

    def _take_problems(self) -> None:
        for problem in self.replay.problems:
            place = f"{self.path}:{problem.line}" if problem.line else self.path
            self.problems.add(f"{place}: call {problem.call}: {problem.text}")
        self.replay.problems.clear()

    def _noted(self, events: list[StreamEvent]) -> list[StreamEvent]:
        self.created += [event for event in events if isinstance(event, Creates)]
        self.binds += sum(isinstance(event, Binds) for event in events)
        return events

    @property
    def states(self) -> int:
        """Number of different sampler states that draws use: of incomplete textures too, and not Mesa's own."""
        return len({event.state for event in self.created if event.made_for is None or not event.made_for.own})

    def summary(self) -> Iterator[str]:
        """Yield what happened, in a few lines."""
        replay, caches = self.replay, self.replay.statistics()
        hits, misses = sum(s.hits + s.shortcuts for s in caches), sum(s.misses for s in caches)
        yield (
            f"{counted(replay.calls, 'call')}, {counted(replay.draws, 'draw')}, {counted(self.binds, 'bind')}, "
            f"{counted(self.states, STATE)}; cache: {counted(hits, 'hit')}, {misses:,} missed, "
            f"{counted(len(self.created), 'state')} created"
        )
        own = [str(event.id) for event in self.created if event.made_for is not None and event.made_for.own]
        if own:
            yield f"state {', '.join(own)}: not the program's, but Mesa's own for glBitmap, glDrawPixels, glCopyPixels"
        if replay.guesses:
            yield f"not wholly shown by the dump, guessed: {_listed(replay.guesses)}"
        if replay.allowance.refused:
            yield f"not expanded: {_listed(replay.allowance.refused)}"
        yield f"not modelled: {_listed(replay.unmodelled)}" if replay.unmodelled else "Every call is understood."


class RecordedStates:
    """The states of Mesa's trace of a run, at a path; raises `RecordingError` where there is nothing to read.

    ``complete`` is False where the trace breaks off.
    """

    def __init__(self, path: str) -> None:
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
    """Refuse a file that is nothing but problems; raises `RecordingError`."""
    if problems.total > _MOST_PROBLEMS:
        raise RecordingError(path, None, f"more than {_MOST_PROBLEMS:,} problems; the first is {problems[0]}")


def _listed(names: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({n:,})" for name, n in sorted(names.items(), key=lambda item: (-item[1], item[0])))


def counted(count: int, word: str) -> str:
    """Return a number with its noun: 1 state, 2,000 states."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


class Agreement(NamedTuple):
    """The comparison of two sets of states.

    Attributes:
        missing: Recorded states that the replay did not create.
        extra: States of the replay that were not recorded.
        order: Place of the first state that comes at another time, from 0; None: the same order.
        own: States Mesa made for itself (compare function 0, largest LOD 0): created here, recorded there.
        beyond: States of the replay after the end of a trace that was cut short: whether they agree is not known.
        recorded: How many states were recorded.
    """

    missing: list[Printed]
    extra: list[Printed]
    order: int | None
    own: tuple[bool, bool]
    beyond: int
    recorded: int

    @property
    def same(self) -> bool:
        """True where the sets are equal."""
        return not self.missing and not self.extra

    def __str__(self) -> str:
        recorded = counted(self.recorded, "recorded state")
        only = "replay made" if self.own[0] else "recording has"
        end = f"; only the {only} Mesa's own state" if self.own[0] != self.own[1] else ""
        if not self.same:
            return f"the states differ: {len(self.missing)} missing, {len(self.extra)} too many, of {recorded}{end}"
        if self.order is not None:
            return f"same set: {recorded}; the order differs from number {self.order} on{end}"
        return f"same set, same order: {recorded}{end}"


def printed(members: Mapping[str, object]) -> Printed:
    """Return a state as a trace prints it, in a form that can be compared."""
    names = SamplerState().to_trace()
    return tuple((name, _text(members.get(name))) for name in names)


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_text, value))
    return str(int(value)) if isinstance(value, bool) else str(value)


def _is_own(members: Mapping[str, object]) -> bool:
    """Return whether a state is one that Mesa makes for itself, for bitmaps and pixel rectangles."""
    return _text(members.get("compare_func")) == "0" and _text(members.get("max_lod")) == "0"


def _is_record(given: object) -> bool:
    return isinstance(given, bytes | bytearray | memoryview | SamplerState)


def _is_state(given: object) -> bool:
    """Return whether it has members that every release of Mesa prints, spelled as in a trace."""
    return isinstance(given, Mapping) and {"wrap_s", "border_color.f"} <= given.keys()


def compare_states(
    ours: Sequence[bytes], recorded: Sequence[Mapping[str, object]], *, complete: bool = True
) -> Agreement:
    """Compare the records that a replay created with the states of a recording, both in order of creation.

    Args:
        ours: Records of 36 bytes.
        recorded: States as `RecordedStates` has them.
        complete: False for a recording that was cut short: states of ours after its last one are no difference.

    Raises:
        ArgumentError: Something else in a list, or no list.
    """
    for name, given, fits, accepted in (
        ("ours", ours, _is_record, "records of 36 bytes: [event.state for event in DumpReplay.created]"),
        ("recorded", recorded, _is_state, "members as Mesa's traces name them: RecordedStates.states"),
    ):
        wrong = [one for one in given if not fits(one)] if isinstance(given, Sequence) else [given]
        if wrong:
            raise ArgumentError(name, wrong[0], accepted=accepted)
    states = [SamplerState.from_bytes(record).to_trace() for record in ours]
    here = list(dict.fromkeys(printed(state) for state in states if not _is_own(state)))
    there = list(dict.fromkeys(printed(state) for state in recorded if not _is_own(state)))
    known = set(there)
    last = max((place for place, state in enumerate(here) if state in known), default=-1)
    beyond = 0 if complete else len(here) - last - 1
    here = here[: len(here) - beyond]
    made = set(here)
    order = next((place for place, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), None)
    return Agreement(
        missing=[state for state in there if state not in made],
        extra=[state for state in here if state not in known],
        order=order,
        own=(any(map(_is_own, states)), any(map(_is_own, recorded))),
        beyond=beyond,
        recorded=len(there),
    )
