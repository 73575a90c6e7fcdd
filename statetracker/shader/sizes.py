"""An image as the shader sees it: the sizes of its levels, and the face of a cube that a direction meets.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from statetracker.spirv import Emitter, Instruction, Kind, Word
from statetracker.spirv.names import Capability, Decoration, Dim

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Sizes:
    """Writes each size once: ``sampled`` the sampled image, ``image`` its OpTypeImage, ``count`` its spatial axes."""

    def __init__(
        self,
        emit: Emitter,
        sampled: int,
        image: Instruction,
        count: int,
        decorations: Mapping[int, Mapping[int, tuple[int, ...]]],
    ) -> None:
        self.emit, self.sampled, self.image, self.count = emit, sampled, image, count
        self.decorations = decorations
        self._levels: dict[int, Word] = {}
        self._parts: dict[int, list[Word]] = {}

    def whole(self, level: int | Word) -> Word:
        """Return the size of a level, a vector of floats; a level beyond the last, known by its number, is the last.

        Halved from the size of level 0: a driver may answer a query of one level for many fragments (llvmpipe does).
        """
        key = -1 - level if isinstance(level, int) else level.id
        if key not in self._levels:
            level = level.to(Kind.INT) if isinstance(level, Word) else level
            size = self._level_0
            if isinstance(level, int) and level:
                level = self.emit.number(Kind.INT, level).min(self.last_level())
            if isinstance(level, Word):
                size = (size >> level).max(1)
            self._levels[key] = size.to(Kind.FLOAT).named("size")
        return self._levels[key]

    def at(self, level: int | Word) -> list[Word]:
        """Return the size of a level, each axis as a float."""
        whole = self.whole(level)
        if whole.id not in self._parts:
            self._parts[whole.id] = [self.emit.component(whole, axis) for axis in range(self.count)]
        return self._parts[whole.id]

    def last_level(self) -> Word:
        """Return the number of the last level, an integer."""
        return self._last

    @cached_property
    def _last(self) -> Word:
        return (self.emit.make(Kind.INT, "OpImageQueryLevels", self._image) - 1).named("last_level")

    @cached_property
    def _level_0(self) -> Word:
        emit, image, count = self.emit, self._image, self.count + bool(self.image.words[4])
        if self.image.words[2] == Dim.Rect:
            size = emit.make(Kind.INT, "OpImageQuerySize", image, count=count)
        else:
            size = emit.make(Kind.INT, "OpImageQuerySizeLod", image, emit.number(Kind.INT, 0).id, count=count)
        return emit.head(size, self.count).named("whole_size")

    @cached_property
    def _image(self) -> int:
        editor, image = self.emit.editor, self.emit.op("OpImage", self.image.words[0], self.sampled)
        if Decoration.NonUniform in self.decorations.get(self.sampled, {}):
            editor.decorate(image, Decoration.NonUniform)
        editor.capability(Capability.ImageQuery)
        return image


class _Vector(NamedTuple):
    x: Word
    y: Word
    z: Word


class Face:
    """The face that a direction meets: the one of its largest component.

    Of equal components z comes before y before x.
    """

    def __init__(self, direction: Sequence[Word]) -> None:
        self.direction = _Vector(*direction)
        x, y, z = (one.abs() for one in direction)
        self.on_z = ((x <= z) & (y <= z)).named("on_z")
        self.on_y = ((x <= y) & ~self.on_z).named("on_y")
        largest = self.along(self.direction)
        self.sign = (largest < largest.like(0.0)).select(largest.like(-1.0), 1.0).named("sign_of_face")
        self.major = largest.abs()

    def along(self, vector: _Vector) -> Word:
        """Return the component of a vector along the face's axis."""
        return self.on_z.select(vector.z, self.on_y.select(vector.y, vector.x))

    def across(self, vector: _Vector) -> tuple[Word, Word]:
        """Return the components of a vector along the face's s and t."""
        x, y, z = vector
        s = self.on_z.select(self.sign * x, self.on_y.select(x, -(self.sign * z)))
        return s, self.on_y.select(self.sign * z, -y)

    @cached_property
    def place(self) -> tuple[Word, Word]:
        """The coordinates s and t on the face, 0 to 1."""
        s, t = ((one / self.major + 1.0) * 0.5 for one in self.across(self.direction))
        return s, t

    def gradient(self, derivative: Sequence[Word]) -> list[Word]:
        """Return the derivatives of s and t for a derivative of the direction."""
        vector = _Vector(*derivative)
        along = self.sign * self.along(vector)
        parts = zip(self.across(vector), self.across(self.direction), strict=True)
        return [(own * self.major - of * along) / (self.major * self.major * 2.0) for own, of in parts]

    def back(self, s: Word, t: Word, along: Word | None = None) -> list[Word]:
        """Return the direction of two components across the face, -1 to 1, and the one along its axis (None: 1)."""
        sign, axis = self.sign, self.sign if along is None else self.sign * along
        return [
            self.on_z.select(sign * s, self.on_y.select(s, axis)),
            self.on_y.select(axis, -t),
            self.on_z.select(axis, self.on_y.select(sign * t, -(sign * s))),
        ]
