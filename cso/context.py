"""`CsoContext`: stage records slot by slot, then bind once. The protocol is Gallium's, under every policy.

Staging finds or creates the state and puts it into a slot; done binds slots 0 to the highest one staged. Other slots
keep what they had, in the driver too. A call that raises has staged nothing; a bind that raises can be repeated. A loop
that has looked its states up binds them with `bind_resolved`, which calls the driver only for new handles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from statetracker.cso.driver import Driver, Handle, ReentrancyGuard
from statetracker.cso.keys import DEFAULT_KEY, checked_rule, no_record
from statetracker.cso.policies import policy_named
from statetracker.cso.slots import MAX_SAMPLERS, OLDER_STAGES, STAGES, StageSlots, slot_exists
from statetracker.cso.statistics import Counts, Statistics
from statetracker.errors import ArgumentError, InvalidCallOrder
from statetracker.spellings import stage_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.cso.cache import StateCache
    from statetracker.cso.slots import Resolved
    from statetracker.pipe.layout import KeyRule
    from statetracker.pipe.state import SamplerState


class CsoContext(Generic[Handle]):
    """The sampler states of one driver context: a cache of what was created, and what is bound where.

    ``cache`` is the policy at work: handles that it returned exist while its ``epoch`` is the same. ``counts`` has what
    happened so far. Stages are named as in `STAGES`, or as `spellings.stage_named` takes them; a record is a
    `SamplerState`, or its 36 bytes. Methods raise `ArgumentError` for a stage, slot or record that does not exist,
    `DriverError` if a callback fails, `InvalidCallOrder` after destroy.
    One thread at a time: nothing is locked, and contexts share nothing. While a callback runs, a call that would
    change anything raises `InvalidCallOrder` and changes nothing, from the callback or from another thread.

    Args:
        driver: Three callables, see `Driver`; its handles are opaque.
        policy: What to give up at the limit: "second-chance", "mesa", "lru", or a subclass of `StateCache`.
        max_size: How many states to keep.
        key: Which bytes of a record count; the screen and the dialect know. None: the driver's own ``key`` if it has
            one, as `statetracker.vulkan.VulkanDriver` does, else `DEFAULT_KEY`.
        guard: Busy while a callback runs: that of the loop above, where that calls some itself; None: one of its own.
        counts: Where to count on; None: from 0.
    """

    def __init__(
        self,
        driver: Driver[Handle],
        *,
        policy: str | type[StateCache[Handle]] = "second-chance",
        max_size: int = 4096,
        key: KeyRule | None = None,
        guard: ReentrancyGuard | None = None,
        counts: Counts | None = None,
    ) -> None:
        self._stages: dict[str, StageSlots[Handle]] = {}
        rule = checked_rule(getattr(driver, "key", DEFAULT_KEY) if key is None else key)
        self.cache: StateCache[Handle] = policy_named(policy)(driver, self._stages, max_size, rule)
        self.guard = self.cache.guard = self.cache.guard if guard is None else guard
        self.counts = self.cache.counts = self.cache.counts if counts is None else counts
        self._bind = driver.bind_sampler_states
        self._order = STAGES if rule.layout == "22.3" else OLDER_STAGES
        self._reuses = rule.layout != "21.0"  # later releases do not look up a record like the one before it
        self.destroyed = False
        self._seen = -1  # the highest slot staged since the last bind, in any stage

    def __reduce_ex__(self, _protocol: object) -> str:
        """Refuse a copy: both would delete each handle."""
        raise ArgumentError("context", type(self).__name__, accepted="one for each driver context: make another")

    @property
    def max_size(self) -> int:
        """The limit; setting it evicts at once what is above it."""
        return self.cache.max_size

    @max_size.setter
    def max_size(self, max_size: int) -> None:
        self.cache.resize(max_size)

    def sampler_state(self, record: SamplerState | bytes) -> Handle | None:
        """Find or create the state of a record: its handle, which any later create may delete.

        None if the policy keeps failures, and this is one. Raises as `StateCache.obtain` does.
        """
        return self._obtain(record)[1]

    def single_sampler(self, stage: str, index: int, record: SamplerState | bytes | None) -> None:
        """Stage one slot; `single_sampler_done` binds it. A record of None changes nothing.

        Args:
            stage: A name of `STAGES`.
            index: Of the slot, 0 to 31.
            record: Its 36 bytes, or the state.

        Raises:
            UnknownName: An unknown stage.
            ArgumentError: A slot above 31, or as for `StateCache.obtain`.
            DriverError: As for `StateCache.obtain`.
        """
        slots = self.slots(stage)
        slot_exists(index)
        if record is not None:
            state = self._obtain(record)
            slots.bound = None
            slots.staged[index] = state
            self._seen = max(self._seen, index)

    def single_sampler_done(self, stage: str) -> None:
        """Bind a stage's slots, from 0 to the highest one staged since the last bind; none: no call.

        That highest slot is counted over all stages, as in Gallium: finish one stage before you start the next.

        Args:
            stage: A name of `STAGES`.

        Raises:
            DriverError: The driver's bind fails.
            InvalidCallOrder: It is called from inside a callback.
        """
        slots = self.slots(stage)
        if self._seen >= 0:
            slots.send(self._seen + 1, "single_sampler_done({!r})")
            self._seen = -1

    def set_samplers(self, stage: str, records: Sequence[SamplerState | bytes | None]) -> None:
        """Stage slots 0.. of a stage with records, skipping None, and bind: slots 0 to the last that is not None.

        If a record cannot be had, the slots are as before and nothing is bound.
        """
        keys, handles = self.look_up(stage, records, reuse=self._reuses)
        slots = self.slots(stage)
        slots.bound = None
        slots.staged.update(enumerate(zip(keys, handles, strict=True)))
        self._seen = max([self._seen, *(slot for slot, record in enumerate(records) if record is not None)])
        self.single_sampler_done(stage)

    def look_up(
        self, stage: str, records: Sequence[SamplerState | bytes | None], *, reuse: bool = False
    ) -> tuple[tuple[object, ...], tuple[Handle | None, ...]]:
        """Find or create the states of slots 0.. in this order; stage nothing.

        Args:
            stage: Its states stay in use while the later ones are created.
            records: Of slots 0..; None stands for what its slot holds.
            reuse: Do not look up a record like the one before it.

        Returns:
            Keys and handles, for a `Resolved`.

        Raises as `StateCache.obtain` does, and `ArgumentError` for more records than there are slots.
        """
        slots = self.slots(stage)
        if len(records) > MAX_SAMPLERS:
            slot_exists(len(records) - 1)  # raises
        keys: list[object] = []
        handles: list[Handle | None] = []
        previous: SamplerState | bytes | None = None
        state: tuple[object, Handle | None] = (None, None)
        slots.pending = keys
        try:
            for record in records:
                if record is None:
                    key, handle = slots.holds(len(keys))
                elif reuse and record == previous:
                    key, handle = state
                    self.counts.shortcuts += 1
                else:
                    key, handle = state = self._obtain(record)
                    previous = record
                keys.append(key)
                handles.append(handle)
        finally:
            slots.pending = []
        while keys and keys[-1] is None:  # an empty slot that keeps what it has
            del keys[-1], handles[-1]
        return tuple(keys), tuple(handles)

    def bind_resolved(self, stage: str, resolved: Resolved[Handle]) -> None:
        """Stage states that were looked up under the epoch that the cache has now, and bind what is not bound already.

        The driver is given slots 0 of the stage to the highest one whose handle is another than it has, or that it may
        not have; there is no call if there is none. If its bind raises, the states stay staged: bind them again.

        Args:
            stage: A name of `STAGES`.
            resolved: The keys and handles that `look_up` returned, for slots 0..
        """
        self.slots(stage).bind(resolved)

    def save_samplers(self, stage: str = "fragment") -> None:
        """Set a stage's slots aside for a meta operation; what they hold stays staged and bound. One deep.

        Args:
            stage: A name of `STAGES`.

        Raises:
            InvalidCallOrder: The stage is saved already.
        """
        self.slots(stage).save()

    def restore_samplers(self, stage: str = "fragment") -> None:
        """Stage what was saved, and bind slots 0 to the highest one with a handle; none: no call.

        So what a meta operation bound above that, or over nothing, stays bound in the driver, as in Gallium.

        Args:
            stage: A name of `STAGES`.

        Raises:
            InvalidCallOrder: The stage is not saved.
        """
        self.slots(stage).restore()
        self._seen = max((i for i, handle in enumerate(self.handles(stage)) if handle is not None), default=self._seen)
        self.single_sampler_done(stage)

    def handles(self, stage: str) -> tuple[Handle | None, ...]:
        """Return the handles staged in the 32 slots of a stage."""
        slots = self._stages.get(stage_named(stage))
        return tuple(slots.holds(slot)[1] if slots is not None else None for slot in range(MAX_SAMPLERS))

    def slots(self, stage: str) -> StageSlots[Handle]:
        """Return what a stage holds, for a loop that binds. Raises `InvalidCallOrder` from inside a callback."""
        ReentrancyGuard.check_open(self.guard)  # not the tracker's, which exchanges this context after a loss
        if not isinstance(stage, str) or stage not in self._stages:
            self._check_usable()
            stage = stage_named(stage)
            if stage not in self._stages:
                self._stages[stage] = StageSlots(stage, self._bind, self.guard, self.counts)
        return self._stages[stage]

    def unbind(self) -> None:
        """Bind nothing to every slot ever bound, forget what is staged and saved. If a bind raises, call again."""
        self.guard.check_open()
        for slots in sorted(self._stages.values(), key=lambda slots: self._order.index(slots.stage)):
            slots.empty()
            slots.clear()
        self._seen = -1

    def destroy(self) -> None:
        """Unbind, then delete every state; the context is of no use afterwards. Destroying twice does nothing.

        If unbinding raises, nothing has been deleted: call again. If a delete raises, the others are still done.
        """
        self.guard.check_open()
        if not self.destroyed:
            self.unbind()
            self.destroyed = True
        self._stages.clear()
        if self.cache.live:  # after an interrupt, what it left
            self.cache.clear()

    def forget(self) -> None:
        """Drop every state and binding without a call of the driver, as its device is lost; go on with nothing."""
        self.guard.check_open()
        for slots in self._stages.values():
            slots.clear()
        self.cache.forget()
        self._seen = -1

    def tidy(self) -> None:
        """Evict now, at the end of a frame, what the next creates would evict; see `StateCache.tidy`."""
        self.cache.tidy()

    def statistics(self) -> Statistics:
        """Count what happened so far."""
        cache = self.cache
        there = {"live": cache.live, "peak": cache.most(), "max_size": cache.max_size, "pinned": cache.pinned}
        return Statistics.of(self.counts, cache.creates, **there, **cache.details())

    def _obtain(self, record: SamplerState | bytes) -> tuple[object, Handle | None]:
        """Find or create a state, and count where it was found at once: under its record, which is its own key then."""
        try:
            handle = self.cache.recent.get(record)  # type: ignore[arg-type]  # a `SamplerState` hashes as its bytes
        except TypeError:  # a bytearray, a list
            raise no_record(record) from None
        if handle is None:
            self._check_usable()
            return self.cache.obtain(record)
        self.counts.hits += 1
        return record, handle

    def _check_usable(self) -> None:
        if self.destroyed:
            raise InvalidCallOrder("the context", "it is destroyed", hint="Make another one")
