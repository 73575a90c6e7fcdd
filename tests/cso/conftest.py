"""What the tests of the cache share: records that collide, contexts over a driver that can fail."""

from __future__ import annotations

from typing import Any

import pytest

from statetracker.cso import POLICIES, CsoContext
from statetracker.pipe import SamplerState
from tests.cso.failing import FailingDriver


def record(number: int = 0, *, colliding: bool = False, **fields: Any) -> bytes:
    """Return distinct records of distinct words; colliding ones have one and the same word."""
    if colliding:
        return bytes(SamplerState(border_color=(number, number, 0, 0), **fields))
    return bytes(SamplerState(**{"max_lod": number / 8, **fields}))


def use(context: CsoContext[Any], *numbers: int, colliding: bool = False) -> None:
    """Look up states of records by their numbers."""
    for number in numbers:
        context.sampler_state(record(number, colliding=colliding))


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
