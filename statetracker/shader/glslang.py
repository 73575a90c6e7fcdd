"""GLSL and HLSL compiled by glslangValidator, and modules written as GLSL by spirv-cross."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.errors import CallFailed, FileError, LibraryMissing
from statetracker.files import uninterrupted

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAGIC: Final = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
STAGES: Final = (".vert", ".tesc", ".tese", ".geom", ".frag", ".comp")
#: Flavour -> options; naga, which reads modules for WebGPU, takes storage buffers of Vulkan 1.0 as read only.
FLAVOURS: Final = {"vulkan": ("-V", "--target-env", "vulkan1.1"), "webgpu": ("-V",), "opengl": ("-G",)}

_COMMENTS: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_VERSION: Final = re.compile(r"^\s*#\s*version\s+(\d+)(\s+es)?", re.MULTILINE)
#: HLSL is named ``.frag.hlsl``; its entry point is ``main``.
_HLSL: Final = ("-D", "-e", "main")


def is_source(file: str) -> bool:
    """Return whether a file's name says that it is GLSL, or HLSL, of some stage."""
    endings = Path(file).suffixes
    return bool(endings) and (endings[-1] if endings[-1] != ".hlsl" else "".join(endings[-2:-1])) in STAGES


def is_module(data: bytes) -> bool:
    """Return whether a file's bytes begin as a SPIR-V module does, in either byte order."""
    return data[:4] in _MAGIC


def without_comments(source: str) -> str:
    """Return GLSL with a space in place of each comment."""
    return _COMMENTS.sub(" ", source)


def version_of(source: str) -> tuple[int, bool] | None:
    """Return the version that a GLSL text asks for, and whether of ES; None: it says none."""
    found = _VERSION.search(without_comments(source))
    return None if found is None else (int(found[1]), found[2] is not None)


def compiled(file: str, flavour: str, *, options: Sequence[str] = ()) -> bytes:
    """Compile a file; its ending says the stage, and whether it is HLSL.

    Args:
        file: Its path.
        flavour: A switch that says what SPIR-V is for.
        options: Further switches.

    Raises:
        LibraryMissing: glslangValidator is not installed.
        FileError: It does not compile; the error has the compiler's first one.
    """
    language = _HLSL if file.endswith(".hlsl") else ()
    return _run(file, FLAVOURS[flavour], *language, *options, str(Path(file).resolve()))


def compiled_text(source: str, stage: str, flavour: str, *, bindings: bool = True) -> bytes:
    """Compile GLSL of a stage, ``vert`` or ``frag``; what has no location gets one, by its name's order.

    So does what has no binding; without ``bindings`` nothing is returned where a block has none. Raises as `compiled`
    does, with ``<frag>`` for the file.
    """
    places = ("--aml", "--amb") if bindings else ("--aml",)
    try:
        return _run(f"<{stage}>", FLAVOURS[flavour], *places, "--stdin", "-S", stage, text=source)
    except FileError as error:
        if bindings or "layout(binding=" not in str(error):
            raise
        return b""


def written(module: bytes, version: int, *, es: bool) -> bytes:
    """Write a module as GLSL of a version; names are the module's.

    Args:
        module: Its SPIR-V.
        version: 330 and so on; places of blocks and samplers are written from 420 on, and from 310 of ES.
        es: It is OpenGL ES's.

    Raises:
        LibraryMissing: spirv-cross is not installed.
        CallFailed: It cannot write that.
    """
    writer = shutil.which("spirv-cross")
    if writer is None:
        raise LibraryMissing("spirv-cross", ("PATH",), package="spirv-cross")
    options = ("--version", str(version), "--es" if es else "--no-es", "--no-420pack-extension")
    done = subprocess.run([writer, "-", *options], check=False, capture_output=True, input=module)  # noqa: S603
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().split("\n")[0]
        raise CallFailed("spirv-cross", f"GLSL {version}", said.rpartition("exception: ")[2])
    return done.stdout


def _run(file: str, flavour: Sequence[str], *options: str, text: str | None = None) -> bytes:
    compiler = shutil.which("glslangValidator")
    if compiler is None:
        raise LibraryMissing("glslangValidator", ("PATH",), package="glslang-tools")
    with uninterrupted():  # an interrupt while it is made would leave it there
        temporary = tempfile.TemporaryDirectory()
    with temporary as folder:
        made = Path(folder) / "out.spv"
        command = [compiler, *flavour, *options, "-o", str(made)]
        done = subprocess.run(  # noqa: S603 (from `which`)
            command, check=False, capture_output=True, encoding="utf-8", errors="replace", input=text
        )
        if done.returncode or not made.exists():
            message = next((line for line in done.stdout.splitlines() if line.startswith("ERROR")), "no message")
            raise FileError(file, None, f"glslangValidator: {message}")
        return made.read_bytes()
