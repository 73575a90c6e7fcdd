"""Many lowerings at once, with NumPy: what `statetracker.sampler.lowering` gives, as the rows of an array.

The rules are not here: `lowering` is called once for each combination of wraps and kind of texture.

Needs the extra ``batch``: without NumPy the import raises `MissingExtra`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import MissingExtra
from statetracker.gl.sampler import Sampler
from statetracker.pipe.layout import MASKS, SHIFTS
from statetracker.pipe.lowering import Lowering
from statetracker.sampler.batch import checked, numbered
from statetracker.sampler.shader_work import lowering
from statetracker.sampler.tables import WRAP

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("statetracker.sampler.batch_lowering", "numpy", "batch") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.gl.texture import Texture

__all__ = ["LOWERING", "lowering_batch"]

_MEMBERS: Final = tuple(Lowering()._asdict().items())[:8]
#: The first members of `Lowering`, all that GL's state can ask for: axes as text, flags as booleans.
LOWERING: Final = np.dtype([(name, np.bool_ if isinstance(value, bool) else "U3") for name, value in _MEMBERS])

_AXES: Final = ("wrap_s", "wrap_t", "wrap_r")
_WRAPS: Final = sum(MASKS[axis] for axis in _AXES)
_WRAP_BITS: Final = _WRAPS.bit_length()
_GL: Final = {pipe: gl for gl, pipe in WRAP.items()}


def lowering_batch(
    samplers: Iterable[Sampler] | NDArray[Any],
    textures: Texture | TextureFacts | Sequence[Texture | TextureFacts],
    screen: Screen,
    *,
    texture_index: ArrayLike | None = None,
) -> NDArray[Any]:
    """What the shader must do for each sampler and texture.

    samplers, textures, texture_index   as `statetracker.sampler.batch.convert_batch` takes them
    return                              array of type `LOWERING`: ``Lowering(*rows[n].item())`` is the n-th one

    Raises `ArgumentError` where lengths do not fit together.
    """
    packed = checked(samplers)
    facts, which = numbered(textures, texture_index, len(packed))
    wraps = packed["key"] & np.uint64(_WRAPS)
    different, place = np.unique(wraps | which.astype(np.uint64) << np.uint64(_WRAP_BITS), return_inverse=True)
    each = [_lowered(one & _WRAPS, facts[one >> _WRAP_BITS], screen)[: len(_MEMBERS)] for one in different.tolist()]
    rows: NDArray[Any] = np.array(each, LOWERING)[place]
    return rows


def _lowered(wraps: int, facts: TextureFacts, screen: Screen) -> Lowering:
    fields: dict[str, Any] = {axis: _GL[(wraps & MASKS[axis]) >> SHIFTS[axis]] for axis in _AXES}
    return lowering(Sampler(**fields), facts, screen)
