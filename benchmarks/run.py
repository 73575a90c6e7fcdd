"""Every measurement, as a table or, with ``--json``, a line of JSON each. The same as ``statetracker bench``."""

from __future__ import annotations

import sys

from statetracker.cli.bench import show

if __name__ == "__main__":
    sys.exit(show("", repeats=7, as_json="--json" in sys.argv[1:]))
