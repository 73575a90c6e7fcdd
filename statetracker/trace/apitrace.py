"""The output of ``apitrace dump``, plain or gzipped: a stream of calls. Nothing is kept per call.

A line that is damaged or cut becomes a `Problem` with its line and, where known, its call number; reading goes on with
the next call. What calls mean is not decided here. Source: docs/traces.md (apitrace 11).
"""

from __future__ import annotations

import re
from collections import deque
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.trace.apitrace_values import Blob, Name, Value, parse_arguments, parse_value
from statetracker.trace.recording_file import Problem, RecordingFile, opened
from statetracker.unpacking import integer, too_long

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

__all__ = ["Blob", "DumpCall", "DumpFile", "Name", "Value", "open_dump", "parse_call"]


class DumpCall(NamedTuple):
    """One call of a dump.

    Attributes:
        number: As printed: rising, with holes.
        name: The function.
        args: By name, in order; enums are numbers.
        result: None also where the function returns nothing.
        flags: Words after ``//``: ``fake`` (the tracer added it), ``incomplete`` (the program died inside).
        thread: Where the dump shows threads.
        line: Where the call begins, from 1.
    """

    number: int
    name: str
    args: dict[str, Value]
    result: Value = None
    flags: tuple[str, ...] = ()
    thread: int | None = None
    line: int = 0


_HEAD: Final = r"(\d+) (?:@(\w+) )?([A-Za-z_][\w:]*)\("
#: Behind a call and what it returned, after ``//``: ``fake``, ``incomplete``, ``fake incomplete``.
_FLAGGED: Final = re.compile(r"(?: \w+)+")
_BEGINS: Final = re.compile(_HEAD)
_NUMBER: Final = re.compile(r"\d+ (?:@\w+ )?")
#: A call ends at the first bracket outside strings that a result or nothing follows; flags are taken off before.
_CALL: Final = re.compile(rf'{_HEAD}((?:[^")]++|"(?:[^"\\]|\\.)*+"|\)(?! = |\Z))*+)\)(?: = (.*))?', re.DOTALL)
#: What is looked at to say why a text is no call.
_MARKS: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\"|\)", re.DOTALL)
_QUOTES: Final = re.compile(r"\\.|(\")", re.DOTALL)
_FLAGS: Final = re.compile(r"\w+")

#: How many different ``name = value`` texts are remembered before the memory is emptied.
_MEMORY: Final = 1 << 15
#: How many lines that look like calls a string may hold before it is taken for one that was cut.
_CALLS_IN_STRING: Final = 64
#: Characters of a call that is shown.
_LINE: Final = 160

_Arguments = dict[str, dict[str, Value]]


class _Damage(Exception):
    """The text is no whole call; the message says why."""


def parse_call(text: str, *, line: int = 0) -> DumpCall:
    """Read one call, strings with literal newlines included; raises `ArgumentError` for what is none."""
    try:
        return _parse(text, {}, line)
    except _Damage as problem:
        raise ArgumentError("call", text[:80], hint=f"{problem}.") from None


def _parse(text: str, memory: _Arguments, line: int) -> DumpCall:
    """Read one call. `memory`: argument texts seen before (measured: a repeat costs a fifth of a parse)."""
    text = text.rstrip()  # or else each space of a long row is looked at from each before it
    end = len(text)
    while (mark := text.rfind(" // ", 0, end)) >= 0 and _FLAGGED.fullmatch(text, mark + 3, end):
        end = mark
    call = _CALL.fullmatch(text, 0, end)
    if call is None:
        raise _Damage(_lack(text))
    number, thread, name, body, result = call.groups()
    try:
        return DumpCall(
            integer(number, field="call number"),
            name,
            _arguments(body, memory),
            None if result is None else parse_value(result),
            tuple(_FLAGS.findall(text, end)),
            None if thread is None else integer(thread, field="thread"),
            line,
        )
    except ValueError as error:
        raise _Damage(str(error)) from None


