"""`Context`: a GL context that takes GL calls and keeps what samplers and completeness read; it draws nothing.

Methods are GL functions, letter for letter; enums are taken in any spelling. A wrong call records a GL error with a
message that names the call, the value and what would have been accepted (a strict context raises it as `GLError`).
Source: EXT_direct_state_access; what wrong targets answer was observed on Mesa 22.3.6.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Never, cast

from statetracker.errors import UnmodelledCall
from statetracker.gl import enums as e
from statetracker.gl.image_calls import ImageCalls
from statetracker.gl.names import gl_name, glenum
from statetracker.gl.object_calls import ObjectCalls
from statetracker.gl.parameter_calls import PARAMETER_TARGETS, ParameterCalls
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, Refusal
from statetracker.gl.program import Slot
from statetracker.gl.state import BIND_TARGETS, recording
from statetracker.gl.storage_calls import StorageCalls
from statetracker.gl.targets import FACE_TARGETS, FIXED_PRIORITY, PROXIES, taking
from statetracker.gl.texture import fallback_texture
from statetracker.gl.unit_calls import UnitCalls
from statetracker.gl.units import EnvUnit, read_units
from statetracker.spellings import stage_named

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from statetracker.gl.limits import Limits
    from statetracker.gl.program import Program
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.setters import Process
    from statetracker.gl.texture import Texture

#: Calls that EXT_direct_state_access has with a texture, or a unit, before their arguments.
_OF_TEXTURES: Final = re.compile(
    r"gl(Get)?Tex(Level)?Parameter\w+|gl(Compressed|Copy)?TexImage\dD|glTexStorage\dD(Multisample)?|glTexBuffer(Range)?"
)
#: Those that it lacks with a unit; `ParameterCalls` has glMultiTexParameter.
_NOT_OF_UNITS: Final = ("glTexParameter", "glTexStorage", "glTexBufferRange")
#: Calls that only desktop GL has. What fixed function alone has is refused by the calls themselves. Source: GLES 3.2;
#: observed on Mesa 22.3.6.
_OF_DESKTOP: Final = re.compile(
    r"gl\w*Tex\w+1D|glTexImage\dDMultisample|gl(Create|Bind)(Textures|Samplers|TextureUnit)"
    r"|gl(Get|Generate)?Texture(Level)?(Parameter|Storage|Buffer|Mipmap)\w*|gl\w*MultiTex\w+EXT"
)

_SUFFIXES: Final = ("EXT", "ARB", "OES", "ANGLE", "NV")
#: Calls of EXT_direct_state_access: their names with EXT mean other arguments than those without.
_DIRECT_ACCESS: Final = ("glTexture", "glMultiTex", "glGetTexture", "glGetMultiTex", "glGenerateTexture")


class Bound(NamedTuple):
    """A slot's texture and sampler.

    Attributes:
        texture: The current texture: the bound one, or the fallback where that is incomplete.
        sampler: The sampler that applies: the unit's sampler object, else the current texture's own.
        incomplete: Why the bound texture is not the current one; empty where it is.
        unit: Index of the texture unit.
        unit_lod_bias: Levels, the unit's bias as set: any float.
    """

    texture: Texture
    sampler: Sampler
    incomplete: str
    unit: int
    unit_lod_bias: float


class Context(UnitCalls, StorageCalls, ImageCalls, ParameterCalls, ObjectCalls):
    """A GL context. Arguments and errors are as `ContextState` has them: limits, ``strict``, process."""

    def __init__(self, limits: Limits | None = None, *, strict: bool = False, process: Process | None = None) -> None:
        super().__init__(limits, strict=strict, process=process)
        if self.limits.gles:
            for name in DESKTOP_CALLS:
                setattr(self, name, partial(self._absent, name))

    @classmethod
    def from_current(cls, via: Any = None) -> Self:  # noqa: ANN401 (another package's object)
        """Make a context with the sampler and texture state of the GL context that is current in this thread.

        Read is what is bound to each unit, with limits, extensions and profile; programs are not. The live context is
        left as it was.

        Args:
            via: What finds GL's functions: None: EGL or GLX, as this process has loaded them; a function from a name to
                an address; a moderngl.Context, which becomes current; PyOpenGL's module.

        Raises:
            NoDevice: None is current, or it is too old to answer.
        """
        from statetracker.bindings.current_gl import CurrentGL
        from statetracker.gl.current import read_context

        return read_context(CurrentGL(via), cls)

    def _absent(self, call: str, *_: object, **__: object) -> None:
        self.fail(INVALID_OPERATION, call, "the call does not exist in GLES; accepted: a desktop context")

    def call(self, name: str, *args: object) -> object:
        """Make a GL call by name, also by an extension's older one (``glTexImage3DEXT``).

        Args:
            name: Of the GL function.
            *args: The function's arguments, in GL's order.

        Raises:
            UnmodelledCall: This library does not know the call.
        """
        function = self.function(name)
        if function is None:
            raise _unmodelled(name)
        return function(*args)

    def _not_there(self, name: str) -> Never:
        """Say what a context is for where a GL function is none of its methods."""
        if not name.startswith("gl"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        raise _unmodelled(name)

    if not TYPE_CHECKING:  # a checker that saw it would take any attribute
        __getattr__ = _not_there

    def function(self, name: str) -> Callable[..., object] | None:
        """Return the method for a GL function's name; None for one that is not modelled."""
        if not name.startswith("gl"):
            return None
        method = self._method(name) or self._direct(name)
        if method is None and not name.startswith(_DIRECT_ACCESS):
            plain = next((name.removesuffix(suffix) for suffix in _SUFFIXES if name.endswith(suffix)), name)
            method = self._method(plain)
        return method

    def _method(self, name: str) -> Callable[..., object] | None:
        """As ``getattr``, without an error that looks for near names."""
        try:
            return cast("Callable[..., object]", object.__getattribute__(self, name))
        except AttributeError:
            return None

    def _direct(self, name: str) -> Callable[..., object] | None:
        """Return the function of that name, if it is one of these calls."""
        if name in BY_TEXTURE:
            parameter = "Parameter" in name and "Level" not in name
            return self._recorded(name, Context._parameter if parameter else Context._by_texture)
        return self._recorded(name, Context._by_unit) if name in BY_UNIT else None

    def _recorded(self, call: str, method: Callable[..., object]) -> Callable[..., object]:
        return partial(recording(method, call), self, call)

    def _meant(self, texture: int, where: int) -> Texture:
        """Return the texture that a name and a target mean, made if it is new."""
        if texture and where in PROXIES:
            raise Refusal(INVALID_OPERATION, f"target={gl_name(where)} has no names; accepted: texture=0")
        if where in PROXIES and self.limits.desktop and PROXIES[where] in self.availability.targets:
            return self.proxy(where)
        own = int(e.Target.TEXTURE_CUBE_MAP) if where in FACE_TARGETS else where
        self.target_named(own, BIND_TARGETS)
        return self.to_bind(own, texture) if texture else self.default_texture(own)

    def _parameter(self, call: str, texture: int, target: object, pname: object, *value: object) -> object:
        meant = self._meant(texture, glenum(target))
        if meant.target not in PARAMETER_TARGETS and "ParameterI" not in call:
            message = f"target={gl_name(meant.target, e.Target)} has no parameters; accepted: another target"
            raise Refusal(INVALID_OPERATION, message)
        form = call.partition("Parameter")[2].removesuffix("EXT")
        if call.startswith("glGet"):
            return self.ask_parameter(form, meant, pname)
        self.set_parameter(form, meant, pname, *value, by_name=True)
        return None

    def _by_texture(self, call: str, texture: int, target: object, *args: object) -> object:
        where = glenum(target)
        meant = self._meant(texture, where)
        storage = "Storage" in call
        if storage and len(args) > 1:
            self.sized_format(args[1])
            if not (
                meant.label and "Multisample" not in call and meant.target in _HAVE[call]
            ):  # else levels come first
                self.storable(meant)
        if meant.target not in _HAVE.get(call, BIND_TARGETS):
            message = f"target={gl_name(meant.target, e.Target)} has none such"
            raise Refusal(INVALID_OPERATION, f"{message}; accepted: a target of {BY_TEXTURE[call]}")
        function: Callable[..., object] = getattr(self, BY_TEXTURE[call])
        if where in PROXIES:
            return function(target, *args)
        bound = self.unit().textures  # written to behind the unit's back: after the call, it is as before
        before, bound[meant.target] = bound.get(meant.target), meant
        try:
            return function(meant.target if storage else target, *args)  # a cube face stands for its cube
        finally:
            if before is None:
                bound.pop(meant.target, None)
            else:
                bound[meant.target] = before

    def _by_unit(self, call: str, texunit: object, *args: object) -> object:
        if call.startswith("glGetMultiTexParameterI") and args and glenum(args[0]) in PROXIES:
            return self._parameter(call, 0, *args)
        error = INVALID_OPERATION if call.startswith("glGetMultiTexParameter") else INVALID_ENUM
        index = self.unit_named(texunit, error=error)
        active, self.active = self.active, index
        try:
            function: Callable[..., object] = getattr(self, BY_UNIT[call])
            return function(*args)
        finally:
            self.active = active

    def current(self, unit: int, target: int, *, shadow: bool = False) -> Bound:
        """Return what a lookup of a target on a unit samples: texture, sampler, and why if the texture is a fallback.

        Args:
            unit: Number of the texture unit.
            target: A GLenum.
            shadow: As in `Slot`: from Mesa 23.1 on the fallback is a depth texture then.
        """
        place = self.unit(unit)
        texture = self.bound(glenum(target), unit)
        sampler = place.sampler
        why = texture.missing(sampler, self.limits)
        if why:
            texture = self._fallback(texture.target, depth=shadow and self.limits.release.depth_fallback)
        return Bound(texture, sampler if sampler is not None else texture.sampler, why, unit, place.lod_bias)

    def _fallback(self, target: int, *, depth: bool) -> Texture:
        texture = self.fallbacks.get((target, depth))
        if texture is None:
            texture = self.fallbacks[target, depth] = fallback_texture(target, depth=depth)
            if depth:
                texture.depth_mode = self.new_texture(target, by_bind=False).depth_mode
        return texture

    def slots(self, stage: str, program: Program | None = None) -> list[Slot]:
        """Return the slots that a stage uses: of a program (by default the current one), else of fixed function."""
        used = program if program is not None else self.program
        if used is not None:
            return used.slots(stage)
        return self.fixed_function_slots() if stage_named(stage) == "fragment" else []

    def fixed_function_slots(self) -> list[Slot]:
        """Return fixed function's slots: units whose complete texture is read.

        From Mesa 23.2 on the slot has the unit's number; before, slots are packed, usually the last unit first.
        """
        targets: dict[int, int] = {}
        units: list[EnvUnit] = []
        for index in sorted(self.units):
            for target in FIXED_PRIORITY:
                now = self.current(index, target) if target in self.units[index].enabled else None
                if now is not None and not now.incomplete:
                    targets[index] = int(target)
                    units.append(EnvUnit(index, _read_as(now.texture), self.units[index].environment))
                    break
        read = read_units(units)
        if self.limits.release.slots_by_unit:
            return [Slot(unit, unit, targets[unit]) for unit in sorted(read)]
        return [Slot(slot, unit, targets[unit]) for slot, unit in enumerate(read)]


