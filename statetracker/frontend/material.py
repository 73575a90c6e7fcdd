"""`Material`: the states of one combination of slots; `StageMemory`: the materials that a stage has bound.

A front end binds the same few hundred combinations every frame, in any order. So what is remembered belongs to a
combination, never to the step from one to the next: its states, and their handles in the cache. It is known by the
identity of the tuple that it was bound with, else by what that holds; it is right as long as no token that it read is
another one.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias

from statetracker.cso import MAX_SAMPLERS
from statetracker.cso.driver import Handle
from statetracker.errors import ArgumentError
from statetracker.frontend.bound_stage import BoundStage
from statetracker.frontend.generations import Generations
from statetracker.frontend.states import GLSL130, NO_UNIT, SEAMLESS, parts
from statetracker.gl.tokens import changes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.cso import CsoContext
    from statetracker.cso.slots import StageSlots
    from statetracker.frontend.states import Bindable, SlotState, StateMemo
    from statetracker.gl import Sampler, Texture
    from statetracker.gl.units import Unit

#: Slots as a bind takes them.
Slots: TypeAlias = "Mapping[int, Bindable | None] | Sequence[Bindable | None]"

#: In place of a tuple; no slots are it.
_NO_TUPLE: Final = object()

#: In place of what was bound. No stage ever has its shape.
NEVER_BOUND: Final[BoundStage[Any]] = BoundStage((), (), -1, None, ((), ()))  # type: ignore[arg-type]  # of no stage

_FLAGS: Final = {
    (seamless, glsl130): SEAMLESS * seamless | GLSL130 * glsl130 for seamless in (0, 1) for glsl130 in (0, 1)
}
_BY_SLOT: Final = 4  # beside the flags of a bind: its slots came in a mapping, and its name has their numbers


class Material(Generic[Handle]):
    """One combination of slots.

    given               the tuple that it is known by; `_NO_TUPLE`: another form, or a part of it can change in place
    flags               the switches of the bind; seamless, glsl130: the same as bools
    slots, pairs        the slots that are named, in their order, and what each samples
    nameable            whether it is known by what its slots hold too: True is equal to 1.0, and no bias
    met                 the `id` of the tuple that it was last looked up for by what that holds
    stamp               the newest token when it was last known to be right
    reads               sampler, texture and unit of each pair, and the tokens that these had
    states              the state of each pair
    records             of slots 0.. up to the highest that has one; None: its slot keeps what it has
    dense               whether no slot among them keeps what it has
    bound               what to bind for it if it is dense; `NEVER_BOUND` until that is looked up, and for other states
    partial             what was bound of it last if it is not, with what its other slots held
    """

    __slots__ = (
        "bound",
        "dense",
        "flags",
        "given",
        "glsl130",
        "met",
        "nameable",
        "pairs",
        "partial",
        "reads",
        "records",
        "seamless",
        "slots",
        "stamp",
        "states",
    )

    def __init__(self, given: Any, flags: int, memo: StateMemo) -> None:  # noqa: ANN401 (slots in any form)
        """Look at every slot that is named; raises `ArgumentError` for what cannot be bound."""
        self.flags = flags
        self.seamless = flags & SEAMLESS != 0
        self.glsl130 = flags & GLSL130 != 0
        self.met = 0
        self.stamp = changes.last
        self.slots: Sequence[int] = range(len(given))
        self.pairs: tuple[Any, ...] = given
        if flags & _BY_SLOT:
            self.slots, self.pairs = _in_order(given)
        elif None in given:
            self.slots, self.pairs = _in_order(dict(enumerate(given)))
        if len(self.slots) > MAX_SAMPLERS:
            raise _no_slot(MAX_SAMPLERS)
        self.given: object = given if given.__class__ is tuple else _NO_TUPLE
        self.nameable = True
        self.reads: list[tuple[Sampler, Texture, Unit, int, int, int]] = []
        states: list[SlotState] = []
        for pair in self.pairs:
            own, texture, unit, bias = parts(pair)
            if pair.__class__ is not tuple:
                self.given, self.nameable = _NO_TUPLE, False
            elif len(pair) > 2 and unit is NO_UNIT:
                self.nameable = False
            self.reads.append((own, texture, unit, own.token, texture.token, unit.token))
            states.append(memo.state(own, texture, flags & ~_BY_SLOT, bias))
        self._take(states)

    def refresh(self, memo: StateMemo) -> None:
        """Look again at the pairs of which something has changed since the stamp."""
        stamp, reads, states, at = changes.last, self.reads, self.states, 0
        for own, texture, unit, own_token, texture_token, unit_token in self.reads:
            if own.token != own_token or texture.token != texture_token or unit.token != unit_token:
                own, texture, unit, bias = parts(self.pairs[at])  # noqa: PLW2901 (its own sampler may be another)
                if reads is self.reads:  # both stay as they were if one of the states cannot be had
                    reads, states = reads.copy(), states.copy()
                reads[at] = own, texture, unit, own.token, texture.token, unit.token
                states[at] = memo.state(own, texture, self.flags & ~_BY_SLOT, bias)
            at += 1  # noqa: SIM113 (enumerate() costs as much as the rest)
        if reads is not self.reads:
            self.reads = reads
            if states != self.states:
                self._take(states)
        self.stamp = stamp

    def _take(self, states: list[SlotState]) -> None:
        """Come to these states."""
        self.states = states
        records: list[bytes | None] = []
        for state in states:
            records.append(state.record)  # noqa: PERF401 (of two slots it costs a third of a comprehension)
        self.dense = True
        if None in records or self.slots.__class__ is not range:
            named = zip(self.slots, records, strict=True)
            by_slot = {slot: record for slot, record in named if record is not None}
            records = list(map(by_slot.get, range(max(by_slot, default=-1) + 1)))
            self.dense = None not in records
        self.records = tuple(records)
        self.bound: BoundStage[Handle] = NEVER_BOUND
        self.partial: BoundStage[Handle] | None = None

    def keep(self, bound: BoundStage[Handle]) -> None:
        """Note what was bound of it."""
        if self.dense:
            self.bound = bound
        else:
            self.partial = bound  # with what its other slots held


class StageMemory(Generations[object, Material[Handle]]):
    """What a tracker remembers of one stage: materials, by the `id` of their tuple and by what that holds.

    A material that comes once, as one with a sampler made for a single draw, is not kept.

    slots        what the cache's context holds for the stage
    last         what was bound last
    generation   the tracker's; another one starts with another memory
    """

    __slots__ = ("_met", "generation", "last", "slots", "stage")

    def __init__(self, stage: str, slots: StageSlots[Handle], generation: int, most: int) -> None:
        """Start with none; ``most`` are kept in a generation."""
        super().__init__(2 * most)
        self.stage = stage
        self.slots = slots
        self.generation = generation
        self._met: Generations[int, bool] = Generations(2 * most)
        self.last: Material[Handle] = NO_MATERIAL

    def material(self, slots: Slots, seamless: object, glsl130: object, memo: StateMemo) -> Material[Handle]:
        """Give the material of these slots, to be refreshed; raises `ArgumentError` for what cannot be bound."""
        flags = GLSL130 if glsl130 is True and seamless is False else _flags(seamless, glsl130)
        given: Any = slots
        name: tuple[object, ...] = flags, slots
        if slots.__class__ is tuple:
            material = self.newer.get(id(slots), self.last if slots is self.last.given else None)
        else:
            material = None
            given, name, flags = _named(slots, flags)
        if material is None or material.flags != flags:
            material = self._by_name(given, name, flags, memo)
        return material

    def forget(self) -> None:
        """Let everything go; the driver may hold anything in the stage's slots."""
        self.clear()
        self.last = NO_MATERIAL
        self.slots.distrust()

    def _by_name(self, given: Any, name: tuple[object, ...], flags: int, memo: StateMemo) -> Material[Handle]:  # noqa: ANN401
        """Find a material by what its slots hold, or make it; keep what comes a second time."""
        try:
            material = self.newer.get(name) or self.renewed(name)
        except TypeError:  # a list for a pair
            return Material(given, flags, memo)
        mark = id(given) if material else hash(name)
        if material is not None:
            again = material.met == mark
            material.met = mark
        else:
            material = Material(given, flags, memo)
            again = mark in self._met.newer or mark in self._met.older
            if not again:
                self._met.keep(mark, value=True)
            elif material.nameable:
                self.keep(name, material)
        if again and material.given is not _NO_TUPLE:
            self.drop(id(material.given))
            material.given = given  # as long as it lives, no other object has its id
            self.keep(id(given), material)
        return material

    def resolved(self, material: Material[Handle], cso: CsoContext[Handle]) -> BoundStage[Handle]:
        """Look up the states of a material: what to bind, in the shape of the stage if it may be bound as it is."""
        slots, bound, cache = self.slots, material.bound, cso.cache
        epoch = cache.epoch  # an eviction during the lookup makes what was looked up before it old again
        if bound.epoch is epoch:
            return bound
        if material.partial is slots.bound and slots.bound.epoch is epoch:
            return material.partial
        keys, handles = cso.look_up(self.stage, material.records)
        if bound is NEVER_BOUND or not all(map(is_, bound.named, handles)):
            bound = BoundStage(keys, handles, epoch, self, (material.slots, material.states))
            if material.dense:
                material.bound = bound
        bound.epoch = epoch
        shape = slots.shape
        if shape[0] == len(handles) and epoch is cache.epoch and (bound.shape is None or bound.shape[1] is shape[1]):
            bound.shape = shape
        return bound


