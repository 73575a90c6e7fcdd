"""Why a record is what it is: the conversion, watched.

`explain` runs the functions that conversion runs, looks at the word between them, and keeps a `Step` for each member
that changed: the rule, the input that made it fire, the value before and after. Members that no rule touched have the
one step that brought them from GL.
"""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import enums as gl
from statetracker.gl.enums import Target
from statetracker.gl.facts import TextureFacts
from statetracker.gl.floats import f32
from statetracker.gl.names import gl_name
from statetracker.pipe.layout import MASKS, SHIFTS, WORD0
from statetracker.pipe.state import FIELD_NAMES, SamplerState
from statetracker.sampler.conversion import Converter, converter, unit_kind
from statetracker.sampler.gl_side import BORDER_USED, CONTEXT_SEAMLESS, SKIPS_DECODE, embedded, quantize_lod_bias
from statetracker.sampler.situation import BINDLESS
from statetracker.sampler.tables import ONE, ZERO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.caps import Screen
    from statetracker.gl.sampler import Sampler, Words
    from statetracker.gl.texture import Texture
    from statetracker.sampler.conversion import Plan
    from statetracker.sampler.dialects import Dialect
    from statetracker.sampler.gl_side import Embedded

__all__ = ["Explanation", "Step", "explain"]

_LETTERS: Final = "xyzw01"

#: Member of word 0 -> (GL parameter, field of `Sampler`, family of its values).
_ORIGINS: Final = {
    "wrap_s": ("GL_TEXTURE_WRAP_S", "wrap_s", gl.Wrap),
    "wrap_t": ("GL_TEXTURE_WRAP_T", "wrap_t", gl.Wrap),
    "wrap_r": ("GL_TEXTURE_WRAP_R", "wrap_r", gl.Wrap),
    "min_img_filter": ("GL_TEXTURE_MIN_FILTER", "min_filter", gl.MinFilter),
    "min_mip_filter": ("GL_TEXTURE_MIN_FILTER", "min_filter", gl.MinFilter),
    "mag_img_filter": ("GL_TEXTURE_MAG_FILTER", "mag_filter", gl.MagFilter),
    "compare_func": ("GL_TEXTURE_COMPARE_FUNC", "compare_func", gl.CompareFunc),
    "max_anisotropy": ("GL_TEXTURE_MAX_ANISOTROPY", "max_anisotropy", None),
    "seamless_cube_map": ("GL_TEXTURE_CUBE_MAP_SEAMLESS", "cube_map_seamless", None),
    "reduction_mode": ("GL_TEXTURE_REDUCTION_MODE", "reduction_mode", gl.ReductionMode),
}


class Step(NamedTuple):
    """One change of one member.

    field     the member
    before    its value before; None where the step brought it from GL
    after     its value after
    rule      name of the rule, ``"from-gl"`` for the first step
    section   of docs/rules/conversion.md
    because   the input that made it fire
    """

    field: str
    before: object
    after: object
    rule: str
    section: str
    because: str

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return self._asdict()


