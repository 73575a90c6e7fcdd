"""The ``PIPE_CAP_*`` answers that a sampler depends on, and what each one switches.

Two tables. `FLAGS`: one row a flag of `Screen`, made from one cap (and one of the proposal). `EXTENSIONS`: one row a GL
extension that gates a sampler or texture parameter, made from caps. The reader, the embedded profiles and docs/screens.md all use them.
Source: docs/screens.md (Mesa 22.3.6, recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.pipe.enums import BorderColorQuirk as Quirk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# fmt: off
#: What the front end takes where a driver does not answer.
CAP_DEFAULTS: Final[Mapping[str, int]] = {
    "PIPE_CAP_GL_CLAMP":                       1,
    "PIPE_CAP_TEXRECT":                        1,
    "PIPE_CAP_TEXTURE_BUFFER_SAMPLER":         0,
    "PIPE_CAP_TEXTURE_FLOAT_LINEAR":           0,
    "PIPE_CAP_TEXTURE_BORDER_COLOR_QUIRK":     0,
    "PIPE_CAP_TEXTURE_MIRROR_CLAMP":           0,
    "PIPE_CAP_TEXTURE_MIRROR_CLAMP_TO_EDGE":   0,
    "PIPE_CAP_SEAMLESS_CUBE_MAP":              0,
    "PIPE_CAP_SEAMLESS_CUBE_MAP_PER_TEXTURE":  0,
    "PIPE_CAP_SAMPLER_REDUCTION_MINMAX":       0,
    "PIPE_CAP_SAMPLER_REDUCTION_MINMAX_ARB":   0,
    "PIPE_CAP_ANISOTROPIC_FILTER":             0,
    "PIPE_CAP_TEXTURE_SHADOW_MAP":             1,
    "PIPE_CAP_TEXTURE_SWIZZLE":                1,
    "PIPE_CAP_NEED_BORDER_COLOR_TYPE":         0,
    "PIPE_CAP_LINEAR_DEPTH_FILTERING":         0,
}
# fmt: on


class Flag(NamedTuple):
    """One flag of a screen: its name, the cap it comes from, how, and what it does.

    Attributes:
        read: From the driver's answer to whether it is on.
        meaning: What it does, in words.
        seed_cap: A cap of the proposal that switches it on, too, where it is not 0; 0 where a driver does not answer.
    """

    name: str
    cap: str
    read: Callable[[int], bool]
    meaning: str
    seed_cap: str = ""

    def of(self, caps: Mapping[str, int]) -> bool:
        """Return whether it is on, by a driver's answers: ``caps``, by name with its prefix."""
        return self.read(caps.get(self.cap, CAP_DEFAULTS[self.cap])) or bool(caps.get(self.seed_cap, 0))


def _off(value: int) -> bool:
    return not value


_QUIRK: Final = "PIPE_CAP_TEXTURE_BORDER_COLOR_QUIRK"
_TYPE: Final = "PIPE_CAP_NEED_BORDER_COLOR_TYPE"
_LINEAR_DEPTH: Final = "PIPE_CAP_LINEAR_DEPTH_FILTERING"
_PLEASE: Final = "PIPE_CAP_EMULATE_GL_CLAMP_PLZ"  # became PIPE_CAP_GL_CLAMP, which means the contrary

#: The proposal's caps, which no release of Mesa has.
SEED_CAPS: Final = (_PLEASE, _TYPE, _LINEAR_DEPTH)

# fmt: off
FLAGS: Final = (
    Flag("emulate_gl_clamp",                      "PIPE_CAP_GL_CLAMP",                _off, "GL_CLAMP is lowered to border or edge, and a shader saturates coordinates", _PLEASE),
    Flag("lower_rect_tex",                        "PIPE_CAP_TEXRECT",                 _off, "rectangle coordinates are normalised by a shader"),
    Flag("texture_buffer_sampler",                "PIPE_CAP_TEXTURE_BUFFER_SAMPLER",  bool, "buffer textures take a sampler state too"),
    Flag("float_linear",                          "PIPE_CAP_TEXTURE_FLOAT_LINEAR",    bool, "32-bit float textures of GLES can be filtered linearly"),
    Flag("apply_texture_swizzle_to_border_color", _QUIRK, lambda v: bool(v & (Quirk.NV50 | Quirk.R600)), "the border colour goes through the texture's swizzle"),
    Flag("use_format_with_border_color",          _QUIRK, lambda v: bool(v & Quirk.FREEDRENO),     "the view's format is passed with the border colour"),
    Flag("alpha_border_color_is_not_w",           _QUIRK, lambda v: bool(v & Quirk.ALPHA_NOT_W),   "alpha formats take their border from another component"),
    Flag("need_border_color_type",                _TYPE,                              bool, "integer-ness of the border colour is part of the seed's cache key"),
)
# fmt: on


_MINMAX: Final = "PIPE_CAP_SAMPLER_REDUCTION_MINMAX"
_MIRROR: Final = "PIPE_CAP_TEXTURE_MIRROR_CLAMP"
_SEAMLESS_PER: Final = "PIPE_CAP_SEAMLESS_CUBE_MAP_PER_TEXTURE"
_ANISO: Final = "PIPE_CAP_ANISOTROPIC_FILTER"

