from __future__ import annotations

import math
import struct
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from statetracker.errors import ArgumentError
from statetracker.trace.apitrace import Blob, DumpCall, Name, Value, open_dump, parse_call
from statetracker.trace.apitrace_values import parse_value
from statetracker.trace.recording_file import Problem


def read(tmp_path: Path, text: str) -> list[DumpCall | Problem]:
    path = tmp_path / "dump.txt"
    path.write_bytes(text.encode("latin-1"))
    with open_dump(path) as dump:
        return list(dump)


def calls(tmp_path: Path, text: str) -> list[DumpCall]:
    items = read(tmp_path, text)
    assert all(isinstance(item, DumpCall) for item in items), items
    return [item for item in items if isinstance(item, DumpCall)]


def numbers(items: list[DumpCall | Problem]) -> list[object]:
    return [item.number if isinstance(item, DumpCall) else (item.call, item.error.line) for item in items]


# fmt: off
#: A line -> number, function, arguments, result, flags and thread of its call.
CALLS: dict[str, tuple[object, ...]] = {
    "385 glBindTexture(target = GL_TEXTURE_2D, texture = 1)":
        (385, "glBindTexture", {"target": 0x0DE1, "texture": 1}, None, (), None),
    "7 glCreateProgram() = 2": (7, "glCreateProgram", {}, 2, (), None),
    "3 glCreateProgram() = 2 // fake": (3, "glCreateProgram", {}, 2, ("fake",), None),
    "3 glFinish() // incomplete": (3, "glFinish", {}, None, ("incomplete",), None),
    # As apitrace prints it where a Qt program is killed while mapped memory is written.
    "9 memcpy(dest = 0x7f10, src = blob(64), n = 64) // fake incomplete":
        (9, "memcpy", {"dest": 0x7F10, "src": Blob(64), "n": 64}, None, ("fake", "incomplete"), None),
    '9 glF(s = "x") = 1 // fake incomplete': (9, "glF", {"s": "x"}, 1, ("fake", "incomplete"), None),
    "345 @2 eglMakeCurrent(a = NULL) = True": (345, "eglMakeCurrent", {"a": None}, True, (), 2),
    '1 glF(s = "f(x) = 1 // fake", p = blob(3)) = 5': (1, "glF", {"s": "f(x) = 1 // fake", "p": Blob(3)}, 5, (), None),
    '4 glGetUniformLocation(program = 3, name = "tex[0]") = -1':
        (4, "glGetUniformLocation", {"program": 3, "name": "tex[0]"}, -1, (), None),
}
#: Text of a dump -> numbers of its calls; of a problem the number, where it has one, and the line.
DUMPS: dict[str, tuple[str, list[object]]] = {
    "numbers have holes": ("1 glEnd()\n17 glEnd()\n", [1, 17]),
    "comments and blank lines are stepped over":
        ('// process.name = "/usr/bin/x"\n\n4 glXSwapBuffers(dpy = 0x1, drawable = 2)\n\n5 glEnd()\n', [4, 5]),
    "a call in the text of a string is none": ('1 glF(s = "as in:\n2 glEnd()\n")\n3 glEnd()\n', [1, 3]),
    "a damaged line is skipped": ("1 glEnd()\n2 glBindTexture(target = GL_TEX\n3 glEnd()\n", [1, (2, 2), 3]),
    "a line without a number": ("xyz\n3 glEnd()\n", [(None, 1), 3]),
    "a cut string swallows no call":
        ('1 glF(s = "void ma\n2 glEnd()\n3 glG(s = "x")\n4 glEnd()\n', [(1, 1), 2, 3, 4]),
    "a string that never ends is given up early":
        ('1 glF(s = "void ma\n' + "".join(f"{n} glEnd()\n" for n in range(2, 1000)), [(1, 1), *range(2, 1000)]),
    "a dump that ends inside a string": ('1 glEnd()\n2 glF(s = "void\nmain', [1, (2, 2)]),
}
DAMAGED = [
    "2 glBegin(", "2 glBegin(mode", "2 glBegin(mode = )", "2 glVertexPointer(size = 3, pointer = blob(12)",
    "2 glBegin(mode = GL_LINES) GL_LINES", "2 glF(p = {1, 2)", "2 glF(p = {1, 2}, )", '2 glF(s = "abc")) = "',
    "2 glF(x = 1.2.3)", "2 glF(x = $)", f"2 glF(p = {'{' * 3000}{'}' * 3000})", f"2 glF(p = {'&' * 3000}1)",
    f"2 glF(p = 1) = {'{' * 3000}{'}' * 3000}",
]
# fmt: on


