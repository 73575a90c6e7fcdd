"""The command line run from its words to its exit code: no error becomes a traceback."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any

from statetracker.cli.interrupts import Interrupts
from statetracker.cli.output import EXIT_FAILED, EXIT_FINE, EXIT_INTERRUPTED, complain, say
from statetracker.errors import StateTrackerError


def run(argv: list[str]) -> int:
    """Run the command line and give the exit code; no error becomes a traceback."""
    _safe_streams()
    argv = [part for word in argv for part in (word.split("=", 1) if word.startswith("--check=") else [word])]
    with Interrupts() as interrupts:
        code = _ran(argv)
    if code != EXIT_INTERRUPTED and not interrupts.dropped:
        return code
    say("interrupted")
    return interrupts.code


def _ran(argv: list[str]) -> int:
    try:
        result = _version() if argv == ["--version"] else _command(argv)
        sys.stdout.flush()
    except StateTrackerError as error:
        complain(error)
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


def _unwritten(error: OSError) -> int:
    """Give up on the output; where it was only closed, as by ``head``, without a word."""
    _drop_output()
    if isinstance(error, BrokenPipeError):
        return 0
    problem = error.strerror or str(error)
    say(f"the output cannot be written: {problem}" if error.filename is None else f"{error.filename}: {problem}")
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


def _usage(error: Exception) -> int:
    """Show an error of the option parser as one line; anything else is ours, and is raised."""
    show = getattr(error, "format_message", None)
    if type(error).__name__ == "NoArgsIsHelpError" and show is not None:
        sys.stderr.write(f"{show()}\n")
    elif show is not None:
        say(f"{show().rstrip('.')}. See 'statetracker --help'.")
    elif type(error).__name__ != "Abort":
        raise error
    return EXIT_FAILED
