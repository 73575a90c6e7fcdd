"""`statetracker.unpacking`: integers of outside text are read by one reader, which has a bound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from statetracker.cli import main
from statetracker.errors import ArgumentError
from statetracker.trace import Problem
from statetracker.trace.apitrace import open_dump
from statetracker.trace.gallium import open_gallium_trace, open_states
from statetracker.unpacking import ReadLimits, integer

ROOT = Path(__file__).parents[1]
MODULE = str(ROOT / "examples" / "textured.spv")
DESCRIPTION = str(ROOT / "examples" / "clamp.toml")
LARGEST = (1 << 64) - 1
LONG = ["9" * 20 + "0", "9" * 400, "9" * 5000, "0" * 5000 + "1", "1" * 100_000]


@pytest.mark.parametrize(
    ("text", "base", "read"),
    [("0", 10, 0), (str(LARGEST), 10, LARGEST), ("-5", 10, -5), (b"17", 10, 17), ("0xff", 16, 255), ("017", 8, 15)],
)
def test_an_integer_of_64_bits_is_read(text: str | bytes, base: int, read: int) -> None:
    assert integer(text, base) == read


@pytest.mark.parametrize("text", [*LONG, "", "x", "1.5", "inf", "0x", "-" + "9" * 21, b"\xff", "1e3"])
def test_what_is_no_integer_of_64_bits_is_refused(text: str | bytes) -> None:
    """In one line, of a length that can be read."""
    with pytest.raises(ArgumentError, match="accepted: a whole number of at most 64 bits") as caught:
        integer(text, field="call number")
    assert caught.value.field == "call number"
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("text", ["4294967296", "-1"])
def test_a_place_that_expects_less_says_what_it_takes(text: str) -> None:
    with pytest.raises(ArgumentError, match="accepted: a whole number from 0 to 4,294,967,295"):
        integer(text, most=0xFFFFFFFF)


@pytest.mark.parametrize("number", LONG)
def test_a_call_of_a_dump_with_too_long_a_number_is_a_problem(tmp_path: Path, number: str) -> None:
    """Of any kind: whole, with a string, cut, garbage; and reading goes on with the next."""
    lines = [f"{number} glFlush()", f'{number} glLabel(s = "a', '1 "b")', f"{number} glFlush(", f"{number} @"]
    lines += [f"5 glActiveTexture(texture = {number})", f"6 glActiveTexture(texture = 0x{'f' * 5000})", "7 glFlush()"]
    (tmp_path / "a.dump").write_text("\n".join(lines) + "\n")
    with open_dump(tmp_path / "a.dump") as dump:
        *problems, last = dump
    assert {type(one) for one in problems} == {Problem}
    assert last.number == 7  # type: ignore[union-attr]
    assert {one.call for one in problems if isinstance(one, Problem)} <= {None, 1, 5, 6}


@pytest.mark.parametrize("number", LONG)
@pytest.mark.parametrize("cut", ["</call>", "", "<arg"])
def test_a_call_of_a_trace_with_too_long_a_number_is_a_problem(tmp_path: Path, number: str, cut: str) -> None:
    call = "<call no='{}' class='pipe_context' method='draw_vbo'><arg name='pipe'><ptr>0x1</ptr></arg>"
    pointer = call.format(2).replace("0x1<", f"0x{'f' * 5000}<")
    text = f"<trace>{call.format(number)}{cut}\n{pointer}</call>\n{call.format(3)}</call>\n{call.format(number)}"
    (tmp_path / "a.xml").write_text(text)
    with open_gallium_trace(tmp_path / "a.xml") as trace:
        items = list(trace)
    assert [one.call for one in items if not hasattr(one, "error")] == [3]
    assert len(items) == 4


@pytest.mark.parametrize("value", [10**9, 10**30, -1, 1e300, float("inf"), "9" * 5000, None])
@pytest.mark.parametrize("name", ["call", "start"])
def test_an_event_of_no_slot_or_number_is_a_problem(tmp_path: Path, name: str, value: object) -> None:
    """A bind that starts at slot 1,000,000,000 would take gigabytes."""
    event = {"event": "bind", "call": 1, "pipe": 0, "stage": "fragment", "start": 0, "handles": ["0xa0"]}
    (tmp_path / "a.jsonl").write_text('{"program": 1}\n' + json.dumps({**event, name: value}) + "\n")
    with open_states(tmp_path / "a.jsonl") as states:
        (item,) = states
    assert hasattr(item, "error") is not (name == "call" and value in (10**9, -1))


@pytest.mark.parametrize("start", [10**9, -1, 33])
def test_a_run_that_binds_from_no_slot_on_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], start: int
) -> None:
    event = ["bind", "MESA_SHADER_FRAGMENT", start, [0]]
    lines = [{"statetracker": "run", "version": 1}, ["create", 0, "00" * 36], event]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["budget", str(tmp_path / "run.jsonl")]) == 2
    assert "first slot" in capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [
        f"lower {MODULE} -o out.spv --clamp {{}}:1=st",
        f"lower {MODULE} -o out.spv --mirror-clamp 0:{{}}=st",
        f"lower {MODULE} -o out.spv --state {{}}:0={DESCRIPTION}",
        f"lower {MODULE} -o out.spv --state 0:0={DESCRIPTION} --block {{}}:1",
        f"convert {DESCRIPTION} --device #{{}}",
        f"convert {DESCRIPTION} --screen device:#{{}}",
        f"convert {DESCRIPTION} --device {{0}}:{{0}}",
        "screens --device #{}",
        "screens --compare #{0} #{0}",
        "probe --device {}",
        "surface --size {}x8",
        "surface stencil --size 8x{}",
        f"--limits {{}} convert {DESCRIPTION}",
    ],
)
@pytest.mark.parametrize("number", LONG)
def test_an_option_with_too_long_a_number_is_an_error_of_one_line(
    capsys: pytest.CaptureFixture[str], option: str, number: str
) -> None:
    code = main(option.format(number).split())
    errors = capsys.readouterr().err
    assert (code, errors.count("\n")) == (2, 1) or (number[0] == "0" and code == 0)
    assert "Traceback" not in errors
    assert len(errors) < 1000


@pytest.mark.parametrize("times", ["inf", "nan", "1e308", "1e30", "0.5", "-1"])
def test_limits_of_no_size_are_refused(capsys: pytest.CaptureFixture[str], times: str) -> None:
    assert main(["--limits", times, "convert", DESCRIPTION]) == 2
    assert "limits" in capsys.readouterr().err
    with pytest.raises(ArgumentError, match="1,000,000"):
        ReadLimits().times(float(times))
