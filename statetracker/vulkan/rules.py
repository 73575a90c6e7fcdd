"""The rules: pipe record to create info, one after the other, in the order of `RULES`.

Each rule reads the draft, and writes what its row names. A rule does nothing where the dialect or the device gives it
nothing to do; `statetracker.vulkan.explanation` sees which ones did. Source: docs/vulkan_samplers.md.
"""

from __future__ import annotations

from math import floor, isfinite
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.pipe.enums import Func, TexMipfilter, TexWrap
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.wraps import WRAPS
from statetracker.vulkan.border import SWIZZLED, border_fallbacks, choose_border, swizzled
from statetracker.vulkan.border_choice import BorderFallback
from statetracker.vulkan.enums import CompareOp, Filter, SamplerAddressMode, SamplerCreateFlag, SamplerMipmapMode
from statetracker.vulkan.formats import view_swizzle
from statetracker.vulkan.info import Unsupported
from statetracker.vulkan.ranges import values
from statetracker.vulkan.views import can_compare, can_filter, can_reduce

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.vulkan.border_choice import BorderChoice
    from statetracker.vulkan.draft import Draft

__all__ = ["ADDRESS_MODE", "LEVEL_0_MAX_LOD", "RULES", "Rule"]

#: maxLod where there is no mip filter: never leaves level 0, and still has both magnified and minified.
LEVEL_0_MAX_LOD: Final = 0.25

_AXES: Final = ("address_mode_u", "address_mode_v", "address_mode_w")
_NON_SEAMLESS: Final = int(SamplerCreateFlag.NON_SEAMLESS_CUBE_MAP_BIT_EXT)
_NONE: Final = 2  # PIPE_TEX_MIPFILTER_NONE; 3 has no name, and counts as it
_REDUCTIONS: Final = (1, 2)

# fmt: off
#: PIPE_TEX_WRAP -> VkSamplerAddressMode, of those that remain when the rules before have lowered the others.
ADDRESS_MODE: Final[Mapping[int, SamplerAddressMode]] = {
    TexWrap.REPEAT:                 SamplerAddressMode.REPEAT,
    TexWrap.CLAMP_TO_EDGE:          SamplerAddressMode.CLAMP_TO_EDGE,
    TexWrap.CLAMP_TO_BORDER:        SamplerAddressMode.CLAMP_TO_BORDER,
    TexWrap.MIRROR_REPEAT:          SamplerAddressMode.MIRRORED_REPEAT,
    TexWrap.MIRROR_CLAMP_TO_EDGE:   SamplerAddressMode.MIRROR_CLAMP_TO_EDGE,
}
# fmt: on


class Rule(NamedTuple):
    """One rule.

    name      as explanations and docs have it
    section   of docs/vulkan_samplers.md
    sets      the members it may change
    apply     changes the draft
    because   the reason, after `apply` changed something
    """

    name: str
    section: str
    sets: tuple[str, ...]
    apply: Callable[[Draft], None]
    because: Callable[[Draft], str]


def _level_0(d: Draft) -> None:
    if d.min_mip_filter >= _NONE:
        d.mipmap_mode, d.min_lod, d.max_lod = SamplerMipmapMode.NEAREST, 0.0, LEVEL_0_MAX_LOD


def _lods(d: Draft) -> None:
    if d.dialect.lods == "repair":
        if d.min_lod != d.min_lod:
            d.min_lod = 0.0
        if not d.max_lod >= d.min_lod:
            d.max_lod = d.min_lod
    elif d.dialect.lods == "max" and not d.max_lod > d.min_lod:
        d.max_lod = d.min_lod


def _clamp(d: Draft) -> None:
    for n, axis in enumerate(_AXES):
        wrap = WRAPS[getattr(d, axis)]
        if wrap.clamps and d.dialect.clamp == "coverage":
            setattr(d, axis, wrap.edge)
            d.half |= 1 << n
            d.reflect |= wrap.mirrors << n
        elif wrap.clamps:
            setattr(d, axis, wrap.border if d.min_filter and d.mag_filter else wrap.edge)
            if wrap.mirrors:
                d.mirror |= 1 << n
            else:
                d.clamp |= 1 << n


