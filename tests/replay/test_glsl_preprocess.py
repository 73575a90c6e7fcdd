"""GLSL's directives and macros; what is C's alone is pcpp's to know."""

from __future__ import annotations

import sys

import pytest

from statetracker.errors import MissingExtra
from statetracker.replay.glsl_preprocess import preprocess


def words(source: str) -> str:
    return " ".join(preprocess(source).tokens)


def test_comments_are_gone() -> None:
    assert words("a // b\n/* c\nd */ e") == "a e"


def test_a_backslash_continues_a_line() -> None:
    assert words("#define A 1 + \\\n 2\nA // x \\\n y\nz") == "1 + 2 z"


def test_a_comment_keeps_the_numbers_of_the_lines_behind_it() -> None:
    assert preprocess("/*\n*/ a // b \\\n c\n#error stop").problems == ("line 4: #error stop",)


def test_quotes_in_comments_open_no_text() -> None:
    assert words("a // don't\nb /* \"c */ d") == "a b d"


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


def test_words_that_no_gap_divides_are_one_but_those_behind_a_macro() -> None:
    assert words("#define F(x) x\n#define E\nF(a)b 1e3 c E d F(2D) -1") == "a b 1e3 c d 2D - 1"


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
        ("~0 == -1 && 7 / 2 == 3 && 7 % 2 == 1", True),
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
    ("line", "version"),
    [
        ("", 110),
        ("#version 330 core", 330),
        ("/* first */ # version 300 es", 300),
        ("#version 100", 100),
        ("#version x", 110),
    ],
)
def test_the_version_is_that_of_the_first_line(line: str, version: int) -> None:
    assert preprocess(line + "\nvoid main() {}").version == version
    assert words(f"{line}\n__VERSION__") == str(version)


def test_es_is_defined_in_es_only() -> None:
    assert words("#version 300 es\n#ifdef GL_ES\nes\n#endif") == "es"


def test_extension_and_pragma_lines_decide_nothing() -> None:
    assert words("#extension GL_ARB_shading_language_420pack : enable\n#pragma x\n#line 5\na") == "a"


def test_a_required_extension_is_defined() -> None:
    assert words("#extension GL_X_y : require\n#ifdef GL_X_y\na\n#endif") == "a"


def test_an_extension_in_a_branch_that_is_not_read_defines_nothing() -> None:
    assert words("#if 0\n#extension GL_X_y : require\n#endif\n#ifdef GL_X_y\na\n#endif") == ""


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("\n#error stop", "line 2: #error stop"),
        ("#if 1", "Unterminated"),
        ("#endif", "line 1: Misplaced #endif"),
        ("#if 1 +\n#endif", "Could not evaluate"),
        ("#define F(x) x\nF(1, 2)", "requires 1 arguments but was passed 2"),
        ("#ifdef\n#endif", "the preprocessor stops"),
    ],
)
def test_what_cannot_be_read_is_a_problem_and_reading_goes_on(source: str, problem: str) -> None:
    (seen,) = preprocess(source).problems
    assert problem in seen


def test_what_c_has_and_glsl_has_not_is_no_macro() -> None:
    assert words("__DATE__ __TIME__ __PCPP__ __COUNTER__") == "__DATE__ __TIME__ __PCPP__ __COUNTER__"


def test_a_line_and_a_file_are_numbers() -> None:
    assert words("\n__LINE__ __FILE__") == "2 0"


@pytest.mark.parametrize("line", ['#include "/etc/hostname"', "#include </etc/hostname>", "#define A <x>\n#include A"])
def test_an_include_that_is_left_reads_no_file_and_refuses_the_shader(line: str) -> None:
    seen = preprocess(f"{line}\na")
    assert seen.tokens == ["a"]
    assert "names no text, or its extension is not enabled" in seen.refused


def test_an_include_in_a_branch_that_is_not_read_refuses_nothing() -> None:
    assert preprocess('#if 0\n#include "/none"\n#endif').refused == ""


def test_without_pcpp_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pcpp", None)
    with pytest.raises(MissingExtra, match=r"reading GLSL needs the package pcpp\. Install it with: pip install pcpp$"):
        preprocess("void main() {}")
