"""The conversion: a sampler, a texture's facts and a unit become 36 bytes.

A `Converter` belongs to one screen and one dialect. For each kind of texture it makes a `Plan`: the rules that have
something to do there, and what is done with the border colour. A plan remembers what the rules gave for the two parts
of a sampler's enums and switches, wraps and all others; the floats and the colour are packed anew each time.
"""

from __future__ import annotations

from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Final

from statetracker.events import emit
from statetracker.gl.enums import Target
from statetracker.gl.facts import TextureFacts
from statetracker.gl.floats import f32
from statetracker.pipe.state import SamplerState
from statetracker.sampler.dialects import Dialect, dialect
from statetracker.sampler.gl_side import (
    BORDER_USED,
    CONTEXT_SEAMLESS,
    OTHERS_READ,
    OTHERS_SET,
    SKIPS_DECODE,
    WORD_MASK,
    WRAPS_READ,
    WRAPS_SET,
    Embedded,
    quantize_lod_bias,
    sum_then_quantize,
)
from statetracker.sampler.rules import RULES
from statetracker.sampler.situation import BINDLESS, GLSL120, GLSL130, Situation

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.caps import Screen
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture
    from statetracker.sampler.rules import Rule

__all__ = ["Converter", "Plan", "convert", "converter"]

_WORD_REST: Final = Struct("<I32s").pack
_WORD_BIAS: Final = Struct("<If").pack
_FLOAT: Final = Struct("<f").pack
_LODS: Final = Struct("<ff")
_BORDER: Final = Struct("<4I").pack
_NO_BORDER: Final = bytes(20)
_MOST: Final = 1 << 16  # what a plan or a converter remembers before it starts afresh


class Plan:
    """What a converter does for one kind of texture.

    steps     (rule, function) of the rules that have something to do, in order
    wraps     what they look at for the wraps' part of a word -> that part, and BORDER_USED
    others    what they look at for all other members -> those
    pick      picks the border colour's four words out of `Embedded.words`
    formats   border_color_format as 4 bytes: as it is, and with sRGB decoding skipped
    untouched whether the border colour stays as it is, without a format; BORDER_USED is not told then
    """

    __slots__ = ("formats", "functions", "others", "pick", "situation", "steps", "untouched", "wraps")

    def __init__(self, situation: Situation) -> None:
        """Ask every rule."""
        self.situation = situation
        self.steps: list[tuple[Rule, Callable[[int], int]]] = []
        for rule in RULES:
            function = rule.build(situation)
            if function is not None:
                self.steps.append((rule, function))
        self.functions = tuple(function for _, function in self.steps)
        self.wraps: dict[int, int] = {}
        self.others: dict[int, int] = {}
        self.pick = itemgetter(*situation.picked)
        plain, skipped = (number.to_bytes(4, "little") for number in situation.formats)
        self.formats = (plain, skipped if situation.kind == BINDLESS else plain)
        as_it_is = situation.picked == (0, 1, 2, 3) and situation.formats == (0, 0)
        self.untouched = as_it_is and situation.dialect.keep_unused_border
        if not situation.linear:
            emit("sampler", "demotion", format=situation.view_format, screen=situation.screen.name)

    def word(self, key: int) -> int:
        """What the rules make of `Embedded.key`: word 0, and BORDER_USED where the border colour is rearranged."""
        return self.settle(key & WRAPS_READ, key & OTHERS_READ)

    def settle(self, wraps: int, others: int) -> int:
        """The same of a key's two parts; what was not known before is remembered."""
        set_by_wraps = WRAPS_SET ^ BORDER_USED if self.untouched else WRAPS_SET
        return self._part(self.wraps, wraps, set_by_wraps) | self._part(self.others, others, OTHERS_SET)

    def _part(self, known: dict[int, int], key: int, kept: int) -> int:
        found = known.get(key)
        if found is None:
            if len(known) >= _MOST:
                known.clear()
            found = key
            for function in self.functions:
                found = function(found)
            known[key] = found = found & kept
        return found


