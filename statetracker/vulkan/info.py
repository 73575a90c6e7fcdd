"""`SamplerCreateInfo`: a ``VkSamplerCreateInfo`` with its chain, as a frozen value.

Members are attributes in snake case (``mag_filter``), entries in Vulkan's own names (``info["magFilter"]``), and
`to_dict` gives the whole as plain data: enums by full name, masks and booleans as integers, the chain in ``pNext``.
Equality and hash are those of the C structs, bit for bit: two infos are equal where Vulkan could not tell them apart.

Source: Vulkan 1.3, 13 "Samplers", VK_EXT_custom_border_color, VK_EXT_border_color_swizzle.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.vulkan import enums as vk
from statetracker.vulkan.enums import vk_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from statetracker.vulkan.border import BorderChoice
    from statetracker.vulkan.draft import Loss, Needs

__all__ = ["MEMBERS", "ComponentMapping", "CustomBorderColor", "Member", "SamplerCreateInfo"]

_FLOATS: Final = Struct("<4f")
_INTS: Final = Struct("<4i")
_WORDS: Final = Struct("<4I")
_THREE: Final = Struct("<4f")

_STYPE: Final = "VK_STRUCTURE_TYPE_SAMPLER_"
_LETTERS: Final = {letter: f"VK_COMPONENT_SWIZZLE_{letter}" for letter in "RGBA"} | {
    "0": "VK_COMPONENT_SWIZZLE_ZERO",
    "1": "VK_COMPONENT_SWIZZLE_ONE",
}


class CustomBorderColor(NamedTuple):
    """``VkSamplerCustomBorderColorCreateInfoEXT``: the colour's four words, and a VkFormat without prefix."""

    words: tuple[int, int, int, int]
    format: str = "UNDEFINED"


class ComponentMapping(NamedTuple):
    """``VkSamplerBorderColorComponentMappingCreateInfoEXT``: the view's swizzle, letters of ``RGBA01``."""

    components: str
    srgb: bool = False


class Member(NamedTuple):
    """One member: its name in Vulkan, its attribute here, and how it becomes plain data."""

    name: str
    attribute: str
    plain: Callable[[Any], Any]


def _named(enum: Any) -> Callable[[Any], Any]:  # noqa: ANN401 (an enum class)
    names = {int(member): vk_name(enum, member) for member in enum}
    return lambda value: names.get(value) or int(value)


# fmt: off
#: The members between ``pNext`` and the end, in the order of the C struct.
MEMBERS: Final = (
    Member("flags",                   "flags",                    int),
    Member("magFilter",               "mag_filter",               _named(vk.Filter)),
    Member("minFilter",               "min_filter",               _named(vk.Filter)),
    Member("mipmapMode",              "mipmap_mode",              _named(vk.SamplerMipmapMode)),
    Member("addressModeU",            "address_mode_u",           _named(vk.SamplerAddressMode)),
    Member("addressModeV",            "address_mode_v",           _named(vk.SamplerAddressMode)),
    Member("addressModeW",            "address_mode_w",           _named(vk.SamplerAddressMode)),
    Member("mipLodBias",              "mip_lod_bias",             float),
    Member("anisotropyEnable",        "anisotropy_enable",        int),
    Member("maxAnisotropy",           "max_anisotropy",           float),
    Member("compareEnable",           "compare_enable",           int),
    Member("compareOp",               "compare_op",               _named(vk.CompareOp)),
    Member("minLod",                  "min_lod",                  float),
    Member("maxLod",                  "max_lod",                  float),
    Member("borderColor",             "border_color",             _named(vk.BorderColor)),
    Member("unnormalizedCoordinates", "unnormalized_coordinates", int),
)
# fmt: on

_ENTRIES: Final = ("sType", "pNext", *(member.name for member in MEMBERS))


