"""What a file is, by its content: recorded cases, a dump, a Mesa trace in XML or as JSON lines, a run of the loop.

See docs/traces.md.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final, Literal, TypeAlias

from statetracker.trace.recording_file import open_recording
from statetracker.unpacking import DAMAGE

if TYPE_CHECKING:
    from pathlib import Path

Kind: TypeAlias = Literal["cases", "dump", "xml", "states", "run"]

_PROBE: Final = 1 << 16
_CALL: Final = re.compile(rb"^\d+ (?:@\w+ )?[A-Za-z_]\w*\(", re.MULTILINE)
_RUN: Final = re.compile(rb'\s*(?:\["create",|\{"statetracker": ?"run")')
_XML: Final = re.compile(rb"\s*(?:<\?xml|<trace|<call|<!)")


def kind_of(path: str | Path) -> Kind:
    """Give the kind of a file at a path. What is of none is taken for recorded cases: their reader says what is wrong.

    An empty file, also a packed one that breaks off before its first byte, counts as a dump without a call.
    Raises `RecordingError` for a file that cannot be opened.
    """
    with open_recording(path, again=True) as stream:
        start = _start(stream)
    if not start:
        return "dump"
    if _XML.match(start):
        return "xml"
    if _RUN.match(start):
        return "run"
    if start.lstrip().startswith(b"{"):
        return "states" if _is_states(start) else "cases"
    return "dump" if _CALL.search(start) or start.startswith(b"//") else "cases"


def _start(stream: IO[bytes]) -> bytes:
    """The first bytes of a file; read piece by piece, so that the part before damage is kept."""
    start = b""
    with suppress(*DAMAGE):
        while len(start) < _PROBE and (more := stream.read1(_PROBE)):  # type: ignore[attr-defined]  # both kinds do
            start += more
    return start[:_PROBE]


def _is_states(start: bytes) -> bool:
    """Whether the first lines are a header and an event of Mesa's trace as JSON lines."""
    lines = start.splitlines()
    try:
        head = json.loads(lines[0])
        if "program" in head and "packages" in head:
            return True
        return len(lines) > 1 and "event" in json.loads(lines[1]) and "caps" not in head
    except (ValueError, TypeError, RecursionError):
        return False
