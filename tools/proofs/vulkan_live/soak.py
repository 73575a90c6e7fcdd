"""The soak: binds of more distinct states than the budget allows, over real samplers, counted at the binding."""

from __future__ import annotations

import resource
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.cso import CsoContext
from statetracker.vulkan.driver import VulkanDriver
from tools.proofs.vulkan_live.records import random_record

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["Soaked", "soak", "soaked"]

STATES: Final = 50_000
BUDGET: Final = 1024
_SLOTS: Final = 16
_STEP: Final = 1000


class Soaked(NamedTuple):
    """The counts of a soak.

    binds      slots bound
    distinct   states among them
    created, destroyed   samplers, counted at the binding
    peak       the most that existed at one moment
    left       samplers that exist after the context was destroyed
    grown_kib  how much resident memory grew from a fifth of the way to the end, KiB
    hits       lookups that the cache answered
    """

    binds: int
    distinct: int
    created: int
    destroyed: int
    peak: int
    left: int
    grown_kib: int
    hits: int


def soaked(driver: VulkanDriver, binds: int, *, states: int, seed: int, progress: Progress | None = None) -> Soaked:
    """Bind ``binds`` slots of records out of ``states`` through a cache over a driver, then destroy the cache.

    Half of the draws use records of a small working set that moves, as programs do; the others any.
    """
    rng = Random(seed)  # noqa: S311 (no secret)
    records = list({random_record(rng): None for _ in range(2 * states)})[:states]
    context = CsoContext(driver, max_size=driver.max_states)
    device, seen, peak, begin = driver.device, set[int](), 0, 0
    task = progress.add_task("soak", total=binds) if progress else None
    early = max(1, binds // 5 // _SLOTS)
    for draw in range(binds // _SLOTS):
        base = draw // 8 % len(records)
        near = draw % 2
        chosen = [
            (base + rng.randrange(200)) % len(records) if near else rng.randrange(len(records)) for _ in range(_SLOTS)
        ]
        seen.update(chosen)
        context.set_samplers("fragment", [records[n] for n in chosen])
        peak = max(peak, device.live("VkSampler"))
        if draw == early:
            begin = resident_kib()
        if progress and task is not None and draw % (_STEP // _SLOTS) == 0:
            progress.update(task, completed=draw * _SLOTS)
    grown = resident_kib() - begin
    hits = context.statistics().hits
    context.destroy()
    created, destroyed = device.created["VkSampler"], device.destroyed["VkSampler"]
    return Soaked(binds // _SLOTS * _SLOTS, len(seen), created, destroyed, peak, device.live("VkSampler"), grown, hits)


def resident_kib() -> int:
    """Resident memory of this process, KiB; where there is no /proc, the most it ever was."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


def soak(binds: int, *, seed: int, progress: Progress) -> int:
    """Run the soak and print it; 0 if the budget held and every sampler was destroyed once."""
    with progress, VulkanDriver.open(budget=BUDGET) as driver:
        result = soaked(driver, binds, states=STATES, seed=seed, progress=progress)
    print(
        f"{result.binds:,} binds of {result.distinct:,} states: {result.created:,} samplers made, {result.destroyed:,} "
        f"destroyed, {result.peak:,} at most at one moment (budget {BUDGET:,}), {result.left} left; "
        f"{result.hits:,} hits; memory grew by {result.grown_kib:,} KiB after the first fifth"
    )
    return int(result.peak > BUDGET or result.left != 0 or result.created != result.destroyed)
