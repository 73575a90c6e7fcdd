"""`Context`: a GL context that takes GL calls and keeps what samplers and completeness read.

Methods are GL functions, letter for letter; enums are taken in any spelling. A wrong call raises no Python exception:
it records a GL error with a message that names the call, the value and what would have been accepted (a strict context
raises it as `GLError`). The context draws nothing and holds no texel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import UnmodelledCall
from statetracker.gl import enums as e
from statetracker.gl.image_calls import ImageCalls
from statetracker.gl.names import number
from statetracker.gl.program import Program, Slot
from statetracker.gl.sampler_calls import SamplerCalls
from statetracker.gl.texture import Texture, fallback_texture
from statetracker.gl.unit_calls import UnitCalls
from statetracker.gl.view_calls import ViewCalls

if TYPE_CHECKING:
    from statetracker.gl.sampler import Sampler

__all__ = ["Bound", "Context"]

T = e.Target

#: Fixed function: which enabled target wins on a unit. Source: docs/textures.md (GL 4.6 compatibility, 16.1.1).
FIXED_PRIORITY: Final = (T.TEXTURE_CUBE_MAP, T.TEXTURE_3D, T.TEXTURE_RECTANGLE, T.TEXTURE_2D, T.TEXTURE_1D)


class Bound(NamedTuple):
    """What one slot samples.

    texture        the current texture: the bound one, or the fallback where that is incomplete
    sampler        the sampler that applies: the unit's sampler object, else the current texture's own
    incomplete     why the bound texture is not the current one; empty where it is
    unit           index of the texture unit
    unit_lod_bias  the unit's bias as set
    """

    texture: Texture
    sampler: Sampler
    incomplete: str
    unit: int
    unit_lod_bias: float


class Context(SamplerCalls, ViewCalls, ImageCalls, UnitCalls):
    """A GL context. See `ContextState` for the arguments."""

    def call(self, name: str, *args: object) -> object:
        """Make a GL call by name; raises `UnmodelledCall` for one that this library does not know."""
        function = getattr(self, name, None) if name.startswith("gl") else None
        if function is None:
            raise UnmodelledCall("call", name, hint="It was not executed; docs/gl_calls.md lists the modelled ones.")
        return function(*args)

    def current(self, unit: int, target: int) -> Bound:
        """Find what a shader that looks up a target on a unit samples: texture, sampler, and why if a fallback."""
        place = self.unit(unit)
        texture = self.bound(number(target), unit)
        sampler = place.sampler
        why = texture.missing(sampler, self.limits)
        if why:
            texture = self._fallback(texture.target)
        return Bound(texture, sampler if sampler is not None else texture.sampler, why, unit, place.lod_bias)

    def _fallback(self, target: int) -> Texture:
        texture = fallback_texture(target)
        texture.examine()
        return texture

    def slots(self, stage: str, program: Program | None = None) -> list[Slot]:
        """Give the slots that a stage uses: of a program (by default the current one), else of fixed function."""
        used = program if program is not None else self.program
        if used is not None:
            return used.slots(stage)
        return self.fixed_function_slots() if stage == "fragment" else []

    def fixed_function_slots(self) -> list[Slot]:
        """Give fixed function's slots: units with a complete enabled texture, the highest unit in slot 0."""
        found: list[tuple[int, int]] = []
        for index in sorted(self.units, reverse=True):
            for target in FIXED_PRIORITY:
                if target in self.units[index].enabled and not self.current(index, target).incomplete:
                    found.append((index, int(target)))
                    break
        return [Slot(slot, unit, target) for slot, (unit, target) in enumerate(found)]
