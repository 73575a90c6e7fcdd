"""Display lists of a stream: calls between glNewList and glEndList are kept, and executed by glCallList.

Source: docs/streams.md (GL 4.6 compatibility, 21.4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import StateTrackerError
from statetracker.frontend.stream_calls import at_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.frontend.stream import StreamCall

__all__ = ["DisplayLists", "Endless"]

_COMPILE_AND_EXECUTE: Final = 0x1301
#: How deep lists may call lists.
_DEEPEST: Final = 64
#: How many calls one glCallList may come to. GL knows no such bound; lists that each call the one before twice need it.
_MOST: Final = 1_000_000


class Endless(StateTrackerError):
    """Lists that call each other come to more calls than can be."""

    def __init__(self) -> None:
        super().__init__("display lists", _MOST)

    def subject(self) -> str:
        """Say so."""
        return f"the display lists come to more than {_MOST:,} calls; the rest was left out"


class DisplayLists:
    """Lists of a share group, and the one that is being compiled."""

    def __init__(self) -> None:
        self.lists: dict[int, tuple[StreamCall, ...]] = {}
        self.base = 0
        self.depth = 0
        self._name = 0
        self._calls: list[StreamCall] | None = None
        self._both = False
        self._done = 0
        self._running: list[int] = []

    @property
    def compiling(self) -> bool:
        """Whether a list is being compiled."""
        return self._calls is not None

    @property
    def compiles_only(self) -> bool:
        """Whether calls go into a list and are not executed now."""
        return self._calls is not None and not self._both and not self.depth

    def begin(self, name: int, mode: int) -> None:
        """``glNewList``."""
        if name > 0 and self._calls is None:
            self._name, self._calls, self._both = name, [], mode == _COMPILE_AND_EXECUTE

    def end(self) -> None:
        """``glEndList``."""
        if self._calls is not None:
            self.lists[self._name] = tuple(self._calls)
            self._calls = None

    def keep(self, call: StreamCall) -> bool:
        """Take a call into the list that is compiled; whether that is all that happens to it now."""
        if self._calls is None or self.depth or at_once(call.name):
            return False
        self._calls.append(call)
        return not self._both

    def delete(self, first: int, count: int) -> None:
        """``glDeleteLists``."""
        for name in [name for name in self.lists if first <= name < first + count]:
            del self.lists[name]

    def run(self, name: int, execute: Callable[[StreamCall], None]) -> None:
        """``glCallList``; a list within itself is left out. Raises `Endless` where there is no end to it."""
        if self.depth >= _DEEPEST or name in self._running:
            return
        if self.depth == 0:
            self._done = 0
        self.depth += 1
        self._running.append(name)
        try:
            for call in self.lists.get(name, ()):
                self._done += 1
                if self._done > _MOST:
                    raise Endless
                execute(call)
        finally:
            self.depth -= 1
            self._running.pop()

    def candidates(self, draws: Callable[[StreamCall], bool]) -> list[int]:
        """The lists that a glCallLists with one-byte names may mean, those from the list base on.

        Lists that draw nothing come first: what they set is for those that draw.
        """
        near = (name for name in self.lists if 0 <= name - self.base < 256)
        return sorted(near, key=lambda name: (any(map(draws, self.lists[name])), name))
