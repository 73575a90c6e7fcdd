"""From a draw of a stream to what the driver is told: converted samplers, through the cache.

Source: docs/streams.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.cso import CsoContext
from statetracker.frontend.stage import convert_slots
from statetracker.pipe import SamplerState
from statetracker.sampler import explain, key_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from statetracker.frontend.stage import StageResult
    from statetracker.frontend.stream_assembly import Assembly, AtiShaders
    from statetracker.frontend.stream_programs import Programs
    from statetracker.gl import Context, Program, Slot
    from statetracker.sampler import Converter, Explanation

__all__ = ["INTERNAL", "Binds", "Creates", "Deletes", "Drawer", "Maker", "StreamEvent"]

#: Mesa's own sampler for glBitmap, glDrawPixels and glCopyPixels: edges, nearest, no mipmaps, all else 0.
INTERNAL: Final = bytes(
    SamplerState(wrap_s="clamp-to-edge", wrap_t="clamp-to-edge", wrap_r="clamp-to-edge", min_mip_filter="none")
)
#: PIPE_MAX_SAMPLERS.
_SLOTS: Final = 32


class Maker(NamedTuple):
    """What a state was first made for: stage, slot, unit, texture (None: the default one), and why it is as it is.

    ``own``: no slot of the program's, but Mesa's own for a pixel rectangle; unit and texture mean nothing then.
    """

    stage: str
    slot: int
    unit: int
    texture: int | None
    why: Explanation | None
    own: bool = False


class Creates(NamedTuple):
    """A state was created: its number, counted from 0 over the whole stream, and its 36 bytes."""

    call: int
    id: int
    state: bytes
    made_for: Maker | None


class Binds(NamedTuple):
    """States were bound to a stage's slots from ``start`` on; None is an unbound slot."""

    call: int
    stage: str
    start: int
    ids: tuple[int | None, ...]


class Deletes(NamedTuple):
    """A state was deleted."""

    call: int
    id: int


StreamEvent = Creates | Binds | Deletes


class _Driver:
    """Writes down what the cache tells a driver."""

    def __init__(self, tell: Callable[[StreamEvent], None], numbers: Iterator[int]) -> None:
        self.tell = tell
        self.numbers = numbers
        self.call = 0
        self.makers: dict[bytes, Maker] = {}
        self.ending = False

    def create_sampler_state(self, record: bytes) -> int:
        number = next(self.numbers)
        self.tell(Creates(self.call, number, record, self.makers.get(record)))
        return number

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        if not self.ending:  # a context that goes takes its bindings with it: Mesa tells nothing
            self.tell(Binds(self.call, stage, start, tuple(handles)))

    def delete_sampler_state(self, handle: int) -> None:
        self.tell(Deletes(self.call, handle))


class Drawer:
    """A context's draws.

    explained   explain each state where it is first made
    """

    def __init__(
        self,
        context: Context,
        converter: Converter,
        tell: Callable[[StreamEvent], None],
        numbers: Iterator[int],
        *,
        explained: bool,
    ) -> None:
        self.context = context
        self.converter = converter
        self.explained = explained
        self.driver = _Driver(tell, numbers)
        key = key_rule(converter.screen, converter.dialect)
        self.cso: CsoContext[int] = CsoContext(self.driver, policy="mesa", key=key)
        self.touched = True
        self.draws = 0
        self._known: set[bytes] = set()

    def draw(self, call: int, stages: Sequence[tuple[str, Sequence[Slot], bool]]) -> None:
        """Convert and bind what stages use: name, slots, whether the stage counts as GLSL 1.30."""
        self.draws += 1
        if not self.touched:
            return
        self.touched = False
        self.driver.call = call
        for stage, slots, glsl130 in stages:
            result = convert_slots(self.context, self.converter, slots, glsl130=glsl130)
            self._introduce(stage, result)
            self.cso.set_samplers(stage, result.records)

    def own(self, call: int, stages: Sequence[tuple[str, Sequence[Slot], bool]], count: int = 1) -> None:
        """Bind Mesa's own samplers after the fragment stage's, then put back what was there."""
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
        """Note what new records are made for."""
        self.driver.makers.clear()
        for slot, record in enumerate(result.records):
            if record is None or record in self._known or record in self.driver.makers or slot not in result.bound:
                continue
            if len(self._known) > 1 << 16:
                self._known.clear()
            self._known.add(record)
            now = result.bound[slot]
            why = None
            if self.explained:
                why = explain(
                    now.sampler,
                    now.texture,
                    self.converter.screen,
                    dialect=self.converter.dialect,
                    unit=result.units[slot],
                    notes=(f"the fallback texture is sampled: {now.incomplete}",) if now.incomplete else (),
                )
            self.driver.makers[record] = Maker(stage, slot, now.unit, now.texture.label, why)

    def end(self, call: int) -> None:
        """Destroy the context's states."""
        self.driver.call, self.driver.ending = call, True
        self.cso.destroy()


def stages_in_use(
    context: Context, programs: Programs, assembly: Assembly, ati: AtiShaders, *, colourless: bool = False
) -> list[tuple[str, Sequence[Slot], bool]] | None:
    """What the next draw's stages use, in pipeline order, without stages that use no sampler; None: it is an error.

    colourless   nobody looks at the fragments that fixed function makes
    """
    if programs.computes_only:
        return None
    found: list[tuple[str, Sequence[Slot], bool]] = []
    glsl = programs.glsl_stages()
    conflict: dict[int, int] = {}
    for stage, program in glsl:
        slots = program.slots(stage)
        if any(conflict.setdefault(unit, target) != target for unit, target in program.units_in_use(stage)):
            return None
        if slots:
            found.append((stage, slots, program.glsl130))
    if not (context.limits.compatibility or context.limits.profile == "gles1"):
        return found if programs.any_program else None
    run = {stage for stage, _ in glsl}
    vertex, fragment = _other(context, assembly, ati, run, colourless=colourless)
    if vertex is None or fragment is None:
        return None
    if vertex:
        found.insert(0, ("vertex", vertex, False))
    if fragment:
        found.append(("fragment", fragment, False))
    return found


def _other(
    context: Context, assembly: Assembly, ati: AtiShaders, run: set[str], *, colourless: bool
) -> tuple[Sequence[Slot] | None, Sequence[Slot] | None]:
    """Slots of the vertex and the fragment stage where no GLSL program runs them; None: an error."""
    from statetracker.gl import Slot

    found: list[Sequence[Slot] | None] = []
    for stage in ("vertex", "fragment"):
        text = assembly.program(stage)
        if stage in run:
            found.append(())
        elif text is not None:
            units = text.units
            found.append(None if units is None else [Slot(unit, unit, target) for unit, target in units.items()])
        elif stage == "vertex":
            found.append(())
        else:
            slots = ati.slots()
            fixed = context.fixed_function_slots() if slots is None and not colourless else ()
            found.append(fixed if slots is None else slots)
    return found[0], found[1]


def program_slots(program: Program, stage: str) -> list[tuple[str, Sequence[Slot], bool]]:
    """A program's stage on its own, as a dispatch uses it."""
    slots = program.slots(stage)
    return [(stage, slots, program.glsl130)] if slots else []
