"""Which rows of the rule tables a run has exercised, and which it could not have on this screen.

A row is a rule of `statetracker.sampler.RULES`, or a value that the tables translate: a wrap, a filter, a comparison, a
reduction, a target, a kind of format.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from statetracker.conformance.generate import allocatable
from statetracker.gl import Texture
from statetracker.gl.enums import CompareFunc, MagFilter, MinFilter, ReductionMode, Wrap
from statetracker.gl.facts import UNIT, UnitFacts
from statetracker.gl.formats import KINDS
from statetracker.gl.names import gl_name
from statetracker.sampler import RULES
from statetracker.sampler import dialect as dialect_named
from statetracker.sampler.situation import Situation

if TYPE_CHECKING:
    from enum import IntEnum

    from statetracker.caps import Screen
    from statetracker.gl import Sampler

__all__ = ["NOT_THROUGH_GL", "ROWS", "reachable_rules", "rows_of"]

#: Rules that a texture makes possible but that GL calls never reach.
NOT_THROUGH_GL: Final = {"anisotropy-limit": "GL limits the value before the conversion sees it"}

_TARGETS: Final = ("1d", "2d", "3d", "cube-map", "rectangle", "1d-array", "2d-array", "cube-map-array")


def _names(family: type[IntEnum]) -> tuple[str, ...]:
    return tuple(gl_name(int(member), family) for member in family)


#: Table -> its rows.
ROWS: Final = {
    "wrap": _names(Wrap),
    "min filter": _names(MinFilter),
    "mag filter": _names(MagFilter),
    "compare func": _names(CompareFunc),
    "reduction": _names(ReductionMode),
    "format": KINDS,
}


def rows_of(sampler: Sampler, kind: str) -> list[tuple[str, str]]:
    """Name the rows that a sampler and a texture of a kind of format go through."""
    wraps = {gl_name(int(wrap), Wrap) for wrap in (sampler.wrap_s, sampler.wrap_t, sampler.wrap_r)}
    return [
        *(("wrap", wrap) for wrap in sorted(wraps)),
        ("min filter", gl_name(int(sampler.min_filter), MinFilter)),
        ("mag filter", gl_name(int(sampler.mag_filter), MagFilter)),
        ("compare func", gl_name(int(sampler.compare_func), CompareFunc)),
        ("reduction", gl_name(int(sampler.reduction_mode), ReductionMode)),
        ("format", kind),
    ]


def reachable_rules(screen: Screen, dialect: str) -> frozenset[str]:
    """Name the rules that some texture makes fire on a screen under a dialect; the others never can there."""
    names: set[str] = set()
    for target, row in product(_TARGETS, allocatable()):
        facts = Texture(target, row.name).facts()
        for unit in (UnitFacts(glsl130=False), UNIT, UnitFacts(bindless=True)):
            situation = Situation(screen, dialect_named(dialect), facts, unit)
            names |= {rule.name for rule in RULES if rule.name not in names and rule.build(situation) is not None}
    return frozenset(names)
