"""GL's calls on texture units, on switches, and on the attribute stack.

Of textures that are bound, and the default ones, all but buffer textures are saved; of multisample ones only what no
filter reads. The stencil mode and sampler objects are not put back. A deleted texture is bound by its name, as a new
object. Source: GL 4.6, 8.1, 8.2; GL 4.6 compatibility, 16.1; docs/textures.md (live on Mesa 22.3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.gl import enums as e
from statetracker.gl.floats import f32, float_to_int
from statetracker.gl.names import gl_name, glenum, listing, scalar, vector
from statetracker.gl.parameter_calls import form_of
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE, Refusal
from statetracker.gl.state import SEAMLESS, ContextState
from statetracker.gl.targets import FIXED_PRIORITY
from statetracker.gl.units import ACCEPTED, ENV_MODE, FIXED_UNITS, Unit

if TYPE_CHECKING:
    from statetracker.gl.floats import Number
    from statetracker.gl.parameter_calls import SetAt, SetOn
    from statetracker.gl.texture import Texture

T = e.Target

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
FIXED_TARGETS: Final = frozenset(map(int, FIXED_PRIORITY))
#: What fixed function never samples, and so cannot be switched.
_SAMPLED: Final = frozenset(map(int, T)) - FIXED_TARGETS


TEXTURE_BIT: Final = 0x40000
ENABLE_BIT: Final = 0x2000
#: Groups that fit on the stack.
MOST: Final = 16

#: Targets in the order in which a pop binds them. Source: observed live on Mesa 22.3.6.
_ORDER: Final = (
    *(T.TEXTURE_2D_MULTISAMPLE, T.TEXTURE_2D_MULTISAMPLE_ARRAY, T.TEXTURE_CUBE_MAP_ARRAY, T.TEXTURE_BUFFER),
    *(T.TEXTURE_2D_ARRAY, T.TEXTURE_1D_ARRAY, T.TEXTURE_EXTERNAL_OES, T.TEXTURE_CUBE_MAP, T.TEXTURE_3D),
    *(T.TEXTURE_RECTANGLE, T.TEXTURE_2D, T.TEXTURE_1D),
)
_FIELDS: Final = ("base_level", "max_level", "depth_mode", "swizzle", "generate_mipmap", "priority")

#: A texture's parameters, and its sampler's: none for multisample textures.
Parameters: TypeAlias = "tuple[dict[str, object], dict[str, object]]"


class _SavedUnit(NamedTuple):
    bias: float
    textures: dict[int, Texture]
    enabled: frozenset[int]
    environment: dict[int, int]


class Saved(NamedTuple):
    """One group on the stack; None for what the mask leaves out.

    Attributes:
        textures: By TEXTURE_BIT, with their parameters.
        names: Of the textures, by the `id` of each.
        units: By either bit; ENABLE_BIT alone means only the enabled targets.
        active: By TEXTURE_BIT.
        enabled: By ENABLE_BIT: every other switch, but TEXTURE_CUBE_MAP_SEAMLESS, which is never put back.
    """

    textures: list[tuple[Texture, Parameters]] | None
    names: dict[int, int]
    units: dict[int, _SavedUnit]
    active: int
    enabled: frozenset[int] | None


def _environments(form: str, source: str) -> tuple[SetAt, SetOn]:
    """One form of glTexEnv and of glMultiTexEnv; ``source`` says in a docstring what it reads."""
    several = "v" in form

    def active(self: UnitCalls, target: object, pname: object, param: object) -> None:
        value = vector(param)[0] if several else scalar(param)
        self.needs_fixed_function(gles1=True)
        self.set_environment(self.active, target, pname, value)

    def on_unit(self: UnitCalls, texunit: object, target: object, pname: object, param: object) -> None:
        value = vector(param)[0] if several else scalar(param)
        self.set_environment(self.unit_named(texunit, error=INVALID_OPERATION), target, pname, value)

    combines = "" if source else ", or how fixed function combines its texture"
    return (
        form_of(active, f"glTexEnv{form}", f"Set the active unit's LOD bias{source}{combines}.", vector=several),
        form_of(on_unit, f"glMultiTexEnv{form}EXT", f"Set a unit's LOD bias{source}.", vector=several),
    )


class UnitCalls(ContextState):
    """Units, switches, attributes."""

    def _is_bias(self, target: object, pname: object) -> bool:
        """Return whether a call means the LOD bias, and not another parameter of a texture environment."""
        where, name = glenum(target), glenum(pname)
        if where == FILTER_CONTROL:
            if name != LOD_BIAS:
                message = f"pname={gl_name(name)} of GL_TEXTURE_FILTER_CONTROL; accepted: GL_TEXTURE_LOD_BIAS"
                raise Refusal(INVALID_ENUM, message)
            return True
        if where not in OTHER_ENVIRONMENTS:
            words = "GL_TEXTURE_ENV, GL_TEXTURE_FILTER_CONTROL, GL_POINT_SPRITE"
            raise Refusal(INVALID_ENUM, f"target={gl_name(where)} is no environment; accepted: {words}")
        return False

    def set_environment(self, unit: int, target: object, pname: object, value: Number) -> None:
        """Set a unit's LOD bias, or how fixed function combines its texture."""
        name = glenum(pname)
        if self._is_bias(target, pname):
            self.unit(unit).set_lod_bias(float(value))
        elif unit >= FIXED_UNITS or glenum(target) != TEXTURE_ENV or name in UNREAD:
            return  # Mesa ignores fixed function's parameters on higher units in silence
        elif name not in ACCEPTED:
            raise Refusal(INVALID_ENUM, f"pname={gl_name(name)} of GL_TEXTURE_ENV; accepted: its parameters")
        else:
            given = float_to_int(f32(value)) if isinstance(value, float) else value
            given = ENV_ALIASES.get(given, given) if name == ENV_MODE else given
            if given not in ACCEPTED[name]:
                words = listing(ACCEPTED[name])
                raise Refusal(INVALID_ENUM, f"{gl_name(name)}={gl_name(given)}; accepted: {words}")
            place = self.unit(unit)
            place.set_environment(place.environment | {name: given})

    glTexEnvf, glMultiTexEnvfEXT = _environments("f", "")
    glTexEnvi, glMultiTexEnviEXT = _environments("i", " from an int")
    glTexEnvfv, glMultiTexEnvfvEXT = _environments("fv", " from an array")
    glTexEnviv, glMultiTexEnvivEXT = _environments("iv", " from an array of ints")

    def glGetTexEnvfv(self, target: object, pname: object) -> list[float] | None:
        """Ask for the active unit's LOD bias, as it was set. None for anything else."""
        self.needs_fixed_function(gles1=True)
        return [self.unit().lod_bias] if self._is_bias(target, pname) else None

    def glGetTexEnviv(self, target: object, pname: object) -> list[int] | None:
        """Ask for the active unit's LOD bias, truncated. None for anything else."""
        self.needs_fixed_function(gles1=True)
        return [float_to_int(self.unit().lod_bias)] if self._is_bias(target, pname) else None

    def _lacks_fixed(self, cap: int, accepted: str) -> Refusal:
        message = f"cap={gl_name(cap)} is fixed function, which profile={self.limits.profile} lacks"
        return Refusal(INVALID_ENUM, f"{message}; accepted: {accepted}")

    def _switch(self, cap: object) -> ContextState | Unit | None:
        """Return what a switch belongs to, the context or its active unit; None where GL ignores the call."""
        value = glenum(cap)
        if value == SEAMLESS and not (self.limits.desktop and self.limits.has("GL_ARB_seamless_cube_map")):
            message = "cap=GL_TEXTURE_CUBE_MAP_SEAMLESS does not exist here; it needs desktop GL_ARB_seamless_cube_map"
            raise Refusal(INVALID_ENUM, message)
        if value in FIXED_TARGETS:
            if not self.limits.compatibility and not 0 < self.limits.gles < 20:
                raise self._lacks_fixed(value, "GL_TEXTURE_CUBE_MAP_SEAMLESS")
            return self.unit() if self.active < FIXED_UNITS else None  # Mesa ignores the others in silence
        if value in _SAMPLED and value not in self.availability.targets & {T.TEXTURE_EXTERNAL_OES}:
            raise Refusal(INVALID_ENUM, f"cap={gl_name(value)} is no switch; accepted: a target of fixed function")
        return self

    def glEnable(self, cap: object) -> None:
        """Switch on a fixed-function target of the active unit, seamless cubes, or what samplers do not read."""
        self._turn(self._switch(cap), cap, on=True)

    def glDisable(self, cap: object) -> None:
        """Switch off what `glEnable` switched on."""
        self._turn(self._switch(cap), cap, on=False)

    def _turn(self, owner: ContextState | Unit | None, cap: object, *, on: bool) -> None:
        if isinstance(owner, Unit):
            owner.switch(glenum(cap), on=on)
        elif owner is not None:
            (owner.enabled.add if on else owner.enabled.discard)(glenum(cap))

    def glIsEnabled(self, cap: object) -> bool:
        """Return whether a switch is on."""
        owner = self._switch(cap)
        return owner is not None and glenum(cap) in owner.enabled

    def _switch_at(self, cap: object, index: int) -> Unit | None:
        """Return the unit that a switch by index means; None for another switch, and where GL ignores the call."""
        value = glenum(cap)
        if value in _SAMPLED or value == SEAMLESS:
            raise Refusal(INVALID_ENUM, f"cap={gl_name(value)} is no switch by index; accepted: a fixed target")
        if value not in FIXED_TARGETS:
            return None
        unit = self.unit_named(index, "index", INVALID_VALUE)
        if not self.limits.compatibility:
            raise self._lacks_fixed(value, "compatibility")
        return self.unit(unit) if unit < FIXED_UNITS else None

    def glEnablei(self, cap: object, index: int) -> None:
        """Switch on a fixed-function target of a unit."""
        self._turn(self._switch_at(cap, index), cap, on=True)

    def glDisablei(self, cap: object, index: int) -> None:
        """Switch off a fixed-function target of a unit."""
        self._turn(self._switch_at(cap, index), cap, on=False)

    def glIsEnabledi(self, cap: object, index: int) -> bool:
        """Return whether a fixed-function target of a unit is on."""
        unit = self._switch_at(cap, index)
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

    def glPushAttrib(self, mask: int) -> None:
        """Save texture parameters, bindings, biases and enables (TEXTURE_BIT), or only the switches (ENABLE_BIT)."""
        self.needs_fixed_function()
        if len(self.attributes) >= MOST:
            message = f"mask=0x{mask:X} finds the stack full; accepted: {MOST} groups at a time"
            raise Refusal("GL_STACK_OVERFLOW", message)
        textures, names, units = None, {}, {}
        if mask & TEXTURE_BIT:
            bound = {id(t): t for unit in self.units.values() for t in unit.textures.values()}
            kept = (*bound.values(), *self.defaults.values())  # each once, and the default textures that were made
            textures = [(t, _parameters(t)) for t in kept if t.target != T.TEXTURE_BUFFER]
            names = {id(t): t.label for t in kept if t.label is not None and self.textures.get(t.label) is t}
        if mask & (TEXTURE_BIT | ENABLE_BIT):
            units = {
                index: _SavedUnit(unit.lod_bias, {**unit.textures}, frozenset(unit.enabled), unit.environment)
                for index, unit in self.units.items()
            }
        enabled = frozenset(self.enabled) if mask & ENABLE_BIT else None
        self.attributes.append(Saved(textures, names, units, self.active, enabled))

    def glPopAttrib(self) -> None:
        """Put back what the last `glPushAttrib` saved; sampler objects stay bound, stencil modes and seams as set."""
        self.needs_fixed_function()
        if not self.attributes:
            raise Refusal("GL_STACK_UNDERFLOW", "the stack is empty; accepted: a pop after a push")
        saved: Saved = self.attributes.pop()
        if saved.textures is not None:
            self.active = saved.active
            for texture, parameters in saved.textures:
                now = self._now(saved, texture)
                if now is not None and now.target == texture.target:
                    _put_back(now, parameters)
            known = {id(texture) for texture, _ in saved.textures}
            for target, texture in self.defaults.items():  # made after the push: then it was as new
                if id(texture) not in known and target != T.TEXTURE_BUFFER:
                    _put_back(texture, _parameters(self.new_texture(target, by_bind=False)))
        if saved.enabled is not None:
            self.enabled = {*(saved.enabled - {SEAMLESS}), *(self.enabled & {SEAMLESS})}
        if saved.textures is not None or saved.enabled is not None:
            for index, unit in self.units.items():
                self._put_back_unit(unit, saved.units.get(index, _SavedUnit(0.0, {}, frozenset(), {})), saved)

    def _put_back_unit(self, unit: Unit, then: _SavedUnit, saved: Saved) -> None:
        """Put a unit back; a texture that has another target by now is bound there."""
        for target in unit.enabled ^ then.enabled:
            unit.switch(target, on=target in then.enabled)
        if saved.textures is None:
            return
        unit.set_lod_bias(then.bias)
        unit.set_environment(then.environment)
        for target in _ORDER:
            texture = then.textures.get(target)
            bound = None if texture is None else self._now(saved, texture)
            if texture is None or bound is not None:
                unit.bind(target if bound is None else bound.target, bound)

    def _now(self, saved: Saved, texture: Texture) -> Texture | None:
        """Return the texture that a saved name means now: a new one, perhaps of another target, if it was deleted.

        Default textures have no name, and are themselves. None for a multisample texture that was deleted.
        """
        name = saved.names.get(id(texture), 0)
        if not name:
            return texture
        now = self.textures.get(name)
        if now is None and not T(texture.target).is_multisample:
            now = self.become(name, texture.target, by_bind=name in self.textures)
        return now


def _parameters(texture: Texture) -> Parameters:
    own = {} if T(texture.target).is_multisample else texture.sampler.state()
    return {name: getattr(texture, name) for name in _FIELDS}, own


def _put_back(texture: Texture, parameters: Parameters) -> None:
    """Put parameters into a texture: the one they are of, or another of that target."""
    fields, own = parameters
    for name, value in fields.items():
        if getattr(texture, name) != value:
            texture.store(name, value)
    if own:
        texture.sampler.restore(own)
