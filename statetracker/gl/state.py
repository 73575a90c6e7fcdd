"""`ContextState`: what every part of a GL context shares: its objects, its units, and how errors are recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.errors import GLError
from statetracker.events import emit
from statetracker.gl import enums as e
from statetracker.gl.combiner import TEXTURE0
from statetracker.gl.limits import Limits
from statetracker.gl.names import gl_name, glenum
from statetracker.gl.object_names import FROZEN, NameTable, listed
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, availability_of
from statetracker.gl.setters import Process
from statetracker.gl.targets import FACE_TARGETS, PROXIES, TARGETS
from statetracker.gl.texture import Texture, own_sampler
from statetracker.gl.units import Unit

if TYPE_CHECKING:
    from statetracker.gl.program import Program
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.setters import Refusal
    from statetracker.gl.units import Saved

NO_ERROR: Final = "GL_NO_ERROR"

Name: TypeAlias = int

#: Targets that textures are bound to, and those whose textures can be set by name.
BIND_TARGETS: Final = frozenset(TARGETS)
NAMED_TARGETS: Final = frozenset(target for target, rule in TARGETS.items() if rule.named)

SEAMLESS: Final = int(e.EnableCap.TEXTURE_CUBE_MAP_SEAMLESS)


class ContextState:
    """The state of a context, and how it reports errors. Calls are in the classes built on it.

    limits     what the context may rely on; None: a desktop compatibility context with no extension
    strict     raise `GLError` instead of recording; the call has then done nothing, unless GL lets it go on
               (glBindSamplers, TEXTURE_SWIZZLE_RGBA)
    process    what several contexts of one process share; None: this one has a process to itself

    What the methods that are no GL functions are given alike:

    call       the GL function that asks, by name: the error names it
    argument   its argument that is read, likewise
    value      what it was given there: an enum in any spelling, or a number
    allowed    the targets that it takes, GLenum numbers
    """

    def __init__(self, limits: Limits | None = None, *, strict: bool = False, process: Process | None = None) -> None:
        self.limits = limits if limits is not None else Limits()
        self.strict = strict
        self.process = process if process is not None else Process()
        self.availability = availability_of(self.limits)
        self.error = NO_ERROR
        self.messages: list[GLError] = []
        self.textures: NameTable[Texture | None] = NameTable()
        self.samplers: NameTable[Sampler] = NameTable()
        self.programs: dict[Name, Program] = {}
        self.defaults: dict[int, Texture] = {}
        self.proxies: dict[int, Texture] = {}
        self.fallbacks: dict[tuple[int, bool], Texture] = {}
        self.units: dict[int, Unit] = {}
        self.active = 0
        self.enabled: set[int] = {SEAMLESS} if self.limits.gles >= 20 else set()
        self.program: Program | None = None
        self.attributes: list[Saved] = []
        self.derived: dict[object, Any] = {}  # kept for later questions by other modules
        self.handles: dict[int, tuple[Texture, Sampler | None]] = {}
        self.last_handle = 0

    @property
    def seamless(self) -> bool:
        """Whether TEXTURE_CUBE_MAP_SEAMLESS is on: off at first in desktop GL, on in GLES 2 and later."""
        return SEAMLESS in self.enabled

    def fail(self, error: str, call: str, message: str) -> None:
        """Record a GL error: the first one stays until `glGetError` takes it. Raises `GLError` in strict mode.

        error     its name, with ``GL_``
        message   what was given and what is accepted, in words
        """
        problem = GLError(error, call, message)
        emit("gl", "error", error=error, call=call, message=message)
        if self.strict:
            raise problem
        self.messages.append(problem)
        if self.error == NO_ERROR:
            self.error = error

    def refuse(self, refusal: Refusal | None, call: str) -> None:
        """Record a setter's refusal, if there is one."""
        if refusal is not None:
            self.fail(refusal.error, call, refusal.message)

    def glGetError(self) -> str:
        """Take the recorded error, by name, and clear it."""
        error, self.error = self.error, NO_ERROR
        return error

    def drop_handles(self, owner: Texture | Sampler) -> None:
        """Forget the bindless handles of an object that is deleted; their other halves may change again.

        owner   a texture or a sampler object, as itself
        """
        for handle, (texture, sampler) in list(self.handles.items()):
            if texture is owner or sampler is owner:
                del self.handles[handle]
                texture.handles -= 1
                if sampler is not None:
                    sampler.handles -= 1

    def unit(self, index: int | None = None) -> Unit:
        """The unit with that index, by default the active one."""
        index = self.active if index is None else index
        unit = self.units.get(index)
        if unit is None:
            unit = self.units[index] = Unit()
        return unit

    def default_texture(self, target: int) -> Texture:
        """The texture named 0 of a target, shared by all units."""
        texture = self.defaults.get(target)
        if texture is None:
            texture = self.defaults[target] = self.new_texture(target, by_bind=False)
        return texture

    def proxy(self, target: int) -> Texture:
        """The texture that keeps what a proxy target answers."""
        texture = self.proxies.get(target)
        if texture is None:
            texture = self.proxies[target] = self.new_texture(PROXIES[target], by_bind=False)
        return texture

    def new_texture(self, target: int, *, by_bind: bool) -> Texture:
        """Make a texture object as GL does when its target becomes known.

        by_bind   by its first bind; else it is made with the target: then multisample textures start with other filters
        """
        mode = "red" if self.limits.profile == "core" else "luminance"
        return Texture(target, sampler=own_sampler(target, by_bind=by_bind), depth_mode=mode)

    def become(self, name: int, target: int, *, by_bind: bool) -> Texture:
        """Make the texture object of a name, when its target becomes known; arguments as for `new_texture`."""
        texture = self.textures[name] = self.new_texture(target, by_bind=by_bind)
        texture.label = name
        return texture

    def bound(self, target: int, unit: int | None = None) -> Texture:
        """The texture bound to a unit (by default the active one) for a target."""
        texture = self.unit(unit).textures.get(target)
        return texture if texture is not None else self.default_texture(target)

    def named(self, name: int, call: str, targets: frozenset[int] = NAMED_TARGETS) -> Texture | None:
        """The texture of that name for a call that works by name, or the error and None.

        targets   those that textures of the call may have, GLenum numbers
        """
        texture = self.textures.get(name)
        if texture is None:
            self.fail(INVALID_OPERATION, call, self._no_texture(f"texture={name}"))
        elif texture.target not in targets:
            words = ", ".join(gl_name(t, e.Target) for t in sorted(targets))
            message = (
                f"texture={name} is a {gl_name(texture.target, e.Target)}; accepted: a texture that is one of {words}"
            )
            self.fail(INVALID_OPERATION, call, message)
        else:
            return texture
        return None

    def changeable(self, texture: Texture, call: str) -> bool:
        """Whether a texture may change, or record that a bindless handle forbids it."""
        if texture.handles:
            self.fail(INVALID_OPERATION, call, f"texture={texture.label or 0} {FROZEN}")
        return not texture.handles

    def _no_texture(self, given: str) -> str:
        """Say that there is no such texture; ``given`` is the argument with its name."""
        return f"{given} is no texture object; accepted: {listed(self.textures)}"

    def _no_sampler(self, given: str) -> str:
        """Say that there is no such sampler object, likewise."""
        return f"{given} is no sampler object; accepted: {listed(self.samplers)}"

    def target_named(self, value: object, call: str, allowed: frozenset[int]) -> int | None:
        """Read a target, or record the error and give None."""
        target = glenum(value)
        if target in allowed and (target in self.availability.targets or target in FACE_TARGETS):
            return target
        accepted = sorted(allowed & (self.availability.targets | FACE_TARGETS))
        words = ", ".join(gl_name(t, e.Target) for t in accepted) or "none in this context"
        self.fail(INVALID_ENUM, call, f"target={gl_name(target)} is not accepted here; accepted: {words}")
        return None

    def _bound_to(self, value: object, call: str, allowed: frozenset[int], unit: int | None = None) -> Texture | None:
        """The texture that is bound to a target, likewise."""
        target = self.target_named(value, call, allowed)
        return None if target is None else self.bound(target, unit)

    def unit_named(self, value: object, call: str, argument: str, error: str = INVALID_ENUM) -> int | None:
        """Read a unit, as TEXTURE0 + n or as n itself, or record the error and give None.

        error   the name of the error for a unit that there is not
        """
        given = glenum(value)
        index = given - TEXTURE0 if given >= TEXTURE0 else given
        last = self.limits.max_combined_units - 1
        if 0 <= index <= last:
            return index
        self.fail(error, call, f"{argument}={gl_name(given)} is no texture unit; accepted: TEXTURE0 to TEXTURE{last}")
        return None

    def has_fixed_function(self, call: str, *, gles1: bool = False) -> bool:
        """Whether a fixed-function call exists in this context, or record the error.

        gles1   it exists in GLES 1 too
        """
        if self.limits.compatibility or (gles1 and 0 < self.limits.gles < 20):
            return True
        profile = self.limits.profile
        message = f"the call does not exist in a context with profile={profile}; accepted: compatibility"
        self.fail(INVALID_OPERATION, call, message)
        return False
