"""``statetracker bench``: what things cost on this machine, as medians and as empty Python calls of the same run.

Nothing here is asserted anywhere. Each row is measured several times; the median is told, and its ratio to the median
cost of calling an empty function in the same run, which carries over between machines better than nanoseconds.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from statetracker.caps import Screen
from statetracker.cli.output import EXIT_FINE, json_line, table
from statetracker.frontend import convert
from statetracker.gl import Context, Sampler, Texture
from statetracker.sampler import Converter, dialect
from statetracker.sampler.gl_side import Embedded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Row", "collect", "show"]

_LOOP = 20_000
_EMPTY = "empty call"
_IMPORT = "import statetracker, over a bare interpreter"
_NAMES = "import statetracker and load convert, Sampler, Texture, Screen"
_WRAPS = ("clamp", "repeat", "clamp-to-edge", "mirrored-repeat", "clamp-to-border", "mirror-clamp-to-edge")


class Row(NamedTuple):
    """One measurement.

    name         what was done
    median_ns    nanoseconds each
    empty_calls  the same in empty Python calls of this run; None for imports
    times        how often it was done in all
    """

    name: str
    median_ns: float
    empty_calls: float | None
    times: int


def _empty() -> None:
    pass


def _timed(work: Callable[[], object], n: int = _LOOP) -> Callable[[], tuple[float, int]]:
    """Measure a call in a loop; the loop is part of the cost, for the empty call too."""

    def once() -> tuple[float, int]:
        runs = range(n)
        start = time.perf_counter_ns()
        for _ in runs:
            work()
        return (time.perf_counter_ns() - start) / n, n

    return once


def _samplers() -> list[Sampler]:
    """Samplers of which no two have the same combination of enums, border colours set."""
    combinations = itertools.product(itertools.product(_WRAPS, repeat=3), ("linear", "nearest"), (1, 2, 4, 8))
    return [
        Sampler(wrap_s=s, wrap_t=t, wrap_r=r, min_filter=low, max_anisotropy=a, border_color=(1.0, 0.5, 0.0, 1.0))
        for (s, t, r), low, a in combinations
    ]


def _fresh(screen: Screen, *, derived: bool) -> Callable[[], tuple[float, int]]:
    """Measure conversions whose combination of enums the converter has never seen."""
    samplers = _samplers()
    facts = Texture(internal_format="RGBA8").facts()

    def once() -> tuple[float, int]:
        record = Converter(screen, dialect("mesa22")).record
        record(Sampler(max_anisotropy=16), facts)  # the plan for this kind of texture is there
        for sampler in samplers:
            sampler.derived = Embedded(sampler) if derived else None
        start = time.perf_counter_ns()
        for sampler in samplers:
            record(sampler, facts)
        return (time.perf_counter_ns() - start) / len(samplers), len(samplers)

    return once


def _interpreter(code: str) -> float:
    start = time.perf_counter_ns()
    subprocess.run([sys.executable, "-I", "-c", code], check=True)  # noqa: S603 (our own interpreter)
    return float(time.perf_counter_ns() - start)


def _loading(code: str) -> Callable[[], tuple[float, int]]:
    """Measure a program in a new interpreter, over one that does nothing."""

    def once() -> tuple[float, int]:
        with_it, without = [], []
        for _ in range(9):
            without.append(_interpreter("pass"))
            with_it.append(_interpreter(code))
        return median(with_it) - median(without), 9

    return once


def _measurements() -> Iterator[tuple[str, Callable[[], tuple[float, int]]]]:
    llvmpipe, zink = Screen.named("llvmpipe"), Screen.named("zink-lavapipe")
    plain, red = Texture(internal_format="RGBA8"), Texture(internal_format="R8")
    sampler = Sampler(wrap="clamp", min_filter="linear", border_color=(1.0, 0.5, 0.0, 1.0))
    record = Converter(zink, dialect("mesa22")).record
    simple = Sampler()
    facts, red_facts = plain.facts(), red.facts()
    yield _EMPTY, _timed(_empty, 200_000)
    yield "record, combination never seen, llvmpipe", _fresh(llvmpipe, derived=True)
    yield "record, combination never seen, zink (GL_CLAMP emulated)", _fresh(zink, derived=True)
    yield "record, sampler just changed, combination never seen", _fresh(llvmpipe, derived=False)
    yield "record, combination seen", _timed(lambda: record(simple, facts))
    yield "record, combination seen, border colour translated", _timed(lambda: record(sampler, red_facts))
    yield "convert(), with result and lowering", _timed(lambda: convert(sampler, plain, zink), 2_000)
    yield "convert().explain()", _timed(lambda: convert(sampler, plain, zink).explain(), 200)
    context = Context(zink.gl_limits())
    (name,) = context.glGenSamplers(1)
    lods = itertools.cycle((1.0, 2.0))
    yield (
        "glSamplerParameterf, a new value",
        _timed(lambda: context.glSamplerParameterf(name, 0x813A, next(lods)), 5_000),
    )
    yield _IMPORT, _loading("import statetracker")
    yield _NAMES, _loading("import statetracker as s; s.convert, s.Sampler, s.Texture, s.Screen")


def collect(select: str = "", *, repeats: int = 7) -> list[Row]:
    """Measure every row whose name has ``select``; the empty call is always measured."""
    rows: list[Row] = []
    empty = 0.0
    for name, once in _measurements():
        if name != _EMPTY and select.lower() not in name.lower():
            continue
        loading = name in (_IMPORT, _NAMES)
        times = [once() for _ in range(1 if loading else repeats)]
        cost = median(ns for ns, _ in times)
        empty = empty or cost
        rows.append(Row(name, cost, None if loading else cost / empty, sum(n for _, n in times)))
    return rows


def show(select: str, *, repeats: int, as_json: bool) -> int:
    """Measure and print."""
    rows = collect(select, repeats=repeats)
    if as_json:
        for row in rows:
            json_line(row._asdict())
        return EXIT_FINE
    columns = ("what", "median", "empty calls", "times")
    table("", columns, [_cells(row) for row in rows], right=columns[1:])
    return EXIT_FINE


def _cells(row: Row) -> tuple[Any, ...]:
    cost = f"{row.median_ns / 1e6:.1f} ms" if abs(row.median_ns) > 1e5 else f"{row.median_ns:.0f} ns"
    return row.name, cost, "" if row.empty_calls is None else f"{row.empty_calls:.1f}", f"{row.times:,}"
