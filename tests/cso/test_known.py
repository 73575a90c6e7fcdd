"""A bind that was told before is told again without a lookup, and never when a handle may be gone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from statetracker.cso import CsoContext, RecordingDriver, SecondChanceCache
from statetracker.cso.slots import KnownBind
from statetracker.errors import ArgumentError, DriverError
from statetracker.pipe import SamplerState

Context = CsoContext[int]
RECORDS = [bytes(SamplerState(max_lod=float(n))) for n in range(8)]


def bound(context: Context, *records: bytes) -> Any:
    """Bind these to the fragment stage's first slots, and remember it."""
    context.set_samplers("fragment", records)
    return context.known_bind("fragment", len(records))


@pytest.mark.parametrize("policy", ["second-chance", "mesa"])
def test_a_known_bind_stages_and_tells_the_same_again(policy: str) -> None:
    driver = RecordingDriver()
    context = CsoContext(driver, policy=policy)
    known = bound(context, *RECORDS[:2])
    context.set_samplers("fragment", RECORDS[4:7])
    lookups = context.statistics().hits
    assert context.bind_known(known)
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [0, 1]]
    assert context.handles("fragment")[:4] == (0, 1, 4, None)  # what is above keeps what it had
    assert context.statistics().hits == lookups


def test_what_a_known_bind_told_is_in_use() -> None:
    driver = RecordingDriver()
    context = CsoContext(driver, max_size=4)
    known = bound(context, *RECORDS[:2])
    context.set_samplers("fragment", RECORDS[2:4])
    assert context.bind_known(known)
    for slot in range(2):
        context.single_sampler("fragment", slot, RECORDS[slot + 2])  # not told: the driver still has the others
    for record in RECORDS[4:]:
        context.sampler_state(record)
    assert {event[1] for event in driver.events if event[0] == "delete"}.isdisjoint({0, 1})


WAYS: dict[str, Callable[[Context], object]] = {
    "an eviction": lambda context: [context.sampler_state(record) for record in RECORDS],
    "a smaller limit": lambda context: setattr(context, "max_size", 1),
    "a lost device": lambda context: context.forget(),
    "destroy": lambda context: context.destroy(),
    "something staged": lambda context: context.single_sampler("vertex", 0, RECORDS[0]),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("policy", ["second-chance", "mesa"])
def test_a_known_bind_is_refused_and_does_nothing_after(policy: str, way: str) -> None:
    driver = RecordingDriver()
    context = CsoContext(driver, policy=policy, max_size=3)
    known = bound(context, *RECORDS[:2])
    context.set_samplers("fragment", RECORDS[2:4])
    WAYS[way](context)
    events = len(driver.events)
    assert not context.bind_known(known)
    assert len(driver.events) == events


class Refusing(RecordingDriver):
    """Raises at a bind while it is busy."""

    busy = False

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        if self.busy:
            raise RuntimeError("busy")
        super().bind_sampler_states(stage, start, handles)


def test_a_known_bind_that_raises_can_be_told_again_and_holds_both() -> None:
    driver = Refusing()
    context: Context = CsoContext(driver, max_size=4)
    known = bound(context, *RECORDS[:2])
    context.set_samplers("fragment", RECORDS[2:4])
    driver.busy = True
    with pytest.raises(DriverError, match="Call single_sampler_done"):
        context.bind_known(known)
    context.max_size = 1
    assert [event for event in driver.events if event[0] == "delete"] == []
    driver.busy = False
    context.single_sampler_done("fragment")
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [0, 1]]


def test_known_binds_are_counted_when_somebody_asks_and_wait_in_no_long_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statetracker.cso.context._MOST_LISTED", 3)
    context: Context = CsoContext(RecordingDriver())
    known = []
    for n in range(6):
        bound(context, RECORDS[n], RECORDS[n + 1])
        known.append(context.known_bind("fragment", 2, changed=n))
    before = context.statistics()
    for n in range(20):
        assert context.bind_known(known[n % 6])
        assert len(context._told) <= 3
    after = context.statistics()
    assert (after.bind_calls - before.bind_calls, after.slots_sent - before.slots_sent) == (20, 40)
    assert context.known_counts() == (20, 3 * sum(range(6)) + 0 + 1)


