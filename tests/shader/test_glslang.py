"""GLSL that is compiled: names and texts that are no UTF-8, and any locale."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from statetracker.errors import FileError
from statetracker.shader.glslang import compiled, compiled_text, is_module

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.live("glslangValidator")
SHADER = "#version 450\nvoid main() {}\n"


def test_a_shader_whose_name_is_no_utf_8_is_compiled(tmp_path: Path) -> None:
    file = os.path.join(os.fsencode(tmp_path), b"caf\xe9.frag")  # noqa: PTH118 (bytes)
    with open(file, "w", encoding="utf-8") as stream:  # noqa: PTH123 (bytes)
        stream.write(SHADER)
    assert is_module(compiled(os.fsdecode(file), "vulkan"))


def test_an_error_at_a_byte_that_is_no_utf_8_is_the_compilers(tmp_path: Path) -> None:
    file = tmp_path / "latin.frag"
    file.write_bytes(b"#version 450\nvoid main() { \xe9 = 1; }\n")
    with pytest.raises(FileError, match=r"glslangValidator: ERROR: .*latin\.frag:2"):
        compiled(str(file), "vulkan")


def test_a_text_with_bytes_that_are_no_utf_8_is_compiled() -> None:
    assert is_module(compiled_text(f"{SHADER}// caf\udce9", "frag", "vulkan"))


def test_a_text_is_compiled_whatever_the_locale() -> None:
    program = (
        f"from statetracker.shader.glslang import compiled_text as made; made({SHADER + '// é'!a}, 'frag', 'vulkan')"
    )
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ | plain)
