"""W-tiled bytes seen as Y tiles, and samples in a pixel: coordinates of one byte translated.

A W tile and a Y tile are the same 4096 bytes in another order. Coordinates may be ints, NumPy arrays of them, or words
of a shader that is being written (`statetracker.spirv.Word`): nothing here asks for their values. Source: Sandy Bridge
PRM volume 1 part 2, W-major tile format; docs/stencil.md.
"""

from __future__ import annotations

from typing import Any

from statetracker.errors import ArgumentError
from statetracker.surface.choices import PIXEL_SAMPLES
from statetracker.surface.units import align


def w_to_y(x: Any, y: Any) -> tuple[Any, Any]:  # noqa: ANN401 (an int, an array of them, or a word)
    """Translate a W coordinate into the Y coordinate of the same byte."""
    return (x & ~5) << 1 | (y & 2) << 2 | (y & 1) << 1 | (x & 1), (y & ~3) >> 1 | (x & 4) >> 2


def y_to_w(x: Any, y: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Translate a Y coordinate into the W coordinate of the same byte; the inverse of `w_to_y`."""
    return (x & ~11) >> 1 | (y & 1) << 2 | (x & 1), (y & ~1) << 1 | (x & 8) >> 2 | (x & 2) >> 1


def w_to_block(x: Any, y: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Translate a W coordinate into the element and channel (0 red to 3 alpha) of the block view."""
    return x >> 3 << 2 | (y >> 1 & 1) << 1 | (x >> 1 & 1), y >> 2 << 1 | (x >> 2 & 1), (y & 1) << 1 | (x & 1)


def pixel_size(samples: int) -> tuple[int, int]:
    """Width and height of a pixel in interleaved samples; raises `ArgumentError` for other numbers than 1 to 16."""
    if samples not in PIXEL_SAMPLES:
        raise ArgumentError("samples", samples, accepted=", ".join(map(str, PIXEL_SAMPLES)))
    return PIXEL_SAMPLES[samples]


def physical_size(size: tuple[int, int], samples: int) -> tuple[int, int]:
    """Return a size in pixels in samples: rounded up to pairs of pixels where there are several samples."""
    wide, high = pixel_size(samples)
    return size if samples == 1 else (align(size[0], 2) * wide, align(size[1], 2) * high)


def encode_sample(x: Any, y: Any, sample: Any, samples: int) -> tuple[Any, Any]:  # noqa: ANN401
    """Return the physical coordinate of a sample of a pixel: interleaved, for 1, 2, 4, 8 or 16 samples."""
    wide, high = pixel_size(samples)
    return _interleaved(x, sample, wide), _interleaved(y, sample >> 1, high) if high > 1 else y


def decode_sample(x: Any, y: Any, samples: int) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Return pixel and sample of a physical coordinate; the inverse of `encode_sample`."""
    wide, high = pixel_size(samples)
    (column, even), (row, odd) = _taken_apart(x, wide), _taken_apart(y, high)
    return column, row, even | odd << 1


def _interleaved(at: Any, sample: Any, size: int) -> Any:  # noqa: ANN401
    """One axis of a pixel of 1, 2 or 4 samples: its bit 0, then bits 0 and 2 of the sample, then the rest."""
    if size == 1:
        return at
    low = (sample & 1) << 1 | (at & 1)
    return (at & ~1) << 1 | low if size == 2 else (at & ~1) << 2 | (sample & 4) | low


def _taken_apart(at: Any, size: int) -> tuple[Any, Any]:  # noqa: ANN401
    """Return the pixel and bits 0 and 2 of the sample: the inverse of `_interleaved`."""
    if size == 1:
        return at, at & 0
    if size == 2:
        return (at & ~3) >> 1 | (at & 1), at >> 1 & 1
    return (at & ~7) >> 2 | (at & 1), (at >> 1 & 1) | (at & 4)


def image_place(x: Any, y: Any, place: Any, layer: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Return the W coordinate in the tree of one in an image; ``place``: its level's x, y, and rows between layers."""
    left, top, layer_rows = place
    return x + left, y + (top + layer * layer_rows)
