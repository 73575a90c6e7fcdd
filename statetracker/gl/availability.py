"""`Gate`: in which contexts something exists: a parameter, a texture target.

A gate is data, so that it can answer both "may I" and "what would I need".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from statetracker.gl.limits import Limits

__all__ = [
    "ALWAYS",
    "ANISOTROPIC",
    "COMPATIBILITY",
    "DESKTOP",
    "GLES_1_TOO",
    "MINMAX",
    "MODERN",
    "NOT_GLES_1",
    "SEAMLESS",
    "SHADOW",
    "SRGB_DECODE",
    "STENCIL_TEXTURING",
    "SWIZZLE",
    "Gate",
]

_NEVER: Final = 99


class Gate(NamedTuple):
    """When a context has something.

    desktop          extensions of which a desktop context needs one; (): none needed; None: not on desktop GL
    gles             GLES contexts have it from this version on (30 is 3.0) ...
    gles_extensions  ... or with one of these extensions
    gles_last        the last GLES version that has it
    compatibility    of desktop contexts, only the compatibility profile has it
    """

    desktop: tuple[str, ...] | None = ()
    gles: int = 10
    gles_extensions: tuple[str, ...] = ()
    gles_last: int = _NEVER
    compatibility: bool = False

    def allows(self, limits: Limits) -> bool:
        """Whether a context with these limits has it."""
        if limits.desktop:
            profile = limits.compatibility or not self.compatibility
            return profile and self.desktop is not None and (not self.desktop or limits.has(*self.desktop))
        return self.gles <= limits.gles <= self.gles_last or limits.has(*self.gles_extensions)

    def driver_has(self, limits: Limits) -> bool:
        """Whether the driver has one of the extensions that desktop contexts need, in whichever kind of context."""
        return self.desktop is not None and limits.has(*self.desktop)

    def needs(self) -> str:
        """Say what a context needs to have it."""
        if self.desktop and self.desktop == self.gles_extensions:
            return " or ".join(self.desktop)
        parts = []
        if self.desktop is not None:
            name = "the compatibility profile" if self.compatibility else "desktop GL"
            parts.append(f"{name} with {' or '.join(self.desktop)}" if self.desktop else name)
        if self.gles_last != _NEVER:
            parts.append(f"GLES up to {_version(self.gles_last)}")
        elif self.gles != _NEVER:
            parts.append(f"GLES {_version(self.gles)} or later")
        if self.gles_extensions:
            parts.append(f"GLES with {' or '.join(self.gles_extensions)}")
        return ", or ".join(parts)


def _version(number: int) -> str:
    return f"{number // 10}.{number % 10}"


def _with(*extensions: str) -> Gate:
    return Gate(extensions, _NEVER, extensions)


ALWAYS: Final = Gate()
MODERN: Final = Gate(gles=30)
DESKTOP: Final = Gate(gles=_NEVER)
NOT_GLES_1: Final = Gate(gles=20)
COMPATIBILITY: Final = Gate(gles=_NEVER, compatibility=True)
GLES_1_TOO: Final = Gate(gles_last=11, compatibility=True)
SHADOW: Final = Gate(("GL_ARB_shadow",), 30)
ANISOTROPIC: Final = _with("GL_EXT_texture_filter_anisotropic", "GL_ARB_texture_filter_anisotropic")
SEAMLESS: Final = Gate(("GL_AMD_seamless_cubemap_per_texture", "GL_ARB_seamless_cubemap_per_texture"), _NEVER)
SRGB_DECODE: Final = _with("GL_EXT_texture_sRGB_decode")
MINMAX: Final = _with("GL_EXT_texture_filter_minmax", "GL_ARB_texture_filter_minmax")
STENCIL_TEXTURING: Final = Gate(("GL_ARB_stencil_texturing",), 31)
SWIZZLE: Final = Gate(("GL_EXT_texture_swizzle", "GL_ARB_texture_swizzle"), 30)
