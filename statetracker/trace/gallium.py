"""Mesa's trace of what a driver received (``GALLIUM_TRACE``, XML), read as a stream of sampler events.

Only the calls that concern samplers are looked into. The file may be cut short and may hold bytes that XML does not
allow: each call is cut out and read by itself, and one that cannot be read is a `Problem`. Source: docs/traces.md (Mesa
22.3.6).
"""

from __future__ import annotations

import json
import re
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias
from xml.etree import ElementTree as ET

from statetracker.errors import ArgumentError, RecordingError
from statetracker.pipe.layout import LAYOUTS
from statetracker.spellings import OLDER_STAGES, STAGE_WORDS
from statetracker.trace.recording_file import Problem, RecordingFile, cut_short, opened
from statetracker.unpacking import DAMAGE, integer, too_long

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: A member as the trace prints it: integers and booleans as such, floats as text (six digits), enums as names.
Member: TypeAlias = "int | str | list[Member] | dict[str, Member] | None"


class CreateSampler(NamedTuple):
    """``create_sampler_state``: the members as printed, and the handle the driver gave."""

    call: int
    context: int
    handle: int
    state: dict[str, Member]


class BindSamplers(NamedTuple):
    """``bind_sampler_states``: from slot ``start`` on these handles; None is no state."""

    call: int
    context: int
    stage: str
    start: int
    handles: tuple[int | None, ...]


class DeleteSampler(NamedTuple):
    """``delete_sampler_state``."""

    call: int
    context: int
    handle: int


class Draw(NamedTuple):
    """A draw or a dispatch; ``method`` is the pipe's name for it, ``draws`` how many of them follow each other."""

    call: int
    context: int
    method: str
    draws: int = 1


class OtherCall(NamedTuple):
    """A call of a method that the reader was asked for: its arguments by name, and what it returned."""

    call: int
    method: str
    arguments: dict[str, Member]
    result: Member


Event: TypeAlias = CreateSampler | BindSamplers | DeleteSampler | Draw

_DRAWS: Final = frozenset({"draw_vbo", "draw_vertex_state", "draw_mesh_tasks", "launch_grid"})
#: Member of before Mesa 22.2 -> today's, which says the opposite.
_OPPOSITE: Final = {one.removeprefix("un"): one for layout in LAYOUTS.values() for one in layout.inverted}
_SAMPLERS: Final = frozenset({"create_sampler_state", "bind_sampler_states", "delete_sampler_state"})

#: PIPE_MAX_SAMPLERS.
_SLOTS: Final = 32
_BEGIN: Final = b"<call "
_END: Final = b"</call>"
_CHUNK: Final = 1 << 18
_HEAD: Final = re.compile(rb"<call no=['\"](\d+)['\"][^>]*? method=['\"](\w+)['\"]")
_CONTEXT: Final = re.compile(rb"<arg name=['\"](?:pipe|context)['\"]>\s*<ptr>(0x[0-9a-fA-F]+)</ptr>")
#: What no XML text may hold: control characters, as they are or as references, and ampersands that begin nothing.
_CONTROL: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&#(?:x0*(?:[0-8bcBC]|1[0-9a-fA-F])|0*(?:[0-8]|1[124-9]|2[0-9]|3[01]));"
)
_AMPERSAND: Final = re.compile(r"&(?!#\d+;|#x[0-9a-fA-F]+;|(?:amp|lt|gt|apos|quot);)")


