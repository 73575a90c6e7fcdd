"""The whole discrete space: 331,776 states of each of four textures against every device of the corpus.

States that become alike are one column, devices that rules cannot distinguish one class; then random states themselves
are converted on devices themselves, and compared with their columns. What is done is kept, so a run that was stopped
goes on where it was. Exit codes: 0 nothing is wrong, and the shares are the stored ones; 1 otherwise; 130 stopped.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Final

from statetracker.caps.devices import corpus
from statetracker.survey.space import TEXTURES
from tools.proofs.progress import add_workers, in_parts
from tools.proofs.vulkan_space.judge import judged, part_id, sample, space_classes
from tools.proofs.vulkan_space.shares import Kept, shares, stored, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.proofs.vulkan_space.judge import Judged

_CHUNK: Final = 250  # pairs of the sample


def _judged(kept: Kept, options: argparse.Namespace) -> list[Judged]:
    """Judge the classes that are not kept yet; each is kept when it is done."""
    parts = {
        part_id(name, number): (name, number, options.every)
        for name in TEXTURES
        for number in range(len(space_classes(name)))
    }
    return list(in_parts("classes of devices", judged, parts, options, kept))


def _sample(options: argparse.Namespace) -> list[str]:
    parts = {
        f"pairs from {first}, seed {options.seed}": (options.seed * 1_000_000 + first, count)
        for first in range(0, options.pairs, _CHUNK)
        if (count := min(_CHUNK, options.pairs - first))
    }
    return [fault for wrong in in_parts("random pairs", sample, parts, options) for fault in wrong]


def main(argv: Sequence[str] | None = None) -> int:
    """Judge on all cores, with progress."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.proofs.vulkan_space", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th column; nothing is kept")
    parser.add_argument("--pairs", type=int, default=20_000, metavar="N", help="random pairs of a state and a device")
    parser.add_argument("--seed", type=int, default=0)
    add_workers(parser)
    parser.add_argument("--again", action="store_true", help="forget what an earlier run has done")
    parser.add_argument("--write", action="store_true", help="keep the shares: shares.csv")
    options = parser.parse_args(argv)
    begun = time.monotonic()
    kept = Kept.opened(again=options.again, to_file=options.every == 1)
    try:
        done = _judged(kept, options)
        wrong = _sample(options)
    except KeyboardInterrupt:
        print(f"stopped; {len(kept)} classes are kept, the next run goes on", file=sys.stderr)
        return 130
    counted = shares(kept)
    for row in counted:
        print(f"{row.texture:22} {row.kind:13} {row.states:14,} {row.share_vectors:9.4%} {row.share_reports:9.4%}")
    faults = [fault for one in done for fault in one.wrong]
    count = sum(sum(one.kinds.values()) for one in done)
    print(f"{count:,} states on {len(done)} classes, {len(corpus()):,} rows of devices: {len(faults)} wrong")
    print(f"{options.pairs:,} random pairs, seed {options.seed}: {len(wrong)} wrong")
    for fault in (*faults, *wrong)[:20]:
        print(fault)
    whole = options.every == 1
    if whole and options.write and not faults and not wrong:
        write(counted)
    differs = whole and counted != stored()
    if differs:
        print("These are not the stored shares: run with --write, then tools/codegen/make_docs.py.")
    print(f"{time.monotonic() - begun:.0f} s, {options.scheduler or f'{options.workers} workers'}")
    return int(bool(faults or wrong or differs))


if __name__ == "__main__":
    sys.exit(main())
