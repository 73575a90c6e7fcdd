"""Display lists of a share group: calls between glNewList and glEndList are kept, and executed by glCallList.

Source: docs/streams.md (GL 4.6 compatibility, 21.4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.names import glenum
from statetracker.replay.calls import at_once, nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.replay.calls import Allowance
    from statetracker.trace.apitrace import DumpCall

_COMPILE_AND_EXECUTE: Final = glenum("GL_COMPILE_AND_EXECUTE")
_DRAWING: Final = ("glBegin", "glDraw", "glMultiDraw", "glRect", "glBitmap", "glCopyPixels", "glEvalMesh", "glCallList")
_LISTS: Final = "display lists"
#: How deep lists may call lists.
_DEEPEST: Final = 64
#: How many lists one-byte names may mean.
_BYTES: Final = 256


class DisplayLists:
    """The lists, and the one that is being compiled.

    allowance   of the recording: each list that is run, and each of its calls, takes one
    """

    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self.lists: dict[int, tuple[DumpCall, ...]] = {}
        self.base = 0
        self._drawing: set[int] = set()
        self._name = 0
        self._calls: list[DumpCall] | None = None
        self._executes = False
        self._running: list[int] = []

    @property
    def compiling(self) -> bool:
        """Whether a list is being compiled."""
        return self._calls is not None

    @property
    def running(self) -> bool:
        """Whether a list is being executed."""
        return bool(self._running)

    @property
    def compiles_only(self) -> bool:
        """Whether calls go into a list and are not executed now."""
        return self._calls is not None and not self._executes and not self._running

    def glNewList(self, name: int, mode: int) -> None:
        if name > 0 and self._calls is None:
            self._name, self._calls, self._executes = name, [], mode == _COMPILE_AND_EXECUTE

    def glEndList(self) -> None:
        if self._calls is not None:
            self.lists[self._name] = tuple(self._calls)
            self._drawing.discard(self._name)
            if any(call.name.startswith(_DRAWING) for call in self._calls):
                self._drawing.add(self._name)
            self._calls = None

    def keep(self, call: DumpCall) -> bool:
        """Take a call into the list that is compiled; whether that is all that happens to it now."""
        if self._calls is None or self._running or at_once(call.name):
            return False
        self._calls.append(call)
        return not self._executes

    glGenLists = nothing

    def glListBase(self, base: int) -> None:
        self.base = base

    def glDeleteLists(self, first: int, count: int) -> None:
        for name in [name for name in self.lists if first <= name < first + count]:
            del self.lists[name]

    def run(self, name: int, execute: Callable[[DumpCall], None]) -> None:
        """Execute a list's calls; a list within itself is left out. Raises `Spent`."""
        self.allowance.take(_LISTS)
        if len(self._running) >= _DEEPEST or name in self._running:
            return
        self._running.append(name)
        try:
            for call in self.lists.get(name, ()):
                self.allowance.take(_LISTS)
                execute(call)
        finally:
            self._running.pop()

    def guess(self, count: int) -> Sequence[int]:
        """The lists that a glCallLists with one-byte names is taken to mean: ``count`` of those from the base on.

        Lists that draw nothing come first: what they set is for those that draw.
        """
        self.allowance.take(_LISTS, len(self.lists))
        near = (name for name in self.lists if 0 <= name - self.base < _BYTES)
        chosen = sorted((name in self._drawing, name) for name in near)
        return [name for _, name in chosen[: max(0, count)]]
