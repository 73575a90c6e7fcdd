"""`StateCache`: get or create, and what every policy promises about the driver's callbacks.

A policy says how states are looked up and which are given up. This base calls the driver for it, so that under every
policy a handle is given to delete at most once, a failure leaves what exists in the cache, and a callback that calls
back (or a second thread) gets an error in place of a second copy. See docs/cso.md.
"""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Generic

from statetracker import events
from statetracker.cso.driver import Driver, Handle
from statetracker.cso.gate import SHUT, Gate, called_back
from statetracker.cso.keys import key_function, no_record, usual_tail, whole_record
from statetracker.cso.slots import MAX_SAMPLERS, slot_exists
from statetracker.errors import ArgumentError, DriverError
from statetracker.pipe.layout import RECORD_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from statetracker.cso.slots import StageSlots
    from statetracker.pipe.layout import KeyRule
    from statetracker.pipe.state import SamplerState


class StateCache(Generic[Handle]):
    """The states of one context. Subclass it to make a policy: `_get`, `_evict`, `_everything`.

    driver     three callables, see `Driver`
    stages     the context's slots, by stage: what they hold is in use
    max_size   how many states to keep, at least 1; a policy says what becomes of those that are in use
    rule       which bytes of a record count

    `obtain` keeps callers out of one another's way and calls `_get`. A policy may do both in one piece, as
    `SecondChanceCache` does for the sake of a miss: its own subclasses override `obtain`.

    hits     lookups that ``recent`` answered; later_hits: that `_get` answered without a create, which counts them;
             shortcuts: records that needed none
    recent   key -> handle, for every state that a lookup may answer with at once. The context looks here first and
             calls `obtain` for what is not here; a policy may leave it empty. It stays the same dict for good.
    gate     shut while a callback runs; the context's
    epoch    another integer after every turn, eviction run and loss, even one that gave nothing up. Until then every
             handle that a lookup gave exists, and another lookup would give the same and change nothing

    Raises `ArgumentError` for another limit. While a callback runs, methods that change something raise
    `InvalidCallOrder`.
    """

    name: ClassVar[str]

    def __init__(
        self, driver: Driver[Handle], stages: Mapping[str, StageSlots[Handle]], max_size: int, rule: KeyRule
    ) -> None:
        """Keep the callbacks; ``stages`` are the context's slots: what they hold is in use."""
        self.recent: dict[bytes, Handle] = {}
        self.max_size = _checked_size(max_size)
        self.later_hits = self.failed_creates = self.deletes = self.forgotten = self._creates = 0
        self.evictions = self.runs = self.pinned = self.peak = self.hits = self.shortcuts = 0
        self.epoch = 0
        self._stages = stages
        self._rule = rule
        self._key = key_function(rule)
        self._tail = usual_tail(rule)
        self._create = driver.create_sampler_state
        self._delete = driver.delete_sampler_state
        self._doomed: deque[Handle] = deque()
        self.gate = Gate()  # lock enough: CPython changes threads at calls, not between its test and its setting

    @property
    def creates(self) -> int:
        """How many handles the driver has made."""
        return self._creates

    def obtain(self, record: SamplerState | bytes) -> tuple[object, Handle | None]:
        """Find or create the state of a record: what a slot holds, and the handle.

        Raises `ArgumentError` for what is no record, `DriverError` if a callback fails; then nothing is cached for the
        record, except that a state made before a delete failed stays.
        """
        gate = self.gate
        stages = gate.stages
        if stages is SHUT:
            raise called_back()
        gate.stages = SHUT
        try:
            data = record if record.__class__ is bytes and len(record) == RECORD_BYTES else whole_record(record)
            usual = self._tail is not None and data.endswith(self._tail)
            return self._get(data if usual else self._key(data), data)
        finally:
            gate.stages = stages

    def look_up(
        self, slots: StageSlots[Handle], records: Sequence[SamplerState | bytes | None], *, reuse: bool
    ) -> tuple[tuple[object, ...], tuple[Handle | None, ...]]:
        """Find or create in this order: keys and handles. Each state is in use until all are there.

        records   of slots 0..; None stands for what its slot holds
        reuse     a record like the one before it, None passed over, is not looked up

        Raises as `obtain` does, and `ArgumentError` for more records than there are slots.
        """
        if self.gate.stages is SHUT:
            raise called_back()
        if len(records) > MAX_SAMPLERS:
            slot_exists(len(records) - 1)  # raises
        if not reuse and (recent := self._all_recent(records)) is not None:
            return tuple(records), recent
        find: Callable[[Any], Handle | None] = self.recent.get
        keys: list[object] = []
        handles: list[Handle | None] = []
        slots.pending = keys
        if None in records:
            slots.settle()
        previous, at = None, 0
        try:
            for record in records:
                if record is None:
                    keys.append(slots.held[len(keys)])
                    handles.append(slots.handles[len(keys) - 1])
                    continue
                if reuse and record == previous:
                    key, handle = keys[at], handles[at]
                    self.shortcuts += 1
                elif (handle := find(record)) is not None:
                    key = record
                    self.hits += 1
                else:
                    key, handle = self.obtain(record)
                previous, at = record, len(keys)
                keys.append(key)
                handles.append(handle)
        except TypeError:
            raise no_record(record) from None
        finally:
            slots.pending = []
        return tuple(keys), tuple(handles)

    def _all_recent(self, records: Sequence[Any]) -> tuple[Handle | None, ...] | None:
        """Look up records that are all in ``recent``; None: one is not, or is no record."""
        try:
            handles = tuple(map(self.recent.get, records))
        except TypeError:
            return None
        for handle in handles:
            if handle is None:
                return None
        self.hits += len(handles)
        return handles

    def resize(self, max_size: int) -> None:
        """Set the limit, and evict at once what is above it.

        max_size   states, at least 1

        Raises `ArgumentError` for another limit, `DriverError` if a delete fails.
        """
        with self._alone():
            self.max_size = _checked_size(max_size)
            self._evict()

    def tidy(self) -> None:
        """Make room for the creates to come, as far as it is known which states are unused; a policy need not."""

    def clear(self) -> None:
        """Delete everything; raises `DriverError` after the last delete if any raised."""
        with self._alone():
            self._doomed.extend(self._everything())
            self._delete_doomed()

    def forget(self) -> None:
        """Drop everything without a delete."""
        with self._alone():
            self._turn()
            self.forgotten = self.creates - self.deletes
            self._doomed.clear()
            self._everything()

    def most(self) -> int:
        """The most states cached at once; ``peak`` as far as the policy keeps it up to date."""
        return self.peak

    def live_keys(self) -> list[bytes]:
        """What is cached, by key, what a policy would give up last at the end."""
        return list(self.recent)

    def details(self) -> dict[str, Any]:
        """Counters that only this policy has."""
        return {}

    def _get(self, key: bytes, data: bytes) -> tuple[object, Handle | None]:
        """Find a key or create its state from the whole record."""
        raise NotImplementedError

    def _evict(self) -> None:
        """Give up states until the limit is kept, as the policy understands it."""
        raise NotImplementedError

    def _everything(self) -> Iterable[Handle]:
        """Empty the cache; give every handle in it, in the order of deletion."""
        raise NotImplementedError

    def _made(self, data: bytes) -> Handle | None:
        """Call the driver's create; raises `DriverError` if it raises, returns None if it does."""
        try:
            handle = self._create(data)
        except Exception as error:
            raise self._create_raised(error) from error
        if handle is None:
            self.failed_creates += 1
        else:
            self._creates += 1
        return handle

    def _needed(self, data: bytes) -> Handle:
        """As `_made`, where nothing is kept of a create that gives None: `DriverError` for it, too."""
        handle = self._made(data)
        if handle is None:
            raise gave_none()
        return handle

    def _create_raised(self, error: Exception) -> DriverError:
        """Count it, and make the error to raise."""
        self.failed_creates += 1
        return DriverError("create_sampler_state", f"raised {error!r}", hint="Nothing is cached for it")

    def _give_up(self, handles: Iterable[Handle], count: int, pinned: int) -> None:
        """Delete the victims of one eviction run (``count`` states) and report it."""
        self.runs += 1
        self.pinned = pinned
        self.evictions += count
        self._doomed.extend(handles)
        if events.listening():
            events.emit("cso", "eviction", policy=self.name, states=count, pinned=pinned, max_size=self.max_size)
        self._delete_doomed()

    def _turn(self) -> None:
        """Begin another epoch: what a loop has resolved is to be looked up again."""
        self.epoch += 1
        for slots in self._stages.values():
            slots.turn()

    def _delete_doomed(self) -> None:
        """Call delete once for each handle that waits for it.

        A delete that raises does not stop the others, and is not called again: it may have done its work.
        """
        self._turn()  # before the first delete: no handle may be kept while they run
        failed: list[Handle] = []
        cause: Exception | None = None
        while self._doomed:
            handle = self._doomed.popleft()
            self.deletes += 1
            try:
                self._delete(handle)
            except Exception as error:  # noqa: BLE001 (a driver may raise anything; it is reported below)
                failed.append(handle)
                cause = cause or error
        if failed:
            raise DriverError(
                "delete_sampler_state",
                f"raised {cause!r}",
                handles=tuple(failed),
                hint="The cache has given these handles up and will not delete them again",
            ) from cause

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep out callbacks that call back, and second threads."""
        gate = self.gate
        stages = gate.stages
        if stages is SHUT:
            raise called_back()
        gate.stages = SHUT
        try:
            yield
        finally:
            gate.stages = stages


def gave_none() -> DriverError:
    """Make the error for a create that gives None, of a policy that keeps no failures."""
    return DriverError("create_sampler_state", "gave None", hint="Nothing is cached: the next use asks again")


def _checked_size(max_size: int) -> int:
    if not isinstance(max_size, int) or max_size < 1:
        raise ArgumentError("max_size", max_size, accepted="a number of states, 1 or more")
    return max_size
