"""Samples of Mesa's software drivers that GL gives otherwise: each case, and how it is judged.

Above each row is what the driver does, and why it is the driver and not the reference unit that is off. A row applies
to the cases for which ``where`` holds. Those are compared with the state that the driver acts as if it had
(``instead``), with a wider precision, or without the samples in which the departure lies (``spared``). A row that no
case needs any more fails a test: the table is what is seen, not what may be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.pipe import TexFilter, TexWrap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from tools.proofs.pixels.unit_cases import Case

__all__ = ["DEVIATIONS", "Deviation", "deviation_of"]

#: Wraps that read the same texels as CLAMP_TO_EDGE while coordinates stay in [0, 1].
_SAME_ON_FACES: Final = {TexWrap.CLAMP_TO_EDGE, TexWrap.MIRROR_REPEAT, TexWrap.MIRROR_CLAMP_TO_EDGE}
_BYTE_FILTERED: Final = {TexWrap.REPEAT, TexWrap.CLAMP_TO_EDGE}


def _none(_case: Case, places: NDArray[Any], _size: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.zeros(len(places), np.bool_)


class Deviation(NamedTuple):
    """One way in which a driver departs.

    Attributes:
        name: Its name.
        driver: The driver that has it.
        where: The cases that show it.
        instead: Wrap -> the wrap that the driver acts on.
        value_absolute: Further tolerance of a value.
        mirrors: Wraps whose coordinates it mirrors at zero before anything else.
        filters_first: It compares what it filtered, instead of filtering what it compared.
        spared: The samples that are not compared: (case, places, sizes) -> (n,) of yes and no.
    """

    name: str
    driver: str
    where: Callable[[Case], bool]
    instead: Mapping[TexWrap, TexWrap] = {}
    value_absolute: float = 0.0
    mirrors: frozenset[TexWrap] = frozenset()
    filters_first: bool = False
    spared: Callable[[Case, NDArray[Any], tuple[int, ...]], NDArray[np.bool_]] = _none


def _linear(case: Case) -> bool:
    return case.state.mag_img_filter == TexFilter.LINEAR


def _wraps(case: Case) -> set[TexWrap]:
    """Return the wraps of the axes that the target has."""
    axes = {"1d": 1, "1d-array": 1, "3d": 3}.get(case.target, 2)
    return {TexWrap(one) for one in (case.state.wrap_s, case.state.wrap_t, case.state.wrap_r)[:axes]}


def _cube_with_seams(case: Case) -> bool:
    return case.target.startswith("cube") and not case.seamless and _linear(case) and not _wraps(case) <= _SAME_ON_FACES


def _upper_strip(case: Case, places: NDArray[Any], size: tuple[int, ...]) -> NDArray[np.bool_]:
    """Within half a texel of the upper edge of an axis that clamps to the border."""
    wraps = (case.state.wrap_s, case.state.wrap_t)
    near = [
        (np.abs(places[:, axis] - size[axis]) < 0.5 + 1e-4) & (wraps[axis] == TexWrap.CLAMP_TO_BORDER)
        for axis in range(2)
    ]
    mask: NDArray[np.bool_] = np.logical_or.reduce(near)
    return mask


def _corners(case: Case, places: NDArray[Any], size: tuple[int, ...]) -> NDArray[np.bool_]:
    """Directions whose four texels lie around a corner of the cube: within half a texel of two edges."""
    near = np.sort(np.abs(places[:, :3]) / np.abs(places[:, :3]).max(axis=1, keepdims=True), axis=1)
    mask: NDArray[np.bool_] = near[:, 0] > 1 - 1 / size[0] - 1e-4
    return mask & case.seamless


def _centres_below(case: Case, places: NDArray[Any], size: tuple[int, ...]) -> NDArray[np.bool_]:
    """Exactly at the centre of a texel of a mirrored copy."""
    u = places[:, 0].astype(np.float64) * size[0]
    mask: NDArray[np.bool_] = (np.mod(u, 1) == 0.5) & (np.mod(np.floor(u / size[0]), 2) == 1)
    return mask & case.half_steps


DEVIATIONS: Final = (
    # Without seamless filtering it clamps each face to its edge, whatever the wrap. GL 4.6, 8.13: with seams a face is
    # a 2D image and wraps as one; softpipe does so.
    Deviation("cubes with seams", "llvmpipe", _cube_with_seams, instead=dict.fromkeys(TexWrap, TexWrap.CLAMP_TO_EDGE)),
    # Textures of 8-bit texels with REPEAT or CLAMP_TO_EDGE on s and t are filtered in 8-bit arithmetic: its results are
    # whole 255ths, up to 1.3 of them off; the same texels with other wraps are filtered in floats.
    Deviation(
        "bytes filtered as bytes",
        "llvmpipe",
        lambda case: case.texel_format == "RGBA8" and _linear(case) and _wraps(case) <= _BYTE_FILTERED,
        value_absolute=2 / 255,
    ),
    # Unnormalised GL_CLAMP with linear filtering never reads the border: it acts as CLAMP_TO_EDGE. GL 4.6
    # compatibility, 8.14.2 clamps u to [0, size], as for normalised coordinates; llvmpipe does so.
    Deviation(
        "GL_CLAMP of rectangles",
        "softpipe",
        lambda case: case.target == "rect" and _linear(case) and TexWrap.CLAMP in _wraps(case),
        instead={TexWrap.CLAMP: TexWrap.CLAMP_TO_EDGE},
    ),
    # Unnormalised CLAMP_TO_BORDER with linear filtering reads the last texel twice within half a texel of the upper
    # edge, then jumps to the border. The lower edge blends with it, as GL 4.6, 8.14.2 has it for both; llvmpipe does
    # so.
    Deviation(
        "the upper edge of rectangles",
        "softpipe",
        lambda case: case.target == "rect" and _linear(case) and TexWrap.CLAMP_TO_BORDER in _wraps(case),
        spared=_upper_strip,
    ),
    # The texel -128 of an 8-bit signed format is -128/127. GL 4.6, 2.3.5: both -128 and -127 mean -1.0; llvmpipe does
    # so.
    Deviation(
        "the least signed byte",
        "softpipe",
        lambda case: case.texel_format == "RGBA8_SNORM",
        value_absolute=1 / 127 + 1e-6,
    ),
    # Where three faces meet, its fourth texel is not the average of the others, which GL 4.6, 8.13.1 wants; llvmpipe
    # does so.
    Deviation("corners of seamless cubes", "softpipe", lambda case: case.seamless and _linear(case), spared=_corners),
    # With linear filtering it compares the filtered depth, so that every answer is 0 or 1. GL 4.6, 8.23.1 leaves it to
    # the implementation; llvmpipe filters the four answers, as this unit does.
    Deviation(
        "comparing what is filtered",
        "softpipe",
        lambda case: bool(case.state.compare_mode) and _linear(case),
        filters_first=True,
    ),
    # For MIRROR_CLAMP_TO_EDGE it mirrors the coordinate, not the texel's index: a gather left of zero gives the four
    # texels in unmirrored order. GL 4.6, table 8.20 mirrors the index; llvmpipe does so. The filtered value is the
    # same.
    Deviation(
        "gathers left of zero",
        "softpipe",
        lambda case: case.gather is not None and TexWrap.MIRROR_CLAMP_TO_EDGE in _wraps(case),
        mirrors=frozenset({TexWrap.MIRROR_CLAMP_TO_EDGE}),
    ),
    # MIRROR_REPEAT with linear filtering, exactly at the centre of a mirrored texel, reads the next texel: a jump at a
    # single point, where the texel itself has all the weight (GL 4.6, 8.14.2); llvmpipe has none.
    Deviation(
        "centres of mirrored texels",
        "softpipe",
        lambda case: case.half_steps and _linear(case) and TexWrap.MIRROR_REPEAT in _wraps(case),
        spared=_centres_below,
    ),
)


def deviation_of(case: Case) -> tuple[Deviation, ...]:
    """Return the rows that apply to a case."""
    return tuple(one for one in DEVIATIONS if one.driver == case.driver and one.where(case))
