"""`ObjectCalls`: GL's calls on texture, sampler and program objects, and on bindless texture handles.

Source: GL 4.6, 8.1 (texture objects), 8.2 (sampler objects) and 7.6 (uniforms); ARB_bindless_texture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from statetracker.errors import ArgumentError
from statetracker.gl import enums as e
from statetracker.gl.floats import float_to_int
from statetracker.gl.names import vector
from statetracker.gl.object_names import listed, object_names
from statetracker.gl.parameters import INVALID_OPERATION, INVALID_VALUE, Refusal
from statetracker.gl.sampler import Sampler
from statetracker.gl.state import BIND_TARGETS, ContextState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import EllipsisType

    from statetracker.gl.object_names import NameTable
    from statetracker.gl.program import Program
    from statetracker.gl.texture import Texture

T = e.Target

_ONE: Final = 0x3F800000
#: Border colours that handles may have, by the word that means one: black or white, transparent or opaque.
_HANDLE_BORDERS: Final = {
    one: ((0, 0, 0, 0), (0, 0, 0, one), (one, one, one, 0), (one, one, one, one)) for one in (1, _ONE)
}


class ObjectCalls(ContextState):
    """Textures, samplers, programs and handles. Arrays come after their count, as in GL, or alone, as in PyOpenGL."""

    def _new_names(self, count: int, given: Sequence[int] | EllipsisType | None, objects: NameTable[Any]) -> list[int]:
        """Free names in a table (``...``), or those that a recording got; NULL (None) gets none."""
        if count < 0:
            raise Refusal(INVALID_VALUE, f"n={count} is negative; accepted: 0 or more")
        if given is None:
            return []
        if given is ...:
            return objects.free(count)
        taken = object_names(count, given, "names") or []
        if any(name < 1 for name in taken):
            raise ArgumentError("names", given, accepted="names from 1 on")
        return taken

    def _counted_names(self, count: object, names: object, argument: str) -> list[int]:
        read = object_names(count, names, argument)
        if read is None:
            raise Refusal(INVALID_VALUE, f"n={count} is negative; accepted: 0 or more")
        return read

    def _counted_bindings(self, first: int, count: object, names: object, argument: str) -> list[int]:
        """Read the names to bind from unit ``first`` on; without an array, ``count`` zeros."""
        units = self.limits.max_combined_units
        if names is None and isinstance(count, int) and count >= 0:
            names = [0] * min(count, units + 1)
            count = len(names)
        if isinstance(count, int) and count < 0:
            if first + count < 0:  # only their sum is looked at, as Mesa does
                raise Refusal(INVALID_OPERATION, f"first={first} and count={count}; accepted: a sum of 0 to {units}")
            return []
        bindings = self._counted_names(count, names, argument)
        if first < 0 or first + len(bindings) > units:
            past = f"first={first} and count={len(bindings)} go past the last unit"
            raise Refusal(INVALID_OPERATION, f"{past}; accepted: a sum of 0 to {units}")
        return bindings

    def glGenTextures(self, n: int, textures: Sequence[int] | EllipsisType | None = ...) -> list[int]:
        """Reserve names, the first free ones or those that a recording got; each becomes an object when bound."""
        names = self._new_names(n, textures, self.textures)
        for name in names:
            self.textures[name] = None
        return names

    def glCreateTextures(
        self, target: object, n: int, textures: Sequence[int] | EllipsisType | None = ...
    ) -> list[int]:
        """Make objects with a target; multisample ones keep the generic sampler defaults."""
        known = self.target_named(target, BIND_TARGETS)
        names = self._new_names(n, textures, self.textures)
        for name in names:
            self.become(name, known, by_bind=False)
        return names

    def glDeleteTextures(self, n: int | Sequence[int], textures: Sequence[int] | EllipsisType | None = ...) -> None:
        """Delete textures; units that had one bound get the default texture. Unknown names and NULL are ignored."""
        for name in self._counted_names(n, textures, "textures"):
            texture = self.textures.pop(name, None) if name else None
            if texture is not None:
                for unit in self.units.values():
                    if unit.textures.get(texture.target) is texture:
                        unit.bind(texture.target, None)
                self._drop_handles(texture)

    def _drop_handles(self, owner: Texture | Sampler) -> None:
        """Forget the bindless handles of an object that is deleted; their other halves may change again."""
        for other, handle in self.handles_of.pop(owner, {}).items():
            texture, sampler = self.handles.pop(handle)
            texture.handles -= 1
            if sampler is not None:
                sampler.handles -= 1
            if other is not None:
                del self.handles_of[other][owner]

    def glIsTexture(self, name: int) -> bool:
        """Return whether a name is a texture object; a reserved name that was never bound is not."""
        return self.textures.get(name) is not None

    def glActiveTexture(self, texture: object) -> None:
        """Choose the unit that other calls mean: TEXTURE0 + n, or n itself as recordings write it."""
        self.active = self.unit_named(texture, "texture")

    def glBindTexture(self, target: object, texture: int) -> None:
        """Bind a texture to the active unit; a new name becomes an object with that target."""
        self._bind(self.active, target, texture)

    def glBindMultiTextureEXT(self, texunit: object, target: object, texture: int) -> None:
        """Bind a texture to a unit; a new name becomes an object with that target."""
        self._bind(self.unit_named(texunit), target, texture)

    def _bind(self, unit: int, target: object, name: int) -> None:
        known = self.target_named(target, BIND_TARGETS)
        texture = self.to_bind(known, name) if name else None
        self.unit(unit).bind(known, texture)

    def to_bind(self, target: int, name: int) -> Texture:
        """Return the texture of a name, made for the target if it is new; raises `ArgumentError` for no number."""
        texture = self.textures.get(name)
        if texture is None:
            if not isinstance(name, SupportsIndex):
                raise ArgumentError("texture", name, accepted="a texture's name, a whole number")
            if name not in self.textures and self.limits.profile == "core":
                raise Refusal(INVALID_OPERATION, f"{self._no_texture(f'texture={name}')} (glGenTextures makes names)")
            texture = self.become(name, target, by_bind=name in self.textures)
        if texture.target != target:
            is_a = f"GL_{T(texture.target).name}"
            raise Refusal(INVALID_OPERATION, f"texture={name} is a {is_a}; accepted: target={is_a}, or another texture")
        return texture

    def glBindTextureUnit(self, unit: int, texture: int) -> None:
        """Bind a texture to a unit by its own target; 0 unbinds all targets."""
        self._bind_by_own_target(self.unit_numbered(unit), texture, "texture")

    def glBindTextures(
        self, first: int, count: int | Sequence[int] | None, textures: Sequence[int] | None = None
    ) -> None:
        """Bind several by their own targets; without an array, unbind. A bad name keeps its unit, the others bind."""
        for unit, name in enumerate(self._counted_bindings(first, count, textures, "textures"), first):
            try:
                self._bind_by_own_target(unit, name, f"textures[{unit - first}]")
            except Refusal as refusal:
                self.fail(refusal.error, "glBindTextures", refusal.message)

    def _bind_by_own_target(self, unit: int, name: int, argument: str) -> None:
        if name:
            texture = self.named(name, BIND_TARGETS, argument)
            self.unit(unit).bind(texture.target, texture)
        else:
            for target in list(self.unit(unit).textures):
                self.unit(unit).bind(target, None)

    def glGenSamplers(self, count: int, samplers: Sequence[int] | EllipsisType | None = ...) -> list[int]:
        """Make sampler objects and give their names: the first free ones, or those that a recording got."""
        return self._make_samplers(count, samplers)

    def glCreateSamplers(self, n: int, samplers: Sequence[int] | EllipsisType | None = ...) -> list[int]:
        """Do the same as `glGenSamplers`: sampler objects exist from the start."""
        return self._make_samplers(n, samplers)

    def _make_samplers(self, count: int, given: Sequence[int] | EllipsisType | None) -> list[int]:
        names = self._new_names(count, given, self.samplers)
        for name in names:
            self.samplers[name] = Sampler()
            self.samplers[name].label = name
        return names

    def glDeleteSamplers(self, count: int | Sequence[int], samplers: Sequence[int] | EllipsisType | None = ...) -> None:
        """Delete sampler objects; each is unbound from every unit. Unknown names and NULL are ignored."""
        for name in self._counted_names(count, samplers, "samplers"):
            sampler = self.samplers.pop(name, None)
            if sampler is not None:
                for unit in self.units.values():
                    if unit.sampler is sampler:
                        unit.bind_sampler(None)
                self._drop_handles(sampler)

    def glIsSampler(self, name: int) -> bool:
        """Return whether a name is a sampler object."""
        return name in self.samplers

    def glBindSampler(self, unit: int, sampler: int) -> None:
        """Bind a sampler object to a unit; 0 unbinds."""
        if not 0 <= unit < self.limits.max_combined_units:
            self.unit_numbered(unit)
        chosen = self.samplers.get(sampler)
        if chosen is None and sampler:
            self.sampler_named(sampler)
        self.unit(unit).bind_sampler(chosen)

    def glBindSamplers(
        self, first: int, count: int | Sequence[int] | None, samplers: Sequence[int] | None = None
    ) -> None:
        """Bind several; without an array, unbind ``count`` units. A bad name keeps its own unit, the others bind."""
        for unit, name in enumerate(self._counted_bindings(first, count, samplers, "samplers"), first):
            try:
                sampler = self.sampler_named(name, f"samplers[{unit - first}]") if name else None
            except Refusal as refusal:
                self.fail(refusal.error, "glBindSamplers", refusal.message)
            else:
                self.unit(unit).bind_sampler(sampler)

    def add_program(self, program: Program, name: int | None = None) -> int:
        """Return a linked program a name (GL makes one from shader sources; this takes its samplers as data)."""
        label = max(self.programs, default=0) + 1 if name is None else name
        self.programs[label] = program
        return label

    def _program(self, name: int) -> Program:
        program = self.programs.get(name)
        if program is None:
            raise Refusal(INVALID_VALUE, f"program={name} is no program; accepted: {listed(self.programs)}")
        return program

    def _current_program(self) -> Program:
        if self.program is None:
            raise Refusal(INVALID_OPERATION, "no program is current; accepted: a call after glUseProgram")
        return self.program

    def glDeleteProgram(self, program: int) -> None:
        """Delete a program; the current one stays in use. 0 is ignored, an unknown name is INVALID_VALUE."""
        if program:
            self._program(program)
            del self.programs[program]

    def glUseProgram(self, program: int) -> None:
        """Make a program current; 0 means fixed function. An unknown name is INVALID_VALUE."""
        self.program = self._program(program) if program else None

    def glGetUniformLocation(self, program: int, name: str) -> int:
        """Return the location at which a sampler uniform's unit is set; -1 for a name the program lacks."""
        return self._program(program).locations.get(name, -1)

    def glUniform1i(self, location: int, v0: int) -> None:
        """Set the unit of a sampler of the current program."""
        self._set_units(self._current_program(), location, [v0])

    def glUniform1iv(self, location: int, count: int | Sequence[int], value: Sequence[int] | None = None) -> None:
        """Set the units of consecutive array elements; the count may be left out."""
        units = self._units("glUniform1iv", count, value)
        self._set_units(self._current_program(), location, units)

    def glProgramUniform1i(self, program: int, location: int, v0: int) -> None:
        """Set the unit of a sampler of a program."""
        self._set_units(self._program(program), location, [v0])

    def glProgramUniform1iv(
        self, program: int, location: int, count: int | Sequence[int], value: Sequence[int] | None = None
    ) -> None:
        """Set the units of consecutive array elements of a program; the count may be left out."""
        units = self._units("glProgramUniform1iv", count, value)
        self._set_units(self._program(program), location, units)

    def _units(self, call: str, count: int | Sequence[int], value: Sequence[int] | None) -> list[int]:
        units = [float_to_int(unit) for unit in vector(count if value is None else value)]
        if isinstance(count, int) and value is not None:
            if count < 0:  # what follows is looked at all the same
                self.fail(INVALID_VALUE, call, f"count={count} is negative; accepted: 0 or more")
            return units[: max(count, 0)]
        return units

    def _set_units(self, program: Program, location: int, units: Sequence[int]) -> None:
        if location == -1:
            return
        if location in program.places:
            last = self.limits.max_combined_units - 1
            for unit in units:
                if not 0 <= unit <= last:
                    self.unit_numbered(unit, "v0")
            program.set_units(location, units)
        elif program.complete:  # else it may be a uniform that is no sampler
            accepted = f"-1 to {len(program.units) - 1}"
            raise Refusal(INVALID_OPERATION, f"location={location} is no sampler of the program; accepted: {accepted}")

    def glGetTextureHandleARB(self, texture: int) -> int:
        """Make a bindless handle of a texture with its own sampler; the texture can no longer change. 0: an error."""
        return self._handle(self.named(texture, BIND_TARGETS, error=INVALID_VALUE), None)

    def glGetTextureSamplerHandleARB(self, texture: int, sampler: int) -> int:
        """Make a bindless handle of a texture with a sampler object; neither can change any more. 0: an error."""
        named = self.named(texture, BIND_TARGETS, error=INVALID_VALUE)
        return self._handle(named, self.sampler_named(sampler, error=INVALID_VALUE))

    def _handle(self, texture: Texture, sampler: Sampler | None) -> int:
        known = self.handles_of.get(texture, {}).get(sampler)
        if known is not None:
            return known
        why = texture.missing(sampler, self.limits)
        used = sampler if sampler is not None else texture.sampler
        if why:
            raise Refusal(INVALID_OPERATION, f"texture={texture.label}: {why}; accepted: a complete texture")
        if used.border_color not in _HANDLE_BORDERS[1 if texture.is_integer else _ONE]:
            message = "TEXTURE_BORDER_COLOR is not black or white; accepted: (0 or 1) three times, then 0 or 1"
            raise Refusal(INVALID_OPERATION, message)
        texture.handles += 1
        if sampler is not None:
            sampler.handles += 1
        self.last_handle += 1
        self.handles[self.last_handle] = (texture, sampler)
        self.handles_of.setdefault(texture, {})[sampler] = self.last_handle
        if sampler is not None:
            self.handles_of.setdefault(sampler, {})[texture] = self.last_handle
        return self.last_handle