@pytest.mark.parametrize("drop", [False, True])
def test_what_was_not_told_since_the_last_count_is_let_go_and_counted_when_it_is_told_again(drop: bool) -> None:
    context: Context = CsoContext(RecordingDriver())
    known = [bound(context, record) for record in RECORDS[:3]]
    for one in (*known, known[0]):
        assert context.bind_known(one)
    assert context.known_counts(drop=drop) == (4, 0)
    assert context._told == ([] if drop else known)
    assert context.bind_known(known[1])
    context.statistics()
    assert context._told == [known[1]]
    assert context.bind_known(known[1])
    assert context.known_counts() == (6, 0)
    assert context._told == [known[1]]
    for one in (known[0], known[1], known[0]):
        assert context.bind_known(one)
    assert context.known_counts() == (9, 0)
    assert context._told == [known[1], known[0]]
    assert context.known_counts() == (9, 0)
    assert context._told == []
    assert context.bind_known(known[2])
    assert context.statistics().bind_calls == 3 + 10


def test_only_what_the_last_known_bind_told_is_in_use() -> None:
    """The lists of the stage still hold the bind before it; a policy must ask for what was told last."""
    driver = RecordingDriver()
    context: Context = CsoContext(driver, max_size=4)
    known = bound(context, RECORDS[0])
    bound(context, RECORDS[1])
    assert context.bind_known(known)
    for n in range(2, 8):
        context.sampler_state(RECORDS[n])
    deleted = {event[1] for event in driver.events if event[0] == "delete"}
    assert 0 not in deleted
    assert 1 in deleted


def test_the_first_eviction_after_a_known_bind_sees_what_it_told() -> None:
    driver = RecordingDriver()
    context: Context = CsoContext(driver, max_size=2)
    bound(context, RECORDS[0])
    known = bound(context, RECORDS[1])  # the latest of the states: the first to go, were it not in use
    assert known.sent is known.held  # what was told is what is held: kept once
    bound(context, RECORDS[0])
    assert context.bind_known(known)
    context.sampler_state(RECORDS[2])
    assert [event for event in driver.events if event[0] == "delete"] == [["delete", 0]]


def test_after_unbinding_a_known_bind_counts_as_told_again() -> None:
    driver = RecordingDriver()
    context: Context = CsoContext(driver)
    known = bound(context, *RECORDS[:3])
    context.unbind()
    assert context.bind_known(known)
    context.unbind()
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [None] * 3]
    context.unbind()
    assert len(driver.events) == 7


STAGINGS: dict[str, Callable[[Context], object]] = {
    "single_sampler": lambda context: context.single_sampler("fragment", 0, RECORDS[7]),
    "set_samplers": lambda context: context.set_samplers("fragment", [RECORDS[7]]),
    "update_samplers": lambda context: context.update_samplers("fragment", {0: RECORDS[7]}),
    "single_sampler_done": lambda context: context.single_sampler_done("fragment"),
    "save_samplers": lambda context: context.save_samplers(),
    "slots": lambda context: context.slots("fragment").held,
}


@pytest.mark.parametrize("way", STAGINGS)
def test_whatever_is_staged_next_finds_what_a_known_bind_told(way: str) -> None:
    """Not what was bound before it."""
    context: Context = CsoContext(RecordingDriver())
    known = bound(context, *RECORDS[:3])
    context.set_samplers("fragment", RECORDS[3:7])
    assert context.bind_known(known)
    STAGINGS[way](context)
    staged = way not in {"single_sampler_done", "save_samplers", "slots"}
    slots = context._stages["fragment"]
    assert slots.known is None
    assert slots.handles[:5] == [7 if staged else 0, 1, 2, 6, None]
    assert slots.sent[1:4] == [*RECORDS[1:3], RECORDS[6]]


