"""The compiled shaders of ``tests/data/shaders``, and GLSL compiled for tests that ask for glslangValidator."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["MODULES", "glsl"]

with zipfile.ZipFile(Path(__file__).resolve().parents[1] / "data" / "shaders" / "compiled.zip") as archive:
    MODULES = {name.removesuffix(".spv"): archive.read(name) for name in archive.namelist()}


def glsl(source: str, stage: str = "frag", *options: str) -> bytes:
    """Compile GLSL to SPIR-V; options are glslangValidator's, by default for Vulkan 1.1."""
    with TemporaryDirectory() as folder:
        made = Path(folder) / "out.spv"
        target = options or ("-V", "--target-env", "vulkan1.1")
        command = ["glslangValidator", *target, "--stdin", "-S", stage, "-o", str(made)]
        subprocess.run(command, input=source, text=True, capture_output=True, check=True)
        return made.read_bytes()
