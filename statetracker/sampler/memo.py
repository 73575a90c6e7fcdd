"""The quick way through the conversion: the same bytes as `statetracker.sampler.conversion.applied` gives, remembered.

For each kind of texture a `RuleProgram` is made: the rules that have something to do there. It remembers what these
gave for the two parts of a sampler's enums and switches, wraps and all others; a sampler's floats and border colour are
kept, converted, with the sampler (`PackedSampler`). So a repeated conversion is two look-ups and a pack.
"""

from __future__ import annotations

from math import copysign
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

from statetracker.events import emit
from statetracker.gl.facts import UNIT
from statetracker.pipe.layout import MASKS
from statetracker.sampler.dialects import NARROW, WIDE
from statetracker.sampler.gl_side import (
    BORDER_NONZERO,
    BORDER_USED,
    CLAMPISH,
    COMPARES,
    CONTEXT_SEAMLESS,
    SKIPS_DECODE,
    WORD_MASK,
    RecordDraft,
    quantize_lod_bias,
    sampler_key,
)
from statetracker.sampler.rules import ALL_WRAPS, CONSTANTS, TAIL_RULES, WORD_RULES, steps
from statetracker.sampler.situation import ConversionKey

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts, UnitFacts
    from statetracker.gl.sampler import Sampler
    from statetracker.sampler.dialects import Dialect

# A word comes in two parts: what the rules set in one never follows from what only the other has. So each is worked out
# by itself, with the same rules, and a new combination of two known parts is known.
_BOTH_READ: Final = COMPARES | CLAMPISH | CONTEXT_SEAMLESS
_FILTERS: Final = MASKS["min_img_filter"] | MASKS["mag_img_filter"]
WRAPS_SET: Final = ALL_WRAPS | MASKS["border_color_is_integer"] | BORDER_USED
WRAPS_READ: Final = ALL_WRAPS | _FILTERS | MASKS["seamless_cube_map"] | BORDER_NONZERO | _BOTH_READ
OTHERS_SET: Final = WORD_MASK & ~WRAPS_SET
OTHERS_READ: Final = OTHERS_SET | _BOTH_READ

_LONG: Final = BORDER_USED << 1  # in a word's first part: rules after word 0 run one by one
_PACKED: Final = frozenset({"quantise", "unit-bias", "min-lod-floor"})  # done in `PackedSampler.rest`
_PICKED: Final = frozenset({"border-swizzle", "border-alpha-not-w", "border-translation", "border-format"})

_put = object.__setattr__
_REST: Final = Struct("<3f5I").pack
_WORD_REST: Final = Struct("<I32s").pack
_FLOAT: Final = Struct("<f").pack
_BORDER: Final = Struct("<4I").pack
_MOST: Final = 1 << 16  # what is remembered of one kind before it starts afresh


class PackedSampler:
    """A sampler in a driver's terms.

    Args:
        sampler: As GL has it.
        limits: The least and the largest LOD bias.

    Attributes:
        key: Word 0 with GL's wraps and filters, and the input bits above it.
        wraps: What of the key the rules look at for the wraps' part of a word: `WRAPS_READ`.
        others: ... and for the other part: `OTHERS_READ`.
        bias: The LOD bias, quantised.
        minus_zero: It is -0.0, to which 0.0 and -0.0 of a unit add up differently.
        rest: The last 32 bytes of a record whose border colour stays as it is, on a unit without a LOD bias.
        wide: The same with the LOD bias on the wider grid of newer releases; None where that is no other.
    """

    __slots__ = ("bias", "key", "minus_zero", "others", "rest", "wide", "wraps")

    def __init__(self, sampler: Sampler, limits: tuple[float, float] = NARROW) -> None:
        self.key = key = sampler_key(sampler)
        self.wraps = key & WRAPS_READ
        self.others = key & OTHERS_READ
        low, bias, border = sampler.min_lod, sampler.lod_bias, sampler.border_color
        if bias:  # both zeros are on the grid
            bias = quantize_lod_bias(bias, limits)
        self.minus_zero = not bias and copysign(1.0, bias) < 0.0
        self.bias = bias
        low = low if low > 0.0 else 0.0  # noqa: FURB136 (NaN and -0.0 give 0.0; max() costs twice as much)
        self.rest = _REST(bias + 0.0, low, sampler.max_lod, *border, 0)
        wider = limits == NARROW and abs(bias) == NARROW[1]
        self.wide: PackedSampler | None = PackedSampler(sampler, WIDE) if wider else None


