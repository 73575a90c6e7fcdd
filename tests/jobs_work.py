"""What tests of `statetracker.jobs` and of tools have other processes do, by import; and a cluster to do it on."""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import statetracker as st
from statetracker import jobs
from statetracker.errors import CallFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


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


def doomed(number: int, folder: Path) -> int:
    """As `slow`; the first run of number 3 waits until it is killed."""
    if number != 3 or any(other == 3 for other, _ in runs(folder)):
        return slow(number, folder)
    slow(number, folder)
    time.sleep(600)
    raise TimeoutError


def held(number: int, folder: Path, go: Path) -> int:
    """As `slow`, and wait for a file."""
    done = slow(number, folder)
    until(go.exists)
    return done


def until(seen: Callable[[], object]) -> None:
    """Wait until something is so; raises `TimeoutError` after a time in which even a busy machine gets there."""
    for _ in range(6000):
        if seen():
            return
        time.sleep(0.02)
    raise TimeoutError


def troubled(at: Callable[[str], object], trouble: str) -> str | None:
    """Crash, hang or fail, or give a variable of the environment."""
    at(f"{trouble}, a longer first line")
    at(f"{trouble},\nsecond line")
    if trouble == "crash":
        os.abort()
    if trouble == "hang":
        time.sleep(60)
    if trouble == "error":
        raise CallFailed("GL", "glTrouble", "GL_INVALID_ENUM")
    return os.environ.get("TROUBLE")


def runs(folder: Path) -> Iterator[tuple[int, int]]:
    """The number and the process of each run that has begun."""
    for path in folder.iterdir():
        number, process, _ = path.name.split()
        yield int(number), int(process)


def converted(sampler: st.Sampler, texture: st.Texture, screen: st.Screen, policy: st.Policy) -> st.Result:
    return st.convert(sampler, texture, screen, policy=policy)


@contextmanager
def cluster(workers: int = 2) -> Iterator[str]:
    """The address of a Dask scheduler: workers see what is not hidden now, a task is given up at its second death."""
    import dask
    from distributed import LocalCluster

    with (
        patch.object(jobs, "_PATIENCE_S", 300),  # a worker that was killed is back in its time
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0") as made,
    ):
        yield made.scheduler_address