class GalliumTrace(RecordingFile):
    """A trace that is open. Iterate over it for events and `Problem` items, once.

    Args:
        path: What messages call it.
        stream: Its bytes, unpacked.
        also: Methods whose calls are given as `OtherCall`.

    Attributes:
        complete: Whether the end of the trace was seen; False where the program died, and before the end is reached.
    """

    def __init__(self, path: str | Path, stream: IO[bytes], *, also: frozenset[str] = frozenset()) -> None:
        super().__init__(path, stream)
        self.complete = False
        self._also = also
        self._buffer = bytearray()
        self._line = 1

    def __iter__(self) -> Iterator[Event | Problem]:
        """Every sampler event and draw in order, and a `Problem` for every call that cannot be read."""
        return (event for event in self.every() if not isinstance(event, OtherCall))

    def every(self) -> Iterator[Event | OtherCall | Problem]:
        """Yield the same, and the calls of the methods that were asked for."""
        try:
            for call in self._calls():
                head = _head(call)
                if head is None:
                    yield self._problem("a call without number or method", None)
                    continue
                number, method = head
                if not call.endswith(_END):
                    yield self._problem(f"{method} is cut short", number)
                elif method in _DRAWS or method in _SAMPLERS or method in self._also:
                    yield self._event(number, method, call)
        except RecordingError as error:
            yield Problem(error)

    def _event(self, number: int, method: str, call: bytes) -> Event | OtherCall | Problem:
        try:
            return Draw(number, _context(call), method) if method in _DRAWS else _read(number, method, call)
        except (ET.ParseError, LookupError, RecursionError, TypeError, ValueError) as error:
            return self._problem(f"{method} cannot be read ({type(error).__name__}: {error})", number)

    def _calls(self) -> Iterator[bytes]:
        """Yield the text of each call; raises `RecordingError` for one that is cut, after the last whole one."""
        buffer, searched = self._buffer, 0
        while True:
            end = buffer.find(_END, searched)
            if end < 0:
                searched = max(0, len(buffer) - len(_END))
                if len(buffer) > self._longest:
                    raise too_long(self.path, self._line, "a call", self._longest)
                if not (chunk := self._chunk()):
                    break
                buffer += chunk
                continue
            # Of several beginnings before an end, all but the last are calls that were cut.
            end += len(_END)
            begin = max(buffer.find(_BEGIN, 0, end), 0)
            self._line += buffer.count(b"\n", 0, begin)
            while (following := buffer.find(_BEGIN, begin + 1, end)) >= 0:
                yield bytes(buffer[begin:following])
                self._line += buffer.count(b"\n", begin, following)
                begin = following
            yield bytes(buffer[begin:end])
            self._line += buffer.count(b"\n", begin, end)
            del buffer[:end]
            searched = 0
        self._finish()

    def _chunk(self) -> bytes:
        try:
            return self._stream.read(_CHUNK)
        except DAMAGE as error:
            raise cut_short(self.path, self._line, error) from None

    def _finish(self) -> None:
        self.complete = b"</trace>" in self._buffer
        begin = self._buffer.find(_BEGIN)
        if begin < 0:
            return
        self._line += self._buffer.count(b"\n", 0, begin)
        head = _head(bytes(self._buffer[begin:]))
        where = f"call {head[0]} ({head[1]})" if head else "a call"
        raise RecordingError(self.path, self._line, f"the trace ends inside {where}")