def _lack(text: str) -> str:
    """Return why a text is no whole call."""
    head = _BEGINS.match(text)
    if head is None:
        return "it does not begin like a call"
    marks = set(_MARKS.findall(text, head.end()))
    if '"' in marks:
        return "a string has no end"
    return "something follows the call" if ")" in marks else "the call has no end"


def _arguments(body: str, memory: _Arguments) -> dict[str, Value]:
    if not body or '"' in body or "{" in body:
        return parse_arguments(body)
    args: dict[str, Value] = {}
    for part in body.split(", "):
        known = memory.get(part)
        if known is None:
            try:
                known = parse_arguments(part)
            except ArgumentError:
                known = {}
            if not known:
                return parse_arguments(body)  # blank, or damaged: the error shows the whole of it
            if len(memory) >= _MEMORY:
                memory.clear()
            memory[part] = known
        args.update(known)
    return args


class DumpFile(RecordingFile):
    """A dump that is open. Iterate over it for `DumpCall` and `Problem` items, once."""

    def __init__(self, path: str | Path, stream: IO[bytes]) -> None:
        super().__init__(path, stream)
        self._memory: _Arguments = {}
        self._again: deque[str] = deque()

    def __iter__(self) -> Iterator[DumpCall | Problem]:
        """Every call, and a `Problem` for every line that is none."""
        while text := self._read():
            line = self._line
            try:
                yield _parse(text, self._memory, line) if '"' not in text else self._with_strings(text, line)
            except _Damage as damage:
                bare = text.strip()
                if bare and not bare.startswith("//"):
                    number = _number_of(_BEGINS.match(text) or re.match(r"(\d+) ", text))
                    yield self._problem(str(damage), number, line=line)
        yield from self._damage

    def texts(self, numbers: Collection[int]) -> dict[int, str]:
        """Return some calls by number, as they stand, cut to a line; in place of iteration."""
        wanted, found = {str(number).encode(): number for number in numbers}, dict[int, str]()
        while len(found) < len(wanted) and (line := self._next_line()):
            if (number := wanted.get(line.partition(b" ")[0])) is not None:
                text = _NUMBER.sub("", line.decode("latin-1").rstrip(), count=1)
                found.setdefault(number, text if len(text) <= _LINE else text[: _LINE - 3] + "...")
        return found

    def _read(self) -> str:
        """Return the next line; empty at the end, and where a gzip stream breaks off."""
        if self._again:
            self._line += 1
            return self._again.popleft()
        return self._next_line().decode("latin-1")

    def _with_strings(self, text: str, line: int) -> DumpCall:
        """Read a call whose strings may go on over several lines.

        A string that was cut looks like one that goes on; a line in it that looks like a later call is the sign. Such
        a string is read to its end once, and where that gives no call, reading starts again at that line.
        """
        first = _number_of(_BEGINS.match(text))
        suspects: list[int] = []
        lines, size, inside = [text], len(text), _odd_quotes(text)
        while inside and len(suspects) <= _CALLS_IN_STRING and (more := self._read()):
            begins = _number_of(_BEGINS.match(more))
            if begins is not None and (first is None or begins > first):
                suspects.append(len(lines))
            lines.append(more)
            size += len(more)
            if size > self._longest:
                raise too_long(self.path, self._line, "a string", self._longest)
            inside ^= _odd_quotes(more)
        try:
            if inside:
                raise _Damage("a string has no end")  # noqa: TRY301 (one way out for both kinds of damage)
            return _parse("".join(lines), self._memory, line)
        except _Damage:
            if suspects:
                self._again.extendleft(reversed(lines[suspects[0] :]))
                self._line -= len(lines) - suspects[0]
            raise

    @property
    def lines(self) -> int:
        """Number of lines read so far."""
        return self._line


def _number_of(head: re.Match[str] | None) -> int | None:
    """Return the number of a call; None where it has none that a dump can have."""
    try:
        return None if head is None else integer(head[1])
    except ArgumentError:
        return None


def _odd_quotes(text: str) -> bool:
    return _QUOTES.findall(text).count('"') % 2 == 1


def open_dump(path: str | Path) -> DumpFile:
    """Open the text of a dump, gzip by its magic number; raises `RecordingError`."""
    return opened(path, DumpFile)
