"""Many conversions at once, with NumPy: what `statetracker.sampler.convert` gives, as the rows of an array.

The rules are not here. Each combination of a sampler's enums and a kind of texture is settled once, by the plan that
single conversions use; arrays carry its answer to the rows, and assemble the floats and border colours.

Needs the extra ``batch``: without NumPy the import raises `MissingExtra`. It is NumPy itself, not the array API: a
record is a row of bytes with named fields, for which that standard has no type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.errors import ArgumentError, MissingExtra
from statetracker.gl.enums import Target
from statetracker.gl.facts import TextureFacts
from statetracker.gl.sampler import Sampler
from statetracker.gl.texture import Texture
from statetracker.pipe.layout import RECORD_BYTES, TAIL
from statetracker.sampler.conversion import converter, unit_kind
from statetracker.sampler.gl_side import BORDER_USED, CONTEXT_SEAMLESS, SKIPS_DECODE, WORD_MASK, Embedded, embedded

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("statetracker.sampler.batch", "numpy", "batch") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from statetracker.caps import Screen
    from statetracker.sampler.conversion import Converter, Plan
    from statetracker.sampler.dialects import Dialect

__all__ = ["PACKED", "RECORD", "convert_batch", "pack_samplers", "quantize_lod_biases"]

Array: TypeAlias = "NDArray[Any]"

_FORMATS: Final = {"float": "<f4", "bits": "<u4", "enum": "<u4"}

_MEMBERS: Final = [(f.name, _FORMATS[f.kind], (f.words,)[: f.words - 1]) for f in TAIL]
_OWN: Final = _MEMBERS[:-1]  # what a sampler says of its own: all but the border colour's format

#: A record as a NumPy type: ``convert_batch(...).view(RECORD)["min_lod"]``.
RECORD: Final = np.dtype([("word0", "<u4"), *_MEMBERS])

#: A sampler as a NumPy type: `Embedded.key`, then its floats and border colour as they were set.
PACKED: Final = np.dtype([("key", "<u8"), *_OWN])

_EMBEDDED_TAIL: Final = np.dtype(_MEMBERS[1:])  # `Embedded.tail`
_KEY_BITS: Final = CONTEXT_SEAMLESS.bit_length()
_CONSTANTS: Final = np.array(Embedded(Sampler()).words[4:], "<u4")  # what selectors pick beside the four words


def pack_samplers(samplers: Iterable[Sampler]) -> Array:
    """Derive what conversion reads of each sampler, once for any number of textures, screens and dialects.

    return   array of type `PACKED`; it can be indexed like any other, to repeat, choose or combine samplers
    """
    derived = [embedded(sampler) for sampler in samplers]
    packed = np.empty(len(derived), PACKED)
    packed["key"] = [e.key for e in derived]
    packed["lod_bias"] = [e.raw_bias for e in derived]
    tails = np.frombuffer(b"".join([e.tail for e in derived]), _EMBEDDED_TAIL)
    for name, *_ in _OWN[1:]:
        packed[name] = tails[name]
    return packed


def convert_batch(
    samplers: Iterable[Sampler] | Array,
    textures: Texture | TextureFacts | Sequence[Texture | TextureFacts],
    screen: Screen,
    *,
    texture_index: ArrayLike | None = None,
    dialect: str | Dialect = "mesa22",
    unit_lod_bias: ArrayLike = 0.0,
    seamless: ArrayLike = False,
    glsl130: bool = True,
    bindless: bool = False,
) -> NDArray[np.uint8]:
    """Convert samplers as `statetracker.sampler.convert` does one, bit for bit.

    samplers        samplers, or what `pack_samplers` made of them
    textures        one texture for all samplers, one for each, or with ``texture_index`` any number
    texture_index   for each sampler the number of its texture
    unit_lod_bias   levels, one for all or one for each; rounded to float32
    seamless        the context's switch for seamless cubes, one for all or one for each
    return          bytes, shape (samplers, 36): a record a row

    The other arguments are those of a single conversion. Raises `ArgumentError` where lengths do not fit together,
    `UnknownName` for an unknown dialect.
    """
    packed = checked(samplers)
    facts, which = numbered(textures, texture_index, len(packed))
    if bindless:
        unit_lod_bias, seamless = 0.0, False
    chosen = converter(screen, dialect)
    kind = unit_kind(glsl130=glsl130, bindless=bindless)
    plans = [chosen.plan(one, kind) for one in facts]
    keys = packed["key"] | _each("seamless", seamless, np.bool_, len(packed)) * np.uint64(CONTEXT_SEAMLESS)
    words = _settled(plans, keys, which)

    records = np.empty(len(packed), RECORD)
    records["word0"] = words & np.uint64(WORD_MASK)
    units = _each("unit_lod_bias", unit_lod_bias, np.float32, len(packed))
    records["lod_bias"] = _biases(chosen, packed["lod_bias"], units)
    records["min_lod"], records["max_lod"] = _lods(chosen, packed["min_lod"], packed["max_lod"])
    records["border_color"] = packed["border_color"] if chosen.dialect.keep_unused_border else 0
    records["border_color_format"] = 0
    rows = np.flatnonzero(words & np.uint64(BORDER_USED))
    if rows.size:
        records["border_color"][rows] = _borders(plans, packed["border_color"][rows], which[rows])
        records["border_color_format"][rows] = _formats(plans, keys[rows], which[rows])
    if bindless:
        records[np.array([one.target == Target.TEXTURE_BUFFER for one in facts], np.bool_)[which]] = 0
    return records.view(np.uint8).reshape(len(packed), RECORD_BYTES)


def checked(samplers: Iterable[Sampler] | Array) -> Array:
    """Pack samplers that are not; raises `ArgumentError` for any other array."""
    packed = samplers if isinstance(samplers, np.ndarray) else pack_samplers(samplers)
    if packed.dtype != PACKED or packed.ndim != 1:
        raise ArgumentError("samplers", packed.dtype, accepted="samplers, or a row of what pack_samplers returns")
    return packed


def quantize_lod_biases(biases: Array) -> Array:
    """`quantize_lod_bias` of each: float32 in, float32 out."""
    inside = np.where(biases > -16.0, np.minimum(biases, 16.0), -16.0)  # the comparison is false for NaN
    scaled = inside.astype(np.float64) * 256.0
    rounded: Array = (np.copysign(np.floor(np.abs(scaled) + 0.5), scaled) / 256.0).astype(np.float32)
    return rounded


def _each(field: str, value: ArrayLike, dtype: Any, count: int) -> Array:  # noqa: ANN401 (a scalar type of NumPy)
    """Give one value for each sampler."""
    with np.errstate(over="ignore", invalid="ignore"):  # what is too large for float32 becomes infinite
        values = np.asarray(value).astype(dtype)
    if values.shape not in ((), (count,)):
        raise ArgumentError(field, values.shape, accepted=f"one value, or one for each of {count} samplers")
    return np.broadcast_to(values, (count,))


def numbered(
    textures: Texture | TextureFacts | Sequence[Texture | TextureFacts], index: ArrayLike | None, count: int
) -> tuple[list[TextureFacts], Array]:
    """Give the different facts, and for each sampler the number of its own."""
    several = [textures] if isinstance(textures, Texture | TextureFacts) else textures
    facts = [one if isinstance(one, TextureFacts) else one.facts() for one in several]
    if index is not None:
        which = np.asarray(index)
        if which.shape != (count,) or not np.issubdtype(which.dtype, np.integer):
            raise ArgumentError("texture_index", which.shape, accepted=f"{count} whole numbers, one for each sampler")
        if count and not 0 <= which.min() <= which.max() < len(facts):
            raise ArgumentError("texture_index", int(which.max()), accepted=f"numbers from 0 to {len(facts) - 1}")
        return facts, which
    if several is not textures:
        return facts, np.zeros(count, np.intp)
    if len(facts) != count:
        raise ArgumentError("textures", f"{len(facts)} of them", accepted=f"one for each of {count} samplers")
    numbers: dict[TextureFacts, int] = {}
    which = np.array([numbers.setdefault(one, len(numbers)) for one in facts], np.intp)
    return list(numbers), which


def _settled(plans: list[Plan], keys: Array, which: Array) -> Array:
    """What the rules make of each key: word 0 and BORDER_USED."""
    combinations = keys | which.astype(np.uint64) << np.uint64(_KEY_BITS)
    different, place = np.unique(combinations, return_inverse=True)
    words = [plans[c >> _KEY_BITS].word(c & (1 << _KEY_BITS) - 1) for c in different.tolist()]
    settled: Array = np.array(words, np.uint64)[place]
    return settled


def _biases(chosen: Converter, own: Array, units: Array) -> Array:
    """`Converter.bias` of each."""
    if chosen.dialect.bias_rule == "sum_then_quantise":
        with np.errstate(over="ignore", invalid="ignore"):
            return quantize_lod_biases(own + units)
    total: Array = quantize_lod_biases(own) + quantize_lod_biases(units)
    return total


def _lods(chosen: Converter, low: Array, high: Array) -> tuple[Array, Array]:
    """`Converter.lods` of each."""
    if not chosen.dialect.swap_lods:
        return low, high
    wrong = high < low
    return np.where(wrong, high, low), np.where(wrong, low, high)


def _borders(plans: list[Plan], colours: Array, which: Array) -> Array:
    """The border colours that wrap modes read, as the plans rearrange them."""
    pool = np.hstack((colours, np.broadcast_to(_CONSTANTS, (len(colours), _CONSTANTS.size))))
    picked = np.array([plan.situation.picked for plan in plans])[which]
    return np.take_along_axis(pool, picked, axis=1)


def _formats(plans: list[Plan], keys: Array, which: Array) -> Array:
    """The formats that go with them."""
    numbers = np.frombuffer(b"".join(part for plan in plans for part in plan.formats), "<u4").reshape(-1, 2)
    skips = (keys & np.uint64(SKIPS_DECODE)) != 0
    found: Array = numbers[which, skips.astype(np.intp)]
    return found
