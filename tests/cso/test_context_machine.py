"""Context and cache against a model, in any order of calls, under a driver that fails: every policy and key rule."""

from __future__ import annotations

from hypothesis import settings

from statetracker.conformance import CsoMachine
from statetracker.pipe import KeyRule


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


class CrowdedMesaMachine(CsoMachine):
    """Policy mesa at its limit deletes each handle once, and counts the bound ones among them."""

    policy = "mesa"
    keeps_bound = False
    keeps_failures = True


TestDefault = CsoMachine.TestCase
TestLongKey = LongKeyMachine.TestCase
TestSeedKey = SeedKeyMachine.TestCase
TestRoomyMesa = RoomyMesaMachine.TestCase
TestCrowdedMesa = CrowdedMesaMachine.TestCase

for case in (
    TestDefault,
    TestLongKey,
    TestSeedKey,
    TestRoomyMesa,
    TestCrowdedMesa,
):  # five machines in turn: a third each
    case.settings = settings(case.settings, max_examples=max(case.settings.max_examples // 3, 1))
