"""Every row of ``statetracker bench``, as a table or as lines of JSON.

``python benchmarks/run.py [--json]`` adds the replay of a recording to what the command measures; with ``--imports`` it
prints instead what each module takes to load, the slowest last (``python -X importtime``). Imports are measured by the
clock, everything else in this process's own time (`measure`).
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter_ns, process_time_ns
from typing import TYPE_CHECKING, Any, Final

import statetracker
from statetracker.benchmarks.conversions import conversions, setters
from statetracker.benchmarks.create_infos import vulkan_works
from statetracker.benchmarks.loop import MEMORY, loop_works, state_bytes
from statetracker.benchmarks.measure import EMPTY, Row, Work, measured
from statetracker.benchmarks.shaders import shader_works
from statetracker.cli.options import Given
from statetracker.cli.output import EXIT_FINE, json_line, progress, table
from statetracker.errors import ArgumentError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from statetracker.cli.output import Watch

#: What holds the package: a checkout need not be installed.
_ROOT: Final = Path(statetracker.__file__).parents[1]
_RECORDING: Final = _ROOT / "tests" / "data" / "mesa" / "zink.jsonl.gz"
_STARTS: Final = 15  # interpreters started for a row of imports
_FOUR_NAMES: Final = "import statetracker as s; s.Sampler, s.Texture, s.Screen, s.convert"

#: What new interpreters run. The last one is no part of ours: what most Python programs have loaded anyway.
_IMPORTS: Final = {
    "import statetracker": "import statetracker",
    "import statetracker.sampler": "import statetracker.sampler",
    "import statetracker; Sampler, Texture, Screen, convert": _FOUR_NAMES,
    "import typing, enum (for comparison)": "import typing, enum",
}


def _reference() -> Iterator[Work]:
    """Yield the rows of the reference texture unit; none without NumPy."""
    try:
        from statetracker.benchmarks.reference import reference_works
    except MissingExtra:
        return
    yield from reference_works()


def _columns() -> Iterator[Work]:
    """Yield the rows of columns; none without NumPy."""
    try:
        from statetracker.benchmarks.columns import column_works

        yield from column_works()
    except ImportError:
        return


def _replays(recording: Path | None) -> Iterator[Work]:
    if recording is None:
        return
    from statetracker.replay.cases import Recording

    def once() -> float:
        start = process_time_ns()
        cases = sum(1 for _ in Recording(recording).outcomes(check=True))
        return (process_time_ns() - start) / cases

    yield Work(f"replay with comparison, a case of {recording.name}", 1, once)


def _start(code: str) -> float:
    program = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); {code}"
    begin = perf_counter_ns()
    subprocess.run([sys.executable, "-I", "-c", program], check=True)  # noqa: S603 (our own interpreter)
    return perf_counter_ns() - begin


def _import(name: str, code: str) -> Row:
    """Measure new interpreters that import something, each against one that does not."""
    _start(code)  # compiles what was changed
    return Row(name, median(_start(code) - _start("pass") for _ in range(_STARTS)), None, _STARTS)


def collect(
    select: str = "",
    *,
    repeats: int = 7,
    recording: Path | None = None,
    watch: Callable[[int, int, str], object] = lambda done, total, name: None,  # noqa: ARG005 (nobody looks)
) -> list[Row]:
    """Measure every row whose name has ``select``, and the empty call.

    Without NumPy the rows that need it are left out.

    Args:
        select: A part of the rows' names.
        repeats: How often each is measured; imports once, with many interpreters.
        recording: A case file to replay; None: that row is left out.
        watch: Takes how many rows are measured, of how many, and the name of the next.

    Raises:
        ArgumentError: No row's name has ``select``.
    """
    works = itertools.chain(
        conversions(), vulkan_works(), setters(), loop_works(), shader_works(), _columns(), _reference(),
        _replays(recording),
    )  # fmt: skip
    tasks: list[tuple[str, Callable[[], Row]]] = [(work.name, partial(measured, work, repeats)) for work in works]
    tasks.append((MEMORY, lambda: Row(MEMORY, 0.0, None, 1, state_bytes())))
    tasks += [(name, partial(_import, name, code)) for name, code in _IMPORTS.items()]
    chosen = [(name, row) for name, row in tasks if select.lower() in name.lower()]
    if not chosen:
        hint = "statetracker bench without --select measures all, and names them."
        raise ArgumentError("--select", select, accepted="a part of a row's name", hint=hint)
    rows = [measured(EMPTY, repeats)]
    for name, row in chosen:
        watch(len(rows) - 1, len(chosen), name)
        rows.append(row())
    return rows


def show(given: Given, recording: Path | None = None) -> int:
    """Measure and print."""
    with ExitStack() as opened:
        bar: list[Watch] = []

        def watch(done: int, total: int, name: str) -> None:
            bar[:] = bar or [opened.enter_context(progress("measured", total, "rows"))]
            bar[0](done, name)

        rows = collect(given.select, repeats=given.repeats, recording=recording, watch=watch)
    if given.as_json:
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


def imports() -> int:
    """Print the modules that the four names load, by the time each takes itself, in microseconds."""
    command = [sys.executable, "-X", "importtime", "-c", _FOUR_NAMES]
    ran = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    rows = [line.removeprefix("import time:").split("|") for line in ran.stderr.splitlines()[1:]]
    for own, _, module in sorted(rows, key=lambda row: int(row[0])):
        sys.stdout.write(f"{int(own):8} {module.strip()}\n")
    return 0


if __name__ == "__main__":
    if "--imports" in sys.argv[1:]:
        sys.exit(imports())
    sys.exit(show(Given(select="", repeats=7, as_json="--json" in sys.argv[1:]), _RECORDING))
