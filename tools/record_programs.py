#!/usr/bin/env python3
"""Record GL programs: their GL calls and the sampler calls that Mesa's driver got from the same run.

Development only; it installs nothing. It needs the Debian packages piglit, apitrace, xvfb and libgl1-mesa-dri::

    xvfb-run -a tools/record_programs.py LIST OUTPUT [NAME ...]

One X server serves all programs, and GALLIUM_TRACE is set for the program alone: the X server uses the same driver, so
``GALLIUM_TRACE=x.xml xvfb-run program`` mixes the server's trace into the same file. A line of LIST is
``NAME | options | command``; commands run in piglit's folder, and ``{list}`` stands for the list's.
OUTPUT gets NAME.dump.txt.gz, NAME.states.jsonl.gz and, where the options ask for one, NAME.xml.gz.
One line a program goes to standard output.

Options, separated by blanks:

    oneline     newlines in strings as two characters (``apitrace dump --multiline=no``)
    threads     thread numbers in the dump (``--thread-ids=yes``)
    egl         make the context by EGL (``apitrace trace --api=egl``, piglit's platform x11_egl)
    thin        drop the calls in `NO_SAMPLER` from the dump
    xml         keep Mesa's trace as it is
    xml=cut     keep the calls in `SAMPLER_CALLS`, each as it was printed, between the first and last line of the trace
    xml=torn    as xml=cut, and only the first half of its characters
    crash=BYTES send the program SIGSEGV when Mesa's trace has so many bytes; keep all of that trace
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PIGLIT = Path("/usr/lib/x86_64-linux-gnu/piglit")
PACKAGES = ("piglit", "apitrace", "libgl1-mesa-dri")
ENVIRONMENT = {
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "GALLIUM_DRIVER": "llvmpipe",
    "MESA_SHADER_CACHE_DISABLE": "true",
    "PIGLIT_SOURCE_DIR": str(PIGLIT),
}
DRAWS = {"draw_vbo", "draw_vertex_state", "launch_grid"}
SAMPLER_CALLS = {"create_sampler_state", "bind_sampler_states", "delete_sampler_state"} | DRAWS
#: Calls that neither choose a sampler nor draw: vertices, matrices, materials, read-backs of one value.
NO_SAMPLER = re.compile(
    r"\d+ (@\d+ )?gl(Vertex[234][a-z]|TexCoord[1-4]|MultiTexCoord[1-4]|Color[34]|Normal3|VertexAttrib[1-4]|RasterPos|"
    r"(Push|Pop)Matrix|LoadIdentity|LoadMatrix|MultMatrix|MatrixMode|Translate|Rotate|Scale|Ortho|Frustum|Viewport|"
    r"Scissor|Uniform[1-4]f|UniformMatrix|ReadBuffer|GetIntegerv|GetFloatv)\w*\("
)
#: A time in microseconds, the one thing that differs between two runs and says nothing.
TIME = re.compile(r"\t\t<time><int>\d+</int></time>\n")
SECONDS = 120
#: One line of NAME.states.jsonl.
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Program:
    """One line of the list."""

    name: str
    options: dict[str, str]
    command: str

    @classmethod
    def parse(cls, line: str) -> Program:
        """Read ``NAME | options | command``."""
        name, options, command = (part.strip() for part in line.split("|"))
        return cls(name, {key: value for key, _, value in (word.partition("=") for word in options.split())}, command)


def main() -> int:
    """Record the programs of a list."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("list", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("names", nargs="*", help="only these programs")
    arguments = parser.parse_args()
    if "DISPLAY" not in os.environ:
        parser.error("no DISPLAY: run it under xvfb-run -a")
    lines = (line.partition("#")[0].strip() for line in arguments.list.read_text(encoding="utf-8").splitlines())
    folder_of_list = arguments.list.resolve().parent
    programs = [Program.parse(line) for line in lines if line]
    arguments.output.mkdir(parents=True, exist_ok=True)
    for program in programs:
        if not arguments.names or program.name in arguments.names:
            with tempfile.TemporaryDirectory(prefix="record-") as folder:
                sys.stdout.write(record(program, folder_of_list, Path(folder), arguments.output) + "\n")
            sys.stdout.flush()
    return 0


