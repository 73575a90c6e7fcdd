"""`CsoContext`: stage records slot by slot, then tell the driver once.

The protocol is Gallium's, under every policy. Staging finds or creates the state and puts it into a slot; done tells
the driver slots 0 to the highest one staged, with whatever the slots between hold. A record of None changes nothing:
its slot keeps what it had. Slots above the range keep what they had, in the driver too.

Where Gallium leaves a failure open, this does not: a call that raises has staged nothing; a bind that raises can be
asked for again with `CsoContext.single_sampler_done`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic

from statetracker.cso.driver import Driver, Handle
from statetracker.cso.keys import DEFAULT_KEY, checked_rule, no_record
from statetracker.cso.mesa import MesaCache
from statetracker.cso.second_chance import SecondChanceCache
from statetracker.cso.slots import MAX_SAMPLERS, OLDER_STAGES, STAGES, KnownBind, StageSlots
from statetracker.cso.statistics import Statistics
from statetracker.errors import ArgumentError, DriverError, OutOfOrder, UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from statetracker.cso.cache import StateCache
    from statetracker.pipe.layout import KeyRule
    from statetracker.pipe.state import SamplerState

__all__ = ["POLICIES", "CsoContext"]

#: The policies by name; a class of your own may be given in place of a name.
POLICIES: Final[Mapping[str, type[StateCache[Any]]]] = {cache.name: cache for cache in (SecondChanceCache, MesaCache)}

_MOST_LISTED: Final = 4096


class CsoContext(Generic[Handle]):
    """The sampler states of one driver context: a cache of what was created, and what is bound where.

    driver     three callables, see `Driver`; its handles are opaque
    policy     what to give up at the limit: "second-chance", "mesa", or a subclass of `StateCache`
    max_size   how many states to keep
    key        which bytes of a record count; the screen and the dialect know. None: the driver's own ``key`` if it has
               one, as `statetracker.vulkan.VulkanDriver` does, else `DEFAULT_KEY`

    ``cache`` is the policy at work, for a loop with a memo of its own: while ``cache.epoch`` stays the same, every
    handle it ever gave still exists; `known_bind` and `bind_known` keep to that.

    Stages are named as in `STAGES`; a record is a `SamplerState`, or its 36 bytes. Every method raises `ArgumentError`
    for a stage, slot or record that does not exist, `DriverError` if a callback fails, `OutOfOrder` after destroy.

    One thread at a time: nothing is locked, and contexts share nothing, so each thread may have its own. Handing a
    context to another thread between two calls is fine. While a callback of a create or a delete runs, a call that
    would create or delete raises `OutOfOrder`, from the callback or from another thread.
    """

    __slots__ = (
        "_bind",
        "_bind_calls",
        "_destroyed",
        "_hits",
        "_known_binds",
        "_known_changed",
        "_obtain",
        "_order",
        "_recent",
        "_reuses",
        "_seen",
        "_shortcuts",
        "_slots_sent",
        "_stages",
        "_told",
        "cache",
    )

    def __init__(
        self,
        driver: Driver[Handle],
        *,
        policy: str | type[StateCache[Handle]] = SecondChanceCache.name,
        max_size: int = 4096,
        key: KeyRule | None = None,
    ) -> None:
        """Choose the policy and make the slots, all empty."""
        self._stages: dict[str, StageSlots[Handle]] = {}
        rule = checked_rule(getattr(driver, "key", DEFAULT_KEY) if key is None else key)
        self.cache: StateCache[Handle] = _policy(policy)(driver, self._stages, max_size, rule)
        self._recent: dict[Any, Handle] = self.cache.recent
        self._obtain = self.cache.obtain
        self._bind = driver.bind_sampler_states
        self._order = STAGES if rule.layout == "22.3" else OLDER_STAGES
        self._reuses = rule.layout != "21.0"  # where a record like the one before it is not looked up
        self._destroyed = False
        self._seen = -1  # the highest slot staged since the last bind, in any stage
        self._hits = self._shortcuts = self._bind_calls = self._slots_sent = 0
        self._known_binds = self._known_changed = 0
        self._told: list[KnownBind[Handle]] = []

    @property
    def max_size(self) -> int:
        """The limit; setting it evicts at once what is above it."""
        return self.cache.max_size

    @max_size.setter
    def max_size(self, max_size: int) -> None:
        self.cache.resize(max_size)

    def sampler_state(self, record: SamplerState | bytes) -> Handle | None:
        """Find or create a state without staging it: its handle, which any later create may delete.

        None only under a policy that keeps failures.
        """
        try:
            handle = self._recent.get(record)
        except TypeError:  # a bytearray, a list
            raise no_record(record) from None
        if handle is not None:
            self._hits += 1
            return handle
        obtain = self._obtain
        return obtain(record)[1]

    def single_sampler(self, stage: str, index: int, record: SamplerState | bytes | None) -> None:
        """Stage one slot; the driver is told by `single_sampler_done`. None changes nothing."""
        try:
            slots = self._stages[stage]
        except KeyError:
            slots = self._first_use(stage)
        if slots.known is not None:
            slots.settle()
        try:
            handle = self._recent.get(record)
        except TypeError:
            raise no_record(record) from None
        if not 0 <= index < MAX_SAMPLERS:
            raise _no_slot(index)
        held: object = record
        if handle is not None:
            self._hits += 1
        elif record is None:
            return
        else:
            held, handle = self._obtain(record)
        slots.held[index] = held
        slots.handles[index] = handle
        if index > self._seen:  # noqa: PLR1730 (max() would cost more than all the rest)
            self._seen = index

    def single_sampler_done(self, stage: str) -> None:
        """Tell the driver a stage's slots, from 0 to the highest one staged since the last bind; none: no call.

        That highest slot is counted over all stages, as in Gallium: finish one stage before you start the next.
        """
        try:
            slots = self._stages[stage]
        except KeyError:
            slots = self._first_use(stage)
        if slots.known is not None:
            slots.settle()
        count = self._seen + 1
        if not count:
            return
        tell = self._bind
        try:
            tell(stage, 0, tuple(slots.handles[:count]))
        except BaseException as error:
            self._not_told(error, stage, count, again=f"single_sampler_done({stage!r})")
            raise
        slots.sent[:count] = slots.held[:count]
        if count > slots.reach or slots.doubtful:
            slots.was_told(count)
        self._seen = -1
        self._bind_calls += 1
        self._slots_sent += count

    def set_samplers(self, stage: str, records: Sequence[SamplerState | bytes | None]) -> None:
        """Stage slots 0.. with records, skipping None, and tell the driver: slots 0 to the last that is not None.

        If a record cannot be had, the slots are as before and the driver is not told.
        """
        try:
            slots = self._stages[stage]
        except KeyError:
            slots = self._first_use(stage)
        if slots.known is not None:
            slots.settle()
        count = len(records)
        if count > MAX_SAMPLERS:
            raise _no_slot(count - 1)
        held, handles, find = slots.held, slots.handles, self._recent.get
        slots.before = held[:count]
        handles_before = handles[:count]
        last, previous = -1, None
        try:
            for index, record in enumerate(records):
                if record is None:
                    continue
                if record == previous and self._reuses:
                    held[index] = held[last]
                    handles[index] = handles[last]
                    self._shortcuts += 1
                elif (handle := find(record)) is not None:
                    held[index] = record
                    handles[index] = handle
                    self._hits += 1
                else:
                    held[index], handles[index] = self._obtain(record)
                last, previous = index, record
        except BaseException as error:
            held[:count] = slots.before
            handles[:count] = handles_before
            if isinstance(error, TypeError):
                raise no_record(record) from None
            raise
        finally:
            slots.before = []
        self._seen = max(self._seen, last)
        self.single_sampler_done(stage)

    def update_samplers(self, stage: str, records: Mapping[int, SamplerState | bytes]) -> None:
        """Stage some slots and tell the driver: slots 0 to the highest one staged. For a loop that knows what changed.

        records   slot -> record; they are found or created in this order

        If a record cannot be had, the slots are as before and the driver is not told.
        """
        try:
            slots = self._stages[stage]
        except KeyError:
            slots = self._first_use(stage)
        if slots.known is not None:
            slots.settle()
        held, handles, find = slots.held, slots.handles, self._recent.get
        slots.before = held[:]
        handles_before = handles[:]
        seen = self._seen
        try:
            for index, record in records.items():
                if not 0 <= index < MAX_SAMPLERS:
                    raise _no_slot(index)  # noqa: TRY301 (what was staged before it is put back below)
                if record is None:
                    raise no_record(record)  # noqa: TRY301
                if (handle := find(record)) is not None:
                    held[index] = record
                    handles[index] = handle
                    self._hits += 1
                else:
                    held[index], handles[index] = self._obtain(record)
                if index > seen:  # noqa: PLR1730 (max() would cost more than all the rest)
                    seen = index
        except BaseException as error:
            held[:] = slots.before
            handles[:] = handles_before
            if isinstance(error, TypeError):
                raise no_record(record) from None
            raise
        finally:
            slots.before = []
        self._seen = seen
        self.single_sampler_done(stage)

    def known_bind(
        self,
        stage: str,
        count: int,
        *,
        changed: int = 0,
        kept: int | None = None,
        into: KnownBind[Handle] | None = None,
    ) -> KnownBind[Handle]:
        """Remember what slots 0 to ``count`` - 1 hold right after a lookup of all that changed, for `bind_known`.

        count     0: nothing was told, and nothing will be
        changed   how many of them became another state, for `known_counts`
        kept      slots 0 to ``kept`` - 1 will hold the same when it is told again, those that are not told too; None:
                  ``count``
        into      a new instance of a subclass to write it into; None: a new `KnownBind`
        """
        known: KnownBind[Handle] = KnownBind() if into is None else into
        if hasattr(known, "told"):
            raise ArgumentError("into", into, accepted="an instance that nothing was written into")
        kept = count if kept is None else max(count, kept)
        if count < 0 or kept > MAX_SAMPLERS:
            raise ArgumentError("count, kept", (count, kept), accepted=f"numbers of slots, 0..{MAX_SAMPLERS}")
        slots, epoch = self._slots(stage), self.cache.epoch
        known.take(stage, slots, count, kept, changed=changed, epoch=epoch, bind=self._bind, enlist=self._enlist)
        return known

    def bind_known(self, known: KnownBind[Handle], /) -> bool:
        """Stage and tell again what was told before, without a lookup; False: nothing done, look them up.

        False after any eviction run, device loss or destroy since, as a handle may be gone or count as unused; while
        something is staged that no bind has told; and if the slots that it keeps and does not tell hold something else.

        A loop may do the same itself, in one piece, as most of what it costs is calls: ``known.tell`` what was told,
        make it the ``known`` of its slots, and add one to its ``times``; see `known_not_told`. It may go on so from a
        bind that was known here, to others that keep as many slots and follow from what it left, until
        `KnownBind.settled` is called on the last one. It must stop by itself where something is staged in another
        stage and not yet told.
        """
        if known.epoch != self.cache.epoch or self._seen >= 0:
            return False
        slots, count, kept = known.slots, known.count, known.kept
        before = slots.known
        if before is None or before.kept != kept or slots.doubtful:
            slots.settle()  # what it told above the new one's slots stays
            held, sent = slots.held, slots.sent
        else:
            held, sent = before.held, before.sent
            before.settled()
        if count < kept and (held[count:kept] != known.held[count:] or sent[count:kept] != known.sent[count:]):
            return False
        try:
            known.tell(known.stage, 0, known.told)
        except BaseException as error:
            self.known_not_told(known, error)
            raise
        slots.known = known
        slots.reach = max(slots.reach, kept)  # others that keep as many may follow unseen
        known.times += 1
        return True

    def known_not_told(self, known: KnownBind[Handle], error: BaseException) -> None:
        """Stage what the driver raised ``error`` for, to be told again; raise `DriverError` if it is an Exception."""
        slots, count = known.slots, known.count
        slots.settle()
        slots.held[:count] = known.held[:count]
        slots.handles[:count] = known.handles[:count]
        self._seen = count - 1
        self._not_told(error, known.stage, count, again=f"single_sampler_done({known.stage!r})")

    def known_counts(self, *, drop: bool = False) -> tuple[int, int]:
        """Count the known binds that were told so far, and the slots that became another state by them.

        drop   keep none of them to be counted again; else those that were not told since the last count are dropped
        """
        self._count(drop=drop)
        return self._known_binds, self._known_changed

    def save_samplers(self, stage: str = "fragment") -> None:
        """Set a stage's slots aside for a meta operation; what they hold stays staged and bound. One deep."""
        slots = self._slots(stage)
        if slots.saved is not None:
            raise OutOfOrder("save_samplers", f"stage {stage!r} is saved already", hint="Restore it first")
        slots.saved = (slots.held[:], slots.handles[:])

    def restore_samplers(self, stage: str = "fragment") -> None:
        """Stage what was saved, and tell the driver slots 0 to the highest one with a handle; none: no call.

        So what a meta operation bound above that, or over nothing, stays bound in the driver, as in Gallium.
        """
        slots = self._slots(stage)
        if slots.saved is None:
            raise OutOfOrder("restore_samplers", f"stage {stage!r} is not saved", hint="Save it first")
        slots.held[:], slots.handles[:] = slots.saved
        slots.saved = None
        self._seen = max((i for i, handle in enumerate(slots.handles) if handle is not None), default=self._seen)
        self.single_sampler_done(stage)

    def handles(self, stage: str) -> tuple[Handle | None, ...]:
        """The handles staged in the 32 slots of a stage."""
        return tuple(self._slots(stage).handles)

    def slots(self, stage: str) -> StageSlots[Handle]:
        """What a stage holds, as it changes: for a loop that never writes. Call its ``settle`` before you read."""
        return self._slots(stage)

    def unbind(self) -> None:
        """Bind nothing to every slot that the driver was ever told, and forget what was staged and saved.

        If a bind raises, the stages before it are unbound; call again for the others.
        """
        for stage, slots in sorted(self._stages.items(), key=lambda item: self._order.index(item[0])):
            slots.settle()
            if slots.reach:
                self._bind_calls += 1
                self._slots_sent += slots.reach
                try:
                    self._bind(stage, 0, (None,) * slots.reach)
                except BaseException as error:
                    self._not_told(error, stage, slots.reach, again="unbind or destroy")
                    raise
            slots.clear()
        self._seen = -1

    def destroy(self) -> None:
        """Unbind, then delete every state; the context is of no use afterwards. Destroying twice does nothing.

        If unbinding raises, nothing has been deleted: call again. If a delete raises, the others are still done.
        """
        if self._destroyed:
            return
        self.unbind()
        try:
            self.cache.clear()
        except DriverError:
            self._close()
            raise
        self._close()

    def forget(self) -> None:
        """Drop every state and binding without telling the driver: its device is lost, and the handles with it.

        The context starts afresh: what is used next is created again.
        """
        self.cache.forget()
        for slots in self._stages.values():
            slots.clear()
        self._seen = -1

    def tidy(self) -> None:
        """Give up now, at the end of a frame, what the next creates would give up; see `StateCache.tidy`."""
        self.cache.tidy()

    def statistics(self) -> Statistics:
        """Count what happened so far."""
        self._count(drop=False)
        cache = self.cache
        return Statistics(
            hits=self._hits + cache.found,
            misses=cache.creates + cache.failed_creates,
            shortcuts=self._shortcuts,
            creates=cache.creates,
            failed_creates=cache.failed_creates,
            deletes=cache.deletes,
            evictions=cache.evictions,
            forgotten=cache.forgotten,
            live=cache.creates - cache.deletes - cache.forgotten,
            peak=cache.most(),
            max_size=cache.max_size,
            runs=cache.runs,
            pinned=cache.pinned,
            bind_calls=self._bind_calls,
            slots_sent=self._slots_sent,
            **cache.details(),
        )

    def _close(self) -> None:
        self._stages.clear()
        self._destroyed = True

    def _count(self, *, drop: bool) -> None:
        """Count what was told: while it is, one number grows and not four."""
        told, self._told = self._told, []
        for known in told:
            times, known.times = known.times, 0
            if known.count:
                self._bind_calls += times
            self._slots_sent += times * known.count
            self._known_binds += times
            self._known_changed += times * known.changed
            if times and not drop:
                self._told.append(known)
            else:
                known.unlisted()

    def _enlist(self, known: KnownBind[Handle]) -> None:
        """Have a known bind counted."""
        if len(self._told) >= _MOST_LISTED:
            self._count(drop=True)
        self._told.append(known)

    def _not_told(self, error: BaseException, stage: str, count: int, *, again: str) -> None:
        """Keep what the driver may or may not have taken in use; raise `DriverError` for an Exception."""
        slots = self._stages[stage]
        slots.doubtful.append(slots.held[:count])
        slots.reach = max(slots.reach, count)
        if isinstance(error, Exception):
            problem = f"raised {error!r} for slots 0..{count - 1} of stage {stage!r}"
            raise DriverError("bind_sampler_states", problem, hint=f"Call {again} to tell it again") from error

    def _slots(self, stage: str) -> StageSlots[Handle]:
        slots = self._stages.get(stage) or self._first_use(stage)
        slots.settle()
        return slots

    def _first_use(self, stage: str) -> StageSlots[Handle]:
        """Make the slots of a stage; a stage never named has none, and costs an eviction no time."""
        if self._destroyed:
            raise OutOfOrder("the context", "it is destroyed", hint="Make another CsoContext")
        if stage not in STAGES:
            raise UnknownName("stage", stage, accepted=", ".join(STAGES))
        return self._stages.setdefault(stage, StageSlots())


def _no_slot(index: int) -> ArgumentError:
    return ArgumentError("slot", index, accepted=f"0..{MAX_SAMPLERS - 1}")


def _policy(policy: str | type[StateCache[Handle]]) -> type[StateCache[Handle]]:
    if not isinstance(policy, str):
        return policy
    try:
        return POLICIES[policy]
    except KeyError:
        raise UnknownName("policy", policy, accepted=", ".join(POLICIES)) from None
