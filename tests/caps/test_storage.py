"""`statetracker.caps.storage`: what a driver stores a GL internal format as."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from statetracker.caps import storage
from statetracker.caps.storage import TABLES, storage_format
from statetracker.errors import ArgumentError
from statetracker.gl.formats import InternalFormat, internal_format_named, internal_formats
from statetracker.pipe.formats import pipe_format

CELLS = [(fmt, pipe_format(storage_format(table, fmt))) for table in TABLES for fmt in internal_formats()]


def test_every_internal_format_is_stored_as_a_pipe_format() -> None:
    """No internal format is without a row, and no cell holds an unknown format or NONE."""
    assert all(stored.number > 0 for _, stored in CELLS)


def test_storage_is_integer_where_the_internal_format_is() -> None:
    """A driver may widen a format or rename its channels, but it keeps the kind of numbers."""
    assert [fmt.name for fmt, stored in CELLS if stored.is_pure_integer != fmt.is_integer] == []


def test_storage_decodes_srgb_where_the_internal_format_is_srgb() -> None:
    assert [fmt.name for fmt, stored in CELLS if stored.is_srgb != (fmt.kind == "srgb")] == []


def test_storage_has_depth_where_the_internal_format_has() -> None:
    """Depth is stored with depth, colours and stencil without."""
    assert [fmt.name for fmt, stored in CELLS if stored.has_depth != (fmt.kind in ("depth", "ds"))] == []


def test_storage_has_stencil_where_the_internal_format_has() -> None:
    """Stencil is stored with stencil, colours and depth without."""
    assert [fmt.name for fmt, stored in CELLS if stored.has_stencil != (fmt.kind in ("stencil", "ds"))] == []


def test_an_unknown_table_is_refused() -> None:
    """The error lists the tables that exist."""
    with pytest.raises(ArgumentError, match="llvmpipe, softpipe, zink"):
        storage_format("radeonsi", internal_format_named("RGBA8"))


def test_a_format_without_row_is_refused() -> None:
    """A format that GL does not know is not guessed at."""
    made_up = InternalFormat("RGBA9", "0x1234", "RGBA", "unorm", "yes", "no", "")
    with pytest.raises(ArgumentError, match="internal_format"):
        storage_format("zink", made_up)


def test_the_file_has_no_row_twice_and_says_how_each_was_seen() -> None:
    """One row an internal format, each recorded, probed or derived."""
    lines = Path(storage.__file__).with_name("storage_formats.csv").read_text("ascii").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert [row["internal_format"] for row in rows] == [fmt.name for fmt in internal_formats()]
    assert {row["seen"] for row in rows} == {"recorded", "probed", "derived"}


# fmt: off
EXAMPLES = [
    # internal format         llvmpipe                  softpipe                  zink
    ("ALPHA",                 "A8_UNORM",               "A8_UNORM",               "A8_UNORM"),
    ("ALPHA8",                "A8_UNORM",               "A8_UNORM",               "R8G8B8A8_UNORM"),
    ("ALPHA16F_ARB",          "A16_FLOAT",              "A16_FLOAT",              "R16G16B16A16_FLOAT"),
    ("ALPHA32I_EXT",          "A32_SINT",               "A32_SINT",               "A32_SINT"),
    ("LUMINANCE_ALPHA16F_ARB", "L16A16_FLOAT",          "L16A16_FLOAT",           "R16G16B16A16_FLOAT"),
    ("LUMINANCE8_ALPHA8",     "L8A8_UNORM",             "L8A8_UNORM",             "L8A8_UNORM"),
    ("LUMINANCE4_ALPHA4",     "L4A4_UNORM",             "L4A4_UNORM",             "L8A8_UNORM"),
    ("RGB32F",                "R32G32B32_FLOAT",        "R32G32B32X32_FLOAT",     "R32G32B32X32_FLOAT"),
    ("DEPTH_COMPONENT32",     "Z32_UNORM",              "Z32_UNORM",              "Z24X8_UNORM"),
    ("DEPTH24_STENCIL8",      "Z24_UNORM_S8_UINT",      "Z24_UNORM_S8_UINT",      "Z24_UNORM_S8_UINT"),
    ("COMPRESSED_SRGB8_ETC2", "B8G8R8A8_SRGB",          "B8G8R8A8_SRGB",          "B8G8R8A8_SRGB"),
    ("RGB10",                 "R10G10B10X2_UNORM",      "R10G10B10X2_UNORM",      "R10G10B10A2_UNORM"),
]
# fmt: on


@pytest.mark.parametrize(("name", "llvmpipe", "softpipe", "zink"), EXAMPLES)
def test_recorded_choices(name: str, llvmpipe: str, softpipe: str, zink: str) -> None:
    """Drivers differ in what they keep natively."""
    fmt = internal_format_named(name)
    assert [storage_format(table, fmt) for table in TABLES[:3]] == [llvmpipe, softpipe, zink]
