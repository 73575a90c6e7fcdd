"""Programs whose samplers Mesa gave, and rules of the scan one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from statetracker.gl.program import sampler_target
from statetracker.replay.glsl import LinkedProgram, last_element, link, stage_samplers

RECORDED = Path(__file__).parents[1] / "data" / "glsl" / "linked.jsonl"
CASES = [case for case in map(json.loads, RECORDED.read_text().splitlines()) if "stages" in case]

#: Cases in which Mesa drops a sampler that main reaches, by what it takes to see that. The scan keeps it.
UNDECIDED = {
    "a constant is calculated, or algebra": """const branch|times 0|times 0 var|mix 0|mix 1|and false|x-x|min0
        |clamp|dot0|mat0|noise|switch const|zero swz|swz|clamp again|x-x again|step|smooth|length const
        |normalize const|any const|const arr|cse|same both|same src same""",
    "a value is not used": """unused result|overwritten|component|component2|empty if|dead after return|out param
        |unused out fn|local array|tex loop dead|cond not dep|inout arr|compute""",
    "another stage reads an output, or makes it constant": """vs unused|vs const|vs color unread|gs|inst block
        |inst block again|loc match|vs const again|vs part const|vs const flat|block const|arr const|mat const
        |cond const""",
    "a loop is unrolled, or an array handed on": """array loop 32|array loop 16|loop break|loop break unknown|arr arg|do
        |continue|if unroll""",
}
OPEN = {" ".join(name.split()) for names in UNDECIDED.values() for name in names.split("|")}


def recorded() -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in CASES]


def linked(stages: dict[str, Any], **said: Any) -> LinkedProgram:
    texts = {stage: [text] if isinstance(text, str) else text for stage, text in stages.items()}
    return link({stage: stage_samplers(sources) for stage, sources in texts.items()}, **said)


def slot_names(program: LinkedProgram) -> dict[str, list[str | None]]:
    """Names of slots as GL gives them; buffers have no state."""
    by_name = {sampler.name: sampler for sampler in program.samplers}
    arrays = {name for name in by_name if f"{name}[0]" in program.locations}
    seen: dict[str, list[str | None]] = {}
    for stage, slots in program.slots.items():
        names = [(by_name[name], f"{name}[{element}]" if name in arrays else name) for name, element in slots]
        if names:
            seen[stage] = [None if "Buffer" in sampler.type else name for sampler, name in names]
    return seen


@pytest.mark.parametrize("case", recorded())
def test_slots_are_those_mesa_gives_or_more_and_named(case: dict[str, Any]) -> None:
    program = linked(case["stages"])
    seen = slot_names(program)
    taken = {last_element(sampler) for sampler in program.samplers}
    if case["name"] not in OPEN:
        assert seen == case["slots"]
        return
    assert seen != case["slots"]
    for stage, names in seen.items():
        assert [name for name in names if name in case["slots"].get(stage, ())] == case["slots"].get(stage, [])
        extra = set(names) - set(case["slots"].get(stage, ()))
        assert {f"{str(name).partition('[')[0]}" for name in extra} <= {name.partition("[")[0] for name in taken}


@pytest.mark.parametrize("case", recorded())
def test_what_a_stream_says_decides_every_case(case: dict[str, Any]) -> None:
    """-1 for every name that Mesa has no slot for."""
    names = {name for names in slot_names(linked(case["stages"])).values() for name in names}
    inactive = {str(name) for name in names} - {name for names in case["slots"].values() for name in names}
    assert slot_names(linked(case["stages"], inactive=inactive)) == case["slots"]


@pytest.mark.parametrize("case", [param for param, case in zip(recorded(), CASES, strict=True)
                                  if case["name"] not in OPEN and not case["name"].startswith("ubo")])  # fmt: skip
def test_locations_and_units_are_those_mesa_gives(case: dict[str, Any]) -> None:
    """Members of uniform blocks take locations too: only what a stream asks for is known then."""
    program = linked(case["stages"])
    assert {name: program.locations.get(name) for name in case["locations"]} == case["locations"]
    for name, units in case["units"].items():
        sampler = next(s for s in program.samplers if name in {s.name, f"{s.name}[0]"})
        assert sampler.binding is not None
        assert [sampler.binding + at for at in range(sampler.size)] == units


def seen(body: str, declared: str = "uniform sampler2D a, b;", version: str = "130", **said: Any) -> list[str]:
    source = f"#version {version}\n{declared}\nvoid main() {{ {body} }}"
    return [f"{name}{element or ''}" for name, element in linked({"fragment": source}, **said).slots["fragment"]]


SHADOWED = ("1D", "2D", "Cube", "2DRect", "1DArray", "2DArray", "CubeArray")
PLAIN = (*SHADOWED, "3D", "Buffer", "2DMS", "2DMSArray")
TYPES = [f"{p}sampler{d}" for p in ("", "i", "u") for d in PLAIN] + [f"sampler{d}Shadow" for d in SHADOWED]


@pytest.mark.parametrize("name", [*TYPES, "samplerExternalOES"])
def test_every_sampler_type_is_listed(name: str) -> None:
    program = linked({"fragment": f"uniform {name} s; void main() {{ gl_FragColor = texture(s, vec4(0)); }}"})
    assert [sampler.type for sampler in program.samplers] == [name]
    assert sampler_target(name)


def test_overloads_that_call_each_other_are_one_function() -> None:
    declared = """uniform sampler2D a, b, c;
    vec4 mixer(vec4 x, float y) { return x * y + texture2D(a, x.xy); }
    vec4 mixer(vec4 x, vec4 y) { return mixer(x, y.x) + texture2D(b, x.xy); }"""
    assert seen("gl_FragColor = mixer(vec4(1), vec4(1));", declared) == ["a", "b"]


def test_a_sampler_handed_to_a_function_is_used_and_its_parameter_is_not_the_uniform() -> None:
    declared = "uniform sampler2D a, b, t; vec4 f(sampler2D t, vec2 p) { return texture2D(t, p); }"
    assert seen("gl_FragColor = f(b, vec2(0));", declared) == ["b"]


def test_samplers_inside_structures_and_arrays_of_structures_are_listed() -> None:
    declared = """struct Map { sampler2D t; float k; }; struct Light { Map map; sampler2D u[2]; };
    uniform Light one; uniform struct { sampler2D t; } two; uniform Map several[3];"""
    body = "gl_FragColor = texture2D(one.map.t, vec2(two.t)) + texture2D(several[1].t, vec2(0));"
    assert seen(body, declared) == ["one.map.t", "one.u", "one.u1", "two.t", "several[0].t", "several[1].t"]


def test_a_binding_may_come_out_of_a_macro() -> None:
    declared = "#define AT(n) layout(binding = n + 1)\n#define B 3\nAT(B) uniform sampler2D a[2];"
    program = linked(
        {"fragment": f"#version 420\n{declared} out vec4 o; void main() {{ o = texture(a[1], vec2(0)); }}"}
    )
    assert [(s.name, s.binding, s.size) for s in program.samplers] == [("a", 4, 2)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("gl_FragColor = texture(s[2], vec2(0));", ["s", "s1", "s2"]),
        ("const int k = 1; gl_FragColor = texture(s[k], vec2(0));", ["s", "s1", "s2", "s3", "s4"]),
        ("gl_FragColor = texture(s[N - 1], vec2(0));", ["s", "s1"]),
        ("gl_FragColor = texture(s[9], vec2(0));", ["s", "s1", "s2", "s3", "s4"]),
    ],
)
def test_an_array_is_cut_after_a_constant_index_of_globals_and_literals(body: str, expected: list[str]) -> None:
    assert seen(body, "const int N = 2; uniform sampler2D s[N * 2 + 1];") == expected


def test_code_that_never_runs_counts_unless_the_stream_says_otherwise() -> None:
    body = "if (false) gl_FragColor = texture(a, vec2(0)); gl_FragColor = texture(b, vec2(0));"
    assert seen(body) == ["a", "b"]
    assert seen(body, inactive={"a"}) == ["b"]


@pytest.mark.parametrize(
    ("inactive", "expected"),
    [
        ({"s[3]"}, ["s", "s1", "s2"]), ({"s[1]", "s[3]"}, ["s"]), ({"s"}, []), ({"s[0]"}, []),
        ({"t"}, ["s", "s1", "s2", "s3"]),
    ],
)  # fmt: skip
def test_an_element_without_a_location_ends_its_array(inactive: set[str], expected: list[str]) -> None:
    assert (
        seen("gl_FragColor = texture(s[i], vec2(0));", "uniform int i; uniform sampler2D s[4];", inactive=inactive)
        == expected
    )


HEAD = "uniform sampler2D a, b; uniform float f; uniform sampler2D s[4];"


@pytest.mark.parametrize(
    ("active", "expected"),
    [
        (("b",), ["a", "b"]),
        (("s[2]", "s[1]", "b"), ["a", "b", "s", "s1", "s2"]),
        (("s",), ["a", "s"]),
        (("unknown", "f", "a[0]", "s[x]", "s[4]", "s[99999999999]", "]"), ["a"]),
    ],
)
def test_a_location_proves_a_sampler_that_main_does_not_reach(active: tuple[str, ...], expected: list[str]) -> None:
    assert seen("gl_FragColor = texture2D(a, vec2(0));", HEAD, active=active) == expected


def test_a_location_proves_a_sampler_where_another_element_of_it_is_used() -> None:
    vertex = "uniform sampler2D s[4]; void main() { gl_Position = vec4(0); }"
    fragment = "uniform sampler2D s[4]; void main() { gl_FragColor = texture2D(s[1], vec2(0)); }"
    program = linked({"vertex": vertex, "fragment": fragment}, active=["s[3]"])
    assert [len(slots) for slots in program.slots.values()] == [0, 4]


def test_a_member_of_a_structure_proves_the_structure() -> None:
    declared = "struct L { sampler2D t; sampler2D u; }; uniform L l[3];"
    body = "gl_FragColor = texture2D(l[0].t, vec2(0));"
    assert seen(body, declared, active=["l[1].u"]) == ["l[0].t", "l[1].t", "l[0].u", "l[1].u"]


def test_a_sampler_of_two_stages_is_one_uniform_with_a_slot_in_each() -> None:
    vertex = "uniform sampler2D a; void main() { gl_Position = texture2DLod(a, vec2(0), 0.0); }"
    fragment = "uniform sampler2D b, a; void main() { gl_FragColor = texture2D(a, vec2(0)) + texture2D(b, vec2(0)); }"
    program = linked({"vertex": vertex, "fragment": fragment})
    assert {s.name: sorted(s.stages) for s in program.samplers} == {"a": ["fragment", "vertex"], "b": ["fragment"]}
    assert program.locations == {"a": 0, "b": 1}


def test_a_stage_without_main_fails() -> None:
    stage = stage_samplers(["uniform sampler2D a; vec4 f() { return texture2D(a, vec2(0)); }"])
    assert stage.failed == "there is no main"


def test_a_main_that_is_lost_behind_a_problem_fails_nothing_and_everything_is_taken() -> None:
    declared = "uniform sampler2D a; vec4 f() { return texture2D(a, vec2(0)); }"
    stage = stage_samplers([f"#define MAIN void main\n{declared}\n#ifdef\n#endif\nMAIN() {{ }}"])
    assert (stage.failed, len(stage.problems)) == ("", 1)
    assert "a" in stage.used


def test_an_array_whose_size_is_not_known_is_a_problem_where_its_size_matters() -> None:
    declared = "uniform int i; uniform sampler2D s[gl_MaxTextureUnits];"
    assert seen("gl_FragColor = texture2D(s[2], vec2(0));", declared) == ["s", "s1", "s2"]
    stage = stage_samplers([f"{declared} void main() {{ gl_FragColor = texture2D(s[i], vec2(0)); }}"])
    assert stage.problems == ("the size of 's' is not known",)


def test_the_highest_version_of_several_shaders_counts() -> None:
    assert stage_samplers(["void main() { }", "#version 130\nvoid f() { }"]).version == 130


@pytest.mark.parametrize(
    "source",
    [
        "void main() { " + "(" * 3000 + "1" + ")" * 3000 + "; }",
        "uniform sampler2D s[" + "(" * 3000 + "1" + ")" * 3000 + "]; void main() { }",
        "void main() { int i[; }",
        "void main(",
        "struct { int",
        "struct S { S s[4096]; }; uniform S s[4096]; void main() { s; }",
        "#if\n#ifdef\n#define\n#undef\n#extension\nvoid main() { }",
        "} ) { layout( uniform ; , = ) {",
    ],
)
def test_no_source_makes_the_scan_fail(source: str) -> None:
    link({"fragment": stage_samplers([source])})
