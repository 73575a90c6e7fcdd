"""What lies between blocks: the labels on the way, what is stored there, which values go on beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from statetracker.spirv import Block, Function, Instruction


def targets(one: Instruction) -> list[int]:
    """The labels that a terminator branches to."""
    if one.name == "OpBranch":
        return one.words[:1]
    if one.name == "OpBranchConditional":
        return one.words[1:3]
    return [one.words[1], *one.words[3::2]] if one.name == "OpSwitch" else []


def reached(blocks: Mapping[int, Block], starts: Iterable[int], *ends: int) -> set[int]:
    """Labels on the ways from some to others, which are not among them."""
    seen: set[int] = set()
    labels = list(starts)
    while labels:
        label = labels.pop()
        if label not in seen and label not in ends:
            seen.add(label)
            labels += targets(blocks[label].instructions[-1])
    return seen


def stored(
    blocks: Mapping[int, Block], functions: Mapping[int, Function], base: Callable[[int], int | None],
    header: int, merge: int,
) -> set[int]:  # fmt: skip
    """Variables that a loop may store to, functions called there included; ``base``: the variable of a pointer."""
    variables: set[int] = set()
    waiting, seen = reached(blocks, [header], merge), set[int]()
    while waiting:
        label = waiting.pop()
        seen.add(label)
        for one in blocks[label].instructions:
            variables |= {variable for word in _written(one) if (variable := base(word)) is not None}
            if one.name == "OpFunctionCall":
                waiting |= {block.label for block in functions[one.words[2]].blocks} - seen
    return variables


def _written(one: Instruction) -> list[int]:
    """Operands that an instruction may write through, if they are pointers."""
    if one.name in {"OpStore", "OpCopyMemory"}:
        return one.words[:1]
    if one.name == "OpFunctionCall":
        return one.words[3:]
    return one.words[4:] if one.name == "OpExtInst" else []


def carried(blocks: Mapping[int, Block], cases: Sequence[int], merge: int) -> list[int]:
    """Values made where one case of a switch falls into another, and read after it.

    Such a case is written once for each way into it, so that what it makes has to be brought together like a variable.
    """
    entered = {
        case for case in cases if case != merge
        for other in cases if other not in {case, merge} and case in reached(blocks, [other], merge)
    }  # fmt: skip
    return read_beyond(blocks, reached(blocks, entered, merge))


def read_beyond(blocks: Mapping[int, Block], inside: set[int]) -> list[int]:
    """Values made in some blocks and read in others."""
    made = {one.result for label in inside for one in blocks[label].instructions if one.shape.typed}
    read = {
        word for label, block in blocks.items() if label not in inside and made
        for one in block.instructions for word in one.operands
    }  # fmt: skip
    return sorted(made & read)
