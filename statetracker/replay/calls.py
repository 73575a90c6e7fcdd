"""What handlers of GL calls share: their form, and how they read arguments.

A part of a session has a table ``CALLS`` of methods that take GL's arguments, and ``WHOLE_CALLS`` of methods that take
the call itself before them. They give doubts in words, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from statetracker.trace.apitrace import DumpCall

__all__ = ["Handlers", "integers", "nothing", "result_name"]

#: Names of calls -> methods of a part.
Handlers: TypeAlias = Mapping[str, Callable[..., Sequence[str] | None]]


def nothing(*_args: object) -> None:
    """Calls that are known and change nothing that a draw reads."""


def integers(value: object) -> list[int]:
    """The names in an array; of a blob only the size is known."""
    return [name for name in value if isinstance(name, int)] if type(value) is tuple else []


def result_name(call: DumpCall) -> int:
    """The name of an object that a call made; 0: none."""
    return call.result if isinstance(call.result, int) else 0
