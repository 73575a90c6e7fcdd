"""The module that a printed function comes of: one function that samples once, which `statetracker.lower` rewrites.

Its sampler is descriptor 0:0, its block of values 0:1. Source: docs/shader_text.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.shader.sample_ops import joined
from statetracker.spirv import Editor, Emitter, Instruction, Kind, Module, words_of
from statetracker.spirv.names import Dim, ImageOperands, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLER: Final = (0, 0)
BLOCK: Final = (0, 1)
#: Shader, Linkage, ImageGatherExtended, Sampled1D, SampledCubeArray: no entry point calls the function.
_CAPABILITIES: Final = (1, 5, 25, 43, 45)


class Target(NamedTuple):
    """A kind of texture: its dimension, axes of a texel's index, components of a coordinate, whether it has layers."""

    dim: int
    axes: int
    spatial: int
    arrayed: bool = False

    @property
    def cube(self) -> bool:
        """True where its coordinate is a direction."""
        return self.dim == Dim.Cube


#: Name -> target; a rectangle is a 2D texture whose lowering divides the coordinate.
TARGETS: Final = {
    "1d": Target(Dim.Dim1D, 1, 1),
    "2d": Target(Dim.Dim2D, 2, 2),
    "3d": Target(Dim.Dim3D, 3, 3),
    "cube": Target(Dim.Cube, 2, 3),
    "1d-array": Target(Dim.Dim1D, 1, 1, arrayed=True),
    "2d-array": Target(Dim.Dim2D, 2, 2, arrayed=True),
    "cube-array": Target(Dim.Cube, 2, 3, arrayed=True),
}


class Form(NamedTuple):
    """One way to sample.

    Attributes:
        instruction: ``OpImage...``
        taken: Parameters beside the place, in order.
    """

    instruction: str
    taken: tuple[str, ...] = ()

    @property
    def compares(self) -> bool:
        """True where it compares with a reference."""
        return "reference" in self.taken

    @property
    def implicit(self) -> bool:
        """True where its level of detail comes of derivatives."""
        return "Implicit" in self.instruction


_GRADIENTS: Final = ("along_x", "along_y")
#: Name -> form; a function of a form other than ``implicit`` and ``compare`` has it at the end of its name.
FORMS: Final = {
    "implicit": Form("OpImageSampleImplicitLod"),
    "bias": Form("OpImageSampleImplicitLod", ("more",)),
    "level": Form("OpImageSampleExplicitLod", ("lod",)),
    "grad": Form("OpImageSampleExplicitLod", _GRADIENTS),
    "project": Form("OpImageSampleProjImplicitLod"),
    "gather": Form("OpImageGather"),
    "fetch": Form("OpImageFetch", ("lod",)),
    "compare": Form("OpImageSampleDrefImplicitLod", ("reference",)),
    "compare_level": Form("OpImageSampleDrefExplicitLod", ("reference", "lod")),
    "compare_grad": Form("OpImageSampleDrefExplicitLod", ("reference", *_GRADIENTS)),
    "compare_project": Form("OpImageSampleProjDrefImplicitLod", ("reference",)),
    "compare_gather": Form("OpImageDrefGather", ("reference",)),
}
#: Forms that some targets lack -> those that have them.
ONLY: Final = {
    "gather": ("2d", "2d-array", "cube", "cube-array"),
    "compare_gather": ("2d", "2d-array", "cube", "cube-array"),
    "project": ("1d", "2d", "3d"),
    "compare_project": ("1d", "2d"),
    "fetch": ("1d", "2d", "3d", "1d-array", "2d-array"),
    **dict.fromkeys(("compare", "compare_level", "compare_grad"), tuple(one for one in TARGETS if one != "3d")),
}
#: Parameter -> its image operand.
_OPERANDS: Final = {"more": ImageOperands.Bias, "lod": ImageOperands.Lod}


