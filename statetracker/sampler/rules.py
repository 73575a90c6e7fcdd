"""Rules of the conversion, in order: those of word 0, then those of the eight words after it.

A rule looks at a `ConversionKey`, which stays the same for many samplers, and answers with a function, or None where it
has nothing to do. Functions of word 0 see it as the rules before left it, with the sampler's input bits above; those
after it, floats, then the border colour and its format, see the whole draft: word 0 is settled by then, and
`BORDER_USED` above it says whether a wrap reads the border colour. `statetracker.sampler.RULES` is all of them. Source:
docs/rules/conversion.md (sections named at each rule).
"""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeAlias, TypeVar

from statetracker.gl.enums import Target
from statetracker.gl.floats import f32
from statetracker.pipe.layout import MASKS, SHIFTS
from statetracker.pipe.wraps import READS_BORDER, WRAPS
from statetracker.sampler import gl_side as inputs
from statetracker.sampler.gl_side import BORDER_USED, SKIPS_DECODE, RecordDraft, quantize_lod_bias

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.sampler.situation import ConversionKey

#: What a rule works on: word 0 with the input bits above it, or a whole draft.
Work = TypeVar("Work", int, RecordDraft)
WordStep: TypeAlias = "Callable[[int], int]"
#: A draft as the rules before left it -> the same, changed.
TailStep: TypeAlias = "Callable[[RecordDraft], RecordDraft]"

ALL_WRAPS: Final = MASKS["wrap_s"] | MASKS["wrap_t"] | MASKS["wrap_r"]
MIN: Final = MASKS["min_img_filter"]
MAG: Final = MASKS["mag_img_filter"]
MIP: Final = MASKS["min_mip_filter"]
MIP_LINEAR: Final = 1 << SHIFTS["min_mip_filter"]
COMPARE: Final = MASKS["compare_mode"]
FUNC: Final = MASKS["compare_func"]
ANISOTROPY: Final = MASKS["max_anisotropy"]
SEAMLESS: Final = MASKS["seamless_cube_map"]
BORDER_INTEGER: Final = MASKS["border_color_is_integer"]
EDGE_WRAPS: Final = 0o222  # CLAMP_TO_EDGE on all axes
ALWAYS: Final = 7 << SHIFTS["compare_func"]

_CUBES: Final = (Target.TEXTURE_CUBE_MAP, Target.TEXTURE_CUBE_MAP_ARRAY)
#: What selectors pick beside the border colour's four words: 0, 1.0 and the integer 1.
CONSTANTS: Final = (0, 0x3F800000, 1)


class Rule(NamedTuple, Generic[Work]):
    """One rule.

    Attributes:
        name: Short, stable.
        section: Of docs/rules/conversion.md.
        sets: The members it may change.
        build: Situation -> the function, or None.
        because: Situation, draft as the rule left it -> the input that made it fire, in words.
    """

    name: str
    section: str
    sets: tuple[str, ...]
    build: Callable[[ConversionKey], Callable[[Work], Work] | None]
    because: Callable[[ConversionKey, RecordDraft], str]


def steps(rules: tuple[Rule[Work], ...], s: ConversionKey) -> list[tuple[Rule[Work], Callable[[Work], Work]]]:
    """Return the rules that have something to do, with their functions."""
    return [(rule, step) for rule in rules if (step := rule.build(s)) is not None]


def lower_wraps(wraps: int, column: int) -> int:
    """Lower the three wraps in the low nine bits: column 0 for linear filtering (border), 1 without (edge)."""
    lowered = 0
    for shift in (0, 3, 6):
        wrap = wraps >> shift & 7
        facts = WRAPS[wrap]
        lowered |= ((facts.border, facts.edge)[column] if facts.clamps else wrap) << shift
    return lowered


