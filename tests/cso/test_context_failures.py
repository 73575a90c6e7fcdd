"""Callbacks that fail: nothing leaks, nothing is bound by mistake, the error says what happened."""

from __future__ import annotations

from typing import Any

import pytest

from statetracker.cso import CsoContext
from statetracker.errors import ArgumentError, DriverError
from tests.cso.conftest import record, use


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
    context: CsoContext[int], driver: Any, error: Exception | None, words: str
) -> None:
    context.set_samplers("fragment", [record(0), record(1)])
    driver.fails["create"] = error
    with pytest.raises(DriverError, match=words) as caught:
        context.set_samplers("fragment", [record(1), record(2), record(3)])
    assert (caught.value.call, caught.value.__cause__) == ("create_sampler_state", error)
    assert context.handles("fragment")[:3] == (0, 1, None)
    assert len(driver.of("bind")) == 1
    context.set_samplers("fragment", [record(1), record(2)])
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [1, 2]]
    assert context.statistics().failed_creates == 1


@pytest.mark.parametrize("how", ["bind", "bind after"])
def test_a_bind_that_raises_can_be_asked_for_again(either: CsoContext[int], driver: Any, how: str) -> None:
    """One that was interrupted is no error of the driver's."""
    again = r"for slots 0\.\.1 of stage 'vertex'\. Call single_sampler_done\('vertex'\) again"
    driver.fails[how] = RuntimeError("no bind")
    with pytest.raises(DriverError, match=again):
        either.set_samplers("vertex", [record(0), record(1)])
    either.single_sampler_done("vertex")
    assert driver.events[-1] == ["bind", "MESA_SHADER_VERTEX", 0, [0, 1]]
    driver.fails[how] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        either.set_samplers("vertex", [record(1)])


def test_after_a_bind_that_raised_old_and_new_states_count_as_bound(context: CsoContext[int], driver: Any) -> None:
    context.set_samplers("vertex", [record(0)])
    driver.fails["bind after"] = RuntimeError("late")
    with pytest.raises(DriverError):
        context.set_samplers("vertex", [record(1)])
    for n in range(2, 50):
        context.single_sampler("vertex", 0, record(n))
    assert not {0, 1} & {*driver.deleted()}
    context.single_sampler_done("vertex")
    use(context, *range(50, 100))
    assert {0, 1} < {*driver.deleted()}


def test_a_delete_that_raises_is_reported_and_not_repeated(context: CsoContext[int], driver: Any) -> None:
    for n in range(4):
        context.set_samplers("fragment", [record(n)])
    driver.fails["delete"] = RuntimeError("no delete")
    with pytest.raises(DriverError, match=r"raised RuntimeError.* will not delete them again") as caught:
        context.set_samplers("fragment", [record(4)])
    assert [*caught.value.handles] == driver.deleted()
    assert context.handles("fragment")[0] == 3
    context.set_samplers("fragment", [record(4)])
    context.destroy()
    assert sorted(driver.deleted()) == [0, 1, 2, 3, 4]


def test_under_mesa_a_delete_that_raises_does_not_lose_the_new_state(mesa: CsoContext[int], driver: Any) -> None:
    use(mesa, *range(5))
    driver.fails["delete"] = RuntimeError("no delete")
    with pytest.raises(DriverError):
        mesa.sampler_state(record(5))
    assert mesa.sampler_state(record(5)) == 5
    mesa.destroy()
    assert sorted(driver.deleted()) == [0, 1, 2, 3, 4, 5]


def test_destroy_deletes_nothing_while_it_cannot_unbind_and_goes_on_after_a_delete_that_raises(
    either: CsoContext[int], driver: Any
) -> None:
    either.set_samplers("fragment", [record(0), record(1), record(2)])
    driver.fails["bind"] = RuntimeError("no bind")
    with pytest.raises(DriverError, match="Call unbind or destroy again"):
        either.destroy()
    assert driver.deleted() == []
    driver.fails["delete"] = RuntimeError("no delete")
    with pytest.raises(DriverError):
        either.destroy()
    assert driver.of("bind")[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [None] * 3]
    either.destroy()
    assert sorted(driver.deleted()) == [0, 1, 2]


def test_a_keyboard_interrupt_in_a_callback_leaves_what_remains_for_later(
    context: CsoContext[int], driver: Any
) -> None:
    use(context, *range(4))
    driver.fails["delete"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        context.destroy()
    assert len(driver.deleted()) == 1
    context.destroy()
    assert sorted(driver.deleted()) == [0, 1, 2, 3]


def test_what_a_failed_list_had_replaced_is_staged_again_and_stays(context: CsoContext[int], driver: Any) -> None:
    context.single_sampler("fragment", 0, record(0))
    with pytest.raises(ArgumentError):
        context.set_samplers("fragment", [*(record(n) for n in range(1, 9)), b"short"])
    use(context, *range(9, 50))
    context.single_sampler_done("fragment")
    assert driver.events[-1] == ["bind", "MESA_SHADER_FRAGMENT", 0, [0]]
    assert 0 not in driver.deleted()


def test_what_a_failed_bind_may_have_left_above_the_next_one_stays(context: CsoContext[int], driver: Any) -> None:
    """The driver may have taken three slots; one bind of one slot says nothing about the other two."""
    driver.fails["bind after"] = RuntimeError("late")
    with pytest.raises(DriverError):
        context.set_samplers("vertex", [record(n) for n in range(3)])
    for slot in range(3):
        context.single_sampler("vertex", slot, record(10 + slot))
    context.single_sampler_done("fragment")  # the highest slot is counted over all stages: nothing is staged now
    context.set_samplers("vertex", [record(13)])
    assert driver.events[-1] == ["bind", "MESA_SHADER_VERTEX", 0, [6]]
    use(context, *range(20, 60))
    assert not {0, 1, 2} & {*driver.deleted()}
    context.set_samplers("vertex", [record(n) for n in (20, 21, 22)])
    use(context, *range(60, 100))
    assert {0, 1, 2} < {*driver.deleted()}


def test_the_first_of_several_deletes_that_raise_is_the_cause(either: CsoContext[int]) -> None:
    def refuse(handle: int) -> None:
        raise RuntimeError(f"handle {handle}")

    either.set_samplers("fragment", [record(0), record(1)])
    either.cache._delete = refuse
    with pytest.raises(DriverError, match=r"raised RuntimeError\('handle \d'\)") as caught:
        either.destroy()
    assert str(caught.value.__cause__) == f"handle {caught.value.handles[0]}"
    assert len(caught.value.handles) == 2
