"""What the tests of the cache share: records that collide, and a driver that can fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from statetracker.cso import POLICIES, CsoContext, RecordingDriver
from statetracker.pipe import SamplerState

Record = Callable[..., bytes]


@pytest.fixture
def record() -> Record:
    """``record(n)``: distinct records of distinct words; ``record(n, colliding=True)``: of one and the same word."""

    def make(number: int = 0, *, colliding: bool = False, **fields: Any) -> bytes:
        if colliding:
            return bytes(SamplerState(border_color=(number, number, 0, 0), **fields))
        return bytes(SamplerState(**{"max_lod": number / 8, **fields}))

    return make


class FailingDriver(RecordingDriver):
    """Does ``next_calls[callback]`` once in place of its work: "raise", "raise after" the work, or give "none"."""

    def __init__(self) -> None:
        super().__init__()
        self.next_calls: dict[str, str] = {}

    def _fails(self, call: str, when: str) -> bool:
        if self.next_calls.get(call) == when:
            del self.next_calls[call]
            return True
        return False

    def create_sampler_state(self, record: bytes) -> int:
        if self._fails("create", "none"):
            none: Any = None
            return none  # type: ignore[no-any-return]
        if self._fails("create", "raise"):
            raise RuntimeError("no memory")
        return super().create_sampler_state(record)

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        if self._fails("bind", "raise"):
            raise RuntimeError("no bind")
        super().bind_sampler_states(stage, start, handles)
        if self._fails("bind", "raise after"):
            raise RuntimeError("late")

    def delete_sampler_state(self, handle: int) -> None:
        super().delete_sampler_state(handle)
        if self._fails("delete", "raise after"):
            raise RuntimeError("no delete")

    def of(self, kind: str) -> list[list[object]]:
        """The events of one kind."""
        return [event for event in self.events if event[0] == kind]


@pytest.fixture
def driver() -> FailingDriver:
    return FailingDriver()


@pytest.fixture
def context(driver: FailingDriver) -> CsoContext[int]:
    """The default policy with room for four."""
    return CsoContext(driver, max_size=4)


@pytest.fixture
def mesa(driver: FailingDriver) -> CsoContext[int]:
    """Policy mesa with room for four."""
    return CsoContext(driver, policy="mesa", max_size=4)


@pytest.fixture(params=list(POLICIES))
def either(request: pytest.FixtureRequest, driver: FailingDriver) -> CsoContext[int]:
    """A fact that holds under every policy; room for 4096."""
    return CsoContext(driver, policy=request.param)
