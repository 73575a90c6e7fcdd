"""Context and cache against a model, in any order of calls, under a driver that fails: every policy and key rule."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

from statetracker.conformance import CsoMachine, WatchedDriver
from statetracker.pipe import KeyRule
from tests.cso.callbacks import CallsBack


class LongKeyMachine(CsoMachine):
    """The key of drivers that look at the border's format."""

    key = KeyRule("22.3", 36)


class SeedKeyMachine(CsoMachine):
    """A key in another layout."""

    key = KeyRule("seed", 32)


class RoomyMesaMachine(CsoMachine):
    """Policy mesa below its limit promises what the default does, but for failures, which it keeps."""

    policy = "mesa"
    max_size = 4096
    keeps_failures = True

    def change_the_limit(self, size: int) -> None:
        """Not here."""


class LruMachine(CsoMachine):
    """Policy lru promises what the default does."""

    policy = "lru"


class CrowdedMesaMachine(CsoMachine):
    """Policy mesa at its limit deletes each handle once, and counts the bound ones among them."""

    policy = "mesa"
    keeps_bound = False
    keeps_failures = True


class CallingBack(CallsBack, WatchedDriver):
    """Makes one forbidden call after another."""

    at_once = 1


class CallingBackMachine(CsoMachine):
    """Callbacks that call back change nothing."""

    def make_driver(self) -> WatchedDriver:
        return CallingBack()

    def make_context(self, driver: WatchedDriver) -> Any:
        assert isinstance(driver, CallingBack)
        driver.context = super().make_context(driver)
        return driver.context


class CallingBackMesaMachine(CallingBackMachine):
    """The same under policy mesa."""

    policy = "mesa"
    keeps_bound = False
    keeps_failures = True


TestDefault = CsoMachine.TestCase
TestLongKey = LongKeyMachine.TestCase
TestSeedKey = SeedKeyMachine.TestCase
TestLru = LruMachine.TestCase
TestRoomyMesa = RoomyMesaMachine.TestCase
TestCrowdedMesa = CrowdedMesaMachine.TestCase
TestCallingBack = CallingBackMachine.TestCase
TestCallingBackMesa = CallingBackMesaMachine.TestCase

for case in (
    TestDefault,
    TestLongKey,
    TestSeedKey,
    TestLru,
    TestRoomyMesa,
    TestCrowdedMesa,
    TestCallingBack,
    TestCallingBackMesa,
):  # eight machines in turn: a third each
    case.settings = settings(case.settings, max_examples=max(case.settings.max_examples // 3, 1))
