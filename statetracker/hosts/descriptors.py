"""``VkSamplerCreateInfo`` and ``GPUSamplerDescriptor``, read as fields of `statetracker.gl.Sampler`.

Vulkan's comes from wherever it may: our own, a mapping, or an object with its members, which are numbers or Vulkan's
names. A chain in C (the PyPI package vulkan, a cffi struct) is a bare pointer, which only the ``ffi`` that made it can
follow. WebGPU's has JavaScript's spelling or wgpu-py's. Source: Vulkan 1.3, 13 "Samplers"; W3C WebGPU; wgpu-py 0.32.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterator

_S: Final = "VK_STRUCTURE_TYPE_SAMPLER_"
_NON_SEAMLESS: Final = 4
_COMPARES: Final = 0x884E
_LEVEL_0: Final = 0.25  # the upper LOD of a sampler without mipmaps, as Vulkan's own note has it for GL
_MOST: Final = 1000.0  # VK_LOD_CLAMP_NONE, and GL's default

#: Member -> what stands before its names, and these from 0 on.
_ENUMS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "magFilter": ("VK_FILTER_", ("NEAREST", "LINEAR")),
    "minFilter": ("VK_FILTER_", ("NEAREST", "LINEAR")),
    "mipmapMode": ("VK_SAMPLER_MIPMAP_MODE_", ("NEAREST", "LINEAR")),
    **dict.fromkeys(
        ("addressModeU", "addressModeV", "addressModeW"),
        (
            "VK_SAMPLER_ADDRESS_MODE_",
            ("REPEAT", "MIRRORED_REPEAT", "CLAMP_TO_EDGE", "CLAMP_TO_BORDER", "MIRROR_CLAMP_TO_EDGE"),
        ),
    ),
    "compareOp": (
        "VK_COMPARE_OP_",
        ("NEVER", "LESS", "EQUAL", "LESS_OR_EQUAL", "GREATER", "NOT_EQUAL", "GREATER_OR_EQUAL", "ALWAYS"),
    ),
    "reductionMode": ("VK_SAMPLER_REDUCTION_MODE_", ("WEIGHTED_AVERAGE", "MIN", "MAX")),
}
_SWITCHES: Final = {"VK_FALSE": 0, "VK_TRUE": 1}
#: borderColor by number and by name -> the field that it is, and its value; None: the colour is in the chain.
_COLOURS: Final[dict[object, tuple[str, tuple[int, int, int, int]] | None]] = {}
for _number, (_name, _value) in enumerate(
    (
        ("TRANSPARENT_BLACK", (0, 0, 0, 0)),
        ("OPAQUE_BLACK", (0, 0, 0, 1)),
        ("OPAQUE_WHITE", (1, 1, 1, 1)),
    )
):
    for _kind, _field, _at in (("FLOAT", "border_color", 0), ("INT", "border_color_i", 1)):
        _COLOURS[2 * _number + _at] = _COLOURS[f"VK_BORDER_COLOR_{_kind}_{_name}"] = (_field, _value)
for _number, _kind in ((1000287003, "FLOAT"), (1000287004, "INT")):
    _COLOURS[_number] = _COLOURS[f"VK_BORDER_COLOR_{_kind}_CUSTOM_EXT"] = None

#: sType by number and by name -> the struct that it begins, where a sampler's chain may have it.
_CUSTOM: Final = "VkSamplerCustomBorderColorCreateInfoEXT"
_REDUCTION: Final = "VkSamplerReductionModeCreateInfo"
_CHAINED: Final[dict[object, str]] = {
    1000287000: _CUSTOM,
    f"{_S}CUSTOM_BORDER_COLOR_CREATE_INFO_EXT": _CUSTOM,
    1000130001: _REDUCTION,
    f"{_S}REDUCTION_MODE_CREATE_INFO": _REDUCTION,
    f"{_S}REDUCTION_MODE_CREATE_INFO_EXT": _REDUCTION,
    1000411001: "VkSamplerBorderColorComponentMappingCreateInfoEXT",  # says how the view swizzles; no state of its own
    f"{_S}BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT": "VkSamplerBorderColorComponentMappingCreateInfoEXT",
    1000128000: "VkDebugUtilsObjectNameInfoEXT",
    "VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT": "VkDebugUtilsObjectNameInfoEXT",
}

#: Words of WebGPU.
_WRAPS: Final = ("clamp-to-edge", "repeat", "mirror-repeat")
_FILTERS: Final = ("nearest", "linear")
_FUNCS: Final = ("never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always")

# fmt: off
#: JavaScript's name -> wgpu-py's, the default, and the words that it may be; None: a number.
_MEMBERS: Final[dict[str, tuple[str, Any, tuple[str, ...] | None]]] = {
    "addressModeU":  ("address_mode_u", "clamp-to-edge", _WRAPS),
    "addressModeV":  ("address_mode_v", "clamp-to-edge", _WRAPS),
    "addressModeW":  ("address_mode_w", "clamp-to-edge", _WRAPS),
    "magFilter":     ("mag_filter",     "nearest",       _FILTERS),
    "minFilter":     ("min_filter",     "nearest",       _FILTERS),
    "mipmapFilter":  ("mipmap_filter",  "nearest",       _FILTERS),
    "lodMinClamp":   ("lod_min_clamp",  0.0,             None),
    "lodMaxClamp":   ("lod_max_clamp",  32.0,            None),
    "compare":       ("compare",        None,            _FUNCS),
    "maxAnisotropy": ("max_anisotropy", 1,               None),
}
# fmt: on
_BY_NAME: Final = {name: py for py, (name, *_) in _MEMBERS.items()} | {name: name for name in _MEMBERS}


def vulkan_fields(info: Any, ffi: Any = None) -> dict[str, Any]:
    """Read a create info as fields of `Sampler`.

    Args:
        info: A mapping of the members, or an object that has them as attributes; members left out are 0.
        ffi: What made a struct of C whose chain is not empty.

    Raises:
        UnknownName: A name or number that Vulkan does not have.
        ArgumentError: It is no create info, or one that no sampler of GL can say: cubic filters, YCbCr, coordinates in
            texels.
    """
    if not isinstance(info, Mapping) and not hasattr(info, "magFilter"):
        raise ArgumentError("info", info, accepted="a VkSamplerCreateInfo: a mapping, or an object with its members")
    chain = dict(_chain(_member(info, "pNext", None), ffi))
    flags = _member(info, "flags", 0)
    for name, wrong, hint in (
        ("flags", flags if not isinstance(flags, int) or flags & ~_NON_SEAMLESS else 0, "Samplers of GL have one flag"),
        (
            "unnormalizedCoordinates",
            int(_switch(info, "unnormalizedCoordinates")),
            "GL has a target for that: rectangle",
        ),
    ):
        if wrong:
            accepted = "0, or 4 for non-seamless cubes" if name == "flags" else "0"
            raise ArgumentError(name, wrong, accepted=accepted, hint=f"{hint}.")
    comparing, anisotropic = _switch(info, "compareEnable"), _switch(info, "anisotropyEnable")
    fields = {
        f"wrap_{gl}": f"VK_SAMPLER_ADDRESS_MODE_{_enum(info, f'addressMode{vk}')}"
        for gl, vk in zip("str", "UVW", strict=True)
    }
    return {
        **fields,
        **_levels(info),
        "mag_filter": _enum(info, "magFilter"),
        "lod_bias": _float(info, "mipLodBias"),
        "max_anisotropy": max(1.0, _float(info, "maxAnisotropy")) if anisotropic else 1.0,
        "compare_mode": _COMPARES if comparing else 0,
        **({"compare_func": f"VK_COMPARE_OP_{_enum(info, 'compareOp')}"} if comparing else {}),
        "cube_map_seamless": not flags,
        "reduction_mode": _enum(chain.get(_REDUCTION, {}), "reductionMode"),
        **_border(_member(info, "borderColor", 0), chain.get(_CUSTOM)),
    }


def _levels(info: Any) -> dict[str, Any]:
    """Return the min filter and the LODs. Level 0 alone is a filter without mipmaps; LODs of 0 to 1000 are GL's own."""
    low, high = (_float(info, name) for name in ("minLod", "maxLod"))
    image, mip = _enum(info, "minFilter"), _enum(info, "mipmapMode")
    if mip == "NEAREST" and (low, high) == (0.0, _LEVEL_0):
        return {"min_filter": image, "max_lod": high}
    fields = {"min_filter": f"{image}_MIPMAP_{mip}", "max_lod": high}
    return fields | ({"min_lod": low} if low else {})


