"""What main reaches by name."""

from __future__ import annotations

import pytest

from statetracker.replay.glsl import highest, order, reached
from statetracker.replay.glsl_declarations import WHOLE, declarations
from statetracker.replay.glsl_preprocess import preprocess

UNIFORMS = "uniform sampler2D a, b, c; uniform sampler2D s[4]; struct S { vec4 x; };"


def used(source: str) -> str:
    """Those of a, b and c that main reaches."""
    names = {name.name for name in reached([declarations(preprocess(UNIFORMS + source).tokens)])}
    return "".join(sorted(names & set("abc")))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("void f() { b; } void main() { a; }", "a"),
        ("void f() { b; } void g() { f(); } void main() { g(); a; }", "ab"),
        ("void f(int i) { a; } void f(float x) { b; } void main() { f(1); }", "ab"),
        ("void f() { f(); a; } void main() { f(); }", "a"),
        ("vec4 g = texture(b, p); void main() { g; }", "b"),
        ("vec4 g = texture(b, p); void main() { a; }", "a"),
        ("subroutine(T) void f() { b; } void main() { a; }", "ab"),
        ("void f() { a; } void g() { b; }", "ab"),
        ("void f(sampler2D a) { a; } void main() { f(b); }", "b"),
        ("void main() { v.a; 1.b; c; }", "c"),
        ("void main() { vec3 a = vec3(1); a; }", ""),
        ("void main() { vec3 a = texture(a, p); }", "a"),
        ("void main() { S a; a.x; b; }", "b"),
        ("void main() { { float a; a; } a; }", "a"),
        ("void main() { { float b; } { a; b; } }", "ab"),
        ("void main() { for (int a = 0; a < 1; a++) { } }", "a"),
        ("void main() { if (false) a; return; b; }", "ab"),
    ],
)
def test_what_is_reached(source: str, expected: str) -> None:
    assert used(source) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("s[1]; s[0];", 1), ("s[N];", 2), ("s[i];", WHOLE), ("s[1]; f(s);", WHOLE), ("s[s[1]];", WHOLE),
        ("s[-1];", WHOLE),
    ],
)  # fmt: skip
def test_the_highest_element_of_an_array(body: str, expected: int) -> None:
    seen = declarations(preprocess(f"{UNIFORMS} const int N = 2; void main() {{ {body} }}").tokens)
    assert highest(reached([seen]), seen.constants)["s"] == expected


def ranked(*sources: str) -> list[str]:
    return list(order([declarations(preprocess(source).tokens) for source in sources]))


def test_globals_that_only_other_shaders_name_stand_before_those_of_the_shader_with_main() -> None:
    home = "uniform int b, a; void f(); void main() { f(); a; }"
    other = "uniform int b, c, d; void f() { d; c; g(); } void g() { b; }"
    assert ranked(home, other) == ranked(other, home) == ["c", "d", "b", "a"]


def test_a_stage_without_main_has_no_order() -> None:
    assert ranked("uniform int a; void f() { a; }") == []
