"""SIGINT and SIGTERM: both end a command as an interrupt does, so that what it began is cleaned up or finished."""

from __future__ import annotations

import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from types import FrameType

#: Seconds in which a signal that comes again is the same wish: ``timeout`` sends each twice.
_AGAIN_S: Final = 1.0
#: Seconds until an interrupt that code could not raise, as that of a garbage collector's callback, comes again.
_LATER_S: Final = 0.05
#: Signals -> what Python itself does with them.
_DEFAULTS: Final[dict[signal.Signals, Any]] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
}


class Interrupts:
    """While it is entered, SIGTERM raises `KeyboardInterrupt`, too; ``code`` is the exit code of what was interrupted.

    Signals that are ignored or handled already are left alone, and so are threads other than the main one.

    dropped   whether an interrupt that code could not raise had not come again at the end
    """

    def __init__(self) -> None:
        self.code = 128 + signal.SIGINT
        self.dropped = False
        self._since: float | None = None
        self._before: list[signal.Signals] = []
        self._hook = sys.unraisablehook
        self._again: threading.Timer | None = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = [number for number, usual in _DEFAULTS.items() if signal.getsignal(number) is usual]
        for number in self._before:
            signal.signal(number, self._came)
        if self._before:
            self._hook, sys.unraisablehook = sys.unraisablehook, self._unraisable
        return self

    def __exit__(self, *exc: object) -> None:
        if self._again is not None and self._again.is_alive():
            self._again.cancel()
            self.dropped = True
        if sys.unraisablehook == self._unraisable:
            sys.unraisablehook = self._hook
        for number in self._before:
            signal.signal(number, _DEFAULTS[number])
        self._before = []

    def _unraisable(self, what: sys.UnraisableHookArgs, /) -> None:
        """Interrupt again where Python dropped an interrupt: inside a finalizer nothing can be raised."""
        if not self._before or not issubclass(what.exc_type, KeyboardInterrupt):
            self._hook(what)
            return
        self._since = None
        wakes = getattr(signal, "pthread_kill", lambda _, number: signal.raise_signal(number))  # Windows has none
        self._again = threading.Timer(_LATER_S, wakes, [threading.main_thread().ident, self.code - 128])
        self._again.daemon = True
        self._again.start()

    def _came(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._since is None:
            self.code = 128 + number
        elif now - self._since < _AGAIN_S:
            return
        self._since = now
        raise KeyboardInterrupt
