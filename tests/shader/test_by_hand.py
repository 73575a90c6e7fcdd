"""Samples that WGSL has not: drawn split on WebGPU and as they stand on Vulkan, pixel by pixel."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shader.beside import Texture, apart, state

#: What a device rounds as it filters.
FILTERED = 2.0**-7
#: What it rounds of a level of detail that it mixes two levels by.
LEVELS = 0.05

pytestmark = pytest.mark.live("wgpu", "lavapipe", "glslangValidator", "spirv-val")


def depth(filters: str = "NNN", func: str = "LEQUAL", shape: str = "2d", **more: Any) -> Texture:
    return Texture(shape, (16, 8), state(filters, func), "depth", levels=4, **more)


LINE: dict[str, Any] = {"shape": "1d", "size": (16,)}
BOX: dict[str, Any] = {"shape": "3d", "size": (8, 4, 8)}
LINES: dict[str, Any] = {"shape": "1d-array", "layers": 3}
DEPTHS: dict[str, Any] = {"texels": "depth", "state": state("NNN", "LESS")}
LAYERS: dict[str, Any] = {"shape": "2d-array", "layers": 4}
FOUR = "ivec2[4](ivec2(0), ivec2(3, -2), ivec2(-4, 1), ivec2(7, 7))"
LOD, GRAD = "textureLod(s, vec3(c.xy, d.x), d.y)", "textureGrad(s, vec3(c.xy, d.x), d.zw, d.wz * 0.7)"
PAIR = "vec2(textureProjLod(s, vec4(c.xy, d.x, 1.5), d.y), textureLodOffset(s, vec3(c.xy, d.x), d.y, ivec2(2, -1)))"


@pytest.mark.parametrize("func", ["NEVER", "LESS", "EQUAL", "LEQUAL", "GREATER", "NOTEQUAL", "GEQUAL", "ALWAYS"])
def test_a_comparison_at_a_level_is_that_of_the_level(func: str) -> None:
    """The level was dropped: 1,268 of 4,096 pixels were wrong."""
    expression = f"{LOD}, c.x, 0.25, texture(s, vec3(0.3, 0.4, d.x))"
    assert apart("sampler2DShadow s", expression, depth(func=func)).max() == 0


@pytest.mark.parametrize("filters", ["NNN", "LLN", "LLL", "NLL", "LNN", "NNL", "LL0"])
@pytest.mark.parametrize("expression", [LOD, PAIR + ".xyxy"], ids=["level", "projection and offset"])
def test_a_comparison_at_a_level_filters_as_the_sampler_does(filters: str, expression: str) -> None:
    assert apart("sampler2DShadow s", expression, depth(filters)).max() <= FILTERED


@pytest.mark.parametrize("filters", ["NNN", "LLN", "LLL"])
@pytest.mark.parametrize("form", ["gradients", "layers", "bias"])
def test_a_comparison_by_gradients_or_a_bias_is_within_the_precision_of_levels(filters: str, form: str) -> None:
    layers: dict[str, Any] = {"shape": "2d-array", "layers": 3} if form == "layers" else {}
    expression = {
        "gradients": GRAD,
        "layers": "textureGrad(s, vec4(c.xy, c.z, d.x), d.zw, d.wz)",
        "bias": "texture(s, vec3(c.xy, d.x), 1.25)",
    }[form]
    declared = f"sampler2D{'Array' * bool(layers)}Shadow s"
    wrong = apart(declared, expression, depth(filters, **layers), smooth=form == "bias")
    assert (wrong > LEVELS).mean() <= 0.01


@pytest.mark.parametrize(
    ("declared", "expression", "one"),
    [
        ("sampler2D s", "texelFetchOffset(s, ivec2(c.xy * 3 + 4), 1, ivec2(-2, 3))", {}),
        ("sampler3D s", "texelFetchOffset(s, ivec3(c.xyz + 3), 0, ivec3(1, 2, -1))", BOX),
        ("sampler2DArray s", "texelFetchOffset(s, ivec3(c.xyz + 3), 0, ivec2(1, 2))", LAYERS),
        ("sampler1D s", "texelFetchOffset(s, int(c.x * 3 + 4), 1, 2)", LINE),
        ("sampler2D s", f"textureGatherOffsets(s, c.xy, {FOUR}, 1)", {}),
        ("sampler2D s", "textureGatherOffset(s, c.xy, ivec2(c.zw * 3), 2)", {}),
        ("sampler2DArray s", "textureGatherOffset(s, c.xyz, ivec2(c.zw * 3), 2)", LAYERS),
    ],
)
def test_texels_at_offsets_are_those_of_vulkan(declared: str, expression: str, one: dict[str, Any]) -> None:
    """Naga dropped the offset of a fetch; of gathers it takes one constant offset."""
    given: dict[str, Any] = {"shape": "2d", "size": (16, 16), "state": state(), "levels": 3}
    made = Texture(**given | one)
    assert apart(declared, expression, made).max() == 0


def test_gathered_comparisons_have_offsets_too() -> None:
    expression = f"textureGatherOffsets(s, c.xy, d.x, {FOUR}) + textureGatherOffset(s, c.xy, d.x, ivec2(c.zw * 3)) * 2"
    assert apart("sampler2DShadow s", expression, depth()).max() == 0
    both = expression + f" + 4 * {LOD}"  # then the shader compares those of the gathers too
    assert apart("sampler2DShadow s", both, depth()).max() == 0


@pytest.mark.parametrize("wraps", ["REPEAT", "MIRROR_REPEAT", "CLAMP_TO_EDGE"])
@pytest.mark.parametrize(
    ("declared", "expression", "one"),
    [
        ("isampler2D s", "textureLod(s, c.xy, d.y)", {}),
        ("isampler2D s", "textureGradOffset(s, c.xy, d.zw, d.wz, ivec2(-3, 2))", {}),
        ("isampler2D s", "textureLodOffset(s, c.xy, d.y, ivec2(-3, 2))", {}),
        ("isampler1D s", "textureLod(s, c.x, d.y)", LINE),
        ("isampler3D s", "textureLod(s, c.xyz, d.y)", BOX),
        ("isampler2DArray s", "textureLod(s, c.xyz, d.y)", LAYERS),
        ("isampler2D s", "texture(s, c.xy)", {}),
        ("isampler2D s", "texture(s, c.xy, 1.5) + textureGather(s, c.xy)", {}),
    ],
)
def test_integers_are_sampled(wraps: str, declared: str, expression: str, one: dict[str, Any]) -> None:
    """By an index that is wrapped as the sampler wraps; WGSL fetches and gathers them."""
    given: dict[str, Any] = {"shape": "2d", "size": (16, 8), "texels": "integers", "levels": 3}
    given["state"] = state(wraps=wraps)
    implicit = "texture(" in expression
    wrong = apart(declared, expression, Texture(**given | one), smooth=implicit)
    assert (wrong > 0).mean() <= (0.01 if implicit or "Grad" in expression else 0.0)


@pytest.mark.parametrize(
    ("declared", "expression", "one"),
    [
        ("sampler1D s", "textureLod(s, c.x, d.y)", {}),
        ("sampler1D s", "texture(s, c.x, 1.5)", {}),
        ("sampler1D s", "textureOffset(s, c.x, -3)", {}),
        ("sampler1D s", "textureGrad(s, c.x, d.z, d.w)", {}),
        ("sampler1D s", "textureProjLod(s, vec4(c.xy, 1, 1.5), d.y)", {}),
        ("sampler1D s", "texelFetch(s, int(c.x + 2), 1) + textureSize(s, 1) + textureLod(s, c.x, 0.5)", {}),
        ("sampler1DArray s", "texture(s, c.xy)", LINES),
        ("sampler1DArray s", "texelFetch(s, ivec2(c.xy + 2), 1)", LINES),
        ("sampler1DShadow s", "texture(s, vec3(c.x, 0, d.x))", DEPTHS | {"state": state("LLL", "LESS")}),
        ("sampler1DShadow s", "textureLod(s, vec3(c.x, 0, d.x), d.y)", DEPTHS | {"state": state("LLL", "LESS")}),
        ("sampler1DArrayShadow s", "textureLod(s, vec3(c.x, c.y, d.x), d.y)", LINES | DEPTHS),
    ],
)
def test_lines_are_rows(declared: str, expression: str, one: dict[str, Any]) -> None:
    """WGSL samples 1D images at an implicit level alone, and has none with layers."""
    given = LINE | {"state": state("LLL"), "levels": 4}
    smooth = "texture(" in expression or "Offset" in expression
    wrong = apart(declared, expression, Texture(**given | one), smooth=smooth)
    assert (wrong > FILTERED).mean() <= 0.01


@pytest.mark.parametrize(
    ("declared", "expression", "filters"),
    [
        ("sampler2D s", "textureQueryLod(s, c.xy), 0, 1", "LLL"),
        ("sampler2D s", "textureQueryLod(s, c.xy * 4), 0, 1", "NNN"),
        ("sampler3D s", "textureQueryLod(s, c.xyz * 8), 0, 1", "LLL"),
    ],
)
def test_levels_of_detail_are_asked_for(declared: str, expression: str, filters: str) -> None:
    shape = f"{declared[7]}d"
    made = Texture(shape, (16, 16, 16)[: int(shape[0])], state(filters), levels=4)
    wrong = apart(declared, expression, made, smooth=True)
    assert wrong.max() <= 0.05 or (filters == "NNN" and (wrong > 0.05).mean() < 0.02)
