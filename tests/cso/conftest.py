"""What the tests of the cache share: records that collide, contexts over a driver that can fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from statetracker.cso import POLICIES, CsoContext
from statetracker.pipe import SamplerState
from tests.cso.failing import FailingDriver

Record = Callable[..., bytes]


@pytest.fixture
def record() -> Record:
    """``record(n)``: distinct records of distinct words; ``record(n, colliding=True)``: of one and the same word."""

    def make(number: int = 0, *, colliding: bool = False, **fields: Any) -> bytes:
        if colliding:
            return bytes(SamplerState(border_color=(number, number, 0, 0), **fields))
        return bytes(SamplerState(**{"max_lod": number / 8, **fields}))

    return make


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
