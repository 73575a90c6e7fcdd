"""The two sides of the comparison: a sequence of GL calls in a new context of the machine's Mesa, and in one of ours.

A call is a tuple: the name, then the arguments as GL has them; enums are GL names without ``GL_``, None is NULL, a
tuple is an array. What a call did is a `Done`: its error, and what it gave or wrote.
"""

from __future__ import annotations

from functools import cache
from struct import unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from statetracker.bindings import egl
from statetracker.caps import Screen
from statetracker.conformance.worker import draw_to_fixed_point
from statetracker.errors import StateTrackerError
from statetracker.gl import Context
from statetracker.gl.names import glenum
from statetracker.replay.contexts import limits_of
from statetracker.sampler import converter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statetracker.bindings.gl import GL
    from statetracker.gl import Limits

__all__ = ["BINDINGS", "OK", "PROFILES", "Call", "Done", "Ours", "limits", "on_context", "on_mesa"]

#: A name, then arguments.
Call: TypeAlias = tuple[Any, ...]

#: Profile here -> (API, version) of an EGL context.
PROFILES: Final = {"compatibility": ("compatibility", None), "core": ("core", (4, 5)), "gles32": ("es3", (3, 2))}

#: Target -> the question for what is bound to it.
BINDINGS: Final = {
    f"TEXTURE_{kind}": f"TEXTURE_BINDING_{kind}"
    for kind in (
        *("1D", "2D", "3D", "RECTANGLE", "CUBE_MAP", "1D_ARRAY", "2D_ARRAY", "BUFFER", "CUBE_MAP_ARRAY"),
        *("2D_MULTISAMPLE", "2D_MULTISAMPLE_ARRAY"),
    )
}
_BOUND: Final = {question: target for target, question in BINDINGS.items()}

OK: Final = "GL_NO_ERROR"
#: Calls that make names: where their count stands.
_MAKE: Final = {"glGenTextures": 0, "glGenSamplers": 0, "glCreateSamplers": 0, "glCreateTextures": 1}
_MOST_VALUES: Final = 4


class Done(NamedTuple):
    """The outcome of a call: ``value`` is None after an error and where a call gives nothing."""

    error: str
    value: object = None


def _plain(value: Any) -> Any:  # noqa: ANN401 (of any kind)
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value)
    return glenum(f"GL_{value}") if isinstance(value, str) else value


def _comparable(value: Any) -> Any:  # noqa: ANN401 (of any kind)
    """Floats as text, so that NaN equals NaN and -0.0 is not 0.0; an array as a tuple."""
    if isinstance(value, list | tuple):
        return tuple(repr(part) if isinstance(part, float) else part for part in value)
    return int(value) if isinstance(value, bool) else value


def on_mesa(profile: str, calls: Iterable[Call]) -> list[Done]:
    """Make calls in a new context of this process's driver."""
    api, version = PROFILES[profile]
    with egl.Context(api, version) as context:
        draw_to_fixed_point(context.gl)
        return on_context(context.gl, calls)


def on_context(gl: GL, calls: Iterable[Call]) -> list[Done]:
    """Make calls in a context that is there."""
    return [_on_mesa(gl, name, _plain(tuple(arguments))) for name, *arguments in calls]


def _on_mesa(gl: GL, name: str, arguments: Sequence[Any]) -> Done:
    value: Any
    if name in _MAKE:
        count = max(arguments[_MAKE[name]], 0)
        room = bytearray(4 * (count + 1))
        gl.call(name, *arguments, room)
        value = unpack(f"={count}I", room[: 4 * count])
    elif name.startswith("glGet"):
        value = gl.read(name, *arguments, count=_MOST_VALUES)
    else:
        value = gl.call(name, *arguments)
    if name == "glGetIntegerv":
        value = [value[0] & 0xFFFFFFFF]
    error = gl.error()
    return Done(error, _comparable(value) if error == OK else None)


@cache
def limits(profile: str) -> Limits:
    """Return the limits of our context of a profile."""
    known = limits_of(converter(Screen.named("llvmpipe"), "mesa22"), profile)
    known.max_samples = 4  # what llvmpipe renders to; no cap says it
    return known


class Ours:
    """A new context of ours."""

    def __init__(self, profile: str) -> None:
        self.gl = Context(limits(profile))

    def make(self, calls: Iterable[Call]) -> list[Done]:
        """Make calls, one after another."""
        return [self._make(name, arguments) for name, *arguments in calls]

    def _make(self, name: str, arguments: Sequence[Any]) -> Done:
        if name == "glGetIntegerv":
            return Done(OK, (self._integer(arguments[0]),))
        try:
            value = self.gl.call(name, *map(_plain, arguments))
        except StateTrackerError as problem:
            return Done(f"{type(problem).__name__}: {problem}")
        error = self.gl.glGetError()
        return Done(error, _comparable(value) if error == OK else None)

    def _integer(self, question: str) -> int:
        unit = self.gl.unit()
        if question == "ACTIVE_TEXTURE":
            return 0x84C0 + self.gl.active
        bound = unit.sampler if question == "SAMPLER_BINDING" else unit.textures.get(glenum(f"GL_{_BOUND[question]}"))
        return (bound.label or 0) if bound is not None else 0
