"""`SamplerCreateInfo`: a ``VkSamplerCreateInfo`` with its chain, frozen, equal where Vulkan sees no difference.

Members are attributes in snake case (``mag_filter``), entries in Vulkan's own names (``info["magFilter"]``), and
`to_dict` gives the whole as plain data: enums by full name, masks and booleans as integers, the chain in ``pNext``.
Source: Vulkan 1.3, 13 "Samplers", VK_EXT_custom_border_color, VK_EXT_border_color_swizzle.
"""

from __future__ import annotations

from collections.abc import ItemsView, Mapping
from enum import IntEnum
from operator import attrgetter
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.vulkan import enums as vk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from statetracker.pipe import Lowering, LoweringValues
    from statetracker.vulkan.dialects import VulkanDialect
    from statetracker.vulkan.enums import BorderChoice, ComponentMapping, CustomBorderColor

_FLOATS: Final = Struct("<4f")
_INTS: Final = Struct("<4i")
_WORDS: Final = Struct("<4I")

_STYPE: Final = "VK_STRUCTURE_TYPE_SAMPLER_"
#: Letter of ``RGBA01`` -> VkComponentSwizzle.
SWIZZLES: Final = {letter: f"VK_COMPONENT_SWIZZLE_{letter}" for letter in "RGBA"} | {
    "0": "VK_COMPONENT_SWIZZLE_ZERO",
    "1": "VK_COMPONENT_SWIZZLE_ONE",
}


class Unsupported(NamedTuple):
    """A request that neither the create info nor a shader can meet.

    Attributes:
        name: Anisotropy, reduction, comparison, filtering, conversion, border, border-swizzle, mirror-border; on WebGPU
            also format, integers; of the views of a portability subset swizzle.
        member: Of the create info.
        wanted: What was requested.
        got: What the create info has.
        size: How much that is: samples (1 and more), or the largest channel's error; None where it is no number.
        because: Why.
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
        if self.name == "anisotropy":  # 0.0 is off, as 1 is
            return f"{self.name}: {self.wanted:g} samples became {self.got or 1:g}; {self.because}"
        size = "" if self.size is None else f" (by {self.size:g})"
        return f"{self.name}: {self.wanted} became {self.got}{size}; {self.because}"


class Member(NamedTuple):
    """One member: its name in Vulkan, its attribute here, the record's member that it comes from, and its type."""

    name: str
    attribute: str
    source: str
    type: type[Any]

    @property
    def plain(self) -> Callable[[Any], Any]:
        """The maker of plain data: enums by full name, flags and booleans as integers."""
        if not issubclass(self.type, IntEnum):
            return self.type
        names = {int(member): vk.vk_name(self.type, member) for member in self.type}
        return lambda value: names.get(value) or int(value)


# fmt: off
#: The members between ``pNext`` and the end, in the order of the C struct.
MEMBERS: Final = (
    #      name                       attribute                   source                 type
    Member("flags",                   "flags",                    "seamless_cube_map",   int),
    Member("magFilter",               "mag_filter",               "mag_img_filter",      vk.Filter),
    Member("minFilter",               "min_filter",               "min_img_filter",      vk.Filter),
    Member("mipmapMode",              "mipmap_mode",              "min_mip_filter",      vk.SamplerMipmapMode),
    Member("addressModeU",            "address_mode_u",           "wrap_s",              vk.SamplerAddressMode),
    Member("addressModeV",            "address_mode_v",           "wrap_t",              vk.SamplerAddressMode),
    Member("addressModeW",            "address_mode_w",           "wrap_r",              vk.SamplerAddressMode),
    Member("mipLodBias",              "mip_lod_bias",             "lod_bias",            float),
    Member("anisotropyEnable",        "anisotropy_enable",        "max_anisotropy",      int),
    Member("maxAnisotropy",           "max_anisotropy",           "max_anisotropy",      float),
    Member("compareEnable",           "compare_enable",           "compare_mode",        int),
    Member("compareOp",               "compare_op",               "compare_func",        vk.CompareOp),
    Member("minLod",                  "min_lod",                  "min_lod",             float),
    Member("maxLod",                  "max_lod",                  "max_lod",             float),
    Member("borderColor",             "border_color",             "border_color",        vk.BorderColor),
    Member("unnormalizedCoordinates", "unnormalized_coordinates", "unnormalized_coords", int),
)
#: Members in the structs of the chain.
CHAINED: Final = (
    Member("customBorderColor",       "custom_border_color",      "border_color",        tuple),
    Member("components",              "component_mapping",        "border_color",        tuple),
    Member("reductionMode",           "reduction_mode",           "reduction_mode",      vk.SamplerReductionMode),
)
# fmt: on

