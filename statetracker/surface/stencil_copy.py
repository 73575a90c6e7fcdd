"""A stencil image copied into a small tree of its own, from where a sampler that takes single images can read it.

Generation 6 describes one image by its tile and a remainder on the grid of 8 x 4 texels (`override`, mode ``static``).
The newer driver's layout has layers off that grid; such an image is read from a copy. Needs NumPy when it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statetracker.errors import ArgumentError
from statetracker.surface.stencil import stencil_tree
from statetracker.surface.tilings import Tiling, address

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.surface.stencil import StencilTree


def small_copy(
    tree: StencilTree, memory: NDArray[Any], *, level: int = 0, layer: int = 0
) -> tuple[StencilTree, NDArray[Any]]:
    """Copy an image, all its samples: the tree of one level and layer, and its bytes.

    memory   uint8, the whole tree, W-tiled

    Raises `ArgumentError` for a level or layer that the tree lacks, or memory of another size.
    """
    import numpy as np

    tree.check_image(level, layer)
    size_B = tree.row_pitch_B * tree.rows // 2
    if memory.size != size_B:
        raise ArgumentError("memory", memory.size, accepted=f"{size_B} bytes")
    small = stencil_tree(tree.generation, tree.level_size(level), samples=tree.samples)
    copied = np.zeros(small.row_pitch_B * small.rows // 2, np.uint8)
    ys, xs = np.mgrid[: small.size[1], : small.size[0]]
    for sample in range(tree.samples):
        read = address(Tiling.W, *tree.place(xs, ys, level=level, layer=layer, sample=sample), tree.row_pitch_B)
        copied[address(Tiling.W, *small.place(xs, ys, sample=sample), small.row_pitch_B)] = memory[read]
    return small, copied
