"""What the docstring of every public name says: parameters, errors, source. Ruff and mypy see to its form and types.

A public name is what `tools.codegen.public_names` lists: functions and classes in the ``__all__`` of a package, and the
public methods and properties of these classes. Each rule below is a function; its docstring says what it asks for and
how that is decided, and what it gives is what has to be written.

What speaks for a name is its docstring; of a class also its constructor's, and of what the class is built on.
``wrap_s .. reduction_mode`` names each parameter from one to the other. Where a docstring refers to another public
name ("as `Sampler`", "as in `Driver.bind_sampler_states`", "what `convert` does", "see `X`", "`Policy` says"), that
one's speaks too: a description need not be copied.

GL functions are described by GL's reference pages under the same names: they need a summary and a row with every
argument in docs/gl_calls.md, whose head says how all of them report errors.
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
GL_PAGE: Final = (ROOT / "docs/gl_calls.md").read_text(encoding="utf-8")

Rule = Callable[[Public], Iterator[str]]

_FENCE: Final = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_REFERS: Final = re.compile(
    r"\b(?:as|see|like|what) (?:(?:in|of|for|by|with|to|at) )?`([\w.]+)`|`([\w.]+)` says", re.IGNORECASE
)
_RANGE: Final = re.compile(r"\b(\w+) \.\. (\w+)\b")
#: Between two passages: an empty line, the end of a sentence, the begin of a line that is not indented.
_PASSAGE: Final = re.compile(r"\n\s*\n|(?<=[^.]\.)\s|\n(?=\S)")
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


def passages(one: Public, name: str) -> list[str]:
    """The rows and sentences that name a parameter; a row of its class's docstring speaks for it in every method."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    named = [part for part in _PASSAGE.split(spoken(one)) if word.search(part)]
    row = re.compile(rf"^(?:[\w ,.]*\b)?{re.escape(name)}(?:, \w+)*  +\S|``{re.escape(name)}``")
    shared = "\n".join(inspect.cleandoc(base.__doc__ or "") for base in one.classes)
    return named + [part for part in _PASSAGE.split(shared) if row.search(part)]


def in_ranges(one: Public) -> set[str]:
    """Parameters between the two ends of ``first .. last``."""
    names = [given.name for given in one.parameters]
    spans = [(names.index(a), names.index(b)) for a, b in _RANGE.findall(one.text) if {a, b} <= {*names}]
    return {name for first, last in spans for name in names[first : last + 1]}


def parameters(one: Public) -> Iterator[str]:
    """Every parameter is named, as a word, by what speaks for the name, or by a row or a ``mark`` of its class.

    Not those whose name begins with an underscore, and not keywords of type `Never`, which are there to be refused.
    """
    if one.is_gl_call:
        row = re.search(rf"^\| `{one.thing.__name__}\(([^)]*)\)`", GL_PAGE, re.MULTILINE)
        listed = re.findall(r"\w+", row[1] if row else "")
        yield from (f"{given.name}, in docs/gl_calls.md" for given in one.parameters if given.name not in listed)
        return
    for given in one.parameters:
        wanted = not given.name.startswith("_") and given.annotation != "Never" and given.name not in in_ranges(one)
        if wanted and not passages(one, given.name):
            yield f"{given.name}: what it is, its unit or range"


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
            yield f"Raises `{error.__name__}` for ..."


def source(one: Public) -> Iterator[str]:
    """A standard or a page of docs/ is named (`_SOURCE`) by the docstring, its class's or its module's; or it is used.

    It is used where its name stands in the code of a page or an example, which CI runs; of a member behind a dot.
    """
    used = rf"{r'[.]' if one.owner else ''}\b{one.name.rpartition('.')[2]}\b"
    docs = [one.text, sys.modules[one.thing.__module__].__doc__ or "", *(base.__doc__ or "" for base in one.classes)]
    if not _SOURCE.search("\n".join(docs)) and not re.search(used, code()):
        yield "where it comes from: a standard's section, or its page (docs/...), in its or its module's docstring"


RULES: Final[list[Rule]] = [parameters, errors, source]


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
    """What becomes of scale."""
    if width > scale:
        _refuse()


class Unsaid:
    """A thing of one parameter."""

    def __init__(self, what: str) -> None:
        self.what = what

    def ended(self) -> None:
        """A helper's error, ended here."""
        try:
            _refuse()
        except ArgumentError:
            return


@pytest.mark.parametrize(
    ("rule", "thing", "wanted"),
    [
        (parameters, unsaid, ["width: what it is, its unit or range"]),
        (errors, unsaid, ["Raises `ArgumentError` for ..."]),
        (parameters, Unsaid, ["what: what it is, its unit or range"]),
        (errors, Unsaid, []),
    ],
)
def test_what_is_not_said_is_seen(rule: Rule, thing: Any, wanted: list[str]) -> None:
    sys.modules.setdefault(thing.__module__, sys.modules[__name__])
    assert list(rule(Public("tests.unsaid", thing))) == wanted


def test_of_methods_too() -> None:
    assert list(errors(Public("tests.Unsaid.ended", Unsaid.ended, Unsaid))) == []
    assert list(errors(Public("tests.Unsaid.ended", _refuse))) == ["Raises `ArgumentError` for ..."]


def test_a_source_that_nothing_names_is_missed() -> None:
    class Kind(IntEnum):
        """Kinds of things."""

    Kind.__module__ = "tools.codegen.raised"
    assert len(list(source(Public("tests.Kindly", Kind)))) == 1