@pytest.mark.parametrize("counts", [(3, 1), (1, 3), (2, 2)])
def test_a_known_bind_after_a_longer_one_leaves_what_that_told_above(counts: tuple[int, int]) -> None:
    driver = RecordingDriver()
    context: Context = CsoContext(driver)
    first, second = counts
    one = bound(context, *RECORDS[:first])
    other = bound(context, *RECORDS[4 : 4 + second])
    bound(context, RECORDS[3], RECORDS[3], RECORDS[3])
    known = {record: handle for handle, record in enumerate([*RECORDS[:first], *RECORDS[4 : 4 + second], RECORDS[3]])}
    assert context.bind_known(one)
    assert context.bind_known(other)
    staged = [RECORDS[4 + at] if at < second else RECORDS[at] if at < first else RECORDS[3] for at in range(3)]
    assert list(context.handles("fragment")[:3]) == [known[record] for record in staged]


def test_counts_are_up_to_date_whoever_asks() -> None:
    context: Context = CsoContext(RecordingDriver())
    plain = bound(context, RECORDS[0])
    changing = context.known_bind("fragment", 1, changed=1)
    for known in (plain, changing, changing):
        assert context.bind_known(known)
    assert context.known_counts() == (3, 2)
    context.unbind()
    assert (context.statistics().bind_calls, context.statistics().slots_sent) == (5, 5)


def test_a_known_bind_that_raises_is_staged_over_the_one_before_it() -> None:
    driver = Refusing()
    context: Context = CsoContext(driver)
    known = bound(context, RECORDS[0])
    longer = bound(context, *RECORDS[1:4])
    bound(context, *RECORDS[4:7])
    assert context.bind_known(longer)
    driver.busy = True
    with pytest.raises(DriverError):
        context.bind_known(known)
    assert context.handles("fragment")[:4] == (0, 2, 3, None)


def test_a_known_bind_of_no_slots_tells_nothing_and_is_counted_as_no_bind() -> None:
    driver = RecordingDriver()
    context: Context = CsoContext(driver)
    bound(context, *RECORDS[:2])
    known = context.known_bind("fragment", 0, kept=2)
    events, before = len(driver.events), context.statistics()
    assert context.bind_known(known)
    assert len(driver.events) == events
    after = context.statistics()
    assert (after.bind_calls, after.slots_sent) == (before.bind_calls, before.slots_sent)
    assert context.known_counts() == (1, 0)
    assert context.handles("fragment")[:3] == (0, 1, None)


@pytest.mark.parametrize("what", ["held", "sent"])
def test_what_is_kept_above_the_told_slots_is_looked_at_before_it_is_believed(what: str) -> None:
    """Somebody has bound another state there, or left the driver with another one."""
    driver = RecordingDriver()
    context: Context = CsoContext(driver)
    bound(context, *RECORDS[:3])
    known = context.known_bind("fragment", 1, kept=3)
    context.save_samplers()
    context.set_samplers("fragment", [RECORDS[4], RECORDS[1], RECORDS[5]])
    if what == "sent":
        context.restore_samplers()  # tells slots 0 to 2
        context.slots("fragment").sent[2] = RECORDS[5]
    assert not context.bind_known(known)
    assert context.handles("fragment")[2] == (2 if what == "sent" else 4)


def test_a_known_bind_with_more_than_it_tells_is_told_while_that_is_as_it_was() -> None:
    driver = RecordingDriver()
    context: Context = CsoContext(driver)
    bound(context, *RECORDS[:3])
    known = context.known_bind("fragment", 1, kept=3)
    context.single_sampler("fragment", 0, RECORDS[4])
    context.single_sampler_done("fragment")
    assert context.bind_known(known)
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [0]]
    assert context.handles("fragment")[:4] == (0, 1, 2, None)
    assert context.slots("fragment").sent[:4] == [*RECORDS[:3], None]


