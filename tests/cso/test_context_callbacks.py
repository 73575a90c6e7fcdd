"""A callback that calls its context back: everything that would change something is refused, nothing is changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from statetracker.cso import POLICIES, CsoContext, RecordingDriver, Resolved
from statetracker.cso.driver import ReentrancyGuard
from statetracker.errors import DriverError, InvalidCallOrder
from tests.cso.callbacks import CallsBack
from tests.cso.conftest import record, use


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


def test_unbind_from_a_bind_deletes_no_bound_handle() -> None:
    """Once the stage was emptied during the bind, and what the driver then took was in use no more."""
    bound: list[int | None] = []

    class Unbinds(RecordingDriver):
        def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
            with pytest.raises(InvalidCallOrder):
                context.unbind()
            bound[:] = handles
            super().bind_sampler_states(stage, start, handles)

        def delete_sampler_state(self, handle: int) -> None:
            assert handle not in bound
            super().delete_sampler_state(handle)

    context = CsoContext(Unbinds(), max_size=2)
    context.set_samplers("fragment", [record(0)])
    use(context, *range(1, 9))
    assert bound == [0]


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


def test_a_callback_may_ask_what_only_reads() -> None:
    class Asks(RecordingDriver):
        def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
            assert context.handles(stage)[: len(handles)] == handles
            assert context.statistics().live == 2
            assert context.max_size == 4096
            super().bind_sampler_states(stage, start, handles)

    context = CsoContext(Asks())
    context.set_samplers("fragment", [record(1), record(2)])


def test_a_gate_that_is_given_is_shut_while_a_callback_runs() -> None:
    guard, seen = ReentrancyGuard(), list[bool]()

    class Looks(RecordingDriver):
        def create_sampler_state(self, record: bytes) -> int:
            seen.append(guard.busy)
            return super().create_sampler_state(record)

    CsoContext(Looks(), guard=guard).sampler_state(record())
    assert seen == [True]
    assert not guard.busy
