"""A pytest plugin: live conformance as tests of your own suite.

``pytest -p statetracker.conformance.plugin --mesa-driver llvmpipe`` adds one test a case. Known differences are listed
in a file (``--mesa-expected FILE``, JSON): case -> reason. They are expected to fail; one that passes is a failure, so
that the file stays true.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.conformance.drivers import DRIVERS
from statetracker.conformance.drivers import driver as driver_named
from statetracker.conformance.judge import Judge
from statetracker.conformance.live import LiveRun
from statetracker.conformance.run import cases_from

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_live_case"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("statetracker", "conformance of statetracker with the installed Mesa")
    group.addoption("--mesa-driver", action="append", default=[], metavar="NAME", help=f"One of {', '.join(DRIVERS)}.")
    group.addoption("--mesa-cases", type=int, default=100, metavar="N", help="Cases a driver (default 100).")
    group.addoption("--mesa-seed", type=int, default=1, metavar="N", help="Which cases (default 1).")
    group.addoption("--mesa-expected", metavar="FILE", help="JSON: 'driver seed/number' -> why it is known to differ.")


def pytest_configure(config: pytest.Config) -> None:
    """Read the file of expected differences, so that a bad one ends the run at once."""
    config.stash[_EXPECTED] = _expected(config.getoption("--mesa-expected"))


_EXPECTED = pytest.StashKey[dict[str, str]]()


def _expected(path: str | None) -> dict[str, str]:
    if path is None:
        return {}
    try:
        reasons = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise pytest.UsageError(f"--mesa-expected {path}: {error}") from None
    if not isinstance(reasons, dict) or not all(isinstance(reason, str) and reason for reason in reasons.values()):
        raise pytest.UsageError(f"--mesa-expected {path}: a JSON object is wanted, case -> reason")
    return reasons


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Append the live cases to the collected tests."""
    outcome = yield
    config = session.config
    for name in config.getoption("--mesa-driver"):
        if name not in DRIVERS:
            raise pytest.UsageError(f"--mesa-driver {name}: choose from {', '.join(DRIVERS)}")
        group = _Group.from_parent(session, name=f"mesa-{name}")
        group.driver = name
        session.items.extend(group.collect())
        session.testscollected = len(session.items)
    return outcome


class _Group(pytest.Collector):
    """The cases of one driver."""

    driver: str

    def collect(self) -> list[pytest.Item]:
        """One item a case."""
        config = self.config
        seed, count = config.getoption("--mesa-seed"), config.getoption("--mesa-cases")
        items: list[pytest.Item] = []
        for case in cases_from(seed, count):
            item = _CaseItem.from_parent(self, name=str(case["id"]))
            item.case, item.driver = case, self.driver
            reason = config.stash[_EXPECTED].get(f"{self.driver} {case['id']}")
            if reason is not None:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
            items.append(item)
        return items


class _CaseItem(pytest.Item):
    """One case."""

    case: dict[str, Any]
    driver: str

    def runtest(self) -> None:
        """Run it on the driver and compare."""
        check_live_case(self.case, driver=self.driver)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Only the differences, no traceback."""
        if isinstance(excinfo.value, AssertionError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test is, for reports."""
        return self.path, None, f"{self.driver} case {self.name}"


_STARTED: dict[str, tuple[LiveRun, Judge]] = {}


def _live(name: str) -> tuple[LiveRun, Judge]:
    """Start a driver's process, once."""
    if name not in _STARTED:
        run = LiveRun(driver_named(name))
        _STARTED[name] = run, Judge(run.header)
    return _STARTED[name]


def check_live_case(case: dict[str, Any], *, driver: str) -> None:
    """Run one case on an installed driver and compare; a difference is an `AssertionError`.

    Raises `NoDevice` where the driver cannot be started. The driver's process is kept for the next call.
    """
    run, judge = _live(driver)
    answer = next(run.run([case]))
    if answer.failure is not None:
        raise AssertionError(f"{driver}: {answer.failure.kind}: {answer.failure.detail}")
    differences = judge.judge(0, answer.case).differences
    if differences:
        lines = "\n".join(f"  {one.what}: {driver} has {one.expected!r}, ours is {one.got!r}" for one in differences)
        raise AssertionError(f"case {case.get('id')} differs from {driver}:\n{lines}")


def pytest_unconfigure() -> None:
    """End the drivers' processes."""
    for run, _ in _STARTED.values():
        run.close()
    _STARTED.clear()
