"""Formats that a driver stores GL internal formats as: one table a driver, in ``storage_formats.csv``.

The border colour's quirks look at what is *stored*. The choice follows from the driver and the internal format alone;
WebGPU's is zink's. The table has desktop GL, for the texel types that the drivers' tests use: an unsized format depends
on that type, too. Source: docs/textures.md (Mesa 22.3.6, recorded live; zink over lavapipe).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from statetracker.gl.formats import InternalFormat

#: The drivers that have a table, in the order of its columns.
TABLES: Final = ("llvmpipe", "softpipe", "zink", "webgpu")

#: Formats of zink's that WebGPU has not -> the least that holds their texels.
_ON_WEBGPU: Final = {
    "B4G4R4A4_UNORM": "R8G8B8A8_UNORM",
    "B5G5R5A1_UNORM": "R8G8B8A8_UNORM",
    "B5G6R5_UNORM": "R8G8B8X8_UNORM",
    "R8_SRGB": "R8G8B8X8_SRGB",
    "R8G8_SRGB": "R8G8B8X8_SRGB",
}

_TABLES: Final[dict[str, dict[str, str]]] = {}


def storage_format(table: str, internal_format: InternalFormat) -> str:
    """Name the pipe format, without prefix, in which a driver, one of `TABLES`, keeps an internal format of GL's.

    Raises `ArgumentError` for a table or a format that is not there.
    """
    if not _TABLES:
        _load()
    try:
        return _TABLES[table][internal_format.name]
    except KeyError:
        pass
    if table not in _TABLES:
        raise ArgumentError("table", table, accepted=", ".join(TABLES))
    raise ArgumentError("internal_format", internal_format, accepted="an internal format of textures")


def _load() -> None:
    from pathlib import Path

    from statetracker.files import csv_rows

    rows = csv_rows(Path(__file__).with_name("storage_formats.csv"))
    for table in TABLES[:-1]:
        _TABLES[table] = {row["internal_format"]: row[table] for row in rows}
    _TABLES["webgpu"] = {name: _on_webgpu(stored) for name, stored in _TABLES["zink"].items()}


def _on_webgpu(stored: str) -> str:
    """WebGPU has no normalised 16 bits without a feature: 32-bit floats hold them."""
    if stored.endswith(("16_UNORM", "16_SNORM")) and not stored.startswith("Z"):
        return stored.rpartition("_")[0].replace("16", "32") + "_FLOAT"
    return _ON_WEBGPU.get(stored, stored)
