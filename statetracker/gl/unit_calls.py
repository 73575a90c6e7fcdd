"""GL's calls on texture units, on switches, and on the attribute stack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.combiner import ACCEPTED, ENV_MODE, FIXED_UNITS
from statetracker.gl.floats import f32, float_to_int
from statetracker.gl.names import gl_name, glenum, scalar, vector
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION
from statetracker.gl.state import SEAMLESS, ContextState
from statetracker.gl.units import MOST, Saved, SavedTexture, Unit

if TYPE_CHECKING:
    from statetracker.gl.floats import Number
    from statetracker.gl.texture import Texture

FILTER_CONTROL: Final = 0x8500
LOD_BIAS: Final = 0x8501
#: How fixed function combines textures: it decides which of them are read.
TEXTURE_ENV: Final = 0x2300
#: TEXTURE_ENV_COLOR, RGB_SCALE, ALPHA_SCALE: they do not decide which textures are read.
UNREAD: Final = (0x2201, 0x8573, 0x0D1C)
#: Older enums of TEXTURE_ENV_MODE -> GL's. Source: EXT_texture; no other parameter takes them on Mesa 22.3.6.
ENV_ALIASES: Final = {0x8062: 0x1E01}
#: Other texture environments (POINT_SPRITE is the only one) do not concern samplers.
OTHER_ENVIRONMENTS: Final = (TEXTURE_ENV, 0x8861)
#: Fixed function's targets, which each unit switches for itself.
FIXED_TARGETS: Final = frozenset(
    int(c) for c in e.EnableCap if c.name.startswith("TEXTURE_") and "SEAMLESS" not in c.name
)
#: What fixed function never samples, and so cannot be switched.
_SAMPLED: Final = frozenset(map(int, e.Target)) - FIXED_TARGETS


class UnitCalls(ContextState):
    """Units, switches, attributes."""

    def _environment(self, call: str, target: object, pname: object) -> bool:
        """Whether a call means the LOD bias; a wrong one is recorded."""
        where, name = glenum(target), glenum(pname)
        if not call.startswith("glMultiTex") and not self.has_fixed_function(call, gles1=True):
            return False
        if where != FILTER_CONTROL:
            if where not in OTHER_ENVIRONMENTS:
                words = "GL_TEXTURE_ENV, GL_TEXTURE_FILTER_CONTROL, GL_POINT_SPRITE"
                self.fail(INVALID_ENUM, call, f"target={gl_name(where)} is no environment; accepted: {words}")
            return False
        if name != LOD_BIAS:
            message = f"pname={gl_name(name)} of GL_TEXTURE_FILTER_CONTROL; accepted: GL_TEXTURE_LOD_BIAS"
            self.fail(INVALID_ENUM, call, message)
        return name == LOD_BIAS

    def _tex_env(self, call: str, texunit: object, target: object, pname: object, value: Number) -> None:
        unit = self.unit_named(texunit, call, "texunit", INVALID_OPERATION)
        if unit is None:
            return
        if self._environment(call, target, pname):
            self.unit(unit).set_lod_bias(float(value))
        elif unit >= FIXED_UNITS:
            return  # Mesa ignores fixed function's parameters there in silence
        elif glenum(target) == TEXTURE_ENV and glenum(pname) in ACCEPTED:
            self._combine(call, unit, glenum(pname), value)
        elif glenum(target) == TEXTURE_ENV and glenum(pname) not in UNREAD:
            self.fail(INVALID_ENUM, call, f"pname={gl_name(glenum(pname))} of GL_TEXTURE_ENV; accepted: its parameters")

    def _combine(self, call: str, unit: int, name: int, value: Number) -> None:
        """Set how fixed function combines a unit's texture."""
        given = float_to_int(f32(value)) if isinstance(value, float) else value
        given = ENV_ALIASES.get(given, given) if name == ENV_MODE else given
        if given in ACCEPTED[name]:
            place = self.unit(unit)
            place.set_environment(place.environment | {name: given})
        else:
            words = ", ".join(map(gl_name, sorted(ACCEPTED[name])))
            self.fail(INVALID_ENUM, call, f"{gl_name(name)}={gl_name(given)}; accepted: {words}")

    def glTexEnvf(self, target: object, pname: object, param: object) -> None:
        """Set the active unit's LOD bias, or how fixed function combines its texture."""
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
        self._tex_env("glMultiTexEnvfEXT", texunit, target, pname, scalar(param))

    def glMultiTexEnviEXT(self, texunit: object, target: object, pname: object, param: object) -> None:
        """Set a unit's LOD bias from an int."""
        self._tex_env("glMultiTexEnviEXT", texunit, target, pname, scalar(param))

    def glMultiTexEnvfvEXT(self, texunit: object, target: object, pname: object, params: object) -> None:
        """Set a unit's LOD bias from an array."""
        self._tex_env("glMultiTexEnvfvEXT", texunit, target, pname, vector(params)[0])

    def glMultiTexEnvivEXT(self, texunit: object, target: object, pname: object, params: object) -> None:
        """Set a unit's LOD bias from an array of ints."""
        self._tex_env("glMultiTexEnvivEXT", texunit, target, pname, vector(params)[0])

    def glGetTexEnvfv(self, target: object, pname: object) -> list[float] | None:
        """Ask for the active unit's LOD bias, as it was set. None for anything else."""
        return [self.unit().lod_bias] if self._environment("glGetTexEnvfv", target, pname) else None

    def glGetTexEnviv(self, target: object, pname: object) -> list[int] | None:
        """Ask for the active unit's LOD bias, truncated. None for anything else."""
        return [float_to_int(self.unit().lod_bias)] if self._environment("glGetTexEnviv", target, pname) else None

    def _switch(self, call: str, cap: object) -> ContextState | Unit | None:
        """What a switch belongs to, the context or its active unit; None where the context has no such switch."""
        value = glenum(cap)
        if value == SEAMLESS and not (self.limits.desktop and self.limits.has("GL_ARB_seamless_cube_map")):
            message = "cap=GL_TEXTURE_CUBE_MAP_SEAMLESS does not exist here; it needs desktop GL_ARB_seamless_cube_map"
            self.fail(INVALID_ENUM, call, message)
            return None
        if value not in FIXED_TARGETS:
            external = self.availability.targets & {e.Target.TEXTURE_EXTERNAL_OES}
            if value in _SAMPLED and value not in external:
                message = f"cap={gl_name(value)} is no switch; accepted: a target of fixed function"
                self.fail(INVALID_ENUM, call, message)
                return None
            return self
        if not self.limits.compatibility and not 0 < self.limits.gles < 20:
            message = f"cap={gl_name(value)} is fixed function, which profile={self.limits.profile} lacks"
            self.fail(INVALID_ENUM, call, f"{message}; accepted: GL_TEXTURE_CUBE_MAP_SEAMLESS")
            return None
        return self.unit() if self.active < FIXED_UNITS else None  # Mesa ignores the others in silence

    def glEnable(self, cap: object) -> None:
        """Switch on a fixed-function target of the active unit, seamless cubes, or what samplers do not read."""
        self._turn("glEnable", cap, on=True)

    def glDisable(self, cap: object) -> None:
        """Switch off what `glEnable` switched on."""
        self._turn("glDisable", cap, on=False)

    def _turn(self, call: str, cap: object, *, on: bool) -> None:
        owner = self._switch(call, cap)
        if isinstance(owner, Unit):
            owner.switch(glenum(cap), on=on)
        elif owner is not None:
            (owner.enabled.add if on else owner.enabled.discard)(glenum(cap))

    def glIsEnabled(self, cap: object) -> bool:
        """Whether a switch is on."""
        owner = self._switch("glIsEnabled", cap)
        return owner is not None and glenum(cap) in owner.enabled

    def _switch_at(self, call: str, cap: object, index: int) -> Unit | None:
        """The unit that a switch by index means; None for another switch, an error, and where GL ignores the call."""
        value = glenum(cap)
        if value in _SAMPLED or value == SEAMLESS:
            self.fail(INVALID_ENUM, call, f"cap={gl_name(value)} is no switch by index; accepted: a fixed target")
        if value not in FIXED_TARGETS:
            return None
        unit = self.unit_named(index, call, "index", "GL_INVALID_VALUE")
        if unit is not None and not self.limits.compatibility:
            message = f"cap={gl_name(value)} is fixed function, which profile={self.limits.profile} lacks"
            self.fail(INVALID_ENUM, call, f"{message}; accepted: compatibility")
            return None
        return None if unit is None or unit >= FIXED_UNITS else self.unit(unit)

    def glEnablei(self, cap: object, index: int) -> None:
        """Switch on a fixed-function target of a unit."""
        unit = self._switch_at("glEnablei", cap, index)
        if unit is not None:
            unit.switch(glenum(cap), on=True)

    def glDisablei(self, cap: object, index: int) -> None:
        """Switch off a fixed-function target of a unit."""
        unit = self._switch_at("glDisablei", cap, index)
        if unit is not None:
            unit.switch(glenum(cap), on=False)

    def glIsEnabledi(self, cap: object, index: int) -> bool:
        """Whether a fixed-function target of a unit is on."""
        unit = self._switch_at("glIsEnabledi", cap, index)
        return unit is not None and glenum(cap) in unit.enabled

    def glIsEnabledIndexed(self, target: object, index: int) -> bool:
        """Do the same as `glIsEnabledi`, by its older name."""
        return self.glIsEnabledi(target, index)

    def glEnableIndexed(self, target: object, index: int) -> None:
        """Do the same as `glEnablei`, by its older name."""
        self.glEnablei(target, index)

    def glDisableIndexed(self, target: object, index: int) -> None:
        """Do the same as `glDisablei`, by its older name."""
        self.glDisablei(target, index)

    def _saved_textures(self) -> list[Texture]:
        """What is bound to any unit, each texture once, and the default textures that were made."""
        bound = {id(t): t for unit in self.units.values() for t in unit.textures.values()}
        return [*bound.values(), *self.defaults.values()]

    def glPushAttrib(self, mask: int) -> None:
        """Save texture parameters, bindings, biases and enables (TEXTURE_BIT), or only the switches (ENABLE_BIT)."""
        call = "glPushAttrib"
        if not self.has_fixed_function(call):
            return
        if len(self.attributes) >= MOST:
            message = f"mask=0x{mask:X} finds the stack full; accepted: {MOST} groups at a time"
            self.fail("GL_STACK_OVERFLOW", call, message)
            return
        saved = Saved.of(mask, self._saved_textures(), self.textures, self.units, self.active, self.enabled)
        self.attributes.append(saved)

    def glPopAttrib(self) -> None:
        """Put back what the last `glPushAttrib` saved; sampler objects stay bound, stencil modes and seams as set."""
        if not self.has_fixed_function("glPopAttrib"):
            return
        if not self.attributes:
            self.fail("GL_STACK_UNDERFLOW", "glPopAttrib", "the stack is empty; accepted: a pop after a push")
            return
        saved = self.attributes.pop()
        if saved.textures is not None:
            self.active = saved.active
            for kept in saved.textures:
                texture = self._now(saved, kept.texture)
                if texture is not None and texture.target == kept.texture.target:
                    kept.restore(texture)
            self._renew_defaults({id(kept.texture) for kept in saved.textures})
        if saved.enabled is not None:
            self.enabled = {*(saved.enabled - {SEAMLESS}), *(self.enabled & {SEAMLESS})}
        if saved.units is not None:
            saved.restore_units(self.units, lambda texture: self._now(saved, texture))

    def _now(self, saved: Saved, texture: Texture) -> Texture | None:
        """What the name of a saved texture means now: a new object where it was deleted, of another target it may be.

        Default textures have no name, and are themselves. None for a multisample texture that was deleted.
        """
        name = saved.names.get(id(texture), 0)
        if not name:
            return texture
        now = self.textures.get(name)
        if now is None and not e.Target(texture.target).is_multisample:
            now = self.textures[name] = self.new_texture(texture.target, by_bind=name in self.textures)
            now.label = name
        return now

    def _renew_defaults(self, known: set[int]) -> None:
        """Reset default textures that were first used after the push: at the push they had a new texture's state."""
        for target, texture in self.defaults.items():
            if id(texture) not in known and target != e.Target.TEXTURE_BUFFER:
                SavedTexture.of(self.new_texture(target, by_bind=False)).restore(texture)
