"""Whole recorded files: the reader and the replay put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statetracker.caps.files import screen_from
from statetracker.errors import FileError, RecordingError, StateTrackerError
from statetracker.frontend.create_infos import vulkan_dialect_of
from statetracker.replay.cases import CaseResult, Replayer, dialect_of
from statetracker.replay.comparison import Difference, compare, info_differences
from statetracker.sampler import converter
from statetracker.trace import CaseFile, Problem, open_cases

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from statetracker.caps import Screen
    from statetracker.trace import Case

__all__ = ["Outcome", "Recording"]


class Outcome(NamedTuple):
    """One case replayed.

    case         as read
    result       what it gave
    differences  from what was recorded; None where nothing was recorded to compare with, or nothing was asked
    """

    case: Case
    result: CaseResult
    differences: list[Difference] | None


class Recording:
    """A recorded file ready to be replayed: the file, the screen, the dialect.

    screen    None: the one in the file's header
    dialect   None: that of the Mesa version in the header

    Raises `RecordingError` or `ScreenError` where the header makes no sense.
    """

    def __init__(self, path: str | Path, *, screen: Screen | None = None, dialect: str | None = None) -> None:
        """Open the file and read its header."""
        self.file: CaseFile = open_cases(path)
        header = self.file.header
        try:
            self.screen = screen or screen_from(header.data, file=self.file.path, line=1)
            self.dialect = dialect or dialect_of(header.mesa_version)
            self.replayer = Replayer(converter(self.screen, self.dialect))
        except FileError:
            self.file.close()
            raise
        except StateTrackerError as error:
            self.file.close()
            raise RecordingError(self.file.path, 1, str(error)) from None

    def outcomes(self, *, check: bool = False) -> Iterator[Outcome | Problem]:
        """Replay every case; a line or a case that makes no sense gives a `Problem`, and the next goes on."""
        with self.file:
            for item in self.file:
                if isinstance(item, Problem):
                    yield item
                    continue
                self.replayer.start(item.place)
                try:
                    result = self.replayer.run(item.data)
                    differences = self._differences(item.data, result) if check else None
                except StateTrackerError as error:
                    yield Problem(RecordingError(self.file.path, item.line, f"case {item.id}: {error}"))
                    continue
                yield Outcome(item, result, differences)

    def _differences(self, data: dict[str, Any], result: CaseResult) -> list[Difference] | None:
        """Compare errors and record, and create infos where the recording has them."""
        found = compare(data, result)
        infos = info_differences(data, result.record, self.screen, vulkan_dialect_of(self.dialect))
        return found if infos is None else [*(found or ()), *infos]
