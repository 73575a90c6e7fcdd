"""`StateTracker`: the loop of a front end, which pays for what changed.

A bind names the slots of a stage and what each samples. What a sampler, a texture and a unit come to is remembered by
their tokens; only slots whose state is another one than before go to the cache, and to the driver. If nothing has been
made or changed since a stage's last bind and the slots are the same, one compare answers.

Not here: GL's own decisions which texture a unit samples (`gl.Context`, see `StateTracker.bind_context`), and states by
themselves (`frontend.convert`). The page is docs/tracker.md.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias

from statetracker.caps import Screen
from statetracker.cso import MAX_SAMPLERS, CsoContext
from statetracker.cso.driver import Handle
from statetracker.errors import ArgumentError, DeviceLost, DriverError
from statetracker.frontend.bound_stage import BoundStage, FrameCounts, Move, StageMemory
from statetracker.frontend.policy import Policy
from statetracker.frontend.stage_slots import stage_slots
from statetracker.frontend.states import GLSL130, SEAMLESS, StateMemo
from statetracker.gl.state import Unit
from statetracker.gl.tokens import changes
from statetracker.sampler.dialects import dialect as dialect_named
from statetracker.sampler.dialects import key_rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from statetracker.cso import Driver
    from statetracker.frontend.states import Bindable, Key, SlotState

    _Given: TypeAlias = tuple[Bindable | None, ...] | dict[int, Bindable | None]
    from statetracker.gl import Context, Program, Sampler, Texture
    from statetracker.sampler import Dialect

__all__ = ["StateTracker"]

_DEFAULT_STATES: Final = 4096
_NOTHING: Final[Mapping[int, Any]] = {}
_BY_SLOT: Final = 4  # beside the flags of a bind: its slots came in a mapping, and its name has their numbers
_CHANGEABLE: Final = object()  # in place of slots that may be changed in place, unseen
_FLAGS: Final = {
    (seamless, glsl130): SEAMLESS * seamless | GLSL130 * glsl130 for seamless in (0, 1) for glsl130 in (0, 1)
}


class StateTracker(Generic[Handle]):
    """Binds samplers for one driver context.

    screen    what the hardware can do; may be replaced, as may ``policy``
    driver    three callables, see `cso.Driver`; its handles are opaque
    policy    the user's overrides and the budget of live states (None there: 4096); None: `Policy()`
    dialect   whose rules: seed, mesa21, mesa22, mesa24
    eviction  what to give up at the budget: "second-chance", or another of `cso.POLICIES`

    ``generation`` is another integer after every change of screen or policy, and after the loss of the device: what
    was bound or remembered under another generation is not to be used. ``cso`` is the cache underneath.

    One thread at a time, and the objects that are bound must not change meanwhile in another. The same calls give the
    same calls of the driver, in every run. Raises `UnknownName` for an unknown dialect or eviction.
    """

    def __init__(
        self,
        screen: Screen,
        driver: Driver[Handle],
        *,
        policy: Policy | None = None,
        dialect: str | Dialect = "mesa22",
        eviction: str = "second-chance",
    ) -> None:
        """Make the cache, empty; the driver is not called."""
        self.generation = 0
        self.dialect = dialect_named(dialect)
        self._driver = driver
        self._eviction = eviction
        chosen = policy or Policy()
        self._states = StateMemo(screen, chosen, self.dialect, _remembered(chosen))
        self.cso = self._new_cso()
        self._stages: dict[str, StageMemory[Handle]] = {}
        self._frame = 0
        self._past = (0, 0)  # creates and deletes of caches that are gone
        self._counted = (0, 0, 0, 0, 0, 0)
        self._binds = self._slots_changed = 0
        self._unchanged = 0

    @property
    def screen(self) -> Screen:
        """What the hardware can do. Another one makes every state anew; so does another key rule, in a new cache."""
        return self._states.screen

    @screen.setter
    def screen(self, screen: Screen) -> None:
        self._renew(screen, self.policy)

    @property
    def policy(self) -> Policy:
        """The user's overrides. Another one makes every state anew; states that stay the same keep their handles."""
        return self._states.policy

    @policy.setter
    def policy(self, policy: Policy) -> None:
        self._renew(self.screen, policy)

    def bind(
        self,
        stage: str,
        slots: Mapping[int, Bindable | None] | Sequence[Bindable | None],
        seamless: bool = False,  # noqa: FBT001, FBT002 (by name only costs half as much as an empty call)
        glsl130: bool = True,  # noqa: FBT001, FBT002
    ) -> BoundStage[Handle]:
        """Bind what slots of a stage sample; tell the driver if a state is another one than before.

        stage     a name of `cso.STAGES`
        slots     slot -> (sampler, texture) or (sampler, texture, unit); or these from slot 0 on, in a tuple or list.
                  A sampler of None is the texture's own; a unit is a `gl.Unit` or its LOD bias in levels (NaN as the
                  dialect has it, -0.0 as 0.0). Textures are taken as they are, complete or not
        seamless  the context's switch for seamless cubes
        glsl130   the stage's program is GLSL 1.30 or later

        A slot that is not named, or named as None, is not looked at and keeps what it had; so does one with a buffer
        texture, where GL has no sampler. Calls of the driver follow `CsoContext`: creates in the order of the slots,
        then one bind of slots 0 to the highest one that changed; none if none did.

        Raises `ArgumentError` for what cannot be bound, `UnknownName` for a stage, `DriverError` if a callback fails.
        After any of them the slots are as before; but if it was the driver's bind, they hold what was asked for, and
        the next bind tells the driver every slot that it names, and those below the highest of them, again. A
        `DriverError` caused by `DeviceLost` has dropped all handles, as `device_lost` does; so it is in every method.
        """
        try:
            memory = self._stages[stage]
        except KeyError:
            memory = self._first_use(stage)
        last = memory.move
        if slots is last.given:
            if last.stamp is changes.last and seamless is last.seamless and glsl130 is last.glsl130:
                self._unchanged += 1
                return last.same or last.again()
        else:
            move = last.next
            if (
                slots is move.given
                and move.stamp is changes.last
                and seamless is move.seamless
                and glsl130 is move.glsl130
            ):
                tell = move.tell
                try:
                    tell(stage, 0, move.told)
                except BaseException as error:
                    self._not_told(move, error)
                    raise
                move.times += 1
                memory.slots.known = memory.move = move
                return move.bound
        return self._look(memory, slots, seamless, glsl130)

    def bind_context(self, context: Context, stage: str, program: Program | None = None) -> BoundStage[Handle]:
        """Bind what the next draw of a GL context samples in a stage.

        program   the program to use; None: the context's current one, or fixed function without one

        Incomplete textures are replaced by GL's fallback; multi-plane external images take their extra slots.
        """
        used = program if program is not None else context.program
        slots = stage_slots(context, stage, used, newer=self.dialect.seamless_edge)
        return self.bind(stage, slots, context.seamless, used is not None and used.glsl130)

    def record(
        self,
        sampler: Sampler | None,
        texture: Texture,
        unit: Unit | float = 0.0,
        *,
        seamless: bool = False,
        glsl130: bool = True,
    ) -> bytes | None:
        """What `bind` would ask the cache for: 36 bytes, the policy applied; None where GL binds no sampler."""
        pair: Bindable = (sampler, texture, unit)
        key = self._states.key(pair, SEAMLESS * bool(seamless) | GLSL130 * bool(glsl130))
        return (self._states.find(key) or self._states.make(key, pair)).record

    def end_frame(self) -> FrameCounts:
        """End a frame: give up unused states, so that fewer creates of the next frame must; count what happened.

        States that were used since the cache's last turn stay; see docs/cso.md. Raises `DriverError` if a delete
        fails; the frame has ended then too.
        """
        self._frame += 1
        try:
            with self._device_may_go():
                self.cso.tidy()
        finally:
            counts = self._counts()
        return counts

    def invalidate(self, stage: str | None = None) -> None:
        """Forget what a stage, or every stage, has bound: somebody else did. The next bind tells all that it names."""
        for name in [stage] if stage is not None else list(self._stages):
            memory = self._stages.pop(name, None)
            if memory is not None:
                memory.forget()

    def save_samplers(self, stage: str = "fragment") -> None:
        """Set a stage's slots aside for a meta operation; see `CsoContext.save_samplers`."""
        self.cso.save_samplers(stage)

    def restore_samplers(self, stage: str = "fragment") -> None:
        """Bind again what was saved; see `CsoContext.restore_samplers`. The stage's next bind tells all its slots."""
        self.invalidate(stage)
        with self._device_may_go():
            self.cso.restore_samplers(stage)

    def unbind(self) -> None:
        """Bind nothing to every slot that the driver was ever told; states stay in the cache."""
        self.invalidate()
        with self._device_may_go():
            self.cso.unbind()

    def device_lost(self, driver: Driver[Handle] | None = None) -> None:
        """Drop all handles without a call of the driver; what is bound next is created again.

        driver   the driver of the new device; None: the callbacks stay

        What samplers and textures come to is kept: it does not depend on the device.
        """
        self.generation += 1
        self.invalidate()
        self.cso.forget()
        if driver is not None:
            self._driver = driver
            self._replace_cso()

    def destroy(self) -> None:
        """Unbind and delete everything; the tracker is of no use afterwards. See `CsoContext.destroy`."""
        self.invalidate()
        with self._device_may_go():
            self.cso.destroy()

    def __enter__(self) -> Self:
        """Give the tracker; the block's end destroys it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Destroy."""
        self.destroy()

    def _count_and_drop(self) -> None:
        """Let known binds go."""
        self.cso.known_counts(drop=True)

    def _first_use(self, stage: str) -> StageMemory[Handle]:
        return self._stages.setdefault(
            stage, StageMemory(stage, self.cso.slots(stage), self.generation, self._count_and_drop)
        )

    def _look(
        self,
        memory: StageMemory[Handle],
        slots: Mapping[int, Bindable | None] | Sequence[Bindable | None],
        seamless: bool,  # noqa: FBT001
        glsl130: bool,  # noqa: FBT001
    ) -> BoundStage[Handle]:
        """Find the bind among those that are known from here; first where a loop's next one usually is."""
        last = memory.move
        if slots.__class__ is list:
            slots = tuple(slots)
        elif slots.__class__ is tuple:
            move = last.to.moves.get(id(slots))
            if (
                move is not None
                and seamless is move.seamless
                and glsl130 is move.glsl130
                and self._follow(memory, move)
            ):
                return move.bound
        if slots == last.given and seamless is last.seamless and glsl130 is last.glsl130 and last.still_right():
            self._unchanged += 1
            return last.same or last.again()
        move = last.next
        if move.named and slots == move.given and seamless is move.seamless and glsl130 is move.glsl130:
            if move.stamp is changes.last:
                return self.bind(move.stage, move.given, seamless, glsl130)
            if self._follow(memory, move):
                return move.bound
        return self._find(memory, slots, seamless, glsl130)

    def _find(
        self,
        memory: StageMemory[Handle],
        slots: Mapping[int, Bindable | None] | Sequence[Bindable | None],
        seamless: bool,  # noqa: FBT001
        glsl130: bool,  # noqa: FBT001
    ) -> BoundStage[Handle]:
        """Find the bind by the content of its slots, or work it out."""
        try:
            flags = _FLAGS[seamless, glsl130]
        except (KeyError, TypeError):
            raise ArgumentError("seamless, glsl130", (seamless, glsl130), accepted="True or False each") from None
        given, name = _given(slots)
        if given is not name:
            flags |= _BY_SLOT
        moves = memory.move.to.moves
        try:
            move = moves.get(name)
        except TypeError:  # a list for a pair
            move = None
        if move is not None and move.flags == flags and self._follow(memory, move):
            if given is name:
                _rename(moves, move, given)
            return move.bound
        return self._work_out(memory, given, name, flags)

    def _follow(self, memory: StageMemory[Handle], move: Move[Handle]) -> bool:
        """Bind what is known; False: what it read has changed, or its states may be gone."""
        if not move.still_right():
            return False
        try:
            if not self.cso.bind_known(move):
                return False
        except BaseException as error:
            self._failed(move.stage, error)
            raise
        memory.move.next = move
        memory.move = move
        return True

    def _work_out(self, memory: StageMemory[Handle], given: _Given, name: object, flags: int) -> BoundStage[Handle]:
        """Look at every slot that is named, send what changed, and remember it all."""
        asked, flags = flags, flags & ~_BY_SLOT
        stamp = changes.last
        start = memory.move.to
        states = list(start.states)
        read: dict[object, int] = {}  # object -> its token; each once
        named: dict[int, SlotState] = {}
        records: dict[int, bytes] = {}
        pairs_only = steady = True
        for slot, pair in enumerate(given) if isinstance(given, tuple) else given.items():
            if pair is None:
                continue
            try:
                sampler, texture = pair  # type: ignore[misc]  # three parts raise, see below
                own = texture.sampler if sampler is None else sampler
                key: Key = (own.token, texture.token, flags)
            except (TypeError, ValueError, AttributeError):  # three parts, or what cannot be bound
                key = self._states.key(pair, flags)
                sampler, texture, *more = pair
                own = texture.sampler if sampler is None else sampler
                read |= {unit: unit.token for unit in more if isinstance(unit, Unit)}
                pairs_only = False
            if slot.__class__ is not int or not 0 <= slot < MAX_SAMPLERS:
                raise ArgumentError("slot", slot, accepted=f"0..{MAX_SAMPLERS - 1}")
            if pair.__class__ is not tuple:
                steady = False
            read[own] = key[0]
            read[texture] = key[1]
            before = states[slot]
            states[slot] = named[slot] = state = self._states.find(key) or self._states.make(key, pair)
            record = state.record
            if record is not None and (before is None or before.record != record):
                records[slot] = record
        changed = self._send(memory, records) if records else _NOTHING
        cso = self.cso
        to, met = memory.arrive(states, cso.cache.epoch)
        bound = BoundStage(memory.stage, to.handles, changed, self.generation, named)
        kept = given if steady else _CHANGEABLE
        memory.move = move = Move(kept, asked, stamp=stamp, read=read, bound=bound, to=to)
        if met and steady and start.listed:  # what comes once, as an animated sampler does, is not worth the memory
            count = max(records, default=-1) + 1
            cso.known_bind(memory.stage, count, changed=len(changed), kept=memory.reach, into=move)
            move.keep_contents()
            if pairs_only:  # a third part might be True, which is equal to 1.0 and no bias
                memory.learn(start, move, name)
                move.named = True
            if isinstance(given, tuple):
                memory.learn(start, move, id(given))
        self._binds += 1
        self._slots_changed += len(changed)
        return bound

    def _send(self, memory: StageMemory[Handle], records: dict[int, bytes]) -> Mapping[int, Handle | None]:
        """Give records to the cache; slot -> handle where that is another state than before."""
        stage, cso = memory.stage, self.cso
        memory.slots.settle()
        handles = memory.slots.handles
        before = {slot: handles[slot] for slot in sorted(records)}
        highest = max(records)
        try:
            if len(records) == 1:
                cso.single_sampler(stage, highest, records[highest])
                cso.single_sampler_done(stage)
            else:
                cso.update_samplers(stage, {slot: records[slot] for slot in before})
        except BaseException as error:
            self._failed(stage, error)
            raise
        memory.reach = max(memory.reach, highest + 1)
        return {slot: handles[slot] for slot in before if handles[slot] is not before[slot]}

    def _not_told(self, known: Move[Handle], error: BaseException) -> None:
        """Forget what is uncertain, as the driver has not taken a known bind; raise `DriverError` for an Exception."""
        try:
            self.cso.known_not_told(known, error)
        except DriverError as problem:
            self._failed(known.stage, problem)
            raise
        self._failed(known.stage, error)

    def _failed(self, stage: str, error: BaseException) -> None:
        """Forget what a failure has made uncertain."""
        if not isinstance(error, DriverError) or error.call == "bind_sampler_states":
            self.invalidate(stage)  # nobody knows what the driver has taken
            self._ask_again()
        self._drop_if_lost(error)

    def _ask_again(self) -> None:
        """Have every stage's next bind ask the cache: what is staged and not told counts for all of them."""
        for memory in self._stages.values():
            memory.slots.settle()

    def _drop_if_lost(self, error: BaseException) -> None:
        """Drop all handles if a failure came of a lost device."""
        if isinstance(error.__cause__, DeviceLost):
            self.device_lost()

    @contextmanager
    def _device_may_go(self) -> Iterator[None]:
        """Drop all handles if a callback finds that the device is lost."""
        try:
            yield
        except BaseException as error:
            self._ask_again()
            self._drop_if_lost(error)
            raise

    def _renew(self, screen: Screen, policy: Policy) -> None:
        """Take another screen or policy; equal ones change nothing."""
        if screen == self.screen and policy == self.policy:
            return
        if not isinstance(screen, Screen):
            raise ArgumentError("screen", screen, accepted="a Screen")
        if not isinstance(policy, Policy):
            raise ArgumentError("policy", policy, accepted="a Policy")
        problem = None
        self.invalidate()
        replaced = key_rule(screen, self.dialect) != key_rule(self.screen, self.dialect)
        if replaced:
            try:
                with self._device_may_go():
                    self.cso.destroy()
            except DriverError as error:
                if error.call != "delete_sampler_state":
                    raise
                problem = error  # the deletes are done; so is the cache
        self._states = StateMemo(screen, policy, self.dialect, _remembered(policy), self._states.made)
        self.generation += 1
        if replaced:
            self._replace_cso()
        elif self.cso.max_size != _budget(self.policy):
            with self._device_may_go():
                self.cso.max_size = _budget(self.policy)
        if problem is not None:
            raise problem

    def _new_cso(self) -> CsoContext[Handle]:
        rule = key_rule(self.screen, self.dialect)
        return CsoContext(self._driver, policy=self._eviction, max_size=_budget(self.policy), key=rule)

    def _replace_cso(self) -> None:
        """Start with an empty cache, and keep the old one's counts."""
        old = self.cso.cache
        self._past = (self._past[0] + old.creates, self._past[1] + old.deletes)
        binds, slots_changed = self.cso.known_counts()
        self._binds += binds
        self._slots_changed += slots_changed
        self.cso = self._new_cso()

    def _counts(self) -> FrameCounts:
        cache = self.cso.cache
        binds, slots_changed = self.cso.known_counts()
        totals = (
            self._binds + binds + self._unchanged,
            self._unchanged,
            self._slots_changed + slots_changed,
            self._states.made,
            self._past[0] + cache.creates,
            self._past[1] + cache.deletes,
        )
        new = [now - before for now, before in zip(totals, self._counted, strict=True)]
        self._counted = totals
        return FrameCounts._make((self._frame, *new, cache.creates - cache.deletes - cache.forgotten))


def _budget(policy: Policy) -> int:
    return policy.max_states or _DEFAULT_STATES


def _remembered(policy: Policy) -> int:
    """Combinations of objects to remember in a generation of the memo: there are more of them than states."""
    return max(4 * _budget(policy), 1024)


def _given(slots: Mapping[int, Bindable | None] | Sequence[Bindable | None]) -> tuple[_Given, tuple[object, ...]]:
    """What to remember of the slots, so that a change of theirs shows; and a name for it: equal slots, equal name.

    Slots without numbers are their own name.
    """
    if isinstance(slots, (tuple, list)):
        given = tuple(slots)
        return given, given
    try:
        named: dict[int, Bindable | None] = dict(slots)  # type: ignore[arg-type]  # anything else is refused here
    except (TypeError, ValueError):
        raise ArgumentError("slots", slots, accepted="slot -> (sampler, texture), or a tuple of such pairs") from None
    return named, tuple(named.items())


def _rename(moves: dict[object, Move[Handle]], move: Move[Handle], given: object) -> None:
    """Let a known bind be found at once by the tuple that it was last asked for with, in place of the one before."""
    if given is not move.given:
        moves.pop(id(move.given), None)
        move.given = given
        moves[id(given)] = move
