"""Where a difference from Mesa is meant: the departures of docs/departures.md that random calls meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.proofs.gl_calls.sides import Call, Done

__all__ = ["DEPARTURES", "Departure"]


class Departure(NamedTuple):
    """One listed difference.

    name      its heading in docs/departures.md
    applies   whether a call's difference is this one: profile, call, what Mesa did, what we did
    ends      whether the two sides' states differ from here on
    """

    name: str
    applies: Callable[[str, Call, Done, Done], bool]
    ends: bool = False


DEPARTURES: Final = (
    Departure("Sizes beyond memory", lambda _profile, _call, mesa, _own: mesa.error == "GL_OUT_OF_MEMORY", ends=True),
)