# fmt: off
#: A GL extension that gates parameters -> the caps of which one must be non-zero.
EXTENSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "GL_EXT_texture_filter_minmax":          (_MINMAX,),
    "GL_ARB_texture_filter_minmax":          (_MINMAX, _MINMAX + "_ARB"),
    "GL_EXT_texture_mirror_clamp":           (_MIRROR,),
    "GL_ATI_texture_mirror_once":            (_MIRROR,),
    "GL_ARB_texture_mirror_clamp_to_edge":   (_MIRROR + "_TO_EDGE",),
    "GL_AMD_seamless_cubemap_per_texture":   (_SEAMLESS_PER,),
    "GL_ARB_seamless_cubemap_per_texture":   (_SEAMLESS_PER,),
    "GL_ARB_seamless_cube_map":              ("PIPE_CAP_SEAMLESS_CUBE_MAP",),
    "GL_ARB_shadow":                         ("PIPE_CAP_TEXTURE_SHADOW_MAP",),
    "GL_EXT_texture_swizzle":                ("PIPE_CAP_TEXTURE_SWIZZLE",),
    "GL_ARB_texture_swizzle":                ("PIPE_CAP_TEXTURE_SWIZZLE",),
    "GL_EXT_texture_filter_anisotropic":     (_ANISO,),
    "GL_ARB_texture_filter_anisotropic":     (_ANISO,),
}
# fmt: on

#: What every driver of the recordings offers, of those that internal formats and parameters need.
_EVERYWHERE: Final = (
    "ARB_depth_buffer_float ARB_depth_texture ARB_framebuffer_object ARB_stencil_texturing ARB_texture_border_clamp "
    "ARB_texture_compression ARB_texture_compression_bptc ARB_texture_compression_rgtc ARB_texture_float ARB_texture_rectangle "
    "ARB_texture_rg ARB_texture_rgb10_a2ui ARB_texture_stencil8 ARB_ES2_compatibility ARB_ES3_compatibility "
    "EXT_packed_depth_stencil EXT_packed_float EXT_texture_array EXT_texture_compression_latc "
    "EXT_texture_compression_rgtc EXT_texture_compression_s3tc EXT_texture_compression_dxt1 "
    "ANGLE_texture_compression_dxt3 ANGLE_texture_compression_dxt5 ATI_texture_compression_3dc "
    "KHR_texture_compression_astc_ldr EXT_texture_integer EXT_texture_sRGB "
    "EXT_texture_sRGB_decode EXT_texture_shared_exponent EXT_texture_snorm ARB_texture_cube_map_array "
    "ARB_texture_multisample ARB_texture_storage ATI_texture_float NV_packed_depth_stencil S3_s3tc"
)
ALWAYS: Final = frozenset(f"GL_{name}" for name in _EVERYWHERE.split(" "))

#: Extensions for formats that the other drivers of the recordings offer and zink does not; no cap says so.
NOT_ZINK: Final = (
    "GL_3DFX_texture_compression_FXT1",
    "GL_EXT_texture_sRGB_R8",
    "GL_EXT_texture_sRGB_RG8",
    "GL_MESA_ycbcr_texture",
)


#: Field of a screen -> the cap with the number of mipmap levels that such a size has.
_LEVELS: Final = {
    "max_3d_size": "PIPE_CAP_MAX_TEXTURE_3D_LEVELS",
    "max_cube_size": "PIPE_CAP_MAX_TEXTURE_CUBE_LEVELS",
}
_LAYERS: Final = "PIPE_CAP_MAX_TEXTURE_ARRAY_LAYERS"
_MOST_LEVELS: Final = 31


def depth_of(caps: Mapping[str, int]) -> str:
    """Return a word of `UNFILTERABLE_DEPTH` for depth that a hook refuses: the proposal's cap keeps it linear."""
    return "always-compare" if caps.get(_LINEAR_DEPTH, CAP_DEFAULTS[_LINEAR_DEPTH]) else "nearest"


def flags_of(caps: Mapping[str, int]) -> dict[str, bool]:
    """Read every flag from ``PIPE_CAP_*`` answers; caps not given take the front end's default."""
    return {flag.name: flag.of(caps) for flag in FLAGS}


def extensions_of(caps: Mapping[str, int]) -> frozenset[str]:
    """Read the extensions that gate sampler and texture parameters from ``PIPE_CAP_*`` answers."""
    there = {name for name, gates in EXTENSIONS.items() if any(caps.get(cap, CAP_DEFAULTS[cap]) for cap in gates)}
    return ALWAYS | there


def sizes_of(caps: Mapping[str, int]) -> dict[str, int]:
    """Read the largest textures, as fields of a screen, from those ``PIPE_CAP_*`` answers that are there."""
    levels = {field: min(caps.get(cap, 0), _MOST_LEVELS) for field, cap in _LEVELS.items()}
    sizes = {field: 1 << (count - 1) for field, count in levels.items() if count > 0}
    return sizes | ({"max_layers": caps[_LAYERS]} if caps.get(_LAYERS, 0) > 0 else {})
