"""Live cases a second of one core, driver by driver: ``python benchmarks/live.py [CASES]``.

Counted is processor time, ours and the driver's processes', so that other work on the machine does not matter.
"""

from __future__ import annotations

import resource
import sys

from statetracker.conformance.run import conform
from statetracker.errors import StateTrackerError


def processor_seconds() -> float:
    """Processor time of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Run some cases on each driver that this machine has."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    for name in ("llvmpipe", "softpipe", "zink"):
        before = processor_seconds()
        try:
            tally = conform(name, count=count, seed=1)
        except StateTrackerError as error:
            sys.stdout.write(f"{name:<10} {error}\n")
            continue
        used = processor_seconds() - before
        rate = f"{count / used:6.0f} cases a second of one core"
        clock = f"{count / tally.seconds:6.0f} by the clock"
        sys.stdout.write(f"{name:<10} {rate}, {clock}, {tally.differ} differ\n")


if __name__ == "__main__":
    main()
