"""The demo: a real program's GL calls, the sampler states that a driver receives, and the reason of every field.

Run it with ``make demo``, or ``python examples/demo.py [DUMP [TRACE]]`` for a dump of your own.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from statetracker.caps import Screen
from statetracker.errors import StateTrackerError
from statetracker.replay import Binds, Creates, Deletes, DumpReplay, RecordedStates, compare_states
from statetracker.sampler import converter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.replay import Agreement
    from statetracker.sampler import Explanation

HERE = Path(__file__).resolve().parent
DUMP, TRACE = HERE / "texwrap.dump.txt.gz", HERE / "texwrap.xml.gz"

#: Draws listed one by one before only counting, for programs larger than the demo's.
SHOWN = 24


def main(arguments: Sequence[str]) -> int:
    """Replay, list, explain, compare; 1 where the states are not those of Mesa's trace, 2 where calls were damaged."""
    out = Console(width=None if sys.stdout.isatty() else 140, highlight=False, markup=False)
    dump = arguments[0] if arguments else str(DUMP)
    trace = arguments[1] if len(arguments) > 1 else None if arguments else str(TRACE)
    run = DumpReplay(dump, converter(Screen.named("llvmpipe"), "mesa22"), explained=True)
    events = list(run)
    made = [event for event in events if isinstance(event, Creates)]
    program = "the GL calls of a program" if arguments else "the GL calls of a real program, piglit's texwrap"
    out.print(f"{Path(dump).name}: {program}, as apitrace recorded them.")
    out.print("At each draw the samplers it uses become states; the cache makes each of them once.\n")
    draws(out, [event for event in events if not isinstance(event, Deletes)])
    for line in run.summary():
        out.print(line)
    reasons(out, [(event, event.made_for.why) for event in made if event.made_for and event.made_for.why])
    for problem in run.problems:
        out.print(f"problem: {problem}")
    agreement = compared(out, made, trace)
    out.print(
        "\nNext: statetracker replay --help, docs/streams.md (record a program of your own), examples/drivers.py."
    )
    return 2 if run.problems else 0 if agreement is None or agreement.same else 1


def draws(out: Console, events: Sequence[Creates | Binds]) -> None:
    """List which draw bound which states, and the draw that each was created for."""
    table = Table(box=None, pad_edge=False)
    for name in ("GL call", "stage", "binds state", ""):
        table.add_column(name, justify="right" if name == "GL call" else "left")
    fresh: dict[int, Creates] = {}
    binds = [event for event in events if isinstance(event, Binds)]
    for event in events:
        if isinstance(event, Creates):
            fresh[event.id] = event
        elif table.row_count < SHOWN:
            ids = ", ".join("none" if i is None else str(i) for i in event.ids)
            makers = [fresh.pop(i).made_for for i in event.ids if i in fresh]
            new = ["created" if maker is None else f"created for {maker}" for maker in makers]
            table.add_row(str(event.call), event.stage, ids, "; ".join(new) or "from the cache")
    out.print(table)
    if len(binds) > SHOWN:
        out.print(f"... and {len(binds) - SHOWN:,} more")
    out.print()


def reasons(out: Console, explained: Sequence[tuple[Creates, Explanation]]) -> None:
    """List every field of every state, each value with its reason once, and which states have it."""
    groups: dict[str, dict[tuple[str, str], list[int]]] = {}
    for event, why in explained:
        for field, value, _, because, before in why.rows():
            reason = f"{because} (was {before})" if before else because
            groups.setdefault(field, {}).setdefault((value, reason), []).append(event.id)
    table = Table(box=None, pad_edge=False)
    for name in ("field", "value", "in states", "because"):
        table.add_column(name)
    for field, values in groups.items():
        for (value, because), ids in values.items():
            table.add_row(field, value, "all" if len(ids) == len(explained) else _ranges(ids), because)
    out.print("\nWhy every field of every state has its value:\n")
    out.print(table)


def _ranges(ids: Sequence[int]) -> str:
    """Write numbers in short: 0-2, 5."""
    parts: list[list[int]] = []
    for number in ids:
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def compared(out: Console, made: Sequence[Creates], trace: str | None) -> Agreement | None:
    """Compare with what Mesa's own trace says of the same run."""
    if trace is None:
        return None
    recorded = RecordedStates(trace)
    agreement = compare_states([event.state for event in made], recorded.states, complete=recorded.complete)
    out.print(f"\nMesa's own trace of the same run ({Path(trace).name}): {agreement}.")
    return agreement


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except StateTrackerError as error:
        print(f"demo: {error}", file=sys.stderr)
        sys.exit(2)
