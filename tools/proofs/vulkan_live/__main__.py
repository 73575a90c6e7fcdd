"""Live runs against this machine's Vulkan and its validation layer.

``python -m tools.proofs.vulkan_live valid [COUNT]``  samplers of random records, made and destroyed without a message
``python -m tools.proofs.vulkan_live agree [COUNT]``  random, mostly bad infos: checker and layer name the same rules
``python -m tools.proofs.vulkan_live soak [BINDS]``   the cache over real samplers within a budget
``python -m tools.proofs.vulkan_live host [BINDS]``   a StateTracker over devices that the `vulkan` package made

Exit codes: 0 as it should be, 1 it is not, 2 it could not be tried.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.table import Table

from statetracker.bindings import vulkan
from statetracker.errors import StateTrackerError, WorkerLost
from tools.proofs.progress import progress, words
from tools.proofs.vulkan_live.host import hosted
from tools.proofs.vulkan_live.layer import ALONE, GAPS
from tools.proofs.vulkan_live.runs import run
from tools.proofs.vulkan_live.soak import soak

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTS: Final = {"valid": 1_000_000, "agree": 500_000, "soak": 1_000_000, "host": 100_000}
LEAST: Final = 1000  # how often each rule must be broken in a whole run


def _show_valid(total: dict[str, Any]) -> int:
    print(f"{total['created']:,} samplers made under the validation layer, {total['live']} left, ", end="")
    print(f"{total['chained']:,} with a chain: {total['messages']} messages")
    for text in total["texts"]:
        print(text)
    return int(bool(total["messages"] or total["live"]))


def _show_agree(total: dict[str, Any]) -> int:
    gaps = {gap.rule: gap.words for gap in GAPS}
    grid = Table("rule", "broken", "named by the layer", "known gap of the layer", box=None, pad_edge=False)
    for rule in sorted({*total["rules"], *total["layer"]}):
        grid.add_row(rule, f"{total['rules'][rule]:,}", f"{total['layer'][rule]:,}", gaps.get(rule, ""))
    Console(width=None if sys.stdout.isatty() else 160).print(grid)
    done, differs = total["done"], total["differs"]
    print(
        f"\n{done - differs:,} of {done:,} infos: checker and layer name the same rules ({total['valid']:,} break none)"
    )
    for number, wanted, said, reached in total["differ"][:10]:
        print(f"info {number}: expected {wanted}, the layer said {said}; reached the driver: {reached}")
    rare = [rule for rule in ALONE if total["rules"][rule] < LEAST]
    if rare and done >= COUNTS["agree"]:
        print(f"broken fewer than {LEAST} times: {', '.join(rare)}")
        return 1
    return int(bool(differs))


def _live(mode: str, show: Callable[[dict[str, Any]], int], options: argparse.Namespace) -> int:
    count = options.count or COUNTS[mode]
    start = time.monotonic()
    code = show(run(mode, count, seed=options.seed, workers=options.workers))
    print(f"{time.monotonic() - start:.0f} s, seed {options.seed}")
    return code


def main(argv: list[str] | None = None) -> int:
    """Run one of the four."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.proofs.vulkan_live", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("mode", choices=COUNTS)
    parser.add_argument("count", nargs="?", type=int, help="how many; default: " + str(COUNTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="processes, two at least; else one a core")
    options = parser.parse_args(argv)
    there = vulkan.available(validation=options.mode != "soak")
    if not there:
        sys.stderr.write(f"{there.reason}\n")
        return 2
    try:
        if options.mode == "soak":
            return soak(options.count or COUNTS["soak"], seed=options.seed, progress=progress())
        if options.mode == "host":
            return hosted(options.count or COUNTS["host"], seed=options.seed, progress=progress())
        return _live(options.mode, {"valid": _show_valid, "agree": _show_agree}[options.mode], options)
    except StateTrackerError as error:
        print(words(error), file=sys.stderr)
        return 1 if isinstance(error, WorkerLost) else 2


if __name__ == "__main__":
    raise SystemExit(main())
