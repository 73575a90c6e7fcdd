"""Arguments of GL calls: enums in any spelling, numbers, arrays of either; and the types of these.

``0x2900``, ``"GL_CLAMP"`` and ``"clamp"`` are the same value; so are a vendor's spelling and the words of Vulkan,
WebGPU and moderngl (`statetracker.spellings`). Every name of the Khronos registry is in ``registry.csv``, read on first
use. See docs/parameters.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeAlias, TypeVar, overload

from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import enums
from statetracker.spellings import normalize

if TYPE_CHECKING:
    from enum import IntEnum

    from statetracker.gl.floats import Number

#: A GLenum: its number (so a member of an enum, too), or a word in any spelling.
GLWord: TypeAlias = int | str

#: Four numbers; how many is seen when they are set.
Four: TypeAlias = tuple[float, ...] | list[float]

Got_co = TypeVar("Got_co", covariant=True)
Given_contra = TypeVar("Given_contra", contravariant=True)


class Settable(Protocol[Got_co, Given_contra]):
    """An attribute that gives one type and takes another; what it takes is checked when it is set."""

    @overload
    def __get__(self, instance: None, owner: type, /) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type, /) -> Got_co: ...
    def __set__(self, instance: object, value: Given_contra, /) -> None: ...


_KNOWN: dict[str, int] = {}
_CHOSEN: dict[tuple[type[IntEnum], str, object], IntEnum] = {}

#: The registry: name without ``GL_`` -> number, and number -> names, the core's before the vendors'.
_NUMBERS: Final[dict[str, int]] = {}
_NAMES: Final[dict[int, tuple[str, ...]]] = {}
_NEAR_MISSES: Final = 3

#: Families whose members leave ``TEXTURE_`` out, and the members of them whose GL names never had it.
_SHORT = (enums.TextureParameter, enums.TextureQuery, enums.LevelQuery)
_PLAIN = (
    *("DEPTH_TEXTURE_MODE", "DEPTH_STENCIL_TEXTURE_MODE", "GENERATE_MIPMAP"),
    *("IMAGE_FORMAT_COMPATIBILITY_TYPE", "REQUIRED_TEXTURE_IMAGE_UNITS_OES"),
)


def _fill() -> None:
    for family in enums.FAMILIES:
        for member in family:
            short = family in _SHORT and member.name not in _PLAIN
            _KNOWN[f"GL_TEXTURE_{member.name}" if short else f"GL_{member.name}"] = int(member)


def glenum(value: object) -> int:
    """Turn a GLenum in any spelling into its number.

    Args:
        value: An int (returned as it is), or a GL name with or without ``GL_``, in any case, ``-`` for ``_``, or a word
            of `statetracker.spellings.EVERYWHERE`.

    Raises:
        UnknownName: A word that is in no GL registry.
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
    name = normalize(value) or value.upper().replace("-", "_")
    name = name if name.startswith("GL_") else f"GL_{name}"
    if name not in _KNOWN:
        known = registered(name)
        if known is None:
            hint = _near(name.removeprefix("GL_"))
            raise UnknownName("GL enum", name, accepted="a name of the Khronos GL registry", hint=hint)
        _KNOWN[name] = known
    _KNOWN[value] = _KNOWN[name]
    return _KNOWN[name]


def enum_value(value: object, family: type[IntEnum], field: str, prefix: str = "") -> IntEnum:
    """Turn a caller's word into a member of one family.

    Args:
        value: Anything `glenum` takes, or a member's name without ``prefix`` (``"2d"`` for TEXTURE_2D).
        family: The enum.
        field: What the value is for; named in the error.
        prefix: What its members' names begin with.

    Raises:
        UnknownName: It is no member of the family; the error has their names.
    """
    if value.__class__ is not str and value.__class__ is not int:
        return _chosen(value, family, field, prefix)
    chosen = _CHOSEN.get((family, prefix, value))
    if chosen is None:
        chosen = _CHOSEN[family, prefix, value] = _chosen(value, family, field, prefix)
    return chosen


