"""Sets of slots that a stage has bound, their states, and the answers.

A front end binds the same few hundred sets every frame, in any order, and most have the same few states. A `SlotSet` is
known by what its slots hold; its states are right as long as no sampler, texture or unit of it has another token. Sets
with the same states share one `BoundStage`, whose handles are right as long as the cache has the same epoch.
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
_SWITCHED: Final = object()  # first in the names of sets with other switches than the usual; no slot holds it
_FIRST: Final = [*range(MAX_SAMPLERS)]
_SETS_PER_STATE: Final = 8
_FRAMES: Final = 2  # whose sets are remembered
_SETS: Final = 1024  # that are remembered in any case


class SlotSet(Generic[Handle]):
    """The slots of one bind.

    Args:
        given: Slot -> (sampler, texture) or (sampler, texture, unit), or None.
        seamless: The bind's switch; ``flags`` has both as bits.
        glsl130: The bind's switch.
        memo: States by their contents.

    Attributes:
        fixed: Whether no part of ``given`` can change in place.
        biased: Whether a LOD bias is given as a number.
        newest: The newest token when the set was last known to be right.
        numbers: The slots that are named.
        states: The state of each.
        reads: Sampler, texture and unit of each, and their tokens.
        answer: What binds of these states answer until the cache's epoch ends; None: `StageMemory.answer` knows.

    Raises:
        ArgumentError: A slot has what cannot be bound.
    """

    __slots__ = (
        "answer", "biased", "fixed", "flags", "given", "glsl130", "newest", "numbers", "reads", "seamless", "states",
    )  # fmt: skip

    def __init__(self, given: tuple[Any, ...], seamless: object, glsl130: object, memo: StateMemo) -> None:
        try:
            self.flags: int = _FLAGS[seamless, glsl130]  # type: ignore[index]  # anything else is refused
        except (KeyError, TypeError):
            raise ArgumentError("seamless, glsl130", (seamless, glsl130), accepted="True or False each") from None
        if len(given) > MAX_SAMPLERS:
            raise _no_slot(MAX_SAMPLERS)
        self.given, self.seamless, self.glsl130 = given, seamless, glsl130
        self.numbers: Sequence[int] = range(len(given))
        if None in given:
            self.numbers = tuple(slot for slot in self.numbers if given[slot] is not None)
        self.fixed, self.biased = True, False
        self.newest = changes.last
        self.reads: list[tuple[Sampler, Texture, Unit, int, int, int]] = []
        states: list[SlotState] = []
        for slot in self.numbers:
            pair = given[slot]
            sampler, texture, unit, bias = parts(pair)
            if not isinstance(pair, tuple):
                self.fixed = False
            elif len(pair) > 2 and unit is NO_UNIT:
                self.biased = True
            self.reads.append((sampler, texture, unit, sampler.token, texture.token, unit.token))
            states.append(memo.state(sampler, texture, self.flags, bias))
        self.states = tuple(states)
        self.answer: BoundStage[Handle] | None = None

    def refresh(self, memo: StateMemo) -> None:
        """Work out again the states of slots of which something has changed since the set was last right."""
        newest, at = changes.last, 0
        reads = states = None
        for sampler, texture, unit, sampler_token, texture_token, unit_token in self.reads:
            if sampler.token != sampler_token or texture.token != texture_token or unit.token != unit_token:
                if reads is None or states is None:
                    reads, states = [*self.reads], [*self.states]
                pair = self.given[self.numbers[at]]
                sampler, texture, unit, bias = parts(pair)  # noqa: PLW2901 (the texture's own sampler may be another)
                reads[at] = sampler, texture, unit, sampler.token, texture.token, unit.token
                states[at] = memo.state(sampler, texture, self.flags, bias)
            at += 1  # noqa: SIM113 (enumerate() costs as much as the rest)
        if reads is not None and states is not None:
            self.reads, self.states, self.answer = reads, tuple(states), None
        self.newest = newest


class StageMemory(Generic[Handle]):
    """The sets that a tracker has bound in one stage.

    Args:
        cso: What the driver is called through.
        stage: A name of `cso.STAGES`.
        generation: The tracker's; it goes into the answers.
        memo: States by their contents.

    Attributes:
        held: What the stage holds.
        last: The set that was bound last; at first one without slots.
    """

    def __init__(self, cso: CsoContext[Handle], stage: str, generation: int, memo: StateMemo) -> None:
        self.held: StageSlots[Handle] = cso.slots(stage)
        self.memo = memo
        self._cso, self._generation = cso, generation
        self._most = _SETS_PER_STATE * memo.most
        self.sets: BoundedMemo[tuple[object, ...], SlotSet[Handle]] = BoundedMemo(self._most)
        self._answers: BoundedMemo[tuple[object, ...], BoundStage[Handle]] = BoundedMemo(memo.most)
        self.last: SlotSet[Handle] = SlotSet((), seamless=False, glsl130=True, memo=memo)

    def find(self, slots: Slots, seamless: object, glsl130: object) -> SlotSet[Handle]:
        """Find or make the set of these slots; it is ``last`` then. Raises `ArgumentError` for what cannot be bound."""
        given = slots if slots.__class__ is tuple else _in_order(slots)
        key = given if seamless is False and glsl130 is True else (_SWITCHED, given, seamless, glsl130)
        try:
            found = self.sets.newer.get(key) or self.sets.promote(key)
        except TypeError:  # a list for a pair, or for a switch
            pairs = tuple(tuple(pair) if isinstance(pair, list) else pair for pair in given)
            if pairs != given:
                return self.find(pairs, seamless, glsl130)
            found = None
        if found is None:
            found = SlotSet(given, seamless, glsl130, self.memo)
            if not found.fixed:  # it is known by what its pairs hold now
                return self.find(tuple(None if pair is None else tuple(pair) for pair in given), seamless, glsl130)
            self.sets.put(key, found)
        elif found.biased and found.given is not given:
            for pair in filter(None, given):
                parts(pair)  # raises for True, which is equal to the bias 1.0 that the set may be known by
        found.given, self.last = given, found  # an equal tuple, that the next bind may have too
        return found

    def end_frame(self, binds: int) -> None:
        """Remember the sets and answers of a few frames of so many binds: what is new in each does not pile up."""
        self.sets.most = min(max(_SETS, _FRAMES * binds, self.sets.most // 2), self._most)
        self._answers.most = min(self.sets.most, self.memo.most)

    def answer(self, chosen: SlotSet[Handle]) -> BoundStage[Handle]:
        """Look the states of a set up, and return what to bind: the same as before if the handles are."""
        epoch = self._cso.cache.epoch  # if the lookup evicts, this is an old one, and the next bind looks up again
        name: tuple[object, ...] = chosen.numbers, chosen.states
        bound = self._answers.newer.get(name) or self._answers.promote(name)
        if bound is not None and bound.gaps:
            name += tuple(self.held.holds(slot)[0] for slot in bound.gaps)
            bound = self._answers.get(name)
        if bound is None or bound.epoch != epoch:
            records = [state.record for state in chosen.states]
            if None in records or chosen.numbers.__class__ is not range:
                by_slot = {slot: one for slot, one in zip(chosen.numbers, records, strict=True) if one is not None}
                records = [by_slot.get(slot) for slot in range(max(by_slot, default=-1) + 1)]
            keys, handles = self._cso.look_up(self.held.stage, records)
            if bound is None or len(bound.named) != len(handles) or not all(map(is_, bound.named, handles)):
                bound = BoundStage(keys, handles, self.held, self._generation, (chosen.numbers, chosen.states))
                self._answers.put(name[:2], bound)
                if None in records:
                    bound.gaps = [slot for slot, record in enumerate(records) if record is None]
                    self._answers.put((*name[:2], *(keys[slot] for slot in bound.gaps)), bound)
            bound.keys, bound.epoch = keys, epoch
        chosen.answer = None if bound.gaps else bound  # what a gap holds may change without an epoch
        return bound


def _in_order(slots: Slots) -> tuple[Any, ...]:
    """Return what each slot samples, from slot 0 on."""
    if isinstance(slots, (tuple, list)):
        return tuple(slots)
    try:
        slots = slots if isinstance(slots, dict) else dict(slots)  # type: ignore[arg-type]  # anything else is refused
    except (TypeError, ValueError):
        accepted = "slot -> (sampler, texture), or a tuple of such pairs"
        raise ArgumentError("slots", slots, accepted=accepted) from None
    if all(map(is_, slots, _FIRST)) and len(slots) <= MAX_SAMPLERS:
        return tuple(slots.values())
    for slot in slots:
        if not isinstance(slot, int) or isinstance(slot, bool) or not 0 <= slot < MAX_SAMPLERS:
            raise _no_slot(slot)
    return tuple(map(slots.get, range(max(slots) + 1)))


def _no_slot(slot: object) -> ArgumentError:
    return ArgumentError("slot", slot, accepted=f"0..{MAX_SAMPLERS - 1}")
