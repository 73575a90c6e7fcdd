"""The form of a report on one Vulkan device, checked by pydantic, and the `VulkanFacts` made of it.

It is ``capabilities.device`` of ``vulkaninfo --json`` and Vulkan Profiles, in Vulkan's own names: ``extensions`` (name
-> revision, or a list of names), ``features``, ``properties`` (struct -> member -> value), ``formats`` (name -> struct
-> member -> mask). Each may be left out; what `statetracker.caps.facts` does not list is ignored.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, Field, create_model, model_validator

from statetracker.caps.facts import (
    ALL_BITS,
    EXTENSIONS,
    FEATURES,
    LIMITS,
    PROMISED,
    WORD_BITS,
    FormatMasks,
    VulkanFacts,
    version_number,
    version_parts,
)
from statetracker.caps.vulkan_formats import feature_bits, format_name
from statetracker.unpacking import integer

if TYPE_CHECKING:
    from collections.abc import Iterator

_FORMAT: Final = re.compile(r"VK_FORMAT_[A-Z]\w*")
_BIT: Final = re.compile(r"VK_FORMAT_FEATURE_(2_)?(?P<bare>[A-Z]\w*)")
_VERSION: Final = re.compile(r"(\d{1,3})\.(\d{1,4})(?:\.(\d{1,4}))?")
_TRUTH: Final = {"true": True, "false": False, "1": True, "0": False, True: True, False: False}
_LIMITS: Final = "VkPhysicalDeviceLimits"
_OWN: Final = "statetracker"


def _number(value: object) -> int | float:
    """Take a number of 0 or more; reports also write them as text, decimal or hexadecimal, and booleans as words."""
    if isinstance(value, str):
        value = _parsed(value.strip().lower())
    if isinstance(value, int | float) and 0 <= value <= ALL_BITS:  # NaN fails too
        return int(value) if isinstance(value, bool) else value
    raise ValueError("accepted: a number from 0 to 2^64 - 1")


def _parsed(word: str) -> object:
    if word in ("true", "false"):
        return word == "true"
    try:
        return integer(word, 0)
    except ValueError:
        pass
    try:
        return float(word)
    except ValueError:
        return None


def _whole(value: object) -> int:
    number = _number(value)
    if number != int(number) or number > ALL_BITS:
        raise ValueError("accepted: a whole number from 0 to 2^64 - 1")
    return int(number)


def _truth(value: object) -> bool:
    key = value.strip().lower() if isinstance(value, str) else value
    if isinstance(key, str | bool | int) and key in _TRUTH:
        return _TRUTH[key]
    raise ValueError("accepted: true, false, 0 or 1")


def _mask(value: object) -> int:
    """Take a mask as a number, or as a list of names; names that the registry does not have yet count as no bit."""
    if not isinstance(value, list):
        return _whole(value)
    mask = 0
    for name in value:
        match = _BIT.fullmatch(name) if isinstance(name, str) else None
        if match is None:
            raise ValueError(f"{name!r} is no bit; accepted: names such as VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT")
        mask |= feature_bits().get(_bare(match["bare"]), 0)
    return mask


def _bare(word: str) -> str:
    return word.replace("_BIT_", "_") if "_BIT_" in word else word.removesuffix("_BIT")


def _version(value: object) -> tuple[int, int, int]:
    if isinstance(value, str):
        match = _VERSION.fullmatch(value)
        if match is not None:
            return (int(match[1]), int(match[2]), int(match[3] or 0))
    elif isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 32:
        return version_parts(value)
    raise ValueError("accepted: a version as Vulkan's number, or as text such as 1.3.239")


def _extensions(value: object) -> object:
    """Take a list of names, or of VkExtensionProperties, as well as names with revisions."""
    if not isinstance(value, list):
        return value
    named = [item.get("extensionName") if isinstance(item, dict) else item for item in value]
    if any(not isinstance(name, str) for name in named):
        raise ValueError("accepted: names of extensions")
    return dict.fromkeys(named, 1)


Number = Annotated[int | float, BeforeValidator(_number)]
Whole = Annotated[int, BeforeValidator(_whole)]
Truth = Annotated[bool, BeforeValidator(_truth)]
Mask = Annotated[int, BeforeValidator(_mask)]
Version = Annotated[tuple[int, int, int], BeforeValidator(_version)]


class _Open(BaseModel, strict=True):
    """A struct of which we know some members."""


_Limits: Any = create_model("_Limits", __base__=_Open, **dict.fromkeys(LIMITS, (Number | None, None)))  # type: ignore[call-overload]
_Features: Any = create_model("_Features", __base__=_Open, **dict.fromkeys(FEATURES, (Truth, False)))  # type: ignore[call-overload]


def _spread(struct: object) -> object:
    """Take the extents in a struct apart: each side is a limit of its own."""
    if not isinstance(struct, dict):
        return struct
    sides = [(name, *name.split(".")) for name in LIMITS if "." in name]
    extents = {name: struct[extent] for name, extent, _ in sides if isinstance(struct.get(extent), dict)}
    return {**struct, **{name: extents[name].get(side) for name, _, side in sides if name in extents}}


class _PropertyStruct(_Limits):  # type: ignore[misc]  # a model made from a table
    _sides = model_validator(mode="before")(_spread)

    limits: _Limits | None = None
    properties: _PropertyStruct | None = None  # VkPhysicalDeviceProperties2 wraps the first one
    deviceName: str | None = None  # noqa: N815 (Vulkan's own)
    vendorID: Whole | None = None  # noqa: N815
    deviceID: Whole | None = None  # noqa: N815
    apiVersion: Version | None = None  # noqa: N815
    driverInfo: str | None = None  # noqa: N815
    driverVersionText: str | None = None  # noqa: N815
    driverVersion: Whole | str | None = None  # noqa: N815


class _FeatureStruct(_Features):  # type: ignore[misc]
    features: _Features | None = None  # VkPhysicalDeviceFeatures2 wraps the first one


class _FormatStruct(_Open):
    linearTilingFeatures: Mask = 0  # noqa: N815
    optimalTilingFeatures: Mask = 0  # noqa: N815
    bufferFeatures: Mask = 0  # noqa: N815
    formatProperties: _FormatStruct | None = None  # noqa: N815 (VkFormatProperties2 wraps the first one)


def _format_names(value: object) -> object:
    if isinstance(value, dict):
        bad = next((name for name in value if not _FORMAT.fullmatch(str(name)) and not str(name).isdecimal()), None)
        if bad is not None:
            raise ValueError(f"{bad!r} is no format; accepted: names such as VK_FORMAT_R8_UNORM")
    return value


class DeviceReport(_Open):
    """The checked form of a report; see the module."""

    extensions: Annotated[dict[str, Any], BeforeValidator(_extensions)] = Field(default_factory=dict)
    features: dict[str, _FeatureStruct] = Field(default_factory=dict)
    properties: dict[str, _PropertyStruct] = Field(default_factory=dict)
    formats: Annotated[dict[str, dict[str, _FormatStruct]] | None, BeforeValidator(_format_names)] = None
    statetracker: dict[str, int] = Field(default_factory=dict)


def facts_of(report: DeviceReport) -> VulkanFacts:
    """Gather the facts of a checked report."""
    structs = list(_unwrapped(report))
    formats, bits = _formats(report)
    driver = _first(structs, "driverInfo") or _first(structs, "driverVersionText") or _first(structs, "driverVersion")
    return VulkanFacts(
        device=_first(structs, "deviceName") or "",
        vendor_id=_first(structs, "vendorID"),
        device_id=_first(structs, "deviceID"),
        api=_first(structs, "apiVersion") or (1, 0, 0),
        driver=" ".join(str(driver or "").split()),
        limits=_limits(structs),
        features=_features(report),
        extensions=EXTENSIONS & report.extensions.keys(),
        formats=formats,
        format_bits=report.statetracker.get("format_bits", bits),
    )


def _unwrapped(report: DeviceReport) -> Iterator[Any]:
    for struct in report.properties.values():
        yield from filter(None, (struct, struct.properties))


def _first(structs: list[Any], member: str) -> Any:  # noqa: ANN401 (of any member)
    return next((value for struct in structs if (value := getattr(struct, member)) is not None), None)


def _limits(structs: list[Any]) -> dict[str, int | float]:
    places = [place for struct in structs for place in (struct.limits, struct) if place is not None]
    values = ((name, _first(places, name)) for name in LIMITS)
    return {name: value for name, value in values if value is not None}


def _features(report: DeviceReport) -> frozenset[str]:
    structs = [s for struct in report.features.values() for s in (struct, struct.features) if s is not None]
    return frozenset(name for name in FEATURES if any(getattr(struct, name) for struct in structs))


def _formats(report: DeviceReport) -> tuple[dict[str, FormatMasks] | None, int]:
    if report.formats is None:
        return None, ALL_BITS
    formats: dict[str, FormatMasks] = {}
    bits = ALL_BITS
    for name, structs in report.formats.items():
        wide = [part for struct, part in structs.items() if struct.startswith("VkFormatProperties3")]
        bits &= ALL_BITS if wide else WORD_BITS
        narrow = [part.formatProperties or part for part in structs.values()]
        part = (wide or narrow or [_FormatStruct()])[0]
        masks = FormatMasks(part.linearTilingFeatures, part.optimalTilingFeatures, part.bufferFeatures)
        known = format_name(integer(name, field="format") if name.isdecimal() else name)
        if any(masks) and known not in PROMISED:
            formats[known] = masks
    return formats, bits


def written(facts: VulkanFacts) -> dict[str, Any]:
    """Write facts as a report; reading it gives the same facts. Extensions get revision 1."""
    core: dict[str, Any] = {"deviceName": facts.device, "apiVersion": version_number(facts.api), "limits": {}}
    if facts.vendor_id is not None:
        core["vendorID"] = facts.vendor_id
    if facts.device_id is not None:
        core["deviceID"] = facts.device_id
    properties: dict[str, dict[str, Any]] = {"VkPhysicalDeviceProperties": core}
    if facts.driver:
        properties["VkPhysicalDeviceDriverProperties"] = {"driverInfo": facts.driver}
    for name, value in facts.limits.items():
        struct = core["limits"] if LIMITS[name] == _LIMITS else properties.setdefault(LIMITS[name], {})
        extent, dot, side = name.partition(".")
        place = struct.setdefault(extent, {}) if dot else struct
        place[side or extent] = value
    features: dict[str, dict[str, bool]] = {}
    for name in sorted(facts.features):
        features.setdefault(FEATURES[name], {})[name] = True
    report: dict[str, Any] = {
        "extensions": dict.fromkeys(sorted(facts.extensions), 1),
        "features": features,
        "properties": properties,
    }
    if facts.formats is not None:
        report["formats"] = {_prefixed(name): _struct(masks) for name, masks in facts.formats.items()}
        report[_OWN] = {"format_bits": facts.format_bits}
    return {"capabilities": {"device": report}}


def _prefixed(name: str) -> str:
    return name if name.isdecimal() else f"VK_FORMAT_{name}"


def _struct(masks: FormatMasks) -> dict[str, dict[str, int]]:
    members = ("linearTilingFeatures", "optimalTilingFeatures", "bufferFeatures")
    return {"VkFormatProperties3": dict(zip(members, masks, strict=True))}
