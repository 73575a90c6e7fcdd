"""`ContextState`: what every part of a GL context shares: its objects, its units, and how errors are recorded."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import GLError
from statetracker.events import emit
from statetracker.gl import enums as e
from statetracker.gl.limits import Limits
from statetracker.gl.names import gl_name, glenum, listing
from statetracker.gl.object_names import FROZEN, NameTable, listed
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE, Refusal, availability_of
from statetracker.gl.setters import Process
from statetracker.gl.targets import FACE_TARGETS, PROXIES, TARGETS
from statetracker.gl.texture import Texture, own_sampler
from statetracker.gl.units import TEXTURE0, Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.gl.program import Program
    from statetracker.gl.sampler import Sampler

NO_ERROR: Final = "GL_NO_ERROR"

#: Targets that textures are bound to, and those whose textures can be set by name.
BIND_TARGETS: Final = frozenset(TARGETS)
NAMED_TARGETS: Final = frozenset(target for target, rule in TARGETS.items() if rule.named)

SEAMLESS: Final = int(e.TextureParameter.CUBE_MAP_SEAMLESS)

#: Newest messages that a context keeps at least; twice as many at most.
MOST_KEPT: Final = 1000

#: What makes the answer of a refused call; that of all others is None.
_ANSWERS: Final[dict[str, Callable[[], object]]] = {
    **dict.fromkeys(("glGenTextures", "glCreateTextures", "glGenSamplers", "glCreateSamplers"), list),
    **dict.fromkeys(("glIsEnabled", "glIsEnabledi", "glIsEnabledIndexed"), bool),
    **dict.fromkeys(("glGetTextureHandleARB", "glGetTextureSamplerHandleARB"), int),
    "glGetUniformLocation": lambda: -1,
}


def recording(function: Callable[..., object], call: str) -> Callable[..., object]:
    """Make a method that records the error that another one, the GL function ``call``, is refused with."""

    @wraps(function)
    def made(*args: Any, **keywords: object) -> object:  # noqa: ANN401 (the context is the first)
        try:
            return function(*args, **keywords)
        except Refusal as refusal:
            error, message = refusal.error, refusal.message
        args[0].fail(error, call, message)
        return _ANSWERS[call]() if call in _ANSWERS else None

    return made


class ContextState:
    """The state of a context, and how it reports errors. Calls are in the classes built on it.

    A GL function, and what it calls, raises `Refusal` for a GL error; the context records it in that function's name.
    Its other methods share these arguments:

    * ``call``: the GL function, by name
    * ``pname``, ``target``: a GLenum in any spelling
    * ``argument``, ``value``: the argument that is read, by name, and what was given there, in any spelling
    * ``allowed``: the targets that the call takes, GLenum numbers

    Args:
        limits: What the context may rely on; None: a desktop compatibility context with no extension.
        strict: Raise `GLError` instead of recording; the call has then done nothing, unless GL lets it go on
            (glBindSamplers, TEXTURE_SWIZZLE_RGBA).
        process: What several contexts of one process share; None: this one has a process to itself.
    """

    def __init_subclass__(cls) -> None:
        for name, function in list(vars(cls).items()):
            if name.startswith("gl"):
                setattr(cls, name, recording(function, name))

    def __init__(self, limits: Limits | None = None, *, strict: bool = False, process: Process | None = None) -> None:
        self.limits = limits if limits is not None else Limits()
        self.strict = strict
        self.process = process if process is not None else Process()
        self.availability = availability_of(self.limits)
        self.error = NO_ERROR
        self.messages: list[GLError] = []
        self.textures: NameTable[Texture | None] = NameTable()
        self.samplers: NameTable[Sampler] = NameTable()
        self.programs: dict[int, Program] = {}
        self.defaults: dict[int, Texture] = {}
        self.proxies: dict[int, Texture] = {}
        self.fallbacks: dict[tuple[int, bool], Texture] = {}
        self.units: dict[int, Unit] = {}
        self.active = 0
        self.enabled: set[int] = {SEAMLESS} if self.limits.gles >= 20 else set()
        self.program: Program | None = None
        self.attributes: list[Any] = []  # what glPushAttrib saved
        self.derived: dict[object, Any] = {}  # kept for later questions by other modules
        self.handles: dict[int, tuple[Texture, Sampler | None]] = {}
        self.handles_of: dict[object, dict[Any, int]] = {}  # a texture, or sampler -> the other half, or None -> handle
        self.last_handle = 0

    @property
    def seamless(self) -> bool:
        """True where TEXTURE_CUBE_MAP_SEAMLESS is on: off at first in desktop GL, on in GLES 2 and later."""
        return SEAMLESS in self.enabled

    def fail(self, error: str, call: str, message: str) -> None:
        """Record a GL error: the first one stays until `glGetError` takes it. Raises `GLError` in strict mode.

        ``error`` is its name, with ``GL_``; ``message`` says what was given and what is accepted.
        """
        problem = GLError(error, call, message)
        emit("gl", "error", error=error, call=call, message=message)
        if self.strict:
            raise problem
        self.messages.append(problem)
        if len(self.messages) > 2 * MOST_KEPT:
            del self.messages[:-MOST_KEPT]
        if self.error == NO_ERROR:
            self.error = error

    def glGetError(self) -> str:
        """Take the recorded error, by name, and clear it."""
        error, self.error = self.error, NO_ERROR
        return error

    def unit(self, index: int | None = None) -> Unit:
        """Return the unit with that index, by default the active one."""
        index = self.active if index is None else index
        unit = self.units.get(index)
        if unit is None:
            unit = self.units[index] = Unit()
        return unit

    def default_texture(self, target: int) -> Texture:
        """Return the texture named 0 of a target, shared by all units."""
        texture = self.defaults.get(target)
        if texture is None:
            texture = self.defaults[target] = self.new_texture(target, by_bind=False)
        return texture

    def proxy(self, target: int) -> Texture:
        """Return the texture that keeps what a proxy target answers."""
        texture = self.proxies.get(target)
        if texture is None:
            texture = self.proxies[target] = self.new_texture(PROXIES[target], by_bind=False)
        return texture

    def new_texture(self, target: int, *, by_bind: bool) -> Texture:
        """Make a texture object as GL does when its target becomes known.

        ``by_bind`` means by its first bind; else it is made with the target, and then multisample textures start with
        other filters.
        """
        mode = "red" if self.limits.profile == "core" else "luminance"
        return Texture(target, sampler=own_sampler(target, by_bind=by_bind), depth_mode=mode)

    def become(self, name: int, target: int, *, by_bind: bool) -> Texture:
        """Make the texture object of a name, when its target becomes known; arguments as for `new_texture`."""
        texture = self.textures[name] = self.new_texture(target, by_bind=by_bind)
        texture.label = name
        return texture

    def bound(self, target: int, unit: int | None = None) -> Texture:
        """Return the texture bound to a unit (by default the active one) for a target."""
        texture = self.unit(unit).textures.get(target)
        return texture if texture is not None else self.default_texture(target)

    def named(
        self,
        name: int,
        allowed: frozenset[int] = NAMED_TARGETS,
        argument: str = "texture",
        error: str = INVALID_OPERATION,
    ) -> Texture:
        """Return the texture of that name for a call that works by name; ``error``: where there is none."""
        texture = self.textures.get(name)
        if texture is None:
            raise Refusal(error, self._no_texture(f"{argument}={name}"))
        if texture.target not in allowed:
            what = f"is a {gl_name(texture.target, e.Target)}; accepted: a texture that is one of"
            raise Refusal(INVALID_OPERATION, f"texture={name} {what} {listing(allowed, e.Target)}")
        return texture

    def changeable(self, texture: Texture) -> Texture:
        """Return the texture itself, unless a bindless handle forbids its change."""
        if texture.handles:
            raise Refusal(INVALID_OPERATION, f"texture={texture.label or 0} {FROZEN}")
        return texture

    def _no_texture(self, given: str) -> str:
        """Say that there is no such texture; ``given`` is the argument with its name."""
        return f"{given} is no texture object; accepted: {listed(self.textures)}"

    def sampler_named(self, name: int, argument: str = "sampler", error: str = INVALID_OPERATION) -> Sampler:
        """Return the sampler object of that name.

        ``error`` is the name of the error where there is none.
        """
        sampler = self.samplers.get(name)
        if sampler is None:
            raise Refusal(error, f"{argument}={name} is no sampler object; accepted: {listed(self.samplers)}")
        return sampler

    def target_named(self, value: object, allowed: frozenset[int]) -> int:
        """Read a target."""
        target = glenum(value)
        if target in allowed and (target in self.availability.targets or target in FACE_TARGETS):
            return target
        words = listing(allowed & (self.availability.targets | FACE_TARGETS), e.Target) or "none in this context"
        raise Refusal(INVALID_ENUM, f"target={gl_name(target)} is not accepted here; accepted: {words}")

    def bound_to(self, value: object, allowed: frozenset[int], unit: int | None = None) -> Texture:
        """Return the texture that is bound to a target, on a unit or the active one."""
        return self.bound(self.target_named(value, allowed), unit)

    def unit_named(self, value: object, argument: str = "texunit", error: str = INVALID_ENUM) -> int:
        """Read a unit, as TEXTURE0 + n or as n itself.

        ``error`` is the name of the error for a unit that there is not.
        """
        given = glenum(value)
        index = given - TEXTURE0 if given >= TEXTURE0 else given
        last = self.limits.max_combined_units - 1
        if 0 <= index <= last:
            return index
        raise Refusal(error, f"{argument}={gl_name(given)} is no texture unit; accepted: TEXTURE0 to TEXTURE{last}")

    def unit_numbered(self, unit: int, argument: str = "unit") -> int:
        """Read a unit that is a number alone."""
        last = self.limits.max_combined_units - 1
        if 0 <= unit <= last:
            return unit
        raise Refusal(INVALID_VALUE, f"{argument}={unit} is no texture unit; accepted: 0 to {last}")

    def needs_fixed_function(self, *, gles1: bool = False) -> None:
        """Refuse a call of fixed function where the context has none; ``gles1``: it exists in GLES 1 too."""
        if not (self.limits.compatibility or (gles1 and 0 < self.limits.gles < 20)):
            profile = self.limits.profile
            raise Refusal(
                INVALID_OPERATION,
                f"the call does not exist in a context with profile={profile}; accepted: compatibility",
            )
