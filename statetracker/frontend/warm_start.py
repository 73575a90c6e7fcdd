"""The states of a run in a small file, created before the first frame of the next.

A header, then the records in hex, one a line. The header has a digest of the screen, so that records for another one
are refused, and one of the records, so that damage is noticed.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import FileError
from statetracker.files import write_whole
from statetracker.pipe.layout import RECORD_BYTES

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.cso import CsoContext
    from statetracker.sampler import Dialect

#: Of the form of the file.
VERSION: Final = 1
#: The most bytes of a file: 200,000 states.
_MOST: Final = 16 << 20
_KIND: Final = "states"


def save(path: str | Path, cso: CsoContext[Any], screen: Screen, dialect: Dialect) -> int:
    """Write what is live; see `StateTracker.save_states`."""
    records = cso.cache.live_keys()
    body = "".join(f"{record.hex()}\n" for record in records)
    head = json.dumps({"statetracker": _KIND, "version": VERSION, **_of(screen, dialect), "digest": _digest(body)})
    try:
        write_whole(path, f"{head}\n{body}".encode())
    except OSError as error:
        raise FileError(str(path), None, f"cannot be written: {error.strerror or error}") from None
    return len(records)


def preload(path: str | Path, cso: CsoContext[Any], screen: Screen, dialect: Dialect) -> int:
    """Create what a file has; see `StateTracker.preload`."""
    records = _read(str(path), _of(screen, dialect))
    before = cso.statistics().creates
    for record in records[-cso.max_size :]:
        cso.sampler_state(record)
    return cso.statistics().creates - before


def _of(screen: Screen, dialect: Dialect) -> dict[str, object]:
    """What records are for; of a screen its name, and a digest of all that it can do."""
    able = _digest(json.dumps(screen.to_json(), sort_keys=True))[:16]
    return {"dialect": dialect.name, "screen": f"{screen.name} {able}"}


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _read(path: str, wanted: dict[str, object]) -> list[bytes]:
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST + 1)
    except OSError as error:
        raise FileError(path, None, f"cannot be read: {error.strerror or error}") from None
    if len(data) > _MOST:
        raise FileError(path, None, f"more than {_MOST >> 20} MiB: no file of states")
    first, _, body = data.decode("latin-1").partition("\n")
    try:
        head = json.loads(first)
        known = head["statetracker"] == _KIND and isinstance(head["version"], int)
    except (ValueError, KeyError, TypeError, RecursionError):
        known = False
    if not known:
        raise FileError(path, 1, "no file of states", hint="tracker.save_states(path) writes one")
    if head["version"] != VERSION:
        raise FileError(path, 1, f"version {head['version']} of the form; this is for version {VERSION}")
    for name, value in wanted.items():
        if head.get(name) != value:
            raise FileError(path, 1, f"its states are for the {name} {head.get(name)!r}, not {value!r}"[:300])
    if head.get("digest") != _digest(body):
        raise FileError(path, None, "damaged: its records are not those that were written")
    return [_record(path, at, line) for at, line in enumerate(body.splitlines(), 2)]


def _record(path: str, line: int, text: str) -> bytes:
    try:
        record = bytes.fromhex(text)
    except ValueError:
        record = b""
    if len(record) != RECORD_BYTES:
        raise FileError(path, line, f"no record of {RECORD_BYTES} bytes in hex")
    return record
