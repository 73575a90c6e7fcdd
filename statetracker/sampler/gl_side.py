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
from statetracker.sampler.tables import MIN_FILTER, REDUCTION, WRAP

if TYPE_CHECKING:
    from statetracker.gl.sampler import Sampler

__all__ = [
    "BORDER_NONZERO",
    "BORDER_USED",
    "CLAMPISH",
    "COMPARES",
    "CONTEXT_SEAMLESS",
    "SKIPS_DECODE",
    "WORD_MASK",
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

_MOST_ANISOTROPY: Final = 31  # what five bits hold
_LODS: Final = Struct("<ff")
_WORDS: Final = Struct("<4I")
_AXES: Final = ("wrap_s", "wrap_t", "wrap_r")
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
    bias       the LOD bias, quantised
    raw_bias   the LOD bias as set
    lods       min_lod and max_lod, 8 bytes
    words      the border colour's four words, then 0, 1.0 and 1 for selectors to pick from
    tail       the last 24 bytes of a record whose border colour is told as it is, after the lods
    """

    __slots__ = ("bias", "key", "lods", "raw_bias", "tail", "words")

    def __init__(self, sampler: Sampler) -> None:
        """Derive everything."""
        x, y, z, w = border = sampler.border_color
        self.key = _key(sampler) | (BORDER_NONZERO if x | y | z | w else 0)
        self.raw_bias = sampler.lod_bias
        self.bias = quantize_lod_bias(sampler.lod_bias)
        self.lods = _LODS.pack(max(0.0, sampler.min_lod), sampler.max_lod)  # in this order NaN and -0.0 give 0.0
        self.words = (x, y, z, w, 0, _ONE_F, 1)
        self.tail = self.lods + _WORDS.pack(*border) + b"\0\0\0\0"


def _anisotropy(value: float) -> int:
    if value == 1.0:
        return 0
    return int(value) if value < _MOST_ANISOTROPY else _MOST_ANISOTROPY


_WRAP_KEYS: Final = tuple(
    {
        number: pipe << SHIFTS[axis] | (CLAMPISH if pipe in (1, 5) else 0)  # CLAMP, MIRROR_CLAMP
        for number, pipe in WRAP.items()
    }
    for axis in _AXES
)
_MIN_KEYS: Final = {
    number: image << SHIFTS["min_img_filter"] | mip << SHIFTS["min_mip_filter"]
    for number, (image, mip) in MIN_FILTER.items()
}


def _key(sampler: Sampler) -> int:
    s, t, r = _WRAP_KEYS
    key = s[sampler.wrap_s] | t[sampler.wrap_t] | r[sampler.wrap_r] | _MIN_KEYS[sampler.min_filter]
    key |= (sampler.mag_filter & 1) << SHIFTS["mag_img_filter"]
    key |= (sampler.compare_func - gl.CompareFunc.NEVER) << SHIFTS["compare_func"]
    key |= _anisotropy(sampler.max_anisotropy) << SHIFTS["max_anisotropy"]
    key |= REDUCTION[sampler.reduction_mode] << SHIFTS["reduction_mode"]
    if sampler.cube_map_seamless:
        key |= MASKS["seamless_cube_map"]
    if sampler.compare_mode:
        key |= COMPARES
    if sampler.srgb_decode == gl.SrgbDecode.SKIP_DECODE_EXT:
        key |= SKIPS_DECODE
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
