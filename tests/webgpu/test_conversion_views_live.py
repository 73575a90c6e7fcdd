"""Swizzles on a device of wgpu-py whose views have none: what a lowered, split module reads is what GL shows."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import statetracker as st
from statetracker.caps import webgpu_formats
from statetracker.webgpu import screen_of
from tests.shader.beside import bound, buffer_entry, image_entry, sampler_entry
from tests.shader.sampled import seen
from tools.proofs.pixels.clamp_run import compiled
from tools.proofs.pixels.webgpu_run import covered, open_device

pytestmark = pytest.mark.live("wgpu", "glslangValidator")

SIDE, DRAWN = 4, 24
#: Two texels beyond the edge, then all of a row.
PLACES = [(-0.375, 0.625), *(((x + 0.5) / SIDE, 0.625) for x in range(SIDE))]
BLOCK = (1, 0)
SOURCE = """\
#version 450
layout(set = 0, binding = 1) uniform {kind} image;
layout(location = 0) out vec4 texel;
void main() {{
    vec4 texels[] = {{ {lines} }};
    texel = texels[int(gl_FragCoord.x) % {count}];
}}
"""
device = cache(open_device)


class Kept(NamedTuple):
    """How texels are kept: NumPy's type of a channel, how many channels, and what a channel is divided by."""

    type: str
    channels: int
    by: float


KEPT = {
    "r8unorm": Kept("u1", 1, 255),
    "rg8unorm": Kept("u1", 2, 255),
    "rgba8unorm": Kept("u1", 4, 255),
    "rgba32float": Kept("f4", 4, 1),
    "rgba8uint": Kept("u1", 4, 1),
    "rg16sint": Kept("i2", 2, 1),
    "depth16unorm": Kept("u2", 1, 65535),
}


def random_texels(kept: Kept) -> Any:
    chance = np.random.default_rng(5)
    shape = (SIDE, SIDE, kept.channels)
    return (
        chance.random(shape, np.float32)
        if kept.type == "f4"
        else chance.integers(0, 256, shape).astype(kept.type) * (257 if kept.type == "u2" else 1)
    )


def whole(texels: Any, by: float) -> Any:
    """All four channels; what a format lacks is (0, 0, 0, 1)."""
    full = np.broadcast_to(np.array([0, 0, 0, 1], np.float64), (SIDE, SIDE, 4)).copy()
    full[..., : texels.shape[2]] = texels / by
    return full


def read(sampler: st.Sampler, texture: st.Texture, kind: str, lines: list[str], texels: Any, **unit: Any) -> Any:
    """What each line gives, a row a line."""
    result = st.convert(sampler, texture, screen_of(device()), **unit)
    assert [one.name for one in result.unsupported if one.name != "integers"] == []
    text = SOURCE.format(kind=kind, lines=", ".join(f"vec4({line})" for line in lines), count=len(lines))
    lowered = st.lower(compiled(text, target="-V"), {(0, 1): result.lowering}, values=BLOCK, lod_query=False)
    assert lowered.unresolved == ()
    split = st.split_samplers(lowered.module, places={(0, 1): ((0, 1), (0, 2))})
    assert split.unresolved == ()
    view, made = result.view.webgpu, result.webgpu
    assert "swizzle" not in view
    assert made.sample_type is not None
    kept = webgpu_formats()[view.image["format"].removeprefix("VK_FORMAT_")].format
    groups = [[image_entry(1, view["dimension"], made.sample_type, [texels[None]], kept)]]
    if split.samplers[0].sampler is not None:
        groups[0].append(sampler_entry(2, dict(made)))
    if lowered.values:
        groups.append([buffer_entry(0, "uniform", st.border_values([result]))])
    return covered(device(), split.module, [bound(device(), group) for group in groups], DRAWN)[: len(lines)]


def sampled(point: tuple[float, float]) -> str:
    return f"textureLod(image, vec2({point[0]}, {point[1]}), 0.0)"


GATHERS = [f"textureGather(image, vec2(0.5), {n})" for n in range(4)]
FETCHES = [f"texelFetch(image, ivec2({x}, 2), 0)" for x in range(SIDE)]
#: What `GATHERS` reads: (i0, j1), (i1, j1), (i1, j0), (i0, j0).
FOOT = ([2, 2, 1, 1], [1, 2, 2, 1])
NEAREST = st.Sampler(min_filter="nearest", mag_filter="nearest", wrap="clamp-to-edge")
COLOR = (0.25, 0.5, 0.75, 0.125)
BORDERED = NEAREST.copy(wrap="clamp-to-border", border_color=COLOR)


