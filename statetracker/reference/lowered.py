"""`LoweredUnit`: a sampler and the shader that makes up for what it lacks, as formulas over the reference unit.

It is what `statetracker.shader.lower` writes, in double precision, without SPIR-V. Cubes and gathers are not modelled.
Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from statetracker.errors import ArgumentError
from statetracker.pipe import SamplerState, TexCompare, TexFilter, TexMipfilter, TexWrap
from statetracker.reference.unit import COMPARE, TextureUnit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from statetracker.pipe import Lowering, LoweringValues
    from statetracker.reference.texels import Texels
    from statetracker.reference.wraps import Floats

_LETTERS: Final = "str"


def _bordered(lowering: Lowering) -> dict[str, TexWrap]:
    wraps = dict.fromkeys(lowering.border, TexWrap.CLAMP_TO_BORDER) | dict.fromkeys(lowering.half_border, TexWrap.CLAMP)
    mirrored = {TexWrap.CLAMP_TO_BORDER: TexWrap.MIRROR_CLAMP_TO_BORDER, TexWrap.CLAMP: TexWrap.MIRROR_CLAMP}
    return {f"wrap_{axis}": mirrored[wrap] if axis in lowering.reflect else wrap for axis, wrap in wraps.items()}


class LoweredUnit:
    """A device's sampler, a lowering with its values, and a texture, ready to be sampled.

    Args:
        state: What the device's sampler does, such as `statetracker.vulkan.record_of`.
        lowering: What the shader adds.
        values: The numbers that it reads.
        texels: 1D, 2D or 3D, or arrays of them, of floats.

    Raises:
        ArgumentError: Another target.
    """

    def __init__(self, state: SamplerState, lowering: Lowering, values: LoweringValues, texels: Texels) -> None:
        if texels.shape.cube or texels.kind in {"int", "uint"}:
            raise ArgumentError("texels", texels.target, accepted="1D, 2D or 3D texels of floats")
        self.state = state
        if lowering.filter_texels:  # texel by texel, by the filters that were asked for
            state = state.replace(
                min_img_filter=lowering.min_img_filter,
                mag_img_filter=lowering.mag_img_filter,
                min_mip_filter=lowering.min_mip_filter,
                reduction_mode=lowering.reduction,
            )
        covered = lowering.covered
        if lowering.filter_texels and lowering.reduction:  # the border is one of the texels
            covered, state = "", state.replace(border_color=values.border, **_bordered(lowering))
        elif lowering.route == "predefined":  # transparent black as the view shows it
            state = state.replace(border_color=tuple(float(letter in lowering.ones) for letter in "rgba"))
        self.lowering, self.values, self.texels = lowering, values, texels
        self.unit = TextureUnit(state.replace(lod_bias=0.0, min_lod=-1000.0, max_lod=1000.0), texels)
        self.compares = state.compare_mode == TexCompare.R_TO_TEXTURE
        self._border = np.array(values.border, np.uint32).view(np.float32).astype(np.float64)
        self._axes = texels.shape.axes
        letters = range(self._axes)
        self._reflected = [axis for axis in letters if _LETTERS[axis] in lowering.reflect]
        self._covered = [axis for axis in letters if _LETTERS[axis] in covered]

    def sample(self, coordinates: ArrayLike, *, lod: ArrayLike = 0.0, reference: ArrayLike | None = None) -> Floats:
        """Sample at explicit levels of detail; shapes as those of `TextureUnit.sample`."""
        points = np.atleast_2d(np.asarray(coordinates, np.float64))
        detail = self._lod(np.broadcast_to(np.asarray(lod, np.float64), len(points)))
        against = None if reference is None else np.broadcast_to(np.asarray(reference, np.float64), len(points))
        moved = self._moved(points)
        texel = self.unit.sample(moved, lod=detail, reference=against)
        if not self._covered:
            return texel
        position = self._position(detail)
        low = np.floor(position)
        weight = (position - low)[:, None]
        magnifies = detail <= 0
        minify, magnify = self.lowering.min_img_filter, self.lowering.mag_img_filter
        near = self._coverage(points, low, np.where(magnifies, magnify, minify))[:, None]
        far = self._coverage(points, low + 1, np.full(len(points), minify))[:, None]
        outside = (1 - weight) * (1 - near) + weight * (1 - far)
        border = self._shown(self._border, against)
        if self.lowering.route == "predefined":
            return texel + outside * (border - self._shown(self.unit.border, against))
        coarse = self.unit.sample(moved, lod=low + 1, reference=against)
        return near * texel + weight * (far - near) * coarse + outside * border

    def _lod(self, lod: Floats) -> Floats:
        values = self.values
        most = max(values.min_lod, values.max_lod)
        detail: Floats = np.clip(lod + values.lod_bias + values.rest, values.min_lod, most)
        return detail

    def _position(self, lod: Floats) -> Floats:
        """Return the level that is sampled, a whole one but between levels."""
        last = len(self.texels.levels) - 1
        match self.lowering.min_mip_filter:
            case TexMipfilter.NONE:
                return np.zeros_like(lod)
            case TexMipfilter.NEAREST:
                whole: Floats = np.clip(np.ceil(lod + 0.5) - 1, 0, last)
                return whole
            case _:
                position: Floats = np.clip(lod, 0, last)
                return position

    def _moved(self, points: Floats) -> Floats:
        moved, work = points.copy(), self.lowering
        for axis, letter in enumerate(_LETTERS[: self._axes]):
            if letter in work.fold + work.mirror:
                moved[:, axis] = np.abs(moved[:, axis])
            if letter in work.clamp + work.mirror:
                moved[:, axis] = np.clip(moved[:, axis], 0, 1)
        return moved

    def _coverage(self, points: Floats, level: Floats, image_filter: Floats) -> Floats:
        """Return the share of the filter's weight that is inside, of each sample's level."""
        share = np.ones(len(points))
        for axis in self._covered:
            sizes = np.array([self.texels.size(n)[axis] for n in range(len(self.texels.levels))])
            size = sizes[np.clip(level, 0, len(sizes) - 1).astype(int)]
            place = points[:, axis] * size
            place = np.abs(place) if axis in self._reflected else place
            linear = np.clip(np.minimum(place + 0.5, size + 0.5 - place), 0, 1)
            nearest = (place >= 0) & (place < size)
            least = self.values.k[axis]
            share = share * np.where(
                image_filter == TexFilter.LINEAR, np.maximum(linear, least), np.maximum(nearest, np.ceil(least))
            )
        return share

    def _shown(self, colour: Floats, reference: Floats | None) -> Floats:
        """Return a colour, or the answers of a comparison with its depth."""
        func = self.lowering.compare_func
        if not self.compares or reference is None or func is None:
            return colour
        depth, against = colour[0], reference
        if self.lowering.fixed_depth:
            depth, against = np.clip(depth, 0, 1), np.clip(reference, 0, 1)
        passes = np.zeros((len(reference), 4))
        passes[:, 0], passes[:, 3] = COMPARE[func](against, depth), 1.0
        return passes
