"""What is promised about threads: one at a time a context, contexts apart, and an error where it would go wrong."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from statetracker.cso import POLICIES, CsoContext, RecordingDriver
from statetracker.errors import InvalidCallOrder
from tests.cso.conftest import record


@pytest.mark.parametrize("policy", POLICIES)
def test_contexts_in_four_threads_do_what_they_do_alone(policy: str) -> None:
    together = Barrier(4)

    def run(seed: int, *, wait: bool) -> list[list[object]]:
        driver = RecordingDriver()
        context = CsoContext(driver, policy=policy, max_size=32)
        if wait:
            together.wait()
        for n in range(1500):
            context.set_samplers("fragment", [record(n * seed % 97), record(n % 61, colliding=True)])
        context.destroy()
        return driver.events

    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(run, seed, wait=True) for seed in (3, 5, 7, 11)]
        assert [one.result() for one in runs] == [run(seed, wait=False) for seed in (3, 5, 7, 11)]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_second_thread_inside_a_create_gets_an_error_and_no_second_state(policy: str) -> None:
    inside, go_on = Event(), Event()

    class Slow(RecordingDriver):
        def create_sampler_state(self, record: bytes) -> int:
            inside.set()
            assert go_on.wait(300)
            return super().create_sampler_state(record)

    driver = Slow()
    context = CsoContext(driver, policy=policy)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(context.sampler_state, record(1))
        assert inside.wait(300)
        with pytest.raises(InvalidCallOrder, match="a context serves one thread at a time"):
            context.sampler_state(record(1))
        go_on.set()
        assert first.result() == 0
    assert context.sampler_state(record(1)) == 0
    assert len(driver.events) == 1