def _chosen(value: object, family: type[IntEnum], field: str, prefix: str) -> IntEnum:
    if isinstance(value, str):
        short = normalize(value, family.__name__) or value.upper().replace("-", "_").removeprefix("GL_")
        for name in (short, prefix + short, short + "_EXT", "COMPARE_" + short):
            if name in family.__members__:
                return family.__members__[name]
    try:
        chosen = glenum(value)
    except UnknownName:
        chosen = None
    if chosen is None or isinstance(value, bool) or chosen not in enums.MEMBERS[family]:
        words = ", ".join(kebab(name.removeprefix(prefix)) for name in family.__members__)
        hint = (
            f"0x{value:04X} is {' or '.join(gl_names(value)) or 'no name of GL'}"
            if type(value) is int and value >= 0
            else ""
        )
        raise UnknownName(field, value, accepted=words, hint=hint)
    return enums.MEMBERS[family][chosen]


def kebab(name: str) -> str:
    """Spell a GL name the short way: ``LINEAR_MIPMAP_LINEAR`` becomes ``linear-mipmap-linear``."""
    return name.removesuffix("_EXT").lower().replace("_", "-")


def gl_name(value: int, family: type[IntEnum] | None = None) -> str:
    """Name a number: by its family where one is given, else by the registry, else as hexadecimal."""
    if family not in _SHORT and value in enums.MEMBERS[family]:
        return f"GL_{enums.MEMBERS[family][value].name}"
    known = gl_names(value)
    return known[0] if known else f"0x{value:04X}"


def listing(values: Iterable[int], family: type[IntEnum] | None = None) -> str:
    """Name several numbers in their order, for messages."""
    return ", ".join(gl_name(value, family) for value in sorted(values))


def registered(name: str) -> int | None:
    """Look up a name of the Khronos registry; None for one that is not in it.

    Args:
        name: With or without ``GL_``, in any case.

    Returns:
        The registry's number; the few negative ones stay negative.
    """
    if not _NUMBERS:
        _load()
    return _NUMBERS.get(name.upper().removeprefix("GL_"))


def gl_names(value: int) -> tuple[str, ...]:
    """All names of a number, with ``GL_``, the core's first; empty where it has none."""
    if not _NAMES:
        _load()
    return _NAMES.get(value, ())


def _load() -> None:
    from pathlib import Path

    by_value: dict[int, list[str]] = {}
    with Path(__file__).with_name("registry.csv").open(encoding="ascii") as lines:
        for line in lines:
            name, comma, value = line.partition(",")
            if line.startswith("#") or value == "number\n" or not comma:
                continue
            number = int(value, 0)
            by_value.setdefault(number, []).append("GL_" + name)
            _NUMBERS[name.upper()] = number
    _NAMES.update((value, tuple(spellings)) for value, spellings in by_value.items())


def _near(word: str) -> str:
    from difflib import get_close_matches

    alike = [name for name in _NUMBERS if name[:1] == word[:1] and abs(len(name) - len(word)) <= _NEAR_MISSES]
    near = get_close_matches(word, alike, n=_NEAR_MISSES)
    return f"Did you mean {' or '.join('GL_' + name for name in near)}?" if near else ""


def scalar(value: object) -> Number:
    """Read one value: a number as it is, anything else as an enum. An int too large for a float becomes infinite."""
    if isinstance(value, int):
        return value if -(1 << 1023) < value < 1 << 1023 else float("inf") if value > 0 else float("-inf")
    return value if isinstance(value, float) else glenum(value)


def whole(**values: object) -> None:
    """Check that arguments are whole numbers, as sizes, levels and counts are; raises `ArgumentError` for another."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise ArgumentError(name, value, accepted="a whole number")


def whole_size(size: tuple[int, ...], **others: object) -> None:
    """Do the same for a size: width, height and depth, as many as it has."""
    whole(**others, **dict(zip(("width", "height", "depth"), size, strict=False)))


def vector(values: object) -> tuple[Number, ...]:
    """Read an array; a single value counts as an array of one. Raises `ArgumentError` for an empty one."""
    if isinstance(values, Iterable) and not isinstance(values, str):
        read = tuple([scalar(v) for v in values])
        if not read:
            raise ArgumentError("params", values, accepted="at least one number")
        return read
    return (scalar(values),)
