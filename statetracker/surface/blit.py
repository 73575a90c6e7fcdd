"""A stencil blit drawn through surfaces that pretend: a Y-tiled colour target to draw to, an overridden source.

`plan_blit` gives the whole sequence as data; `run_blit` carries it out on bytes in memory, fragment by fragment, as the
hardware would (NumPy). Source: the meta stencil blit of the i965 driver's documentation; docs/stencil.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.surface.choices import PIXEL_SAMPLES
from statetracker.surface.override import Mode, Override, override
from statetracker.surface.stencil import decode_sample, y_to_w
from statetracker.surface.tilings import Tiling, address
from statetracker.surface.units import align

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.surface.stencil import StencilTree

#: Samples -> (columns, rows) of the footprint that a pixel quad has, in samples: what is drawn covers whole quads.
_QUADS: Final = {1: (1, 1), 2: (4, 2), 4: (4, 4), 8: (8, 4), 16: (8, 8)}


class Rect(NamedTuple):
    """Edges: x0 and y0 inside, x1 and y1 outside. For a source in reverse order, x0 may be above x1."""

    x0: int
    y0: int
    x1: int
    y1: int


class Blit(NamedTuple):
    """A blit as a sequence of states and steps.

    Attributes:
        source: How the source is described to the sampler.
        source_image: Level and layer that are read.
        target: How the destination is described as a colour target: always one image.
        drawn: The rectangle to draw, in elements of the Y-tiled target.
        kept: The true rectangle in pixels; fragments outside it drop themselves.
        edges: Of source and destination, the latter in order: an axis whose source is not is mirrored.
        scale: Source pixel = start + (pixel + 0.5) * scale, rounded down, for x and y.
        start: See scale; `run_blit` does it exactly.
        bounds: Width and height of the source image; fragments whose source lies outside drop themselves.
        samples: Of source and destination: a source with several samples gives its first to a destination of one.
        steps: What a fragment does, in words and in order.
    """

    source: Override
    source_image: tuple[int, int]
    target: Override
    drawn: Rect
    kept: Rect
    edges: tuple[Rect, Rect]
    scale: tuple[float, float]
    start: tuple[float, float]
    bounds: tuple[int, int]
    samples: tuple[int, int]
    steps: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        plain = self._asdict()
        return plain | {"source": self.source.to_dict(), "target": self.target.to_dict()}


def plan_blit(
    source: StencilTree,
    target: StencilTree,
    source_rect: tuple[int, int, int, int],
    target_rect: tuple[int, int, int, int],
    *,
    source_image: tuple[int, int] = (0, 0),
    target_image: tuple[int, int] = (0, 0),
) -> Blit:
    """Plan a blit of stencil.

    Args:
        source: The tree that is read.
        target: The tree that is drawn to.
        source_rect: x0, y0, x1, y1 in pixels; an edge pair in reverse order mirrors.
        target_rect: The same in the target.
        source_image: Level and layer.
        target_image: Level and layer.

    Raises:
        ArgumentError: An empty rectangle, an image that is not there, or two multisampled surfaces of different sizes
            or sample counts.
        SurfaceRefused: An image cannot be described.
    """
    to, of = _ordered(Rect(*target_rect), Rect(*source_rect))
    _check_samples(source, target, of, to)
    width, height = target.level_size(target_image[0])
    kept = Rect(max(to.x0, 0), max(to.y0, 0), min(to.x1, width), min(to.y1, height))
    scale = ((of.x1 - of.x0) / (to.x1 - to.x0), (of.y1 - of.y0) / (to.y1 - to.y0))
    start = (of.x0 - to.x0 * scale[0], of.y0 - to.y0 * scale[1])
    dynamic = source.generation.verx10 >= 70
    described = override(source, mode=None if dynamic else Mode.STATIC, level=source_image[0], layer=source_image[1])
    # one image, from generation 8 on too: no colour target is W-tiled
    plain = target._replace(generation=target.generation._replace(samples_w=False))
    aimed = override(plain, mode=Mode.STATIC, view="byte", level=target_image[0], layer=target_image[1])
    steps = (
        "draw the rectangle `drawn` into the Y-tiled target, multisampling off",
        "Y to W: the texel that the fragment's byte is",
        f"take the sample apart ({target.samples} a pixel)" if target.samples > 1 else "one sample a pixel",
        "drop the fragment outside `kept`",
        "source pixel = start + (pixel + 0.5) * scale, rounded down; drop it outside `bounds`",
        f"sample {'of the same number' if target.samples == source.samples else '0'} of the source",
        "W to Y through the source's override" if described.needed else "the sampler reads W tiles by itself",
    )
    bounds, samples = source.level_size(source_image[0]), (source.samples, target.samples)
    drawn = _drawn(kept, target.samples)
    return Blit(described, source_image, aimed, drawn, kept, (of, to), scale, start, bounds, samples, steps)


def run_blit(
    plan: Blit, source: StencilTree, source_bytes: NDArray[Any], target: StencilTree, target_bytes: NDArray[Any]
) -> NDArray[Any]:
    """Carry a plan out on memory as the processor sees it; return the destination's bytes, changed.

    Needs NumPy; raises `ArgumentError` for memory of another size than the tree.

    Args:
        plan: Of the blit.
        source: The tree that is read.
        source_bytes: The whole source tree, uint8, W-tiled.
        target: The tree that is drawn to.
        target_bytes: The whole target tree, uint8, W-tiled.
    """
    import numpy as np

    for tree, memory in ((source, source_bytes), (target, target_bytes)):
        tree.check_memory(memory.size)
    done = np.array(target_bytes, np.uint8)
    if plan.drawn.x0 >= plan.drawn.x1 or plan.drawn.y0 >= plan.drawn.y1:
        return done
    ys, xs = np.mgrid[plan.drawn.y0 : plan.drawn.y1, plan.drawn.x0 : plan.drawn.x1]
    column, row = y_to_w(xs, ys)
    x, y, sample = decode_sample(column, row, target.samples)
    inside = (x >= plan.kept.x0) & (x < plan.kept.x1) & (y >= plan.kept.y0) & (y < plan.kept.y1)
    from_x = _mapped(x, plan.edges[0][0::2], plan.edges[1][0::2])
    from_y = _mapped(y, plan.edges[0][1::2], plan.edges[1][1::2])
    inside &= (from_x >= 0) & (from_x < plan.bounds[0]) & (from_y >= 0) & (from_y < plan.bounds[1])
    xs, ys, from_x, from_y, sample = (part[inside] for part in (xs, ys, from_x, from_y, sample))
    same = source.samples == target.samples
    level, layer = plan.source_image
    read_x, read_y = source.place(from_x, from_y, level=level, layer=layer, sample=sample if same else sample * 0)
    value = source_bytes[address(Tiling.W, read_x, read_y, source.row_pitch_B)]
    base = address(Tiling.Y, xs + plan.target.tile_x, ys + plan.target.tile_y, target.row_pitch_B)
    done[base + plan.target.base_offset_B] = value
    return done


def _mapped(pixel: Any, of: tuple[int, int], to: tuple[int, int]) -> Any:  # noqa: ANN401 (arrays)
    """Map pixels of the destination to the source, along one axis, in whole numbers."""
    wide, long = of[1] - of[0], to[1] - to[0]
    return ((2 * (pixel - to[0]) + 1) * wide + 2 * of[0] * long) // (2 * long)


def _ordered(to: Rect, of: Rect) -> tuple[Rect, Rect]:
    """Put the destination's edges in order, and exchange the source's where they were not: a mirrored axis."""
    if to.x0 == to.x1 or to.y0 == to.y1 or of.x0 == of.x1 or of.y0 == of.y1:
        raise ArgumentError("rectangle", (tuple(of), tuple(to)), accepted="edges that differ")
    if to.x0 > to.x1:
        to, of = to._replace(x0=to.x1, x1=to.x0), of._replace(x0=of.x1, x1=of.x0)
    if to.y0 > to.y1:
        to, of = to._replace(y0=to.y1, y1=to.y0), of._replace(y0=of.y1, y1=of.y0)
    return to, of


def _check_samples(source: StencilTree, target: StencilTree, of: Rect, to: Rect) -> None:
    if source.samples == 1 or target.samples == 1:
        return
    same = abs(of.x1 - of.x0) == to.x1 - to.x0 and abs(of.y1 - of.y0) == to.y1 - to.y0
    if source.samples != target.samples or not same:
        pair = (source.samples, target.samples)
        raise ArgumentError("samples", pair, accepted="equal counts and sizes, or one surface without multisampling")


def _drawn(kept: Rect, samples: int) -> Rect:
    """Return the rectangle to draw: in samples, out to whole quads, to what Y to W keeps together, in Y elements."""
    if kept.x0 >= kept.x1 or kept.y0 >= kept.y1:
        return Rect(0, 0, 0, 0)
    wide, high = PIXEL_SAMPLES[samples]
    quad_w, quad_h = _QUADS[samples]
    x0, x1 = kept.x0 * wide // quad_w * quad_w, align(kept.x1 * wide, quad_w)
    y0, y1 = kept.y0 * high // quad_h * quad_h, align(kept.y1 * high, quad_h)
    rows = 8 if samples > 1 else 4
    return Rect(x0 // 8 * 16, y0 // rows * rows // 2, align(x1, 8) * 2, align(y1, rows) // 2)
