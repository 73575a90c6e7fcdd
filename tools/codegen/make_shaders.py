"""Compiles the GLSL in tests/data/shaders/ into compiled.zip there, so that tests need no compiler.

``NAME.gl.STAGE`` is compiled for OpenGL, ``NAME.STAGE`` for Vulkan 1.1. Needs glslangValidator (Debian: glslang-tools).
"""

from __future__ import annotations

import subprocess
import tempfile
import zipfile
from pathlib import Path

SHADERS = Path(__file__).resolve().parents[2] / "tests" / "data" / "shaders"
STAGES = (".frag", ".vert", ".comp", ".tesc")


def compiled(source: Path) -> bytes:
    """The module that glslangValidator makes of a shader."""
    flavour = ["-G"] if ".gl." in source.name else ["-V", "--target-env", "vulkan1.1"]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "out.spv"
        command = ["glslangValidator", *flavour, str(source), "-o", str(made)]  # from the PATH
        subprocess.run(command, check=True, capture_output=True)
        return made.read_bytes()


def main() -> int:
    """Write the archive; the same sources and compiler give the same bytes."""
    with zipfile.ZipFile(SHADERS / "compiled.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for source in sorted(SHADERS.iterdir()):
            if source.suffix in STAGES:
                archive.writestr(zipfile.ZipInfo(f"{source.name}.spv"), compiled(source), zipfile.ZIP_DEFLATED)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
