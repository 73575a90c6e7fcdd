"""Printed WGSL, HLSL and Slang by wgpu: within the reference unit's bounds, and bit for bit what `st.lower` makes.

HLSL goes through glslangValidator, Slang through slangc, where that is on the PATH. Wider with ``make texts``.
"""

from __future__ import annotations

from typing import Final

import pytest

from statetracker.pipe import TexWrap
from tests.shader.sampled import state
from tests.shader.text.cases import COMPARES, MIPS, NEAREST, Case
from tests.shader.text.on_webgpu import judgements, webgpu_cases
from tools.proofs.pixels.lacking import Device

pytestmark = pytest.mark.live("wgpu", "glslangValidator")

WHOLE: Final = Device()
UNFILTERED: Final = Device(filters=False)
BORDER, CLAMP, MIRROR = TexWrap.CLAMP_TO_BORDER, TexWrap.CLAMP, TexWrap.MIRROR_CLAMP


def mips(target: str, form: str, wrap: TexWrap, device: Device = WHOLE) -> Case:
    return Case(target, form, state(wrap, min_mip_filter=MIPS), device, 3)


def shadow(target: str, form: str, wrap: TexWrap, device: Device = WHOLE) -> Case:
    return Case(target, form, state(wrap, **COMPARES), device, 1, "DEPTH16")


CASES: Final = [
    Case("1d", "implicit", state(BORDER)),
    mips("2d", "implicit", BORDER),
    mips("2d", "level", CLAMP),
    mips("2d", "bias", MIRROR, UNFILTERED),
    mips("2d", "grad", CLAMP, UNFILTERED),
    Case("2d", "level", state(MIRROR, NEAREST)),
    Case("2d", "level", state(CLAMP), offset=(1, -2)),
    Case("2d", "project", state(BORDER)),
    Case("2d", "gather", state(CLAMP), component=2),
    mips("3d", "level", BORDER),
    mips("2d-array", "implicit", CLAMP),
    Case("2d-array", "gather", state(MIRROR)),
    Case("cube", "level", state(TexWrap.CLAMP_TO_EDGE)),
    Case("cube", "gather", state(TexWrap.CLAMP_TO_EDGE)),
    shadow("2d", "compare", CLAMP),
    shadow("2d", "compare_level", BORDER, UNFILTERED),
    shadow("2d", "compare_gather", CLAMP),
    shadow("2d-array", "compare", BORDER),
]


@pytest.mark.parametrize(
    ("device", "language", "step"),
    [
        ("llvmpipe", "wgsl", 1),
        pytest.param("SwiftShader", "wgsl", 4, marks=pytest.mark.live("swiftshader")),
        ("llvmpipe", "hlsl", 3),
        pytest.param("llvmpipe", "slang", 5, marks=pytest.mark.live("slangc")),
    ],
)
def test_every_text_lies_within_its_bounds_and_is_the_rewritten_module_to_the_last_bit(
    device: str, language: str, step: int, whole: bool
) -> None:
    cases = [*CASES, *webgpu_cases(language, 2)] if whole else CASES[::step]
    if device == "SwiftShader":  # its own levels for gradients of cubes are up to 0.4 off, without a text too
        cases = [one for one in cases if not (one.target.startswith("cube") and one.form == "grad" and one.levels > 1)]
    judged = judgements(cases, language, device=device)
    assert len(judged) == len(cases)
    assert [one for one in judged if one.outside or one.differs] == []
