"""The instructions that sample, one row each, their image operands, and the precision handed on to what replaces them.

Source: SPIR-V, unified 1, 2.12, 2.14, 3.14, 3.49.7 and 3.49.10.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.spirv.grammar import enumerants, opcode, shapes
from statetracker.spirv.names import Decoration, ImageOperands, Op

if TYPE_CHECKING:
    from statetracker.spirv import Editor, Instruction, Module

#: When a folded offset is exact.
EXACT_FOR: Final = "exact for an LOD bias of 0, within LOD limits"


class SampleOp(NamedTuple):
    """A sampling instruction's opcode, taken apart.

    Attributes:
        explicit: The opcode of the same form with explicit LOD, without projection.
        implicit: It takes its LOD from derivatives.
        third: ``dref``, ``component`` or nothing: the operand after the coordinate.
    """

    explicit: int
    implicit: bool
    third: str
    project: bool
    gather: bool
    sparse: bool


def _op(code: int) -> SampleOp:
    """Return what the name of an instruction says of it."""
    name = shapes()[code].name
    explicit = opcode(name.replace("Proj", "").replace("Implicit", "Explicit"))
    third = "dref" if "Dref" in name else "component" if "Gather" in name else ""
    return SampleOp(explicit, "Implicit" in name, third, "Proj" in name, "Gather" in name, "Sparse" in name)


_CODES_THAT_SAMPLE: Final = (
    *(Op.ImageSampleImplicitLod, Op.ImageSampleExplicitLod, Op.ImageSampleDrefImplicitLod),
    *(Op.ImageSampleDrefExplicitLod, Op.ImageSampleProjImplicitLod, Op.ImageSampleProjExplicitLod),
    *(Op.ImageSampleProjDrefImplicitLod, Op.ImageSampleProjDrefExplicitLod, Op.ImageGather, Op.ImageDrefGather),
    *(Op.ImageSparseSampleImplicitLod, Op.ImageSparseSampleExplicitLod, Op.ImageSparseSampleDrefImplicitLod),
    *(Op.ImageSparseSampleDrefExplicitLod, Op.ImageSparseGather, Op.ImageSparseDrefGather),
)
#: Instructions that sample.
SAMPLES: Final = {code: _op(code) for code in _CODES_THAT_SAMPLE}
#: Opcode with explicit LOD -> with implicit LOD, without projection.
IMPLICIT: Final = {row.explicit: code for code, row in SAMPLES.items() if row.implicit and not row.project}
#: Instructions with a sampler that are never touched.
LEFT: Final = {
    Op.Image: "takes the image alone: fetches and size queries have no wrap",
    Op.ImageSampleFootprintNV: "asks which texels a sample reads: it answers for the device's sampler",
    Op.ImageQueryLod: "asks for the level of a coordinate: clamping it would change the answer",
}
#: Instructions that take an image together with a sampler.
SAMPLING: Final = (SAMPLES.keys() | LEFT.keys()) - {Op.Image}


def compares(one: Instruction) -> bool:
    """Return whether an instruction compares."""
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


def operands_of(one: Instruction) -> dict[int, list[int]]:
    """Image operands of a sample or a fetch, by bit."""
    return split(one.words[4 + (one.opcode in SAMPLES and bool(SAMPLES[one.opcode].third)) :])


def joined(operands: dict[int, list[int]]) -> list[int]:
    """Image operands as words; none for an empty set."""
    if not operands:
        return []
    return [sum(operands), *(word for bit in sorted(operands) for word in operands[bit])]


def level_remark(op: SampleOp, operands: dict[int, list[int]], *, mixed: bool) -> str:
    """For which filters between levels a level that the shader computes gives what the sampler would.

    ``mixed`` means that both levels are sampled; else the nearest one.

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
_MOST: Final = 16  # parts; offsets have at most 4, the length of a damaged module's array may be any number
#: Types of residency codes, and of what is asked of them.
_CODES: Final = frozenset({Op.TypeInt, Op.TypeBool})


def relax(editor: Editor, made: list[Instruction], result: int, *, coordinate: bool, texel: bool) -> None:
    """Decorate new instructions, all but the one that has the original's ``result`` and keeps its decorations.

    ``coordinate`` means that it is relaxed: so is the float arithmetic that leads to the samples. ``texel`` means that
    the result is: so are the samples it is put together from, and what is done with them.
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
        one.words[4:] if one.opcode == Op.ExtInst else one.words[2 : 3 if one.opcode == Op.CompositeExtract else None]
    )


def parts_of(editor: Editor, ident: int) -> list[int] | None:
    """Return the components of a constant vector, the elements of a constant array, of a scalar itself.

    None for what is no constant. Parts that the module does not have are declared: zeros of a null,
    OpSpecConstantOp CompositeExtract of what is computed when the module is specialised.
    """
    one = editor.definitions[ident]
    if one.opcode in {Op.ConstantComposite, Op.SpecConstantComposite}:
        return one.words[2:]
    if one.opcode in {Op.Constant, Op.SpecConstant}:
        return [ident]
    if one.opcode not in {Op.ConstantNull, Op.SpecConstantOp}:
        return None
    kind = editor.definitions[one.words[0]]
    count = _count(editor, kind.opcode, kind.words)
    if not count:
        return [ident] if kind.opcode not in {Op.TypeVector, Op.TypeArray} else None
    if one.opcode == Op.ConstantNull:
        return [editor.null(kind.words[1])] * count
    return [editor.spec_op(kind.words[1], Op.CompositeExtract, ident, at) for at in range(count)]


def _count(editor: Editor, code: int, words: list[int]) -> int:
    """Return how many parts a type has; 0 for scalars, and for a length that is not known."""
    if code == Op.TypeArray:
        length = editor.definitions[words[2]]
        return length.words[2] if length.opcode == Op.Constant and length.words[2] <= _MOST else 0
    return words[2] if code == Op.TypeVector else 0


def is_zero(module: Editor | Module, ident: int) -> bool:
    """Return whether a scalar is the constant 0, however the module is specialised."""
    one = module.definitions[ident]
    return one.opcode == Op.ConstantNull or (one.opcode == Op.Constant and not any(one.words[2:]))


def whole_float(editor: Editor, ident: int) -> int | None:
    """Return the value of a float constant that is a whole number from 0 to 31; None for any other."""
    one = editor.definitions[ident]
    if one.opcode != Op.Constant:
        return 0 if one.opcode == Op.ConstantNull else None
    value = struct.unpack("<f", struct.pack("<I", one.words[2]))[0]
    return int(value) if 0 <= value < 32 and value == int(value) else None


def offset_operand(editor: Editor, offset: int) -> dict[int, list[int]]:
    """Return an offset as an image operand, constant where it is a constant; none for id 0."""
    if not offset:
        return {}
    return {ImageOperands.Offset if parts_of(editor, offset) is None else ImageOperands.ConstOffset: [offset]}
