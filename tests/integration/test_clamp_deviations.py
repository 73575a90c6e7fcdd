"""Where upstream's emulation of GL_CLAMP is not GL_CLAMP, and what we do instead: each fails on upstream's behaviour.

The data are the numeric example of docs/reference_unit.md: texels 10, 20, 40, 80, border 200, linear filtering.
"""

from __future__ import annotations

import numpy as np
import pytest

import statetracker as st
from statetracker.frontend import ClampWatch, clamp_request, stage_masks, variant_keys
from statetracker.gl import Context, Program, SamplerUniform
from statetracker.pipe import wrap_masks
from statetracker.reference import Texels, TextureUnit
from statetracker.shader import VariantList
from tests.shader.compiled import MODULES

ZINK = st.Screen.named("zink-lavapipe")
TEXELS = Texels("1d", [np.repeat([[10.0], [20.0], [40.0], [80.0]], 4, axis=1)])
BORDER = (200.0, 200.0, 200.0, 200.0)
CLAMP, CLAMP_TO_BORDER = 0x2900, 0x812D
STAGES = ("vertex", "tess-ctrl", "tess-eval", "geometry", "fragment", "compute")


def sampled(sampler: st.Sampler, s: float, *, shader: bool = True) -> float:
    """What hardware without GL_CLAMP gives, with or without the shader's share."""
    result = st.convert(sampler, st.Texture("1d", "R32F"), ZINK)
    if shader:
        s = abs(s) if "s" in result.lowering.mirror else s
        s = min(max(s, 0.0), 1.0) if "s" in result.lowering.clamp + result.lowering.mirror else s
    return float(TextureUnit(result.pipe, TEXELS).sample([[s]])[0, 0])


def test_6_another_sampler_object_on_the_unit_is_another_variant() -> None:
    """Recorded on Mesa 22.3.6: from clamp to border to GL_CLAMP the old shader stays and gives 200 in place of 105."""
    context = Context(ZINK.gl_limits())
    context.glUseProgram(context.add_program(Program([SamplerUniform("image", "sampler2D")])))
    plain, clamped = context.glGenSamplers(2)
    for name, wrap in ((plain, CLAMP_TO_BORDER), (clamped, CLAMP)):
        context.glSamplerParameteri(name, 0x2802, wrap)
    watch, keys = ClampWatch(ZINK), variant_keys(ZINK)
    variants: VariantList[bytes] = VariantList("fragment", keys)

    context.glBindSampler(0, plain)
    assert watch.changed(context, "fragment")
    before = variants.get(watch.masks("fragment"), bytes)
    context.glBindSampler(0, clamped)
    assert watch.changed(context, "fragment")
    after = variants.get(watch.masks("fragment"), bytes)

    assert before != after
    assert len(variants) == 2
    sampler = st.Sampler(wrap="clamp", min_filter="linear", border_color=BORDER)
    assert [sampled(sampler, -1.0, shader=new) for new in (False, True)] == [200.0, 105.0]


@pytest.mark.parametrize("stage", STAGES)
def test_7_every_stage_has_masks_and_a_key_compute_and_tess_control_too(stage: str) -> None:
    """Upstream gives those two one variant on some drivers; recorded in compute: 200 in place of 105."""
    context = Context(ZINK.gl_limits())
    program = Program([SamplerUniform("image", "sampler2D", stages=(stage,))])
    (name,) = context.glGenSamplers(1)
    context.glSamplerParameteri(name, 0x2802, CLAMP)
    context.glBindSampler(0, name)
    masks = stage_masks(context, stage, ZINK, program)
    keys = variant_keys(ZINK)
    assert masks.clamp == (1, 0, 0)
    assert not keys.same(stage, keys.key(stage, masks), bytes(24))


@pytest.mark.parametrize("name", ["compute.comp", "tess_control.tesc", "vertex_lod.vert", "implicit_2d.frag"])
def test_7_modules_of_every_stage_are_rewritten(name: str) -> None:
    """The lowering of a slot is the request for binding 1, whatever the stage."""
    sampler = st.Sampler(wrap="clamp", min_filter="linear")
    result = st.convert(sampler, st.Texture("2d", "RGBA8"), ZINK)
    lowered = st.lower(MODULES[name], clamp_request({0: result.lowering}, {(0, 1): 0}))
    assert len(lowered.rewritten) == 1
    assert not lowered.unresolved


@pytest.mark.parametrize("s", [-2.0, -0.5, -0.03125, 0.0, 0.5, 2.0])
def test_8_mirror_clamp_keeps_its_negative_half(s: float) -> None:
    """Upstream saturates it as GL_CLAMP; merged masks do so too, on purpose."""
    sampler = st.Sampler(wrap="mirror-clamp-ext", min_filter="linear", mag_filter="linear", border_color=BORDER)
    asked = st.convert(sampler, st.Texture("1d", "R32F"), ZINK.replace(emulate_gl_clamp=False))
    assert sampled(sampler, s) == TextureUnit(asked.pipe, TEXELS).sample([[s]])[0, 0]
    assert wrap_masks([(0, st.convert(sampler, st.Texture("1d", "R32F"), ZINK).lowering)]).merged == (1, 1, 1)