def _border(colour: object, custom: Any) -> dict[str, Any]:
    try:
        known = _COLOURS[colour]
    except (KeyError, TypeError):
        raise UnknownName("borderColor", colour, accepted=", ".join(map(str, _COLOURS))) from None
    if known is not None:
        return dict([known])
    if custom is None:
        raise ArgumentError("borderColor", colour, accepted=f"a custom colour with its {_CUSTOM} in the chain")
    value = _member(custom, "customBorderColor", None)
    try:
        for member, field in (("uint32", "border_color_bits"), ("int32", "border_color_i")):
            if len(words := list(_member(value, member, ()))) == 4:
                return {field: words}
        return {"border_color": list(_member(value, "float32", ()))}
    except TypeError:
        accepted = "a VkClearColorValue: float32, int32 or uint32"
        raise ArgumentError("customBorderColor", value, accepted=accepted) from None


def _member(info: Any, name: str, default: Any) -> Any:
    return info.get(name, default) if isinstance(info, Mapping) else getattr(info, name, default)


def _float(info: Any, name: str) -> float:
    value = _member(info, name, 0.0)
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(name, value, accepted="a number") from None


def _switch(info: Any, name: str) -> bool:
    value = _member(info, name, 0)
    if isinstance(value, str) and value not in _SWITCHES:
        raise UnknownName(name, value, accepted=f"0, 1, {', '.join(_SWITCHES)}")
    return bool(_SWITCHES[value] if isinstance(value, str) else value)


