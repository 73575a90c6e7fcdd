"""Which GL context a call of a stream means: contexts are made, made current and destroyed by GLX, EGL and WGL calls.

Source: docs/streams.md (GLX_ARB_create_context_profile, EGL 1.5).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from statetracker.frontend.stream import StreamCall

__all__ = ["Contexts", "is_window_call", "profile_of"]

_WINDOW: Final = re.compile(r"(?:glX|egl|wgl|CGL)[A-Z]\w*")
_ES_BITS: Final = (
    "GLX_CONTEXT_ES_PROFILE_BIT_EXT",
    "GLX_CONTEXT_ES2_PROFILE_BIT_EXT",
    "WGL_CONTEXT_ES_PROFILE_BIT_EXT",
)
_MAJOR: Final = (
    "GLX_CONTEXT_MAJOR_VERSION_ARB",
    "WGL_CONTEXT_MAJOR_VERSION_ARB",
    "EGL_CONTEXT_MAJOR_VERSION",
    "EGL_CONTEXT_CLIENT_VERSION",
)
_MINOR: Final = ("GLX_CONTEXT_MINOR_VERSION_ARB", "WGL_CONTEXT_MINOR_VERSION_ARB", "EGL_CONTEXT_MINOR_VERSION")
_MASK: Final = (
    "GLX_CONTEXT_PROFILE_MASK_ARB",
    "WGL_CONTEXT_PROFILE_MASK_ARB",
    "EGL_CONTEXT_OPENGL_PROFILE_MASK",
)
_EGL_ES_API: Final = ("EGL_OPENGL_ES_API", 0x30A0)
#: The first version that has profiles: below it the mask is not looked at, from it on core is what one gets unasked.
_PROFILES_FROM: Final = (3, 2)

S = TypeVar("S")


def is_window_call(name: str) -> bool:
    """Whether a call belongs to the window system's side."""
    return _WINDOW.fullmatch(name) is not None


def profile_of(attributes: object, *, gles: bool = False) -> str:
    """The profile that a list of context attributes asks for, as `gl.Limits` names it.

    attributes   names and numbers in turn, ended by 0, as a dump shows them
    gles         the API is OpenGL ES whatever the attributes say
    """
    given: dict[str, object] = {}
    if isinstance(attributes, tuple):
        items: Sequence[object] = attributes
        given = {str(key): value for key, value in zip(items[::2], items[1::2], strict=False) if key != 0}
    mask = next((given[key] for key in _MASK if key in given), None)
    version = (_first(given, _MAJOR, 1), _first(given, _MINOR, 0))
    words = {part.strip() for part in str(mask).split("|")}
    if gles or words & set(_ES_BITS):
        return {1: "gles1", 2: "gles2"}.get(version[0], {1: "gles31", 2: "gles32"}.get(version[1], "gles3"))
    if version < _PROFILES_FROM:
        return "compatibility"
    return "core" if mask is None or any("CORE" in word for word in words) or mask == 1 else "compatibility"


def _first(given: dict[str, object], keys: Sequence[str], default: int) -> int:
    found = next((given[key] for key in keys if key in given), default)
    return found if isinstance(found, int) else default


class Contexts(Generic[S]):
    """The contexts of a stream by their handles, and which one is current on which thread.

    Calls before any context was made current go to one without a handle.
    """

    def __init__(
        self,
        make: Callable[[str, S | None], S],
        end: Callable[[S], None],
        leave: Callable[[S], None],
        profile: str = "",
    ) -> None:
        """Start without contexts.

        make      a session of a profile, sharing objects with another
        end       called for a session whose context is gone
        leave     called for one that stops to be current on a thread
        profile   of the context without a handle, and of contexts whose making was not seen
        """
        self._make = make
        self._end = end
        self._leave = leave
        self._profile = profile
        self._made: dict[object, S] = {}
        self._current: dict[int | None, object] = {}
        self._doomed: set[object] = set()
        self._all: list[S] = []
        self._over: set[int] = set()
        self._gles = False
        self._thread: int | None = None

    def sessions(self, *, ended: bool = False) -> Iterator[S]:
        """Every session in the order in which they were made; with ``ended``, also those that are over."""
        return (session for session in self._all if ended or id(session) not in self._over)

    def current(self, thread: int | None) -> S:
        """The session that a thread's calls mean."""
        handle = self._current.get(thread)
        found = self._made.get(handle)
        return found if found is not None else self._new(handle, self._profile, None)

    def _new(self, handle: object, profile: str, share: S | None) -> S:
        made = self._made[handle] = self._make(profile, share)
        self._all.append(made)
        return made

    def take(self, call: StreamCall) -> None:
        """Follow a call of GLX, EGL or WGL; those that make no context current or gone change nothing."""
        name, args, result = call.name, call.args, call.result
        if "Create" in name and "Context" in name and result:
            self._create(name, args, result)
        elif "MakeCurrent" in name or "MakeContextCurrent" in name:
            if result not in (False, 0):
                self._bind(call.thread, next((args[k] for k in ("ctx", "hglrc") if k in args), None))
        elif name in ("glXDestroyContext", "eglDestroyContext", "wglDeleteContext", "CGLDestroyContext"):
            self._destroy(next((args[k] for k in ("ctx", "hglrc") if k in args), None))
        elif name == "eglBindAPI":
            self._gles = args.get("api") in _EGL_ES_API

    def _create(self, name: str, args: dict[str, Any], handle: object) -> None:
        shared = next(
            (args[k] for k in ("share_context", "shareList", "share_list", "hShareContext") if args.get(k)), None
        )
        attributes = next((args[k] for k in ("attrib_list", "attribList") if k in args), None)
        profile = profile_of(attributes, gles=self._gles and name.startswith("egl"))
        if handle in self._made:
            self._finish(handle)
        self._new(handle, profile, self._made.get(shared))

    def _bind(self, thread: int | None, handle: object) -> None:
        before = self._current.pop(thread, None)
        if before != handle and before in self._made:
            self._leave(self._made[before])
        if handle:
            self._current[thread] = handle
        if before is not None and before in self._doomed and before not in self._current.values():
            self._finish(before)

    def _destroy(self, handle: object) -> None:
        if handle in self._current.values():
            self._doomed.add(handle)
        elif handle in self._made:
            self._finish(handle)

    def _finish(self, handle: object) -> None:
        session = self._made.pop(handle)
        self._doomed.discard(handle)
        self._over.add(id(session))
        self._end(session)
