"""Rows as Arrow tables and Parquet files, and back. Needs the extra ``arrow`` (pyarrow); a call without it says so.

A column is a member; a border colour is a list of four words. The table's metadata names the kind of its rows.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.batch.rows import CREATE_INFO, LOWERING, RECORD, SAMPLER, STATE, VALUES, np
from statetracker.errors import ArgumentError, FileError, MissingExtra
from statetracker.files import written_whole

if TYPE_CHECKING:
    from statetracker.batch.rows import Array

#: What the metadata calls rows -> their type.
KINDS: Final = {
    "sampler": SAMPLER,
    "record": RECORD,
    "state": STATE,
    "create-info": CREATE_INFO,
    "lowering": LOWERING,
    "lowering-values": VALUES,
}
_NAME: Final = b"statetracker.rows"


def _pyarrow() -> Any:  # noqa: ANN401 (pyarrow has no types)
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("statetracker.batch.arrow", "pyarrow", "arrow") from error
    return pyarrow


def to_arrow(rows: Array) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return rows of a type of `KINDS` as a ``pyarrow.Table``.

    Raises `ArgumentError` for others, `MissingExtra` where pyarrow is not installed.
    """
    kind = next((name for name, dtype in KINDS.items() if dtype == rows.dtype), None)
    if kind is None or rows.ndim != 1:
        raise ArgumentError("rows", rows.dtype, accepted=f"one dimension of {', '.join(KINDS)} rows")
    columns = {name: _to_column(np.ascontiguousarray(rows[name])) for name in rows.dtype.names or ()}
    return _pyarrow().table(columns).replace_schema_metadata({_NAME: kind})


def from_arrow(table: Any) -> Array:  # noqa: ANN401 (pyarrow has no types)
    """Return a table of `to_arrow` as the rows it was made of, bit for bit.

    Args:
        table: A ``pyarrow.Table``.

    Raises:
        ArgumentError: It has other metadata, lacks columns, or has columns twice, of other types or with nulls.
        MissingExtra: pyarrow is not installed.
    """
    kind = (table.schema.metadata or {}).get(_NAME, b"").decode(errors="replace")
    if kind not in KINDS:
        raise ArgumentError("table", kind or "no kind", accepted=f"a table of to_arrow: {', '.join(KINDS)}")
    rows = np.zeros(table.num_rows, KINDS[kind])
    for name in rows.dtype.names or ():
        wanted = _to_column(np.ascontiguousarray(rows[name][:0])).type
        columns = [table.column(at) for at in table.schema.get_all_field_indices(name)]
        flat = columns[0].combine_chunks() if len(columns) == 1 and columns[0].type == wanted else None
        if flat is not None and rows[name].ndim > 1 and not flat.null_count:
            flat = flat.flatten()
        if flat is None or flat.null_count:
            actual = " and ".join(f"{one.type}" for one in columns) or "missing"
            nulls = "" if flat is None else f", {flat.null_count} nulls"
            raise ArgumentError(name, f"{actual}{nulls}", accepted=f"a column of {wanted} without nulls")
        rows[name] = flat.to_numpy(zero_copy_only=False).reshape(rows[name].shape)
    return rows


def _to_column(values: Array) -> Any:  # noqa: ANN401 (pyarrow has no types)
    pa = _pyarrow()
    if values.ndim == 1:
        return pa.array(values, pa.string()) if values.dtype.kind == "U" else pa.array(values)
    return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])


def write_parquet(path: str | Path, rows: Array) -> None:
    """Write rows of a type of `KINDS` to a Parquet file at a path; raises as `to_arrow` does, and `OSError`.

    A file that is there already stays as it is until the new one is whole.
    """
    table = to_arrow(rows)
    if not isinstance(path, str | Path) or "://" in str(path):  # a stream, or a place of pyarrow's
        _pyarrow().parquet.write_table(table, path)
        return
    with written_whole(path) as stream:  # given a path, pyarrow removes what it could not write, devices too
        _pyarrow().parquet.write_table(table, stream)


def read_parquet(path: str | Path) -> Array:
    """Read what `write_parquet` wrote at a path.

    Args:
        path: Of the file.

    Raises:
        ArgumentError: Another table, as for `from_arrow`.
        MissingExtra: pyarrow is not installed.
        FileError: It is no Parquet file.
        OSError: It cannot be read.
    """
    pa = _pyarrow()
    try:
        return from_arrow(pa.parquet.read_table(path))
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise FileError(str(path), None, f"no Parquet file: {error}") from error
