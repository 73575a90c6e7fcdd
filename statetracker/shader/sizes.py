"""Sizes of the levels of an image, asked of the image in the shader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.spirv import Kind
from statetracker.spirv.names import Capability, Decoration, Dim

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.spirv import Emitter, Instruction, Word

__all__ = ["Sizes"]


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
        self._base: list[Word] = []
        self._levels: dict[int, list[Word]] = {}

    def at(self, level: int | Word) -> list[Word]:
        """The size of a level, each axis as a float; a level beyond the last, known by its number, is the last.

        Halved from the size of level 0: a driver may answer a query of one level for many fragments (llvmpipe does).
        """
        key = -1 - level if isinstance(level, int) else level.id
        if key not in self._levels:
            size = self._whole()
            if level:
                if isinstance(level, int):
                    level = self.emit.number(Kind.INT, level).min(self.last_level())
                size = [(part >> level).max(1) for part in size]
            self._levels[key] = [part.to(Kind.FLOAT) for part in size]
        return self._levels[key]

    def last_level(self) -> Word:
        """The number of the last level, an integer."""
        return self.emit.make(Kind.INT, "OpImageQueryLevels", self._image()) - 1

    def _whole(self) -> list[Word]:
        """The size of level 0, each axis as an integer."""
        if not self._base:
            emit = self.emit
            image = self._image()
            kind = emit.editor.type_vector(emit.type_id(Kind.INT), self.count + bool(self.image.words[4]))
            if self.image.words[2] == Dim.Rect:
                size = emit.op("OpImageQuerySize", kind, image)
            else:
                size = emit.op("OpImageQuerySizeLod", kind, image, emit.number(Kind.INT, 0).id)
            self._base = emit.parts(size)[: self.count]
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