def _mirror_border(d: Draft) -> None:
    for n, axis in enumerate(_AXES):
        if getattr(d, axis) != TexWrap.MIRROR_CLAMP_TO_BORDER:
            continue
        if d.dialect.mirror_border == "fold":
            _fold(d, n, axis)
            d.reflect |= 1 << n
        else:
            setattr(d, axis, TexWrap.MIRROR_CLAMP_TO_EDGE)
            because = "Vulkan has no such address mode, and this dialect takes the edge for the border"
            d.refuse("mirror-border", axis, "MIRROR_CLAMP_TO_BORDER", "MIRROR_CLAMP_TO_EDGE", because=because)


def _mirror_edge(d: Draft) -> None:
    if d.dialect.mirror_edge != "gate" or d.device.mirror_edge:
        return
    for n, axis in enumerate(_AXES):
        if getattr(d, axis) == TexWrap.MIRROR_CLAMP_TO_EDGE:
            _fold(d, n, axis)


def _fold(d: Draft, n: int, axis: str) -> None:
    setattr(d, axis, WRAPS[getattr(d, axis)].folded)
    d.fold |= 1 << n


def _address_mode(d: Draft) -> None:
    for axis in _AXES:
        setattr(d, axis, ADDRESS_MODE[getattr(d, axis)])


def _bias(d: Draft) -> None:
    if d.dialect.bias == "as-is":
        return
    asked = d.mip_lod_bias
    if d.dialect.bias == "repair":
        if asked != asked:  # noqa: PLR0124 (the test for NaN)
            asked = d.mip_lod_bias = 0.0
        if d.device.bias_fixed and asked:
            d.mip_lod_bias = 0.0
            d.lod_bias_rest = asked
            return
    limit = d.device.lod_bias
    # A NaN becomes the least, as C's comparison has it.
    kept = (min(asked, limit)) if asked > -limit else -limit
    if kept != asked:
        d.mip_lod_bias = kept
        d.lod_bias_rest = asked - kept if asked == asked else 0.0  # noqa: PLR0124 (not NaN)


def _no_anisotropy(d: Draft) -> None:
    if not d.anisotropy_enable:
        d.max_anisotropy = 0.0


def _limit_anisotropy(d: Draft) -> None:
    if d.dialect.anisotropy != "gate" or not d.anisotropy_enable:
        return
    kept = min(d.max_anisotropy, d.device.anisotropy)
    if kept != d.max_anisotropy:
        _turn_down(d, kept if kept > 1 else 0.0, "the device allows no more" if kept > 1 else "the device has none")


def _turn_down(d: Draft, kept: float, because: str) -> None:
    asked = d.max_anisotropy
    d.anisotropy_enable, d.max_anisotropy = kept > 1, kept
    d.refuse("anisotropy", "max_anisotropy", asked, kept, asked - max(kept, 1.0), because=because)


def _compare(d: Draft) -> None:
    if not d.compare_enable:
        d.compare_op = CompareOp.NEVER


def _reduction(d: Draft) -> None:
    asked = d.reduction_mode
    if asked not in _REDUCTIONS:
        d.reduction_mode = None
        if asked:
            d.refuse("reduction", "reduction_mode", asked, None, because="no reduction mode has that number")
    elif d.dialect.reduction == "gate":
        if d.compare_enable:
            _average(d, "depth is compared, and Vulkan then only averages")
        elif not d.device.minmax:
            _average(d, "the device has neither samplerFilterMinmax nor VK_EXT_sampler_filter_minmax")


def _average(d: Draft, because: str) -> None:
    d.refuse("reduction", "reduction_mode", ("MIN", "MAX")[d.reduction_mode == 2], "WEIGHTED_AVERAGE", because=because)
    d.reduction_mode = None


