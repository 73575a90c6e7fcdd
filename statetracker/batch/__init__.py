"""Columns: many samplers, records and create infos at once, as NumPy arrays; also ``st.batch``. See docs/batch.md.

`records` converts rows of samplers, each different, as a property test has them. A `Table` is for what programs do: it
keeps each distinct sampler, texture and pair once, and a bind is a number. `statetracker.batch.arrow` reads and writes
Arrow and Parquet. Names are loaded on first use and need the extra ``batch`` (NumPy); `MissingExtra` says so.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.batch.arrow import from_arrow as from_arrow
    from statetracker.batch.arrow import read_parquet as read_parquet
    from statetracker.batch.arrow import to_arrow as to_arrow
    from statetracker.batch.arrow import write_parquet as write_parquet
    from statetracker.batch.conversion import Prepared as Prepared
    from statetracker.batch.conversion import prepare as prepare
    from statetracker.batch.conversion import quantize_lod_biases as quantize_lod_biases
    from statetracker.batch.conversion import records as records
    from statetracker.batch.rows import CREATE_INFO as CREATE_INFO
    from statetracker.batch.rows import LOWERING as LOWERING
    from statetracker.batch.rows import RECORD as RECORD
    from statetracker.batch.rows import SAMPLER as SAMPLER
    from statetracker.batch.rows import STATE as STATE
    from statetracker.batch.rows import VALUES as VALUES
    from statetracker.batch.rows import gather as gather
    from statetracker.batch.rows import record_rows as record_rows
    from statetracker.batch.rows import sampler_rows as sampler_rows
    from statetracker.batch.rows import samplers_of as samplers_of
    from statetracker.batch.rows import state_rows as state_rows
    from statetracker.batch.table import Table as Table

_MODULES = {
    "arrow": ("from_arrow", "read_parquet", "to_arrow", "write_parquet"),
    "conversion": ("Prepared", "prepare", "quantize_lod_biases", "records"),
    "rows": (
        *("CREATE_INFO", "LOWERING", "RECORD", "SAMPLER", "STATE", "VALUES"),
        *("gather", "record_rows", "sampler_rows", "samplers_of", "state_rows"),
    ),
    "table": ("Table",),
}

__getattr__, __dir__, __all__ = on_first_use(__name__, _MODULES)
