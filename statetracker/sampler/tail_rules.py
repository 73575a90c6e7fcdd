"""The rules of the eight words after word 0, in order: floats, then the border colour and its format.

Each looks at a `ConversionKey` and answers with a function from draft to draft, or None where it has nothing to do.
Word 0 is settled by then: `BORDER_USED` above it says whether a wrap reads the border colour.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.gl.floats import f32
from statetracker.sampler.gl_side import BORDER_USED, SKIPS_DECODE, RecordDraft, quantize_lod_bias
from statetracker.sampler.rules import Rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.sampler.situation import ConversionKey

#: A draft as the rules before left it -> the same, changed.
TailStep: TypeAlias = "Callable[[RecordDraft], RecordDraft]"

#: What selectors pick beside the border colour's four words: 0, 1.0 and the integer 1.
CONSTANTS: Final = (0, 0x3F800000, 1)


def _where(condition: Callable[[ConversionKey], bool], step: TailStep) -> Callable[[ConversionKey], TailStep | None]:
    return lambda s: step if condition(s) else None


def _quantise(s: ConversionKey) -> TailStep | None:
    limits = s.dialect.bias_range
    return _apart(s, lambda d: d._replace(lod_bias=quantize_lod_bias(d.lod_bias, limits)))


def _unit_bias(s: ConversionKey) -> TailStep | None:
    limits = s.dialect.bias_range
    return _apart(s, lambda d: d._replace(lod_bias=d.lod_bias + quantize_lod_bias(d.unit_lod_bias, limits)))


def _apart(s: ConversionKey, step: TailStep) -> TailStep | None:
    return step if s.dialect.bias_rule == "quantise_then_sum" else None


def _limits(s: ConversionKey) -> str:
    least, most = s.dialect.bias_range
    return f"from {least:g} to {most:g}"


def _rearranged(rule: str) -> Callable[[ConversionKey], TailStep | None]:
    """Return the components that the sampler sees, by the one of three rules that the situation names."""

    def build(s: ConversionKey) -> TailStep | None:
        if s.border_rule != rule or s.picked == (0, 1, 2, 3):
            return None
        pick = itemgetter(*s.picked)
        return lambda d: d._replace(border_color=pick(d.border_color + CONSTANTS)) if d.word & BORDER_USED else d

    return build


def _format(s: ConversionKey) -> TailStep | None:
    def step(d: RecordDraft) -> RecordDraft:
        format_of_view = s.formats[d.word & SKIPS_DECODE != 0]
        return d._replace(border_color_format=format_of_view) if d.word & BORDER_USED else d

    return step if s.formats != (0, 0) else None


# fmt: off
TAIL_RULES: Final[tuple[Rule[RecordDraft], ...]] = (
    Rule("quantise",           "bias",   ("lod_bias",), _quantise,
         lambda s, _: f"hardware has multiples of 1/256 {_limits(s)}"),
    Rule("unit-bias",          "bias",   ("lod_bias",), _unit_bias,
         lambda s, d: f"the texture unit adds {quantize_lod_bias(d.unit_lod_bias, s.dialect.bias_range):.10g}; "
                      "nothing clamps the sum"),
    Rule("sum-then-quantise",  "bias",   ("lod_bias",),
         _where(lambda s: s.dialect.bias_rule == "sum_then_quantise",
                lambda d: d._replace(lod_bias=quantize_lod_bias(f32(d.lod_bias + d.unit_lod_bias)))),
         lambda s, d: f"the unit's bias {d.unit_lod_bias:.10g} is added, "
                      f"then the sum is put on the 1/256 grid {_limits(s)}"),
    Rule("min-lod-floor",      "lods",   ("min_lod",),  # NaN, -0.0 and what is negative
         lambda _: lambda d: d if d.min_lod > 0.0 else d._replace(min_lod=0.0),
         lambda *_: "the least LOD of a record is 0"),
    Rule("swap-lods",          "lods",   ("min_lod", "max_lod"),  # never for NaN; min_lod may become negative
         _where(lambda s: s.dialect.swap_lods,
                lambda d: d._replace(min_lod=d.max_lod, max_lod=d.min_lod) if d.max_lod < d.min_lod else d),
         lambda *_: "max_lod was below min_lod, and this dialect swaps them"),
    Rule("drop-unused-border", "border", ("border_color",),
         _where(lambda s: not s.dialect.keep_unused_border,
                lambda d: d if d.word & BORDER_USED else d._replace(border_color=(0, 0, 0, 0))),
         lambda *_: "no wrap mode reads the border colour, and this dialect then sets zeros"),
    Rule("border-swizzle",     "border", ("border_color",), _rearranged("swizzle"),
         lambda s, _: f"base format {s.border_base}, then the texture's swizzle: the border is {s.border_picture}"),
    Rule("border-alpha-not-w", "border", ("border_color",), _rearranged("alpha-not-w"),
         lambda s, _: f"the driver keeps alpha elsewhere: {s.border_picture}"),
    Rule("border-translation", "border", ("border_color",), _rearranged("translation"),
         lambda s, _: f"base format {s.border_base} makes it {s.border_picture}"),
    Rule("border-format",      "border", ("border_color_format",), _format,
         lambda s, d: "the driver wants the format of the view"
                      + (", with sRGB decoding skipped" if s.bindless and d.word & SKIPS_DECODE else "")),
)
# fmt: on
