"""Runs a module over fragments in NumPy, with `statetracker.reference` as the device that samples.

Every value is an array, a row a fragment; four rows are a quad, of which derivatives are taken. Branches are not taken:
all blocks run, one after another, which is enough for shaders without loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statetracker.pipe import SamplerState, TexCompare, TexMipfilter
from statetracker.reference import Texels, TextureUnit
from statetracker.reference.texels import choose, lod_of
from statetracker.reference.wraps import face_of
from statetracker.shader.origin import Unknown, origin
from statetracker.shader.sample_ops import SAMPLES, operands_of
from statetracker.spirv import Instruction, Module
from statetracker.spirv.names import Dim, ImageOperands, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["Bound", "Machine"]

AXES = {Dim.Dim1D: 1, Dim.Dim2D: 2, Dim.Dim3D: 3, Dim.Cube: 3, Dim.Rect: 2}


class Bound(NamedTuple):
    """What is bound to a descriptor, or to one element of an array."""

    state: SamplerState
    texels: Texels


def _floats(words: NDArray[Any]) -> NDArray[Any]:
    return words.astype(np.uint32).view(np.float32).astype(np.float64)


def _bits(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype == np.float64:
        return values.astype(np.float32).view(np.uint32).astype(np.int64)
    return values & 0xFFFFFFFF


#: Instruction -> what it computes of the values of its operands.
COMPUTED: dict[str, Callable[..., Any]] = {
    "OpFAdd": np.add, "OpFSub": np.subtract, "OpFMul": np.multiply, "OpFDiv": np.divide,
    "OpIAdd": np.add, "OpISub": np.subtract, "OpIMul": np.multiply, "OpVectorTimesScalar": np.multiply,
    "OpUDiv": np.floor_divide, "OpUMod": np.mod,
    "OpFOrdLessThan": np.less, "OpFOrdLessThanEqual": np.less_equal,
    "OpFOrdEqual": np.equal, "OpFUnordNotEqual": np.not_equal,
    "OpSLessThan": np.less, "OpULessThan": np.less, "OpIEqual": np.equal, "OpINotEqual": np.not_equal,
    "OpLogicalAnd": np.logical_and, "OpLogicalOr": np.logical_or, "OpSelect": np.where,
    "OpBitwiseAnd": np.bitwise_and, "OpBitwiseOr": np.bitwise_or,
    "OpShiftRightLogical": np.right_shift, "OpShiftRightArithmetic": np.right_shift,
    "OpFNegate": np.negative, "OpSNegate": np.negative, "OpLogicalNot": np.logical_not,
    "OpConvertSToF": np.float64, "OpConvertUToF": np.float64, "OpCopyObject": np.copy, "OpFConvert": np.copy,
    "OpConvertFToS": lambda one: np.trunc(one).astype(np.int64),
    "OpConvertFToU": lambda one: np.trunc(one).astype(np.int64),
    "OpDot": lambda one, other: (one * other).sum(axis=1, keepdims=True),
    "OpImageSparseTexelsResident": lambda code: code == 0,
}  # fmt: skip


#: What has no value of its own.
SILENT = (Op.Label, Op.AccessChain, Op.Variable, Op.SampledImage, Op.Image)


def _finite_clamp(value: Any, low: Any, high: Any) -> Any:
    return np.fmin(np.fmax(value, low), high)


EXTENDED: dict[int, Callable[..., Any]] = {
    4: np.abs, 8: np.floor, 9: np.ceil, 29: np.exp2, 30: np.log2, 31: np.sqrt, 37: np.minimum, 40: np.maximum,
    39: np.minimum, 42: np.maximum, 43: np.clip, 44: np.clip, 45: np.clip, 81: _finite_clamp,
    46: lambda one, other, by: one * (1 - by) + other * by,
}  # fmt: skip


def _on_face(direction: NDArray[Any], gradient: NDArray[Any]) -> NDArray[Any]:
    """How s and t change on the face that is met, by a small step each way."""
    there, back = (face_of(direction + step * gradient)[1:] for step in (1e-6, -1e-6))
    return np.stack([(one - other) / 2e-6 for one, other in zip(there, back, strict=True)], axis=1)


class Machine:
    """One run.

    Args:
        module: Its bytes.
        given: Name or location of an input variable -> (fragments, components).
        samplers: Descriptor -> what is bound, a sequence for an array.
        block: Bytes of the uniform block, whatever its place.

    Attributes:
        values: After the run: id -> its value.
    """

    def __init__(
        self,
        module: bytes,
        given: NDArray[Any],
        samplers: Mapping[tuple[int, int], Bound | Sequence[Bound]],
        block: bytes = b"",
    ) -> None:
        self.module = Module.read(module)
        self.given, self.samplers = given, samplers
        self.block = np.frombuffer(block, np.uint32).astype(np.int64).reshape(-1, 4)
        self.values: dict[int, Any] = {}
        for one in self.module.instructions:
            if one.opcode == Op.Function:
                break
            if one.name.startswith(("OpConstant", "OpSpecConstant")):
                self.values[one.result] = self._constant(one)
        functions = {one.id: one for one in self.module.functions}
        self._functions = functions
        self._run(self.module.entry_points[0].function)

    def _run(self, function: int) -> Any:
        for block in self._functions[function].blocks:
            for one in block.instructions:
                if one.opcode == Op.ReturnValue:
                    return self.values[one.words[0]]
                if one.shape.typed:
                    with np.errstate(all="ignore"):
                        self.values[one.result] = self._value(one)
        return None

    def _constant(self, one: Instruction) -> Any:  # noqa: PLR0911
        kind = self.module.definitions[one.words[0]]
        if one.opcode in {Op.ConstantComposite, Op.SpecConstantComposite}:
            return np.concatenate([self.values[part] for part in one.words[2:]], axis=1)
        if one.opcode == Op.ConstantNull:
            return self._null(kind)
        if one.opcode == Op.SpecConstantOp:
            name = {128: "OpIAdd", 126: "OpSNegate", 81: "OpCompositeExtract"}[one.words[2]]
            if name == "OpCompositeExtract":
                return self.values[one.words[3]][:, [one.words[4]]]
            return COMPUTED[name](*(self.values[word] for word in one.words[3:]))
        if kind.opcode == Op.TypeBool:
            return np.array([[one.opcode in {41, 48}]])
        words = np.array([[one.words[2]]], np.int64)
        if kind.opcode == Op.TypeFloat:
            return _floats(words)
        return words.astype(np.int32).astype(np.int64) if kind.words[2] else words

    def _null(self, kind: Instruction) -> NDArray[Any]:
        count = 1
        while kind.opcode in {Op.TypeVector, Op.TypeArray}:
            length = kind.words[2]
            count *= length if kind.opcode == Op.TypeVector else int(self.values[length][0, 0])
            kind = self.module.definitions[kind.words[1]]
        return np.zeros((1, count), np.float64 if kind.opcode == Op.TypeFloat else np.int64)

    def _value(self, one: Instruction) -> Any:
        name, words = one.name, one.words[2:]
        if one.opcode in SAMPLES:
            return self._sampled(one)
        if name in COMPUTED:
            return COMPUTED[name](*(self.values[word] for word in words))
        if one.opcode == Op.ExtInst:
            return EXTENDED[words[1]](*(self.values[word] for word in words[2:]))
        if one.opcode in SILENT:
            return None
        special = getattr(self, f"_{name[2:].lower()}")
        return special(one, words)

    def _load(self, one: Instruction, words: list[int]) -> Any:
        pointer = self.module.definitions[words[0]]
        base = pointer if pointer.opcode == Op.Variable else self.module.definitions[pointer.words[2]]
        storage = base.words[2]
        if storage == StorageClass.Uniform:
            rows = self.values[pointer.words[4]][:, 0]
            return self.block[np.clip(rows, 0, len(self.block) - 1)]  # a robust one
        if storage == 1:
            kind = self.module.definitions[one.words[0]]
            values = self.given[:, : kind.words[2]] if kind.opcode == Op.TypeVector else self.given[:, :1]
            inner = self.module.definitions[kind.words[1]] if kind.opcode == Op.TypeVector else kind
            return values if inner.opcode == Op.TypeFloat else values.astype(np.int64)
        return None

    def _functioncall(self, _: Instruction, words: list[int]) -> Any:
        callee = self._functions[words[0]]
        for parameter, argument in zip(callee.parameters, words[1:], strict=True):
            self.values[parameter] = self.values.get(argument)
        return self._run(words[0])

    def _compositeextract(self, _: Instruction, words: list[int]) -> Any:
        whole = self.values[words[0]]
        return whole[words[1]] if isinstance(whole, list) else whole[:, [words[1]]]

    def _compositeconstruct(self, one: Instruction, words: list[int]) -> Any:
        parts = [self.values[word] for word in words]
        if self.module.definitions[one.words[0]].name == "OpTypeStruct":
            return parts
        count = max(len(part) for part in parts)
        return np.concatenate([np.broadcast_to(part, (count, part.shape[1])) for part in parts], axis=1)

    def _vectorshuffle(self, _: Instruction, words: list[int]) -> Any:
        parts = self.values[words[0]], self.values[words[1]]
        count = max(map(len, parts))
        both = np.concatenate([np.broadcast_to(part, (count, part.shape[1])) for part in parts], axis=1)
        return both[:, words[2:]]

    def _vectorextractdynamic(self, _: Instruction, words: list[int]) -> Any:
        vector, index = self.values[words[0]], self.values[words[1]]
        return np.take_along_axis(vector, np.broadcast_to(index, (len(vector), 1)), axis=1)

    def _bitcast(self, one: Instruction, words: list[int]) -> Any:
        kind = self.module.definitions[one.words[0]]
        kind = self.module.definitions[kind.words[1]] if kind.opcode == Op.TypeVector else kind
        bits = _bits(self.values[words[0]])
        if kind.opcode == Op.TypeFloat:
            return _floats(bits)
        return bits.astype(np.int32).astype(np.int64) if kind.words[2] else bits

    def _dpdx(self, _: Instruction, words: list[int]) -> Any:
        return self._derivatives(self.values[words[0]])[0]

    def _dpdy(self, _: Instruction, words: list[int]) -> Any:
        return self._derivatives(self.values[words[0]])[1]

    def _derivatives(self, value: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Of each quad, the same in its four rows."""
        quads = np.broadcast_to(value, (len(self.given), value.shape[1])).reshape(-1, 4, value.shape[1])
        across, up = quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 0]
        return across.repeat(4, axis=0), up.repeat(4, axis=0)

    # Images

    def _bound(self, sampled: int) -> tuple[list[Bound], NDArray[Any]]:
        """What may be meant by a sampled image, and which of it by each fragment."""
        source = origin(sampled, self.module.definitions, self.module)
        assert not isinstance(source, Unknown)
        given = self.samplers[source.descriptor]
        each = [given] if isinstance(given, Bound) else list(given)
        index = np.zeros((len(self.given), 1), np.int64)
        for ident in source.indexes:
            index = np.broadcast_to(self.values[ident], index.shape)
        return each, np.clip(index[:, 0], 0, len(each) - 1)

    def _of(self, sampled: int, give: Callable[[Bound, NDArray[Any]], NDArray[Any]]) -> NDArray[Any]:
        """Gather what each bound thing gives to its fragments."""
        each, index = self._bound(sampled)
        answers = [give(one, index == at) for at, one in enumerate(each)]
        return np.choose(index[:, None], answers)

    def _imagequerysizelod(self, one: Instruction, words: list[int]) -> Any:
        sampled = self.module.definitions[words[0]].words[2]
        count = self.module.definitions[one.words[0]]
        components = count.words[2] if count.opcode == Op.TypeVector else 1

        def size(bound: Bound, _: NDArray[Any]) -> NDArray[Any]:
            whole = (*bound.texels.size(0), bound.texels.layers)[:components]
            return np.broadcast_to(np.array([whole]), (len(self.given), components))

        return self._of(sampled, size)

    _imagequerysize = _imagequerysizelod

    def _imagequerylevels(self, _: Instruction, words: list[int]) -> Any:
        sampled = self.module.definitions[words[0]].words[2]
        return self._of(sampled, lambda one, _: np.full((len(self.given), 1), len(one.texels.levels)))

    def _imagequerylod(self, _: Instruction, words: list[int]) -> Any:
        gradient = self._derivatives(self.values[words[1]])

        def query(bound: Bound, _: NDArray[Any]) -> NDArray[Any]:
            asked = lod_of(*gradient, bound.texels.size(0))
            chosen = choose(bound.state, asked, len(bound.texels.levels))
            return np.stack([chosen.first + chosen.weight, asked + bound.state.lod_bias], axis=1)

        return self._of(words[0], query)

    def _sampled(self, one: Instruction) -> Any:
        form, sampled = SAMPLES[one.opcode], one.words[2]
        kind = self.module.definitions[self.module.definitions[self.module.definitions[sampled].type_id].words[1]]
        operands = {bit: [self.values[word] for word in words] for bit, words in operands_of(one).items()}
        coordinate = self.values[one.words[3]]
        coordinate = np.broadcast_to(coordinate, (len(self.given), coordinate.shape[1]))
        axes = AXES[kind.words[2]]
        spatial, rest = coordinate[:, :axes], coordinate[:, axes : axes + kind.words[4]]
        third: Any = self.values[one.words[4]] if form.third else None
        if form.project:
            q = coordinate[:, [axes]]
            spatial = spatial / q
            third = third / q if third is not None else None
        reference = np.broadcast_to(third, (len(self.given), 1))[:, 0] if form.third == "dref" else None
        points = np.concatenate([spatial, rest], axis=1)
        if form.gather:
            component = 0 if form.third == "dref" else int(third[0, 0])
            values = self._of(sampled, lambda b, r: self._gather(b, r, points, operands, component, reference))
        else:
            gradient = self._derivatives(spatial) if form.implicit else operands.get(ImageOperands.Grad)
            if gradient is not None and kind.words[2] == Dim.Cube:
                gradient = [_on_face(spatial, one) for one in gradient]
            values = self._of(sampled, lambda b, r: self._sample(b, r, points, operands, gradient, reference))
            values = values[:, :1] if form.third == "dref" else values
        return [np.isnan(values).any(axis=1, keepdims=True).astype(np.int64), values] if form.sparse else values

    def _gather(
        self, bound: Bound, rows: NDArray[Any], points: Any, operands: Any, component: int, reference: Any
    ) -> NDArray[Any]:
        unit, out = TextureUnit(bound.state, bound.texels), np.zeros((len(rows), 4))
        four = operands.get(ImageOperands.ConstOffsets)
        offsets = four[0].reshape(4, 2) if four else None
        compares = reference is not None

        def gathered(which: NDArray[Any], offset: Any) -> NDArray[Any]:
            extra = {"reference": reference[which]} if compares else {}
            return unit.gather(points[which], component, offset=tuple(offset), **extra)

        if offsets is not None:
            for part, offset in enumerate(offsets):
                out[rows, part] = gathered(rows, offset)[:, 3] if rows.any() else 0
            return out
        for which, offset in self._by_offset(rows, operands):
            out[which] = gathered(which, offset)
        return out

    def _by_offset(self, rows: NDArray[Any], operands: Any) -> list[tuple[NDArray[Any], tuple[int, ...]]]:
        """Fragments by their offset."""
        given = operands.get(ImageOperands.ConstOffset) or operands.get(ImageOperands.Offset)
        if given is None:
            return [(rows, ())] if rows.any() else []
        each = np.broadcast_to(given[0], (len(rows), given[0].shape[1]))
        return [
            (rows & (each == offset).all(axis=1), tuple(int(part) for part in offset))
            for offset in np.unique(each[rows], axis=0)
        ]

    def _sample(
        self, bound: Bound, rows: NDArray[Any], points: Any, operands: Any, gradient: Any, reference: Any
    ) -> NDArray[Any]:
        state, texels = bound.state, bound.texels
        if gradient is not None:
            dx, dy = (np.broadcast_to(one, (len(rows), one.shape[1])) for one in gradient)
            lod = lod_of(dx, dy, texels.size(0), unnormalized=texels.shape.unnormalized)
        else:
            lod = operands[ImageOperands.Lod][0][:, 0]
        bias = operands.get(ImageOperands.Bias, [np.zeros((1, 1))])[0][:, 0]
        lod = np.clip(lod + bias + state.lod_bias, state.min_lod, max(state.min_lod, state.max_lod))
        if ImageOperands.MinLod in operands:
            lod = np.maximum(lod, operands[ImageOperands.MinLod][0][:, 0])
        lod = np.broadcast_to(lod, len(rows))
        bare = state.replace(lod_bias=0.0, min_lod=-1e6, max_lod=1e6)
        if reference is None and state.compare_mode == TexCompare.R_TO_TEXTURE:
            bare = bare.replace(compare_mode=TexCompare.NONE)
        if texels.shape.unnormalized:
            bare = bare.replace(min_mip_filter=TexMipfilter.NONE)
        unit, out = TextureUnit(bare, texels), np.zeros((len(rows), 4))
        for which, offset in self._by_offset(rows, operands):
            against = {} if reference is None else {"reference": reference[which]}
            out[which] = unit.sample(points[which], lod=lod[which], offset=offset, **against)
        return out