def _seams(d: Draft) -> None:
    if d.seamless_cube_map:
        return
    possible = {"never": False, "extension": d.device.seams_extension, "feature": d.device.seams_feature}
    if possible[d.dialect.seams]:
        d.flags |= _NON_SEAMLESS
    elif d.view is None or d.view.cube is not False:
        d.cube_edges = True


def _uncomparable(d: Draft) -> None:
    """Comparing is refused by the format; what stayed linear because it was compared must not."""
    if not d.compare_enable or d.view is None or d.dialect.view != "yes":
        return
    if can_compare(d.device.facts, d.view.format):
        return
    because = f"the device cannot compare {d.view.format}"
    d.refuse("comparison", "compare_enable", Func(d.compare_op).name, "NEVER", because=because)
    d.compare_enable, d.compare_op = False, CompareOp.NEVER
    if not can_filter(d.device.facts, d.view.format):
        d.mag_filter = d.min_filter = Filter.NEAREST
        d.mipmap_mode = SamplerMipmapMode.NEAREST


def _view(d: Draft) -> None:
    """What the format that will be sampled cannot do."""
    if d.view is None or d.dialect.view != "yes":
        return
    if d.anisotropy_enable and not d.compare_enable and not can_filter(d.device.facts, d.view.format):
        _turn_down(d, 0.0, f"{d.view.format} cannot be filtered")
    if d.reduction_mode is not None and not can_reduce(d.device.facts, d.view.format):
        _average(d, f"the device cannot reduce {d.view.format}")


def _unnormalized(d: Draft) -> None:
    if not d.unnormalized_coords or d.dialect.unnormalized == "as-is":
        return
    if d.dialect.unnormalized == "never" or not d.unnormalized_fits or d.compare_enable:
        d.unnormalized_coordinates = False
        d.normalize = True
        return
    d.min_filter = d.mag_filter
    d.mipmap_mode, d.min_lod, d.max_lod = SamplerMipmapMode.NEAREST, 0.0, 0.0
    for axis in _AXES[:2]:
        if getattr(d, axis) != SamplerAddressMode.CLAMP_TO_BORDER:
            setattr(d, axis, SamplerAddressMode.CLAMP_TO_EDGE)
    if d.anisotropy_enable:
        _turn_down(d, 0.0, "unnormalised coordinates have no anisotropy")


def _border_type(d: Draft) -> None:
    """The record's word for it is GL's, which is not set for a colour of zeros, and is for any texture's stencil mode."""
    if d.view is None or d.dialect.view != "yes" or not d.reads_border:
        return
    integer = pipe_format(d.view.format).is_pure_integer
    if integer != d.integer:
        d.integer = integer
        d.retyped = f", {'integers' if integer else 'floats'} as in {d.view.format}"


def _border(d: Draft) -> None:
    choice = choose_border(d)
    unknown = _unknown_swizzle(d, choice) if choice.fallback < BorderFallback.IN_SHADER else None
    if unknown is not None and d.dialect.border_shader == "yes":
        choice = next(tried for tried in border_fallbacks(d) if tried.fallback is BorderFallback.IN_SHADER)
        choice = choice._replace(because=unknown.because)
    d.border = choice
    d.border_color, d.custom_border_color, d.component_mapping = choice.border_color, choice.custom, choice.mapping
    if choice.fallback is BorderFallback.IN_SHADER:
        _in_shader(d)
    elif choice.error > 0 and not (d.dialect.border_format == "every" and choice.custom is not None):
        because = choice.because
        if choice.fallback is BorderFallback.NEAREST:
            because = f"{because}: {_refused(d)}"
        wanted = list(values(d.color, "int" if d.integer else "float"))
        d.refuse("border", "border_color", wanted, choice.border_color.name, choice.error, because=because)
    if unknown is None and choice.fallback is BorderFallback.NEAREST:
        unknown = _unknown_swizzle(d, choice)
    if unknown is not None and choice.fallback is not BorderFallback.IN_SHADER:
        d.unsupported = (*d.unsupported, unknown)
    if d.half and not d.route:
        d.route = "edge"


def _refused(d: Draft) -> str:
    """Why there is no custom colour."""
    return next(tried.because for tried in border_fallbacks(d) if tried.fallback is BorderFallback.CUSTOM_FORMAT)


