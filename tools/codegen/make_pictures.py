"""Draw the docs' pictures of samples: ``python tools/codegen/make_pictures.py``.

``wraps.png``: eight wraps, linear and nearest; the others: `statetracker preview` of examples.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image, ImageDraw

from statetracker.cli.convert import preview_of
from statetracker.pipe import SamplerState, TexWrap
from statetracker.pipe.lowering import NO_LOWERING, LoweringValues
from statetracker.reference.lowered import LoweredUnit
from statetracker.reference.picture import default_texels, preview, sheet

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = _ROOT / "docs" / "images"
#: Examples that are drawn.
PREVIEWS: Final = ("border", "clamp", "mirror", "unfiltered")
_SIZE, _MARGIN, _LABEL = 150, 8, 16
_COLUMNS: Final = 4
_BORDER: Final = (1.0, 0.0, 0.6, 1.0)


def wraps() -> Picture:
    """Sixteen pictures: for each wrap linear, and nearest below it; the texture's own square is outlined."""
    rows = 2 * len(TexWrap) // _COLUMNS
    width, height = _SIZE + _MARGIN, _SIZE + _MARGIN + _LABEL
    page = Image.new("RGB", (_COLUMNS * width + _MARGIN, rows * height + _MARGIN), "white")
    pen = ImageDraw.Draw(page)
    for place, wrap in enumerate(TexWrap):
        for below, image_filter in enumerate(("LINEAR", "NEAREST")):
            state = SamplerState(
                wrap_s=wrap, wrap_t=wrap, min_img_filter=image_filter, mag_img_filter=image_filter,
                min_mip_filter="NONE", max_lod=1000.0, border_color=_BORDER,
            )  # fmt: skip
            unit = LoweredUnit(state, NO_LOWERING, LoweringValues(), default_texels())
            shown = preview(state, unit, size=_SIZE).asked
            left = _MARGIN + place % _COLUMNS * width
            top = _MARGIN + _LABEL + (2 * (place // _COLUMNS) + below) * height
            page.paste(Image.fromarray((np.clip(shown[:, :, :3], 0, 1) * 255 + 0.5).astype(np.uint8)), (left, top))
            pen.text((left, top - _LABEL), f"{wrap.name}" if below == 0 else "nearest", fill="black")
            third = _SIZE // 3
            pen.rectangle([left + third, top + third, left + 2 * third, top + 2 * third], outline="black")
    return page


def drawn() -> dict[str, Picture]:
    """Every picture, by the name of its file."""
    previews = {f"{name}.png": sheet(preview_of(str(_ROOT / "examples" / f"{name}.toml"))) for name in PREVIEWS}
    return {"wraps.png": wraps(), **previews}


if __name__ == "__main__":
    for name, picture in drawn().items():
        picture.save(FOLDER / name)
        print(FOLDER / name)
