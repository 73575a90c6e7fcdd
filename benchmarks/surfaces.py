"""Layouts, decisions and detiling, measured: medians, and ratios to an empty call or a plain copy of the same run."""

from __future__ import annotations

import sys
from functools import partial
from statistics import median
from timeit import Timer
from typing import TYPE_CHECKING

import numpy as np

from statetracker.surface import decide, framebuffer, layout, surface_request
from statetracker.surface.batch import detile_surface, layout_batch, tile_surface

if TYPE_CHECKING:
    from collections.abc import Callable

_REPEATS = 7
_BATCH = 100_000


def seconds(call: Callable[[], object], times: int) -> float:
    """Median seconds a call takes."""
    return median(Timer(call).repeat(_REPEATS, times)) / times


def line(name: str, each_s: float, empty_s: float) -> None:
    """Print one measurement."""
    sys.stdout.write(f"{name:58} {each_s * 1e6:10.2f} us {1 / each_s:14,.0f} /s {each_s / empty_s:10.0f} empty calls\n")


def main() -> int:
    """Measure and print."""
    empty = seconds(lambda: None, 100_000)
    for levels, layers in ((1, 1), (4, 1), (11, 1), (1, 64), (4, 64), (11, 64)):
        r = surface_request(6, "stencil", "R8_UINT", 1024, 1024, levels=levels, array_len=layers)
        line(f"layout, gen6 stencil, {levels} levels, {layers} layers", seconds(partial(layout, r), 2000), empty)
    r = surface_request(7, "depth", "R32_FLOAT", 4096, 4096, levels=13, array_len=4)
    surface = layout(r)
    line("layout, gen7 depth, 13 levels, 4 layers", seconds(lambda: layout(r), 2000), empty)
    line("one offset query", seconds(lambda: surface.offset(7, 3), 20_000), empty)
    rng = np.random.default_rng(1)
    width, height = rng.integers(1, 4096, _BATCH), rng.integers(1, 4096, _BATCH)
    for levels in (1, 4, 13):
        many = surface_request(7, "depth", "R32_FLOAT", 1, 1, levels=levels)
        each = seconds(partial(layout_batch, many, width, height), 1) / _BATCH
        line(f"layout in a batch of {_BATCH:,}, gen7 depth, {levels} levels", each, empty)
    fb = framebuffer("6", "2D", "Z24S8", 300, 200, levels=9, level=3, attach="same_renderbuffer")
    line("alignment decision, gen6 packed", seconds(lambda: decide(fb), 2000), empty)
    image = rng.integers(0, 255, (4096, 4096), np.uint8)
    copy = seconds(image.copy, 3)
    gigabytes = image.size / 1e9
    sys.stdout.write(f"plain copy of 16 MiB {gigabytes / copy:47.2f} GB/s\n")
    for tiling, pitch in (("X", 4096), ("Y", 4096), ("W", 8192)):
        memory = tile_surface(image, tiling, pitch)
        each = seconds(partial(detile_surface, memory, tiling, pitch), 1)
        sys.stdout.write(f"detile 16 MiB from {tiling} {gigabytes / each:47.2f} GB/s {each / copy:10.1f} copies\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
