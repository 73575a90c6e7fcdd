"""The slots that the shader stages of a draw sample: of GLSL, assembly, an ATI shader, fixed function.

Source: docs/streams.md (GL 4.6 compatibility, 7.3 and 7.4; recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.gl import Context, Slot
    from statetracker.replay.assembly import Assembly, AtiShaders
    from statetracker.replay.programs import Programs

#: Stage, its slots, whether it counts as GLSL 1.30; in pipeline order, without stages that use no sampler.
Stages: TypeAlias = "list[tuple[str, Sequence[Slot], bool]]"


def draw_stages(
    context: Context, programs: Programs, assembly: Assembly, ati: AtiShaders, *, colourless: bool = False
) -> Stages | None:
    """The stages of the next draw with their slots; None: it is an error.

    colourless   colours are drawn nowhere, so fixed function samples nothing
    """
    if programs.computes_only:
        return None
    stages: Stages = []
    targets: dict[int, int] = {}
    running = programs.glsl_stages()
    for stage, program in running:
        if any(targets.setdefault(unit, target) != target for unit, target in program.units_in_use(stage)):
            return None
        stages.append((stage, program.slots(stage), program.glsl130))
    if context.limits.compatibility or context.limits.profile == "gles1":
        glsl = {stage for stage, _ in running}
        vertex = () if "vertex" in glsl else _vertex(assembly)
        fragment = () if "fragment" in glsl else _fragment(context, assembly, ati, colourless=colourless)
        if vertex is None or fragment is None:
            return None
        stages = [("vertex", vertex, False), *stages, ("fragment", fragment, False)]
    elif not programs.any_program:
        return None
    return [stage for stage in stages if stage[1]]


def _vertex(assembly: Assembly) -> Sequence[Slot] | None:
    """Slots of a vertex stage without GLSL; None: an error."""
    text = assembly.program("vertex")
    return () if text is None else text.slots()


def _fragment(context: Context, assembly: Assembly, ati: AtiShaders, *, colourless: bool) -> Sequence[Slot] | None:
    """Slots of a fragment stage without GLSL; None: an error."""
    text = assembly.program("fragment")
    if text is not None:
        return text.slots()
    slots = ati.slots()
    if slots is not None:
        return slots
    return () if colourless else context.fixed_function_slots()


def compute_stages(programs: Programs) -> Stages | None:
    """What a dispatch uses; None where no program computes."""
    program = programs.stage_program("compute")
    if program is None:
        return None
    slots = program.slots("compute")
    return [("compute", slots, program.glsl130)] if slots else []
