"""What differs from language to language: a table each, and how it writes a sample.

Source: GLSL 4.50 and GLSL ES 3.00 chapter 8, WGSL chapter 17, HLSL's texture objects, Metal Shading Language 3, 6.12.
"""

from __future__ import annotations

import struct
from math import isfinite, isinf
from typing import TYPE_CHECKING, ClassVar, Final

from statetracker.shader.text.expression import LANES, PRODUCT, RELATION, Lacks
from statetracker.spirv import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.shader.text.expression import Call, Expression
    from statetracker.shader.text.template import Form, Target

#: Members of the block: name, components, byte; four words first, of which ``border`` is made, are as the texels are.
MEMBERS: Final = (
    ("border", 4, 0),
    ("share", 3, 16),
    ("lod_bias", 1, 28),
    ("rest", 1, 32),
    ("min_lod", 1, 36),
    ("max_lod", 1, 40),
    ("levels", 1, 44),
)
_FUNCTIONS: Final = {
    **{name: f"{name}({{}})" for name in ("abs", "floor", "ceil", "exp2", "log2", "sqrt")},
    **{name: f"{name}({{}}, {{}})" for name in ("min", "max", "dot")},
    "clamp": "clamp({}, {}, {})",
    "mix": "mix({}, {}, {})",
    "finite_clamp": "min(max({1}, {0}), {2})",  # of a NaN the least: each is its first operand, unless it compares
    "round_even": "round({})",
}
_UNIFORM: Final = "its level of detail comes of derivatives: call it in uniform control flow of a fragment stage"
_LEVEL_0: Final = "{} compares at level 0 where the level is explicit: the level is dropped"


class Language:
    """The base: C's operators and HLSL's names of types.

    name           as in ``--language``
    lod_query      a sampler can be asked for its level of detail, as GL has it
    splats         a vector of one scalar is made by naming it once
    counts_layers  a size has the layers of an array too
    levels         the number of levels
    """

    name: ClassVar[str]
    lod_query: ClassVar[bool] = False
    splats: ClassVar[bool] = True
    counts_layers: ClassVar[bool] = False
    levels: ClassVar[str] = "texture_levels(image)"
    functions: ClassVar[dict[str, str]] = _FUNCTIONS | {"dpdx": "ddx({})", "dpdy": "ddy({})"}
    #: Bits of a float that has no literal, as text.
    bits: ClassVar[str] = "asfloat(0x{:08X}u)"

    def type(self, kind: Kind, count: int) -> str:
        """The name of a type."""
        name = ("float", "int", "uint", "bool")[kind]
        return name if count == 1 else f"{name}{count}"

    def literal(self, kind: Kind, bits: int) -> str:
        """A constant scalar."""
        if kind is Kind.BOOL:
            return "true" if bits else "false"
        if kind is not Kind.FLOAT:
            return f"{bits}u" if kind is Kind.UINT else str(bits - (bits >> 31 << 32))
        value = struct.unpack("<f", struct.pack("<I", bits))[0]
        if not isfinite(value):
            return self.not_finite(value, bits)
        texts = (f"{value:.{digits}g}" for digits in range(1, 10))
        text = next(one for one in texts if struct.pack("<f", float(one)) == struct.pack("<f", value))
        return self.real(text if "." in text or "e" in text else f"{text}.0")

    def real(self, text: str) -> str:
        """A literal of a float."""
        return text

    def not_finite(self, value: float, bits: int) -> str:  # noqa: ARG002 (of WGSL)
        """An infinity or a NaN."""
        return self.bits.format(bits)

    def let(self, kind: Kind, count: int, name: str, text: str) -> str:
        """A step with a name."""
        return f"{self.type(kind, count)} {name} = {text};"

    def by_lanes(self, kind: Kind) -> bool:  # noqa: ARG002 (of GLSL ES)
        """Whether a choice by a vector of bools is written component by component."""
        return True

    def choice(self, flag: Expression, yes: Expression, no: Expression) -> str:
        """One of two."""
        return f"({flag.within(RELATION)} ? {yes.text} : {no.text})"

    def operation(self, sign: str, left: Expression, right: Expression, count: int) -> str:  # noqa: ARG002 (of others)
        """An operation that is no operator here; empty: it is one."""
        return ""

    def negated(self, sign: str, operand: Expression) -> str:
        """A value negated."""
        return f"{sign}{operand.within(RELATION + 5)}"

    def sample(self, call: Call) -> str:
        """A sample; raises `Lacks`."""
        raise NotImplementedError

    def size(self, target: Target, level: str) -> str:
        """The size of a level, integers."""
        raise NotImplementedError

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        """The parameters for texture and sampler."""
        raise NotImplementedError

    def parameter(self, kind: Kind, count: int, name: str) -> str:
        """A parameter."""
        return f"{self.type(kind, count)} {name}"

    @property
    def values(self) -> str:
        """The parameter for the block."""
        return "SamplerValues values"

    def function(self, returned: str, name: str, parameters: Sequence[str], body: Sequence[str]) -> str:
        """A whole function."""
        lines = "".join(f"    {line}\n" for line in body)
        return f"{returned} {name}({', '.join(parameters)}) {{\n{lines}}}\n"

    def block(self, texels: Kind) -> str:
        """The declaration of the block's type."""
        rows = [self.member(Kind.FLOAT if at else texels, count, name) for name, count, at in MEMBERS]
        return f"struct SamplerValues {{\n{''.join(f'    {row}{self.ends}{chr(10)}' for row in rows)}}};\n"

    ends: ClassVar[str] = ";"

    def member(self, kind: Kind, count: int, name: str) -> str:
        """A member of the block's type."""
        return self.parameter(kind, count, name)

    def declarations(self, target: Target, texels: Kind, forms: Sequence[Form], text: str) -> list[str]:  # noqa: ARG002
        """What the functions need before them, beside the block."""
        return []

    def remarks(self, form: Form, text: str) -> list[str]:  # noqa: ARG002 (of WGSL)
        """What a caller has to know of a function."""
        return [_UNIFORM] if form.implicit else []


