"""What the global declarations of a shader say."""

from __future__ import annotations

import pytest

from statetracker.replay.glsl_declarations import WHOLE, Variable, constant, declarations
from statetracker.replay.glsl_preprocess import preprocess


def uniforms(source: str) -> list[tuple[str, str, int]]:
    return [(leaf.type, leaf.name, leaf.size) for leaf in declarations(preprocess(source).tokens).leaves]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("uniform sampler2D a, b[2];", [("sampler2D", "a", 0), ("sampler2D", "b", 2)]),
        ("uniform sampler2D[3] a;", [("sampler2D", "a", 3)]),
        ("uniform sampler2D a[];", [("sampler2D", "a", WHOLE)]),
        ("uniform highp sampler2D a; lowp uniform sampler2D b;", [("sampler2D", "a", 0), ("sampler2D", "b", 0)]),
        ("layout(std140) uniform B { float x; } b; uniform int i;", [("int", "i", 0)]),
        ("precision highp sampler2D; uniform sampler2D a;", [("sampler2D", "a", 0)]),
        ("vec4 f(sampler2D s); uniform sampler2D a;", [("sampler2D", "a", 0)]),
        ("void f() { { } } uniform sampler2D a;", [("sampler2D", "a", 0)]),
        ("layout(local_size_x = 1) in; in vec4 v; out vec4 o; uniform int i;", [("int", "i", 0)]),
        ("subroutine(T) vec4 f() { } subroutine uniform T t; uniform int i;", [("int", "i", 0)]),
        ("uniform int i = 1, k[2] = int[2](1, 2);", [("int", "i", 0), ("int", "k", 2)]),
        ("const int N = 2; const int M = N + 1; uniform int i[M];", [("int", "i", 3)]),
        ("int N = 2; uniform int i[N];", [("int", "i", WHOLE)]),
        ("uniform int i[99999];", [("int", "i", 4096)]),
        ("struct S { sampler2D t; }; uniform S s;", [("sampler2D", "s.t", 0)]),
        ("uniform struct S { sampler2D t, u[2]; } s; uniform S t;", [("sampler2D", "s.t", 0), ("sampler2D", "s.u", 2),
                                                                   ("sampler2D", "t.t", 0), ("sampler2D", "t.u", 2)]),
        ("struct S { S s; Unknown u; int i; }; uniform S s;", [("int", "s.i", 0)]),
    ],
)  # fmt: skip
def test_uniforms_are_listed_with_type_and_size(source: str, expected: list[tuple[str, str, int]]) -> None:
    assert uniforms(source) == expected


def test_bindings_and_locations_count_up_over_elements_and_not_over_names() -> None:
    source = "layout(binding = 2, location = 5) uniform sampler2D a[2][3], b;"
    seen = declarations(preprocess(source).tokens).leaves
    assert [(leaf.name, leaf.binding, leaf.location) for leaf in seen] == [
        ("a[0]", 2, 5),
        ("a[1]", 5, 8),
        ("b", 2, 5),
    ]


def test_functions_are_bodies_with_their_parameters() -> None:
    source = "highp vec4 f(const in sampler2D s, vec2 p[2]) { return g(s); } S h() { }"
    first, second = declarations(preprocess(source).tokens).bodies
    assert (first.name, second.name) == ("f", "h")
    assert {"s", "p"} <= first.parameters
    assert first.tokens == ["{", "return", "g", "(", "s", ")", ";", "}"]
    assert not first.entry


def test_a_subroutine_is_reached_without_being_named() -> None:
    (body,) = declarations(preprocess("subroutine(T, U) vec4 f() { }").tokens).bodies
    assert (body.name, body.entry) == ("f", True)


def test_an_initial_value_is_a_body() -> None:
    (body,) = declarations(preprocess("vec4 g = texture(a, p), h;").tokens).bodies
    assert (body.name, body.tokens[0], body.parameters) == ("g", "texture", frozenset())


def test_a_structure_keeps_its_members_with_their_sizes() -> None:
    seen = declarations(preprocess("const int N = 2; struct S { float k; sampler2D t[N], u; };").tokens)
    assert seen.structs == {"S": [Variable("float", "k"), Variable("sampler2D", "t", (2,)), Variable("sampler2D", "u")]}
    assert seen.constants == {"N": 2}


def test_a_structure_without_members_is_none() -> None:
    assert declarations(preprocess("struct E { }; struct F { E e; };").tokens).structs == {}


NAMES = {"N": 3, "M": 4}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7), ("010", 8), ("0x1F", 31), ("5u", 5), ("0xFu", 15), ("N * 2 + 1", 7), ("2 * ( N - 1 )", 4),
        ("N + M * 2", 11), ("7 / 2", 3), ("- 7 / 2", -3), ("7 / - 2", -3), ("7 % 4", 3), ("1 << M", 16),
        ("256 >> N", 32), ("6 & 3 | 8 ^ 1", 11), ("~ N", -4), ("+ N", 3), ("int ( N )", 3), ("uint ( 2 ) + 1u", 3),
        ("2147483648", 2147483648),
    ],
)  # fmt: skip
def test_an_expression_of_whole_numbers_has_its_value(text: str, value: int) -> None:
    assert constant(text.split(), NAMES) == value


@pytest.mark.parametrize(
    "text",
    [
        "", "i", "N + i", "1 . 0", "0 . 000977", "09", "1 / 0", "1 % 0", "N <", "true", "float ( 1 )",
        "int ( 1 , 2 )", "N . x", "2D", "lambda", "2147483647 * 2147483647", "- ( 2147483647 + 2 )", "1 if 1 else 2",
        "( " * 120 + "1" + " )" * 120, " + ".join("1" * 101),
    ],
)  # fmt: skip
def test_what_cannot_be_calculated_has_none(text: str) -> None:
    assert constant(text.split(), NAMES) is None


def test_a_shift_stays_a_small_number() -> None:
    assert constant(["1", "<<", "33"], {}) == 2
    assert constant(["4", ">>", "33"], {}) == 2
