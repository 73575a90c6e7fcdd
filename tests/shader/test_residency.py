"""Residency codes of samples that are written as several: texels that are NaN stand for those that are not resident."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import statetracker as st
from statetracker.pipe import Lowering, SamplerState, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import Texels
from tests.shader.machine import Bound, Machine
from tests.shader.modules import SIMPLE, Sample, module
from tests.shader.sampled import BLOCK, points, texels
from tools.proofs.pixels.lacking import Device, lacking

if TYPE_CHECKING:
    from numpy.typing import NDArray

LINEAR: Any = {"min_img_filter": TexFilter.LINEAR, "mag_img_filter": TexFilter.LINEAR}
MIPS: Any = LINEAR | {"min_mip_filter": TexMipfilter.LINEAR, "max_lod": 1000.0}
EXPLICIT = SIMPLE._replace(level="lod", sparse=True)
WHOLE = EXPLICIT._replace(numbers=EXPLICIT.numbers._replace(lod=0.0))
HALF = EXPLICIT._replace(numbers=EXPLICIT.numbers._replace(lod=0.5))


def sparse(form: Sample, levels: int) -> Texels:
    """A texture of which one texel in six is not resident."""
    whole = texels(form, 3, levels)
    chance = np.random.default_rng(8)
    holes = [np.where(chance.random((*one.shape[:-1], 1)) < 1 / 6, np.nan, one) for one in whole.levels]
    return Texels(whole.target, [one[:, 0] if form.dim == 3 else one[0, 0] for one in holes])


@pytest.mark.parametrize(
    ("form", "asked", "device"),
    [
        (EXPLICIT, {**LINEAR, "min_mip_filter": TexMipfilter.NONE}, Device(filters=False)),
        (HALF, MIPS, Device(filters=False)),
        (WHOLE, MIPS, Device(filters=False)),  # of a whole level: the next one is not read
        (HALF._replace(offset="const"), {**MIPS, "wrap_s": TexWrap.MIRROR_CLAMP_TO_EDGE}, Device()),
        (HALF._replace(dim=3), {**MIPS, "seamless_cube_map": True}, Device(filters=False)),
    ],
)
def test_a_sample_is_resident_where_all_of_its_samples_are(form: Sample, asked: dict[str, Any], device: Device) -> None:
    """It had the code of the first of them."""
    state = SamplerState(**{"wrap_s": TexWrap.REPEAT, "wrap_t": TexWrap.REPEAT} | asked)
    native, lowered = codes(form, (state,), device, sparse(form, 3), points(5))
    assert (lowered == native).all()
    assert 0.1 < native.mean() < 0.9


def test_the_code_of_an_array_is_that_of_the_element_that_is_meant() -> None:
    """It was that of the elements without work: of one texel, where the shader filters four."""
    form = EXPLICIT._replace(elements=2, dynamic=True)
    state = SamplerState(**LINEAR, min_mip_filter=TexMipfilter.NONE)
    given = np.abs(points(5)) * (1.0, 0.4, 1.0, 1.0)
    native, lowered = codes(form, (state, state), Device(filters=False), sparse(form, 1), given)
    assert (lowered == native).all()


def codes(
    form: Sample, asked: tuple[SamplerState, ...], device: Device, image: Texels, given: NDArray[Any]
) -> list[NDArray[Any]]:
    """Residency codes, native ones and rewritten ones; of an array only the last element is rewritten."""
    lesser, lowering, values = lacking(asked[-1], device)
    made, (ident,) = module([form])
    rows = [*(Lowering() for _ in asked[1:]), lowering]
    result = st.lower(made, {(0, 0): rows if form.elements else lowering}, values=BLOCK)
    block = st.border_values([values] * len(result.values))
    return [
        Machine(code, given, {(0, 0): [Bound(one, image) for one in each]}, data).values[ident][0]
        for code, each, data in ((made, asked, b""), (result.module, (*asked[1:], lesser), block))
    ]
