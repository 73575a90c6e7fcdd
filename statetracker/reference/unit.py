"""A texture unit in NumPy: what a sample is, by definition, from a sampler state and texels.

Everything is computed in double precision with the formulas that GL gives as exact; `bounds` has what hardware may
answer. Anisotropy is not modelled: a state with it is sampled as if it had none. Source: OpenGL 4.6 compatibility
profile, 8.14 to 8.23; GL_EXT_texture_mirror_clamp; GL_ARB_texture_filter_minmax.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.errors import ArgumentError
from statetracker.pipe import Func, SamplerState, TexCompare, TexReduction, TexWrap
from statetracker.reference.texels import choose, lod_of
from statetracker.reference.wraps import BORDER, across_the_edge, face_of, linear_taps, nearest_tap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from statetracker.reference.texels import Texels
    from statetracker.reference.wraps import Floats, Indices

#: Samples worked on at a time: their temporary arrays stay in the processor's cache.
_CHUNK: Final = 1 << 14

#: What a border colour is limited to, where the texels are fixed-point numbers. Source: GL 4.6, 8.14.2.
_BORDER_RANGE: Final = {"unorm": (0.0, 1.0), "unorm-depth": (0.0, 1.0), "snorm": (-1.0, 1.0)}

#: PIPE_FUNC_* -> comparison of the reference value with the texel.
COMPARE: Final[Mapping[Func, Callable[[Any, Any], Any]]] = {
    Func.NEVER: lambda reference, texel: np.zeros_like(reference < texel),
    Func.LESS: np.less,
    Func.EQUAL: np.equal,
    Func.LEQUAL: np.less_equal,
    Func.GREATER: np.greater,
    Func.NOTEQUAL: np.not_equal,
    Func.GEQUAL: np.greater_equal,
    Func.ALWAYS: lambda reference, texel: np.ones_like(reference < texel),
}


class Footprint(NamedTuple):
    """The texels and weights of samples.

    Attributes:
        axes: (n, axes) coordinates, as the shader gave them; on a cube's face, s and t.
        layer: (n,) the layer that is read; of cubes, six times the cube and the face.
        shift: (n, axes) texels to add at every level: the shader's offset; None is none.
    """

    axes: Floats
    layer: Indices
    shift: Floats | None = None

    def of(self, rows: NDArray[Any]) -> Footprint:
        """Take some of the samples."""
        shift = None if self.shift is None else self.shift[rows]
        return Footprint(self.axes[rows], self.layer[rows], shift)


class TextureUnit:
    """A sampler state and the texels of a texture, ready to be sampled.

    Args:
        state: The sampler's.
        texels: The texture's content.

    Raises:
        ArgumentError: A state that the texture cannot have, such as unnormalised coordinates with levels.
    """

    def __init__(self, state: SamplerState, texels: Texels) -> None:
        self.state = state
        self.texels = texels
        self.unnormalized = state.unnormalized_coords or texels.shape.unnormalized
        if self.unnormalized and len(texels.levels) > 1:
            raise ArgumentError("levels", len(texels.levels), accepted="one level with unnormalised coordinates")
        self.border = _border(state, texels.kind)
        self.compares = state.compare_mode == TexCompare.R_TO_TEXTURE
        self.seamless = texels.shape.cube and state.seamless_cube_map
        asked = (TexWrap.CLAMP_TO_EDGE,) * 3 if self.seamless else (state.wrap_s, state.wrap_t, state.wrap_r)
        self.wraps: tuple[TexWrap, ...] = asked[: texels.shape.axes]

    def sample(
        self,
        coordinates: ArrayLike,
        *,
        lod: ArrayLike | None = None,
        derivatives: tuple[ArrayLike, ArrayLike] | None = None,
        bias: ArrayLike = 0.0,
        reference: ArrayLike | None = None,
        offset: Sequence[int] = (),
    ) -> Floats:
        """Sample.

        Args:
            coordinates: (n, k) with k as the target has: axes (a direction for cubes), then the layer.
            lod: Explicit level of detail, a number or (n,); 0 where neither it nor derivatives are given.
            derivatives: Of the axes' coordinates, each (n, axes); not for cubes.
            bias: Added to the level of detail before the sampler's own.
            reference: (n,) values to compare with, where the state compares; `ArgumentError` where one lacks the other.
            offset: Texels, one an axis.

        Returns:
            (n, 4); with comparison (share of texels that pass, 0, 0, 1).
        """
        points, detail, against = self.inputs(coordinates, lod, derivatives, bias, reference)
        shift = self.shift(offset)
        colours = np.empty((len(points), 4))
        for start in range(0, len(points), _CHUNK):
            part = slice(start, start + _CHUNK)
            footprint = self.footprint(points[part], shift)
            colours[part] = self._sample(footprint, detail[part], None if against is None else against[part])
        return colours

    def inputs(
        self,
        coordinates: ArrayLike,
        lod: ArrayLike | None,
        derivatives: tuple[ArrayLike, ArrayLike] | None,
        bias: ArrayLike,
        reference: ArrayLike | None,
    ) -> tuple[Floats, Floats, Floats | None]:
        """Check what `sample` is given; return coordinates (n, k), level of detail (n,) and reference values (n,).

        Raises `ArgumentError` for arrays that do not fit the target, or each other.
        """
        points = np.atleast_2d(np.asarray(coordinates, np.float64))
        wanted = self.texels.shape.coordinates
        if points.ndim != 2 or points.shape[1] != wanted:
            raise ArgumentError("coordinates", points.shape, accepted=f"(n, {wanted}) for {self.texels.target}")
        if (reference is not None) != self.compares:
            raise ArgumentError("reference", reference, accepted="a value for each sample if the state compares")
        level = self._lod(lod, derivatives)
        try:
            detail = np.broadcast_to(level + np.asarray(bias, np.float64), len(points))
            against = None if reference is None else np.broadcast_to(np.asarray(reference), len(points))
        except ValueError:
            given = {"lod": level, "bias": bias, "reference": reference}
            raise ArgumentError("samples", given, accepted=f"a number, or one for each of {len(points)}") from None
        return points, detail, None if against is None else self._reference(against)

    def gather(
        self,
        coordinates: ArrayLike,
        component: int = 0,
        *,
        reference: ArrayLike | None = None,
        offset: Sequence[int] = (),
    ) -> Floats:
        """Return one component of the four texels that linear filtering of the base level would read, (n, 4).

        They are in the order of GL: (i0, j1), (i1, j1), (i1, j0), (i0, j0). ``component``, 0 to 3, is of the swizzled
        texel; the other arguments are as in `sample`. Raises `ArgumentError` for a target without two axes, or for
        another component. Source: GL 4.6, 8.14.1 (textureGather).
        """
        if self.texels.shape.axes != 2:
            raise ArgumentError("target", self.texels.target, accepted="a target of two axes")
        if component not in range(4):
            raise ArgumentError("component", component, accepted="0 to 3")
        points, _, against = self.inputs(coordinates, None, None, 0.0, reference)
        taps = [values for values, _ in self._taps(self.footprint(points, self.shift(offset)), 0, linear=True)]
        if against is not None:
            taps = [self._compare(against, values) for values in taps]
            component = 0
        order = (2, 3, 1, 0)  # taps come with s fastest: (i0, j0), (i1, j0), (i0, j1), (i1, j1)
        return np.stack([taps[place][:, component] for place in order], axis=-1)

    def _lod(self, lod: ArrayLike | None, derivatives: tuple[ArrayLike, ArrayLike] | None) -> Floats:
        if derivatives is None:
            return np.asarray(0.0 if lod is None else lod, np.float64)
        if lod is not None or self.texels.shape.cube:
            raise ArgumentError("derivatives", derivatives, accepted="no explicit lod beside them, and no cube map")
        dx, dy = (np.atleast_2d(np.asarray(part, np.float64)) for part in derivatives)
        if {dx.shape[1:], dy.shape[1:]} != {(self.texels.shape.axes,)}:
            raise ArgumentError("derivatives", derivatives, accepted=f"two of (n, {self.texels.shape.axes})")
        return lod_of(dx, dy, self.texels.size(0), unnormalized=self.unnormalized)

    def _reference(self, reference: NDArray[Any]) -> Floats:
        limited = np.clip(reference, 0, 1) if self.texels.clamps_reference else reference
        return np.asarray(limited, np.float64)

    def shift(self, offset: ArrayLike) -> Floats | None:
        """Check an offset, texels, one an axis; None for an empty one. Raises `ArgumentError`."""
        axes, texels = self.texels.shape.axes, np.asarray(() if offset is None else offset, np.float64)
        if texels.size and (texels.shape != (axes,) or self.texels.shape.cube):
            raise ArgumentError("offset", offset, accepted=f"{axes} numbers, and no cube map")
        return texels if texels.size else None

    def footprint(self, points: Floats, shift: Floats | None = None) -> Footprint:
        """Split points, coordinates (n, k), into axes and layers; ``shift`` is in texels, one an axis."""
        shape = self.texels.shape
        layer = np.zeros(len(points), np.int64)
        if shape.layered:
            rounded = np.rint(np.nan_to_num(points[:, -1]))
            layer = np.clip(rounded, 0, self.texels.layers - 1).astype(np.int64)
        axes = points[:, : shape.axes]
        if shape.cube:
            face, s, t = face_of(points[:, :3])
            axes, layer = np.stack([s, t], axis=-1), 6 * layer + face
        return Footprint(axes, layer, None if shift is None else np.broadcast_to(shift, axes.shape))

    def _sample(self, footprint: Footprint, lod: Floats, reference: Floats | None) -> Floats:
        chosen = choose(self.state, lod, len(self.texels.levels))
        colours = self.image(footprint, chosen.first, chosen.linear, reference)
        mixed = chosen.weight > 0
        if mixed.any():
            against = None if reference is None else reference[mixed]
            coarser = self.image(footprint.of(mixed), chosen.second[mixed], chosen.linear[mixed], against)
            weight = chosen.weight[mixed]
            colours[mixed] = self._reduce([(colours[mixed], 1 - weight), (coarser, weight)])
        if self.compares:
            colours[:, 1:] = (0, 0, 1)
        return colours

    def image(self, footprint: Footprint, levels: Indices, linear: NDArray[Any], reference: Floats | None) -> Floats:
        """Filter each sample within its one level, (n, 4); with comparison the share that passes, in every channel.

        Of each of the n samples of a `footprint`: its level, from 0, whether its filter is LINEAR, and the value to
        compare with; None: no comparison.
        """
        colours = np.empty((len(levels), 4))
        for level, is_linear in product(np.unique(levels), (False, True)):
            rows = (levels == level) & (linear == is_linear)
            if not rows.any():
                continue
            whole = rows.all()
            part = footprint if whole else footprint.of(rows)
            against = reference if reference is None or whole else reference[rows]
            taps = self._taps(part, int(level), linear=is_linear)
            if against is not None:
                taps = ((self._compare(against, values), weight) for values, weight in taps)
            colours[rows] = self._reduce(list(taps))
        return colours

    def _compare(self, reference: Floats, values: Floats) -> Floats:
        passed = COMPARE[self.state.compare_func](reference, values[:, 0])
        return np.repeat(passed[:, None].astype(np.float64), 4, axis=1)

    def _reduce(self, taps: list[tuple[Floats, Floats | None]]) -> Floats:
        """Average, or take the least or largest of the texels whose weight is not 0."""
        if len(taps) == 1:
            return taps[0][0]
        if self.state.reduction_mode == TexReduction.WEIGHTED_AVERAGE:
            total = np.zeros(taps[0][0].shape)
            for values, weight in taps:
                assert weight is not None  # noqa: S101 (only a single tap has none)
                total += values * weight[:, None]
            return total
        least = self.state.reduction_mode == TexReduction.MIN
        nothing = np.inf if least else -np.inf
        kept = [np.where((np.ones(1) if w is None else w)[:, None] > 0, values, nothing) for values, w in taps]
        reduced: Floats = np.minimum.reduce(kept) if least else np.maximum.reduce(kept)
        return reduced

    def _taps(self, footprint: Footprint, level: int, *, linear: bool) -> Iterator[tuple[Floats, Floats | None]]:
        """Yield the texels of the footprint with their weights, s fastest; a single one without weight."""
        size = self.texels.size(level)
        scale = np.ones(len(size)) if self.unnormalized else np.asarray(size, np.float64)
        place = footprint.axes * scale
        if footprint.shift is not None:
            place += footprint.shift
        if not linear:
            indices = [nearest_tap(wrap, place[:, axis], size[axis]) for axis, wrap in enumerate(self.wraps)]
            yield self._fetch(level, footprint.layer, indices), None
            return
        if self.seamless:
            yield from self._seamless(footprint.layer, place, level, size[0])
            return
        axes = [linear_taps(wrap, place[:, axis], size[axis]) for axis, wrap in enumerate(self.wraps)]
        for picks in product((0, 1), repeat=len(axes)):
            chosen = picks[::-1]
            indices = [taps.second if pick else taps.first for taps, pick in zip(axes, chosen, strict=True)]
            weight = np.ones(1)
            for taps, pick in zip(axes, chosen, strict=True):
                weight = weight * (taps.weight if pick else 1 - taps.weight)
            yield self._fetch(level, footprint.layer, indices), weight

    def _seamless(self, layer: Indices, place: Floats, level: int, size: int) -> Iterator[tuple[Floats, Floats | None]]:
        """Linear filtering across the edges of a cube; where three faces meet, the fourth texel is their average."""
        low = np.floor(np.clip(np.nan_to_num(place), 0, size) - 0.5)
        weights = np.clip(np.nan_to_num(place), 0, size) - 0.5 - low
        first = low.astype(np.int64)
        cube, face = np.divmod(layer, 6)
        values, corners, shares = [], [], []
        for up, right in product((0, 1), repeat=2):
            x, y = first[:, 0] + right, first[:, 1] + up
            met, column, row = across_the_edge(face, x, y, size)
            values.append(self._fetch(level, 6 * cube + met, [column, row]))
            corners.append(((x < 0) | (x >= size)) & ((y < 0) | (y >= size)))
            across = weights[:, 0] if right else 1 - weights[:, 0]
            shares.append(across * (weights[:, 1] if up else 1 - weights[:, 1]))
        for tap, (value, corner, share) in enumerate(zip(values, corners, shares, strict=True)):
            others = [other for place_, other in enumerate(values) if place_ != tap]
            yield np.where(corner[:, None], sum(others) / 3, value), share

    def _fetch(self, level: int, layer: Indices, indices: list[Indices]) -> Floats:
        """Read texels: x, y, z indices as far as the target has them; `BORDER` gives the border colour."""
        _, depth, height, width, _ = self.texels.levels[level].shape
        row = layer
        outside = None
        for extent, index in zip((depth, height, width), (*[None] * (3 - len(indices)), *indices[::-1]), strict=True):
            row = row * extent
            if index is not None:
                row = row + index
                beyond = index == BORDER
                outside = beyond if outside is None else outside | beyond
        texels = np.take(self.texels.rows[level], row, axis=0, mode="clip")
        if outside is not None and outside.any():
            texels[outside] = self.border
        return texels


def _border(state: SamplerState, kind: str) -> NDArray[Any]:
    words = np.array(state.border_color, np.uint32)
    if kind == "int":
        return words.view(np.int32).astype(np.int64)
    if kind == "uint":
        return words.astype(np.int64)
    return np.clip(words.view(np.float32).astype(np.float64), *_BORDER_RANGE.get(kind, (-np.inf, np.inf)))
