#!/usr/bin/env python3
"""Record real programs of Debian and PyPI, replay them, and compare the states with those that Mesa's driver got.

Run by ``make programs``; with NAME only those programs. The recordings go to ``--output``, outside the repository, and
are kept there. It needs the Debian packages apitrace, xvfb and libgl1-mesa-dri, and for each program what its line in
the list names; Debian's packages are left to the reader to install, PyPI's go to a virtual environment in OUTPUT.

A line of the list is ``NAME | kind | needs | options | command``. Needs are Debian packages and ``pip:NAME``; a program
whose command is missing is left out and counted. In commands ``{python}`` is that environment's interpreter and
``{here}`` the folder of this file. Options: ``egl`` (apitrace's --api=egl), ``seconds=N`` (how long it runs, else 6).

Exit codes: 0 all agree, 1 a program differs or cannot be replayed, 2 none could be recorded.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import statetracker as st
from statetracker.cli.output import EXIT_DIFFERS, EXIT_FAILED, EXIT_FINE, table
from statetracker.errors import StateTrackerError
from statetracker.findings import SEVERITIES
from statetracker.replay import DumpReplay, RecordedStates, compare_states
from statetracker.sampler import converter
from tools.record_programs import ENVIRONMENT, cut_down, tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

LIST: Final = Path(__file__).with_suffix(".txt")
OUTPUT: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "statetracker", "programs")
#: Where Debian has games, behind the PATH.
GAMES: Final = f"{os.pathsep}/usr/games"
#: Programs without which nothing is recorded -> Debian's package.
TOOLS: Final = {"apitrace": "apitrace", "Xvfb": "xvfb"}
#: On a busy machine a program may crash, or not end in time.
TRIES: Final = 3
#: Mesa's trace of a program that uploads much is long: at this size the program is ended.
_MOST_BYTES: Final = 400 << 20
#: Signals by which a program is ended, and on which apitrace writes what it holds.
_ENDING: Final = (signal.SIGTERM, signal.SIGABRT)
_GRACE: Final = 8  # seconds after each
_START: Final = 40  # seconds in which a program must make a context
_GLSL: Final = re.compile(
    rb"glUseProgram(?:ObjectARB)?\(program(?:Obj)? = [1-9]|glBindProgramPipeline\(pipeline = [1-9]"
)
COLUMNS: Final = (
    *("program", "kind", "calls", "calls/s", "draws", "states", "differing", "unknown", "doubts"),
    *SEVERITIES,
    *("GLSL", "profile", "verdict"),
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
    """The result of one recording.

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
        rate = self.calls / self.seconds if self.seconds else 0
        numbers = (
            self.calls,
            round(rate),
            self.draws,
            self.states,
            self.differing,
            self.unknown,
            self.doubts,
            *self.found,
        )
        glsl, profiles = "GLSL" if self.glsl else "-", " ".join(self.profiles) or "-"
        return (self.program.name, self.program.kind, *(f"{n:,}" for n in numbers), glsl, profiles, verdict)


def report(results: Sequence[Result], missing: Sequence[str]) -> int:
    """Print the table and the counts; gives the exit code."""
    table("", COLUMNS, [result.row() for result in results], right=COLUMNS[2:-3])
    differ = [result.program.name for result in results if not result.agrees]
    print(
        f"{len(results) - len(differ)} of {len(results)} recorded programs agree, "
        f"{sum(result.glsl for result in results)} with GLSL; {len(missing)} not recorded"
    )
    if not results:
        return EXIT_FAILED
    return EXIT_DIFFERS if differ else EXIT_FINE


def replayed(program: Program, dump: Path, trace: Path) -> Result:
    """Replay a dump and compare it with Mesa's trace; raises `StateTrackerError` where there is nothing to compare."""
    recorded = RecordedStates(str(trace))
    run, begun = DumpReplay(str(dump), converter(st.Screen.named("llvmpipe"), "mesa22")), time.perf_counter()
    made = [*run] and [event.state for event in run.created]
    seconds = time.perf_counter() - begun
    inspected = st.inspect(str(dump))
    for finding in inspected.findings[:_SHOWN]:
        print(f"  {finding}"[:300])
    agreement = compare_states(made, recorded.states, complete=recorded.complete)
    sessions = run.replay.contexts.sessions
    with gzip.open(dump) as lines:
        glsl = any(_GLSL.search(line) for line in lines)
    for text in (*run.problems[:3], *(f"doubt: {doubt.text}" for doubt in run.replay.doubts[:3])):
        print(f"  {text[:400]}")
    for words, states in (("missing", agreement.missing), ("too many", agreement.extra)):
        for state in states[:3]:
            print(f"  {words}: {', '.join(f'{name} {value}' for name, value in state)}")
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
        profiles=tuple(dict.fromkeys(s.context.limits.profile for s in sessions if s.states.draws)),
    )


