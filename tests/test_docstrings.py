"""Docstrings of public names name the errors that helpers raise, and sources: ruff and pydoclint see neither.

A public name is what `tools.codegen.public_names` lists. Each rule below is a function; its docstring says what it asks
for. What speaks for a name is its docstring; of a class also what the class is built on. Where it refers to another
public name ("as `Sampler`", "as in `Driver.bind_sampler_states`", "see `X`"), that one's docstring speaks too.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from statetracker.errors import ArgumentError
from tools.codegen.doc_api import described
from tools.codegen.public_names import Public, public_constants, public_names
from tools.codegen.raised import raised

ROOT: Final = Path(__file__).parents[1]
NAMES: Final = list(public_names())
BY_NAME: Final = {one.name: one for one in NAMES}

Rule = Callable[[Public], Iterator[str]]

_FENCE: Final = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_REFERS: Final = re.compile(
    r"\b(?:as|see|like|what) (?:(?:in|of|for|by|with|to|at) )?`([\w.]+)`|`([\w.]+)` says", re.IGNORECASE
)
#: A standard, by its name or by the way its names are spelled; a release of Mesa; a page.
_SOURCE: Final = re.compile(
    r"\b(GL|GLES|GLSL|OpenGL|Vulkan|WebGPU|WGSL|SPIR-V|Gallium|PRM|Parquet|Arrow|PNG|SVG)\b"
    r"|\b(VUID-|Vk[A-Z]|VK_|GPU[A-Z]|PIPE_|pipe_|GL_|Mesa \d)|\bdocs/[a-z_/]+\.md"
)


@cache
def code() -> str:
    """What runs as an example: the programs of pages, which tests/test_docs.py runs, and of examples/."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    blocks = [block for page in pages for block in _FENCE.findall(page.read_text(encoding="utf-8"))]
    return "\n".join(
        [*blocks, *(file.read_text(encoding="utf-8") for file in sorted((ROOT / "examples").glob("*.py")))]
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


def source(one: Public) -> Iterator[str]:
    """A standard or a page of docs/ is named (`_SOURCE`) by the docstring, its class's or its module's; or it is used.

    It is used where its name stands in the code of a page or an example, which CI runs; of a member behind a dot.
    """
    used = rf"{r'[.]' if one.owner else ''}\b{one.name.rpartition('.')[2]}\b"
    docs = [one.text, sys.modules[one.thing.__module__].__doc__ or "", *(base.__doc__ or "" for base in one.classes)]
    if not _SOURCE.search("\n".join(docs)) and not re.search(used, code()):
        yield "where it comes from: a standard's section, or its page (docs/...), in its or its module's docstring"


RULES: Final[list[Rule]] = [errors, source]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_public_name_says_it(rule: Rule) -> None:
    missing = [f"{one.name}: write {what}" for one in NAMES for what in rule(one)]
    assert missing == [], f"{rule.__doc__}\n" + "\n".join(missing)


def test_there_are_names() -> None:
    kinds = [inspect.isclass(one.thing) for one in NAMES]
    assert len(NAMES) > 900
    assert kinds.count(True) > 200
    assert len(BY_NAME) == len(NAMES), "two things under one name"


def test_every_constant_is_described_and_has_a_source() -> None:
    """Its description is the comment above it or its rows; source as above, or its package's."""
    for package, name in public_constants():
        text = described(package, name)
        assert re.match(r"\S.*[.:]$", text), f"{package.__name__}.{name}: write a sentence above it, marked #:"
        known = _SOURCE.search(f"{text} {package.__doc__}") or re.search(rf"\b{name}\b", code())
        assert known, f"{package.__name__}.{name}: write where it comes from, there or in the package's docstring"


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


@pytest.mark.parametrize(("thing", "wanted"), [(unsaid, ["Raises: ArgumentError: ..."]), (Unsaid, [])])
def test_what_is_not_said_is_seen(thing: Any, wanted: list[str]) -> None:
    assert list(errors(Public("tests.unsaid", thing))) == wanted


def test_of_methods_too() -> None:
    assert list(errors(Public("tests.Unsaid.ended", Unsaid.ended, Unsaid))) == []
    assert list(errors(Public("tests.Unsaid.ended", _refuse))) == ["Raises: ArgumentError: ..."]


def test_a_source_that_nothing_names_is_missed() -> None:
    class Kind(IntEnum):
        """Kinds of things."""

    Kind.__module__ = "tools.codegen.raised"
    assert len(list(source(Public("tests.Kindly", Kind)))) == 1
