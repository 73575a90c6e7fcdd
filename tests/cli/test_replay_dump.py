"""``statetracker replay`` of apitrace dumps: the lines, the summary, the check, the exit codes."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from statetracker.replay import kind_of
from tests.cli.conftest import Ran, Run

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "programs"
DUMP = DATA / "texwrap.dump.txt.gz"
TRACE = DATA / "texwrap.xml.gz"
PACKED = DUMP.read_bytes()
CALLS = gzip.decompress(PACKED)


def created(shown: Ran) -> int:
    return [line["event"] for line in shown.lines].count("create")


def written(folder: Path, content: bytes) -> Path:
    path = folder / "dump.txt"
    path.write_bytes(content)
    return path


def test_a_dump_gives_one_line_an_event_with_or_without_json(run: Run) -> None:
    shown = run("replay", DUMP)
    lines = shown.lines
    assert list(lines[0]) == ["call", "event", "id", "state"]
    assert lines[0] | {"state": ""} == {"call": 386, "event": "create", "id": 0, "state": ""}
    assert len(lines[0]["state"]) == 72
    assert lines[1] == {"call": 386, "event": "bind", "stage": "fragment", "start": 0, "ids": [0]}
    assert lines[-1] == {"call": 494, "event": "delete", "id": 0}
    assert created(shown) == 6
    assert run("replay", DUMP, "--json").out == shown.out
    assert run("replay", DUMP, "--dialect", "seed").out != shown.out


def test_an_unbound_slot_is_null(run: Run) -> None:
    lines = run("replay", DATA / "sparse-samplers.dump.txt.gz").lines
    assert [None, 0] in [line["ids"] for line in lines if line["event"] == "bind"]


def test_what_is_not_modelled_is_counted_and_named(run: Run, tmp_path: Path) -> None:
    calls = b"900 glSpecializeShader(shader = 1)\n901 glFrobnicateEXT()\n" * 2
    code, _, err = run("replay", written(tmp_path, CALLS + calls))
    assert (code, "not modelled: glFrobnicateEXT (2), glSpecializeShader (2)" in err) == (0, True)


@pytest.mark.parametrize(
    "argv", [("--check", TRACE), (f"--check={TRACE}",), ("--check", DATA / "texwrap.states.jsonl.gz")]
)
def test_check_agrees_with_mesas_trace_in_xml_and_as_json_lines(run: Run, argv: tuple[str | Path, ...]) -> None:
    code, out, err = run("replay", DUMP, *argv)
    trace = str(argv[-1]).removeprefix("--check=")
    assert (code, out) == (0, f"{DUMP}: agrees with {trace}: same set, same order: 6 recorded states\n")
    assert "147 calls, 6 draws" in err
    assert run("replay", DUMP, *argv, "-q") == (0, "", "")


@pytest.mark.parametrize(
    ("trace", "agrees", "counts"),
    [
        ("texwrap.xml.gz", True, {"files": 1, "compared": 6, "agree": 6, "differ": 0, "problems": 0}),
        ("lodclamp.states.jsonl.gz", False, {"files": 1, "compared": 27, "agree": 0, "differ": 27, "problems": 0}),
    ],
)
def test_check_as_json_has_a_verdict_for_each_state_and_one_summary(
    trace: str, agrees: bool, counts: dict[str, int], run: Run
) -> None:
    shown = run("replay", DUMP, "--check", DATA / trace, "--json")
    *lines, last = shown.lines
    assert shown.code == int(not agrees)
    assert [line["agrees"] for line in lines if line["event"] == "create"] == [agrees] * 6
    assert not [line for line in lines if line["event"] != "create" and "agrees" in line]
    assert last == {"summary": {"verdict": "agrees" if agrees else "differs", **counts}}


def test_a_plain_dump_and_a_plain_trace_are_as_good_as_packed_ones(run: Run, tmp_path: Path) -> None:
    for path in (DUMP, TRACE):
        (tmp_path / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    assert run("replay", "--check", tmp_path / TRACE.stem, tmp_path / DUMP.stem).code == 0


@pytest.mark.parametrize(
    ("packed", "most"),
    [
        pytest.param(PACKED[:-60], 1, id="cut"),
        pytest.param(PACKED[:-8] + b"0000" + PACKED[-4:], 6, id="bad CRC"),
        pytest.param(PACKED + b"garbage", 6, id="trailing bytes"),
    ],
)
def test_a_damaged_gzip_stream_is_read_as_far_as_it_goes(run: Run, tmp_path: Path, packed: bytes, most: int) -> None:
    path = written(tmp_path, packed)
    assert kind_of(path) == "dump"
    shown = run("replay", path)
    assert (shown.code, created(shown) >= most) == (2, True)
    assert "the compressed stream is damaged or cut short" in shown.err


@pytest.mark.parametrize("content", [b"", gzip.compress(b"", mtime=0)])
@pytest.mark.parametrize("more", [(), ("--check", TRACE)])
def test_an_empty_dump_is_called_empty(run: Run, tmp_path: Path, content: bytes, more: tuple[object, ...]) -> None:
    code, out, err = run("replay", written(tmp_path, content), *more)
    assert (code, out) == (2, "")
    assert "dump.txt: the file is empty: no call of an apitrace dump is in it" in err


def test_the_demo_agrees_with_mesas_trace() -> None:
    command = [sys.executable, str(ROOT / "examples" / "demo.py")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "10 hits" in done.stdout
    assert "same set, same order: 10 recorded states" in done.stdout
    done = subprocess.run([*command, "no such file"], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "demo: no such file: cannot be opened: No such file or directory\n"


def test_a_dump_that_begins_late_is_of_the_profile_that_is_named(run: Run, tmp_path: Path) -> None:
    """A core context draws nothing in fixed function; without a name it is the screen's, compatibility."""
    late = written(tmp_path, b"".join(line for line in CALLS.splitlines(keepends=True) if b" glX" not in line))
    profiles = ((), ("--profile", "compatibility"), ("--profile", "core"))
    assert [created(run("replay", late, *options)) for options in profiles] == [6, 6, 0]


