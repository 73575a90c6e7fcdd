"""The languages: GLSL 4.50, GLSL ES 3.00 (WebGL 2's), WGSL, HLSL of shader model 5, Slang by HLSL's names, and MSL.

Source: chapter 8 of GLSL and of GLSL ES; WGSL, 17, ``Texture Built-in Functions``; HLSL's texture objects; Slang's core
module; Metal Shading Language, version 3, 6.12.
"""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING, Final

from statetracker.shader.text.language import FUNCTIONS, LANES, LEVEL_0, Call, Expression, Lacks, Language, Rank, suffix
from statetracker.spirv import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.shader.text.template import Form, Target


def _shape(target: Target) -> str:
    """Return the end of a texture's type in WGSL and MSL: ``2d_array``."""
    return ("1d", "2d", "3d", "cube")[target.dim] + "_array" * target.arrayed


def _divided(call: Call) -> tuple[list[str], str | None]:
    """Return the coordinate and reference, if any, both divided where the sample projects; and the layer."""
    parts = [call.spatial, *([call.reference] if call.reference is not None else [])]
    if call.spatial.width > call.target.spatial:  # of a 1D comparison, as GLSL has it
        parts[0] = call.spatial._replace(text=call.spatial.lanes("x"))
    if not call.projects or call.layer is None:
        return [one.text for one in parts], None if call.layer is None else call.layer.text
    q = call.layer.within(Rank.UNARY)
    return [f"{one.within(Rank.PRODUCT)} / {q}" for one in parts], None


class _Glsl(Language):
    """GLSL 4.50."""

    name = "glsl"
    lod_query = True
    counts_layers = True
    levels = "textureQueryLevels(image)"
    functions = FUNCTIONS | {
        "dpdx": "dFdx({})",
        "dpdy": "dFdy({})",
        "round_even": "roundEven({})",
        "query_lod": "textureQueryLod(image, {})",
    }
    bits = "uintBitsToFloat(0x{:08X}u)"
    chosen_lanes = "mix({1}, {0}, {2})"

    def type(self, kind: Kind, count: int) -> str:
        return super().type(kind, 1) if count == 1 else f"{('', 'i', 'u', 'b')[kind]}vec{count}"

    def operation(self, sign: str, left: Expression, right: Expression, count: int) -> str:
        """Comparisons of vectors are functions."""
        names = {"<": "lessThan", "<=": "lessThanEqual", "==": "equal", "!=": "notEqual"}
        return f"{names[sign]}({left.text}, {right.text})" if count > 1 and sign in names else ""

    def negated(self, sign: str, operand: Expression) -> str:
        return f"not({operand.text})" if sign == "!" and operand.width > 1 else super().negated(sign, operand)

    def size(self, target: Target, level: str) -> str:  # noqa: ARG002
        return f"textureSize(image, {level})"

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        return [f"{self.precision}{('', 'i', 'u')[texels]}sampler{suffix(target)}{'Shadow' * form.compares} image"]

    def sample(self, call: Call) -> str:
        """Write a sample; the reference goes into the coordinate, where there is room."""
        if call.reference is not None and call.grad and call.whole.width == 4:
            raise Lacks("GLSL compares arrays of cubes without gradients")
        point, words = call.whole, []
        if call.reference is not None and (call.way != "sample" or point.width == 4):
            words = [call.reference.text]
        elif call.reference is not None:
            pieces, after, width = [one.text for one in point.pieces or (point,)], [], point.width + 1
            if call.projects and call.layer is not None:
                fill = ["0.0"] * (call.target.spatial == 1)
                pieces, after, width = [call.spatial.lanes(LANES[: call.target.spatial]), *fill], [call.layer.text], 4
            point = point._replace(text=f"vec{width}({', '.join([*pieces, call.reference.text, *after])})")
        names = {"sample": "texture", "gather": "textureGather", "fetch": "texelFetch"}
        name = names[call.way] + "Proj" * call.projects
        level, more = ([], call.levels) if call.bias else (call.levels, [])
        name += {"Level": "Lod", "Grad": "Grad"}.get(call.by if call.way == "sample" else "", "")
        if call.way == "gather" and call.reference is None:
            more = [str(call.component)]
        operands = ["image", point.text, *words, *level, *call.offsets, *more]
        return f"{name}{'Offset' * bool(call.offset)}({', '.join(operands)})"

    def declarations(self, target: Target, texels: Kind, forms: Sequence[Form], text: str) -> list[str]:  # noqa: ARG002
        """GLSL 4.50 has no `textureLod` that compares layers of 2D, or cubes."""
        needs = "textureLod" in text and any(form.compares for form in forms) and (target.cube or target.arrayed)
        return ["#extension GL_EXT_texture_shadow_lod : require\n"] * (needs and target.spatial > 1)


