"""Random shaders, compiled by glslang, lowered and run by value: they put out what an evaluator of the text says.

Nested loops, switches that fall through, breaks, continues and returns from deep within, functions with inout
parameters: what is compared is every vertex, before and after the last passes.
"""

from __future__ import annotations

import random

import pytest

from statetracker.geometry import allocate, shader_of_module
from tests.geometry.certificate import faults
from tests.geometry.shader.families import OPTIMISED, compiled
from tests.geometry.shader.machine import Visible
from tests.geometry.shader.random_glsl import glsl, outputs


@pytest.mark.live("glslangValidator")
@pytest.mark.parametrize("block", range(3))
@pytest.mark.parametrize("optimised", OPTIMISED)
def test_random_shaders_put_out_what_their_text_says(
    block: int, optimised: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    visible = Visible(monkeypatch)
    compared = 0
    for seed in range(12 * block, 12 * block + 12):
        visible.registers = []
        written = visible.lowered(compiled(glsl(seed), optimised=optimised))
        for number in range(4):
            draw = random.Random(4 * seed + number)  # noqa: S311 (not for secrets)
            given = [draw.randint(0, 7) for _ in range(4)]
            expected = [tuple(value & 0xFFFFFFFF for value in one) for one in outputs(seed, given)]
            for lines in written:
                assert visible.run(lines, given)[:200] == expected, (seed, given)
                compared += len(expected)
    assert compared > 100


@pytest.mark.live("glslangValidator")
def test_random_shaders_are_certified_in_a_small_register_file() -> None:
    spilled = 0
    for seed in range(12):
        program = shader_of_module(compiled(glsl(seed))).shader.program
        seen = allocate(program, 2, count=9)
        assert seen.ok
        if len(seen.program.instructions) < 900:
            spilled += bool(seen.spills)
            assert faults(program, seen, 2, 9, seed=seed) == []
    assert spilled