def record(program: Program, list_folder: Path, folder: Path, output: Path) -> str:
    """Run one program, write its files and describe them in one line."""
    trace, pipe = folder / "gl.trace", folder / "pipe.xml"
    result = run(program, list_folder, trace, pipe)
    if not trace.exists() or not pipe.exists():
        return f"{program.name}: {result}, no trace"
    dump = dumped(program, trace)
    events = list(sampler_events(pipe))
    header = {"program": program.name, "command": program.command, "result": result, "packages": versions()}
    sizes = [
        packed(output / f"{program.name}.dump.txt.gz", dump),
        packed(output / f"{program.name}.states.jsonl.gz", "".join(f"{json.dumps(e)}\n" for e in [header, *events])),
    ]
    if "crash" in program.options or program.options.get("xml") == "":
        sizes.append(packed(output / f"{program.name}.xml.gz", TIME.sub("", pipe.read_text(encoding="latin-1"))))
    elif "xml" in program.options:
        kept = TIME.sub("", "".join(cut_down(pipe)))
        torn = program.options["xml"] == "torn"
        sizes.append(packed(output / f"{program.name}.xml.gz", kept[: len(kept) // 2] if torn else kept))
    creates = [event for event in events if event["event"] == "create"]
    distinct = {json.dumps(event["state"]) for event in creates}
    draws = sum(event["count"] for event in events if event["event"] == "draw")
    binds = sum(event["event"] == "bind" for event in events)
    return (
        f"{program.name}: {result}; draws {draws}, distinct states {len(distinct)}, creates {len(creates)}, "
        f"binds {binds}; GL lines {dump.count(chr(10))}; bytes {' '.join(map(str, sizes))}"
    )


def run(program: Program, list_folder: Path, trace: Path, pipe: Path) -> str:
    """Run the program under both tracers; its own verdict, or how it ended."""
    words = program.command.replace("{list}", str(list_folder)).split()
    command = [tool("apitrace"), "trace", "-o", str(trace), *words]
    environment = os.environ | ENVIRONMENT | {"GALLIUM_TRACE": str(pipe)}
    with (trace.parent / "said").open("w+", encoding="utf-8", errors="replace") as said:
        process = subprocess.Popen(
            command, cwd=PIGLIT, env=environment, stdout=said, stderr=subprocess.STDOUT, start_new_session=True
        )
        limit = int(program.options.get("crash", "0"))
        end = time.monotonic() + SECONDS
        while process.poll() is None:
            full = limit and pipe.exists() and pipe.stat().st_size >= limit
            if full or time.monotonic() > end:
                # A crash goes to the program alone; apitrace waits until it has written its trace.
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
                for child in children if full else ():
                    os.kill(int(child), signal.SIGSEGV)
                if not full:
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return "crashed" if full else f"killed after {SECONDS} s"
            time.sleep(0.001 if limit else 0.05)
        said.seek(0)
        verdicts = re.findall(r'PIGLIT: \{"result": "(\w+)"', said.read())
    return verdicts[-1] if verdicts else f"exit {process.returncode}"


def dumped(program: Program, trace: Path) -> str:
    """Print the GL trace as text."""
    command = [tool("apitrace"), "dump", "--color=never"]
    command += ["--multiline=no"] if "oneline" in program.options else []
    command += ["--thread-ids=yes"] if "threads" in program.options else []
    printed = subprocess.run([*command, str(trace)], check=False, capture_output=True)
    text = printed.stdout.decode("latin-1")
    if "thin" in program.options:
        text = "".join(line for line in text.splitlines(keepends=True) if not NO_SAMPLER.match(line))
    return text


def sampler_events(pipe: Path) -> Iterator[Event]:
    """List creates, binds and deletes of sampler states, and runs of draws, in order."""
    pipes: dict[str, int] = {}
    draws: Event = {}
    for method, lines in calls(pipe):
        if method not in SAMPLER_CALLS:
            continue
        call = ET.fromstring("".join(lines))  # noqa: S314 (written by Mesa on this machine)
        context = pipes.setdefault(call.findtext("arg[@name='pipe']/ptr", ""), len(pipes))
        now = {"call": int(call.get("no", "0")), "pipe": context}
        if draws and (method not in DRAWS or draws["pipe"] != context):
            yield draws
            draws = {}
        if method in DRAWS:
            draws = draws or {"event": "draw", **now, "count": 0}
            draws["count"] += 1
        else:
            yield event(method, now, call)
    if draws:
        yield draws


def event(method: str, now: dict[str, int], call: ET.Element) -> Event:
    """Describe one call; handles are as printed, and may come back after a delete."""
    given = {element.get("name", "ret"): value(element) for element in call if element.tag in {"arg", "ret"}}
    if method == "create_sampler_state":
        return {"event": "create", **now, "handle": given["ret"], "state": given["state"]}
    if method == "delete_sampler_state":
        return {"event": "delete", **now, "handle": given["state"]}
    stage = str(given["shader"]).removeprefix("MESA_SHADER_").lower().replace("_", "-")
    return {"event": "bind", **now, "stage": stage, "start": given["start"], "handles": given["states"]}


def value(element: ET.Element) -> object:
    """Read what an argument holds: numbers as integers, floats, names and pointers as printed."""
    inner = element[0]
    if inner.tag == "struct":
        return {str(member.get("name")): value(member) for member in inner}
    if inner.tag == "array":
        return [value(member) for member in inner]
    if inner.tag == "null":
        return None
    return int(inner.text or "0") if inner.tag in {"int", "uint", "bool"} else inner.text


def calls(pipe: Path) -> Iterator[tuple[str, list[str]]]:
    """Split Mesa's trace into calls, each (method, lines); what a crash cut off is left out."""
    method = ""
    lines: list[str] = []
    with pipe.open(encoding="latin-1") as file:
        for line in file:
            if line.startswith("\t<call "):
                method, lines = line.partition("method='")[2].partition("'")[0], []
            lines.append(line)
            if line == "\t</call>\n":
                yield method, lines


def cut_down(pipe: Path) -> Iterator[str]:
    """List the lines of a trace that keeps the sampler calls only."""
    with pipe.open(encoding="latin-1") as file:
        for line in file:
            if line.startswith("\t"):
                break
            yield line
    for method, lines in calls(pipe):
        if method in SAMPLER_CALLS:
            yield from lines
    yield "</trace>\n"


def packed(path: Path, text: str) -> int:
    """Write a gzip file that depends on the text alone; its size."""
    path.write_bytes(gzip.compress(text.encode("latin-1"), compresslevel=9, mtime=0))
    return path.stat().st_size


def versions() -> dict[str, str]:
    """Ask dpkg which packages made the recording."""
    query = [tool("dpkg-query"), "-W", "-f", "${Package} ${Version}\n", *PACKAGES]
    printed = subprocess.run(query, check=True, capture_output=True, text=True)
    return dict(line.split(" ", 1) for line in printed.stdout.splitlines())


def tool(name: str) -> str:
    """Find a program, or say that it is missing."""
    path = shutil.which(name)
    if path is None:
        raise SystemExit(f"{name} is not installed; see the first lines of this script")
    return path


if __name__ == "__main__":
    sys.exit(main())