class _GlslEs(_Glsl):
    """GLSL ES 3.00, WebGL 2's; gathers want 3.10."""

    name = "glsl-es"
    lod_query = False
    levels = "int(values.levels)"
    precision = "highp "  # what sizes and levels need
    by_lanes = (Kind.INT, Kind.UINT, Kind.BOOL)  # `mix` chooses floats alone

    def sample(self, call: Call) -> str:
        if call.target.spatial == 1:
            raise Lacks("GLSL ES has no 1D textures")
        if call.target.cube and call.target.arrayed:
            raise Lacks("GLSL ES 3.00 has no arrays of cubes")
        return super().sample(call)


class _Wgsl(Language):
    """WGSL."""

    name = "wgsl"
    levels = "i32(textureNumLevels(image))"
    functions = FUNCTIONS | {"dpdx": "dpdx({})", "dpdy": "dpdy({})"}
    chosen = chosen_lanes = "select({1}, {0}, {2})"
    ends = ","
    values = "values: SamplerValues"
    title = "WGSL"
    remarked = (
        (r"0x1\.fffffep\+127f", "WGSL has no infinity: where it stood is the greatest float"),
        (r"CompareLevel\(", LEVEL_0),
        (r"_1d<.*textureSample(Level|Grad)\(", "WGSL samples 1D textures at an implicit level: wgpu takes others"),
    )

    def type(self, kind: Kind, count: int) -> str:
        if count == 1:
            return ("f32", "i32", "u32", "bool")[kind]
        return f"vec{count}<bool>" if kind is Kind.BOOL else f"vec{count}{'fiu'[kind]}"

    def not_finite(self, value: float, bits: int) -> str:  # noqa: ARG002
        """Return the greatest float: WGSL has no infinity, and no NaN."""
        if not isinf(value):
            raise Lacks("WGSL has no NaN")
        return f"{'-' if value < 0 else ''}0x1.fffffep+127f"

    def let(self, kind: Kind, count: int, name: str, text: str) -> str:  # noqa: ARG002
        return f"let {name} = {text};"

    def operation(self, sign: str, left: Expression, right: Expression, count: int) -> str:
        """Write a shift, which is by an unsigned number."""
        if sign != ">>":
            return ""
        return f"({left.within(Rank.ATOM)} >> {self.type(Kind.UINT, count)}({right.text}))"

    def size(self, target: Target, level: str) -> str:
        return f"{self.type(Kind.INT, target.axes)}(textureDimensions(image, {level}))"

    def parameter(self, kind: Kind, count: int, name: str) -> str:
        return f"{name}: {self.type(kind, count)}"

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        if form.compares:
            return [f"image: texture_depth_{_shape(target)}", "image_sampler: sampler_comparison"]
        return [f"image: texture_{_shape(target)}<{self.type(texels, 1)}>", "image_sampler: sampler"]

    def function(self, returned: str, name: str, parameters: Sequence[str], body: Sequence[str]) -> str:
        return super().function("fn", name, parameters, body).replace(") {\n", f") -> {returned} {{\n", 1)

    def block(self, texels: Kind) -> str:
        return super().block(texels).replace("};", "}")

    def sample(self, call: Call) -> str:
        """Layers are integers, rounded half to even."""
        if call.target.spatial == 1 and (call.target.arrayed or call.reference is not None):
            raise Lacks("WGSL has no layers of 1D textures, and compares none")
        if call.bias is not None and (call.reference is not None or call.target.spatial == 1):
            raise Lacks("WGSL compares, and samples 1D textures, without an LOD bias")
        point, layer = _divided(call)
        reference = [point[1]] if call.reference is not None else []
        layers = [] if layer is None else [layer if call.way == "fetch" else f"i32(max(round({layer}), 0.0))"]
        if call.way == "fetch":
            if call.offset:
                raise Lacks("WGSL fetches without an offset")
            return f"textureLoad({', '.join(['image', point[0], *layers, *call.levels])})"
        operands = ["image", "image_sampler", point[0], *layers, *reference]
        if call.way == "gather":
            first = [] if reference else [str(call.component)]
            return f"textureGather{'Compare' * bool(reference)}({', '.join([*first, *operands, *call.offsets])})"
        name = "textureSample" + "Compare" * bool(reference)
        name += "Level" * bool(call.by) if reference else call.by
        return f"{name}({', '.join([*operands, *(call.levels if not reference else ()), *call.offsets])})"


