"""The whole discrete space: 331,776 states of each of four textures against every device of the corpus.

States that become alike are one column, devices that rules cannot tell apart one class; then random states themselves
are converted on devices themselves, and compared with their columns. What is done is kept, so a run that was stopped
goes on where it was. Exit codes: 0 nothing is wrong, and the shares are the stored ones; 1 otherwise; 130 stopped.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TYPE_CHECKING, Final

from statetracker.caps.devices import corpus
from statetracker.survey.space import TEXTURES
from tools.proofs.progress import progress
from tools.proofs.vulkan_space.judge import judged, space_classes
from tools.proofs.vulkan_space.sample import sample
from tools.proofs.vulkan_space.shares import Kept, shares, stored, write

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK: Final = 250  # pairs of the sample


def _undisturbed() -> None:
    """Leave Ctrl-C to the process that hands out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _columns(kept: Kept, workers: int, every: int) -> None:
    """Judge the classes that are not kept yet; each is kept when it is done."""
    asked = [(name, number) for name in TEXTURES for number in range(len(space_classes(name)))]
    with ProcessPoolExecutor(workers, initializer=_undisturbed) as pool, progress(transient=False) as bar:
        task = bar.add_task("classes of devices", total=len(asked), completed=len(kept.done))
        running = {pool.submit(judged, *one, every): one for one in asked if one not in kept.done}
        try:
            for future in as_completed(running):
                kept.add(running[future], future.result())
                bar.advance(task)
        except KeyboardInterrupt:
            print("stopping when the classes under way are done", file=sys.stderr)
            pool.shutdown(cancel_futures=True)
            raise


def _sample(pairs: int, seed: int, workers: int) -> list[str]:
    parts = [(seed * 1_000_000 + n, min(_CHUNK, pairs - n)) for n in range(0, pairs, _CHUNK)]
    found: list[str] = []
    with ProcessPoolExecutor(workers, initializer=_undisturbed) as pool, progress(transient=False) as bar:
        task = bar.add_task("random pairs", total=pairs)
        for wrong, (_, count) in zip(pool.map(sample, *zip(*parts, strict=True)), parts, strict=True):
            found += wrong
            bar.advance(task, count)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Judge on all cores, with progress."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.proofs.vulkan_space", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th column; nothing is kept")
    parser.add_argument("--pairs", type=int, default=20_000, metavar="N", help="random pairs of a state and a device")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--again", action="store_true", help="forget what an earlier run has done")
    parser.add_argument("--write", action="store_true", help="keep the shares: shares.csv")
    options = parser.parse_args(argv)
    begun = time.monotonic()
    kept = Kept.opened(again=options.again, to_file=options.every == 1)
    try:
        _columns(kept, options.workers, options.every)
        wrong = _sample(options.pairs, options.seed, options.workers)
    except KeyboardInterrupt:
        print(f"stopped; {len(kept.done)} classes are kept, the next run goes on", file=sys.stderr)
        return 130
    found = shares(kept.done)
    for row in found:
        print(f"{row.texture:22} {row.kind:13} {row.states:14,} {row.share_vectors:9.4%} {row.share_reports:9.4%}")
    faults = [fault for one in kept.done.values() for fault in one.wrong]
    count = sum(sum(one.kinds.values()) for one in kept.done.values())
    print(f"{count:,} states on {len(kept.done)} classes, {len(corpus()):,} rows of devices: {len(faults)} wrong")
    print(f"{options.pairs:,} random pairs, seed {options.seed}: {len(wrong)} wrong")
    for fault in (*faults, *wrong)[:20]:
        print(fault)
    whole = options.every == 1
    if whole and options.write and not faults and not wrong:
        write(found)
    differs = whole and found != stored()
    if differs:
        print("These are not the stored shares: run with --write, then tools/codegen/make_docs.py.")
    print(f"{time.monotonic() - begun:.0f} s, {options.workers} workers")
    return int(bool(faults or wrong or differs))


if __name__ == "__main__":
    sys.exit(main())
