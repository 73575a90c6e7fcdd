"""Printed WGSL, HLSL and Slang by wgpu on lavapipe: bit for bit what `st.lower` makes there, and as GL's own sampler.

HLSL goes through glslangValidator, Slang through slangc, where that is on the PATH.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from statetracker.pipe import Func, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import Texels, TextureUnit
from tests.shader.sampled import state
from tests.shader.text.drawn import SIDE, Case, details, printed, quads
from tests.shader.text.on_webgpu import WebGpuStage, hlsl_module, shader, slang_wgsl
from tools.proofs.pixels.formats import FORMATS
from tools.proofs.pixels.lacking import Device
from tools.proofs.pixels.webgpu_run import open_device

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytestmark = pytest.mark.live("wgpu", "glslangValidator")

LINEAR, NEAREST, MIPS = TexFilter.LINEAR, TexFilter.NEAREST, TexMipfilter.LINEAR
COMPARES: Final[Any] = {"compare_mode": 1, "compare_func": Func.LEQUAL}
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
NAMES: Final = [f"{at} {one.name}" for at, one in enumerate(CASES)]


@pytest.fixture(scope="module")
def device() -> Any:
    return open_device(filters=True)


def alike(device: Any, case: Case, code: str | bytes) -> NDArray[Any]:
    """The picture of a text, which is that of the rewritten module to the last bit."""
    stage = WebGpuStage(device, case)
    block = bool(printed(case, "wgsl").values)
    drawn = stage.picture(code, block=block)
    module = stage.picture(stage.lowered(), block=block)
    assert drawn.tobytes() == module.tobytes()
    return drawn


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_wgsl_is_bit_for_bit_the_rewritten_module(device: Any, case: Case) -> None:
    alike(device, case, shader(case, printed(case, "wgsl"), "wgsl"))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_hlsl_is_bit_for_bit_the_rewritten_module(device: Any, case: Case) -> None:
    alike(device, case, hlsl_module(shader(case, printed(case, "hlsl"), "hlsl")))


SLANG: Final = (1, 4, 10, 13, 17)


@pytest.mark.live("slangc")
@pytest.mark.parametrize("at", SLANG, ids=[NAMES[at] for at in SLANG])
def test_slang_is_bit_for_bit_the_rewritten_module(device: Any, at: int) -> None:
    case = CASES[at]
    alike(device, case, slang_wgsl(shader(case, printed(case, "slang"), "slang")))


@pytest.mark.parametrize("at", [2, 5, 6, 9])
def test_wgsl_samples_as_the_reference_unit_does(device: Any, at: int) -> None:
    case = CASES[at]
    stage = WebGpuStage(device, case)
    drawn = stage.picture(shader(case, printed(case, "wgsl"), "wgsl"), block=True)
    spatial = stage.size[: {"2d": 2, "3d": 3}[case.target]]
    sizes = [tuple(max(1, part >> level) for part in spatial) for level in range(case.levels)]
    texels = [FORMATS["RGBA32F"].random(size[::-1], 7 + level) for level, size in enumerate(sizes)]
    native = case.state.replace(border_color=stage.values.border)
    unit = TextureUnit(native, Texels(case.target, texels))
    exact = unit.sample(quads(case, stage.size), lod=details()[:, 1], offset=case.offset)
    near = np.abs(drawn - exact).max(axis=1) < 1e-4
    assert len(near) == SIDE * SIDE
    assert near.mean() > 0.99  # a rounding away from a texel's border is another texel, and a level is of 8 bits
