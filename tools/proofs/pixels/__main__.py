"""The wide comparison of pixels: ``make pixels``. Exit codes: 0 all agree, 1 some do not, 2 it could not run."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from contextlib import ExitStack
from itertools import product
from random import Random

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from statetracker.bindings import egl, vulkan
from statetracker.caps import Screen
from statetracker.errors import StateTrackerError
from statetracker.pipe import TexFilter, TexMipfilter
from tools.proofs.pixels.clamp_forms import FORMS
from tools.proofs.pixels.clamp_run import Comparison, bias_precision, compare, resized
from tools.proofs.pixels.lowered_formats import LOOKS, compare_format
from tools.proofs.pixels.lowered_run import CUBES, Case, compare_lowered, drawn_case
from tools.proofs.pixels.lowered_vulkan import (
    LACKS,
    SWIFTSHADER,
    compare_on_vulkan,
    driver_file,
    facts_of_device,
    is_drawn,
)
from tools.proofs.pixels.unit_run import Judgement, unit_judgements
from tools.proofs.pixels.vulkan_run import PLACED, place
from tools.proofs.progress import words

DRIVERS = ("llvmpipe", "softpipe")
#: The largest difference of a lowered picture: roundings of texels in [0, 1] and a border up to 5.
CLOSE = 2e-5


def units(console: Console, side: int) -> int:
    """The reference unit against both drivers; how many samples lie outside."""
    table = Table("driver", "group", "cases", "samples", "outside", "largest difference", "allowed for")
    outside = 0
    for driver in DRIVERS:
        judgements: dict[str, list[Judgement]] = defaultdict(list)
        for one in unit_judgements(driver, side=side):
            judgements[one.group].append(one)
        for group, rows in judgements.items():
            bad = sum(one.outside for one in rows)
            outside += bad
            names = sorted({name for one in rows for name in one.deviations})
            samples = sum(one.samples for one in rows)
            largest = max(one.largest for one in rows)
            table.add_row(driver, group, str(len(rows)), f"{samples:,}", str(bad), f"{largest:.2g}", "; ".join(names))
    console.print(table)
    return outside


def clamps(console: Console) -> int:
    """GL_CLAMP in every form at sizes 1 to 17 and its own, by coordinates and by coverage; how many are off by more."""
    table = Table("GL_CLAMP", "pictures", "by coordinates, at most", "by coverage", "without, at least", "off")
    off = 0
    sizes: list[int | None] = [None, *range(1, 18)]
    with egl.Context() as context, Progress(console=console) as progress:
        task = progress.add_task("rewritten shaders", total=len(FORMS) * len(sizes))
        for form in FORMS.values():
            comparisons, covered = [], []
            for edge in sizes:
                if edge is None or form.levels == 1:
                    size = () if edge is None else resized(form, edge)
                    comparisons.append(compare(context.gl, form, size))
                    covered.append(compare_lowered(context.gl, form, Case(form.wraps, "edge", size, {})))
                progress.advance(task)
            allowed = 5 * bias_precision(context.gl, form) if form.judged == "bias" else 1e-5
            bad = sum(one.largest > allowed or one.unresolved > 0 for one in comparisons)
            bad += form.judged == "exact" and comparisons[0].largest > 0
            bad += sum(one.largest > 1e-5 or one.unresolved > 0 for one in covered)
            off += bad
            largest, mixed = (max(one.largest for one in rows) for rows in (comparisons, covered))
            alone = min(one.alone for one in comparisons)
            table.add_row(form.name, str(len(covered)), f"{largest:.2g}", f"{mixed:.2g}", f"{alone:.2g}", str(bad))
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


def lowered(console: Console, count: int) -> int:
    """Every form lowered for lesser devices, in drawn cases on llvmpipe."""
    table = Table("lowered form, on llvmpipe", "pictures", "largest difference", "without, at most", "off")
    off = 0
    with egl.Context() as context, Progress(console=console) as progress:
        task = progress.add_task("lowered shaders", total=len(FORMS) * count)
        for form in FORMS.values():
            random = Random(form.name)  # noqa: S311 (cases)
            rows = []
            for _ in range(count):
                rows.append(compare_lowered(context.gl, form, drawn_case(form, random)))
                progress.advance(task)
            off += _row(table, form.name, rows)
    console.print(table)
    return off


def cubes(console: Console) -> int:
    """Cubes without seams, on a device that always looks across edges, by all filters."""
    table = Table("cube without seams, on llvmpipe", "pictures", "largest difference", "without, at most", "off")
    off = 0
    with egl.Context() as context:
        for form in CUBES.values():
            rows = []
            for device, minify, magnify, mips in product(("edge", "no filtering"), TexFilter, TexFilter, TexMipfilter):
                if minify != magnify and form.name == "cube":
                    continue  # its implicit level, and so its filter, is within the driver's precision of levels
                members = {"min_img_filter": minify, "mag_img_filter": magnify, "min_mip_filter": mips}
                rows.append(compare_lowered(context.gl, form, Case(form.wraps, device, (), members)))
            off += _row(table, form.name, rows)
    console.print(table)
    return off


def formats(console: Console) -> int:
    """Borders of every kind of format, by conversions for a lesser device, on llvmpipe."""
    table = Table("format", "wrap", "largest difference", "without", "off")
    off, device = 0, Screen.device(report=38162)
    with egl.Context() as context:
        for title, look in LOOKS.items():
            for wrap in ("clamp-to-border", "clamp"):
                largest, alone = compare_format(context.gl, look, wrap, device)
                off += largest > look.step
                table.add_row(title, wrap, f"{largest:.2g}", f"{alone:.2g}", str(int(largest > look.step)))
    console.print(table)
    return off


def lowered_on_vulkan(console: Console, *, on_swiftshader: bool = False) -> int:
    """Every form lowered for devices that lack something, with create infos, on this machine's Vulkan."""
    off = 0
    with ExitStack() as stack:
        stack.enter_context(driver_file(SWIFTSHADER if on_swiftshader else None))
        instance = stack.enter_context(vulkan.Instance())
        device = stack.enter_context(vulkan.Device(instance.device()))
        facts = facts_of_device(device)
        table = Table(f"lowered form, on {facts.device}", "pictures", "largest difference", "without, at most", "off")
        forms = [form for form in FORMS.values() if is_drawn(form, on_swiftshader=on_swiftshader)]
        progress = stack.enter_context(Progress(console=console))
        task = progress.add_task(f"lowered shaders, {facts.device}", total=len(forms))
        for form in forms:
            rows = [
                compare_on_vulkan(
                    device, facts, form, (wraps, "rrr", "ber", "eeb")[: len(form.wraps)], lack,
                    min_img_filter=chosen, mag_img_filter=chosen, lod_bias=3.25 if form.levels > 1 else 0.0,
                )
                for wraps, lack, chosen in product(("bbb", "eee", "rbe"), LACKS, TexFilter)
                # SwiftShader mirrors coordinates in the gather that filters a comparison.
                if not (on_swiftshader and form.shadow and wraps == "eee")
            ]  # fmt: skip
            off += _row(table, form.name, rows)
            progress.advance(task)
    console.print(table)
    return off


def _row(table: Table, name: str, rows: list[Comparison]) -> int:
    """Add a form's row; how many of its pictures are off."""
    bad = sum(one.largest > CLOSE or one.unresolved > 0 for one in rows)
    largest, alone = max(one.largest for one in rows), max(one.alone for one in rows)
    table.add_row(name, str(len(rows)), f"{largest:.2g}", f"{alone:.2g}", str(bad))
    return bad


def main(argv: list[str] | None = None) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=96, help="samples along each edge of a draw (even)")
    chosen = parser.parse_args(argv)
    console = Console()
    try:
        bad = lowered(console, 40) + cubes(console) + formats(console) + lowered_on_vulkan(console)
        if SWIFTSHADER.exists():
            bad += lowered_on_vulkan(console, on_swiftshader=True)
        else:
            console.print(f"SwiftShader is not here ({SWIFTSHADER}; Debian: apt-get install chromium).")
        bad += clamps(console) + vulkans(console) + units(console, chosen.side)
    except StateTrackerError as error:
        console.print(words(error), markup=False)
        return 2
    console.print("All agree." if not bad else f"{bad} do not agree.")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
