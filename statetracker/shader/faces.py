"""The face of a cube that a direction meets, coordinates on it and the way back. Source: docs/shader_lowering.md."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.spirv import Word


class _Vector(NamedTuple):
    """A direction, or a derivative of one."""

    x: Word
    y: Word
    z: Word


class Face:
    """The face that a direction meets: the one of its largest component."""

    def __init__(self, direction: Sequence[Word]) -> None:
        """Write the choice; of equal components z comes before y before x."""
        self.direction = _Vector(*direction)
        x, y, z = (one.abs() for one in direction)
        self.on_z = ((x <= z) & (y <= z)).named("on_z")
        self.on_y = ((x <= y) & ~self.on_z).named("on_y")
        largest = self.along(self.direction)
        self.sign = (largest < largest.like(0.0)).select(largest.like(-1.0), 1.0).named("sign_of_face")
        self.major = largest.abs()

    def along(self, vector: _Vector) -> Word:
        """The component of a vector along the face's axis."""
        return self.on_z.select(vector.z, self.on_y.select(vector.y, vector.x))

    def across(self, vector: _Vector) -> tuple[Word, Word]:
        """The components of a vector along the face's s and t."""
        x, y, z = vector
        s = self.on_z.select(self.sign * x, self.on_y.select(x, -(self.sign * z)))
        return s, self.on_y.select(self.sign * z, -y)

    @cached_property
    def place(self) -> tuple[Word, Word]:
        """The coordinates s and t on the face, 0 to 1."""
        s, t = ((one / self.major + 1.0) * 0.5 for one in self.across(self.direction))
        return s, t

    def gradient(self, derivative: Sequence[Word]) -> list[Word]:
        """The derivatives of s and t for a derivative of the direction."""
        vector = _Vector(*derivative)
        along = self.sign * self.along(vector)
        parts = zip(self.across(vector), self.across(self.direction), strict=True)
        return [(own * self.major - of * along) / (self.major * self.major * 2.0) for own, of in parts]

    def back(self, s: Word, t: Word, along: Word | None = None) -> list[Word]:
        """The direction of two components across the face, -1 to 1, and the one along its axis (None: 1)."""
        sign, axis = self.sign, self.sign if along is None else self.sign * along
        return [
            self.on_z.select(sign * s, self.on_y.select(s, axis)),
            self.on_y.select(axis, -t),
            self.on_z.select(axis, self.on_y.select(sign * t, -(sign * s))),
        ]
