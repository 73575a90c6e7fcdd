"""From a GL context to the records of a shader stage, as a draw would make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.gl.facts import UnitFacts
from statetracker.pipe.layout import RECORD_BYTES
from statetracker.pipe.lowering import WrapMasks, wrap_masks
from statetracker.sampler import SlotInput, lowering, stage_records
from statetracker.sampler.conversion import has_state
from statetracker.sampler.situation import with_default_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.gl import Bound, Context, Program, Slot
    from statetracker.pipe import ClampMasks
    from statetracker.sampler import Converter


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
