"""`StateTracker`: the loop of a front end, which pays for what changed.

A bind names the slots of a stage and what each samples. The states of such a set, and their handles, are remembered
(`frontend.slot_sets`). A bind looks whether that is still right, compares the handles with those that are bound, and
calls the driver only where one differs. The page is docs/tracker.md.

`LoggedTracker` also writes what it binds to a file, for ``statetracker budget``: a header with the screen, then the
events of `cso.RecordingDriver`, one a line, and ``["frame"]`` where one ends. A create has the record as it was asked
for, before the policy's overrides of records, so that others can be tried on it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.cso import RecordingDriver
from statetracker.cso.driver import Handle
from statetracker.cso.governor import GovernedCache
from statetracker.files import file_errors
from statetracker.frontend import warm_start
from statetracker.frontend.lifetime import Lifetime
from statetracker.frontend.slot_sets import StageMemory
from statetracker.frontend.stage import stage_slots
from statetracker.frontend.states import GLSL130, SEAMLESS, parts
from statetracker.gl.facts import changes
from statetracker.spellings import stage_named

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.cso import Driver, Merge
    from statetracker.frontend.bound_stage import BoundStage, FrameCounts
    from statetracker.frontend.slot_sets import Slots
    from statetracker.gl import Context, Program, Sampler, Texture
    from statetracker.gl.units import Unit

_VERSION: Final = 1  # of the file that a `LoggedTracker` writes


class StateTracker(Lifetime[Handle]):
    """Binds samplers for one driver context.

    ``generation`` is a new integer after every change of screen or policy, and after the loss of the device: what
    was bound or remembered under another generation is not to be used. ``cso`` is the cache underneath.

    One thread at a time, and the objects that are bound must not change meanwhile in another. The same calls give the
    same calls of the driver, in every run. While a callback of the driver runs, every bind and every call that would
    change something raises `InvalidCallOrder` and changes nothing.

    Args:
        screen: What the hardware can do; may be replaced, as may ``policy``.
        driver: Three callables, see `cso.Driver`; its handles are opaque.
        policy: The user's overrides and the budget of live states (None there: 4096); None: `Policy()`.
        dialect: Whose rules: ``seed``, a release of Mesa (``"23.1"``), or mesa21, mesa22, mesa24.
        eviction: What to give up at the budget: "second-chance", or another of `cso.POLICIES`.

    Raises:
        UnknownName: An unknown dialect or eviction.
        ArgumentError: A screen that is not the driver's, or anything else in the place of either.
    """

    def __repr__(self) -> str:
        """``StateTracker('webgpu', dialect 22.3, live=3)``."""
        return f"StateTracker({self.screen.name!r}, dialect {self.dialect.name}, live={self.cso.cache.live})"

    def bind(
        self,
        stage: str,
        slots: Slots,
        seamless: bool = False,  # noqa: FBT001, FBT002 (names alone would cost a bind 15 ns)
        glsl130: bool = True,  # noqa: FBT001, FBT002
    ) -> BoundStage[Handle]:
        """Bind what slots of a stage sample; call the driver only if a handle differs from before.

        A slot that is not named, or is None, keeps what it had; so does one with a buffer texture, as that has no
        sampler.
        Creates come in the order of the slots, then one bind of slots 0 to the highest whose handle changed, if any.

        After an error the slots are as before. But after an error or an interrupt of the driver's bind they hold what
        was requested, and the next bind gives the driver every slot that it names, changed or not. If a callback raised
        `DeviceLost`, then in every method all handles are dropped, as by `device_lost`, before the error comes out.

        Args:
            stage: A name of `cso.STAGES`; another spelling of one (``"frag"``) costs a search at every bind.
            slots: Slot -> (sampler, texture) or (sampler, texture, unit); or these from slot 0 on, in a tuple or list.
                A sampler of None is the texture's own; a unit is a `gl.Unit` or its LOD bias in levels (NaN as the
                dialect has it, -0.0 as 0.0). Textures are taken as they are, complete or not.
            seamless: The context's switch for seamless cubes.
            glsl130: The stage's program is GLSL 1.30 or later.

        Raises:
            ArgumentError: A slot has what cannot be bound.
            UnknownName: An unknown stage.
            DriverError: A callback fails.
        """
        try:
            memory = self.stages[stage]
        except (KeyError, TypeError):
            memory = self._first_use(stage)
        if self.busy or self.lost:
            self.check_open()
            memory = self._first_use(stage)  # another one, if a device was lost
        chosen, held = memory.last, memory.held
        try:
            if slots is not chosen.given or seamless is not chosen.seamless or glsl130 is not chosen.glsl130:
                chosen = memory.find(slots, seamless, glsl130)
            if chosen.newest is not changes.last:  # one object as long as nothing changes
                chosen.refresh(memory.memo)
            bound = chosen.answer
            if bound is None or bound.epoch != self.cso.cache.epoch:
                bound = memory.answer(chosen)
            if bound is held.bound:
                held.before = bound.named  # so `BoundStage.changed` says: nothing
                held.counts.unchanged += 1
            else:
                held.bind(bound)
        except BaseException:
            if self.lost:
                self.device_lost()
            raise
        return bound

    def bind_context(self, context: Context, stage: str, program: Program | None = None) -> BoundStage[Handle]:
        """Bind what the next draw of a GL context samples in a stage.

        Incomplete textures are replaced by GL's fallback; multi-plane external images take their extra slots.

        Args:
            context: The GL context that draws.
            stage: A name of `cso.STAGES`.
            program: The program to use; None: the context's current one, or fixed function without one.
        """
        used = program if program is not None else context.program
        slots = stage_slots(context, stage, used, release=self.dialect.extra_slots)
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
        """Return what `bind` would ask the cache for: 36 bytes, the policy applied; None where GL binds no sampler.

        Args:
            sampler: As in a slot of `bind`; None: the texture's own.
            texture: As in a slot of `bind`.
            unit: As in a slot of `bind`; a float is a bias in levels.
            seamless: The context's switch for seamless cubes.
            glsl130: The program is GLSL 1.30 or later.
        """
        own, texture, _, bias = parts((sampler, texture, unit))
        flags = SEAMLESS * bool(seamless) | GLSL130 * bool(glsl130)
        return self._memo.state(own, texture, flags, bias).record

    def end_frame(self) -> FrameCounts:
        """End a frame: give up unused states, so that fewer creates of the next frame must; count what happened.

        Raises:
            DriverError: A delete fails; the frame has ended then too.
        """
        self.check_open()
        try:
            with self._device_may_go():
                self.cso.tidy()
        finally:
            counts = self._frames.end(self.cso, self._memo.made)
            for memory in self.stages.values():
                memory.end_frame(counts.binds)
        return counts

    def merges(self) -> list[Merge]:
        """Return what stands in for what at the policy's ``unique_limit``, and what pictures lose: print each."""
        return self.cso.cache.merges() if isinstance(self.cso.cache, GovernedCache) else []

    def save_states(self, path: str | Path) -> int:
        """Write the states that are live to a small file at ``path``, for `preload` in the next run; gives how many.

        Args:
            path: Of the file.

        Raises:
            FileError: It cannot be written.
        """
        return warm_start.save(path, self.cso, self.screen, self.dialect)

    def preload(self, path: str | Path) -> int:
        """Create the states of such a file, at ``path``, before the first frame; gives how many creates there were.

        Of more than the budget, the last ones.

        Args:
            path: Of the file.

        Raises:
            FileError: The file is damaged, or was written for another screen, dialect or version. Nothing is created
                then.
            DriverError: A create fails.
        """
        self.check_open()
        with self._device_may_go():
            return warm_start.preload(path, self.cso, self.screen, self.dialect)

    def _first_use(self, stage: str) -> StageMemory[Handle]:
        name = stage_named(stage)
        if name not in self.stages:
            self.stages[name] = StageMemory(self.cso, name, self.generation, self._memo)
        return self.stages[name]


