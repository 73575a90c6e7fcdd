"""How a row is measured: several times, an empty Python call right before each time.

Given are the median, and the median of the ratios to the empty call, which carries over between machines better than
nanoseconds. Time is this process's own, so that other work on the machine counts less.
"""

from __future__ import annotations

import itertools
from statistics import median
from time import process_time
from timeit import Timer
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Row(NamedTuple):
    """One measurement.

    Attributes:
        name: What was done.
        median_ns: Nanoseconds each; for imports, over an interpreter that imports nothing.
        empty_calls: The same in empty Python calls of this run; None for imports.
        times: How often it was done in all.
        bytes: In place of time, where memory was measured.
        mb_per_s: Megabytes (1,000,000 bytes) a second, where the work goes through bytes; else None.
    """

    name: str
    median_ns: float
    empty_calls: float | None
    times: int
    bytes: float | None = None
    mb_per_s: float | None = None


class Work(NamedTuple):
    """What a row measures: how often `once` does it, `once` (nanoseconds for all), the bytes that it goes through."""

    name: str
    times: int
    once: Callable[[], float]
    size: int = 0


def statement(
    name: str,
    text: str,
    times: int,
    count: int = 1,
    setup: str = "pass",
    /,
    **names: Any,  # noqa: ANN401 (names of any kind)
) -> Work:
    """Measure a statement in a loop of `timeit`; the loop is part of the cost, for the empty call too.

    ``count``: how often the statement does what the row names. ``setup``: what it names is local to the loop.
    """
    timer = Timer(text, setup, timer=process_time, globals=names)
    return Work(name, times * count, lambda: timer.timeit(times) * 1e9)


def _empty() -> None:
    pass


#: What everything is compared with.
EMPTY: Final = statement("empty call", "empty()", 20_000, empty=_empty)


def measured(work: Work, repeats: int) -> Row:
    """Measure a row."""
    costs, ratios = [], []
    for _ in range(repeats):
        unit = EMPTY.once() / EMPTY.times
        costs.append(work.once() / work.times)
        ratios.append(costs[-1] / unit)
    speed = work.size / median(costs) * 1e3 if work.size else None
    return Row(work.name, median(costs), median(ratios), work.times * repeats, mb_per_s=speed)


class Driver:
    """Callbacks that do nothing, a handle of its own for each state: what is left is ours."""

    def __init__(self) -> None:
        self._next = itertools.count().__next__

    def create_sampler_state(self, record: bytes) -> int:  # noqa: ARG002 (a driver's protocol)
        return self._next()

    def bind_sampler_states(self, stage: str, start: int, handles: object) -> None: ...

    def delete_sampler_state(self, handle: object) -> None: ...
