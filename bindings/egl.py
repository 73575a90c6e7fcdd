"""A GL context without a window: EGL on Mesa's surfaceless platform.

One process has one driver: that which its environment chooses when the library is first opened (``GALLIUM_DRIVER``,
``MESA_LOADER_DRIVER_OVERRIDE``). Source: EGL 1.5; EGL_MESA_platform_surfaceless; EGL_KHR_no_config_context;
EGL_KHR_surfaceless_context.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from statetracker.bindings.gl import GL
from statetracker.bindings.libraries import Availability, Closing, Library, new_ffi, probe
from statetracker.errors import ArgumentError, CallFailed, NoDevice

LIBRARY: Final = Library("EGL", ("libEGL.so.1", "libEGL.so"), "STATETRACKER_EGL_LIB", "libegl1", "eglGetProcAddress")

PLATFORM_SURFACELESS_MESA: Final = 0x31DD
NONE: Final = 0x3038
_NO_API: Final = "Try without `version`, or with a smaller one; `compatibility` needs Mesa or another full driver"

#: API of a context -> (EGL's API, profile bits of EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_RENDERABLE_TYPE bits).
APIS: Final[dict[str, tuple[int, int | None, int]]] = {
    "compatibility": (0x30A2, 0x2, 0x8),
    "core": (0x30A2, 0x1, 0x8),
    "es2": (0x30A0, None, 0x4),
    "es3": (0x30A0, None, 0x40),
}
_VERSIONS: Final = {"compatibility": None, "core": (3, 3), "es2": (2, 0), "es3": (3, 0)}

#: eglGetError() -> name. Source: EGL 1.5, 3.1.
ERRORS: Final = dict(
    enumerate(
        (
            *("EGL_SUCCESS", "EGL_NOT_INITIALIZED", "EGL_BAD_ACCESS", "EGL_BAD_ALLOC", "EGL_BAD_ATTRIBUTE"),
            *("EGL_BAD_CONFIG", "EGL_BAD_CONTEXT", "EGL_BAD_CURRENT_SURFACE", "EGL_BAD_DISPLAY", "EGL_BAD_MATCH"),
            *("EGL_BAD_NATIVE_PIXMAP", "EGL_BAD_NATIVE_WINDOW", "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE"),
            "EGL_CONTEXT_LOST",
        ),
        start=0x3000,
    )
)


class _Egl:
    """The opened library and its one initialised display."""

    def __init__(self) -> None:
        self.ffi = new_ffi("a GL context")
        self.ffi.cdef((Path(__file__).parent / "egl.cdef").read_text(encoding="ascii"))
        self.lib: Any = LIBRARY.open(self.ffi)
        address = self.lib.eglGetProcAddress(b"eglGetPlatformDisplayEXT")
        if not address:
            raise NoDevice("EGL", "it knows no platforms (EGL_EXT_platform_base)", hint="Install Mesa: libegl-mesa0")
        platform_display = self.ffi.cast("eglGetPlatformDisplayEXT_t *", address)
        self.display = platform_display(PLATFORM_SURFACELESS_MESA, self.ffi.NULL, self.ffi.NULL)
        if not self.display:
            hint = "Install Mesa: apt-get install libegl-mesa0 libgl1-mesa-dri"
            raise NoDevice("EGL", f"it has no surfaceless platform ({self.error()})", hint=hint)
        if not self.lib.eglInitialize(self.display, self.ffi.NULL, self.ffi.NULL):
            hint = "Install Mesa's drivers: apt-get install libgl1-mesa-dri; or unset GALLIUM_DRIVER"
            raise NoDevice("EGL", f"eglInitialize answered {self.error()}: no driver", hint=hint)

    def error(self) -> str:
        code = self.lib.eglGetError()
        return ERRORS.get(code, f"{code:#06x}")

    def check(self, call: str, answer: object) -> object:
        if not answer:
            raise CallFailed("EGL", call, self.error(), hint="See EGL's manual page of this call")
        return answer

    def config(self, renderable: int) -> object:
        """Find a configuration for the API; the context needs no EGL surface."""
        configs, count = self.ffi.new("EGLConfig *"), self.ffi.new("EGLint *")
        wanted = self.ffi.new("EGLint[]", [0x3033, 0, 0x3040, renderable, NONE])  # any surface type, this API
        self.check("eglChooseConfig", self.lib.eglChooseConfig(self.display, wanted, configs, 1, count))
        return configs[0] if count[0] else self.ffi.NULL  # EGL_KHR_no_config_context


@cache
def _egl() -> _Egl:
    return _Egl()


def available() -> Availability:
    """Return whether this machine can make a GL context without a window; the reason where not."""
    return probe(_egl)


class Context(Closing):
    """One GL context, current in the thread that made it.

    ``gl`` makes the calls. Close it, or use it in a ``with`` block.

    Args:
        api: ``compatibility`` (default), ``core``, ``es2`` or ``es3``.
        version: (major, minor) at least; None takes the driver's best for the API.
        debug: Make a debug context.

    Raises:
        LibraryMissing: There is no EGL or GL.
        WrongLibrary: What was found is another library.
        NoDevice: No display or context would do.
    """

    def __init__(
        self, api: str = "compatibility", version: tuple[int, int] | None = None, *, debug: bool = False
    ) -> None:
        if api not in APIS:
            raise ArgumentError("api", api, accepted=", ".join(APIS))
        self._egl = egl = _egl()
        number, profile, renderable = APIS[api]
        egl.check("eglBindAPI", egl.lib.eglBindAPI(number))
        self._handle = egl.lib.eglCreateContext(
            egl.display,
            egl.config(renderable),
            egl.ffi.NULL,
            egl.ffi.new("EGLint[]", _attributes(profile, version or _VERSIONS[api], debug=debug)),
        )
        if not self._handle:
            wanted = f"{api} context" if version is None else f"{api} context of version {version[0]}.{version[1]}"
            raise NoDevice("EGL", f"no {wanted} ({egl.error()})", value=version, hint=_NO_API)
        self.make_current()
        self.gl = GL(egl.ffi, egl.lib.eglGetProcAddress)

    def make_current(self) -> None:
        """Make it the thread's current context; raises `CallFailed`."""
        null = self._egl.ffi.NULL
        answer = self._egl.lib.eglMakeCurrent(self._egl.display, null, null, self._handle)
        self._egl.check("eglMakeCurrent", answer)

    def close(self) -> None:
        """Destroy the context; closing again does nothing. Another context that is current stays so."""
        if self._handle:
            null = self._egl.ffi.NULL
            if self._egl.lib.eglGetCurrentContext() == self._handle:
                self._egl.lib.eglMakeCurrent(self._egl.display, null, null, null)
            self._egl.lib.eglDestroyContext(self._egl.display, self._handle)
            self._handle = None


def _attributes(profile: int | None, version: tuple[int, int] | None, *, debug: bool) -> list[int]:
    attributes = []
    if version is not None:
        attributes += [0x3098, version[0], 0x30FB, version[1]]  # EGL_CONTEXT_MAJOR_VERSION, MINOR_VERSION
        if profile is not None and version >= (3, 2):
            attributes += [0x30FD, profile]
    if debug:
        attributes += [0x31B0, 1]  # EGL_CONTEXT_OPENGL_DEBUG
    return [*attributes, NONE]
