"""HLSL of shader model 5, and Slang by its names. Source: HLSL's texture objects; Slang's core module."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from statetracker.shader.text.expression import Lacks
from statetracker.shader.text.language import FUNCTIONS, LEVEL_0, Language, divided, suffix
from statetracker.spirv import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.shader.text.expression import Call
    from statetracker.shader.text.template import Form, Target


class Hlsl(Language):
    """HLSL, shader model 5."""

    name = "hlsl"
    splats = False
    by_lanes = tuple(Kind)
    functions = FUNCTIONS | {"dpdx": "ddx({})", "dpdy": "ddy({})", "mix": "lerp({}, {}, {})"}
    title: ClassVar[str] = "HLSL"

    def size(self, target: Target, level: str) -> str:  # noqa: ARG002
        """A function of `declarations`."""
        return f"texture_size(image, {level})"

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        """Texture and sampler."""
        sampler = f"Sampler{'Comparison' * form.compares}State image_sampler"
        return [f"{self.texture(target, texels, form)} image", sampler]

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

    def remarks(self, form: Form, text: str) -> list[str]:
        """Of comparisons too."""
        return super().remarks(form, text) + [LEVEL_0.format(self.title)] * ("CmpLevelZero(" in text)


class Slang(Hlsl):
    """Slang, by HLSL's names."""

    name = "slang"
    title = "Slang"

    def texture(self, target: Target, texels: Kind, form: Form) -> str:
        """Depth has a type of its own."""
        return f"DepthTexture{suffix(target)}" if form.compares else super().texture(target, texels, form)
