"""`Material`: what one combination of slots comes to; `StageMemory`: the materials that a stage has met.

A front end binds the same few hundred combinations every frame, in any order. So what is remembered belongs to a
combination, never to the step from one to the next: its states, and their handles in the cache. It is found by the
identity of the tuple that it was bound with, else by what that holds; it is right as long as no token that it read is
another one.
"""

from __future__ import annotations

from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias

from statetracker.cso import MAX_SAMPLERS
from statetracker.cso.driver import Handle
from statetracker.errors import ArgumentError
from statetracker.frontend.bound_stage import BoundStage
from statetracker.frontend.generations import Generations
from statetracker.frontend.states import GLSL130, SEAMLESS, parts
from statetracker.gl.state import Unit
from statetracker.gl.tokens import changes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.cso import CsoContext
    from statetracker.cso.slots import StageSlots
    from statetracker.frontend.states import Bindable, SlotState, StateMemo

__all__ = ["NEVER_BOUND", "NO_MATERIAL", "Material", "Slots", "StageMemory"]

#: Slots as a bind takes them.
Slots: TypeAlias = "Mapping[int, Bindable | None] | Sequence[Bindable | None]"

#: In place of what was bound. No stage ever has its shape.
NEVER_BOUND: Final[BoundStage[Any]] = BoundStage((), (), -1, None, ((), ()))  # type: ignore[arg-type]  # of no stage

_TOKEN: Final = attrgetter("token")
_RECORD: Final = attrgetter("record")
_FLAGS: Final = {
    (seamless, glsl130): SEAMLESS * seamless | GLSL130 * glsl130 for seamless in (0, 1) for glsl130 in (0, 1)
}
_BY_SLOT: Final = 4  # beside the flags of a bind: its slots came in a mapping, and its name has their numbers


class Material(Generic[Handle]):
    """One combination of slots.

    given               the tuple that it is found by; None: another form of slots
    flags               the switches of the bind; seamless, glsl130: the same as bools
    slots, pairs        the slots that are named, and what each samples
    kept                whether it may be found again: no part of it can be changed in place
    nameable            whether also by what its slots hold: True is equal to 1.0, and no bias
    met                 the `id` of the tuple that it was last found for by what that holds
    stamp               the newest token when it was last known to be right
    objects, tokens     sampler and texture of each pair, then units; the tokens that these had
    found               the states, a pair each
    records             of slots 0.. up to the highest that has one; None: its slot keeps what it has
    dense               whether there are some, and no slot among them keeps what it has
    bound               what was bound of it last if it is dense; `NEVER_BOUND` until then and for other states
    partial             what was bound of it last if it is not, with what its other slots held
    """

    __slots__ = (
        "bound",
        "dense",
        "flags",
        "found",
        "given",
        "glsl130",
        "kept",
        "met",
        "nameable",
        "objects",
        "pairs",
        "partial",
        "records",
        "seamless",
        "slots",
        "stamp",
        "tokens",
    )

    def __init__(self, given: Any, flags: int, memo: StateMemo) -> None:  # noqa: ANN401 (slots in any form)
        """Look at every slot that is named; raises `ArgumentError` for what cannot be bound."""
        self.flags = flags
        self.seamless = flags & SEAMLESS != 0
        self.glsl130 = flags & GLSL130 != 0
        self.met = 0
        self.stamp = changes.last
        if flags & _BY_SLOT or None in given:
            items = given.items() if flags & _BY_SLOT else enumerate(given)
            named = {_checked_slot(slot): pair for slot, pair in items if pair is not None}
            self.slots: Sequence[int] = tuple(named)
            self.pairs: tuple[Any, ...] = tuple(named.values())
        else:
            self.slots, self.pairs = range(len(given)), given
            _checked_slot(max(len(given) - 1, 0))
        self._read(memo)
        self.given = given if self.kept and given.__class__ is tuple else None

    def _read(self, memo: StateMemo) -> None:
        """Look at every pair."""
        objects: list[Any] = []
        units: list[Unit] = []
        found: list[SlotState] = []
        self.kept = self.nameable = True
        flags = self.flags & ~_BY_SLOT
        for pair in self.pairs:
            own, texture, unit, bias = parts(pair)
            if pair.__class__ is not tuple:
                self.kept = self.nameable = False
            if unit is not None:
                if isinstance(unit, Unit):
                    units.append(unit)
                else:
                    self.nameable = False
            objects += own, texture
            found.append(memo.state(own, texture, flags, bias))
        self.objects = objects + units
        self.tokens = tuple(map(_TOKEN, self.objects))
        self._take(found)

    def refresh(self, memo: StateMemo) -> None:
        """See to it that it is right, as something has changed since the stamp."""
        stamp, before, objects = changes.last, self.tokens, self.objects
        tokens = tuple(map(_TOKEN, objects))
        if tokens != before:
            found = self.found.copy()
            at = 0
            for number, pair in enumerate(self.pairs):
                if tokens[at] != before[at] or tokens[at + 1] != before[at + 1]:
                    sampler, texture = objects[at : at + 2]
                    if len(pair) > 2 or (pair[0] is None and texture.sampler is not sampler):
                        break
                    found[number] = memo.state(sampler, texture, self.flags & ~_BY_SLOT, 0.0)
                at += 2
            if tokens[at:] != before[at:]:  # a unit's, or those after one that is to be read anew
                self._read(memo)
            else:
                self.tokens = tokens
                if found != self.found:
                    self._take(found)
        self.stamp = stamp

    def _take(self, found: list[SlotState]) -> None:
        """Come to these states."""
        self.found = found
        self.records = records = tuple(map(_RECORD, found))
        if None in records or self.slots.__class__ is not range:
            by_slot = {slot: record for slot, record in zip(self.slots, records, strict=True) if record is not None}
            self.records = records = tuple(map(by_slot.get, range(max(by_slot, default=-1) + 1)))
        self.dense = len(records) > 0 and None not in records
        self.bound: BoundStage[Handle] = NEVER_BOUND
        self.partial: BoundStage[Handle] | None = None

    def keep(self, bound: BoundStage[Handle]) -> None:
        """Note what was bound of it."""
        if self.dense:
            self.bound = bound
        else:
            self.partial = bound  # with what its other slots held