class Glsl(Language):
    """GLSL 4.50."""

    name = "glsl"
    lod_query = True
    counts_layers = True
    levels = "textureQueryLevels(image)"
    functions = _FUNCTIONS | {
        "dpdx": "dFdx({})",
        "dpdy": "dFdy({})",
        "round_even": "roundEven({})",
        "query_lod": "textureQueryLod(image, {})",
    }
    bits = "uintBitsToFloat(0x{:08X}u)"
    #: Before the types of parameters that have a precision.
    precision: ClassVar[str] = ""

    def type(self, kind: Kind, count: int) -> str:
        """``ivec2``."""
        return super().type(kind, 1) if count == 1 else f"{('', 'i', 'u', 'b')[kind]}vec{count}"

    def by_lanes(self, kind: Kind) -> bool:  # noqa: ARG002
        """Not: `mix` chooses by bools."""
        return False

    def choice(self, flag: Expression, yes: Expression, no: Expression) -> str:
        """`mix` for vectors of bools."""
        return super().choice(flag, yes, no) if flag.count == 1 else f"mix({no.text}, {yes.text}, {flag.text})"

    def operation(self, sign: str, left: Expression, right: Expression, count: int) -> str:
        """Comparisons of vectors are functions."""
        names = {"<": "lessThan", "<=": "lessThanEqual", "==": "equal", "!=": "notEqual"}
        return f"{names[sign]}({left.text}, {right.text})" if count > 1 and sign in names else ""

    def negated(self, sign: str, operand: Expression) -> str:
        """`not` for vectors."""
        return f"not({operand.text})" if sign == "!" and operand.count > 1 else super().negated(sign, operand)

    def size(self, target: Target, level: str) -> str:  # noqa: ARG002
        """With the layers."""
        return f"textureSize(image, {level})"

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        """One sampler."""
        return [f"{self.precision}{_kind(texels)}sampler{suffix(target)}{'Shadow' * form.compares} image"]

    def sample(self, call: Call) -> str:
        """The reference goes into the coordinate, where there is room."""
        point, words = call.whole, []
        if call.reference is not None and call.way == "sample":
            if point.count == 4:
                words = [call.reference.text]
            else:
                pieces = [one.text for one in point.pieces or (point,)]
                if call.projects:
                    fill = ["0.0"] * (call.target.spatial == 1)
                    pieces = [call.spatial.lanes(LANES[: call.target.spatial]), *fill]
                    pieces += [call.reference.text, call.layer.text if call.layer is not None else ""]
                else:
                    pieces.append(call.reference.text)
                point = point._replace(text=f"vec{4 if call.projects else point.count + 1}({', '.join(pieces)})")
        elif call.reference is not None:
            words = [call.reference.text]
        name = {"sample": "texture", "gather": "textureGather", "fetch": "texelFetch"}[
            call.way
        ] + "Proj" * call.projects
        level = [call.lod.text] if call.lod is not None else [one.text for one in call.grad]
        if call.way == "sample" and level:
            name += "Lod" if call.lod is not None else "Grad"
        offset = [call.offset.text] if call.offset is not None else []
        more = [call.bias.text] if call.bias is not None else []
        if call.way == "gather" and call.reference is None:
            more = [str(call.component)]
        return f"{name}{'Offset' * bool(offset)}({', '.join(['image', point.text, *words, *level, *offset, *more])})"

    def declarations(self, target: Target, texels: Kind, forms: Sequence[Form], text: str) -> list[str]:  # noqa: ARG002
        """GLSL 4.50 has no `textureLod` that compares layers of 2D, or cubes."""
        needs = "textureLod" in text and any(form.compares for form in forms) and (target.cube or target.arrayed)
        return ["#extension GL_EXT_texture_shadow_lod : require\n"] * (needs and target.spatial > 1)