def template(
    form: Form, target: Target, texels: Kind, *, offset: Sequence[int] = (), component: int = 0, several: bool = False
) -> bytes:
    """Write the module.

    ``texels`` says what the texture's channels are; ``offset`` is in texels, constant, an axis each, or empty;
    ``component`` is the channel of a gather. ``several``: the sampler is one of two, by an index that the function is
    given, and the rewrite reads wraps of the block.
    """
    head = [Instruction(Op.MemoryModel, [0, 1])]
    editor = Editor(Module(head, version=0x10300, bound=1))
    for number in _CAPABILITIES:
        editor.capability(number)
    emit, names = Emitter(editor), dict[int, str]()

    def parameter(name: str, kind: Kind, count: int) -> int:
        one = editor.build("OpFunctionParameter", emit.type_id(kind, count))
        given.append(one)
        names[one.result] = name
        return one.result

    given: list[Instruction] = []
    fetches, layered = form.instruction == "OpImageFetch", int(target.arrayed)
    image = editor.declare("OpTypeImage", emit.type_id(texels), target.dim, int(form.compares), layered, 0, 1, 0)
    sampled = editor.declare("OpTypeSampledImage", image)
    pointer, variable = _variable(editor, sampled, several=several)
    count = target.spatial + target.arrayed + ("Proj" in form.instruction)
    place = parameter("place", Kind.INT if fetches else Kind.FLOAT, count)
    taken = {
        name: parameter(name, Kind.INT if fetches else Kind.FLOAT, target.spatial if name in _GRADIENTS else 1)
        for name in form.taken
    }
    if several:
        index = parameter("index", Kind.UINT, 1)
        variable = emit.op("OpAccessChain", pointer, variable, index)
    source = emit.op("OpLoad", sampled, variable)
    if fetches:
        source = emit.op("OpImage", image, source)
    if form.compares and count == 1:  # as GLSL has it
        place = emit.join([emit.word(place), emit.number(Kind.FLOAT, 0.0)]).id
    words = [source, place]
    if form.compares:
        words.append(taken["reference"])
    elif form.instruction == "OpImageGather":
        words.append(emit.number(Kind.INT, component).id)
    operands = {bit: [taken[name]] for name, bit in _OPERANDS.items() if name in taken}
    if _GRADIENTS[0] in taken:
        operands[ImageOperands.Grad] = [taken[name] for name in _GRADIENTS]
    if any(offset):
        parts = [emit.number(Kind.INT, one).id for one in offset]
        whole = editor.composite(emit.type_id(Kind.INT, len(parts)), parts) if len(parts) > 1 else parts[0]
        operands[ImageOperands.ConstOffset] = [whole]
    scalar = form.compares and "Gather" not in form.instruction
    kind = emit.type_id(texels, 1 if scalar else 4)
    texel = emit.op(form.instruction, kind, *words, *joined(operands))
    names[texel] = "texel"
    types = [editor.definitions[one.words[1]].words[0] for one in given]
    function = editor.build("OpFunction", kind, 0, editor.type_function(kind, types))
    named = [Instruction(Op.Name, [ident, *words_of(name)]) for ident, name in names.items()]
    label = Instruction(Op.Label, [editor.new_id()])
    end = [Instruction(Op.ReturnValue, [texel]), Instruction(Op.FunctionEnd, [])]
    editor.body = [*head, *named, function, *given, label, *emit.out, *end]
    return editor.finish().to_bytes()


def _variable(editor: Editor, sampled: int, *, several: bool) -> tuple[int, int]:
    """Return the type of a pointer to the sampler, and the variable: the sampler, or an array of two."""
    storage = StorageClass.UniformConstant
    pointer = held = editor.declare("OpTypePointer", storage, sampled)
    if several:
        array = editor.declare("OpTypeArray", sampled, editor.constant(editor.type_int(signed=False), 2))
        held = editor.declare("OpTypePointer", storage, array)
    variable = editor.variable(held, storage)
    editor.bind(variable, SAMPLER)
    return pointer, variable
