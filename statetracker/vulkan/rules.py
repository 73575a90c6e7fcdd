"""The rules: pipe record to create info, one after the other, in the order of `RULES`.

Each rule reads the draft, and writes what its row names. A rule does nothing where the dialect or the device gives it
nothing to do; `statetracker.vulkan.explanation` sees which ones did. Source: docs/vulkan_samplers.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.pipe.enums import Func, TexFilter, TexWrap
from statetracker.pipe.wraps import WRAPS, image_filters
from statetracker.vulkan import shader_rules
from statetracker.vulkan.device import shown_limit
from statetracker.vulkan.draft import ADDRESSES, NO_MIPS
from statetracker.vulkan.draft_lowering import MOST_LEVELS
from statetracker.vulkan.enums import CompareOp, Filter, SamplerAddressMode, SamplerMipmapMode
from statetracker.vulkan.views import can_compare, can_filter, can_reduce

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.vulkan.draft import Draft

#: maxLod where there is no mip filter: never leaves level 0, and still has both magnified and minified.
LEVEL_0_MAX_LOD: Final = 0.25

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

    Attributes:
        name: As explanations and docs have it.
        section: Of docs/vulkan_samplers.md.
        sets: The members it may change.
        apply: Changes the draft.
        because: The reason, after `apply` changed something.
    """

    name: str
    section: str
    sets: tuple[str, ...]
    apply: Callable[[Draft], None]
    because: Callable[[Draft], str]


def _one_filter(d: Draft) -> None:
    if d.device.webgpu:
        filters = image_filters(d.min_filter, d.mag_filter, d.min_mip_filter, d.min_lod, d.max_lod)
        d.min_filter, d.mag_filter = (Filter(one) for one in filters)
        d.asked = (TexFilter(filters[0]), TexFilter(filters[1]), *d.asked[2:])


def _level_0(d: Draft) -> None:
    if d.min_mip_filter >= NO_MIPS:
        d.mipmap_mode, d.min_lod, d.max_lod = SamplerMipmapMode.NEAREST, 0.0, LEVEL_0_MAX_LOD


def _lods(d: Draft) -> None:
    if d.dialect.lods == "repair":
        if d.min_lod != d.min_lod:
            d.min_lod = 0.0
        if not d.max_lod >= d.min_lod:
            d.max_lod = d.min_lod
        if d.device.webgpu:
            d.min_lod, d.max_lod = (min(max(one, 0.0), MOST_LEVELS) for one in (d.min_lod, d.max_lod))
    elif d.dialect.lods == "max" and not d.max_lod > d.min_lod:
        d.max_lod = d.min_lod


def _clamp(d: Draft) -> None:
    for n, axis in enumerate(ADDRESSES):
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
    for n, axis in enumerate(ADDRESSES):
        if getattr(d, axis) != TexWrap.MIRROR_CLAMP_TO_BORDER:
            continue
        if d.dialect.mirror_border == "fold":
            _fold(d, n, axis)
            d.reflect |= 1 << n
        else:
            setattr(d, axis, TexWrap.MIRROR_CLAMP_TO_EDGE)
            because = "Vulkan has no such address mode, and this dialect takes the edge for the border"
            d.note_unsupported("mirror-border", axis, "MIRROR_CLAMP_TO_BORDER", "MIRROR_CLAMP_TO_EDGE", because=because)


def _mirror_edge(d: Draft) -> None:
    if d.dialect.mirror_edge != "gate":
        return
    for n, axis in enumerate(ADDRESSES):
        if getattr(d, axis) == TexWrap.MIRROR_CLAMP_TO_EDGE and not d.device.mirror_edge:
            _fold(d, n, axis)


def _fold(d: Draft, n: int, axis: str) -> None:
    setattr(d, axis, WRAPS[getattr(d, axis)].folded)
    d.fold |= 1 << n


def _address_mode(d: Draft) -> None:
    for axis in ADDRESSES:
        setattr(d, axis, ADDRESS_MODE[getattr(d, axis)])


