"""Starts workers, one a core, adds up their counts, and says which info a crash or a hang was at."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.proofs.vulkan_live.worker import NUMBER_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Died", "run"]

ROOT: Final = Path(__file__).resolve().parents[3]
_PATIENCE_S: Final = 120  # a worker that writes nothing for so long hangs


class Died(Exception):
    """A worker ended badly or wrote nothing for too long; the text says at which info of which seed."""


class _Worker:
    def __init__(self, mode: str, seed: int, count: int) -> None:
        self.seed, self.mode = seed, mode
        handle, path = tempfile.mkstemp(prefix="vulkan-live-")
        os.write(handle, bytes(NUMBER_BYTES))
        os.close(handle)
        self.place = Path(path)
        command = [sys.executable, "-m", "tools.proofs.vulkan_live.worker", mode, str(seed), str(count), path]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.heard = time.monotonic()

    def died(self, how: str) -> Died:
        number = int.from_bytes(self.place.read_bytes(), "little")
        words = (self.process.stderr.read() if self.process.stderr else "").strip().splitlines()[-1:]
        return Died(f"{self.mode}: seed {self.seed}, info {number}: {how}; {' '.join(words)}")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self.place.unlink(missing_ok=True)


def run(mode: str, count: int, *, seed: int, workers: int, done: Callable[[int], object]) -> dict[str, Any]:
    """Run a mode over ``count`` infos in child processes and add up their counts.

    done   called with the number of infos done since the last call

    Raises `Died`.
    """
    share = -(-count // workers)
    shares = [min(share, count - n * share) for n in range(workers)]
    crew = [_Worker(mode, seed + n, part) for n, part in enumerate(shares) if part > 0]
    total: dict[str, Any] = {}
    try:
        for line in _lines(crew):
            _add(total, line)
            done(line["done"])
    finally:
        for worker in crew:
            worker.close()
    return total


def _lines(crew: list[_Worker]) -> Iterator[dict[str, Any]]:
    with selectors.DefaultSelector() as waiting:
        for worker in crew:
            waiting.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
        while waiting.get_map():
            for key, _ in waiting.select(timeout=1):
                worker, text = key.data, key.data.process.stdout.readline()
                worker.heard = time.monotonic()
                if text:
                    yield json.loads(text)
                    continue
                waiting.unregister(key.fileobj)
                if worker.process.wait() != 0:
                    raise worker.died(f"it ended with {worker.process.returncode}")
            for key in list(waiting.get_map().values()):
                if time.monotonic() - key.data.heard > _PATIENCE_S:
                    key.data.process.kill()
                    raise key.data.died(f"it wrote nothing for {_PATIENCE_S} s")


def _add(total: dict[str, Any], line: dict[str, Any]) -> None:
    for name, value in line.items():
        if isinstance(value, dict):
            total[name] = Counter(total.get(name, {})) + Counter(value)
        else:
            total[name] = total[name] + value if name in total else value
