"""A callback that calls its context back: everything that would change something is refused, nothing is changed."""

from __future__ import annotations

from typing import Any

import pytest

from statetracker.cso import POLICIES, CsoContext, RecordingDriver, Resolved
from statetracker.errors import DriverError
from tests.cso.callbacks import CallsBack
from tests.cso.conftest import record


class Recording(CallsBack, RecordingDriver):
    """Makes every forbidden call in every callback."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong = []


def run(driver: RecordingDriver, context: CsoContext[int]) -> tuple[Any, ...]:
    """Stage, bind, evict, save and destroy; give all that can be seen of it."""
    context.save_samplers("vertex")
    for n in range(12):
        context.set_samplers("fragment", [record(n), None, record(n % 3)])
        context.single_sampler("vertex", n % 4, record(n // 2))
        context.single_sampler_done("vertex")
        states = context.look_up("fragment", [record(n), record(n - 1 or 9)])
        context.bind_resolved("fragment", Resolved(*states, context.cache.epoch))
    context.restore_samplers("vertex")
    context.tidy()
    context.max_size = 2
    held = [context.handles(stage) for stage in ("vertex", "fragment", "compute")]
    context.unbind()
    context.set_samplers("fragment", [record(1)])
    context.destroy()
    return held, driver.events, context.statistics()


@pytest.mark.parametrize("policy", POLICIES)
def test_forbidden_calls_from_every_callback_change_nothing(policy: str) -> None:
    driver, alone = Recording(), RecordingDriver()
    context = CsoContext(driver, policy=policy, max_size=4)
    driver.record = record(0)
    driver.context = context
    seen = run(driver, context)
    assert driver.wrong == []
    assert driver.calls > 1000
    assert seen == run(alone, CsoContext(alone, policy=policy, max_size=4))


def test_a_failed_bind_opens_the_gate_again(either: CsoContext[int], driver: Any) -> None:
    driver.fails["bind"] = RuntimeError("no bind")
    with pytest.raises(DriverError):
        either.set_samplers("fragment", [record(1)])
    either.set_samplers("fragment", [record(1)])
    driver.fails["bind"] = RuntimeError("no bind")
    states = either.look_up("fragment", [record(2)])
    with pytest.raises(DriverError):
        either.bind_resolved("fragment", Resolved(*states, either.cache.epoch))
    either.single_sampler_done("fragment")
    either.destroy()
