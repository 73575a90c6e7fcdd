"""The instructions that sample, one row each, their image operands, and the precision handed on to what replaces them.

Source: SPIR-V, unified 1, 2.14, 3.14 and 3.49.10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.spirv.grammar import enumerants
from statetracker.spirv.names import Decoration, ImageOperands, Op

if TYPE_CHECKING:
    from statetracker.spirv import Editor, Instruction

#: When a folded offset is exact.
EXACT_FOR: Final = "exact for an LOD bias of 0, within LOD limits"


class SampleOp(NamedTuple):
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


_Y: Final = True
_N: Final = False

# fmt: off
#: Instructions that sample.
SAMPLES: Final[dict[int, SampleOp]] = {
    # instruction                                  explicit        implicit, third, project, gather, sparse
    Op.ImageSampleImplicitLod:           SampleOp(Op.ImageSampleExplicitLod,           _Y, "",          _N, _N, _N),
    Op.ImageSampleExplicitLod:           SampleOp(Op.ImageSampleExplicitLod,           _N, "",          _N, _N, _N),
    Op.ImageSampleDrefImplicitLod:       SampleOp(Op.ImageSampleDrefExplicitLod,       _Y, "dref",      _N, _N, _N),
    Op.ImageSampleDrefExplicitLod:       SampleOp(Op.ImageSampleDrefExplicitLod,       _N, "dref",      _N, _N, _N),
    Op.ImageSampleProjImplicitLod:       SampleOp(Op.ImageSampleExplicitLod,           _Y, "",          _Y, _N, _N),
    Op.ImageSampleProjExplicitLod:       SampleOp(Op.ImageSampleExplicitLod,           _N, "",          _Y, _N, _N),
    Op.ImageSampleProjDrefImplicitLod:   SampleOp(Op.ImageSampleDrefExplicitLod,       _Y, "dref",      _Y, _N, _N),
    Op.ImageSampleProjDrefExplicitLod:   SampleOp(Op.ImageSampleDrefExplicitLod,       _N, "dref",      _Y, _N, _N),
    Op.ImageGather:                      SampleOp(Op.ImageGather,                      _N, "component", _N, _Y, _N),
    Op.ImageDrefGather:                  SampleOp(Op.ImageDrefGather,                  _N, "dref",      _N, _Y, _N),
    Op.ImageSparseSampleImplicitLod:     SampleOp(Op.ImageSparseSampleExplicitLod,     _Y, "",          _N, _N, _Y),
    Op.ImageSparseSampleExplicitLod:     SampleOp(Op.ImageSparseSampleExplicitLod,     _N, "",          _N, _N, _Y),
    Op.ImageSparseSampleDrefImplicitLod: SampleOp(Op.ImageSparseSampleDrefExplicitLod, _Y, "dref",      _N, _N, _Y),
    Op.ImageSparseSampleDrefExplicitLod: SampleOp(Op.ImageSparseSampleDrefExplicitLod, _N, "dref",      _N, _N, _Y),
    Op.ImageSparseGather:                SampleOp(Op.ImageSparseGather,                _N, "component", _N, _Y, _Y),
    Op.ImageSparseDrefGather:            SampleOp(Op.ImageSparseDrefGather,            _N, "dref",      _N, _Y, _Y),
}
#: Opcode with explicit LOD -> with implicit LOD, without projection.
IMPLICIT: Final = {row.explicit: code for code, row in SAMPLES.items() if row.implicit and not row.project}
#: Instructions with a sampler that are never touched.
LEFT: Final = {
    Op.Image: "takes the image alone: fetches and size queries have no wrap",
    Op.ImageSampleFootprintNV: "asks which texels a sample reads: it answers for the device's sampler",
    Op.ImageQueryLod: "asks for the level of a coordinate: clamping it would change the answer",
}
# fmt: on
#: Instructions that take an image together with a sampler.
SAMPLING: Final = (SAMPLES.keys() | LEFT.keys()) - {Op.Image}


def compares(one: Instruction) -> bool:
    """Whether an instruction compares."""
    return one.opcode in SAMPLES and SAMPLES[one.opcode].third == "dref"


def split(words: list[int]) -> dict[int, list[int]]:
    """Image operands by bit, from the mask on."""
    operands: dict[int, list[int]] = {}
    bits, at = (words[0] if words else 0), 1
    while bits:
        bit = bits & -bits
        bits ^= bit
        count = len(enumerants()["ImageOperands"][bit].parameters)
        operands[bit] = words[at : at + count]
        at += count
    return operands


def joined(operands: dict[int, list[int]]) -> list[int]:
    """Image operands as words; none for an empty set."""
    if not operands:
        return []
    return [sum(operands), *(word for bit in sorted(operands) for word in operands[bit])]


def level_remark(op: SampleOp, operands: dict[int, list[int]], *, mixed: bool) -> str:
    """For which filters between levels a level that the shader computes gives what the sampler would.

    mixed   both levels are sampled; else the nearest one

    The level of an implicit LOD is asked of the sampler, whose filter has rounded it already.
    """
    asked = op.implicit and not {ImageOperands.Bias, ImageOperands.MinLod} & operands.keys()
    if mixed:
        said = f"its offset is folded at both levels: {EXACT_FOR}, without anisotropy"
        return said if asked else f"{said}, for a mipmap filter of LINEAR"
    said = f"its offset is folded at the nearest level: {EXACT_FOR}, without anisotropy"
    return f"{said}, for a mipmap filter of NEAREST{' or NONE' * asked}"


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