def restored_over_more() -> tuple[Context, Any]:
    """A stage after a meta operation on more slots than it had: the driver still has those; and what a bind told."""
    context: Context = CsoContext(RecordingDriver())
    context.set_samplers("fragment", RECORDS[:1])
    context.save_samplers()
    context.set_samplers("fragment", RECORDS[1:4])
    context.restore_samplers()
    known = context.known_bind("fragment", 1, kept=3)
    return context, known


def test_what_the_driver_had_above_the_told_slots_stays_in_use() -> None:
    """After a meta operation nothing is staged in a slot that the driver still has full."""
    context, known = restored_over_more()
    context.single_sampler("fragment", 0, RECORDS[5])
    context.single_sampler_done("fragment")
    assert context.bind_known(known)
    slots = context.slots("fragment")
    assert (slots.held[:4], slots.sent[:4]) == ([RECORDS[0], None, None, None], [RECORDS[0], *RECORDS[2:4], None])


def test_what_is_staged_now_above_the_told_slots_is_looked_at_too() -> None:
    """The driver has there what it had, and this time it is staged as well."""
    context, known = restored_over_more()
    context.set_samplers("fragment", RECORDS[1:4])
    assert not context.bind_known(known)


def test_a_known_bind_of_as_many_slots_that_raises_is_staged_over_the_one_before_it() -> None:
    driver = Refusing()
    context: Context = CsoContext(driver)
    bound(context, RECORDS[0], *RECORDS[4:6])
    known = context.known_bind("fragment", 1, kept=3)
    longer = bound(context, *RECORDS[3:6])
    bound(context, *RECORDS[:3])
    assert context.bind_known(longer)
    driver.busy = True
    with pytest.raises(DriverError):
        context.bind_known(known)
    assert context.handles("fragment")[:4] == (0, 1, 2, None)
    assert context.statistics().creates == 6


class Mine(KnownBind[int]):
    """Notes when it must stop."""

    __slots__ = ("stops",)

    def __init__(self) -> None:
        self.stops = 0

    def settled(self) -> None:
        self.stops += 1


def test_a_known_bind_in_place_of_another_tells_that_one_to_stop() -> None:
    """Who goes on by himself from the first one would not know of the second."""
    context: Context = CsoContext(RecordingDriver())
    mine = []
    for records in (RECORDS[:2], RECORDS[2:4]):
        bound(context, *records)
        one = Mine()
        assert context.known_bind("fragment", 2, into=one) is one
        mine.append(one)
    for known in mine:
        assert context.bind_known(known)
    assert [one.stops for one in mine] == [1, 0]


@pytest.mark.parametrize("kept", [1, 2])
def test_what_is_kept_above_is_compared_with_what_a_known_bind_told_there(kept: int) -> None:
    driver = RecordingDriver()
    context: Context = CsoContext(driver, max_size=4)
    bound(context, RECORDS[0], RECORDS[1])
    first = context.known_bind("fragment", 1, kept=2)
    bound(context, RECORDS[0], RECORDS[2])
    second = context.known_bind("fragment", kept)
    assert context.bind_known(second)
    assert not context.bind_known(first)
    for record in RECORDS[3:]:
        context.sampler_state(record)
    assert ["delete", 2] not in driver.events


def test_what_known_binds_told_after_an_unbind_is_unbound_too() -> None:
    """The last of them tells no slot; the one before it told two."""
    driver = RecordingDriver()
    context: Context = CsoContext(driver)
    two = bound(context, *RECORDS[:2])
    none = context.known_bind("fragment", 0, kept=2)
    context.unbind()
    assert context.bind_known(two)
    assert context.bind_known(none)
    context.destroy()
    assert driver.events[-3:] == [["bind", "MESA_SHADER_FRAGMENT", 0, [None, None]], ["delete", 0], ["delete", 1]]


