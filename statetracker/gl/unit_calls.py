"""GL's calls on units, switches, the attribute stack, programs and bindless handles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.names import gl_name, number
from statetracker.gl.program import Program
from statetracker.gl.state import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE, ContextState
from statetracker.gl.values import scalar, vector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.gl.texture import Texture
    from statetracker.gl.values import Number

__all__ = ["UnitCalls"]

T = e.Target
FILTER_CONTROL: Final = 0x8500
LOD_BIAS: Final = 0x8501
TEXTURE_BIT: Final = 0x40000
ENABLE_BIT: Final = 0x2000
GL_TEXTURE0: Final = 0x84C0
MOST_ATTRIBUTES: Final = 16
_TEXTURE_FIELDS: Final = ("base_level", "max_level", "depth_mode", "swizzle")
_FIXED: Final = frozenset(int(c) for c in e.EnableCap if c.name.startswith("TEXTURE_") and "SEAMLESS" not in c.name)
_OTHER_CAPS: Final = frozenset({int(e.EnableCap.VERTEX_PROGRAM_ARB), int(e.EnableCap.FRAGMENT_PROGRAM_ARB)})


class UnitCalls(ContextState):
    """Units, switches, attributes, programs, handles."""

    def _tex_env(self, call: str, unit: int, target: object, pname: object, value: Number) -> None:
        if number(target) != FILTER_CONTROL:
            return  # other texture environments say nothing about samplers
        if number(pname) != LOD_BIAS:
            message = f"pname={gl_name(number(pname))} is not accepted for GL_TEXTURE_FILTER_CONTROL"
            self.fail(INVALID_ENUM, call, f"{message}; accepted: GL_TEXTURE_LOD_BIAS")
        elif unit >= self.limits.max_combined_units:
            self.fail(INVALID_OPERATION, call, f"unit {unit} is past the last one")
        else:
            self.unit(unit).set_lod_bias(value)

    def glTexEnvf(self, target: object, pname: object, param: object) -> None:
        """Set the active unit's LOD bias."""
        self._tex_env("glTexEnvf", self.active, target, pname, scalar(param))

    def glTexEnvi(self, target: object, pname: object, param: object) -> None:
        """Set the active unit's LOD bias from an int."""
        self._tex_env("glTexEnvi", self.active, target, pname, scalar(param))

    def glTexEnvfv(self, target: object, pname: object, params: object) -> None:
        """Set the active unit's LOD bias from an array."""
        self._tex_env("glTexEnvfv", self.active, target, pname, vector(params)[0])

    def glTexEnviv(self, target: object, pname: object, params: object) -> None:
        """Set the active unit's LOD bias from an array of ints."""
        self._tex_env("glTexEnviv", self.active, target, pname, vector(params)[0])

    def glMultiTexEnvfEXT(self, texunit: object, target: object, pname: object, param: object) -> None:
        """Set a unit's LOD bias."""
        self._tex_env("glMultiTexEnvfEXT", number(texunit) - GL_TEXTURE0, target, pname, scalar(param))

    def glMultiTexEnviEXT(self, texunit: object, target: object, pname: object, param: object) -> None:
        """Set a unit's LOD bias from an int."""
        self._tex_env("glMultiTexEnviEXT", number(texunit) - GL_TEXTURE0, target, pname, scalar(param))

    def _switch(self, call: str, cap: object, *, on: bool) -> None:
        value = number(cap)
        if value == e.EnableCap.TEXTURE_CUBE_MAP_SEAMLESS:
            if not self.limits.desktop or not self.limits.has("GL_ARB_seamless_cube_map"):
                self.fail(INVALID_ENUM, call, "GL_TEXTURE_CUBE_MAP_SEAMLESS needs desktop GL and ARB_seamless_cube_map")
            else:
                self.seamless = on
        elif value in _FIXED:
            if not self.limits.compatibility and self.limits.gles != 10:  # noqa: PLR2004 (GLES 1)
                self.fail(INVALID_ENUM, call, f"{gl_name(value)} is fixed function, which this profile lacks")
                return
            _put(self.unit().enabled, value, on=on)
        else:
            _put(self.enabled, value, on=on)

    def glEnable(self, cap: object) -> None:
        """Switch on a fixed-function target of the active unit, seamless cubes, or what samplers do not read."""
        self._switch("glEnable", cap, on=True)

    def glDisable(self, cap: object) -> None:
        """Switch off what `glEnable` switched on."""
        self._switch("glDisable", cap, on=False)

    def glPushAttrib(self, mask: int) -> None:
        """Save texture parameters, unit biases and enables (TEXTURE_BIT), or only the enables (ENABLE_BIT)."""
        if len(self.attributes) >= MOST_ATTRIBUTES:
            self.fail("GL_STACK_OVERFLOW", "glPushAttrib", f"{MOST_ATTRIBUTES} attribute groups are on the stack")
            return
        saved: dict[str, object] = {"mask": mask}
        if mask & TEXTURE_BIT:
            saved["active"] = self.active
            saved["textures"] = [(t, _texture_state(t)) for t in self._all_textures()]
            saved["biases"] = {index: unit.lod_bias for index, unit in self.units.items()}
            saved["bindings"] = {index: dict(unit.textures) for index, unit in self.units.items()}
        if mask & (TEXTURE_BIT | ENABLE_BIT):
            saved["enables"] = {index: set(unit.enabled) for index, unit in self.units.items()}
            saved["seamless"] = self.seamless
        self.attributes.append(saved)

    def glPopAttrib(self) -> None:
        """Put back what the last `glPushAttrib` saved; sampler objects stay bound, stencil modes stay set."""
        if not self.attributes:
            self.fail("GL_STACK_UNDERFLOW", "glPopAttrib", "no attribute group is on the stack")
            return
        saved = self.attributes.pop()
        for texture, state in saved.get("textures", ()):  # type: ignore[attr-defined]
            _restore_texture(texture, state)
        if "biases" in saved:
            self.active = saved["active"]  # type: ignore[assignment]
            for index, unit in self.units.items():
                unit.set_lod_bias(saved["biases"].get(index, 0.0))  # type: ignore[attr-defined]
                unit.textures = dict(saved["bindings"].get(index, {}))  # type: ignore[attr-defined]
        if "enables" in saved:
            self.seamless = saved["seamless"]  # type: ignore[assignment]
            for index, unit in self.units.items():
                unit.enabled = set(saved["enables"].get(index, ()))  # type: ignore[attr-defined]

    def _all_textures(self) -> list[Texture]:
        named = [t for t in self.textures.values() if t is not None]
        return [t for t in (*named, *self.defaults.values()) if t.target != T.TEXTURE_BUFFER]

    def add_program(self, program: Program) -> int:
        """Give a linked program a name (GL makes one from shader sources; this takes its samplers as data)."""
        name = max(self.programs, default=0) + 1
        self.programs[name] = program
        return name

    def glUseProgram(self, program: int) -> None:
        """Make a program current; 0 means fixed function. An unknown name is INVALID_VALUE."""
        if program and program not in self.programs:
            self.fail(INVALID_VALUE, "glUseProgram", f"program={program} is no program")
        else:
            self.program = self.programs.get(program)

    def glGetUniformLocation(self, program: int, name: str) -> int:
        """Where a sampler uniform's unit is set; -1 for a name the program does not have."""
        found = self.programs.get(program)
        return found.locations.get(name, -1) if found is not None else -1

    def glUniform1i(self, location: int, v0: int) -> None:
        """Set the unit of a sampler of the current program."""
        self.glUniform1iv(location, [v0], call="glUniform1i")

    def glUniform1iv(self, location: int, value: Sequence[int], *, call: str = "glUniform1iv") -> None:
        """Set the units of consecutive array elements."""
        if self.program is None:
            self.fail(INVALID_OPERATION, call, "no program is current")
        else:
            self._set_units(call, self.program, location, value)

    def glProgramUniform1i(self, program: int, location: int, v0: int) -> None:
        """Set the unit of a sampler of a program."""
        found = self.programs.get(program)
        if found is None:
            self.fail(INVALID_VALUE, "glProgramUniform1i", f"program={program} is no program")
        else:
            self._set_units("glProgramUniform1i", found, location, [v0])

    def _set_units(self, call: str, program: Program, location: int, units: Sequence[int]) -> None:
        if location == -1:
            return
        if not 0 <= location < len(program.units):
            self.fail(INVALID_OPERATION, call, f"location={location} is no sampler of the program")
            return
        for unit in units:
            if not 0 <= unit < self.limits.max_combined_units:
                self.fail(INVALID_VALUE, call, f"unit {unit} is not one of 0..{self.limits.max_combined_units - 1}")
                return
        for offset, unit in enumerate(units[: len(program.units) - location]):
            program.units[location + offset] = unit

    def glGetTextureHandleARB(self, texture: int) -> int:
        """Make a bindless handle of a texture with its own sampler; the texture can no longer change."""
        return self._handle("glGetTextureHandleARB", texture, None)

    def glGetTextureSamplerHandleARB(self, texture: int, sampler: int) -> int:
        """Make a bindless handle of a texture with a sampler object; neither can change any more."""
        if sampler not in self.samplers:
            self.fail(INVALID_VALUE, "glGetTextureSamplerHandleARB", f"sampler={sampler} is no sampler object")
            return 0
        return self._handle("glGetTextureSamplerHandleARB", texture, sampler)

    def _handle(self, call: str, name: int, sampler_name: int | None) -> int:
        texture = self.textures.get(name)
        if texture is None:
            self.fail(INVALID_VALUE, call, f"texture={name} is no texture object")
            return 0
        sampler = self.samplers.get(sampler_name) if sampler_name is not None else None
        why = texture.missing(sampler, self.limits)
        if why:
            self.fail(INVALID_OPERATION, call, f"texture={name} is incomplete: {why}")
            return 0
        for handle, pair in self.handles.items():
            if pair == (texture, sampler):
                return handle
        texture.handles += 1
        if sampler is not None:
            sampler.handles += 1
        handle = len(self.handles) + 1
        self.handles[handle] = (texture, sampler)
        return handle


def _put(members: set[int], value: int, *, on: bool) -> None:
    members.add(value) if on else members.discard(value)


def _texture_state(texture: Texture) -> dict[str, object]:
    state: dict[str, object] = {name: getattr(texture, name) for name in _TEXTURE_FIELDS}
    if not T(texture.target).is_multisample:
        state["sampler"] = texture.sampler.state()
    return state


def _restore_texture(texture: Texture, state: dict[str, object]) -> None:
    for name in _TEXTURE_FIELDS:
        if getattr(texture, name) != state[name]:
            texture.store(name, state[name])
    if "sampler" in state:
        texture.sampler.restore(state["sampler"])  # type: ignore[arg-type]
