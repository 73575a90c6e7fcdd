"""Events on standard error: what ``--log`` turns on.

Every package that has events has a structlog logger of its name, silent until structlog is configured, here or by the
user's program.
"""

from __future__ import annotations

import sys

from statetracker.errors import StateTrackerError

__all__ = ["turn_on"]


def turn_on() -> None:
    """Write every event as one line to standard error."""
    try:
        import structlog
    except ImportError:
        raise StateTrackerError("--log", None, hint="Install what writes events: pip install structlog") from None
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())],
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
