"""Cases of a switch that go on in another: the blocks of the other are copied, for readers that have no such thing.

Source: SPIR-V, unified 1, 2.11 (structured control flow).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.spirv import Editor, Instruction, Module, ids_in, literal_words_in, renamed
from statetracker.spirv.names import Decoration, Op

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Merge instructions -> how many labels they begin with.
_MERGES = {Op.SelectionMerge: 1, Op.LoopMerge: 2}


class _Switch(NamedTuple):
    """A switch, and the blocks of its cases.

    Attributes:
        switch: The instruction.
        regions: Label of a case -> labels of its blocks, in order, without those of other cases.
        falls: (label of a block, case that it goes on in).
    """

    switch: Instruction
    regions: dict[int, list[int]]
    falls: list[tuple[int, int]]


def _targets(module: Module, one: Instruction) -> list[int]:
    """Return the labels that the last instruction of a block leads to; of a switch the default first."""
    if one.opcode != Op.Switch:
        return {Op.Branch: one.words[:1], Op.BranchConditional: one.words[1:3]}.get(one.opcode, [])
    step = 1 + literal_words_in(module.definitions, one, one.words[0])
    return list(dict.fromkeys([one.words[1], *one.words[1 + step :: step]]))


def switches(module: Module) -> Iterator[_Switch]:
    """Yield the switches of a module, outer ones first."""
    if not any(one.opcode == Op.Switch for one in module.instructions):
        return
    for function in module.functions:
        blocks = {block.label: block.instructions for block in function.blocks}
        order = {label: at for at, label in enumerate(blocks)}
        stops: set[int] = set()
        for body in blocks.values():
            merge = body[-2] if len(body) > 1 else body[-1]
            stops.update(merge.words[: _MERGES.get(merge.opcode, 0)])
            if body[-1].opcode == Op.Switch:
                yield _of(module, body[-1], blocks, order, set(stops))


def _of(
    module: Module, one: Instruction, blocks: dict[int, list[Instruction]], order: dict[int, int], stops: set[int]
) -> _Switch:
    cases = set(_targets(module, one)) - stops
    regions, falls = {}, []
    for case in sorted(cases, key=order.__getitem__):
        region, waiting = {case}, [case]
        while waiting:
            label = waiting.pop()
            for to in _targets(module, blocks[label][-1]):
                if to in cases and to != case:
                    falls.append((label, to))
                elif to not in region and to not in stops:
                    region.add(to)
                    waiting.append(to)
        regions[case] = sorted(region, key=order.__getitem__)
    return _Switch(one, regions, falls)


def separated(module: Module) -> Module:
    """Copy the blocks of each case that another goes on in; as they stand where values of them are used behind."""
    spent = 0
    for _ in range(len(module.instructions)):  # each round takes one fall away
        for one in switches(module):
            fall = next((fall for fall in reversed(one.falls) if not _falls_on(one, fall[1])), None)
            copy = fall and _Copy(module, one.regions[fall[1]], *fall, spent)
            if copy and (made := copy.run()) is not None:
                module, spent = made, copy.spent
                break
        else:
            break
    return module


def _falls_on(one: _Switch, case: int) -> bool:
    return any(label in one.regions[case] for label, _ in one.falls)


class _Copy:
    """One case's blocks, once more for one block that goes on in them."""

    def __init__(self, module: Module, region: list[int], before: int, case: int, spent: int) -> None:
        self.module, self.before, self.case, self.editor = module, before, case, Editor(module)
        self.blocks = {one.label: one.instructions for function in module.functions for one in function.blocks}
        self.region = region
        text = [one for label in region for one in self.blocks[label]]
        self.spent = spent + sum(len(one.words) + 1 for one in text)  # with the copies before it
        self.editor.spend(self.spent, text[0].offset)
        self.names = {one.result: self.editor.new_id() for one in text if one.result}
        self.inside = {id(one) for one in text}

    def run(self) -> Module | None:
        """Return the new module; None where what the blocks define is used elsewhere, but for OpPhi."""
        labels = set(self.region)
        body, label = [], 0
        for one in self.module.instructions:
            label = one.words[0] if one.opcode == Op.Label else label
            made = one
            if id(one) not in self.inside:
                if one.opcode == Op.Phi:
                    made = self.joined(one, labels)
                elif one.opcode not in {Op.Name, Op.Decorate, Op.Function} and self.used(one):
                    return None
            elif one.opcode == Op.Phi and label == self.case:
                made = one.copy([*one.words[:2], *self.parents(one, from_before=False)])
            if label == self.before and one is self.blocks[label][-1]:
                made = one.copy([self.names[self.case] if word == self.case else word for word in one.words])
                body += [made, *self.copies()]
            else:
                body.append(made)
        for old, new in self.names.items():
            if Decoration.RelaxedPrecision in self.module.decorations.get(old, {}):
                self.editor.decorate(new, Decoration.RelaxedPrecision)
        return self.editor.finish(body, check=False)

    def used(self, one: Instruction) -> bool:
        """Return whether an instruction reads what the blocks define; going to the case's first block is no reading."""
        reads = {one.words[at] for at in ids_in(self.module.definitions, one)} & self.names.keys()
        return not reads <= {self.case, *(set(self.region) if one.opcode in {Op.Switch, Op.SelectionMerge} else ())}

    def parents(self, one: Instruction, *, from_before: bool) -> list[int]:
        """Return the pairs of an OpPhi that come from the block before, or the others."""
        pairs = zip(one.words[2::2], one.words[3::2], strict=False)
        return [word for value, parent in pairs if (parent == self.before) == from_before for word in (value, parent)]

    def joined(self, one: Instruction, labels: set[int]) -> Instruction:
        """Return an OpPhi behind the blocks: from the copies too."""
        pairs = list(zip(one.words[2::2], one.words[3::2], strict=False))
        more = [(self.names.get(value, value), self.names[parent]) for value, parent in pairs if parent in labels]
        return one.copy([*one.words, *(word for pair in more for word in pair)])

    def copies(self) -> list[Instruction]:
        made = []
        for label in self.region:
            for one in self.blocks[label]:
                entry = one.opcode == Op.Phi and label == self.case
                copy = one.copy([*one.words[:2], *self.parents(one, from_before=True)]) if entry else one
                made.append(renamed(self.module.definitions, copy, self.names))
        return made
