"""Uniforms that GL reported decide: locations, and lists of active uniforms."""

from __future__ import annotations

import re
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from statetracker.gl.names import gl_names
from statetracker.replay import DumpReplay
from statetracker.replay.glsl import last_element
from statetracker.replay.program_objects import SAMPLER_TYPES, ProgramObject
from statetracker.replay.share_group import Shader
from tests.replay.conftest import LLVMPIPE, TRIANGLE, program, texture

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "#version 400\nuniform sampler2D a, b; uniform float f; uniform int i; uniform sampler2D s[4]; out vec4 o;\n"
ONE = HEAD + "void main() { o = texture(a, vec2(0)); }"
SEVERAL = HEAD + "void main() { o = texture(a, vec2(0)) + texture(b, vec2(0)) + texture(s[i], vec2(0)); }"
SAMPLER, INT = 0x8B5E, 0x1404


def made(text: str) -> ProgramObject:
    seen, shader = ProgramObject(), Shader("fragment")
    shader.source = shader.compiled = text
    seen.shaders.append(shader)
    assert seen.link() == ()
    return seen


def slots(seen: ProgramObject) -> str:
    assert seen.executable is not None
    return " ".join(f"{name}{element}" for name, element in seen.executable.linked.slots["fragment"])


def open_gl_names(seen: ProgramObject) -> list[str]:
    assert seen.executable is not None
    return seen.executable.reported.open(map(last_element, seen.executable.linked.samplers))


def test_a_location_makes_a_sampler_active_and_is_a_doubt() -> None:
    seen = made(ONE)
    assert seen.report_location("a", 1) == ()
    assert seen.executable is not None
    seen.executable.program.set_units(1, [5])
    doubts = seen.report_location("b", 0)
    assert doubts == ("GL gave the uniform 'b' location 0, but nothing was seen to use it",)
    assert slots(seen) == "a0 b0"
    running = seen.executable.program
    running.set_units(0, [7])
    assert [running.units[running.places[at]] for at in (0, 1)] == [7, 5]


def test_a_name_that_no_stage_declares_is_a_doubt_only() -> None:
    seen = made(ONE)
    for _ in range(2):
        assert "'z' location 3" in seen.report_location("z", 3)[0]
    assert slots(seen) == "a0"


def test_no_location_is_no_use_and_cuts_an_array() -> None:
    seen = made(SEVERAL)
    assert slots(seen) == "a0 b0 s0 s1 s2 s3"
    assert seen.report_location("b", -1) == seen.report_location("s[2]", -1) == ()
    assert slots(seen) == "a0 s0 s1"


def test_a_list_of_some_active_uniforms_confirms_those() -> None:
    seen = made(SEVERAL)
    assert seen.report_uniform(0, "a", 1, SAMPLER) == seen.report_uniform(2, "s[0]", 2, SAMPLER) == ()
    seen.report_count(4)
    assert slots(seen) == "a0 b0 s0 s1"
    assert open_gl_names(seen) == ["b"]


def test_a_list_of_all_active_uniforms_drops_the_others() -> None:
    seen = made(SEVERAL)
    seen.report_count(2)
    seen.report_uniform(0, "s[0]", 4, SAMPLER)
    assert slots(seen) == "a0 b0 s0 s1 s2 s3"
    seen.report_uniform(1, "i", 1, INT)
    assert slots(seen) == "s0 s1 s2 s3"
    assert open_gl_names(seen) == []


def test_a_number_of_active_uniforms_is_never_counted_up_to() -> None:
    """A damaged one may be anything; before, a thousand million took 59 GB."""
    seen = made(ONE)
    tracemalloc.start()
    seen.report_count(10_000_000)
    seen.report_uniform(0, "a", 1, SAMPLER)
    assert tracemalloc.get_traced_memory()[1] < 10 << 20
    tracemalloc.stop()
    assert slots(seen) == "a0"


def test_a_listed_uniform_that_nothing_uses_is_active_and_a_doubt() -> None:
    seen = made(ONE)
    assert "'s[1]' a place among the active ones" in seen.report_uniform(0, "s[0]", 2, SAMPLER)[0]
    assert slots(seen) == "a0 s0 s1"


def test_a_listed_uniform_that_is_no_sampler_is_no_doubt() -> None:
    seen = made(ONE)
    assert seen.report_uniform(0, "Block.member", 1, INT) == seen.report_uniform(1, "gl_Fog.color", 1, INT) == ()
    assert slots(seen) == "a0"


def test_the_sampler_types_are_those_of_gl() -> None:
    named = [next(iter(gl_names(value))) for value in SAMPLER_TYPES]
    assert all(re.search(r"SAMPLER_(1D|2D|3D|CUBE|BUFFER|EXTERNAL)", name) for name in named)
    assert len(named) == 41


def test_a_program_that_did_not_link_takes_no_reports() -> None:
    seen = ProgramObject()
    assert seen.report_location("a", 0) == seen.report_uniform(0, "a", 1, SAMPLER) == ()
    seen.report_count(0)


FRAGMENT = "uniform sampler2D a, b; void main() { gl_FragColor = texture2D(a, vec2(0)) + texture2D(b, vec2(0)); }"
LISTED = 'glGetActiveUniform(program = 1, index = {}, bufSize = {}, length = &1, size = &1, type = &{}, name = "{}")'
COUNT = "glGetProgramiv(program = 1, pname = GL_ACTIVE_UNIFORMS, params = &{})"


def replayed(tmp_path: Path, *calls: str) -> DumpReplay:
    lines = "\n".join([texture(1), program(1, fragment=FRAGMENT), *calls, TRIANGLE, "glFlush()"]).splitlines()
    path = tmp_path / "dump.txt"
    path.write_text("".join(f"{n} {line}\n" for n, line in enumerate(lines)))
    run = DumpReplay(str(path), LLVMPIPE)
    list(run)
    assert not run.problems
    assert not run.replay.unmodelled
    return run


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ((), {"sampler 'a' taken as used": 1, "sampler 'b' taken as used": 1}),
        (('glGetUniformLocation(program = 1, name = "a") = 0',), {"sampler 'b' taken as used": 1}),
        (('glGetProgramResourceLocation(program = 1, programInterface = GL_UNIFORM, name = "a") = 0',),
         {"sampler 'b' taken as used": 1}),
        ((LISTED.format(0, 32, "GL_SAMPLER_2D", "a"), COUNT.format(1)), {}),
        ((COUNT.format(1), LISTED.format(0, 32, "GL_SAMPLER_2D", "a")), {}),
        ((LISTED.format(0, 2, "GL_SAMPLER_2D", "a"), COUNT.format(1)),
         {"sampler 'a' taken as used": 1, "sampler 'b' taken as used": 1}),
    ],
)  # fmt: skip
def test_the_summary_names_the_samplers_that_no_report_confirms(
    tmp_path: Path, calls: tuple[str, ...], expected: dict[str, int]
) -> None:
    run = replayed(tmp_path, *calls)
    assert dict(run.replay.guesses) == expected
    line = next((line for line in run.summary() if "taken as used" in line), "")
    assert line.startswith("not wholly shown by the dump, guessed: sampler") == bool(expected)
