"""Reading the value arguments of GL calls: numbers, enum names, arrays of either."""

from __future__ import annotations

from statetracker.gl.names import number

__all__ = ["Number", "scalar", "vector"]

Number = int | float


def scalar(value: object) -> Number:
    """Read one value: a number as it is, anything else as an enum."""
    return value if isinstance(value, int | float) else number(value)


def vector(values: object) -> tuple[Number, ...]:
    """Read an array; a single value counts as an array of one."""
    if isinstance(values, list | tuple):
        return tuple([scalar(v) for v in values])
    return (scalar(values),)
