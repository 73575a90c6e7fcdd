"""Docstrings of public names name the errors that helpers raise, which ruff and pydoclint do not see.

A public name is what `tools.codegen.doc_api` lists. What speaks for a name is its docstring; of a class also what
the class is built on. Where it refers to another public name ("as `Sampler`", "as in `Driver.bind_sampler_states`",
"see `X`"), that one's docstring speaks too.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Final

import pytest

from statetracker.errors import ArgumentError
from tools.codegen.doc_api import Public, described, public_constants, public_names
from tools.codegen.raised import raised

NAMES: Final = list(public_names())
BY_NAME: Final = {one.name: one for one in NAMES}

_REFERS: Final = re.compile(
    r"\b(?:as|see|like|what) (?:(?:in|of|for|by|with|to|at) )?`([\w.]+)`|`([\w.]+)` says", re.IGNORECASE
)


def referred(one: Public) -> Iterator[Public]:
    """What its docstring refers to: a member of its own class before others of that name."""
    for pair in _REFERS.findall(one.text):
        name = "".join(pair)
        own = BY_NAME.get(f"{one.name.rpartition('.')[0]}.{name}")
        yield from [own] if own else [other for key, other in BY_NAME.items() if f".{key}".endswith(f".{name}")]


def spoken(one: Public) -> str:
    return "\n".join([one.text, *(other.text for other in referred(one))])


def errors(one: Public) -> Iterator[str]:
    """The errors that it raises, as `raised` reads them, are named, or a class of ours that they are built on.

    By what speaks for the name; of a method also by its class's docstring, which speaks for all of them. Not
    `NotImplementedError`, which says that the method is for subclasses to write.
    """
    said = spoken(one) + "".join(base.__doc__ or "" for base in one.classes)
    for error in sorted(raised(one.thing, one.owner), key=lambda kind: kind.__name__):
        known = [kind.__name__ for kind in error.__mro__ if kind.__module__ != "builtins" or kind is error]
        expected = not one.is_gl_call and error is not NotImplementedError
        if expected and not any(re.search(rf"\b{name}\b", said) for name in known):
            yield f"Raises: {error.__name__}: ..."


def test_every_public_name_says_which_errors_it_raises_and_every_constant_what_it_is() -> None:
    """A constant by the comment above it, marked #:, or by its rows."""
    missing = [f"{one.name}: write {what}" for one in NAMES for what in errors(one)]
    assert missing == [], f"{errors.__doc__}\n" + "\n".join(missing)
    assert [f"{room.__name__}.{name}" for room, name in public_constants() if not described(room, name)] == []
    kinds = [inspect.isclass(one.thing) for one in NAMES]
    assert len(NAMES) > 900
    assert kinds.count(True) > 200
    assert len(BY_NAME) == len(NAMES), "two things under one name"


def _refuse() -> None:
    raise ArgumentError("sampler", None)


def unsaid(width: float, scale: float) -> None:
    """Compare two numbers."""
    if width > scale:
        _refuse()


class Unsaid:
    """A thing."""

    def ended(self) -> None:
        """End a helper's error here."""
        try:
            _refuse()
        except ArgumentError:
            return


@pytest.mark.parametrize(
    ("one", "wanted"),
    [
        (Public("tests.unsaid", unsaid), ["Raises: ArgumentError: ..."]),
        (Public("tests.Unsaid", Unsaid), []),
        (Public("tests.Unsaid.ended", Unsaid.ended, Unsaid), []),
        (Public("tests.Unsaid.ended", _refuse), ["Raises: ArgumentError: ..."]),
    ],
)
def test_what_is_not_said_is_seen(one: Public, wanted: list[str]) -> None:
    assert list(errors(one)) == wanted