class SamplerCreateInfo(Mapping[str, Any]):
    """A ``VkSamplerCreateInfo``. Made by `create_info`; a constant, do not write into it.

    It is a mapping of its plain data, member by member, and equal to any other mapping of the same.

    flags .. unnormalized_coordinates   the members, as enum members, numbers and bools
    custom_border_color                 a `CustomBorderColor` in the chain, or None
    component_mapping                   a `ComponentMapping` in the chain, or None
    reduction_mode                      what a VkSamplerReductionModeCreateInfo in the chain says, or None

    What the create info is not, but what belongs to it, and does not count when two are compared:

    border      `BorderChoice`: which rung of the ladder the border colour took, and what it costs
    needs       `Needs`: what the shader must make up for
    losses      `Loss`es: what was asked for and nobody makes up for
    depth_border_sampler   the info of a second sampler, for 24-bit depth that is kept in floats, or None
    """

    __slots__ = (
        "border",
        "component_mapping",
        "custom_border_color",
        "depth_border_sampler",
        "losses",
        "needs",
        "reduction_mode",
        *(member.attribute for member in MEMBERS),
    )

    flags: int
    mag_filter: vk.Filter
    min_filter: vk.Filter
    mipmap_mode: vk.SamplerMipmapMode
    address_mode_u: vk.SamplerAddressMode
    address_mode_v: vk.SamplerAddressMode
    address_mode_w: vk.SamplerAddressMode
    mip_lod_bias: float
    anisotropy_enable: bool
    max_anisotropy: float
    compare_enable: bool
    compare_op: vk.CompareOp
    min_lod: float
    max_lod: float
    border_color: vk.BorderColor
    unnormalized_coordinates: bool
    custom_border_color: CustomBorderColor | None
    component_mapping: ComponentMapping | None
    reduction_mode: vk.SamplerReductionMode | None
    border: BorderChoice
    needs: Needs
    losses: tuple[Loss, ...]
    depth_border_sampler: SamplerCreateInfo | None

    @property
    def p_next(self) -> dict[str, Any] | None:
        """The chain as plain data: custom border colour, component mapping, reduction mode; None without any."""
        chain: dict[str, Any] | None = None
        if self.reduction_mode is not None:
            mode = vk_name(vk.SamplerReductionMode, self.reduction_mode)
            chain = {"sType": f"{_STYPE}REDUCTION_MODE_CREATE_INFO", "pNext": None, "reductionMode": mode}
        if self.component_mapping is not None:
            letters = zip("rgba", self.component_mapping.components, strict=True)
            chain = {
                "sType": f"{_STYPE}BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT",
                "pNext": chain,
                "components": {to: _LETTERS[letter] for to, letter in letters},
                "srgb": int(self.component_mapping.srgb),
            }
        if self.custom_border_color is not None:
            raw = _WORDS.pack(*self.custom_border_color.words)
            chain = {
                "sType": f"{_STYPE}CUSTOM_BORDER_COLOR_CREATE_INFO_EXT",
                "pNext": chain,
                "customBorderColor": {
                    "float32": list(_FLOATS.unpack(raw)),
                    "int32": list(_INTS.unpack(raw)),
                    "uint32": list(self.custom_border_color.words),
                },
                "format": f"VK_FORMAT_{self.custom_border_color.format}",
            }
        return chain

    def to_dict(self) -> dict[str, Any]:
        """The create info as plain data, in Vulkan's own names; floats may be NaN in the colour's ``float32``."""
        plain = {name: member(getattr(self, attribute)) for name, attribute, member in MEMBERS}
        return {"sType": f"{_STYPE}CREATE_INFO", "pNext": self.p_next, **plain}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 (any member)
        """One member as plain data, by its name in Vulkan."""
        return self.to_dict()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_ENTRIES)

    def __len__(self) -> int:
        return len(_ENTRIES)

    @property
    def key(self) -> tuple[object, ...]:
        """What two infos are compared by: every member and the chain, floats by their bits."""
        floats = _THREE.pack(self.mip_lod_bias, self.max_anisotropy, self.min_lod, self.max_lod)
        rest = (getattr(self, m.attribute) for m in MEMBERS if m.plain is not float)
        return (floats, *rest, self.custom_border_color, self.component_mapping, self.reduction_mode)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SamplerCreateInfo):
            return self.key == other.key
        return self.to_dict() == other if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        """The members and the chain."""
        parts = [f"{m.attribute}={getattr(self, m.attribute)!r}" for m in MEMBERS]
        chained = ("custom_border_color", "component_mapping", "reduction_mode")
        parts += [f"{name}={getattr(self, name)!r}" for name in chained if getattr(self, name) is not None]
        return f"SamplerCreateInfo({', '.join(parts)})"
