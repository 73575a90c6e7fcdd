#!/usr/bin/env python3
"""Record real programs of Debian and PyPI, replay them, and compare the states with those that Mesa's driver got.

Run by ``make programs``; with NAME only those programs. `statetracker record` records each into ``--output``, outside
the repository, and the recordings are kept there. It needs the Debian packages apitrace, xvfb and libgl1-mesa-dri, and
for each program what its line in the list names; Debian's packages are left to the reader to install, PyPI's go to a
virtual environment in OUTPUT.

A line of the list is ``NAME | kind | needs | options | command``. Needs are Debian packages and ``pip:NAME``; a program
whose command is missing is left out and counted. In commands ``{python}`` is that environment's interpreter and
``{here}`` the folder of this file. Options: ``egl`` (a context by EGL), ``seconds=N`` (how long it runs, else 10).

Exit codes: 0 all agree, 1 a program differs or cannot be replayed, 2 none could be recorded.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import statetracker as st
from statetracker.cli.output import EXIT_DIFFERS, EXIT_FAILED, EXIT_FINE, table
from statetracker.errors import StateTrackerError
from statetracker.findings import SEVERITIES
from statetracker.replay import DumpReplay, RecordedStates, compare_states
from statetracker.sampler import converter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

LIST: Final = Path(__file__).with_suffix(".txt")
OUTPUT: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "statetracker", "programs")
#: Programs without which nothing is recorded -> Debian's package.
TOOLS: Final = {"apitrace": "apitrace", "Xvfb": "xvfb"}
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
_GLSL: Final = re.compile(
    rb"glUseProgram(?:ObjectARB)?\(program(?:Obj)? = [1-9]|glBindProgramPipeline\(pipeline = [1-9]"
)
COLUMNS: Final = (
    *("program", "kind", "calls", "calls/s", "draws", "states", "differing", "unknown", "doubts"),
    *(*SEVERITIES, "GLSL", "profile", "verdict"),
)
#: Findings of `st.inspect` that are printed of a program.
_SHOWN: Final = 6


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
        calls: Replayed.
        draws: Drawn.
        states: Recorded by Mesa.
        seconds: That the replay took.
        differing: States that only one side has.
        unknown: States of the replay after the end of Mesa's trace, where the program was ended by a signal.
        doubts: Calls whose replay may be wrong.
        problems: Calls that could not be read or replayed.
        found: How many findings of `st.inspect` each severity has.
    """

    program: Program
    calls: int
    seconds: float
    draws: int
    states: int
    differing: int
    unknown: int
    doubts: int
    problems: int
    glsl: bool
    profiles: tuple[str, ...]
    found: tuple[int, ...]

    @property
    def agrees(self) -> bool:
        """True where all was replayed and the states are the same."""
        return not (self.differing or self.problems)

    def row(self) -> tuple[str, ...]:
        """Return a line of the table; see `COLUMNS`."""
        verdict = "agrees" if self.agrees else f"{self.problems} PROBLEMS" if self.problems else "DIFFERS"
        rate = round(self.calls / self.seconds) if self.seconds else 0
        counts = self.draws, self.states, self.differing, self.unknown, self.doubts, *self.found
        glsl, profiles = "GLSL" if self.glsl else "-", " ".join(self.profiles) or "-"
        numbers = (f"{n:,}" for n in (self.calls, rate, *counts))
        return (self.program.name, self.program.kind, *numbers, glsl, profiles, verdict)


def report(results: Sequence[Result], missing: Sequence[str]) -> int:
    """Print the table and the counts; returns the exit code."""
    table("", COLUMNS, [result.row() for result in results], right=COLUMNS[2:-3])
    agree = sum(result.agrees for result in results)
    print(
        f"{agree} of {len(results)} recorded programs agree, "
        f"{sum(result.glsl for result in results)} with GLSL; {len(missing)} not recorded"
    )
    if not results:
        return EXIT_FAILED
    return EXIT_FINE if agree == len(results) else EXIT_DIFFERS


