from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl.program import Program, sampler_target
from statetracker.trace.glsl import LinkedProgram, StageSamplers, link, stage_samplers
from statetracker.trace.glsl_values import shape_of

RECORDED = Path(__file__).parents[1] / "data" / "glsl" / "linked.jsonl"


def recorded() -> list[Any]:
    lines = RECORDED.read_text().splitlines()
    return [pytest.param(case, id=case["name"]) for case in map(json.loads, lines) if "stages" in case]


def linked(stages: dict[str, Any]) -> LinkedProgram:
    return link({stage: stage_samplers([s] if isinstance(s, str) else s, stage) for stage, s in stages.items()})


def slot_names(program: LinkedProgram) -> dict[str, list[str | None]]:
    """Names of slots as GL gives them; buffers have no state."""
    by_name = {sampler.name: sampler for sampler in program.samplers}
    found: dict[str, list[str | None]] = {}
    for stage, slots in program.slots.items():
        names: list[str | None] = []
        for slot in slots:
            sampler = by_name[slot.sampler]
            name = f"{slot.sampler}[{slot.element}]" if sampler.array else slot.sampler
            names.append(None if "Buffer" in sampler.type else name)
        if names:
            found[stage] = names
    return found


@pytest.mark.parametrize("case", recorded())
def test_slots_locations_and_units_are_those_mesa_gives(case: dict[str, Any]) -> None:
    program = linked(case["stages"])
    assert program.problems == ()
    assert slot_names(program) == case["slots"]
    assert {name: program.locations.get(name) for name in case["locations"]} == case["locations"]
    known = case["locations"].keys() | {f"{name}[0]" for name in case["locations"]}
    firsts = {name for name in program.locations if not name.endswith("]") or name.endswith("[0]")}
    assert all(name in known or f"{name}[0]" in known for name in firsts)
    for name, units in case["units"].items():
        sampler = next(s for s in program.samplers if name in {s.name, f"{s.name}[0]"})
        assert list(sampler.units) == units


def fragment(body: str, declared: str = "uniform sampler2D a, b;", version: str = "130", **more: Any) -> StageSamplers:
    source = f"#version {version}\n{declared}\nvoid main() {{ {body} }}"
    return stage_samplers([source], "fragment", **more)


def active(body: str, declared: str = "uniform sampler2D a, b;", version: str = "130") -> list[tuple[str, int, int]]:
    return [(s.name, s.first, s.size) for s in fragment(body, declared, version).samplers]


SHADOWED = ("1D", "2D", "Cube", "2DRect", "1DArray", "2DArray", "CubeArray")
PLAIN = (*SHADOWED, "3D", "Buffer", "2DMS", "2DMSArray")


@pytest.mark.parametrize("name", [f"{p}sampler{d}" for p in ("", "i", "u") for d in PLAIN])
def test_every_sampler_type_is_found(name: str) -> None:
    (sampler,) = fragment("gl_FragColor = vec4(texture(s, vec4(0)));", f"uniform {name} s;").samplers
    assert sampler.type == name
    assert sampler_target(sampler.type)


@pytest.mark.parametrize("dimension", SHADOWED)
def test_shadow_samplers_are_found(dimension: str) -> None:
    (sampler,) = fragment("gl_FragColor = vec4(texture(s, vec4(0)));", f"uniform sampler{dimension}Shadow s;").samplers
    assert sampler.type == f"sampler{dimension}Shadow"


def test_declarations_may_come_out_of_macros() -> None:
    declared = "#define TEX(kind, name) uniform sampler##kind name\nTEX(2D, t);"
    assert active("gl_FragColor = texture(t, vec2(0));", declared) == [("t", 0, 1)]


def test_precision_and_layout_may_stand_before_the_type() -> None:
    declared = "layout(binding = 3) uniform highp sampler2D a; uniform lowp sampler2D b;"
    found = fragment("gl_FragColor = texture(a, vec2(0)) + texture(b, vec2(0));", declared, "420 compatibility")
    assert [(s.name, s.binding) for s in found.samplers] == [("a", 3), ("b", None)]


