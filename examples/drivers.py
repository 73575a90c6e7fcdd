"""Recorded GL calls of random cases, replayed to sampler states, compared with those of eleven drivers, and explained.

Run it with ``python examples/drivers.py``.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from rich.table import Table

from statetracker.caps.files import screen_from
from statetracker.replay import CaseResult, Replayer, compare, dialect_of
from statetracker.sampler import converter
from statetracker.trace import Case, open_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.sampler import Explanation

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data" / "mesa"
OUT = ROOT / "build" / "demo"

#: The case that is shown in full: GL_CLAMP on a driver without it.
SHOWN_FILE, SHOWN_CASE = "zink.jsonl.gz", 1832


def main() -> int:
    """Replay, compare, explain; 1 where something differs from the recordings."""
    out = Console(width=None if sys.stdout.isatty() else 140, highlight=False, markup=False)
    out.print("Recorded GL calls are replayed: the state that each driver would receive is computed, then compared")
    out.print("with the one that the real driver received (Mesa 22.3.6).\n")
    started = time.perf_counter()
    totals = Table(box=None, pad_edge=False)
    for name in ("recording", "cases", "GL calls", "GL errors", "distinct states", "agree with the driver"):
        totals.add_column(name, justify="left" if name == "recording" else "right")
    explained: dict[bytes, tuple[str, Case, Explanation]] = {}
    shown: tuple[Case, CaseResult, Explanation] | None = None
    wrong = cases = 0
    for path in track(sorted(DATA.glob("*.jsonl.gz")), "replaying", transient=True, console=Console(stderr=True)):
        calls = errors = agreed = count = 0
        states = set()
        for case, result, replayer in replayed(path):
            count += 1
            calls += len(result.errors)
            errors += sum(error != "GL_NO_ERROR" for error in result.errors)
            agreed += not compare(case.data, result)
            if result.record is None:
                continue
            states.add(result.record)
            if result.record not in explained:
                explained[result.record] = (path.name, case, replayer.explain(result))
            if path.name == SHOWN_FILE and case.id == SHOWN_CASE:
                shown = (case, result, replayer.explain(result))
        totals.add_row(path.name, *(f"{n:,}" for n in (count, calls, errors, len(states))), f"{agreed:,} of {count:,}")
        cases, wrong = cases + count, wrong + count - agreed
    took = time.perf_counter() - started
    out.print(totals)
    out.print(f"\n{cases - wrong:,} of {cases:,} cases agree in every GL error and in all 36 bytes ({took:.0f} s).\n")
    if shown is not None:
        show(out, *shown)
    write(out, explained)
    return 1 if wrong else 0


def replayed(path: Path) -> Iterator[tuple[Case, CaseResult, Replayer]]:
    """Replay every case of a recording on the screen that its header describes."""
    with open_cases(path) as file:
        screen = screen_from(file.header.data, file=file.path, line=1)
        replayer = Replayer(converter(screen, dialect_of(file.header.mesa_version)))
        for case in file:
            if not isinstance(case, Case):
                raise case.error
            replayer.start(case.place)
            yield case, replayer.run(case.data), replayer


def show(out: Console, case: Case, result: CaseResult, explanation: Explanation) -> None:
    """Show one case from the calls to the reason of every field."""
    out.print(f"One case in full, {SHOWN_FILE} number {case.id}. The calls of the program:\n")
    for call, error in zip(case.calls(), result.errors, strict=True):
        arguments = ", ".join("NULL" if value is None else str(value) for value in call.args)
        out.print(f"  {call.fn}({arguments})" + ("" if error == "GL_NO_ERROR" else f"   -> {error}"))
    out.print(f"\nWhat the driver receives: pipe_sampler_state {explanation.state.hex()}\n")
    out.print("Why every field has its value:\n")
    out.print(str(explanation), soft_wrap=True)


def write(out: Console, explained: dict[bytes, tuple[str, Case, Explanation]]) -> None:
    """Write the explanation of every distinct state to a file."""
    OUT.mkdir(parents=True, exist_ok=True)
    target = OUT / "explanations.txt"
    with target.open("w", encoding="utf-8") as stream:
        for record, (name, case, explanation) in explained.items():
            stream.write(f"{record.hex()}\nfirst made by {name} case {case.id}\n{explanation}\n\n")
    out.print(f"\nAll {len(explained):,} distinct states are explained, field by field, in {target.relative_to(ROOT)}.")
    out.print("Next: statetracker replay --help, statetracker convert examples/shadow.toml, README.md.")


if __name__ == "__main__":
    sys.exit(main())