class GlslEs(Glsl):
    """GLSL ES 3.00, WebGL 2's; gathers want 3.10."""

    name = "glsl-es"
    lod_query = False
    levels = "int(values.levels)"
    precision = "highp "

    def by_lanes(self, kind: Kind) -> bool:
        """`mix` chooses floats alone."""
        return kind is not Kind.FLOAT

    def let(self, kind: Kind, count: int, name: str, text: str) -> str:
        """With the precision that sizes and levels need."""
        return ("" if kind is Kind.BOOL else "highp ") + super().let(kind, count, name, text)

    def parameter(self, kind: Kind, count: int, name: str) -> str:
        """Of high precision."""
        return f"highp {super().parameter(kind, count, name)}"

    def function(self, returned: str, name: str, parameters: Sequence[str], body: Sequence[str]) -> str:
        """Of high precision."""
        return super().function(f"highp {returned}", name, parameters, body)

    def sample(self, call: Call) -> str:
        """No 1D textures."""
        if call.target.spatial == 1:
            raise Lacks("GLSL ES has no 1D textures")
        if call.target.cube and call.target.arrayed:
            raise Lacks("GLSL ES 3.00 has no arrays of cubes")
        return super().sample(call)


class Wgsl(Language):
    """WGSL."""

    name = "wgsl"
    levels = "i32(textureNumLevels(image))"
    functions = _FUNCTIONS | {"dpdx": "dpdx({})", "dpdy": "dpdy({})"}
    ends = ","

    def type(self, kind: Kind, count: int) -> str:
        """``vec2i``."""
        if count == 1:
            return ("f32", "i32", "u32", "bool")[kind]
        return f"vec{count}<bool>" if kind is Kind.BOOL else f"vec{count}{'fiu'[kind]}"

    def not_finite(self, value: float, bits: int) -> str:  # noqa: ARG002
        """The greatest float: WGSL has no infinity, and no NaN."""
        if not isinf(value):
            raise Lacks("WGSL has no NaN")
        return f"{'-' if value < 0 else ''}0x1.fffffep+127f"

    def let(self, kind: Kind, count: int, name: str, text: str) -> str:  # noqa: ARG002
        """Of the type that it has."""
        return f"let {name} = {text};"

    def by_lanes(self, kind: Kind) -> bool:  # noqa: ARG002
        """Not: `select` does."""
        return False

    def choice(self, flag: Expression, yes: Expression, no: Expression) -> str:
        """No operator."""
        return f"select({no.text}, {yes.text}, {flag.text})"

    def operation(self, sign: str, left: Expression, right: Expression, count: int) -> str:
        """A shift is by an unsigned number."""
        if sign != ">>":
            return ""
        return f"({left.within(RELATION + 6)} >> {self.type(Kind.UINT, count)}({right.text}))"

    def size(self, target: Target, level: str) -> str:
        """Unsigned there, without layers."""
        return f"{self.type(Kind.INT, target.axes)}(textureDimensions(image, {level}))"

    def parameter(self, kind: Kind, count: int, name: str) -> str:
        """The type comes last."""
        return f"{name}: {self.type(kind, count)}"

    @property
    def values(self) -> str:
        """By value."""
        return "values: SamplerValues"

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        """Texture and sampler."""
        name = ("1d", "2d", "3d", "cube")[target.dim] + "_array" * target.arrayed
        if form.compares:
            return [f"image: texture_depth_{name}", "image_sampler: sampler_comparison"]
        return [f"image: texture_{name}<{self.type(texels, 1)}>", "image_sampler: sampler"]

    def function(self, returned: str, name: str, parameters: Sequence[str], body: Sequence[str]) -> str:
        """The type comes last."""
        return super().function("fn", name, parameters, body).replace(") {\n", f") -> {returned} {{\n", 1)

    def block(self, texels: Kind) -> str:
        """Without a semicolon."""
        return super().block(texels).replace("};", "}")

    def sample(self, call: Call) -> str:
        """Layers are integers, rounded half to even."""
        if call.target.spatial == 1 and (call.target.arrayed or call.reference is not None):
            raise Lacks("WGSL has no layers of 1D textures, and compares none")
        if call.bias is not None and (call.reference is not None or call.target.spatial == 1):
            raise Lacks("WGSL compares, and samples 1D textures, without an LOD bias")
        point, layer = divided(call)
        reference = [point[1]] if call.reference is not None else []
        offset = [call.offset.text] if call.offset is not None else []
        layers = [] if layer is None else [layer if call.way == "fetch" else f"i32(max(round({layer}), 0.0))"]
        level = [call.lod.text] if call.lod is not None else [one.text for one in call.grad]
        if call.way == "fetch":
            if offset:
                raise Lacks("WGSL fetches without an offset")
            return f"textureLoad({', '.join(['image', point[0], *layers, *level])})"
        operands = ["image", "image_sampler", point[0], *layers, *reference]
        if call.way == "gather":
            first = [] if reference else [str(call.component)]
            return f"textureGather{'Compare' * bool(reference)}({', '.join([*first, *operands, *offset])})"
        name = "textureSample" + "Compare" * bool(reference)
        if reference:
            name += "Level" * bool(level)
        else:
            name += (
                "Bias" if call.bias is not None else "" if not level else "Level" if call.lod is not None else "Grad"
            )
            operands += [call.bias.text] if call.bias is not None else level
        return f"{name}({', '.join([*operands, *offset])})"

    def remarks(self, form: Form, text: str) -> list[str]:
        """Of infinities too."""
        more = ["WGSL has no infinity: where it stood is the greatest float"] * ("0x1.fffffep+127f" in text)
        more += [_LEVEL_0.format("WGSL")] * ("CompareLevel(" in text)
        explicit = "textureSampleLevel(" in text or "textureSampleGrad(" in text
        more += ["WGSL samples 1D textures at an implicit level: wgpu takes others"] * ("_1d<" in text and explicit)
        return super().remarks(form, text) + more