def test_a_binding_of_0_counts_up_over_an_array() -> None:
    declared = "layout(binding = 0) uniform sampler2D s[2];"
    found = fragment("gl_FragColor = texture(s[1], vec2(0));", declared, "420 compatibility")
    assert [s.units for s in link({"fragment": found}).samplers] == [(0, 1)]


def test_array_sizes_are_constant_expressions() -> None:
    declared = "#define M 2\nconst int N = M + 1; uniform int i; uniform sampler2D s[N * 2];"
    assert active("gl_FragColor = texture(s[i], vec2(0));", declared, "400") == [("s", 0, 6)]


def test_a_sampler_that_is_only_declared_is_not_active() -> None:
    assert active("gl_FragColor = vec4(0);") == []


def test_a_sampler_in_a_function_never_called_is_not_active() -> None:
    declared = "uniform sampler2D a; vec4 f() { return texture(a, vec2(0)); }"
    assert active("gl_FragColor = vec4(0);", declared) == []


def test_a_sampler_whose_result_is_not_used_is_not_active() -> None:
    assert active("vec4 x = texture(a, vec2(0)); gl_FragColor = vec4(0);") == []


def test_a_sampler_behind_a_false_constant_is_not_active() -> None:
    assert active("const bool on = false; gl_FragColor = on ? texture(a, vec2(0)) : vec4(1);") == []


def test_a_sampler_multiplied_by_literal_0_is_not_active() -> None:
    assert active("gl_FragColor = 0.0 * texture(a, vec2(0));") == []


def test_a_sampler_used_only_for_its_size_or_by_a_fetch_is_active() -> None:
    body = "gl_FragColor = texelFetch(a, ivec2(0), 0) + vec4(textureSize(b, 0), 0, 0);"
    assert active(body) == [("a", 0, 1), ("b", 1, 1)]


def test_a_sampler_is_active_through_the_argument_of_a_function() -> None:
    declared = "uniform sampler2D a, b; vec4 f(sampler2D s) { return texture(s, vec2(0)); }"
    assert active("gl_FragColor = f(b);", declared) == [("b", 0, 1)]


def test_an_array_is_cut_after_the_highest_constant_index_and_kept_below() -> None:
    assert active("gl_FragColor = texture(s[2], vec2(0));", "uniform sampler2D s[5];") == [("s", 0, 3)]


def test_an_array_with_a_variable_index_is_kept_whole() -> None:
    declared = "uniform int i; uniform sampler2D s[5];"
    assert active("gl_FragColor = texture(s[i], vec2(0));", declared, "400") == [("s", 0, 5)]


def test_slots_are_in_order_of_declaration_not_of_use() -> None:
    body = "gl_FragColor = texture(b, vec2(0)) + texture(a, vec2(0));"
    assert active(body) == [("a", 0, 1), ("b", 1, 1)]


def test_a_name_that_has_no_location_is_not_active() -> None:
    found = fragment("gl_FragColor = texture(a, vec2(0)) + texture(b, vec2(0));", inactive={"a"})
    assert [(s.name, s.first) for s in found.samplers] == [("b", 0)]


def test_a_missing_element_does_not_make_its_array_inactive() -> None:
    found = fragment("gl_FragColor = texture(s[1], vec2(0));", "uniform sampler2D s[4];", inactive={"s[3]"})
    assert [s.name for s in found.samplers] == ["s"]


def test_a_sampler_of_two_stages_is_one_uniform_with_a_slot_in_each() -> None:
    vertex = "uniform sampler2D a; void main() { gl_Position = texture2DLod(a, vec2(0), 0.0); }"
    fragment_ = "uniform sampler2D b, a; void main() { gl_FragColor = texture2D(a, vec2(0)) + texture2D(b, vec2(0)); }"
    program = linked({"vertex": vertex, "fragment": fragment_})
    assert [(s.name, s.location, sorted(s.sizes)) for s in program.samplers] == [
        ("a", 0, ["fragment", "vertex"]),
        ("b", 1, ["fragment"]),
    ]
    assert slot_names(program) == {"vertex": ["a"], "fragment": ["b", "a"]}


