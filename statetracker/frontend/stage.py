"""From a GL context to the records of a shader stage, as a draw would make them; and to its slots, for a tracker.

Which units a stage reads, and where GL's fallback stands in, costs more to find out than to bind. So `stage_slots`
keeps the answer with the context: it stands while no token is taken (`gl.changes`), and is then looked for by the
tokens of what decides it, then by the contents. Equal answers are the same tuple, which `StateTracker.bind` knows by
its identity.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.frontend.bounded_memo import BoundedMemo
from statetracker.gl.facts import UnitFacts, changes
from statetracker.gl.targets import FIXED_PRIORITY
from statetracker.pipe.layout import RECORD_BYTES
from statetracker.pipe.lowering import WrapMasks, wrap_masks
from statetracker.sampler import SlotInput, external_slots, lowering, stage_records
from statetracker.sampler.conversion import has_state
from statetracker.sampler.situation import with_default_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.frontend.states import Bindable
    from statetracker.gl import Bound, Context, Program, Sampler, Slot, Texture
    from statetracker.gl.units import Unit
    from statetracker.pipe import ClampMasks
    from statetracker.sampler import Converter

    Slots = tuple[Bindable | None, ...]

_SWITCHES: Final = attrgetter("switches")
_MOST_ANSWERS: Final = 1024
_MOST_PROGRAMS: Final = 2048  # each counts once for each of its stages
_NEVER: Final = -1


class StageResult(NamedTuple):
    """The bindings of one stage of a draw.

    Attributes:
        records: One entry a slot up to the last used one, None for NULL; empty: nothing is emitted.
        bound: Slot -> what it samples.
        masks: The slots whose coordinates the shader saturates, GL_CLAMP and GL_MIRROR_CLAMP_EXT apart.
        units: Slot -> the facts of its unit.
    """

    records: list[bytes | None]
    bound: dict[int, Bound]
    masks: WrapMasks
    units: dict[int, UnitFacts]

    @property
    def clamps(self) -> ClampMasks:
        """The masks of both wraps as one."""
        return self.masks.merged


def convert_stage(context: Context, chosen: Converter, stage: str, program: Program | None = None) -> StageResult:
    """Convert a stage's samplers as the next draw would.

    Args:
        context: The GL context that draws.
        chosen: The rules, for a screen.
        stage: A name of `cso.STAGES`, or another spelling of one.
        program: The program to use; None: the context's current one, or fixed function without one.
    """
    used = program if program is not None else context.program
    glsl130 = used.glsl130 if used is not None else False
    return convert_slots(context, chosen, context.slots(stage, program), glsl130=glsl130)


def convert_slots(context: Context, chosen: Converter, slots: Sequence[Slot], *, glsl130: bool) -> StageResult:
    """Convert the samplers of slots that are known.

    Args:
        context: What is bound to their units.
        chosen: The rules, for a screen.
        slots: Those that the program uses.
        glsl130: The stage is GLSL 1.30 or later.
    """
    inputs: list[SlotInput] = []
    bound: dict[int, Bound] = {}
    units: dict[int, UnitFacts] = {}
    for slot in slots:
        now = bound[slot.index] = context.current(slot.unit, slot.target, shadow=slot.shadow)
        unit = units[slot.index] = UnitFacts.of(now.unit_lod_bias, seamless=context.seamless, glsl130=glsl130)
        facts = with_default_view(now.texture.facts(), chosen.dialect, glsl130=glsl130)
        inputs.append(SlotInput(slot.index, now.sampler, facts, unit, slot.bindless))
    records = stage_records(chosen, inputs)
    needs = [(i.slot, lowering(i.sampler, i.facts, chosen.screen)) for i in inputs]
    return StageResult(records, bound, wrap_masks(needs), units)


def convert_handle(context: Context, chosen: Converter, handle: int) -> bytes:
    """Convert a bindless handle; raises `ArgumentError` for one that the context did not make.

    The unit's bias and the context's seamless switch do not count, sRGB decoding does. A buffer texture gives zeros.

    Args:
        context: The GL context that made it.
        chosen: The rules, for a screen: `statetracker.sampler.converter` gives them.
        handle: The bindless handle.
    """
    pair = context.handles.get(handle)
    if pair is None:
        raise ArgumentError("handle", handle, accepted="a handle that glGetTextureHandleARB returned")
    texture, sampler = pair
    texture.examine()
    facts, unit = texture.facts(), UnitFacts(bindless=True)
    if not has_state(facts, unit):
        return bytes(RECORD_BYTES)
    return chosen.record(sampler or texture.sampler, facts, unit)


def stage_slots(context: Context, stage: str, program: Program | None, *, release: str) -> Slots:
    """Return what each slot samples, for `StateTracker.bind`; None: a slot that nothing reads.

    Args:
        context: The GL context that draws.
        stage: A name of `cso.STAGES`.
        program: The program in use; None: fixed function.
        release: Whose multi-plane formats take extra slots: 22.3, 24.1, 25.0.
    """
    name = stage, release, program
    memo: BoundedMemo[object, _Known] | None = context.derived.get("stage_slots")
    if memo is None:
        memo = context.derived["stage_slots"] = BoundedMemo(_MOST_PROGRAMS)
    known = memo.get(name)
    if known is None:
        known = _Known(stage, program, release=release)
        memo.put(name, known)
    return known.answer if known.newest == changes.last else known.look(context)


class _Known:
    """The answers for one context, stage and program.

    Args:
        stage: A name of `cso.STAGES`.
        program: The program in use.
        release: As for `stage_slots`.

    Attributes:
        newest: The newest token when the answer was last known to be right.
        answer: The last one.
    """

    def __init__(self, stage: str, program: Program | None, *, release: str) -> None:
        self.newest = _NEVER
        self.answer: Slots = ()
        self._stage, self._program, self._release = stage, program, release
        self._decided: object = None
        self._places: list[tuple[Unit, int]] = []
        self._alone = True  # no unit has a second target that counts only where the first has nothing complete
        self._by_tokens: BoundedMemo[tuple[object, ...], Slots] = BoundedMemo(_MOST_ANSWERS)
        self._answers: BoundedMemo[tuple[object, ...], Slots] = BoundedMemo(_MOST_ANSWERS)

    def look(self, context: Context) -> Slots:
        """Find the answer, or work it out."""
        newest = changes.last
        reads = self._reads(context)
        tokens: list[object] = [self._decided]
        for unit, texture, sampler in reads:
            tokens += (texture.token, texture.sampler.token, sampler and sampler.token, unit.lod_bias)
        key = tuple(tokens)
        answer = self._by_tokens.get(key)
        if answer is None:
            # GL does not look at a texture that it passes over, and a look has consequences: it notices integers
            answer = self._by_content(context, reads) if self._alone else self._worked_out(context)
            self._by_tokens.put(key, answer)
        self.newest, self.answer = newest, answer
        return answer

    def _reads(self, context: Context) -> list[tuple[Unit, Texture, Sampler | None]]:
        """Return what decides: each unit and target that is looked at, with what is bound there."""
        units, used = context.units, self._program
        decided: object = used.token if used is not None else tuple(map(_SWITCHES, units.values()))
        if decided != self._decided:
            if used is not None:
                places = [(context.unit(slot.unit), slot.target) for slot in used.slots(self._stage)]
            else:
                enabled = [unit for _, unit in sorted(units.items())]
                places = [
                    (unit, int(target)) for unit in enabled for target in FIXED_PRIORITY if target in unit.enabled
                ]
            self._places = places
            self._alone = used is not None or len({unit for unit, _ in places}) == len(places)
            self._decided = decided
        reads: list[tuple[Unit, Texture, Sampler | None]] = []
        for unit, target in self._places:
            texture = unit.textures.get(target)
            reads.append((unit, context.default_texture(target) if texture is None else texture, unit.sampler))
        return reads

    def _by_content(self, context: Context, reads: list[tuple[Unit, Texture, Sampler | None]]) -> Slots:
        contents: list[object] = [self._decided]
        for unit, texture, sampler in reads:
            own, floats = texture.sampler, (texture.is_float, texture.is_half_float)
            contents += (texture, texture.examine(), texture.facts(), floats, own, own.content())
            contents += (sampler, sampler and sampler.content(), unit.lod_bias)
        key = tuple(contents)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._worked_out(context)
            self._answers.put(key, answer)
        return answer

    def _worked_out(self, context: Context) -> Slots:
        slots: dict[int, Any] = {}
        inputs: list[SlotInput] = []
        for slot in context.slots(self._stage, self._program):
            now = context.current(slot.unit, slot.target, shadow=slot.shadow)
            bias = (now.unit_lod_bias,) if now.unit_lod_bias else ()
            slots[slot.index] = (now.sampler, now.texture, *bias)
            inputs.append(SlotInput(slot.index, now.sampler, now.texture.facts()))
        for primary, extras in external_slots(inputs, release=self._release).items():
            slots |= dict.fromkeys(extras, slots[primary])
        return tuple(map(slots.get, range(max(slots, default=-1) + 1)))
