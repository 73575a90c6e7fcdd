from __future__ import annotations

import math
import struct
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


# 1.1 Lines.


def test_a_call_has_number_function_and_named_arguments() -> None:
    call = parse_call("385 glBindTexture(target = GL_TEXTURE_2D, texture = 1)")
    assert call[:4] == (385, "glBindTexture", {"target": 0x0DE1, "texture": 1}, None)


def test_a_call_without_arguments_may_return_a_value() -> None:
    call = parse_call("7 glCreateProgram() = 2")
    assert (call.args, call.result) == ({}, 2)


@pytest.mark.parametrize("word", ["fake", "incomplete"])
def test_a_word_after_two_slashes_is_a_flag(word: str) -> None:
    call = parse_call(f"3 glViewport(x = 0, y = 0, width = 250, height = 250) // {word}")
    assert call.flags == (word,)
    assert ("fake" in call.flags, "incomplete" in call.flags) == (word == "fake", word == "incomplete")


def test_a_result_and_a_flag_may_both_follow() -> None:
    call = parse_call("3 glCreateProgram() = 2 // fake")
    assert (call.result, call.flags) == (2, ("fake",))


def test_a_call_that_the_tracer_added_and_that_never_returned_has_both_words_behind_one_mark() -> None:
    """As apitrace prints it where a Qt program is killed while mapped memory is written."""
    call = parse_call("9 memcpy(dest = 0x7f10, src = blob(64), n = 64) // fake incomplete")
    assert call.flags == ("fake", "incomplete")
    assert parse_call('9 glF(s = "x") = 1 // fake incomplete').flags == call.flags


def test_memcpy_for_a_mapped_buffer_is_a_call_too() -> None:
    call = parse_call("9 memcpy(dest = 0x7f10, src = blob(64), n = 64) // fake")
    assert call.args == {"dest": 0x7F10, "src": Blob(64), "n": 64}


def test_call_numbers_may_have_holes(tmp_path: Path) -> None:
    assert [c.number for c in calls(tmp_path, "1 glEnd()\n17 glEnd()\n")] == [1, 17]


def test_comments_and_blank_lines_are_stepped_over(tmp_path: Path) -> None:
    text = '// process.name = "/usr/bin/x"\n\n4 glXSwapBuffers(dpy = 0x1, drawable = 2)\n\n5 glEnd()\n'
    assert [c.number for c in calls(tmp_path, text)] == [4, 5]


def test_a_thread_id_stands_between_number_and_function() -> None:
    call = parse_call("345 @2 glEnd()")
    assert (call.number, call.thread, call.name) == (345, 2, "glEnd")


@pytest.mark.parametrize("name", ["glXMakeCurrent", "eglMakeCurrent", "wglMakeCurrent", "memcpy"])
def test_functions_may_have_any_prefix(name: str) -> None:
    assert parse_call(f"1 {name}(a = NULL) = True").name == name


def test_a_literal_newline_in_a_string_continues_the_call(tmp_path: Path) -> None:
    text = '1 glShaderSource(shader = 1, count = 1, string = &"void main()\n{\n\tx;\n}\n", length = &17)\n2 glEnd()\n'
    source, end = calls(tmp_path, text)
    assert source.args["string"] == ("void main()\n{\n\tx;\n}\n",)
    assert (end.number, end.line) == (2, 6)


def test_an_escaped_newline_gives_the_same_string(tmp_path: Path) -> None:
    many = calls(tmp_path, '1 glF(s = {"a\nb", "c\n"})\n')
    one = calls(tmp_path, '1 glF(s = {"a\\nb", "c\\n"})\n')
    assert many[0].args == one[0].args == {"s": ("a\nb", "c\n")}


def test_a_call_ends_at_the_bracket_that_closes_it_outside_strings(tmp_path: Path) -> None:
    text = '1 glF(s = "f(x) = 1 // fake", p = blob(3)) = 5\n2 glEnd()\n'
    first = calls(tmp_path, text)[0]
    assert (first.args, first.result, first.flags) == ({"s": "f(x) = 1 // fake", "p": Blob(3)}, 5, ())


def test_quotes_and_backslashes_in_strings_are_escaped() -> None:
    assert parse_value(r'"a\"b\\n"') == 'a"b\\n'


def test_octal_escapes_have_no_fixed_width() -> None:
    assert parse_value(r'"\303\251\0\17x"') == "\xc3\xa9\0\x0fx"


def test_other_bytes_are_read_as_latin_1(tmp_path: Path) -> None:
    assert calls(tmp_path, '1 glF(s = "\xe9")\n')[0].args == {"s": "\xe9"}


def test_a_call_in_the_text_of_a_string_is_no_call(tmp_path: Path) -> None:
    text = '1 glF(s = "as in:\n2 glEnd()\n")\n3 glEnd()\n'
    assert [c.number for c in calls(tmp_path, text)] == [1, 3]


def test_a_damaged_line_is_reported_by_call_number_and_line_and_skipped(tmp_path: Path) -> None:
    items = read(tmp_path, "1 glEnd()\n2 glBindTexture(target = GL_TEX\n3 glEnd()\n")
    assert numbers(items) == [1, (2, 2), 3]
    assert str(tmp_path) in str(items[1])


@pytest.mark.parametrize(
    "line",
    [
        "2 glBegin(",
        "2 glBegin(mode",
        "2 glBegin(mode = )",
        "2 glVertexPointer(size = 3, pointer = blob(12)",
        "2 glBegin(mode = GL_LINES) GL_LINES",
        "2 glF(p = {1, 2)",
        "2 glF(p = {1, 2}, )",
        '2 glF(s = "abc")) = "',
        "2 glF(x = 1.2.3)",
        "2 glF(x = $)",
        f"2 glF(p = {'{' * 3000}{'}' * 3000})",
        f"2 glF(p = {'&' * 3000}1)",
        f"2 glF(p = 1) = {'{' * 3000}{'}' * 3000}",
    ],
)
def test_damage_of_any_kind_is_a_problem_and_reading_goes_on(tmp_path: Path, line: str) -> None:
    assert numbers(read(tmp_path, f"1 glEnd()\n{line}\n3 glEnd()\n")) == [1, (2, 2), 3]


