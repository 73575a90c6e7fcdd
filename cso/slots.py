"""The slots of the shader stages: what is staged, what the driver has, what is set aside.

A slot holds two things side by side: what the cache keeps a state by (its key), and the driver's handle for it. Every
key that a stage holds, in any of the lists below, is in use; a policy that pins must not delete its state.

A loop binds states that it has looked up before, thousands of times a frame. Such a bind only refers to what it bound
(`StageSlots.bound`); the lists are written, and the binds counted, when they are read. See docs/cso.md.
"""

from __future__ import annotations

from itertools import chain, islice
from operator import is_, is_not
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from statetracker.cso.driver import Handle
from statetracker.errors import ArgumentError, DriverError, InvalidCallOrder
from statetracker.spellings import OLDER_STAGES, STAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self

__all__ = [
    "LONGEST_RUN",
    "MAX_SAMPLERS",
    "NOTHING",
    "OLDER_STAGES",
    "STAGES",
    "BindCounts",
    "Resolved",
    "StageSlots",
    "slot_exists",
]

#: Slots of a stage that CSO has (PIPE_MAX_SAMPLERS).
MAX_SAMPLERS: Final = 32

#: How many binds of resolved states a stage lists before it counts them.
LONGEST_RUN: Final = 4096

#: How many slots a bind names, the handles in the slots above them, and the turns of the cache until then.
Shape: TypeAlias = tuple[int, tuple[Handle | None, ...], int]

#: Resolved states, and what is made of them.
AnyResolved = TypeVar("AnyResolved", bound="Resolved[Any]")

_NO_SHAPE: Final[Shape[Any]] = (-1, (), -1)


class BindCounts:
    """What a context has bound, in all its stages.

    calls, slots_sent   calls of the driver's bind, and the slots that they covered
    binds, unchanged    binds of resolved states; those of them without a call
    slots_changed       slots whose handle became another one in binds of resolved states
    """

    __slots__ = ("binds", "calls", "slots_changed", "slots_sent", "unchanged")

    def __init__(self) -> None:
        self.binds = self.unchanged = self.slots_changed = self.calls = self.slots_sent = 0


class Resolved(Generic[Handle]):
    """States that were looked up, for slots 0..: see `CsoContext.look_up` and `CsoContext.bind_resolved`.

    keys    slot -> what the cache keeps the state by
    named   slot -> its handle; last: that of the highest slot
    epoch   the cache's at the lookup: under another one, look up again
    shape   `StageSlots.shape` when this was last bound; None: it never was
    """

    __slots__ = ("epoch", "keys", "last", "named", "shape")

    def __init__(self, keys: tuple[object, ...], named: tuple[Handle | None, ...], epoch: int) -> None:
        self.keys = keys
        self.named = named
        self.last = named[-1] if named else None
        self.epoch = epoch
        self.shape: Shape[Handle] | None = None

    def copy(self) -> Self:
        """Make another that was never bound."""
        return type(self)(self.keys, self.named, self.epoch)


#: No states, bound nowhere.
NOTHING: Final[Resolved[Any]] = Resolved((), (), -1)


