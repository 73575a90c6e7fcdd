"""Draw docs/images/wraps.png: eight wraps, linear and nearest. ``python tools/codegen/make_pictures.py``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image, ImageDraw

from statetracker.pipe import SamplerState, TexWrap
from statetracker.reference.picture import Folds, preview

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

PLACE: Final = Path(__file__).resolve().parents[2] / "docs" / "images" / "wraps.png"
_SIZE, _MARGIN, _LABEL = 150, 8, 16
_COLUMNS: Final = 4
_BORDER: Final = (1.0, 0.0, 0.6, 1.0)


def wraps() -> Picture:
    """Sixteen pictures: for each wrap linear, and nearest below it; the texture's own square is outlined."""
    rows = 2 * len(TexWrap) // _COLUMNS
    width, height = _SIZE + _MARGIN, _SIZE + _MARGIN + _LABEL
    sheet = Image.new("RGB", (_COLUMNS * width + _MARGIN, rows * height + _MARGIN), "white")
    pen = ImageDraw.Draw(sheet)
    for place, wrap in enumerate(TexWrap):
        for below, image_filter in enumerate(("LINEAR", "NEAREST")):
            state = SamplerState(
                wrap_s=wrap, wrap_t=wrap, min_img_filter=image_filter, mag_img_filter=image_filter,
                min_mip_filter="NONE", max_lod=1000.0, border_color=_BORDER,
            )  # fmt: skip
            shown = preview(state, state, Folds(), size=_SIZE).asked
            left = _MARGIN + place % _COLUMNS * width
            top = _MARGIN + _LABEL + (2 * (place // _COLUMNS) + below) * height
            sheet.paste(Image.fromarray((np.clip(shown[:, :, :3], 0, 1) * 255 + 0.5).astype(np.uint8)), (left, top))
            pen.text((left, top - _LABEL), f"{wrap.name}" if below == 0 else "nearest", fill="black")
            third = _SIZE // 3
            pen.rectangle([left + third, top + third, left + 2 * third, top + 2 * third], outline="black")
    return sheet


if __name__ == "__main__":
    wraps().save(PLACE)
    print(PLACE)
