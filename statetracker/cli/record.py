"""``statetracker record``: run a program under apitrace, keep its GL calls as a dump, and say what is in it."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, cast

from statetracker.cli.output import EXIT_FAILED, error, info, json_line, print_wrapped
from statetracker.errors import ArgumentError, LibraryMissing
from statetracker.files import file_errors, written_whole

#: Seconds that a program gets to end after it was asked to.
_PATIENCE: Final = 10.0


def record_program(
    command: list[str], *, output: str | None, seconds: float | None, egl: bool, check: bool, as_json: bool
) -> int:
    """Record a program until it ends, Ctrl-C, or some seconds; raises `StateTrackerError`."""
    tracer = shutil.which("apitrace")
    if tracer is None:
        raise LibraryMissing("apitrace", tuple(os.get_exec_path()), package="apitrace")
    program = shutil.which(command[0])
    if program is None:
        raise ArgumentError("PROGRAM", command[0], accepted="a program on the PATH, or the path of one")
    place = output or f"{Path(program).name}.dump.txt.gz"
    with TemporaryDirectory(prefix="statetracker-record-") as folder:
        trace, pipe = Path(folder) / "gl.trace", Path(folder) / "mesa.xml"
        words = [tracer, "trace", *(["--api=egl"] if egl else []), "-o", str(trace), program, *command[1:]]
        ended = _run(words, {**os.environ, "GALLIUM_TRACE": str(pipe)}, seconds)
        info(f"{Path(program).name}: {ended}")
        if not trace.exists():
            other = "without --egl" if egl else "with --egl, if it makes its context by EGL"
            error(f"{command[0]} made no GL call that apitrace saw: try it {other}")
            return EXIT_FAILED
        dump = [tracer, "dump", "--color=never", "--multiline=no", "--thread-ids=yes", str(trace)]
        with subprocess.Popen(dump, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as printing:  # noqa: S603 (apitrace)
            _write(cast("IO[bytes]", printing.stdout), place)
        mesa = None
        if pipe.exists() and pipe.stat().st_size:  # Mesa was the driver: its own trace is kept beside the dump
            mesa = f"{place.removesuffix('.gz').removesuffix('.dump.txt')}.xml.gz"
            with pipe.open("rb") as source:
                _write(source, mesa)
    return _told(place, mesa, check=check, as_json=as_json)


def _run(words: list[str], environment: dict[str, str], seconds: float | None) -> str:
    """Run until the program ends, Ctrl-C, or the time is over; how it ended, in words."""
    process = subprocess.Popen(words, env=environment, start_new_session=True)  # noqa: S603 (the user's own program)
    try:
        return f"ended with {process.wait(seconds)}"
    except subprocess.TimeoutExpired:
        why = f"stopped after {seconds:g} s"
    except KeyboardInterrupt:
        why = "stopped"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
    return why


def _write(source: IO[bytes], place: str) -> None:
    """Write a stream to a file, packed where the name ends in .gz; raises `FileError`."""
    with (
        file_errors(place, "written"),
        written_whole(place) as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) if place.endswith(".gz") else file as stream,
    ):
        shutil.copyfileobj(source, stream)


def _told(place: str, mesa: str | None, *, check: bool, as_json: bool) -> int:
    """Say what is in a dump; under ``check`` compare it with Mesa's trace."""
    from statetracker.cli.replay import replay_any
    from statetracker.findings import inspect

    made = inspect(place)
    if as_json:
        counts = {"calls": made.calls, "draws": made.draws, "frames": len(made.frames), "samplers": made.distinct}
        json_line({"dump": place, "mesa": mesa, **counts})
    else:
        beside = f", Mesa's own trace {mesa}" if mesa else ""
        print_wrapped(
            f"{place}{beside}: {made.calls:,} calls, {made.draws:,} draws, {made.distinct:,} different samplers\n"
            f"statetracker inspect {place} says what is wrong with them."
        )
    if not check:
        return 0
    if mesa is None:
        error("--check compares with Mesa's own trace, and Mesa was not the driver")
        return EXIT_FAILED
    return replay_any([place, mesa], screen=None, dialect=None, check=True, explain=None, profile=None, as_json=as_json)