@cache
def _lowered_wraps() -> tuple[list[int], list[int]]:
    """`lower_wraps` of all 512 combinations, for both columns."""
    border, edge = ([lower_wraps(wraps, column) for wraps in range(ALL_WRAPS + 1)] for column in (0, 1))
    return border, edge


def _limit_anisotropy(s: ConversionKey) -> WordStep | None:
    most = int(min(31.0, max(2.0, s.screen.max_anisotropy))) << SHIFTS["max_anisotropy"]
    if most == ANISOTROPY:
        return None
    return lambda word: word & ~ANISOTROPY | most if word & ANISOTROPY > most else word


def _lower_clamp(s: ConversionKey) -> WordStep | None:
    if not s.screen.emulate_gl_clamp or s.dialect.clamp_filter == "never":
        return None
    need = MIN if s.dialect.clamp_filter == "min_only" else MIN | MAG
    if s.demoted_unless_comparing:  # depth stays linear only while it is compared
        need |= inputs.COMPARES if s.can_compare else 0
        filtered = s.can_compare
    else:
        filtered = s.linear or s.depth_kept

    def step(word: int) -> int:
        if not word & inputs.CLAMPISH:
            return word
        lowered = to_border if filtered and word & need == need else to_edge
        return word & ~ALL_WRAPS | lowered[word & ALL_WRAPS]

    to_border, to_edge = _lowered_wraps()
    return step


def _context_seamless(_: ConversionKey) -> WordStep:
    return lambda word: word | SEAMLESS if word & inputs.CONTEXT_SEAMLESS else word


def _integer_nearest(s: ConversionKey) -> WordStep | None:
    if not s.facts.is_integer:
        return None
    if s.dialect.int_nearest == "always_with_mip":
        return lambda word: word & ~(MIN | MAG | MIP)
    if s.screen.force_integer_tex_nearest:
        return lambda word: word & ~(MIN | MAG)
    return None


def _float_nearest(s: ConversionKey) -> WordStep | None:
    forced = s.facts.is_float and not s.screen.float_linear and s.dialect.int_nearest == "always_with_mip"
    return (lambda word: word & ~(MIN | MAG | MIP)) if forced else None


def _unfilterable(s: ConversionKey) -> WordStep | None:
    if s.linear or s.demoted_unless_comparing:
        return None
    if not s.depth_kept:
        return lambda word: word & ~(MIN | MAG | MIP)
    spared = inputs.CLAMPISH if s.screen.emulate_gl_clamp else 0
    return lambda word: word if word & spared else word & ~(MIN | MAG)


def _rectangle(s: ConversionKey) -> WordStep | None:
    if s.facts.target != Target.TEXTURE_RECTANGLE or (s.dialect.rect_lowering and s.screen.lower_rect_tex):
        return None
    return lambda word: word | MASKS["unnormalized_coords"]


def _seamless_edge(s: ConversionKey) -> WordStep | None:
    if not s.dialect.seamless_edge or s.facts.target not in _CUBES:
        return None
    return lambda word: word & ~ALL_WRAPS | EDGE_WRAPS if word & SEAMLESS else word


def _border(s: ConversionKey) -> WordStep | None:
    used = inputs.BORDER_USED | (BORDER_INTEGER if s.border_is_integer else 0)
    nonzero = inputs.BORDER_NONZERO
    return lambda word: word | used if word & nonzero and word & READS_BORDER else word


def _compare(s: ConversionKey) -> WordStep | None:
    if not s.can_compare:
        return None
    return lambda word: word | COMPARE if word & inputs.COMPARES else word


def _drop_func(s: ConversionKey) -> WordStep | None:
    return None if s.dialect.keep_inactive_func else (lambda word: word if word & COMPARE else word & ~FUNC)


def _always_compare(s: ConversionKey) -> WordStep | None:
    if not s.depth_kept or s.linear:
        return None

    def step(word: int) -> int:
        linear = word & (MIN | MAG) or word & MIP == MIP_LINEAR
        return word | COMPARE | ALWAYS if linear and not word & COMPARE else word

    return step


