"""GLSL's directives and macros; what is C's alone is pcpp's to know."""

from __future__ import annotations

import sys

import pytest

from statetracker.errors import MissingExtra
from statetracker.replay.glsl_preprocess import preprocess


def words(source: str) -> str:
    return " ".join(preprocess(source).tokens)


#: What a source shows -> the source, and the words that are left of it.
# fmt: off
READ = {
    "comments are gone":
        ("a // b\n/* c\nd */ e", "a e"),
    "a backslash continues a line":
        ("#define A 1 + \\\n 2\nA // x \\\n y\nz", "1 + 2 z"),
    "quotes in comments open no text":
        ("a // don't\nb /* \"c */ d", "a b d"),
    "object like macros expand again but never inside themselves":
        ("#define A B\n#define B A + C\nA", "A + C"),
    "function like macros take arguments":
        ("#define F(x, y) (x) * y\nF(a + b, G(c, d))", "( a + b ) * G ( c , d )"),
    "a function like macro without brackets is a name":
        ("#define F(x) x\nF ; F (1)", "F ; 1"),
    "arguments may go over several lines":
        ("#define F(x, y) x y\nF(a,\nb)", "a b"),
    "a macro without parameters takes none":
        ("#define F() x\nF()", "x"),
    "two tokens are pasted":
        ("#define S(t) uniform sampler##t s##t\nS(2D);", "uniform sampler2D s2D ;"),
    "words that no gap divides are one but those behind a macro":
        ("#define F(x) x\n#define E\nF(a)b 1e3 c E d F(2D) -1", "a b 1e3 c d 2D - 1"),
    "undef forgets a macro":
        ("#define A 1\n#undef A\nA", "A"),
    "ifdef and ifndef ask for a name":
        ("#define A\n#ifdef A\na\n#endif\n#ifndef A\nb\n#endif", "a"),
    "es is defined in es only":
        ("#version 300 es\n#ifdef GL_ES\nes\n#endif", "es"),
    "extension and pragma lines decide nothing":
        ("#extension GL_ARB_shading_language_420pack : enable\n#pragma x\n#line 5\na", "a"),
    "a required extension is defined":
        ("#extension GL_X_y : require\n#ifdef GL_X_y\na\n#endif", "a"),
    "an extension in a branch that is not read defines nothing":
        ("#if 0\n#extension GL_X_y : require\n#endif\n#ifdef GL_X_y\na\n#endif", ""),
    "what c has and glsl has not is no macro":
        ("__DATE__ __TIME__ __PCPP__ __COUNTER__", "__DATE__ __TIME__ __PCPP__ __COUNTER__"),
    "a line and a file are numbers":
        ("\n__LINE__ __FILE__", "2 0"),
    "only one branch of several is read":
        ("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b"),
    "a dead branch is not looked into":
        ("#if 0\n#if nonsense (\n#error no\n#define A 1\n#else\n#endif\n#endif\nA", "A"),
}
# fmt: on


@pytest.mark.parametrize("fact", READ)
def test_what_is_left_of_a_source(fact: str) -> None:
    source, left = READ[fact]
    assert words(source) == left


def test_a_comment_keeps_the_numbers_of_the_lines_behind_it() -> None:
    assert preprocess("/*\n*/ a // b \\\n c\n#error stop").problems == ("line 4: #error stop",)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("1", True), ("0", False), ("UNKNOWN", False), ("defined A", True), ("defined(A) && !defined(B)", True),
        ("A == 3", True), ("A + 1 * 2 > 4", True), ("(A + 1) * 2 > 8", False), ("__VERSION__ >= 130", True),
        ("0x10 == 16 && 010 == 8", True), ("~0 == -1 && 7 / 2 == 3 && 7 % 2 == 1", True), ("1 << 4 | 1 ^ 1", True),
        ("F(2) == 4", True), ("GL_ARB_texture_rectangle", True), ("defined(GL_ES)", False),
    ],
)  # fmt: skip
def test_if(condition: str, holds: bool) -> None:
    source = f"#version 130\n#define A 3\n#define F(x) (x * 2)\n#if {condition}\nyes\n#else\nno\n#endif"
    assert words(source) == ("yes" if holds else "no")


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("", 110), ("#version 330 core", 330), ("/* first */ # version 300 es", 300), ("#version 100", 100),
        ("#version x", 110),
    ],
)  # fmt: skip
def test_the_version_is_that_of_the_first_line(line: str, version: int) -> None:
    assert preprocess(line + "\nvoid main() {}").version == version
    assert words(f"{line}\n__VERSION__") == str(version)


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