@pytest.mark.parametrize(
    ("name", "kept", "swizzle", "border"),
    [
        ("LUMINANCE8", "r8unorm", "RRR1", "RRR1"),
        ("ALPHA8", "rgba8unorm", "000A", "000A"),
        ("INTENSITY8", "rgba8unorm", "RRRR", "RRRR"),
        ("LUMINANCE8_ALPHA8", "rg8unorm", "RRRG", "RRRA"),
        ("RGB8", "rgba8unorm", "RGB1", "RGB1"),
        ("R8", "r8unorm", "R001", "R001"),
    ],
)
def test_formats_that_the_device_lacks_read_as_gl_has_them(name: str, kept: str, swizzle: str, border: str) -> None:
    """Samples, with the border beyond the edge, gathers and fetches."""
    texels = random_texels(KEPT[kept])
    shown = seen(whole(texels, KEPT[kept].by), swizzle)
    lines = [*map(sampled, PLACES), *GATHERS, *FETCHES]
    got = read(BORDERED, st.Texture("2d", name, (SIDE, SIDE), levels=1), "sampler2D", lines, texels)
    assert got[0] == pytest.approx(seen(np.array(COLOR), border), abs=1e-6)
    assert got[1:5] == pytest.approx(shown[2], abs=1e-6)
    assert got[5:9] == pytest.approx(shown[FOOT].T, abs=1e-6)
    assert got[9:] == pytest.approx(shown[2], abs=1e-6)


@given(some.lists(some.sampled_from("RGBA01"), min_size=4, max_size=4).map("".join))
@settings(max_examples=25, deadline=None)
def test_any_swizzle_of_a_texture(swizzle: str) -> None:
    """Of floats that the device does not filter, with linear filters: the shader filters what it has swizzled."""
    texture = st.Texture("2d", "RGBA32F", (SIDE, SIDE), levels=1, swizzle=swizzle)
    texels = random_texels(KEPT["rgba32float"])
    shown = seen(texels.astype(np.float64), swizzle)
    middle = "textureLod(image, vec2(0.5), 0.0)"
    linear = NEAREST.copy(min_filter="linear", mag_filter="linear")
    got = read(linear, texture, "sampler2D", [middle, *GATHERS, *FETCHES], texels)
    assert got[0] == pytest.approx(shown[FOOT].mean(axis=0), abs=1e-6)
    assert got[1:5] == pytest.approx(shown[FOOT].T, abs=0)
    assert got[5:] == pytest.approx(shown[2], abs=0)


@pytest.mark.parametrize("swizzle", ["RGBA", "ABGR", "1R0G", "0001"])
@pytest.mark.parametrize(
    ("name", "kept", "kind"), [("RGBA8UI", "rgba8uint", "usampler2D"), ("RG16I", "rg16sint", "isampler2D")]
)
def test_integers_are_fetched_and_gathered_through_a_swizzle(name: str, kept: str, kind: str, swizzle: str) -> None:
    texels = random_texels(KEPT[kept])
    texture = st.Texture("2d", name, (SIDE, SIDE), levels=1, swizzle=swizzle)
    shown = seen(whole(texels, 1), swizzle)
    assert (read(NEAREST, texture, kind, FETCHES, texels) == shown[2]).all()
    assert (read(NEAREST, texture, kind, GATHERS, texels) == shown[FOOT].T).all()


@pytest.mark.parametrize(
    ("mode", "glsl130", "swizzle"),
    [
        ("luminance", True, "RRR1"),
        ("intensity", True, "RRRR"),
        ("red", True, "R001"),
        ("alpha", True, "RRRR"),
        ("red", False, "R001"),
    ],
)
def test_depth_reads_by_its_mode(mode: str, glsl130: bool, swizzle: str) -> None:
    texels = random_texels(KEPT["depth16unorm"])
    texture = st.Texture("2d", "DEPTH_COMPONENT16", (SIDE, SIDE), levels=1, depth_mode=mode)
    lines = [*map(sampled, PLACES[1:]), *FETCHES]
    got = read(NEAREST, texture, "sampler2D", lines, texels, glsl130=glsl130)
    shown = seen(whole(texels, 65535), swizzle)[2]
    assert got == pytest.approx(np.concatenate([shown, shown]), abs=1e-6)


@pytest.mark.parametrize(("first", "answer"), [("R", None), ("G", 0.0), ("A", 1.0), ("0", 0.0), ("1", 1.0)])
def test_an_answer_comes_before_the_swizzle(first: str, answer: float | None) -> None:
    """GL compares, then swizzles (answer, 0, 0, 1): also where the border is compared."""
    texels = random_texels(KEPT["depth16unorm"])
    given: dict[str, Any] = {"levels": 1, "depth_mode": "red", "swizzle": f"{first}GBA"}
    texture = st.Texture("2d", "DEPTH_COMPONENT16", (SIDE, SIDE), **given)
    sampler = BORDERED.copy(compare_mode="compare-ref-to-texture", compare_func="lequal")
    lines = [f"textureLod(image, vec3({s}, {t}, 0.5), 0.0)" for s, t in PLACES]
    got = read(sampler, texture, "sampler2DShadow", lines, texels)
    depths = [0.25, *(texels[2, :, 0] / 65535)]
    assert list(got[:, 0]) == [float(depth >= 0.5) if answer is None else answer for depth in depths]
    gathered = read(sampler, texture, "sampler2DShadow", ["textureGather(image, vec2(0.5), 0.5)"], texels)[0]
    answers = texels[FOOT][:, 0] / 65535 >= 0.5
    assert list(gathered) == (list(answers.astype(float)) if answer is None else [answer] * 4)
