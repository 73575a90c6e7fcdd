"""`LoggedTracker`: a `StateTracker` that writes what it binds to a file, for ``statetracker budget``.

A header with the screen, then the events of `cso.RecordingDriver`, one a line, and ``["frame"]`` where one ends. A
create has the record as it was asked for, before the policy's overrides of records, so that others can be tried on it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.cso import RecordingDriver
from statetracker.cso.driver import Handle
from statetracker.files import file_errors
from statetracker.frontend.tracker import StateTracker

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.cso import Driver
    from statetracker.frontend.bound_stage import BoundStage, FrameCounts
    from statetracker.frontend.slot_sets import Slots

_VERSION: Final = 1


class LoggedTracker(StateTracker[Handle]):
    """A `StateTracker` for a run that is to be planned for. Its binds cost some microseconds more.

    A bind is written once it is done, and not if it is the line before it again.

    Args:
        path: Of the file; it grows with the run, so that a crash leaves what was bound until then.
        screen: As for `StateTracker`.
        driver: As for `StateTracker`.
        **options: Its other arguments.

    Raises:
        FileError: The file cannot be written.
    """

    def __init__(self, path: str | Path, screen: Screen, driver: Driver[Handle], **options: Any) -> None:  # noqa: ANN401
        super().__init__(screen, driver, **options)
        head = {"statetracker": "run", "version": _VERSION, "dialect": self.dialect.name, **screen.to_json()}
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
        self._file.flush()
        return counts

    def destroy(self) -> None:
        """As `StateTracker.destroy`, and close the file."""
        self._file.close()
        super().destroy()

    def _number(self, record: bytes | None) -> int | None:
        if record is None:
            return None
        number = self._numbers.get(record)
        if number is None:
            number = self._numbers[record] = self._log.create_sampler_state(record)
        return number

    def _write(self) -> None:
        self._file.writelines(f"{line}\n" for line in self._log.lines())
        self._log.events.clear()
