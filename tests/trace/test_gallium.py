from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from statetracker.errors import RecordingError
from statetracker.trace.gallium import (
    BindSamplers,
    CreateSampler,
    DeleteSampler,
    Draw,
    Event,
    GalliumTrace,
    open_states,
)
from statetracker.trace.recording_file import Problem

HEAD = (
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    "<?xml-stylesheet type='text/xsl' href='trace.xsl'?>\n"
    "<trace version='0.1'>\n"
)
CREATE = """\t<call no='{no}' class='pipe_context' method='create_sampler_state'>
\t\t<arg name='pipe'><ptr>0x10</ptr></arg>
\t\t<arg name='state'><struct name='pipe_sampler_state'><member name='wrap_s'><uint>2</uint></member>\
<member name='unnormalized_coords'><bool>0</bool></member><member name='seamless_cube_map'><bool>1</bool></member>\
<member name='lod_bias'><float>-0.101562</float></member><member name='border_color.f'><array><elem><float>0</float>\
</elem><elem><float>-nan</float></elem></array></member><member name='border_color_format'>\
<enum>PIPE_FORMAT_NONE</enum></member></struct></arg>
\t\t<ret><ptr>{handle}</ptr></ret>
\t\t<time><int>6</int></time>
\t</call>
"""
BIND = """\t<call no='{no}' class='pipe_context' method='bind_sampler_states'>
\t\t<arg name='pipe'><ptr>0x10</ptr></arg>
\t\t<arg name='shader'><enum>{stage}</enum></arg>
\t\t<arg name='start'><uint>0</uint></arg>
\t\t<arg name='num_states'><uint>2</uint></arg>
\t\t<arg name='states'><array><elem><ptr>0xa0</ptr></elem><elem><null/></elem></array></arg>
\t\t<time><int>3</int></time>
\t</call>
"""
DELETE = """\t<call no='{no}' class='pipe_context' method='delete_sampler_state'>
\t\t<arg name='pipe'><ptr>0x10</ptr></arg>
\t\t<arg name='state'><ptr>0xa0</ptr></arg>
\t\t<time><int>3</int></time>
\t</call>
"""
DRAW = """\t<call no='{no}' class='pipe_context' method='draw_vbo'>
\t\t<arg name='pipe'><ptr>0x10</ptr></arg>
\t\t<arg name='info'><struct name='pipe_draw_info'></struct></arg>
\t\t<time><int>3</int></time>
\t</call>
"""
OTHER = "\t<call no='{no}' class='pipe_screen' method='get_name'>\n\t\t<ret><string>{text}</string></ret>\n\t</call>\n"


def read(text: str | bytes) -> list[Event | Problem]:
    return list(GalliumTrace("t.xml", io.BytesIO(text.encode() if isinstance(text, str) else text)))


def test_a_created_state_has_its_members_as_printed() -> None:
    (event,) = read(HEAD + CREATE.format(no=5, handle="0xa0") + "</trace>\n")
    assert event == CreateSampler(
        5,
        0x10,
        0xA0,
        {
            "wrap_s": 2,
            "unnormalized_coords": 0,
            "seamless_cube_map": 1,
            "lod_bias": "-0.101562",
            "border_color.f": ["0", "-nan"],
            "border_color_format": "PIPE_FORMAT_NONE",
        },
    )


def test_the_member_of_before_22_2_that_says_the_opposite_has_todays_name() -> None:
    """Observed on Mesa 22.0.1."""
    older = CREATE.replace("unnormalized_coords'><bool>0", "normalized_coords'><bool>1")
    (event,) = read(HEAD + older.format(no=5, handle="0xa0") + "</trace>\n")
    assert isinstance(event, CreateSampler)
    assert event.state["unnormalized_coords"] == 0
    assert "normalized_coords" not in event.state


def test_events_come_in_order() -> None:
    text = HEAD + CREATE.format(no=1, handle="0xa0") + BIND.format(no=2, stage="MESA_SHADER_FRAGMENT")
    text += DRAW.format(no=3) + DELETE.format(no=4) + "</trace>\n"
    _, *rest = read(text)
    assert rest == [
        BindSamplers(2, 0x10, "fragment", 0, (0xA0, None)),
        Draw(3, 0x10, "draw_vbo"),
        DeleteSampler(4, 0x10, 0xA0),
    ]


@pytest.mark.parametrize(
    ("word", "stage"),
    [("<enum>MESA_SHADER_VERTEX</enum>", "vertex"), ("<enum>MESA_SHADER_TESS_CTRL</enum>", "tess-ctrl"),
     ("<enum>PIPE_SHADER_TESS_EVAL</enum>", "tess-eval"), ("<enum>PIPE_SHADER_COMPUTE</enum>", "compute"),
     ("<uint>1</uint>", "fragment")],
)  # fmt: skip
def test_stages_have_either_name_or_the_number_of_mesa_21(word: str, stage: str) -> None:
    (event,) = read(BIND.format(no=2, stage="").replace("<enum></enum>", word))
    assert isinstance(event, BindSamplers)
    assert event.stage == stage


