"""Compiles the GLSL in tests/data/shaders/ into compiled.zip there, so that tests need no compiler.

``NAME.gl.STAGE`` is compiled for OpenGL, ``NAME.STAGE`` for Vulkan 1.1. Needs glslangValidator (Debian: glslang-tools).
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from statetracker.shader.glslang import compiled

SHADERS = Path(__file__).resolve().parents[2] / "tests" / "data" / "shaders"
STAGES = (".frag", ".vert", ".comp", ".tesc")


def main() -> int:
    """Write the archive; the same sources and compiler give the same bytes."""
    with zipfile.ZipFile(SHADERS / "compiled.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for source in sorted(SHADERS.iterdir()):
            if source.suffix in STAGES:
                module = compiled(str(source), "opengl" if ".gl." in source.name else "vulkan")
                archive.writestr(zipfile.ZipInfo(f"{source.name}.spv"), module, zipfile.ZIP_DEFLATED)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
