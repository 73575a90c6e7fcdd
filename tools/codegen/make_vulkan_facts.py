"""Write ``caps/lavapipe.json.gz`` from what vulkaninfo printed: the facts of the embedded screen ``zink-lavapipe``.

``python tools/codegen/make_vulkan_facts.py [REPORT]``; REPORT is a report in any form that `Screen.load` reads, by
default the sample of the tests. Exit codes: 0 written, 2 that is no report of a Vulkan device.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Final

from statetracker.caps import Screen

ROOT: Final = Path(__file__).resolve().parents[2]
SAMPLE: Final = ROOT / "tests" / "data" / "reports" / "vulkaninfo-1.3.239-lavapipe.json.gz"
TARGET: Final = ROOT / "caps" / "lavapipe.json.gz"


def main(argv: list[str]) -> int:
    """Read the report and write its facts."""
    facts = Screen.load(argv[0] if argv else SAMPLE).vulkan
    if facts is None:
        sys.stderr.write("that is no report of a Vulkan device\n")
        return 2
    sets = {"features": sorted(facts.features), "extensions": sorted(facts.extensions)}
    text = json.dumps({**facts._asdict(), **sets}, separators=(",", ":"))
    TARGET.write_bytes(gzip.compress(text.encode(), mtime=0))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
