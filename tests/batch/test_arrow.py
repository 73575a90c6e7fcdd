"""`statetracker.batch.arrow`: rows survive Arrow and Parquet bit for bit, and other tables are refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import statetracker as st
from statetracker import batch
from statetracker.errors import ArgumentError, FileError
from tests.batch.random_rows import random_rows

LIVE = pytest.mark.live("pyarrow")


def every_kind() -> list[Any]:
    table = batch.Table(st.Screen.device("Adreno (TM) 640"))
    samplers = random_rows(np.random.default_rng(3), 30)
    textures = table.textures([st.Texture(internal_format=name) for name in ("R8", "DEPTH_COMPONENT16")])
    table.pairs(table.samplers(samplers)[:, None], textures)
    rows = [samplers, table.records, batch.state_rows(table.records)]
    return [*rows, table.create_infos, table.lowerings, table.lowering_values]


@LIVE
def test_every_kind_of_rows_comes_back_bit_for_bit(tmp_path: Path) -> None:
    for rows in every_kind():
        batch.write_parquet(tmp_path / "rows.parquet", rows)
        back = batch.read_parquet(tmp_path / "rows.parquet")
        assert back.dtype == rows.dtype
        assert [back[name].tobytes() for name in rows.dtype.names] == [
            rows[name].tobytes() for name in rows.dtype.names
        ]


@LIVE
def test_no_rows_and_pieces_of_tables_come_back_too() -> None:
    import pyarrow as pa

    rows = random_rows(np.random.default_rng(4), 5)
    assert len(batch.from_arrow(batch.to_arrow(rows[:0]))) == 0
    parts = pa.concat_tables([batch.to_arrow(rows[:2]), batch.to_arrow(rows[2:])])
    for back, wanted in ((batch.from_arrow(parts), rows), (batch.from_arrow(parts.slice(1, 3)), rows[1:4])):
        assert all(back[name].tobytes() == wanted[name].tobytes() for name in batch.SAMPLER.names or ())


@LIVE
def test_columns_have_the_members_names() -> None:
    table = batch.to_arrow(batch.sampler_rows([st.Sampler(wrap_s="clamp", border_color_bits=(1, 2, 3, 4))]))
    assert table.column("wrap_s").to_pylist() == [0x2900]
    assert table.column("border_color").to_pylist() == [[1, 2, 3, 4]]


@LIVE
def test_tables_that_are_not_ours_are_refused() -> None:
    import pyarrow as pa

    ours = batch.to_arrow(batch.sampler_rows([st.Sampler()]))
    with pytest.raises(ArgumentError, match="no kind"):
        batch.from_arrow(pa.table({"a": [1]}))
    with pytest.raises(ArgumentError, match="max_lod='missing'"):
        batch.from_arrow(ours.drop_columns("max_lod"))
    place = ours.column_names.index("max_lod")
    for column in (pa.array([1]), pa.array([None], pa.float32())):
        with pytest.raises(ArgumentError, match="float without nulls"):
            batch.from_arrow(ours.set_column(place, "max_lod", column))
    with pytest.raises(ArgumentError, match="max_lod='float and float' cannot be used"):
        batch.from_arrow(ours.append_column("max_lod", ours.column(place)))
    colours = pa.FixedSizeListArray.from_arrays(pa.array([1, None, 3, 4], pa.uint32()), 4)
    with pytest.raises(ArgumentError, match="1 nulls' cannot be used"):
        batch.from_arrow(ours.set_column(ours.column_names.index("border_color"), "border_color", colours))
    with pytest.raises(ArgumentError, match="a table of to_arrow"):
        batch.from_arrow(ours.replace_schema_metadata({b"statetracker.rows": b"\xff"}))
    with pytest.raises(ArgumentError, match="rows"):
        batch.to_arrow(np.zeros(3))


@LIVE
def test_a_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no table", encoding="utf-8")
    with pytest.raises(FileError, match="text"):
        batch.read_parquet(tmp_path / "text")


FULL = """
import resource, sys
from statetracker import batch
rows = batch.sampler_rows([])
batch.write_parquet(sys.argv[1], rows)
before = open(sys.argv[1], "rb").read()
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    batch.write_parquet(sys.argv[1], rows)
except OSError as error:
    print(error.strerror, open(sys.argv[1], "rb").read() == before)
"""


@LIVE
def test_what_cannot_be_written_whole_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL, str(tmp_path / "rows.parquet")]
    ran = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    assert ran.stdout == "File too large True\n"
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"]


def test_without_pyarrow_the_error_names_it() -> None:
    call = "from statetracker import batch; batch.to_arrow(batch.sampler_rows([]))"
    program = f"import sys; sys.modules['pyarrow'] = None; {call}"
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert "pip install pyarrow" in ran.stderr
