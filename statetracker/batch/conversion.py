"""Many conversions at once: what `statetracker.sampler.sampler_state` gives, as the rows of an array.

Word 0 comes out of tables that the rules fill (`statetracker.batch.words`); of the rules after it, those that the plans
name are done on whole columns. Rows go through in pieces that stay in a processor's cache. See docs/batch.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.batch.rows import KEPT, RECORD, SAMPLER, Array, Samplers, gather, np, sampler_rows, seen_from
from statetracker.batch.words import BORDER_READ, Words, parts_of
from statetracker.errors import ArgumentError
from statetracker.gl.facts import TextureFacts, UnitFacts
from statetracker.gl.texture import Texture
from statetracker.sampler.conversion import converter, has_state
from statetracker.sampler.dialects import Dialect
from statetracker.sampler.dialects import dialect as dialect_named
from statetracker.sampler.gl_side import WORD_MASK
from statetracker.sampler.rules import CONSTANTS, TAIL_RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike

    from statetracker.caps import Screen
    from statetracker.sampler.memo import RuleProgram

_ROWS: Final = 16384  # of a piece
_CONSTANTS: Final = np.array(CONSTANTS, "<u4")
_GRID: Final = np.float32(256.0)  # steps of a level
_BELOW_HALF: Final = np.nextafter(np.float32(0.5), np.float32(0.0))


_ZERO: Final = np.zeros((), np.float32)
#: The members of `KEPT` as one, which is copied at once.
_FIRST: Final = KEPT[0][0]
_OF_SAMPLER, _OF_RECORD = (seen_from(dtype, _FIRST, f"V{np.dtype(KEPT).itemsize}") for dtype in (SAMPLER, RECORD))


class Prepared(NamedTuple):
    """Columns of samplers as conversion reads them, and their share of the work; made by `prepare`.

    Attributes:
        records: Of type `RECORD`: all but word 0 and what follows from a texture or its unit.
        biases: LOD biases as they were set.
        parts: What the rules of word 0 look at, in five parts, shape (5, samplers).
        skips: Whether sRGB decoding is off.
        dialect: Whose rules it was made by.
    """

    records: Array
    biases: Array
    parts: Array
    skips: Array
    dialect: Dialect

    def pick(self, index: Array | slice) -> Prepared:
        """Repeat, choose or combine samplers, as indexing an array by ``index`` does."""
        parts = self.parts[:, index]
        records = self.records[index] if isinstance(index, slice) else gather(self.records, index)
        return Prepared(records, self.biases[index], parts, self.skips[index], self.dialect)


def prepare(samplers: Samplers, dialect: str | Dialect = "mesa22") -> Prepared:
    """Derive all that follows from samplers alone, once for any number of textures and screens.

    Args:
        samplers: Any number of `Sampler`, or rows of type `SAMPLER`.
        dialect: As `statetracker.convert` takes it.

    Raises:
        ArgumentError: Values that GL refuses.
        UnknownName: An unknown dialect.
    """
    rows = sampler_rows(samplers)
    return _prepared(rows, dialect_named(dialect), np.empty(len(rows), RECORD))


def _prepared(rows: Array, rules: Dialect, made: Array) -> Prepared:
    """Fill ``made``, which the answer's records are."""
    made["word0"] = made["border_color_format"] = 0
    made.view(_OF_RECORD)[_FIRST] = rows.view(_OF_SAMPLER)[_FIRST]
    biases = rows["lod_bias"].copy()
    made["lod_bias"] = _lod_biases(biases, _ZERO, rules)
    least, most = made["min_lod"], made["max_lod"]
    least[:] = np.fmax(least, _ZERO) + _ZERO  # NaN and -0.0 give 0.0
    if rules.swap_lods:
        wrong = most < least
        made["min_lod"], made["max_lod"] = np.where(wrong, most, least), np.where(wrong, least, most)
    return Prepared(made, biases, *parts_of(rows), rules)


def _lod_biases(biases: Array, units: Array, rules: Dialect) -> Array:
    """Return what samplers and units have, on the grid."""
    if rules.bias_rule == "quantise_then_sum":
        return quantize_lod_biases(biases, rules.bias_range) + quantize_lod_biases(units, rules.bias_range)
    with np.errstate(over="ignore", invalid="ignore"):
        return quantize_lod_biases(biases + units, rules.bias_range)


