"""GL's calls on programs and their sampler uniforms, and on bindless texture handles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.floats import float_to_int
from statetracker.gl.names import vector
from statetracker.gl.object_names import listed
from statetracker.gl.parameters import INVALID_OPERATION, INVALID_VALUE, Refusal
from statetracker.gl.state import ContextState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.gl.program import Program
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture

_ONE: Final = 0x3F800000
#: Border colours that handles may have, by the word that means one: black or white, transparent or opaque.
_HANDLE_BORDERS: Final = {
    one: ((0, 0, 0, 0), (0, 0, 0, one), (one, one, one, 0), (one, one, one, one)) for one in (1, _ONE)
}


class ProgramCalls(ContextState):
    """Programs and handles."""

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
        return self._handle(self._handle_texture(texture), None)

    def glGetTextureSamplerHandleARB(self, texture: int, sampler: int) -> int:
        """Make a bindless handle of a texture with a sampler object; neither can change any more. 0: an error."""
        return self._handle(self._handle_texture(texture), self.sampler_named(sampler, error=INVALID_VALUE))

    def _handle_texture(self, name: int) -> Texture:
        texture = self.textures.get(name)
        if texture is None:
            raise Refusal(INVALID_VALUE, self._no_texture(f"texture={name}"))
        return texture

    def _handle(self, texture: Texture, sampler: Sampler | None) -> int:
        for handle, pair in self.handles.items():
            if pair[0] is texture and pair[1] is sampler:
                return handle
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
        return self.last_handle
