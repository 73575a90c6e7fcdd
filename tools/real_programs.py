"""Record real programs of Debian and PyPI, replay them, and compare the states with those that Mesa's driver got.

``make programs`` does it with all of the list, in tests/test_real_programs.py; NAMES="NAME or NAME" with those alone.
`statetracker record` records each into OUTPUT, outside the repository, and the recordings are kept there. It needs the
Debian packages apitrace, xvfb and libgl1-mesa-dri, and for each program what its line in the list names; Debian's
packages are left to the reader to install, PyPI's go to a virtual environment in OUTPUT.

A line of the list is ``NAME | kind | needs | options | command``. Needs are Debian packages and ``pip:NAME``; a program
whose command is missing is skipped. In commands ``{python}`` is that environment's interpreter and ``{here}`` the
folder of this file. Options: ``egl`` (a context by EGL), ``seconds=N`` (how long it runs, else 10).
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import statetracker as st
from statetracker.replay import DumpReplay, RecordedStates, compare_states
from statetracker.sampler import converter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LIST: Final = Path(__file__).with_suffix(".txt")
OUTPUT: Final = Path(
    os.environ.get("OUTPUT")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "statetracker", "programs")
)
#: On a busy machine a program may crash, or not end in time.
TRIES: Final = 3
#: Mesa's software driver, and no sound.
_ENVIRONMENT: Final = {
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "GALLIUM_DRIVER": "llvmpipe",
    "MESA_SHADER_CACHE_DISABLE": "true",
    "SDL_AUDIODRIVER": "dummy",
    "ALSOFT_DRIVERS": "null",
}


class Program(NamedTuple):
    """A line of the list."""

    name: str
    kind: str
    needs: tuple[str, ...]
    options: dict[str, str]
    command: str

    @classmethod
    def parse(cls, line: str) -> Program:
        """Read ``NAME | kind | needs | options | command``; raises `ValueError`."""
        parts = [part.strip() for part in line.split("|", 4)]
        if len(parts) != len(cls._fields) or not (parts[0] and parts[-1]):
            raise ValueError(f"{line!r}: accepted is NAME | kind | needs | options | command")
        name, kind, needs, options, command = parts
        given = {key: value for key, _, value in (word.partition("=") for word in options.split())}
        return cls(name, kind, tuple(needs.split()), given, command)


def programs(text: str) -> list[Program]:
    """Read a list; ``#`` begins a comment line. Raises `ValueError` for a bad line or a name that comes twice."""
    listed = [Program.parse(line) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    names = [program.name for program in listed]
    if len(set(names)) != len(names):
        raise ValueError(f"names that come twice: {sorted({name for name in names if names.count(name) > 1})}")
    return listed


class Result(NamedTuple):
    """The replay of one recording, beside Mesa's trace.

    Attributes:
        states: Recorded by Mesa.
        differing: States that only one side has, in words.
        problems: Calls that could not be read or replayed.
    """

    states: int
    differing: list[str]
    problems: list[str]


def replayed(dump: Path, trace: Path) -> Result:
    """Replay a dump and compare it with Mesa's trace; raises `StateTrackerError` where there is nothing to compare."""
    recorded = RecordedStates(str(trace))
    run = DumpReplay(str(dump), converter(st.Screen.named("llvmpipe"), "mesa22"))
    made = [*run] and [event.state for event in run.created]
    agreement = compare_states(made, recorded.states, complete=recorded.complete)
    differing = [
        f"{words}: {', '.join(f'{name} {value}' for name, value in state)}"
        for words, states in (("missing", agreement.missing), ("too many", agreement.extra))
        for state in states
    ]
    return Result(agreement.recorded, differing, [*map(str, run.problems)])


def words_of(program: Program, python: Path) -> list[str]:
    """Return the words of a program's command."""
    return shlex.split(program.command.format(python=python, here=LIST.parent))


def record(program: Program, words: list[str], dump: Path, variables: Mapping[str, str]) -> str:
    """Record a program with `statetracker record`, in a home of its own; returns what went wrong, or ""."""
    options = ["--seconds", program.options.get("seconds", "10"), *(["--egl"] if "egl" in program.options else [])]
    command = [sys.executable, "-m", "statetracker", "record", *options, "-o", str(dump.resolve()), "--", *words]
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory(prefix="programs-") as home:
            own = {**variables, "HOME": home, "XDG_RUNTIME_DIR": home}
            done = subprocess.run(
                command, cwd=home, env=own, stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
        if not done.returncode:
            return ""
    return done.stderr.decode(errors="replace").strip()[-300:]


@contextmanager
def server() -> Iterator[dict[str, str]]:
    """Run an X server; yields the programs' environment, which the server must not have: it draws with Mesa too."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as file:
            display = f":{file.readline().strip()}"
        path = f"{os.environ['PATH']}{os.pathsep}/usr/games"  # where Debian has games
        yield {**os.environ, **_ENVIRONMENT, "PATH": path, "DISPLAY": display}
    finally:
        process.terminate()
        process.wait()


def environment(listed: list[Program]) -> Path:
    """Return the interpreter of a virtual environment in OUTPUT with packages of PyPI, which may fail to install."""
    wanted = dict.fromkeys(need[4:] for program in listed for need in program.needs if need.startswith("pip:"))
    if not wanted:
        return Path(sys.executable)
    python = OUTPUT / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(OUTPUT / "venv")], check=True)
    for package in wanted:
        subprocess.run([str(python), "-m", "pip", "install", "-qqq", "--prefer-binary", package], check=False)
    return python