def _unknown_swizzle(d: Draft, choice: BorderChoice) -> Unsupported | None:
    """A device without VK_EXT_border_color_swizzle may or may not put the border through the view's swizzle."""
    if d.dialect.border_swizzle == "never" or d.view is None or d.device.swizzle_known or d.compare_enable:
        return None
    if choice.border_color not in SWIZZLED:
        return None
    letters = view_swizzle(d.view.format, d.view.swizzle)
    colour = values(choice.custom.words, "int" if d.integer else "float") if choice.custom is not None else (0, 0, 0, 1)
    seen = swizzled(colour, letters)
    size = max(abs(a - b) for a, b in zip(seen, colour, strict=True))
    if not size > 0:
        return None
    because = f"the view's swizzle is {letters}, and whether the border goes through it is not reported"
    return Unsupported("border-swizzle", "border_color", list(seen), "undefined", size, because)


def _in_shader(d: Draft) -> None:
    """The border axes are the shader's: on transparent black, or on the edge where GL_CLAMP or a swizzle needs that."""
    unknown = d.view is not None and not d.device.swizzle_known and "1" in view_swizzle(d.view.format, d.view.swizzle)
    edge = bool(d.half) or (unknown and not d.compare_enable)
    d.route = "edge" if edge else "predefined"
    for n, axis in enumerate(_AXES):
        if getattr(d, axis) != SamplerAddressMode.CLAMP_TO_BORDER:
            continue
        d.border_bits |= 1 << n
        if not edge:
            continue
        setattr(d, axis, SamplerAddressMode.CLAMP_TO_EDGE)
        if d.fold >> n & 1 and d.device.mirror_edge:
            d.fold &= ~(1 << n)
            setattr(d, axis, SamplerAddressMode.MIRROR_CLAMP_TO_EDGE)


def _filtering(d: Draft) -> None:
    """A format that the device does not filter: by the shader, or not at all."""
    if d.dialect.filtering == "as-is" or d.view is None or can_filter(d.device.facts, d.view.format):
        return
    if Filter.LINEAR not in (d.min_filter, d.mag_filter) and d.mipmap_mode != SamplerMipmapMode.LINEAR:
        return
    d.min_filter = d.mag_filter = Filter.NEAREST
    d.mipmap_mode = SamplerMipmapMode.NEAREST
    d.filter_texels = d.filter_in_shader and d.view.cube is False and not pipe_format(d.view.format).is_pure_integer
    if not d.filter_texels:
        because = f"the device does not filter {d.view.format}"
        d.refuse("filtering", "min_filter", "LINEAR", "NEAREST", because=because)


def _whole_limits(d: Draft) -> None:
    """Where the shader samples whole levels by itself the sampler's limits must not be between two."""
    if d.dialect.clamp == "coordinate" or d.min_mip_filter >= _NONE:
        d.limits = d.min_lod, d.max_lod
        return
    d.limits = d.min_lod, d.max_lod
    linear = d.asked[2] == TexMipfilter.LINEAR
    alone = linear and (d.route == "edge" or d.fold or d.cube_edges)
    if not (alone or d.filter_texels) or (_whole(d.min_lod) and _whole(d.max_lod)):
        return
    d.min_lod, d.max_lod, d.limit_lod = _down(d.min_lod), -_down(-d.max_lod), True


def _whole(level: float) -> bool:
    return level == _down(level)


def _down(level: float) -> float:
    return float(floor(level)) if isfinite(level) else level


def _fixed_depth(d: Draft) -> None:
    """References are clamped by a fixed-point format, but not where the device keeps 24 bits in floats."""
    if d.dialect.clamp == "coordinate" or not d.compare_enable or d.view is None:
        return
    name = d.view.format
    fixed = pipe_format(name).has_depth and "Z32_FLOAT" not in name
    work = d.border_bits or d.half or d.filter_texels
    d.fixed_depth = fixed and bool(work or ("Z24" in name and d.device.replaced))


