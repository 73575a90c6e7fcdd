"""What a stage has bound: sets of slots, the states that these come to, and the answers.

A front end binds the same few hundred sets every frame, in any order, and most have the same few states. A `SlotSet` is
known by what its slots hold. Its states are right as long as no sampler, texture or unit of it has another token; sets
with the same states share one `StageStates`, and so one answer.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias

from statetracker.cso import MAX_SAMPLERS
from statetracker.cso.driver import Handle
from statetracker.errors import ArgumentError
from statetracker.frontend.bound_stage import BoundStage
from statetracker.frontend.bounded_memo import BoundedMemo
from statetracker.frontend.states import GLSL130, NO_UNIT, SEAMLESS, parts
from statetracker.gl.facts import changes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.cso import CsoContext
    from statetracker.cso.slots import StageSlots
    from statetracker.frontend.states import Bindable, SlotState, StateMemo
    from statetracker.gl import Sampler, Texture
    from statetracker.gl.units import Unit

#: Slots as a bind takes them.
Slots: TypeAlias = "Mapping[int, Bindable | None] | Sequence[Bindable | None]"

_FLAGS: Final = {
    (seamless, glsl130): SEAMLESS * seamless | GLSL130 * glsl130 for seamless in (0, 1) for glsl130 in (0, 1)
}
_FIRST: Final = [*range(MAX_SAMPLERS)]
_SETS_A_STATE: Final = 4


class StageStates(Generic[Handle]):
    """The states of some slots, and what a bind of them answers.

    slots     the slots that are named, and ``states`` the state of each
    records   of slots 0.. up to the highest that has one; None: its slot keeps what it has
    bound     the answer; its epoch is -1 until that is looked up
    """

    __slots__ = ("bound", "records", "slots", "states")

    def __init__(self, slots: Sequence[int], states: tuple[SlotState, ...]) -> None:
        self.slots, self.states = slots, states
        records = [state.record for state in states]
        if None in records or slots.__class__ is not range:
            by_slot = {slot: record for slot, record in zip(slots, records, strict=True) if record is not None}
            records = [by_slot.get(slot) for slot in range(max(by_slot, default=-1) + 1)]
        self.records = tuple(records)
        self.bound: BoundStage[Handle] = UNBOUND

    def answer(self, memory: StageMemory[Handle], cso: CsoContext[Handle]) -> BoundStage[Handle]:
        """Look the states up, and return what to bind: the same as before if the handles are."""
        epoch, bound = cso.cache.epoch, self.bound  # an eviction in the lookup makes it old again
        keys, handles = cso.look_up(memory.stage, self.records)
        if bound is UNBOUND or not _same(bound.named, handles):
            of = self.slots, self.states
            bound = BoundStage(keys, handles, stage=memory.slots, generation=memory.generation, states=of)
        bound.keys, bound.epoch = keys, epoch if None not in self.records else -1  # a gap holds one and another
        self.bound = bound
        return bound


class SlotSet(Generic[Handle]):
    """The slots of one bind.

    given               slot -> (sampler, texture) or (sampler, texture, unit), or None
    seamless, glsl130   the switches of the bind; ``flags``: the same as bits
    fixed               whether no part of ``given`` can change in place
    biased              whether a LOD bias is given as a number
    newest              the newest token there was at the last successful check
    slots, reads        the slots that are named; sampler, texture and unit of each, and their tokens
    states              what these come to
    """

    __slots__ = ("biased", "fixed", "flags", "given", "glsl130", "newest", "reads", "seamless", "slots", "states")

    def __init__(self, given: tuple[Any, ...], seamless: object, glsl130: object, memory: StageMemory[Handle]) -> None:
        """Look at every slot that is named; raises `ArgumentError` for what cannot be bound."""
        try:
            self.flags: int = _FLAGS[seamless, glsl130]  # type: ignore[index]  # anything else is refused
        except (KeyError, TypeError):
            raise ArgumentError("seamless, glsl130", (seamless, glsl130), accepted="True or False each") from None
        if len(given) > MAX_SAMPLERS:
            raise _no_slot(MAX_SAMPLERS)
        self.given, self.seamless, self.glsl130 = given, seamless, glsl130
        self.newest = changes.last
        self.slots: Sequence[int] = range(len(given))
        if None in given:
            self.slots = tuple(slot for slot in self.slots if given[slot] is not None)
        self.fixed, self.biased = True, False
        self.reads: list[tuple[Sampler, Texture, Unit, int, int, int]] = []
        states: list[SlotState] = []
        for slot in self.slots:
            pair = given[slot]
            own, texture, unit, bias = parts(pair)
            if not isinstance(pair, tuple):
                self.fixed = False
            elif len(pair) > 2 and unit is NO_UNIT:
                self.biased = True
            self.reads.append((own, texture, unit, own.token, texture.token, unit.token))
            states.append(memory.memo.state(own, texture, self.flags, bias))
        self.states: StageStates[Handle] = memory.of_states(self.slots, tuple(states))

    def refresh(self, memory: StageMemory[Handle]) -> None:
        """Look again at the slots of which something has changed since then."""
        newest, at = changes.last, 0
        reads = states = None
        for own, texture, unit, own_token, texture_token, unit_token in self.reads:
            if own.token != own_token or texture.token != texture_token or unit.token != unit_token:
                if reads is None or states is None:
                    reads, states = [*self.reads], [*self.states.states]
                own, texture, unit, bias = parts(self.given[self.slots[at]])  # noqa: PLW2901 (it may have another)
                reads[at] = own, texture, unit, own.token, texture.token, unit.token
                states[at] = memory.memo.state(own, texture, self.flags, bias)
            at += 1  # noqa: SIM113 (enumerate() costs as much as the rest)
        if reads is not None and states is not None:
            self.states, self.reads = memory.of_states(self.slots, tuple(states)), reads
        self.newest = newest


class StageMemory(Generic[Handle]):
    """The sets that a tracker has bound in one stage.

    stage        its name
    slots        what the cache's context holds for the stage
    generation   the tracker's; another one starts with another memory
    memo         the states of the tracker
    sets         (slots, seamless, glsl130) -> set
    last         the set that was bound last
    """

    __slots__ = ("_states", "generation", "last", "memo", "sets", "slots", "stage")

    def __init__(self, stage: str, slots: StageSlots[Handle], generation: int, memo: StateMemo) -> None:
        self.stage = stage
        self.slots = slots
        self.generation = generation
        self.memo = memo
        self.sets: BoundedMemo[tuple[object, ...], SlotSet[Handle]] = BoundedMemo(_SETS_A_STATE * memo.most)
        self._states: BoundedMemo[tuple[object, ...], StageStates[Handle]] = BoundedMemo(memo.most)
        self.last: SlotSet[Handle] = NO_SET

    def of_states(self, slots: Sequence[int], states: tuple[SlotState, ...]) -> StageStates[Handle]:
        """Find or make the states of these slots."""
        name = slots, states
        known = self._states.newer.get(name) or self._states.promote(name)
        if known is None:
            known = StageStates(slots, states)
            self._states.put(name, known)
        return known

    def find(self, slots: Slots, seamless: object, glsl130: object) -> SlotSet[Handle]:
        """Find or make the set of these slots; raises `ArgumentError` for what cannot be bound."""
        given = slots if slots.__class__ is tuple else _in_order(slots)
        name = given, seamless, glsl130
        try:
            known = self.sets.newer.get(name) or self.sets.promote(name)
        except TypeError:  # a list for a pair, or for a switch
            known = None
        if known is None:
            known = SlotSet(given, seamless, glsl130, self)
            if not known.fixed:
                self.last = NO_SET
                return known
            self.sets.put(name, known)
        elif known.biased:
            _check_biases(given)
        self.last = known
        return known


def _in_order(slots: Slots) -> tuple[Any, ...]:
    """Return what each slot samples, from slot 0 on."""
    if isinstance(slots, (tuple, list)):
        return tuple(slots)
    if not isinstance(slots, dict):
        try:
            slots = dict(slots)  # type: ignore[arg-type]  # anything else is refused here
        except (TypeError, ValueError):
            accepted = "slot -> (sampler, texture), or a tuple of such pairs"
            raise ArgumentError("slots", slots, accepted=accepted) from None
    if [*slots] == _FIRST[: len(slots)]:
        return tuple(slots.values())
    for slot in slots:
        if slot.__class__ is not int or not 0 <= slot < MAX_SAMPLERS:
            raise _no_slot(slot)
    return tuple(map(slots.get, range(max(slots) + 1)))


def _no_slot(slot: object) -> ArgumentError:
    return ArgumentError("slot", slot, accepted=f"0..{MAX_SAMPLERS - 1}")


def _check_biases(given: tuple[Any, ...]) -> None:
    """Raise `ArgumentError` for True as a LOD bias: it is equal to the 1.0 that a set may be known by."""
    for pair in given:
        if pair is not None:
            parts(pair)


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Compare handles, by identity."""
    return len(one) == len(other) and all(map(is_, one, other))


#: In place of what was looked up.
UNBOUND: Final[BoundStage[Any]] = BoundStage((), (), stage=None, generation=-1, states=((), ()))  # type: ignore[arg-type]  # of no stage
#: In place of a set; no slots are its.
NO_SET: Final[SlotSet[Any]] = SlotSet.__new__(SlotSet)
NO_SET.given = NO_SET.seamless = NO_SET.glsl130 = object()  # type: ignore[assignment]