def test_array_elements_have_consecutive_locations_and_the_first_has_two_names() -> None:
    body = "gl_FragColor = texture2D(s[1], vec2(0)) + texture2D(t, vec2(0));"
    program = linked({"fragment": f"uniform sampler2D s[2], t; void main() {{ {body} }}"})
    assert program.locations == {"s": 0, "s[0]": 0, "s[1]": 1, "t": 2}


def test_outputs_that_transform_feedback_records_are_used() -> None:
    stages = {
        "vertex": stage_samplers(
            ["uniform sampler2D a; varying vec4 v; void main() { v = texture2DLod(a, vec2(0), 0.0); }"], "vertex"
        ),
        "fragment": stage_samplers(["void main() { gl_FragColor = vec4(0); }"], "fragment"),
    }
    assert link(stages).samplers == ()
    assert [s.name for s in link(stages, captured={"v"}).samplers] == ["a"]
    assert [s.name for s in link(stages, separable=True).samplers] == ["a"]


def test_a_linked_program_becomes_a_gl_program() -> None:
    program = linked({"fragment": "uniform sampler2D s[2]; void main() { gl_FragColor = texture2D(s[1], vec2(0)); }"})
    made = Program(program.uniforms(), glsl_version=program.glsl_version)
    assert [slot.index for slot in made.slots("fragment")] == [0, 1]
    assert not made.glsl130


@pytest.mark.parametrize(("line", "version"), [("", 110), ("#version 130", 130), ("#version 300 es", 300)])
def test_the_version_is_that_of_the_source(line: str, version: int) -> None:
    assert stage_samplers([f"{line}\nvoid main() {{}}"], "fragment").version == version


def test_an_unknown_stage_is_refused() -> None:
    with pytest.raises(ArgumentError, match="tess-ctrl"):
        stage_samplers([""], "pixel")


def test_a_source_that_cannot_be_read_falls_back_to_names_and_says_so() -> None:
    source = "uniform sampler2D a, c[3]; uniform samplerCube b; void main() { @ a b c }"
    found = stage_samplers([source], "fragment")
    assert found.problem is not None
    assert "line 1" in found.problem
    assert [(s.name, s.type, s.first, s.size) for s in found.samplers] == [
        ("a", "sampler2D", 0, 1),
        ("c", "sampler2D", 1, 3),
        ("b", "samplerCube", 4, 1),
    ]
    assert link({"fragment": found}).problems == (f"fragment: {found.problem}",)


def test_a_stage_without_main_is_a_problem_of_linking() -> None:
    assert linked({"fragment": "uniform sampler2D a;"}).problems == ("fragment: there is no main",)


@pytest.mark.parametrize(
    "source",
    [
        "float f(float x) { return f(x); } void main() { gl_FragColor = vec4(f(1.0)); }",
        "void main() { " + "(" * 3000 + "1" + ")" * 3000 + "; }",
        "void main() { int i[; }",
        "void main(",
        "struct { int",
    ],
)
def test_no_source_makes_the_reader_fail(source: str) -> None:
    assert stage_samplers([source], "fragment").problem is not None


def test_a_long_loop_does_not_take_long() -> None:
    body = "vec4 x = vec4(0); for (int i = 0; i < 1000000; i++) for (int j = 0; j < 1000000; j++)"
    assert active(body + " x += texture(a, vec2(i)); gl_FragColor = x;") == [("a", 0, 1)]


def test_deep_nests_of_short_loops_do_not_take_long() -> None:
    loops = "".join(f"for (int i{n} = 0; i{n} < 30; i{n}++) " for n in range(8))
    assert active("vec4 x = vec4(0); " + loops + "x += texture(a, vec2(0)); gl_FragColor = x;") == [("a", 0, 1)]


def test_a_condition_that_a_loop_decided_keeps_what_decided_the_loop_active() -> None:
    source = """#version 400
    uniform int n;
    uniform sampler2D s;
    out vec4 o;
    void main()
    {
        bool all_red = true;
        for (int i = 0; i < n; i++)
            all_red = all_red && texelFetch(s, ivec2(i, 0), 0) == vec4(1.0, 0.0, 0.0, 1.0);
        if (all_red)
            o = vec4(0.0);
        else
            o = vec4(1.0);
    }"""
    assert [u.name for u in stage_samplers([source], "fragment").uniforms] == ["n", "s"]


