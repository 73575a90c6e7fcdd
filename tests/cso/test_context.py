"""The binding protocol, the same under every policy; `tests/cso/test_context_machine.py` has any order of calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import nan
from typing import Any

import pytest

from statetracker.cso import DEFAULT_KEY, MAX_SAMPLERS, CsoContext, RecordingDriver, SecondChanceCache
from statetracker.errors import ArgumentError, InvalidCallOrder, UnknownName
from statetracker.pipe import SamplerState
from tests.cso.conftest import record

GREY = SamplerState(border_color=(0.5, 0.5, 0.5, 0.5))


@pytest.mark.parametrize(
    ("states", "handles"),
    [
        ([SamplerState(), bytes(SamplerState())], (0, 0)),
        ([SamplerState(), GREY, SamplerState(), GREY], (0, 1, 0, 1)),  # they share a word
        ([SamplerState(lod_bias=0.0), SamplerState(lod_bias=-0.0)], (0, 1)),
        ([SamplerState(lod_bias=nan), SamplerState(lod_bias=nan)], (0, 0)),  # of equal bits
    ],
)
def test_equal_bytes_are_created_once_and_give_one_handle(
    either: CsoContext[int], driver: Any, states: list[Any], handles: tuple[int, ...]
) -> None:
    either.set_samplers("fragment", states)
    either.set_samplers("vertex", states)
    assert either.handles("fragment")[: len(states)] == either.handles("vertex")[: len(states)] == handles
    assert len(driver.of("create")) == either.statistics().creates == len(set(handles))


@pytest.mark.parametrize(
    ("lists", "bound"),
    [
        ([[], [None], [None, None, None]], []),
        ([[1, 2], [None, 3]], [[0, 1], [0, 2]]),  # None keeps what the slot had
        ([[None, 3]], [[None, 0]]),
        ([[0, 1, 2, None, None]], [[0, 1, 2]]),  # and does not widen the range at the end
        ([[0, 1, 2, 3], [4, 5]], [[0, 1, 2, 3], [4, 5]]),  # the higher slots stay
        ([[1]] * 3, [[0]] * 3),  # a bind is sent again when nothing changed
        ([[1], [2], [1]], [[0], [1], [0]]),  # the handle 0 is a handle
    ],
)
def test_a_list_binds_from_slot_0_to_its_last_record(
    either: CsoContext[int], driver: Any, lists: list[list[int | None]], bound: list[Any]
) -> None:
    for numbers in lists:
        either.set_samplers("fragment", [None if n is None else record(n) for n in numbers])
    either.single_sampler("fragment", 3, None)
    either.single_sampler_done("fragment")
    assert [event[3] for event in driver.of("bind")] == bound


def test_done_sends_slots_from_0_to_the_highest_staged_in_any_stage_and_only_once(
    either: CsoContext[int], driver: Any
) -> None:
    """A state that is had without being staged is not among them."""
    assert [either.sampler_state(record(n)) for n in (1, 2, 1)] == [0, 1, 0]
    either.single_sampler_done("fragment")
    either.single_sampler("vertex", 2, record(1))
    either.single_sampler("fragment", 0, record(2))
    assert driver.of("bind") == []
    for stage in ("fragment", "fragment", "vertex"):
        either.single_sampler_done(stage)
    either.single_sampler("vertex", 0, record(3))
    either.single_sampler_done("vertex")
    assert [event[1:] for event in driver.of("bind")] == [
        ["MESA_SHADER_FRAGMENT", 0, [1, None, None]],
        ["MESA_SHADER_VERTEX", 0, [2]],
    ]


def test_hits_misses_and_shortcuts_are_all_records_given(either: CsoContext[int]) -> None:
    """A shortcut is of a record like the one before it, None aside."""
    either.set_samplers("fragment", [record(1), None, record(1), record(2), record(1)])
    assert either.statistics()[:4] == (1, 2, 1, 2)  # hits, misses, shortcuts, creates
    given = [record(n * n % 7) for n in range(32)]
    either.set_samplers("fragment", given)
    for index, one in enumerate(given):
        either.single_sampler("vertex", index, one)
        either.sampler_state(one)
    counted = either.statistics()
    assert counted.hits + counted.misses + counted.shortcuts == 4 + 96
    assert counted.creates == counted.misses == counted.live == 4
    assert (counted.bind_calls, counted.slots_sent) == (2, 5 + 32)


def test_restoring_sends_the_saved_slots_and_none_where_they_were_empty(either: CsoContext[int], driver: Any) -> None:
    either.save_samplers("compute")
    either.set_samplers("compute", [record(2)])
    either.restore_samplers("compute")
    assert len(driver.of("bind")) == 1
    assert either.handles("compute") == (None,) * MAX_SAMPLERS
    either.set_samplers("fragment", [record(0), record(1)])
    either.save_samplers()
    either.set_samplers("fragment", [record(2), record(3), record(4)])
    either.restore_samplers()
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [1, 2]]
    assert either.handles("fragment")[:3] == (1, 2, None)


def test_saving_is_one_deep_and_restoring_needs_a_save(either: CsoContext[int]) -> None:
    with pytest.raises(InvalidCallOrder, match=r"restore_samplers cannot be called now: .*not saved\. Save it first"):
        either.restore_samplers()
    either.save_samplers()
    with pytest.raises(InvalidCallOrder, match="saved already"):
        either.save_samplers()
    either.save_samplers("compute")


def test_unbinding_sends_none_to_every_slot_ever_sent(either: CsoContext[int], driver: Any) -> None:
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


def test_a_destroyed_context_says_so(either: CsoContext[int]) -> None:
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


def test_a_lost_device_takes_its_handles_along(either: CsoContext[int], driver: Any) -> None:
    """And what was staged for it."""
    either.set_samplers("fragment", [record(0), record(1)])
    either.single_sampler("fragment", 3, record(0))
    either.forget()
    driver.events.clear()
    either.single_sampler_done("fragment")
    either.set_samplers("fragment", [record(1)])
    assert driver.take() == [["create", 2], ["bind", "MESA_SHADER_FRAGMENT", 0, [2]]]
    either.destroy()
    assert driver.of("delete") == [["delete", 2]]
    counted = either.statistics()
    assert (counted.live, counted.forgotten) == (0, 2)


def test_a_driver_may_give_the_same_handle_for_every_state() -> None:
    class Same(RecordingDriver):
        def create_sampler_state(self, record: bytes) -> int:
            super().create_sampler_state(record)
            return 0

    context = CsoContext(Same(), max_size=8)
    for n in range(100):
        context.set_samplers("fragment", [record(n)])
    assert context.statistics().live == 8


@pytest.mark.parametrize("index", [-1, 32, 1000, 1.5])
def test_a_slot_or_a_stage_that_does_not_exist_is_refused_before_anything_is_made(
    either: CsoContext[int], driver: Any, index: int
) -> None:
    with pytest.raises(ArgumentError, match=rf"slot={index} cannot be used; accepted: 0\.\.31"):
        either.single_sampler("vertex", index, record(1))
    with pytest.raises(UnknownName, match="stage: 'pixel' is not known; accepted: vertex, tess-ctrl"):
        either.set_samplers("pixel", [record(1)])
    assert driver.events == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [(bytes(32), "32 bytes"), (bytes(40), "40 bytes"), *((one, one) for one in (36, "vertex", bytearray(36), [1]))],
)
def test_what_is_no_record_is_refused_and_changes_nothing(
    either: CsoContext[int], driver: Any, wrong: Any, said: object
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


def test_a_policy_is_a_name_or_a_class_of_ones_own() -> None:
    class Mine(SecondChanceCache[int]):
        name = "mine"

    context = CsoContext(RecordingDriver(), policy=Mine)
    context.set_samplers("vertex", [record(1)])
    assert context.statistics().live == 1
    other: list[Any] = ["fifo", None, Mine(RecordingDriver(), {}, 1, DEFAULT_KEY)]
    for wrong in other:
        with pytest.raises(UnknownName, match=r"policy: .* is not known; accepted: second-chance, mesa, lru"):
            CsoContext(RecordingDriver(), policy=wrong)


@pytest.mark.parametrize("size", [0, -1, 1.5, "4"])
def test_a_limit_is_a_number_of_states(size: Any) -> None:
    with pytest.raises(ArgumentError, match=f"max_size={size!r}"):
        CsoContext(RecordingDriver(), max_size=size)


def test_a_recording_reads_back_as_the_events(either: CsoContext[int], driver: Any) -> None:
    either.set_samplers("tess-ctrl", [None, record(1)])
    either.destroy()
    lines = list(driver.lines())
    assert lines[1] == '["bind","MESA_SHADER_TESS_CTRL",0,[null,0]]'
    assert [json.loads(line) for line in lines] == driver.events
