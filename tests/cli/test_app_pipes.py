"""The shell around the command line: input from a pipe, output that is closed, narrow encodings."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "data" / "mesa" / "llvmpipe+minimal.jsonl.gz"
FULL = Path("/dev/full")


def ran(*argv: str | Path, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "statetracker", *map(str, argv)],
        input=given, capture_output=True, cwd=ROOT, env=os.environ | environment, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("packed", [True, False])
def test_recorded_cases_come_out_of_a_pipe_as_out_of_a_file(*, packed: bool) -> None:
    """Also packed; a file is recognised by its content, and a pipe can be read once only."""
    lines = gzip.decompress(CASES.read_bytes()).splitlines(keepends=True)[:41]
    text = b"".join(lines)
    done = ran("replay", "/dev/stdin", "--check", given=gzip.compress(text) if packed else text)
    assert (done.returncode, done.stderr) == (0, b"statetracker: 0 of 40 cases differ\n")


def test_records_and_dumps_come_out_of_a_pipe() -> None:
    records = (ROOT / "tests" / "data" / "isl" / "gs_dispatch.jsonl.gz").read_bytes()
    geometry = ran("geometry", "/dev/stdin", "--check", given=records)
    assert (geometry.returncode, b"66 of 66" in geometry.stdout) == (0, True)
    dump = b"1 glGenTextures(n = 1, textures = {1})\n2 glBindTexture(target = GL_TEXTURE_2D, texture = 1)\n"
    replayed = ran("replay", "/dev/stdin", given=dump)
    assert replayed.returncode == 0
    assert b"2 calls" in replayed.stderr


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full on this machine")
def test_output_that_cannot_be_written_is_reported_in_one_line() -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "statetracker", "screens"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"statetracker: the output cannot be written: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full on this machine")
@pytest.mark.parametrize(("command", "code"), [("replay examples/texwrap.dump.txt.gz", 0), ("replay nowhere", 2)])
@pytest.mark.parametrize("messages", ["2>/dev/full", "2> >(exit)"])
def test_messages_that_cannot_be_written_leave_the_exit_code(command: str, code: int, messages: str) -> None:
    """1 would say that there is a difference."""
    shell = f"sleep 0.2; {sys.executable} -m statetracker {command}"
    done = subprocess.run(["/bin/bash", "-c", f"({shell}) {messages}"], capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == code


def test_a_reader_that_goes_away_and_a_closed_output_are_no_difference() -> None:
    """1 would say that there is a difference."""
    command = f"{sys.executable} -m statetracker screens --json"
    for shell in (f"{command} | head -n 1 >&2; exit ${{PIPESTATUS[0]}}", f"{command} >&-"):
        done = subprocess.run(["/bin/bash", "-c", shell], capture_output=True, cwd=ROOT, check=False)
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr
        assert b"Exception" not in done.stderr


def test_a_name_that_the_terminal_cannot_spell_is_escaped() -> None:
    done = ran("replay", "nowhere/\u00fcn\u00ef.json", PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert b"nowhere/\\xfcn\\xef.json: cannot be opened" in done.stderr


@pytest.mark.parametrize("command", ["convert -", "preview - -o x.png", "lower a.spv -o /dev/null --state 0:0=-"])
def test_a_closed_standard_input_is_reported_in_one_line(command: str) -> None:
    shell = f"{sys.executable} -m statetracker {command} <&-"
    done = subprocess.run(["/bin/bash", "-c", shell], capture_output=True, cwd=ROOT, check=False)
    line = b"statetracker: -: standard input is closed. Name a file, or pipe a description in.\n"
    assert (done.returncode, done.stderr) == (2, line)
