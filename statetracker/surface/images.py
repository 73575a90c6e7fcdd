"""Places of images in a tree whose layers are all alike: each is computed on access."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ImagePlaces"]

XY = tuple[int, int]


class ImagePlaces(Mapping[tuple[int, int], XY]):
    """(level, layer) to (x, y), where layers follow each other at one distance in every level.

    levels       level to the place of its layer 0
    layers       how many there are; they cost neither time nor memory
    layer_rows   rows from one layer to the next
    """

    __slots__ = ("layer_rows", "layers", "levels")

    def __init__(self, levels: Mapping[int, XY], layers: int = 1, layer_rows: int = 0) -> None:
        """Keep what the places follow from."""
        self.levels = levels
        self.layers = layers
        self.layer_rows = layer_rows

    def __getitem__(self, image: tuple[int, int]) -> XY:
        """Place of an image; raises `KeyError` for one that is not there."""
        level, layer = image
        if level not in self.levels or not 0 <= layer < self.layers:
            raise KeyError(image)
        x, y = self.levels[level]
        return x, y + layer * self.layer_rows

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Levels in order, all layers of each."""
        return ((level, layer) for level in self.levels for layer in range(self.layers))

    def __len__(self) -> int:
        """How many images there are."""
        return len(self.levels) * self.layers

    def __repr__(self) -> str:
        """What the places follow from, not one by one."""
        return f"ImagePlaces({self.levels!r}, layers={self.layers}, layer_rows={self.layer_rows})"
