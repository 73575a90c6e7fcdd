"""`Limits`: all that a GL context knows of the machine it runs on.

The profile, the driver's extensions, maximum sizes, and which release's rules for errors and completeness apply.
`Screen.gl_limits()` makes one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from statetracker.errors import ArgumentError

__all__ = ["PROFILES", "RELEASES", "Limits", "Release"]


class Release(NamedTuple):
    """What changed between Mesa releases in GL's front end. Source: docs/dialects.md (GL front ends).

    reduction_exempt        MIN and MAX reduction excuse integer textures from the integer completeness rule
    border_clamp_extension  sampler objects need ARB_texture_border_clamp for CLAMP_TO_BORDER
    advertised_wraps        sampler objects ask for what this context advertises, not for what the driver could do
    depth_fallback          a shadow sampler that finds an incomplete texture may get a depth texture, not a black one
    slots_by_unit           fixed function binds the sampler of a unit to the slot with the unit's number; before, slots
                            are packed from 0
    bgra_images             desktop contexts have the internal format BGRA, without an extension
    seamless_query_inverted  textures answer CUBE_MAP_SEAMLESS in integers exactly where they do not have it: a defect
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
    """What a context may rely on.

    profile                 one of `PROFILES`
    extensions              GL extension names, with their ``GL_`` prefix
    max_texture_size        texels along an edge
    max_3d_size             texels along an edge of a 3D texture
    max_cube_size           texels along an edge of a cube map
    max_layers              layers of an array texture
    max_samples             samples of a multisample texture
    max_combined_units      MAX_COMBINED_TEXTURE_IMAGE_UNITS
    max_anisotropy          the largest value that MAX_ANISOTROPY is stored with, at least 2
    release                 one of `RELEASES`
    force_integer_nearest   the driver option ForceIntegerTexNearest

    Raises `ArgumentError` for an unknown profile or release.
    """

    __slots__ = (
        "extensions",
        "force_integer_nearest",
        "gles",
        "max_3d_size",
        "max_anisotropy",
        "max_combined_units",
        "max_cube_size",
        "max_layers",
        "max_samples",
        "max_texture_size",
        "profile",
        "release",
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
        """Keep the facts; nothing is looked up later."""
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

    def has(self, *extensions: str) -> bool:
        """Whether any of these extensions is there; names as in GL, with prefix."""
        return not self.extensions.isdisjoint(extensions)

    @property
    def desktop(self) -> bool:
        """Whether this is desktop GL, compatibility or core."""
        return self.gles == 0

    @property
    def compatibility(self) -> bool:
        """Whether this is the compatibility profile."""
        return self.profile == "compatibility"
