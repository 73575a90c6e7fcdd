"""``statetracker bench``: what things cost on this machine, as medians and as empty Python calls of the same run.

Nothing here is asserted anywhere. Each row is measured several times, an empty call right before each time; told are
the median, and the median of the ratios, which carries over between machines better than nanoseconds. Time is this
process's own, so that other work on the machine counts less; imports are told in time on the clock.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter_ns, process_time, process_time_ns
from timeit import Timer
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps import Screen
from statetracker.cli.output import EXIT_FINE, json_line, table
from statetracker.errors import MissingExtra
from statetracker.frontend import convert
from statetracker.gl import Context, Sampler, Texture
from statetracker.sampler import Converter, dialect
from statetracker.sampler.memo import Embedded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Row", "collect", "show"]

_EMPTY: Final = "empty call"
_STARTS: Final = 15  # interpreters started for a row of imports
_BATCH: Final = 100_000
_WRAPS: Final = ("clamp", "repeat", "clamp-to-edge", "mirrored-repeat", "clamp-to-border", "mirror-clamp-to-edge")

# fmt: off
#: What new interpreters run. The last one is no part of ours: what most Python programs have loaded anyway.
_IMPORTS: Final = {
    "import statetracker":                                   "import statetracker",
    "import statetracker.sampler":                           "import statetracker.sampler",
    "import statetracker; Sampler, Texture, Screen, convert": "import statetracker as s; s.Sampler, s.Texture, s.Screen, s.convert",  # noqa: E501
    "import typing, enum (for comparison)":                  "import typing, enum",
}
# fmt: on


class Row(NamedTuple):
    """One measurement.

    name         what was done
    median_ns    nanoseconds each; for imports, over an interpreter that imports nothing
    empty_calls  the same in empty Python calls of this run; None for imports
    times        how often it was done in all
    bytes        in place of time, where memory was measured
    mb_per_s     megabytes (1,000,000 bytes) a second, where the work goes through bytes; else None
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


def _statement(name: str, text: str, times: int, **names: object) -> Work:
    """Measure a statement in a loop of `timeit`; the loop is part of the cost, for the empty call too."""
    timer = Timer(text, timer=process_time, globals=names)
    return Work(name, times, lambda: timer.timeit(times) * 1e9)


def _empty() -> None:
    pass


def _samplers() -> list[Sampler]:
    """Samplers of which no two have the same combination of enums, border colours set."""
    combinations = itertools.product(itertools.product(_WRAPS, repeat=3), ("linear", "nearest"), (1, 2, 4, 8))
    return [
        Sampler(wrap_s=s, wrap_t=t, wrap_r=r, min_filter=low, max_anisotropy=a, border_color=(1.0, 0.5, 0.0, 1.0))
        for (s, t, r), low, a in combinations
    ]


def _fresh(name: str, screen: Screen, samplers: list[Sampler], seen: list[Sampler], *, derived: bool = True) -> Work:
    """Measure one conversion of each sampler by a new converter.

    seen      samplers that the converter has converted before
    derived   what a sampler keeps from its last conversion is there; else it was changed since
    """
    facts = Texture(internal_format="RGBA8").facts()

    def once() -> float:
        record = Converter(screen, dialect("mesa22")).record
        for sampler in [Sampler(max_anisotropy=16), *seen]:  # the plan for such textures is there
            record(sampler, facts)
        for sampler in samplers:
            sampler.derived = Embedded(sampler) if derived else None
        start = process_time_ns()
        for sampler in samplers:
            record(sampler, facts)
        return process_time_ns() - start

    return Work(name, len(samplers), once)


def _conversions() -> Iterator[Work]:
    llvmpipe, zink = Screen.named("llvmpipe"), Screen.named("zink-lavapipe")
    plain, red = Texture(internal_format="RGBA8"), Texture(internal_format="R8")
    sampler, different = Sampler(wrap="clamp", min_filter="linear", border_color=(1.0, 0.5, 0.0, 1.0)), _samplers()
    zinks = "record, combination never seen, zink (GL_CLAMP emulated)"
    parts = [one for n, one in enumerate(different) if n < 8 or one.max_anisotropy == 1]
    new = [one for n, one in enumerate(different) if n >= 8 and one.max_anisotropy > 1]
    yield _fresh("record, combination never seen", llvmpipe, new, parts)
    yield _fresh(zinks, zink, new, parts)
    yield _fresh("record, combination never seen, sampler just changed", llvmpipe, new, parts, derived=False)
    yield _fresh("record, combination seen, sampler just changed", llvmpipe, different, different, derived=False)
    yield _fresh("record, combination never seen, its parts neither", llvmpipe, different, [])
    once = {"record": Converter(zink, dialect("mesa22")).record, "s": sampler, "simple": Sampler()}
    yield _statement("record, again", "record(simple, f)", 20_000, f=plain.facts(), **once)
    yield _statement("record, again, border colour rearranged", "record(s, f)", 20_000, f=red.facts(), **once)
    public = {"convert": convert, "s": sampler, "t": plain, "screen": zink}
    yield _statement("convert(), all answers", "convert(s, t, screen)", 2_000, **public)
    yield _statement("convert().explain()", "convert(s, t, screen).explain()", 200, **public)


