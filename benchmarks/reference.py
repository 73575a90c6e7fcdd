"""Rows of ``statetracker bench`` for the reference texture unit: random places, 256 x 256 texels of four channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.benchmarks.measure import Work, statement
from statetracker.pipe import SamplerState
from statetracker.reference import Texels, TextureUnit, bounds

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Samples that a row takes at once.
SAMPLES: Final = 1 << 16

#: Row -> (wrap, image filter, mip filter, with bounds).
_ROWS: Final = {
    "reference unit, a nearest sample": ("REPEAT", "NEAREST", "NONE", False),
    "reference unit, a bilinear sample": ("REPEAT", "LINEAR", "NONE", False),
    "reference unit, a bilinear sample, GL_CLAMP": ("CLAMP", "LINEAR", "NONE", False),
    "reference unit, a trilinear sample": ("REPEAT", "LINEAR", "LINEAR", False),
    "reference unit, a bilinear sample's bounds": ("REPEAT", "LINEAR", "NONE", True),
}


def reference_statements() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Name, statement and names for each row; a statement takes `SAMPLES` samples."""
    import numpy as np

    chance = np.random.default_rng(1)
    at, lod = chance.uniform(-1, 2, (SAMPLES, 2)), chance.uniform(0, 7, SAMPLES)
    levels = [chance.random((256 >> level, 256 >> level, 4)) for level in range(9)]
    for name, (wrap, image_filter, mip, with_bounds) in _ROWS.items():
        state = SamplerState(
            wrap_s=wrap, wrap_t=wrap, min_img_filter=image_filter, mag_img_filter=image_filter, min_mip_filter=mip,
            max_lod=1000.0,
        )  # fmt: skip
        unit = TextureUnit(state, Texels("2d", levels if mip != "NONE" else levels[:1]))
        names = {"unit": unit, "at": at, "lod": lod if mip != "NONE" else 0.0, "bounds": bounds}
        yield name, "bounds(unit, at, lod=lod)" if with_bounds else "unit.sample(at, lod=lod)", names


def reference_works() -> Iterator[Work]:
    """Yield the rows, of one sample each."""
    for name, text, names in reference_statements():
        yield statement(name, text, 1, SAMPLES, **names)
