"""Random create infos for samplers, valid or with faults, in Vulkan's own names; random records of 36 bytes.

An info is drafted valid for a device that has everything, then faults are put in; undefined values are numbers. A fault
is a small change that breaks a rule on some device; checker and layer decide what it breaks.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.vulkan import enums

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

__all__ = ["FAULTS", "Draft", "drafted", "faulty", "random_record", "survivable"]

_WRAPS, _FILTERS, _MIPS, _OPS, _COLORS, _MODES, _SWIZZLES = (
    tuple(name for name in enums.NUMBERS[enum] if "CUBIC" not in name and "CUSTOM" not in name)
    for enum in (
        *(enums.SamplerAddressMode, enums.Filter, enums.SamplerMipmapMode, enums.CompareOp, enums.BorderColor),
        *(enums.SamplerReductionMode, enums.ComponentSwizzle),
    )
)
_, _, EDGE, BORDER, MIRROR_EDGE = _WRAPS
_AXES: Final = ("addressModeU", "addressModeV", "addressModeW")
_CUSTOM: Final = {kind: f"VK_BORDER_COLOR_{kind}_CUSTOM_EXT" for kind in ("FLOAT", "INT")}
_CUSTOM_STRUCT: Final = "VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT"
_REDUCTION: Final = "VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO"
_MAPPING: Final = "VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT"
_FOREIGN: Final = "VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO"

_UNDEFINED: Final = (9, 77, 1000, 0x7FFFFFFE)
#: Kind -> formats of it.
_FORMATS: Final = {
    kind: tuple(f"VK_FORMAT_{name}" for name in names.split())
    for kind, names in {
        "FLOAT": "R8_UNORM R8G8B8A8_SNORM R8G8B8A8_SRGB R16G16B16A16_SFLOAT B10G11R11_UFLOAT_PACK32 "
        "D16_UNORM D32_SFLOAT D24_UNORM_S8_UINT BC1_RGBA_UNORM_BLOCK",
        "INT": "R8_UINT R16G16B16A16_SINT R32G32B32A32_UINT S8_UINT D32_SFLOAT_S8_UINT A2B10G10R10_UINT_PACK32",
    }.items()
}
#: Kind -> the member of a colour, numbers that every format of the kind can hold, and numbers that some cannot.
_NUMBERS: Final[dict[str, tuple[str, tuple[float, ...], tuple[float, ...]]]] = {
    "FLOAT": ("float32", (0.0, 0.25, 0.5, 1.0), (-1.5, 2.5, 1e6, math.nan)),
    "INT": ("int32", (0, 1, 2, 3), (-1, 256, 70000, -(1 << 31))),
}


class Draft(NamedTuple):
    """A create info in the making: its own members, and the structs of its chain in order."""

    info: dict[str, Any]
    chain: list[dict[str, Any]]

    def drop(self, structure_type: str) -> None:
        """Take the structs of a type off the chain."""
        self.chain[:] = [part for part in self.chain if part["sType"] != structure_type]

    def to_dict(self) -> dict[str, Any]:
        """Return the create info with its chain linked."""
        following: dict[str, Any] | None = None
        for part in reversed(self.chain):
            following = {**part, "pNext": following}
        return {**self.info, "pNext": following}


def _custom(rng: Random, kind: str) -> dict[str, Any]:
    """Return a custom colour that every format of its kind can hold, with such a format or none."""
    member, held, _ = _NUMBERS[kind]
    name = rng.choice(("VK_FORMAT_UNDEFINED", *_FORMATS[kind]))
    return {"sType": _CUSTOM_STRUCT, "customBorderColor": {member: rng.choices(held, k=4)}, "format": name}


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
    zeros = dict.fromkeys(("minLod", "maxLod"), 0.0) | dict.fromkeys(("anisotropyEnable", "compareEnable"), 0)
    filters = {"minFilter": draft.info["magFilter"], "mipmapMode": _MIPS[0]}
    draft.info.update(zeros | filters, addressModeU=EDGE, addressModeV=BORDER, unnormalizedCoordinates=1)


# Faults. Each takes a draft and changes it in place.


def _set(*members: str, to: tuple[object, ...]) -> Callable[[Draft, Random], None]:
    """Set one of the members to one of the values."""
    return lambda draft, rng: draft.info.__setitem__(rng.choice(members), rng.choice(to))


def _bias(draft: Draft, rng: Random) -> None:
    big = rng.uniform(16.01, 1e6)
    draft.info["mipLodBias"] = rng.choice((big, -big, math.inf, -math.inf, math.nan))


def _lods(draft: Draft, rng: Random) -> None:
    low = rng.uniform(-4, 14)
    ends = (low, low - rng.uniform(0.01, 20)), (math.nan, 4.0), (0.0, math.nan), (math.inf, 3.0)
    draft.info["minLod"], draft.info["maxLod"] = rng.choice(ends)


def _anisotropy(draft: Draft, rng: Random) -> None:
    draft.info.update({"anisotropyEnable": 1, "maxAnisotropy": rng.choice((0.0, 0.99, 16.01, 1e9, -4.0, math.nan))})


def _unnormalise(draft: Draft, rng: Random) -> None:
    """All that goes with it, or nothing of it."""
    if rng.random() < 0.5:
        _unnormalised(draft)
    draft.info["unnormalizedCoordinates"] = 1


def _bad_operation(draft: Draft, rng: Random) -> None:
    draft.info.update({"compareEnable": rng.choice((1, 1, 1, 0)), "compareOp": rng.choice(_UNDEFINED)})


def _color_without_struct(draft: Draft, rng: Random) -> None:
    draft.info["borderColor"] = rng.choice([*_CUSTOM.values()])
    draft.drop(_CUSTOM_STRUCT)


def _custom_struct(draft: Draft, rng: Random) -> dict[str, Any]:
    """Return the custom colour's struct, made if there is none; the colour may stay a predefined one."""
    for custom in draft.chain:
        if custom["sType"] == _CUSTOM_STRUCT:
            return custom
    kind = rng.choice(("FLOAT", "INT"))
    draft.chain.insert(0, _custom(rng, kind))
    if rng.random() < 0.8:
        draft.info["borderColor"] = _CUSTOM[kind]
    return draft.chain[0]