_LODS: Final = ("min_lod", "max_lod")
_ANISO: Final = ("anisotropy_enable", "max_anisotropy")
_BORDER: Final = ("border_color", "custom_border_color", "component_mapping")
_COMPARED: Final = ("compare_enable", "compare_op", "mag_filter", "min_filter", "mipmap_mode")
_FIT: Final = ("unnormalized_coordinates", "min_filter", "mipmap_mode", *_LODS, *_AXES[:2], *_ANISO)

# fmt: off
RULES: Final = (
    #    name               section          sets                       apply              because
    Rule("level-0",         "mipmaps",       ("mipmap_mode", *_LODS),   _level_0,          lambda _: "there is no mip filter: level 0 alone, and still magnified or minified"),
    Rule("lod-order",       "mipmaps",       _LODS,                     _lods,             lambda _: "Vulkan needs the upper LOD not below the lower one, and no NaN"),
    Rule("clamp",           "address-modes", _AXES,                     _clamp,            lambda d: "Vulkan has no such mode; " + ("the shader mixes in the border" if d.dialect.clamp == "coverage" else f"the image filters are {'both' if d.min_filter and d.mag_filter else 'not both'} linear, and the shader clamps the coordinate")),
    Rule("mirror-border",   "address-modes", _AXES,                     _mirror_border,    lambda d: "Vulkan has no such mode; " + ("the shader takes the coordinate's absolute value" if d.dialect.mirror_border == "fold" else "the edge is near the border")),
    Rule("mirror-edge",     "address-modes", _AXES,                     _mirror_edge,      lambda _: "the device lacks samplerMirrorClampToEdge; the shader takes the coordinate's absolute value"),
    Rule("address-mode",    "address-modes", _AXES,                     _address_mode,     lambda _: "Vulkan's name for it"),
    Rule("bias-limit",      "bias",          ("mip_lod_bias",),         _bias,             lambda d: "the device cannot bias; the shader adds it" if d.device.bias_fixed else f"maxSamplerLodBias is {d.device.lod_bias:g}"),
    Rule("no-anisotropy",   "anisotropy",    ("max_anisotropy",),       _no_anisotropy,    lambda _: "1 and less is off, and off is 0"),
    Rule("anisotropy-gate", "anisotropy",    _ANISO,                    _limit_anisotropy, lambda d: f"the device allows {d.device.anisotropy:g}"),
    Rule("no-compare",      "comparison",    ("compare_op",),           _compare,          lambda _: "depth is not compared"),
    Rule("reduction",       "reduction",     ("reduction_mode",),       _reduction,        lambda d: d.unsupported[-1].because if d.unsupported and d.unsupported[-1].name == "reduction" else "averaging needs no struct"),
    Rule("view-comparison", "views",         _COMPARED,                 _uncomparable,     lambda d: d.unsupported[-1].because),
    Rule("view",            "views",         (*_ANISO, "reduction_mode"), _view,           lambda d: d.unsupported[-1].because),
    Rule("filtering",       "views",         ("min_filter", "mag_filter", "mipmap_mode"), _filtering, lambda d: f"the device does not filter {d.view.format if d.view else ''}" + ("; the shader does" if d.filter_texels else "")),
    Rule("seams",           "seams",         ("flags",),                _seams,            lambda _: "seamless_cube_map is off"),
    Rule("unnormalized",    "coordinates",   _FIT,                      _unnormalized,     lambda d: "coordinates in texels leave no choice" if d.unnormalized_coordinates else "the shader divides by the texture's size"),
    Rule("border-type",     "border",        (),                        _border_type,      lambda d: d.retyped),
    Rule("border",          "border",        (*_BORDER, *_AXES),                   _border,           lambda d: f"{d.border.fallback.label}: {d.border.because}{d.retyped}"),
    Rule("whole-limits",    "mipmaps",       _LODS,                     _whole_limits,     lambda _: "the shader samples whole levels, and limits the level of detail itself"),
    Rule("fixed-depth",     "comparison",    (),                        _fixed_depth,      lambda _: ""),
)
# fmt: on
