"""What every part of a GL context shares: its objects, its units, its error, its words for what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import GLError
from statetracker.gl import enums as e
from statetracker.gl.floats import f32
from statetracker.gl.limits import Limits
from statetracker.gl.names import gl_name, number
from statetracker.gl.sampler import Sampler
from statetracker.gl.setters import Gates, Process, Refusal
from statetracker.gl.texture import Texture, own_sampler
from statetracker.gl.tokens import next_token

if TYPE_CHECKING:
    from statetracker.gl.program import Program

__all__ = ["ContextState", "Unit"]

NO_ERROR: Final = "GL_NO_ERROR"
INVALID_ENUM: Final = "GL_INVALID_ENUM"
INVALID_VALUE: Final = "GL_INVALID_VALUE"
INVALID_OPERATION: Final = "GL_INVALID_OPERATION"

Name = int


class Unit:
    """One texture unit: a texture per target, a sampler object, the LOD bias, the fixed-function enables.

    ``lod_bias`` is what the application set, as float32; ``token`` changes with the bias.
    """

    __slots__ = ("enabled", "lod_bias", "sampler", "textures", "token")

    def __init__(self) -> None:
        """Start with nothing bound (the default textures) and no bias."""
        self.textures: dict[int, Texture] = {}
        self.sampler: Sampler | None = None
        self.lod_bias = 0.0
        self.enabled: set[int] = set()
        self.token = next_token()

    def set_lod_bias(self, bias: float) -> None:
        """Keep a bias; an equal one changes nothing (NaN never equals)."""
        bias = f32(float(bias))
        if bias != self.lod_bias:
            self.lod_bias = bias
            self.token = next_token()


class ContextState:
    """The state of a context, and how it reports errors. Calls are in the classes built on it."""

    def __init__(self, limits: Limits | None = None, *, strict: bool = False, process: Process | None = None) -> None:
        """Start as a new GL context does.

        limits    what the context may rely on; None: a desktop compatibility context with no extension
        strict    raise `GLError` instead of recording
        process   what several contexts of one process share
        """
        self.limits = limits if limits is not None else Limits()
        self.strict = strict
        self.process = process if process is not None else Process()
        self.gates = Gates(self.limits)
        self.error = NO_ERROR
        self.messages: list[GLError] = []
        self.textures: dict[Name, Texture | None] = {}
        self.samplers: dict[Name, Sampler] = {}
        self.programs: dict[Name, Program] = {}
        self.defaults: dict[int, Texture] = {}
        self.units: dict[int, Unit] = {}
        self.active = 0
        self.seamless = self.limits.gles >= 20  # noqa: PLR2004 (GLES 2)
        self.enabled: set[int] = set()
        self.program: Program | None = None
        self.attributes: list[dict[str, object]] = []
        self.handles: dict[int, tuple[Texture, Sampler | None]] = {}

    def fail(self, error: str, call: str, message: str) -> None:
        """Record a GL error: the first one stays until `glGetError` takes it. Raises in strict mode."""
        problem = GLError(error, call, message)
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

    def unit(self, index: int | None = None) -> Unit:
        """The unit with that index, by default the active one."""
        index = self.active if index is None else index
        found = self.units.get(index)
        if found is None:
            found = self.units[index] = Unit()
        return found

    def default_texture(self, target: int) -> Texture:
        """The texture named 0 of a target, shared by all units."""
        found = self.defaults.get(target)
        if found is None:
            found = self.defaults[target] = self.new_texture(target, by_bind=False)
        return found

    def new_texture(self, target: int, *, by_bind: bool) -> Texture:
        """Make a texture object as GL does when its target becomes known."""
        mode = "red" if self.limits.profile == "core" else "luminance"
        return Texture(target, sampler=own_sampler(target, by_bind=by_bind), depth_mode=mode)

    def bound(self, target: int, unit: int | None = None) -> Texture:
        """The texture bound to a unit (by default the active one) for a target."""
        found = self.unit(unit).textures.get(target)
        return found if found is not None else self.default_texture(target)

    def target_named(self, value: object, call: str, allowed: frozenset[int], kind: str) -> int | None:
        """Read a target, or record the error and give None."""
        target = number(value)
        if target in allowed:
            return target
        words = ", ".join(sorted(gl_name(t, e.Target) for t in allowed))
        self.fail(INVALID_ENUM, call, f"target={gl_name(target)} is not {kind}; accepted: {words}")
        return None
