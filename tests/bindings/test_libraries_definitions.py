"""The declarations are what Khronos' headers say, where these are installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from statetracker.bindings.libraries import definitions
from tools.codegen.make_vulkan_cdef import declarations, main


@pytest.mark.live("vulkan headers")
def test_the_file_is_what_the_tool_writes_from_the_headers_it_names() -> None:
    """Where other headers are installed, or none, there is nothing to compare with."""
    assert main(["--check"]) == 0, "run: python tools/codegen/make_vulkan_cdef.py"


def test_without_headers_the_package_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", str(tmp_path)]) == 2
    assert "libvulkan-dev" in capsys.readouterr().err


def test_enumerants_that_are_other_names_are_left_out() -> None:
    header = (
        "typedef enum VkA {\n    VK_A_ONE = 1,\n    VK_A_ONE_EXT = VK_A_ONE,\n    VK_A_MAX_ENUM = 0x7FFFFFFF\n} VkA;\n"
    )
    assert "VK_A_ONE_EXT" not in declarations(header)["VkA"]


def test_members_keep_the_type_that_they_were_declared_with() -> None:
    members = definitions().members["VkSamplerCreateInfo"]
    assert (members["anisotropyEnable"], members["pNext"], members["maxLod"]) == ("VkBool32", "const void*", "float")


def test_undefined_values_are_no_names() -> None:
    assert 0x7FFFFFFF not in definitions().names("VkFilter")
    assert definitions().names("VkSamplerCreateInfo") == {}
