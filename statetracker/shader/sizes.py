"""Sizes of the levels of an image, asked of the image in the shader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.spirv import Kind, Word
from statetracker.spirv.names import Capability, Decoration, Dim

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.spirv import Emitter, Instruction


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
        self.non_uniform = Decoration.NonUniform in decorations.get(sampled, {})
        self._image_id = 0
        self._base: Word | None = None
        self._last: Word | None = None
        self._levels: dict[int, Word] = {}
        self._parts: dict[int, list[Word]] = {}

    def whole(self, level: int | Word) -> Word:
        """The size of a level, a vector of floats; a level beyond the last, known by its number, is the last.

        Halved from the size of level 0: a driver may answer a query of one level for many fragments (llvmpipe does).
        """
        key = -1 - level if isinstance(level, int) else level.id
        if key not in self._levels:
            size = self._level_0()
            if isinstance(level, Word) or level:
                if isinstance(level, int):
                    level = self.emit.number(Kind.INT, level).min(self.last_level())
                size = (size >> level).max(1)
            self._levels[key] = size.to(Kind.FLOAT).named("size")
        return self._levels[key]

    def at(self, level: int | Word) -> list[Word]:
        """The size of a level, each axis as a float."""
        whole = self.whole(level)
        if whole.id not in self._parts:
            self._parts[whole.id] = [self.emit.component(whole, axis) for axis in range(self.count)]
        return self._parts[whole.id]

    def last_level(self) -> Word:
        """The number of the last level, an integer."""
        if self._last is None:
            self._last = (self.emit.make(Kind.INT, "OpImageQueryLevels", self._image()) - 1).named("last_level")
        return self._last

    def _level_0(self) -> Word:
        """The size of level 0, a vector of integers."""
        if self._base is None:
            emit, image, count = self.emit, self._image(), self.count + bool(self.image.words[4])
            if self.image.words[2] == Dim.Rect:
                size = emit.make(Kind.INT, "OpImageQuerySize", image, count=count)
            else:
                size = emit.make(Kind.INT, "OpImageQuerySizeLod", image, emit.number(Kind.INT, 0).id, count=count)
            self._base = emit.head(size, self.count).named("whole_size")
        return self._base

    def _image(self) -> int:
        """The image of the sampled image."""
        if not self._image_id:
            editor = self.emit.editor
            self._image_id = self.emit.op("OpImage", self.image.words[0], self.sampled)
            if self.non_uniform:
                editor.decorate(self._image_id, Decoration.NonUniform)
            editor.capability(Capability.ImageQuery)
        return self._image_id
