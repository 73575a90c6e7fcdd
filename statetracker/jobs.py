"""Jobs: parts of one work that need nothing of each other, run on the processes of this machine, or on Dask's workers.

A part has an id, which says all that its result depends on. `run_jobs` gives one result for each id, in order, wherever
and however often it ran. What a process had under way when it died is run again at the end, each such part alone, so
that the one that kills its process is known; see `WorkerLost`.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import sys
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import closing
from functools import cache
from math import inf
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from statetracker.errors import ArgumentError, MissingExtra, WorkerLost
from statetracker.files import uninterrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Mapping, MutableMapping

Result = TypeVar("Result")

#: Seconds in which a scheduler answers, and then has a worker.
_PATIENCE_S: Final = 20
#: Parts whose process died each time, until the rest is not tried any more.
_DEADLY: Final = 3
#: Parts of one process run one after another, however many threads it has: the caches below were not made for two.
_ONE: Final = Lock()


def run_jobs(
    work: Callable[..., Result],
    parts: Mapping[str, tuple[Any, ...]],
    *,
    scheduler: str | None = None,
    jobs: int | None = None,
    kept: MutableMapping[str, Result] | None = None,
    watch: Callable[[str], object] = lambda _: None,
) -> Generator[tuple[str, Result]]:
    """Yield (id, result) of every part, in the order of ``parts``.

    An exception of ``work`` ends the run. After an interrupt the parts under way on this machine are finished, and
    given or kept.

    Args:
        work: A function of a module, so that another process can import it.
        parts: Id -> the arguments of ``work``.
        scheduler: The address of a Dask scheduler, as ``tcp://host:8786``; None: this machine.
        jobs: Processes of this machine, by default one for each core; 1 runs in this one.
        kept: Results of an earlier run, which are not run again; new ones are put there as soon as they are there.
        watch: Called with the id of a part that is done.

    Raises:
        WorkerLost: A part whose process died each time.
        MissingExtra: Dask is not installed.
        ArgumentError: A scheduler that does not answer, has no workers or none any more, or has some with another
            version of this package.
    """
    results = {} if kept is None else kept
    missing = {part: arguments for part, arguments in parts.items() if part not in results}
    with closing(_finished(work, missing, scheduler, jobs or os.cpu_count() or 1)) as finished:
        for part in parts:
            while part not in results:
                other, result = next(finished)
                with uninterrupted():
                    results[other] = result
                watch(other)
            yield part, results.pop(part) if kept is None else results[part]


@cache
def identity() -> str:
    """Return the version of this package, and a word for its files."""
    package = sys.modules["statetracker"]
    root, digest = str(package.__path__[0]), hashlib.sha256()
    for folder, folders, names in os.walk(root, followlinks=True):
        folders[:] = sorted(name for name in folders if not name.startswith(("_", ".")))
        for name in sorted(names):
            digest.update(f"{os.path.relpath(folder, root)}/{name}\n".encode())
            digest.update(Path(folder, name).read_bytes())
    return f"{package.__version__} ({digest.hexdigest()[:8]})"


class _Processes:
    """Processes of this machine. When one dies, all end, and the next part gets new ones.

    Args:
        jobs: How many.

    Attributes:
        width: Parts that are handed out at a time.
        lost: The exception of a part whose process died.
        patience: How often that may be.
    """

    lost: type[Exception] = BrokenExecutor
    patience = 3

    def __init__(self, jobs: int) -> None:
        self.width: float = jobs
        self._context = multiprocessing.get_context("spawn")  # the environment is that of now, and no thread is forked

    def __enter__(self) -> Self:
        self._pool = ProcessPoolExecutor(int(self.width), self._context, _begin)
        return self

    def __exit__(self, *exc: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def done(self, running: Collection[Future[Any]]) -> set[Future[Any]]:
        """Wait for the next parts."""
        return wait(running, return_when=FIRST_COMPLETED).done

    def submit(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        try:
            return self._pool.submit(work, *arguments)
        except BrokenExecutor:
            self._pool.shutdown()
            self.__enter__()
            return self._pool.submit(work, *arguments)


class _Dask:
    """The workers of a Dask scheduler, which hands a part of a dead worker to another by itself, some times."""

    width: float = inf
    patience = 2

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise MissingExtra("a run on several machines", "distributed", "dask") from None
        self._address, self._mine = address, identity()
        self.lost: type[Exception] = distributed.KilledWorker
        try:
            self._client = distributed.Client(address, timeout=_PATIENCE_S, set_as_default=False)
        except (OSError, ValueError, TypeError, AssertionError) as error:  # the last: its thread began too late
            raise self._refused(f"It does not answer: {error or 'its client did not start in time'}") from error

    def __enter__(self) -> Self:
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE_S)
            theirs = self._client.run(identity, on_error="return")
        except TimeoutError:
            self.__exit__()
            raise self._refused(f"It has no worker; one is started with: dask worker {self._address}") from None
        if others := {worker: which for worker, which in theirs.items() if which != self._mine}:
            self.__exit__()
            raise self._refused("; ".join(f"{worker} has {which}" for worker, which in others.items()))
        self._pool = self._client.get_executor(pure=False)
        return self

    def __exit__(self, *exc: object) -> None:
        self._client.close()

    def done(self, running: Collection[Future[Any]]) -> set[Future[Any]]:
        """Wait for the next parts; raises `ArgumentError` where no worker is left that could bring one."""
        while not (found := wait(running, _PATIENCE_S, FIRST_COMPLETED).done):
            try:
                self._client.wait_for_workers(1, timeout=_PATIENCE_S)
            except TimeoutError:
                hint = "All its workers are gone. Start some; a run that keeps its results goes on from there"
                raise self._refused(hint) from None
        return found

    def submit(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        done: Future[Any] = self._pool.submit(_on_worker, self._mine, work, arguments)
        return done

    def _refused(self, hint: str) -> ArgumentError:
        accepted = f"a Dask scheduler whose workers have gallium-statetracker {self._mine}"
        return ArgumentError("scheduler", self._address, accepted=accepted, hint=hint)


def _finished(
    work: Callable[..., Result], parts: Mapping[str, tuple[Any, ...]], scheduler: str | None, jobs: int
) -> Generator[tuple[str, Result]]:
    """Yield (id, result) in the order in which they are done."""
    if not parts:
        return
    if scheduler is not None:
        yield from _spread(work, parts, _Dask(scheduler))
    elif jobs > 1:
        yield from _spread(work, parts, _Processes(jobs))
    else:
        for part, arguments in parts.items():
            yield part, work(*arguments)


def _spread(
    work: Callable[..., Result], parts: Mapping[str, tuple[Any, ...]], workers: _Processes | _Dask
) -> Generator[tuple[str, Result]]:
    """Hand out parts; those that may have killed a process are run again when all others are done, one at a time."""
    waiting, suspects, deaths, deadly = deque(parts), deque[str](), Counter[str](), list[str]()
    running: dict[Future[Result], str] = {}
    with workers:
        try:
            while (waiting or suspects or running) and len(deadly) < _DEADLY:
                while (waiting and len(running) < workers.width) or not running:
                    part = (waiting or suspects).popleft()
                    running[workers.submit(work, parts[part])] = part
                for future in workers.done(running):
                    part = running.pop(future)
                    if _taken_along(future):
                        waiting.append(part)
                    elif _died(part, future, workers):
                        deaths[part] += 1
                        (suspects if deaths[part] < workers.patience else deadly).append(part)
                    else:
                        yield part, future.result()
        except KeyboardInterrupt:
            wait(future for future in running if not future.cancel())
            for future, part in running.items():
                if not future.cancelled() and future.exception() is None:
                    yield part, future.result()
            raise
    if deadly:
        hint = "Nothing else ran beside it: look at the memory that it takes, and at what it calls"
        raise WorkerLost(deadly[0], "its process died each time, alone too", hint=hint)


def _died(part: str, future: Future[Any], workers: _Processes | _Dask) -> bool:
    """Return whether the process of a part has died; raises `WorkerLost` where the part is gone."""
    if future.cancelled():
        raise WorkerLost(part, "its scheduler is gone, or it was cancelled there")
    return isinstance(future.exception(), workers.lost)


def _taken_along(future: Future[Any]) -> bool:
    """Return whether a Dask worker died while its result was on its way: the executor cannot unpack it.

    That error begins and ends in the executor itself; one of the work goes on to where it was raised.
    """
    error = None if future.cancelled() else future.exception()
    raised = getattr(error, "__traceback__", None)
    return isinstance(error, TypeError) and raised is not None and raised.tb_next is None


def _on_worker(wanted: str, work: Callable[..., Result], arguments: tuple[Any, ...]) -> Result:
    """Run a part on one of Dask's workers, which may have come later than the others."""
    if identity() != wanted:
        raise ArgumentError("worker", identity(), accepted=f"gallium-statetracker {wanted}, as where the run began")
    with _ONE:
        return work(*arguments)


def _begin() -> None:
    """Leave a terminal's signals to the process that hands out the work, and end when that has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.setpgrp()
    Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
