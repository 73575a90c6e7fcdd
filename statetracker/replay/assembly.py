"""Assembly programs (ARB_vertex_program, ARB_fragment_program) and ATI fragment shaders of a context.

In both the slot is the texture unit; a result that is never used still counts.

Source: docs/traces.md, docs/streams.md (NV_fragment_program_option, too; recorded live).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError
from statetracker.gl import Slot
from statetracker.gl.enums import Target
from statetracker.gl.names import glenum
from statetracker.gl.targets import FIXED_PRIORITY
from statetracker.replay.calls import handled, integers, nothing
from statetracker.unpacking import integer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.gl import Context

#: Stage -> the target of its programs, which is also the switch that turns them on.
TARGETS: Final = {"vertex": glenum("GL_VERTEX_PROGRAM_ARB"), "fragment": glenum("GL_FRAGMENT_PROGRAM_ARB")}
_ATI: Final = glenum("GL_FRAGMENT_SHADER_ATI")
_REGISTER_0: Final = glenum("GL_REG_0_ATI")
_REGISTERS: Final = 6

#: How a texture instruction spells its target.
_SAMPLED: Final = {
    "1D": Target.TEXTURE_1D,
    "2D": Target.TEXTURE_2D,
    "3D": Target.TEXTURE_3D,
    "CUBE": Target.TEXTURE_CUBE_MAP,
    "RECT": Target.TEXTURE_RECTANGLE,
    "ARRAY1D": Target.TEXTURE_1D_ARRAY,
    "ARRAY2D": Target.TEXTURE_2D_ARRAY,
}

#: The largest number of a unit that is read; a context has fewer.
_MOST_UNITS: Final = 0xFF
#: What is no statement: comments, and the first line with the language's name.
_COMMENT: Final = re.compile(r"#[^\n]*|!![^\s]*")
#: A texture instruction with a suffix such as _SAT, up to its last two operands.
_INSTRUCTION: Final = re.compile(
    r"\s*(?:TEX|TXP|TXB|TXL|TXD)[A-Z0-9]*(?:_\w+)?\s.*,\s*texture\s*(?:\[\s*(\d+)\s*\])?\s*,\s*((?:SHADOW)?(\w+))\s*\Z",
    re.DOTALL,
)

#: Switches that decide what runs a stage.
STAGE_SWITCHES: Final = frozenset({*TARGETS.values(), _ATI})


def samplers_of(text: str) -> dict[int, Target]:
    """Find the units that the texture instructions name, with their targets, in ascending order.

    Raises `ArgumentError` where one unit has two targets, or one both with SHADOW and without: GL refuses that.
    """
    targets: dict[int, Target] = {}
    words: dict[int, str] = {}
    for statement in _COMMENT.sub("", text).split(";"):
        match = _INSTRUCTION.match(statement)
        if match and match[3] in _SAMPLED:
            unit = integer(match[1] or "0", field="texture image unit", most=_MOST_UNITS)
            if words.setdefault(unit, match[2]) != match[2]:
                hint = f"It is sampled as {words[unit]} and {match[2]}; GL takes one."
                raise ArgumentError("assembly program", f"texture[{unit}]", hint=hint)
            targets[unit] = _SAMPLED[match[3]]
    return dict(sorted(targets.items()))


class Text:
    """An assembly program: the units it samples with their targets, None without a text that GL took."""

    def __init__(self) -> None:
        self.units: Mapping[int, int] | None = None
        self.before: Mapping[int, int] | None = None

    def slots(self) -> list[Slot] | None:
        """None: a draw with it is an error."""
        return None if self.units is None else [Slot(unit, unit, target) for unit, target in self.units.items()]


class Assembly:
    """A context's assembly programs.

    Args:
        context: Whose switches turn programs on.
        texts: Of the context's share group, by name.
    """

    def __init__(self, context: Context, texts: dict[int, Text]) -> None:
        self.context = context
        self.texts = texts
        self._defaults = {target: Text() for target in TARGETS.values()}
        self.bound = dict(self._defaults)
        self._last: Text | None = None

    glGenProgramsARB = nothing

    def glBindProgramARB(self, target: int, name: int) -> None:
        """Bind a program; a new name becomes one."""
        if target in self.bound:
            self.bound[target] = self.texts.setdefault(name, Text()) if name else self._defaults[target]

    def glProgramStringARB(self, target: int, _format: int, _length: int, string: str) -> Sequence[str]:
        return self._set(self.bound[target], string) if target in self.bound else ()

    def glNamedProgramStringEXT(
        self, name: int, _target: int, _format: int, _length: int, string: str
    ) -> Sequence[str]:
        return self._set(self.texts.setdefault(name, Text()), string)

    def _set(self, program: Text, string: str) -> Sequence[str]:
        """Take a text; one that GL refuses leaves the program as it was, and is a doubt."""
        self._last = None
        try:
            units = {unit: int(target) for unit, target in samplers_of(str(string)).items()}
        except ArgumentError as error:
            return (str(error),)
        program.before, program.units = program.units, units
        self._last = program
        return ()

    def report_failure(self) -> None:
        """Undo the last text, which GL reported as wrong."""
        if self._last is not None:
            self._last.units, self._last = self._last.before, None

    def glDeleteProgramsARB(self, _count: int, names: object) -> None:
        for name in integers(names):
            gone = self.texts.pop(name, None)
            for target, program in self.bound.items():
                if program is gone:
                    self.bound[target] = self._defaults[target]

    def program(self, stage: str) -> Text | None:
        target = TARGETS[stage]
        return self.bound[target] if target in self.context.enabled else None


class AtiShaders:
    """A context's ATI fragment shaders: which units each samples."""

    glGenFragmentShadersATI = glEndFragmentShaderATI = glPassTexCoordATI = glSetFragmentShaderConstantATI = nothing

    def __init__(self, context: Context) -> None:
        self.context = context
        self.shaders: dict[int, set[int]] = {0: set()}
        self.bound = 0

    def glBindFragmentShaderATI(self, name: int) -> None:
        """Bind a shader; a new name becomes one."""
        self.shaders.setdefault(name, set())
        self.bound = name

    def glBeginFragmentShaderATI(self) -> None:
        self.shaders[self.bound] = set()

    def glSampleMapATI(self, register: int, *_coordinates: object) -> None:
        if _REGISTER_0 <= register < _REGISTER_0 + _REGISTERS:
            self.shaders[self.bound].add(register - _REGISTER_0)

    def glDeleteFragmentShaderATI(self, name: int) -> None:
        if name:
            self.shaders.pop(name, None)
            self.bound = 0 if name == self.bound else self.bound

    def slots(self) -> list[Slot] | None:
        """Return slots of the shader: each unit with its first enabled target; None: the shader is switched off."""
        if _ATI not in self.context.enabled:
            return None
        slots: list[Slot] = []
        for unit in sorted(self.shaders[self.bound]):
            enabled = self.context.unit(unit).enabled
            target = next((int(t) for t in FIXED_PRIORITY if t in enabled), None)
            if target is not None:
                slots.append(Slot(unit, unit, target))
        return slots


ATI_CALLS: Final = {
    **handled(AtiShaders),
    **{f"gl{of}FragmentOp{n}ATI": nothing for of in ("Color", "Alpha") for n in (1, 2, 3)},
}