def _in_order(named: dict[int, Any]) -> tuple[Sequence[int], tuple[Any, ...]]:
    """Give the slots in their order, as a range if there are no others between, and what each samples."""
    for slot in named:
        if slot.__class__ is not int or not 0 <= slot < MAX_SAMPLERS:
            raise _no_slot(slot)
    slots = sorted(slot for slot, pair in named.items() if pair is not None)
    dense = not slots or slots[-1] == len(slots) - 1
    return range(len(slots)) if dense else slots, tuple(map(named.get, slots))


def _no_slot(slot: object) -> ArgumentError:
    return ArgumentError("slot", slot, accepted=f"0..{MAX_SAMPLERS - 1}")


def _flags(seamless: object, glsl130: object) -> int:
    try:
        return _FLAGS[seamless, glsl130]  # type: ignore[index]  # anything else is refused
    except (KeyError, TypeError):
        raise ArgumentError("seamless, glsl130", (seamless, glsl130), accepted="True or False each") from None


def _named(slots: Slots, flags: int) -> tuple[Any, tuple[object, ...], int]:
    """What holds the slots of a bind as they are now; a name that equal slots share; the flags."""
    if isinstance(slots, dict):
        flags |= _BY_SLOT
        return slots, (flags, *slots.items()), flags
    if isinstance(slots, (tuple, list)):
        given = tuple(slots)
        return given, (flags, given), flags
    try:
        return _named(dict(slots), flags)  # type: ignore[arg-type]  # anything else is refused here
    except (TypeError, ValueError):
        raise ArgumentError("slots", slots, accepted="slot -> (sampler, texture), or a tuple of such pairs") from None


#: In place of one; no bind has its switches.
NO_MATERIAL: Final[Material[Any]] = Material({}, _BY_SLOT, None)  # type: ignore[arg-type]  # nothing to work out
NO_MATERIAL.seamless = None  # type: ignore[assignment]  # as no bind has it