def _bias(d: Draft) -> None:
    asked = d.mip_lod_bias
    if d.dialect.bias == "as-is" or not asked:
        return
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
    if d.device.webgpu and d.min_mip_filter >= NO_MIPS and d.min_filter == d.mag_filter:
        d.mipmap_mode, d.max_lod = SamplerMipmapMode.LINEAR, 0.0
    if d.device.webgpu and not (d.min_filter and d.mag_filter and d.mipmap_mode):
        d.limit_anisotropy(0.0, "WebGPU wants all three filters linear with it")
        return
    kept = min(d.max_anisotropy, d.device.anisotropy)
    if kept != d.max_anisotropy:
        d.limit_anisotropy(
            kept if kept > 1 else 0.0, "the device allows no more" if kept > 1 else "the device has none"
        )


def _compare(d: Draft) -> None:
    if not d.compare_enable:
        d.compare_op = CompareOp.NEVER


def _reduction(d: Draft) -> None:
    asked = d.reduction_mode
    if asked not in _REDUCTIONS:
        d.reduction_mode, d.because = None, "averaging needs no struct"
        if asked:
            d.note_unsupported("reduction", "reduction_mode", asked, None, because="no reduction mode has that number")
    elif d.dialect.reduction == "gate":
        if d.compare_enable:
            d.drop_reduction("depth is compared, and Vulkan then only averages")
        elif not d.device.minmax:
            d.drop_reduction("the device has neither samplerFilterMinmax nor VK_EXT_sampler_filter_minmax")


def _uncomparable(d: Draft) -> None:
    """Turn comparing off where the format refuses it, and what stayed linear because it was compared."""
    view = d.seen
    if not d.compare_enable or view is None or can_compare(d.device.facts, view.format):
        return
    because = f"the device cannot compare {view.format}"
    d.note_unsupported("comparison", "compare_enable", Func(d.compare_op).name, "NEVER", because=because)
    d.compare_enable, d.compare_op = False, CompareOp.NEVER
    if not can_filter(d.device.facts, view.format):
        shader_rules.nearest(d)


def _view(d: Draft) -> None:
    """Record what the format that will be sampled cannot do."""
    view = d.seen
    if view is None:
        return
    if d.anisotropy_enable and not d.compare_enable and not can_filter(d.device.facts, view.format):
        d.limit_anisotropy(0.0, f"{view.format} cannot be filtered")
    if d.reduction_mode is not None and not can_reduce(d.device.facts, view.format):
        d.drop_reduction(f"the device cannot reduce {view.format}")


def _unnormalized(d: Draft) -> None:
    if not d.unnormalized_coords or d.dialect.unnormalized == "as-is":
        return
    d.unnormalized_fits &= not d.device.webgpu
    fits = d.unnormalized_fits and not d.compare_enable
    if d.dialect.unnormalized == "never" or not fits or shader_rules.counts_texels(d):
        d.unnormalized_coordinates = False
        d.normalize = True
        return
    d.min_filter = d.mag_filter
    d.mipmap_mode, d.min_lod, d.max_lod = SamplerMipmapMode.NEAREST, 0.0, 0.0
    for axis in ADDRESSES[:2]:
        if getattr(d, axis) != SamplerAddressMode.CLAMP_TO_BORDER:
            setattr(d, axis, SamplerAddressMode.CLAMP_TO_EDGE)
    if d.anisotropy_enable:
        d.limit_anisotropy(0.0, "unnormalised coordinates have no anisotropy")


_LODS: Final = ("min_lod", "max_lod")
_ANISO: Final = ("anisotropy_enable", "max_anisotropy")
_BORDER: Final = ("border_color", "custom_border_color", "component_mapping")
_FILTERS: Final = ("mag_filter", "min_filter", "mipmap_mode")
_COMPARED: Final = ("compare_enable", "compare_op", *_FILTERS)
_FILTERED: Final = (*_ANISO, "reduction_mode")
_SHADED: Final = (*_FILTERS, *_FILTERED)
_FIT: Final = ("unnormalized_coordinates", "min_filter", "mipmap_mode", *_LODS, *ADDRESSES[:2], *_ANISO)