def replayed(program: Program, dump: Path, trace: Path) -> Result:
    """Replay a dump and compare it with Mesa's trace; raises `StateTrackerError` where there is nothing to compare."""
    recorded = RecordedStates(str(trace))
    run, begun = DumpReplay(str(dump), converter(st.Screen.named("llvmpipe"), "mesa22")), time.perf_counter()
    made = [*run] and [event.state for event in run.created]
    seconds = time.perf_counter() - begun
    inspected = st.inspect(str(dump))
    agreement = compare_states(made, recorded.states, complete=recorded.complete)
    with gzip.open(dump) as lines:
        glsl = any(_GLSL.search(line) for line in lines)
    shown = [str(finding) for finding in inspected.findings[:_SHOWN]]
    shown += [*run.problems[:3], *(f"doubt: {doubt.text}" for doubt in run.replay.doubts[:3])]
    for words, states in (("missing", agreement.missing), ("too many", agreement.extra)):
        shown += [f"{words}: {', '.join(f'{name} {value}' for name, value in state)}" for state in states[:3]]
    for text in shown:
        print(f"  {text[:400]}")
    return Result(
        program,
        calls=run.replay.calls,
        seconds=seconds,
        draws=run.replay.draws,
        states=agreement.recorded,
        differing=len(agreement.missing) + len(agreement.extra),
        unknown=agreement.beyond,
        doubts=run.replay.doubts.total,
        problems=run.problems.total,
        glsl=glsl,
        found=tuple(map(len, inspected.severities.values())),
        profiles=tuple(dict.fromkeys(s.context.limits.profile for s in run.replay.contexts.sessions if s.states.draws)),
    )


def record(program: Program, words: Sequence[str], dump: Path, variables: Mapping[str, str]) -> str:
    """Record a program with `statetracker record`, in a home of its own; returns what went wrong, or ""."""
    options = ["--seconds", program.options.get("seconds", "10"), *(["--egl"] if "egl" in program.options else [])]
    command = [sys.executable, "-m", "statetracker", "record", *options, "-o", str(dump.resolve()), "--", *words]
    with tempfile.TemporaryDirectory(prefix="programs-") as home:
        own = {**variables, "HOME": home, "XDG_RUNTIME_DIR": home}
        done = subprocess.run(command, cwd=home, env=own, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.stderr.decode(errors="replace").strip()[-300:] if done.returncode else ""


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


def environment(wanted: Iterable[str], output: Path) -> Path:
    """Return the interpreter of a virtual environment in OUTPUT with packages of PyPI, which may fail to install."""
    python = output / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(output / "venv")], check=True)
    for package in wanted:
        subprocess.run([str(python), "-m", "pip", "install", "-qqq", "--prefer-binary", package], check=False)
    return python


def main(arguments: Sequence[str] | None = None) -> int:
    """Record and replay the programs of the list; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these programs")
    parser.add_argument("--list", type=Path, default=LIST)
    parser.add_argument("--output", type=Path, default=OUTPUT, help=f"where recordings go (default {OUTPUT})")
    parser.add_argument("--again", action="store_true", help="replay what an earlier run recorded, recording nothing")
    given = parser.parse_args(arguments)
    chosen = [p for p in programs(given.list.read_text(encoding="utf-8")) if not given.names or p.name in given.names]
    lacking = [] if given.again else [f"{name} (Debian: {TOOLS[name]})" for name in TOOLS if not shutil.which(name)]
    if lacking or not chosen:
        print(f"nothing can be recorded: {' and '.join(lacking) or 'no such program in the list'} missing")
        return EXIT_FAILED
    given.output.mkdir(parents=True, exist_ok=True)
    if given.again:
        return run(chosen, given.output, Path(), {})
    pip = dict.fromkeys(need[4:] for program in chosen for need in program.needs if need.startswith("pip:"))
    python = environment(pip, given.output) if pip else Path(sys.executable)
    with server() as variables:
        return run(chosen, given.output, python, variables)


def run(chosen: Sequence[Program], output: Path, python: Path, variables: Mapping[str, str]) -> int:
    """Record (unless there are no variables) and replay programs, printing progress; returns the exit code."""
    results: list[Result] = []
    missing = []
    for number, program in enumerate(chosen, 1):
        print(f"[{number}/{len(chosen)}] {program.name}", flush=True)
        dump, trace = output / f"{program.name}.dump.txt.gz", output / f"{program.name}.xml.gz"
        words = shlex.split(program.command.format(python=python, here=LIST.parent))
        failed = "" if variables or (dump.exists() and trace.exists()) else "no recording"
        if variables and not shutil.which(words[0], path=variables["PATH"]):
            failed = f"not installed; it needs {' '.join(program.needs)}"
        elif variables:
            for _ in range(TRIES):
                failed = record(program, words, dump, variables)
                if not failed:
                    break
        if not failed:
            try:
                result = replayed(program, dump, trace)
                failed = "" if result.states or not result.agrees else "it made no sampler state"
            except StateTrackerError as error:
                failed = str(error)
        if failed:
            missing.append(program.name)
            print(f"  {failed}")
        else:
            results.append(result)
    return report(results, missing)


if __name__ == "__main__":
    sys.exit(main())
