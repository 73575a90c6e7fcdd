"""GL's getters in the context that is current in this thread, also one of another library, through ctypes alone.

The functions come from whichever of EGL and GLX has a current context, both as this process has loaded them already;
elsewhere from a loader that the caller gives. Source: EGL 1.5, 3.10 and 3.7; GLX 1.4, 3.3; GL_ARB_get_proc_address.
"""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError, NoDevice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Library names -> what asks for the current context, and for a function by name.
_LIBRARIES: Final = (
    (("libEGL.so.1", "libEGL.so"), "eglGetCurrentContext", "eglGetProcAddress"),
    (("libGLX.so.0", "libGL.so.1", "libGL.so"), "glXGetCurrentContext", "glXGetProcAddressARB"),
)
_KINDS: Final[dict[str, Any]] = {"i": ctypes.c_int32, "u": ctypes.c_uint32, "f": ctypes.c_float}
_ACCEPTED: Final = "a function of GL's name that gives its address, a moderngl.Context, PyOpenGL's OpenGL.GL, or None"
_HINT: Final = "Make a context current in this thread; or give what loads its functions: from_current(load)"


def loader_of(via: Any) -> Callable[[str], int]:
    """Return what finds GL's functions, by name, as addresses; 0 where there is none.

    Args:
        via: None: EGL or GLX, as loaded; a function that does it (glfw.get_proc_address); a moderngl.Context, whose own
            context is current then; PyOpenGL's module.

    Raises:
        NoDevice: No context is current.
        ArgumentError: ``via`` is none of these.
    """
    if via is not None and hasattr(via, "mglo") and hasattr(via, "version_code"):
        via.__enter__()  # makes it current
        via = None
    if via is None:
        return _loaded()
    if getattr(via, "__name__", "").startswith("OpenGL"):
        platform = __import__("OpenGL.platform").platform.PLATFORM
        return lambda name: _number(platform.getExtensionProcedure(name.encode()))
    if not callable(via):
        raise ArgumentError("via", via, accepted=_ACCEPTED)
    return lambda name: _number(via(name))


def _number(address: Any) -> int:
    if address is None or isinstance(address, int):
        return address or 0
    return ctypes.cast(address, ctypes.c_void_p).value or 0


def _loaded() -> Callable[[str], int]:
    tried = []
    for names, current, address in _LIBRARIES:
        for name in names:
            try:
                library = ctypes.CDLL(name, mode=getattr(os, "RTLD_NOLOAD", 0) | getattr(os, "RTLD_LAZY", 0))
                asked, resolve = getattr(library, current), getattr(library, address)
            except (OSError, AttributeError):
                continue
            asked.restype = resolve.restype = ctypes.c_void_p
            resolve.argtypes = (ctypes.c_char_p,)
            if asked():
                return lambda name, resolve=resolve: resolve(name.encode()) or 0  # type: ignore[misc]
            tried.append(f"{name} has none")
    raise NoDevice(
        "GL", f"no context is current in this thread ({', '.join(tried) or 'no library is loaded'})", hint=_HINT
    )


class CurrentGL:
    """GL's getters and setters of the current context. None of them checks for GL errors."""

    def __init__(self, via: Any = None) -> None:
        self._address = loader_of(via)
        self._functions: dict[tuple[str, int], Any] = {}

    def _function(self, name: str, numbers: int, result: Any, *rest: Any) -> Any:
        function = self._functions.get((name, numbers))
        if function is None:
            address = self._address(name)
            if not address:
                raise NoDevice("GL", f"this driver has no {name}", value=name, hint=_HINT)
            kind = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)
            function = kind(result, *[ctypes.c_uint32] * numbers, *rest)(address)
            self._functions[name, numbers] = function
        return function

    def read(self, name: str, *numbers: int, count: int = 1, kind: str = "i") -> tuple[Any, ...]:
        """Call a getter that writes behind its last parameter.

        ``kind`` is what it writes: ``i`` signed, ``u`` unsigned, ``f`` floats.
        """
        room = (_KINDS[kind] * max(count, 4))()
        self._function(name, len(numbers), None, ctypes.c_void_p)(*numbers, ctypes.addressof(room))
        return tuple(room[:count])

    def write(self, name: str, *numbers: int, values: Sequence[float], kind: str = "i") -> None:
        """Call a function that reads an array behind its last parameter; ``kind`` is as in `read`."""
        array = (_KINDS[kind] * len(values))(*values)
        self._function(name, len(numbers), None, ctypes.c_void_p)(*numbers, ctypes.addressof(array))

    def call(self, name: str, *numbers: int) -> int:
        """Call a function of integers, and give the integer that it gives; its low byte is what a GLboolean is."""
        return int(self._function(name, len(numbers), ctypes.c_uint32)(*numbers))

    def text(self, name: str, *numbers: int) -> str:
        """Call glGetString or glGetStringi; empty where GL gives none."""
        value = self._function(name, len(numbers), ctypes.c_char_p)(*numbers)
        return (value or b"").decode("ascii", "replace")
