"""Context and cache against a model, in any order of calls, under a driver that fails.

`CsoMachine` needs nothing of this directory: subclass it to try a driver or a policy of your own, setting the class
attributes and, for a driver of your own, `make_driver`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from statetracker.cso import DEFAULT_KEY, MAX_SAMPLERS, STAGES, CsoContext
from statetracker.cso.keys import key_function, whole_record
from statetracker.errors import DriverError, OutOfOrder
from statetracker.pipe import KeyRule, SamplerState


class WatchedDriver:
    """A driver that knows what is right: it writes down every wrong call, and fails when told to.

    wrong    what the context should never have done, in words
    fails    callback -> how its next call fails: "none", "raise" (before its work), "raise after" it
    made     handle -> the record it was made of; given: handles given to delete; bound: stage -> slots
    """

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.fails: dict[str, str] = {}
        self.made: dict[int, bytes] = {}
        self.given: set[int] = set()
        self.bound: dict[str, list[int | None]] = {stage: [None] * MAX_SAMPLERS for stage in STAGES}
        self.last_bind: tuple[str, int] | None = None
        self.deleted_bound = 0

    def create_sampler_state(self, record: bytes) -> int | None:
        how = self.fails.pop("create", None)
        if how == "none":
            return None
        if how is not None:
            raise RuntimeError("create failed")
        handle = len(self.made)
        self.made[handle] = record
        return handle

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[int | None]) -> None:
        how = self.fails.pop("bind", None)
        if how == "raise":
            raise RuntimeError("bind failed")
        self.wrong += [f"bound {handle} after its delete" for handle in handles if handle in self.given]
        self.wrong += [f"bound {handle}, never made" for handle in handles if handle not in {None, *self.made}]
        self.bound[stage][start : start + len(handles)] = handles
        self.last_bind = stage, len(handles)
        if how is not None:
            raise RuntimeError("bind failed late")

    def delete_sampler_state(self, handle: int) -> None:
        if handle in self.given:
            self.wrong.append(f"deleted {handle} twice")
        if handle not in self.made:
            self.wrong.append(f"deleted {handle}, never made")
        self.given.add(handle)
        if any(handle in slots for slots in self.bound.values()):
            self.deleted_bound += 1
        if self.fails.pop("delete", None) is not None:
            raise RuntimeError("delete failed")

    def lose(self) -> None:
        """The device is gone, and everything with it."""
        self.__init__()  # type: ignore[misc]


#: Records of four distinct words, and eight of one and the same; some with a member that the short key ignores.
RECORDS = (
    *(SamplerState(max_lod=n / 8) for n in range(4)),
    *(SamplerState(max_lod=1.0, border_color=(n, n, 0, 0)) for n in range(1, 9)),
    SamplerState(border_color_format=1),
    SamplerState(max_lod=1.0, border_color=(3, 3, 0, 0), border_color_format=28),
)


class CsoMachine(RuleBasedStateMachine):
    """Any order of calls on a `CsoContext`, held against plain lists.

    policy, max_size, key   of the context under test
    records                 what is staged
    keeps_bound             whether the policy promises that no bound state is deleted, and none of a key made twice
    keeps_failures          whether it caches a create that gave None
    """

    policy: ClassVar[Any] = "second-chance"
    max_size: ClassVar[int] = 4
    key: ClassVar[KeyRule] = DEFAULT_KEY
    records: ClassVar[Sequence[SamplerState]] = RECORDS
    keeps_bound: ClassVar[bool] = True
    keeps_failures: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self.driver = self.make_driver()
        self.context = CsoContext(self.driver, policy=self.policy, max_size=self.max_size, key=self.key)
        self.key_of = key_function(self.key)
        self.staged: dict[str, list[bytes | None]] = {stage: [None] * MAX_SAMPLERS for stage in STAGES}
        self.saved: dict[str, list[bytes | None]] = {}
        self.seen = -1

    def make_driver(self) -> WatchedDriver:
        """Make the driver; a subclass may wrap another one."""
        return WatchedDriver()

    def picked(self, numbers: Sequence[int | None]) -> list[SamplerState | None]:
        """Records by number."""
        return [None if n is None else self.records[n % len(self.records)] for n in numbers]

    def attempt(self, *call: Any) -> str | None:
        """Make a call; return the callback that failed, if one did."""
        method, *arguments = call
        try:
            method(*arguments)
        except DriverError as error:
            return error.call
        return None

    def done(self, stage: str, failed: str | None) -> None:
        """Model the end of a call that told the driver; after a bind that failed, all stays to be told."""
        if failed is None:
            if self.seen >= 0:
                assert self.driver.last_bind == (stage, self.seen + 1)
            self.seen = -1

    @rule(stage=st.sampled_from(STAGES[3:]), index=st.integers(0, 3), number=st.integers(0, 63), plain=st.booleans())
    def stage_one(self, stage: str, index: int, number: int, plain: bool) -> None:
        (state,) = self.picked([number])
        assert state is not None
        if self.attempt(self.context.single_sampler, stage, index, bytes(state) if plain else state) is None:
            self.staged[stage][index] = self.key_of(whole_record(state))
            self.seen = max(self.seen, index)

    @rule(stage=st.sampled_from(STAGES[3:]))
    def send(self, stage: str) -> None:
        self.done(stage, self.attempt(self.context.single_sampler_done, stage))

    @rule(stage=st.sampled_from(STAGES[3:]), numbers=st.lists(st.none() | st.integers(0, 63), max_size=6))
    def stage_and_send(self, stage: str, numbers: list[int | None]) -> None:
        states = self.picked(numbers)
        failed = self.attempt(self.context.set_samplers, stage, states)
        if failed in {None, "bind_sampler_states"}:
            for index, state in enumerate(states):
                if state is not None:
                    self.staged[stage][index] = self.key_of(whole_record(state))
                    self.seen = max(self.seen, index)
            self.done(stage, failed)

    @rule(number=st.integers(0, 63))
    def look_up(self, number: int) -> None:
        (state,) = self.picked([number])
        assert state is not None
        self.attempt(self.context.sampler_state, state)

    @rule(stage=st.sampled_from(["fragment", "compute"]))
    def save(self, stage: str) -> None:
        try:
            self.context.save_samplers(stage)
        except OutOfOrder:
            assert stage in self.saved
        else:
            self.saved[stage] = self.staged[stage][:]

    @precondition(lambda self: self.saved)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        stage = data.draw(st.sampled_from(sorted(self.saved)))
        failed = self.attempt(self.context.restore_samplers, stage)
        self.staged[stage] = self.saved.pop(stage)
        bound = [i for i, handle in enumerate(self.context.handles(stage)) if handle is not None]
        self.seen = max(bound, default=self.seen)
        self.done(stage, failed)

    @rule(size=st.integers(1, 8))
    def change_the_limit(self, size: int) -> None:
        self.attempt(setattr, self.context, "max_size", size)

    @rule(call=st.sampled_from(["create", "bind", "delete"]), how=st.sampled_from(["none", "raise", "raise after"]))
    def let_a_callback_fail(self, call: str, how: str) -> None:
        self.driver.fails[call] = how if call == "create" or how != "none" else "raise"

    @rule()
    def unbind(self) -> None:
        self.driver.fails.pop("bind", None)
        self.context.unbind()
        self.forgotten()
        assert not any(handle is not None for slots in self.driver.bound.values() for handle in slots)

    @rule()
    def lose_the_device(self) -> None:
        self.context.forget()
        self.driver.lose()
        self.forgotten()

    def forgotten(self) -> None:
        """Model that nothing is staged or saved."""
        self.staged = {stage: [None] * MAX_SAMPLERS for stage in STAGES}
        self.saved.clear()
        self.seen = -1

    @invariant()
    def the_driver_was_never_called_wrongly(self) -> None:
        wrong = [what for what in self.driver.wrong if self.keeps_bound or "after its delete" not in what]
        assert not wrong, wrong
        if self.keeps_bound:
            assert not self.driver.deleted_bound
        else:
            assert self.context.statistics().deleted_while_bound >= self.driver.deleted_bound

    @invariant()
    def every_slot_has_the_handle_of_its_key(self) -> None:
        for stage, keys in self.staged.items():
            for key, handle in zip(keys, self.context.handles(stage), strict=True):
                if handle is None:
                    assert key is None or self.keeps_failures
                else:
                    assert self.key_of(self.driver.made[handle]) == key

    @invariant()
    def equal_keys_are_one_living_handle(self) -> None:
        if self.keeps_bound:
            keys = [
                self.key_of(record) for handle, record in self.driver.made.items() if handle not in self.driver.given
            ]
            assert len(keys) == len(set(keys))

    @invariant()
    def the_numbers_agree(self) -> None:
        counted = self.context.statistics()
        assert counted.live == len(self.driver.made) - len(self.driver.given)
        assert counted.misses == counted.creates + counted.failed_creates

    def teardown(self) -> None:
        """Destroy: every handle made has been given to delete, and nothing is bound."""
        self.driver.fails.clear()
        self.context.destroy()
        self.the_driver_was_never_called_wrongly()
        assert self.driver.given == set(self.driver.made)
        assert not any(handle is not None for slots in self.driver.bound.values() for handle in slots)


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
