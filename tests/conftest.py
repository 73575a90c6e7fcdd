"""What all tests share: how hard hypothesis tries, and what becomes of a live test that cannot run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import zipfile
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from tests import live
from tests.jobs_work import cluster

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from statetracker.bindings.gl import GL

# No deadlines: a first example pays for imports and tables, and workers share cores.
settings.register_profile(
    "ci", derandomize=True, max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("check", settings.get_profile("ci"), max_examples=25)
settings.register_profile("dev", max_examples=500, deadline=None)
#: Targets of make that run properties widely -> examples. Each is a profile, of new examples in every run.
WIDE: Final = {
    "modules": 1_000,  # of each environment
    "registers": 50_000,  # programs
    "columns": 100,  # pieces of 10,000 states, in each dialect
    "sweep": 380_000,  # records, and as many GL states; and the whole boundary set
    "space": 40_000,  # pairs of a state and a device; and all columns
    "governor": 10_000,  # sequences of binds under small limits; and long runs
    "frame-loop": 1,  # a long run
    "gl-calls": 20_000,  # sequences in each of three profiles; and every internal format
    **dict.fromkeys(("layer", "samplers", "soak", "host-vulkan"), 1),  # infos, records and binds on live Vulkan
    **dict.fromkeys(("prove", "solver"), 1),  # every texture; 500 programs of each kind
    "webgpu": 20_000,  # descriptors of records, and as many of random members; and all pictures
    "texts": 1,  # all cases of printed functions
    **dict.fromkeys(("programs", "package"), 1),  # every program of the list; every extra, from a network
    "pixels": 1,  # all forms, sizes, states and formats that are drawn
    "hosts": 1,  # 2,000 states of each kind of texture, drawn by each host and device; and the whole discrete space
}
_PROFILE: Final = os.environ.get("HYPOTHESIS_PROFILE", "dev")
#: Examples of one run, for hypothesis remembers each until its end: more are several runs, side by side. It dwells on
#: what it drew before, so that many runs of few sequences of calls reach further.
RUN: Final = 250 if _PROFILE == "gl-calls" else 10_000
for _target, _examples in WIDE.items():
    settings.register_profile(
        _target, max_examples=min(_examples, RUN), deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile(_PROFILE)

# A shell's background jobs ignore SIGINT, and so would what tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A thread of Mesa's that writes to its shader cache asks for variables (getenv) while pytest sets its own: it crashed.
os.environ["MESA_SHADER_CACHE_DISABLE"] = "true"

#: Of a worker's terminal that is none, or a person's: output is as wide as where there is neither.
os.environ.pop("COLUMNS", None)

#: The packages for want of which a test is skipped.
_MISSING = pytest.StashKey[tuple[str, ...]]()


def pytest_configure() -> None:
    """Hide what STATETRACKER_HIDE names."""
    try:
        live.hide_for_good()
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Cut a property of more examples than one run has into runs."""
    runs = -(-WIDE.get(settings.get_current_profile_name(), 0) // RUN)
    if runs > 1 and is_hypothesis_test(metafunc.function):
        metafunc.fixturenames.append("run")
        metafunc.parametrize("run", range(runs))


def pytest_unconfigure() -> None:
    """Leave nothing in the folder of temporary files."""
    live.clean_up()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a mark that asks for something unknown."""
    for item in items:
        try:
            live.asked(item)
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let a test see what it asks for, and nothing else of the table."""
    needs = live.asked(item)
    if needs and os.environ.get(live.MODE) == "ask":
        return (yield)
    with live.only(needs):
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that asks for what is not there, and name all of that; under STATETRACKER_LIVE=ask that is all."""
    needs = live.asked(item)
    gone = dict(filter(None, map(live.missing, needs)))
    if gone:
        item.stash[_MISSING] = tuple(gone)
        pytest.skip("; ".join(gone.values()))
    if needs and os.environ.get(live.MODE) == "ask":
        hidden = live.packages_of(needs) & live.hidden()
        assert not hidden, f"{', '.join(sorted(hidden))} is hidden, and seen all the same"
        vars(item).update(fixturenames=[], runtest=lambda: None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under STATETRACKER_LIVE=require, a live test that skips has failed."""
    report = yield
    required = os.environ.get(live.MODE) == "require" and item.get_closest_marker("live") is not None
    if required and report.skipped and not hasattr(report, "wasxfail") and _continuous(item):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} skipped under STATETRACKER_LIVE=require: {report.longrepr}"
    return report


def _continuous(item: pytest.Item) -> bool:
    """Whether continuous integration has all that the test was skipped for."""
    packages = item.stash.get(_MISSING, None)
    return packages is None or all(live.PACKAGES[package].continuous for package in packages)


@pytest.fixture(scope="session")
def whole() -> bool:
    """Whether a target of make runs widely: a long test does all that the target says, else what a test run bears."""
    return settings.get_current_profile_name() in WIDE


@pytest.fixture(scope="module")
def _context() -> Iterator[GL]:
    from statetracker.bindings import egl

    with egl.Context() as context:
        yield context.gl


@pytest.fixture
def gl(request: pytest.FixtureRequest, _context: GL) -> GL:
    """A context of the machine's GL, for tests that ask for ``egl``."""
    assert "libgl1-mesa-dri" in live.packages_of(live.asked(request.node)), "the test does not ask for egl"
    return _context


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, unpacked: a folder that stands for an environment's, as PYTHONPATH before it."""
    folder, root = tmp_path_factory.mktemp("wheel"), Path(__file__).parents[1]
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (archive,) = folder.glob("*.whl")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder / "packages")
    return folder / "packages"


@pytest.fixture(scope="session")
def _clusters() -> Iterator[tuple[ExitStack, list[str]]]:
    with ExitStack() as stack:
        yield stack, []


@pytest.fixture
def two_workers(_clusters: tuple[ExitStack, list[str]]) -> str:
    """The address of a Dask scheduler of this machine, with two worker processes; they see nothing that is hidden.

    Dask gives up a worker that dies while it starts, as one that a test kills may: then there are new ones.
    """
    from distributed import Client

    stack, addresses = _clusters
    for _ in range(3):
        if not addresses:
            addresses.append(stack.enter_context(cluster()))
        with suppress(TimeoutError), Client(addresses[-1], set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            break
        addresses.clear()
    return addresses[-1]
