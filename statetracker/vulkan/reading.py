"""`ParsedCreateInfo`: a create info of any kind, good or bad, as the numbers Vulkan would see; and other forms of it.

Plain data has the members' own names: enums by name or number, masks as a number or a list of names, any integer in any
member, any structs in the chain; members left out are 0. `c_struct` and `pyvulkan_struct` write C memory, and the
objects of the `vulkan` package of PyPI, of any create info with its ``sType``. See docs/host_vulkan.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from struct import error as StructError  # noqa: N812 (it is a class)
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps.vulkan_formats import names_by_number, vulkan_formats
from statetracker.errors import ArgumentError, MissingExtra, UnknownName
from statetracker.spellings import looked_up
from statetracker.vulkan import enums as vk
from statetracker.vulkan.info import MEMBERS, SamplerCreateInfo
from statetracker.vulkan.ranges import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def c_struct(info: Mapping[str, Any]) -> Any:  # noqa: ANN401 (of bindings, whose types this package does not import)
    """Write a create info and its chain into C memory, which stays for as long as what is given back lives.

    Args:
        info: A create info.

    Returns:
        A `statetracker.bindings.vulkan_calls.CStruct`: ``pointer`` is cffi's, ``address`` an integer for ctypes and C.

    Raises:
        ArgumentError: It is no info.
    """
    from statetracker.bindings.vulkan_calls import CStruct

    if not hasattr(info, "items") or "sType" not in info:
        raise ArgumentError("info", info, accepted="a create info with its sType, such as Result.vulkan")
    return CStruct(info)


def pyvulkan_struct(info: Mapping[str, Any]) -> Any:  # noqa: ANN401 (the package's own)
    """Return a create info as the `vulkan` package has it: ``vulkan.vkCreateSampler(device, this, None)``.

    Its chain stays for as long as the object.

    Args:
        info: A create info.

    Raises:
        MissingExtra: The package is not installed.
    """
    try:
        from vulkan import ffi
    except ModuleNotFoundError:
        raise MissingExtra("an object of the vulkan package", "vulkan", "pyvulkan") from None
    from statetracker.bindings.vulkan_calls import copied

    return copied(ffi, c_struct(info))


_S: Final = "VK_STRUCTURE_TYPE_"
CREATE_INFO: Final = f"{_S}SAMPLER_CREATE_INFO"
CREATE_INFO_NUMBER: Final = 31

# fmt: off
#: Structs that may stand in the chain: sType -> (its number, what it is called in `ParsedCreateInfo.chain`).
CHAINED: Final[Mapping[str, tuple[int, str]]] = {
    f"{_S}SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT":            (1000287000, "custom"),
    f"{_S}SAMPLER_REDUCTION_MODE_CREATE_INFO":                     (1000130001, "reduction"),
    f"{_S}SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT": (1000411001, "mapping"),
    f"{_S}SAMPLER_YCBCR_CONVERSION_INFO":                          (1000156001, "ycbcr"),
    f"{_S}OPAQUE_CAPTURE_DESCRIPTOR_DATA_CREATE_INFO_EXT":         (1000316010, "opaque"),
    f"{_S}SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT":      (1000135011, "index"),
    f"{_S}SAMPLER_BLOCK_MATCH_WINDOW_CREATE_INFO_QCOM":            (1000518002, "window"),
    f"{_S}SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM":                 (1000519000, "weights"),
    f"{_S}DEBUG_UTILS_OBJECT_NAME_INFO_EXT":                       (1000128000, "label"),
}
# fmt: on
_CHAINED_NUMBERS: Final = dict(CHAINED.values())

_ENUMS: Final[Mapping[str, type[IntEnum]]] = {m.name: m.type for m in MEMBERS if issubclass(m.type, IntEnum)}
#: Members in the order in which they are read: flags, enums, numbers.
_READ: Final = ("flags", *_ENUMS, *(m.name for m in MEMBERS if m.name not in {"flags", *_ENUMS}))
_FLAGS: Final = {f"VK_SAMPLER_CREATE_{flag.name}": int(flag) for flag in vk.SamplerCreateFlag}
_KNOWN: Final = frozenset({"sType", "pNext", *_READ})


class ParsedCreateInfo:
    """The members by their names in Vulkan, and the chain.

    Args:
        info: A create info, or plain data in Vulkan's names.

    Attributes:
        members: Member -> number.
        right_type: sType is that of a sampler's create info.
        every: ``custom``, ``reduction`` and the other names of `CHAINED` -> all structs of that type, in order.
        chain: The same names -> the first struct of that type.
        strangers: sTypes in the chain that belong to no sampler, on any device.
        repeated: sTypes that are there more than once.
        words: The custom colour's four words, or None.
        format: The custom colour's VkFormat by name without prefix; None: there is no such struct, or no such format.
        reduction_mode: As chained; 0 (WEIGHTED_AVERAGE) where it is not.

    Raises:
        ArgumentError: Data that is no create info.
        UnknownName: A name that Vulkan does not have.
    """

    def __init__(self, info: SamplerCreateInfo | Mapping[str, Any]) -> None:
        data: Mapping[str, Any] = info.to_dict() if isinstance(info, SamplerCreateInfo) else info
        if not hasattr(data, "items"):
            raise ArgumentError("info", info, accepted="a SamplerCreateInfo, or a mapping with its members")
        unknown = next((name for name in data if name not in _KNOWN), None)
        if unknown is not None:
            raise UnknownName("member of VkSamplerCreateInfo", unknown, accepted=", ".join(sorted(_KNOWN)))
        self.right_type = data.get("sType", CREATE_INFO) in (CREATE_INFO, CREATE_INFO_NUMBER)
        self.members: dict[str, Any] = {name: _member(name, data.get(name, 0)) for name in _READ}
        self._read_chain(data.get("pNext"))
        custom = self.chain.get("custom")
        self.words: tuple[int, int, int, int] | None = None
        if custom is not None:
            self.words = _words(custom.get("customBorderColor", {}))
        self.format: str | None = None if custom is None else _format(custom)
        mode = self.chain.get("reduction", {}).get("reductionMode", 0)
        self.reduction_mode: int = _number("reductionMode", mode, vk.SamplerReductionMode)

    def _read_chain(self, entry: Any) -> None:  # noqa: ANN401 (plain data of any kind)
        self.every: dict[str, list[Mapping[str, Any]]] = {}
        self.strangers: list[object] = []
        self.repeated: list[object] = []
        seen: set[object] = set()
        read: set[int] = set()
        while entry is not None:
            if id(entry) in read:
                raise ArgumentError(
                    "pNext", entry.get("sType"), accepted="a chain that ends", hint="This struct follows itself."
                )
            read.add(id(entry))
            if not hasattr(entry, "get") or not isinstance(entry.get("sType"), str | int | None):
                raise ArgumentError("pNext", entry, accepted="None, or the next struct as a mapping with its sType")
            for inner in ("customBorderColor", "components", "windowExtent"):
                if not hasattr(entry.get(inner, {}), "items"):
                    raise ArgumentError(inner, entry[inner], accepted="a mapping of its members")
            s_type = entry.get("sType", 0)
            number, name = CHAINED.get(s_type, (s_type, _CHAINED_NUMBERS.get(s_type, "")))
            if number in seen:
                self.repeated.append(s_type)
            seen.add(number)
            if name:
                self.every.setdefault(name, []).append(entry)
            else:
                self.strangers.append(s_type)
            entry = entry.get("pNext")
        self.chain = {name: entries[0] for name, entries in self.every.items()}

    @property
    def formats(self) -> list[str | None]:
        """As `format`, of every custom colour's struct."""
        return [_format(entry) for entry in self.every.get("custom", ())]

    @property
    def reduction_modes(self) -> list[int]:
        """As `reduction_mode`, of every such struct."""
        modes = (entry.get("reductionMode", 0) for entry in self.every.get("reduction", ()))
        return [_number("reductionMode", mode, vk.SamplerReductionMode) for mode in modes]

    def shown(self, member: str) -> object:
        """Return a member as people read it: enums by name where they have one."""
        enum = _ENUMS.get(member)
        value = self.members.get(member)
        return value if enum is None else vk.vk_name(enum, self.members[member])


