"""`shown_part`: which levels and layers of its storage a texture shows to samplers.

Source: docs/textures.md (GL 4.6, 8.14.3 "Mipmapping", 8.18 "Texture Views"; observed on zink of Mesa 22.3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from statetracker.gl.shapes import chain_length

if TYPE_CHECKING:
    from statetracker.gl.completeness import Completeness
    from statetracker.gl.shapes import Image

__all__ = ["ShownPart", "shown_part"]


class ShownPart(NamedTuple):
    """Levels and layers, counted from those of the storage: of a texture view, from its parent's.

    first_level, levels   the base level, and how many there are from it; None: all that there are
    first_layer, layers   faces of a cube are layers; None as above
    of_view               it is a texture view: its parent has a format of its own
    """

    first_level: int = 0
    levels: int | None = None
    first_layer: int = 0
    layers: int | None = None
    of_view: bool = False


class _View(Protocol):
    @property
    def min_level(self) -> int: ...
    @property
    def min_layer(self) -> int: ...
    @property
    def layers(self) -> int: ...


class Texture(Protocol):
    """What the rule reads of a `statetracker.gl.Texture`."""

    target: int
    base_level: int
    max_level: int
    immutable_levels: int

    @property
    def view(self) -> _View | None: ...
    @property
    def layers(self) -> int: ...
    def base_image(self) -> Image | None: ...
    def examine(self) -> Completeness: ...


def shown_part(texture: Texture) -> ShownPart:
    """Give the part of a texture: all levels that are mipmap complete, else the base level alone."""
    view, base, first = texture.view, texture.base_image(), texture.base_level
    levels = 1
    if base is not None and not texture.examine().mipmap:
        last = first + chain_length(texture.target, (base.width, base.height, base.depth)) - 1
        if texture.immutable_levels:
            last = min(last, texture.immutable_levels - 1)
        levels = min(last, texture.max_level) - first + 1
    if view is None:
        return ShownPart(first, levels, 0, texture.layers)
    return ShownPart(view.min_level + first, levels, view.min_layer, view.layers, of_view=True)
