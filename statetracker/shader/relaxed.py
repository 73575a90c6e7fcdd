"""RelaxedPrecision, handed on to what is written for a relaxed coordinate or result. Source: SPIR-V, 2.14."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.shader.forms import FORMS

if TYPE_CHECKING:
    from statetracker.spirv import Editor, Instruction

__all__ = ["RELAXED_PRECISION", "relax"]

RELAXED_PRECISION: Final = 0
_EXTENDED, _EXTRACT = 12, 81
_FLOAT, _VECTOR = 22, 23
#: OpExtInst, OpCompositeConstruct, OpCompositeExtract, OpFAdd, OpFSub, OpFMul, OpFDiv, OpVectorTimesScalar, OpSelect,
#: OpDPdx, OpDPdy: what may be done with less precision. Conversions of sizes and levels are not among them.
_ARITHMETIC: Final = frozenset({12, 80, 81, 129, 131, 133, 136, 142, 169, 207, 208})


def relax(editor: Editor, made: list[Instruction], result: int, *, coordinate: bool, texel: bool) -> None:
    """Decorate new instructions, all but the one that has the original's ``result`` and keeps its decorations.

    coordinate   the coordinate is relaxed: so is the float arithmetic that leads to the samples
    texel        the result is relaxed: so are the samples it is put together from, and what is done with them
    """
    texels: set[int] = set()
    for one in made:
        from_texel = one.opcode in FORMS or not texels.isdisjoint(_operands(one))
        if from_texel:
            texels.add(one.result)
        wanted = texel if from_texel else coordinate and one.opcode in _ARITHMETIC and _is_float(editor, one.words[0])
        if wanted and one.result != result:
            editor.decorate(one.result, RELAXED_PRECISION)


def _operands(one: Instruction) -> list[int]:
    """Ids that it works on; not the literals of the two instructions that have some."""
    return one.words[4:] if one.opcode == _EXTENDED else one.words[2:3] if one.opcode == _EXTRACT else one.words[2:]


def _is_float(editor: Editor, kind: int) -> bool:
    one = editor.definitions[kind]
    one = editor.definitions[one.words[1]] if one.opcode == _VECTOR else one
    return one.opcode == _FLOAT and one.words[1] == 32
