"""The public state machine finds what it is there to find, in caches that are wrong on purpose."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from statetracker.conformance import CsoMachine, WatchedDriver
from statetracker.cso import CsoContext, SecondChanceCache
from statetracker.pipe import SamplerState

ROOT = Path(__file__).parents[2]
SHORT = settings(
    max_examples=100, stateful_step_count=40, deadline=None, derandomize=True, phases=[Phase.generate], print_blob=False
)


class Forgetful(SecondChanceCache[Any]):
    """Finds nothing again."""

    name = "forgetful"

    def obtain(self, record: SamplerState | bytes) -> tuple[object, Any]:
        held, handle = super().obtain(record)
        assert isinstance(held, bytes)
        self._old[bytes([len(self._old) % 251]) + held] = self.recent.pop(held)
        return held, handle


class Careless(SecondChanceCache[Any]):
    """Deletes what it likes, bound or not."""

    name = "careless"

    def _make_room(self, wanted: int, *, turn: bool = True) -> None:
        stages, self._stages = self._stages, {}
        try:
            super()._make_room(wanted, turn=turn)
        finally:
            self._stages = stages


class Leaking(SecondChanceCache[Any]):
    """Leaves one state behind at the end."""

    name = "leaking"

    def _everything(self) -> Iterable[Any]:
        return islice(super()._everything(), 1, None)


class Confused(SecondChanceCache[Any]):
    """Takes all borders for one."""

    name = "confused"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._tail = None
        self._key = lambda data: data[:16] + bytes(20)


class Impatient(CsoContext[Any]):
    """Deletes a state that it is about to bind."""

    def single_sampler_done(self, stage: str) -> None:
        handle = self.handles(stage)[0]
        if handle is not None:
            self.cache._delete(handle)
        super().single_sampler_done(stage)


@pytest.mark.parametrize("wrong", [Forgetful, Careless, Leaking, Confused, "mesa"])
def test_a_wrong_cache_is_noticed(wrong: Any) -> None:
    class Machine(CsoMachine):
        policy = wrong

    with pytest.raises(AssertionError):
        run_state_machine_as_test(Machine, settings=SHORT)


def test_a_wrong_context_is_noticed() -> None:
    class Machine(CsoMachine):
        def make_context(self, driver: WatchedDriver) -> Any:
            return Impatient(driver, max_size=self.max_size, key=self.key)

    with pytest.raises(AssertionError):
        run_state_machine_as_test(Machine, settings=SHORT)


def test_a_driver_may_ask_another_one() -> None:
    asked: list[str] = []

    class Asking(WatchedDriver):
        def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
            asked.append(stage)
            super().bind_sampler_states(stage, start, handles)

    class Machine(CsoMachine):
        stages = ("vertex",)

        def make_driver(self) -> WatchedDriver:
            return Asking()

    run_state_machine_as_test(Machine, settings=settings(SHORT, max_examples=10))
    assert "vertex" in asked


def test_the_driver_writes_down_every_wrong_call() -> None:
    driver = WatchedDriver()
    handle = driver.create_sampler_state(bytes(36))
    assert handle == 0
    driver.bind_sampler_states("vertex", 0, [0, None, 7])
    driver.delete_sampler_state(0)
    driver.delete_sampler_state(0)
    driver.bind_sampler_states("vertex", 0, [0])
    assert driver.wrong == ["bound 7, never made", "deleted 0 twice", "bound 0 after its delete"]
    assert driver.deleted_bound == 2


LAZY = "import statetracker.conformance as c; print(sys.modules.get('hypothesis')); c.CsoMachine"


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("import statetracker.conformance.strategies", ""),
        ("import statetracker.conformance.machine", ""),
        (LAZY, "None\n"),
    ],
)
def test_only_what_needs_hypothesis_loads_it_and_names_it_where_it_is_missing(program: str, printed: str) -> None:
    without = f"import sys; sys.modules['hypothesis'] = None; {program}"
    ran = subprocess.run([sys.executable, "-c", without], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stdout == printed
    assert "needs the package hypothesis. Install it with: pip install hypothesis\n" in ran.stderr
