"""ARB assembly programs: which texture units and targets a program's text samples.

The slot *is* the unit. A result that is never used still counts.

Source: docs/traces.md (ARB_vertex_program, ARB_fragment_program, NV_fragment_program_option; recorded live).
"""

from __future__ import annotations

import re
from typing import Final

from statetracker.errors import ArgumentError
from statetracker.gl.enums import Target
from statetracker.unpacking import integer

_TARGETS: Final = {
    "1D": Target.TEXTURE_1D,
    "2D": Target.TEXTURE_2D,
    "3D": Target.TEXTURE_3D,
    "CUBE": Target.TEXTURE_CUBE_MAP,
    "RECT": Target.TEXTURE_RECTANGLE,
    "ARRAY1D": Target.TEXTURE_1D_ARRAY,
    "ARRAY2D": Target.TEXTURE_2D_ARRAY,
}

#: The largest number of a unit that is read; a context has fewer.
_MOST_UNITS: Final = 0xFF
#: What is no statement: comments, and the first line with the language's name.
_COMMENT: Final = re.compile(r"#[^\n]*|!![^\s]*")
#: A texture instruction with a suffix such as _SAT, up to its last two operands.
_INSTRUCTION: Final = re.compile(
    r"\s*(?:TEX|TXP|TXB|TXL|TXD)[A-Z0-9]*(?:_\w+)?\s.*,\s*texture\s*(?:\[\s*(\d+)\s*\])?\s*,\s*((?:SHADOW)?(\w+))\s*\Z",
    re.DOTALL,
)


def samplers_of(text: str) -> dict[int, Target]:
    """Find the units that the texture instructions name, with their targets, in ascending order.

    text    as given to glProgramStringARB; what is no instruction is stepped over
    return  empty for a program that samples nothing

    Raises `ArgumentError` for two targets on one unit, with SHADOW and without being two: GL refuses such a program.
    """
    targets: dict[int, Target] = {}
    words: dict[int, str] = {}
    for statement in _COMMENT.sub("", text).split(";"):
        match = _INSTRUCTION.match(statement)
        if match and match[3] in _TARGETS:
            unit = integer(match[1] or "0", field="texture image unit", most=_MOST_UNITS)
            if words.setdefault(unit, match[2]) != match[2]:
                both = f"{words[unit]} and {match[2]}"
                raise ArgumentError(
                    "assembly program", f"texture[{unit}]", hint=f"It is sampled as {both}; GL takes one."
                )
            targets[unit] = _TARGETS[match[3]]
    return dict(sorted(targets.items()))
