"""Moves: an image of a large tree copied into a small one, the temporary, and back after rendering.

See docs/surfaces.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.surface.tilings import address

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.surface.attachments import Storage
    from statetracker.surface.older import Miptree


class ImageCopy(NamedTuple):
    """A rectangle of pixels from one tree to another of the same format; places and sizes in pixels.

    source, target         the trees
    source_xy, target_xy   the rectangle's first pixel in each
    width, height          of the rectangle
    """

    source: Miptree
    source_xy: tuple[int, int]
    target: Miptree
    target_xy: tuple[int, int]
    width: int
    height: int

    @property
    def size_B(self) -> int:
        """Bytes that are copied."""
        return self.width * self.height * self.source.format.cpp

    @property
    def back(self) -> ImageCopy:
        """The same rectangle the other way."""
        return ImageCopy(self.target, self.target_xy, self.source, self.source_xy, self.width, self.height)


class Move(NamedTuple):
    """An image moved to a temporary tree.

    rb         ``depth``, ``stencil``, or ``depth_stencil`` for a renderbuffer that is both
    copied     its content goes along; afterwards it always goes back, to ``level`` and ``layer`` of the texture
    source     the trees it lay in
    parts      what is rendered to in the temporary: ``depth``, ``stencil`` or both
    """

    rb: str
    copied: bool
    level: int
    layer: int
    temporary: Storage
    source: Storage
    parts: tuple[str, ...]

    @property
    def copies(self) -> tuple[ImageCopy, ...]:
        """What goes into the temporary before rendering; nothing where it is being cleared."""
        return tuple(copy.back for copy in self.copies_back) if self.copied else ()

    @property
    def copies_back(self) -> tuple[ImageCopy, ...]:
        """What goes back after rendering."""
        return _image_copies(self.temporary, self.source, (self.level, self.layer), self.parts)

    def to_dict(self) -> dict[str, object]:
        """Give the form of the recordings."""
        return {"rb": self.rb, "copied": self.copied}

    def sentences(self) -> tuple[str, ...]:
        """What to do, in order."""
        mt = self.temporary.mt
        where = f"level {self.level}, layer {self.layer} of {self.rb}"
        made = f"allocate {mt.format.name} {mt.total[0]}x{mt.total[1]}, pitch {mt.pitch}"
        size = sum(one.size_B for one in self.copies)
        copy = f"copy {where} into it, {size} bytes" if self.copied else f"{where} is being cleared: nothing to copy"
        return made, copy, f"after rendering, before it is sampled: copy it back to {where}"


def _image_copies(
    source: Storage, target: Storage, image: tuple[int, int], parts: tuple[str, ...]
) -> tuple[ImageCopy, ...]:
    """Copies of an image between two storages; where depth and stencil lie in one tree that is one."""
    size = source.texture.level_size(image[0])
    trees = [(source.mt, target.mt)] if "depth" in parts else []
    if "stencil" in parts and (source.s8 is not None or not trees):
        trees.append((source.stencil_mt, target.stencil_mt))
    return tuple(ImageCopy(old, old.place(*image), new, new.place(*image), *size) for old, new in trees)


def run_copy(copy: ImageCopy, source: NDArray[Any], target: NDArray[Any]) -> None:
    """Carry a copy out on memory, uint8; ``target`` is changed.

    source, target   the memory of the copy's trees, from their first byte

    Needs NumPy; raises `ArgumentError` for memory smaller than its tree.
    """
    import numpy as np

    for tree, memory in ((copy.source, source), (copy.target, target)):
        if memory.size < tree.size_B:
            raise ArgumentError("memory", memory.size, accepted=f"at least {tree.size_B} bytes")
    cpp = copy.source.format.cpp
    ys, xs = np.mgrid[: copy.height, : copy.width * cpp]
    places = ((copy.source, copy.source_xy), (copy.target, copy.target_xy))
    read, write = (address(mt.tiling, xs + x * cpp, ys + y, mt.row_pitch_B) for mt, (x, y) in places)
    target[write] = source[read]
