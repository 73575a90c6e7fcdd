"""The slots of a stage in the next draw of a GL context, remembered by what decides them.

Which units a stage reads, and where GL's fallback stands in, costs more to find out than to bind. So the answer is kept
with the context: it stands while no token is taken (`gl.changes`), and is then looked for by the tokens of what decides
it, then by the contents. Equal answers are the same tuple, which `StateTracker.bind` knows by its identity.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from statetracker.frontend.bounded_memo import BoundedMemo
from statetracker.gl.facts import changes
from statetracker.gl.targets import FIXED_PRIORITY
from statetracker.sampler import SlotInput, external_slots

if TYPE_CHECKING:
    from statetracker.frontend.states import Bindable
    from statetracker.gl import Context, Program, Sampler, Texture
    from statetracker.gl.units import Unit

    Slots = tuple[Bindable | None, ...]

_SWITCHES: Final = attrgetter("switches")
_MOST_ANSWERS: Final = 1024
_MOST_PROGRAMS: Final = 256
_NEVER: Final = -1


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
    known = memo.newer.get(name) or memo.promote(name)
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
