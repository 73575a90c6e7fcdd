"""One sample asked of a whole device as the module stands, and of a lesser one as `st.lower` writes it."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import statetracker as st
from statetracker.pipe import SamplerState, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import Texels
from statetracker.shader.sample_ops import SAMPLES, operands_of
from statetracker.spirv.names import ImageOperands
from tests.shader.compiled import MODULES
from tests.shader.machine import Bound, Machine
from tests.shader.modules import Sample, module
from tools.proofs.pixels.lacking import lacking, seamed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from statetracker.shader import Lowered
    from statetracker.spirv import Instruction
    from tools.proofs.pixels.lacking import Device

__all__ = ["BLOCK", "Both", "bits", "both", "grey", "points", "quads", "seen", "state", "texels", "through"]

#: Where a module gets its block.
BLOCK = (3, 7)
_CUBE = 3
_NAMES = {0: "1d", 1: "2d", 2: "3d", _CUBE: "cube"}


class Both(NamedTuple):
    """What was sampled, a row a point: natively, and on the lesser device; and the lowering that did it."""

    native: NDArray[Any]
    lowered: NDArray[Any]
    result: Lowered
    machine: Machine

    def coordinates(self) -> list[NDArray[Any]]:
        """What each sampling instruction of the new module samples at, of the first fragment."""
        return [self.machine.values[one.words[3]][0] for one in self.samples()]

    def lods(self) -> list[float]:
        """The Lod operands of its sampling instructions, of the first fragment."""
        each = [operands_of(one).get(ImageOperands.Lod, ()) for one in self.samples()]
        return [float(self.machine.values[ident][0, 0]) for idents in each for ident in idents]

    def samples(self) -> list[Instruction]:
        """The sampling instructions of the new module."""
        return [one for one in self.machine.module.instructions if one.opcode in SAMPLES]


def bits(*values: float) -> Any:
    """The words of four floats; one alone is all four."""
    return struct.unpack("<4I", struct.pack("<4f", *(values * (4 // len(values)))))


def grey(values: Any) -> NDArray[Any]:
    """Texels whose four channels are one number."""
    return np.stack([np.asarray(values)] * 4, axis=-1)


def state(wrap: TexWrap, image: TexFilter = TexFilter.LINEAR, **changed: Any) -> SamplerState:
    """A state with one wrap on all axes, one filter, no levels; the border is 200."""
    made: dict[str, Any] = {f"wrap_{axis}": wrap for axis in "str"} | {"border_color": bits(200.0)}
    filters = {"min_img_filter": image, "mag_img_filter": image, "min_mip_filter": TexMipfilter.NONE}
    return SamplerState(**{"min_lod": -1000.0, "max_lod": 1000.0} | made | filters | changed)


def texels(form: Sample, seed: int, levels: int) -> Texels:
    """A texture of sizes that are no powers of two."""
    chance = np.random.default_rng(seed)
    size = (6, 6) if form.dim == _CUBE else (7, 5, 3)[: form.spatial]
    layers = (6 * (1 + 2 * form.arrayed),) if form.dim == _CUBE else (3,) * form.arrayed
    shapes = [(*layers, *(max(1, one >> level) for one in size[::-1]), 4) for level in range(levels)]
    return Texels(_NAMES[form.dim] + "-array" * form.arrayed, [chance.random(shape) for shape in shapes])


def seen(values: Any, swizzle: str) -> Any:
    """Texels, their channels last, as a view with a swizzle shows them; empty for none."""
    constants = np.zeros_like(values[..., :1]), np.ones_like(values[..., :1])
    return np.concatenate([values, *constants], axis=-1)[..., ["RGBA01".index(letter) for letter in swizzle or "RGBA"]]


def through(images: Texels, swizzle: str) -> Texels:
    """A texture as a view with a swizzle shows it."""
    return Texels(images.target, [seen(level, swizzle) for level in images.levels], kind=images.kind)


def points(seed: int, quads: int = 40) -> NDArray[Any]:
    """Quads of coordinates from -1.5 to 2.5, some close together and some far."""
    chance = np.random.default_rng(seed)
    base = chance.random((quads, 1, 4)) * 4 - 1.5
    step = chance.random((quads, 2, 4)) * np.exp2(chance.integers(-7, 0, (quads, 1, 1)).astype(float))
    corners = [np.zeros_like(step[:, :1]), step[:, :1], step[:, 1:], step[:, :1] + step[:, 1:]]
    return np.concatenate([base + corner for corner in corners], axis=1).reshape(-1, 4)


def quads(points: Sequence[Sequence[float]], step: float = 0.0) -> NDArray[Any]:
    """Each point as the first fragment of a quad, the others a step further along s."""
    rows = np.zeros((len(points), 4, 4))
    for row, point in zip(rows, points, strict=True):
        row[:, : len(point)] = point
        row[1::2, 0] += step
    return rows.reshape(-1, 4)


def both(
    form: Sample | str,
    asked: SamplerState,
    device: Device,
    images: Texels | tuple[Texels, Texels],
    given: NDArray[Any],
    *,
    less: SamplerState | None = None,
    values: tuple[int, int] | None = BLOCK,
    lod_query: bool = True,
    **changed: Any,
) -> Both:
    """Sample by a form, or by a compiled module of that name.

    ``images``: the texture; two where the lesser device's is another. ``given``: what the shader is given, from
    `quads`. ``less``: the lesser device's sampler, where it is not that of `lacking`. ``**changed``: members of the
    lowering that are otherwise.
    """
    if isinstance(form, str):
        made, place = MODULES[form], (0, 1)
    else:
        made, place = module([form])[0], (0, 0)
    cube = isinstance(form, Sample) and form.dim == _CUBE
    lesser, lowering, numbers = (seamed if cube else lacking)(asked, device)
    result = st.lower(made, {place: lowering._replace(**changed)}, values=values, lod_query=lod_query)
    assert not result.unresolved
    whole, other = images if isinstance(images, tuple) else (images, images)
    native = Machine(made, given, {place: Bound(asked, whole)})
    block = st.border_values([numbers] * len(result.values))
    lowered = Machine(result.module, given, {place: Bound(less or lesser, other)}, block)
    ident = next(one.result for one in native.module.instructions if one.opcode in SAMPLES)
    return Both(_of(native, ident), _of(lowered, ident), result, lowered)


def _of(run: Machine, ident: int) -> NDArray[Any]:
    """The value of an id in each quad's first fragment."""
    value = run.values[ident]
    return np.broadcast_to(value, (len(run.given), value.shape[1]))[::4]
