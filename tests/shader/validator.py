"""What spirv-val says of a module."""

from __future__ import annotations

import shutil
import subprocess

import pytest

__all__ = ["assert_valid"]


def assert_valid(module: bytes, environment: str = "vulkan1.1") -> None:
    """Fail where spirv-val refuses a module; skip where there is none."""
    validator = shutil.which("spirv-val")
    if validator is None:
        pytest.skip("spirv-val is not installed (Debian: spirv-tools)")
    command = [validator, "--target-env", environment, "-"]
    done = subprocess.run(command, input=module, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