def records(
    samplers: Samplers | Prepared,
    textures: Texture | TextureFacts | Sequence[Texture | TextureFacts],
    screen: Screen,
    *,
    texture_index: ArrayLike | None = None,
    dialect: str | Dialect = "mesa22",
    unit_lod_bias: ArrayLike = 0.0,
    seamless: ArrayLike = False,
    glsl130: bool = True,
    bindless: bool = False,
    out: Array | None = None,
) -> Array:
    """Convert samplers as `statetracker.sampler.sampler_state` does one, bit for bit.

    Args:
        samplers: Samplers, rows of type `SAMPLER`, or what `prepare` made of them.
        textures: One texture for all samplers, one for each, or with ``texture_index`` any number.
        screen: As in `statetracker.convert`, for all.
        texture_index: For each sampler the number of its texture.
        dialect: As in `statetracker.convert`, for all.
        unit_lod_bias: Levels, one for all or one for each; rounded to float32.
        seamless: The context's switch for seamless cubes, one for all or one for each.
        glsl130: As in `statetracker.convert`, for all.
        bindless: As in `statetracker.convert`, for all.
        out: Rows of type `RECORD` to fill, one for each sampler; None: new ones, whose memory costs a fifth more.

    Returns:
        Rows of type `RECORD`.

    Raises:
        ArgumentError: Values that GL refuses, or lengths do not fit together.
        UnknownName: An unknown dialect.
    """
    rules = dialect_named(dialect)
    ready = samplers if isinstance(samplers, Prepared) else None
    if ready is not None and ready.dialect != rules:
        raise ArgumentError("samplers", f"prepared for {ready.dialect.name}", accepted=f"ones for {rules.name}")
    rows = sampler_rows(samplers) if not isinstance(samplers, Prepared) else samplers.records
    facts, which = _numbered(textures, texture_index, len(rows))
    if bindless:
        unit_lod_bias, seamless = 0.0, False
    units = (
        each("unit_lod_bias", unit_lod_bias, np.float32, len(rows)),
        each("seamless", seamless, np.bool_, len(rows)),
    )
    conversion = Conversion(screen, rules, [(one, UnitFacts.of(glsl130=glsl130, bindless=bindless)) for one in facts])
    made = _filled(out, len(rows))
    for start in range(0, len(rows), _ROWS):
        piece = slice(start, start + _ROWS)
        part = _prepared(rows[piece], rules, made[piece]) if ready is None else ready.pick(piece)
        unit = [one[piece] if one.ndim else one for one in units]
        conversion.convert(
            part, part.records if ready is None else made[piece], None if which is None else which[piece], *unit
        )
    return made


def _filled(out: Array | None, count: int) -> Array:
    if out is None:
        return np.empty(count, RECORD)
    if not isinstance(out, np.ndarray) or (out.dtype, out.shape) != (RECORD, (count,)) or not out.flags.c_contiguous:
        shown = (out.dtype, out.shape) if isinstance(out, np.ndarray) else out
        raise ArgumentError("out", shown, accepted=f"{count} rows of batch.RECORD, one after another in memory")
    return out


def quantize_lod_biases(biases: Array, limits: tuple[float, float] = (-16.0, 16.0)) -> Array:
    """`quantize_lod_bias` of each of the biases: float32 in, float32 out; all, and both limits, are in levels."""
    least, most = map(np.float32, limits)
    scaled = np.minimum(np.fmax(biases, least), most) * _GRID  # of NaN and a number, fmax takes the number
    # What is below a half rounds up to it with the largest number below a half: halves go away from zero, no others.
    rounded: Array = np.trunc(scaled + np.copysign(_BELOW_HALF, scaled)) / _GRID
    return rounded


