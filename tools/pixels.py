"""The wide comparison of pixels: ``make pixels``. Exit codes: 0 all agree, 1 some do not, 2 it could not run."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from statetracker.conformance.pixels.unit_cases import GROUPS, cases
from statetracker.conformance.pixels.unit_run import Judgement, unit_judgements
from statetracker.errors import StateTrackerError

DRIVERS = ("llvmpipe", "softpipe")


def units(console: Console, side: int) -> int:
    """The reference unit against both drivers; how many samples lie outside."""
    table = Table("driver", "group", "cases", "samples", "outside", "largest difference", "allowed for")
    outside = 0
    with Progress(console=console) as progress:
        for driver in DRIVERS:
            task = progress.add_task(f"reference unit, {driver}", total=len(cases(driver)))
            found: dict[str, list[Judgement]] = defaultdict(list)
            for group in GROUPS:
                for one in unit_judgements(driver, side=side, groups=(group,)):
                    found[group].append(one)
                    progress.advance(task)
            for group, rows in found.items():
                bad = sum(one.outside for one in rows)
                outside += bad
                names = sorted({name for one in rows for name in one.deviations})
                samples = sum(one.samples for one in rows)
                largest = max(one.largest for one in rows)
                table.add_row(
                    driver, group, str(len(rows)), f"{samples:,}", str(bad), f"{largest:.2g}", "; ".join(names)
                )
    console.print(table)
    return outside


def main(argv: list[str] | None = None) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=96, help="samples along each edge of a draw (even)")
    chosen = parser.parse_args(argv)
    console = Console()
    try:
        bad = units(console, chosen.side)
    except StateTrackerError as error:
        console.print(str(error))
        return 2
    console.print("All agree." if not bad else f"{bad} do not agree.")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
