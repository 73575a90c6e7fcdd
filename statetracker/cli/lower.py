"""``statetracker lower``: GL_CLAMP written into a SPIR-V module, or into GLSL that glslangValidator compiles first."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.cli.output import EXIT_FINE, json_line, table
from statetracker.errors import ArgumentError, FileError, LibraryMissing, ModuleError
from statetracker.shader import WrapAxes, lower

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["lower_file"]

_REQUEST = re.compile(r"(\d+):(\d+)=([a-z]+)")
_MAGIC = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
_STAGES = (".vert", ".tesc", ".tese", ".geom", ".frag", ".comp")


def lower_file(
    file: str, output: str, clamp: Sequence[str], mirror: Sequence[str], *, opengl: bool, as_json: bool
) -> int:
    """Rewrite one file; raises `StateTrackerError` for what cannot be read, compiled, rewritten or written."""
    request = _requests(clamp, mirror)
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise FileError(file, None, f"cannot be read: {error.strerror}") from None
    if data[:4] not in _MAGIC and Path(file).suffix in _STAGES:
        data = _compiled(file, opengl=opengl)
    try:
        result = lower(data, request)
    except ModuleError as error:
        raise FileError(file, None, error.subject(), hint=error.hint) from None
    try:
        Path(output).write_bytes(result.module)
    except OSError as error:
        raise FileError(output, None, f"cannot be written: {error.strerror}") from None
    groups = result._asdict()
    groups.pop("module")
    if as_json:
        found = {name: [one._asdict() for one in notes] for name, notes in groups.items()}
        json_line({"output": output, "bytes": len(result.module), **found})
        return EXIT_FINE
    rows = [
        (name, one.offset, one.instruction, ":".join(map(str, one.descriptor or ("?",))), one.reason)
        for name, notes in groups.items()
        for one in notes
    ]
    table("", ("outcome", "word", "instruction", "sampler", "reason"), rows, right=("word",))
    return EXIT_FINE


def _requests(clamp: Sequence[str], mirror: Sequence[str]) -> dict[tuple[int, int], WrapAxes]:
    found: dict[tuple[int, int], WrapAxes] = {}
    for option, texts in (("clamp", clamp), ("mirror", mirror)):
        for text in texts:
            match = _REQUEST.fullmatch(text)
            if match is None:
                raise ArgumentError(f"--{option}", text, accepted="SET:BINDING=AXES, such as 0:1=st")
            key = (int(match[1]), int(match[2]))
            before = found.get(key, WrapAxes())
            found[key] = before._replace(**{option: getattr(before, option) + match[3]})
    return found


def _compiled(file: str, *, opengl: bool) -> bytes:
    compiler = shutil.which("glslangValidator")
    if compiler is None:
        raise LibraryMissing("glslangValidator", ("PATH",), package="glslang-tools")
    flavour = ["-G"] if opengl else ["-V", "--target-env", "vulkan1.1"]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "out.spv"
        command = [compiler, *flavour, str(Path(file).resolve()), "-o", str(made)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 (found above)
        if done.returncode or not made.exists():
            said = next((line for line in done.stdout.splitlines() if line.startswith("ERROR")), "no message")
            raise FileError(file, None, f"glslangValidator: {said}")
        return made.read_bytes()
