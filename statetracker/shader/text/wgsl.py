"""WGSL. Source: its chapter 17, ``Texture Built-in Functions``."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

from statetracker.shader.text.expression import Lacks, Rank
from statetracker.shader.text.language import FUNCTIONS, LEVEL_0, Language, divided
from statetracker.spirv import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.shader.text.expression import Call, Expression
    from statetracker.shader.text.template import Form, Target


class Wgsl(Language):
    """WGSL."""

    name = "wgsl"
    levels = "i32(textureNumLevels(image))"
    functions = FUNCTIONS | {"dpdx": "dpdx({})", "dpdy": "dpdy({})"}
    chosen = chosen_lanes = "select({1}, {0}, {2})"
    ends = ","
    values = "values: SamplerValues"

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

    def operation(self, sign: str, left: Expression, right: Expression, count: int) -> str:
        """A shift is by an unsigned number."""
        if sign != ">>":
            return ""
        return f"({left.within(Rank.ATOM)} >> {self.type(Kind.UINT, count)}({right.text}))"

    def size(self, target: Target, level: str) -> str:
        """Unsigned there, without layers."""
        return f"{self.type(Kind.INT, target.axes)}(textureDimensions(image, {level}))"

    def parameter(self, kind: Kind, count: int, name: str) -> str:
        """The type comes last."""
        return f"{name}: {self.type(kind, count)}"

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

    def remarks(self, form: Form, text: str) -> list[str]:
        """Of infinities too."""
        more = ["WGSL has no infinity: where it stood is the greatest float"] * ("0x1.fffffep+127f" in text)
        more += [LEVEL_0.format("WGSL")] * ("CompareLevel(" in text)
        explicit = "textureSampleLevel(" in text or "textureSampleGrad(" in text
        more += ["WGSL samples 1D textures at an implicit level: wgpu takes others"] * ("_1d<" in text and explicit)
        return super().remarks(form, text) + more
