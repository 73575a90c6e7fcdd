"""An account of a conversion: whether the sampler and the shader's work together are what GL asks for.

It looks at the results alone, member by member: what the create info has, what the lowering adds, what is said to be
unsupported. What is in none of them was dropped in silence. Whether a shader then does its work is for the tests of
`statetracker.shader`, in pixels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.vulkan_formats import vulkan_format
from statetracker.pipe import TexCompare, TexFilter, TexMipfilter, TexWrap
from statetracker.pipe.formats import pipe_format
from statetracker.vulkan import facts_of
from statetracker.vulkan.enums import SamplerAddressMode as Mode
from statetracker.vulkan.enums import SamplerCreateFlag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import statetracker as st
    from statetracker.pipe import Lowering, LoweringValues, SamplerState
    from statetracker.vulkan import SamplerCreateInfo, View

__all__ = ["ACCOUNTS", "Conversion", "dropped"]

_MOST: Final = 1000.0  # levels, beyond every texture
_SEAMS: Final = int(SamplerCreateFlag.NON_SEAMLESS_CUBE_MAP_BIT_EXT)

# fmt: off
#: Address mode, folded, mirrored at zero, the shader's share of the border -> the wrap that this is.
_WRAPS: Final[Mapping[tuple[Mode, bool, bool, str], TexWrap]] = {
    (Mode.REPEAT,               False, False, ""):            TexWrap.REPEAT,
    (Mode.MIRRORED_REPEAT,      False, False, ""):            TexWrap.MIRROR_REPEAT,
    (Mode.CLAMP_TO_EDGE,        False, False, ""):            TexWrap.CLAMP_TO_EDGE,
    (Mode.MIRROR_CLAMP_TO_EDGE, False, False, ""):            TexWrap.MIRROR_CLAMP_TO_EDGE,
    (Mode.CLAMP_TO_EDGE,        True,  False, ""):            TexWrap.MIRROR_CLAMP_TO_EDGE,
    (Mode.CLAMP_TO_BORDER,      False, False, ""):            TexWrap.CLAMP_TO_BORDER,
    (Mode.CLAMP_TO_BORDER,      False, False, "predefined"):  TexWrap.CLAMP_TO_BORDER,
    (Mode.CLAMP_TO_EDGE,        False, False, "edge"):        TexWrap.CLAMP_TO_BORDER,
    (Mode.CLAMP_TO_BORDER,      True,  True,  ""):            TexWrap.MIRROR_CLAMP_TO_BORDER,
    (Mode.CLAMP_TO_BORDER,      True,  True,  "predefined"):  TexWrap.MIRROR_CLAMP_TO_BORDER,
    (Mode.MIRROR_CLAMP_TO_EDGE, False, True,  "edge"):        TexWrap.MIRROR_CLAMP_TO_BORDER,
    (Mode.CLAMP_TO_EDGE,        True,  True,  "edge"):        TexWrap.MIRROR_CLAMP_TO_BORDER,
    (Mode.CLAMP_TO_EDGE,        False, False, "half edge"):   TexWrap.CLAMP,
    (Mode.MIRROR_CLAMP_TO_EDGE, False, True,  "half edge"):   TexWrap.MIRROR_CLAMP,
    (Mode.CLAMP_TO_EDGE,        True,  True,  "half edge"):   TexWrap.MIRROR_CLAMP,
}
# fmt: on


class Conversion(NamedTuple):
    """What is accounted for: ``asked`` is the record that GL's state is on a screen that has everything."""

    asked: SamplerState
    rectangle: bool
    info: SamplerCreateInfo
    work: Lowering
    values: LoweringValues
    view: View
    screen: st.Screen

    @property
    def integer(self) -> bool:
        """Whether texels are integers, which nothing filters."""
        return pipe_format(self.view.format).is_pure_integer

    @property
    def compares(self) -> bool:
        """Whether GL compares."""
        return self.asked.compare_mode == TexCompare.R_TO_TEXTURE

    @property
    def levels(self) -> bool:
        """Whether there are mipmaps."""
        return self.asked.min_mip_filter < TexMipfilter.NONE

    @property
    def filters(self) -> tuple[bool, bool, bool]:
        """Which of the minifying, magnifying and mipmap filters GL asks to be linear."""
        mips = self.asked.min_mip_filter == TexMipfilter.LINEAR
        return self.asked.min_img_filter == TexFilter.LINEAR, self.asked.mag_img_filter == TexFilter.LINEAR, mips

    def says(self, name: str) -> bool:
        """Whether it is said to be unsupported."""
        return any(one.name == name for one in self.info.unsupported)


def _modes(c: Conversion) -> tuple[Mode, ...]:
    return c.info.address_mode_u, c.info.address_mode_v, c.info.address_mode_w