#: In place of one; nobody can give its slots.
NO_MATERIAL: Final[Material[Any]] = Material({}, _BY_SLOT, None)  # type: ignore[arg-type]  # nothing to work out
NO_MATERIAL.seamless = None  # type: ignore[assignment]  # as no bind has it


class StageMemory(Generations[object, Material[Handle]]):
    """What a tracker remembers of one stage: materials, by the `id` of their tuple and by what that holds.

    A material that comes once, as one with a sampler made for a single draw, is not kept.

    slots        what the cache's context holds for the stage
    last         what was bound last, if it is kept
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
        """Give the material of these slots, which may want a `Material.refresh`; raises `ArgumentError` for what cannot be bound."""
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
        if again and material.kept and given.__class__ is tuple:
            self.drop(id(material.given))
            material.given = given  # as long as it lives, no other object has its id
            self.keep(id(given), material)
        return material

    def resolved(self, material: Material[Handle], cso: CsoContext[Handle]) -> BoundStage[Handle]:
        """Look up the states of a material: what to bind, in the shape of the stage if it may be bound as it is."""
        slots, bound, cache = self.slots, material.bound, cso.cache
        epoch = cache.epoch  # an eviction during the lookup makes what was found before it old again
        if bound.epoch is epoch:
            return bound
        if material.partial is slots.bound and slots.bound.epoch is epoch:
            return material.partial
        keys, handles = cso.look_up(self.stage, material.records)
        if bound is NEVER_BOUND or not all(map(is_, bound.named, handles)):
            bound = BoundStage(keys, handles, epoch, self, (material.slots, material.found))
            material.keep(bound)
        bound.epoch = epoch
        shape = slots.shape
        if shape[0] == len(handles) and epoch is cache.epoch and (bound.shape is None or bound.shape[1] is shape[1]):
            bound.shape = shape
        return bound


def _checked_slot(slot: object) -> int:
    if slot.__class__ is not int or not 0 <= slot < MAX_SAMPLERS:  # type: ignore[operator]  # it is one
        raise ArgumentError("slot", slot, accepted=f"0..{MAX_SAMPLERS - 1}")
    return slot  # type: ignore[return-value]


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
