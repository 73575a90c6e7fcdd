"""``statetracker replay`` of apitrace dumps: the lines, the summary, the check, the exit codes."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from statetracker.replay import kind_of
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "programs"
DUMP = DATA / "texwrap.dump.txt.gz"
TRACE = DATA / "texwrap.xml.gz"


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_dump_gives_one_line_an_event_with_or_without_json(run: Run) -> None:
    code, out, _ = run("replay", DUMP)
    lines = events(out)
    assert code == 0
    assert list(lines[0]) == ["call", "event", "id", "state"]
    assert lines[0] | {"state": ""} == {"call": 386, "event": "create", "id": 0, "state": ""}
    assert len(lines[0]["state"]) == 72
    assert lines[1] == {"call": 386, "event": "bind", "stage": "fragment", "start": 0, "ids": [0]}
    assert lines[-1] == {"call": 494, "event": "delete", "id": 0}
    assert [line["event"] for line in lines].count("create") == 6
    assert run("replay", DUMP, "--json")[1] == out


def test_an_unbound_slot_is_null(run: Run) -> None:
    _, out, _ = run("replay", DATA / "sparse-samplers.dump.txt.gz")
    assert [None, 0] in [line["ids"] for line in events(out) if line["event"] == "bind"]


def test_what_is_not_modelled_is_counted_and_named(run: Run, tmp_path: Path) -> None:
    dump = tmp_path / "dump.txt"
    dump.write_bytes(
        gzip.decompress(DUMP.read_bytes()) + b"900 glSpecializeShader(shader = 1)\n901 glFrobnicateEXT()\n" * 2
    )
    code, _, err = run("replay", dump)
    assert code == 0
    assert "not modelled: glFrobnicateEXT (2), glSpecializeShader (2)" in err


@pytest.mark.parametrize(
    "argv", [("--check", TRACE), (f"--check={TRACE}",), ("--check", DATA / "texwrap.states.jsonl.gz")]
)
def test_check_agrees_with_mesas_trace_in_xml_and_as_json_lines(run: Run, argv: tuple[str | Path, ...]) -> None:
    code, out, err = run("replay", DUMP, *argv)
    trace = str(argv[-1]).removeprefix("--check=")
    assert (code, out) == (0, f"{DUMP}: agrees with {trace}: same set, same order: 6 recorded states\n")
    assert "147 calls, 6 draws" in err
    assert run("replay", DUMP, *argv, "-q") == (0, "", "")


def test_check_as_json_has_a_verdict_for_each_state_and_one_summary(run: Run) -> None:
    code, out, _ = run("replay", DUMP, "--check", TRACE, "--json")
    *lines, last = events(out)
    assert code == 0
    assert [line["agrees"] for line in lines if line["event"] == "create"] == [True] * 6
    assert not [line for line in lines if line["event"] != "create" and "agrees" in line]
    counts = {"files": 1, "compared": 6, "agree": 6, "differ": 0, "problems": 0}
    assert last == {"summary": {"verdict": "agrees", **counts}}
    code, out, _ = run("replay", DUMP, "--check", DATA / "lodclamp.states.jsonl.gz", "--json")
    *lines, last = events(out)
    assert code == 1
    assert [line["agrees"] for line in lines if line["event"] == "create"] == [False] * 6
    counts = {"files": 1, "compared": 27, "agree": 0, "differ": 27, "problems": 0}
    assert last == {"summary": {"verdict": "differs", **counts}}


def test_a_plain_dump_and_a_plain_trace_are_as_good_as_packed_ones(run: Run, tmp_path: Path) -> None:
    for path in (DUMP, TRACE):
        (tmp_path / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    assert run("replay", "--check", tmp_path / TRACE.stem, tmp_path / DUMP.stem)[0] == 0


PACKED = DUMP.read_bytes()


@pytest.mark.parametrize(
    ("packed", "created"),
    [
        pytest.param(PACKED[:-60], 1, id="cut"),
        pytest.param(PACKED[:-8] + b"0000" + PACKED[-4:], 6, id="bad CRC"),
        pytest.param(PACKED + b"garbage", 6, id="trailing bytes"),
    ],
)
def test_a_damaged_gzip_stream_is_read_as_far_as_it_goes(run: Run, tmp_path: Path, packed: bytes, created: int) -> None:
    path = tmp_path / "dump.txt.gz"
    path.write_bytes(packed)
    assert kind_of(path) == "dump"
    code, out, err = run("replay", path)
    assert code == 2
    assert [line["event"] for line in events(out)].count("create") >= created
    assert "the compressed stream is damaged or cut short" in err


@pytest.mark.parametrize("content", [b"", gzip.compress(b"", mtime=0)])
def test_an_empty_dump_is_called_empty(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "dump.txt"
    path.write_bytes(content)
    for more in ((), ("--check", TRACE)):
        code, out, err = run("replay", path, *more)
        assert (code, out) == (2, "")
        assert "dump.txt: the file is empty: no call of an apitrace dump is in it" in err


def test_another_dialect_gives_other_states(run: Run) -> None:
    assert run("replay", DUMP)[1] != run("replay", DUMP, "--dialect", "seed")[1]


def test_the_demo_agrees_with_mesas_trace() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py")], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "10 hits" in done.stdout
    assert "same set, same order: 10 recorded states" in done.stdout


def test_a_dump_that_begins_late_is_of_the_profile_that_is_named(run: Run, tmp_path: Path) -> None:
    """A core context draws nothing in fixed function; without a name it is the screen's, compatibility."""
    late = tmp_path / "late.txt"
    lines = gzip.decompress(DUMP.read_bytes()).decode().splitlines(keepends=True)
    late.write_text("".join(line for line in lines if " glX" not in line), encoding="utf-8")
    created = {
        options: [line["event"] for line in events(run("replay", late, *options)[1])].count("create")
        for options in ((), ("--profile", "compatibility"), ("--profile", "core"))
    }
    assert created == {(): 6, ("--profile", "compatibility"): 6, ("--profile", "core"): 0}
    code, out, err = run("replay", late, "--profile", "legacy")
    assert (code, out) == (2, "")
    assert "profile: 'legacy' is not known; accepted: compatibility, core" in err