@pytest.mark.parametrize(
    "name", ["material", "matrix", "mat5", "mat2x", "vecs", "vec9", "dvecq", "boolean", "intensity"]
)
def test_a_function_whose_name_begins_like_a_type_is_a_function(name: str) -> None:
    declared = f"uniform sampler2D a; vec4 {name}(vec2 t) {{ return texture(a, t); }}"
    assert active(f"gl_FragColor = {name}(vec2(0));", declared) == [("a", 0, 1)]


@pytest.mark.parametrize("name", ["material", "matrix", "vecs", "sampler2", "float4", "boolean", "intensity"])
def test_a_structure_whose_name_begins_like_a_type_is_a_structure(name: str) -> None:
    declared = f"uniform sampler2D a, b; struct {name} {{ vec4 x; vec4 y; }};"
    body = f"{name} m = {name}(texture(a, vec2(0)), texture(b, vec2(0))); gl_FragColor = m.y;"
    assert active(body, declared) == [("b", 0, 1)]


def test_matrix_comp_mult_is_a_built_in_function_and_no_matrix() -> None:
    product = "matrixCompMult(mat2(texture(a, vec2(0))), mat2(0.0))"
    assert active(f"gl_FragColor = vec4({product}[0], 0, 0) + texture(b, vec2(0));") == [("b", 0, 1)]
    assert active("gl_FragColor = vec4(matrixCompMult(mat2(texture(a, vec2(0))), mat2(1.0))[0], 0, 0);") == [
        ("a", 0, 1)
    ]


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("float", (1, 0)), ("uint64_t", (1, 0)), ("bvec2", (2, 0)), ("u64vec3", (3, 0)), ("mat2x3", (6, 3)),
        ("dmat4", (16, 4)), ("mat", (0, 0)), ("mat5", (0, 0)), ("vec", (0, 0)), ("vec44", (0, 0)), ("vecs", (0, 0)),
        ("bmat2", (0, 0)), ("double3", (0, 0)), ("sampler2D", (0, 0)),
    ],
)  # fmt: skip
def test_only_glsls_own_types_have_components(name: str, shape: tuple[int, int]) -> None:
    assert shape_of(name) == shape


@pytest.mark.parametrize("name", ["material", "sampler2", "image2d", "imageBuffers", "mat4x", "i64vec", "boolean"])
def test_a_variable_may_be_named_almost_like_a_type(name: str) -> None:
    assert fragment(f"vec4 {name}; {name} = texture(a, vec2(0)); gl_FragColor = {name};").problem is None
    assert active(f"vec4 {name}; {name} = texture(a, vec2(0)); gl_FragColor = {name};") == [("a", 0, 1)]


@pytest.mark.parametrize("first", ["p", "r"])
def test_outputs_that_share_a_location_by_component_are_two_outputs(first: str) -> None:
    declared = """uniform sampler2D a, b;
    layout(location=1, component=0) out vec2 p; layout(location=1, component=2) out vec2 r;"""
    writes = {"p": "p = texture(a, vec2(0)).xy;", "r": "r = texture(b, vec2(0)).xy;"}
    body = writes.pop(first) + "".join(writes.values())
    assert active(body, declared, "440") == [("a", 0, 1), ("b", 1, 1)]


