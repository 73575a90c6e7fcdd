"""What tests/test_parts.py lets other processes do: they import it, so it is no test module."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

__all__ = ["deadly", "die_once", "noted", "slow", "square"]


def square(number: int) -> int:
    return number * number


def slow(number: int, folder: str) -> int:
    """Say in a file which process it is, and take a while."""
    Path(folder, f"{number}.{os.getpid()}.{time.monotonic_ns()}").touch()
    time.sleep(0.3)
    return number * number


def noted(number: int, folder: str) -> int:
    """Leave a line for each time that it is run."""
    with Path(folder, str(number)).open("a", encoding="utf-8") as file:
        file.write("run\n")
    return number * number


def die_once(number: int, folder: str) -> int:
    """Number 2 kills its process when it is run first."""
    if number == 2 and not (place := Path(folder, "died")).exists():
        place.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return noted(number, folder)


def deadly(number: int, folder: str) -> int:
    """Number 2 kills its process whenever it is run."""
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return noted(number, folder)
