"""Every measurement, as a table or, with ``--json``, a line of JSON each: `statetracker bench` and a replay.

``--imports`` instead prints what each module takes to load, the slowest last (``python -X importtime``).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from statetracker.cli.bench import show

ROOT = Path(__file__).parents[1]
RECORDING = ROOT / "tests" / "data" / "mesa" / "zink.jsonl.gz"
NAMES = "import statetracker as s; s.Sampler, s.Texture, s.Screen, s.convert"


def imports() -> int:
    """Print the modules that the four names load, by the time each takes itself, in microseconds."""
    command = [sys.executable, "-X", "importtime", "-c", NAMES]
    ran = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    rows = [line.removeprefix("import time:").split("|") for line in ran.stderr.splitlines()[1:]]
    for own, _, module in sorted(rows, key=lambda row: int(row[0])):
        sys.stdout.write(f"{int(own):8} {module.strip()}\n")
    return 0


if __name__ == "__main__":
    if "--imports" in sys.argv[1:]:
        sys.exit(imports())
    sys.exit(show("", repeats=7, as_json="--json" in sys.argv[1:], recording=RECORDING))
