"""Display lists of a stream: calls between glNewList and glEndList are kept, and executed by glCallList.

Source: docs/streams.md (GL 4.6 compatibility, 21.4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.frontend.stream_calls import at_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.frontend.stream import StreamCall

__all__ = ["DisplayLists"]

_COMPILE_AND_EXECUTE: Final = 0x1301
#: How deep lists may call lists.
_DEEPEST: Final = 64
#: How many calls one glCallList may come to; GL knows no such bound, but a list that calls itself twice has no end.
_MOST: Final = 1_000_000


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

    @property
    def compiling(self) -> bool:
        """Whether a list is being compiled."""
        return self._calls is not None

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

    def run(self, name: int, execute: Callable[[StreamCall], None]) -> bool:
        """``glCallList``; False where the lists would have no end."""
        if self.depth >= _DEEPEST:
            return True
        if self.depth == 0:
            self._done = 0
        self.depth += 1
        try:
            for call in self.lists.get(name, ()):
                self._done += 1
                if self._done > _MOST:
                    return False
                execute(call)
        finally:
            self.depth -= 1
        return True

    def candidates(self, draws: Callable[[StreamCall], bool]) -> list[int]:
        """The lists that a glCallLists with one-byte names may mean, those from the list base on.

        Lists that draw nothing come first: what they set is for those that draw.
        """
        near = (name for name in self.lists if 0 <= name - self.base < 256)
        return sorted(near, key=lambda name: (any(map(draws, self.lists[name])), name))
