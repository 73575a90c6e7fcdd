"""The GL context that a call of a stream goes to, its profile, and what limits the screen gives it there.

GLX, EGL and WGL calls make, bind and destroy contexts. A request for GLES 2.0 or later gets the newest GLES that the
driver has, and its extensions by the names of GLES. Source: docs/streams.md (GLX_ARB_create_context_profile, EGL 1.5;
queried of Mesa 22.3.6, llvmpipe).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.gl import Limits
    from statetracker.replay.session import Session
    from statetracker.sampler import Converter
    from statetracker.trace.apitrace import DumpCall

#: Names of calls of GLX, EGL, WGL and CGL.
WINDOW: Final = re.compile(r"(?:glX|egl|wgl|CGL)[A-Z]\w*")
_DESTROYING: Final = ("glXDestroyContext", "eglDestroyContext", "wglDeleteContext", "CGLDestroyContext")
#: By its name, and by its number, which is in EGL's registry and not in GL's.
_EGL_ES_API: Final = ("EGL_OPENGL_ES_API", 0x30A0)
#: What a call that failed answers.
_FAILED: Final = (False, 0, "EGL_FALSE")
#: The functions' names for the same argument.
_HANDLE: Final = ("ctx", "hglrc")
_SHARE: Final = ("share_context", "shareList", "share_list", "hShareContext")
_ATTRIBUTES: Final = ("attrib_list", "attribList")

#: What names of attributes and of bits begin and end with, in GLX, WGL and EGL.
_AROUND: Final = re.compile(r"(?:GLX|WGL|EGL)_CONTEXT_|_(?:ARB|EXT)\b")
#: The first version that has profiles: below it the mask does not count, from it on core is the default.
_PROFILES_FROM: Final = (3, 2)

#: The version that Mesa makes of GLES 2.0 and later.
_NEWEST: Final = "gles32"

# fmt: off
#: Profile -> a desktop extension that a driver needs, "" for none -> the extensions of GLES that it then has. Those are
#: here that decide something. The getter of TEXTURE_CUBE_MAP_SEAMLESS, and sampler objects for their mirrors, ask for
#: the desktop's own.
GLES_EXTENSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "gles1": {
        "":                                    "OES_EGL_image_external OES_texture_cube_map",
        "EXT_texture_filter_anisotropic":      "EXT_texture_filter_anisotropic",
    },
    _NEWEST: {
        "":                                    "OES_EGL_image_external OES_EGL_image_external_essl3 OES_texture_3D "
                                               "EXT_texture_buffer OES_texture_buffer",
        "ARB_seamless_cubemap_per_texture":    "ARB_seamless_cubemap_per_texture",
        "ARB_texture_border_clamp":            "EXT_texture_border_clamp OES_texture_border_clamp",
        "ARB_texture_cube_map_array":          "EXT_texture_cube_map_array OES_texture_cube_map_array",
        "ARB_texture_float":                   "OES_texture_float OES_texture_float_linear "
                                               "OES_texture_half_float OES_texture_half_float_linear",
        "ARB_texture_mirror_clamp_to_edge":    "ARB_texture_mirror_clamp_to_edge EXT_texture_mirror_clamp_to_edge",
        "ARB_texture_multisample":             "OES_texture_storage_multisample_2d_array",
        "ATI_texture_mirror_once":             "ATI_texture_mirror_once",
        "EXT_texture_filter_anisotropic":      "EXT_texture_filter_anisotropic",
        "EXT_texture_filter_minmax":           "EXT_texture_filter_minmax",
        "EXT_texture_mirror_clamp":            "EXT_texture_mirror_clamp",
        "EXT_texture_sRGB_decode":             "EXT_texture_sRGB_decode",
    },
}
# fmt: on


class Contexts:
    """The contexts of a stream by their handles, and which one is current on which thread.

    Calls before any context was made current go to one without a handle. ``sessions`` has all, in the order in which
    they were made, also those that have ended.

    Args:
        make: Profile, session to share objects with or None -> the session of a new context.
        profile: Of the context without a handle, and of contexts whose creation the stream does not show.
    """

    def __init__(self, make: Callable[[str, Session | None], Session], profile: str = "") -> None:
        self.sessions: list[Session] = []
        self._make = make
        self._profile = profile
        self._made: dict[object, Session] = {}
        self._current: dict[int | None, object] = {}
        self._doomed: set[object] = set()
        #: Thread -> the API that its eglBindAPI chose; a thread without one has GLES (EGL 1.5, 3.7).
        self._apis: dict[int | None, object] = {}

    def current(self, thread: int | None) -> Session:
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
            if result not in _FAILED:
                self._bind(call, _first(args, _HANDLE))
        elif name in _DESTROYING:
            handle = _first(args, _HANDLE)
            if handle in self._current.values():
                self._doomed.add(handle)
            elif handle in self._made:
                self._end(call, handle)
        elif name == "eglBindAPI" and result not in _FAILED:
            self._apis[call.thread] = args.get("api")

    def _create(self, call: DumpCall) -> None:
        shared = next((call.args[name] for name in _SHARE if call.args.get(name)), None)
        gles = call.name.startswith("egl") and self._apis.get(call.thread, _EGL_ES_API[0]) in _EGL_ES_API
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


def limits_of(converter: Converter, profile: str) -> Limits:
    """Return the limits of a context of that profile ("": the screen's own) on the converter's screen."""
    limits = converter.screen.gl_limits(release=converter.dialect.gl_release)
    if not profile or profile == limits.profile:
        return limits
    if profile.startswith("gles") and profile != "gles1":
        profile = _NEWEST
    rows, given = GLES_EXTENSIONS.get(profile), limits.extensions
    if rows is not None and limits.desktop:
        there = (names for needs, names in rows.items() if not needs or f"GL_{needs}" in given)
        given = frozenset(f"GL_{name}" for names in there for name in names.split())
    return limits.of_profile(profile, given)


def profile_of(attributes: object, *, gles: bool = False) -> str:
    """Return the profile that a list of context attributes requests, as `gl.Limits` names it.

    They are names and numbers in turn, as a dump shows them. ``gles``: the API is OpenGL ES whatever they say.
    """
    given: dict[str, object] = {}
    if isinstance(attributes, tuple):
        items: Sequence[object] = attributes
        pairs = zip(items[::2], items[1::2], strict=False)
        given = {_AROUND.sub("", str(key)): value for key, value in pairs if key != 0}
    mask = given.get("PROFILE_MASK", given.get("OPENGL_PROFILE_MASK"))
    version = _whole(given.get("MAJOR_VERSION", given.get("CLIENT_VERSION")), 1), _whole(given.get("MINOR_VERSION"), 0)
    bits = {_AROUND.sub("", part.strip()) for part in str(mask).split("|")}
    if gles or bits & {"ES_PROFILE_BIT", "ES2_PROFILE_BIT"}:
        return {1: "gles1", 2: "gles2"}.get(version[0], {1: "gles31", 2: "gles32"}.get(version[1], "gles3"))
    if version < _PROFILES_FROM:
        return "compatibility"
    return "core" if mask is None or any("CORE" in bit for bit in bits) or mask == 1 else "compatibility"


def _whole(value: object, default: int) -> int:
    return value if isinstance(value, int) else default
