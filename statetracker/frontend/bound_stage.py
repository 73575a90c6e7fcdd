"""`BoundStage`: what `StateTracker.bind` answers; `FrameCounts`: what its `end_frame` does."""

from __future__ import annotations

from operator import attrgetter, is_, methodcaller
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple

from statetracker.cso import MAX_SAMPLERS
from statetracker.cso.driver import Handle
from statetracker.cso.slots import KnownBind
from statetracker.frontend.states import GLSL130, SEAMLESS
from statetracker.gl.tokens import changes
from statetracker.sampler.shader_needs import ClampMasks, Lowering, WrapMasks, wrap_masks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.cso.slots import StageSlots
    from statetracker.frontend.states import SlotState

__all__ = ["BoundStage", "FrameCounts", "Move", "Situation", "StageMemory"]

#: No token: what was never looked at.
_NEVER: Final = -1

#: Slots that nobody can give.
_NOTHING_GIVEN: Final = object()

#: How many situations and names of known binds a stage keeps; it starts over when it has as many.
_MOST_KEPT: Final = 2048

#: In place of a dict for every situation that is met once. Nobody puts anything in.
_NO_MOVES: Final[dict[object, Any]] = {}

_TOKEN: Final = attrgetter("token")
_CONTENT: Final = methodcaller("content")
_RECORD: Final = attrgetter("record")


class FrameCounts(NamedTuple):
    """What happened in one frame.

    frame           its number, from 1
    binds           calls of `bind`
    unchanged       ... that were answered by one compare
    slots_changed   slots whose state became another one
    conversions     states worked out, because no sampler, texture and unit of the same content had been met
    creates, deletes   calls of the driver
    live            states that exist now
    """

    frame: int
    binds: int
    unchanged: int
    slots_changed: int
    conversions: int
    creates: int
    deletes: int
    live: int


class BoundStage(Generic[Handle]):
    """What a stage has bound, as of one `StateTracker.bind`. It never changes; treat its mappings so too.

    stage        the stage's name
    handles      slot -> handle, up to the highest slot the stage ever bound; None: never bound
    changed      slot -> new handle, for the slots whose state is another one than before this bind; empty: none
    generation   the tracker's: handles of another generation are not to be used
    states       slot -> record and lowering, for the slots that this bind named
    """

    __slots__ = ("changed", "generation", "handles", "stage", "states")

    def __init__(
        self,
        stage: str,
        handles: tuple[Handle | None, ...],
        changed: Mapping[int, Handle | None],
        generation: int,
        states: Mapping[int, SlotState],
    ) -> None:
        self.stage = stage
        self.handles = handles
        self.changed = changed
        self.generation = generation
        self.states = states

    @property
    def clamps(self) -> ClampMasks:
        """The slots of this bind whose coordinates the shader saturates, as bit masks."""
        return self.masks.merged

    @property
    def masks(self) -> WrapMasks:
        """The same with GL_CLAMP and GL_MIRROR_CLAMP_EXT apart."""
        return wrap_masks((slot, state.lowering) for slot, state in self.states.items())

    @property
    def lowerings(self) -> dict[int, Lowering]:
        """Slot -> what the shader must do, for the slots of this bind where it has something to do."""
        return {slot: state.lowering for slot, state in self.states.items() if state.lowering.needed}

    def __repr__(self) -> str:
        """Stage, handles, and what changed."""
        return f"BoundStage({self.stage!r}, handles={self.handles}, changed={dict(self.changed)})"


class Situation(Generic[Handle]):
    """What a stage has bound altogether.

    states    slot -> what it was last made from; None: never named
    handles   slot -> handle, up to the highest slot the stage ever bound
    moves     the binds known to start here, by the slots they name and by the `id` of a tuple of them
    listed    whether the stage knows the situation when it is in it again
    """

    __slots__ = ("handles", "listed", "moves", "states")

    def __init__(self, states: tuple[SlotState | None, ...], handles: tuple[Handle | None, ...]) -> None:
        self.states = states
        self.handles = handles
        self.moves: dict[object, Move[Handle]] = _NO_MOVES
        self.listed = False