def _setters() -> Iterator[Work]:
    context = Context(Screen.named("zink-lavapipe").gl_limits())
    (name,) = context.glGenSamplers(1)
    for call, parameter, values in (("f", 0x813A, (1.0, 2.0)), ("i", 0x2802, (0x2901, 0x812F))):
        names = {"call": getattr(context, f"glSamplerParameter{call}"), "values": itertools.cycle(values)}
        text = f"call({name}, {parameter}, next(values))"
        yield _statement(f"glSamplerParameter{call}, a new value", text, 5_000, **names)


def _batches() -> Iterator[Work]:
    try:
        from statetracker.sampler.batch import convert_batch, pack_samplers
    except MissingExtra:
        return
    samplers = _samplers()
    packed = pack_samplers(samplers)[[n * 7919 % len(samplers) for n in range(_BATCH)]]
    names = {"batch": convert_batch, "packed": packed, "t": Texture(internal_format="R8")}
    text, screen = "batch(packed, t, screen)", Screen.named("zink-lavapipe")
    work = _statement(f"convert_batch, one of {_BATCH:,}", text, 1, screen=screen, **names)
    yield work._replace(times=_BATCH)


def _vulkan() -> Iterator[Work]:
    from statetracker.cli.bench_vulkan import vulkan_statements

    for name, text, names in vulkan_statements():
        yield _statement(name, text, 1_000, **names)


def _reference() -> Iterator[Work]:
    """One sample of the reference texture unit, of many at once; not without NumPy."""
    try:
        from statetracker.cli.bench_reference import SAMPLES, reference_statements
    except MissingExtra:
        return
    for name, text, names in reference_statements():
        yield _statement(name, text, 1, **names)._replace(times=SAMPLES)


def _loop() -> Iterator[Work]:
    from statetracker.cli.bench_loop import loop_works

    yield from itertools.starmap(Work, loop_works())


def _shaders() -> Iterator[Work]:
    from statetracker.cli.bench_shader import shader_works

    yield from itertools.starmap(Work, shader_works())


def _memory(select: str) -> Iterator[Row]:
    from statetracker.cli.bench_loop import MEMORY, state_bytes

    if select.lower() in MEMORY.lower():
        yield Row(MEMORY, 0.0, None, 1, state_bytes())


def _replays(recording: str | Path | None) -> Iterator[Work]:
    if recording is None:
        return
    from statetracker.cli.recordings import Recording

    def once() -> float:
        start = process_time_ns()
        cases = sum(1 for _ in Recording(recording).outcomes(check=True))
        return (process_time_ns() - start) / cases

    yield Work(f"replay with comparison, a case of {Path(recording).name}", 1, once)


def _start(code: str) -> float:
    root = str(Path(__file__).parents[2])  # a checkout need not be installed
    program = f"import sys; sys.path.insert(0, {root!r}); {code}"
    begin = perf_counter_ns()
    subprocess.run([sys.executable, "-I", "-c", program], check=True)  # noqa: S603 (our own interpreter)
    return perf_counter_ns() - begin


def _import(name: str, code: str) -> Row:
    """Measure new interpreters that import something, each against one that does not."""
    _start(code)  # compiles what was changed
    return Row(name, median(_start(code) - _start("pass") for _ in range(_STARTS)), None, _STARTS)


def collect(select: str = "", *, repeats: int = 7, recording: str | Path | None = None) -> list[Row]:
    """Measure every row whose name has ``select``, and the empty call.

    repeats     how often each is measured; imports once, with many interpreters
    recording   a case file to replay; None: that row is left out

    Without NumPy the batch's row is left out.
    """
    empty = _statement(_EMPTY, "empty()", 20_000, empty=_empty)
    works = itertools.chain(
        _conversions(), _vulkan(), _setters(), _loop(), _shaders(), _batches(), _reference(), _replays(recording)
    )
    chosen = (work for work in works if select.lower() in work.name.lower())
    rows = [_row(work, empty, repeats) for work in (empty, *chosen)]
    rows += _memory(select)
    return rows + [_import(name, code) for name, code in _IMPORTS.items() if select.lower() in name.lower()]


def _row(work: Work, empty: Work, repeats: int) -> Row:
    costs, ratios = [], []
    for _ in range(repeats):
        unit = empty.once() / empty.times
        costs.append(work.once() / work.times)
        ratios.append(costs[-1] / unit)
    speed = work.size / median(costs) * 1e3 if work.size else None
    return Row(work.name, median(costs), median(ratios), work.times * repeats, mb_per_s=speed)


def show(select: str, *, repeats: int, as_json: bool, recording: str | Path | None = None) -> int:
    """Measure and print."""
    rows = collect(select, repeats=repeats, recording=recording)
    if as_json:
        for row in rows:
            json_line(row._asdict())
        return EXIT_FINE
    columns = ("what", "median", "empty calls", "times")
    table("", columns, [_cells(row) for row in rows], right=columns[1:])
    return EXIT_FINE


def _cells(row: Row) -> tuple[Any, ...]:
    if row.bytes is not None:
        return row.name, f"{row.bytes:,.0f} bytes", "", f"{row.times:,}"
    cost = f"{row.median_ns / 1e6:.1f} ms" if row.empty_calls is None else f"{row.median_ns:,.0f} ns"
    if row.mb_per_s is not None:
        cost = f"{row.median_ns / 1e3:,.0f} µs, {row.mb_per_s:.2f} MB/s"
    return row.name, cost, "" if row.empty_calls is None else f"{row.empty_calls:,.1f}", f"{row.times:,}"