def _format(custom: Mapping[str, Any]) -> str | None:
    value = custom.get("format", 0)
    if not isinstance(value, str):
        return names_by_number().get(value) if isinstance(value, int) else None
    name = value.removeprefix("VK_FORMAT_")
    if name not in vulkan_formats():
        raise UnknownName("VkFormat", value, accepted="a name or number of the Khronos registry")
    return name


def _member(name: str, value: Any) -> Any:  # noqa: ANN401 (plain data of any kind)
    if name in _ENUMS:
        return _number(name, value, _ENUMS[name])
    if name == "flags":
        return _flags(value)
    if not isinstance(value, int | float):
        raise ArgumentError(name, value, accepted="a number")
    return value


def _number(member: str, value: Any, enum: type[IntEnum]) -> int:  # noqa: ANN401 (plain data of any kind)
    if isinstance(value, int):
        return value
    number = vk.NUMBERS[enum].get(value) if isinstance(value, str) else None
    if number is None:
        raise UnknownName(member, value, accepted=f"a number, or one of {', '.join(vk.NUMBERS[enum])}")
    return number


def _flags(value: Any) -> int:  # noqa: ANN401 (plain data of any kind)
    if isinstance(value, int):
        return value
    if not isinstance(value, Iterable):
        raise ArgumentError("flags", value, accepted="a mask as a number, or names of its flags")
    mask = 0
    for name in [value] if isinstance(value, str) else value:
        mask |= looked_up("flags", name, _FLAGS)
    return mask


def _words(colour: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Return the colour's words; of several forms the last one decides, as in a C union."""
    words = (0, 0, 0, 0)
    for form, four in colour.items():
        if form not in ("float32", "int32", "uint32"):
            raise UnknownName("member of VkClearColorValue", form, accepted="float32, int32, uint32")
        try:
            if form == "float32":
                words = words_of([float("nan") if part is None else part for part in four], "float")
            else:
                words = words_of(four, "int")
        except (TypeError, ValueError, OverflowError, StructError):
            raise ArgumentError(f"customBorderColor.{form}", four, accepted="four numbers that it holds") from None
    return words
