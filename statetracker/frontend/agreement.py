"""Whether the states that a replay creates are those that a live driver was asked for.

States are compared as Mesa's trace prints them: floats with six digits, without ``border_color_is_integer`` and
``reduction_mode``. What counts is the set; order, and states that Mesa makes for itself, are told beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from statetracker.pipe import SamplerState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Agreement", "compare_states", "is_own", "printed"]

#: The members of a state as text, in the order in which Mesa prints them.
Printed: TypeAlias = "tuple[tuple[str, str], ...]"


class Agreement(NamedTuple):
    """What came out.

    missing    recorded states that the replay did not create
    extra      states of the replay that were not recorded
    order      place of the first state that comes at another time, from 0; None: the same order
    own        states Mesa made for itself (compare function 0, largest LOD 0): created here, recorded there
    beyond     states of the replay after the end of a trace that was cut short: nobody knows about them
    """

    missing: list[Printed]
    extra: list[Printed]
    order: int | None
    own: tuple[int, int]
    beyond: int
    recorded: int

    @property
    def same(self) -> bool:
        """Whether the sets are equal."""
        return not self.missing and not self.extra


def printed(members: Mapping[str, object]) -> Printed:
    """A state as a trace prints it, in a form that can be compared."""
    names = SamplerState().to_trace()
    return tuple((name, _text(members.get(name))) for name in names)


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_text, value))
    return str(int(value)) if isinstance(value, bool) else str(value)


def is_own(members: Mapping[str, object]) -> bool:
    """Whether a state is one that Mesa makes for itself, for bitmaps and pixel rectangles."""
    return _text(members.get("compare_func")) == "0" and _text(members.get("max_lod")) == "0"


def compare_states(
    ours: Sequence[bytes], recorded: Sequence[Mapping[str, object]], *, complete: bool = True
) -> Agreement:
    """Compare the records that a replay created with the states of a recording, both in order of creation.

    complete   False for a recording that was cut short: states of ours after its last one are not held against us
    """
    told = [SamplerState.from_bytes(record).to_trace() for record in ours]
    here = list(dict.fromkeys(printed(state) for state in told if not is_own(state)))
    there = list(dict.fromkeys(printed(state) for state in recorded if not is_own(state)))
    own = (any(map(is_own, told)), any(map(is_own, recorded)))
    known = set(there)
    last = max((place for place, state in enumerate(here) if state in known), default=-1)
    beyond = 0 if complete else len(here) - last - 1
    here = here[: len(here) - beyond]
    made = set(here)
    order = next((place for place, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), None)
    return Agreement(
        [state for state in there if state not in made],
        [state for state in here if state not in known],
        order,
        (int(own[0]), int(own[1])),
        beyond,
        len(there),
    )
