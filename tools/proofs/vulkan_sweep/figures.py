"""The figures of what is left, kept in left.csv for docs/shader_lowering.md and the tests."""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.devices import corpus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.proofs.vulkan_sweep.sweep import Counts

__all__ = ["ALL", "PART", "Figures", "figures", "stored", "write"]

_STORED: Final = Path(__file__).with_name("left.csv")
#: The row that counts everything that was looked at.
ALL: Final = "all"
#: The part of the sweep that the tests do: every how many-th vector, and state of the boundary set.
PART: Final = (29, 80)


class Figures(NamedTuple):
    """The figures of one kind.

    vectors   capability vectors with some state that has it
    reports   public reports of devices that have such a vector
    states    pairs of a vector and a state that have it, in some form of sampling
    plain     ... in the plain form, without bias, offset, gradients and the like
    part      of ``states`` those in `PART`
    example   where it was seen first
    """

    vectors: int = 0
    reports: int = 0
    states: int = 0
    plain: int = 0
    part: int = 0
    example: str = ""


@cache
def _reports() -> Counter[int]:
    """How many public reports have a capability vector."""
    counts: Counter[int] = Counter()
    for row in corpus():
        counts[row.vector] += row.reports
    return counts


def figures(whole: Counts, part: Counts) -> dict[str, Figures]:
    """Kind -> figures, everything first, then what most states have."""
    seen: dict[str, list[int]] = {}
    for kind, vector in whole.left:
        seen.setdefault(kind, []).append(vector)
    made = {
        kind: Figures(
            len(vectors),
            sum(_reports()[vector] for vector in vectors),
            _states(whole.left, kind),
            _states(whole.plain, kind),
            _states(part.left, kind),
            whole.examples[kind],
        )
        for kind, vectors in seen.items()
    }
    return dict(sorted(made.items(), key=lambda one: (one[0] != ALL, -one[1].states, one[0])))


def _states(counts: Counter[tuple[str, int]], kind: str) -> int:
    return sum(count for (of, _), count in counts.items() if of == kind)


def write(seen: Mapping[str, Figures]) -> None:
    """Keep the figures of a whole sweep."""
    with _STORED.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("kind", *Figures._fields))
        rows.writerows((kind, *row) for kind, row in seen.items())


def stored() -> dict[str, Figures]:
    """What is kept: kind -> figures."""
    with _STORED.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return {kind: _read(numbers, example) for kind, *numbers, example in rows}


def _read(numbers: Sequence[str], example: str) -> Figures:
    vectors, reports, states, plain, part = map(int, numbers)
    return Figures(vectors, reports, states, plain, part, example)