def each(field: str, value: ArrayLike, dtype: Any, count: int) -> Array:  # noqa: ANN401 (a scalar type of NumPy)
    """Return one value for each sampler or texture."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # what is too large for float32 becomes infinite
            values = np.asarray(value).astype(dtype)
    except (TypeError, ValueError, OverflowError) as error:  # text, lists of several lengths
        raise ArgumentError(field, value, accepted=f"one value, or one for each of {count}") from error
    if values.shape not in ((), (count,)):
        raise ArgumentError(field, values.shape, accepted=f"one value, or one for each of {count}")
    return values


def _numbered(
    textures: Texture | TextureFacts | Sequence[Texture | TextureFacts], index: ArrayLike | None, count: int
) -> tuple[list[TextureFacts], Array | None]:
    """Return the different facts, and for each sampler its index there; None: the one for all."""
    several = [textures] if isinstance(textures, Texture | TextureFacts) else textures
    facts = [one if isinstance(one, TextureFacts) else one.facts() for one in several]
    numbers: dict[TextureFacts, int] = {}
    places = [numbers.setdefault(one, len(numbers)) for one in facts]
    if index is not None:
        which = np.asarray(index)
        if which.shape != (count,) or (count and not np.issubdtype(which.dtype, np.integer)):
            raise ArgumentError("texture_index", which.shape, accepted=f"{count} whole numbers, one for each sampler")
        if count and not 0 <= which.min() <= which.max() < len(facts):
            wrong = which[(which < 0) | (which >= len(facts))]
            accepted = f"numbers from 0 to {len(facts) - 1}" if facts else "no sampler, where there is no texture"
            raise ArgumentError("texture_index", int(wrong[0]), accepted=accepted)
        which = which.astype(np.intp, copy=False)
        return list(numbers), which if len(numbers) == len(facts) else np.array(places, np.intp)[which]
    if several is not textures:
        return facts, None
    if len(facts) != count:
        raise ArgumentError("textures", f"{len(facts)} of them", accepted=f"one for each of {count} samplers")
    return list(numbers), np.array(places, np.intp)


class Conversion:
    """Conversion for some textures, each with its program's way to it; a unit's bias and switch come with the rows."""

    def __init__(
        self, screen: Screen, dialect: str | Dialect, textures: Sequence[tuple[TextureFacts, UnitFacts]]
    ) -> None:
        memo = converter(screen, dialect).memo
        self._plans: list[RuleProgram] = [memo.plan(*one) for one in textures]
        self._words = Words(self._plans)
        picked = [plan.situation.picked for plan in self._plans]
        self._patterns = [(one, np.array([other == one for other in picked])) for one in dict.fromkeys(picked)]
        self._formats = np.array([plan.situation.formats for plan in self._plans], np.uint32)
        fire = {name for plan in self._plans for name in plan.tail}
        work = (_ON_COLUMNS[rule.name] for rule in TAIL_RULES if rule.name in fire)
        self._work = dict.fromkeys(one for one in work if one is not None)
        none = [not has_state(*one) for one in textures]
        self._none = np.array(none) if any(none) else None

    def convert(self, samplers: Prepared, made: Array, which: Array | None, biases: Array, seamless: Array) -> None:
        """Fill the rows ``made``, of type `RECORD`.

        ``which`` has the number of each row's texture; None: the first. ``biases`` and ``seamless`` are the unit's, one
        for all or one for each row.
        """
        words = self._words.of(samplers.parts, which, seamless)
        if made is not samplers.records:
            made.view(np.uint8)[:] = samplers.records.view(np.uint8)  # a copy as such would go member by member
        made["word0"] = words & np.uint32(WORD_MASK)
        if biases.view(np.uint32).any():  # -0.0 counts
            made["lod_bias"] = _lod_biases(samplers.biases, biases, samplers.dialect)
        read = (words & np.uint32(BORDER_READ)) != 0
        texture = 0 if which is None else which
        columns = _Columns(made, read, samplers.skips, texture, self._patterns, self._formats)
        for work in self._work:
            work(columns)
        if self._none is not None:
            made[np.broadcast_to(self._none[texture], len(made))] = np.zeros((), RECORD)


class _Columns(NamedTuple):
    """The records of a piece, and what the rules of border colours read.

    Attributes:
        read: Whether a wrap reads a row's border colour.
        skips: Whether a row's sampler skips sRGB decoding.
        texture: The number of its texture.
        patterns: (what border components are picked, for which textures).
        formats: Of each texture: for a sampler that decodes sRGB, and for one that skips it.
    """

    records: Array
    read: Array
    skips: Array
    texture: Any
    patterns: list[tuple[tuple[int, int, int, int], Array]]
    formats: Array


def _drop_border(c: _Columns) -> None:
    c.records["border_color"][~c.read] = 0


def _pick_border(c: _Columns) -> None:
    border = c.records["border_color"]
    sources = [*border.T.copy(), *_CONSTANTS]
    for picked, textures in c.patterns:
        rows = c.read & textures[c.texture]
        for component, source in enumerate(picked):
            if source != component:
                np.copyto(border[:, component], sources[source], where=rows)


def _format(c: _Columns) -> None:
    c.records["border_color_format"] = np.where(c.read, c.formats[c.texture, c.skips.astype(np.intp)], np.uint32(0))


#: Rule after word 0 -> the same on columns; None for what `prepare` and the bias have done.
_ON_COLUMNS: Final[Mapping[str, Callable[[_Columns], None] | None]] = {
    "quantise": None,
    "unit-bias": None,
    "sum-then-quantise": None,
    "min-lod-floor": None,
    "swap-lods": None,
    "drop-unused-border": _drop_border,
    "border-swizzle": _pick_border,
    "border-alpha-not-w": _pick_border,
    "border-translation": _pick_border,
    "border-format": _format,
}
