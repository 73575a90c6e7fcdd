"""`violations`: which of WebGPU's validation rules a sampler descriptor breaks, alone or with a texture.

Source: W3C WebGPU: "Sampler Creation" (validating GPUSamplerDescriptor), "Bind Group Creation", "Pipelines"
(validating GPUProgrammableStage), Web IDL "float"; WGSL; the compatibility mode's restriction 20.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.webgpu import webgpu_formats
from statetracker.errors import ArgumentError, UnknownName
from statetracker.vulkan.usage_rules import Violation
from statetracker.webgpu.conversion import MEMBERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.caps import Screen

_DEFAULTS: Final[Mapping[str, object]] = {
    **dict.fromkeys(("address_mode_u", "address_mode_v", "address_mode_w"), "clamp-to-edge"),
    **dict.fromkeys(("mag_filter", "min_filter", "mipmap_filter"), "nearest"),
    "lod_min_clamp": 0.0,
    "lod_max_clamp": 32.0,
    "compare": None,
    "max_anisotropy": 1,
}
_KEYS: Final = {member.name: member.key for member in MEMBERS}
_MODES: Final = ("clamp-to-edge", "repeat", "mirror-repeat")
_FILTERS: Final = ("mag_filter", "min_filter", "mipmap_filter")
_COMPARES: Final = ("never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always")
_INFINITE: Final = 2.0**128 - 2.0**103  # the least that 32 bits round to infinity
_SAMPLERS: Final = ("filtering", "non-filtering", "comparison")
_TYPES: Final = ("float", "unfilterable-float", "depth", "sint", "uint")


class _Case(NamedTuple):
    """The case to judge; see `violations`."""

    members: Mapping[str, Any]
    sampler_type: str | None
    sample_type: str | None
    types: tuple[str, ...]
    texture_format: str | None
    core: bool

    @property
    def linear(self) -> bool:
        return "linear" in (self.members[name] for name in _FILTERS)

    @property
    def compares(self) -> bool:
        return self.members["compare"] is not None

    def lods(self, test: Callable[[float, float], bool]) -> bool:
        """Return whether something holds of both limits, where they are finite numbers."""
        low, high = self.members["lod_min_clamp"], self.members["lod_max_clamp"]
        return _number(low) and _number(high) and test(low, high)

    def paired(self, sampler_type: str, *sample_types: str) -> bool:
        """Return whether the bindings are a sampler of that type beside a texture of one of those."""
        return self.sampler_type == sampler_type and self.sample_type in sample_types


class WebGpuRule(NamedTuple):
    """One rule.

    Attributes:
        name: Ours: the specification has none.
        section: Of the specification.
        member: At fault, as wgpu-py spells it.
        broken: Whether a case breaks it.
        fix: What to do.
    """

    name: str
    section: str
    member: str
    broken: Callable[[_Case], bool]
    fix: str


def _number(value: object) -> bool:
    """Return whether it is a number that is finite as a float of 32 bits."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _INFINITE


def _is_not(member: str, words: tuple[str | None, ...]) -> Callable[[_Case], bool]:
    return lambda case: case.members[member] not in words


def _whole(case: _Case) -> bool:
    value = case.members["max_anisotropy"]
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 16


_IDL: Final = "Web IDL"
_CREATE: Final = "Sampler Creation"
_BIND: Final = "Bind Group Creation"
_STAGE: Final = "validating GPUProgrammableStage"
_ONE_OF: Final = "use one of "

