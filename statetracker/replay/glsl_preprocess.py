"""From the text of a shader to its tokens: pcpp does the work, GLSL's own directives and Mesa's macros are added here.

Needs the extra ``replay``; pcpp is imported with the first shader. Nothing is ever read from a file. Source:
docs/glsl.md (The OpenGL Shading Language, "Preprocessor"; macros recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT: Final = re.compile(r"//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)", re.DOTALL)
#: Directives without effect on samplers.
_IDLE: Final = re.compile(r"^[ \t]*#[ \t]*(?:pragma|line)\b[^\n]*", re.MULTILINE)
_DIRECTIVE: Final = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_WORD: Final = re.compile(r"\w+|\S")
_VERSION: Final = re.compile(r"\s*#[ \t]*version[ \t]+(\d{1,9})[ \t]*(\w*)")
#: Macros of C that GLSL lacks.
_FOREIGN: Final = ("__DATE__", "__TIME__", "__PCPP__")
#: Tokens that the macros of a shader may make.
_MOST_MADE: Final = 50_000
#: What pcpp raises where a directive lacks its words.
_DAMAGE: Final = (AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Preprocessed(NamedTuple):
    """A shader's tokens, its version as in #version (300 for ES 3.00), what could not be read, and why GL refuses it.

    Attributes:
        problems: Reading went on after each.
        refused: An ``#include`` that names no text; empty where there is none.
        cost: Tokens that macros made, beyond two a character of the text.
    """

    tokens: list[str]
    version: int
    problems: tuple[str, ...] = ()
    refused: str = ""
    cost: int = 0


def preprocess(source: str, *, profile: str = "compatibility", driver: str = "llvmpipe") -> Preprocessed:
    """Run the preprocessor over the whole text of a shader object; ``profile`` and ``driver`` as for `predefined`.

    Raises `MissingExtra` where pcpp is not installed. No text raises anything.
    """
    text = _plain(source)
    match = _VERSION.match(text)
    version, spelled = (int(match[1]), match[2]) if match else (default_version(profile), "")
    hooks = _Hooks()
    for name in sorted(predefined(version, spelled, profile=profile, driver=driver)):
        hooks.define(name)
    hooks.define("__VERSION__", version)
    tokens = hooks.tokens(text)
    return Preprocessed(tokens, version, tuple(hooks.problems), hooks.refused, max(0, hooks.made - 2 * len(text)))


def default_version(profile: str) -> int:
    """Return what a shader without #version is written in, in a context of a profile as `gl.Limits` names it."""
    return 100 if profile.startswith("gles") else 110


def predefined(
    version: int, spelled: str, *, profile: str = "compatibility", driver: str = "llvmpipe"
) -> frozenset[str]:
    """Macros that are 1 before the first line, whose #version has this version and this profile, ``""`` for none.

    ``profile`` is the context's, as `gl.Limits` names it; ``driver``: ``softpipe`` has fewer than every other.
    """
    es = spelled == "es" or version == 100
    column = "gles" if es else "core" if profile == "core" else "compatibility"
    macros = {
        f"GL_{row['name']}"
        for row in _macros()
        if row[column] and version >= int(row[column]) and (driver != "softpipe" or row["softpipe"] == "yes")
    }
    if es:
        macros.add("GL_ES")
    elif version >= 150:
        macros.add("GL_compatibility_profile" if spelled == "compatibility" else "GL_core_profile")
    return frozenset(macros)


@cache
def _macros() -> list[dict[str, str]]:
    """Return the rows of ``glsl_macros.csv``, which says what its columns mean."""
    with Path(__file__).with_name("glsl_macros.csv").open(encoding="ascii", newline="") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def _plain(source: str) -> str:
    """Return a text without comments; its lines keep their numbers."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    text = _COMMENT.sub(lambda match: " " + "\n" * match[0].count("\n"), text)
    return _IDLE.sub("", text)


class _Hooks:
    """pcpp's callbacks: unknown directives, includes, errors."""

    def __init__(self) -> None:
        try:
            import pcpp
        except ImportError as error:
            raise MissingExtra("reading GLSL", "pcpp", "replay") from error
        self.reader = reader = pcpp.Preprocessor()
        self.problems: list[str] = []
        self.refused = ""
        self.made = self._depth = 0
        self._expand = reader.expand_macros
        reader.expand_macros = self.expand
        for name in _FOREIGN:
            reader.undef(name)
        reader.expand_filemacro = reader.expand_countermacro = False
        reader.on_error = self.error
        reader.on_directive_unknown = self.directive
        reader.include = self.include
        self.define("__FILE__", 0)

    def define(self, name: str, value: int = 1) -> None:
        self.reader.define(f"{name} {value}")

    def tokens(self, text: str) -> list[str]:
        """All tokens that are no white space; of a text that makes no sense to pcpp, with its macros as they are."""
        try:
            return list(self.words(text))
        except _DAMAGE as error:
            self.problems.append(f"the preprocessor stops: {error}")
            return _WORD.findall(_DIRECTIVE.sub("", text))

    def words(self, text: str) -> Iterator[str]:
        """C has no word that begins with a digit, so pcpp cuts ``2D`` in two: what no gap divides is one word."""
        self.reader.parse(text)
        word = ""
        for token in iter(self.reader.token, None):
            piece = token.value.strip()
            if _is_word(piece) and _is_word(word):
                word += piece
                continue
            if word:
                yield word
            word = piece
        if word:
            yield word

    def expand(self, tokens: list[Any], *within: Any) -> list[Any]:  # noqa: ANN401 (pcpp has no types)
        """Expand the macros of some tokens; raises `ValueError` where they make too many."""
        self._depth += 1
        before, self.made = len(tokens), self.made + len(tokens) * (self._depth > 1)
        try:
            if self.made > _MOST_MADE:
                raise ValueError(f"macros make more than {_MOST_MADE:,} tokens")
            expanded: list[Any] = self._expand(tokens, *within)
        finally:
            self._depth -= 1
        self.made += max(0, len(expanded) - before)
        return expanded

    def error(self, _file: str, line: int, text: str) -> None:
        self.problems.append(f"line {line}: {text}")

    def directive(self, directive: Any, words: list[Any], *_: object) -> bool:  # noqa: ANN401 (pcpp has no types)
        """Read a directive that C lacks, in a branch that is read; ``#extension`` may define a macro."""
        text = "".join(str(word.value) for word in words)
        name, _colon, behaviour = (part.strip() for part in text.partition(":"))
        if directive.value == "extension" and behaviour == "require" and name not in self.reader.macros:
            self.define(name)
        elif directive.value == "error":
            self.error("", directive.lineno, f"#error {text}")
        return True

    def include(self, words: list[Any], _line: list[Any]) -> tuple[()]:
        """Return an ``#include`` that no named string has filled in: GL refuses the shader."""
        what = "".join(str(word.value) for word in words)
        self.refused = self.refused or f"#include {what} names no text, or its extension is not enabled"
        return ()


def _is_word(text: str) -> bool:
    return text[-1:].isalnum() or text[-1:] == "_"
