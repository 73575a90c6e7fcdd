"""The values of an apitrace dump: text in, plain Python out.

An enum becomes its *number* (the dump prints one name a number, also where the program meant another), an array a
tuple, a structure a dict, ``&x`` a tuple of one. Source: docs/traces.md (apitrace 11).
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.gl.floats import f32
from statetracker.gl.names import registered
from statetracker.unpacking import integer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Blob(NamedTuple):
    """Bytes of which a dump shows only how many there were."""

    size: int


class Name(str):
    """A name that is no GL enum (``GLX_RGBA``, ``EGL_NONE``), or a mask with such a name in it, as written."""

    __slots__ = ()


Value: TypeAlias = "bool | int | float | str | Blob | tuple[Value, ...] | dict[str, Value] | None"

#: Words that are no enum.
_WORDS: Final[Mapping[str, Value]] = {"NULL": None, "True": True, "False": False, "inf": math.inf, "nan": math.nan}

#: Brackets and pointers inside each other; structures of GL have three.
_DEEPEST: Final = 64

#: More significant digits than any float32 is printed with: a double, which stays as it is.
_FLOAT32_DIGITS: Final = 9

_BLANK: Final = r"[ \t\r\n]*+"
_WORD: Final = r"[A-Za-z_]\w*(?:::\w+)*"
#: The beginning of a member; a word without ``=`` is none.
_NAME: Final = re.compile(rf"{_BLANK}({_WORD}){_BLANK}(=)?")
_TOKEN: Final = re.compile(
    rf"{_BLANK}(?:(?P<hex>0[xX][0-9a-fA-F]+)|(?P<number>-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|-(?:inf|nan))"
    rf'|(?P<string>L?"(?:[^"\\]|\\.)*")|(?P<blob>blob\(\d+\))|(?P<word>{_WORD})|(?P<mark>[{{}}&|,=?]))',
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def parse_value(text: str) -> Value:
    """Read one value; raises `ArgumentError` for what is none."""
    reader = _Reader(text)
    value = reader.value()
    if not reader.at_end():
        raise reader.trouble("Something follows the value.")
    return value


def parse_arguments(text: str) -> dict[str, Value]:
    """Read ``name = value, name = value``; raises `ArgumentError` for what is no such list."""
    reader = _Reader(text)
    arguments = {} if reader.at_end() else reader.members()
    if not reader.at_end():
        raise reader.trouble()
    return arguments


def _number(text: str) -> int | float:
    """Integers stay integers; floats become the nearest float32, unless they have a double's digits; ``-0`` is -0.0."""
    if "." not in text and text.lstrip("-").isdigit():
        return integer(text) if text != "-0" else -0.0
    if len(text) > _FLOAT32_DIGITS:
        digits = text.partition("e")[0].replace(".", "").lstrip("-0")
        if len(digits) > _FLOAT32_DIGITS:
            return float(text)
    return f32(float(text))


def _word(text: str) -> Value:
    if text in _WORDS:
        return _WORDS[text]
    known = registered(text) if text.startswith("GL_") else None
    return Name(text) if known is None else known


def _string(quoted: str) -> str:
    inner = quoted[quoted.index('"') + 1 : -1]
    return _ESCAPE.sub(_unescape, inner) if "\\" in inner else inner


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if code in _ESCAPES:
        return _ESCAPES[code]
    if code[0] == "x" and len(code) > 1:
        return chr(int(code[1:], 16))
    return chr(int(code, 8) & 0xFF) if code[0] in "01234567" else code


#: Kind of a token -> its value.
_VALUES: Final[Mapping[str, Callable[[str], Value]]] = {
    "hex": lambda text: integer(text, 16),
    "number": _number,
    "string": _string,
    "blob": lambda text: Blob(integer(text[5:-1])),
    "word": _word,
}


class _Reader:
    """Reads values off a text, from its beginning on."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._deep = 0
        self._masks = "|" in text

    def at_end(self) -> bool:
        """Return whether nothing but blanks follows."""
        return self._at == len(self._text) or not self._text[self._at :].strip(" \t\r\n")

    def trouble(self, hint: str = "") -> ArgumentError:
        """Return the error for text that is no token, wherever it is; else for the token that comes next."""
        end = 0
        while match := _TOKEN.match(self._text, end):
            end = match.end()
        if rest := self._text[end:].strip(" \t\r\n"):
            return ArgumentError("value", rest[:40], hint="It is no value of an apitrace dump.")
        following = _TOKEN.match(self._text, self._at)
        token = "the end" if following is None else following[str(following.lastgroup)]
        return ArgumentError("value", self._text[:60], hint=hint or f"Not expected there: {token[:40]}.")

    def value(self) -> Value:
        """Read one value, a mask of several names included."""
        start = self._at
        value = self._term()
        while self._masks and self._step("|"):
            more = self._term()
            if type(value) is int and type(more) is int:
                value |= more
            elif isinstance(value, (int, Name)) and isinstance(more, (int, Name)):
                value = Name(" | ".join(part.strip() for part in self._text[start : self._at].split("|")))
            else:
                raise self.trouble()
        return value

    def members(self) -> dict[str, Value]:
        """Read ``name = value`` pairs."""
        members: dict[str, Value] = {}
        while match := _NAME.match(self._text, self._at):
            self._at = match.end()
            if match[2] is None:
                break
            members[match[1]] = self.value()
            if not self._step(","):
                return members
        raise self.trouble()

    def _step(self, mark: str) -> bool:
        """Step over a mark; False where another token comes next."""
        match = None if self._at == len(self._text) else _TOKEN.match(self._text, self._at)
        if match is None or match["mark"] != mark:
            return False
        self._at = match.end()
        return True

    def _term(self) -> Value:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise self.trouble()
        kind = str(match.lastgroup)
        if kind != "mark":
            self._at = match.end()
            return _VALUES[kind](match[kind])
        if self._deep >= _DEEPEST:
            raise ArgumentError("value", self._text[:60], hint=f"More than {_DEEPEST} brackets inside each other.")
        if match["mark"] not in "&?{":
            raise self.trouble()
        self._at = match.end()
        self._deep += 1
        value = self._compound(match["mark"])
        self._deep -= 1
        return value

    def _compound(self, mark: str) -> Value:
        if mark == "?":
            return None
        if mark == "&":
            value = self.value()
            return value if isinstance(value, dict) else (value,)
        if self._step("}"):
            return ()
        name = _NAME.match(self._text, self._at)
        value = self.members() if name and name[2] else self._elements()
        if not self._step("}"):
            raise self.trouble()
        return value

    def _elements(self) -> tuple[Value, ...]:
        items = [self.value()]
        while self._step(","):
            items.append(self.value())
        return tuple(items)
