"""The instructions that sample, one row each, and their image operands. Source: SPIR-V, unified 1, 3.49.10 and 3.14."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "BIAS",
    "CONST_OFFSET",
    "CONST_OFFSETS",
    "FORMS",
    "GRAD",
    "LEFT",
    "LOD",
    "MIN_LOD",
    "OFFSET",
    "OFFSETS",
    "Form",
]


class Form(NamedTuple):
    """How an instruction samples.

    explicit   the opcode of the same form with explicit LOD, without projection
    implicit   it takes its LOD from derivatives
    third      ``dref``, ``component`` or nothing: the operand after the coordinate
    """

    explicit: int
    implicit: bool
    third: str
    project: bool
    gather: bool
    sparse: bool


# fmt: off
FORMS: Final[dict[int, Form]] = {
    #         explicit  implicit third        project gather sparse
    87:  Form(88,       True,    "",          False,  False, False),
    88:  Form(88,       False,   "",          False,  False, False),
    89:  Form(90,       True,    "dref",      False,  False, False),
    90:  Form(90,       False,   "dref",      False,  False, False),
    91:  Form(88,       True,    "",          True,   False, False),
    92:  Form(88,       False,   "",          True,   False, False),
    93:  Form(90,       True,    "dref",      True,   False, False),
    94:  Form(90,       False,   "dref",      True,   False, False),
    96:  Form(96,       False,   "component", False,  True,  False),
    97:  Form(97,       False,   "dref",      False,  True,  False),
    305: Form(306,      True,    "",          False,  False, True),
    306: Form(306,      False,   "",          False,  False, True),
    307: Form(308,      True,    "dref",      False,  False, True),
    308: Form(308,      False,   "dref",      False,  False, True),
    314: Form(314,      False,   "component", False,  True,  True),
    315: Form(315,      False,   "dref",      False,  True,  True),
}
#: Instructions with a sampler that are never touched.
LEFT: Final = {
    100: "takes the image alone: fetches and size queries have no wrap",
    105: "asks for the level of a coordinate: clamping it would change the answer",
}
# fmt: on

BIAS, LOD, GRAD, CONST_OFFSET, OFFSET, CONST_OFFSETS, MIN_LOD, OFFSETS = 1, 2, 4, 8, 16, 32, 128, 0x10000
#: Bit -> how many operands follow it.
_COUNTS: Final = {1: 1, 2: 1, 4: 2, 8: 1, 16: 1, 32: 1, 64: 1, 128: 1, 256: 1, 512: 1, 0x10000: 1}


def split(words: list[int]) -> dict[int, list[int]]:
    """Image operands by bit, from the mask on."""
    found: dict[int, list[int]] = {}
    bits, at = (words[0] if words else 0), 1
    while bits:
        bit = bits & -bits
        bits ^= bit
        count = _COUNTS.get(bit, 0)
        found[bit] = words[at : at + count]
        at += count
    return found


def joined(operands: dict[int, list[int]]) -> list[int]:
    """Image operands as words; none for an empty set."""
    if not operands:
        return []
    return [sum(operands), *(word for bit in sorted(operands) for word in operands[bit])]
