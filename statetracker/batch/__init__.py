"""Columns: many samplers, records and create infos at once, as NumPy arrays; also ``st.batch``. See docs/batch.md.

`records` converts rows of samplers, each different, as a property test has them. A `Table` is for what programs do: it
keeps each distinct sampler, texture and pair once, and a bind is a number. `statetracker.batch.arrow` reads and writes
Arrow and Parquet. Names are loaded on first use and need the extra ``batch`` (NumPy); `MissingExtra` says so.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.batch.arrow import from_arrow, read_parquet, to_arrow, write_parquet
    from statetracker.batch.conversion import Prepared, prepare, quantize_lod_biases, records
    from statetracker.batch.rows import (
        CREATE_INFO,
        LOWERING,
        RECORD,
        SAMPLER,
        STATE,
        VALUES,
        gather,
        record_rows,
        sampler_rows,
        samplers_of,
        state_rows,
    )
    from statetracker.batch.table import Table

__all__ = [
    "CREATE_INFO",
    "LOWERING",
    "RECORD",
    "SAMPLER",
    "STATE",
    "VALUES",
    "Prepared",
    "Table",
    "from_arrow",
    "gather",
    "prepare",
    "quantize_lod_biases",
    "read_parquet",
    "record_rows",
    "records",
    "sampler_rows",
    "samplers_of",
    "state_rows",
    "to_arrow",
    "write_parquet",
]

_MODULES = {
    "arrow": ("from_arrow", "read_parquet", "to_arrow", "write_parquet"),
    "conversion": ("Prepared", "prepare", "quantize_lod_biases", "records"),
    "rows": (
        *("CREATE_INFO", "LOWERING", "RECORD", "SAMPLER", "STATE", "VALUES"),
        *("gather", "record_rows", "sampler_rows", "samplers_of", "state_rows"),
    ),
    "table": ("Table",),
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
