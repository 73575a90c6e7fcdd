"""Reports on Vulkan devices: which form a document has, and the facts in it. Source: docs/vulkan_screens.md.

Three forms are recognised by their members (`FORMS`): ``profiles`` (``capabilities``: Vulkan Profiles, vulkaninfo since
2022, a probe of this machine), ``devsim`` (``VkPhysicalDeviceProperties`` at the top: older vulkaninfo, without
features of extensions, and gpuinfo.org's export), and ``gpuinfo`` (``properties``, ``core11``, ``extended``).
"""

from __future__ import annotations

import re
from functools import partial, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from statetracker.caps.facts import FormatMasks, VulkanFacts
from statetracker.caps.report_form import DeviceReport, Version, facts_of
from statetracker.errors import ScreenError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_SHOWN: Final = 60  # characters of a bad value
_INNER: Final = re.compile(r"function-|union|nullable|int$|float$|str$|bool$|list\[|dict\[")  # pydantic's own steps


class Report(NamedTuple):
    """A document's content: the facts, and what to call the device where they have no name."""

    facts: VulkanFacts
    name: str


class _Profile(BaseModel, strict=True):
    """One profile of a Vulkan Profiles file: the blocks that make it up; a list among them is a choice of blocks."""

    capabilities: list[str | list[str]]
    api_version: Version | None = Field(default=None, alias="api-version")
    profiles: list[str] = Field(default_factory=list)  # profiles that it builds on


class _Profiles(BaseModel, strict=True):
    capabilities: dict[str, DeviceReport]
    profiles: dict[str, _Profile] = Field(default_factory=dict)


class _Feature(BaseModel, strict=True):
    name: str
    supported: Any


class _Property(BaseModel, strict=True):
    name: str
    value: Any = None


class _Extended(BaseModel, strict=True):
    """Extensions as gpuinfo.org writes them: one entry a member."""

    devicefeatures2: list[_Feature] = Field(default_factory=list)
    deviceproperties2: list[_Property] = Field(default_factory=list)


class _Core(BaseModel, strict=True):
    features: dict[str, Any] = Field(default_factory=dict)
    properties: dict[str, Any] = Field(default_factory=dict)


def _numbered(value: object) -> object:
    """Take ``[37, {...}]``: JSON has no pairs."""
    if isinstance(value, list) and len(value) == 2:
        return tuple(value)
    raise ValueError("accepted: a format's number and its masks, [37, {...}]")


_NumberedFormat: TypeAlias = Annotated[tuple[int, dict[str, Any]], BeforeValidator(_numbered)]


class _Gpuinfo(BaseModel, strict=True):
    properties: dict[str, Any]
    features: dict[str, Any]
    extensions: list[Any] = Field(default_factory=list)
    formats: list[_NumberedFormat] | None = None
    extended: _Extended = Field(default_factory=_Extended)
    core11: _Core = Field(default_factory=_Core)
    core12: _Core = Field(default_factory=_Core)
    core13: _Core = Field(default_factory=_Core)
    core14: _Core = Field(default_factory=_Core)


class _DevsimFormat(BaseModel, extra="allow", strict=True):
    formatID: int  # noqa: N815 (the form's own)


class _Devsim(BaseModel, extra="allow", strict=True):
    VkPhysicalDeviceProperties: dict[str, Any]
    ArrayOfVkExtensionProperties: list[Any] = Field(default_factory=list)
    ArrayOfVkFormatProperties: list[_DevsimFormat] | None = None
    extended: _Extended = Field(default_factory=_Extended)


def form_of(data: Mapping[str, object]) -> str | None:
    """Name the form of a document, one of `FORMS`, by its members; None if it is none of them."""
    return next((name for name, form in FORMS.items() if form.marks <= data.keys()), None)


