"""The two sides of the comparison: a sequence of GL calls in a new context of the machine's Mesa, and in one of ours.

A call is a tuple: the name, then the arguments as GL has them; enums are GL names without ``GL_``, None is NULL, a
tuple is an array. What a call did is a `Done`: its error, and what it gave or wrote.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from statetracker.bindings import egl
from statetracker.caps import Screen
from statetracker.errors import StateTrackerError
from statetracker.gl import Context
from statetracker.gl.names import number
from statetracker.replay.profiles import limits_of
from statetracker.sampler import converter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.bindings.gl import GL
    from statetracker.gl import Limits

__all__ = ["PROFILES", "Call", "Done", "limits", "on_mesa", "on_ours"]

#: A name, then arguments.
Call: TypeAlias = tuple[Any, ...]

#: Profile here -> (API, version) of an EGL context.
PROFILES: Final = {"compatibility": ("compatibility", None), "core": ("core", (4, 5)), "gles32": ("es3", (3, 2))}

OK: Final = "GL_NO_ERROR"
#: Calls that make names: their count stands before the place of the names.
_MAKE: Final = {"glGenTextures": 0, "glGenSamplers": 0, "glCreateSamplers": 0, "glCreateTextures": 1}
_MOST_VALUES: Final = 4


class Done(NamedTuple):
    """What a call did: ``value`` is None after an error and where a call gives nothing."""

    error: str
    value: object = None


@cache
def limits(profile: str) -> Limits:
    """The limits of our context of a profile."""
    known = limits_of(converter(Screen.named("llvmpipe"), "mesa22"), profile)
    known.max_samples = 4  # what llvmpipe renders to; no cap says it
    return known


def _plain(value: Any) -> Any:
    return number(f"GL_{value}") if isinstance(value, str) else value


def _repr(value: Any) -> Any:
    """Floats as text, so that NaN equals NaN and -0.0 is not 0.0."""
    return [repr(v) if isinstance(v, float) else v for v in value] if isinstance(value, list | tuple) else value


def _draw_to_fixed_point(gl: GL) -> None:
    """Give a new context a target of 4 x 4 texels: some getters of compatibility contexts depend on its kind."""
    (framebuffer,), (target,) = gl.names("glGenFramebuffers"), gl.names("glGenRenderbuffers")
    gl.call("glBindRenderbuffer", 0x8D41, target)
    gl.call("glRenderbufferStorage", 0x8D41, 0x8058, 4, 4)
    gl.call("glBindFramebuffer", 0x8D40, framebuffer)
    gl.call("glFramebufferRenderbuffer", 0x8D40, 0x8CE0, 0x8D41, target)
    gl.call("glClear", 0x4000)  # from now on GL knows its kind


def on_mesa(profile: str, calls: Sequence[Call]) -> list[Done]:
    """Make the calls in a new context of this process's driver."""
    api, version = PROFILES[profile]
    with egl.Context(api, version) as context:
        gl = context.gl
        _draw_to_fixed_point(gl)
        done = []
        for name, *given in calls:
            arguments = [_plain(value) for value in given]
            value: Any = None
            if name in _MAKE:
                count = arguments[_MAKE[name]]
                room = gl.array("GLuint", max(count, 1))
                gl.call(name, *arguments, room)
                value = list(room)[: max(count, 0)]
            elif name.startswith("glGet"):
                value = gl.read(name, *arguments, count=_MOST_VALUES)
            else:
                value = gl.call(name, *arguments)
            error = gl.error()
            done.append(Done(error, _repr(value) if error == OK else None))
        return done


def on_ours(profile: str, calls: Sequence[Call]) -> list[Done]:
    """Make the calls in a new context of ours."""
    gl = Context(limits(profile))
    done = []
    for name, *arguments in calls:
        value: Any
        try:
            value = gl.call(name, *(f"GL_{value}" if isinstance(value, str) else value for value in arguments))
        except StateTrackerError as error:
            done.append(Done(f"{type(error).__name__}: {error}"))
            continue
        error = gl.glGetError()
        if isinstance(value, bool):
            value = int(value)
        done.append(Done(error, _repr(value) if error == OK else None))
    return done