@pytest.mark.parametrize("text", CALLS)
def test_a_call_is_read_from_its_line(text: str) -> None:
    assert parse_call(text)[:6] == CALLS[text]


@pytest.mark.parametrize("fact", DUMPS)
def test_calls_and_problems_of_a_dump(tmp_path: Path, fact: str) -> None:
    text, expected = DUMPS[fact]
    items = read(tmp_path, text)
    assert numbers(items) == expected
    assert all(str(tmp_path) in str(item.error) for item in items if isinstance(item, Problem))


@pytest.mark.parametrize("line", DAMAGED)
def test_damage_of_any_kind_is_a_problem_and_reading_goes_on(tmp_path: Path, line: str) -> None:
    assert numbers(read(tmp_path, f"1 glEnd()\n{line}\n3 glEnd()\n")) == [1, (2, 2), 3]


def test_a_literal_newline_in_a_string_continues_the_call(tmp_path: Path) -> None:
    text = '1 glShaderSource(shader = 1, count = 1, string = &"void main()\n{\n\tx;\n}\n", length = &17)\n2 glEnd()\n'
    source, end = calls(tmp_path, text)
    assert source.args["string"] == ("void main()\n{\n\tx;\n}\n",)
    assert (end.number, end.line) == (2, 6)


def test_other_bytes_are_read_as_latin_1(tmp_path: Path) -> None:
    assert calls(tmp_path, '1 glF(s = "\xe9")\n')[0].args == {"s": "\xe9"}


def test_parse_call_names_what_is_wrong() -> None:
    with pytest.raises(ArgumentError, match="the call has no end"):
        parse_call("2 glBegin(mode = GL_LINES")


def test_a_long_call_costs_little_beside_its_text() -> None:
    text = f"1 glF(p = {{{', '.join('1' * 40000)}}})"
    tracemalloc.start()
    parse_call(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30 * len(text)


def test_reading_keeps_nothing_per_call(tmp_path: Path) -> None:
    path = tmp_path / "dump.txt"
    with path.open("w") as file:
        file.writelines(f"{i} glVertex2f(x = {i / 7:.7g}, y = {i % 91})\n" for i in range(60_000))
    with open_dump(path) as dump:
        stream = iter(dump)
        for _ in range(40_000):
            next(stream)
        tracemalloc.start()
        for _ in range(20_000):
            next(stream)
        grown = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
    assert grown < 8_000_000


# fmt: off
#: Floats become float32, but for those with a double's digits; enums numbers, also where several have a name.
VALUES_READ: dict[str, Value] = {
    "12": 12, "-5": -5, "0.5": 0.5, "1e-300": 0.0, "1.677722e+07": 16777220.0, "4660": 4660,
    "0.1": struct.unpack("f", struct.pack("f", 0.1))[0], "0.1234567890123456": 0.1234567890123456,
    "inf": math.inf, "-inf": -math.inf, "True": True, "NULL": None, "?": None, "0x55cb159e8bd0": 0x55CB159E8BD0,
    "GL_TEXTURE_2D": 0x0DE1, "GL_TRUE": 1, "GL_FALSE": 0, "GL_ZERO": 0, "GL_ACTIVE_TEXTURE": 0x84E0,
    "GL_TRANSPOSE_MODELVIEW_MATRIX": 0x84E3,  # glActiveTexture(GL_TEXTURE0 + 35)
    "GL_SRC0_RGB": 0x8580, "GL_SOURCE0_RGB": 0x8580, "GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT": 0x4100,
    "GL_COLOR_BUFFER_BIT | 0xdff00000": 0xDFF04000, "GLX_RGBA": Name("GLX_RGBA"),
    **{name: Name(name) for name in ("GL_NO_SUCH_NAME_XYZ", "GL_COLOR_BUFFER_BIT | EGL_X")},
    "&9729": (9729,), "{6403, 6404}": (6403, 6404), "{}": (), "{{1, 2}, {3}}": ((1, 2), (3,)),
    "&{x = 1, y = {2, 3}}": {"x": 1, "y": (2, 3)}, "{x = GL_LINEAR}": {"x": 0x2601}, "blob(4096)": Blob(4096),
    '"abc"': "abc", '{"a", "b"}': ("a", "b"), '&"a"': ("a",), 'L"wide"': "wide", r'"a\"b\\n"': 'a"b\\n',
    r'"\303\251\0\17x"': "\xc3\xa9\0\x0fx", '{"a\\nb"}': ("a\nb",), '"a\nb"': "a\nb",
}
# fmt: on


@pytest.mark.parametrize("text", VALUES_READ)
def test_value(text: str) -> None:
    value = parse_value(text)
    assert value == VALUES_READ[text]
    assert type(value) is type(VALUES_READ[text])


def test_nan_and_minus_zero_alone_and_in_arrays() -> None:
    assert [str(parse_value(text)) for text in ("nan", "-nan", "-0")] == ["nan", "nan", "-0.0"]
    assert str(parse_value("{inf, -inf, nan, -0, 1.5}")) == "(inf, -inf, nan, -0.0, 1.5)"


def show(value: Value) -> str:  # noqa: PLR0911 (one line a kind)
    """Print a value as apitrace does."""
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value)
        case Blob(size):
            return f"blob({size})"
        case Name():
            return str(value)
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return '"' + "".join(c if c in "\t\n" or " " <= c <= "~" else f"\\{ord(c):03o}" for c in escaped) + '"'
        case tuple():
            return "{" + ", ".join(map(show, value)) + "}"
        case dict():
            return "&{" + ", ".join(f"{name} = {show(inner)}" for name, inner in value.items()) + "}"
    return f"{value:.7g}" if isinstance(value, float) else str(value)


