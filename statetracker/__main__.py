"""``python -m statetracker``: the command line."""

from __future__ import annotations

import sys

from statetracker.cli import main

if __name__ == "__main__":
    sys.exit(main())
