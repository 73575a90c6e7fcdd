"""Real shaders, compiled by glslang: what the decision is, and that every allocation holds."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from statetracker.geometry import DispatchMode, allocate, dispatch, live_intervals, pressure, shader_of_module
from statetracker.shader.glslang import compiled
from tests.geometry.certificate import alive_after, faults
from tests.geometry.interpreter import first_difference, run

SHADERS: Final = Path(__file__).parents[2] / "data" / "geometry" / "shaders"
NAMES: Final = sorted(path.name.removesuffix(".spv") for path in SHADERS.glob("*.spv"))

#: Shader -> mode, why DUAL_OBJECT is not taken, spills.
DECISIONS: Final = {
    "ambient_probe": ("SINGLE", "would_spill", 0),
    "billboard_gl.gl": ("DUAL_OBJECT", "", 0),
    "clip_split": ("DUAL_INSTANCE", "2 invocations, and DUAL_OBJECT runs one", 0),
    "cube_layers": ("DUAL_INSTANCE", "6 invocations, and DUAL_OBJECT runs one", 0),
    "full_adjacency": ("SINGLE", "would_spill", 0),
    "fur": ("DUAL_OBJECT", "", 0),
    "histogram": ("DUAL_OBJECT", "", 0),
    "normals": ("DUAL_OBJECT", "", 0),
    "passthrough": ("DUAL_OBJECT", "", 0),
    "points_to_quads": ("DUAL_OBJECT", "", 0),
    "shadow_volume": ("DUAL_OBJECT", "", 0),
    "silhouette": ("DUAL_OBJECT", "", 0),
    "skinned_patch": ("DUAL_OBJECT", "", 0),
    "sorted_lights": ("SINGLE", "would_spill", 9),
    "subdivide": ("DUAL_OBJECT", "", 0),
    "trails": ("DUAL_OBJECT", "", 0),
    "wireframe": ("DUAL_OBJECT", "", 0),
}


def module(name: str) -> bytes:
    return (SHADERS / f"{name}.spv").read_bytes()


def test_every_shader_is_in_the_table_of_decisions() -> None:
    assert list(DECISIONS) == NAMES == sorted(path.name.removesuffix(".geom") for path in SHADERS.glob("*.geom"))


@pytest.mark.parametrize("name", NAMES)
def test_the_decision_for(name: str) -> None:
    """Its allocation is certified, and these shaders define what they read: so does the program, on every way."""
    mode, why, spills = DECISIONS[name]
    decision = dispatch(shader_of_module(module(name)).shader)
    refused = decision.not_tried or (decision.dual_object and decision.dual_object.allocation.reason) or ""
    chosen, program = decision.chosen, decision.shader.program
    assert (decision.mode, refused, len(chosen.allocation.spills)) == (DispatchMode[mode], why, spills)
    for seed in range(2 if len(program.instructions) < 500 else 1):
        assert faults(program, chosen.allocation, chosen.payload.registers, 112, seed=seed) == []
    assert alive_after(program)[0][0] == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [24, 40])
def test_a_small_register_file_makes_it_spill_and_changes_no_output(name: str, count: int) -> None:
    """The payload is set to one register, so that the values alone press."""
    program = shader_of_module(module(name)).shader.program
    seen = allocate(program, 1, count=count)
    most = max(pressure(program, live_intervals(program)))
    assert seen.ok
    assert bool(seen.spills) >= (most + 1 > count)
    assert faults(program, seen, 1, count) == []
    assert first_difference(run(program, steps=4000), run(seen.program, steps=4000)) == ""


@pytest.mark.live("glslangValidator")
@pytest.mark.parametrize("name", NAMES)
def test_the_installed_compiler_makes_the_same_program_of(name: str) -> None:
    flavour = "opengl" if name.endswith(".gl") else "vulkan"
    again = compiled(str(SHADERS / f"{name}.geom"), flavour, options=("--amb", "--aml"))
    assert shader_of_module(again).shader == shader_of_module(module(name)).shader