class StageSlots(Generic[Handle]):
    """The slots of one stage.

    stage           its name
    held, handles   what is staged: slot -> key, slot -> handle; None: never set, or the driver made nothing
    sent, driver    the same as of the last bind that succeeded
    sure            how many slots from 0 on the driver holds for sure as sent; fewer than all once a bind raised, or
                    another one bound
    doubtful        the keys of binds that raised: the driver may have taken them or not; none where ``sure`` is all
    pending         the keys of a lookup under way
    saved           copies of held and handles, or None
    reach           one past the highest slot that the driver was ever given
    bound           what a loop bound last, which slots 0.. hold in place of what the lists say; `NOTHING`: the lists do
    shape           of ``bound``. The same object for as long as binds name as many slots and the cache's epoch lasts
    run             the handles of such binds since the last count, one after the other; the first is what was before
    last            the last two of the run before this one
    spared          slots that the calls of the run did not cover, as they ended at the highest one that changed
    repeats         such binds without a call of the driver, since the last count
    quiet           whether the last such bind was without one
    """

    def __init__(self, stage: str, counts: BindCounts) -> None:
        """Start empty; binds are counted in ``counts``."""
        self.stage = stage
        self.counts = counts
        self.run: list[tuple[Handle | None, ...]] = []
        self.repeats = self._turns = 0
        self.clear()

    def clear(self) -> None:
        """Hold nothing."""
        self.count()
        self.run = []
        self.held: list[object] = [None] * MAX_SAMPLERS
        self.handles: list[Handle | None] = [None] * MAX_SAMPLERS
        self.sent: list[object] = [None] * MAX_SAMPLERS
        self.driver: list[Handle | None] = [None] * MAX_SAMPLERS
        self.doubtful: list[list[object]] = []
        self.pending: list[object] = []
        self.saved: tuple[list[object], list[Handle | None]] | None = None
        self.bound: Resolved[Handle] = NOTHING
        self.shape: Shape[Handle] = _NO_SHAPE
        self.last: tuple[tuple[Handle | None, ...], tuple[Handle | None, ...]] = (), ()
        self.reach = self.spared = self.repeats = 0
        self.sure = MAX_SAMPLERS
        self.quiet = True

    def settle(self) -> None:
        """Write what is bound into the lists, before they are read."""
        bound = self.bound
        if bound is not NOTHING:
            part = slice(0, len(bound.named))
            self.held[part] = self.sent[part] = bound.keys
            self.handles[part] = self.driver[part] = bound.named

    def open(self) -> None:
        """Have the lists say everything, before they are changed."""
        if self.run:  # else they do
            self.settle()
            self.count()
            self.bound = NOTHING
            self.shape = _NO_SHAPE
            self.run = []

    def follow(self, bound: AnyResolved) -> AnyResolved:
        """Get ready to bind ``bound`` next: ``run`` ends with the handles that the driver has in the slots it names.

        Gives ``bound``, or a copy where it was last bound below other slots than now.
        """
        count, shape = len(bound.named), self.shape
        if shape[0] != count:
            self.settle()
            shape = count, tuple(self.handles[count : self.reach]), self._turns
        if bound.shape is not None and not _same(bound.shape[1], shape[1]):
            bound = bound.copy()
        if self.shape[0] != count:
            self.count()
            self.run = [tuple(self.driver[:count])]
            if bound.shape is not None and bound.shape[2] == self._turns:
                shape = bound.shape
            self.shape = shape
        elif len(self.run) >= LONGEST_RUN:
            self.count()
        bound.shape = shape
        return bound

    def turn(self) -> None:
        """Have no shape of before fit, as handles may be gone."""
        self._turns += 1
        if self.shape is not _NO_SHAPE:
            self.shape = (*self.shape[:2], self._turns)

    def took(self, count: int) -> None:
        """Note that the driver has taken slots 0 to ``count`` - 1: what it may have taken before them is gone."""
        if self.doubtful:
            self.doubtful = [tried for tried in self.doubtful if len(tried) > count]
        self.sure = max(self.sure, count)
        self.reach = max(self.reach, count)

    def distrust(self) -> None:
        """Note that the driver may hold anything in every slot."""
        self.open()
        self.sure = 0

    def put(self, keys: Sequence[object], handles: Sequence[Handle | None]) -> None:
        """Put these into slots 0.., without a bind."""
        self.open()
        self.held[: len(keys)] = keys
        self.handles[: len(keys)] = handles

    def save(self) -> None:
        """Set aside what is staged, which stays so; raises `InvalidCallOrder` where something is set aside already."""
        if self.saved is not None:
            raise InvalidCallOrder("save_samplers", f"stage {self.stage!r} is saved already", hint="Restore it first")
        self.saved = (self.held[:], self.handles[:])

    def restore(self) -> None:
        """Stage what was set aside; raises `InvalidCallOrder` where nothing is."""
        if self.saved is None:
            raise InvalidCallOrder("restore_samplers", f"stage {self.stage!r} is not saved", hint="Save it first")
        self.open()
        self.held[:], self.handles[:] = self.saved
        self.saved = None

    def refused(self, resolved: Resolved[Handle], error: BaseException) -> None:
        """Stage what a bind raised an error for; raises `DriverError` for an Exception."""
        self.put(resolved.keys, resolved.named)
        self.doubt(len(resolved.named), error, again="bind")

    def doubt(self, count: int, error: BaseException, *, again: str) -> None:
        """Note that a bind of slots 0 to ``count`` - 1 raised; raises `DriverError` for an Exception."""
        self.doubtful.append(self.held[:count])
        self.reach = max(self.reach, count)
        self.distrust()
        if isinstance(error, Exception):
            problem = f"raised {error!r} for slots 0..{count - 1} of stage {self.stage!r}"
            raise DriverError("bind_sampler_states", problem, hint=f"Call {again.format(self.stage)} again") from error

    def count(self) -> None:
        """Count the binds of the run, and start another where it ends."""
        run, counts, calls = self.run, self.counts, len(self.run) - 1
        counts.binds += self.repeats
        counts.unchanged += self.repeats
        self.repeats = 0
        if calls > 0:
            self.last = run[-2], run[-1]
            width = len(run[0])
            counts.binds += calls
            counts.calls += calls
            counts.slots_sent += calls * width - self.spared
            handles = [*chain.from_iterable(run)]
            counts.slots_changed += sum(map(is_not, handles, islice(handles, width, None)))
            self.spared = 0
            del run[:-1]

    def changed(self) -> dict[int, Handle | None]:
        """Slot -> handle, for the slots whose handle the last bind of resolved states made another one."""
        if self.quiet:
            return {}
        before, after = self.run[-2:] if len(self.run) > 1 else self.last
        return {slot: new for slot, (new, old) in enumerate(zip(after, before, strict=True)) if new is not old}

    def staging(self) -> list[object]:
        """What is staged, a lookup under way included."""
        self.settle()
        return self.pending + self.held[len(self.pending) :]

    def lists(self) -> Iterable[list[object]]:
        """Everything this stage holds, in one list after another."""
        self.settle()
        yield self.held
        yield self.sent
        yield self.pending
        yield from self.doubtful
        if self.saved is not None:
            yield self.saved[0]


def slot_exists(index: int) -> None:
    """Raise `ArgumentError` for a slot that does not exist."""
    if not 0 <= index < MAX_SAMPLERS:
        raise ArgumentError("slot", index, accepted=f"0..{MAX_SAMPLERS - 1}")


def _same(one: tuple[Handle | None, ...], other: tuple[Handle | None, ...]) -> bool:
    """Whether these are the same handles; they are only compared by identity."""
    return one is other or (len(one) == len(other) and all(map(is_, one, other)))


def everything_held(stages: Iterable[StageSlots[Handle]]) -> set[object]:
    """What any slot of any stage holds; None may be among it."""
    held: set[object] = set()
    for slots in stages:
        held.update(*slots.lists())
    return held
