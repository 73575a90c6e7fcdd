"""Random create infos for samplers, valid or with faults, in Vulkan's own names; undefined values are numbers.

An info is drafted valid for a device that has everything, then faults are put in. A fault is a small change that
breaks a rule on some device; checker and layer decide what it breaks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

__all__ = ["FAULTS", "Draft", "drafted", "faulty", "survivable"]

REPEAT, MIRRORED, EDGE, BORDER, MIRROR_EDGE = (
    f"VK_SAMPLER_ADDRESS_MODE_{name}"
    for name in ("REPEAT", "MIRRORED_REPEAT", "CLAMP_TO_EDGE", "CLAMP_TO_BORDER", "MIRROR_CLAMP_TO_EDGE")
)
_WRAPS: Final = (REPEAT, MIRRORED, EDGE, BORDER, MIRROR_EDGE)
_AXES: Final = ("addressModeU", "addressModeV", "addressModeW")
_FILTERS: Final = ("VK_FILTER_NEAREST", "VK_FILTER_LINEAR")
_MIPS: Final = ("VK_SAMPLER_MIPMAP_MODE_NEAREST", "VK_SAMPLER_MIPMAP_MODE_LINEAR")
_OPS: Final = tuple(
    f"VK_COMPARE_OP_{name}"
    for name in ("NEVER", "LESS", "EQUAL", "LESS_OR_EQUAL", "GREATER", "NOT_EQUAL", "GREATER_OR_EQUAL", "ALWAYS")
)
_COLORS: Final = tuple(
    f"VK_BORDER_COLOR_{kind}_{name}"
    for name in ("TRANSPARENT_BLACK", "OPAQUE_BLACK", "OPAQUE_WHITE")
    for kind in ("FLOAT", "INT")
)
_CUSTOM: Final = {kind: f"VK_BORDER_COLOR_{kind}_CUSTOM_EXT" for kind in ("FLOAT", "INT")}
_MODES: Final = tuple(f"VK_SAMPLER_REDUCTION_MODE_{name}" for name in ("WEIGHTED_AVERAGE", "MIN", "MAX"))

_CUSTOM_STRUCT: Final = "VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT"
_REDUCTION: Final = "VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO"
_MAPPING: Final = "VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT"
_FOREIGN: Final = "VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO"

_UNDEFINED: Final = (9, 77, 1000, 0x7FFFFFFE)
_FLOAT_FORMATS: Final = (
    "VK_FORMAT_R8_UNORM",
    "VK_FORMAT_R8G8B8A8_SNORM",
    "VK_FORMAT_R8G8B8A8_SRGB",
    "VK_FORMAT_R16G16B16A16_SFLOAT",
    "VK_FORMAT_B10G11R11_UFLOAT_PACK32",
    "VK_FORMAT_D16_UNORM",
    "VK_FORMAT_D32_SFLOAT",
    "VK_FORMAT_D24_UNORM_S8_UINT",
    "VK_FORMAT_BC1_RGBA_UNORM_BLOCK",
)
_INT_FORMATS: Final = (
    "VK_FORMAT_R8_UINT",
    "VK_FORMAT_R16G16B16A16_SINT",
    "VK_FORMAT_R32G32B32A32_UINT",
    "VK_FORMAT_S8_UINT",
    "VK_FORMAT_D32_SFLOAT_S8_UINT",
    "VK_FORMAT_A2B10G10R10_UINT_PACK32",
)


class Draft:
    """A create info in the making: its own members, and the structs of its chain in order."""

    __slots__ = ("chain", "info")

    def __init__(self, info: dict[str, Any], chain: list[dict[str, Any]]) -> None:
        self.info = info
        self.chain = chain

    def of(self, structure_type: str) -> dict[str, Any] | None:
        """Return the first struct of a type on the chain."""
        return next((part for part in self.chain if part["sType"] == structure_type), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the create info with its chain linked."""
        following: dict[str, Any] | None = None
        for part in reversed(self.chain):
            following = {**part, "pNext": following}
        return {**self.info, "pNext": following}


def _custom(rng: Random, kind: str) -> dict[str, Any]:
    """Return a custom colour that every format of its kind can hold, with such a format or none."""
    if kind == "FLOAT":
        color: dict[str, list[float]] = {"float32": [rng.choice((0.0, 0.25, 0.5, 1.0)) for _ in range(4)]}
        name = rng.choice(("VK_FORMAT_UNDEFINED", *_FLOAT_FORMATS))
    else:
        color = {"int32": [rng.choice((0, 1, 2, 3)) for _ in range(4)]}
        name = rng.choice(("VK_FORMAT_UNDEFINED", *_INT_FORMATS))
    return {"sType": _CUSTOM_STRUCT, "customBorderColor": color, "format": name}


