"""The slots of the shader stages: what is bound, what is staged, what is saved.

A slot holds two things side by side: the key that the cache keeps a state by, and the driver's handle for it. Every key
that a stage holds, in any of its members, is in use; a policy that pins must not delete its state. See docs/cso.md.
"""

from __future__ import annotations

from operator import is_not
from typing import TYPE_CHECKING, Any, Final, Generic

from statetracker.cso.driver import Handle
from statetracker.errors import ArgumentError, DeviceLost, DriverError, InvalidCallOrder
from statetracker.spellings import OLDER_STAGES, STAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from statetracker.cso.driver import ReentrancyGuard
    from statetracker.cso.statistics import Counts

__all__ = ["MAX_SAMPLERS", "OLDER_STAGES", "STAGES", "Resolved", "StageSlots", "slot_exists"]

#: Slots of a stage that CSO has (PIPE_MAX_SAMPLERS).
MAX_SAMPLERS: Final = 32


class Resolved(Generic[Handle]):
    """States that were looked up, for slots 0..: see `CsoContext.look_up` and `CsoContext.bind_resolved`.

    Args:
        keys: Slot -> what the cache keeps the state by.
        named: Slot -> its handle.
        epoch: The cache's at the lookup: under another one, look up again.
    """

    __slots__ = ("epoch", "keys", "named")

    def __init__(self, keys: tuple[object, ...], named: tuple[Handle | None, ...], epoch: int) -> None:
        self.keys, self.named, self.epoch = keys, named, epoch


