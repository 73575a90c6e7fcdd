"""Rows of ``statetracker bench`` for columns, and what each costs in copies of the same records.

``python benchmarks/columns.py`` prints, for a million rows, the median of the ratios to a copy made right before each
measurement, into memory that is there. Two kinds of rows: samplers that all differ, as a property test has them, and
binds of a program, which has few thousand samplers, few textures, and says each of them often.
"""

from __future__ import annotations

import sys
from statistics import median
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from statetracker import batch
from statetracker.benchmarks.measure import Work, statement
from statetracker.caps import Screen
from statetracker.gl import Texture
from statetracker.gl.sampler import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAMPLERS: Final = 3_000
_FORMATS: Final = ("RGBA8", "R8", "DEPTH_COMPONENT24", "SRGB8_ALPHA8", "RGBA16F", "LUMINANCE8", "R32UI", "RG8")
COPY: Final = "copy of records"


def _samplers(count: int) -> Any:  # noqa: ANN401 (an array)
    chance = np.random.default_rng(1)
    rows = np.zeros(count, batch.SAMPLER)
    for field, family in FAMILIES.items():
        rows[field] = chance.choice(np.array([int(value) for value in family], np.uint16), count)
    rows["max_anisotropy"] = chance.uniform(1.0, 17.0, count)
    for field in ("lod_bias", "min_lod", "max_lod"):
        rows[field] = chance.uniform(-20.0, 20.0, count)
    rows["border_color"] = chance.integers(0, 1 << 32, (count, 4)) * (chance.random((count, 1)) < 0.5)
    return rows


def column_works(count: int = 100_000) -> Iterator[Work]:
    """Yield the rows, ``count`` samplers or binds in each; the copy is the first."""
    screen, rows = Screen.named("zink-lavapipe"), _samplers(count)
    made = batch.records(rows, Texture(internal_format="RGBA8"), screen)
    names: dict[str, Any] = {
        "rows": rows,
        "screen": screen,
        "records": batch.records,
        "gather": batch.gather,
        "made": np.empty_like(made),
        "prepared": batch.prepare(rows),
    }
    names |= {"copy": np.copyto, "bytes": made.view(np.uint8), "there": np.empty_like(made.view(np.uint8))}
    table = batch.Table(screen)
    chance = np.random.default_rng(2)
    said = rows[:_SAMPLERS][chance.integers(0, _SAMPLERS, count)]
    s = table.samplers(said)
    t = table.textures([Texture(internal_format=name) for name in _FORMATS])
    t = t[chance.integers(0, len(t), count)]
    names |= {"table": table, "said": said, "s": s, "t": t, "bound": table.pairs(s, t)}
    statements = {
        COPY: "copy(there, bytes)",
        "records, different samplers": "records(rows, texture, screen, out=made)",
        "records, different samplers, into new memory": "records(rows, texture, screen)",
        "records, different samplers, border moved": "records(rows, red, screen, out=made)",
        "records, samplers prepared: the texture's part": "records(prepared, texture, screen, out=made)",
        "Table.samplers, rows of which 3,000 differ": "table.samplers(said)",
        "Table.pairs, a bind": "table.pairs(s, t)",
        "Table.records, a bind's record": "gather(table.records, bound)",
    }
    textures = {"texture": Texture(internal_format="RGBA8"), "red": Texture(internal_format="R8")}
    for name, text in statements.items():
        yield statement(f"columns, {name}", text, 1, count, **names, **textures)


def main(count: int = 1_000_000, repeats: int = 15) -> None:
    """Measure and print."""
    copy, *works = column_works(count)
    for work in works:
        costs = [(work.once() / copy.once(), work.once() / count) for _ in range(repeats)]
        ratio, cost = (median(column) for column in zip(*costs, strict=True))
        sys.stdout.write(f"{work.name:60} {cost:7.1f} ns {ratio:7.1f} copies\n")


if __name__ == "__main__":
    main()