@pytest.mark.parametrize("body", ["p = {a}; r = {b};", "r = {b}; p = {a};"])
def test_outputs_of_dual_source_blending_are_two_outputs(body: str) -> None:
    declared = "uniform sampler2D a, b; layout(location=0) out vec4 p; layout(location=0, index=1) out vec4 r;"
    calls = {name: f"texture({name}, vec2(0))" for name in "ab"}
    assert active(body.format(**calls), declared, "330") == [("a", 0, 1), ("b", 1, 1)]


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (["layout(location=0, component=0) in vec2 y;"], ["a"]),
        (["layout(location=0, component=2) in vec2 z;"], ["b"]),
        (["layout(location=0) in vec2 y;", "layout(location=0, component=2) in vec2 z;"], ["a", "b"]),
    ],
)
def test_varyings_that_share_a_location_are_matched_by_component(read: list[str], expected: list[str]) -> None:
    vertex = """#version 440
    uniform sampler2D a, b; layout(location=0, component=0) out vec2 w; layout(location=0, component=2) out vec2 x;
    void main() { w = textureLod(a, vec2(0), 0.0).xy; x = textureLod(b, vec2(0), 0.0).xy; }"""
    names = [declared[-2] for declared in read]
    reader = f"#version 440\n{''.join(read)} out vec4 o; void main() {{ o = vec4({' + '.join(names)}, 0, 0); }}"
    program = linked({"vertex": vertex, "fragment": reader})
    assert [sampler.name for sampler in program.samplers] == expected


A, B = "texture(a, vec2(0))", "texture(b, vec2(0))"


def names(body: str, declared: str = "uniform sampler2D a, b; uniform bool q; uniform vec4 v;") -> list[str]:
    body = body.replace("A", A).replace("B", B).replace("OUT", "gl_FragColor")
    return [s.name for s in fragment(body, declared).samplers]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("OUT = A; discard;", "a"),
        ("discard; OUT = A;", "a"),
        ("OUT = A; if (true) discard;", "a"),
        ("OUT = A; if (B.x > 0.5) discard; else discard;", "ab"),
        ("OUT = v; if (q) { OUT = A; discard; } OUT += B;", "ab"),
        ("if (q) { OUT = A; discard; return; } OUT = v;", "a"),
        ("if (q) { OUT = A; return; } else discard; OUT = B;", "ab"),
        ("for (int i = 0; i < 4; i++) { if (i == 2) discard; if (i == 3) OUT = B; OUT = A; }", "a"),
    ],
)
def test_what_is_written_counts_before_and_after_a_discard(body: str, expected: str) -> None:
    assert names(body) == list(expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int i = 0; do { OUT = A; i++; } while (i < 0 && B.x > 0.5);", "ab"),
        ("int i = 0; do { OUT = A; i++; } while (B.x > 0.5 && i < 0);", "a"),
        ("int i = 0; do { OUT = A; i++; } while (false && B.x > 0.5);", "a"),
        ("int i = 0; OUT = A; while (i < 0 && B.x > 0.5) i++;", "a"),
        ("OUT = A; for (int i = 0; i < 0 && B.x > 0.5; i++) OUT += v;", "ab"),
        ("OUT = A; for (int i = 0; B.x > 0.5 && i < 0; i++) OUT += v;", "a"),
        ("OUT = A; for (int i = 0; !(i >= 0 || B.x > 0.5); i++) OUT += v;", "ab"),
        ("OUT = A; for (int i = 0; i < (i < 5 ? 2 : int(B.x)); i++) OUT += v;", "ab"),
        ("int i = 1; OUT = A; if (i < 0 && B.x > 0.5) OUT += v;", "a"),
    ],
)
def test_a_loop_whose_test_looks_up_in_one_case_only_is_not_unrolled(body: str, expected: str) -> None:
    assert names(body) == list(expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("OUT = B.x > 0.5 ? A : A;", "ab"),
        ("vec4 z = A; OUT = (B.x > 0.5 ? A : A) + z;", "a"),
        ("vec4 z = A; OUT = B.x > 0.5 ? z * 2.0 : z * 2.0;", "a"),
        ("OUT = B.x > 0.5 ? A - A : v - v;", ""),
        ("if (B.x > 0.5) OUT = A; else OUT = A;", "ab"),
        ("if (B.x > 0.5) OUT = v; else OUT = v;", ""),
        ("if (B.x > 0.5) OUT = A; else OUT = A; OUT -= A;", "ab"),
        ("vec4 z = A, y; if (B.x > 0.5) y = A; else y = A; OUT = z - y;", ""),
        ("OUT = vec4(B.x > 0.5 ? textureSize(a, 0) : textureSize(a, 0), 0, 0);", "ab"),
        ("switch (int(B.x)) { case 0: OUT = A; break; default: OUT = A; }", "ab"),
    ],
)
def test_the_same_lookup_in_two_branches_is_two_lookups(body: str, expected: str) -> None:
    assert names(body) == list(expected)


