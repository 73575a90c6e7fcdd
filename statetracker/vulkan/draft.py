"""`Draft`: a create info in the making, and what the rules note beside it.

The rules of `statetracker.vulkan.rules` write into a draft one after the other. A member starts as the record has it;
the address modes stay ``PIPE_TEX_WRAP`` until the rule that gives them Vulkan's names.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.pipe.formats import pipe_format
from statetracker.pipe.layout import MASKS, RECORD, SHIFTS
from statetracker.vulkan.border import BorderChoice
from statetracker.vulkan.enums import SamplerAddressMode
from statetracker.vulkan.info import MEMBERS, SamplerCreateInfo

if TYPE_CHECKING:
    from statetracker.vulkan.device import Device
    from statetracker.vulkan.dialects import VulkanDialect
    from statetracker.vulkan.info import ComponentMapping, CustomBorderColor

__all__ = ["TRACKED", "Draft", "Loss", "Needs", "View"]

#: What an explanation watches: every member, and the chain.
TRACKED: Final = (
    *(member.attribute for member in MEMBERS),
    "custom_border_color",
    "component_mapping",
    "reduction_mode",
)
_CLAMP_TO_BORDER: Final = SamplerAddressMode.CLAMP_TO_BORDER
_FLOATS: Final = Struct("<4f")
_WORDS: Final = Struct("<4I")


#: What a channel of a view may be: a component, zero or one.
SELECTORS: Final = "XYZW01"


class View(NamedTuple):
    """What is known of the image view that will be sampled, where something is.

    format    pipe format, without prefix
    swizzle   four letters of ``XYZW01``: the texture's swizzle composed with its format's, as the front end has it
    cube      whether it is a cube map; None: not known
    """

    format: str
    swizzle: str = "XYZW"
    cube: bool | None = None


class Needs(NamedTuple):
    """What the shader (or, for the last, whoever binds) must do because no create info can say it.

    saturate_s, saturate_t, saturate_r   clamp that coordinate to [0, 1]: GL_CLAMP reached Vulkan
    fold_s, fold_t, fold_r               take that coordinate's absolute value, derivatives before it; the address mode
                                         does the rest
    normalize                            divide the coordinates by the texture's size
    cube_edges                           sample a cube's faces one by one, without looking across an edge
    lod_bias                             levels to add in the shader, beyond what the sampler may add
    second_sampler                       bind `SamplerCreateInfo.depth_border_sampler`: 24-bit depth, kept in floats
    """

    saturate_s: bool = False
    saturate_t: bool = False
    saturate_r: bool = False
    fold_s: bool = False
    fold_t: bool = False
    fold_r: bool = False
    normalize: bool = False
    cube_edges: bool = False
    lod_bias: float = 0.0
    second_sampler: bool = False

    @property
    def items(self) -> tuple[str, ...]:
        """The names of those that are not off."""
        return tuple(name for name, value in self._asdict().items() if value)


class Loss(NamedTuple):
    """Something that was asked for and that nobody makes up for.

    name      anisotropy, reduction, comparison, border, border-swizzle, mirror-border
    member    of the create info
    wanted    what was asked for
    got       what the create info says
    size      how much that is: samples, or the largest channel's error; None where it is no number
    because   why
    """

    name: str
    member: str
    wanted: object
    got: object
    size: float | None
    because: str

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return self._asdict()

    def __str__(self) -> str:
        size = "" if self.size is None else f" (by {self.size:g})"
        return f"{self.name}: {self.wanted} became {self.got}{size}; {self.because}"


class Draft:
    """The members so far, the record they came from, and everything a rule may ask.

    record             the record's fields by their C names, as numbers; words and floats as stored
    device, dialect    for whom, and by whose rules
    view               the view that will be sampled, or None
    free_slots         custom border colours that may still be made
    integer            the border colour is read as integers
    retyped            why it is not read as the record says; empty where it is
    unnormalized_fits  the caller samples with an explicit LOD on 1D or 2D views only
    """

    __slots__ = (
        "border",
        "border_color_format",
        "color",
        "depth_border_sampler",
        "device",
        "dialect",
        "free_slots",
        "integer",
        "losses",
        "min_mip_filter",
        "needs",
        "retyped",
        "seamless_cube_map",
        "unnormalized_coords",
        "unnormalized_fits",
        "view",
        "wraps",
        *TRACKED,
    )

    device: Device
    dialect: VulkanDialect
    view: View | None
    border: BorderChoice
    flags: int
    mag_filter: int
    min_filter: int
    mipmap_mode: int
    address_mode_u: int
    address_mode_v: int
    address_mode_w: int
    mip_lod_bias: float
    anisotropy_enable: bool
    max_anisotropy: float
    compare_enable: bool
    compare_op: int
    min_lod: float
    max_lod: float
    border_color: int
    unnormalized_coordinates: bool
    custom_border_color: CustomBorderColor | None
    component_mapping: ComponentMapping | None
    reduction_mode: int | None

    def __init__(
        self,
        record: bytes,
        device: Device,
        dialect: VulkanDialect,
        *,
        view: View | None,
        free_slots: int | None,
        unnormalized_fits: bool,
    ) -> None:
        """Take the record apart; every member is as the record has it."""
        word, bias, low, high, *rest = RECORD.unpack(record)
        self.device = device
        self.dialect = dialect
        self.view = view
        self.free_slots = device.custom_slots if free_slots is None else min(free_slots, device.custom_slots)
        self.unnormalized_fits = unnormalized_fits
        self.losses: list[Loss] = []
        self.needs: dict[str, Any] = {}
        self.border = BorderChoice()
        self.depth_border_sampler: SamplerCreateInfo | None = None
        self.color: tuple[int, int, int, int] = (rest[0], rest[1], rest[2], rest[3])
        self.border_color_format: int = rest[4]
        self.integer = bool(word & MASKS["border_color_is_integer"])
        self.seamless_cube_map = bool(word & MASKS["seamless_cube_map"])
        self.unnormalized_coords = bool(word & MASKS["unnormalized_coords"])
        self.retyped = ""
        self.min_mip_filter: int = (word & MASKS["min_mip_filter"]) >> SHIFTS["min_mip_filter"]
        self.wraps = (word & 7, word >> 3 & 7, word >> 6 & 7)
        self.flags = 0
        self.mag_filter = word >> SHIFTS["mag_img_filter"] & 1
        self.min_filter = word >> SHIFTS["min_img_filter"] & 1
        self.mipmap_mode = self.min_mip_filter
        self.address_mode_u, self.address_mode_v, self.address_mode_w = self.wraps
        self.mip_lod_bias = bias
        self.max_anisotropy = float((word & MASKS["max_anisotropy"]) >> SHIFTS["max_anisotropy"])
        self.anisotropy_enable = self.max_anisotropy > 1
        self.compare_enable = bool(word & MASKS["compare_mode"])
        self.compare_op = (word & MASKS["compare_func"]) >> SHIFTS["compare_func"]
        self.min_lod, self.max_lod = low, high
        self.border_color = 0
        self.unnormalized_coordinates = self.unnormalized_coords
        self.custom_border_color = None
        self.component_mapping = None
        self.reduction_mode = (word & MASKS["reduction_mode"]) >> SHIFTS["reduction_mode"]

    @property
    def reads_border(self) -> bool:
        """Whether an address mode reads the border colour; they must be settled."""
        return _CLAMP_TO_BORDER in (self.address_mode_u, self.address_mode_v, self.address_mode_w)

    @property
    def floats(self) -> tuple[float, float, float, float]:
        """The border colour's words as floats."""
        r, g, b, a = _FLOATS.unpack(_WORDS.pack(*self.color))
        return r, g, b, a

    @property
    def format_name(self) -> str | None:
        """The pipe format that the record gives for the border colour; None where it gives none that exists."""
        if not self.border_color_format:
            return None
        from statetracker.errors import UnknownName

        try:
            return pipe_format(self.border_color_format).name
        except UnknownName:
            return None