class Explanation:
    """Every step of one conversion. ``state`` is the record, ``steps`` the steps in order; ``str()`` is a table."""

    def __init__(self, state: SamplerState, steps: list[Step], notes: tuple[str, ...] = ()) -> None:
        """Keep the record, its steps, and remarks on the inputs."""
        self.state = state
        self.steps = steps
        self.notes = notes

    def of(self, field: str) -> list[Step]:
        """The steps of one member, in order."""
        return [step for step in self.steps if step.field == field]

    def last(self, field: str) -> Step:
        """The step that gave a member its final value."""
        return self.of(field)[-1]

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON: the record as hex, its fields, and the steps."""
        return {
            "state": self.state.hex(),
            "fields": {name: value_of(self.state, name) for name in FIELD_NAMES},
            "steps": [step.to_dict() for step in self.steps],
            "notes": list(self.notes),
        }

    def rows(self) -> Iterator[tuple[str, str, str, str, str]]:
        """One row a member: field, value, rule, because, value before (empty where the rule is from-gl)."""
        for name in FIELD_NAMES:
            step = self.last(name)
            before = "" if step.before is None else text(step.before)
            yield name, text(step.after), step.rule, step.because, before

    def __str__(self) -> str:
        """One line a member, with notes below."""
        rows = [("field", "value", "rule", "because"), *self._lines()]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ["  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[3]]) for row in rows]
        return "\n".join([*(line.rstrip() for line in lines), *(f"note: {note}" for note in self.notes)])

    def _lines(self) -> Iterator[tuple[str, str, str, str]]:
        for name, value, rule, because, before in self.rows():
            yield name, value, rule, f"{because} (was {before})" if before else because


def value_of(state: SamplerState, field: str) -> object:
    """One member as plain data: enum names, numbers, four floats or four integers for the border colour."""
    value = getattr(state, field)
    if field == "border_color":
        return list(state.border_color_i if state.border_color_is_integer else state.border_color_f)
    return getattr(value, "name", value)


def text(value: object) -> str:
    """One value for people: floats short, lists in brackets."""
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, list):
        return f"({', '.join(text(part) for part in value)})"
    return str(value).lower() if isinstance(value, bool) else str(value)


def explain(
    sampler: Sampler,
    texture: Texture | TextureFacts,
    screen: Screen,
    *,
    dialect: str | Dialect = "mesa22",
    unit_lod_bias: float = 0.0,
    seamless: bool = False,
    glsl130: bool = True,
    bindless: bool = False,
    notes: tuple[str, ...] = (),
) -> Explanation:
    """Convert, and tell why each member is what it is. Arguments as for `convert`; notes are kept as they are."""
    facts = texture if isinstance(texture, TextureFacts) else texture.facts()
    if bindless and facts.target == Target.TEXTURE_BUFFER:
        return Explanation(SamplerState(), list(_zero_steps()), notes)
    bias, on = (0.0, False) if bindless else (f32(unit_lod_bias), seamless)
    chosen = converter(screen, dialect)
    kind = unit_kind(glsl130=glsl130, bindless=bindless)
    state = SamplerState.from_bytes(chosen.record(sampler, facts, bias, on, kind))
    return Explanation(state, list(_steps(chosen, sampler, chosen.plan(facts, kind), bias, on)), notes)


def _zero_steps() -> Iterator[Step]:
    zero = SamplerState()
    for name in FIELD_NAMES:
        because = "a bindless handle of a buffer texture has no sampler state"
        yield Step(name, None, value_of(zero, name), "buffer", "slots", because)


def _steps(chosen: Converter, sampler: Sampler, plan: Plan, unit_bias: float, seamless: bool) -> Iterator[Step]:  # noqa: FBT001
    e = embedded(sampler)
    key = e.key | CONTEXT_SEAMLESS if seamless else e.key
    word = key
    yield from _origins(sampler, word)
    for rule, function in plan.steps:
        before, word = word, function(word)
        for name in rule.sets:
            if (before ^ word) & MASKS[name]:
                because = rule.because(plan.situation)
                yield Step(name, _member(name, before), _member(name, word), rule.name, rule.section, because)
    yield from _bias_steps(chosen, e, unit_bias)
    yield from _lod_steps(chosen, sampler, e)
    yield from _border_steps(chosen, sampler, plan, key, word)


def _member(name: str, word: int) -> object:
    number = (word & MASKS[name]) >> SHIFTS[name]
    enum = next(field.enum for field in WORD0 if field.name == name)
    if enum is not None:
        return enum(number).name
    return number if name == "max_anisotropy" else bool(number)


def _origins(sampler: Sampler, word: int) -> Iterator[Step]:
    for field in WORD0:
        origin = _ORIGINS.get(field.name)
        if origin is None:
            because = "off unless a rule sets it"
        else:
            parameter, attribute, family = origin
            value = getattr(sampler, attribute)
            shown = gl_name(value, family) if family else text(value)
            because = f"{parameter} is {shown}"
        yield Step(field.name, None, _member(field.name, word), "from-gl", "embedded", because)


def _bias_steps(chosen: Converter, e: Embedded, unit_bias: float) -> Iterator[Step]:
    field, raw, final = "lod_bias", e.raw_bias, chosen.bias(e, unit_bias)
    yield Step(field, None, raw, "from-gl", "embedded", f"GL_TEXTURE_LOD_BIAS is {text(raw)}")
    if chosen.dialect.bias_rule == "sum_then_quantise":
        because = f"the unit's bias {text(unit_bias)} is added, then the sum is put on the 1/256 grid within +-16"
        if repr(raw) != repr(final):
            yield Step(field, raw, final, "sum-then-quantise", "bias", because)
        return
    if repr(e.bias) != repr(raw):
        yield Step(field, raw, e.bias, "quantise", "bias", "hardware tells multiples of 1/256 within +-16 apart")
    if repr(e.bias) != repr(final):
        unit = quantize_lod_bias(unit_bias)
        because = f"the texture unit adds {text(unit)}; nothing clamps the sum"
        yield Step(field, e.bias, final, "unit-bias", "bias", because)


def _lod_steps(chosen: Converter, sampler: Sampler, e: Embedded) -> Iterator[Step]:
    low, high = unpack("<ff", e.lods)
    raw = sampler.min_lod
    yield Step("min_lod", None, raw, "from-gl", "embedded", f"GL_TEXTURE_MIN_LOD is {text(raw)}")
    if repr(low) != repr(raw):
        yield Step("min_lod", raw, low, "min-lod-floor", "lods", "the least LOD a record tells is 0")
    yield Step("max_lod", None, high, "from-gl", "embedded", f"GL_TEXTURE_MAX_LOD is {text(high)}")
    swapped = chosen.lods(e)
    if swapped != e.lods:
        because = "max_lod was below min_lod, and this dialect swaps them"
        yield Step("min_lod", low, high, "swap-lods", "lods", because)
        yield Step("max_lod", high, low, "swap-lods", "lods", because)


def _border_steps(chosen: Converter, sampler: Sampler, plan: Plan, key: int, word: int) -> Iterator[Step]:
    raw = sampler.border_color
    integer = bool(word & MASKS["border_color_is_integer"])
    tail = chosen.border(embedded(sampler), plan, key, word)
    final: Words = unpack("<4I", tail[:16])
    used = bool(word & BORDER_USED)
    origin = "GL_TEXTURE_BORDER_COLOR, bit for bit" + ("" if used else "; no wrap mode reads it, or it is all zero")
    before, after = (_colour(words, integer=integer) for words in (raw, final))
    yield Step("border_color", None, before, "from-gl", "embedded", origin)
    if final != raw:
        yield Step("border_color", before, after, *_why(plan, used=used))
    yield Step("border_color_format", None, "NONE", "from-gl", "embedded", "told only where the driver asks for it")
    name = SamplerState.from_bytes(bytes(16) + tail).border_color_format
    if name != "NONE":
        skips = plan.situation.kind == BINDLESS and bool(key & SKIPS_DECODE)
        because = "the driver wants the format of the view" + (", with sRGB decoding skipped" if skips else "")
        yield Step("border_color_format", "NONE", name, "border-format", "border", because)


def _colour(words: Words, *, integer: bool) -> list[int] | list[float]:
    return list(unpack("<4i" if integer else "<4f", pack("<4I", *words)))


def _why(plan: Plan, *, used: bool) -> tuple[str, str, str]:
    if not used:
        return "drop-unused-border", "border", "no wrap mode reads the border colour, and this dialect then tells zeros"
    s = plan.situation
    picked = "".join(_LETTERS[c] if c not in (ZERO, ONE) else "01"[c - ZERO] for c in s.border_selectors)
    if s.screen.apply_texture_swizzle_to_border_color:
        because = f"base format {s.border_base}, then the texture's swizzle: the border is ({', '.join(picked)})"
        return "border-swizzle", "border", because
    if s.border_selectors in ((3, 1, 2, 3), (0, 3, 2, 3)):
        return "border-alpha-not-w", "border", f"the driver keeps alpha elsewhere: ({', '.join(picked)})"
    return "border-translation", "border", f"base format {s.border_base} makes it ({', '.join(picked)})"