def read_report(
    data: Mapping[str, object], *, file: str, line: int | None = None, profile: str | None = None
) -> Report:
    """Read a report in any of the forms.

    Args:
        data: The parsed document; `form_of` must know it.
        file: What the error calls it.
        line: Its line in the file, from 1; None: it is the whole file.
        profile: Which profile of a Vulkan Profiles file; None: the only one.

    Raises:
        ScreenError: A member is at fault; the error has its value and what is accepted.
    """
    form = FORMS[form_of(data) or "profiles"]
    if profile is not None and form is not FORMS["profiles"]:
        hint = "It is a report on one device: leave profile= out"
        raise ScreenError(file, line, f"it has no profile {profile!r}", hint=hint)
    try:
        return form.read(data, profile)
    except ValidationError as error:
        raise ScreenError(file, line, f"not a {form.title}: {problem_of(error)}") from None
    except RecursionError:
        raise ScreenError(file, line, "its profiles build on one another too deeply") from None
    except _Unclear as error:
        problem, hint = error.args
        raise ScreenError(file, line, problem, hint=hint) from None


def problem_of(error: ValidationError) -> str:
    """Say in one line what pydantic reported first: member, value, what is accepted."""
    first = error.errors()[0]
    place = [_shown(part) for part in first["loc"] if not _INNER.match(str(part))]
    if error.title == DeviceReport.__name__ and place[:1] in (["features"], ["properties"]):
        del place[0]  # of `_normal`: structs are called by their path in the file
    text = f"{'.'.join(place) or 'the document'}: {first['msg'].removeprefix('Value error, ')}"
    if first["type"] == "missing":
        return text
    return f"{text}, not {_cut(repr(first['input']))}"


def _shown(part: object) -> str:
    """Write a step of a member's path; a key may be any text."""
    text = str(part)
    return _cut(text if text.isprintable() else repr(text))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(_shown, names))


class _Unclear(Exception):
    """The document is well formed, but which part is meant is not clear: the problem, and a hint."""


# Vulkan Profiles


def _read_profiles(data: Mapping[str, object], profile: str | None) -> Report:
    document = _Profiles.model_validate(data)
    if not document.profiles and profile is None:
        if len(document.capabilities) != 1:
            raise _Unclear("no profile says which of its capabilities count", "accepted: one block, or 'profiles'")
        (name,) = document.capabilities
        return _named(facts_of(document.capabilities[name]), name)
    chosen = _chosen(document, profile)
    facts = _profile_facts(document, chosen, {})
    version = document.profiles[chosen].api_version
    if facts.api == (1, 0, 0) and version is not None:
        facts = facts._replace(api=version)
    return _named(facts, chosen)


def _chosen(document: _Profiles, profile: str | None) -> str:
    names = list(document.profiles)
    if profile is None and len(names) == 1:
        return names[0]
    if profile in document.profiles:
        return str(profile)
    problem = f"it has {len(names)} profiles" if profile is None else f"it has no profile {profile!r}"
    raise _Unclear(problem, f"Choose one with profile=: {_listed(names)}")


def _profile_facts(document: _Profiles, name: str, known: dict[str, VulkanFacts | None]) -> VulkanFacts:
    """Put a profile's blocks together, and those of the profiles it builds on; of a choice, what all have.

    ``known`` has those that were put together already, and None for those that are being put together.
    """
    facts = known.get(name)
    if facts is not None:
        return facts
    if name in known:
        raise _Unclear(f"profile {name!r} builds on itself", "accepted: profiles without a circle")
    known[name] = None
    profile = document.profiles[name]
    parts = [_profile_facts(document, one, known) for one in profile.profiles if one in document.profiles]
    for blocks in profile.capabilities:
        choice = [_block(document, block, name) for block in ([blocks] if isinstance(blocks, str) else blocks)]
        if choice:
            parts.append(reduce(_common, choice))
    known[name] = facts = reduce(_together, parts, VulkanFacts())
    return facts


def _block(document: _Profiles, block: str, profile: str) -> VulkanFacts:
    if block not in document.capabilities:
        problem = f"profile {profile!r} names capabilities {block!r}, which are not there"
        raise _Unclear(problem, f"accepted: {_listed(document.capabilities)}")
    return facts_of(document.capabilities[block])