def test_other_calls_are_stepped_over_whatever_they_hold() -> None:
    text = HEAD + OTHER.format(no=1, text="\x01\x1b &#27; & < \ufffe") + DRAW.format(no=2)
    assert read(text) == [Draw(2, 0x10, "draw_vbo")]


def test_bytes_that_xml_does_not_allow_do_no_harm_in_a_sampler_call() -> None:
    create = CREATE.format(no=5, handle="0xa0").replace("PIPE_FORMAT_NONE", "A\x01&B&#27;").encode() + b"\xff"
    (event,) = read(create.replace(b"A\x01", b"A\x01\xff"))
    assert isinstance(event, CreateSampler)
    assert event.state["border_color_format"] == "A?\ufffd&B?"


@pytest.mark.parametrize("complete", [True, False])
def test_a_trace_is_complete_with_its_end_and_no_problem_without(complete: bool) -> None:
    trace = GalliumTrace("t.xml", io.BytesIO((HEAD + DRAW.format(no=2) + "</trace>\n" * complete).encode()))
    assert list(trace) == [Draw(2, 0x10, "draw_vbo")]
    assert trace.complete is complete


def test_a_trace_cut_inside_a_call_ends_with_a_problem_that_names_it() -> None:
    text = HEAD + DRAW.format(no=2) + CREATE.format(no=5, handle="0xa0")[:200]
    first, last = read(text)
    assert first == Draw(2, 0x10, "draw_vbo")
    assert isinstance(last, Problem)
    assert str(last.error) == "t.xml:9: the trace ends inside call 5 (create_sampler_state)"


def test_a_call_cut_in_the_middle_of_the_file_is_a_problem_and_reading_goes_on() -> None:
    text = HEAD + BIND.format(no=5, stage="MESA_SHADER_VERTEX")[:150] + "\n" + DRAW.format(no=6)
    first, last = read(text)
    assert isinstance(first, Problem)
    assert first.call == 5
    assert last == Draw(6, 0x10, "draw_vbo")


def test_a_sampler_call_that_makes_no_sense_is_a_problem() -> None:
    text = CREATE.format(no=5, handle="zz") + BIND.format(no=6, stage="MESA_SHADER_NONE") + DRAW.format(no=7)
    first, second, last = read(text)
    assert isinstance(first, Problem)
    assert isinstance(second, Problem)
    assert (first.call, second.call, type(last)) == (5, 6, Draw)


def test_a_state_of_a_thousand_arrays_inside_each_other_is_a_problem() -> None:
    """Before, it raised RecursionError."""
    deep = "<array><elem>" * 1000 + "</elem></array>" * 1000
    text = CREATE.format(no=5, handle="0xa0").replace("<uint>2</uint>", deep) + DRAW.format(no=7)
    first, last = read(text)
    assert isinstance(first, Problem)
    assert (first.call, type(last)) == (5, Draw)


RECORDED = (
    '{"program": "x"}\n'
    '{"event": "create", "call": 1, "pipe": 0, "handle": "0xa0", "state": {"wrap_s": 2}}\n'
    '{"event": "bind", "call": 2, "pipe": 0, "stage": "fragment", "start": 0, "handles": ["0xa0", null]}\n'
    '{"event": "draw", "call": 3, "pipe": 0, "count": 7}\n'
    '{"event": "delete", "call": 4, "pipe": 0, "handle": "0xa0"}\n'
)


def test_states_as_json_lines_give_the_same_events(tmp_path: Path) -> None:
    path = tmp_path / "x.states.jsonl.gz"
    path.write_bytes(gzip.compress(RECORDED.encode()))
    with open_states(path) as states:
        assert states.header == {"program": "x"}
        assert list(states) == [
            CreateSampler(1, 0, 0xA0, {"wrap_s": 2}),
            BindSamplers(2, 0, "fragment", 0, (0xA0, None)),
            Draw(3, 0, "draw_vbo", 7),
            DeleteSampler(4, 0, 0xA0),
        ]


@pytest.mark.parametrize(
    "line", ["x", "[]", '{"event": "none"}', '{"event": "delete"}', '{"event": "delete", "handle": 5}']
)
def test_a_line_that_is_no_event_is_a_problem_and_reading_goes_on(tmp_path: Path, line: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(RECORDED.replace('{"event": "draw"', line + '\n{"event": "draw"'))
    with open_states(path) as states:
        items = list(states)
    assert isinstance(items[2], Problem)
    assert items[2].error.line == 4
    assert len(items) == 5


def test_blank_lines_between_states_are_stepped_over(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(RECORDED.replace("\n", "\n\n"))
    with open_states(path) as states:
        assert [event.call for event in states] == [1, 2, 3, 4]


@pytest.mark.parametrize("text", ["", "x\n", "[]\n", '{"event": "draw"}\n'])
def test_states_without_a_header_are_a_recording_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(RecordingError, match="header"):
        open_states(path)


def test_a_call_larger_than_any_chunk_is_read() -> None:
    text = HEAD + OTHER.format(no=1, text="x" * 1_000_000) + DRAW.format(no=2)
    assert read(text) == [Draw(2, 0x10, "draw_vbo")]
