"""Every sampler and texture parameter: what it is, what it accepts, who may set it, and which error a bad call gets.

One row a parameter name. The setters, the getters, the error messages and docs/parameters.md all read this table;
`statetracker.gl.setters` applies it. `Availability` is what of it a context has. Source: docs/parameters.md (recorded
live on Mesa 22.3.6, with the GL 4.6 specification, sections 8.2 and 8.10).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import enums as e
from statetracker.gl.limits import (
    ALWAYS,
    ANISOTROPIC,
    COMPATIBILITY,
    DESKTOP,
    GLES_1_TOO,
    MINMAX,
    MODERN,
    NOT_GLES_1,
    SEAMLESS,
    SHADOW,
    SRGB_DECODE,
    STENCIL_TEXTURING,
    SWIZZLE,
    Gate,
)
from statetracker.gl.names import gl_name
from statetracker.gl.targets import TARGETS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import IntEnum

    from statetracker.gl.limits import Limits

T: Final = e.Target

INVALID_ENUM: Final = "GL_INVALID_ENUM"
INVALID_VALUE: Final = "GL_INVALID_VALUE"
INVALID_OPERATION: Final = "GL_INVALID_OPERATION"


class Refusal(Exception):
    """A GL error on its way to the context: its name, and a sentence with what was wrong and what is accepted."""

    def __init__(self, error: str, message: str) -> None:
        super().__init__(error, message)
        self.error = error
        self.message = message


class Parameter(NamedTuple):
    """One parameter name.

    Attributes:
        pname: Its number.
        field: Where the value is stored: an attribute of `Sampler`, or of `Texture`.
        kind: How values are read: enum, float, anisotropy, bool, border, level, swizzle, swizzles, flag (any number but
            0 is true), priority (a float clamped to [0, 1]).
        family: The enum of accepted values, for enums and swizzles.
        on_sampler: Whether sampler objects have it.
        sampler_gate: Contexts that have it for sampler objects.
        texture_gate: Contexts that have it for textures.
        silent: On sampler objects, whether a call without the extension is ignored instead of refused.
        sampler_error: The error of a bad value set on a sampler object.
        texture_error: The error of a bad value set on a texture.
        compares_first: On textures, whether an equal value is accepted unseen.
        filtering: Whether multisample textures refuse it.
    """

    pname: int
    field: str
    kind: str
    family: type[IntEnum] | None
    on_sampler: bool
    sampler_gate: Gate
    texture_gate: Gate
    silent: bool
    sampler_error: str
    texture_error: str
    compares_first: bool
    filtering: bool

    @property
    def name(self) -> str:
        """The GL name."""
        return gl_name(self.pname, e.TextureParameter)


_P: Final = e.TextureParameter
_E: Final = INVALID_ENUM
_V: Final = INVALID_VALUE

# fmt: off
_ROWS: Final = (
    #         pname                          field                kind          family              sampler  sampler gate  texture gate       silent  bad: sampler  texture  compares  filtering
    Parameter(_P.MAG_FILTER,                 "mag_filter",        "enum",       e.MagFilter,        True,    ALWAYS,       ALWAYS,            False,  _E,           _E,      True,     True),
    Parameter(_P.MIN_FILTER,                 "min_filter",        "enum",       e.MinFilter,        True,    ALWAYS,       ALWAYS,            False,  _E,           _E,      True,     True),
    Parameter(_P.WRAP_S,                     "wrap_s",            "enum",       e.Wrap,             True,    ALWAYS,       ALWAYS,            False,  _E,           _E,      True,     True),
    Parameter(_P.WRAP_T,                     "wrap_t",            "enum",       e.Wrap,             True,    ALWAYS,       ALWAYS,            False,  _E,           _E,      True,     True),
    Parameter(_P.WRAP_R,                     "wrap_r",            "enum",       e.Wrap,             True,    ALWAYS,       ALWAYS,            False,  _E,           _E,      True,     True),
    Parameter(_P.BORDER_COLOR,               "border_color",      "border",     None,               True,    ALWAYS,       NOT_GLES_1,        False,  _E,           _E,      False,    True),
    Parameter(_P.MIN_LOD,                    "min_lod",           "float",      None,               True,    ALWAYS,       MODERN,            False,  _V,           _V,      True,     True),
    Parameter(_P.MAX_LOD,                    "max_lod",           "float",      None,               True,    ALWAYS,       MODERN,            False,  _V,           _V,      True,     True),
    Parameter(_P.LOD_BIAS,                   "lod_bias",          "float",      None,               True,    ALWAYS,       DESKTOP,           False,  _V,           _V,      True,     True),
    Parameter(_P.COMPARE_MODE,               "compare_mode",      "enum",       e.CompareMode,      True,    SHADOW,       SHADOW,            True,   _E,           _E,      True,     True),
    Parameter(_P.COMPARE_FUNC,               "compare_func",      "enum",       e.CompareFunc,      True,    SHADOW,       SHADOW,            True,   _E,           _E,      True,     True),
    Parameter(_P.MAX_ANISOTROPY,             "max_anisotropy",    "anisotropy", None,               True,    ANISOTROPIC,  ANISOTROPIC,       False,  _V,           _V,      True,     True),
    Parameter(_P.CUBE_MAP_SEAMLESS,          "cube_map_seamless", "bool",       None,               True,    SEAMLESS,     SEAMLESS,          False,  _V,           _E,      False,    True),
    Parameter(_P.SRGB_DECODE,                "srgb_decode",       "enum",       e.SrgbDecode,       True,    SRGB_DECODE,  SRGB_DECODE,       False,  _E,           _E,      False,    True),
    Parameter(_P.REDUCTION_MODE,             "reduction_mode",    "enum",       e.ReductionMode,    True,    MINMAX,       MINMAX,            False,  _E,           _E,      False,    True),
    Parameter(_P.BASE_LEVEL,                 "base_level",        "level",      None,               False,   ALWAYS,       MODERN,            False,  _E,           _V,      True,     False),
    Parameter(_P.MAX_LEVEL,                  "max_level",         "level",      None,               False,   ALWAYS,       ALWAYS,            False,  _E,           _V,      True,     False),
    Parameter(_P.DEPTH_TEXTURE_MODE,         "depth_mode",        "enum",       e.DepthTextureMode, False,   ALWAYS,       COMPATIBILITY,     False,  _E,           _E,      True,     False),
    Parameter(_P.DEPTH_STENCIL_TEXTURE_MODE, "stencil_mode",      "enum",       e.DepthStencilMode, False,   ALWAYS,       STENCIL_TEXTURING, False,  _E,           _E,      False,    False),
    Parameter(_P.GENERATE_MIPMAP,            "generate_mipmap",   "flag",       None,               False,   ALWAYS,       GLES_1_TOO,        False,  _E,           _E,      True,     False),
    Parameter(_P.PRIORITY,                   "priority",          "priority",   None,               False,   ALWAYS,       COMPATIBILITY,     False,  _E,           _E,      True,     False),
    Parameter(_P.SWIZZLE_R,                  "swizzle",           "swizzle",    e.Swizzle,          False,   ALWAYS,       SWIZZLE,           False,  _E,           _E,      False,    False),
    Parameter(_P.SWIZZLE_G,                  "swizzle",           "swizzle",    e.Swizzle,          False,   ALWAYS,       SWIZZLE,           False,  _E,           _E,      False,    False),
    Parameter(_P.SWIZZLE_B,                  "swizzle",           "swizzle",    e.Swizzle,          False,   ALWAYS,       SWIZZLE,           False,  _E,           _E,      False,    False),
    Parameter(_P.SWIZZLE_A,                  "swizzle",           "swizzle",    e.Swizzle,          False,   ALWAYS,       SWIZZLE,           False,  _E,           _E,      False,    False),
    Parameter(_P.SWIZZLE_RGBA,               "swizzle",           "swizzles",   e.Swizzle,          False,   ALWAYS,       SWIZZLE,           False,  _E,           _E,      False,    False),
)
# fmt: on

PARAMETERS: Final[Mapping[int, Parameter]] = {int(row.pname): row for row in _ROWS}


class WrapGate(NamedTuple):
    """Who may use a wrap mode. Source: docs/parameters.md (wrap modes).

    Attributes:
        sampler: Extensions of which a sampler object needs one; None: always; ("compatibility",): that profile.
        texture: The same for textures.
        rectangle: Whether rectangle textures take it.
        external: Whether external textures take it.
        desktop_only: On textures, only desktop GL has the extensions; sampler objects ask for that from 24.1 on.
        gles1: Whether GLES 1 has it.
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
    e.Wrap.MIRROR_CLAMP_TO_EDGE:      WrapGate(_MIRROR_EDGE,   _MIRROR_EDGE,   False,    False,   True,        False),
    e.Wrap.MIRROR_CLAMP_TO_BORDER_EXT: WrapGate(_MIRROR_BORDER, _MIRROR_BORDER, False,   False,   True,        True),
}
# fmt: on


