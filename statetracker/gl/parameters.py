"""Every sampler and texture parameter: what it is, what it accepts, who may set it, and which error a bad call gets.

One row a parameter name. The setters, the getters, the error messages and docs/parameters.md all read this table;
`statetracker.gl.setters` applies it. Source: docs/parameters.md (recorded live on Mesa 22.3.6, with the GL 4.6
specification, sections 8.2 and 8.10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import enums as e

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import IntEnum

    from statetracker.gl.limits import Limits

__all__ = ["PARAMETERS", "WRAP_GATES", "Parameter", "WrapGate"]

INVALID_ENUM: Final = "GL_INVALID_ENUM"
INVALID_VALUE: Final = "GL_INVALID_VALUE"


class Parameter(NamedTuple):
    """One parameter name.

    pname           its number
    field           where the value is stored: an attribute of `Sampler`, or of `Texture`
    kind            how values are read: enum, float, anisotropy, bool, border, level, swizzle, swizzles
    family          the enum of accepted values, for enums and swizzles
    on_sampler      whether sampler objects have it
    sampler_gate    whether a context has it for sampler objects
    texture_gate    whether a context has it for textures
    silent          on sampler objects, whether a call without the extension is ignored instead of refused
    sampler_error   the error of a bad value set on a sampler object
    texture_error   the error of a bad value set on a texture
    compares_first  on textures, whether an equal value is accepted unseen
    filtering       whether multisample textures refuse it
    """

    pname: int
    field: str
    kind: str
    family: type[IntEnum] | None
    on_sampler: bool
    sampler_gate: Callable[[Limits], bool]
    texture_gate: Callable[[Limits], bool]
    silent: bool
    sampler_error: str
    texture_error: str
    compares_first: bool
    filtering: bool

    @property
    def name(self) -> str:
        """The GL name."""
        from statetracker.gl.names import gl_name

        return gl_name(self.pname, e.TextureParameter)


def _always(_: Limits) -> bool:
    return True


def _modern(limits: Limits) -> bool:
    return limits.desktop or limits.gles >= 30


def _desktop(limits: Limits) -> bool:
    return limits.desktop


def _not_gles1(limits: Limits) -> bool:
    return limits.gles != 10


def _shadow(limits: Limits) -> bool:
    return limits.gles >= 30 or (limits.desktop and limits.has("GL_ARB_shadow"))


def _anisotropic(limits: Limits) -> bool:
    return limits.has("GL_EXT_texture_filter_anisotropic", "GL_ARB_texture_filter_anisotropic")


def _seamless(limits: Limits) -> bool:
    return limits.desktop and limits.has(
        "GL_AMD_seamless_cubemap_per_texture", "GL_ARB_seamless_cubemap_per_texture"
    )


def _srgb_decode(limits: Limits) -> bool:
    return limits.has("GL_EXT_texture_sRGB_decode")


def _minmax(limits: Limits) -> bool:
    return limits.has("GL_EXT_texture_filter_minmax", "GL_ARB_texture_filter_minmax")


def _compatibility(limits: Limits) -> bool:
    return limits.compatibility


def _stencil_texturing(limits: Limits) -> bool:
    return limits.gles >= 31 or limits.has("GL_ARB_stencil_texturing")


def _swizzle(limits: Limits) -> bool:
    return limits.gles >= 30 or (limits.desktop and limits.has("GL_EXT_texture_swizzle", "GL_ARB_texture_swizzle"))


_P: Final = e.TextureParameter
_E: Final = INVALID_ENUM
_V: Final = INVALID_VALUE

# fmt: off
_ROWS: Final = (
    #         pname                          field               kind          family              sampler sampler gate   texture gate   silent   bad: sampler texture compares filtering
    Parameter(_P.MAG_FILTER,                 "mag_filter",       "enum",       e.MagFilter,        True,   _always,       _always,        False,  _E, _E,           True,    True),
    Parameter(_P.MIN_FILTER,                 "min_filter",       "enum",       e.MinFilter,        True,   _always,       _always,        False,  _E, _E,           True,    True),
    Parameter(_P.WRAP_S,                     "wrap_s",           "enum",       e.Wrap,             True,   _always,       _always,        False,  _E, _E,           True,    True),
    Parameter(_P.WRAP_T,                     "wrap_t",           "enum",       e.Wrap,             True,   _always,       _always,        False,  _E, _E,           True,    True),
    Parameter(_P.WRAP_R,                     "wrap_r",           "enum",       e.Wrap,             True,   _always,       _always,        False,  _E, _E,           True,    True),
    Parameter(_P.BORDER_COLOR,               "border_color",     "border",     None,               True,   _always,       _not_gles1,     False,  _E, _E,           False,   True),
    Parameter(_P.MIN_LOD,                    "min_lod",          "float",      None,               True,   _always,       _modern,        False,  _V, _V,           True,    True),
    Parameter(_P.MAX_LOD,                    "max_lod",          "float",      None,               True,   _always,       _modern,        False,  _V, _V,           True,    True),
    Parameter(_P.LOD_BIAS,                   "lod_bias",         "float",      None,               True,   _always,       _desktop,       False,  _V, _V,           True,    True),
    Parameter(_P.COMPARE_MODE,               "compare_mode",     "enum",       e.CompareMode,      True,   _shadow,       _shadow,        True,   _E, _E,           True,    True),
    Parameter(_P.COMPARE_FUNC,               "compare_func",     "enum",       e.CompareFunc,      True,   _shadow,       _shadow,        True,   _E, _E,           True,    True),
    Parameter(_P.MAX_ANISOTROPY,             "max_anisotropy",   "anisotropy", None,               True,   _anisotropic,  _anisotropic,   False,  _V, _V,           True,    True),
    Parameter(_P.CUBE_MAP_SEAMLESS,          "cube_map_seamless", "bool",      None,               True,   _seamless,     _seamless,      False,  _V, _E,           False,   True),
    Parameter(_P.SRGB_DECODE,                "srgb_decode",      "enum",       e.SrgbDecode,       True,   _srgb_decode,  _srgb_decode,   False,  _E, _E,           False,   True),
    Parameter(_P.REDUCTION_MODE,             "reduction_mode",   "enum",       e.ReductionMode,    True,   _minmax,       _minmax,        False,  _E, _E,           False,   True),
    Parameter(_P.BASE_LEVEL,                 "base_level",       "level",      None,               False,  _always,       _modern,        False,  _E, _V,           True,    False),
    Parameter(_P.MAX_LEVEL,                  "max_level",        "level",      None,               False,  _always,       _always,        False,  _E, _V,           True,    False),
    Parameter(_P.DEPTH_TEXTURE_MODE,         "depth_mode",       "enum",       e.DepthTextureMode, False,  _always,       _compatibility, False,  _E, _E,           True,    False),
    Parameter(_P.DEPTH_STENCIL_TEXTURE_MODE, "stencil_mode",     "enum",       e.DepthStencilMode, False,  _always,       _stencil_texturing, False,  _E, _E,           False,   False),
    Parameter(_P.SWIZZLE_R,                  "swizzle",          "swizzle",    e.Swizzle,          False,  _always,       _swizzle,       False,  _E, _E,           False,   False),
    Parameter(_P.SWIZZLE_G,                  "swizzle",          "swizzle",    e.Swizzle,          False,  _always,       _swizzle,       False,  _E, _E,           False,   False),
    Parameter(_P.SWIZZLE_B,                  "swizzle",          "swizzle",    e.Swizzle,          False,  _always,       _swizzle,       False,  _E, _E,           False,   False),
    Parameter(_P.SWIZZLE_A,                  "swizzle",          "swizzle",    e.Swizzle,          False,  _always,       _swizzle,       False,  _E, _E,           False,   False),
    Parameter(_P.SWIZZLE_RGBA,               "swizzle",          "swizzles",   e.Swizzle,          False,  _always,       _swizzle,       False,  _E, _E,           False,   False),
)
# fmt: on

PARAMETERS: Final[Mapping[int, Parameter]] = {int(row.pname): row for row in _ROWS}


class WrapGate(NamedTuple):
    """Who may use a wrap mode. Source: docs/parameters.md (wrap modes).

    sampler       extensions of which a sampler object needs one; None: always; ("compatibility",): that profile
    texture       the same for textures
    rectangle     whether rectangle textures take it
    external      whether external textures take it
    desktop_only  on textures, only desktop GL has it
    gles1         whether GLES 1 has it
    """

    sampler: tuple[str, ...] | None
    texture: tuple[str, ...] | None
    rectangle: bool
    external: bool
    desktop_only: bool
    gles1: bool


_COMPAT: Final = ("compatibility",)
_MIRROR: Final = ("GL_ATI_texture_mirror_once", "GL_EXT_texture_mirror_clamp")
_MIRROR_EDGE: Final = (*_MIRROR, "GL_ARB_texture_mirror_clamp_to_edge")
_MIRROR_BORDER: Final = ("GL_EXT_texture_mirror_clamp",)

# fmt: off
WRAP_GATES: Final[Mapping[int, WrapGate]] = {
    #                                          sampler         texture         rectangle external desktop_only gles1
    e.Wrap.CLAMP:                     WrapGate(_COMPAT,        _COMPAT,        True,     False,   False,       True),
    e.Wrap.REPEAT:                    WrapGate(None,           None,           False,    False,   False,       True),
    e.Wrap.CLAMP_TO_BORDER:           WrapGate(None,           None,           True,     False,   False,       False),
    e.Wrap.CLAMP_TO_EDGE:             WrapGate(None,           None,           True,     True,    False,       True),
    e.Wrap.MIRRORED_REPEAT:           WrapGate(None,           None,           False,    False,   False,       True),
    e.Wrap.MIRROR_CLAMP_EXT:          WrapGate(_MIRROR,        _MIRROR,        False,    False,   True,        True),
    e.Wrap.MIRROR_CLAMP_TO_EDGE:      WrapGate(_MIRROR_EDGE,   _MIRROR_EDGE,   False,    False,   False,       True),
    e.Wrap.MIRROR_CLAMP_TO_BORDER_EXT: WrapGate(_MIRROR_BORDER, _MIRROR_BORDER, False,   False,   True,        True),
}
# fmt: on