class Converter:
    """The conversion for one screen and one dialect. Make one with `converter`, which keeps them."""

    __slots__ = ("_plans", "dialect", "record", "screen")

    def __init__(self, screen: Screen, dialect: Dialect) -> None:
        """Choose the column of steps that this dialect needs."""
        self.screen = screen
        self.dialect = dialect
        self._plans: tuple[dict[TextureFacts, Plan], ...] = ({}, {}, {})
        plain = dialect.keep_unused_border and not dialect.swap_lods and dialect.bias_rule == "quantise_then_sum"
        #: The conversion itself: the short form where the dialect asks for nothing else.
        self.record: Callable[..., bytes] = self._record_plain if plain else self._record_general

    def plan(self, facts: TextureFacts, kind: int = GLSL130) -> Plan:
        """Give the plan for a kind of texture on a kind of unit (`GLSL120`, `GLSL130`, `BINDLESS`)."""
        plans = self._plans[kind]
        found = plans.get(facts)
        if found is None:
            if len(plans) >= _MOST:
                plans.clear()
            found = plans[facts] = Plan(Situation(self.screen, self.dialect, facts, kind))
        return found

    def _record_plain(
        self,
        sampler: Sampler,
        facts: TextureFacts,
        unit_lod_bias: float = 0.0,
        seamless: bool = False,  # noqa: FBT001, FBT002 (positional: keywords cost on the hot path)
        kind: int = GLSL130,
    ) -> bytes:
        e: Embedded | None = sampler.derived  # type: ignore[assignment]  # only `Embedded` is ever kept there
        if e is None:
            e = sampler.derived = Embedded(sampler)
        plan = self._plans[kind].get(facts)
        if plan is None:
            plan = self.plan(facts, kind)
        wraps, others = e.wraps, e.others
        if seamless:
            wraps |= CONTEXT_SEAMLESS
            others |= CONTEXT_SEAMLESS
        try:
            word = plan.wraps[wraps] | plan.others[others]
        except KeyError:
            word = plan.settle(wraps, others)
        if unit_lod_bias or e.minus_zero:
            bias = e.bias + (quantize_lod_bias(unit_lod_bias) if unit_lod_bias else unit_lod_bias)
            rest = _FLOAT(bias) + e.tail
        else:
            rest = e.rest
        if word < BORDER_USED:
            return _WORD_REST(word, rest)
        border = _BORDER(*plan.pick(e.words)) + plan.formats[e.key & SKIPS_DECODE != 0]
        return _WORD_REST(word ^ BORDER_USED, rest[:12] + border)

    def _record_general(
        self,
        sampler: Sampler,
        facts: TextureFacts,
        unit_lod_bias: float = 0.0,
        seamless: bool = False,  # noqa: FBT001, FBT002
        kind: int = GLSL130,
    ) -> bytes:
        e: Embedded | None = sampler.derived  # type: ignore[assignment]  # only `Embedded` is ever kept there
        if e is None:
            e = sampler.derived = Embedded(sampler)
        plan = self.plan(facts, kind)
        key = e.key | CONTEXT_SEAMLESS if seamless else e.key
        word = plan.word(key)
        bias = self.bias(e, unit_lod_bias)
        return _WORD_BIAS(word & WORD_MASK, bias) + self.lods(e) + self.border(e, plan, key, word)

    def bias(self, e: Embedded, unit_lod_bias: float) -> float:
        """The LOD bias that the record tells, in levels: the sampler's and the unit's, by the dialect's rule.

        unit_lod_bias   levels, a float32 value; NaN counts as -16
        return          multiple of 1/256; within +-16 where the sum is quantised, within +-32 where each part is
        """
        if self.dialect.bias_rule == "sum_then_quantise":
            return sum_then_quantize(e.raw_bias, unit_lod_bias)
        return e.bias + quantize_lod_bias(unit_lod_bias)

    def lods(self, e: Embedded) -> bytes:
        """min_lod and max_lod, 8 bytes, by the dialect's rule. NaN never swaps; a swap can make min_lod negative."""
        if self.dialect.swap_lods:
            low, high = _LODS.unpack(e.lods)
            if high < low:
                return _LODS.pack(high, low)
        return e.lods

    def border(self, e: Embedded, plan: Plan, key: int, word: int) -> bytes:
        """The border colour and its format, 20 bytes."""
        if word & BORDER_USED:
            return _BORDER(*plan.pick(e.words)) + plan.formats[key & SKIPS_DECODE != 0]
        return e.tail[8:] if self.dialect.keep_unused_border else _NO_BORDER


def converter(screen: Screen, name: str | Dialect = "mesa22") -> Converter:
    """Give the converter of a screen and a dialect; each is made once and kept with the screen.

    Raises `UnknownName` for what is no dialect.
    """
    try:
        found = screen.derived.get(name)
    except TypeError:  # a list, say
        found = None
    if not isinstance(found, Converter):
        chosen = dialect(name)
        # A name and its dialect share one converter; the name is the key that costs less to look up.
        found = Converter(screen, chosen) if chosen is name else converter(screen, chosen)
        screen.derived[name] = found
    return found


def unit_kind(*, glsl130: bool, bindless: bool) -> int:
    """Which kind of unit this is, for `Converter.plan`."""
    if bindless:
        return BINDLESS
    return GLSL130 if glsl130 else GLSL120


def convert(
    sampler: Sampler,
    texture: Texture | TextureFacts,
    screen: Screen,
    *,
    dialect: str | Dialect = "mesa22",
    unit_lod_bias: float = 0.0,
    seamless: bool = False,
    glsl130: bool = True,
    bindless: bool = False,
) -> SamplerState:
    """Convert a sampler and the current texture into the record a driver is told.

    sampler         the sampler that applies
    texture         the current texture (complete, or the fallback), or its facts
    screen          what the hardware can do
    dialect         whose rules: a name of `DIALECTS`, or one of its values
    unit_lod_bias   levels, as set on the texture unit; rounded to float32, NaN counts as -16; ignored with ``bindless``
    seamless        the context's switch for seamless cubes; ignored with ``bindless``
    glsl130         the program is GLSL 1.30 or later
    bindless        a bindless handle, not a unit: sRGB decoding counts, and a buffer texture gives all zeros

    A pure function. Raises `UnknownName` for an unknown dialect.

    Source: docs/rules/conversion.md (Mesa 22.3.6, recorded live; the other dialects as docs/dialects.md says).
    """
    facts = texture if isinstance(texture, TextureFacts) else texture.facts()
    if bindless and facts.target == Target.TEXTURE_BUFFER:
        return SamplerState()
    if bindless:
        unit_lod_bias, seamless = 0.0, False
    elif unit_lod_bias != 0.0:  # both zeros are float32
        unit_lod_bias = f32(unit_lod_bias)
    kind = unit_kind(glsl130=glsl130, bindless=bindless)
    return SamplerState.from_bytes(converter(screen, dialect).record(sampler, facts, unit_lod_bias, seamless, kind))
