"""Metal Shading Language. Source: version 3, 6.12."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.shader.text.expression import LANES, Lacks
from statetracker.shader.text.language import FUNCTIONS, Language, divided
from statetracker.spirv import Kind

if TYPE_CHECKING:
    from statetracker.shader.text.expression import Call
    from statetracker.shader.text.template import Form, Target


class Metal(Language):
    """Metal Shading Language."""

    name = "msl"
    levels = "int(image.get_num_mip_levels())"
    functions = FUNCTIONS | {"dpdx": "dfdx({})", "dpdy": "dfdy({})", "round_even": "rint({})"}
    chosen_lanes = "select({1}, {0}, {2})"
    float_ends = "f"
    values = "constant SamplerValues& values"
    bits = "as_type<float>(0x{:08X}u)"

    def size(self, target: Target, level: str) -> str:
        """Axis by axis."""
        level = "" if target.spatial == 1 else level
        axes = [f"int(image.get_{axis}({level}))" for axis in ("width", "height", "depth")[: target.axes]]
        return axes[0] if len(axes) == 1 else f"int{len(axes)}({', '.join(axes)})"

    def member(self, kind: Kind, count: int, name: str) -> str:
        """Three floats are packed, to be followed by a fourth."""
        return ("packed_" if count == 3 else "") + super().member(kind, count, name)

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        """Texture and sampler."""
        name = ("1d", "2d", "3d", "cube")[target.dim] + "_array" * target.arrayed
        name = ("depth" if form.compares else "texture") + name
        return [f"{name}<{self.type(texels, 1)}> image", "sampler image_sampler"]

    def sample(self, call: Call) -> str:
        """A method; levels and gradients are objects."""
        if call.target.spatial == 1 and call.reference is not None:
            raise Lacks("Metal compares no 1D textures")
        if call.target.spatial == 1 and (call.lod is not None or call.bias is not None) and call.way == "sample":
            raise Lacks("Metal's 1D textures have one level, which it samples without one")
        point, layer = divided(call)
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

    def remarks(self, form: Form, text: str) -> list[str]:
        """Of NaNs too."""
        fast = ["compile it with -fno-fast-math: else an infinite or NaN coordinate or texel may spread"]
        return super().remarks(form, text) + fast * ("max(" in text)
