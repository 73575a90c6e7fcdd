"""Finding a C library, and every way it can fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from statetracker.bindings import libraries
from statetracker.bindings.libraries import Availability, Library, new_ffi, probe
from statetracker.errors import LibraryMissing, MissingExtra, WrongLibrary

if TYPE_CHECKING:
    from pathlib import Path

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
