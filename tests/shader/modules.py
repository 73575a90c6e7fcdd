"""Small shaders of random forms, written word by word: no compiler, and forms that none would choose."""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from hypothesis import strategies as some

from statetracker.spirv import Instruction, Module
from statetracker.spirv.grammar import opcode
from tests.shader.writer import Writer

__all__ = ["CONSTANT_OFFSETS", "FOUR_OFFSETS", "SIMPLE", "Numbers", "Sample", "module", "samples"]

#: Dimension -> spatial axes.
AXES: Final = {0: 1, 1: 2, 2: 3, 3: 3, 4: 2}
_CUBE, _THREE_D, _RECTANGLE = 3, 2, 4
#: What a sample is called by; ``sparse`` adds Sparse before the rest.
_NAMES: Final = {
    "implicit": "Sample{}ImplicitLod", "lod": "Sample{}ExplicitLod", "grad": "Sample{}ExplicitLod", "gather": "{}Gather"
}  # fmt: skip
#: How a constant offset is written: plain; null; of specialisation constants; computed from them, whole or in part.
CONSTANT_OFFSETS: Final = ("const", "null", "spec", "spec op", "spec part")
#: How four of them are written: each plain, some null, all null as one array, each of specialisation constants.
FOUR_OFFSETS: Final = ("four", "four some null", "four null", "four spec")
_CAPABILITIES: Final = (1, 25, 29, 41, 42, 43, 45)  # Shader, gathers, arrays, sparse, MinLod, 1D, cube arrays
_RECTANGLES: Final = 37  # which Vulkan has not


class Numbers(NamedTuple):
    """The constants of an instruction: ``offset`` of s, one more of each axis after it."""

    lod: float = 1.0
    reference: float = 0.5
    component: int = 1
    offset: int = 1


class Sample(NamedTuple):
    """One sampling instruction.

    Attributes:
        dim: 0 1D, 1 2D, 2 3D, 3 cube, 4 rectangle.
        level: ``implicit``, ``lod``, ``grad`` or ``gather``.
        offset: "", one of `CONSTANT_OFFSETS`; for gathers ``dynamic`` or one of `FOUR_OFFSETS`, too.
        elements: The length of its array of samplers; 0: no array.
        dynamic: The array's index is known to the shader alone.
        wider: Components that the coordinate has beyond what is needed.
        via: ``load``, ``separate`` (image and sampler) or ``function`` (a parameter).
        branch: It stands in a conditional block.
        relaxed: RelaxedPrecision, of its result and of its coordinate.
        integer: Its texels are integers.
    """

    dim: int = 1
    arrayed: bool = False
    level: str = "implicit"
    dref: bool = False
    project: bool = False
    sparse: bool = False
    bias: bool = False
    min_lod: bool = False
    offset: str = ""
    elements: int = 0
    dynamic: bool = False
    wider: int = 0
    via: str = "load"
    branch: bool = False
    relaxed: bool = False
    numbers: Numbers = Numbers()
    integer: bool = False

    @property
    def spatial(self) -> int:
        """Components of the coordinate that are neither layer nor q."""
        return AXES[self.dim]

    @property
    def components(self) -> int:
        """Components of the coordinate."""
        return min(self.spatial + self.arrayed + self.project + self.wider, 4)


#: A 2D texture sampled by its bare coordinate.
SIMPLE: Final = Sample()


@some.composite
def samples(draw: some.DrawFn, *, rectangles: bool = False) -> Sample:
    """Draw any form that SPIR-V for Vulkan allows; with rectangles, which OpenGL has beside them."""
    level = draw(some.sampled_from(["implicit", "lod", "grad", "gather"]))
    dref = draw(some.booleans())
    dims = [1, _CUBE] if level == "gather" else [0, 1, _CUBE] if dref else [0, 1, _THREE_D, _CUBE]
    dim = draw(some.sampled_from(dims))
    if rectangles and dim == 1 and level != "lod" and draw(some.booleans()):
        return draw(_rectangle(level, dref=dref))
    arrayed = dim != _THREE_D and draw(some.booleans())
    project = dim != _CUBE and not arrayed and level != "gather" and draw(some.booleans())
    offsets = ["", *CONSTANT_OFFSETS, *(["dynamic", *FOUR_OFFSETS] if level == "gather" else [])]
    return Sample(
        dim,
        arrayed,
        level,
        dref,
        project,
        not project and draw(some.booleans()),
        level == "implicit" and draw(some.booleans()),
        level in ("implicit", "grad") and draw(some.booleans()),
        "" if dim == _CUBE else draw(some.sampled_from(offsets)),
        draw(some.sampled_from([0, 0, 1, 3, 40])),
        draw(some.booleans()),
        draw(some.integers(0, 2)),
        draw(some.sampled_from(["load", "separate", "function"])),
        draw(some.booleans()),
        draw(some.booleans()),
    )


