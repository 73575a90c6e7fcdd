"""Pictures of what a state samples, over and beyond a texture: people understand wraps by looking.

A picture covers coordinates from -1 to 2 on both axes, so that the texture itself is the square in the middle (t grows
upwards). A `Preview` has four: what GL specifies, the state that hardware gets without the shader's share, the same
with it, and how far the last is from the first.

Needs the extras ``batch`` and, for `sheet`, ``report`` (Pillow).
"""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from statetracker.errors import ArgumentError, MissingExtra
from statetracker.reference.texels import Texels
from statetracker.reference.unit import TextureUnit

if TYPE_CHECKING:
    from PIL.Image import Image

    from statetracker.pipe import SamplerState
    from statetracker.reference.lowered import LoweredUnit
    from statetracker.reference.wraps import Floats

#: The coordinates that a picture covers.
SPAN: Final = (-1.0, 2.0)

#: What depth is compared with.
_DEPTH: Final = 0.5
_LABEL_HEIGHT: Final = 24
_MARGIN: Final = 8
_TITLES: Final = ("asked for", "hardware alone", "with the shader", "difference")


class Preview(NamedTuple):
    """Four square pictures, each (size, size, 4) with row 0 at the top, and the largest differences from the first.

    Attributes:
        state: What was asked for; given: what hardware got.
    """

    asked: Floats
    alone: Floats
    shaded: Floats
    difference: Floats
    largest_alone: float
    largest_shaded: float
    state: SamplerState
    given: SamplerState


def default_texels() -> Texels:
    """Return a texture of 8 x 8 texels that shows which way round it lies: a warm gradient with a dark letter F."""
    row, column = np.mgrid[0:8, 0:8] / 7
    image = np.stack([0.35 + 0.6 * column, 0.35 + 0.6 * row, 0.9 - 0.5 * column, np.ones((8, 8))], axis=-1)
    image[1:7, 2, :3] = image[6, 2:6, :3] = image[4, 2:5, :3] = (0.1, 0.1, 0.25)
    return Texels("2d", [image])


def preview(asked: SamplerState, lowered: LoweredUnit, *, size: int = 240) -> Preview:
    """Sample a 2D texture over `SPAN` in three ways.

    Where the state compares, red is the depth, it is compared with a half, and the pictures show the answers in grey.
    Of a device that cannot compare, they show the depth that the shader gets.

    Args:
        asked: The state that says what GL means, with the wraps and filters that hardware may lack.
        lowered: What hardware gets, with the shader's share, and a texture of one 2D level.
        size: Pixels along an edge, from 3 to 4096.

    Raises:
        ArgumentError: Another target or size.
    """
    texels = lowered.texels
    if texels.target != "2d":
        raise ArgumentError("texels", texels.target, accepted="a 2D texture")
    if not hasattr(size, "__index__") or not 3 <= size <= 4096:
        raise ArgumentError("size", size, accepted="3 to 4096")
    steps = SPAN[0] + (np.arange(size) + 0.5) * (SPAN[1] - SPAN[0]) / size
    s, t = np.meshgrid(steps, steps[::-1])
    places = np.stack([s, t], axis=-1).reshape(-1, 2)
    lod = float(np.log2(max(texels.size(0)) * (SPAN[1] - SPAN[0]) / size))
    units = (TextureUnit(asked, texels), TextureUnit(lowered.state, texels), lowered)
    first, alone, shaded = (
        unit.sample(places, lod=lod, reference=_DEPTH if unit.compares else None).reshape(size, size, 4)
        for unit in units
    )
    if any(unit.compares for unit in units):
        for picture in (first, alone, shaded):
            picture[:, :, 1:3] = picture[:, :, :1]
    apart = np.abs(shaded - first)
    largest = float(np.abs(alone - first).max())
    return Preview(first, alone, shaded, apart, largest, float(apart.max()), asked, lowered.state)


def sheet(shown: Preview) -> Image:
    """Put the four pictures side by side, titled, with the texture's own square outlined; raises `MissingExtra`."""
    drawn = titled(shown)
    from PIL import Image as Images
    from PIL import ImageDraw

    size = len(shown.asked)
    width = len(drawn) * (size + _MARGIN) + _MARGIN
    canvas = Images.new("RGB", (width, size + _LABEL_HEIGHT + 2 * _MARGIN), "white")
    pen = ImageDraw.Draw(canvas)
    for place, (title, picture) in enumerate(drawn.items()):
        left, top = _MARGIN + place * (size + _MARGIN), _MARGIN + _LABEL_HEIGHT
        canvas.paste(picture, (left, top))
        pen.text((left, _MARGIN // 2), title, fill="black", font_size=22)
    return canvas


def titled(shown: Preview) -> dict[str, Image]:
    """Return the four pictures by their titles, the texture's own square outlined; raises `MissingExtra`."""
    try:
        from PIL import Image as Images
        from PIL import ImageDraw
    except ImportError as error:
        raise MissingExtra("a picture of a preview", "pillow", "report") from error
    size, drawn = len(shown.asked), {}
    inner = [size // 3, size // 3, 2 * size // 3, 2 * size // 3]
    for title, picture in zip(_TITLES, shown[:4], strict=True):
        image = drawn[title] = Images.fromarray(_bytes(picture))
        ImageDraw.Draw(image).rectangle(inner, outline="white" if title == _TITLES[-1] else "black")
    return drawn


def png(image: Image) -> str:
    """Return a picture as PNG in base64, for a page."""
    data = BytesIO()
    image.save(data, "PNG", optimize=True)
    return b64encode(data.getvalue()).decode()


def _bytes(picture: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return (np.clip(np.nan_to_num(picture[:, :, :3]), 0, 1) * 255 + 0.5).astype(np.uint8)
