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
from statetracker.files import file_errors, write_whole
from statetracker.pipe.layout import RECORD_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps import Screen
    from statetracker.cso import CsoContext
    from statetracker.sampler import Dialect

#: Of the form of the file.
VERSION: Final = 1
_KIND: Final = "states"
#: Kind -> the most bytes of a file: of states 200,000.
_MOST: Final = {_KIND: 16 << 20, "samplers and modules": 256 << 20}
_WRITERS: Final = {
    _KIND: "tracker.save_states(path) writes one",
    "samplers and modules": "renderer.save(path) writes one",
}


def save(path: str | Path, cso: CsoContext[Any], screen: Screen, dialect: Dialect) -> int:
    """Write what is live; see `StateTracker.save_states`."""
    records = cso.cache.live_keys()
    write_lines(path, _KIND, made_for(screen, dialect), [record.hex() for record in records])
    return len(records)


def preload(path: str | Path, cso: CsoContext[Any], screen: Screen, dialect: Dialect) -> int:
    """Create what a file has; see `StateTracker.preload`."""
    lines = read_lines(path, _KIND, made_for(screen, dialect))
    return create([record_of(path, at, line) for at, line in enumerate(lines, 2)], cso)


def create(records: Sequence[bytes], cso: CsoContext[Any]) -> int:
    """Create states, of more than the budget the last ones; returns how many there were not before."""
    before = cso.statistics().creates
    for record in records[-cso.max_size :]:
        cso.sampler_state(record)
    return cso.statistics().creates - before


def made_for(screen: Screen, dialect: Dialect) -> dict[str, object]:
    """Return what records are for; of a screen its name, and a digest of all that it can do."""
    able = _digest(json.dumps(screen.to_json(), sort_keys=True))[:16]
    return {"dialect": dialect.name, "screen": f"{screen.name} {able}"}


def write_lines(path: str | Path, kind: str, made_for: dict[str, object], lines: Sequence[str]) -> None:
    """Write a file of a kind; raises `FileError` where it cannot be written."""
    body = "".join(f"{line}\n" for line in lines)
    head = json.dumps({"statetracker": kind, "version": VERSION, **made_for, "digest": _digest(body)})
    with file_errors(path, "written"):
        write_whole(path, f"{head}\n{body}".encode())


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def read_lines(path: str | Path, kind: str, wanted: dict[str, object]) -> list[str]:
    """Read the lines of a file of a kind; raises `FileError` for another, for what was made for others, for damage."""
    path = str(path)
    with file_errors(path, "read"), Path(path).open("rb") as file:
        data = file.read(_MOST[kind] + 1)
    if len(data) > _MOST[kind]:
        raise FileError(path, None, f"more than {_MOST[kind] >> 20} MiB: no file of {kind}")
    first, _, body = data.decode("latin-1").partition("\n")
    try:
        head = json.loads(first)
        known = head["statetracker"] == kind and isinstance(head["version"], int)
    except (ValueError, KeyError, TypeError, RecursionError):
        known = False
    if not known:
        raise FileError(path, 1, f"no file of {kind}", hint=_WRITERS[kind])
    if head["version"] != VERSION:
        raise FileError(path, 1, f"version {head['version']} of the form; this is for version {VERSION}")
    for name, value in wanted.items():
        if head.get(name) != value:
            raise FileError(path, 1, f"its {kind} are for the {name} {head.get(name)!r}, not {value!r}"[:300])
    if head.get("digest") != _digest(body):
        raise FileError(path, None, "damaged: its records are not those that were written")
    return body.splitlines()


def record_of(path: str | Path, line: int, text: str) -> bytes:
    """One record of such a file; raises `FileError` for anything else."""
    try:
        record = bytes.fromhex(text)
    except ValueError:
        record = b""
    if len(record) != RECORD_BYTES:
        raise FileError(str(path), line, f"no record of {RECORD_BYTES} bytes in hex")
    return record
