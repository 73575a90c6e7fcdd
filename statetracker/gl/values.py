"""What GL calls are given: numbers, enum names, arrays of either, counts and names of objects; and the types of these.

`Settable` is an attribute that takes more than it gives: ``sampler.wrap_s = "repeat"`` stores a GLenum number. mypy and
pyright read it as they read any descriptor; nothing of it runs. `SamplerFields` is what ``Sampler(...)``, `update` and
`copy` take, for functions that hand keywords on: ``def make(**fields: Unpack[SamplerFields])``. See docs/parameters.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, Self, TypeAlias, TypedDict, TypeVar, overload

from statetracker.errors import ArgumentError
from statetracker.gl.names import number

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


class SamplerFields(TypedDict, total=False):
    """The keywords of ``Sampler(...)``; `Sampler` says what each is."""

    wrap: GLWord
    filter: tuple[GLWord, ...] | list[GLWord]
    wrap_s: GLWord
    wrap_t: GLWord
    wrap_r: GLWord
    min_filter: GLWord
    mag_filter: GLWord
    min_lod: float
    max_lod: float
    lod_bias: float
    max_anisotropy: float
    compare_mode: GLWord
    compare_func: GLWord
    srgb_decode: GLWord
    cube_map_seamless: bool
    reduction_mode: GLWord
    border_color: Four
    border_color_i: tuple[int, ...] | list[int]
    border_color_bits: tuple[int, ...] | list[int]


Number: TypeAlias = int | float


def scalar(value: object) -> Number:
    """Read one value: a number as it is, anything else as an enum. An int too large for a float becomes infinite."""
    if isinstance(value, int):
        return value if -(1 << 1023) < value < 1 << 1023 else float("inf") if value > 0 else float("-inf")
    return value if isinstance(value, float) else number(value)


def whole(**values: object) -> None:
    """Check that arguments are whole numbers, as sizes, levels and counts are; raises `ArgumentError` for another."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise ArgumentError(name, value, accepted="a whole number")


def vector(values: object) -> tuple[Number, ...]:
    """Read an array; a single value counts as an array of one. Raises `ArgumentError` for an empty one."""
    if isinstance(values, Iterable) and not isinstance(values, str):
        read = tuple([scalar(v) for v in values])
        if not read:
            raise ArgumentError("params", values, accepted="at least one number")
        return read
    return (scalar(values),)


def object_names(count: object, names: object, argument: str) -> list[int] | None:
    """Read a counted array of object names; None for a negative count, which is GL's business to refuse.

    count   how many, or the array itself where ``names`` is left out: ``glDeleteTextures([1, 2])``
    names   None is NULL, an array without names whatever the count says; ``...`` is left out

    Raises `ArgumentError` for what is no array of names, or one that is shorter than its count.
    """
    if (names is None or names is ...) and isinstance(count, Iterable) and not isinstance(count, str):
        names, count = list(count), None
    if names is None and isinstance(count, int):
        return None if count < 0 else []
    given = [names] if isinstance(names, int) else names
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise ArgumentError(argument, names, accepted="an array of object names")
    read = list(given)
    if any(not isinstance(name, int) for name in read):
        raise ArgumentError(argument, names, accepted="an array of object names")
    if count is None:
        return read
    if not isinstance(count, int) or count > len(read):
        raise ArgumentError(argument, names, accepted=f"{count!r} object names")
    return None if count < 0 else read[:count]
