"""Trying a changed module: a forked process that loads it in place of the original and runs the tests.

The parent has imported pytest, Hypothesis and whatever else is not ours, and nothing that is; so a trial costs what
loading the library and the tests costs, and no trial can spoil another. Files are only read, from a copy of the tree:
the changed text never reaches the disk, and edits made meanwhile do not reach the trials.
"""

from __future__ import annotations

import ast
import os
import resource
import shutil
import signal
import sys
import warnings
from importlib.machinery import SourceFileLoader
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from hypothesis import Phase, settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from types import CodeType

__all__ = ["Trial", "copy_tree", "module_name", "run_all", "warm_up"]

#: Loaded once, before any trial: everything that tests or library import and that is not ours.
WARM: Final = ("numpy", "pydantic", "rich.console", "rich.table", "structlog", "typer.testing")
PROFILE: Final = "mutation"
MEMORY: Final = 4 << 30
PATIENCE: Final = 20  # seconds of the clock for each of the processor, which others use as well
BROKEN: Final = 99  # exit code of a trial whose text cannot be compiled: our mistake, not the tests' success
QUIET: Final = (
    *("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:terminalreporter"),
    *("-p", "no:statetracker.conformance.plugin"),  # an entry point: it would load the library unchanged
    *("-p", "no:faulthandler", "--assert=plain", "--tb=no", "--capture=no"),
)


class Trial(NamedTuple):
    """One changed module to try.

    Attributes:
        file: Of the module, from the top of the tree.
        text: Its changed text; None: as it is.
        stages: Pytest's arguments, one list a stage; a stage is run only where those before it passed.
        limits: Processor seconds, one number a stage.
    """

    file: str
    text: str | None
    stages: tuple[tuple[str, ...], ...]
    limits: tuple[float, ...]


class End(NamedTuple):
    """How a trial ended.

    Attributes:
        number: Of the trial, in the order given.
        passed: Whether every test passed.
        hung: Whether a limit ended it.
        seconds: Of the processor.
    """

    number: int
    passed: bool
    hung: bool
    seconds: float


def module_name(file: str) -> str:
    """Return the import name of a file: packages at the top of the tree are imported under ``statetracker``."""
    name = file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return name if name.startswith("statetracker") else f"statetracker.{name}"


def copy_tree(root: Path, to: Path) -> None:
    """Copy what trials read; links stay links."""
    left_out = shutil.ignore_patterns("__pycache__", ".*", "build", "dist")
    shutil.copytree(root, to, symlinks=True, ignore=left_out, dirs_exist_ok=True)


def warm_up() -> None:
    """Import everything that is not ours, and make Hypothesis try few examples and not shrink."""
    for name in WARM:
        try:
            __import__(name)
        except ImportError:
            continue  # the tests that need it skip
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile(PROFILE, max_examples=40, derandomize=True, database=None, deadline=None, phases=phases)
    os.environ["HYPOTHESIS_PROFILE"] = PROFILE
    os.environ.pop("PYTEST_ADDOPTS", None)
    ours = [name for name in sys.modules if name.split(".")[0] == "statetracker"]
    if ours:
        raise RuntimeError(f"loaded before any trial: {ours[:3]}")


def run_all(trials: Iterable[Trial], tree: Path, *, jobs: int) -> Iterator[End]:
    """Run trials side by side; report each as it ends."""
    running: dict[int, int] = {}
    for number, trial in enumerate(trials):
        if len(running) >= jobs:
            yield _wait(running)
        running[_fork(trial, tree)] = number
    while running:
        yield _wait(running)


def _wait(running: dict[int, int]) -> End:
    while True:
        pid, status, used = os.wait4(-1, 0)
        if pid in running:
            number, code = running.pop(pid), os.waitstatus_to_exitcode(status)
            if code == BROKEN:
                raise RuntimeError(f"trial {number}: the changed text is no Python")
            hung = code in (-signal.SIGPROF, -signal.SIGALRM)
            return End(number, code == 0, hung, used.ru_utime + used.ru_stime)


def _fork(trial: Trial, tree: Path) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads: NumPy's only, and idle
        pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        status = _try(trial, tree)
    finally:
        os._exit(status)


def _try(trial: Trial, tree: Path) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    if trial.text is not None:
        try:
            ast.parse(trial.text)
        except SyntaxError:
            return BROKEN
        _put_in_place(module_name(trial.file), trial.text)
    for stage, limit in zip(trial.stages, trial.limits, strict=True):
        # Ends the process: a change may well loop for ever. By the processor's time, so that a busy machine notices
        # nothing by itself; by the clock for what sleeps.
        signal.setitimer(signal.ITIMER_PROF, limit)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE * limit)
        status = pytest.main([*QUIET, f"--rootdir={tree}", f"--config-file={tree / 'pyproject.toml'}", *stage])
        if status:
            return int(status)
    return 0


def _put_in_place(name: str, text: str) -> None:
    """Have one module compiled from another text, under its file's own name."""
    original = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
        if fullname != name:
            return original(loader, fullname)
        return compile(text, loader.get_filename(fullname), "exec", dont_inherit=True)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
