"""`CsoContext`: stage records slot by slot, then bind once.

The protocol is Gallium's, under every policy. Staging finds or creates the state and puts it into a slot; done binds
slots 0 to the highest one staged, with whatever the slots between hold. A record of None changes nothing: its slot
keeps what it had. Slots above the range keep what they had, in the driver too. A call that raises has staged nothing; a
bind that raises can be repeated. Beside it is one way to bind states that were looked up before: `look_up`, and then
`bind_resolved` as often as wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from statetracker.cso.driver import Driver, Handle
from statetracker.cso.gate import SHUT, Gate, called_back
from statetracker.cso.keys import DEFAULT_KEY, checked_rule, no_record
from statetracker.cso.policies import policy_named
from statetracker.cso.slots import LONGEST_RUN, MAX_SAMPLERS, OLDER_STAGES, STAGES, BindCounts, StageSlots, slot_exists
from statetracker.cso.statistics import Statistics
from statetracker.errors import DriverError, InvalidCallOrder
from statetracker.spellings import stage_named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from statetracker.cso.cache import StateCache
    from statetracker.cso.slots import AnyResolved
    from statetracker.pipe.layout import KeyRule
    from statetracker.pipe.state import SamplerState


class CsoContext(Generic[Handle]):
    """The sampler states of one driver context: a cache of what was created, and what is bound where.

    driver     three callables, see `Driver`; its handles are opaque
    policy     what to give up at the limit: "second-chance", "mesa", "lru", or a subclass of `StateCache`
    max_size   how many states to keep
    key        which bytes of a record count; the screen and the dialect know. None: the driver's own ``key`` if it has
               one, as `statetracker.vulkan.VulkanDriver` does, else `DEFAULT_KEY`
    gate       shut while a callback runs: that of the loop above, which shuts it when it calls the driver itself

    ``cache`` is the policy at work: what it gave exists while its ``epoch`` is the same. ``counts`` has the binds as of
    the last `statistics`. Stages are named as in `STAGES`, or as `spellings.stage_named` takes them; a record is a
    `SamplerState`, or its 36 bytes. Methods raise `ArgumentError` for a stage, slot or record that does not exist,
    `DriverError` if a callback fails, `InvalidCallOrder` after destroy.
    One thread at a time: nothing is locked, and contexts share nothing. While a callback runs, a call that would
    change anything raises `InvalidCallOrder` and changes nothing, from the callback or from another thread.
    """

    def __init__(
        self,
        driver: Driver[Handle],
        *,
        policy: str | type[StateCache[Handle]] = "second-chance",
        max_size: int = 4096,
        key: KeyRule | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._stages: dict[str, StageSlots[Handle]] = {}
        rule = checked_rule(getattr(driver, "key", DEFAULT_KEY) if key is None else key)
        self.cache: StateCache[Handle] = policy_named(policy)(driver, self._stages, max_size, rule)
        self._gate = self.cache.gate = self.cache.gate if gate is None else gate
        self.counts = BindCounts()
        self._recent: dict[Any, Handle] = self.cache.recent
        self._obtain = self.cache.obtain
        self._bind = driver.bind_sampler_states
        self._order = STAGES if rule.layout == "22.3" else OLDER_STAGES
        self._reuses = rule.layout != "21.0"  # where a record like the one before it is not looked up
        self._destroyed = False
        self._seen = -1  # the highest slot staged since the last bind, in any stage

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
        try:
            handle = self._recent.get(record)
        except TypeError:  # a bytearray, a list
            raise no_record(record) from None
        if handle is not None:
            self.cache.hits += 1
            return handle
        return self._obtain(record)[1]

    def single_sampler(self, stage: str, index: int, record: SamplerState | bytes | None) -> None:
        """Stage one slot; `single_sampler_done` binds it. A record of None changes nothing.

        index   of the slot, 0 to 31

        Raises as `StateCache.obtain` does, `UnknownName` for an unknown stage, `ArgumentError` for a slot above 31.
        """
        if self._gate.stages is SHUT:
            raise called_back()
        slots = self._stages.get(stage) or self._first_use(stage)
        try:
            handle = self._recent.get(record)
        except TypeError:
            raise no_record(record) from None
        slot_exists(index)
        held: object = record
        if record is None:
            return
        if handle is None:
            held, handle = self._obtain(record)
        else:
            self.cache.hits += 1
        if slots.run:
            slots.open()
        slots.held[index] = held
        slots.handles[index] = handle
        if index > self._seen:  # noqa: PLR1730 (max() would cost more than all the rest)
            self._seen = index

    def single_sampler_done(self, stage: str) -> None:
        """Bind a stage's slots, from 0 to the highest one staged since the last bind; none: no call.

        That highest slot is counted over all stages, as in Gallium: finish one stage before you start the next.
        Raises `DriverError` if the driver's bind fails, `InvalidCallOrder` from inside a callback.
        """
        self._gate.pass_through()
        slots = self._stages.get(stage) or self._first_use(stage)
        count = self._seen + 1
        if not count:
            return
        if slots.run:
            slots.open()
        self._call(slots, tuple(slots.handles[:count]), "single_sampler_done({!r})")
        slots.sent[:count] = slots.held[:count]
        slots.driver[:count] = slots.handles[:count]
        if count > slots.reach or slots.sure < MAX_SAMPLERS:
            slots.took(count)
        self._seen = -1

    def set_samplers(self, stage: str, records: Sequence[SamplerState | bytes | None]) -> None:
        """Stage slots 0.. of a stage with records, skipping None, and bind: slots 0 to the last that is not None.

        If a record cannot be had, the slots are as before and nothing is bound.
        """
        self._gate.pass_through()
        slots = self.slots(stage)
        slots.put(*self.cache.look_up(slots, records, reuse=self._reuses))
        self._seen = max([self._seen, *(slot for slot, record in enumerate(records) if record is not None)])
        self.single_sampler_done(stage)

    def look_up(
        self, stage: str, records: Sequence[SamplerState | bytes | None]
    ) -> tuple[tuple[object, ...], tuple[Handle | None, ...]]:
        """Find or create the states of slots 0.. in this order: keys and handles, for a `Resolved`; stage nothing.

        records   of slots 0..; None stands for what its slot holds
        """
        return self.cache.look_up(self._stages.get(stage) or self._first_use(stage), records, reuse=False)

    def bind_resolved(self, stage: str, resolved: AnyResolved) -> AnyResolved:
        """Stage states that were looked up under the epoch that the cache has now, and bind what is not bound already.

        The driver is given slots 0 of the stage to the highest one whose handle is another than it has, or that it may
        not have; there is no call if there is none. If its bind raises, the states stay staged: bind them again.

        Gives what is bound: ``resolved``, or a copy if it was bound before below other slots.
        """
        gate, stages = self._gate, self._gate.stages
        if stages is SHUT:
            raise called_back()
        slots = self._stages.get(stage) or self._first_use(stage)
        named, least, count = resolved.named, 0, len(resolved.named)
        if slots.shape is not resolved.shape or len(slots.run) >= LONGEST_RUN:
            resolved = slots.follow(resolved)
            least = count if slots.sure < count else 0
        before = slots.run[-1]
        while count > least and named[count - 1] is before[count - 1]:
            count -= 1
        if count:
            try:
                gate.stages = SHUT
                self._bind(slots.stage, 0, named[:count])
            except BaseException as error:
                slots.refused(resolved, error)
                raise
            finally:
                gate.stages = stages
            if count != len(named) or count > slots.reach or slots.sure < MAX_SAMPLERS:
                slots.spared += len(named) - count
                slots.took(count)
            slots.run.append(named)
        else:
            slots.repeats += 1
        slots.quiet = not count
        slots.bound = resolved
        if resolved.epoch != self.cache.epoch:
            slots.turn()  # there was an eviction during its own lookup
        return resolved

    def save_samplers(self, stage: str = "fragment") -> None:
        """Set a stage's slots aside for a meta operation; what they hold stays staged and bound. One deep.

        Raises `InvalidCallOrder` where the stage is saved already.
        """
        self._gate.pass_through()
        self.slots(stage).save()

    def restore_samplers(self, stage: str = "fragment") -> None:
        """Stage what was saved, and bind slots 0 to the highest one with a handle; none: no call.

        So what a meta operation bound above that, or over nothing, stays bound in the driver, as in Gallium. Raises
        `InvalidCallOrder` where the stage is not saved.
        """
        self._gate.pass_through()
        slots = self.slots(stage)
        slots.restore()
        self._seen = max((i for i, handle in enumerate(slots.handles) if handle is not None), default=self._seen)
        self.single_sampler_done(stage)

    def handles(self, stage: str) -> tuple[Handle | None, ...]:
        """The handles staged in the 32 slots of a stage."""
        return tuple(self.slots(stage).handles)

    def slots(self, stage: str) -> StageSlots[Handle]:
        """What a stage holds, as it changes: for a loop that binds what it has resolved."""
        slots = self._stages.get(stage) or self._first_use(stage)
        slots.settle()
        return slots

    def unbind(self) -> None:
        """Bind nothing to every slot ever bound, forget what is staged and saved. If a bind raises, call again."""
        self._gate.pass_through()
        for slots in sorted(self._stages.values(), key=lambda slots: self._order.index(slots.stage)):
            slots.open()
            if slots.reach:
                self._call(slots, (None,) * slots.reach, "unbind or destroy")
            slots.clear()
        self._seen = -1

    def destroy(self) -> None:
        """Unbind, then delete every state; the context is of no use afterwards. Destroying twice does nothing.

        If unbinding raises, nothing has been deleted: call again. If a delete raises, the others are still done.
        """
        if self._destroyed:
            return
        self.unbind()
        problem = None
        try:
            self.cache.clear()
        except DriverError as error:
            problem = error
        self._stages.clear()
        self._destroyed = True
        if problem is not None:
            raise problem

    def forget(self) -> None:
        """Drop every state and binding without a call of the driver, as its device is lost; go on with nothing."""
        self.cache.forget()
        for slots in self._stages.values():
            slots.clear()
        self._seen = -1

    def tidy(self) -> None:
        """Give up now, at the end of a frame, what the next creates would give up; see `StateCache.tidy`."""
        self._gate.pass_through()
        self.cache.tidy()

    def statistics(self) -> Statistics:
        """Count what happened so far."""
        for slots in self._stages.values():
            slots.count()
        return Statistics.of(self.cache, self.counts)

    def _call(self, slots: StageSlots[Handle], handles: tuple[Handle | None, ...], again: str) -> None:
        gate, stages = self._gate, self._gate.stages
        try:
            gate.stages = SHUT
            self._bind(slots.stage, 0, handles)
        except BaseException as error:
            slots.doubt(len(handles), error, again=again)
            raise
        finally:
            gate.stages = stages
        self.counts.calls += 1
        self.counts.slots_sent += len(handles)

    def _first_use(self, stage: str) -> StageSlots[Handle]:
        if self._destroyed:
            raise InvalidCallOrder("the context", "it is destroyed", hint="Make another CsoContext")
        name = stage_named(stage)
        return self._stages.get(name) or self._stages.setdefault(name, StageSlots(name, self.counts))
