"""What spirv-val says of a module."""

from __future__ import annotations

import shutil
import subprocess

__all__ = ["assert_valid"]


def assert_valid(module: bytes, environment: str = "vulkan1.1") -> None:
    """Fail where spirv-val refuses a module; for tests that ask for it."""
    validator = shutil.which("spirv-val")
    assert validator is not None, "a test that asks for spirv-val sees it"
    command = [validator, "--target-env", environment, "-"]
    done = subprocess.run(command, input=module, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