class _Hlsl(Language):
    """HLSL, shader model 5."""

    name = "hlsl"
    splats = False
    by_lanes = tuple(Kind)
    functions = FUNCTIONS | {"dpdx": "ddx({})", "dpdy": "ddy({})", "mix": "lerp({}, {}, {})"}
    title = "HLSL"
    remarked = ((r"CmpLevelZero\(", LEVEL_0),)

    def size(self, target: Target, level: str) -> str:  # noqa: ARG002
        return f"texture_size(image, {level})"

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        sampler = f"Sampler{'Comparison' * form.compares}State image_sampler"
        return [f"{self.texture(target, texels, form)} image", sampler]

    def texture(self, target: Target, texels: Kind, form: Form) -> str:
        texel = self.type(texels, 1 if form.compares else 4)
        return f"Texture{suffix(target)}<{texel}>"

    def sample(self, call: Call) -> str:
        point, layer = _divided(call)
        at = point[0]
        if layer is not None:
            layer = layer if call.way == "fetch" else f"max(round({layer}), 0.0)"
            at = f"{self.type(call.spatial.kind, call.target.spatial + 1)}({at}, {layer})"
        if call.way == "fetch":
            count = call.target.spatial + call.target.arrayed + 1
            return f"image.Load({', '.join([f'{self.type(Kind.INT, count)}({at}, {call.levels[0]})', *call.offsets])})"
        if call.way == "gather":
            name = "Gather" + ("Cmp" if call.reference else ("Red", "Green", "Blue", "Alpha")[call.component])
            return f"image.{name}({', '.join(['image_sampler', at, *point[1:], *call.offsets])})"
        if call.reference is not None:
            if call.bias is not None:
                raise Lacks(f"{self.title} compares without an LOD bias")
            name = "SampleCmp" + "LevelZero" * bool(call.by)
            return f"image.{name}({', '.join(['image_sampler', at, point[1], *call.offsets])})"
        return f"image.Sample{call.by}({', '.join(['image_sampler', at, *call.levels, *call.offsets])})"

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


class _Slang(_Hlsl):
    """Slang, by HLSL's names."""

    name = "slang"
    title = "Slang"

    def texture(self, target: Target, texels: Kind, form: Form) -> str:
        return f"DepthTexture{suffix(target)}" if form.compares else super().texture(target, texels, form)


class _Metal(Language):
    """Metal Shading Language."""

    name = "msl"
    levels = "int(image.get_num_mip_levels())"
    functions = FUNCTIONS | {"dpdx": "dfdx({})", "dpdy": "dfdy({})", "round_even": "rint({})"}
    chosen_lanes = "select({1}, {0}, {2})"
    float_ends = "f"
    packed = "packed_"
    values = "constant SamplerValues& values"
    bits = "as_type<float>(0x{:08X}u)"
    remarked = ((r"max\(", "compile it with -fno-fast-math: else an infinite or NaN coordinate or texel may spread"),)

    def size(self, target: Target, level: str) -> str:
        level = "" if target.spatial == 1 else level
        axes = [f"int(image.get_{axis}({level}))" for axis in ("width", "height", "depth")[: target.axes]]
        return axes[0] if len(axes) == 1 else f"int{len(axes)}({', '.join(axes)})"

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        kind = "depth" if form.compares else "texture"
        return [f"{kind}{_shape(target)}<{self.type(texels, 1)}> image", "sampler image_sampler"]

    def sample(self, call: Call) -> str:
        if call.target.spatial == 1 and call.reference is not None:
            raise Lacks("Metal compares no 1D textures")
        if call.target.spatial == 1 and call.by and call.way == "sample":
            raise Lacks("Metal's 1D textures have one level, which it samples without one")
        point, layer = _divided(call)
        layers = [] if layer is None else [layer if call.way == "fetch" else f"uint(rint(max({layer}, 0.0f)))"]
        if call.way == "fetch":
            at = f"{self.type(Kind.UINT, call.target.spatial)}({point[0]})"
            level = [] if call.target.spatial == 1 or call.lod is None else [f"uint({call.lod.text})"]
            if call.offset:
                raise Lacks("Metal fetches without an offset")
            return f"image.read({', '.join([at, *(f'uint({one})' for one in layers), *level])})"
        operands = ["image_sampler", point[0], *layers, *point[1:]]
        if call.way == "gather":
            if call.reference is not None:
                return f"image.gather_compare({', '.join([*operands, *call.offsets])})"
            channel = [] if not call.component else [f"component::{LANES[call.component]}"]
            steady = call.offsets or (["int2(0)"] if channel and not call.target.cube else [])
            return f"image.gather({', '.join([*operands, *steady, *channel])})"
        if call.by:
            shape = "cube" if call.target.cube else "3d" if call.target.spatial == 3 else "2d"
            option = f"gradient{shape}" if call.grad else call.by.lower()
            operands.append(f"{option}({', '.join(call.levels)})")
        return f"image.sample{'_compare' * (call.reference is not None)}({', '.join([*operands, *call.offsets])})"


#: Name -> language.
LANGUAGES: Final = {one.name: one() for one in (_Glsl, _GlslEs, _Wgsl, _Hlsl, _Slang, _Metal)}