class Hlsl(Language):
    """HLSL, shader model 5."""

    name = "hlsl"
    splats = False
    functions = _FUNCTIONS | {"dpdx": "ddx({})", "dpdy": "ddy({})", "mix": "lerp({}, {}, {})"}
    title: ClassVar[str] = "HLSL"

    def size(self, target: Target, level: str) -> str:  # noqa: ARG002
        """A function of `declarations`."""
        return f"texture_size(image, {level})"

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        """Texture and sampler."""
        return [
            f"{self.texture(target, texels, form)} image",
            f"Sampler{'Comparison' * form.compares}State image_sampler",
        ]

    def texture(self, target: Target, texels: Kind, form: Form) -> str:
        """The texture's type."""
        texel = self.type(texels, 1 if form.compares else 4)
        return f"Texture{suffix(target)}<{texel}>"

    def sample(self, call: Call) -> str:
        """A method of the texture."""
        point, layer = divided(call)
        at = point[0]
        if layer is not None:
            layer = layer if call.way == "fetch" else f"max(round({layer}), 0.0)"
            at = f"{self.type(call.spatial.kind, call.target.spatial + 1)}({at}, {layer})"
        offset = [call.offset.text] if call.offset is not None else []
        level = [call.lod.text] if call.lod is not None else [one.text for one in call.grad]
        if call.way == "fetch":
            count = call.target.spatial + call.target.arrayed + 1
            return f"image.Load({', '.join([f'{self.type(Kind.INT, count)}({at}, {level[0]})', *offset])})"
        if call.way == "gather":
            name = (
                "GatherCmp"
                if call.reference is not None
                else f"Gather{('Red', 'Green', 'Blue', 'Alpha')[call.component]}"
            )
            return f"image.{name}({', '.join(['image_sampler', at, *point[1:], *offset])})"
        if call.reference is not None:
            if call.bias is not None:
                raise Lacks(f"{self.title} compares without an LOD bias")
            name = "SampleCmp" + "LevelZero" * bool(level)
            return f"image.{name}({', '.join(['image_sampler', at, point[1], *offset])})"
        name = "Bias" if call.bias is not None else "" if not level else "Level" if call.lod is not None else "Grad"
        level = [call.bias.text] if call.bias is not None else level
        return f"image.Sample{name}({', '.join(['image_sampler', at, *level, *offset])})"

    def declarations(self, target: Target, texels: Kind, forms: Sequence[Form], text: str) -> list[str]:
        """Sizes and numbers of levels come back through parameters."""
        names = [*("width", "height", "depth")[: target.axes], *["layers"] * target.arrayed, "levels"]
        made = []
        kinds = dict.fromkeys(self.texture(target, texels, form) for form in forms)
        for kind in kinds:
            head = f"    uint {', '.join(names)};\n"
            ask = f"    image.GetDimensions({{}}, {', '.join(names)});\n"
            if "texture_size(" in text:
                size = self.type(Kind.INT, target.axes)
                answer = f"    return {size}({', '.join(names[: target.axes])});\n}}\n"
                made.append(f"{size} texture_size({kind} image, int level) {{\n{head}{ask.format('level')}{answer}")
            if "texture_levels(" in text:
                answer = "    return int(levels);\n}\n"
                made.append(f"int texture_levels({kind} image) {{\n{head}{ask.format('0')}{answer}")
        return made

    def remarks(self, form: Form, text: str) -> list[str]:
        """Of comparisons too."""
        return super().remarks(form, text) + [_LEVEL_0.format(self.title)] * ("CmpLevelZero(" in text)


