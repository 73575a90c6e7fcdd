"""The binding protocol, the same under both policies."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from statetracker.cso import MAX_SAMPLERS, STAGES, CsoContext, RecordingDriver, SecondChanceCache
from statetracker.errors import ArgumentError, InvalidCallOrder, UnknownName
from statetracker.pipe import SamplerState

Record = Callable[..., bytes]


def test_the_same_record_twice_is_created_once_and_gives_one_handle(
    either: CsoContext[int], driver: Any, record: Record
) -> None:
    either.set_samplers("fragment", [record(1)])
    either.set_samplers("vertex", [SamplerState.from_bytes(record(1))])
    assert len(driver.of("create")) == 1
    assert either.handles("vertex")[0] == either.handles("fragment")[0] == 0


def test_grey_and_black_borders_share_a_word_and_not_a_handle(either: CsoContext[int]) -> None:
    black, grey = SamplerState(), SamplerState(border_color=(0.5, 0.5, 0.5, 0.5))
    either.set_samplers("fragment", [black, grey, black, grey])
    assert either.handles("fragment")[:4] == (0, 1, 0, 1)


def test_the_two_zeros_of_a_lod_bias_are_two_states(either: CsoContext[int]) -> None:
    either.set_samplers("fragment", [SamplerState(lod_bias=0.0), SamplerState(lod_bias=-0.0)])
    assert either.statistics().creates == 2


def test_equal_bits_of_a_nan_are_one_state(either: CsoContext[int]) -> None:
    either.set_samplers("fragment", [SamplerState(lod_bias=float("nan"))])
    either.set_samplers("vertex", [SamplerState(lod_bias=float("nan"))])
    assert either.statistics().creates == 1


def test_none_keeps_what_the_slot_had(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.set_samplers("fragment", [record(1), record(2)])
    either.set_samplers("fragment", [None, record(3)])
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [0, 2]]


def test_none_in_a_slot_never_set_is_bound_as_none(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.set_samplers("fragment", [None, record(3)])
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [None, 0]]


@pytest.mark.parametrize("records", [[], [None], [None, None, None]])
def test_nothing_but_none_makes_no_call(either: CsoContext[int], driver: Any, records: list[None]) -> None:
    either.set_samplers("fragment", records)
    either.single_sampler("fragment", 3, None)
    either.single_sampler_done("fragment")
    assert driver.events == []


def test_trailing_nones_do_not_widen_the_range(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.set_samplers("fragment", [record(0), record(1), record(2), None, None])
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [0, 1, 2]]


def test_fewer_samplers_leave_the_higher_slots_as_they_are(
    either: CsoContext[int], driver: Any, record: Record
) -> None:
    either.set_samplers("fragment", [record(n) for n in range(8)])
    either.set_samplers("fragment", [record(8), record(9)])
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [8, 9]]
    assert either.handles("fragment")[2:8] == (2, 3, 4, 5, 6, 7)


def test_a_bind_is_sent_again_when_nothing_changed(either: CsoContext[int], driver: Any, record: Record) -> None:
    for _ in range(3):
        either.set_samplers("fragment", [record(1)])
    assert len(driver.of("bind")) == 3


def test_done_sends_slots_from_0_and_only_once(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.single_sampler("compute", 2, record(1))
    assert driver.of("bind") == []
    either.single_sampler_done("compute")
    either.single_sampler_done("compute")
    assert driver.of("bind") == [["bind", "MESA_SHADER_COMPUTE", 0, [None, None, 0]]]


def test_the_highest_staged_slot_is_counted_over_all_stages(
    either: CsoContext[int], driver: Any, record: Record
) -> None:
    either.single_sampler("vertex", 2, record(1))
    either.single_sampler("fragment", 0, record(2))
    either.single_sampler_done("fragment")
    either.single_sampler_done("vertex")
    assert driver.of("bind") == [["bind", "MESA_SHADER_FRAGMENT", 0, [1, None, None]]]
    either.single_sampler("vertex", 0, record(3))
    either.single_sampler_done("vertex")
    assert driver.of("bind")[-1] == ["bind", "MESA_SHADER_VERTEX", 0, [2]]


def test_the_same_record_as_in_the_slot_before_needs_no_lookup(either: CsoContext[int], record: Record) -> None:
    either.set_samplers("fragment", [record(1), None, record(1), record(2), record(1)])
    counted = either.statistics()
    assert (counted.hits, counted.misses, counted.shortcuts) == (1, 2, 1)
    assert either.handles("fragment")[:5] == (0, None, 0, 1, 0)


def test_hits_misses_and_shortcuts_are_all_records_given(either: CsoContext[int], record: Record) -> None:
    given = [record(n * n % 7) for n in range(32)]
    either.set_samplers("fragment", given)
    for index, one in enumerate(given):
        either.single_sampler("vertex", index, one)
        either.sampler_state(one)
    counted = either.statistics()
    assert counted.hits + counted.misses + counted.shortcuts == 96
    assert counted.creates == counted.misses == counted.live == 4
    assert (counted.bind_calls, counted.slots_sent) == (1, 32)


def test_a_state_can_be_had_without_being_staged(either: CsoContext[int], driver: Any, record: Record) -> None:
    assert [either.sampler_state(record(n)) for n in (5, 6, 5)] == [0, 1, 0]
    either.single_sampler_done("fragment")
    assert driver.of("bind") == []


def test_restoring_sends_the_saved_slots(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.set_samplers("fragment", [record(0), record(1)])
    either.save_samplers()
    either.set_samplers("fragment", [record(2), record(3), record(4)])
    either.restore_samplers()
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [0, 1]]
    assert either.handles("fragment")[:3] == (0, 1, None)


def test_restoring_slots_that_were_empty_makes_no_call(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.save_samplers("compute")
    either.set_samplers("compute", [record(2)])
    either.restore_samplers("compute")
    assert len(driver.of("bind")) == 1
    assert either.handles("compute") == (None,) * MAX_SAMPLERS


def test_saving_is_one_deep_and_restoring_needs_a_save(either: CsoContext[int]) -> None:
    with pytest.raises(InvalidCallOrder, match=r"restore_samplers cannot be called now: .*not saved\. Save it first"):
        either.restore_samplers()
    either.save_samplers()
    with pytest.raises(InvalidCallOrder, match="saved already"):
        either.save_samplers()
    either.save_samplers("compute")


def test_unbinding_sends_none_to_every_slot_ever_sent(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.set_samplers("fragment", [record(0), record(1)])
    either.set_samplers("vertex", [record(0)])
    either.save_samplers()
    either.single_sampler("fragment", 5, record(2))
    either.unbind()
    assert driver.events[-2:] == [
        ["bind", "MESA_SHADER_VERTEX", 0, [None]],
        ["bind", "MESA_SHADER_FRAGMENT", 0, [None, None]],
    ]
    either.save_samplers()
    either.single_sampler_done("fragment")
    assert len(driver.of("bind")) == 4


def test_destroying_deletes_every_state_once(either: CsoContext[int], driver: Any, record: Record) -> None:
    for n in range(50):
        either.set_samplers(STAGES[n % 6], [record(n, colliding=bool(n % 2))])
    either.destroy()
    either.destroy()
    deleted = [event[1] for event in driver.of("delete")]
    assert sorted(deleted) == list(range(len(driver.of("create"))))
    assert either.statistics().live == 0


def test_a_destroyed_context_says_so(either: CsoContext[int], record: Record) -> None:
    either.single_sampler("vertex", 0, record(1))
    either.destroy()
    calls: tuple[Callable[[], object], ...] = (
        lambda: either.single_sampler("vertex", 0, record(1)),
        lambda: either.single_sampler_done("vertex"),
        lambda: either.set_samplers("vertex", []),
        either.save_samplers,
    )
    for call in calls:
        with pytest.raises(InvalidCallOrder, match=r"it is destroyed\. Make another one"):
            call()


def test_a_lost_device_takes_its_handles_along(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.set_samplers("fragment", [record(0), record(1)])
    either.forget()
    either.set_samplers("fragment", [record(1)])
    assert driver.events[-2:] == [
        ["create", 2, record(1).hex()],
        ["bind", "MESA_SHADER_FRAGMENT", 0, [2]],
    ]
    either.destroy()
    assert [event[1] for event in driver.of("delete")] == [2]
    counted = either.statistics()
    assert (counted.live, counted.forgotten) == (0, 2)


def test_the_handle_0_is_a_handle(either: CsoContext[int], record: Record) -> None:
    either.set_samplers("fragment", [record(1)])
    either.set_samplers("fragment", [record(2)])
    either.set_samplers("fragment", [record(1)])
    assert either.handles("fragment")[0] == 0
    assert either.statistics().creates == 2


def test_a_driver_may_give_the_same_handle_for_every_state(record: Record) -> None:
    class Same(RecordingDriver):
        def create_sampler_state(self, record: bytes) -> int:
            super().create_sampler_state(record)
            return 0

    context = CsoContext(Same(), max_size=8)
    for n in range(100):
        context.set_samplers("fragment", [record(n)])
    assert context.statistics().live == 8


@pytest.mark.parametrize("index", [-1, 32, 1000])
def test_a_slot_that_does_not_exist_is_refused_before_anything_is_made(
    either: CsoContext[int], driver: Any, record: Record, index: int
) -> None:
    with pytest.raises(ArgumentError, match=rf"slot={index} cannot be used; accepted: 0\.\.31"):
        either.single_sampler("vertex", index, record(1))
    assert driver.events == []


def test_an_unknown_stage_is_refused_with_the_names_there_are(either: CsoContext[int], record: Record) -> None:
    with pytest.raises(UnknownName, match="stage: 'pixel' is not known; accepted: vertex, tess-ctrl"):
        either.set_samplers("pixel", [record(1)])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [(bytes(32), "32 bytes"), (bytes(40), "40 bytes"), *((one, one) for one in (36, "vertex", bytearray(36), [1]))],
)
def test_what_is_no_record_is_refused_and_changes_nothing(
    either: CsoContext[int], driver: Any, record: Record, wrong: Any, said: object
) -> None:
    either.set_samplers("vertex", [record(1)])
    calls: tuple[Callable[[], object], ...] = (
        lambda: either.single_sampler("vertex", 0, wrong),
        lambda: either.set_samplers("vertex", [record(2), wrong]),
        lambda: either.sampler_state(wrong),
    )
    for call in calls:
        with pytest.raises(ArgumentError, match="accepted: a SamplerState, or 36 bytes") as caught:
            call()
        assert (caught.value.field, caught.value.value) == ("record", said)
    assert either.handles("vertex")[0] == 0
    assert len(driver.of("bind")) == 1


def test_a_policy_is_a_name_or_a_class_of_ones_own(record: Record) -> None:
    class Mine(SecondChanceCache[int]):
        name = "mine"

    context = CsoContext(RecordingDriver(), policy=Mine)
    context.set_samplers("vertex", [record(1)])
    assert context.statistics().live == 1
    with pytest.raises(UnknownName, match="policy: 'fifo' is not known; accepted: second-chance, mesa, lru"):
        CsoContext(RecordingDriver(), policy="fifo")


@pytest.mark.parametrize("size", [0, -1, 1.5, "4"])
def test_a_limit_is_a_number_of_states(size: Any) -> None:
    with pytest.raises(ArgumentError, match=f"max_size={size!r}"):
        CsoContext(RecordingDriver(), max_size=size)


def test_a_recording_reads_back_as_the_events(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.set_samplers("tess-ctrl", [None, record(1)])
    either.destroy()
    lines = list(driver.lines())
    assert lines[1] == '["bind","MESA_SHADER_TESS_CTRL",0,[null,0]]'
    assert [json.loads(line) for line in lines] == driver.events


def test_what_was_staged_for_a_lost_device_is_not_bound(context: CsoContext[int], driver: Any, record: Record) -> None:
    context.single_sampler("fragment", 3, record(0))
    context.forget()
    context.single_sampler_done("fragment")
    assert driver.of("bind") == []
    context.single_sampler("fragment", 0, record(0))
    context.single_sampler_done("fragment")
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [1]]