class LoggedTracker(StateTracker[Handle]):
    """A `StateTracker` for a run that is to be planned for. Its binds cost some microseconds more.

    A bind is written once it is done, and not if it is the line before it again.

    Args:
        path: Of the file; it grows with the run, so that a crash leaves what was bound until then.
        screen: As for `StateTracker`.
        driver: As for `StateTracker`.
        **options: Its other arguments.

    Raises:
        FileError: The file cannot be written; any method raises it that writes. A bind is done then.
    """

    def __init__(self, path: str | Path, screen: Screen, driver: Driver[Handle], **options: Any) -> None:  # noqa: ANN401
        super().__init__(screen, driver, **options)
        head = {"statetracker": "run", "version": _VERSION, "dialect": self.dialect.name, **screen.to_json()}
        self._path = path
        with file_errors(path, "written"):
            self._file = Path(path).open("w", encoding="ascii")  # noqa: SIM115 (closed by destroy)
            self._file.write(json.dumps(head) + "\n")
        self._log = RecordingDriver()
        self._numbers: dict[bytes, int] = {}
        self._before: tuple[str, list[int | None]] | None = None

    def bind(self, stage: str, slots: Slots, seamless: bool = False, glsl130: bool = True) -> BoundStage[Handle]:  # noqa: FBT001, FBT002
        """As `StateTracker.bind`, and write it."""
        bound = super().bind(stage, slots, seamless, glsl130)
        states = {slot: state.asked for slot, state in bound.states.items() if state.asked is not None}
        line = bound.stage, [self._number(states.get(slot)) for slot in range(max(states, default=-1) + 1)]
        if line != self._before:
            self._log.bind_sampler_states(line[0], 0, line[1])
            self._before = line
            self._write()
        return bound

    def end_frame(self) -> FrameCounts:
        """As `StateTracker.end_frame`, and write it."""
        counts = super().end_frame()
        self._log.events.append(["frame"])
        self._before = None
        self._write()
        with file_errors(self._path, "written"):
            self._file.flush()
        return counts

    def destroy(self) -> None:
        """As `StateTracker.destroy`, and close the file."""
        try:
            super().destroy()
        finally:
            with file_errors(self._path, "written"):
                self._file.close()

    def _number(self, record: bytes | None) -> int | None:
        if record is None:
            return None
        number = self._numbers.get(record)
        if number is None:
            number = self._numbers[record] = self._log.create_sampler_state(record)
        return number

    def _write(self) -> None:
        lines = [f"{line}\n" for line in self._log.lines()]
        self._log.events.clear()
        with file_errors(self._path, "written"):
            self._file.writelines(lines)