def _combined(one: VulkanFacts, other: VulkanFacts, *, both_hold: bool) -> VulkanFacts:
    """Return both, merged: if both hold, the larger limit and every feature; else only what both say."""
    join, pick = (or_, max) if both_hold else (and_, min)

    def said(a: Any, b: Any, nothing: object) -> Any:  # noqa: ANN401 (any member)
        if both_hold:
            return b if a == nothing else a
        return a if a == b else nothing

    values = {
        name: [f.limits[name] for f in (one, other) if name in f.limits] for name in {**one.limits, **other.limits}
    }
    ours, theirs = one.formats or {}, other.formats or {}
    formats = {
        name: FormatMasks(*map(join, ours.get(name, _NOTHING), theirs.get(name, _NOTHING)))
        for name in {**ours, **theirs}
    }
    without = [facts.formats is None for facts in (one, other)]
    unknown = all(without) if both_hold else any(without)
    return VulkanFacts(
        device=said(one.device, other.device, ""),
        vendor_id=said(one.vendor_id, other.vendor_id, None),
        device_id=said(one.device_id, other.device_id, None),
        api=pick(one.api, other.api),
        driver=said(one.driver, other.driver, ""),
        limits={name: pick(found) for name, found in values.items() if both_hold or len(found) == 2},
        features=join(one.features, other.features),
        extensions=join(one.extensions, other.extensions),
        formats=None if unknown else {name: masks for name, masks in formats.items() if any(masks)},
        format_bits=one.format_bits & other.format_bits,
    )


_together: Final = partial(_combined, both_hold=True)
_common: Final = partial(_combined, both_hold=False)
_NOTHING: Final = FormatMasks(0, 0)


# devsim and gpuinfo.org: put into the blocks' form. Structs are called by their path, so that errors name it.


def _read_devsim(data: Mapping[str, object], _: str | None) -> Report:
    document = _Devsim.model_validate(data)
    structs = {name: value for name, value in data.items() if name.startswith("VkPhysicalDevice")}
    formats = document.ArrayOfVkFormatProperties
    features = {name: value for name, value in structs.items() if "Features" in name}
    properties = {name: value for name, value in structs.items() if "Properties" in name and "Memory" not in name}
    masks = None if formats is None else {row.formatID: row.model_extra or {} for row in formats}
    return _normal(document, features, properties, document.ArrayOfVkExtensionProperties, masks)


def _read_gpuinfo(data: Mapping[str, object], _: str | None) -> Report:
    document = _Gpuinfo.model_validate(data)
    cores = {f"{name}.": getattr(document, name) for name in ("core11", "core12", "core13", "core14")}
    structs = {"": document, **cores}
    features = {f"{name}features": struct.features for name, struct in structs.items()}
    properties = {f"{name}properties": struct.properties for name, struct in structs.items()}
    masks = None if document.formats is None else dict(document.formats)
    return _normal(document, features, properties, document.extensions, masks)


def _normal(
    document: _Devsim | _Gpuinfo,
    features: Mapping[str, object],
    properties: Mapping[str, object],
    extensions: list[Any],
    masks: Mapping[int, Mapping[str, Any]] | None,
) -> Report:
    more = document.extended
    listed = {entry.name: entry.value for entry in more.deviceproperties2}
    data = {
        "features": {**features, "extended.devicefeatures2": _ored(more.devicefeatures2)},
        "properties": {**properties, "extended.deviceproperties2": listed},
        "extensions": extensions,
        "formats": None if masks is None else {str(n): {"VkFormatProperties": one} for n, one in masks.items()},
    }
    return _named(facts_of(DeviceReport.model_validate(data)), "")


def _ored(entries: Iterable[_Feature]) -> dict[str, object]:
    """Features by name; one that two extensions have is there if either says so."""
    features: dict[str, object] = {}
    for entry in entries:
        features[entry.name] = features.get(entry.name) or entry.supported
    return features


def _named(facts: VulkanFacts, name: str) -> Report:
    return Report(facts, facts.device or name)


class Form(NamedTuple):
    """One form of report: what errors call it, the members that mark it, its reader."""

    title: str
    marks: frozenset[str]
    read: Callable[[Mapping[str, object], str | None], Report]


# fmt: off
#: The forms by name. A document has the first whose marks it has all.
FORMS: Final[Mapping[str, Form]] = {
    "profiles": Form("Vulkan Profiles or vulkaninfo file", frozenset({"capabilities"}),               _read_profiles),
    "devsim":   Form("vulkaninfo file",                    frozenset({"VkPhysicalDeviceProperties"}), _read_devsim),
    "gpuinfo":  Form("gpuinfo.org report",                 frozenset({"properties", "features"}),     _read_gpuinfo),
}
# fmt: on
