"""What all tests share: how hard hypothesis tries, and what becomes of a live test that cannot run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from statetracker.bindings.gl import GL

# No deadlines: a first example pays for imports and tables, and workers share cores.
settings.register_profile(
    "ci", derandomize=True, max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("dev", max_examples=500, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under STATETRACKER_LIVE=require, a live test that skips has failed."""
    report = yield
    required = os.environ.get("STATETRACKER_LIVE") == "require" and item.get_closest_marker("live") is not None
    if required and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} skipped under STATETRACKER_LIVE=require: {report.longrepr}"
    return report


@pytest.fixture(scope="module")
def gl() -> Iterator[GL]:
    """A context of the machine's GL; the test skips where there is none."""
    from statetracker.bindings import egl

    if not egl.available():
        pytest.skip(egl.available().reason)
    with egl.Context() as context:
        yield context.gl
