"""How much of each uniform is live, and what GL itself says of that.

A location that glGetUniformLocation gives proves that a uniform is active, whatever was found out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from statetracker.trace.glsl_order import used_names
from statetracker.trace.glsl_uniforms import LARGEST_ARRAY
from statetracker.trace.glsl_values import WHOLE, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.trace.glsl import StageSamplers
    from statetracker.trace.glsl_values import Sources

__all__ = ["highest", "prove"]

_ELEMENT: Final = re.compile(r"(.+)\[(\d{1,9})\]")


def highest(live: Sources) -> dict[str, int]:
    """The highest element used of each uniform variable; `WHOLE` for an unknown index."""
    found: dict[str, int] = {}
    for source in live:
        if source.kind == "uniform":
            known = found.get(source.name, 0)
            found[source.name] = WHOLE if WHOLE in {source.element, known} else max(known, source.element)
    return found


def prove(name: str, stages: Sequence[StageSamplers], live: dict[str, Sources]) -> None:
    """Make a uniform live that has a location, where nothing was found to use it.

    name    as glGetUniformLocation takes it: ``"s"``, ``"s[2]"``, ``"q[1].t"``
    live    by stage; added to in the stages that use another element of it, else in those whose code names it, else in
            those that declare it
    """
    declared = {stage.stage: source for stage in stages if (source := _source(name, stage)) is not None}
    if any(_covers(live[stage], source) for stage, source in declared.items()):
        return
    used = [stage for stage, source in declared.items() if source.name in highest(live[stage])]
    named = [s.stage for s in stages if s.stage in declared and declared[s.stage].name in used_names(s.shaders)]
    for stage in used or named or declared:
        live[stage] |= {declared[stage]}


def _source(name: str, stage: StageSamplers) -> Source | None:
    """What a uniform's name means in a stage, None where it declares no such uniform."""
    match = _ELEMENT.fullmatch(name)
    base, index = (match[1], int(match[2])) if match else (name, 0)
    for leaf in stage.flow.uniforms if stage.flow else ():
        last = (LARGEST_ARRAY if leaf.size == WHOLE else leaf.size) - 1
        if not leaf.block and (leaf.name == name or (leaf.name == base and index <= last)):
            return Source("uniform", leaf.root, leaf.outer if leaf.nested else index)
    return None


def _covers(live: Sources, source: Source) -> bool:
    used = highest(live).get(source.name)
    return used is not None and (used == WHOLE or 0 <= source.element <= used)
