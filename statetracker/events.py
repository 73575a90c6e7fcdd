"""Events: what happened that a user may want to see. Silent, and free of cost, until listened to.

A package calls `emit`. An event goes to every listener (`listen`), and to structlog where the user has configured it:
``structlog.configure(...)``, or ``--log`` on the command line. Nothing is formatted and structlog is not loaded before.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_listeners: list[Callable[[str, str, dict[str, Any]], object]] = []


def listen(listener: Callable[[str, str, dict[str, Any]], object]) -> None:
    """Call ``listener(room, event, facts)`` for every event from now on."""
    _listeners.append(listener)


def quiet() -> None:
    """Drop every listener."""
    _listeners.clear()


def listening() -> bool:
    """Return whether an event would be seen; ask before working out facts that cost something."""
    return bool(_listeners) or _structlog_configured()


def emit(room: str, event: str, **facts: Any) -> None:  # noqa: ANN401 (facts of any kind)
    """Report an event: the package it happened in (``room``), what it is, and its facts."""
    for listener in tuple(_listeners):  # one may add or drop some
        listener(room, event, facts)
    if _structlog_configured():
        sys.modules["structlog"].get_logger(room).info(event, room=room, **facts)


def _structlog_configured() -> bool:
    """Return whether the user has loaded structlog and configured it."""
    configured = getattr(sys.modules.get("structlog"), "is_configured", None)
    return configured is not None and configured()
