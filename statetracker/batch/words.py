"""Word 0 of many records: the rules run once for each part of a sampler's enums, tables carry the answers to the rows.

A rule looks at few bits, so a word falls into five parts, each of which the rules settle by itself: the three wraps
with what decides about them, the limits, and all the rest. What a part becomes is kept in a table of its plan
(`statetracker.sampler.memo.RuleProgram`): 3,712 entries, each worked out when a row first needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.batch.rows import SAMPLER, np, seen_from
from statetracker.errors import ArgumentError
from statetracker.gl.sampler import FAMILIES, Sampler
from statetracker.pipe.layout import MASKS
from statetracker.pipe.wraps import WRAPS
from statetracker.sampler import gl_side as inputs
from statetracker.sampler.gl_side import sampler_key

if TYPE_CHECKING:
    from statetracker.batch.rows import Array
    from statetracker.sampler.memo import RuleProgram

_WRAPS: Final = (MASKS["wrap_s"], MASKS["wrap_t"], MASKS["wrap_r"])
_LIMITS: Final = (MASKS["max_anisotropy"], MASKS["reduction_mode"])
#: A key's bits, the first ones first, as masks of `sampler_key`: in such an order that each part is one or two shifts.
_ORDER: Final = (
    *(MASKS["min_mip_filter"], MASKS["compare_func"], inputs.CLAMPISH),
    *(MASKS["min_img_filter"], MASKS["mag_img_filter"], MASKS["seamless_cube_map"], inputs.COMPARES),
    *(inputs.CONTEXT_SEAMLESS, inputs.BORDER_NONZERO, *_WRAPS, *_LIMITS, inputs.SKIPS_DECODE),
)
_FIRST: Final = tuple(sum(mask.bit_count() for mask in _ORDER[:n]) for n in range(len(_ORDER)))


def _ordered(key: int) -> int:
    """Return a `sampler_key` with its bits in our order."""
    return sum((key & mask) >> _low(mask) << first for mask, first in zip(_ORDER, _FIRST, strict=True))


def _as_sampler_key(key: int) -> int:
    """Return the other way round."""
    rows = zip(_ORDER, _FIRST, strict=True)
    return sum((key >> first & mask >> _low(mask)) << _low(mask) for mask, first in rows)


def _low(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


_CONTEXT: Final = _ordered(inputs.CONTEXT_SEAMLESS)
_SKIPS: Final = _ordered(inputs.SKIPS_DECODE)
_NONZERO: Final = _ordered(inputs.BORDER_NONZERO)
_CLAMPISH: Final = _ordered(inputs.CLAMPISH)
_SEAMLESS: Final = _ordered(MASKS["seamless_cube_map"])
_ANISOTROPY: Final = _FIRST[_ORDER.index(MASKS["max_anisotropy"])]
_REFUSED: Final = 1 << 31  # of a table of enums: GL has no such value

# Parts: where each begins in a plan's table, what it keeps of a word, and which bits of a key it is made of.
_WRAP: Final = _FIRST[_ORDER.index(_WRAPS[0])]
_DECIDING: Final = _FIRST[_ORDER.index(MASKS["min_img_filter"])]  # what decides about wraps lies from here to there
_DECIDES: Final = _WRAP - _DECIDING
_AXIS: Final = 8 << _DECIDES
_REST: Final = 3 * _AXIS
_LIMIT: Final = _REST + (1 << _FIRST[_ORDER.index(inputs.BORDER_NONZERO)])
_ENTRIES: Final = _LIMIT + (1 << sum(mask.bit_count() for mask in _LIMITS))

_BEGINS: Final = (0, _AXIS, 2 * _AXIS, _REST, _LIMIT)
_SWITCH: Final = np.array([[_CONTEXT >> _DECIDING]] * 3 + [[_CONTEXT], [0]], np.uint16)

#: Beside a word: a wrap reads the border colour; and an entry that is not worked out yet.
BORDER_READ: Final = 1 << 28
_UNKNOWN: Final = 1 << 27
_OF_WRAPS: Final = MASKS["border_color_is_integer"] | inputs.BORDER_USED
_OF_REST: Final = inputs.WORD_MASK & ~(sum(_WRAPS) | sum(_LIMITS) | _OF_WRAPS)


def _enum_tables() -> dict[str, Array]:
    """Field -> GLenum -> its bits in a key: what a sampler's key gains with it over one without any."""
    tables = {}
    plain = Sampler(wrap="repeat", min_filter="nearest-mipmap-nearest", mag_filter="nearest", compare_func="never")
    for field, family in FAMILIES.items():
        table = tables[field] = np.full(1 << 16, _REFUSED, np.uint32)
        for value in family:
            changed: dict[str, Any] = {field: value}
            table[value] = _ordered(sampler_key(plain.copy(**changed)))
    return tables


_ENUMS: Final = _enum_tables()

#: The border colour of a row of type `SAMPLER` as two words of 64 bits.
_BORDER: Final = seen_from(SAMPLER, "border_color", ("<u8", 2))


