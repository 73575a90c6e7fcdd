"""The declarations of a C interface as cffi has them, and what cffi drops of them. Loads no library.

cffi resolves typedefs: a member that is a ``VkBool32`` or a mask of flags is a plain integer to it. So the declared
type of each struct's members is read from the same text once more.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings.libraries import new_ffi

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Definitions", "definitions"]

_STRUCT: Final = re.compile(r"^typedef (?:struct|union) (\w+) \{\n(.*?)^\} \1;", re.DOTALL | re.MULTILINE)
_ENUM: Final = re.compile(r"^typedef enum (\w+) \{", re.MULTILINE)
_MEMBER: Final = re.compile(r"^ +(.+?)\s*\b(\w+)(?:\[\w+\])*;", re.MULTILINE)


class Definitions:
    """One file of declarations.

    ffi       cffi's view of it
    members   struct or union -> member -> its type as declared, ``VkBool32`` or ``const void*``
    """

    __slots__ = ("_enums", "_names", "_values", "ffi", "members")

    def __init__(self, text: str) -> None:
        """Parse the declarations; about a third of a second for Vulkan's."""
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
def definitions(interface: str) -> Definitions:
    """Read the declarations of an interface: ``vulkan``.

    Raises `MissingExtra` without cffi.
    """
    text = Path(__file__).with_name(f"{interface}.cdef").read_text(encoding="utf-8")
    return Definitions(text)
