"""Callbacks that fail: nothing leaks, nothing is bound by mistake, the error says what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from statetracker.cso import CsoContext
from statetracker.errors import ArgumentError, DriverError

Record = Callable[..., bytes]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (None, r"the driver's create_sampler_state gave None\. Nothing is cached: the next use asks again"),
        (
            RuntimeError("no memory"),
            r"the driver's create_sampler_state raised RuntimeError\('no memory'\)\. Nothing is cached",
        ),
    ],
)
def test_a_create_that_fails_is_not_cached_and_stages_nothing(
    context: CsoContext[int], driver: Any, record: Record, error: Exception | None, words: str
) -> None:
    context.set_samplers("fragment", [record(0), record(1)])
    driver.fails["create"] = error
    with pytest.raises(DriverError, match=words) as caught:
        context.set_samplers("fragment", [record(1), record(2), record(3)])
    assert caught.value.call == "create_sampler_state"
    assert context.handles("fragment")[:3] == (0, 1, None)
    assert len(driver.of("bind")) == 1
    context.set_samplers("fragment", [record(1), record(2)])
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [1, 2]]
    assert context.statistics().failed_creates == 1


def test_states_made_before_a_failure_are_kept_and_deleted_once(
    context: CsoContext[int], driver: Any, record: Record
) -> None:
    made = driver.create_sampler_state

    def third_fails(data: bytes) -> int | None:
        return None if data == record(2) else made(data)

    context.cache._create = third_fails
    with pytest.raises(DriverError):
        context.set_samplers("fragment", [record(0), record(1), record(2)])
    assert context.handles("fragment")[:3] == (None, None, None)
    context.destroy()
    assert [event[0] for event in driver.events] == ["create", "create", "delete", "delete"]


def test_what_raised_is_the_cause(either: CsoContext[int], driver: Any, record: Record) -> None:
    driver.fails["create"] = RuntimeError("no memory")
    with pytest.raises(DriverError) as caught:
        either.single_sampler("vertex", 0, record(1))
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert either.handles("vertex")[0] is None
    either.single_sampler_done("vertex")
    assert driver.events == []


@pytest.mark.parametrize("how", ["bind", "bind after"])
def test_a_bind_that_raises_can_be_asked_for_again(
    either: CsoContext[int], driver: Any, record: Record, how: str
) -> None:
    driver.fails[how] = RuntimeError("no bind")
    with pytest.raises(
        DriverError, match=r"for slots 0\.\.1 of stage 'vertex'\. Call single_sampler_done\('vertex'\) again"
    ):
        either.set_samplers("vertex", [record(0), record(1)])
    either.single_sampler_done("vertex")
    assert driver.events[-1] == ["bind", "MESA_SHADER_VERTEX", 0, [0, 1]]


def test_after_a_bind_that_raised_old_and_new_states_count_as_bound(
    context: CsoContext[int], driver: Any, record: Record
) -> None:
    context.set_samplers("vertex", [record(0)])
    driver.fails["bind after"] = RuntimeError("late")
    with pytest.raises(DriverError):
        context.set_samplers("vertex", [record(1)])
    for n in range(2, 50):
        context.single_sampler("vertex", 0, record(n))
    assert not {0, 1} & {event[1] for event in driver.of("delete")}
    context.single_sampler_done("vertex")
    for n in range(50, 100):
        context.sampler_state(record(n))
    assert {0, 1} < {event[1] for event in driver.of("delete")}


def test_a_delete_that_raises_is_reported_and_not_repeated(
    context: CsoContext[int], driver: Any, record: Record
) -> None:
    for n in range(4):
        context.set_samplers("fragment", [record(n)])
    driver.fails["delete"] = RuntimeError("no delete")
    with pytest.raises(DriverError, match=r"raised RuntimeError.* will not delete them again") as caught:
        context.set_samplers("fragment", [record(4)])
    (gone,) = caught.value.handles
    assert context.handles("fragment")[0] == 3
    context.set_samplers("fragment", [record(4)])
    context.destroy()
    deleted = [event[1] for event in driver.of("delete")]
    assert sorted(deleted) == [0, 1, 2, 3, 4]
    assert deleted[0] == gone


def test_under_mesa_a_delete_that_raises_does_not_lose_the_new_state(
    mesa: CsoContext[int], driver: Any, record: Record
) -> None:
    for n in range(5):
        mesa.sampler_state(record(n))
    driver.fails["delete"] = RuntimeError("no delete")
    with pytest.raises(DriverError):
        mesa.sampler_state(record(5))
    assert mesa.sampler_state(record(5)) == 5
    mesa.destroy()
    assert sorted(event[1] for event in driver.of("delete")) == [0, 1, 2, 3, 4, 5]


def test_destroy_goes_on_after_a_delete_that_raises(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.set_samplers("fragment", [record(0), record(1), record(2)])
    driver.fails["delete"] = RuntimeError("no delete")
    with pytest.raises(DriverError):
        either.destroy()
    either.destroy()
    assert sorted(event[1] for event in driver.of("delete")) == [0, 1, 2]


def test_destroy_deletes_nothing_while_it_cannot_unbind(either: CsoContext[int], driver: Any, record: Record) -> None:
    either.set_samplers("fragment", [record(0)])
    driver.fails["bind"] = RuntimeError("no bind")
    with pytest.raises(DriverError, match="Call unbind or destroy again"):
        either.destroy()
    assert driver.of("delete") == []
    either.destroy()
    assert driver.events[-2:] == [["bind", "MESA_SHADER_FRAGMENT", 0, [None]], ["delete", 0]]


def test_a_keyboard_interrupt_in_a_callback_leaves_what_remains_for_later(
    context: CsoContext[int], driver: Any, record: Record
) -> None:
    deleted = []

    def interrupted(handle: int) -> None:
        deleted.append(handle)
        if len(deleted) == 2:
            raise KeyboardInterrupt

    context.cache._delete = interrupted
    for n in range(4):
        context.sampler_state(record(n))
    with pytest.raises(KeyboardInterrupt):
        context.destroy()
    context.destroy()
    assert sorted(deleted) == [0, 1, 2, 3]
    assert driver.of("delete") == []


def test_an_interrupted_bind_is_no_driver_error(either: CsoContext[int], driver: Any, record: Record) -> None:
    driver.fails["bind"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        either.set_samplers("vertex", [record(1)])


def test_what_a_failed_list_had_replaced_is_staged_again_and_stays(
    context: CsoContext[int], driver: Any, record: Record
) -> None:
    context.single_sampler("fragment", 0, record(0))
    with pytest.raises(ArgumentError):
        context.set_samplers("fragment", [*(record(n) for n in range(1, 9)), b"short"])
    for n in range(9, 50):
        context.sampler_state(record(n))
    context.single_sampler_done("fragment")
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [0]]
    assert ["delete", 0] not in driver.events


def test_what_a_failed_bind_may_have_left_above_the_next_one_stays(
    context: CsoContext[int], driver: Any, record: Record
) -> None:
    """The driver may have taken three slots; one bind of one slot says nothing about the other two."""
    driver.fails["bind after"] = RuntimeError("late")
    with pytest.raises(DriverError):
        context.set_samplers("vertex", [record(n) for n in range(3)])
    for slot in range(3):
        context.single_sampler("vertex", slot, record(10 + slot))
    context.single_sampler_done("fragment")  # the highest slot is counted over all stages: nothing is staged now
    context.set_samplers("vertex", [record(13)])
    assert driver.events[-1] == ["bind", "MESA_SHADER_VERTEX", 0, [6]]
    for n in range(20, 60):
        context.sampler_state(record(n))
    assert not {0, 1, 2} & {event[1] for event in driver.of("delete")}
    context.set_samplers("vertex", [record(n) for n in (20, 21, 22)])
    for n in range(60, 100):
        context.sampler_state(record(n))
    assert {0, 1, 2} < {event[1] for event in driver.of("delete")}


def test_the_first_of_several_deletes_that_raise_is_the_cause(either: CsoContext[int], record: Record) -> None:
    def refuse(handle: int) -> None:
        raise RuntimeError(f"handle {handle}")

    either.set_samplers("fragment", [record(0), record(1)])
    either.cache._delete = refuse
    with pytest.raises(DriverError, match=r"raised RuntimeError\('handle \d'\)") as caught:
        either.destroy()
    assert str(caught.value.__cause__) == f"handle {caught.value.handles[0]}"
    assert len(caught.value.handles) == 2
