"""Parts that tests of trackers share: a driver that fails on request, a tracker over it, what is bound."""

from __future__ import annotations

from typing import Any, Final

import pytest

import statetracker as st
from tests.cso.failing import FailingDriver

#: It never changes: a test that changes one makes its own.
TEXTURE: Final = st.Texture(internal_format="RGBA8", size=(4, 4))


def sampler(number: int = 0, **fields: Any) -> st.Sampler:
    """Return a sampler that differs from those of other numbers."""
    return st.Sampler(max_lod=float(number), **fields)


def pairs(*numbers: int, texture: st.Texture = TEXTURE) -> tuple[tuple[st.Sampler, st.Texture], ...]:
    """Return slots with new samplers of these numbers."""
    return tuple((sampler(number), texture) for number in numbers)


@pytest.fixture
def driver() -> FailingDriver:
    return FailingDriver()


@pytest.fixture
def tracker(driver: FailingDriver) -> st.StateTracker[int]:
    return st.StateTracker(st.Screen.named("zink-lavapipe"), driver)