def test_a_dump_that_deletes_the_textures_of_null_is_replayed_whole(run: Run, tmp_path: Path) -> None:
    dump = written(tmp_path, CALLS + b"900 glDeleteTextures(n = 2, textures = NULL)\n")
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
    trace = tmp_path / name
    trace.write_bytes(content)
    for made in (written(tmp_path, b"1 glEnd()\n"), DUMP):
        code, out, err = run("replay", made, "--check", trace)
        assert (code, out, f"{trace}: nothing could be compared" in err) == (2, "", True)


def test_one_trace_that_cannot_be_used_fails_the_whole_summary(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_bytes(b"<?xml version='1.0'?>\n<trace version='0.1'>\n\t<call no='1' class='pi")
    for order in ((DUMP, TRACE, DUMP, bad), (DUMP, bad, DUMP, TRACE)):
        shown = run("replay", *order, "--check", "--json")
        summary = shown.lines[-1]["summary"]
        assert (shown.code, summary["verdict"], summary["files"], summary["problems"]) == (2, "failed", 2, 1)


def test_a_trace_that_breaks_off_agrees_in_json_too(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "t.xml"
    trace.write_bytes(gzip.decompress(TRACE.read_bytes())[:3000])
    shown = run("replay", DUMP, "--check", trace, "--json")
    assert (shown.code, shown.lines[-1]["summary"]["verdict"]) == (0, "agrees")
    assert "the trace breaks off" in shown.err


def test_a_program_without_samplers_agrees_with_its_whole_trace(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "t.xml"
    trace.write_bytes(b"<?xml version='1.0'?>\n<trace version='0.1'>\n</trace>\n")
    shown = run("replay", written(tmp_path, b"1 glEnd()\n"), "--check", trace, "--json")
    assert (shown.code, shown.data["summary"]["verdict"]) == (0, "agrees")


def test_of_many_problems_the_first_are_shown_and_all_are_counted(run: Run, tmp_path: Path) -> None:
    bad = b"".join(b'%d glBindTexture(target = GL_TEXTURE_2D, texture = "x")\n' % n for n in range(1505))
    code, _, err = run("replay", written(tmp_path, bad))
    assert (code, "1495 more problems\n" in err) == (2, True)
    assert "1,505 problems; everything else was replayed" in err