class StageSlots(Generic[Handle]):
    """The slots of one stage. Tuples are replaced as a whole, so what refers to one keeps it as it was.

    Args:
        stage: Its name.
        bind: The driver's.
        guard: The context's.
        counts: The context's.

    Attributes:
        keys: Slot -> key, as of the last bind that succeeded; as long as the highest slot ever bound.
        sent: Slot -> handle, as of the last bind that succeeded.
        known: How many slots from 0 on the driver surely holds as ``sent`` says: 0 once a bind raised, or other code
            bound there, until the next bind.
        staged: Slot -> (key, handle), staged and not bound yet.
        trying: The keys of a bind under way.
        tried: The keys of binds that raised. The driver may have taken them, so their states are in use.
        pending: The keys of a lookup under way.
        saved: Slot -> (key, handle) of all slots that were set aside, or None.
        bound: The resolved states that were bound last; None: the slots hold something else, or may.
        before: Slot -> handle before that bind.
    """

    def __init__(
        self,
        stage: str,
        bind: Callable[[str, int, tuple[Handle | None, ...]], object],
        guard: ReentrancyGuard,
        counts: Counts,
    ) -> None:
        self.stage, self.counts = stage, counts
        self._bind, self._guard = bind, guard
        self.clear()

    def clear(self) -> None:
        """Hold nothing."""
        self.keys: tuple[object, ...]
        self.sent: tuple[Handle | None, ...]
        self.bound: Resolved[Handle] | None
        self.keys, self.sent, self.known, self.bound = (), (), 0, None  # in one step
        self.before: tuple[Handle | None, ...] = ()
        self.staged: dict[int, tuple[object, Handle | None]] = {}
        self.tried: list[tuple[object, ...]] = []
        self.trying: tuple[object, ...] = ()
        self.pending: list[object] = []
        self.saved: list[tuple[object, Handle | None]] | None = None

    def holds(self, slot: int) -> tuple[object, Handle | None]:
        """Return the key and the handle that a slot holds, staged or bound."""
        if slot in self.staged:
            return self.staged[slot]
        return (self.keys[slot], self.sent[slot]) if slot < len(self.sent) else (None, None)

    def handles(self) -> tuple[Handle | None, ...]:
        """Return the handles that the slots hold, up to the highest one ever bound."""
        return tuple(self.holds(slot)[1] for slot in range(len(self.sent))) if self.staged else self.sent

    def bind(self, resolved: Resolved[Handle], again: str = "") -> None:  # noqa: C901, PLR0912 (calls cost 50 ns each)
        """Bind states that were looked up; see `CsoContext.bind_resolved`.

        ``again`` names the call that an error asks to repeat; with it the driver is given every slot, as by Gallium.
        """
        keys, named, sent, guard = resolved.keys, resolved.named, self.sent, self._guard
        count = top = changed = len(named)
        if count <= self.known and not again:
            while top and named[top - 1] is sent[top - 1]:  # the driver is given slots 0 to top - 1
                top -= 1
            changed = below = top  # how many of them have another handle: the highest one has
            while below > 1:
                below -= 1
                if named[below - 1] is sent[below - 1]:
                    changed -= 1
        else:
            changed = 0 if again else sum(map(is_not, named, sent + (None,) * count))
            self._keep_tried()
        known, self.bound = self.known, None
        try:
            if top:
                self.known, self.trying = 0, keys  # until the driver surely has them
                guard.busy = True
                self._bind(self.stage, 0, named if top == count else named[:top])
                guard.busy = False
            if count < len(sent):
                self.keys, self.sent = keys + self.keys[count:], named + sent[count:]
            else:
                self.keys, self.sent = keys, named
            if self.staged or self.tried:
                self._took(count)
            self.known, self.trying = count if count > known else known, ()  # noqa: FURB136 (max is a call)
        except BaseException as error:
            guard.busy = False
            self._refused(resolved, top, error, again or "bind")
            raise
        counts = self.counts
        counts.slots_sent += top
        if again:
            counts.other_calls += 1
            return
        self.before, self.bound = sent, resolved
        if top:
            counts.changed += 1
            counts.slots_changed += changed
        else:
            counts.unchanged += 1

    def _took(self, count: int) -> None:
        """Forget what was staged or tried in slots 0 to ``count`` - 1: the driver holds something else there now."""
        self.staged = {slot: held for slot, held in self.staged.items() if slot >= count}
        self.tried = [keys for keys in self.tried if len(keys) > count]

    def _keep_tried(self) -> None:
        """Keep the keys of a bind that did not end well."""
        if self.trying and self.trying not in self.tried:
            self.tried.append(self.trying)
        self.trying = ()

    def send(self, count: int, again: str) -> None:
        """Bind what slots 0 to ``count`` - 1 hold; ``again`` is the call that repeats it."""
        keys, handles = zip(*map(self.holds, range(count)), strict=True)
        self.bind(Resolved(keys, handles, -1), again)

    def empty(self) -> None:
        """Bind nothing to every slot that the driver was ever given."""
        if nothing := (None,) * max(map(len, (self.sent, self.trying, *self.tried))):
            self.bind(Resolved(nothing, nothing, -1), "unbind or destroy")

    def _refused(self, resolved: Resolved[Handle], count: int, error: BaseException, again: str) -> None:
        """Stage slots whose bind raised: the driver may have them. Raises `DriverError` for an Exception.

        ``count``: how many slots the driver was given.
        """
        self._guard.lost = self._guard.lost or isinstance(error, DeviceLost)
        self.distrust()
        self._keep_tried()
        both = enumerate(zip(resolved.keys, resolved.named, strict=True))
        self.staged.update((slot, held) for slot, held in both if held[0] is not None)
        if isinstance(error, Exception):
            problem = f"raised {error!r} for slots 0..{count - 1} of stage {self.stage!r}"
            raise DriverError("bind_sampler_states", problem, hint=f"Call {again.format(self.stage)} again") from error

    def distrust(self) -> None:
        """Record that the driver may hold anything in every slot."""
        self.known, self.bound = 0, None

    def save(self) -> None:
        """Set aside what is staged, which stays so; raises `InvalidCallOrder` where something is set aside already."""
        if self.saved is not None:
            raise InvalidCallOrder("save_samplers", f"stage {self.stage!r} is saved already", hint="Restore it first")
        self.saved = [*map(self.holds, range(MAX_SAMPLERS))]

    def restore(self) -> None:
        """Stage what was set aside; raises `InvalidCallOrder` where nothing is."""
        if self.saved is None:
            raise InvalidCallOrder("restore_samplers", f"stage {self.stage!r} is not saved", hint="Save it first")
        now = (*self.sent, *(None,) * MAX_SAMPLERS)
        self.staged = {slot: held for slot, held in enumerate(self.saved) if held[1] is not now[slot]}
        self.saved = self.bound = None

    def changed(self) -> dict[int, Handle | None]:
        """Return slot -> handle, for the slots whose handle the last bind of resolved states made another one."""
        named = self.bound.named if self.bound is not None else ()
        pairs = zip(named, self.before + (None,) * len(named), strict=False)
        return {slot: new for slot, (new, old) in enumerate(pairs) if new is not old}

    def staging(self) -> list[object]:
        """Return the keys that are staged, a lookup under way included."""
        return self.pending + [self.holds(slot)[0] for slot in range(len(self.pending), MAX_SAMPLERS)]


def slot_exists(index: int) -> None:
    """Raise `ArgumentError` for a slot that does not exist."""
    if not (index.__class__ is int or hasattr(index, "__index__")) or not 0 <= index < MAX_SAMPLERS:
        raise ArgumentError("slot", index, accepted=f"0..{MAX_SAMPLERS - 1}")


def everything_held(stages: Iterable[StageSlots[Any]]) -> set[object]:
    """Return what any slot of any stage holds; None may be among it."""
    held: set[object] = set()
    for slots in stages:
        saved = slots.saved or ()
        held.update(slots.keys, slots.pending, slots.trying, *slots.tried)
        held.update(key for key, _ in (*slots.staged.values(), *saved))
    return held
