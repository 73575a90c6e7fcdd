"""What tests/test_parts.py lets other processes do. They import it by this name, so it is no test module."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import statetracker as st

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["converted", "deadly", "runs", "slow", "square"]


def square(number: int) -> int:
    if number < 0:
        raise ValueError(number)
    return number * number


def slow(number: int, folder: Path) -> int:
    """Leave a file for this run, named after its process, and take a while."""
    (folder / f"{number} {os.getpid()} {time.monotonic_ns()}").touch()
    time.sleep(0.2)
    return number * number


def deadly(number: int, folder: Path) -> int:
    """As `slow`; number 2 kills its process."""
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return slow(number, folder)


def runs(folder: Path) -> Iterator[tuple[int, int]]:
    """The number and the process of each run that has begun."""
    for path in folder.iterdir():
        number, process, _ = path.name.split()
        yield int(number), int(process)


def converted(sampler: st.Sampler, texture: st.Texture, screen: st.Screen, policy: st.Policy) -> st.Result:
    return st.convert(sampler, texture, screen, policy=policy)
