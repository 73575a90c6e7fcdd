"""Rectangles, buffers and halves as WebGPU's images; lines are in test_by_hand."""

from __future__ import annotations

import numpy as np
import pytest

import statetracker as st
from statetracker.spirv import Module
from statetracker.spirv.names import Op
from tests.shader.beside import Texture, devices, fragment, native, places, state, webgpu
from tests.shader.compiled import MODULES
from tests.shader.validator import assert_valid

LIVE = pytest.mark.live("wgpu", "lavapipe", "glslangValidator", "spirv-val")
#: Of an OpenGL module the rows stand as OpenGL's: y is as it is.
AS_IT_IS = np.array([1, 0, 0, 0], np.float32).tobytes()


@LIVE
@pytest.mark.parametrize("filters", ["NN0", "LL0"])
@pytest.mark.parametrize(
    ("rect", "plane"),
    [
        ("texture(s, P)", "textureLod(s, P / size, 0)"),
        ("textureOffset(s, P, ivec2(-2, 3))", "textureLodOffset(s, P / size, 0, ivec2(-2, 3))"),
        ("textureGather(s, P, 1)", "textureGather(s, P / size, 1)"),
        ("texelFetch(s, ivec2(P) & 7)", "texelFetch(s, ivec2(P) & 7, 0)"),
        ("(textureSize(s).xyxy + texture(s, P))", "(textureSize(s, 0).xyxy + textureLod(s, P / size, 0))"),
    ],
)
def test_rectangles_are_2d_images(filters: str, rect: str, plane: str) -> None:
    device, beside = devices()
    one, at = Texture("2d", (16, 8), state(filters, wraps="CLAMP_TO_EDGE")), "(c.xy * vec2(16, 8))"
    flat = fragment("layout(binding = 0) uniform sampler2DRect s;", rect.replace("P", at), opengl=True)
    split = st.split_samplers(flat)
    assert split.unresolved == ()
    assert_valid(split.module, "opengl4.5")
    plane = plane.replace("P", at).replace("/ size", "/ vec2(16, 8)")
    right = native(beside, fragment("layout(binding = 0) uniform sampler2D s;", plane), {(0, 0): (one,)}, places())
    blocks = {split.blocks["flip"]: AS_IT_IS}
    drawn = webgpu(device, split, {(0, 0): (one,)}, places(), blocks)
    assert (np.abs(drawn - right).max(axis=1) > 2.0**-7).mean() <= 0.01


@LIVE
def test_a_buffer_is_an_image_of_rows() -> None:
    """As wide as the host likes."""
    device, _ = devices()
    one = Texture("2d", (16, 8), state())
    module = fragment(
        "layout(binding = 0) uniform samplerBuffer s;", "texelFetch(s, int(c.x * 30 + 40)) + textureSize(s)"
    )
    split = st.split_samplers(module)
    assert (split.unresolved, split.samplers[0].view_dimension, split.samplers[0].sampler) == ((), "2d", None)
    assert_valid(split.module)
    drawn = webgpu(device, split, {(0, 0): (one,)}, places())
    at = np.frombuffer(places()[0, 30], np.float32).reshape(-1, 4)[:, 0]
    index = np.trunc(at * np.float32(30) + np.float32(40)).astype(int)
    expected = one.content(0).reshape(-1, 4)[index] / 255 + 128
    assert np.abs(drawn - expected).max() <= 1e-4


@LIVE
def test_layers_of_several_samples_are_layers_one_a_sample() -> None:
    device, beside = devices()
    one, layer, sample = Texture("2d-array", (8, 8), state(), layers=12), "int(c.x + 1.2) % 3", "(int(c.y + 2) & 3)"
    many = "layout(binding = 0) uniform sampler2DMSArray s;"
    fetch = f"texelFetch(s, ivec3(3, 4, {layer}), {sample})"
    layers = f"texelFetch(s, ivec3(3, 4, {layer} * 4 + {sample}), 0)"
    plain = fragment("layout(binding = 0) uniform sampler2DArray s;", layers)
    split = st.split_samplers(fragment(many, fetch), lengths={(0, 0): 4})
    assert [one.view_dimension for one in split.samplers] == ["2d-array"]
    drawn = webgpu(device, split, {(0, 0): (one,)}, places())
    assert np.array_equal(drawn, native(beside, plain, {(0, 0): (one,)}, places()))
    asks = st.split_samplers(fragment(many, "textureSize(s), textureSamples(s)"), lengths={(0, 0): 4}, for_="dawn")
    assert asks.unresolved == ()
    assert_valid(asks.module)


@pytest.mark.live("spirv-val")
def test_halves_become_floats_everywhere() -> None:
    made = st.split_samplers(MODULES["half_2d.frag"])
    assert made.unresolved == ()
    floats = [one.words[1] for one in Module.read(made.module).instructions if one.opcode == Op.TypeFloat]
    assert floats == [32]
    assert_valid(made.module)
