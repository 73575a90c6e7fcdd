from __future__ import annotations

import pytest

from statetracker.errors import ArgumentError
from statetracker.trace.glsl_preprocess import preprocess


def words(source: str) -> str:
    return " ".join(token.text for token in preprocess(source).tokens)


def test_comments_are_gone() -> None:
    assert words("a // b\n/* c\nd */ e") == "a e"


def test_a_backslash_continues_a_line() -> None:
    assert words("#define A 1 + \\\n 2\nA // x \\\n y\nz") == "1 + 2 z"


def test_line_numbers_survive_comments_and_continuation() -> None:
    tokens = preprocess("/*\n*/ a \\\n b\nc").tokens
    assert [(t.text, t.line) for t in tokens] == [("a", 2), ("b", 2), ("c", 4)]


def test_object_like_macros_expand_again_but_never_inside_themselves() -> None:
    assert words("#define A B\n#define B A + C\nA") == "A + C"


def test_function_like_macros_take_arguments() -> None:
    assert words("#define F(x, y) (x) * y\nF(a + b, G(c, d))") == "( a + b ) * G ( c , d )"


def test_a_function_like_macro_without_brackets_is_a_name() -> None:
    assert words("#define F(x) x\nF ; F (1)") == "F ; 1"


def test_arguments_may_go_over_several_lines() -> None:
    assert words("#define F(x, y) x y\nF(a,\nb)") == "a b"


def test_a_macro_without_parameters_takes_none() -> None:
    assert words("#define F() x\nF()") == "x"


def test_two_tokens_are_pasted() -> None:
    assert words("#define S(t) uniform sampler##t s##t\nS(2D);") == "uniform sampler2D s2D ;"


def test_undef_forgets_a_macro() -> None:
    assert words("#define A 1\n#undef A\nA") == "A"


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("1", True),
        ("0", False),
        ("UNKNOWN", False),
        ("defined A", True),
        ("defined(A) && !defined(B)", True),
        ("A == 3", True),
        ("A + 1 * 2 > 4", True),
        ("(A + 1) * 2 > 8", False),
        ("__VERSION__ >= 130", True),
        ("0x10 == 16 && 010 == 8", True),
        ("~0 == -1 && 7 / 2 == 3 && -7 % 2 == -1", True),
        ("1 << 4 | 1 ^ 1", True),
        ("F(2) == 4", True),
        ("GL_ARB_texture_rectangle", True),
        ("defined(GL_ES)", False),
    ],
)
def test_if(condition: str, holds: bool) -> None:
    source = f"#version 130\n#define A 3\n#define F(x) (x * 2)\n#if {condition}\nyes\n#else\nno\n#endif"
    assert words(source) == ("yes" if holds else "no")


def test_only_one_branch_of_several_is_read() -> None:
    source = "#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif"
    assert words(source) == "b"


def test_a_dead_branch_is_not_looked_into() -> None:
    source = "#if 0\n#if nonsense (\n#error no\n#define A 1\n#else\n#endif\n#endif\nA"
    assert words(source) == "A"


def test_ifdef_and_ifndef_ask_for_a_name() -> None:
    assert words("#define A\n#ifdef A\na\n#endif\n#ifndef A\nb\n#endif") == "a"


@pytest.mark.parametrize(
    ("line", "version", "profile"),
    [("", 110, ""), ("#version 330 core", 330, "core"), ("#version 300 es", 300, "es"), ("#version 100", 100, "es")],
)
def test_version_and_profile(line: str, version: int, profile: str) -> None:
    found = preprocess(line + "\nvoid main() {}")
    assert (found.version, found.profile) == (version, profile)


def test_es_is_defined_in_es_only() -> None:
    assert words("#version 300 es\n#ifdef GL_ES\nes\n#endif") == "es"


def test_extension_and_pragma_lines_decide_nothing() -> None:
    assert words("#extension GL_ARB_shading_language_420pack : enable\n#pragma x\n#line 5\na") == "a"


def test_a_required_extension_is_defined() -> None:
    assert words("#extension GL_X_y : require\n#ifdef GL_X_y\na\n#endif") == "a"


def test_the_caller_decides_which_extensions_there_are() -> None:
    source = "#ifdef GL_ARB_texture_rectangle\na\n#endif"
    assert preprocess(source, extensions=()).tokens == []


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("\n#error stop", "line 2"),
        ("#if 1", "no #endif"),
        ("#endif", "without #if"),
        ("#if 1 +\n#endif", "cannot be read"),
        ("#if 1 / 0\n#endif", "divides by zero"),
        ("#define F(x) x\nF(1, 2)", "takes 1 arguments, not 2"),
        ("#define F(x) x\nF(1", "has no end"),
        ("#version x", "needs a number"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(source: str, problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        preprocess(source)


@pytest.mark.parametrize("shift", ["1 << -1", "1 >> 64", "1 << 99999999999"])
def test_a_shift_has_as_many_places_as_a_number_has_bits(shift: str) -> None:
    """Nobody waits for a number of twelve gigabytes."""
    with pytest.raises(ArgumentError, match="0 to 63 can be"):
        preprocess(f"#if {shift}\na\n#endif\n")


def test_numbers_of_an_if_have_64_bits() -> None:
    assert words("#if (1 << 63) < 0\na\n#endif") == "a"
    assert words("#if 1 << 63 << 1\na\n#else\nb\n#endif") == "b"
