"""A frame loop over a working set larger than the budget: 10,000 frames with 2,000 binds each (``make frame-loop``).

Looked at: live states (counted by the driver itself, at every create) never above the budget; every handle that is
bound exists; memory flat once the memo has gone round. Prints the counts; exits 1 if one of the three does not hold.
"""

from __future__ import annotations

import argparse
import sys
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import statetracker as st

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BUDGET = 1024
ANIMATED = 24  # samplers whose LOD bias changes every frame


class Driver:
    """Counts what lives. A handle is a number; numbers of deleted states come back."""

    def __init__(self, budget: int) -> None:
        self.live = self.most = self.creates = self.deletes = self.wrong = 0
        self.exists = bytearray(2 * budget)
        self.free = list(range(len(self.exists)))

    def create_sampler_state(self, record: bytes) -> int:
        """Give a free handle."""
        handle = self.free.pop()
        self.exists[handle] = len(record) == 36
        self.creates += 1
        self.live += 1
        self.most = max(self.most, self.live)
        return handle

    def bind_sampler_states(self, _stage: str, _start: int, handles: Sequence[int | None]) -> None:
        """Count handles that do not exist."""
        for handle in handles:
            if handle is not None and not self.exists[handle]:
                self.wrong += 1

    def delete_sampler_state(self, handle: int) -> None:
        """Take a handle back."""
        self.wrong += not self.exists[handle]
        self.exists[handle] = 0
        self.free.append(handle)
        self.deletes += 1
        self.live -= 1


class Outcome(NamedTuple):
    """What a run saw. ``blocks`` is the most memory, in blocks of Python's, in each tenth of the frames."""

    budget: int
    frames: int
    binds: int
    unchanged: int
    slots_changed: int
    conversions: int
    creates: int
    deletes: int
    most_live: int
    wrong: int
    left: int
    blocks: list[int]
    rss_kib: list[int]
    seconds: float

    @property
    def growth(self) -> float:
        """The most memory in the second half of the frames, over the most in the first: 1.0 is flat."""
        return max(self.blocks[5:]) / max(self.blocks[:5])

    @property
    def fine(self) -> bool:
        """Whether everything looked at holds."""
        flat = self.growth < 1.01
        return (
            flat and self.most_live <= self.budget and not self.wrong and not self.left and self.creates == self.deletes
        )


def rss_kib() -> int:
    """Resident memory of this process; 0 where the system does not report it."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 (once a tenth)
            return int(file.read().split()[1]) * 4
    except OSError:
        return 0


def scene(count: int) -> tuple[list[tuple[tuple[st.Sampler, st.Texture], ...]], list[st.Sampler]]:
    """Materials of two samplers each, no two alike, and the samplers that the game animates."""
    textures = [st.Texture(internal_format=name, size=(64, 64)) for name in ("RGBA8", "R8", "LUMINANCE8", "RG16F")]
    samplers = [st.Sampler(max_lod=n / 8, wrap="clamp" if n % 3 else "repeat") for n in range(2 * count)]
    materials = [
        tuple((samplers[2 * n + k], textures[(n + k) % len(textures)]) for k in range(2)) for n in range(count)
    ]
    return materials, samplers[:: 2 * count // ANIMATED]


def run(frames: int, binds: int, step: Callable[[], object] = lambda: None, *, budget: int = BUDGET) -> Outcome:
    """Draw frames of a game with three times as many states as the budget; ``step`` is called after each tenth."""
    driver = Driver(budget)
    materials, animated = scene(3 * budget // 2)
    tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), driver, policy=st.Policy(max_states=budget))
    view = len(materials) // 5
    totals = [0] * 4
    blocks: list[int] = []
    rss: list[int] = []
    peak = 0
    start = perf_counter()
    for frame in range(frames):
        for n, sampler in enumerate(animated):
            sampler.lod_bias = (frame * ANIMATED + n) % 4096 / 256
        at = frame * 3  # the camera moves: a fifth is in view, each material in several draws one after the other
        for draw in range(binds):
            tracker.bind("fragment", materials[(at + draw * view // binds) % len(materials)])
        counts = tracker.end_frame()
        totals = [total + now for total, now in zip(totals, counts[1:5], strict=True)]
        peak = max(peak, sys.getallocatedblocks())
        if (frame + 1) % (frames // 10) == 0:
            blocks.append(peak)
            rss.append(rss_kib())
            peak = 0
            step()
    tracker.destroy()
    seconds = perf_counter() - start
    seen = (driver.creates, driver.deletes, driver.most, driver.wrong, driver.live)
    return Outcome._make((budget, frames, *totals, *seen, blocks, rss, seconds))


def main() -> int:
    """Run with a progress bar, print a table."""
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--frames", type=int, default=10_000, help="a multiple of 10")
    parser.add_argument("--binds", type=int, default=2_000, help="per frame")
    options = parser.parse_args()
    if options.frames < 10 or options.frames % 10 or options.binds < 1:
        parser.error("--frames takes a multiple of 10, --binds 1 or more")
    with Progress() as progress:
        task = progress.add_task(f"{options.frames:,} frames with {options.binds:,} binds", total=10)
        outcome = run(options.frames, options.binds, lambda: progress.advance(task))
    table = Table("what", "count", title="The frame loop")
    table.columns[1].justify = "right"
    for name in Outcome._fields[:-3]:
        table.add_row(name.replace("_", " "), f"{getattr(outcome, name):,}")
    table.add_row("most memory, 1,000 blocks, tenth by tenth", " ".join(f"{n / 1000:.0f}" for n in outcome.blocks))
    table.add_row("resident memory, MiB", " ".join(f"{n / 1024:.0f}" for n in outcome.rss_kib))
    table.add_row("seconds", f"{outcome.seconds:.0f}")
    table.add_row("microseconds a bind", f"{outcome.seconds / outcome.binds * 1e6:.2f}")
    Console().print(table)
    Console().print("Fine." if outcome.fine else "NOT fine: see most live, wrong, left, and memory.")
    return 0 if outcome.fine else 1


if __name__ == "__main__":
    sys.exit(main())
