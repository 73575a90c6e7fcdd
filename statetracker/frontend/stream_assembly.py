"""Assembly programs (ARB_vertex_program, ARB_fragment_program) and ATI fragment shaders of a stream.

In both the slot is the texture unit. Source: docs/streams.md (recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError
from statetracker.gl import Slot
from statetracker.gl.context import FIXED_PRIORITY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.frontend.stream_programs import Analysis
    from statetracker.gl import Context

__all__ = ["STAGE_SWITCHES", "Assembly", "AssemblyObjects", "AtiShaders"]

_VERTEX: Final = 0x8620
_FRAGMENT: Final = 0x8804
_ATI: Final = 0x8920
_REGISTER_0: Final = 0x8921
_REGISTERS: Final = 6

#: Stage -> the target of its programs, which is also the switch that turns them on.
SWITCHES: Final = {"vertex": _VERTEX, "fragment": _FRAGMENT}
#: Switches that decide what runs a stage.
STAGE_SWITCHES: Final = frozenset({_VERTEX, _FRAGMENT, _ATI})


class Text:
    """An assembly program: the units it samples with their targets, None without a text that GL took."""

    def __init__(self) -> None:
        self.units: Mapping[int, int] | None = None
        self.before: Mapping[int, int] | None = None


class AssemblyObjects:
    """Assembly programs of a share group, by name."""

    def __init__(self) -> None:
        self.texts: dict[int, Text] = {}


class Assembly:
    """A context's assembly programs."""

    def __init__(self, context: Context, analysis: Analysis, objects: AssemblyObjects) -> None:
        self.context = context
        self.analysis = analysis
        self.objects = objects
        self.bound: dict[int, Text] = {}
        self._defaults = {target: Text() for target in SWITCHES.values()}
        self._last: Text | None = None

    def bind(self, target: int, name: int) -> None:
        """``glBindProgramARB``; a new name becomes a program."""
        if target in self._defaults:
            made = self._defaults[target] if name == 0 else self.objects.texts.setdefault(name, Text())
            self.bound[target] = made

    def text(self, target: int, string: str) -> str:
        """``glProgramStringARB``; gives a problem in words, or nothing."""
        if target not in self._defaults:
            return ""
        return self._set(self.bound.get(target, self._defaults[target]), string)

    def named_text(self, name: int, string: str) -> str:
        """``glNamedProgramStringEXT``; gives a problem in words, or nothing."""
        return self._set(self.objects.texts.setdefault(name, Text()), string)

    def _set(self, program: Text, string: str) -> str:
        """Take a text; one that GL refuses leaves the program as it was."""
        self._last = None
        try:
            units = self.analysis.assembly(string)
        except ArgumentError as error:
            return str(error)
        program.before, program.units = program.units, units
        self._last = program
        return ""

    def refused(self) -> None:
        """Hear that GL did not take the last text."""
        if self._last is not None:
            self._last.units, self._last = self._last.before, None

    def delete(self, names: Sequence[int]) -> None:
        """``glDeleteProgramsARB``."""
        for name in names:
            gone = self.objects.texts.pop(name, None)
            for target, program in list(self.bound.items()):
                if program is gone:
                    self.bound[target] = self._defaults[target]

    def program(self, stage: str) -> Text | None:
        """The program that is switched on for a stage."""
        target = SWITCHES.get(stage)
        if target is None or target not in self.context.enabled:
            return None
        return self.bound.get(target, self._defaults[target])


class AtiShaders:
    """A context's ATI fragment shaders: which units each samples."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.shaders: dict[int, set[int]] = {0: set()}
        self.bound = 0

    def bind(self, name: int) -> None:
        """``glBindFragmentShaderATI``; a new name becomes a shader."""
        self.shaders.setdefault(name, set())
        self.bound = name

    def begin(self) -> None:
        """``glBeginFragmentShaderATI``."""
        self.shaders[self.bound] = set()

    def sample(self, register: int) -> None:
        """``glSampleMapATI``."""
        if _REGISTER_0 <= register < _REGISTER_0 + _REGISTERS:
            self.shaders[self.bound].add(register - _REGISTER_0)

    def delete(self, name: int) -> None:
        """``glDeleteFragmentShaderATI``."""
        if name:
            self.shaders.pop(name, None)
            self.bound = 0 if name == self.bound else self.bound

    def slots(self) -> list[Slot] | None:
        """The slots of the shader that is switched on: each unit with its first enabled target; None: switched off."""
        if _ATI not in self.context.enabled:
            return None
        found: list[Slot] = []
        for unit in sorted(self.shaders[self.bound]):
            enabled = self.context.unit(unit).enabled
            target = next((int(t) for t in FIXED_PRIORITY if t in enabled), None)
            if target is not None:
                found.append(Slot(unit, unit, target))
        return found