def record(program: Program, words: Sequence[str], output: Path, variables: Mapping[str, str]) -> str | None:
    """Run a program under both tracers and write NAME.dump.txt.gz and NAME.xml.gz; what went wrong, or None."""
    with tempfile.TemporaryDirectory(prefix="programs-") as name:
        folder = Path(name)
        trace, pipe, said = folder / "gl.trace", folder / "pipe.xml", folder / "said"
        api = ["--api=egl"] if "egl" in program.options else []
        own = {"HOME": name, "XDG_RUNTIME_DIR": name, "SDL_AUDIODRIVER": "dummy", "ALSOFT_DRIVERS": "null"}
        with said.open("wb") as log:
            process = subprocess.Popen(
                [tool("apitrace"), "trace", *api, "-o", str(trace), *words],
                cwd=folder,
                env={**variables, **own, "GALLIUM_TRACE": str(pipe)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                whole = _ended(process, float(program.options.get("seconds", "6")), pipe)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if not whole:
            return "it had to be killed: apitrace's recording lacks its end"
        if not trace.exists() or not pipe.exists():
            return f"no GL call was recorded: {said.read_text(errors='replace').strip()[-300:]!r}"
        with gzip.open(output / f"{program.name}.dump.txt.gz", "wb", compresslevel=3) as packed:
            dumping = subprocess.Popen(
                [tool("apitrace"), "dump", "--color=never", str(trace)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            shutil.copyfileobj(dumping.stdout, packed)  # type: ignore[arg-type]
            torn = dumping.communicate()[1].decode(errors="replace").strip()
        if torn:
            return f"apitrace's recording is broken: {torn}"
        with gzip.open(output / f"{program.name}.xml.gz", "wt", encoding="latin-1", compresslevel=3) as packed_xml:
            packed_xml.writelines(cut_down(pipe))
    return None


def _ended(process: subprocess.Popen[bytes], seconds: float, pipe: Path) -> bool:
    """Let a program run so long from its first context on, then end it; whether that took no killing."""
    end, begun = time.monotonic() + _START, False
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.1)
        if not begun and pipe.exists():
            begun, end = True, time.monotonic() + seconds
        if begun and pipe.stat().st_size > _MOST_BYTES:
            break
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for number in _ENDING:  # to the program alone: apitrace ends after it
        with suppress(OSError):
            for child in children.read_text(encoding="ascii").split():
                os.kill(int(child), number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
            return True
    return False


@contextmanager
def server() -> Iterator[dict[str, str]]:
    """Run an X server; gives programs' environment, which it must not have, or it would write into their traces."""
    reading, writing = os.pipe()
    command = [tool("Xvfb"), "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as file:
            display = f":{file.readline().strip()}"
        yield {**os.environ, **ENVIRONMENT, "PATH": os.environ["PATH"] + GAMES, "DISPLAY": display}
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
    """Record and replay the programs of the list; gives the exit code."""
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
    """Record (unless there are no variables) and replay programs, saying how far it is; gives the exit code."""
    results: list[Result] = []
    missing = []
    for number, program in enumerate(chosen, 1):
        print(f"[{number}/{len(chosen)}] {program.name}", flush=True)
        dump, trace = output / f"{program.name}.dump.txt.gz", output / f"{program.name}.xml.gz"
        failed: str | None = None if dump.exists() and trace.exists() else "no recording"
        if variables:
            words = shlex.split(program.command.format(python=python, here=LIST.parent))
            if shutil.which(words[0], path=variables["PATH"]):
                for _ in range(TRIES):
                    failed = record(program, words, output, variables)
                    if failed is None:
                        break
            else:
                failed = f"not installed; it needs {' '.join(program.needs)}"
        if failed is None:
            try:
                result = replayed(program, dump, trace)
            except StateTrackerError as error:
                failed = str(error)
            else:
                failed = None if result.states or not result.agrees else "it made no sampler state"
                results += [result] if failed is None else []
        if failed is not None:
            missing.append(program.name)
            print(f"  {failed}")
    return report(results, missing)


if __name__ == "__main__":
    sys.exit(main())