def _demote_depth(s: ConversionKey) -> WordStep | None:
    if not s.demoted_unless_comparing:
        return None

    def step(word: int) -> int:
        if word & COMPARE:
            return word
        return word & ~(MIN | MAG | (MIP if word & MIP == MIP_LINEAR else 0))

    return step


_MISSING: Final = {
    "none": BORDER_INTEGER | MASKS["reduction_mode"],
    "flag": MASKS["reduction_mode"],
    "flag_reduction": 0,
    "all": 0,
}


def _members(s: ConversionKey) -> WordStep | None:
    missing = _MISSING[s.dialect.members]
    return (lambda word: word & ~missing) if missing else None


# fmt: off
WORD_RULES: Final[tuple[Rule[int], ...]] = (
    Rule("anisotropy-limit",  "anisotropy",  ("max_anisotropy",), _limit_anisotropy,
         lambda s, _: f"the driver's maximum is {max(2.0, s.screen.max_anisotropy):g}"),
    Rule("clamp-lowering",    "clamp",       ("wrap_s", "wrap_t", "wrap_r"), _lower_clamp,
         lambda *_: "the hardware has no GL_CLAMP; it becomes border with linear filters, edge otherwise"),
    Rule("context-seamless",  "seamless",    ("seamless_cube_map",), _context_seamless,
         lambda *_: "the context enables GL_TEXTURE_CUBE_MAP_SEAMLESS"),
    Rule("integer-nearest",   "integer",     ("min_img_filter", "mag_img_filter", "min_mip_filter"), _integer_nearest,
         lambda s, _: f"{s.facts.internal_format} holds integers, which cannot be filtered"),
    Rule("float-nearest",     "float",       ("min_img_filter", "mag_img_filter", "min_mip_filter"), _float_nearest,
         lambda *_: "an unsized float texture, on a driver without PIPE_CAP_TEXTURE_FLOAT_LINEAR"),
    Rule("unfilterable",      "hook",        ("min_img_filter", "mag_img_filter", "min_mip_filter"), _unfilterable,
         lambda s, _: f"the screen cannot filter {s.view_format} linearly"),
    Rule("rectangle",         "rectangle",   ("unnormalized_coords",), _rectangle,
         lambda *_: "a rectangle texture is addressed in texels"),
    Rule("seamless-edge",     "seamless",    ("wrap_s", "wrap_t", "wrap_r"), _seamless_edge,
         lambda *_: "a seamless cube has no edges to wrap at"),
    Rule("border-used",       "border",      ("border_color_is_integer",), _border,
         lambda s, _: "a wrap mode reads the border colour, which is "
                      f"{'an integer' if s.border_is_integer else 'a float'} for {s.facts.internal_format}"
                      f"{' sampling stencil' if s.facts.stencil_sampling else ''}"),
    Rule("compare",           "compare",     ("compare_mode",), _compare,
         lambda s, _: f"GL_TEXTURE_COMPARE_MODE is on and {s.facts.internal_format} is sampled as depth"),
    Rule("inactive-func",     "compare",     ("compare_func",), _drop_func,
         lambda *_: "nothing is compared, and this dialect then sets no function"),
    Rule("always-compare",    "depth",       ("compare_mode", "compare_func"), _always_compare,
         lambda s, _: f"{s.view_format} cannot be filtered linearly unless it is compared; ALWAYS samples a constant"),
    Rule("depth-demoted",     "depth",       ("min_img_filter", "mag_img_filter", "min_mip_filter"), _demote_depth,
         lambda s, _: f"{s.view_format} cannot be filtered linearly unless it is compared, and nothing is compared"),
    Rule("missing-members",   "members",     ("border_color_is_integer", "reduction_mode"), _members,
         lambda s, _: f"the record of dialect {s.dialect.name} has no such member"),
)
# fmt: on


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
