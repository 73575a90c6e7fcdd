"""Where depth and stencil lie in the memory of Intel hardware, generations 4 to 8.

`tilings` says where a byte lies, `texels` tiles and detiles whole surfaces with NumPy (loaded on its own).
"""

from __future__ import annotations

from statetracker.surface.tilings import BITS, TILES, Tile, TileSize, Tiling, address, coordinate, tile, tile_offset

__all__ = ["BITS", "TILES", "Tile", "TileSize", "Tiling", "address", "coordinate", "tile", "tile_offset"]
