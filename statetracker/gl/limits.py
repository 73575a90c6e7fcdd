"""`Limits`: all that a GL context knows of the machine it runs on; `Gate`: in which contexts something exists.

The profile, the driver's extensions, maximum sizes, and which release's rules for errors and completeness apply.
`Screen.gl_limits()` makes one. A gate is data, so that it can answer both "may I" and "what would I need".
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from statetracker.errors import ArgumentError

_NEVER: Final = 99


class Gate(NamedTuple):
    """The contexts that have something.

    Attributes:
        desktop: Extensions of which a desktop context needs one; (): none needed; None: not on desktop GL.
        gles: GLES contexts have it from this version on (30 is 3.0).
        gles_extensions: GLES contexts with one of these have it, too.
        gles_last: The last GLES version that has it.
        compatibility: Of desktop contexts, only the compatibility profile has it.
    """

    desktop: tuple[str, ...] | None = ()
    gles: int = 10
    gles_extensions: tuple[str, ...] = ()
    gles_last: int = _NEVER
    compatibility: bool = False

    def allows(self, limits: Limits) -> bool:
        """Return whether a context with these limits has it."""
        if limits.desktop:
            profile = limits.compatibility or not self.compatibility
            return profile and self.desktop is not None and (not self.desktop or limits.has(*self.desktop))
        return self.gles <= limits.gles <= self.gles_last or limits.has(*self.gles_extensions)

    def driver_has(self, limits: Limits) -> bool:
        """Return whether the driver has one of the extensions that desktop contexts need, in any kind of context."""
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


class Release(NamedTuple):
    """A Mesa release, by what changed in GL's front end. Source: docs/dialects.md (GL front ends).

    Attributes:
        reduction_exempt: MIN and MAX reduction excuse integer textures from the integer completeness rule.
        border_clamp_extension: Sampler objects need ARB_texture_border_clamp for CLAMP_TO_BORDER.
        advertised_wraps: Sampler objects ask for what this context advertises, not for what the driver could do.
        depth_fallback: A shadow sampler that finds an incomplete texture may get a depth texture, not a black one.
        slots_by_unit: Fixed function binds the sampler of a unit to the slot with the unit's number; before, slots are
            packed from 0.
        bgra_images: Desktop contexts have the internal format BGRA, without an extension.
        seamless_query_inverted: Textures answer CUBE_MAP_SEAMLESS in integers exactly where they do not have it: a
            defect.
    """

    name: str
    reduction_exempt: bool
    border_clamp_extension: bool
    advertised_wraps: bool
    depth_fallback: bool
    slots_by_unit: bool
    bgra_images: bool
    seamless_query_inverted: bool


# fmt: off
RELEASES: Final = {
    #                      reduction_  border_clamp_  advertised_  depth_     slots_    bgra_   seamless_query_
    #                 name    exempt     extension      wraps      fallback   by_unit   images  inverted
    "21.0": Release("21.0",  False,     True,          False,      False,     False,    False,   False),
    "21.2": Release("21.2",  True,      True,          False,      False,     False,    False,   False),
    "22.3": Release("22.3",  True,      False,         False,      False,     False,    False,   False),
    "23.1": Release("23.1",  True,      False,         False,      True,      False,    False,   False),
    "23.2": Release("23.2",  True,      False,         False,      True,      True,     False,   False),
    "24.1": Release("24.1",  True,      False,         True,       True,      True,     False,   True),
    "25.0": Release("25.0",  True,      False,         True,       True,      True,     True,    False),
}
# fmt: on

#: Profiles, with the GLES version each stands for (0 for desktop GL).
PROFILES: Final = {
    "compatibility": 0,
    "core": 0,
    "gles1": 10,
    "gles2": 20,
    "gles3": 30,
    "gles31": 31,
    "gles32": 32,
}


class Limits:
    """A context's limits, profile and extensions.

    Args:
        profile: One of `PROFILES`.
        extensions: GL extension names, with their ``GL_`` prefix.
        max_texture_size: Texels along an edge.
        max_3d_size: Texels along an edge of a 3D texture.
        max_cube_size: Texels along an edge of a cube map.
        max_layers: Layers of an array texture.
        max_samples: Samples of a multisample texture.
        max_combined_units: MAX_COMBINED_TEXTURE_IMAGE_UNITS.
        max_anisotropy: The largest value that MAX_ANISOTROPY is stored with, at least 2.
        release: One of `RELEASES`.
        force_integer_nearest: The driver option ForceIntegerTexNearest.

    Raises:
        ArgumentError: An unknown profile or release.
    """

    __slots__ = (
        *("extensions", "force_integer_nearest", "gles", "profile", "release"),
        *("max_3d_size", "max_anisotropy", "max_combined_units", "max_cube_size", "max_layers", "max_samples"),
        "max_texture_size",
    )

    def __init__(
        self,
        *,
        profile: str = "compatibility",
        extensions: frozenset[str] = frozenset(),
        max_texture_size: int = 16384,
        max_3d_size: int = 2048,
        max_cube_size: int = 16384,
        max_layers: int = 2048,
        max_samples: int = 64,
        max_combined_units: int = 192,
        max_anisotropy: float = 16.0,
        release: str = "22.3",
        force_integer_nearest: bool = False,
    ) -> None:
        if profile not in PROFILES:
            raise ArgumentError("profile", profile, accepted=", ".join(PROFILES))
        if release not in RELEASES:
            raise ArgumentError("release", release, accepted=", ".join(RELEASES))
        self.profile = profile
        self.gles = PROFILES[profile]
        self.extensions = frozenset(extensions)
        self.max_texture_size = max_texture_size
        self.max_3d_size = max_3d_size
        self.max_cube_size = max_cube_size
        self.max_layers = max_layers
        self.max_samples = max_samples
        self.max_combined_units = max_combined_units
        self.max_anisotropy = max(2.0, max_anisotropy)
        self.release = RELEASES[release]
        self.force_integer_nearest = force_integer_nearest

    def of_profile(self, profile: str, extensions: frozenset[str]) -> Limits:
        """Return the limits of a context of another profile, with its extensions, on the same machine."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__ if name != "gles"}
        kept.update(profile=profile, extensions=extensions, release=self.release.name)
        return Limits(**kept)

    def has(self, *extensions: str) -> bool:
        """Return whether any of these extensions is there; names as in GL, with prefix."""
        return not self.extensions.isdisjoint(extensions)

    @property
    def desktop(self) -> bool:
        """True where this is desktop GL, compatibility or core."""
        return self.gles == 0

    @property
    def compatibility(self) -> bool:
        """True where this is the compatibility profile."""
        return self.profile == "compatibility"
