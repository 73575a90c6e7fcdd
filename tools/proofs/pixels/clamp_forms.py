"""Every form of sampling that the GL_CLAMP rewrite knows, as small fragment shaders with the textures they need.

Each draws over a square of `SIDE` x `SIDE` texels, with coordinates from -1.5 to 2.5. None
falls exactly on a texel's centre or border: there a gather may read the next texels, a rounding away, on any hardware.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

__all__ = ["BIAS", "FORMS", "SIDE", "Form", "fragment", "size_of"]

SIDE: Final = 48
#: A bias that is no whole number, one a quad.
BIAS: Final = "(d * 2.0 - 0.5)"

_SHADER: Final = """\
#version 450
layout(binding = 0) uniform {kind} s{array};
layout(location = 0) out vec4 texel;
vec2 at = gl_FragCoord.xy + 0.05;
vec4 c = vec4(at, at.x * 0.5 + at.y * 0.5, 0.0) / {side}.0 * 4.0 - 1.5;
ivec2 quad = ivec2(gl_FragCoord.xy) / 2;
float d = fract(float(quad.x) * 0.37 + float(quad.y) * 0.21);
int i = (int(gl_FragCoord.x) / 4 + int(gl_FragCoord.y) / 4) % 4;
{functions}
void main() {{
    texel = vec4({expression});
}}
"""


class Form(NamedTuple):
    """One form.

    Attributes:
        name: As reports have it.
        target: Of the texture; a size and a number of levels where ``size`` and ``levels`` say so.
        expression: GLSL: ``AT`` is the coordinate, ``d`` a number in [0, 1), one a quad, ``i`` an index below 4, ``s``
            the sampler.
        wraps: GL wraps of s, t, r: ``c`` GL_CLAMP, ``m`` GL_MIRROR_CLAMP_EXT, ``r`` GL_REPEAT; one text an element.
        judged: ``exact``: no difference at sizes that are powers of two; ``close``: at most 1e-5 anywhere; ``bias``:
            within the driver's own precision of levels.
    """

    name: str
    target: str
    expression: str
    wraps: tuple[str, ...] = ("ccc",)
    judged: str = "exact"
    levels: int = 1
    size: tuple[int, ...] = ()
    shadow: bool = False
    functions: str = ""
    array: str = ""
    sampler_bias: float = 0.0


#: Target -> (GLSL sampler, coordinate, sizes that are powers of two).
_TARGETS: Final = {
    "1d": ("sampler1D", "c.x", (8,)),
    "2d": ("sampler2D", "c.xy", (8, 4)),
    "3d": ("sampler3D", "c.xyz", (8, 4, 4)),
    "1d-array": ("sampler1DArray", "vec2(c.x, 1.0)", (8, 3)),
    "2d-array": ("sampler2DArray", "vec3(c.xy, 1.0)", (8, 4, 3)),
    "rect": ("sampler2DRect", "c.xy * vec2(textureSize(s))", (8, 4)),
    "cube": ("samplerCube", "c.xyz - 0.5", (8, 8)),
}
_LONG: Final = {"1d": (32,), "2d": (32, 64), "3d": (32, 16, 16), "2d-array": (32, 32, 3)}
_MIXED: Final = ("ccc", "rrr", "crc", "mcr")
_OFFSETS: Final = {
    "1d": "2",
    "1d-array": "2",
    "2d": "ivec2(2, -3)",
    "2d-array": "ivec2(2, -3)",
    "3d": "ivec3(2, -1, 1)",
}
_FUNCTION: Final = "vec4 read(sampler2D one, vec2 at) { return texture(one, at); }"
_NESTED: Final = "vec4 deep(sampler2D one, vec2 at) { return read(one, at * 1.25) + read(one, at); }"


def _plain() -> list[Form]:
    forms = []
    for target in ("1d", "2d", "3d", "1d-array", "2d-array", "rect"):
        forms.append(Form(f"implicit {target}", target, "texture(s, AT)"))
        if target != "rect":
            offset = _OFFSETS[target]
            forms += [
                Form(f"lod {target}", target, "textureLod(s, AT, 0.0)"),
                Form(f"offset {target}", target, f"textureOffset(s, AT, {offset})"),
                Form(f"lod offset {target}", target, f"textureLodOffset(s, AT, 0.0, {offset})"),
            ]
    for target in ("1d", "2d", "3d"):
        forms.append(Form(f"mirror clamp {target}", target, "texture(s, AT)", ("mmm",)))
    return [
        *forms,
        Form("one axis 2d", "2d", "texture(s, AT)", ("crr",)),
        Form("other axis 2d", "2d", "texture(s, AT)", ("rcr",)),
        Form("mirror clamp and clamp 2d", "2d", "texture(s, AT)", ("mcr",)),
        Form("mirror clamp offset 2d", "2d", "textureOffset(s, AT, ivec2(2, -3))", ("mmm",)),
        Form("mirror clamp rect", "rect", "texture(s, AT)", ("mmm",)),
        Form("gradients 2d", "2d", "textureGrad(s, AT, vec2(0.01, 0.02), vec2(0.03, 0.0))"),
        Form("gradients offset 2d", "2d", "textureGradOffset(s, AT, vec2(0.01), vec2(0.02), ivec2(-2, 3))"),
        Form("offset on one clamped axis 2d", "2d", "textureOffset(s, AT, ivec2(2, -3))", ("crr",)),
        Form("gather 2d", "2d", "textureGather(s, AT)"),
        Form("gather component 2d", "2d", "textureGather(s, AT, 2)"),
        Form("gather 2d-array", "2d-array", "textureGather(s, AT, 1)"),
        Form("gather offset 2d", "2d", "textureGatherOffset(s, AT, ivec2(2, -3))"),
        Form("gather dynamic offset 2d", "2d", "textureGatherOffset(s, AT, ivec2(i - 2, i))"),
        Form("gather four offsets 2d", "2d", _FOUR),
        Form("gather rect", "rect", "textureGather(s, AT)"),
        Form("offset rect", "rect", "textureOffset(s, AT, ivec2(2, -3))"),
        Form("gather mirror clamp 2d", "2d", "textureGather(s, AT)", ("mmm",)),
    ]


_FOUR: Final = "textureGatherOffsets(s, AT, ivec2[4](ivec2(-3, 1), ivec2(2, 2), ivec2(0, -2), ivec2(4, 0)))"


def _indexed() -> list[Form]:
    return [
        Form("constant index", "2d", "texture(s[2], AT)", _MIXED, array="[4]"),
        Form("dynamic index", "2d", "texture(s[i], AT)", _MIXED, array="[4]"),
        Form("dynamic index lod", "2d", "textureLod(s[i], AT, 0.0)", _MIXED, array="[4]"),
        # Elements that repeat take the folded offset too: a rounding.
        Form("dynamic index offset", "2d", "textureOffset(s[i], AT, ivec2(2, -3))", _MIXED, "close", array="[4]"),
        Form("dynamic index gather", "2d", "textureGather(s[i], AT)", _MIXED, array="[4]"),
        Form("nested dynamic index", "2d", "texture(s[i / 2][i % 2], AT)", _MIXED, array="[2][2]"),
        Form("nested constant index", "2d", "texture(s[1][1], AT)", _MIXED, array="[2][2]"),
        Form("function", "2d", "read(s, AT)", functions=_FUNCTION),
        Form("function of a function", "2d", "deep(s, AT)", functions=f"{_FUNCTION}\n{_NESTED}"),
        Form("function of elements", "2d", "read(s[0], AT) + read(s[1], AT) + read(s[3], AT)", _MIXED,
             functions=_FUNCTION, array="[4]"),
    ]  # fmt: skip


def _close() -> list[Form]:
    q = "(1.0 + 0.5 * d)"
    shadow: dict[str, Any] = {"judged": "close", "shadow": True}
    return [
        Form("projection 1d", "1d", f"textureProj(s, vec2(c.x, 1.0) * {q})", judged="close"),
        Form("projection 1d vec4", "1d", f"textureProj(s, vec4(c.x, 7.0, 9.0, 1.0) * {q})", judged="close"),
        Form("projection 2d", "2d", f"textureProj(s, vec3(c.xy, 1.0) * {q})", judged="close"),
        Form("projection 2d vec4", "2d", f"textureProj(s, vec4(c.xy, 7.0, 1.0) * {q})", judged="close"),
        Form("projection 3d", "3d", f"textureProj(s, vec4(c.xyz, 1.0) * {q})", judged="close"),
        Form("projection lod 2d", "2d", f"textureProjLod(s, vec3(c.xy, 1.0) * {q}, 0.0)", judged="close"),
        Form("projection offset 2d", "2d", f"textureProjOffset(s, vec3(c.xy, 1.0) * {q}, ivec2(2, -3))",
             judged="close"),
        Form("projection rect", "rect", f"textureProj(s, vec3(AT, 1.0) * {q})", judged="close"),
        Form("shadow 1d", "1d", "texture(s, vec3(c.x, 0.0, d))", **shadow),
        Form("shadow 2d", "2d", "texture(s, vec3(c.xy, d))", **shadow),
        Form("shadow 2d-array", "2d-array", "texture(s, vec4(c.xy, 1.0, d))", **shadow),
        Form("shadow rect", "rect", "texture(s, vec3(AT, d))", **shadow),
        Form("shadow lod 2d", "2d", "textureLod(s, vec3(c.xy, d), 0.0)", **shadow),
        Form("shadow gather 2d", "2d", "textureGather(s, c.xy, d)", **shadow),
        Form("shadow offset 2d", "2d", "textureOffset(s, vec3(c.xy, d), ivec2(2, -3))", **shadow),
        Form("shadow projection 2d", "2d", f"textureProj(s, vec4(c.xy, d, 1.0) * {q})", **shadow),
    ]  # fmt: skip


def _mipmapped() -> list[Form]:
    forms = []
    for target in ("1d", "2d", "3d", "2d-array"):
        size, offset = _LONG[target], _OFFSETS[target]
        rest: dict[str, Any] = {"levels": 5, "size": size}
        forms += [
            Form(f"mipmaps {target}", target, "texture(s, AT)", judged="close", **rest),
            Form(f"whole bias {target}", target, "texture(s, AT, 1.0)", judged="close", **rest),
            Form(f"bias {target}", target, f"texture(s, AT, {BIAS})", judged="bias", **rest),
            Form(f"mipmaps offset {target}", target, f"textureOffset(s, AT, {offset})", judged="close", **rest),
        ]
    two: dict[str, Any] = {"levels": 5, "size": (32, 64), "judged": "close"}
    return [
        *forms,
        *(Form(f"offset at level {level}", "2d", f"textureLodOffset(s, AT, {level}, ivec2(2, -3))", **two)
          for level in ("0.0", "1.0", "2.0", "3.0", "4.0", "1.5", "2.25", "7.0")),
        Form("offset at any level", "2d", "textureLodOffset(s, AT, d * 6.0 - 1.0, ivec2(2, -3))", **two),
        Form("bias offset 2d", "2d", f"textureOffset(s, AT, ivec2(2, -3), {BIAS})", **two | {"judged": "bias"}),
        Form("whole bias, the sampler's too", "2d", "texture(s, AT, -1.0)", sampler_bias=1.0, **two),
        Form("lod 2d levels", "2d", "textureLod(s, AT, d * 5.0)", **two),
    ]  # fmt: skip


#: Name -> form.
FORMS: Final = {form.name: form for make in (_plain, _indexed, _close, _mipmapped) for form in make()}


def fragment(form: Form) -> str:
    """Return a form's shader."""
    kind, at, _ = _TARGETS[form.target]
    return _SHADER.format(
        kind=kind + "Shadow" * form.shadow,
        array=form.array,
        side=SIDE,
        functions=form.functions,
        expression=form.expression.replace("AT", at),
    )


def size_of(form: Form) -> tuple[int, ...]:
    """Return the size of its texture: powers of two, but for layers."""
    return form.size or _TARGETS[form.target][2]
