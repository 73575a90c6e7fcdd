"""Events: what happened that a user may want to see. Silent unless somebody listens.

A room tells an event with `tell`; a listener (structlog, through ``--log`` or the user's own configuration) hears it.
Nothing is formatted and structlog is not loaded while nobody listens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["listen", "listening", "quiet", "tell"]

_listeners: list[Callable[[str, str, dict[str, Any]], object]] = []


def listen(listener: Callable[[str, str, dict[str, Any]], object]) -> None:
    """Call ``listener(room, event, facts)`` for every event from now on."""
    _listeners.append(listener)


def quiet() -> None:
    """Forget every listener."""
    _listeners.clear()


def listening() -> bool:
    """Whether anybody listens; ask before working out facts that cost something."""
    return bool(_listeners)


def tell(room: str, event: str, **facts: Any) -> None:  # noqa: ANN401 (facts of any kind)
    """Tell an event: the room it happened in, what it is, and its facts."""
    for listener in _listeners:
        listener(room, event, facts)