def _enum(info: Any, member: str) -> str:
    """Return a member of an enum without what stands before its name."""
    value = _member(info, member, 0)
    prefix, names = _ENUMS[member]
    if isinstance(value, str):
        name = value.removeprefix(prefix).removesuffix("_KHR").removesuffix("_EXT")
        if name in names:
            return name
    elif isinstance(value, int) and 0 <= value < len(names):
        return names[value]
    hint = "No sampler of GL filters so." if "CUBIC" in str(value) or value == 1000015000 else ""
    accepted = ", ".join(f"{prefix}{name}" for name in names)
    raise UnknownName(member, value, accepted=accepted, hint=hint)


def _chain(entry: Any, ffi: Any) -> Iterator[tuple[str, Any]]:
    """Struct by struct: what each is, and its members. A struct that is none of a GL sampler's is an error."""
    seen = 0
    while entry is not None and entry is not getattr(ffi, "NULL", None) and entry:
        s_type, entry = _opened(entry, ffi)
        seen += 1
        if not isinstance(s_type, str | int) or s_type not in _CHAINED or seen > len(_CHAINED):
            raise ArgumentError("pNext", s_type, accepted=", ".join(dict.fromkeys(_CHAINED.values())))
        yield _CHAINED[s_type], entry
        entry = _member(entry, "pNext", None)


def _opened(entry: Any, ffi: Any) -> tuple[object, Any]:
    """Return the sType and the members of a struct, which in C is behind a bare pointer."""
    if isinstance(entry, Mapping) or hasattr(entry, "sType"):
        return _member(entry, "sType", None), entry
    if ffi is None:
        hint = "Give what made the struct: from_vulkan(info, ffi=vulkan.ffi)."
        raise ArgumentError("pNext", entry, accepted="a mapping, or a pointer that an ffi can follow", hint=hint)
    try:
        s_type = int(ffi.cast("uint32_t *", entry)[0])
        return s_type, ffi.cast(f"{_CHAINED.get(s_type, _REDUCTION)} *", entry)
    except (TypeError, AttributeError):
        raise ArgumentError("pNext", entry, accepted="a pointer of C, and the ffi that made it") from None


def wgpu_fields(descriptor: Any) -> dict[str, Any]:
    """Read a descriptor as fields of `Sampler`; members left out have WebGPU's defaults, a label is passed over.

    Cube maps are seamless in WebGPU.

    Args:
        descriptor: A mapping of its members.

    Raises:
        UnknownName: A member or word that WebGPU does not have.
        ArgumentError: It is no mapping.
    """
    if not isinstance(descriptor, Mapping):
        raise ArgumentError("descriptor", descriptor, accepted="a GPUSamplerDescriptor: a mapping of its members")
    given = {member: default for member, (_, default, _) in _MEMBERS.items()}
    for name, value in descriptor.items():
        if name == "label":
            continue
        if name not in _BY_NAME:
            raise UnknownName("member of GPUSamplerDescriptor", name, accepted=", ".join(_BY_NAME))
        given[_BY_NAME[name]] = _checked(name, value)
    filters = given["minFilter"], given["mipmapFilter"]
    levels = given["lodMinClamp"], given["lodMaxClamp"]
    whole = filters[1] == "nearest" and levels == (0.0, _LEVEL_0)
    fields: dict[str, Any] = {
        "wrap_s": given["addressModeU"],
        "wrap_t": given["addressModeV"],
        "wrap_r": given["addressModeW"],
        "mag_filter": given["magFilter"],
        "min_filter": filters[0] if whole else "{}-mipmap-{}".format(*filters),
        "max_anisotropy": float(given["maxAnisotropy"]),
        "cube_map_seamless": True,
    }
    if not whole:
        fields |= {"max_lod": levels[1]} | ({"min_lod": levels[0]} if levels[0] else {})
    if given["compare"] is not None:
        fields |= {"compare_mode": True, "compare_func": given["compare"]}
    return fields


def _checked(name: str, value: Any) -> Any:
    words = _MEMBERS[_BY_NAME[name]][2]
    if words is None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ArgumentError(name, value, accepted="a number")
        return _float({name: value}, name)
    if value not in words and not (value is None and name == "compare"):
        raise UnknownName(name, value, accepted=", ".join(words))
    return value
