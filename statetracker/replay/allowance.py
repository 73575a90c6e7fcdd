"""How much a recording may make out of little: one allowance for all of it, in list calls, tokens and elements.

GL has no bound on display lists that call lists, on macros that double, or on texts that include each other; ten lines
can cost hours. What a program needs grows with its recording, and so does the allowance. Once it is spent, nothing more
is expanded: one error says so, and what is left out is counted by name.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from statetracker.errors import StateTrackerError
from statetracker.unpacking import limits

#: What each call of a recording adds.
EACH: Final = 200


class Spent(StateTrackerError):
    """The allowance of a recording is spent; ``first``: it was not before."""

    def __init__(self, what: str, most: int, *, first: bool) -> None:
        super().__init__(what, most, hint="'statetracker --limits 10 COMMAND' expands ten times as much.")
        self.most = most
        self.first = first

    def subject(self) -> str:
        """The message."""
        return f"{self.field} expand to more than {self.most:,} list calls, tokens and elements; the rest is left out"


class Allowance:
    """What a recording may still expand; ``refused`` counts by name what was not."""

    def __init__(self) -> None:
        self.most = self._left = limits().expanded
        self.spent = False
        self.refused: Counter[str] = Counter()

    def grow(self) -> None:
        """Count a call of the recording."""
        self.most += EACH
        self._left += EACH

    def take(self, what: str, count: int = 1) -> None:
        """Use some of it up; raises `Spent` where there is not so much left, and from then on."""
        self._left -= count
        if self.spent or self._left < 0:
            first, self.spent = not self.spent, True
            self.refused[what] += 1
            raise Spent(what, self.most, first=first)