_CALLS: Final = [name for name in dir(Context) if name.startswith("gl")]
_PLAIN: Final = [name for name in _CALLS if _OF_TEXTURES.fullmatch(name)]
#: Calls that name a texture first -> the plain call.
BY_TEXTURE: Final = {
    **{f"{name.replace('Tex', 'Texture')}EXT": name for name in _PLAIN},
    "glGenerateTextureMipmapEXT": "glGenerateMipmap",
}
#: Calls that name a unit first -> the plain call.
BY_UNIT: Final = {
    **{f"{name.replace('Tex', 'MultiTex')}EXT": name for name in _PLAIN if not name.startswith(_NOT_OF_UNITS)},
    "glGenerateMultiTexMipmapEXT": "glGenerateMipmap",
}
#: Calls that in a GLES context do nothing but record INVALID_OPERATION.
DESKTOP_CALLS: Final = (*(name for name in _CALLS if _OF_DESKTOP.fullmatch(name)), *BY_TEXTURE, *BY_UNIT)

#: Calls that refuse other targets with INVALID_OPERATION, where the plain call says INVALID_ENUM -> what they take.
_HAVE: Final = {
    **{f"glTextureStorage{n}DEXT": taking("storage", n) for n in (1, 2, 3)},
    **{f"glTextureStorage{n}DMultisampleEXT": taking("multisample", n) for n in (2, 3)},
    **dict.fromkeys(("glTextureBufferEXT", "glTextureBufferRangeEXT"), frozenset({int(e.Target.TEXTURE_BUFFER)})),
}


def _unmodelled(name: str) -> UnmodelledCall:
    from difflib import get_close_matches

    near = get_close_matches(name, _CALLS, cutoff=0.75)
    hint = (
        "It was not executed: a context keeps what samplers and completeness read, and draws nothing. Leave the call "
        "out; slots(stage) lists what a draw would sample, docs/gl_calls.md the modelled calls."
    )
    if near:
        hint = f"Near are {', '.join(near)}. {hint}"
    return UnmodelledCall("call", name, hint=hint)


def _read_as(texture: Texture) -> str:
    """Return the base format that fixed function sees: a depth texture is what DEPTH_TEXTURE_MODE makes of it."""
    base = texture.facts().base_format
    return e.DepthTextureMode(texture.depth_mode).name if base.startswith("DEPTH") else base