def test_a_known_bind_that_was_taken_ends_the_doubt_about_a_failed_one() -> None:
    """What the failed bind may have left is told over by the first; the second tells less."""
    driver = Refusing()
    context: Context = CsoContext(driver, max_size=4)
    two = bound(context, *RECORDS[:2])
    one = context.known_bind("fragment", 1, kept=2)
    driver.busy = True
    with pytest.raises(DriverError):
        context.set_samplers("fragment", RECORDS[2:4])
    driver.busy = False
    context.single_sampler_done("fragment")
    driver.busy = True
    with pytest.raises(DriverError):
        context.set_samplers("fragment", RECORDS[2:4])
    driver.busy = False
    context.single_sampler("vertex", 0, RECORDS[0])
    context.single_sampler_done("vertex")
    assert context.bind_known(two)
    assert context.bind_known(one)
    assert context.slots("fragment").doubtful == []


@pytest.mark.parametrize(("count", "kept"), [(33, None), (-1, None), (1, 33)])
def test_slots_that_do_not_exist_are_refused(count: int, kept: int | None) -> None:
    context: Context = CsoContext(RecordingDriver())
    with pytest.raises(ArgumentError, match=r"numbers of slots, 0\.\.32"):
        context.known_bind("fragment", count, kept=kept)
    assert context.known_bind("fragment", 32).count == context.known_bind("fragment", 0, kept=32).kept == 32


def test_a_known_bind_is_written_once() -> None:
    context: Context = CsoContext(RecordingDriver())
    known = bound(context, RECORDS[0])
    with pytest.raises(ArgumentError, match="an instance that nothing was written into"):
        context.known_bind("vertex", 1, into=known)


def test_what_interrupts_a_bind_is_not_its_own_cause() -> None:
    class Interrupted(RecordingDriver):
        def bind_sampler_states(self, *_: object) -> None:
            raise KeyboardInterrupt

    context: Context = CsoContext(Interrupted())
    with pytest.raises(KeyboardInterrupt) as caught:
        context.set_samplers("fragment", RECORDS[:1])
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("way", ["an eviction", "a lost device", "destroy", "unbind", *STAGINGS])
def test_a_loop_that_goes_on_by_itself_is_told_when_to_stop(way: str) -> None:
    context: Context = CsoContext(RecordingDriver(), max_size=3)
    mine = Mine()
    bound(context, *RECORDS[:2])
    assert context.known_bind("fragment", 2, into=mine) is mine
    assert context.bind_known(mine)
    assert mine.stops == 0
    ({"unbind": lambda context: context.unbind()} | WAYS | STAGINGS)[way](context)
    assert mine.stops == 1
    assert way == "destroy" or context.slots("fragment").known is None


def test_a_policy_that_asks_nobody_ends_known_binds_too() -> None:
    class Careless(SecondChanceCache[int]):
        def _make_room(self, wanted: int, **_: bool) -> None:
            victims = [self.recent.pop(key) for key in list(self.recent)[: len(self.recent) - wanted]]
            self._give_up(victims, len(victims), 0)

    context: Context = CsoContext(RecordingDriver(), policy=Careless, max_size=3)
    known = bound(context, *RECORDS[:2])
    assert context.bind_known(known)
    assert context._stages["fragment"].known is known
    for record in RECORDS[2:5]:
        context.sampler_state(record)
    assert context._stages["fragment"].known is None


def test_mesas_policy_pins_what_a_known_bind_of_another_stage_told() -> None:
    """It reads the slots of all stages; what was told last must be in them."""
    driver = RecordingDriver()
    context: Context = CsoContext(driver, policy="mesa", max_size=4)
    known = bound(context, *RECORDS[:2])
    context.set_samplers("fragment", RECORDS[2:4])
    assert context.bind_known(known)
    for record in RECORDS[4:]:
        context.single_sampler("vertex", 0, record)
    assert {event[1] for event in driver.events if event[0] == "delete"}.isdisjoint({0, 1})
