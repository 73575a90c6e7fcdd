"""Images copied: into a temporary tree and back after rendering, and stencil off the grid into a tree of its own.

See docs/surfaces.md and docs/stencil.md. Needs NumPy when a copy is carried out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.surface.stencil import stencil_tree
from statetracker.surface.tilings import Tiling, address

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.surface.attachments import Storage
    from statetracker.surface.older import Miptree
    from statetracker.surface.stencil import StencilTree


class ImageCopy(NamedTuple):
    """A rectangle of pixels from one tree to another of the same format; places and sizes in pixels.

    Attributes:
        source: The tree that is read.
        target: The tree that is written.
        source_xy: The rectangle's first pixel there.
        target_xy: The rectangle's first pixel there.
        width: Of the rectangle.
        height: Of the rectangle.
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

    Attributes:
        rb: ``depth``, ``stencil``, or ``depth_stencil`` for a renderbuffer that is both.
        copied: Its content goes along; afterwards it always goes back, to ``level`` and ``layer`` of the texture.
        source: The trees it lay in.
        parts: What is rendered to in the temporary: ``depth``, ``stencil`` or both.
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
        """The copies into the temporary before rendering; none where it is being cleared."""
        return tuple(copy.back for copy in self.copies_back) if self.copied else ()

    @property
    def copies_back(self) -> tuple[ImageCopy, ...]:
        """The copies back after rendering."""
        old, new, image = self.temporary, self.source, (self.level, self.layer)
        trees = [(old.mt, new.mt)] if "depth" in self.parts else []
        if "stencil" in self.parts and (old.s8 is not None or not trees):  # else both lie in one tree
            trees.append((old.stencil_mt, new.stencil_mt))
        size = old.texture.level_size(self.level)
        return tuple(ImageCopy(one, one.place(*image), to, to.place(*image), *size) for one, to in trees)

    def to_dict(self) -> dict[str, object]:
        """Return the form of the recordings."""
        return {"rb": self.rb, "copied": self.copied}

    def sentences(self) -> tuple[str, ...]:
        """Return what to do, in order."""
        trees = [one.source for one in self.copies_back]
        where = f"level {self.level}, layer {self.layer} of {self.rb}"
        sizes = (f"{mt.format.name} {mt.total[0]}x{mt.total[1]}, pitch {mt.pitch}" for mt in trees)
        made = f"allocate {' and '.join(sizes)}"
        size = sum(one.size_B for one in self.copies)
        copy = f"copy {where} into it, {size} bytes" if self.copied else f"{where} is being cleared: nothing to copy"
        return made, copy, f"after rendering, before it is sampled: copy it back to {where}"


def run_copy(copy: ImageCopy, source: NDArray[Any], target: NDArray[Any]) -> None:
    """Carry a copy out on memory, uint8; ``target`` is changed.

    Args:
        copy: What to copy.
        source: The memory of its tree, from the first byte.
        target: Likewise; changed.

    Raises:
        ArgumentError: Memory smaller than its tree.
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


def small_copy(
    tree: StencilTree, memory: NDArray[Any], *, level: int = 0, layer: int = 0
) -> tuple[StencilTree, NDArray[Any]]:
    """Copy a stencil image, all its samples: the tree of one level and layer, and its bytes.

    Generation 6 describes one image by its tile and a remainder on the grid of 8 x 4 texels (`override`, mode
    ``static``). The newer driver's layout has layers off that grid; such an image is read from a copy.

    Args:
        tree: The one that the image lies in.
        memory: uint8, the whole tree, W-tiled.
        level: Of the image.
        layer: Of the image.

    Raises:
        ArgumentError: A level or layer that the tree lacks, or memory of another size.
    """
    import numpy as np

    tree.check_image(level, layer)
    tree.check_memory(memory.size)
    small = stencil_tree(tree.generation, tree.level_size(level), samples=tree.samples)
    copied = np.zeros(small.size_B, np.uint8)
    ys, xs = np.mgrid[: small.size[1], : small.size[0]]
    for sample in range(tree.samples):
        read = address(Tiling.W, *tree.place(xs, ys, level=level, layer=layer, sample=sample), tree.row_pitch_B)
        copied[address(Tiling.W, *small.place(xs, ys, sample=sample), small.row_pitch_B)] = memory[read]
    return small, copied
