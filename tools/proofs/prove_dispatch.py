"""Certifies the register allocator over random programs from a seed: ``make registers`` (50,000; minutes).

Every program is allocated in a small register file, checked by code of its own, and interpreted before and after.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random
from typing import NamedTuple

from statetracker.geometry import allocate, live_intervals
from tests.geometry.certificate import faults, spans
from tests.geometry.random_programs import random_program
from tools.proofs.progress import add_workers, in_parts

CHUNK = 250


class Tally(NamedTuple):
    """Programs allocated, spilled, spills, not to be helped, and what is wrong."""

    allocated: int
    spilled: int
    spills: int
    failed: int
    wrong: list[str]


def chunk(first: int) -> Tally:
    """Certify the programs of some seeds."""
    allocated = spilled = spills = failed = 0
    wrong: list[str] = []
    for seed in range(first, first + CHUNK):
        random = Random(seed)  # noqa: S311 (a test's dice)
        count, payload = random.randint(6, 24), random.randint(0, 3)
        program = random_program(
            seed, length=random.randint(5, 60), values=random.randint(1, count),
            pairs=random.choice([0, 0, 0.15]), flow=random.choice([0, 2, 2, 3]),
        )  # fmt: skip
        if {n: tuple(one) for n, one in enumerate(live_intervals(program)) if one.end >= 0} != spans(program):
            wrong.append(f"seed {seed}: intervals differ")
        allocation = allocate(program, payload, count=count)
        failed += not allocation.ok
        allocated += allocation.ok
        spilled += allocation.ok and bool(allocation.spills)
        spills += len(allocation.spills)
        if allocation.ok:
            wrong += [f"seed {seed}: {one}" for one in faults(program, allocation, payload, count, seed=seed)]
    return Tally(allocated, spilled, spills, failed, wrong)


def main() -> int:
    """Run the chunks on all cores, with progress; 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50_000, help="programs, rounded up to chunks of 250")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    add_workers(parser)
    asked = parser.parse_args()
    firsts = range(asked.seed, asked.seed + asked.count, CHUNK)
    allocated = spilled = spills = failed = 0
    wrong: list[str] = []
    begun = time.monotonic()
    for done in in_parts("250 programs", chunk, {f"seeds from {first}": (first,) for first in firsts}, asked):
        allocated, spilled, spills = allocated + done.allocated, spilled + done.spilled, spills + done.spills
        failed += done.failed
        wrong += done.wrong
    for one in wrong[:20]:
        print(one)
    print(
        f"{len(firsts) * CHUNK} programs: {allocated} allocated and certified, {spilled} of them spill ({spills}), "
        f"{failed} not to be helped, {len(wrong)} faults, {time.monotonic() - begun:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