def parts_of(rows: Array) -> tuple[Array, Array]:
    """Return the five parts of each row of type `SAMPLER`, shape (5, rows), and whether it skips sRGB decoding.

    Raises `ArgumentError` for a value that GL refuses.
    """
    keys = rows["cube_map_seamless"].astype(np.uint32) * np.uint32(_SEAMLESS)
    for field, table in _ENUMS.items():
        keys |= table.take(rows[field])
    anisotropy = rows["max_anisotropy"].copy()
    if len(rows) and (keys.max() >= _REFUSED or np.fmin.reduce(anisotropy) < 1.0):
        raise _refusal(rows)
    words = rows.view(_BORDER)["border_color"]
    keys |= ((words[:, 0] | words[:, 1]) != 0) * np.uint32(_NONZERO)
    levels = np.fmin(anisotropy, np.float32(31.0)).astype(np.uint32)  # NaN is the most; exactly 1 is off, 1.5 is 1
    keys |= levels * (anisotropy != 1.0) << np.uint32(_ANISOTROPY)
    parts = np.empty((5, len(rows)), np.uint16)
    deciding = keys >> np.uint32(_DECIDING) & np.uint32((1 << _DECIDES) - 1)
    for axis in range(3):
        parts[axis] = keys >> np.uint32(_WRAP - _DECIDES + 3 * axis) & np.uint32(7 << _DECIDES) | deciding
    parts[3] = keys & np.uint32(_LIMIT - _REST - 1)
    parts[4] = keys >> np.uint32(_ANISOTROPY) & np.uint32(_ENTRIES - _LIMIT - 1)
    return parts, (keys & np.uint32(_SKIPS)) != 0


def _refusal(rows: Array) -> ArgumentError:
    for field, table in _ENUMS.items():
        wrong = np.flatnonzero(table.take(rows[field]) & np.uint32(_REFUSED))
        if len(wrong):
            value = int(rows[field][wrong[0]])
            accepted = f"a value of {FAMILIES[field].__name__}"
            return ArgumentError(field, value, accepted=accepted, hint=f"It is in row {wrong[0]}.")
    wrong = np.flatnonzero(rows["max_anisotropy"] < 1.0)
    least = float(rows["max_anisotropy"][wrong[0]])
    return ArgumentError("max_anisotropy", least, accepted="1.0 or more", hint=f"It is in row {wrong[0]}.")


class Words:
    """Word 0 for some plans."""

    def __init__(self, plans: list[RuleProgram]) -> None:
        for plan in plans:
            if plan.parts is None:
                plan.parts = np.full(_ENTRIES, _UNKNOWN, np.uint32)
        self._plans = plans
        self._table: Array = np.concatenate([plan.parts for plan in plans]) if plans else np.empty(0, np.uint32)

    def of(self, parts: Array, which: Array | None, seamless: Array) -> Array:
        """Word 0 of each row, and `BORDER_READ`.

        ``which`` has the number of each row's plan; None: the first. ``seamless`` is the context's switch, one for all
        or one for each row.
        """
        if seamless.any():
            parts = parts | seamless * _SWITCH
        words = self._gathered(parts, which)
        if (words & np.uint32(_UNKNOWN)).any():
            base = 0 if which is None else which * _ENTRIES
            for begin, part in zip(_BEGINS, parts, strict=True):
                places = np.unique(base + begin + part.astype(np.intp))
                for place in places[(self._table[places] & np.uint32(_UNKNOWN)) != 0].tolist():
                    self._settle(place)
            words = self._gathered(parts, which)
        return words

    def _gathered(self, parts: Array, which: Array | None) -> Array:
        words: Array = np.zeros(parts.shape[1], np.uint32)
        base = None if which is None else which * _ENTRIES
        for begin, part in zip(_BEGINS, parts, strict=True):
            table = self._table[begin:]
            words |= table.take(part) if base is None else table.take(base + part)
        return words

    def _settle(self, place: int) -> None:
        """Run the rules for one entry."""
        number, entry = divmod(place, _ENTRIES)
        plan = self._plans[number]
        if entry < _REST:
            axis, part = divmod(entry, _AXIS)
            wrap = part >> _DECIDES
            key = (part & (1 << _DECIDES) - 1) << _DECIDING | wrap << _WRAP + 3 * axis | _CLAMPISH * WRAPS[wrap].clamps
            kept = _WRAPS[axis] | _OF_WRAPS
        elif entry < _LIMIT:
            key, kept = entry - _REST, _OF_REST
        else:
            key, kept = entry - _LIMIT << _ANISOTROPY, sum(_LIMITS)
        word = _as_sampler_key(key)
        for function in plan.functions:
            word = function(word)
        word &= kept
        read = word & inputs.BORDER_USED and not plan.untouched
        settled = word & inputs.WORD_MASK | (BORDER_READ if read else 0)
        self._table[place] = plan.parts[entry] = settled