def drafted(rng: Random) -> Draft:
    """Draft an info that is valid on a device with everything enabled and the usual limits."""
    low = rng.choice((0.0, -3.0, rng.uniform(-2, 14), -math.inf))
    compare = rng.random() < 0.3
    info: dict[str, Any] = {
        "sType": "VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO",
        "flags": rng.choice((0, 0, 4)),
        "magFilter": rng.choice(_FILTERS),
        "minFilter": rng.choice(_FILTERS),
        "mipmapMode": rng.choice(_MIPS),
        **{axis: rng.choice(_WRAPS) for axis in _AXES},
        "mipLodBias": rng.choice((0.0, -0.0, rng.uniform(-2, 2), 2.0, -2.0)),
        "anisotropyEnable": int(rng.random() < 0.3),
        "maxAnisotropy": rng.choice((1.0, 2.0, 4.0, 16.0)),
        "compareEnable": int(compare),
        "compareOp": rng.choice(_OPS),
        "minLod": low,
        "maxLod": rng.choice((low, 15.0, math.inf)),
        "borderColor": rng.choice(_COLORS),
        "unnormalizedCoordinates": 0,
    }
    chain = []
    if rng.random() < 0.3:
        kind = rng.choice(("FLOAT", "INT"))
        chain.append(_custom(rng, kind))
        info["borderColor"] = _CUSTOM[kind]
    if rng.random() < 0.2:
        chain.append({"sType": _REDUCTION, "reductionMode": _MODES[0] if compare else rng.choice(_MODES)})
    draft = Draft(info, chain)
    if rng.random() < 0.1:
        _unnormalised(draft)
    return draft


def _unnormalised(draft: Draft) -> None:
    draft.info |= {
        "unnormalizedCoordinates": 1,
        "minFilter": draft.info["magFilter"],
        "mipmapMode": _MIPS[0],
        "minLod": 0.0,
        "maxLod": 0.0,
        "addressModeU": EDGE,
        "addressModeV": BORDER,
        "anisotropyEnable": 0,
        "compareEnable": 0,
    }


# Faults. Each takes a draft and changes it in place.


def _set(member: str, *values: object) -> Callable[[Draft, Random], None]:
    return lambda draft, rng: draft.info.__setitem__(member, rng.choice(values))


def _some_axis(*values: object) -> Callable[[Draft, Random], None]:
    return lambda draft, rng: draft.info.__setitem__(rng.choice(_AXES), rng.choice(values))


def _bias(draft: Draft, rng: Random) -> None:
    big = rng.uniform(16.01, 1e6)
    draft.info["mipLodBias"] = rng.choice((big, -big, math.inf, -math.inf, math.nan))


def _lods(draft: Draft, rng: Random) -> None:
    low = rng.uniform(-4, 14)
    ends = (low, low - rng.uniform(0.01, 20)), (math.nan, 4.0), (0.0, math.nan), (math.inf, 3.0)
    draft.info["minLod"], draft.info["maxLod"] = rng.choice(ends)


def _anisotropy(draft: Draft, rng: Random) -> None:
    draft.info |= {"anisotropyEnable": 1, "maxAnisotropy": rng.choice((0.0, 0.99, 16.01, 1e9, -4.0, math.nan))}


def _unnormalise(draft: Draft, rng: Random) -> None:
    """All that goes with it, or nothing of it."""
    if rng.random() < 0.5:
        _unnormalised(draft)
    draft.info["unnormalizedCoordinates"] = 1


def _bad_operation(draft: Draft, rng: Random) -> None:
    draft.info |= {"compareEnable": rng.choice((1, 1, 1, 0)), "compareOp": rng.choice(_UNDEFINED)}


def _bad_color(draft: Draft, rng: Random) -> None:
    draft.info["borderColor"] = rng.choice(_UNDEFINED)


def _without(structure_type: str) -> Callable[[Draft, Random], None]:
    def change(draft: Draft, _rng: Random) -> None:
        draft.chain[:] = [part for part in draft.chain if part["sType"] != structure_type]

    return change


def _color_without_struct(draft: Draft, rng: Random) -> None:
    draft.info["borderColor"] = _CUSTOM[rng.choice(("FLOAT", "INT"))]
    _without(_CUSTOM_STRUCT)(draft, rng)


def _custom_struct(draft: Draft, rng: Random) -> dict[str, Any]:
    """Return the custom colour's struct, made if there is none; the colour may stay a predefined one."""
    custom = draft.of(_CUSTOM_STRUCT)
    if custom is None:
        kind = rng.choice(("FLOAT", "INT"))
        custom = _custom(rng, kind)
        draft.chain.insert(0, custom)
        if rng.random() < 0.8:
            draft.info["borderColor"] = _CUSTOM[kind]
    return custom


def _wrong_kind(draft: Draft, rng: Random) -> None:
    _custom_struct(draft, rng)["format"] = rng.choice(_FLOAT_FORMATS + _INT_FORMATS)


def _no_format(draft: Draft, rng: Random) -> None:
    _custom_struct(draft, rng)["format"] = "VK_FORMAT_UNDEFINED"


