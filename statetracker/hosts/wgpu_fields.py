"""``GPUSamplerDescriptor``, in JavaScript's spelling or wgpu-py's. Source: W3C WebGPU; wgpu-py 0.32."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from statetracker.errors import ArgumentError, UnknownName

_WRAPS: Final = ("clamp-to-edge", "repeat", "mirror-repeat")
_FILTERS: Final = ("nearest", "linear")
_FUNCS: Final = ("never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always")
_LEVEL_0: Final = (0.0, 0.25)

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


def sampler_fields(descriptor: Any) -> dict[str, Any]:
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
    levels = float(given["lodMinClamp"]), float(given["lodMaxClamp"])
    whole = filters[1] == "nearest" and levels == _LEVEL_0
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
    elif value not in words and not (value is None and name == "compare"):
        raise UnknownName(name, value, accepted=", ".join(words))
    return value