# fmt: off
RULES: Final = (
    #    name               section          sets                        apply                       because
    Rule("one-filter",      "mipmaps",       ("mag_filter", "min_filter"), _one_filter,                lambda _: "there is no mip filter, and the limits of the level of detail leave out the other filter"),
    Rule("level-0",         "mipmaps",       ("mipmap_mode", *_LODS),    _level_0,                   lambda _: "there is no mip filter: level 0 alone, and still magnified or minified"),
    Rule("lod-order",       "mipmaps",       _LODS,                      _lods,                      lambda d: "levels of detail are finite and not negative" if d.device.webgpu else "Vulkan needs the upper LOD not below the lower one, and no NaN"),
    Rule("cube",            "address-modes", ADDRESSES,                  shader_rules.cube,          lambda _: "a cube that is sampled across its edges has no wraps"),
    Rule("clamp",           "address-modes", ADDRESSES,                  _clamp,                     lambda d: "Vulkan has no such mode; " + ("the shader mixes in the border" if d.dialect.clamp == "coverage" else f"the image filters are {'both' if d.min_filter and d.mag_filter else 'not both'} linear, and the shader clamps the coordinate")),
    Rule("mirror-border",   "address-modes", ADDRESSES,                  _mirror_border,             lambda d: "Vulkan has no such mode; " + ("the shader takes the coordinate's absolute value" if d.dialect.mirror_border == "fold" else "the edge is near the border")),
    Rule("mirror-edge",     "address-modes", ADDRESSES,                  _mirror_edge,               lambda _: "the device lacks samplerMirrorClampToEdge; the shader takes the coordinate's absolute value"),
    Rule("address-mode",    "address-modes", ADDRESSES,                  _address_mode,              lambda _: "Vulkan's name for it"),
    Rule("bias-limit",      "bias",          ("mip_lod_bias",),          _bias,                      lambda d: "NaN is no bias" if not (d.mip_lod_bias or d.lod_bias_rest) else "the device cannot bias; the shader adds it" if d.device.bias_fixed else f"maxSamplerLodBias is {shown_limit(d.device.facts, 'maxSamplerLodBias')}"),
    Rule("no-anisotropy",   "anisotropy",    ("max_anisotropy",),        _no_anisotropy,             lambda _: "1 and less is off, and off is 0"),
    Rule("anisotropy-gate", "anisotropy",    (*_ANISO, "mipmap_mode", "max_lod"), _limit_anisotropy,          lambda d: d.because or "with anisotropy the mipmap filter must be linear; level 0 alone is limits of 0"),
    Rule("no-compare",      "comparison",    ("compare_op",),            _compare,                   lambda _: "depth is not compared"),
    Rule("reduction",       "reduction",     ("reduction_mode",),        _reduction,                 lambda d: d.because),
    Rule("view-comparison", "views",         _COMPARED,                  _uncomparable,              lambda d: d.because),
    Rule("view",            "views",         _FILTERED,                  _view,                      lambda d: d.because),
    Rule("conversion",      "views",         (),                         shader_rules.conversion,    lambda d: d.because),
    Rule("sampled",         "views",         (),                         shader_rules.sampled,       lambda d: d.because),
    Rule("filtering",       "views",         _SHADED,                    shader_rules.filtering,     lambda d: d.because),
    Rule("seams",           "seams",         ("flags", *_SHADED),        shader_rules.seams,         lambda d: "seamless_cube_map is off" if d.flags else d.because),
    Rule("border-type",     "border",        (),                         shader_rules.border_type,   lambda d: d.retyped),
    Rule("unnormalized",    "coordinates",   _FIT,                       _unnormalized,              lambda d: "coordinates in texels leave no choice" if d.unnormalized_coordinates else "the shader divides by the texture's size"),
    Rule("border",          "border",        _BORDER,                    shader_rules.border,        lambda d: f"{d.border.fallback.label}: {d.border.because}{d.retyped}"),
    Rule("in-shader",       "border",        ("flags", *ADDRESSES, *_SHADED), shader_rules.in_shader,     lambda d: "the shader mixes in the border" + (", and the sampler reads the edge" if d.route == "edge" else "")),
    Rule("whole-limits",    "mipmaps",       _LODS,                      shader_rules.whole_limits,  lambda _: "the shader samples whole levels, and limits the level of detail itself"),
    Rule("fixed-depth",     "comparison",    (),                         shader_rules.fixed_depth,   lambda _: "the format is of fixed point, and the shader compares or clamps the reference"),
)
# fmt: on
