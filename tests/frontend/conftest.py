"""Parts that tests of trackers share: a driver that fails on request, a tracker over it, a texture."""

from __future__ import annotations

import pytest

import statetracker as st
from tests.frontend.drivers import FailingDriver


@pytest.fixture
def driver() -> FailingDriver:
    return FailingDriver()


@pytest.fixture
def tracker(driver: FailingDriver) -> st.StateTracker[int]:
    return st.StateTracker(st.Screen.named("zink-lavapipe"), driver)


@pytest.fixture
def texture() -> st.Texture:
    return st.Texture(internal_format="RGBA8", size=(4, 4))