class Move(KnownBind[Handle]):
    """One bind, from the situation that knows it to another; what the driver was told too, once it is known.

    given               the slots it was asked for with; as long as this lives, no other object has its `id`
    flags               its switches; seamless, glsl130: the same as bools
    stamp               the newest token when it was last known to be right
    objects, tokens     what it read, and the tokens these had
    contents            ... and their contents, once the bind is known; None before
    bound               the answer
    same                the answer, were it repeated at once; None: not yet made
    to                  where it leads
    next                the move that was made after it when it was last made, if nobody has touched the slots since
    named               whether equal slots are the same bind: pairs, without units or biases
    """

    __slots__ = (
        "bound",
        "contents",
        "flags",
        "given",
        "glsl130",
        "named",
        "next",
        "objects",
        "same",
        "seamless",
        "stamp",
        "to",
        "tokens",
    )

    def __init__(
        self,
        given: Any,  # noqa: ANN401 (slots in any form, or what nobody can give)
        flags: int,
        *,
        stamp: int,
        read: Mapping[Any, int],
        bound: BoundStage[Handle],
        to: Situation[Handle],
    ) -> None:
        self.given = given
        self.flags = flags
        self.seamless = bool(flags & SEAMLESS)
        self.glsl130 = bool(flags & GLSL130)
        self.stamp = stamp
        self.objects = tuple(read)
        self.tokens = tuple(read.values())
        self.contents: tuple[object, ...] | None = None
        self.bound = bound
        self.same: BoundStage[Handle] | None = None
        self.to = to
        self.next: Move[Handle] = NOWHERE
        self.named = False

    def settled(self) -> None:
        """Whatever is bound next must be looked for: the slots are no longer sure to be what this left."""
        self.next = NOWHERE

    def still_right(self) -> bool:
        """Whether nothing that it read has changed since, or all of it has changed back; remember it if so."""
        stamp = changes.last
        if self.stamp != stamp:
            tokens = tuple(map(_TOKEN, self.objects))
            if tokens != self.tokens:
                if self.contents is None:
                    return False
                for thing, token, before, content in zip(
                    self.objects, tokens, self.tokens, self.contents, strict=False
                ):
                    if token != before and thing.content() != content:
                        return False
                self.tokens = tokens
            self.stamp = stamp
        return True

    def keep_contents(self) -> None:
        """Keep what was read by value too, so that it is known again after it has changed and changed back."""
        self.contents = tuple(map(_CONTENT, self.objects))

    def again(self) -> BoundStage[Handle]:
        """Make the answer to the bind, were it repeated: the same, and nothing has changed."""
        bound = self.bound
        self.same = same = (
            BoundStage(bound.stage, bound.handles, {}, bound.generation, bound.states) if bound.changed else bound
        )
        return same


#: In place of a next move: nobody asks for it.
NOWHERE: Final[Move[Any]] = Move.__new__(Move)
NOWHERE.given = _NOTHING_GIVEN
NOWHERE.named = False


class StageMemory(Generic[Handle]):
    """What a tracker remembers of one stage.

    count        counts the known binds that were told; until then the context keeps them
    move         the last bind
    slots        what the cache's context holds for the stage
    reach        one past the highest slot that was ever bound
    situations   those the stage was in, by their states
    """

    __slots__ = ("_epoch", "_kept", "count", "move", "reach", "situations", "slots", "stage")

    def __init__(self, stage: str, slots: StageSlots[Handle], generation: int, count: Callable[[], object]) -> None:
        self.count = count
        self.stage = stage
        self.slots = slots
        self.reach = slots.reach
        start: Situation[Handle] = Situation((None,) * MAX_SAMPLERS, tuple(slots.handles[: self.reach]))
        bound: BoundStage[Handle] = BoundStage(stage, start.handles, {}, generation, {})
        self.move: Move[Handle] = Move(_NOTHING_GIVEN, 0, stamp=_NEVER, read={}, bound=bound, to=start)
        self.situations: dict[tuple[SlotState | None, ...], Situation[Handle]] = {}
        self._kept = 0
        self._epoch = _NEVER

    def arrive(self, states: list[SlotState | None], epoch: int) -> tuple[Situation[Handle], bool]:
        """Give the situation of these states, and whether the stage was in it before, with the handles that it has.

        epoch   the cache's; under another one no known bind is of use, so that none is kept
        """
        if epoch != self._epoch or self._kept >= _MOST_KEPT:
            self.forget()
            self._epoch = epoch
        self.slots.settle()
        content, handles = tuple(states), tuple(self.slots.handles[: self.reach])
        found = self.situations.get(content)
        if found is not None and all(map(is_, found.handles, handles)):
            return found, True
        new = Situation(content, handles)
        if None not in map(_RECORD, filter(None, content)):  # else its slot keeps a handle that depends on the past
            self.situations[content] = new
            new.listed = True
            self._kept += 1
        return new, False

    def learn(self, start: Situation[Handle], move: Move[Handle], name: object) -> None:
        """Remember a bind under a name."""
        if start.moves is _NO_MOVES:
            start.moves = {}
        start.moves[name] = move
        self._kept += 1

    def forget(self) -> None:
        """Drop every known bind; what is bound now stays."""
        self.slots.settle()
        self.count()
        for situation in self.situations.values():
            for move in situation.moves.values():
                move.next = NOWHERE
                move.let_go()
            situation.moves = _NO_MOVES  # moves lead on to other situations: else they would keep one another
        self.situations.clear()
        self._kept = 0
