"""What WGSL does not sample: remarks on instructions that a WebGPU device refuses, or carries out otherwise.

naga, wgpu's reader of SPIR-V, refuses most of them; a level of a comparison and the offset of a fetch it drops.
Source: WGSL, "Texture Built-in Functions"; measured with wgpu-py 0.32 and Dawn 133 (docs/webgpu.md).
"""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.shader.constants import is_zero
from statetracker.shader.origin import leaf, origin, resources
from statetracker.shader.request import Note
from statetracker.shader.sample_ops import SAMPLES, SAMPLING, compares, split
from statetracker.spirv.names import Decoration, Dim, ImageOperands, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from statetracker.spirv import Instruction, Module


class _Use(NamedTuple):
    """An instruction, its image's type, and its image operands."""

    module: Module
    one: Instruction
    image: Instruction
    operands: dict[int, list[int]]

    def has(self, *bits: int) -> bool:
        """Whether it has one of some image operands."""
        return any(bit in self.operands for bit in bits)

    @property
    def off_level_0(self) -> bool:
        """Whether its level of detail is explicit and not 0."""
        levels = self.operands.get(ImageOperands.Lod)
        return self.has(ImageOperands.Grad) or (levels is not None and not is_zero(self.module, levels[0]))

    @property
    def line(self) -> bool:
        return self.image.words[2] == Dim.Dim1D and self.one.opcode in SAMPLES

    @property
    def integers(self) -> bool:
        return self.module.definitions[self.image.words[1]].opcode == Op.TypeInt


_DYNAMIC: Final = (ImageOperands.Offset, ImageOperands.ConstOffsets, ImageOperands.Offsets)
_SIZES: Final = (Op.ImageQuerySize, Op.ImageQuerySizeLod)

#: It does not matter to a texture of one level whose filters are the same.
LEVEL_0: Final = "WGSL compares at level 0 where the level is explicit: naga drops the level"

# fmt: off
#: What an instruction does -> what is said of it.
RULES: Final[tuple[tuple[Callable[[_Use], bool], str], ...]] = (
    (lambda u: u.one.opcode == Op.ImageQueryLod,                             "WGSL asks for no level of detail: lower with lod_query=False"),
    (lambda u: u.one.opcode == Op.ImageSampleFootprintNV,                    "WGSL has no footprint of a sample"),
    (lambda u: u.one.opcode == Op.ImageSparseFetch or (u.one.opcode in SAMPLES and SAMPLES[u.one.opcode].sparse), "WGSL has no sparse samples"),
    (lambda u: u.one.opcode == Op.ImageFetch and not u.has(ImageOperands.Lod) and not u.image.words[5] and u.image.words[2] not in {Dim.Rect, Dim.Buffer}, "WGSL fetches at a level: naga refuses a fetch without the operand Lod"),
    (lambda u: u.one.opcode in _SIZES and bool(u.image.words[4]),            "WGSL asks for a size without layers: naga refuses to read their number there"),
    (lambda u: u.has(ImageOperands.MinLod),                                  "WGSL has no least level of detail for a sample"),
    (lambda u: compares(u.one) and u.has(ImageOperands.Bias),                "WGSL compares without an LOD bias"),
    (lambda u: compares(u.one) and u.off_level_0,                            LEVEL_0),
    (lambda u: u.one.opcode == Op.ImageFetch and u.has(ImageOperands.ConstOffset), "WGSL fetches without an offset: naga drops it"),
    (lambda u: u.has(*_DYNAMIC),                                             "WGSL has one constant offset for a sample"),
    (lambda u: u.line and u.has(ImageOperands.Bias),                         "WGSL samples 1D images without an LOD bias"),
    (lambda u: u.line and u.has(ImageOperands.Lod, ImageOperands.Grad, ImageOperands.ConstOffset), "WGSL samples 1D images at an implicit level, without an offset: naga takes both"),
    (lambda u: u.line and compares(u.one),                                   "WGSL compares no 1D images: naga takes them"),
    (lambda u: u.integers and u.one.opcode in SAMPLES and not SAMPLES[u.one.opcode].gather, "WGSL samples no integers"),
)
# fmt: on
#: What is said of variables.
DECLARED: Final = (
    "WebGPU has no push constants, and wgpu has them as a feature",
    "WGSL hands on scalars and vectors from stage to stage: naga refuses arrays and matrices, and structures that come in",
    "WGSL has one value at a location, without components",
    "other variables have its (set, binding): WebGPU wants a place for each",
)
#: What is handed on -> types that are refused there, but for what is built in.
_VARYING: Final = {
    StorageClass.Input: (Op.TypeArray, Op.TypeMatrix, Op.TypeStruct),
    StorageClass.Output: (Op.TypeArray, Op.TypeMatrix),
}
#: Instructions that RULES speak of.
_READS: Final = SAMPLING | {Op.ImageFetch, Op.ImageSparseFetch, *_SIZES}


def remarks(module: Module, moved: Collection[int]) -> Iterator[Note]:
    """What a WebGPU device refuses of a module, or runs otherwise.

    moved   ids of the variables that get places of their own
    """
    bound = {one.result: place for place, one in resources(module) if one.result not in moved}
    count = Counter(bound.values())
    built_in = {ident for ident, said in module.decorations.items() if Decoration.BuiltIn in said}
    built_in |= {ident for (ident, _), said in module.member_decorations.items() if Decoration.BuiltIn in said}
    for one in module.instructions:
        place, said = None, list[str]()
        if one.opcode == Op.Variable:
            place, storage, said_of = bound.get(one.result), one.words[2], module.decorations.get(one.result, {})
            kind = module.definitions[module.definitions[one.words[0]].words[2]]
            own = built_in.isdisjoint((one.result, leaf(module, one).result))
            broken = (
                storage == StorageClass.PushConstant,
                own and kind.opcode in _VARYING.get(storage, ()),
                storage in _VARYING and Decoration.Component in said_of,
                place is not None and count[place] > 1,
            )
            said = list(compress(DECLARED, broken))
        elif one.opcode in _READS:
            place, said = _read(module, one)
        yield from (Note(one.offset, one.name, place, reason) for reason in said)


def _read(module: Module, one: Instruction) -> tuple[tuple[int, int] | None, list[str]]:
    """The descriptor of what an instruction reads, and what is said of it."""
    kind = module.definitions[module.definitions[one.words[2]].type_id]
    image = module.definitions[kind.words[1]] if kind.opcode == Op.TypeSampledImage else kind
    words = one.words[4 + (one.opcode in SAMPLES and bool(SAMPLES[one.opcode].third)) :]
    use = _Use(module, one, image, split(words) if one.opcode in SAMPLES or one.opcode == Op.ImageFetch else {})
    source = origin(one.words[2], module.definitions, module)
    return getattr(source, "descriptor", None), [reason for broken, reason in RULES if broken(use)]
