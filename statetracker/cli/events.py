"""Events on standard error: what ``--log`` turns on.

Every room that has something to tell has a structlog logger of its own name; without this, or the user's own
configuration, they are silent.
"""

from __future__ import annotations

import sys

import structlog

from statetracker import events

__all__ = ["turn_on"]


def turn_on() -> None:
    """Write every event as one line to standard error."""
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())],
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
    events.listen(lambda room, event, facts: structlog.get_logger(room).info(event, room=room, **facts))
