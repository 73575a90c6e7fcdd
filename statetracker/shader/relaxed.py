"""RelaxedPrecision, handed on to what is written for a relaxed coordinate or result. Source: SPIR-V, 2.14."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.shader.sample_ops import SAMPLES
from statetracker.spirv.names import Decoration, Op

if TYPE_CHECKING:
    from statetracker.spirv import Editor, Instruction

__all__ = ["relax"]

#: What may be done with less precision. Conversions of sizes and levels are not among them.
_ARITHMETIC: Final = frozenset(
    {
        *(Op.ExtInst, Op.CompositeConstruct, Op.CompositeExtract, Op.Select, Op.DPdx, Op.DPdy),
        *(Op.FAdd, Op.FSub, Op.FMul, Op.FDiv, Op.VectorTimesScalar),
    }
)
#: Types of residency codes, and of what is asked of them.
_CODES: Final = frozenset({Op.TypeInt, Op.TypeBool})


def relax(editor: Editor, made: list[Instruction], result: int, *, coordinate: bool, texel: bool) -> None:
    """Decorate new instructions, all but the one that has the original's ``result`` and keeps its decorations.

    coordinate   the coordinate is relaxed: so is the float arithmetic that leads to the samples
    texel        the result is relaxed: so are the samples it is put together from, and what is done with them
    """
    if not (coordinate or texel):
        return
    texels: set[int] = set()
    for one in made:
        from_texel = one.opcode in SAMPLES or not texels.isdisjoint(_operands(one))
        if from_texel:
            texels.add(one.result)
        if from_texel and editor.definitions[one.words[0]].opcode in _CODES:
            continue
        wanted = texel if from_texel else coordinate and one.opcode in _ARITHMETIC and editor.is_float32(one.words[0])
        if wanted and one.result != result:
            editor.decorate(one.result, Decoration.RelaxedPrecision)


def _operands(one: Instruction) -> list[int]:
    """Ids that it works on; not the literals of the two instructions that have some."""
    return (
        one.words[4:]
        if one.opcode == Op.ExtInst
        else one.words[2:3]
        if one.opcode == Op.CompositeExtract
        else one.words[2:]
    )
