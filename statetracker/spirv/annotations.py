"""Names and decorations: what ids are decorated with, singly or in groups, and what stays when ids go.

Source: SPIR-V, unified 1, 3.49.2 and 3.49.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.spirv.words import Instruction

__all__ = ["Decorations", "MemberDecorations", "decorations_of", "member_decorations_of", "without"]

Decorations = dict[int, dict[int, tuple[int, ...]]]
MemberDecorations = dict[tuple[int, int], dict[int, tuple[int, ...]]]

_DECORATE, _MEMBER_DECORATE, _GROUP_DECORATE, _GROUP_MEMBER_DECORATE = 71, 72, 74, 75
#: OpName, OpDecorate, OpDecorateId, OpDecorateString: annotations of the one id that comes first.
_OF_ONE: Final = frozenset({5, _DECORATE, 332, 5632})


def decorations_of(instructions: Iterable[Instruction]) -> Decorations:
    """Id -> decoration -> its literal operands; an id has its groups' decorations where it has none of that kind."""
    found: Decorations = {}
    for one in instructions:
        if one.opcode == _DECORATE:
            found.setdefault(one.words[0], {})[one.words[1]] = tuple(one.words[2:])
        elif one.opcode == _GROUP_DECORATE:
            for target in one.words[1:]:
                found[target] = found.get(one.words[0], {}) | found.get(target, {})
    return found


def member_decorations_of(instructions: Iterable[Instruction]) -> MemberDecorations:
    """(structure id, member) -> decoration -> its literal operands, groups' decorations likewise."""
    instructions = list(instructions)
    groups = decorations_of(instructions)
    found: MemberDecorations = {}
    for one in instructions:
        if one.opcode == _MEMBER_DECORATE:
            found.setdefault((one.words[0], one.words[1]), {})[one.words[2]] = tuple(one.words[3:])
        elif one.opcode == _GROUP_MEMBER_DECORATE:
            for target in zip(one.words[1::2], one.words[2::2], strict=False):
                found[target] = groups.get(one.words[0], {}) | found.get(target, {})
    return found


def without(instructions: Iterable[Instruction], gone: set[int]) -> list[Instruction]:
    """Instructions without the names and decorations of ids that are gone; groups lose them as targets."""
    kept = []
    for one in instructions:
        if one.opcode in _OF_ONE and one.words[0] in gone:
            continue
        if one.opcode == _GROUP_DECORATE and not gone.isdisjoint(one.words[1:]):
            targets = [target for target in one.words[1:] if target not in gone]
            if targets:
                kept.append(one.copy([one.words[0], *targets]))
            continue
        kept.append(one)
    return kept