def test_a_dump_that_deletes_the_textures_of_null_is_replayed_whole(run: Run, tmp_path: Path) -> None:
    dump = tmp_path / "retroarch.txt"
    dump.write_bytes(gzip.decompress(DUMP.read_bytes()) + b"900 glDeleteTextures(n = 2, textures = NULL)\n")
    code, _, err = run("replay", dump, "--check", TRACE)
    assert (code, "problem" in err) == (0, False)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.xml", b"<?xml version='1.0'?>\n<trace version='0.1'>\n\t<call no='1' class='pi"),
        ("t.jsonl", b'{"program": 1, "packages": 2}\nx\n'),
    ],
)
def test_a_trace_without_a_readable_state_is_nothing_to_compare_with(
    run: Run, tmp_path: Path, name: str, content: bytes
) -> None:
    """Even where the dump makes no state either, and no state equals none."""
    trace, dump = tmp_path / name, tmp_path / "dump.txt"
    trace.write_bytes(content)
    dump.write_bytes(b"1 glEnd()\n")
    for made in (dump, DUMP):
        code, out, err = run("replay", made, "--check", trace)
        assert (code, out, f"{trace}: nothing could be compared" in err) == (2, "", True)


def test_a_trace_that_breaks_off_agrees_in_json_too(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "t.xml"
    trace.write_bytes(gzip.decompress(TRACE.read_bytes())[:3000])
    code, out, err = run("replay", DUMP, "--check", trace, "--json")
    assert (code, events(out)[-1]["summary"]["verdict"], "the trace breaks off" in err) == (0, "agrees", True)


def test_a_program_without_samplers_agrees_with_its_whole_trace(run: Run, tmp_path: Path) -> None:
    trace, dump = tmp_path / "t.xml", tmp_path / "dump.txt"
    trace.write_bytes(b"<?xml version='1.0'?>\n<trace version='0.1'>\n</trace>\n")
    dump.write_bytes(b"1 glEnd()\n")
    assert run("replay", dump, "--check", trace)[0] == 0


def test_of_many_problems_the_first_are_shown_and_all_are_counted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("".join(f'{n} glBindTexture(target = GL_TEXTURE_2D, texture = "x")\n' for n in range(1505)))
    code, _, err = run("replay", path)
    assert code == 2
    assert "1495 more problems\n" in err
    assert "1,505 problems; everything else was replayed" in err