def _wraps(c: Conversion) -> bool:
    if c.view.cube and c.asked.seamless_cube_map:  # its wraps are no matter
        return True
    wanted = c.asked.wrap_s, c.asked.wrap_t, c.asked.wrap_r
    for letter, wrap, mode in zip("str", wanted, _modes(c), strict=True):
        half = letter in c.work.half_border
        share = "half " * half + c.work.route if half or letter in c.work.border else ""
        if _WRAPS.get((mode, letter in c.work.fold, letter in c.work.reflect, share)) != wrap:
            return False
    return True


def _border(c: Conversion) -> bool:
    shares = tuple(
        0.0 if axis in c.work.border else 0.5 if axis in c.work.half_border else 1.0
        for axis in "str"
    )  # fmt: skip
    own = any(
        mode == Mode.CLAMP_TO_BORDER and axis not in c.work.border for axis, mode in zip("str", _modes(c), strict=True)
    )
    exact = c.info.border.error == 0 and not c.says("border-swizzle")
    return c.values.k == shares and (exact or not own or c.says("border"))


def _seams(c: Conversion) -> bool:
    if not c.view.cube:
        return not c.work.cube_edges
    seamless = bool(c.asked.seamless_cube_map)
    if seamless or not c.work.cube_edges:
        return not c.work.cube_edges and bool(c.info.flags & _SEAMS) != seamless
    wraps = zip("st", (c.asked.wrap_s, c.asked.wrap_t), strict=True)
    return c.work.repeat == "".join(axis for axis, wrap in wraps if wrap == TexWrap.REPEAT)


def _bias(c: Conversion) -> bool:
    asked = c.asked.lod_bias if c.asked.lod_bias == c.asked.lod_bias else 0.0
    rest = c.values.rest if c.work.add_lod_bias else 0.0
    there = _held(c.info.mip_lod_bias + rest)
    return there == _held(asked) and c.values.lod_bias == c.info.mip_lod_bias


def _held(level: float) -> float:
    return max(-_MOST, min(_MOST, level))


def _limits(c: Conversion) -> bool:
    low, high = (c.asked.min_lod, c.asked.max_lod) if c.levels else (0.0, 0.25)
    low = low if low == low else 0.0  # noqa: PLR0124 (not NaN)
    high = max(low, high)  # low where it is NaN
    has = c.info.min_lod, c.info.max_lod
    if c.work.limit_lod:
        return has[0] <= low and has[1] >= high and (c.values.min_lod, max(c.values.max_lod, low)) == (low, high)
    return has == (low, high)


def _filters(c: Conversion) -> bool:
    has = bool(c.info.min_filter), bool(c.info.mag_filter), bool(c.info.mipmap_mode)
    work = c.work
    said = bool(work.min_img_filter), bool(work.mag_img_filter), work.min_mip_filter == TexMipfilter.LINEAR
    if work.reads_values and said != c.filters:
        return False
    return work.filter_texels or has == c.filters or (c.says("filtering") and c.integer)


def _reduction(c: Conversion) -> bool:
    asked, alone = int(c.asked.reduction_mode), c.integer or True not in c.filters
    done = int(c.work.reduction) if c.work.filter_texels else int(c.info.reduction_mode or 0)
    return alone or done == asked or c.says("reduction")


def _comparison(c: Conversion) -> bool:
    has, said = c.info.compare_enable, c.work.compare_func
    if not c.compares:
        return not has and said is None
    agrees = not (c.work.reads_values or c.work.fixed_depth) or said == c.asked.compare_func
    return c.says("comparison") or (has and int(c.info.compare_op) == c.asked.compare_func and agrees)


def _anisotropy(c: Conversion) -> bool:
    asked = float(c.asked.max_anisotropy) if c.asked.max_anisotropy > 1 else 0.0
    agrees = not c.work.reads_values or c.work.anisotropic == c.info.anisotropy_enable
    return agrees and (c.info.max_anisotropy == asked or c.integer or c.says("anisotropy"))


def _coordinates(c: Conversion) -> bool:
    return c.rectangle == (c.work.normalize or c.info.unnormalized_coordinates)


def _depth(c: Conversion) -> bool:
    """Of fixed-point depth the reference is clamped where the shader compares, or the device keeps floats."""
    form = pipe_format(c.view.format)
    if not (c.compares and c.info.compare_enable and form.has_depth and "Z32_FLOAT" not in c.view.format):
        return not c.work.fixed_depth
    floats = "SFLOAT" in (vulkan_format(c.view.format, facts_of(c.screen)) or "")
    return c.work.fixed_depth == (floats or bool(c.work.covered) or c.work.filter_texels)


#: What is accounted for -> whether it is.
ACCOUNTS: Final[Mapping[str, Callable[[Conversion], bool]]] = {
    "wraps": _wraps,
    "border": _border,
    "seams": _seams,
    "bias": _bias,
    "limits": _limits,
    "filters": _filters,
    "reduction": _reduction,
    "comparison": _comparison,
    "anisotropy": _anisotropy,
    "coordinates": _coordinates,
    "depth": _depth,
}


def dropped(conversion: Conversion) -> Iterator[str]:
    """Name what a conversion loses without a word."""
    return (name for name, accounted in ACCOUNTS.items() if not accounted(conversion))