@pytest.mark.parametrize(
    ("declared", "captured", "expected"),
    [
        ("layout(location=3) out vec4 w; out vec4 x;", ["w"], "a"),
        ("layout(xfb_buffer=0, xfb_offset=0) out vec4 w; out vec4 x;", [], "a"),
        ("layout(xfb_buffer=0) out vec4 w; out vec4 x;", [], ""),
        ("layout(location=3, xfb_offset=0) out vec4 w; out vec4 x;", [], "a"),
        ("out vec4 w; out vec4 x;", ["x", "gl_Position"], "b"),
        ("out Z { vec4 w; vec4 y; }; out vec4 x;", ["w"], "a"),
        ("out Z { vec4 w; vec4 y; }; out vec4 x;", ["y"], ""),
        ("out Z { layout(xfb_offset=0) vec4 w; vec4 y; }; out vec4 x;", [], "a"),
    ],
)
def test_what_transform_feedback_records_is_used(declared: str, captured: list[str], expected: str) -> None:
    vertex = f"""#version 440
    uniform sampler2D a, b; {declared}
    void main() {{ w = textureLod(a, vec2(0), 0.0); x = textureLod(b, vec2(0), 0.0); }}"""
    stages = {
        "vertex": stage_samplers([vertex], "vertex"),
        "fragment": stage_samplers(["#version 440\nout vec4 o; void main() { o = vec4(0); }"], "fragment"),
    }
    assert [s.name for s in link(stages, captured=captured).samplers] == list(expected)


@pytest.mark.parametrize("captured", ["w", "w[1]", "w.p"])
def test_a_part_of_an_output_that_is_recorded_keeps_all_of_it(captured: str) -> None:
    kind, parts = ("S w", ["w.p", "w.q"]) if "." in captured else ("vec4 w[2]", ["w[0]", "w[1]"])
    vertex = f"""#version 440
    uniform sampler2D a, b; struct S {{ vec4 p; vec4 q; }}; out {kind};
    void main() {{ {parts[0]} = textureLod(a, vec2(0), 0.0); {parts[1]} = textureLod(b, vec2(0), 0.0); }}"""
    stages = {
        "vertex": stage_samplers([vertex], "vertex"),
        "fragment": stage_samplers(["#version 440\nout vec4 o; void main() { o = vec4(0); }"], "fragment"),
    }
    assert [s.name for s in link(stages, captured=[captured]).samplers] == ["a", "b"]


@pytest.mark.parametrize(("captured", "expected"), [("Z.w", "a"), ("Z[0].w", "a"), ("Z.y", "b"), ("Z[1].y", "b")])
def test_a_member_of_a_block_that_is_recorded_is_used(captured: str, expected: str) -> None:
    several, first, second = ("[2]", "[0]", "[1]") if "[" in captured else ("", "", "")
    vertex = f"""#version 440
    uniform sampler2D a, b; out Z {{ vec4 w; vec4 y; }} z{several};
    void main() {{ z{first}.w = textureLod(a, vec2(0), 0.0); z{second}.y = textureLod(b, vec2(0), 0.0); }}"""
    stages = {
        "vertex": stage_samplers([vertex], "vertex"),
        "fragment": stage_samplers(["#version 440\nout vec4 o; void main() { o = vec4(0); }"], "fragment"),
    }
    assert [s.name for s in link(stages, captured=[captured]).samplers] == list(expected)


def test_every_block_of_an_array_of_blocks_is_an_output() -> None:
    block = "Z { vec4 w; } z[2];"
    vertex = f"""#version 440
    uniform sampler2D a, b; out {block}
    void main() {{ z[0].w = textureLod(a, vec2(0), 0.0); z[1].w = textureLod(b, vec2(0), 0.0); }}"""
    reader = f"#version 440\nin {block} out vec4 o; void main() {{ o = z[1].w + z[0].w; }}"
    assert [s.name for s in linked({"vertex": vertex, "fragment": reader}).samplers] == ["a", "b"]
