"""What a context of a stream may rely on: the screen's limits, under the profile that was asked for.

Mesa gives the newest GLES that the driver has to whoever asks for version 2.0 or later, and names extensions otherwise
than in desktop GL. Source: docs/streams.md (asked of Mesa 22.3.6, llvmpipe).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.sampler import Converter

__all__ = ["GLES_EXTENSIONS", "limits_of"]

#: The version that Mesa makes of GLES 2.0 and later.
_NEWEST: Final = "gles32"

# fmt: off
#: Extensions of GLES that decide something here -> the desktop extension that a driver needs; "": none.
GLES_EXTENSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "gles1": {
        "GL_EXT_texture_filter_anisotropic":           "GL_EXT_texture_filter_anisotropic",
        "GL_OES_EGL_image_external":                   "",
        "GL_OES_texture_cube_map":                     "",
    },
    _NEWEST: {
        "GL_EXT_texture_border_clamp":                 "GL_ARB_texture_border_clamp",
        "GL_EXT_texture_buffer":                       "",
        "GL_EXT_texture_cube_map_array":               "GL_ARB_texture_cube_map_array",
        "GL_EXT_texture_filter_anisotropic":           "GL_EXT_texture_filter_anisotropic",
        "GL_EXT_texture_filter_minmax":                "GL_EXT_texture_filter_minmax",
        "GL_EXT_texture_mirror_clamp_to_edge":         "GL_ARB_texture_mirror_clamp_to_edge",
        "GL_EXT_texture_sRGB_decode":                  "GL_EXT_texture_sRGB_decode",
        "GL_OES_EGL_image_external":                   "",
        "GL_OES_EGL_image_external_essl3":             "",
        "GL_OES_texture_3D":                           "",
        "GL_OES_texture_border_clamp":                 "GL_ARB_texture_border_clamp",
        "GL_OES_texture_buffer":                       "",
        "GL_OES_texture_cube_map_array":               "GL_ARB_texture_cube_map_array",
        "GL_OES_texture_float":                        "GL_ARB_texture_float",
        "GL_OES_texture_float_linear":                 "GL_ARB_texture_float",
        "GL_OES_texture_half_float":                   "GL_ARB_texture_float",
        "GL_OES_texture_half_float_linear":            "GL_ARB_texture_float",
        "GL_OES_texture_storage_multisample_2d_array": "GL_ARB_texture_multisample",
    },
}
# fmt: on


def limits_of(converter: Converter, profile: str) -> Limits:
    """The limits of a context of that profile ("": the screen's own) on the converter's screen."""
    limits = converter.screen.gl_limits(release=converter.dialect.gl_release)
    if not profile or profile == limits.profile:
        return limits
    if profile.startswith("gles") and profile != "gles1":
        profile = _NEWEST
    names = GLES_EXTENSIONS.get(profile)
    given = limits.extensions
    if names is not None and limits.desktop:
        given = frozenset(name for name, needs in names.items() if not needs or needs in given)
    return Limits(
        profile=profile,
        extensions=given,
        max_texture_size=limits.max_texture_size,
        max_combined_units=limits.max_combined_units,
        max_anisotropy=limits.max_anisotropy,
        release=limits.release.name,
        force_integer_nearest=limits.force_integer_nearest,
    )
