"""`Draft`: a create info in the making, and what the rules note beside it.

The rules of `statetracker.vulkan.rules` write into a draft one after the other. A member starts as the record has it;
the address modes stay ``PIPE_TEX_WRAP`` until the rule that gives them Vulkan's names.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from statetracker.errors import UnknownName
from statetracker.pipe.enums import Func, TexFilter, TexMipfilter, TexWrap
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.layout import MASKS, RECORD, SHIFTS
from statetracker.pipe.lowering import AXES, NO_LOWERING, Lowering
from statetracker.pipe.lowering_values import LoweringValues
from statetracker.vulkan.border_choice import BorderChoice
from statetracker.vulkan.enums import BorderColor, SamplerAddressMode, SamplerReductionMode
from statetracker.vulkan.formats import channels_of_one
from statetracker.vulkan.info import CHAINED, MEMBERS, SamplerCreateInfo, Unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.vulkan.device import Device
    from statetracker.vulkan.dialects import VulkanDialect
    from statetracker.vulkan.views import View

__all__ = ["ADDRESSES", "NO_MIPS", "TRACKED", "Draft"]

#: Beyond every level of every texture.
MOST_LEVELS: Final = 1000.0
#: The members of the address modes, of S, T and R.
ADDRESSES: Final = ("address_mode_u", "address_mode_v", "address_mode_w")
#: From this number on there is no mip filter; 3 has no name.
NO_MIPS: Final = int(TexMipfilter.NONE)

#: What an explanation watches: every member, and the chain.
TRACKED: Final = tuple(member.attribute for member in (*MEMBERS, *CHAINED))

_CLAMP_TO_BORDER: Final = SamplerAddressMode.CLAMP_TO_BORDER
#: Members that are enums -> number -> member; a reduction mode may be None.
_NAMED: Final[Mapping[str, Mapping[int | None, IntEnum | None]]] = {
    member.attribute: {None: None, **{int(named): named for named in member.type}}
    for member in (*MEMBERS, *CHAINED)
    if issubclass(member.type, IntEnum)
}
_COPIED: Final = (*(name for name in TRACKED if name not in _NAMED), "border", "dialect", "unsupported")


class Draft(SamplerCreateInfo):
    """The members so far, the record they came from, and everything a rule may ask.

    device, dialect          for whom, and by whose rules
    view                     the view that will be sampled, or None
    free_slots               custom border colours that may still be made
    color                    the border colour's four words
    integer                  the border colour is read as integers
    retyped                  why it is not read by the record's flag; empty where it is
    unnormalized_fits        the caller samples with an explicit LOD on 1D or 2D views only
    asked                    the record's filters and comparison, whatever the sampler gets
    clamp .. reflect         axes of `Lowering` as bits: 1 S, 2 T, 4 R
    normalize .. route       as in `Lowering`
    filter_in_shader         formats that the device does not filter are left to the shader
    """

    __slots__ = (
        "asked",
        "border_bits",
        "border_color_format",
        "clamp",
        "color",
        "cube_edges",
        "device",
        "dialect",
        "filter_in_shader",
        "filter_texels",
        "fixed_depth",
        "fold",
        "free_slots",
        "half",
        "integer",
        "limit_lod",
        "limits",
        "min_mip_filter",
        "mirror",
        "normalize",
        "reflect",
        "retyped",
        "route",
        "seamless_cube_map",
        "unnormalized_coords",
        "unnormalized_fits",
        "view",
        "wraps",
    )

    device: Device
    dialect: VulkanDialect
    filter_texels: bool
    retyped: str
    view: View | None

    def __init__(
        self,
        record: bytes,
        device: Device,
        dialect: VulkanDialect,
        *,
        view: View | None,
        free_slots: int | None,
        unnormalized_fits: bool,
        filter_in_shader: bool,
    ) -> None:
        """Take the record apart; every member is as the record has it."""
        word, bias, low, high, *rest = RECORD.unpack(record)
        self.device = device
        self.dialect = dialect
        self.view = view
        self.free_slots = device.custom_slots if free_slots is None else min(free_slots, device.custom_slots)
        self.unnormalized_fits = unnormalized_fits
        self.color: tuple[int, int, int, int] = (rest[0], rest[1], rest[2], rest[3])
        self.border_color_format: int = rest[4]
        self.integer = bool(word & MASKS["border_color_is_integer"])
        self.seamless_cube_map = bool(word & MASKS["seamless_cube_map"])
        self.unnormalized_coords = bool(word & MASKS["unnormalized_coords"])
        self.min_mip_filter: int = (word & MASKS["min_mip_filter"]) >> SHIFTS["min_mip_filter"]
        self.wraps = (word & 7, word >> 3 & 7, word >> 6 & 7)
        self.retyped = ""
        self.clamp = self.mirror = self.fold = self.border_bits = self.half = self.reflect = 0
        self.normalize = self.cube_edges = self.limit_lod = self.filter_texels = self.fixed_depth = False
        self.filter_in_shader = filter_in_shader
        self.route = ""
        self.lod_bias_rest = 0.0
        self.unsupported = ()
        self.border = BorderChoice()
        self.flags = 0
        self.mag_filter = word >> SHIFTS["mag_img_filter"] & 1
        self.min_filter = word >> SHIFTS["min_img_filter"] & 1
        self.mipmap_mode = word >> SHIFTS["min_mip_filter"] & 3
        self.address_mode_u, self.address_mode_v, self.address_mode_w = self.wraps
        self.mip_lod_bias = bias
        self.max_anisotropy = float((word & MASKS["max_anisotropy"]) >> SHIFTS["max_anisotropy"])
        self.anisotropy_enable = self.max_anisotropy > 1
        self.compare_enable = bool(word & MASKS["compare_mode"])
        self.compare_op = (word & MASKS["compare_func"]) >> SHIFTS["compare_func"]
        self.min_lod, self.max_lod = low, high
        self.limits = (low, high)
        mips = TexMipfilter(min(self.min_mip_filter, NO_MIPS))
        func = Func(self.compare_op) if self.compare_enable else None
        self.asked = (TexFilter(self.min_filter), TexFilter(self.mag_filter), mips, func)
        self.border_color = BorderColor.FLOAT_TRANSPARENT_BLACK
        self.unnormalized_coordinates = self.unnormalized_coords
        self.custom_border_color = self.component_mapping = None
        self.reduction_mode = (word & MASKS["reduction_mode"]) >> SHIFTS["reduction_mode"]

    @property
    def reads_border(self) -> bool:
        """Whether an address mode reads the border colour; they must be settled."""
        return _CLAMP_TO_BORDER in (self.address_mode_u, self.address_mode_v, self.address_mode_w)

    @property
    def format_name(self) -> str | None:
        """The pipe format that the record gives for the border colour; None where it gives none that exists."""
        if not self.border_color_format:
            return None
        try:
            return pipe_format(self.border_color_format).name
        except UnknownName:
            return None

    def refuse(
        self, name: str, member: str, wanted: object, got: object, size: float | None = None, *, because: str
    ) -> None:
        """Note what cannot be had; the arguments are the members of `Unsupported`."""
        self.unsupported = (*self.unsupported, Unsupported(name, member, wanted, got, size, because))

    def turn_down(self, kept: float, because: str) -> None:
        """Keep less anisotropy; what is not more than 1 is none."""
        asked = self.max_anisotropy
        self.anisotropy_enable, self.max_anisotropy = kept > 1, kept
        self.refuse("anisotropy", "max_anisotropy", asked, kept, asked - max(kept, 1.0), because=because)

    def average(self, because: str) -> None:
        """Drop the reduction mode, a MIN or MAX."""
        self.refuse("reduction", "reduction_mode", self.reduction_name, "WEIGHTED_AVERAGE", because=because)
        self.reduction_mode = None

    @property
    def reduction_name(self) -> str:
        """The name of a reduction mode that is MIN or MAX."""
        return SamplerReductionMode(self.reduction_mode or 0).name

    def info(self) -> SamplerCreateInfo:
        """The create info as it stands, without a second sampler and without work for the shader."""
        info = SamplerCreateInfo()
        for name, members in _NAMED.items():
            setattr(info, name, members[getattr(self, name)])
        for name in _COPIED:
            setattr(info, name, getattr(self, name))
        info.lowering = NO_LOWERING
        info.lowering_values = LoweringValues()
        info.lod_bias_rest = 0.0
        info.depth_border_sampler = None
        return info

    def lowered(self, *, second_sampler: bool) -> Lowering:
        """What is left to the shader."""
        work = Lowering(
            AXES[self.clamp],
            AXES[self.mirror],
            AXES[self.fold],
            normalize=self.normalize,
            cube_edges=self.cube_edges,
            add_lod_bias=bool(self.lod_bias_rest),
            second_sampler=second_sampler,
            border=AXES[self.border_bits],
            half_border=AXES[self.half],
            limit_lod=self.limit_lod,
            filter_texels=self.filter_texels,
            fixed_depth=self.fixed_depth,
        )
        if not work.needed or self.dialect.clamp == "coordinate":
            return work
        minify, magnify, mips, func = self.asked
        repeats = sum(1 << axis for axis, wrap in enumerate(self.wraps[:2]) if wrap == TexWrap.REPEAT)
        return work._replace(
            reflect=AXES[self.reflect],
            repeat=AXES[repeats] if self.cube_edges else "",
            route=self.route,
            ones=self._ones() if self.route == "predefined" else "",
            min_img_filter=minify,
            mag_img_filter=magnify,
            min_mip_filter=mips,
            compare_func=func,
            anisotropic=self.anisotropy_enable,
        )

    def _ones(self) -> str:
        if self.view is None or self.compare_enable:
            return ""
        return channels_of_one(self.view.format, self.view.swizzle, self.device.facts)

    def numbers(self) -> LoweringValues:
        """The numbers of the lowering; the border colour as the record has it."""
        shares = (0.0, 0.5, 1.0)
        k = [shares[0] if self.border_bits >> n & 1 else shares[1] if self.half >> n & 1 else 1.0 for n in range(3)]
        limits = self.limits if self.limits[0] == self.limits[0] else (0.0, self.limits[1])
        rest = max(-MOST_LEVELS, min(MOST_LEVELS, self.lod_bias_rest))  # of an infinite one as much as there can be
        return LoweringValues(self.color, (k[0], k[1], k[2]), self.mip_lod_bias, rest, *limits)
