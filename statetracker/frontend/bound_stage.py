"""`BoundStage`: what `StateTracker.bind` answers; `FrameCounts`: what its `end_frame` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, NamedTuple

from statetracker.cso.driver import Handle
from statetracker.sampler.shader_needs import ClampMasks, Lowering, WrapMasks, wrap_masks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.cso.slots import StageSlots
    from statetracker.frontend.states import Key, SlotState

__all__ = ["BoundStage", "FrameCounts", "StageMemory"]

#: No token: what was never looked at.
_NEVER: Final = -1


class FrameCounts(NamedTuple):
    """What happened in one frame.

    frame           its number, from 1
    binds           calls of `bind`
    unchanged       ... that were answered by one compare
    slots_changed   slots whose state became another one
    conversions     states worked out, because their sampler, texture or unit was new or changed
    creates, deletes   calls of the driver
    live            states that exist now
    """

    frame: int
    binds: int
    unchanged: int
    slots_changed: int
    conversions: int
    creates: int
    deletes: int
    live: int


class BoundStage(Generic[Handle]):
    """What a stage has bound, as of one `StateTracker.bind`. It never changes; treat its mappings so too.

    stage        the stage's name
    handles      slot -> handle, up to the highest slot the stage ever bound; None: never bound
    changed      slot -> new handle, for the slots whose state is another one than before this bind; empty: none
    generation   the tracker's: handles of another generation are not to be used
    states       slot -> record and lowering, for the slots that this bind named
    """

    __slots__ = ("changed", "generation", "handles", "stage", "states")

    def __init__(
        self,
        stage: str,
        handles: tuple[Handle | None, ...],
        changed: Mapping[int, Handle | None],
        generation: int,
        states: Mapping[int, SlotState],
    ) -> None:
        self.stage = stage
        self.handles = handles
        self.changed = changed
        self.generation = generation
        self.states = states

    @property
    def clamps(self) -> ClampMasks:
        """The slots of this bind whose coordinates the shader saturates, as bit masks."""
        return self.masks.merged

    @property
    def masks(self) -> WrapMasks:
        """The same with GL_CLAMP and GL_MIRROR_CLAMP_EXT apart."""
        return wrap_masks((slot, state.lowering) for slot, state in self.states.items())

    @property
    def lowerings(self) -> dict[int, Lowering]:
        """Slot -> what the shader must do, for the slots of this bind where it has something to do."""
        return {slot: state.lowering for slot, state in self.states.items() if state.lowering.needed}

    def __repr__(self) -> str:
        """Stage, handles, and what changed."""
        return f"BoundStage({self.stage!r}, handles={self.handles}, changed={dict(self.changed)})"


class StageMemory(Generic[Handle]):
    """What a tracker remembers of one stage.

    given, stamp, flags   the slots of the last bind; the newest token before it; its switches
    same                  the answer to that bind, were it repeated; None: not yet made
    last                  the answer to that bind
    keys, states          slot -> what it was last made from, and what came out
    slots                 what the cache's context holds for the stage
    reach                 one past the highest slot that was ever bound
    """

    __slots__ = ("flags", "given", "keys", "last", "reach", "same", "slots", "stage", "stamp", "states")

    def __init__(self, stage: str, slots: StageSlots[Handle], generation: int) -> None:
        self.stage = stage
        self.given: object = ()
        self.stamp = _NEVER
        self.flags = 0
        self.keys: dict[int, Key] = {}
        self.states: dict[int, SlotState] = {}
        self.slots = slots
        self.reach = slots.reach
        self.last: BoundStage[Handle] = BoundStage(stage, tuple(slots.handles[: self.reach]), {}, generation, {})
        self.same: BoundStage[Handle] | None = None

    def again(self) -> BoundStage[Handle]:
        """Make the answer to the last bind, were it repeated: the same, and nothing has changed."""
        last = self.last
        self.same = same = (
            BoundStage(self.stage, last.handles, {}, last.generation, last.states) if last.changed else last
        )
        return same
