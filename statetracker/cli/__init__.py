"""The command line: parses, calls, prints; decides nothing.

Exit codes: 0 fine, 1 a difference, 2 could not do it; 130 and 143 interrupted by SIGINT and SIGTERM.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; ``argv`` without the program's name, by default the process's. Returns the exit code."""
    from statetracker.cli.run import run

    return run(list(sys.argv[1:] if argv is None else argv))
