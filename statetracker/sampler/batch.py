"""Many conversions at once, with NumPy: what `statetracker.sampler.sampler_state` gives, as the rows of an array.

Each combination of a sampler's enums and a kind of texture is settled once, by the plan that single conversions use;
arrays carry its answer to the rows. Of the rules after word 0, those that the plans name are done on whole columns.

Needs the extra ``batch``: without NumPy the import raises `MissingExtra`. It is NumPy itself, not the array API: a
record is a row of bytes with named fields, for which that standard has no type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from statetracker.errors import ArgumentError, MissingExtra
from statetracker.gl.facts import TextureFacts, UnitFacts
from statetracker.gl.texture import Texture
from statetracker.pipe.layout import RECORD_BYTES, TAIL
from statetracker.sampler.conversion import converter, has_state
from statetracker.sampler.gl_side import BORDER_USED, CONTEXT_SEAMLESS, SKIPS_DECODE, WORD_MASK, sampler_key
from statetracker.sampler.tail_rules import CONSTANTS, TAIL_RULES

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("statetracker.sampler.batch", "numpy", "batch") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from statetracker.caps import Screen
    from statetracker.gl.sampler import Sampler
    from statetracker.sampler.dialects import Dialect
    from statetracker.sampler.memo import Plan

__all__ = ["PACKED", "RECORD", "convert_batch", "pack_samplers", "quantize_lod_biases"]

Array: TypeAlias = "NDArray[Any]"

_FORMATS: Final = {"float": "<f4", "bits": "<u4", "enum": "<u4"}

_MEMBERS: Final = [(f.name, _FORMATS[f.kind], (f.words,)[: f.words - 1]) for f in TAIL]
_OWN: Final = _MEMBERS[:-1]  # what follows from the sampler: all but the border colour's format

#: A record as a NumPy type: ``convert_batch(...).view(RECORD)["min_lod"]``.
RECORD: Final = np.dtype([("word0", "<u4"), *_MEMBERS])

#: A sampler as a NumPy type: `sampler_key`, then its floats and border colour as they were set.
PACKED: Final = np.dtype([("key", "<u8"), *_OWN])

_KEY_BITS: Final = CONTEXT_SEAMLESS.bit_length()
_CONSTANTS: Final = np.array(CONSTANTS, "<u4")


def pack_samplers(samplers: Iterable[Sampler]) -> Array:
    """Derive what conversion reads of each sampler, once for any number of textures, screens and dialects.

    return   array of type `PACKED`; it can be indexed like any other, to repeat, choose or combine samplers
    """
    rows = [(sampler_key(s), s.lod_bias, s.min_lod, s.max_lod, s.border_color) for s in samplers]
    return np.array(rows, PACKED)


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
    """Convert samplers as `statetracker.sampler.sampler_state` does one, bit for bit.

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
    unit = UnitFacts.of(glsl130=glsl130, bindless=bindless)
    if bindless:
        unit_lod_bias, seamless = 0.0, False
    memo = converter(screen, dialect).memo
    plans = [memo.plan(one, unit) for one in facts]
    keys = packed["key"] | _each("seamless", seamless, np.bool_, len(packed)) * np.uint64(CONTEXT_SEAMLESS)
    words = _settled(plans, keys, which)

    records = np.empty(len(packed), RECORD)
    records["word0"] = words & np.uint64(WORD_MASK)
    for name, *_ in _OWN:
        records[name] = packed[name]
    records["border_color_format"] = 0
    columns = _Columns(
        records,
        _each("unit_lod_bias", unit_lod_bias, np.float32, len(packed)),
        np.flatnonzero(words & np.uint64(BORDER_USED)),
        keys,
        plans,
        which,
        memo.dialect.bias_range,
    )
    fire = {name for plan in plans for name in plan.tail}
    for work in dict.fromkeys(_ON_COLUMNS[rule.name] for rule in TAIL_RULES if rule.name in fire):
        work(columns)
    none = [not has_state(one, unit) for one in facts]
    if any(none):
        records[np.array(none)[which]] = np.zeros((), RECORD)
    return records.view(np.uint8).reshape(len(packed), RECORD_BYTES)


def checked(samplers: Iterable[Sampler] | Array) -> Array:
    """Pack samplers that are not; raises `ArgumentError` for any other array."""
    packed = samplers if isinstance(samplers, np.ndarray) else pack_samplers(samplers)
    if packed.dtype != PACKED or packed.ndim != 1:
        raise ArgumentError("samplers", packed.dtype, accepted="samplers, or a row of what pack_samplers returns")
    return packed


def quantize_lod_biases(biases: Array, limits: tuple[float, float] = (-16.0, 16.0)) -> Array:
    """`quantize_lod_bias` of each: float32 in, float32 out."""
    least, most = limits
    inside = np.where(biases > least, np.minimum(biases, most), least)  # the comparison is false for NaN
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
    """Give the different facts, and for each sampler its index there."""
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


class _Columns(NamedTuple):
    """The records of a batch; ``used``: the rows whose border colour a wrap reads."""

    records: Array
    units: Array
    used: Array
    keys: Array
    plans: list[Plan]
    which: Array
    bias_range: tuple[float, float]


def _quantise(c: _Columns) -> None:
    c.records["lod_bias"] = quantize_lod_biases(c.records["lod_bias"], c.bias_range)


def _add_unit(c: _Columns) -> None:
    c.records["lod_bias"] += quantize_lod_biases(c.units, c.bias_range)


def _quantise_sum(c: _Columns) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        c.records["lod_bias"] = quantize_lod_biases(c.records["lod_bias"] + c.units, c.bias_range)


def _floor(c: _Columns) -> None:
    c.records["min_lod"][~(c.records["min_lod"] > 0.0)] = 0.0


def _swap(c: _Columns) -> None:
    low, high = c.records["min_lod"].copy(), c.records["max_lod"].copy()
    wrong = high < low
    c.records["min_lod"], c.records["max_lod"] = np.where(wrong, high, low), np.where(wrong, low, high)


def _drop_border(c: _Columns) -> None:
    dropped = np.ones(len(c.records), np.bool_)
    dropped[c.used] = False
    c.records["border_color"][dropped] = 0


def _pick_border(c: _Columns) -> None:
    colours = c.records["border_color"][c.used]
    pool = np.hstack((colours, np.broadcast_to(_CONSTANTS, (len(colours), _CONSTANTS.size))))
    picked = np.array([plan.situation.picked for plan in c.plans])[c.which[c.used]]
    c.records["border_color"][c.used] = np.take_along_axis(pool, picked, axis=1)


def _format(c: _Columns) -> None:
    numbers = np.array([plan.situation.formats for plan in c.plans])
    skips = (c.keys[c.used] & np.uint64(SKIPS_DECODE)) != 0
    c.records["border_color_format"][c.used] = numbers[c.which[c.used], skips.astype(np.intp)]


#: Rule after word 0 -> the same on columns.
_ON_COLUMNS: Final[Mapping[str, Callable[[_Columns], None]]] = {
    "quantise": _quantise,
    "unit-bias": _add_unit,
    "sum-then-quantise": _quantise_sum,
    "min-lod-floor": _floor,
    "swap-lods": _swap,
    "drop-unused-border": _drop_border,
    "border-swizzle": _pick_border,
    "border-alpha-not-w": _pick_border,
    "border-translation": _pick_border,
    "border-format": _format,
}
