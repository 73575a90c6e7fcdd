"""A pytest plugin: conformance as tests of your own suite. See docs/conformance.md and docs/your_code.md.

``--mesa-driver llvmpipe`` adds one test a case of a live run; ``--mesa-expected FILE`` (JSON: case -> reason) lists
those that are expected to fail, and fails where one passes. ``--statetracker-convert package:function`` or
``--statetracker-command PROGRAM`` adds one test a member, of random states, for a conversion of your own.
"""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.errors import StateTrackerError

if TYPE_CHECKING:  # every run of pytest loads this module: the rest only where it is asked for
    from collections.abc import Callable, Iterator

    from statetracker.conformance.live import LiveRun


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("statetracker", "conformance of statetracker with the installed Mesa")
    group.addoption(
        "--mesa-driver", action="append", default=[], metavar="NAME", help="llvmpipe, softpipe, zink, default."
    )
    group.addoption("--mesa-cases", type=int, default=100, metavar="N", help="Cases a driver (default 100).")
    group.addoption("--mesa-seed", type=int, default=1, metavar="N", help="Which cases (default 1).")
    group.addoption("--mesa-expected", metavar="FILE", help="JSON: 'driver seed/number' -> why it is known to differ.")

    group = parser.getgroup("statetracker-convert", "conformance of your own conversion with statetracker")
    group.addoption("--statetracker-convert", metavar="MODULE:NAME", help="A function: sampler, texture, screen.")
    group.addoption("--statetracker-command", metavar="PROGRAM", help="A program: lines of JSON in and out.")
    for name, default, text in (
        ("compare", "bytes", "bytes, members, info, or names of members with commas"),
        ("dialect", "mesa22", "Whose rules: seed, mesa21, mesa22, mesa24"),
        ("vulkan-dialect", "native", "Whose rules, for info: native, zink21, zink22"),
        ("screen", "llvmpipe", "A built-in screen, or a screen file"),
    ):
        group.addoption(f"--statetracker-{name}", default=default, metavar="X", help=f"{text} (default {default}).")
    group.addoption("--statetracker-cases", type=int, default=500, metavar="N", help="States (default 500).")
    group.addoption("--statetracker-seed", type=int, default=1, metavar="N", help="Which states (default 1).")
    group.addoption("--statetracker-accepted", action="store_true", help="Only states that GL accepts on the screen.")
    group.addoption("--statetracker-limit", type=float, default=20.0, metavar="S", help="Seconds of an answer (20).")


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
    """Append the live cases and the members to the collected tests."""
    outcome = yield
    config = session.config
    for name in config.getoption("--mesa-driver"):
        session.items.extend(_live_cases(session, name))
    if config.getoption("--statetracker-convert") or config.getoption("--statetracker-command"):
        session.items.extend(_members(session))
    session.testscollected = len(session.items)
    return outcome


class _Tests(pytest.Collector):
    """The tests of one driver, or of one conversion."""

    def collect(self) -> list[pytest.Item]:
        """None: they are made without files."""
        return []


class _Comparison(pytest.Item):
    """A test that says what differs.

    Attributes:
        title: In reports, before its name.
        compare: Raises what differs.
        plain: What is shown without a traceback.
    """

    title: str
    compare: Callable[[], None]
    plain: tuple[type[BaseException], ...] = (AssertionError,)

    def runtest(self) -> None:
        """Compare."""
        self.compare()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Only the differences, no traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, self.plain) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the place of the test, for reports."""
        return self.path, None, f"{self.title} {self.name}"


def _live_cases(session: pytest.Session, driver: str) -> Iterator[_Comparison]:
    """Yield the tests of one driver, one a case."""
    from statetracker.conformance.drivers import DRIVERS
    from statetracker.conformance.generate import cases_from

    if driver not in DRIVERS:
        raise pytest.UsageError(f"--mesa-driver {driver}: choose from {', '.join(DRIVERS)}")
    config, group = session.config, _Tests.from_parent(session, name=f"mesa-{driver}")
    for case in cases_from(config.getoption("--mesa-seed"), config.getoption("--mesa-cases")):
        item = _Comparison.from_parent(group, name=str(case["id"]))
        item.title, item.compare = f"{driver} case", partial(check_live_case, case, driver=driver)
        reason = config.stash[_EXPECTED].get(f"{driver} {case['id']}")
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
        yield item


def _members(session: pytest.Session) -> Iterator[_Comparison]:
    """Yield the tests of the conversion that the options name; raises `pytest.UsageError` where they make no sense."""
    from statetracker.conformance.agreement import ANSWERS_TEST, Agreement, Oracle, compared_names
    from statetracker.conformance.candidate import Program, function_named
    from statetracker.conformance.search import screen_of, search

    wanted = "convert command limit dialect compare vulkan-dialect screen cases seed accepted"
    options = (session.config.getoption(f"--statetracker-{name}") for name in wanted.split())
    function, command, limit_s, dialect, compare, vulkan_dialect, screen, count, seed, accepted = options
    if function and command:
        raise pytest.UsageError("--statetracker-convert or --statetracker-command, not both")
    try:
        candidate = function_named(function) if function else Program(command, limit_s=limit_s)
        oracle = Oracle(screen_of(screen), dialect, compare, vulkan_dialect)
        members = (ANSWERS_TEST, *compared_names(compare))
    except StateTrackerError as error:
        raise pytest.UsageError(f"statetracker: {error}") from None

    @cache
    def agreement() -> Agreement:
        return search(candidate, oracle, count=count, seed=seed, accepted=accepted)

    def check(member: str) -> None:
        found, differ, example = next(rest for name, *rest in agreement().results() if name == member)
        if differ:
            raise AssertionError(f"{differ} of {found} states differ from {oracle}\n{example or ''}")
        if not found:
            pytest.skip("no answer has it")

    group = _Tests.from_parent(session, name=f"statetracker {candidate.name}")
    for name in members:
        item = _Comparison.from_parent(group, name=name)
        item.title, item.compare, item.plain = candidate.name, partial(check, name), (AssertionError, StateTrackerError)
        yield item


@cache
def _live(name: str) -> LiveRun:
    """Start a driver's process, once."""
    from statetracker.conformance.drivers import driver as driver_named
    from statetracker.conformance.live import LiveRun

    _STARTED.append(run := LiveRun(driver_named(name)))
    return run


_STARTED: list[LiveRun] = []


def check_live_case(case: dict[str, Any], *, driver: str) -> None:
    """Run one case on an installed driver and compare; a difference is an `AssertionError`.

    The driver's process is kept for the next call.

    Args:
        case: As a recorded case file has it.
        driver: ``llvmpipe``, ``softpipe``, ``zink``, or ``default``: the one that Mesa chooses.

    Raises:
        NoDevice: The driver cannot be started.
    """
    answer, verdict = next(_live(driver).judged([case]))
    if answer.failure is not None:
        raise AssertionError(f"{driver}: {answer.failure.kind}: {answer.failure.detail}")
    if verdict is not None and verdict.differences:
        each = (f"  {one.what}: {driver} has {one.expected!r}, ours is {one.got!r}" for one in verdict.differences)
        raise AssertionError("\n".join([f"case {case.get('id')} differs from {driver}:", *each]))


def pytest_unconfigure() -> None:
    """End the drivers' processes."""
    for run in _STARTED:
        run.close()
    _STARTED.clear()
    _live.cache_clear()
