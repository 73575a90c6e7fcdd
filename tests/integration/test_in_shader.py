"""From a state to pixels on devices of the corpus: create info and rewritten shader together give what GL asks for."""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import statetracker as st
from statetracker.caps.devices import device_facts
from statetracker.pipe import SamplerState, TexCompare, TexMipfilter, TexWrap
from statetracker.vulkan import View, create_info
from tests.shader.machine import Bound, Machine
from tests.shader.modules import Sample, module, samples
from tests.shader.sampled import BLOCK, points, texels
from tests.shader.test_lower import CUBE, at_a_corner, cubes, outcome, states
from tools.proofs.vulkan_sweep.sweep import newest_rows

if TYPE_CHECKING:
    from statetracker.vulkan import SamplerCreateInfo

VIEW = View("R32G32B32A32_FLOAT", cube=False)
WRAPS = {
    "REPEAT": TexWrap.REPEAT,
    "MIRRORED_REPEAT": TexWrap.MIRROR_REPEAT,
    "CLAMP_TO_EDGE": TexWrap.CLAMP_TO_EDGE,
    "CLAMP_TO_BORDER": TexWrap.CLAMP_TO_BORDER,
    "MIRROR_CLAMP_TO_EDGE": TexWrap.MIRROR_CLAMP_TO_EDGE,
}
PREDEFINED = {"TRANSPARENT_BLACK": (0.0, 0.0, 0.0, 0.0), "OPAQUE_BLACK": (0, 0, 0, 1.0), "OPAQUE_WHITE": (1.0,) * 4}


@cache
def screens() -> tuple[st.Screen, ...]:
    return tuple(st.Screen.from_vulkan(device_facts(row)) for row in newest_rows()[::9])


def sampler_of(info: SamplerCreateInfo, asked: SamplerState) -> SamplerState:
    """What the reference unit has to do as the device's sampler."""
    if info.custom_border_color is not None:
        words = info.custom_border_color.words
    else:
        colour = PREDEFINED[info.border_color.name.partition("_")[2]]
        words = struct.unpack("<4I", struct.pack("<4f", *colour))
    modes = (info.address_mode_u, info.address_mode_v, info.address_mode_w)
    wraps = {f"wrap_{axis}": WRAPS[mode.name] for axis, mode in zip("str", modes, strict=True)}
    levels = info.max_lod > 0.25 or asked.min_mip_filter != TexMipfilter.NONE
    return asked.replace(
        **wraps,
        min_img_filter=int(info.min_filter),
        mag_img_filter=int(info.mag_filter),
        min_mip_filter=int(info.mipmap_mode) if levels else TexMipfilter.NONE,
        lod_bias=info.mip_lod_bias,
        min_lod=info.min_lod,
        max_lod=info.max_lod,
        border_color=words,
        seamless_cube_map=not info.flags,
        reduction_mode=info.reduction_mode or 0,
    )


@given(
    samples().filter(lambda one: one.dim != CUBE),
    states(),
    some.integers(0, 83),
    some.integers(0, 2**30),
    some.integers(1, 3),
)
@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_every_device_samples_what_gl_asks_for(
    form: Sample, asked: SamplerState, number: int, seed: int, levels: int
) -> None:
    form = form._replace(elements=0, dynamic=False, via=form.via.replace("function", "load"))
    if form.offset and asked.min_img_filter != asked.mag_img_filter:
        asked = asked.replace(mag_img_filter=asked.min_img_filter)
    if form.min_lod:
        asked = asked.replace(max_lod=max(asked.max_lod, 1.0))
    compare(form, asked, number, VIEW, seed, levels)


@given(cubes(), states(), some.integers(0, 83), some.integers(0, 2**30), some.integers(1, 3), some.booleans())
@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_every_device_samples_cubes_as_gl_asks_for(
    form: Sample, asked: SamplerState, number: int, seed: int, levels: int, seamless: bool
) -> None:
    form = form._replace(elements=0, dynamic=False)
    if form.level == "gather":
        asked = asked.replace(min_lod=min(asked.min_lod, 0.0))
    if form.dref and seamless:
        levels = 1
    compare(form, asked.replace(seamless_cube_map=seamless), number, VIEW._replace(cube=True), seed, levels)


def compare(form: Sample, asked: SamplerState, number: int, view: View, seed: int, levels: int) -> None:
    """Sample natively, and as a device does with its shader."""
    if asked.min_mip_filter == TexMipfilter.NONE:  # Vulkan has level 0 alone, still magnified or minified
        asked = asked.replace(min_lod=0.0, max_lod=0.25)
    asked = asked.replace(compare_mode=TexCompare.R_TO_TEXTURE if form.dref else TexCompare.NONE)
    info = create_info(asked, screens()[number], view=view)
    assert not info.unsupported
    made, (ident,) = module([form])
    image, given_points = texels(form, seed, levels), points(seed)
    result = st.lower(made, {(0, 0): info.lowering}, values=BLOCK)
    assert not result.unresolved
    block = st.border_values([info] * len(result.values))
    native = Machine(made, given_points, {(0, 0): Bound(asked, image), (1, 0): Bound(asked, image)})
    less = Bound(sampler_of(info, asked), image)
    lowered = Machine(result.module, given_points, {(0, 0): less, (1, 0): less}, block)
    off = np.abs(outcome(native.values[ident]) - outcome(lowered.values[ident]))
    if form.dref and asked.seamless_cube_map:
        off = off[~at_a_corner(given_points)]
    assert off.max() < 1e-5, (info.lowering, info.lowering_values, off.max())
