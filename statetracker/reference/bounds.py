"""Bounds: how far a correct texture unit may be from the exact one, sample by sample.

Hardware rounds texel coordinates and levels of detail to a few bits. `bounds` evaluates the filter at the ends of what
the rounding can reach and at the texel centres between, where its slope changes; in between it is linear in each axis.
Source: OpenGL 4.6, 8.14 and 2.3.5; Vulkan 1.3, 16.6, subTexelPrecisionBits and mipmapPrecisionBits.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from statetracker.errors import ArgumentError
from statetracker.pipe import TexMipfilter, TexReduction
from statetracker.reference.texels import choose
from statetracker.reference.wraps import finite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from statetracker.reference.unit import Footprint, TextureUnit
    from statetracker.reference.wraps import Floats, Indices

#: Relative error of a few float32 operations.
_FLOAT32: Final = 2.0**-21


class Precision(NamedTuple):
    """The precision of a unit.

    Attributes:
        texel_bits: Fraction bits of a texel coordinate (subTexelPrecisionBits).
        lod_bits: Fraction bits of a level of detail (mipmapPrecisionBits).
        coordinate_relative: Error of a texel coordinate relative to its value and the texture's size.
        lod_absolute: Error of a level of detail before rounding, in levels: larger where it comes from derivatives.
        value_relative: Error of the result relative to the largest texel that takes part.
        reference_absolute: Error of the value to compare with, of 0 to 1.
        value_absolute: Error of the result besides: of a unit that filters 8-bit texels in 8 bits.
        weight_bits: Fraction bits to which the weight of each texel is rounded once more, where more than two are
            filtered (8 on NVIDIA's H100, as recorded there); None: it is not.
    """

    texel_bits: int = 8
    lod_bits: int = 8
    coordinate_relative: float = _FLOAT32
    lod_absolute: float = 2.0**-10
    value_relative: float = _FLOAT32
    reference_absolute: float = 0.0
    value_absolute: float = 0.0
    weight_bits: int | None = None


#: A unit that computes in float32 and rounds nothing else.
EXACT: Final = Precision(texel_bits=23, lod_bits=23, lod_absolute=2.0**-20)


class Bounds(NamedTuple):
    """The least (low) and the largest result (high), each (n, 4)."""

    low: Floats
    high: Floats

    def hold(self, sampled: ArrayLike) -> NDArray[np.bool_]:
        """For each sampled value, (n, 4), whether all four channels lie inside."""
        values = np.asarray(sampled)
        inside: NDArray[np.bool_] = np.logical_and.reduce((values >= self.low) & (values <= self.high), axis=-1)
        return inside


def bounds(
    unit: TextureUnit,
    coordinates: ArrayLike,
    precision: Precision = EXACT,
    *,
    lod: ArrayLike | None = None,
    derivatives: tuple[ArrayLike, ArrayLike] | None = None,
    bias: ArrayLike = 0.0,
    reference: ArrayLike | None = None,
    offset: Sequence[int] = (),
) -> Bounds:
    """Return the bounds of what `TextureUnit.sample` computes for the same arguments.

    ``unit`` would sample; ``precision`` says how exact the unit is that does. The other arguments are as in
    `TextureUnit.sample`.

    Cube maps: the directions near a seam or an edge between two faces may fall on either.
    """
    if not isinstance(precision, Precision):
        raise ArgumentError("precision", precision, accepted="a Precision, such as Precision(weight_bits=8), or EXACT")
    points, detail, against = unit.inputs(coordinates, lod, derivatives, bias, reference)
    shift = unit.shift(offset)
    low, high = reached = _nothing(len(points))
    for near in _nearby(unit, points):
        footprint = unit.footprint(near, shift)
        for level in _details(unit, detail, precision):
            for value in _references(against, precision):
                _widen(reached, *_sample_bounds(_Request(unit, footprint, value, precision), level))
    largest = np.maximum(np.abs(low), np.abs(high)) * precision.value_relative + precision.value_absolute
    if precision.weight_bits is not None:
        largest = largest + _rounded_weights(unit) * 2.0 ** -(precision.weight_bits + 1)
    if unit.compares:
        low[:, 1:] = high[:, 1:] = (0, 0, 1)
    return Bounds(low - largest, high + largest)


def _rounded_weights(unit: TextureUnit) -> Floats:
    """Return how many steps of a weight a channel may be off: half of one for each texel, of all that texels span."""
    state = unit.state
    levels = 1 + (state.min_mip_filter == TexMipfilter.LINEAR and len(unit.texels.levels) > 1)
    filtered = 2**unit.texels.shape.axes if state.min_img_filter or state.mag_img_filter else 1
    if filtered * levels <= 2:
        return np.zeros(4)
    if unit.compares:
        return np.full(4, filtered * levels / 2)
    each = np.concatenate([*unit.texels.rows, unit.border.reshape(1, 4)])
    each = each[np.isfinite(each).all(axis=1)]
    spread: Floats = (each.max(axis=0) - each.min(axis=0)) * (filtered * levels / 2)
    return spread


def _nearby(unit: TextureUnit, points: Floats) -> Iterator[Floats]:
    """Yield the coordinates; of a direction, also those a rounding away, which may meet another face."""
    yield points
    if unit.texels.shape.cube:
        for axis in range(3):
            moved = points.copy()
            moved[:, axis] *= 1 + _FLOAT32
            yield moved


def _details(unit: TextureUnit, lod: Floats, precision: Precision) -> Iterator[Floats]:
    """Yield the level of detail, the ends of its rounding, and the whole and half levels between.

    Where all levels of detail read the same texels in the same way, one is enough.
    """
    if len(unit.texels.levels) == 1 and unit.state.min_img_filter == unit.state.mag_img_filter:
        yield lod
        return
    reach = precision.lod_absolute + 2.0**-precision.lod_bits
    finite = np.nan_to_num(lod)
    yield lod
    yield finite - reach
    yield finite + reach
    yield np.clip(np.round(finite * 2) / 2, finite - reach, finite + reach)


def _references(reference: Floats | None, precision: Precision) -> Iterator[Floats | None]:
    yield reference
    if reference is not None and precision.reference_absolute:
        yield reference - precision.reference_absolute
        yield reference + precision.reference_absolute


class _Request(NamedTuple):
    """Samples of a unit that are computed no more exactly than with a precision; ``reference``: compared with it."""

    unit: TextureUnit
    footprint: Footprint
    reference: Floats | None
    precision: Precision


def _nothing(count: int) -> Bounds:
    """Return the bounds of no value: everything widens them."""
    return Bounds(np.full((count, 4), np.inf), np.full((count, 4), -np.inf))


def _widen(reached: Bounds, least: Floats, most: Floats) -> None:
    np.minimum(reached.low, least, out=reached.low)
    np.maximum(reached.high, most, out=reached.high)


def _sample_bounds(asked: _Request, lod: Floats) -> Bounds:
    """Bounds at levels of detail, over both levels where the state filters between two."""
    state = asked.unit.state
    chosen = choose(state, lod, len(asked.unit.texels.levels))
    first = _image_bounds(asked, chosen.first, chosen.linear)
    if state.min_mip_filter != TexMipfilter.LINEAR:
        return first
    second = _image_bounds(asked, chosen.second, chosen.linear)
    weight = chosen.weight[:, None]
    reduce = {TexReduction.MIN: np.minimum, TexReduction.MAX: np.maximum}.get(state.reduction_mode)
    return Bounds._make(
        a * (1 - weight) + b * weight if reduce is None else np.where(weight > 0, reduce(a, b), a)
        for a, b in zip(first, second, strict=True)
    )


def _image_bounds(asked: _Request, levels: Indices, linear: NDArray[np.bool_]) -> Bounds:
    """Bounds within one level each: every axis at the ends of its reach, as it is, and at the texel centre nearby."""
    unit, footprint, reference, precision = asked
    sizes = np.array([unit.texels.size(level) for level in range(len(unit.texels.levels))], np.float64)[levels]
    scale = np.ones_like(sizes) if unit.unnormalized else sizes
    shift = np.zeros_like(sizes) if footprint.shift is None else footprint.shift
    place = finite(footprint.axes * scale + shift)
    reach = 2.0 ** -(precision.texel_bits + 1) + (np.abs(place) + sizes) * precision.coordinate_relative
    centre = np.clip(np.round(place - 0.5) + 0.5 - place, -reach, reach)
    moves = (np.zeros_like(place), -reach, reach, centre)
    reached = _nothing(len(levels))
    for picks in product(moves, repeat=place.shape[1]):
        moved = shift + np.stack([pick[:, axis] for axis, pick in enumerate(picks)], axis=-1)
        colours = unit.image(footprint._replace(shift=moved), levels, linear, reference)
        _widen(reached, colours, colours)
    return reached