def _bad_format(draft: Draft, rng: Random) -> None:
    _custom_struct(draft, rng)["format"] = rng.choice(_UNDEFINED[2:])


def _out_of_range(draft: Draft, rng: Random) -> None:
    struct = _custom_struct(draft, rng)
    if draft.info["borderColor"] == _CUSTOM["INT"]:
        struct["customBorderColor"] = {"int32": [rng.choice((-1, 256, 70000, -(1 << 31))) for _ in range(4)]}
        struct["format"] = rng.choice(_INT_FORMATS)
    else:
        struct["customBorderColor"] = {"float32": [rng.choice((-1.5, 2.5, 1e6, math.nan)) for _ in range(4)]}
        struct["format"] = rng.choice(_FLOAT_FORMATS)


def _reduce(draft: Draft, rng: Random) -> None:
    _without(_REDUCTION)(draft, rng)
    draft.chain.append({"sType": _REDUCTION, "reductionMode": rng.choice(_MODES[1:])})
    draft.info["compareEnable"] = int(rng.random() < 0.5)


def _bad_reduction(draft: Draft, rng: Random) -> None:
    _without(_REDUCTION)(draft, rng)
    draft.chain.append({"sType": _REDUCTION, "reductionMode": rng.choice((3, *_UNDEFINED))})


def _mapping(draft: Draft, rng: Random) -> None:
    swizzles = [f"VK_COMPONENT_SWIZZLE_{name}" for name in ("IDENTITY", "ZERO", "ONE", "R", "G", "B", "A")]
    components: dict[str, object] = {channel: rng.choice(swizzles) for channel in "rgba"}
    if rng.random() < 0.5:
        components[rng.choice("rgba")] = rng.choice(_UNDEFINED)
    draft.chain.append({"sType": _MAPPING, "components": components, "srgb": rng.choice((0, 1))})


def _cubic(draft: Draft, rng: Random) -> None:
    draft.info[rng.choice(("magFilter", "minFilter"))] = "VK_FILTER_CUBIC_EXT"


def _foreign(draft: Draft, rng: Random) -> None:
    draft.chain.insert(rng.randint(0, len(draft.chain)), {"sType": _FOREIGN, "usage": 4})


def _twice(draft: Draft, rng: Random) -> None:
    if not draft.chain:
        _reduce(draft, rng)
    draft.chain.append(dict(rng.choice(draft.chain)))


_TYPES: Final = (0, 12, 1000130001, 0x7FFFFFFF)

# fmt: off
#: Name -> what it does. Names are for people: counts a run prints.
FAULTS: Final[Mapping[str, Callable[[Draft, Random], None]]] = {
    "structure type":          _set("sType", *_TYPES),
    "foreign struct":          _foreign,
    "struct twice":            _twice,
    "undefined flags":         _set("flags", 0x40, 0x400, 0x80000000, 0x44),
    "capture-replay flag":     _set("flags", 8, 12),
    "flag without feature":    _set("flags", 4),
    "subsampled flag":         _set("flags", 1, 3),
    "image processing flag":   _set("flags", 16),
    "cubic filter":            _cubic,
    "undefined mag filter":    _set("magFilter", *_UNDEFINED),
    "undefined min filter":    _set("minFilter", *_UNDEFINED),
    "undefined mip mode":      _set("mipmapMode", *_UNDEFINED),
    "undefined address mode":  _some_axis(*_UNDEFINED),
    "undefined operation":     _bad_operation,
    "undefined border colour": _bad_color,
    "bias":                    _bias,
    "levels of detail":        _lods,
    "anisotropy":              _anisotropy,
    "unnormalised":            _unnormalise,
    "mirror clamp to edge":    _some_axis(MIRROR_EDGE),
    "custom without struct":   _color_without_struct,
    "format of another kind":  _wrong_kind,
    "custom without format":   _no_format,
    "undefined format":        _bad_format,
    "colour out of range":     _out_of_range,
    "reduction":               _reduce,
    "undefined reduction":     _bad_reduction,
    "component mapping":       _mapping,
}
# fmt: on


def faulty(rng: Random, most: int = 6) -> dict[str, Any]:
    """Return an info with 0 to ``most`` faults."""
    draft = drafted(rng)
    for name in rng.choices(list(FAULTS), k=rng.randint(0, most)):
        FAULTS[name](draft, rng)
    return survivable(draft, rng).to_dict()


def survivable(draft: Draft, rng: Random) -> Draft:
    """Keep from the driver what the standard allows and lavapipe of Mesa 22.3 crashes on.

    That is an undefined border colour that no axis reads: no rule is broken, so the layer lets it pass.
    """
    undefined = not isinstance(draft.info["borderColor"], str)
    if undefined and all(draft.info[axis] != BORDER for axis in _AXES):
        draft.info[rng.choice(_AXES)] = BORDER
    return draft