class RuleProgram:
    """The rules that have something to do for one kind of texture.

    functions of the rules of word 0 that have something to do, in order

    Args:
        situation: The texture, screen and dialect.

    Attributes:
        tail: Name -> function of the rules after word 0 that have something to do, in order.
        wraps: What they look at for the wraps' part of a word -> that part, and BORDER_USED.
        others: What they look at for all other members -> those.
        pick: Picks the border colour's four words out of those that are set and `CONSTANTS`.
        formats: border_color_format as 4 bytes: for a sampler that decodes sRGB, and for one that skips it.
        untouched: Whether the border colour stays as it is, without a format; a word has no BORDER_USED then.
        long: Whether more is done after word 0 than `PackedSampler` and `pick` do.
        parts: What `statetracker.batch.words` remembers of this plan, or None.
    """

    __slots__ = ("formats", "functions", "long", "others", "parts", "pick", "situation", "tail", "untouched", "wraps")

    def __init__(self, situation: ConversionKey) -> None:
        self.situation = situation
        self.functions = tuple(function for _, function in steps(WORD_RULES, situation))
        self.tail = {rule.name: function for rule, function in steps(TAIL_RULES, situation)}
        self.wraps: dict[int, int] = {}
        self.others: dict[int, int] = {}
        self.pick = itemgetter(*situation.picked)
        self.formats = tuple(number.to_bytes(4, "little") for number in situation.formats)
        self.parts: Any = None
        self.untouched = self.tail.keys() <= _PACKED
        self.long = not self.tail.keys() <= _PACKED | _PICKED
        if not situation.linear:
            emit("sampler", "demotion", format=situation.view_format, screen=situation.screen.name)

    def word(self, key: int) -> int:
        """Return what the rules make of `sampler_key`: word 0, and BORDER_USED if the border colour is rearranged."""
        return self.settle(key & WRAPS_READ, key & OTHERS_READ) & ~_LONG

    def settle(self, wraps: int, others: int) -> int:
        """Return the same of a key's two parts; what was not known before is remembered."""
        set_by_wraps = WRAPS_SET ^ BORDER_USED if self.untouched else WRAPS_SET
        part = self._part(self.wraps, wraps, set_by_wraps, _LONG * self.long)
        return part | self._part(self.others, others, OTHERS_SET)

    def _part(self, known: dict[int, int], key: int, kept: int, added: int = 0) -> int:
        part = known.get(key)
        if part is None:
            if len(known) >= _MOST:
                known.clear()
            part = key
            for function in self.functions:
                part = function(part)
            known[key] = part = part & kept | added
        return part


class Memo:
    """The plans of one screen and one dialect."""

    __slots__ = ("_plans", "_usual", "_wide", "dialect", "screen")

    def __init__(self, screen: Screen, dialect: Dialect) -> None:
        self.screen = screen
        self.dialect = dialect
        self._wide = dialect.bias_range == WIDE
        self._usual: dict[TextureFacts, RuleProgram] = {}
        self._plans: dict[tuple[bool, bool], dict[TextureFacts, RuleProgram]]
        self._plans = {(True, False): self._usual, (False, False): {}, (True, True): {}, (False, True): {}}

    def plan(self, facts: TextureFacts, unit: UnitFacts = UNIT) -> RuleProgram:
        """Return the plan for a kind of texture; of the unit, GLSL version and bindless count."""
        plans = self._plans[unit.glsl130, unit.bindless]
        plan = plans.get(facts)
        if plan is None:
            if len(plans) >= _MOST:
                plans.clear()
            plan = plans[facts] = RuleProgram(ConversionKey(self.screen, self.dialect, facts, unit))
        return plan

    def record(self, sampler: Sampler, facts: TextureFacts, unit: UnitFacts = UNIT) -> bytes:
        """Convert; see `Converter.record`."""
        e: PackedSampler | None = sampler.derived  # type: ignore[assignment]  # only `PackedSampler` is ever kept there
        if e is None:
            e = PackedSampler(sampler)
            _put(sampler, "derived", e)
        if self._wide:
            e = e.wide or e
        wraps, others, rest = e.wraps, e.others, e.rest
        if unit is UNIT:
            plan = self._usual.get(facts) or self.plan(facts)
        else:
            plan = self._plans[unit.glsl130, unit.bindless].get(facts) or self.plan(facts, unit)
            if unit.seamless:
                wraps |= CONTEXT_SEAMLESS
                others |= CONTEXT_SEAMLESS
            bias = unit.lod_bias
            if bias or e.minus_zero:
                rest = _FLOAT(e.bias + (quantize_lod_bias(bias, self.dialect.bias_range) if bias else bias)) + rest[4:]
        try:
            word = plan.wraps[wraps] | plan.others[others]
        except KeyError:
            word = plan.settle(wraps, others)
        if word < BORDER_USED:
            return _WORD_REST(word, rest)
        if plan.long:
            floats = sampler.lod_bias, sampler.min_lod, sampler.max_lod
            draft = RecordDraft(word | e.key & SKIPS_DECODE, *floats, sampler.border_color, 0, unit.lod_bias)
            for function in plan.tail.values():
                draft = function(draft)
            return draft.record
        border = _BORDER(*plan.pick(sampler.border_color + CONSTANTS)) + plan.formats[e.key & SKIPS_DECODE != 0]
        return _WORD_REST(word ^ BORDER_USED, rest[:12] + border)
