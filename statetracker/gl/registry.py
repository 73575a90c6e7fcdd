"""Every enum name of the Khronos registry, in ``registry.csv``: names to numbers and back.

The file is read on first use. A name may come with or without ``GL_``, in any case; a number has all its names, the
core's before the vendors'. Made by ``tools/codegen/make_gl_registry.py`` from gl.xml.
"""

from __future__ import annotations

from typing import Final

from statetracker.errors import UnknownName

_NUMBERS: Final[dict[str, int]] = {}
_NAMES: Final[dict[int, tuple[str, ...]]] = {}
_NEAR_MISSES: Final = 3


def number(name: str) -> int:
    """Look up a name.

    name    with or without ``GL_``, in any case
    return  the registry's number; the few negative ones stay negative

    Raises `UnknownName`, with the nearest names, for a name that is not in the registry.
    """
    value = find(name)
    if value is None:
        hint = _near(name.upper().removeprefix("GL_"))
        raise UnknownName("GL enum", name, accepted="a name of the Khronos GL registry", hint=hint)
    return value


def find(name: str) -> int | None:
    """Look up a name as `number` does; None for one that is not in the registry."""
    if not _NUMBERS:
        _load()
    return _NUMBERS.get(name.upper().removeprefix("GL_"))


def names(value: int) -> tuple[str, ...]:
    """All names of a number, with ``GL_``, the core's first; empty where it has none."""
    if not _NAMES:
        _load()
    return _NAMES.get(value, ())


def _load() -> None:
    from pathlib import Path

    by_value: dict[int, list[str]] = {}
    with Path(__file__).with_name("registry.csv").open(encoding="ascii") as lines:
        for line in lines:
            name, comma, value = line.partition(",")
            if line.startswith("#") or value == "number\n" or not comma:
                continue
            spelled = int(value, 0)
            by_value.setdefault(spelled, []).append("GL_" + name)
            _NUMBERS[name.upper()] = spelled
    _NAMES.update((value, tuple(spellings)) for value, spellings in by_value.items())


def _near(word: str) -> str:
    from difflib import get_close_matches

    alike = [name for name in _NUMBERS if name[:1] == word[:1] and abs(len(name) - len(word)) <= _NEAR_MISSES]
    near = get_close_matches(word, alike, n=_NEAR_MISSES)
    return f"Did you mean {' or '.join('GL_' + name for name in near)}?" if near else ""
