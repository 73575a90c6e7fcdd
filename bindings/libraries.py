"""Opening a C library, with the reason where it cannot be opened.

A library is looked for under the names that Debian and others give it, or at the one place that an environment
variable names. Nothing is opened by importing this module.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from statetracker.errors import LibraryMissing, LiveError, MissingExtra, StateTrackerError, WrongLibrary

if TYPE_CHECKING:
    from collections.abc import Callable

    from cffi import FFI

__all__ = ["Availability", "Closing", "Library", "new_ffi", "probe"]


class Availability(NamedTuple):
    """Whether something of this machine can be used. It is true or false as a whole; ``reason`` says why not."""

    usable: bool
    reason: str

    def __bool__(self) -> bool:
        """Answer like a plain bool."""
        return self.usable


class Library(NamedTuple):
    """A C library: its names, and where to look for it.

    title       its name in messages, such as ``EGL``
    names       file names to try, in this order
    variable    the environment variable that overrides them with one path
    package     the Debian package that brings it
    needs       a function without which the file is another library
    """

    title: str
    names: tuple[str, ...]
    variable: str
    package: str
    needs: str

    def open(self, ffi: FFI) -> Any:
        """Open the library.

        Raises `LibraryMissing` where none of the names can be loaded, `WrongLibrary` where what was loaded lacks the
        function ``needs``.
        """
        override = os.environ.get(self.variable)
        tried = (override,) if override else self.names
        reason = ""
        for name in tried:
            try:
                opened = ffi.dlopen(name)
            except OSError as error:
                reason = str(error)
                continue
            if not hasattr(opened, self.needs):
                raise WrongLibrary(
                    self.title,
                    f"{name} has no {self.needs}, so it is another library",
                    value=name,
                    hint=f"Set {self.variable} to the path of {self.names[0]}, or unset it",
                )
            return opened
        raise LibraryMissing(self.title, tried, package=self.package, reason=reason)


class Closing:
    """A context manager that calls ``close`` at the end of its block."""

    def close(self) -> None:
        """Destroy what this object owns; a second time does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        """Give the object itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close it."""
        self.close()


def new_ffi(part: str) -> FFI:
    """Make an empty set of C declarations; raises `MissingExtra` where cffi is not installed."""
    if find_spec("cffi") is None:
        raise MissingExtra(part, "cffi", "live")
    from cffi import FFI

    return FFI()


def probe(attempt: Callable[[], object]) -> Availability:
    """Try something of this machine; the reason where it fails."""
    try:
        attempt()
    except (LiveError, MissingExtra) as error:
        return Availability(usable=False, reason=str(error))
    except StateTrackerError:
        raise
    return Availability(usable=True, reason="")
