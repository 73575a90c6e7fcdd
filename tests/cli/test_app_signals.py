"""What a command loads before it works; signals and full disks: output is whole or not there, no folder stays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from statetracker.cli import Interrupts
from statetracker.cli.app import program
from statetracker.cli.commands import COMMANDS
from statetracker.trace import Case, open_cases
from tests.jobs_work import until

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]
HEAVY = {
    "typer", "pydantic", "rich", "structlog", "numpy", "jinja2", "PIL", "cffi", "hypothesis", "secrets",
    "statetracker.caps", "statetracker.caps.devices", "statetracker.frontend", "statetracker.survey",
    "statetracker.spirv", "statetracker.geometry", "statetracker.surface", "statetracker.trace",
    "statetracker.replay", "statetracker.conformance",
}  # fmt: skip
LOADED = """
import json, sys
from statetracker.cli import main
code = main(sys.argv[1:])
print(json.dumps([code, *sys.modules]), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("--version", set()),
        ("--help", {"typer"}),
        ("convert --help", {"typer"}),
        ("portability --help", {"typer"}),
        ("conform --help", {"typer"}),
        ("convert --screen zink-lavapipe examples/border.toml",
         {"typer", "statetracker.caps", "statetracker.frontend"}),
        ("convert examples/border.toml",
         {"typer", "statetracker.caps", "statetracker.caps.devices", "statetracker.frontend"}),
        ("portability examples/border.toml",
         {"typer", "statetracker.caps", "statetracker.caps.devices", "statetracker.frontend", "statetracker.survey"}),
    ],
)  # fmt: skip
def test_a_command_loads_what_it_uses(command: str, expected: set[str]) -> None:
    run = subprocess.run([sys.executable, "-c", LOADED, *command.split()], cwd=ROOT, capture_output=True, check=True)
    code, *loaded = json.loads(run.stderr.splitlines()[-1])
    assert (code, HEAVY & set(loaded)) == (0, expected)


@pytest.mark.parametrize(
    ("words", "built"),
    [
        ("convert --help", {"convert"}),
        ("surface stencil", {"surface", "surface stencil"}),
        ("--quiet convert", COMMANDS),
        ("convrt", COMMANDS),
        ("", COMMANDS),
    ],
)
def test_the_options_of_the_asked_command_alone_are_built(words: str, built: Iterable[str]) -> None:
    assert set(program(words.split()).commands) == set(built)


STAND_IN = ROOT / "tests" / "conformance" / "stand_in.py"
MODULE = next((ROOT / "tests" / "data").rglob("*.spv"))

#: `statetracker`, with another program in the driver's place, which answers without Mesa.
COMMAND = f"""
import sys
from functools import partial
from statetracker.cli import main
from statetracker.conformance import run
run.conform = partial(run.conform, command=(sys.executable, {str(STAND_IN)!r}, "fine"))
sys.exit(main())
"""

WRITERS = {
    "preview": ("preview", "examples/clamp.toml", "-o", "out.png"),
    "surface": ("surface", "--size", "64x64", "-o", "out.svg"),
    "lower": ("lower", str(MODULE), "-o", "out.spv"),
    "record": ("conform", "-n", "3", "--record", "out.jsonl"),
    "report": ("conform", "-n", "3", "--report", "out.html"),
}


@pytest.mark.parametrize("before", [None, b"before"])
@pytest.mark.parametrize("writer", WRITERS)
def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path, writer: str, before: bytes | None) -> None:
    *argv, name = WRITERS[writer]
    size = int(argv[0] == "conform")  # KiB; without any it has no temporary folder
    output = tmp_path / name
    if before is not None:
        output.write_bytes(before)
    done = subprocess.run(
        ["/bin/bash", "-c", f'ulimit -f {size}; exec "$@"', "", sys.executable, "-c", COMMAND, *argv, str(output)],
        cwd=ROOT, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"statetracker: {output}: cannot be written: File too large".encode()
    assert b"Traceback" not in done.stderr
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([] if before is None else [before])


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(("packed", "more"), [("", ()), (".gz", ()), ("", ("--jobs", "2"))])
def test_an_interrupted_conform_gives_what_it_has_and_leaves_no_folder(
    tmp_path: Path, number: signal.Signals, code: int, packed: str, more: tuple[str, ...]
) -> None:
    folder, record, report = tmp_path / "temporary", tmp_path / f"cases.jsonl{packed}", tmp_path / "report.html"
    folder.mkdir()
    argv = ["conform", "-n", "1000000", "--record", str(record), "--report", str(report), *more]
    command = [sys.executable, "-c", COMMAND, *argv]
    environment = os.environ | {"TMPDIR": str(folder)}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as run:
        until(lambda: any(path.stat().st_size for path in tmp_path.glob(".*.part")))
        os.killpg(run.pid, number)  # as a terminal and `timeout` do, to all processes
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
    assert run.returncode == code
    assert b"llvmpipe: interrupted after " in err
    assert b"Traceback" not in err
    assert b"lost           0" in out
    assert list(folder.iterdir()) == []
    assert sorted(tmp_path.iterdir()) == sorted([folder, record, report])
    with open_cases(record) as cases:
        kept = list(cases)
    assert kept
    assert all(isinstance(case, Case) for case in kept)


def test_what_is_interrupted_before_it_began_says_so(tmp_path: Path) -> None:
    """A compiler that hangs, in a folder of its own."""
    hanging, folder = tmp_path / "glslangValidator", tmp_path / "temporary"
    hanging.write_text(f"#!/bin/sh\ntouch '{tmp_path}/begun'\nexec sleep 100\n")
    hanging.chmod(0o755)
    folder.mkdir()
    (tmp_path / "a.frag").write_text("void main() {}\n")
    argv = [sys.executable, "-m", "statetracker", "lower", str(tmp_path / "a.frag"), "-o", str(tmp_path / "a.spv")]
    environment = os.environ | {"TMPDIR": str(folder), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    with subprocess.Popen(argv, cwd=ROOT, env=environment, stderr=subprocess.PIPE) as run:
        until((tmp_path / "begun").exists)
        run.terminate()
        _, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (143, b"statetracker: interrupted\n")
    assert list(folder.iterdir()) == []


class _Interrupted:
    """Interrupts the process in its finalizer, where Python drops what is raised."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_that_python_drops_comes_again_and_ends_what_blocks(number: signal.Signals) -> None:
    hook, started = sys.unraisablehook, time.monotonic()
    with Interrupts() as interrupts:
        _Interrupted(number)
        with pytest.raises(KeyboardInterrupt):
            time.sleep(60)
    assert (interrupts.code, sys.unraisablehook) == (128 + number, hook)
    assert time.monotonic() - started < 50


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_that_has_not_come_again_at_the_end_is_the_commands_and_not_its_callers(number: signal.Signals) -> None:
    with Interrupts() as interrupts:
        _Interrupted(number)
    time.sleep(0.2)  # a signal that still came would end the tests
    assert (interrupts.dropped, interrupts.code) == (True, 128 + number)


def test_a_command_in_another_thread_leaves_the_hook_alone() -> None:
    hook, entered, ended = sys.unraisablehook, threading.Event(), threading.Event()

    def other() -> None:
        with Interrupts():
            entered.set()
            ended.wait(60)

    thread = threading.Thread(target=other)
    with Interrupts():
        thread.start()
        entered.wait(60)
    ended.set()
    thread.join()
    assert sys.unraisablehook is hook
