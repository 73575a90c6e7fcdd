"""Input that grows: a few kilobytes of gzip that unpack to much more, and lines without an end."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from statetracker.cli import main
from statetracker.errors import InputTooLarge
from statetracker.trace import open_cases
from statetracker.unpacking import ReadLimits, read_limits

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "data" / "mesa" / "llvmpipe+minimal.jsonl.gz"
DUMP = ROOT / "tests" / "data" / "programs" / "texwrap.dump.txt.gz"
MEGABYTE = 1 << 20
COMMENT = b"// " + b"x" * 1000 + b"\n"
HEADER = gzip.decompress(CASES.read_bytes()).splitlines(keepends=True)[0]
CASE = b'{"id": 1, "calls": [], "comment": "' + b"x" * 1000 + b'"}\n'
STATE = b'{"event": "create", "handle": "0x1", "state": {"x": "' + b"x" * 1000 + b'"}}\n'

#: What grows -> the first bytes, what is repeated, and the command.
#: Runs a command and writes the most memory that it took, in KiB: what wait4 says counts the process that forked, too.
MEASURED = """
import re, sys
from pathlib import Path
from statetracker.cli import main
try:
    code = main(sys.argv[2:])
except SystemExit as ended:
    code = ended.code
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())
Path(sys.argv[1]).write_text(peak[1])
sys.exit(code)
"""
TRACE = b"<?xml version='1.0'?><trace>"
BOMBS = {
    "nothing": (b"", b"\0", "replay"),
    "cases": (HEADER, CASE, "replay"),
    "a case": (HEADER, b" ", "replay"),
    "dump": (b"1 glEnd()\n", b"2 glEnd()\n", "replay"),
    "no calls": (b"1 glEnd()\n", b"x\n", "replay"),
    "string": (b'1 glEnd()\n2 glF(s = "', b"x\n", "replay"),
    "trace": (TRACE, b"<call no='1' method='f'>" + b"x" * 1000 + b"</call>\n", f"replay {DUMP} --check"),
    "call": (TRACE + b"<call ", b" ", f"replay {DUMP} --check"),
    "states": (b'{"program": 1, "packages": 2}\n', STATE, f"replay {DUMP} --check"),
    "records": (b"", b" " * 1000 + b"\n", "surface"),
    "questions": (b'{"', b"x", "surface"),
    "module": (b"\x03\x02\x23\x07", b"\0", "geometry"),
    "screen": (b'{"caps": {', b" ", "screens"),
    "description": (b"{", b" ", "convert examples/clamp.toml --screen"),
    "recordings": (HEADER, CASE, f"diff {CASES}"),
}  # fmt: skip


def packed(path: Path, start: bytes, again: bytes, *, megabytes: int) -> Path:
    """A gzip file of so many megabytes, made without holding them."""
    packer = zlib.compressobj(9, wbits=31)
    piece = again * (MEGABYTE // len(again))

    def parts() -> Iterable[bytes]:
        yield packer.compress(start)
        for _ in range(megabytes):
            yield packer.compress(piece)
        yield packer.flush()

    with path.open("wb") as stream:
        stream.writelines(parts())
    return path


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_packed_file_that_grows_too_much_is_refused_in_one_line_and_in_little_memory(
    bomb: str, tmp_path: Path
) -> None:
    """A quarter of a gigabyte; a run without any takes 100 MB."""
    start, again, command = BOMBS[bomb]
    path = packed(tmp_path / "bomb.gz", start, again, megabytes=250)
    errors = (tmp_path / "errors").open("w+b")
    peak = tmp_path / "peak"
    argv = [sys.executable, "-c", MEASURED, str(peak), *command.split(), str(path)]
    with errors:
        run = subprocess.run(argv, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=errors, check=False)
        errors.seek(0)
        lines = errors.read().decode().splitlines()
    refused = [line for line in lines if "'statetracker --limits 10 COMMAND' reads ten times as much" in line]
    given_up = [line for line in lines if "more than 100,000 problems" in line]
    assert run.returncode == 2
    assert len(refused + given_up) == 1, lines
    assert len(lines) == 1, lines
    assert int(peak.read_text()) < 250_000  # KiB


@pytest.mark.parametrize("limit", [ReadLimits(size=10_000), ReadLimits(line=100), ReadLimits(ratio=1)])
def test_each_limit_is_one_that_a_program_can_set(limit: ReadLimits, tmp_path: Path) -> None:
    path = packed(tmp_path / "cases.gz", HEADER, CASE, megabytes=20)
    with read_limits(limit), pytest.raises(InputTooLarge) as caught, open_cases(path) as cases:
        for _ in cases:
            pass
    assert caught.value.file == str(path)


def test_an_option_before_the_command_raises_all_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = packed(tmp_path / "dump.gz", b"1 glEnd()\n", COMMENT, megabytes=40)
    assert main(["replay", str(path)]) == 2
    assert "unpacks to more than 300 times its packed size" in capsys.readouterr().err
    assert main(["--limits", "10", "replay", str(path)]) == 0
    assert main(["--limits", "0.5", "replay", str(path)]) == 2


def test_a_plain_line_without_an_end_is_refused_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(HEADER + b'{"id": "' + b"x" * (17 * MEGABYTE))
    assert main(["replay", str(path)]) == 2
    assert f"{path}:2: a line of more than 16,777,216 bytes. 'statetracker --limits 10" in capsys.readouterr().err


def test_a_pipe_is_read_as_a_stream(tmp_path: Path) -> None:
    """In little memory, whatever comes out of it."""
    path = packed(tmp_path / "dump.gz", b"1 glEnd()\n", COMMENT, megabytes=300)
    peak = tmp_path / "peak"
    command = f"zcat {path} | {sys.executable} -c '{MEASURED}' {peak} replay /dev/stdin"
    run = subprocess.run(["/bin/bash", "-c", command], cwd=ROOT, capture_output=True, check=False)
    assert (run.returncode, b": 1 call, " in run.stderr) == (0, True)
    assert int(peak.read_text()) < 250_000


@pytest.mark.parametrize("command", ["lower {} --clamp 0:1=st -o {}.out", "geometry {}"])
def test_a_module_without_an_end_is_refused_too(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "huge.spv"
    with path.open("wb") as stream:
        stream.write(bytes.fromhex("03022307"))
        stream.truncate(17 * MEGABYTE)
    assert main(command.replace("{}", str(path)).split()) == 2
    assert f"{path}: is a document of more than 16,777,216 bytes" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["huge.spv"]
