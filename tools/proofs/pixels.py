"""The wide comparison of pixels: ``make pixels``. Exit codes: 0 all agree, 1 some do not, 2 it could not run."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from statetracker.bindings import egl, vulkan
from statetracker.conformance.pixels.clamp_forms import FORMS
from statetracker.conformance.pixels.clamp_run import bias_precision, compare, resized
from statetracker.conformance.pixels.unit_cases import GROUPS, cases
from statetracker.conformance.pixels.unit_run import Judgement, unit_judgements
from statetracker.conformance.pixels.vulkan_run import PLACED, place
from statetracker.errors import StateTrackerError

DRIVERS = ("llvmpipe", "softpipe")


def units(console: Console, side: int) -> int:
    """The reference unit against both drivers; how many samples lie outside."""
    table = Table("driver", "group", "cases", "samples", "outside", "largest difference", "allowed for")
    outside = 0
    with Progress(console=console) as progress:
        for driver in DRIVERS:
            task = progress.add_task(f"reference unit, {driver}", total=len(cases(driver)))
            judgements: dict[str, list[Judgement]] = defaultdict(list)
            for group in GROUPS:
                for one in unit_judgements(driver, side=side, groups=(group,)):
                    judgements[group].append(one)
                    progress.advance(task)
            for group, rows in judgements.items():
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


def clamps(console: Console) -> int:
    """Every form of the rewrite at sizes 1 to 17 and its own; how many are off by more than they may."""
    table = Table("form", "pictures", "largest difference", "without the rewrite, at least", "off")
    off = 0
    sizes: list[int | None] = [None, *range(1, 18)]
    with egl.Context() as context, Progress(console=console) as progress:
        task = progress.add_task("rewritten shaders", total=len(FORMS) * len(sizes))
        for form in FORMS.values():
            comparisons = []
            for edge in sizes:
                if edge is None or form.levels == 1:
                    comparisons.append(compare(context.gl, form, () if edge is None else resized(form, edge)))
                progress.advance(task)
            allowed = 5 * bias_precision(context.gl, form) if form.judged == "bias" else 1e-5
            bad = sum(one.largest > allowed or one.unresolved > 0 for one in comparisons)
            bad += form.judged == "exact" and comparisons[0].largest > 0
            off += bad
            largest, alone = max(one.largest for one in comparisons), min(one.alone for one in comparisons)
            table.add_row(form.name, str(len(comparisons)), f"{largest:.2g}", f"{alone:.2g}", str(bad))
    console.print(table)
    return off


def vulkans(console: Console) -> int:
    """Rewritten shaders with VkSampler against the reference unit."""
    table = Table("form, on Vulkan", "samples", "outside", "outside without the rewrite", "largest difference")
    outside = 0
    with vulkan.Instance() as instance, vulkan.Device(instance.device()) as device:
        for one in PLACED.values():
            placed = place(device, one)
            outside += placed.outside
            numbers = (placed.samples, placed.outside, placed.outside_alone)
            table.add_row(one.name, *map(str, numbers), f"{placed.largest:.2g}")
    console.print(table)
    return outside


def main(argv: list[str] | None = None) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=96, help="samples along each edge of a draw (even)")
    chosen = parser.parse_args(argv)
    console = Console()
    try:
        bad = clamps(console) + vulkans(console) + units(console, chosen.side)
    except StateTrackerError as error:
        console.print(str(error))
        return 2
    console.print("All agree." if not bad else f"{bad} do not agree.")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
