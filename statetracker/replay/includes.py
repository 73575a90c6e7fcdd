"""Named strings (ARB_shading_language_include), and sources with their ``#include`` lines filled in.

Source: docs/glsl.md (ARB_shading_language_include; recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["NamedStrings", "is_search_path"]

_ENABLED: Final = re.compile(
    r"^[ \t]*#[ \t]*extension[ \t]+GL_ARB_shading_language_include[ \t]*:[ \t]*(?:require|enable|warn)\b", re.MULTILINE
)
_INCLUDE: Final = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(?:\"([^\"\n]+)\"|<([^>\n]+)>)[ \t]*$", re.MULTILINE)


def is_search_path(path: str) -> bool:
    """Whether GL takes a path: absolute, without empty parts, no slash at its end."""
    return path.startswith("/") and not path.endswith("/") and "//" not in path


class NamedStrings:
    """The named strings of a share group."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def define(self, name: str, text: str) -> None:
        """``glNamedStringARB``; a name that GL does not take changes nothing."""
        if is_search_path(name):
            self._texts[posixpath.normpath(name)] = text

    def delete(self, name: str) -> None:
        """``glDeleteNamedStringARB``."""
        self._texts.pop(posixpath.normpath(name), None)

    def expand(self, source: str, paths: Sequence[str] = ()) -> str:
        """Fill in what a source includes.

        paths   where relative names are looked for, in this order; absolute names need none

        A source that does not enable the extension stays as it is, and so does the line of a name that is not found, or
        that includes itself: the compiler refuses it where it is reached.
        """
        if not self._texts or _ENABLED.search(source) is None:
            return source
        return self._expand(source, paths, ())

    def _expand(self, source: str, paths: Sequence[str], open_: tuple[str, ...]) -> str:
        def text_of(line: re.Match[str]) -> str:
            name = self._find(line[1] or line[2], paths)
            return line[0] if name is None or name in open_ else self._expand(self._texts[name], paths, (*open_, name))

        return _INCLUDE.sub(text_of, source)

    def _find(self, name: str, paths: Sequence[str]) -> str | None:
        """The name of the string that is meant, None where there is none."""
        whole = [name] if name.startswith("/") else [f"{path}/{name}" for path in paths]
        names = (posixpath.normpath(full) for full in whole if is_search_path(full))
        return next((full for full in names if full in self._texts), None)
