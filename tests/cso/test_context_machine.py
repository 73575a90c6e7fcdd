"""Context and cache against a model, in any order of calls, under a driver that fails: every policy and key rule."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import settings

from statetracker.conformance import CsoMachine, WatchedDriver
from statetracker.pipe import KeyRule
from tests.cso.callbacks import CallsBack

#: At its limit, policy mesa deletes each handle once, and counts the bound ones among them.
_MESA: Final[dict[str, Any]] = {"policy": "mesa", "keeps_bound": False, "keeps_failures": True}


class RoomyMesaMachine(CsoMachine):
    """Policy mesa below its limit promises what the default does, but for failures, which it keeps."""

    policy = "mesa"
    max_size = 4096
    keeps_failures = True

    def change_the_limit(self, size: int) -> None:
        """Not here."""


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


#: Each with the key of drivers that look at the border's format, a key in another layout, policy lru, which promises
#: what the default does.
MACHINES: Final[dict[str, Any]] = {
    "Default": CsoMachine,
    "LongKey": type("LongKeyMachine", (CsoMachine,), {"key": KeyRule("22.3", 36)}),
    "SeedKey": type("SeedKeyMachine", (CsoMachine,), {"key": KeyRule("seed", 32)}),
    "Lru": type("LruMachine", (CsoMachine,), {"policy": "lru"}),
    "RoomyMesa": RoomyMesaMachine,
    "CrowdedMesa": type("CrowdedMesaMachine", (CsoMachine,), _MESA),
    "CallingBack": CallingBackMachine,
    "CallingBackMesa": type("CallingBackMesaMachine", (CallingBackMachine,), _MESA),
}
for _name, _machine in MACHINES.items():
    case = _machine.TestCase  # eight machines in turn: a third each
    case.settings = settings(case.settings, max_examples=max(case.settings.max_examples // 3, 1))
    globals()[f"Test{_name}"] = case
del case