class Slang(Hlsl):
    """Slang, by HLSL's names."""

    name = "slang"
    title = "Slang"

    def texture(self, target: Target, texels: Kind, form: Form) -> str:
        """Depth has a type of its own."""
        return f"DepthTexture{suffix(target)}" if form.compares else super().texture(target, texels, form)


class Metal(Language):
    """Metal Shading Language."""

    name = "msl"
    levels = "int(image.get_num_mip_levels())"
    functions = _FUNCTIONS | {"dpdx": "dfdx({})", "dpdy": "dfdy({})", "round_even": "rint({})"}
    bits = "as_type<float>(0x{:08X}u)"

    def real(self, text: str) -> str:
        """Not a double."""
        return f"{text}f"

    def by_lanes(self, kind: Kind) -> bool:  # noqa: ARG002
        """Not: `select` does."""
        return False

    def choice(self, flag: Expression, yes: Expression, no: Expression) -> str:
        """`select` for vectors of bools."""
        return super().choice(flag, yes, no) if flag.count == 1 else f"select({no.text}, {yes.text}, {flag.text})"

    def size(self, target: Target, level: str) -> str:
        """Axis by axis."""
        level = "" if target.spatial == 1 else level
        axes = [f"int(image.get_{axis}({level}))" for axis in ("width", "height", "depth")[: target.axes]]
        return axes[0] if len(axes) == 1 else f"int{len(axes)}({', '.join(axes)})"

    @property
    def values(self) -> str:
        """By reference, from constant memory."""
        return "constant SamplerValues& values"

    def member(self, kind: Kind, count: int, name: str) -> str:
        """Three floats are packed, to be followed by a fourth."""
        return ("packed_" if count == 3 else "") + super().member(kind, count, name)

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        """Texture and sampler."""
        name = ("1d", "2d", "3d", "cube")[target.dim] + "_array" * target.arrayed
        return [
            f"{'depth' if form.compares else 'texture'}{name}<{self.type(texels, 1)}> image",
            "sampler image_sampler",
        ]

    def sample(self, call: Call) -> str:
        """A method; levels and gradients are objects."""
        if call.target.spatial == 1 and call.reference is not None:
            raise Lacks("Metal compares no 1D textures")
        if call.target.spatial == 1 and (call.lod is not None or call.bias is not None) and call.way == "sample":
            raise Lacks("Metal's 1D textures have one level, which it samples without one")
        point, layer = divided(call)
        layers = [] if layer is None else [layer if call.way == "fetch" else f"uint(rint(max({layer}, 0.0f)))"]
        offset = [call.offset.text] if call.offset is not None else []
        if call.way == "fetch":
            at = f"{self.type(Kind.UINT, call.target.spatial)}({point[0]})"
            level = [] if call.target.spatial == 1 or call.lod is None else [f"uint({call.lod.text})"]
            if offset:
                raise Lacks("Metal fetches without an offset")
            return f"image.read({', '.join([at, *(f'uint({one})' for one in layers), *level])})"
        operands = ["image_sampler", point[0], *layers, *point[1:]]
        if call.way == "gather":
            if call.reference is not None:
                return f"image.gather_compare({', '.join([*operands, *offset])})"
            channel = [] if not call.component else [f"component::{LANES[call.component]}"]
            steady = offset or (["int2(0)"] if channel and not call.target.cube else [])
            return f"image.gather({', '.join([*operands, *steady, *channel])})"
        if call.lod is not None:
            operands.append(f"level({call.lod.text})")
        elif call.grad:
            shape = "cube" if call.target.cube else "3d" if call.target.spatial == 3 else "2d"
            operands.append(f"gradient{shape}({', '.join(one.text for one in call.grad)})")
        elif call.bias is not None:
            operands.append(f"bias({call.bias.text})")
        return f"image.sample{'_compare' * (call.reference is not None)}({', '.join([*operands, *offset])})"

    def remarks(self, form: Form, text: str) -> list[str]:
        """Of NaNs too."""
        fast = ["compile it with -fno-fast-math: else an infinite or NaN coordinate or texel may spread"]
        return super().remarks(form, text) + fast * ("max(" in text)


def _kind(texels: Kind) -> str:
    return ("", "i", "u")[texels]


def suffix(target: Target) -> str:
    """The end of a texture's type in GLSL and HLSL: ``2DArray``."""
    return ("1D", "2D", "3D", "Cube")[target.dim] + "Array" * target.arrayed


def divided(call: Call) -> tuple[list[str], str | None]:
    """The coordinate and, where there is one, the reference, both divided where the sample projects; and the layer."""
    parts = [call.spatial, *([call.reference] if call.reference is not None else [])]
    if call.spatial.count > call.target.spatial:  # of a 1D comparison, as GLSL has it
        parts[0] = call.spatial._replace(text=call.spatial.lanes("x"))
    if not call.projects or call.layer is None:
        return [one.text for one in parts], None if call.layer is None else call.layer.text
    q = call.layer.within(PRODUCT + 1)
    return [f"{one.within(PRODUCT)} / {q}" for one in parts], None


#: Name -> language.
LANGUAGES: Final = {one.name: one() for one in (Glsl, GlslEs, Wgsl, Hlsl, Slang, Metal)}
