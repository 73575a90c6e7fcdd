"""`StageWatch`: whether what a stage's shader depends on has changed since the last look, whatever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from statetracker.spellings import STAGES

if TYPE_CHECKING:
    from statetracker.gl import Context, Program

Seen = TypeVar("Seen")


class StageWatch(Generic[Seen]):
    """Whether a stage's values have changed since the last look.

    Ask before a draw; True means: make the stage's variant key anew. A change is never missed. What methods are given:

    context   the GL context that draws
    program   its program that is looked at; None: the current one
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        """Start without values: the first answer for each stage is True."""
        self._last: dict[str, Seen] = {}

    def look(self, context: Context, stage: str, program: Program | None) -> Seen:
        """Give a stage's values as the next draw would have them."""
        raise NotImplementedError

    def changed(self, context: Context, stage: str, program: Program | None = None) -> bool:
        """Look at a context's stage (of a program, by default the current one)."""
        return self.see(stage, self.look(context, stage, program))

    def changed_stages(self, context: Context) -> list[str]:
        """Look at all six stages; those whose values have changed, in pipeline order."""
        return [stage for stage in STAGES if self.changed(context, stage)]

    def see(self, stage: str, values: Seen) -> bool:
        """Take a stage's values from elsewhere, such as `BoundStage.masks`; whether they differ from the last."""
        known = stage in self._last and self._last[stage] == values
        self._last[stage] = values
        return not known
