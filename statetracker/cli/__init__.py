"""The command line: parses, calls, prints; decides nothing.

No error becomes a traceback. SIGINT and SIGTERM both end a command as an interrupt does, so that what it began is
cleaned up or finished. Exit codes: 0 fine, 1 a difference, 2 could not do it; 130 and 143 interrupted by SIGINT and
SIGTERM.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from statetracker.cli.output import EXIT_FAILED, EXIT_FINE, EXIT_INTERRUPTED, error, report
from statetracker.errors import StateTrackerError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

__all__ = ["main"]

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

    Attributes:
        dropped: Whether an interrupt that code could not raise had not come again at the end.
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; ``argv`` without the program's name, by default the process's. Returns the exit code."""
    _safe_streams()
    words = [*(sys.argv[1:] if argv is None else argv)]
    ours = words.index("--") if "--" in words else len(words)  # what follows is the words of a program
    split = (word.split("=", 1) if word.startswith("--check=") else [word] for word in words[:ours])
    argv = [*(part for parts in split for part in parts), *words[ours:]]
    with Interrupts() as interrupts:
        code = _ran(argv)
    if code != EXIT_INTERRUPTED and not interrupts.dropped:
        return code
    error("interrupted")
    return interrupts.code


def _ran(argv: list[str]) -> int:
    try:
        result = _version() if argv == ["--version"] else _command(argv)
        sys.stdout.flush()
    except StateTrackerError as error:
        report(error)
        return EXIT_FAILED
    except SystemExit as error:  # of the option parser: the output is closed, or a shell asked what completes a word
        return _unwritten(error.__context__) if isinstance(error.__context__, OSError) else 2 * bool(error.code)
    except OSError as error:
        return _unwritten(error)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Exception as error:  # noqa: BLE001 (the option parser has errors of its own; ours are raised again)
        return _usage(error)
    return int(result or 0)


def _version() -> int:
    """Print the versions without the option parser, whose start takes longer than all else."""
    from statetracker.cli.about import show_version

    show_version()
    return EXIT_FINE


def _command(argv: list[str]) -> Any:  # noqa: ANN401 (what a command returned)
    from statetracker.cli.app import program

    return program(argv)(argv, prog_name="statetracker", standalone_mode=False)


def _unwritten(failure: OSError) -> int:
    """Stop writing the output; where it was only closed, as by ``head``, without a word."""
    _drop_output()
    if isinstance(failure, BrokenPipeError):
        return 0
    problem = failure.strerror or str(failure)
    error(f"the output cannot be written: {problem}" if failure.filename is None else f"{failure.filename}: {problem}")
    return EXIT_FAILED


def _safe_streams() -> None:
    """Escape what a stream's encoding lacks; where there is no stream, discard."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 (for the rest of the process)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Discard buffered output, so that exiting does not fail on it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage(failure: Exception) -> int:
    """Show an error of the option parser, or of too deep an input, as one line; else it is ours, and is raised."""
    show = getattr(failure, "format_message", None)
    if type(failure).__name__ == "NoArgsIsHelpError" and show is not None:
        sys.stderr.write(f"{show()}\n")
    elif show is not None:
        where = getattr(getattr(failure, "ctx", None), "command_path", "statetracker")
        error(f"{show().rstrip('.')}. See '{where} --help'.")
    elif isinstance(failure, RecursionError):  # of JSON that could just be read
        error("what is in the input is nested too deep to be shown")
    elif type(failure).__name__ != "Abort":
        raise failure
    return EXIT_FAILED