@some.composite
def _rectangle(draw: some.DrawFn, level: str, *, dref: bool) -> Sample:
    """A rectangle has one level: neither Lod, Bias nor MinLod, and no layers."""
    project = level != "gather" and draw(some.booleans())
    return SIMPLE._replace(
        dim=4,
        level=level,
        dref=dref,
        project=project,
        sparse=not project and draw(some.booleans()),
        offset=draw(some.sampled_from(["", *CONSTANT_OFFSETS, *(["dynamic", *FOUR_OFFSETS] * (level == "gather"))])),
        elements=draw(some.sampled_from([0, 3])),
        dynamic=draw(some.booleans()),
        via=draw(some.sampled_from(["load", "function"])),
        branch=draw(some.booleans()),
    )


def module(forms: list[Sample], *, opengl: bool = False) -> tuple[bytes, list[int]]:
    """Write a fragment shader that samples once in each form, binding n of set 0 the n-th.

    Args:
        forms: Of samples, one each.
        opengl: As OpenGL has modules: SPIR-V 1.0, set 0 left out, images and samplers in one.

    Returns:
        The module's bytes, and the result id of each sampling instruction.
    """
    if opengl:
        forms = [form._replace(via=form.via.replace("separate", "load")) for form in forms]
    w = Writer(sets=not opengl)
    vec4 = w.vector(w.float, 4)
    given, out = w.variable(1, vec4), w.variable(3, vec4)
    for variable in (given, out):
        w.decorate(variable, 30, 0)  # Location
    void = w.known("OpTypeVoid")
    main, kind = w.new(), w.known("OpTypeFunction", void)
    w.body = [Instruction(opcode("OpFunction"), [void, main, 0, kind]), Instruction(opcode("OpLabel"), [w.new()])]
    point = w.op("OpLoad", vec4, given)
    results = [_sample(w, one, binding, point) for binding, one in enumerate(forms)]
    w.plain("OpStore", out, point)
    w.plain("OpReturn")
    w.plain("OpFunctionEnd")
    name = list(struct.unpack("<2I", b"main\0\0\0\0"))
    rectangles = [_RECTANGLES] * any(form.dim == _RECTANGLE for form in forms)
    laid = [
        *(Instruction(opcode("OpCapability"), [number]) for number in (*_CAPABILITIES, *rectangles)),
        Instruction(opcode("OpMemoryModel"), [0, 1]),
        Instruction(opcode("OpEntryPoint"), [4, main, *name, given, out]),
        Instruction(opcode("OpExecutionMode"), [main, 7]),
        *w.annotations,
        *w.globals,
        *w.body,
        *w.functions,
    ]
    return Module(laid, version=0x10000 if opengl else 0x10300, bound=w.bound).to_bytes(), results


def _sample(w: Writer, form: Sample, binding: int, point: int) -> int:
    """Write one sample, in a block of its own if it wants one; return its result id."""
    merge = 0
    if form.branch:
        x = w.op("OpCompositeExtract", w.float, point, 0)
        condition = w.op("OpFOrdLessThan", w.known("OpTypeBool"), x, w.number(2.0))
        inside, merge = w.new(), w.new()
        w.plain("OpSelectionMerge", merge, 0)
        w.plain("OpBranchConditional", condition, inside, merge)
        w.plain("OpLabel", inside)
    image = w.known(
        "OpTypeImage", w.int if form.integer else w.float, form.dim, int(form.dref), int(form.arrayed), 0, 1, 0
    )
    combined = w.known("OpTypeSampledImage", image)
    if form.via == "separate":
        texture = _resource(w, image, form, binding, 1, point)
        sampler = _resource(w, w.known("OpTypeSampler"), form, binding, 0, point)
        result = _instruction(w, form, w.op("OpSampledImage", combined, texture, sampler), point)
    elif form.via == "function" and not form.elements:
        result = _in_function(w, form, combined, binding, point)
    else:
        result = _instruction(w, form, _resource(w, combined, form, binding, 0, point), point)
    if form.branch:
        w.plain("OpBranch", merge)
        w.plain("OpLabel", merge)
    return result


def _bound(w: Writer, kind: int, form: Sample, binding: int, group: int) -> int:
    """A resource's variable at a descriptor."""
    held = w.known("OpTypeArray", kind, w.constant(w.int, form.elements)) if form.elements else kind
    variable = w.variable(0, held)
    if group or w.sets:
        w.decorate(variable, 34, group)
    w.decorate(variable, 33, binding)
    return variable


def _resource(w: Writer, kind: int, form: Sample, binding: int, group: int, point: int) -> int:
    """Load a resource, out of its array if it has one."""
    pointer = _bound(w, kind, form, binding, group)
    if form.elements:
        x = w.op("OpCompositeExtract", w.float, point, 1)
        index = w.op("OpConvertFToS", w.int, x) if form.dynamic else w.constant(w.int, form.elements - 1)
        pointer = w.op("OpAccessChain", w.known("OpTypePointer", 0, kind), pointer, index)
    return w.op("OpLoad", kind, pointer)


