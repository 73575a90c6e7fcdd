"""Names and decorations: what ids are decorated with, singly or in groups, and what stays when ids go.

Source: SPIR-V, unified 1, 3.49.2 and 3.49.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.spirv.instruction import Instruction

Decorations = dict[int, dict[int, tuple[int, ...]]]
MemberDecorations = dict[tuple[int, int], dict[int, tuple[int, ...]]]

#: Annotations of the one id that comes first.
_OF_ONE: Final = frozenset({Op.Name, Op.Decorate, Op.DecorateId, Op.DecorateString})


def decorations_of(instructions: Iterable[Instruction]) -> Decorations:
    """Id -> decoration -> its literal operands; an id has its groups' decorations where it has none of that kind."""
    decorations: Decorations = {}
    for one in instructions:
        if one.opcode == Op.Decorate:
            decorations.setdefault(one.words[0], {})[one.words[1]] = tuple(one.words[2:])
        elif one.opcode == Op.GroupDecorate:
            for target in one.words[1:]:
                decorations[target] = decorations.get(one.words[0], {}) | decorations.get(target, {})
    return decorations


def member_decorations_of(instructions: Iterable[Instruction]) -> MemberDecorations:
    """(structure id, member) -> decoration -> its literal operands, groups' decorations likewise."""
    instructions = list(instructions)
    groups = decorations_of(instructions)
    decorations: MemberDecorations = {}
    for one in instructions:
        if one.opcode == Op.MemberDecorate:
            decorations.setdefault((one.words[0], one.words[1]), {})[one.words[2]] = tuple(one.words[3:])
        elif one.opcode == Op.GroupMemberDecorate:
            for target in zip(one.words[1::2], one.words[2::2], strict=False):
                decorations[target] = groups.get(one.words[0], {}) | decorations.get(target, {})
    return decorations


def without(instructions: Iterable[Instruction], gone: set[int]) -> list[Instruction]:
    """The instructions without the names and decorations of ids that are gone; groups lose them as targets."""
    kept = []
    for one in instructions:
        if one.opcode in _OF_ONE and one.words[0] in gone:
            continue
        if one.opcode == Op.GroupDecorate and not gone.isdisjoint(one.words[1:]):
            targets = [target for target in one.words[1:] if target not in gone]
            if targets:
                kept.append(one.copy([one.words[0], *targets]))
            continue
        kept.append(one)
    return kept
