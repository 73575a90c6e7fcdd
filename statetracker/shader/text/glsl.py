"""GLSL 4.50, and GLSL ES 3.00, which is WebGL 2's. Source: their chapter 8."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from statetracker.shader.text.expression import LANES, Lacks
from statetracker.shader.text.language import FUNCTIONS, Language, suffix
from statetracker.spirv import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.shader.text.expression import Call, Expression
    from statetracker.shader.text.template import Form, Target


class Glsl(Language):
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
    #: Before the types of parameters that have a precision.
    precision: ClassVar[str] = ""

    def type(self, kind: Kind, count: int) -> str:
        """``ivec2``."""
        return super().type(kind, 1) if count == 1 else f"{('', 'i', 'u', 'b')[kind]}vec{count}"

    def operation(self, sign: str, left: Expression, right: Expression, count: int) -> str:
        """Comparisons of vectors are functions."""
        names = {"<": "lessThan", "<=": "lessThanEqual", "==": "equal", "!=": "notEqual"}
        return f"{names[sign]}({left.text}, {right.text})" if count > 1 and sign in names else ""

    def negated(self, sign: str, operand: Expression) -> str:
        """`not` for vectors."""
        return f"not({operand.text})" if sign == "!" and operand.width > 1 else super().negated(sign, operand)

    def size(self, target: Target, level: str) -> str:  # noqa: ARG002
        """With the layers."""
        return f"textureSize(image, {level})"

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        """One sampler."""
        return [f"{self.precision}{('', 'i', 'u')[texels]}sampler{suffix(target)}{'Shadow' * form.compares} image"]

    def sample(self, call: Call) -> str:
        """The reference goes into the coordinate, where there is room."""
        point, words = call.whole, []
        if call.reference is not None and call.way == "sample":
            if point.width == 4:
                words = [call.reference.text]
            else:
                pieces = [one.text for one in point.pieces or (point,)]
                if call.projects:
                    fill = ["0.0"] * (call.target.spatial == 1)
                    pieces = [call.spatial.lanes(LANES[: call.target.spatial]), *fill]
                    pieces += [call.reference.text, call.layer.text if call.layer is not None else ""]
                else:
                    pieces.append(call.reference.text)
                point = point._replace(text=f"vec{4 if call.projects else point.width + 1}({', '.join(pieces)})")
        elif call.reference is not None:
            words = [call.reference.text]
        name = {"sample": "texture", "gather": "textureGather", "fetch": "texelFetch"}[call.way]
        name += "Proj" * call.projects
        level, more = ([], call.levels) if call.bias else (call.levels, [])
        if call.way == "sample":
            name += {"Level": "Lod", "Grad": "Grad"}.get(call.by, "")
        if call.way == "gather" and call.reference is None:
            more = [str(call.component)]
        operands = ["image", point.text, *words, *level, *call.offsets, *more]
        return f"{name}{'Offset' * bool(call.offset)}({', '.join(operands)})"

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
    by_lanes = (Kind.INT, Kind.UINT, Kind.BOOL)  # `mix` chooses floats alone

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