def _in_function(w: Writer, form: Sample, combined: int, binding: int, point: int) -> int:
    """Sample in a function that is given the sampler."""
    vec4, pointer = w.vector(w.float, 4), w.known("OpTypePointer", 0, combined)
    kind = w.known("OpTypeFunction", vec4, pointer, vec4)
    variable = _bound(w, combined, form, binding, 0)
    callee, taken, place = w.new(), w.new(), w.new()
    main, w.body = w.body, []
    w.body.append(Instruction(opcode("OpFunction"), [vec4, callee, 0, kind]))
    w.plain("OpFunctionParameter", pointer, taken)
    w.plain("OpFunctionParameter", vec4, place)
    w.plain("OpLabel", w.new())
    result = _instruction(w, form, w.op("OpLoad", combined, taken), place)
    w.plain("OpReturnValue", place)
    w.plain("OpFunctionEnd")
    w.functions += w.body
    w.body = main
    w.op("OpFunctionCall", vec4, callee, variable, point)
    return result


def _part(w: Writer, vector: int, count: int) -> int:
    if count == 1:
        return w.op("OpCompositeExtract", w.float, vector, 0)
    if count == 4:
        return vector
    return w.op("OpVectorShuffle", w.vector(w.float, count), vector, vector, *range(count))


def _instruction(w: Writer, form: Sample, sampled: int, point: int) -> int:
    kind_of = "Proj" * form.project + "Dref" * form.dref
    name = "OpImage" + "Sparse" * form.sparse + _NAMES[form.level].format(kind_of)
    scalar = form.dref and form.level != "gather"
    kind = w.float if scalar else w.vector(w.int if form.integer else w.float, 4)
    if form.sparse:
        kind = w.known("OpTypeStruct", w.int, kind)
    words = [sampled, _part(w, point, form.components)]
    if form.relaxed and words[1] != point:
        w.decorate(words[1], 0)
    if form.dref:
        words.append(w.number(form.numbers.reference))
    elif form.level == "gather":
        words.append(w.constant(w.int, form.numbers.component))
    mask, operands = _operands(w, form, point)
    result = w.op(name, kind, *words, *([mask, *operands] if mask else []))
    if form.relaxed:
        w.decorate(result, 0)
    return result


def _operands(w: Writer, form: Sample, point: int) -> tuple[int, list[int]]:
    """Image operands: their mask, and the ids in ascending order of bits."""
    seen: dict[int, list[int]] = {}
    if form.bias:
        seen[1] = [w.number(1.0)]
    if form.level == "lod":
        seen[2] = [w.number(form.numbers.lod)]
    if form.level == "grad":
        seen[4] = [_part(w, point, form.spatial)] * 2
    if form.offset in CONSTANT_OFFSETS:
        seen[8] = [_offset(w, form.offset, form.spatial, form.numbers.offset)]
    if form.offset == "dynamic":
        whole = w.vector(w.int, form.spatial)
        seen[16] = [w.op("OpConvertFToS", whole, _part(w, point, form.spatial))]
    if form.offset in FOUR_OFFSETS:
        seen[32] = [_four(w, form.offset)]
    if form.min_lod:
        seen[128] = [w.number(0.5)]
    return sum(seen), [word for bit in sorted(seen) for word in seen[bit]]


def _four(w: Writer, way: str) -> int:
    four = w.known("OpTypeArray", w.vector(w.int, 2), w.constant(w.int, 4))
    if way == "four null":
        return w.known("OpConstantNull", four, typed=True)
    ways = {"four": ["const"] * 4, "four some null": ["null", "const"] * 2, "four spec": ["spec", "const"] * 2}[way]
    each = [_offset(w, one, 2, n) for n, one in enumerate(ways)]
    name = "OpSpecConstantComposite" if "spec" in ways else "OpConstantComposite"
    return w.known(name, four, *each, typed=True)


def _offset(w: Writer, way: str, count: int, value: int) -> int:
    kind = w.vector(w.int, count)
    if way == "null":
        return w.known("OpConstantNull", kind, typed=True)
    parts = [w.constant(w.int, value + n) for n in range(count)]
    if way == "spec part":
        parts[0] = w.known("OpSpecConstantOp", w.int, 128, w.specialised(w.int, 1), parts[0], typed=True)  # OpIAdd
    elif way != "const":
        parts = [w.specialised(w.int, value + n) for n in range(count)]
    if count == 1:
        return parts[0]
    whole = w.known("OpConstantComposite" if way == "const" else "OpSpecConstantComposite", kind, *parts, typed=True)
    return w.known("OpSpecConstantOp", kind, 126, whole, typed=True) if way == "spec op" else whole  # OpSNegate
