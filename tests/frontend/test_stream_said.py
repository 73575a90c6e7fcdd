"""A location that GL gave is a proof: the uniform is active, whatever was found out."""

from __future__ import annotations

import pytest

from statetracker.frontend.stream_programs import ProgramObject, Shader
from statetracker.replay import SourceAnalysis
from statetracker.trace.glsl import link, stage_samplers

HEAD = "#version 400\nuniform sampler2D a, b; uniform float f; uniform sampler2D s[4]; out vec4 o;\n"
#: A program that uses `a` alone, for GL to contradict.
DEAD = HEAD + "void main() { vec4 x = texture(b, vec2(0)) + texture(s[1], vec2(0)); o = texture(a, vec2(0)); }"
UNNAMED = HEAD + "void main() { o = texture(a, vec2(0)); }"


def slots(*names: str, vertex: str = "", fragment: str = DEAD) -> dict[str, list[str]]:
    texts = {stage: text for stage, text in (("vertex", vertex), ("fragment", fragment)) if text}
    program = link({stage: stage_samplers([text], stage) for stage, text in texts.items()}, active=names)
    return {stage: [f"{slot.sampler}{slot.element}" for slot in found] for stage, found in program.slots.items()}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), ["a0"]),
        (("a",), ["a0"]),
        (("b",), ["a0", "b0"]),
        (("s",), ["a0", "s0"]),
        (("s[0]",), ["a0", "s0"]),
        (("s[2]",), ["a0", "s0", "s1", "s2"]),
        (("s[2]", "s[1]", "b"), ["a0", "b0", "s0", "s1", "s2"]),
        (("unknown", "f", "a[0]", "s[x]", "s[4]", "s[99999999999]", "]"), ["a0"]),
    ],
)
def test_a_sampler_with_a_location_has_slots(names: tuple[str, ...], expected: list[str]) -> None:
    assert slots(*names) == {"fragment": expected}


def test_an_array_is_known_to_reach_as_far_as_gl_says() -> None:
    text = HEAD + "void main() { o = texture(s[1], vec2(0)); }"
    assert slots("s[3]", fragment=text) == {"fragment": ["s0", "s1", "s2", "s3"]}


def test_a_member_of_a_structure_proves_the_structure() -> None:
    text = """struct L { sampler2D t; sampler2D u; }; uniform L l[3];
    void main() { gl_FragColor = texture2D(l[0].t, vec2(0)); }"""
    assert slots("l[1].u", fragment=text) == {"fragment": ["l[0].t0", "l[1].t0", "l[0].u0", "l[1].u0"]}


def test_of_several_stages_those_count_whose_code_names_the_sampler() -> None:
    vertex = "uniform sampler2D b; void main() { gl_Position = vec4(0); }"
    assert slots("b", vertex=vertex) == {"vertex": [], "fragment": ["a0", "b0"]}
    assert slots("b", vertex=vertex, fragment=UNNAMED) == {"vertex": ["b0"], "fragment": ["a0", "b0"]}


def test_a_function_that_is_not_called_names_nothing() -> None:
    vertex = "uniform sampler2D b; vec4 g() { return texture2D(b, vec2(0)); } void main() { gl_Position = vec4(0); }"
    assert slots("b", vertex=vertex) == {"vertex": [], "fragment": ["a0", "b0"]}


def made(text: str) -> ProgramObject:
    program, shader = ProgramObject(), Shader("fragment")
    shader.source = shader.compiled = text
    program.shaders.append(shader)
    assert program.link(SourceAnalysis()) == ()
    return program


def test_a_stream_that_gives_a_location_makes_the_sampler_active_and_says_so() -> None:
    program, analysis = made(DEAD), SourceAnalysis()
    assert program.located("a", 1, analysis) == ""
    assert program.executable is not None
    program.executable.program.set_units(1, [5])
    said = program.located("b", 0, analysis)
    assert said == "GL gave the uniform 'b' location 0, but nothing was found to use it"
    assert list(program.executable.linked.slots["fragment"]) == [("a", 0), ("b", 0)]
    running = program.executable.program
    running.set_units(0, [7])
    assert [running.units[running.places[at]] for at in (0, 1)] == [7, 5]
    assert program.located("b", 0, analysis) == ""


def test_a_name_that_no_stage_declares_is_only_told() -> None:
    program, analysis = made(DEAD), SourceAnalysis()
    for _ in range(2):
        assert "'z' location 3" in program.located("z", 3, analysis)
    assert program.executable is not None
    assert program.executable.linked.slots["fragment"] == [("a", 0)]


def test_a_new_link_forgets_what_gl_said() -> None:
    program, analysis = made(DEAD), SourceAnalysis()
    program.located("b", 0, analysis)
    assert program.link(analysis) == ()
    assert program.executable is not None
    assert program.executable.linked.slots["fragment"] == [("a", 0)]
