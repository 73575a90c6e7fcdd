"""`StateCache`: get or create, and what every policy promises about the driver's callbacks. See docs/cso.md.

A handle has one owner at any moment: the policy's dict, or ``owed``, the queue of handles to delete. It moves in single
steps of C (`dict.update`, `deque.extend`, `next` over a `map`); Python handles signals only between steps, so neither
an interrupt nor an exception can lose a handle or delete it twice.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from opcode import opmap
from operator import is_not
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from statetracker import events
from statetracker.cso.driver import Driver, Handle, ReentrancyGuard
from statetracker.cso.keys import key_function, whole_record
from statetracker.cso.statistics import Counts
from statetracker.errors import ArgumentError, DriverError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statetracker.cso.slots import StageSlots
    from statetracker.pipe.layout import KeyRule
    from statetracker.pipe.state import SamplerState

K = TypeVar("K")

_exists: Final[Any] = partial(is_not, None)
_ENTRY: Final = opmap["RESUME"]


class StateCache(Generic[Handle]):
    """The states of one context. Subclass it to make a policy: `_start`, `_get`, `_evict`, `_everything`, `__len__`.

    While a callback runs, methods that change something raise `InvalidCallOrder`.

    Args:
        driver: Three callables, see `Driver`.
        stages: The context's slots, by stage: the states they hold are in use.
        max_size: How many states to keep, at least 1; a policy decides about those that are in use.
        rule: Which bytes of a record count.

    Attributes:
        recent: Key -> handle, for states that a lookup may return at once. The context looks here first and calls
            `obtain` for other records. A policy may leave it empty.
        owed: Handles to delete, first the oldest. They still count as live.
        guard: Busy while a callback runs; the context's.
        epoch: As long as it is the same, every handle that a lookup returned exists, and another lookup would return
            the same and change nothing. An eviction or a loss changes it; a policy may at other times.
        counts: What happened so far, in all caches that share them.

    Raises:
        ArgumentError: Another limit.
    """

    name: ClassVar[str] = "custom"

    def __init__(
        self, driver: Driver[Handle], stages: Mapping[str, StageSlots[Handle]], max_size: int, rule: KeyRule
    ) -> None:
        self.recent: dict[bytes, Handle] = {}
        self.owed: deque[Handle] = deque()
        self.guard = ReentrancyGuard()
        self.max_size = _checked_size(max_size)
        self.epoch = self.pinned = self.peak = 0
        self.counts = Counts()
        self._stages = stages
        self._key = key_function(rule)
        self._create = driver.create_sampler_state
        self._delete = driver.delete_sampler_state
        self._start(rule)

    def __len__(self) -> int:
        """States cached now, without those in ``owed``."""
        raise NotImplementedError

    @property
    def live(self) -> int:
        """Handles that exist."""
        return len(self) + len(self.owed)

    @property
    def creates(self) -> int:
        """Handles that the driver has made, for caches that share their counts."""
        return self.live + self.counts.deletes + self.counts.forgotten

    def obtain(self, record: SamplerState | bytes) -> tuple[object, Handle | None]:
        """Find or create the state of a record.

        Args:
            record: Its 36 bytes, or the state.

        Returns:
            What a slot holds for it (its key), and the handle.

        Raises:
            ArgumentError: It is no record.
            DriverError: A callback failed. Nothing is cached for the record, except that a state made before a delete
                failed stays.
        """
        self.guard.check_open()
        data = whole_record(record)
        return self._get(self._key(data), data)

    def resize(self, max_size: int) -> None:
        """Set the limit in states, at least 1, and evict at once what is above it.

        Args:
            max_size: States, at least 1.

        Raises:
            ArgumentError: Another limit.
            DriverError: A delete fails.
        """
        self.guard.check_open()
        self.max_size = _checked_size(max_size)
        self._evict()

    def evict(self) -> None:
        """Delete states above the limit, as far as the policy may, and those that are owed.

        Raises:
            DriverError: A delete fails.
        """
        self.guard.check_open()
        self._evict()
        self._delete_owed()

    def tidy(self) -> None:
        """Make room for the creates to come, as far as it is known which states are unused; a policy need not.

        Raises:
            DriverError: A delete fails.
        """
        self.guard.check_open()
        if self.owed:
            self._delete_owed()

    def clear(self) -> None:
        """Delete everything; raises `DriverError` after the last delete if any raised."""
        self.guard.check_open()
        self._owe_all()
        self._delete_owed()

    def adopt(self, other: StateCache[Handle]) -> None:
        """Take over the states of the ``other`` cache, of the same driver and counts, to delete them; calls nothing."""
        other._owe_all()
        self.owed, self._delete = other.owed, other._delete

    def forget(self) -> None:
        """Drop everything without a delete."""
        self.guard.check_open()
        self._owe_all()
        self._drop_owed()

    def most(self) -> int:
        """Return the most states cached at once; ``peak`` is that of before the last eviction."""
        return max(self.peak, len(self))

    def live_keys(self) -> list[bytes]:
        """Return the keys of cached states, last those that the policy would keep longest."""
        return list(self.recent)

    def details(self) -> dict[str, Any]:
        """Return counters that only this policy has."""
        return {}

    def _start(self, rule: KeyRule) -> None:
        """Begin with nothing; a policy makes here what it keeps states in."""

    def _get(self, key: bytes, data: bytes) -> tuple[object, Handle | None]:
        """Find a key or create its state from the whole record."""
        raise NotImplementedError

    def _evict(self) -> None:
        """Delete states until the limit is kept, as the policy understands it."""
        raise NotImplementedError

    def _everything(self) -> Iterable[Handle]:
        """Return an iterator as in `_give_up` over all states, in the order of deletion."""
        raise NotImplementedError

    def _made(self, states: dict[K, Handle], key: K, data: bytes, *, keeps_failures: bool = False) -> Handle | None:
        """Create a state and keep its handle in ``states`` under ``key``, in one step.

        Args:
            states: Where the handle is kept.
            key: Of the state.
            data: The bytes that the driver gets.
            keeps_failures: Give None, not an error, where the driver makes nothing.

        Raises:
            DriverError: The create raises, or makes nothing; nothing is kept then.
        """
        if self.owed:
            self._delete_owed()
        try:
            made = zip((key,), filter(_exists, map(self._create, (data,))), strict=False)
            self.guard.call(states.update, made)
        except Exception as error:
            self.counts.failed_creates += 1
            raise DriverError("create_sampler_state", f"raised {error!r}", hint="Nothing is cached for it") from error
        handle = states.get(key)
        if handle is None:
            self.counts.failed_creates += 1
            if not keeps_failures:
                hint = "Nothing is cached: the next use asks again"
                raise DriverError("create_sampler_state", "gave None", hint=hint)
        return handle

    def _give_up(self, handles: Iterable[Handle], count: int, pinned: int) -> None:
        """Delete the ``count`` states of one eviction run, that left ``pinned`` states for being in use.

        ``handles`` is an iterator that takes each out of its dict as it yields it, such as a `map` of `dict.pop`.
        """
        self.epoch += 1  # before the first delete: no handle may be kept while they run
        self.owed.extend(handles)
        self.counts.runs += 1
        self.pinned = pinned
        self.counts.evictions += count
        if events.listening():
            facts = {"policy": self.name, "states": count, "pinned": pinned, "max_size": self.max_size}
            self.guard.call(partial(events.emit, "cso", "eviction", **facts))
        self._delete_owed()

    def _owe_all(self) -> None:
        """Move every handle to ``owed``."""
        self.epoch += 1
        self.owed.extend(self._everything())

    def _drop_owed(self) -> None:
        """Count the handles that are owed as lost with their device."""
        self.counts.forgotten += len(self.owed)
        self.owed.clear()

    def _delete_owed(self) -> None:
        """Call delete once for each handle that is owed.

        A delete that raises does not stop the others, and is not called again: it may have done its work. A lost device
        stops them: nothing of it is to be deleted.
        """
        owed, guard = self.owed, self.guard
        failed: list[Handle] = []
        cause: Exception | None = None
        while owed and not guard.lost:
            handle, count = owed[0], len(owed)
            try:
                guard.call(next, map(self._delete, map(deque.popleft, (owed,))))
            except Exception as error:  # noqa: BLE001 (a driver may raise anything; it is reported below)
                failed.append(handle)
                cause = error if cause is None or guard.lost else cause
            except BaseException as error:
                if len(owed) < count and _at_entry(error, self._delete):
                    owed.appendleft(handle)
                raise
            finally:
                self.counts.deletes += count - len(owed)
        if guard.lost:
            self._drop_owed()
        if failed:
            raise DriverError(
                "delete_sampler_state",
                f"raised {cause!r}",
                handles=tuple(failed),
                hint="The cache has given these handles up and will not delete them again",
            ) from cause


def _at_entry(error: BaseException, function: object) -> bool:
    """Return whether an interrupt came at the entry of a function in Python, before any of its code ran."""
    place, code = error.__traceback__, getattr(function, "__code__", None)
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is not None and place.tb_frame.f_code is code and code.co_code[place.tb_lasti] == _ENTRY


def _checked_size(max_size: int) -> int:
    if not isinstance(max_size, int) or max_size < 1:
        raise ArgumentError("max_size", max_size, accepted="a number of states, 1 or more")
    return max_size