NAMES = st.from_regex(r"\A[a-z][A-Za-z0-9_]{0,8}\Z").filter(lambda name: name not in {"inf", "nan"})
SEVEN_DIGITS = st.floats(width=32, allow_nan=False, allow_subnormal=False)
SCALARS: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64),
    st.text(st.characters(max_codepoint=255), max_size=20),
    st.builds(Blob, st.integers(0, 2**32)),
    st.sampled_from([Name("GLX_RGBA"), Name("EGL_NONE")]),
)


def tuples(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.lists(inner, max_size=4).map(tuple)


def structures(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.dictionaries(NAMES, inner, min_size=1, max_size=4).map(dict)


VALUES: st.SearchStrategy[Value] = st.recursive(SCALARS, lambda inner: tuples(inner) | structures(inner), max_leaves=12)


@given(VALUES)
@example(value='")\n2 glEnd()')
def test_what_is_printed_is_read_back(value: Value) -> None:
    assert parse_value(show(value)) == value


@given(SEVEN_DIGITS)
def test_a_float_printed_with_seven_digits_is_read_to_seven_digits(value: float) -> None:
    again = parse_value(f"{value:.7g}")
    assert isinstance(again, (int, float))
    assert again == value or abs(float(again) / value - 1) < 1e-6


@given(st.dictionaries(NAMES, VALUES, max_size=4), st.one_of(st.none(), SCALARS), st.booleans())
def test_whole_calls_are_read_back(args: dict[str, Value], result: Value, fake: bool) -> None:
    text = f"12 @0 glF({', '.join(f'{name} = {show(value)}' for name, value in args.items())})"
    text += "" if result is None else f" = {show(result)}"
    text += " // fake" * fake
    call = parse_call(text)
    assert (call.args, call.result, "fake" in call.flags) == (args, result, fake)


def test_a_row_of_what_looks_like_flags_is_read_in_linear_time() -> None:
    """Before, it took 21 s: each beginning was followed to the end."""
    start = time.process_time()
    with pytest.raises(ArgumentError, match="no value of an apitrace dump"):
        parse_call("1 f() = x" + " // a" * 20_000 + " )")
    assert len(parse_call("1 f() = x" + " // a b" * 20_000).flags) == 40_000
    assert time.process_time() - start < 2


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fail(noise: bytes) -> None:
    import io

    from statetracker.trace.apitrace import DumpFile

    for item in DumpFile("noise", io.BytesIO(b"1 glF(s = " + noise + b"\n2 glEnd()\n")):
        assert isinstance(item, (DumpCall, Problem))


@pytest.mark.parametrize("text", ["1 glF(a = 1) = {}x/", '1 glF(a = "b") = {}"', "1 glF(a = 1){}!"])
def test_a_row_of_spaces_costs_no_more_than_its_length(text: str) -> None:
    """It cost the square: 20 KB more than a minute, and so many more than a day."""
    with pytest.raises(ArgumentError):
        parse_call(text.format(" " * 1_000_000))
