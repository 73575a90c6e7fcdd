"""What a sampler's GL state is in a driver's terms, before any texture, screen or dialect has a say.

`Embedded` is derived once for each change of a sampler and kept with it: word 0 with GL's own wraps and filters, the
floats ready to pack, and a few input bits above the word for the rules to look at. Source: docs/rules/embedded.md.
"""

from __future__ import annotations

from math import copysign, floor
from struct import Struct
from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as gl
from statetracker.gl.floats import f32
from statetracker.pipe.layout import MASKS, SHIFTS
from statetracker.pipe.wraps import WRAPS
from statetracker.sampler.tables import MIN_FILTER, REDUCTION, WRAP

if TYPE_CHECKING:
    from statetracker.gl.sampler import Sampler

__all__ = [
    "BORDER_NONZERO",
    "BORDER_USED",
    "CLAMPISH",
    "COMPARES",
    "CONTEXT_SEAMLESS",
    "OTHERS_READ",
    "OTHERS_SET",
    "SKIPS_DECODE",
    "WORD_MASK",
    "WRAPS_READ",
    "WRAPS_SET",
    "Embedded",
    "embedded",
    "quantize_lod_bias",
]

#: The bits of word 0 that are members.
WORD_MASK: Final = (1 << 27) - 1

# Input bits, above the word: what the rules ask of the sampler and its unit.
COMPARES: Final = 1 << 27  # COMPARE_MODE is on
BORDER_NONZERO: Final = 1 << 28  # some bit of the border colour is set
SKIPS_DECODE: Final = 1 << 29  # sRGB decoding is off
CLAMPISH: Final = 1 << 30  # some axis has GL_CLAMP or its mirror
CONTEXT_SEAMLESS: Final = 1 << 31  # the unit's switch for seamless cubes
BORDER_USED: Final = 1 << 32  # set by the border rule: some wrap reads the border colour

# A word comes in two parts: what the rules set in one never follows from what only the other has. So each is worked out
# by itself, with the same rules, and a new combination of two known parts is known.
_WRAPS: Final = MASKS["wrap_s"] | MASKS["wrap_t"] | MASKS["wrap_r"]
_BOTH_READ: Final = COMPARES | CLAMPISH | CONTEXT_SEAMLESS
_FILTERS: Final = MASKS["min_img_filter"] | MASKS["mag_img_filter"]
WRAPS_SET: Final = _WRAPS | MASKS["border_color_is_integer"] | BORDER_USED
WRAPS_READ: Final = _WRAPS | _FILTERS | MASKS["seamless_cube_map"] | BORDER_NONZERO | _BOTH_READ
OTHERS_SET: Final = WORD_MASK & ~WRAPS_SET
OTHERS_READ: Final = OTHERS_SET | _BOTH_READ

_MOST_ANISOTROPY: Final = 31  # what five bits hold
_REST: Final = Struct("<3f5I").pack
_ONE_F: Final = 0x3F800000


def quantize_lod_bias(bias: float) -> float:
    """Round a LOD bias to the grid that hardware can tell apart.

    bias    levels, a float32 value; -16 and below and NaN give -16.0, above 16 gives 16.0
    return  multiple of 1/256 in [-16, 16], halves away from zero; tiny negatives give -0.0

    Source: docs/rules/embedded.md (recorded live).
    """
    if not bias > -16.0:
        return -16.0
    if bias > 16.0:
        return 16.0
    scaled = bias * 256.0
    return copysign(floor(abs(scaled) + 0.5), scaled) / 256.0


class Embedded:
    """A sampler in a driver's terms.

    key        word 0 with GL's wraps and filters, and the input bits above it
    wraps      what of the key the rules look at for the wraps' part of a word: `WRAPS_READ`
    others     ... and for the other part: `OTHERS_READ`
    bias       the LOD bias, quantised
    minus_zero it is -0.0, to which 0.0 and -0.0 of a unit add up differently
    raw_bias   the LOD bias as set
    rest       the last 32 bytes of a record whose border colour is told as it is, on a unit without a LOD bias
    words      the border colour's four words, then 0, 1.0 and 1 for selectors to pick from
    """

    __slots__ = ("bias", "key", "minus_zero", "others", "raw_bias", "rest", "words", "wraps")

    def __init__(self, sampler: Sampler) -> None:
        """Derive everything."""
        x, y, z, w = sampler.border_color
        low, bias = sampler.min_lod, sampler.lod_bias
        self.key = key = _key(sampler) | BORDER_NONZERO if x | y | z | w else _key(sampler)
        self.wraps = key & WRAPS_READ
        self.others = key & OTHERS_READ
        self.raw_bias = bias
        if bias:  # both zeros are on the grid
            bias = quantize_lod_bias(bias)
        self.minus_zero = not bias and copysign(1.0, bias) < 0.0
        self.bias = bias
        low = low if low > 0.0 else 0.0  # noqa: FURB136 (NaN and -0.0 give 0.0; max() costs twice as much)
        self.rest = _REST(bias + 0.0, low, sampler.max_lod, x, y, z, w, 0)
        self.words = (x, y, z, w, 0, _ONE_F, 1)

    @property
    def tail(self) -> bytes:
        """The last 28 bytes of `rest`: LODs, border colour, its format."""
        return self.rest[4:]

    @property
    def lods(self) -> bytes:
        """min_lod and max_lod, 8 bytes."""
        return self.rest[4:12]


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


def _key(sampler: Sampler) -> int:
    key = _WRAP_S[sampler.wrap_s] | _WRAP_T[sampler.wrap_t] | _WRAP_R[sampler.wrap_r]
    key |= _MIN[sampler.min_filter] | _MAG[sampler.mag_filter]
    key |= _FUNC[sampler.compare_func] | _REDUCTION[sampler.reduction_mode] | _DECODE[sampler.srgb_decode]
    if sampler.max_anisotropy != 1.0:  # exactly 1 is off, 1.5 is 1
        key |= _anisotropy(sampler.max_anisotropy) << _ANISOTROPY
    if sampler.cube_map_seamless:
        key |= _SEAMLESS
    if sampler.compare_mode:
        key |= COMPARES
    return key


def embedded(sampler: Sampler) -> Embedded:
    """Derive a sampler's `Embedded`, or give the one kept since its last change."""
    found = sampler.derived
    if not isinstance(found, Embedded):
        found = sampler.derived = Embedded(sampler)
    return found


def sum_then_quantize(raw: float, unit: float) -> float:
    """The older bias rule: add what was set, then quantise once."""
    return quantize_lod_bias(f32(raw + unit))
