"""GL calls: names as tables, the form of handlers, and the one allowance of a recording.

The methods of a session's parts that are named as GL calls handle them. They take GL's arguments; one whose first
parameter is named ``call`` takes the call itself before them. They give doubts in words, or None. What a context models
is in `statetracker.gl`; a call that is neither there nor here is counted and named. Source: docs/streams.md.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.errors import StateTrackerError
from statetracker.unpacking import limits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.trace.apitrace import DumpCall

#: Names of calls -> methods of a part.
Handlers: TypeAlias = Mapping[str, Callable[..., Sequence[str] | None]]

#: What each call of a recording adds to its allowance.
EACH: Final = 200

_SUFFIXES: Final = ("EXT", "ARB", "OES", "ANGLE", "NV", "ATI", "SGIS", "SGIX", "INTEL", "AMD", "APPLE", "MESA", "KHR")

#: Older spellings whose names differ by more than a suffix.
ALIASES: Final = {
    "glCreateShaderObjectARB": "glCreateShader",
    "glCreateProgramObjectARB": "glCreateProgram",
    "glAttachObjectARB": "glAttachShader",
    "glDetachObjectARB": "glDetachShader",
    "glUseProgramObjectARB": "glUseProgram",
    "glGetObjectParameterivARB": "glGetProgramiv",
    "glGetInfoLogARB": "glGetProgramInfoLog",
    "glGetAttachedObjectsARB": "glGetAttachedShaders",
    "glMultiDrawArraysIndirectCountARB": "glMultiDrawArraysIndirectCount",
    "glMultiDrawElementsIndirectCountARB": "glMultiDrawElementsIndirectCount",
}


with Path(__file__).with_name("calls.csv").open(encoding="ascii", newline="") as _lines:
    _ROWS: Final = list(csv.DictReader(line for line in _lines if not line.startswith("#")))
#: Families of calls that no sampler state depends on -> their names, without ``gl``; ``*`` is any further text.
IRRELEVANT: Final = {
    family: [row["call"] for row in _ROWS if row["family"] == family]
    for family in dict.fromkeys(row["family"] for row in _ROWS if row["family"])
}

#: Draws but for glBegin, pixel rectangles and dispatches -> the arguments that must be above 0.
DRAWS: Final = {
    f"gl{row['call']}": tuple(word for word in row["draws"].split() if word != "always")
    for row in _ROWS
    if row["draws"]
}
#: Draws that wait as glEnd's vertices do.
IMMEDIATE_DRAWS: Final = ("glRect", "glEvalMesh1", "glEvalMesh2")

#: The family of calls that come within glBegin and glEnd, and before which Mesa draws nothing that waits.
IMMEDIATE: Final = "vertex attributes"

#: Calls executed at once, whose EXT forms a list keeps.
_AT_ONCE_PLAIN: Final = frozenset(
    {
        *("glBindTextures", "glBindSamplers", "glBindTextureUnit"),
        *(f"glTextureParameter{form}" for form in ("i", "f", "iv", "fv", "Iiv", "Iuiv")),
    }
)


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    parts = (word.replace("*", r"\w*") for word in words)
    return re.compile(f"gl(?:{'|'.join(parts)})(?:{'|'.join(_SUFFIXES)})?")


_FAMILIES: Final = {family: _pattern(words) for family, words in IRRELEVANT.items()}
_OUTSIDE_LISTS: Final = _pattern(row["call"] for row in _ROWS if row["at_once"] == "yes")
#: Calls that come with a suffix for each kind of number -> their plain name.
_TYPED: Final = {
    "glRect": re.compile(r"glRect[dfis]v?"),
    "glRasterPos": re.compile(r"glRasterPos[234][dfis]v?"),
    "glDrawTex": re.compile(r"glDrawTex[sifx]v?OES"),
}


def irrelevant(name: str) -> str | None:
    """Return the family of calls that no sampler depends on which a GL function belongs to; None for any other."""
    return next((family for family, pattern in _FAMILIES.items() if pattern.fullmatch(name)), None)


def at_once(name: str) -> bool:
    """Return whether a call is executed at once while a display list is compiled."""
    return name in _AT_ONCE_PLAIN or _OUTSIDE_LISTS.fullmatch(name) is not None


def plain_name(name: str) -> str:
    """Return a function's name in core spelling: without an extension's suffix; glRect, glRasterPos without types."""
    if name in ALIASES:
        return ALIASES[name]
    typed = next((plain for plain, pattern in _TYPED.items() if pattern.fullmatch(name)), None)
    if typed is not None:
        return typed
    return next((name.removesuffix(suffix) for suffix in _SUFFIXES if name.endswith(suffix)), name)


def draws_something(name: str, args: Mapping[str, object]) -> bool:
    """Return whether a call of `DRAWS` draws something; an argument that is missing counts as 1."""
    return all(_positive(args.get(key, args.get("primcount", 1))) for key in DRAWS[name])


def _positive(value: object) -> bool:
    if isinstance(value, tuple):
        return any(_positive(part) for part in value)
    return isinstance(value, int | float) and value > 0


def handled(part: type) -> Handlers:
    """Return the methods of a part that handle calls: those named as one."""
    return {name: method for name, method in vars(part).items() if re.match("gl[A-Z]", name)}


def nothing(*_args: object) -> None:
    """Nothing changes that a draw reads."""


def integers(value: object) -> list[int]:
    """Return the names in an array; of a blob only the size is known."""
    return [name for name in value if isinstance(name, int)] if type(value) is tuple else []


def result_name(call: DumpCall) -> int:
    """Return the name of an object that a call made; 0: none."""
    return call.result if isinstance(call.result, int) else 0


class Spent(StateTrackerError):
    """The allowance of a recording is spent; ``first``: it was not before."""

    def __init__(self, what: str, most: int, *, first: bool) -> None:
        super().__init__(what, most, hint="'statetracker --limits 10 COMMAND' expands ten times as much.")
        self.most = most
        self.first = first

    def subject(self) -> str:
        """Return the message."""
        return f"{self.field} expand to more than {self.most:,} list calls, tokens and elements; the rest is left out"


class Allowance:
    """List calls, tokens and elements that a recording may still expand; ``refused`` counts by name what was not.

    GL has no bound on display lists that call lists, on macros that double, or on texts that include each other; ten
    lines can cost hours. What a program needs grows with its recording, and so does the allowance. Once it is spent,
    nothing more is expanded: one error says so, and what is left out is counted by name.
    """

    def __init__(self) -> None:
        self.most = self._left = limits().expanded
        self.spent = False
        self.refused: Counter[str] = Counter()

    def grow(self) -> None:
        """Count a call of the recording."""
        self.most += EACH
        self._left += EACH

    def take(self, what: str, count: int = 1) -> None:
        """Use some of it up; raises `Spent` where there is not so much left, and from then on."""
        self._left -= count
        if self.spent or self._left < 0:
            first, self.spent = not self.spent, True
            self.refused[what] += 1
            raise Spent(what, self.most, first=first)
