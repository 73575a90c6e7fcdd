"""One way in for GL's words: a number, a GL name with or without its prefix, or a short kebab-case string.

``0x2900``, ``"GL_CLAMP"``, ``"CLAMP"`` and ``"clamp"`` are the same value; so are ``"GL_TEXTURE_2D"``, ``"TEXTURE_2D"``
and ``"2d"`` for a target. A vendor's spelling (``"GL_MIRROR_CLAMP_TO_EDGE_EXT"``) is as good as the core's, and so are
Vulkan's, WebGPU's and moderngl's words for it, which `statetracker.spellings` lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.errors import UnknownName
from statetracker.gl import enums
from statetracker.spellings import spelled

if TYPE_CHECKING:
    from enum import IntEnum

_KNOWN: dict[str, int] = {}
_CHOSEN: dict[tuple[type[IntEnum], str, object], int] = {}

#: Families whose members leave ``TEXTURE_`` out, and the members of them whose GL names never had it.
_SHORT = (enums.TextureParameter, enums.TextureQuery, enums.LevelQuery)
_PLAIN = (
    "DEPTH_TEXTURE_MODE",
    "DEPTH_STENCIL_TEXTURE_MODE",
    "GENERATE_MIPMAP",
    "IMAGE_FORMAT_COMPATIBILITY_TYPE",
    "REQUIRED_TEXTURE_IMAGE_UNITS_OES",
)


def _fill() -> None:
    for family in (getattr(enums, name) for name in enums.__all__):
        for member in family:
            short = family in _SHORT and member.name not in _PLAIN
            _KNOWN[f"GL_TEXTURE_{member.name}" if short else f"GL_{member.name}"] = int(member)


def number(value: object) -> int:
    """Turn a GLenum in any spelling into its number.

    value   an int (returned as it is), or a GL name with or without ``GL_``, in any case, ``-`` for ``_``, or a word of
            `statetracker.spellings.EVERYWHERE`

    Raises `UnknownName` for a word that is in no GL registry.
    """
    if isinstance(value, int):
        return value
    try:
        return _KNOWN[value]  # type: ignore[index]
    except (KeyError, TypeError):
        pass
    if not isinstance(value, str):
        raise UnknownName("GL enum", value, accepted="a number or a GL name")
    if not _KNOWN:
        _fill()
    name = spelled(value) or value.upper().replace("-", "_")
    name = name if name.startswith("GL_") else f"GL_{name}"
    if name not in _KNOWN:
        from statetracker.gl.registry import number as registered

        _KNOWN[name] = registered(name)
    _KNOWN[value] = _KNOWN[name]
    return _KNOWN[name]


def choose(value: object, family: type[IntEnum], field: str, prefix: str = "") -> int:
    """Turn a caller's word into a number of one family.

    value   anything `number` takes, or a member's name without ``prefix`` (``"2d"`` for TEXTURE_2D)
    field   what the value is for; named in the error

    Raises `UnknownName` with the family's members where the value is not one of them.
    """
    if value.__class__ is str or value.__class__ is int:
        chosen = _CHOSEN.get((family, prefix, value))
        if chosen is not None:
            return chosen
        chosen = _chosen(value, family, field, prefix)
        _CHOSEN[family, prefix, value] = chosen
        return chosen
    return _chosen(value, family, field, prefix)


def _chosen(value: object, family: type[IntEnum], field: str, prefix: str) -> int:
    if isinstance(value, str):
        short = spelled(value, family.__name__) or value.upper().replace("-", "_").removeprefix("GL_")
        for name in (short, prefix + short, short + "_EXT", "COMPARE_" + short):
            if name in family.__members__:
                return int(family.__members__[name])
    try:
        chosen = number(value)
    except UnknownName:
        chosen = None
    if chosen is None or isinstance(value, bool) or chosen not in list(family):
        words = ", ".join(kebab(name.removeprefix(prefix)) for name in family.__members__)
        raise UnknownName(field, value, accepted=words)
    return chosen


def kebab(name: str) -> str:
    """Spell a GL name the short way: ``LINEAR_MIPMAP_LINEAR`` becomes ``linear-mipmap-linear``."""
    return name.removesuffix("_EXT").lower().replace("_", "-")


def gl_name(value: int, family: type[IntEnum] | None = None) -> str:
    """Name a number: by its family where one is given, else by the registry, else as hexadecimal."""
    if family is not None and family not in _SHORT and value in family.__members__.values():
        return f"GL_{family(value).name}"
    from statetracker.gl.registry import names

    known = names(value)
    return known[0] if known else f"0x{value:04X}"
