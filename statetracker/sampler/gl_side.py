"""A sampler's GL state in a driver's terms, before any rule of texture, screen or dialect.

`RecordDraft` starts as word 0 with GL's own wraps and filters, the floats and the border colour as set, and a few input
bits above the word for the rules to look at. Source: docs/rules/embedded.md.
"""

from __future__ import annotations

from math import copysign, floor
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import enums as gl
from statetracker.pipe.layout import MASKS, RECORD, SHIFTS
from statetracker.pipe.wraps import WRAPS
from statetracker.sampler.tables import MIN_FILTER, REDUCTION, WRAP

if TYPE_CHECKING:
    from statetracker.gl.facts import UnitFacts
    from statetracker.gl.floats import Words
    from statetracker.gl.sampler import Sampler

#: The bits of word 0 that are members.
WORD_MASK: Final = (1 << 27) - 1

# Input bits, above the word: what the rules ask of the sampler and its unit.
COMPARES: Final = 1 << 27  # COMPARE_MODE is on
BORDER_NONZERO: Final = 1 << 28  # some bit of the border colour is set
SKIPS_DECODE: Final = 1 << 29  # sRGB decoding is off
CLAMPISH: Final = 1 << 30  # some axis has GL_CLAMP or its mirror
CONTEXT_SEAMLESS: Final = 1 << 31  # the unit's switch for seamless cubes
BORDER_USED: Final = 1 << 32  # set by the border rule: some wrap reads the border colour

_MOST_ANISOTROPY: Final = 31  # what five bits hold


def quantize_lod_bias(bias: float, limits: tuple[float, float] = (-16.0, 16.0)) -> float:
    """Round a LOD bias to the grid of hardware.

    Source: docs/rules/embedded.md (recorded live).

    Args:
        bias: Levels, a float32 value; NaN gives the least.
        limits: The least and the largest, in levels: a dialect's ``bias_range``.

    Returns:
        Multiple of 1/256 within the limits, halves away from zero; tiny negatives give -0.0.
    """
    least, most = limits
    if not bias > least:
        return least
    if bias > most:
        return most
    scaled = bias * 256.0
    return copysign(floor(abs(scaled) + 0.5), scaled) / 256.0


class RecordDraft(NamedTuple):
    """A record while the rules work on it: first GL's state as set, then as each rule leaves it.

    It has the record's members after word 0, too; the border colour's format is a number.

    Attributes:
        word: Word 0, with the input bits above it.
        unit_lod_bias: What the unit adds, in levels; no member of a record.
    """

    word: int
    lod_bias: float
    min_lod: float
    max_lod: float
    border_color: Words
    border_color_format: int
    unit_lod_bias: float

    @classmethod
    def of(cls, sampler: Sampler, unit: UnitFacts) -> RecordDraft:
        """Return the GL state of a sampler and its unit."""
        key = sampler_key(sampler)
        if unit.seamless:
            key |= CONTEXT_SEAMLESS
        floats = sampler.lod_bias, sampler.min_lod, sampler.max_lod
        return cls(key, *floats, sampler.border_color, 0, unit.lod_bias)

    @classmethod
    def unpacked(cls, record: bytes) -> RecordDraft:
        """Return a record of 36 bytes, without input bits and unit."""
        word, bias, low, high, r, g, b, a, fmt = RECORD.unpack(record)
        return cls(word, bias, low, high, (r, g, b, a), fmt, 0.0)

    @property
    def record(self) -> bytes:
        """The 36 bytes."""
        return RECORD.pack(self.word & WORD_MASK, *self[1:4], *self.border_color, self.border_color_format)


# One small table a field, from GL's number to bits of the key; enum classes are too slow to ask each time.
_WRAP_S, _WRAP_T, _WRAP_R = (
    {int(number): pipe << SHIFTS[axis] | (CLAMPISH if WRAPS[pipe].clamps else 0) for number, pipe in WRAP.items()}
    for axis in ("wrap_s", "wrap_t", "wrap_r")
)
_MIN: Final = {
    int(number): image << SHIFTS["min_img_filter"] | mip << SHIFTS["min_mip_filter"]
    for number, (image, mip) in MIN_FILTER.items()
}
_MAG: Final = {int(number): (number & 1) << SHIFTS["mag_img_filter"] for number in gl.MagFilter}
_FUNC: Final = {int(number): (number & 7) << SHIFTS["compare_func"] for number in gl.CompareFunc}
_REDUCTION: Final = {int(number): pipe << SHIFTS["reduction_mode"] for number, pipe in REDUCTION.items()}
_DECODE: Final = {int(gl.SrgbDecode.DECODE_EXT): 0, int(gl.SrgbDecode.SKIP_DECODE_EXT): SKIPS_DECODE}
_ANISOTROPY: Final = SHIFTS["max_anisotropy"]
_SEAMLESS: Final = MASKS["seamless_cube_map"]


def _anisotropy(value: float) -> int:
    return int(value) if value < _MOST_ANISOTROPY else _MOST_ANISOTROPY


def sampler_key(sampler: Sampler) -> int:
    """Word 0 with GL's own wraps and filters, and the input bits above it; the unit's bit is not set."""
    key = _WRAP_S[sampler.wrap_s] | _WRAP_T[sampler.wrap_t] | _WRAP_R[sampler.wrap_r]
    key |= _MIN[sampler.min_filter] | _MAG[sampler.mag_filter]
    key |= _FUNC[sampler.compare_func] | _REDUCTION[sampler.reduction_mode] | _DECODE[sampler.srgb_decode]
    if sampler.max_anisotropy != 1.0:  # exactly 1 is off, 1.5 is 1
        key |= _anisotropy(sampler.max_anisotropy) << _ANISOTROPY
    if sampler.cube_map_seamless:
        key |= _SEAMLESS
    if sampler.compare_mode:
        key |= COMPARES
    x, y, z, w = sampler.border_color
    return key | BORDER_NONZERO if x | y | z | w else key
