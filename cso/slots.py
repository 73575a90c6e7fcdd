"""The slots of the shader stages: what is bound, what is staged, what is saved.

A slot holds two things side by side: the key that the cache keeps a state by, and the driver's handle for it. Every key
that a stage holds, in any of its members, is in use; a policy that pins must not delete its state. See docs/cso.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic

from statetracker.cso.driver import Handle
from statetracker.errors import ArgumentError, DeviceLost, DriverError, InvalidCallOrder
from statetracker.spellings import OLDER_STAGES, STAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from statetracker.cso.driver import ReentrancyGuard
    from statetracker.cso.statistics import Counts

__all__ = ["MAX_SAMPLERS", "OLDER_STAGES", "STAGES", "Resolved", "StageSlots", "slot_exists"]

#: Slots of a stage that CSO has (PIPE_MAX_SAMPLERS).
MAX_SAMPLERS: Final = 32

_NOTHING: Final = (None, None)


class Resolved(Generic[Handle]):
    """States that were looked up, for slots 0..: see `CsoContext.look_up` and `CsoContext.bind_resolved`.

    keys    slot -> what the cache keeps the state by
    named   slot -> its handle
    epoch   the cache's at the lookup: under another one, look up again
    """

    __slots__ = ("epoch", "keys", "named")

    def __init__(self, keys: tuple[object, ...], named: tuple[Handle | None, ...], epoch: int) -> None:
        self.keys = keys
        self.named = named
        self.epoch = epoch


class StageSlots(Generic[Handle]):
    """The slots of one stage. Tuples are replaced as a whole, so what refers to one keeps it as it was.

    stage        its name
    keys, sent   slot -> key, slot -> handle, as of the last bind that succeeded; as long as the highest slot ever bound
    known        how many slots from 0 on the driver surely holds as ``sent`` says: fewer than all once a bind raised
    staged       slot -> (key, handle), staged and not bound yet
    tried        the keys of binds that raised: the driver may have taken them or not
    pending      the keys of a lookup under way
    saved        keys and handles of all slots that were set aside, or None
    bound        the resolved states that were bound last; None: something else was
    before       slot -> handle before that bind
    """

    def __init__(
        self,
        stage: str,
        bind: Callable[[str, int, tuple[Handle | None, ...]], object],
        guard: ReentrancyGuard,
        counts: Counts,
    ) -> None:
        """Hold nothing yet; the driver's ``bind``, and the guard and the counts of the context, are to be used."""
        self.stage, self.counts = stage, counts
        self._bind, self._guard = bind, guard
        self.clear()

    def clear(self) -> None:
        """Hold nothing."""
        self.keys: tuple[object, ...]
        self.sent: tuple[Handle | None, ...]
        self.bound: Resolved[Handle] | None
        self.keys, self.sent, self.known, self.bound = (), (), 0, None
        self.staged: dict[int, tuple[object, Handle | None]] = {}
        self.tried: list[tuple[object, ...]] = []
        self.pending: list[object] = []
        self.saved: tuple[tuple[object, ...], tuple[Handle | None, ...]] | None = None
        self.before: tuple[Handle | None, ...] = ()

    @property
    def reach(self) -> int:
        """One past the highest slot that the driver was ever given."""
        return max(len(self.sent), *map(len, self.tried), 0)

    def holds(self, slot: int) -> tuple[object, Handle | None]:
        """Return the key and the handle that a slot holds, staged or bound."""
        return self.staged.get(slot) or self._bound(slot)

    def first(self, count: int) -> tuple[tuple[object, ...], tuple[Handle | None, ...]]:
        """Return the keys and the handles of slots 0 to ``count`` - 1."""
        keys, handles = zip(*map(self.holds, range(count)), strict=True) if count else ((), ())
        return keys, handles

    def handles(self) -> tuple[Handle | None, ...]:
        """Return the handles that the slots hold, up to the highest one ever bound."""
        return self.first(len(self.sent))[1] if self.staged else self.sent

    def bind(self, resolved: Resolved[Handle]) -> None:
        """Bind states that were looked up; see `CsoContext.bind_resolved`."""
        keys, named, sent = resolved.keys, resolved.named, self.sent
        count = top = len(named)
        if top <= self.known:
            while top and named[top - 1] is sent[top - 1]:
                top -= 1
        counts, self.bound = self.counts, None
        if not top:
            self._took(keys, named)  # another state may have the same handle
            counts.unchanged += 1
            self.before = named
        else:
            guard = self._guard
            try:
                guard.busy = True
                self._bind(self.stage, 0, named if top == count else named[:top])
                guard.busy = False
                if count == len(sent) == self.known and not self.staged:
                    self.keys, self.sent = keys, named
                else:
                    self._took(keys, named)
            except DeviceLost as error:
                guard.lost, guard.busy = True, False
                self._refused(keys, named, error, "bind")
            except BaseException as error:
                guard.busy = False
                self._refused(keys, named, error, "bind")
                raise
            counts.changed += 1
            counts.slots_sent += top
            if top > len(sent):
                sent += (None,) * top
            changed = 0
            while top:
                top -= 1
                if named[top] is not sent[top]:
                    changed += 1
            counts.slots_changed += changed
            self.before = sent
        self.bound = resolved

    def send(self, keys: tuple[object, ...], handles: tuple[Handle | None, ...], again: str) -> None:
        """Bind slots 0.. as they are staged; ``again`` is the call that repeats it."""
        try:
            self._guard.call(self._bind, self.stage, 0, handles)
            self._took(keys, handles)
        except BaseException as error:
            self._refused(keys, handles, error, again)
            raise
        self.counts.other_calls += 1
        self.counts.slots_sent += len(handles)

    def _took(self, keys: tuple[object, ...], handles: tuple[Handle | None, ...]) -> None:
        """Record that the driver holds these in slots 0..; older tries there no longer count."""
        count = len(keys)
        if count >= len(self.keys):
            self.keys, self.sent, self.known = keys, handles, count
        else:
            self.keys, self.sent = keys + self.keys[count:], handles + self.sent[count:]
            self.known = max(self.known, count)
        if self.staged or self.tried:
            self._drop(count)

    def _drop(self, count: int) -> None:
        """Forget what was staged in slots 0 to ``count`` - 1, and binds that were tried there."""
        self.staged = {slot: held for slot, held in self.staged.items() if slot >= count}
        self.tried = [keys for keys in self.tried if len(keys) > count]

    def distrust(self) -> None:
        """Note that the driver may hold anything in every slot."""
        self.known, self.bound = 0, None

    def _refused(
        self, keys: tuple[object, ...], handles: tuple[Handle | None, ...], error: BaseException, again: str
    ) -> None:
        """Stage slots whose bind raised; raises `DriverError` for an Exception."""
        self.distrust()
        if keys not in self.tried:
            self.tried.append(keys)
        both = enumerate(zip(keys, handles, strict=True))
        self.staged.update((slot, held) for slot, held in both if held[0] is not None)
        if isinstance(error, Exception):
            problem = f"raised {error!r} for slots 0..{len(keys) - 1} of stage {self.stage!r}"
            raise DriverError("bind_sampler_states", problem, hint=f"Call {again.format(self.stage)} again") from error

    def save(self) -> None:
        """Set aside what is staged, which stays so; raises `InvalidCallOrder` where something is set aside already."""
        if self.saved is not None:
            raise InvalidCallOrder("save_samplers", f"stage {self.stage!r} is saved already", hint="Restore it first")
        self.saved = self.first(MAX_SAMPLERS)

    def restore(self) -> None:
        """Stage what was set aside; raises `InvalidCallOrder` where nothing is."""
        if self.saved is None:
            raise InvalidCallOrder("restore_samplers", f"stage {self.stage!r} is not saved", hint="Save it first")
        saved = enumerate(zip(*self.saved, strict=True))
        self.staged = {slot: held for slot, held in saved if held[1] is not self._bound(slot)[1]}
        self.saved = None

    def _bound(self, slot: int) -> tuple[object, Handle | None]:
        return (self.keys[slot], self.sent[slot]) if slot < len(self.sent) else _NOTHING

    def changed(self) -> dict[int, Handle | None]:
        """Return slot -> handle, for the slots whose handle the last bind of resolved states made another one."""
        named = self.bound.named if self.bound is not None else ()
        pairs = zip(named, self.before + (None,) * len(named), strict=False)
        return {slot: new for slot, (new, old) in enumerate(pairs) if new is not old}

    def staging(self) -> list[object]:
        """Return the keys that are staged, a lookup under way included."""
        return self.pending + [self.holds(slot)[0] for slot in range(len(self.pending), MAX_SAMPLERS)]

    def held(self) -> Iterator[Iterable[object]]:
        """Yield every collection of keys that this stage holds."""
        yield self.keys
        yield self.pending
        yield (key for key, _ in self.staged.values())
        yield from self.tried
        if self.saved is not None:
            yield self.saved[0]


def slot_exists(index: int) -> None:
    """Raise `ArgumentError` for a slot that does not exist."""
    if not 0 <= index < MAX_SAMPLERS:
        raise ArgumentError("slot", index, accepted=f"0..{MAX_SAMPLERS - 1}")


def everything_held(stages: Iterable[StageSlots[Any]]) -> set[object]:
    """Return what any slot of any stage holds; None may be among it."""
    held: set[object] = set()
    for slots in stages:
        held.update(*slots.held())
    return held
