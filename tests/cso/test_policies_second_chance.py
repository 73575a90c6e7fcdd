"""The default policy: what stays, what goes, and what it costs."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterable
from itertools import chain, product, repeat
from typing import Any

import pytest

from statetracker import events
from statetracker.cso import CsoContext, RecordingDriver
from statetracker.pipe import SamplerState
from statetracker.pipe.layout import KeyRule, pack_as

Record = Callable[..., bytes]


@pytest.mark.parametrize("size", [1, 4, 64, 200])
@pytest.mark.parametrize("colliding", [False, True])
def test_no_more_than_the_limit_is_ever_alive(record: Record, size: int, *, colliding: bool) -> None:
    alive: set[int] = set()
    most = 0

    class Counting(RecordingDriver):
        def create_sampler_state(self, record: bytes) -> int:
            nonlocal most
            handle = super().create_sampler_state(record)
            alive.add(handle)
            most = max(most, len(alive))
            return handle

        def delete_sampler_state(self, handle: int) -> None:
            alive.remove(handle)

    context = CsoContext(Counting(), max_size=size)
    for n in range(1000):
        context.sampler_state(record(n * 7919 % 331, colliding=colliding))
        assert context.statistics().live == len(alive)
    assert most == context.statistics().peak == size


def test_tidying_gives_up_old_states_and_never_recent_ones(record: Record) -> None:
    context = CsoContext(RecordingDriver(), max_size=128)
    for n in range(128):
        context.sampler_state(record(n))
    context.tidy()
    assert context.statistics().live == 128  # no turn yet: all of them are recent
    context.sampler_state(record(128))  # turns, and gives up two
    for n in range(64):
        context.sampler_state(record(n))
    context.tidy()
    assert context.statistics().live == 126
    context.max_size = 66
    context.tidy()
    assert context.statistics().live == 65  # the recent ones
    for n in [*range(64), 128]:
        context.sampler_state(record(n))
    assert context.statistics().creates == 129


def test_what_was_used_since_the_last_turn_stays(record: Record) -> None:
    driver = RecordingDriver()
    context = CsoContext(driver, max_size=100)
    for n in range(101):  # the last create turns
        context.sampler_state(record(n))
    for n in range(50):
        context.sampler_state(record(n))
    for n in range(200, 245):
        context.sampler_state(record(n))
    assert context.statistics().creates == 146
    for n in range(50):
        context.sampler_state(record(n))
    assert context.statistics().creates == 146


def hits(trace: Iterable[int], size: int, record: Record, policy: str = "second-chance") -> int:
    context = CsoContext(RecordingDriver(), policy=policy, max_size=size)
    for n in trace:
        context.sampler_state(record(n))
    return context.statistics().hits


def test_frames_that_do_not_quite_fit_still_hit_where_least_recently_used_never_does(record: Record) -> None:
    trace = list(chain.from_iterable(repeat(range(160), 50)))
    assert hits(trace, 128, record, "lru") == 0
    assert hits(trace, 128, record) > 0.7 * len(trace)


def test_a_stream_of_states_used_once_does_not_push_out_the_steady_ones(record: Record) -> None:
    trace = [n for frame in range(100) for n in [*range(90), *range(1000 + 10 * frame, 1010 + 10 * frame)]]
    assert hits(trace, 128, record) > 0.95 * hits(trace, 128, record, "lru")


def test_a_new_scene_takes_the_place_of_the_old_one(record: Record) -> None:
    trace = [n for scene in range(20) for _ in range(20) for n in range(100 * scene, 100 * scene + 80)]
    assert hits(trace, 128, record) > 0.95 * hits(trace, 128, record, "lru")


def test_an_eviction_is_an_event(context: CsoContext[int], record: Record) -> None:
    given: list[tuple[str, str, dict[str, Any]]] = []
    events.listen(lambda *what: given.append(what))
    try:
        for n in range(5):
            context.set_samplers("fragment", [record(n)])
    finally:
        events.quiet()
    assert given == [("cso", "eviction", {"policy": "second-chance", "states": 1, "pinned": 1, "max_size": 4})]


def test_a_hit_among_colliding_states_costs_no_more_than_among_others(record: Record) -> None:
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
    for n in range(4000):
        context.sampler_state(record(n, colliding=True))
    for n in range(4000):
        context.sampler_state(Compared(record(n, colliding=True)))
    assert context.statistics().hits == 4000
    assert compared < 4500


def test_a_cached_state_takes_at_most_150_bytes_with_its_record(record: Record) -> None:
    class Plain:
        def create_sampler_state(self, record: bytes) -> bool:
            return bool(record)  # a handle that takes no memory of its own

        def bind_sampler_states(self, *_: object) -> None: ...

        def delete_sampler_state(self, handle: bool) -> None: ...

    base = SamplerState.from_bytes(record(0))
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
def test_a_run_makes_room_for_a_64th_of_the_limit_and_at_least_for_one(
    record: Record, size: int, given_up: int
) -> None:
    context = CsoContext(RecordingDriver(), max_size=size)
    for n in range(size + 1):
        context.sampler_state(record(n))
    assert context.statistics().evictions == given_up
    for n in range(size + 1, size + given_up):
        context.sampler_state(record(n))
    context.tidy()
    assert context.statistics()[:5] == (0, size + given_up, 0, size + given_up, 0)
    assert context.statistics().evictions == given_up + (size > 1) * given_up
    assert context.statistics().runs == 1 + (size > 1)


def test_tidying_with_nothing_to_give_up_leaves_the_epoch_alone(record: Record) -> None:
    context = CsoContext(RecordingDriver(), max_size=128)

    def tidied() -> tuple[int, int, int]:
        context.tidy()
        return context.cache.epoch, context.statistics().runs, context.statistics().live

    before = tidied()
    for n in range(128):
        context.sampler_state(record(n))
    assert tidied() == (*before[:2], 128)  # full, and all of them recent
    context.sampler_state(record(128))  # a turn: 126 old ones, and the new one
    first = tidied()
    assert first[2] == 126
    assert tidied() == first  # just what is wanted


def test_tidying_takes_no_recent_state_where_no_old_one_is_free(record: Record) -> None:
    context = CsoContext(RecordingDriver(), max_size=4)
    for n in range(5):
        context.sampler_state(record(n))  # a turn: 0 to 2 are old
    context.set_samplers("fragment", [record(n) for n in (0, 1, 2)])
    context.single_sampler("vertex", 0, record(0))
    context.tidy()
    assert context.statistics().live == 4
    assert context.statistics().deletes == 1


def test_looked_up_again_after_a_turn_is_one_hit(record: Record) -> None:
    context = CsoContext(RecordingDriver(), max_size=4)
    for n in range(5):
        context.sampler_state(record(n))
    for n in (0, 0, 4, 0):
        context.sampler_state(record(n))
    assert (context.statistics().hits, context.statistics().misses) == (4, 5)


def test_the_peak_counts_old_and_recent_states_and_outlives_them(record: Record) -> None:
    def peaks(*steps: Callable[[CsoContext[int]], object]) -> list[int]:
        context = CsoContext(RecordingDriver(), max_size=128)
        seen = []
        for step in steps:
            step(context)
            seen.append(context.statistics().peak)
        return seen

    def use(*numbers: int) -> Callable[[CsoContext[int]], object]:
        return lambda context: [context.sampler_state(record(n)) for n in numbers]

    def smaller(context: CsoContext[int]) -> None:
        use(*range(200, 210))(context)
        context.max_size = 2

    assert peaks(use(*range(100)), lambda context: context.destroy()) == [100, 100]
    assert peaks(use(*range(100)), lambda context: context.forget(), use(1)) == [100, 100, 100]
    assert peaks(use(*range(129)), use(1, 2, 200)) == [128, 128]
    assert peaks(use(*range(50)), smaller) == [50, 60]

    context = CsoContext(RecordingDriver(), max_size=128)
    use(*range(50))(context)
    use(*range(200, 210))(context)
    context.destroy()
    assert context.statistics().peak == 60


def test_a_limit_that_is_not_passed_ends_no_epoch(record: Record) -> None:
    context = CsoContext(RecordingDriver(), max_size=10)
    for n in range(4):
        context.sampler_state(record(n))
    epoch = context.cache.epoch
    for size in (8, 4, 100):
        context.max_size = size
    assert context.cache.epoch == epoch
    context.max_size = 3
    assert context.cache.epoch != epoch
    assert context.statistics().live == 3


def test_a_limit_below_old_and_recent_states_together_is_kept_at_once(record: Record) -> None:
    context = CsoContext(RecordingDriver(), max_size=8)
    for n in range(9):
        context.sampler_state(record(n))  # a turn: seven old ones, one recent
    context.max_size = 7
    assert context.statistics().live == 7


@pytest.mark.parametrize(("layout", "leading_bytes"), [*product(("22.3", "21.2"), (4, 28, 32)), ("22.3", 36)])
def test_records_that_differ_behind_the_key_are_one_state(record: Record, layout: str, leading_bytes: int) -> None:
    """Whichever comes first, in its usual form or not; the driver is given the record as it came."""
    plain = record(0)
    others = [plain[:at] + b"\1" + plain[at + 1 :] for at in range(36)]
    driver = RecordingDriver()
    context = CsoContext(driver, key=KeyRule(layout, leading_bytes))
    handles = [context.sampler_state(data) for data in (plain, *others, *others)]
    assert handles[1 : 1 + len(others)] == handles[1 + len(others) :]
    made = {event[1]: event[2] for event in driver.events}
    for data, handle in zip((plain, *others), handles, strict=False):
        first = bytes.fromhex(str(made[handle]))
        assert pack_as(first, layout)[:leading_bytes] == pack_as(data, layout)[:leading_bytes]
    distinct = {pack_as(data, layout)[:leading_bytes] for data in (plain, *others)}
    assert len(made) == len(distinct)


def test_what_is_above_the_limit_goes_when_it_is_no_longer_in_use(record: Record) -> None:
    """With the next tidying; one that finds all of it in use does nothing at all."""
    context = CsoContext(RecordingDriver(), max_size=2)
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


def test_tidying_makes_no_old_states_of_recent_ones(record: Record) -> None:
    """It stops where old ones are used up, though less than a 64th of the limit is free."""
    context = CsoContext(RecordingDriver(), max_size=128)
    for n in range(129):  # a turn: 126 old ones, and the new one
        context.sampler_state(record(n))
    live = [n for n in range(129) if n not in (126, 127)]
    for n in live[1:]:
        context.sampler_state(record(n))
    context.sampler_state(record(500))
    assert (context.statistics().live, context.statistics().creates) == (128, 130)
    context.tidy()
    assert context.statistics().live == 127


def test_the_peak_counts_old_states_where_the_limit_is_raised(record: Record) -> None:
    context = CsoContext(RecordingDriver(), max_size=128)
    for n in range(129):
        context.sampler_state(record(n))
    context.max_size = 1000
    for n in range(500, 550):
        context.sampler_state(record(n))
    assert context.statistics().peak == context.statistics().live == 177
