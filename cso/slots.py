"""The slots of the shader stages: what is staged, what the driver has been told, what is set aside.

A slot holds two things side by side: what the cache keeps a state by, and the driver's handle for it. Everything that
a slot holds, in any of the lists below, is in use; a policy that pins must not delete it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic

from statetracker.cso.driver import Handle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["MAX_SAMPLERS", "OLDER_STAGES", "STAGES", "KnownBind", "StageSlots", "everything_held"]

#: Slots a stage has (PIPE_MAX_SAMPLERS).
MAX_SAMPLERS: Final = 32

#: The stages in the order of their numbers in Mesa 22.3.
STAGES: Final = ("vertex", "tess-ctrl", "tess-eval", "geometry", "fragment", "compute")

#: The same before Mesa 22.3.
OLDER_STAGES: Final = ("vertex", "fragment", "geometry", "tess-ctrl", "tess-eval", "compute")


class StageSlots(Generic[Handle]):
    """The slots of one stage.

    held      slot -> what the cache keeps the staged state by; None: never set
    handles   slot -> its handle; None: never set, or the driver made nothing
    sent      slot -> what was held when the driver was last told
    doubtful  the ranges of binds that raised: the driver may have taken them or not
    before    what a set_samplers under way puts back if it fails
    saved     copies of held and handles, or None
    reach     one past the highest slot the driver was ever told
    known     what the driver was told last and is not yet in the lists; call `settle` before you look at them. A loop
              that goes round known binds writes none of them down
    """

    __slots__ = ("before", "doubtful", "handles", "held", "known", "reach", "saved", "sent")

    def __init__(self) -> None:
        self.saved: tuple[list[object], list[Handle | None]] | None
        self.known: KnownBind[Handle] | None = None
        self.clear()

    def clear(self) -> None:
        """Hold nothing."""
        self.held: list[object] = [None] * MAX_SAMPLERS
        self.handles: list[Handle | None] = [None] * MAX_SAMPLERS
        self.sent: list[object] = [None] * MAX_SAMPLERS
        self.doubtful: list[list[object]] = []
        self.before: list[object] = []
        self.saved = None
        self.reach = 0
        if self.known is not None:
            self.known.settled()
        self.known = None

    def settle(self) -> None:
        """Write down what was told last."""
        known = self.known
        if known is None:
            return
        self.known = None
        known.settled()
        part = slice(0, known.kept)
        self.held[part] = known.held
        self.sent[part] = known.sent
        self.handles[part] = known.handles
        self.was_told(known.count)

    def was_told(self, count: int) -> None:
        """Note that the driver has taken slots 0 to ``count`` - 1: what it may have taken before them is gone."""
        if self.doubtful:
            self.doubtful = [tried for tried in self.doubtful if len(tried) > count]
        self.reach = max(self.reach, count)

    def lists(self) -> Iterable[list[object]]:
        """Everything this stage holds, in one list after another."""
        self.settle()
        yield self.held
        yield self.sent
        yield self.before
        yield from self.doubtful
        if self.saved is not None:
            yield self.saved[0]


class KnownBind(Generic[Handle]):
    """What a bind told the driver, to be told again without a lookup; see `CsoContext.bind_known`.

    stage, slots    whose; the slots as the context keeps them
    count, told     slots 0 to count - 1 were told, and these handles
    tell            tells the driver, unless the count is 0; if ``times`` are not to be counted so far, it sees to that
    kept            slots 0 to kept - 1 are known; those above ``count`` held then what they hold when it is told again
    changed         how many slots became another state
    held, handles, sent   what was staged in the slots, and what the driver had
    epoch           the cache's: under another one, the handles may be gone
    times           how often it was told and has not been counted
    """

    __slots__ = (
        "_bind",
        "_enlist",
        "changed",
        "count",
        "epoch",
        "handles",
        "held",
        "kept",
        "sent",
        "slots",
        "stage",
        "tell",
        "times",
        "told",
    )

    def take(
        self,
        stage: str,
        slots: StageSlots[Handle],
        count: int,
        kept: int,
        *,
        changed: int,
        epoch: int,
        bind: Callable[[str, int, tuple[Handle | None, ...]], object],
        enlist: Callable[[KnownBind[Handle]], object],
    ) -> None:
        """Remember what the slots hold and what was told of them.

        bind     the driver's
        enlist   called with it at its first tell, so that somebody counts it
        """
        self.stage = stage
        self.slots = slots
        self.count = count
        self.kept = kept
        self.changed = changed
        self.times = 0
        self.held = slots.held[:kept]
        self.handles = slots.handles[:kept]
        sent = self.held[:count] + slots.sent[count:kept]
        self.sent = self.held if sent == self.held else sent
        self.told = tuple(self.handles[:count])
        self.epoch = epoch
        self._bind = bind if count else _tell_nothing
        self._enlist = enlist
        self.unlisted()

    def unlisted(self) -> None:
        """Nobody counts its times: the next tell is to see to it."""
        self.tell: Callable[[str, int, tuple[Handle | None, ...]], object] = self._tell_first

    def let_go(self) -> None:
        """It is not told again: keep nothing that keeps it."""
        self.tell = self._bind

    def _tell_first(self, stage: str, start: int, handles: tuple[Handle | None, ...], /) -> object:
        self._enlist(self)
        self.tell = tell = self._bind
        return tell(stage, start, handles)

    def settled(self) -> None:
        """The slots may change from here on, or have: what follows it must be asked for."""


def _tell_nothing(_stage: str, _start: int, _handles: tuple[Any, ...], /) -> None:
    """In place of a driver's bind."""


def everything_held(stages: Iterable[StageSlots[Handle]]) -> set[object]:
    """What any slot of any stage holds; None may be among it."""
    held: set[object] = set()
    for slots in stages:
        held.update(*slots.lists())
    return held
