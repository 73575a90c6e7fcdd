"""C libraries: opening one, with the reason where it cannot be opened; the declarations of an interface.

A library is looked for under the names that Debian and others give it, or at the one place that an environment variable
names. cffi resolves typedefs: a ``VkBool32`` or a mask of flags is a plain integer to it. So the declared type of each
struct's members is read from the same text once more.
"""

from __future__ import annotations

import os
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from statetracker.errors import LibraryMissing, LiveError, MissingExtra, WrongLibrary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cffi import FFI


class Availability(NamedTuple):
    """The availability of something on this machine. It is true or false as a whole; ``reason`` says why not."""

    usable: bool
    reason: str

    def __bool__(self) -> bool:
        return self.usable


class Library(NamedTuple):
    """A C library: its names, and where to look for it.

    Attributes:
        title: Its name in messages, such as ``EGL``.
        names: File names to try, in this order.
        variable: The environment variable that overrides them with one path.
        package: The Debian package that brings it.
        needs: A function without which the file is another library.
    """

    title: str
    names: tuple[str, ...]
    variable: str
    package: str
    needs: str

    def open(self, ffi: FFI) -> Any:
        """Open the library, with the declarations of a cffi.

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
                hint = f"Set {self.variable} to the path of {self.names[0]}, or unset it"
                problem = f"{name} has no {self.needs}, so it is another library"
                raise WrongLibrary(self.title, problem, value=name, hint=hint if self.variable else "")
            return opened
        raise LibraryMissing(self.title, tried, package=self.package, reason=reason)


class Closing:
    """A context manager that calls ``close`` at the end of its block."""

    def close(self) -> None:
        """Destroy what this object owns; a second time does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
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
    return Availability(usable=True, reason="")


_STRUCT: Final = re.compile(r"^typedef (?:struct|union) (\w+) \{\n(.*?)^\} \1;", re.DOTALL | re.MULTILINE)
_ENUM: Final = re.compile(r"^typedef enum (\w+) \{", re.MULTILINE)
_MEMBER: Final = re.compile(r"^ +(.+?)\s*\b(\w+)(?:\[\w+\])*;", re.MULTILINE)


class Definitions:
    """One file of declarations.

    Parsing Vulkan's takes about a third of a second.

    Args:
        text: The declarations.

    Attributes:
        ffi: Cffi's view of it.
        members: Struct or union -> member -> its type as declared, ``VkBool32`` or ``const void*``.
    """

    __slots__ = ("_enums", "_names", "_values", "ffi", "members")

    def __init__(self, text: str) -> None:
        self.ffi: Any = new_ffi("statetracker.bindings")
        self.ffi.cdef(text)
        self.members: Mapping[str, Mapping[str, str]] = {
            name: {member: declared for declared, member in _MEMBER.findall(body)}
            for name, body in _STRUCT.findall(text)
        }
        self._enums = set(_ENUM.findall(text))
        self._names: dict[str, dict[int, str]] = {}
        self._values: dict[str, dict[str, int]] = {}

    def names(self, enum: str) -> Mapping[int, str]:
        """Value -> name of an enum, without the one that only sets its width; empty for what is no enum."""
        if enum not in self._names:
            self._names[enum] = {v: n for n, v in self.values(enum).items() if not n.endswith("_MAX_ENUM")}
        return self._names[enum]

    def values(self, enum: str) -> Mapping[str, int]:
        """Name -> value of an enum; empty for what is no enum."""
        if enum not in self._values:
            kind = self.ffi.typeof(enum) if enum in self._enums else None
            self._values[enum] = {} if kind is None else dict(kind.relements)
        return self._values[enum]


@cache
def definitions() -> Definitions:
    """Read the declarations of Vulkan; raises `MissingExtra` without cffi."""
    return Definitions(Path(__file__).with_name("vulkan.cdef").read_text(encoding="utf-8"))
