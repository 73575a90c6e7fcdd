"""`CsoMachine`: a state cache and its context against a model, in any order of calls, with failing callbacks.

See docs/conformance.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from statetracker.conformance.watched import WatchedDriver
from statetracker.cso import DEFAULT_KEY, MAX_SAMPLERS, STAGES, CsoContext, Resolved
from statetracker.cso.keys import key_function, whole_record
from statetracker.errors import DriverError, InvalidCallOrder, MissingExtra
from statetracker.pipe import SamplerState

try:
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
except ImportError as error:
    raise MissingExtra("statetracker.conformance", "hypothesis", "conformance") from error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.pipe import KeyRule

#: Records of four distinct words, and eight of one and the same; some with a member that the short key ignores.
COLLIDING_RECORDS: Final = (
    *(SamplerState(max_lod=n / 8) for n in range(4)),
    *(SamplerState(max_lod=1.0, border_color=(n, n, 0, 0)) for n in range(1, 9)),
    SamplerState(border_color_format=1),
    SamplerState(max_lod=1.0, border_color=(3, 3, 0, 0), border_color_format=28),
)


class CsoMachine(RuleBasedStateMachine):
    """Any order of calls on a context and its cache, with a driver that fails, compared with plain lists.

    Facts: equal key bytes have one living handle, and other bytes another; what is made is deleted once, all of it at
    the end; nothing is deleted while bound, nothing bound after its delete; a call that fails leaves the slots alone.

    To test another cache, subclass it and set or override the attributes. ``run_state_machine_as_test(Mine)`` or
    ``TestMine = Mine.TestCase`` runs it. Its steps are given numbers that Hypothesis draws: ``turn`` of a stage in
    ``stages``, ``number`` and ``numbers`` of records in ``records``, each modulo how many there are; None: no record.

    Attributes:
        policy: Of the context under test, as `CsoContext` takes it; max_size and key likewise.
        records: What is staged; few records, and a limit below their number, test a cache best.
        stages: The stages to stage in.
        keeps_bound: Whether no bound state is deleted and none of an equal key made twice.
        keeps_failures: Whether a create that gave None is cached.
        failures: The exceptions that a call may raise because a callback failed; ``call`` names it.
        make_driver: The driver: a `WatchedDriver`, or a subclass that also calls another one.
        make_context: The context: anything with `CsoContext`'s methods.
    """

    policy: ClassVar[Any] = "second-chance"
    max_size: ClassVar[int] = 4
    key: ClassVar[KeyRule] = DEFAULT_KEY
    records: ClassVar[Sequence[SamplerState]] = COLLIDING_RECORDS
    keeps_bound: ClassVar[bool] = True
    keeps_failures: ClassVar[bool] = False
    stages: ClassVar[Sequence[str]] = STAGES[3:]
    failures: ClassVar[tuple[type[Exception], ...]] = (DriverError,)

    def __init__(self) -> None:
        super().__init__()
        self.driver = self.make_driver()
        self.context = self.make_context(self.driver)
        self.key_of = key_function(self.key)
        self.staged: dict[str, list[bytes | None]] = {stage: [None] * MAX_SAMPLERS for stage in STAGES}
        self.saved: dict[str, list[bytes | None]] = {}
        self.seen = -1

    def make_driver(self) -> WatchedDriver:
        """Make the driver; a subclass may wrap another one."""
        return WatchedDriver()

    def make_context(self, driver: WatchedDriver) -> Any:
        """Make the context under test, over a driver."""
        return CsoContext(driver, policy=self.policy, max_size=self.max_size, key=self.key)

    def picked(self, numbers: Sequence[int | None]) -> list[SamplerState | None]:
        """Return records by their numbers; None stays None."""
        return [None if n is None else self.records[n % len(self.records)] for n in numbers]

    def chosen(self, turn: int) -> str:
        """Return a stage by number."""
        return self.stages[turn % len(self.stages)]

    def attempt(self, *call: Any) -> str | None:
        """Make a call; return the callback that failed, if one did."""
        method, *arguments = call
        try:
            method(*arguments)
        except self.failures as error:
            return str(getattr(error, "call", error))
        return None

    def done(self, stage: str, failed: str | None) -> None:
        """Model the end of a call that binds a stage; after a bind that failed, every slot stays dirty.

        Args:
            stage: The one that was bound.
            failed: The callback that failed; None: none.
        """
        if failed is None:
            assert self.seen < 0 or self.driver.last_bind == (stage, self.seen + 1)
            self.seen = -1

    @rule(turn=st.integers(0, 63), index=st.integers(0, 3), number=st.integers(0, 63), plain=st.booleans())
    def stage_one(self, turn: int, index: int, number: int, *, plain: bool) -> None:
        """Stage one slot.

        Args:
            turn: Chooses the stage.
            index: Of the slot, 0 to 31.
            number: Chooses the record.
            plain: Give the record as bytes.
        """
        stage = self.chosen(turn)
        (state,) = self.picked([number])
        assert state is not None
        if self.attempt(self.context.single_sampler, stage, index, bytes(state) if plain else state) is None:
            self.staged[stage][index] = self.key_of(whole_record(state))
            self.seen = max(self.seen, index)

    @rule(turn=st.integers(0, 63))
    def send(self, turn: int) -> None:
        """Bind what is staged."""
        stage = self.chosen(turn)
        self.done(stage, self.attempt(self.context.single_sampler_done, stage))

    @rule(turn=st.integers(0, 63), numbers=st.lists(st.none() | st.integers(0, 63), max_size=6))
    def stage_and_send(self, turn: int, numbers: list[int | None]) -> None:
        """Stage a list and bind it."""
        stage = self.chosen(turn)
        states = self.picked(numbers)
        failed = self.attempt(self.context.set_samplers, stage, states)
        if failed in {None, "bind_sampler_states"}:
            self.seen = max([self.seen, *self.stage(stage, states)])
            self.done(stage, failed)

    @rule(turn=st.integers(0, 63), numbers=st.lists(st.none() | st.integers(0, 63), max_size=6))
    def resolve_and_bind(self, turn: int, numbers: list[int | None]) -> None:
        """Look up states, and bind those that are not bound."""
        stage = self.chosen(turn)
        states = self.picked(numbers)
        failed = self.attempt(self.bind_resolved, stage, states)
        if failed in {None, "bind_sampler_states"}:
            self.stage(stage, states)

    def stage(self, stage: str, states: Sequence[SamplerState | None]) -> list[int]:
        """Model that states are staged from slot 0 on; None leaves a slot alone. Returns the slots."""
        staged = {index: state for index, state in enumerate(states) if state is not None}
        for index, state in staged.items():
            self.staged[stage][index] = self.key_of(whole_record(state))
        return [*staged]

    def bind_resolved(self, stage: str, states: Sequence[SamplerState | bytes | None]) -> None:
        """Both calls in one: look up states of a stage, and bind them."""
        keys, handles = self.context.look_up(stage, states)
        self.context.bind_resolved(stage, Resolved(keys, handles, self.context.cache.epoch))

    @rule(number=st.integers(0, 63))
    def look_up(self, number: int) -> None:
        """Find or create a state, without a slot."""
        (state,) = self.picked([number])
        assert state is not None
        self.attempt(self.context.sampler_state, state)

    @rule(stage=st.sampled_from(["fragment", "compute"]))
    def save(self, stage: str) -> None:
        """Set a stage's slots aside."""
        try:
            self.context.save_samplers(stage)
        except InvalidCallOrder:
            assert stage in self.saved
        else:
            self.saved[stage] = self.staged[stage][:]

    @precondition(lambda self: self.saved)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        """Restore saved slots and bind them; which, Hypothesis draws from ``data``."""
        stage = data.draw(st.sampled_from(sorted(self.saved)))
        failed = self.attempt(self.context.restore_samplers, stage)
        self.staged[stage] = self.saved.pop(stage)
        bound = [i for i, handle in enumerate(self.context.handles(stage)) if handle is not None]
        self.seen = max(bound, default=self.seen)
        self.done(stage, failed)

    @rule(size=st.integers(1, 8))
    def change_the_limit(self, size: int) -> None:
        """Set another limit, a size from 1."""
        self.attempt(setattr, self.context, "max_size", size)

    @rule(call=st.sampled_from(["create", "bind", "delete"]), how=st.sampled_from(["none", "raise", "raise after"]))
    def let_a_callback_fail(self, call: str, how: str) -> None:
        """Make the next call of a callback fail.

        Args:
            call: The callback.
            how: As in `WatchedDriver`, whose ``fails`` it goes to.
        """
        self.driver.fails[call] = how if call == "create" or how != "none" else "raise"

    @rule()
    def unbind(self) -> None:
        """Unbind everything."""
        self.driver.fails.pop("bind", None)
        self.context.unbind()
        self.forgotten()
        assert self.driver.empty

    @rule()
    def lose_the_device(self) -> None:
        """Lose every handle."""
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
        """No bind after a delete, no second delete, no handle from nowhere; nothing deleted while bound."""
        wrong = [what for what in self.driver.wrong if self.keeps_bound or "after its delete" not in what]
        assert not wrong, wrong
        if self.keeps_bound:
            assert not self.driver.deleted_bound
        else:
            assert self.context.statistics().deleted_while_bound >= self.driver.deleted_bound

    @invariant()
    def every_slot_has_the_handle_of_its_key(self) -> None:
        """Check that a slot holds a living handle made of the key that was staged."""
        for stage, keys in self.staged.items():
            for key, handle in zip(keys, self.context.handles(stage), strict=True):
                if handle is None:
                    assert key is None or self.keeps_failures
                else:
                    assert self.key_of(self.driver.made[handle]) == key

    @invariant()
    def equal_keys_are_one_living_handle(self) -> None:
        """No key has two living handles."""
        if self.keeps_bound:
            keys = [
                self.key_of(record) for handle, record in self.driver.made.items() if handle not in self.driver.given
            ]
            assert len(keys) == len(set(keys))

    @invariant()
    def the_numbers_agree(self) -> None:
        """Check that the statistics say what the driver saw."""
        counted = self.context.statistics()
        assert counted.live == len(self.driver.made) - len(self.driver.given)
        assert counted.misses == counted.creates + counted.failed_creates

    def teardown(self) -> None:
        """Destroy: every handle made has been given to delete, and nothing is bound."""
        self.driver.fails.clear()
        self.context.destroy()
        self.the_driver_was_never_called_wrongly()
        assert self.driver.given == set(self.driver.made)
        assert self.driver.empty
