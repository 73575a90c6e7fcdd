"""The GL context that a call of a stream goes to: GLX, EGL and WGL calls make, bind and destroy contexts.

Source: docs/streams.md (GLX_ARB_create_context_profile, EGL 1.5).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from statetracker.replay.profiles import profile_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.replay.session import Session
    from statetracker.trace.apitrace import DumpCall

_WINDOW: Final = re.compile(r"(?:glX|egl|wgl|CGL)[A-Z]\w*")
_DESTROYING: Final = ("glXDestroyContext", "eglDestroyContext", "wglDeleteContext", "CGLDestroyContext")
#: By its name, and by its number, which is in EGL's registry and not in GL's.
_EGL_ES_API: Final = ("EGL_OPENGL_ES_API", 0x30A0)
#: The functions' names for the same argument.
_HANDLE: Final = ("ctx", "hglrc")
_SHARE: Final = ("share_context", "shareList", "share_list", "hShareContext")
_ATTRIBUTES: Final = ("attrib_list", "attribList")


def is_window_call(name: str) -> bool:
    """Whether a call is one of GLX, EGL, WGL or CGL."""
    return _WINDOW.fullmatch(name) is not None


class Contexts:
    """The contexts of a stream by their handles, and which one is current on which thread.

    make      profile, session to share objects with or None -> the session of a new context
    profile   of the context without a handle, and of contexts whose creation the stream does not show

    Calls before any context was made current go to one without a handle. ``sessions`` has all, in the order in which
    they were made, also those that have ended.
    """

    def __init__(self, make: Callable[[str, Session | None], Session], profile: str = "") -> None:
        self.sessions: list[Session] = []
        self._make = make
        self._profile = profile
        self._made: dict[object, Session] = {}
        self._current: dict[int | None, object] = {}
        self._doomed: set[object] = set()
        self._gles = False

    def current(self, thread: int | None) -> Session:
        """The session that a thread's calls go to."""
        handle = self._current.get(thread)
        session = self._made.get(handle)
        return session if session is not None else self._new(handle, self._profile, None)

    def _new(self, handle: object, profile: str, share: Session | None) -> Session:
        made = self._made[handle] = self._make(profile, share)
        self.sessions.append(made)
        return made

    def take(self, call: DumpCall) -> None:
        """Follow a call of GLX, EGL or WGL; those that create, destroy or make current no context change nothing."""
        name, args, result = call.name, call.args, call.result
        if "Create" in name and "Context" in name and result:
            self._create(call)
        elif "MakeCurrent" in name or "MakeContextCurrent" in name:
            if result not in (False, 0):
                self._bind(call, _first(args, _HANDLE))
        elif name in _DESTROYING:
            handle = _first(args, _HANDLE)
            if handle in self._current.values():
                self._doomed.add(handle)
            elif handle in self._made:
                self._end(call, handle)
        elif name == "eglBindAPI":
            self._gles = args.get("api") in _EGL_ES_API

    def _create(self, call: DumpCall) -> None:
        shared = next((call.args[name] for name in _SHARE if call.args.get(name)), None)
        gles = self._gles and call.name.startswith("egl")
        profile = profile_of(_first(call.args, _ATTRIBUTES), gles=gles)
        if call.result in self._made:
            self._end(call, call.result)
        self._new(call.result, profile, self._made.get(shared))

    def _bind(self, call: DumpCall, handle: object) -> None:
        before = self._current.pop(call.thread, None)
        if before != handle and before in self._made:
            self._made[before].draws.flush()
        if handle:
            self._current[call.thread] = handle
        if before is not None and before in self._doomed and before not in self._current.values():
            self._end(call, before)

    def _end(self, call: DumpCall, handle: object) -> None:
        self._doomed.discard(handle)
        self._made.pop(handle).end(call.number)


def _first(args: Mapping[str, Any], names: Sequence[str]) -> Any:  # noqa: ANN401 (as the stream has it)
    return next((args[name] for name in names if name in args), None)