class StatesFile(RecordingFile):
    """The same events as JSON lines, after a header line. Iterate over it for events and `Problem` items, once.

    ``{"event": "create", "call": 5, "pipe": 0, "handle": "0xa0", "state": {...}}``, with ``"bind"`` (``stage``,
    ``start``, ``handles``), ``"delete"`` (``handle``) and ``"draw"`` (``count``) beside it.

    Args:
        path: What messages call it.
        stream: Its bytes, unpacked.

    Raises:
        RecordingError: There is no header.
    """

    def __init__(self, path: str | Path, stream: IO[bytes]) -> None:
        super().__init__(path, stream)
        try:
            header = json.loads(self._first_line())
        except (ValueError, RecursionError) as error:
            raise RecordingError(self.path, 1, f"the first line is no header ({error})") from None
        if not isinstance(header, dict) or "event" in header:
            raise RecordingError(self.path, 1, "the first line is no header")
        self.header: dict[str, object] = header

    def __iter__(self) -> Iterator[Event | Problem]:
        """Every event in order, and a `Problem` for every line that is none."""
        while line := self._next_line():
            if not line.strip():
                continue
            try:
                yield _recorded_event(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
                yield self._problem(f"no event ({type(error).__name__}: {error})", None)
        yield from self._damage


def _recorded_event(data: dict[str, Any]) -> Event:
    call, context = integer(data.get("call", 0)), integer(data.get("pipe", 0))
    match data["event"]:
        case "create":
            return CreateSampler(call, context, integer(data["handle"], 16), dict(data["state"]))
        case "bind":
            handles = tuple(None if h is None else integer(h, 16) for h in data["handles"])
            return BindSamplers(call, context, str(data["stage"]), first_slot(data["start"], len(handles)), handles)
        case "delete":
            return DeleteSampler(call, context, integer(data["handle"], 16))
        case "draw":
            return Draw(call, context, "draw_vbo", integer(data.get("count", 1)))
    raise ValueError(f"event {data['event']!r} is not known")


def first_slot(text: str | bytes | int, count: int) -> int:
    """Read the slot that a bind of so many begins at; raises `ArgumentError` where it passes the last slot."""
    if count > _SLOTS:
        raise ArgumentError("handles", count, accepted=f"at most {_SLOTS} of a bind")
    return integer(text, field="first slot", most=_SLOTS - max(count, 1))


def _head(call: bytes) -> tuple[int, str] | None:
    """Return the number and the method of a call; None without them, or with a number that no trace has."""
    match = _HEAD.match(call)
    try:
        return None if match is None else (integer(match[1]), match[2].decode())
    except ArgumentError:
        return None


def _context(call: bytes) -> int:
    match = _CONTEXT.search(call)
    return integer(match[1], 16) if match else 0


def _read(number: int, method: str, call: bytes) -> Event | OtherCall:
    text = _AMPERSAND.sub("&amp;", _CONTROL.sub("?", call.decode("utf-8", "replace")))
    element = ET.fromstring(text)  # noqa: S314 (a cut-out <call> has no document type, so no entities to expand)
    args = {str(arg.get("name")): _member(arg[0]) for arg in element.iter("arg") if len(arg)}
    result = element.find("ret/*")
    if method not in _SAMPLERS:
        return OtherCall(number, method, args, None if result is None else _member(result))
    context = pointer(args.get("pipe", args.get("context")))
    if method == "create_sampler_state":
        state = args["state"]
        if result is None or not isinstance(state, dict):
            raise ValueError("it has no state, or the driver's answer is missing")
        return CreateSampler(number, context, pointer(_member(result)), _of_today(state))
    if method == "delete_sampler_state":
        return DeleteSampler(number, context, pointer(args["state"]))
    handles = pointers(args["states"])
    start = first_slot(str(args["start"]), len(handles))
    return BindSamplers(number, context, _stage(args["shader"]), start, handles)


def _of_today(state: dict[str, Member]) -> dict[str, Member]:
    """Name the members as Mesa 22.2 and later do: before it, ``normalized_coords`` said the opposite."""
    return {_OPPOSITE.get(name, name): not value if name in _OPPOSITE else value for name, value in state.items()}


def _stage(shader: Member) -> str:
    """``MESA_SHADER_FRAGMENT``, ``PIPE_SHADER_FRAGMENT``; or a number, as Mesa 21 prints it."""
    if isinstance(shader, int):
        return OLDER_STAGES[shader]
    return STAGE_WORDS[str(shader).partition("_SHADER_")[2]]


def pointers(array: Member) -> tuple[int | None, ...]:
    """Return the pointers of an array, None for null; none for anything else."""
    return tuple(None if one is None else pointer(one) for one in array) if isinstance(array, list) else ()


def pointer(member: Member) -> int:
    """Return a pointer's number, 0 for null; raises `TypeError` for anything else."""
    if member is None:
        return 0
    if not isinstance(member, int):
        raise TypeError(f"{member!r} is no pointer")
    return member


def _member(element: ET.Element) -> Member:  # noqa: PLR0911 (one line a tag)
    text = element.text or ""
    match element.tag:
        case "int" | "uint":
            return integer(text)
        case "ptr":
            return integer(text, 16)
        case "bool":
            return text == "1" or text.lower() == "true"
        case "null":
            return None
        case "array":
            return [_member(elem[0]) for elem in element if len(elem)]
        case "struct":
            return {str(member.get("name")): _member(member[0]) for member in element if len(member)}
    return text


def open_gallium_trace(path: str | Path) -> GalliumTrace:
    """Open a trace, gzip by its magic number; raises `RecordingError`."""
    return opened(path, GalliumTrace)


def open_states(path: str | Path) -> StatesFile:
    """Open a file of events as JSON lines, gzip by its magic number; raises `RecordingError`."""
    return opened(path, StatesFile)
