"""`BoundStage`: what `StateTracker.bind` answers; `FrameCounts`: what its `end_frame` returns.

See docs/tracker.md.
"""

from __future__ import annotations

from functools import cached_property
from operator import sub
from typing import TYPE_CHECKING, Any, NamedTuple

from statetracker.cso.driver import Handle
from statetracker.cso.slots import Resolved
from statetracker.errors import ArgumentError, InvalidCallOrder
from statetracker.pipe.lowering import ClampMasks, Lowering, WrapMasks, wrap_masks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.cso import CsoContext
    from statetracker.cso.slots import StageSlots
    from statetracker.frontend.bound_view import Loss
    from statetracker.frontend.slot_lowering import BoundSlot, SlotView
    from statetracker.frontend.states import SlotState
    from statetracker.pipe import LoweringValues


class FrameCounts(NamedTuple):
    """Counts of one frame.

    Attributes:
        frame: Its number, from 1.
        binds: Calls of `bind`.
        unchanged: Binds that left every handle as it was, without a call of the driver.
        slots_changed: Slots whose handle became another one.
        conversions: States worked out, because no sampler, texture and unit of the same content had been met.
        creates: Handles that the driver made.
        deletes: Handles that it deleted.
        live: States that exist now.
        merged: States that another one began to stand in for, at ``Policy(unique_limit=...)``.
    """

    frame: int
    binds: int
    unchanged: int
    slots_changed: int
    conversions: int
    creates: int
    deletes: int
    live: int
    merged: int = 0


class FrameCounter:
    """Counts what happens from frame to frame."""

    def __init__(self) -> None:
        self._before = FrameCounts(*(0,) * len(FrameCounts._fields))

    def end(self, cso: CsoContext[Any], conversions: int) -> FrameCounts:
        """End a frame; ``conversions`` were made since the beginning."""
        counts, cache, before = cso.counts, cso.cache, self._before
        now = FrameCounts(
            frame=before.frame + 1,
            binds=counts.binds,
            unchanged=counts.unchanged,
            slots_changed=counts.slots_changed,
            conversions=conversions,
            creates=cache.creates,
            deletes=counts.deletes,
            live=cache.live,
            merged=counts.merged,
        )
        self._before = now
        return FrameCounts(*map(sub, now, before))._replace(frame=now.frame, live=now.live)


class BoundStage(Resolved[Handle]):
    """A stage's bindings as of one `StateTracker.bind`.

    Binds of the same slots return the same object until a state changes. What it says of its slots is worked out when
    it is asked for the first time, and is not to be changed.

    Args:
        keys: Slot -> what the cache keeps its state by.
        named: Slot -> handle, up to the highest slot that the bind named.
        slots: What the stage holds now.
        generation: The tracker's when it was bound: handles of another generation are not to be used.
        by_slot: The slots that were named, and the state of each.

    Attributes:
        gaps: Slots below the highest one with a sampler that have none: they keep what they hold.
    """

    __slots__ = ("__dict__", "_by_slot", "gaps", "generation", "slots")

    def __init__(
        self,
        keys: tuple[object, ...],
        named: tuple[Handle | None, ...],
        slots: StageSlots[Handle],
        generation: int,
        by_slot: tuple[Sequence[int], Sequence[SlotState]],
    ) -> None:
        super().__init__(keys, named, -1)
        self.gaps: list[int] = []
        self.slots, self.generation, self._by_slot = slots, generation, by_slot

    @property
    def stage(self) -> str:
        """The stage's name."""
        return self.slots.stage

    @cached_property
    def states(self) -> Mapping[int, SlotState]:
        """Slot -> record and lowering, for the slots that this bind named."""
        return dict(zip(*self._by_slot, strict=True))

    @property
    def handles(self) -> tuple[Handle | None, ...]:
        """Slot -> handle, up to the highest slot the stage ever bound; None: never bound.

        Of slots above ``named`` it is what the stage holds when this is asked.
        """
        return self.named + self.slots.handles()[len(self.named) :]

    @property
    def changed(self) -> dict[int, Handle | None]:
        """Slot -> new handle, for the slots to which the stage's last bind gave a different handle; empty: none.

        Once the stage has another answer than this one, it raises `InvalidCallOrder`.
        """
        if self.slots.bound is not self:
            raise InvalidCallOrder("changed", f"stage {self.stage!r} was bound again", hint="Ask before the next bind")
        return self.slots.changed()

    @property
    def clamps(self) -> ClampMasks:
        """The slots of this bind whose coordinates the shader saturates, as bit masks."""
        return self.masks.merged

    @cached_property
    def masks(self) -> WrapMasks:
        """The same with GL_CLAMP and GL_MIRROR_CLAMP_EXT apart."""
        return wrap_masks((slot, state.lowering) for slot, state in self.states.items())

    @cached_property
    def lowerings(self) -> Mapping[int, Lowering]:
        """Slot -> what the shader must do, for the slots of this bind where it has something to do: a variant key.

        Handles that are create infos, or have one as ``info`` as those of `statetracker.vulkan.VulkanDriver`, add what
        their samplers lack for the slot's texture; other handles their ``lowering``, if they have one.
        """
        needs = {slot: self.slot(slot).lowering for slot in self.states}
        return {slot: whole for slot, whole in needs.items() if whole.needed}

    @cached_property
    def lowering_values(self) -> Mapping[int, LoweringValues]:
        """Slot -> the numbers that the shader reads, for the slots of `lowerings`: a uniform block's elements.

        The border colour is as the program sees it: clamped to the format, by base format and swizzle.
        """
        return {slot: values for slot in self.lowerings if (values := self.slot(slot).values) is not None}

    @cached_property
    def views(self) -> Mapping[int, SlotView]:
        """Slot -> format and swizzle of the texture's view, and on WebGPU the sample type, for the slots of this bind.

        Levels and layers are the texture's own: see `slot`, and `Result.view`.
        """
        return {slot: self.slot(slot).sampled for slot in self.states}

    @cached_property
    def unsupported(self) -> Mapping[int, tuple[Loss, ...]]:
        """Slot -> what neither sampler, view nor shader can do, for the slots of this bind that lose something."""
        return {slot: lost for slot in self.states if (lost := self.slot(slot).unsupported)}

    def slot(self, number: int) -> BoundSlot:
        """Everything that a host asks of a slot of this bind, in one place.

        Args:
            number: Of the slot, from 0.

        Raises:
            ArgumentError: A slot that this bind did not name.
        """
        from statetracker.frontend.slot_lowering import bound_slot

        state = self.states.get(number)
        if state is None:
            raise ArgumentError("slot", number, accepted=", ".join(map(str, self.states)) or "none: nothing is bound")
        return bound_slot(state, None if state.record is None else self.named[number])

    def __repr__(self) -> str:
        return f"BoundStage({self.stage!r}, handles={self.handles})"