class Availability:
    """The parameters and values of one kind of context.

    Args:
        limits: Of the context.

    Attributes:
        sampler: Parameter names of sampler objects.
        sampler_queries: Those of their getters: GLES may ask for CUBE_MAP_SEAMLESS, which it cannot set.
        texture: Parameter names of textures.
        texture_integer_queries: Those of their getters for integers.
        sampler_wraps: Wrap modes of sampler objects.
        texture_wraps: Wrap modes of textures: by target for rectangle and external ones, under None for all others.
        depth_modes: Values of DEPTH_TEXTURE_MODE.
        targets: Texture targets.
        clamps_border: Whether glTexParameterfv clamps border colours to [0, 1]: hardware without float textures.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.sampler = frozenset(
            p for p, row in PARAMETERS.items() if row.on_sampler and row.sampler_gate.allows(limits)
        )
        asked = {e.TextureParameter.CUBE_MAP_SEAMLESS} if SEAMLESS.driver_has(limits) else set()
        self.sampler_queries = self.sampler | asked
        self.texture = frozenset(p for p, row in PARAMETERS.items() if row.texture_gate.allows(limits))
        inverted = {e.TextureParameter.CUBE_MAP_SEAMLESS} if limits.release.seamless_query_inverted else set()
        self.texture_integer_queries = self.texture ^ inverted
        self.sampler_wraps = frozenset(w for w in WRAP_GATES if self._sampler_wrap(w))
        self.texture_wraps = {
            kind: frozenset(w for w in WRAP_GATES if self._texture_wrap(w, kind))
            for kind in (None, T.TEXTURE_RECTANGLE, T.TEXTURE_EXTERNAL_OES)
        }
        red = {e.DepthTextureMode.RED} if not limits.has("GL_ARB_texture_rg") else set()
        self.depth_modes = frozenset(e.DepthTextureMode) - red
        self.targets = frozenset(int(t) for t, rule in TARGETS.items() if rule.gate.allows(limits))
        self.clamps_border = limits.gles < 30 and not limits.has("GL_ARB_texture_float", "GL_OES_texture_float")

    def _allowed(self, needs: tuple[str, ...] | None) -> bool:
        return needs is None or self.limits.profile in needs or self.limits.has(*needs)

    def _extra_edge(self, wrap: int) -> bool:
        """Return whether GLES's own extension brings a mode: a driver that has the desktop's has it, too."""
        new = wrap == e.Wrap.MIRROR_CLAMP_TO_EDGE and self.limits.release.advertised_wraps
        return new and self.limits.has("GL_EXT_texture_mirror_clamp_to_edge", "GL_ARB_texture_mirror_clamp_to_edge")

    def _sampler_wrap(self, wrap: int) -> bool:
        release, gate = self.limits.release, WRAP_GATES[wrap]
        if wrap == e.Wrap.CLAMP_TO_BORDER and release.border_clamp_extension:
            return self.limits.has("GL_ARB_texture_border_clamp", "GL_OES_texture_border_clamp")
        if self._extra_edge(wrap):
            return True
        unseen = wrap == e.Wrap.MIRROR_CLAMP_TO_BORDER_EXT  # GLES has no name for it; the driver's extension counts
        if release.advertised_wraps and gate.desktop_only and not (self.limits.desktop or unseen):
            return False
        return self._allowed(gate.sampler)

    def _texture_wrap(self, wrap: int, kind: int | None) -> bool:
        gate = WRAP_GATES[wrap]
        if kind == T.TEXTURE_RECTANGLE and not gate.rectangle:
            return False
        if kind == T.TEXTURE_EXTERNAL_OES and not gate.external:
            return False
        if not gate.gles1 and self.limits.gles == 10:
            return False
        if self._extra_edge(wrap):
            return True
        return (self.limits.desktop or not gate.desktop_only) and self._allowed(gate.texture)


@lru_cache(maxsize=64)
def availability_of(limits: Limits) -> Availability:
    """Return the availability of limits: the same object for the same limits, which must not change afterwards."""
    return Availability(limits)