def _format(*names: object) -> Callable[[Draft, Random], None]:
    return lambda draft, rng: _custom_struct(draft, rng).__setitem__("format", rng.choice(names))


def _out_of_range(draft: Draft, rng: Random) -> None:
    custom = _custom_struct(draft, rng)
    kind = "INT" if draft.info["borderColor"] == _CUSTOM["INT"] else "FLOAT"
    member, _, beyond = _NUMBERS[kind]
    custom |= {"customBorderColor": {member: rng.choices(beyond, k=4)}, "format": rng.choice(_FORMATS[kind])}


def _reduce(draft: Draft, rng: Random) -> None:
    _bad_reduction(draft, rng, _MODES[1:])
    draft.info["compareEnable"] = int(rng.random() < 0.5)


def _bad_reduction(draft: Draft, rng: Random, modes: tuple[object, ...] = (3, *_UNDEFINED)) -> None:
    draft.drop(_REDUCTION)
    draft.chain.append({"sType": _REDUCTION, "reductionMode": rng.choice(modes)})


def _mapping(draft: Draft, rng: Random) -> None:
    components: dict[str, object] = {channel: rng.choice(_SWIZZLES) for channel in "rgba"}
    if rng.random() < 0.5:
        components[rng.choice("rgba")] = rng.choice(_UNDEFINED)
    draft.chain.append({"sType": _MAPPING, "components": components, "srgb": rng.choice((0, 1))})


def _foreign(draft: Draft, rng: Random) -> None:
    draft.chain.insert(rng.randint(0, len(draft.chain)), {"sType": _FOREIGN, "usage": 4})


def _twice(draft: Draft, rng: Random) -> None:
    if not draft.chain:
        _reduce(draft, rng)
    draft.chain.append(dict(rng.choice(draft.chain)))


# fmt: off
#: Name -> what it does. Names are for people: counts a run prints.
FAULTS: Final[Mapping[str, Callable[[Draft, Random], None]]] = {
    "structure type":          _set("sType", to=(0, 12, 1000130001, 0x7FFFFFFF)),
    "foreign struct":          _foreign,
    "struct twice":            _twice,
    "undefined flags":         _set("flags", to=(0x40, 0x400, 0x80000000, 0x44)),
    "capture-replay flag":     _set("flags", to=(8, 12)),
    "flag without feature":    _set("flags", to=(4,)),
    "subsampled flag":         _set("flags", to=(1, 3)),
    "image processing flag":   _set("flags", to=(16,)),
    "cubic filter":            _set("magFilter", "minFilter", to=("VK_FILTER_CUBIC_EXT",)),
    "undefined mag filter":    _set("magFilter", to=_UNDEFINED),
    "undefined min filter":    _set("minFilter", to=_UNDEFINED),
    "undefined mip mode":      _set("mipmapMode", to=_UNDEFINED),
    "undefined address mode":  _set(*_AXES, to=_UNDEFINED),
    "undefined operation":     _bad_operation,
    "undefined border colour": _set("borderColor", to=_UNDEFINED),
    "bias":                    _bias,
    "levels of detail":        _lods,
    "anisotropy":              _anisotropy,
    "unnormalised":            _unnormalise,
    "mirror clamp to edge":    _set(*_AXES, to=(MIRROR_EDGE,)),
    "custom without struct":   _color_without_struct,
    "format of another kind":  _format(*_FORMATS["FLOAT"], *_FORMATS["INT"]),
    "custom without format":   _format("VK_FORMAT_UNDEFINED"),
    "undefined format":        _format(*_UNDEFINED[2:]),
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


_FLOATS: Final = (0.0, -0.0, 0.25, 1.0, -1.0, 0.5, 15.0, 16.0, -16.0, 31.9, 1e9, math.inf, -math.inf, math.nan)
_CHANNELS: Final = (*_FLOATS, 0.1, 2.5, -2.5, 255.0)
_WORDS: Final = (0, 1, 2, 255, 256, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def random_record(rng: Random) -> bytes:
    """Return a record in the 22.3 layout: all bits of the first word random but reserved ones; floats often special."""
    floats = [rng.choice(_FLOATS) if rng.random() < 0.7 else rng.uniform(-40, 40) for _ in range(3)]
    kind = rng.randrange(3)
    if kind == 0:  # predefined colours and their neighbours
        color = struct.pack("<4f", *rng.choice(((0, 0, 0, 0), (0, 0, 0, 1), (1, 1, 1, 1), (0, 1, 0, 1))))
    elif kind == 1:
        color = struct.pack("<4f", *(rng.choice(_CHANNELS) for _ in range(4)))
    else:
        color = struct.pack("<4I", *(rng.choice(_WORDS) for _ in range(4)))
    format_number = rng.choice((0, 0, 0, rng.randrange(350)))
    return struct.pack("<I3f", rng.getrandbits(27), *floats) + color + struct.pack("<I", format_number)
