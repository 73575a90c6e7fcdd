"""Finding a C library, and every way it can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from statetracker.bindings import libraries
from statetracker.bindings.libraries import Availability, Library, definitions, new_ffi, probe
from statetracker.errors import LibraryMissing, MissingExtra, WrongLibrary
from tools.codegen.make_vulkan_cdef import declarations, main

LIBC = Library("C", ("libc.so.6",), "STATETRACKER_TEST_LIB", "libc6", "malloc")


@pytest.fixture(autouse=True)
def _no_override(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LIBC.variable, raising=False)


def test_first_name_that_loads_is_opened() -> None:
    """Names that do not exist are passed over."""
    ffi = new_ffi("a test")
    ffi.cdef("void *malloc(size_t size);")
    opened = LIBC._replace(names=("libnothing.so.9", "libc.so.6")).open(ffi)
    assert hasattr(opened, "malloc")


def test_missing_library_lists_the_places_and_the_package() -> None:
    """What to install stands in the message."""
    ffi = new_ffi("a test")
    with pytest.raises(LibraryMissing, match=r"tried libnothing\.so\.9 .*apt-get install libc6") as caught:
        LIBC._replace(names=("libnothing.so.9",)).open(ffi)
    assert caught.value.tried == ("libnothing.so.9",)


def test_file_that_is_no_library_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loader's own reason is kept."""
    text = tmp_path / "lib.so"
    text.write_text("no library", encoding="ascii")
    monkeypatch.setenv(LIBC.variable, str(text))
    with pytest.raises(LibraryMissing, match=r"lib\.so"):
        LIBC.open(new_ffi("a test"))


def test_library_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that loads but lacks the function that makes it the wanted one."""
    ffi = new_ffi("a test")
    ffi.cdef("void *malloc_of_elsewhere(size_t size);")
    monkeypatch.setenv(LIBC.variable, "libm.so.6")
    with pytest.raises(WrongLibrary, match=r"libm\.so\.6 has no malloc_of_elsewhere") as caught:
        LIBC._replace(needs="malloc_of_elsewhere").open(ffi)
    assert LIBC.variable in caught.value.hint


def test_a_library_that_was_given_needs_no_variable() -> None:
    ffi = new_ffi("a test")
    ffi.cdef("void *malloc_of_elsewhere(size_t size);")
    given = LIBC._replace(names=("libm.so.6",), variable="", needs="malloc_of_elsewhere")
    with pytest.raises(WrongLibrary, match=r"so it is another library$"):
        given.open(ffi)


def test_without_cffi_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"Install it with: pip install cffi$"):
        new_ffi("a test")


def test_availability_is_true_or_false_and_has_a_reason() -> None:

    def fail() -> None:
        raise LibraryMissing("Vulkan", ("libvulkan.so.1",), package="libvulkan1")

    assert probe(lambda: None) == Availability(usable=True, reason="")
    assert probe(lambda: None)
    assert not probe(fail)
    assert "libvulkan1" in probe(fail).reason


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