_PLAIN: Final = tuple((member.name, member.attribute, member.plain) for member in MEMBERS)
_FLOATING: Final = attrgetter(*(member.attribute for member in MEMBERS if member.type is float))
_OTHERS: Final = attrgetter(*(member.attribute for member in (*MEMBERS, *CHAINED) if member.type is not float))
_ENTRIES: Final = ("sType", "pNext", *(member.name for member in MEMBERS))


class SamplerCreateInfo(Mapping[str, Any]):
    """A ``VkSamplerCreateInfo``. Made by `create_info`; do not write into it.

    It is a mapping of its plain data, member by member, and equal to any other mapping of the same. ``flags`` to
    ``unnormalized_coordinates`` are the members, as enum members, numbers and bools; mip_lod_bias, min_lod and max_lod
    are levels, under ``native`` never NaN, and a max_lod of 1000.0 is no limit. What is not in the create info does not
    count when two are compared: ``dialect`` and what follows it.

    Attributes:
        max_anisotropy: A ratio from 1.0, which counts where anisotropy_enable is on.
        custom_border_color: A `CustomBorderColor` in the chain, or None.
        component_mapping: A `ComponentMapping` in the chain, or None.
        reduction_mode: Of a VkSamplerReductionModeCreateInfo in the chain, or None.
        dialect: `VulkanDialect`: by whose rules it was made.
        border: `BorderChoice`: how the border colour is given, and its error.
        lowering: `Lowering`: what the shader must do.
        lowering_values: `LoweringValues`: the numbers that it reads; see `statetracker.shader.border_values`.
        lod_bias_rest: Levels that the shader must add to the LOD bias, beyond what the sampler may; 0.0: none.
        unsupported: `Unsupported`: requests that cannot be met.
        depth_border_sampler: The info of a second sampler, bound instead for 24-bit depth kept in floats, or None.
    """

    __slots__ = (
        "border",
        "depth_border_sampler",
        "dialect",
        "lod_bias_rest",
        "lowering",
        "lowering_values",
        "unsupported",
        *(member.attribute for member in (*MEMBERS, *CHAINED)),
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
    dialect: VulkanDialect
    border: BorderChoice
    lowering: Lowering
    lowering_values: LoweringValues
    lod_bias_rest: float
    unsupported: tuple[Unsupported, ...]
    depth_border_sampler: SamplerCreateInfo | None

    @property
    def p_next(self) -> dict[str, Any] | None:
        """The chain as plain data: custom border colour, component mapping, reduction mode; None without any."""
        chain: dict[str, Any] | None = None
        if self.reduction_mode is not None:
            mode = vk.vk_name(vk.SamplerReductionMode, self.reduction_mode)
            chain = {"sType": f"{_STYPE}REDUCTION_MODE_CREATE_INFO", "pNext": None, "reductionMode": mode}
        if self.component_mapping is not None:
            letters = zip("rgba", self.component_mapping.components, strict=True)
            chain = {
                "sType": f"{_STYPE}BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT",
                "pNext": chain,
                "components": {to: SWIZZLES[letter] for to, letter in letters},
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
        """Return plain data, in Vulkan's own names; floats may be NaN in the colour's ``float32``."""
        plain = {name: member(getattr(self, attribute)) for name, attribute, member in _PLAIN}
        return {"sType": f"{_STYPE}CREATE_INFO", "pNext": self.p_next, **plain}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 (any member)
        """One member as plain data, by its name in Vulkan."""
        return self.to_dict()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_ENTRIES)

    def __len__(self) -> int:
        return len(_ENTRIES)

    def items(self) -> ItemsView[str, Any]:
        """Return the pairs, without a look-up for each."""
        return self.to_dict().items()

    @property
    def key(self) -> tuple[object, ...]:
        """The key that two infos are compared by: every member and the chain, floats by their bits."""
        return (_FLOATS.pack(*_FLOATING(self)), *_OTHERS(self))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SamplerCreateInfo):
            return self.key == other.key
        return self.to_dict() == other if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        parts = [f"{m.attribute}={getattr(self, m.attribute)!r}" for m in MEMBERS]
        parts += [f"{m.attribute}={value!r}" for m in CHAINED if (value := getattr(self, m.attribute)) is not None]
        return f"SamplerCreateInfo({', '.join(parts)})"


class Members(Mapping[str, Any]):
    """A mapping over ``_members``, which a descriptor or a view fills."""

    __slots__ = ("_members",)

    _members: dict[str, Any]

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 (any member)
        return self._members[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def items(self) -> ItemsView[str, Any]:
        """Return the pairs, without a look-up for each."""
        return self._members.items()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._members.items())})"


class HasInfo:
    """An object that keeps the create info of a sampler, as ``info``: the shader's share is that of the info."""

    __slots__ = ()

    info: SamplerCreateInfo

    @property
    def lowering(self) -> Lowering:
        """The shader's work for this sampler."""
        return self.info.lowering

    @property
    def lowering_values(self) -> LoweringValues:
        """The numbers that the shader reads."""
        return self.info.lowering_values
