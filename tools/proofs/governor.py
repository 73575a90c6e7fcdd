"""Binds of far more states than a limit allows, under each limit and governor (``make governor``).

Looked at at every bind: live states (counted by the driver itself) never above the limit, at most one create, no
handle bound that does not exist. Prints a row a run; exits 1 if one of the three does not hold. With ``--picture`` it
draws the worst merge of all: as asked for, as it is, and the difference.
"""

from __future__ import annotations

import argparse
import random
import sys
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import statetracker as st
from tools.proofs.frame_loop import Driver

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.cso import Loss, Merge

#: xemu's, small ones, Apple's, SwiftShader's.
LIMITS: Final = (16, 24, 64, 1024, 4000)
GOVERNORS: Final = ("merge", "nearest")
_FRAME: Final = 1000  # binds
_VIEW: Final = 400  # materials that the camera sees at once
_WRAPS: Final = ("repeat", "mirrored-repeat", "clamp-to-edge", "clamp-to-border")
_FILTERS: Final = ("linear-mipmap-linear", "linear-mipmap-nearest", "nearest-mipmap-linear")


class Outcome(NamedTuple):
    """What a run saw. ``twice``: binds with more than one create; ``wrong``: handles bound that did not exist."""

    limit: int
    when_full: str
    binds: int
    most_live: int
    creates: int
    twice: int
    wrong: int
    merged: int
    worst: Loss
    seconds: float

    @property
    def fine(self) -> bool:
        """Whether everything looked at holds."""
        return self.most_live <= self.limit and not self.twice and not self.wrong


def materials(count: int) -> list[tuple[tuple[st.Sampler, st.Texture]]]:
    """As many materials of one sampler, no two of whose states are alike."""
    chance, texture = random.Random(3), st.Texture(internal_format="RGBA8", size=(64, 64), levels=7)  # noqa: S311
    made = []
    for n in range(count):
        options: dict[str, Any] = {"wrap": chance.choice(_WRAPS), "min_filter": chance.choice(_FILTERS)}
        if options["wrap"] == "clamp-to-border":
            options["border_color"] = tuple(chance.randrange(5) / 4 for _ in range(4))
        anisotropy = chance.choice((1, 2, 4, 8, 16))
        sampler = st.Sampler(lod_bias=n % 4096 / 256 - 8, max_lod=8.0 + n // 4096, max_anisotropy=anisotropy, **options)
        made.append(((sampler, texture),))
    return made


def run(
    scene: list[tuple[tuple[st.Sampler, st.Texture]]],
    binds: int,
    limit: int,
    when_full: str,
    step: Callable[[int], object] = lambda _: None,
) -> tuple[Outcome, Merge | None]:
    """Bind materials as a camera meets them that moves on; gives the worst merge that there is at the end, too."""
    driver, chance = Driver(limit + 1), random.Random(limit)  # noqa: S311
    policy = st.Policy(unique_limit=limit, when_full=when_full)
    tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), driver, policy=policy)
    twice = merged = 0
    start = perf_counter()
    for done in range(0, binds, _FRAME):
        at = done * len(scene) // binds * 3
        for _ in range(min(_FRAME, binds - done)):
            before = driver.creates
            tracker.bind("fragment", scene[(at + int(_VIEW * chance.random() ** 2)) % len(scene)])
            twice += driver.creates > before + 1
        merged += tracker.end_frame().merged
        step(_FRAME)
    worst = tracker.cso.cache.worst  # type: ignore[attr-defined]  # a governor's
    seen = (driver.most, driver.creates, twice, driver.wrong, merged, worst, perf_counter() - start)
    merge = max(tracker.merges(), key=lambda merge: merge.loss.distance, default=None)
    tracker.destroy()
    return Outcome(limit, when_full, binds, *seen), merge


def draw(merge: Merge, path: str) -> None:
    """Draw what was asked for beside what stands in for it."""
    from statetracker.pipe import Lowering, LoweringValues
    from statetracker.reference import Texels
    from statetracker.reference.lowered import LoweredUnit
    from statetracker.reference.picture import default_texels, preview, sheet

    level = default_texels().levels[0][0, 0].repeat(8, 0).repeat(8, 1)  # a texel a pixel, so that levels show
    levels = [level]
    while len(levels[-1]) > 1:  # each texel the mean of four
        last = levels[-1]
        levels.append((last[::2, ::2] + last[1::2, ::2] + last[::2, 1::2] + last[1::2, 1::2]) / 4)
    given = st.SamplerState.from_bytes(merge.given)
    values = LoweringValues(lod_bias=given.lod_bias, min_lod=given.min_lod, max_lod=given.max_lod)
    unit = LoweredUnit(given, Lowering(), values, Texels("2d", levels))
    sheet(preview(st.SamplerState.from_bytes(merge.asked), unit)).save(path)


def main() -> int:
    """Run with a progress bar, print a table."""
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--binds", type=int, default=1_000_000, help="in each run")
    parser.add_argument("--states", type=int, default=50_000)
    parser.add_argument("--picture", metavar="FILE.png", help="draw the worst merge")
    options = parser.parse_args()
    if options.picture and not Path(options.picture).suffix:
        parser.error("--picture: a name with an ending, as worst.png")
    scene, outcomes, merges = materials(options.states), [], []
    with Progress() as progress:
        for when_full in GOVERNORS:
            for limit in LIMITS:
                name = f"{when_full}, {limit:,} of {options.states:,} states"
                task = progress.add_task(name, total=options.binds)
                step = partial(progress.advance, task)
                outcome, merge = run(scene, options.binds, limit, when_full, step)
                outcomes.append(outcome)
                merges += [merge] if merge is not None else []
    table = Table(
        "governor", "limit", "binds", "most live", "creates", "merged", "two creates", "wrong", "lost, at most", "s"
    )
    for one in outcomes:
        row = (one.limit, one.binds, one.most_live, one.creates, one.merged, one.twice, one.wrong)
        table.add_row(one.when_full, *(f"{n:,}" for n in row), str(one.worst), f"{one.seconds:.0f}")
    console = Console(width=140)
    console.print(table)
    worst = max(merges, key=lambda merge: merge.loss.distance)
    console.print(f"the worst merge that was left: {worst.loss}")
    if options.picture:
        draw(worst, str(Path(options.picture)))
    fine = all(outcome.fine for outcome in outcomes)
    console.print("Fine." if fine else "NOT fine: see most live, two creates, wrong.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
