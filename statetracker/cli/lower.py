"""``statetracker lower``: GL_CLAMP written into a SPIR-V module, or into GLSL that glslangValidator compiles first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.cli.glslang import STAGES, compiled, is_module
from statetracker.cli.output import EXIT_FINE, json_line, table
from statetracker.errors import ArgumentError, FileError, ModuleError
from statetracker.pipe import Lowering
from statetracker.shader import lower

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["lower_file"]

_REQUEST = re.compile(r"(\d+):(\d+)=([a-z]+)")


def lower_file(
    file: str, output: str, clamp: Sequence[str], mirror: Sequence[str], *, opengl: bool, as_json: bool
) -> int:
    """Rewrite one file; raises `StateTrackerError` for what cannot be read, compiled, rewritten or written."""
    request = _requests(clamp, mirror)
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise FileError(file, None, f"cannot be read: {error.strerror}") from None
    if not is_module(data) and Path(file).suffix in STAGES:
        data = compiled(file, "opengl" if opengl else "vulkan")
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
        details = {name: [one._asdict() for one in notes] for name, notes in groups.items()}
        json_line({"output": output, "bytes": len(result.module), **details})
        return EXIT_FINE
    rows = [
        (name, one.offset, one.instruction, ":".join(map(str, one.descriptor or ("?",))), one.reason)
        for name, notes in groups.items()
        for one in notes
    ]
    table("", ("outcome", "word", "instruction", "sampler", "reason"), rows, right=("word",))
    return EXIT_FINE


def _requests(clamp: Sequence[str], mirror: Sequence[str]) -> dict[tuple[int, int], Lowering]:
    lowerings: dict[tuple[int, int], Lowering] = {}
    for option, texts in (("clamp", clamp), ("mirror", mirror)):
        for text in texts:
            match = _REQUEST.fullmatch(text)
            if match is None:
                raise ArgumentError(f"--{option}", text, accepted="SET:BINDING=AXES, such as 0:1=st")
            key = (int(match[1]), int(match[2]))
            before = lowerings.get(key, Lowering())
            lowerings[key] = before._replace(**{option: getattr(before, option) + match[3]})
    return lowerings
