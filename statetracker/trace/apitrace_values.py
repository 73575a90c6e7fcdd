"""The values of an apitrace dump: text in, plain Python out.

An enum becomes its *number* (the dump prints one name a number, also where the program meant another), an array a
tuple, a structure a dict, ``&x`` a tuple of one (a pointer to one value and an array of length one look alike).

Source: docs/traces.md (apitrace 11).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.gl.floats import f32
from statetracker.gl.names import registered
from statetracker.unpacking import integer


class Blob(NamedTuple):
    """Bytes of which a dump shows only how many there were."""

    size: int


class Name(str):
    """A name that is no GL enum (``GLX_RGBA``, ``EGL_NONE``), or a mask with such a name in it, as written."""

    __slots__ = ()


Value: TypeAlias = "bool | int | float | str | Blob | tuple[Value, ...] | dict[str, Value] | None"

#: Words that are no enum.
_WORDS: Final[dict[str, Value]] = {"NULL": None, "True": True, "False": False}
_FLOAT_WORDS: Final = frozenset({"inf", "nan"})

#: Brackets and pointers inside each other; structures of GL have three.
_DEEPEST: Final = 64

#: More significant digits than any float32 is printed with: a double, which stays as it is.
_FLOAT32_DIGITS: Final = 9

_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_NUMBER: Final = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|-?(?:inf|nan)")
_TOKEN: Final = re.compile(
    rf"(?P<string>L?{_STRING})|(?P<blob>blob\(\d+\))|(?P<word>[A-Za-z_]\w*(?:::\w+)*)|(?P<hex>0[xX][0-9a-fA-F]+)"
    rf"|(?P<number>{_NUMBER.pattern})|(?P<mark>[{{}}&|,=?])|(?P<blank>[ \t\r\n]+)",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def parse_value(text: str) -> Value:
    """Read one value; raises `ArgumentError` for what is none."""
    return _whole(text, text)


def parse_arguments(text: str) -> dict[str, Value]:
    """Read ``name = value, name = value``; raises `ArgumentError` for what is no such list."""
    reader = _Values(text)
    members = reader.members("") if reader.tokens else {}
    if reader.place != len(reader.tokens):
        raise reader.trouble()
    return members


def _whole(text: str, context: str) -> Value:
    quick = _simple(text)
    if quick is not _NOT_SIMPLE:
        return quick
    reader = _Values(text)
    value = reader.value()
    if reader.place != len(reader.tokens):
        raise ArgumentError("value", context, hint="Something follows the value.")
    return value


class _NotSimple(Name):
    """Stands for "this text is not a single number or word"."""

    __slots__ = ()


_NOT_SIMPLE: Final = _NotSimple("")


def _simple(text: str) -> Value:
    """Read a number or a word, by far the most frequent values."""
    if text.isdigit() and text.isascii():
        return integer(text)
    if _NUMBER.fullmatch(text):
        return _number(text)
    if text.isidentifier() and text.isascii() and text not in _FLOAT_WORDS:
        return _word(text)
    return _NOT_SIMPLE


def _number(text: str) -> int | float:
    """Integers stay integers; floats become the nearest float32, unless they have a double's digits; ``-0`` is -0.0."""
    if "." not in text and text.lstrip("-").isdigit():
        return integer(text) if text != "-0" else -0.0
    if len(text) <= _FLOAT32_DIGITS:
        return f32(float(text))
    digits = text.partition("e")[0].replace(".", "").lstrip("-0")
    return float(text) if len(digits) > _FLOAT32_DIGITS else f32(float(text))


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


class _Values:
    """A reader over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self._deep = 0
        self.kinds: list[str] = []
        self.tokens: list[str] = []
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise ArgumentError("value", text[at : at + 40], hint="It is no value of an apitrace dump.")
            at = match.end()
            if match.lastgroup != "blank":
                self.kinds.append(str(match.lastgroup))
                self.tokens.append(match.group())

    def trouble(self) -> ArgumentError:
        """The error that names the unexpected token."""
        token = self.tokens[self.place] if self.place < len(self.tokens) else "the end"
        return ArgumentError("value", self.text[:60], hint=f"Not expected there: {token[:40]}.")

    def peek(self, ahead: int = 0) -> str:
        """The text of a token that is a mark; empty for any other and at the end."""
        at = self.place + ahead
        return self.tokens[at] if at < len(self.tokens) and self.kinds[at] == "mark" else ""

    def take(self, mark: str) -> None:
        """Step over a mark."""
        if self.peek() != mark:
            raise self.trouble()
        self.place += 1

    def value(self) -> Value:
        """One value, a mask of several names included."""
        start = self.place
        value = self._term()
        while self.peek() == "|":
            self.place += 1
            more = self._term()
            if type(value) is int and type(more) is int:
                value |= more
            elif isinstance(value, (int, Name)) and isinstance(more, (int, Name)):
                value = Name(" ".join(self.tokens[start : self.place]))
            else:
                raise self.trouble()
        return value

    def _term(self) -> Value:
        if self.place >= len(self.tokens):
            raise self.trouble()
        kind, text = self.kinds[self.place], self.tokens[self.place]
        if kind == "mark":
            if self._deep >= _DEEPEST:
                raise ArgumentError("value", self.text[:60], hint=f"More than {_DEEPEST} brackets inside each other.")
            self._deep += 1
            value = self._compound(text)
            self._deep -= 1
            return value
        self.place += 1
        if kind == "string":
            return _string(text)
        if kind == "blob":
            return Blob(integer(text[5:-1]))
        if kind == "hex":
            return integer(text, 16)
        return _number(text) if kind == "number" or text in _FLOAT_WORDS else _word(text)

    def _compound(self, mark: str) -> Value:
        if mark == "&":
            self.place += 1
            value = self.value()
            return value if isinstance(value, dict) else (value,)
        if mark == "?":
            self.place += 1
            return None
        self.take("{")
        if self.peek() == "}":
            self.place += 1
            return ()
        value = self.members("}") if self.peek(1) == "=" else self._elements()
        self.take("}")
        return value

    def _elements(self) -> tuple[Value, ...]:
        items = [self.value()]
        while self.peek() == ",":
            self.place += 1
            items.append(self.value())
        return tuple(items)

    def members(self, end: str) -> dict[str, Value]:
        """``name = value`` pairs up to the closing mark, or to the end of the text."""
        members: dict[str, Value] = {}
        while True:
            if self.place >= len(self.tokens) or self.kinds[self.place] != "word":
                raise self.trouble()
            name = self.tokens[self.place]
            self.place += 1
            self.take("=")
            members[name] = self.value()
            if self.peek() != ",":
                break
            self.place += 1
        if self.peek() != end:
            raise self.trouble()
        return members
