"""The sampler states of one context: converted at a draw, looked up in the cache; creates, binds, deletes as events.

Source: docs/streams.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.cso import CsoContext
from statetracker.frontend.stage import convert_slots
from statetracker.pipe import SamplerState
from statetracker.sampler import explain, key_rule
from statetracker.sampler.situation import with_default_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from statetracker.frontend.stage import StageResult
    from statetracker.gl import Bound, Context, Slot, UnitFacts
    from statetracker.sampler import Converter, Explanation

#: Stage, its slots, whether it counts as GLSL 1.30; in pipeline order, without stages that use no sampler.
Stages: TypeAlias = "list[tuple[str, Sequence[Slot], bool]]"

#: Mesa's own sampler for glBitmap, glDrawPixels and glCopyPixels: edges, nearest, no mipmaps, all else 0.
INTERNAL: Final = bytes(
    SamplerState(wrap_s="clamp-to-edge", wrap_t="clamp-to-edge", wrap_r="clamp-to-edge", min_mip_filter="none")
)
#: PIPE_MAX_SAMPLERS.
_SLOTS: Final = 32
#: Records remembered as introduced, after which all are forgotten.
_REMEMBERED: Final = 1 << 16


class Maker(NamedTuple):
    """The first use of a state.

    Attributes:
        stage: Where it was sampled.
        slot: Of the stage.
        unit: Of the slot.
        texture: Its name; None: the default one.
        why: The state's explanation, or None where none was wanted.
        own: Mesa's state for a pixel rectangle, in a slot that the program leaves free; it has no unit or texture.
    """

    stage: str
    slot: int
    unit: int
    texture: int | None
    why: Explanation | None
    own: bool = False

    def __str__(self) -> str:
        """In words that follow 'for'."""
        if self.own:
            return f"Mesa's own use, {self.stage} slot {self.slot}"
        texture = "the default texture" if self.texture is None else f"texture {self.texture}"
        return f"{self.stage} slot {self.slot}: unit {self.unit}, {texture}"


class Creates(NamedTuple):
    """A state was created.

    Attributes:
        call: The number of the call that did it, from 0.
        id: The state's number, counted from 0 over the whole stream.
        state: Its 36 bytes.
        made_for: Its first use; None: it is not known.
    """

    call: int
    id: int
    state: bytes
    made_for: Maker | None

    def to_dict(self) -> dict[str, object]:
        """As a line of JSON has it."""
        return {"call": self.call, "event": "create", "id": self.id, "state": self.state.hex()}


class Binds(NamedTuple):
    """States were bound to a stage's slots.

    Attributes:
        call: The number of the call that did it, from 0.
        stage: A name of `cso.STAGES`.
        start: The first slot.
        ids: The numbers of the states, from that slot on; None is an unbound slot.
    """

    call: int
    stage: str
    start: int
    ids: tuple[int | None, ...]

    def to_dict(self) -> dict[str, object]:
        """As a line of JSON has it."""
        return {"call": self.call, "event": "bind", "stage": self.stage, "start": self.start, "ids": list(self.ids)}


class Deletes(NamedTuple):
    """A state was deleted.

    Attributes:
        call: The number of the call that did it, from 0.
        id: The state's number.
    """

    call: int
    id: int

    def to_dict(self) -> dict[str, object]:
        """As a line of JSON has it."""
        return {"call": self.call, "event": "delete", "id": self.id}


StreamEvent: TypeAlias = Creates | Binds | Deletes


class _Driver:
    """A driver that turns each call of the cache into an event."""

    def __init__(self, emit: Callable[[StreamEvent], None], numbers: Iterator[int]) -> None:
        self.emit = emit
        self.numbers = numbers
        self.call = 0
        self.makers: dict[bytes, Maker] = {}
        self.ending = False

    def create_sampler_state(self, record: bytes) -> int:
        number = next(self.numbers)
        self.emit(Creates(self.call, number, record, self.makers.get(record)))
        return number

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        if not self.ending:  # a context takes its bindings with it: Mesa passes none to the driver
            self.emit(Binds(self.call, stage, start, tuple(handles)))

    def delete_sampler_state(self, handle: int) -> None:
        self.emit(Deletes(self.call, handle))


class States:
    """A context's states.

    ``touched`` says whether a call since the last draw may have changed what is sampled. ``draws`` counts draws.
    ``watch`` gets each conversion: the number of the draw's call, and each stage's name, slots and result.

    Args:
        context: Whose units, textures and samplers are converted.
        converter: The rules, for a screen.
        emit: Receives each event.
        numbers: Of the states, counted over the whole stream.
        explained: Explain each state where it is first made.
    """

    def __init__(
        self,
        context: Context,
        converter: Converter,
        emit: Callable[[StreamEvent], None],
        numbers: Iterator[int],
        *,
        explained: bool,
    ) -> None:
        self.context = context
        self.converter = converter
        self.explained = explained
        self.driver = _Driver(emit, numbers)
        key = key_rule(converter.screen, converter.dialect)
        self.cso: CsoContext[int] = CsoContext(self.driver, policy="mesa", key=key)
        self.touched = True
        self.draws = 0
        self.watch: Callable[[int, list[tuple[str, Sequence[Slot], StageResult]]], None] | None = None
        self._introduced: set[bytes] = set()

    def draw(self, call: int, stages: Stages) -> None:
        """Convert and bind what stages use, unless nothing changed since the last draw."""
        self.draws += 1
        if not self.touched:
            return
        self.touched = False
        self.driver.call = call
        made = []
        for stage, slots, glsl130 in stages:
            result = convert_slots(self.context, self.converter, slots, glsl130=glsl130)
            self._introduce(stage, result)
            self.cso.set_samplers(stage, result.records)
            made.append((stage, slots, result))
        if self.watch is not None:
            self.watch(call, made)

    def draw_rectangle(self, call: int, stages: Stages, count: int) -> None:
        """Bind Mesa's own sampler to the first ``count`` free slots of the fragment stage; restore the stage's own."""
        self.driver.call = call
        used = next((slots for stage, slots, _ in stages if stage == "fragment"), ())
        taken = {slot.index for slot in used}
        free = [slot for slot in range(_SLOTS) if slot not in taken][:count]
        if not free:
            return
        self.driver.makers[INTERNAL] = Maker("fragment", free[0], 0, None, None, own=True)
        self.cso.save_samplers("fragment")
        records: list[bytes | None] = [None] * (max(free[-1], *taken, 0) + 1)
        for slot in free:
            records[slot] = INTERNAL
        self.cso.set_samplers("fragment", records)
        self.cso.restore_samplers("fragment")
        self.driver.makers.pop(INTERNAL)
        self.touched = True

    def _introduce(self, stage: str, result: StageResult) -> None:
        """Record the first use of records that are new."""
        makers = self.driver.makers
        makers.clear()
        for slot, record in enumerate(result.records):
            if record is None or record in self._introduced or record in makers or slot not in result.bound:
                continue
            if len(self._introduced) > _REMEMBERED:
                self._introduced.clear()
            self._introduced.add(record)
            bound = result.bound[slot]
            why = explain_bound(bound, self.converter, result.units[slot]) if self.explained else None
            makers[record] = Maker(stage, slot, bound.unit, bound.texture.label, why)

    def destroy(self, call: int) -> None:
        self.driver.call, self.driver.ending = call, True
        self.cso.destroy()


def explain_bound(bound: Bound, converter: Converter, unit: UnitFacts) -> Explanation:
    """Explain the record of what a slot samples; a fallback texture is noted with its reason."""
    return explain(
        bound.sampler,
        with_default_view(bound.texture.facts(), converter.dialect, glsl130=unit.glsl130),
        converter.screen,
        dialect=converter.dialect,
        unit=unit,
        notes=(f"the fallback texture is sampled: {bound.incomplete}",) if bound.incomplete else (),
    )