def test_a_line_without_a_number_is_a_problem_without_a_number(tmp_path: Path) -> None:
    assert numbers(read(tmp_path, "xyz\n3 glEnd()\n")) == [(None, 1), 3]


def test_a_cut_string_does_not_swallow_the_calls_after_it(tmp_path: Path) -> None:
    text = '1 glF(s = "void ma\n2 glEnd()\n3 glG(s = "x")\n4 glEnd()\n'
    assert numbers(read(tmp_path, text)) == [(1, 1), 2, 3, 4]


def test_a_string_that_never_ends_is_given_up_early(tmp_path: Path) -> None:
    text = '1 glF(s = "void ma\n' + "".join(f"{n} glEnd()\n" for n in range(2, 1000))
    items = read(tmp_path, text)
    assert numbers(items) == [(1, 1), *range(2, 1000)]
    assert isinstance(items[-1], DumpCall)
    assert items[-1].line == 999


def test_a_dump_that_ends_inside_a_string_ends_with_a_problem(tmp_path: Path) -> None:
    assert numbers(read(tmp_path, '1 glEnd()\n2 glF(s = "void\nmain')) == [1, (2, 2)]


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
    import tracemalloc

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


# 1.2 Values.


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-5", -5),
        ("0.5", 0.5),
        ("1e-300", 0.0),
        ("1.677722e+07", 16777220.0),
        ("GL_TEXTURE_2D", 0x0DE1),
        ("4660", 4660),
        ("GL_TRUE", 1),
        ("GL_FALSE", 0),
        ("True", True),
        ("NULL", None),
        ("0x55cb159e8bd0", 0x55CB159E8BD0),
        ("&9729", (9729,)),
        ("{6403, 6404}", (6403, 6404)),
        ("{}", ()),
        ("{{1, 2}, {3}}", ((1, 2), (3,))),
        ("&{x = 1, y = {2, 3}}", {"x": 1, "y": (2, 3)}),
        ("{x = GL_LINEAR}", {"x": 0x2601}),
        ("blob(4096)", Blob(4096)),
        ('"abc"', "abc"),
        ('{"a", "b"}', ("a", "b")),
        ('&"a"', ("a",)),
        ('L"wide"', "wide"),
        ("?", None),
    ],
)
def test_value(text: str, value: Value) -> None:
    parsed = parse_value(text)
    assert parsed == value
    assert type(parsed) is type(value)


def test_floats_are_rounded_to_float32() -> None:
    assert parse_value("0.1") == struct.unpack("f", struct.pack("f", 0.1))[0]


def test_a_double_with_more_digits_stays_a_double() -> None:
    assert parse_value("0.1234567890123456") == 0.1234567890123456


def test_infinities_nan_and_minus_zero() -> None:
    assert parse_value("inf") == math.inf
    assert parse_value("-inf") == -math.inf
    assert math.isnan(float(str(parse_value("nan"))))
    assert math.isnan(float(str(parse_value("-nan"))))
    assert math.copysign(1, float(str(parse_value("-0")))) == -1


def test_nan_and_infinity_are_read_inside_arrays_too() -> None:
    parsed = parse_value("{inf, -inf, nan, -0, 1.5}")
    assert str(parsed) == "(inf, -inf, nan, -0.0, 1.5)"


def test_enums_are_read_by_number_so_a_colliding_name_does_no_harm() -> None:
    assert parse_value("GL_TRANSPOSE_MODELVIEW_MATRIX") == 0x84E3  # glActiveTexture(GL_TEXTURE0 + 35)
    assert parse_value("GL_ACTIVE_TEXTURE") == 0x84E0
    assert (parse_value("GL_ZERO"), parse_value("GL_ONE")) == (0, 1)
    assert parse_value("GL_SRC0_RGB") == parse_value("GL_SOURCE0_RGB")


def test_a_bit_mask_is_a_number_with_its_leftover_bits() -> None:
    assert parse_value("GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT") == 0x4100
    assert parse_value("GL_COLOR_BUFFER_BIT | 0xdff00000") == 0xDFF04000


def test_names_that_are_no_gl_enum_stay_names() -> None:
    assert parse_value("GLX_RGBA") == Name("GLX_RGBA")
    assert isinstance(parse_value("GL_NO_SUCH_NAME_XYZ"), Name)
    assert parse_value("GL_COLOR_BUFFER_BIT | EGL_X") == Name("GL_COLOR_BUFFER_BIT | EGL_X")


def test_an_out_parameter_holds_the_value_after_the_call() -> None:
    call = parse_call("5 glGenTextures(n = 2, textures = {2, 3})")
    assert call.args["textures"] == (2, 3)


def test_sampler_vectors_come_under_the_name_param() -> None:
    call = parse_call(
        "9 glSamplerParameterfv(sampler = 1, pname = GL_TEXTURE_BORDER_COLOR, param = {1, 0.5, 1.677722e+07, -0})"
    )
    assert str(call.args["param"]) == "(1, 0.5, 16777220.0, -0.0)"


def test_a_uniform_location_is_an_ordinary_result() -> None:
    call = parse_call('4 glGetUniformLocation(program = 3, name = "tex[0]") = -1')
    assert (call.args["name"], call.result) == ("tex[0]", -1)


# Round trip.


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
