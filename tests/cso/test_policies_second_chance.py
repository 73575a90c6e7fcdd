"""The default policy: what stays, what goes, and what it costs."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from statetracker import events
from statetracker.cso import CsoContext, RecordingDriver
from statetracker.pipe import SamplerState
from tests.cso.conftest import record, use
from tests.cso.counting import CountingDriver


def used(size: int, *numbers: int, policy: str = "second-chance") -> CsoContext[int]:
    """Return a context with room for ``size`` that has looked states up. One more than fit is a turn."""
    context = CsoContext(RecordingDriver(), policy=policy, max_size=size)
    use(context, *numbers)
    return context


@pytest.mark.parametrize("size", [1, 4, 64, 200])
@pytest.mark.parametrize("colliding", [False, True])
def test_no_more_than_the_limit_is_ever_alive(size: int, *, colliding: bool) -> None:
    driver = CountingDriver(size)
    context = CsoContext(driver, max_size=size)
    for n in range(1000):
        use(context, n * 7919 % 331, colliding=colliding)
        assert context.statistics().live == driver.live
    assert driver.peak == context.statistics().peak == size
    assert driver.wrong == 0


def test_tidying_gives_up_old_states_and_never_recent_ones() -> None:
    context = used(128, *range(128))
    context.tidy()
    assert context.statistics().live == 128  # no turn yet: all of them are recent
    use(context, *range(128, 129), *range(64))  # the first turns, and gives up two
    context.tidy()
    assert context.statistics().live == 126
    context.max_size = 66
    context.tidy()
    assert context.statistics().live == 65  # the recent ones
    use(context, *range(64), 128)
    assert context.statistics().creates == 129


def test_what_was_used_since_the_last_turn_stays() -> None:
    context = used(100, *range(101), *range(50), *range(200, 245), *range(50))
    assert context.statistics().creates == 146


@pytest.mark.parametrize(
    ("trace", "least"),
    [
        # Frames that do not quite fit: the other policy never hits.
        ([*range(160)] * 50, lambda lru, most: 0.7 * most + 1e9 * lru),
        # A stream of states used once does not push out the steady ones, a new scene takes the old one's place.
        ([n for at in range(100) for n in (*range(90), *range(1000 + 10 * at, 1010 + 10 * at))], lambda lru, _: lru),
        ([n for at in range(20) for _ in range(20) for n in range(100 * at, 100 * at + 80)], lambda lru, _: lru),
    ],
)
def test_it_hits_where_least_recently_used_does_and_in_loops_where_that_does_not(
    trace: list[int], least: Callable[[int, int], float]
) -> None:
    hits, lru = (used(128, *trace, policy=policy).statistics().hits for policy in ("second-chance", "lru"))
    assert hits > 0.95 * least(lru, len(trace))


def test_an_eviction_is_an_event(context: CsoContext[int]) -> None:
    given: list[tuple[str, str, dict[str, Any]]] = []
    events.listen(lambda *what: given.append(what))
    try:
        for n in range(5):
            context.set_samplers("fragment", [record(n)])
    finally:
        events.quiet()
    assert given == [("cso", "eviction", {"policy": "second-chance", "states": 1, "pinned": 1, "max_size": 4})]


def test_a_hit_among_colliding_states_costs_no_more_than_among_others() -> None:
    compared = 0

    class Compared(bytes):
        """Counts the compares of whole records; hashes as bytes do."""

        __slots__ = ()
        __hash__ = bytes.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return bytes(self) == other

    context = CsoContext(RecordingDriver())
    use(context, *range(4000), colliding=True)
    for n in range(4000):
        context.sampler_state(Compared(record(n, colliding=True)))
    assert context.statistics().hits == 4000
    assert compared < 4500


def test_a_cached_state_takes_at_most_150_bytes_with_its_record() -> None:
    class Plain:
        def create_sampler_state(self, record: bytes) -> bool:
            return bool(record)  # a handle that takes no memory of its own

        def bind_sampler_states(self, *_: object) -> None: ...

        def delete_sampler_state(self, handle: bool) -> None: ...

    base = SamplerState()
    tracemalloc.start()
    try:
        context = CsoContext(Plain())
        before = tracemalloc.get_traced_memory()[0]
        for n in range(4000):
            context.set_samplers("fragment", [bytes(base.replace(max_lod=n / 8))])
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert taken / context.statistics().live <= 150


@pytest.mark.parametrize(("size", "given_up"), [(1, 1), (63, 1), (127, 1), (128, 2), (4096, 64)])
def test_a_run_makes_room_for_a_64th_of_the_limit_and_at_least_for_one(size: int, given_up: int) -> None:
    context = used(size, *range(size + 1))
    assert context.statistics().evictions == given_up
    use(context, *range(size + 1, size + given_up))
    context.tidy()
    assert context.statistics()[:5] == (0, size + given_up, 0, size + given_up, 0)
    assert context.statistics().evictions == given_up + (size > 1) * given_up
    assert context.statistics().runs == 1 + (size > 1)


def test_tidying_with_nothing_to_give_up_leaves_the_epoch_alone() -> None:
    context = used(128)

    def tidied() -> tuple[int, int, int]:
        context.tidy()
        return context.cache.epoch, context.statistics().runs, context.statistics().live

    before = tidied()
    use(context, *range(128))
    assert tidied() == (*before[:2], 128)  # full, and all of them recent
    use(context, 128)  # 126 old ones, and the new one
    first = tidied()
    assert first[2] == 126
    assert tidied() == first  # just what is wanted


def test_tidying_takes_no_recent_state_where_no_old_one_is_free() -> None:
    """It stops where old ones are used up, though less than a 64th of the limit is free."""
    context = used(4, *range(5))  # 0 to 2 are old
    context.set_samplers("fragment", [record(n) for n in (0, 1, 2)])
    context.single_sampler("vertex", 0, record(0))
    context.tidy()
    assert (context.statistics().live, context.statistics().deletes) == (4, 1)
    context = used(128, *range(129), *range(1, 126), 128, 500)  # 0 is old
    assert (context.statistics().live, context.statistics().creates) == (128, 130)
    context.tidy()
    assert context.statistics().live == 127


def test_looked_up_again_after_a_turn_is_one_hit() -> None:
    counted = used(4, *range(5), 0, 0, 4, 0).statistics()
    assert (counted.hits, counted.misses) == (4, 5)


def forgotten(context: CsoContext[int]) -> None:
    context.forget()
    use(context, 1)


def widened(context: CsoContext[int]) -> None:
    context.max_size = 1000
    use(context, *range(500, 550))


@pytest.mark.parametrize(
    ("numbers", "then", "peak"),
    [
        (range(100), lambda context: context.destroy(), 100),
        (range(100), forgotten, 100),
        ((*range(129), 1, 2, 200), lambda _: None, 128),
        ((*range(50), *range(200, 210)), lambda context: setattr(context, "max_size", 2), 60),
        ((*range(50), *range(200, 210)), lambda context: context.destroy(), 60),
        (range(129), widened, 177),
    ],
)
def test_the_peak_counts_old_and_recent_states_and_outlives_them(
    numbers: tuple[int, ...], then: Callable[[CsoContext[int]], object], peak: int
) -> None:
    context = used(128, *numbers)
    assert context.statistics().peak == min(peak, 128)
    then(context)
    assert context.statistics().peak == peak


def test_a_limit_ends_an_epoch_only_where_it_is_passed() -> None:
    """Then it is kept at once: of old and recent states together."""
    context = used(10, *range(4))
    epoch = context.cache.epoch
    for size in (8, 4, 100):
        context.max_size = size
    assert context.cache.epoch == epoch
    context.max_size = 3
    assert context.cache.epoch != epoch
    assert context.statistics().live == 3
    context = used(8, *range(9))  # seven old ones, one recent
    context.max_size = 7
    assert context.statistics().live == 7


def test_what_is_above_the_limit_goes_when_it_is_no_longer_in_use() -> None:
    """With the next tidying; one that finds all of it in use does nothing at all."""
    context = used(2)
    context.set_samplers("fragment", [record(n) for n in range(32)])
    epoch = context.cache.epoch
    context.tidy()
    assert (context.statistics().live, context.cache.epoch) == (32, epoch)
    context.set_samplers("vertex", [record(n) for n in range(4)])
    context.set_samplers("fragment", [record(0)] * 32)
    context.tidy()
    assert context.statistics().live == 4  # as many as are in use
    context.unbind()
    context.tidy()
    assert context.statistics().live == 2
