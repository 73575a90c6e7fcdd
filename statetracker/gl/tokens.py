"""Tokens: integers that are never used twice in a process.

Every sampler, texture and unit carries one and takes a new one on every change. A remembered result is kept with the
tokens it was made from: equal tokens mean that nothing changed, which equal addresses would not. The token is taken
before the change, so that an interrupt between the two leaves nothing remembered that is no longer right.
`changes` has the newest token, so that one compare shows that no object at all has changed.
"""

from __future__ import annotations

from itertools import count

_next = count(1).__next__


class _Changes:
    """``last`` is the newest token of the process."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last = 0


#: ``changes.last``: as long as it is the same integer, no sampler, texture or unit was made or changed.
changes = _Changes()


def next_token() -> int:
    """Give an integer never given before."""
    changes.last = token = _next()
    return token
