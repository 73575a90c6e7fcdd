"""Whether the states that a replay creates are those that a live driver created, as Mesa's trace of the run has them.

States are compared as the trace prints them: floats with six digits, without ``border_color_is_integer`` and
``reduction_mode``. What counts is the set; order, and states that Mesa makes for itself, are reported beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from statetracker.pipe import SamplerState
from statetracker.replay.kinds import kind_of
from statetracker.replay.words import counted
from statetracker.trace import Problem
from statetracker.trace.gallium import CreateSampler, GalliumTrace, open_gallium_trace, open_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.trace.gallium import StatesFile

__all__ = ["Agreement", "RecordedStates", "compare_states", "printed"]

#: The members of a state as text, in the order in which Mesa prints them.
Printed: TypeAlias = "tuple[tuple[str, str], ...]"


class RecordedStates:
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


class Agreement(NamedTuple):
    """How two sets of states compare.

    missing    recorded states that the replay did not create
    extra      states of the replay that were not recorded
    order      place of the first state that comes at another time, from 0; None: the same order
    own        states Mesa made for itself (compare function 0, largest LOD 0): created here, recorded there
    beyond     states of the replay after the end of a trace that was cut short: whether they agree is not known
    recorded   how many states were recorded
    """

    missing: list[Printed]
    extra: list[Printed]
    order: int | None
    own: tuple[bool, bool]
    beyond: int
    recorded: int

    @property
    def same(self) -> bool:
        """Whether the sets are equal."""
        return not self.missing and not self.extra

    def __str__(self) -> str:
        """In one line."""
        recorded = counted(self.recorded, "recorded state")
        only = "replay made" if self.own[0] else "recording has"
        end = f"; only the {only} Mesa's own state" if self.own[0] != self.own[1] else ""
        if not self.same:
            return f"the states differ: {len(self.missing)} missing, {len(self.extra)} too many, of {recorded}{end}"
        if self.order is not None:
            return f"same set: {recorded}; the order differs from number {self.order} on{end}"
        return f"same set, same order: {recorded}{end}"


def printed(members: Mapping[str, object]) -> Printed:
    """A state as a trace prints it, in a form that can be compared."""
    names = SamplerState().to_trace()
    return tuple((name, _text(members.get(name))) for name in names)


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_text, value))
    return str(int(value)) if isinstance(value, bool) else str(value)


def _is_own(members: Mapping[str, object]) -> bool:
    """Whether a state is one that Mesa makes for itself, for bitmaps and pixel rectangles."""
    return _text(members.get("compare_func")) == "0" and _text(members.get("max_lod")) == "0"


def compare_states(
    ours: Sequence[bytes], recorded: Sequence[Mapping[str, object]], *, complete: bool = True
) -> Agreement:
    """Compare the records that a replay created with the states of a recording, both in order of creation.

    complete   False for a recording that was cut short: states of ours after its last one are no difference
    """
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
