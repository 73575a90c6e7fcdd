"""Context and cache against a model, in any order of calls, under a driver that fails: every policy and key rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from hypothesis import settings

from statetracker.conformance import COLLIDING_RECORDS, CsoMachine, WatchedDriver
from statetracker.cso import Resolved
from statetracker.errors import InvalidCallOrder
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


class LruMachine(CsoMachine):
    """Policy lru promises what the default does."""

    policy = "lru"


class CrowdedMesaMachine(CsoMachine):
    """Policy mesa at its limit deletes each handle once, and counts the bound ones among them."""

    policy = "mesa"
    keeps_bound = False
    keeps_failures = True


#: What callbacks try, one after another.
FORBIDDEN: Final[tuple[Callable[[Any], object], ...]] = (
    lambda context: context.unbind(),
    lambda context: context.set_samplers("geometry", [COLLIDING_RECORDS[0], None, COLLIDING_RECORDS[1]]),
    lambda context: context.single_sampler("fragment", 1, COLLIDING_RECORDS[2]),
    lambda context: context.single_sampler_done("fragment"),
    lambda context: context.look_up("compute", COLLIDING_RECORDS[:3]),
    lambda context: context.bind_resolved("compute", Resolved((), (), context.cache.epoch)),
    lambda context: context.destroy(),
    lambda context: setattr(context, "max_size", 1),
    lambda context: context.forget(),
    lambda context: context.tidy(),
    lambda context: context.save_samplers("geometry"),
    lambda context: context.restore_samplers("fragment"),
)


class CallingBack(WatchedDriver):
    """Calls its context back from every callback; what is not refused is wrong."""

    context: Any = None
    calls = 0

    def call_back(self) -> None:
        self.calls += 1
        forbidden = FORBIDDEN[self.calls % len(FORBIDDEN)]
        try:
            forbidden(self.context)
        except InvalidCallOrder as error:
            if "inside a driver's callback" not in str(error):
                self.wrong.append(f"call {self.calls} came in: {error}")
        else:
            self.wrong.append(f"call {self.calls} was not refused")

    def create_sampler_state(self, record: bytes) -> int | None:
        self.call_back()
        handle = super().create_sampler_state(record)
        self.call_back()
        return handle

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        self.call_back()
        super().bind_sampler_states(stage, start, handles)
        self.call_back()

    def delete_sampler_state(self, handle: int) -> None:
        self.call_back()
        super().delete_sampler_state(handle)
        self.call_back()


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
