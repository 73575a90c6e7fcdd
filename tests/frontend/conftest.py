"""Parts that tests of trackers share: a driver that fails on request, a tracker over it, a texture."""

from __future__ import annotations

from typing import Any

import pytest

import statetracker as st
from tests.cso.failing import FailingDriver


def sampler(number: int = 0, **fields: Any) -> st.Sampler:
    """Return a sampler that differs from those of other numbers."""
    return st.Sampler(max_lod=float(number), **fields)


@pytest.fixture
def driver() -> FailingDriver:
    return FailingDriver()


@pytest.fixture
def tracker(driver: FailingDriver) -> st.StateTracker[int]:
    return st.StateTracker(st.Screen.named("zink-lavapipe"), driver)


@pytest.fixture
def texture() -> st.Texture:
    return st.Texture(internal_format="RGBA8", size=(4, 4))
