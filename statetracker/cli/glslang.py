"""GLSL compiled by glslangValidator, for commands that take a shader as text or as SPIR-V."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.errors import FileError, LibraryMissing

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FLAVOURS", "STAGES", "compiled", "is_module"]

_MAGIC: Final = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
STAGES: Final = (".vert", ".tesc", ".tese", ".geom", ".frag", ".comp")
#: Flavour -> options.
FLAVOURS: Final = {"vulkan": ("-V", "--target-env", "vulkan1.1"), "opengl": ("-G",)}


def is_module(data: bytes) -> bool:
    """Whether a file's bytes begin as a SPIR-V module does, in either byte order."""
    return data[:4] in _MAGIC


def compiled(file: str, flavour: str, *, options: Sequence[str] = ()) -> bytes:
    """Compile a file; its ending says the stage.

    Raises `LibraryMissing` without glslangValidator, `FileError` with the compiler's first error.
    """
    compiler = shutil.which("glslangValidator")
    if compiler is None:
        raise LibraryMissing("glslangValidator", ("PATH",), package="glslang-tools")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "out.spv"
        command = [compiler, *FLAVOURS[flavour], *options, str(Path(file).resolve()), "-o", str(made)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 (from `which`)
        if done.returncode or not made.exists():
            message = next((line for line in done.stdout.splitlines() if line.startswith("ERROR")), "no message")
            raise FileError(file, None, f"glslangValidator: {message}")
        return made.read_bytes()
