"""Reading the value arguments of GL calls: numbers, enum names, arrays of either, counts and names of objects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from statetracker.errors import ArgumentError
from statetracker.gl.names import number

__all__ = ["Number", "object_names", "scalar", "vector", "whole"]

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
