"""Each shader of ``tests/data/shaders`` but the tessellation stage, split, drawn, and beside llvmpipe's GL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.shader.drawn_whole import NAMES, job
from tests.shader.in_a_browser import in_a_browser
from tests.shader.job_pictures import pictures
from tests.webgpu.dawn import Dawn
from tools.proofs.apart import apart as in_processes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LIVE = pytest.mark.live("wgpu", "egl:llvmpipe", "glslangValidator")
#: What devices' levels of detail differ by, of texels from 0 to 1; and what filters of 8 bits do.
LEVELS, FILTERS = 0.06, 2.0**-6
#: Levels of detail come of derivatives in these.
DERIVED = {"query_lod_2d.frag", "min_lod_2d.frag", "shadow_bias_2d.frag", "shadow_grad_2d.frag"}
#: SwiftShader scales offsets on mipmaps, and has edges of cubes of its own there.
FLAT = frozenset(name for name in NAMES if ("offset" in name or "cube" in name) and "fetch" not in name)


def apart(seen: dict[str, NDArray[np.float32]], right: dict[str, NDArray[np.float32]], bound: float) -> set[str]:
    """Names of the shaders of which more than one fragment in a hundred is farther off."""
    assert seen.keys() == right.keys() == set(NAMES)
    far = {name: ~(np.abs(seen[name] - right[name]).max(axis=2) <= bound) for name in NAMES}
    return {name for name in NAMES if far[name].mean() > 0.01}


def test_there_are_97() -> None:
    assert len(NAMES) == 97
    assert [name.rpartition(".")[2] for name in NAMES].count("vert") == 2


@pytest.mark.live("dawn", "glslangValidator")
def test_dawn_takes_every_shader() -> None:
    (reasons,) = in_processes(_refused, {"Dawn": ()}, limit_s=60)
    assert reasons == {}


def _refused(at: Callable[[str], object]) -> dict[str, str]:
    dawn, reasons = Dawn(), {}
    for name in NAMES:
        at(name)
        try:
            dawn.create_shader_module(job(name).module)
        except ValueError as error:
            reasons[name] = str(error)
    return reasons


@LIVE
def test_every_shader_is_drawn_as_by_gl() -> None:
    right = pictures("GL")
    assert {name for name in NAMES if len(np.unique(right[name].reshape(-1, 4), axis=0)) < 9} == {"query_size_2d.frag"}
    seen = pictures("llvmpipe")
    assert apart(seen, right, LEVELS) == set()
    assert apart(seen, right, FILTERS) <= DERIVED


@LIVE
@pytest.mark.live("swiftshader")
def test_every_shader_is_drawn_as_by_gl_on_swiftshader_too() -> None:
    assert apart(pictures("SwiftShader", FLAT), pictures("GL", FLAT), LEVELS) == set()


@LIVE
@pytest.mark.live("chromium", "naga-wasm")
def test_every_shader_is_drawn_as_by_gl_in_a_browser() -> None:
    seen, errors = in_a_browser({name: job(name, flat=name in FLAT) for name in NAMES})
    assert errors == {}
    assert apart(seen, pictures("GL", FLAT), LEVELS) == set()
