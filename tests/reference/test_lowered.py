"""The lowered unit: formulas of docs/shader_lowering.md against the unit of a device that has everything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.errors import ArgumentError
from statetracker.pipe import SamplerState, TexCompare, TexWrap
from statetracker.reference import Texels, TextureUnit
from statetracker.reference.lowered import LoweredUnit
from tests.shader.test_lower import devices, states
from tools.proofs.pixels.lacking import Device, lacking

SIZES = {"1d": (7,), "2d": (7, 5), "3d": (7, 5, 3)}


def texels(target: str, levels: int, seed: int) -> Texels:
    chance = np.random.default_rng(seed)
    shapes = [tuple(max(1, one >> level) for one in SIZES[target][::-1]) for level in range(levels)]
    return Texels(target, [chance.random((*shape, 4)) for shape in shapes])


@given(states(), devices(), some.sampled_from([*SIZES]), some.integers(1, 3), some.integers(0, 2**30), some.booleans())
def test_a_lowered_unit_samples_as_the_whole_one(
    asked: SamplerState, device: Device, target: str, levels: int, seed: int, compares: bool
) -> None:
    asked = asked.replace(compare_mode=TexCompare.R_TO_TEXTURE if compares else TexCompare.NONE)
    image = texels(target, levels, seed)
    chance = np.random.default_rng(seed + 1)
    at = chance.random((200, len(SIZES[target]))) * 4 - 1.5
    lod = chance.random(200) * 4 - 1
    reference = chance.random(200) if compares else None
    wanted = TextureUnit(asked, image).sample(at, lod=lod, reference=reference)
    seen = LoweredUnit(*lacking(asked, device), image).sample(at, lod=lod, reference=reference)
    assert np.abs(wanted - seen).max() < 1e-9


def test_hardware_alone_reads_no_border() -> None:
    """The test can fail: without the share the sample is the texel at the edge."""
    asked = SamplerState(wrap_s=TexWrap.CLAMP_TO_BORDER, border_color=(2.0, 2.0, 2.0, 2.0), min_mip_filter="NONE")
    image = texels("1d", 1, 3)
    state, lowering, values = lacking(asked, Device())
    assert LoweredUnit(state, lowering, values, image).sample([[-0.5]]).tolist() == [[2.0] * 4]
    assert TextureUnit(state, image).sample([[-0.5]]).max() < 1


def test_cubes_and_integers_are_refused() -> None:
    state, lowering, values = lacking(SamplerState(), Device())
    with pytest.raises(ArgumentError, match="1D, 2D or 3D"):
        LoweredUnit(state, lowering, values, Texels("cube", [np.zeros((6, 4, 4, 4))]))