# fmt: off
#: Every rule, in the order in which WebGPU asks.
RULES: Final = (
    #          name                     section   member             broken                                   fix
    *(WebGpuRule("address-mode",        _IDL,     name,              _is_not(name, _MODES),                   _ONE_OF + ", ".join(_MODES)) for name in ("address_mode_u", "address_mode_v", "address_mode_w")),
    *(WebGpuRule("filter",              _IDL,     name,              _is_not(name, ("nearest", "linear")),    "use nearest or linear") for name in _FILTERS),
    *(WebGpuRule("lod-finite",          _IDL,     name,              lambda c, n=name: not _number(c.members[n]), "use a finite number") for name in ("lod_min_clamp", "lod_max_clamp")),  # type: ignore[misc]
    WebGpuRule("compare",               _IDL,     "compare",         _is_not("compare", (None, *_COMPARES)),  _ONE_OF + ", ".join(_COMPARES) + ", or None"),
    WebGpuRule("anisotropy-whole",      _IDL,     "max_anisotropy",  lambda c: not _whole(c),                 "use a whole number of 16 bits"),
    WebGpuRule("lod-min",               _CREATE,  "lod_min_clamp",   lambda c: c.lods(lambda low, _: low < 0), "make it 0 or more"),
    WebGpuRule("lod-order",             _CREATE,  "lod_max_clamp",   lambda c: c.lods(lambda low, high: high < low), "make it lod_min_clamp or more"),
    WebGpuRule("anisotropy-least",      _CREATE,  "max_anisotropy",  lambda c: _whole(c) and c.members["max_anisotropy"] < 1, "1 is off"),
    WebGpuRule("anisotropy-filters",    _CREATE,  "max_anisotropy",  lambda c: _whole(c) and c.members["max_anisotropy"] > 1 and any(c.members[one] != "linear" for one in _FILTERS), "make all three filters linear, or it 1"),
    WebGpuRule("binding-filtering",     _BIND,    "compare",         lambda c: c.sampler_type == "filtering" and c.compares, "bind a comparison sampler, or do not compare"),
    WebGpuRule("binding-non-filtering", _BIND,    "mag_filter",      lambda c: c.sampler_type == "non-filtering" and (c.linear or c.compares), "make the filters nearest and do not compare, or bind a filtering sampler"),
    WebGpuRule("binding-comparison",    _BIND,    "compare",         lambda c: c.sampler_type == "comparison" and not c.compares, "compare, or bind another type of sampler"),
    WebGpuRule("texture-format",        _BIND,    "texture_format",  lambda c: c.texture_format is not None and not c.types, "use a format that the device has"),
    WebGpuRule("sample-type",           _BIND,    "sample_type",     lambda c: bool(c.types) and c.sample_type is not None and c.sample_type not in c.types, "use a sample type of the format"),
    WebGpuRule("pair-filtering",        _STAGE,   "sample_type",     lambda c: c.paired("filtering", *_TYPES[1:]), "filter in the shader, or make the filters nearest"),
    WebGpuRule("pair-comparison",       "WGSL, textureSampleCompare", "sample_type", lambda c: c.paired("comparison", "float", "unfilterable-float", "sint", "uint"), "compare depth alone"),
    WebGpuRule("pair-depth",            "Compatibility Mode 20", "sample_type", lambda c: not c.core and c.paired("non-filtering", "depth"), "bind it as unfilterable-float"),
)
# fmt: on


def violations(
    descriptor: Mapping[str, Any],
    screen: Screen | None = None,
    *,
    sampler_type: str | None = None,
    sample_type: str | None = None,
    texture_format: str | None = None,
) -> list[Violation]:
    """Check a descriptor, good or bad, before ``createSampler``; with bindings also the pair of sampler and texture.

    Args:
        descriptor: A `SamplerDescriptor`, or members by WebGPU's or wgpu-py's names; those left out have defaults.
        screen: The device, for its formats and mode; None: one with every feature.
        sampler_type: GPUSamplerBindingType of the sampler's binding; None: it is not judged.
        sample_type: GPUTextureSampleType of the texture's binding, likewise.
        texture_format: GPUTextureFormat of the texture, likewise.

    Returns:
        The rules that are broken, in the order of `RULES`.

    Raises:
        ArgumentError: It is no descriptor.
        UnknownName: Members, types and formats WebGPU lacks.
    """
    if not isinstance(descriptor, Mapping):
        raise ArgumentError("descriptor", descriptor, accepted="a SamplerDescriptor, or a mapping of its members")
    members = dict(_DEFAULTS)
    for name, value in descriptor.items():
        key = _KEYS.get(name, name)
        if key == "label":
            continue
        if key not in members:
            raise UnknownName("member", name, accepted=", ".join(_DEFAULTS))
        members[key] = value
    for field, word, words in (("sampler_type", sampler_type, _SAMPLERS), ("sample_type", sample_type, _TYPES)):
        if word is not None and word not in words:
            raise UnknownName(field, word, accepted=", ".join(words))
    facts = None if screen is None else screen.vulkan
    core = facts is None or "imageCubeArray" in facts.features
    case = _Case(members, sampler_type, sample_type, _types(texture_format, screen), texture_format, core)
    shown = members | {"sample_type": sample_type, "texture_format": texture_format}
    return [Violation(one.name, one.member, shown[one.member], one.fix) for one in RULES if one.broken(case)]


def _types(texture_format: str | None, screen: Screen | None) -> tuple[str, ...]:
    """Return the sample types that views of a format may have; none where the device lacks it."""
    rows = [row for row in webgpu_formats().values() if row.format == texture_format]
    if texture_format is not None and not rows:
        raise UnknownName("texture_format", texture_format, accepted="a GPUTextureFormat")
    facts = None if screen is None else screen.vulkan
    there = [row for row in rows if facts is None or row.vulkan in (facts.formats or {})]
    if not there:
        return ()
    kind = there[0].sample_type
    if kind == "unfilterable-float" and (facts is None or facts.filters(there[0].vulkan)):
        kind = "float"
    return (kind, "unfilterable-float") if kind in {"depth", "float"} else (kind,)
