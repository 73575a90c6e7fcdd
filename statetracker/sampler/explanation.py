"""Explanations of records: the conversion, watched.

`explain` runs the rules as `statetracker.sampler.conversion.applied` gives them, and keeps a `MemberStep` for each
member that a rule changed: the rule, the input that made it fire, the value before and after. Members that no rule
touched have the one step that brought them from GL.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import UnknownName
from statetracker.gl import enums as gl
from statetracker.gl.facts import UNIT, TextureFacts, UnitFacts
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import PARAMETERS
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.layout import MASKS, SHIFTS, WORD0
from statetracker.pipe.state import FIELD_NAMES, SamplerState
from statetracker.sampler.conversion import applied, converter, has_state
from statetracker.sampler.gl_side import BORDER_USED, RecordDraft
from statetracker.spellings import aligned

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statetracker.caps import Screen
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture
    from statetracker.sampler.dialects import Dialect
    from statetracker.sampler.rules import Rule
    from statetracker.sampler.situation import ConversionKey

    Changes = list[tuple[Rule[Any], RecordDraft]]

#: Member -> field of `Sampler`, where they differ.
_ORIGINS: Final = {
    "min_img_filter": "min_filter",
    "min_mip_filter": "min_filter",
    "mag_img_filter": "mag_filter",
    "seamless_cube_map": "cube_map_seamless",
}
#: Field of `Sampler` that is a member of its own -> its parameter, family of its values.
_PARAMETERS: Final = {
    row.field: (f"GL_TEXTURE_{gl.TextureParameter(row.pname).name}", row.family)
    for row in PARAMETERS.values()
    if row.on_sampler and row.field not in ("compare_mode", "border_color")
}
#: Member of word 0 -> number -> its value for people.
_SHOWN: Final[Mapping[str, Mapping[int, object]]] = {
    field.name: {int(one): one.name for one in field.enum} if field.enum else {0: False, 1: True} for field in WORD0
} | {"max_anisotropy": {number: number for number in range(32)}}
_gl_name = lru_cache(gl_name)
_PLACES: Final = {name: place for place, name in enumerate(FIELD_NAMES)}


class MemberStep(NamedTuple):
    """One change of one member.

    Attributes:
        field: The member.
        before: Its value before; None where the step brought it from GL.
        after: Its value after.
        rule: Name of the rule, ``"from-gl"`` for the first step.
        section: Of docs/rules/conversion.md.
        because: The input that made it fire.
    """

    field: str
    before: object
    after: object
    rule: str
    section: str
    because: str

    @property
    def page(self) -> str:
        """The page that describes the rule: ``docs/rules/conversion.md#`` and its name."""
        return f"docs/rules/conversion.md#{self.rule}"


class Explanation:
    """Every step of one conversion. ``state`` is the record, ``steps`` the steps in order; ``str()`` is a table.

    Args:
        state: The record.
        steps: In the order of the rules.
        notes: Remarks on the inputs, a sentence each.
    """

    def __init__(self, state: SamplerState, steps: list[MemberStep], notes: tuple[str, ...] = ()) -> None:
        self.state = state
        self.steps = steps
        self.notes = notes

    def of(self, field: str) -> list[MemberStep]:
        """Return the steps of one member, in order; ``field`` is its name in the record."""
        return [step for step in self.steps if step.field == field]

    def last(self, field: str) -> MemberStep:
        """Return the step that gave a member, ``field``, its final value; raises `UnknownName` for no member."""
        steps = self.of(field)
        if not steps:
            raise UnknownName("member", field, accepted=", ".join(dict.fromkeys(step.field for step in self.steps)))
        return steps[-1]

    def changed_to(self, record: bytes, rule: str, section: str, because: str) -> Explanation:
        """Go on to another record: a step more for each member that differs, of one rule (see `MemberStep`)."""
        before, after = RecordDraft.unpacked(bytes(self.state)), RecordDraft.unpacked(record)
        steps = [
            MemberStep(name, _value(before, name, after.word), _value(after, name, after.word), rule, section, because)
            for name in FIELD_NAMES
            if _bits(before, name) != _bits(after, name)
        ]
        return Explanation(SamplerState.from_bytes(record), [*self.steps, *steps], self.notes)

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON: the record as hex, its fields, and the steps."""
        return {
            "state": self.state.hex(),
            "fields": {name: self.last(name).after for name in FIELD_NAMES},
            "steps": [step._asdict() for step in self.steps],
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
        rows = [("field", "value", "rule", "because")]
        for name, value, rule, because, before in self.rows():
            rows.append((name, value, rule, f"{because} (was {before})" if before else because))
        return "\n".join([*aligned(rows), *(f"note: {note}" for note in self.notes)])


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
    unit: UnitFacts = UNIT,
    notes: tuple[str, ...] = (),
) -> Explanation:
    """Convert, with the reason for each member. Arguments as for `sampler_state`; notes are kept as they are."""
    facts = texture if isinstance(texture, TextureFacts) else texture.facts()
    if not has_state(facts, unit):
        zero = RecordDraft(0, 0.0, 0.0, 0.0, (0, 0, 0, 0), 0, 0.0)
        why = "buffer", "slots", "a bindless handle of a buffer texture has no sampler state"
        steps = [MemberStep(name, None, _value(zero, name, 0), *why) for name in FIELD_NAMES]
        return Explanation(SamplerState(), steps, notes)
    situation = converter(screen, dialect).memo.plan(facts, unit).situation
    first = RecordDraft.of(sampler, unit)
    changes = list(applied(situation, first))
    steps = _steps(situation, sampler, first, changes)
    return Explanation(SamplerState.from_bytes(changes[-1][1].record), steps, notes)


def _steps(situation: ConversionKey, sampler: Sampler, before: RecordDraft, changes: Changes) -> list[MemberStep]:
    """Return the members' origins in the record's order, each rule's steps behind the last member that it changes."""
    final = changes[-1][1].word
    placed = list(enumerate(_origins(sampler, before, final)))
    for rule, draft in changes:
        for name in rule.sets if draft is not before else ():
            if _bits(before, name) != _bits(draft, name):
                values = _value(before, name, final), _value(draft, name, final)
                because = rule.because(situation, draft)
                place = max(len(WORD0) - 1, *(_PLACES[name] for name in rule.sets))
                placed.append((place, MemberStep(name, *values, rule.name, rule.section, because)))
        before = draft
    return [step for _, step in sorted(placed, key=itemgetter(0))]


def _bits(draft: RecordDraft, name: str) -> object:
    return draft.word & MASKS[name] if name in MASKS else repr(getattr(draft, name))


def _value(draft: RecordDraft, name: str, final: int) -> object:
    """One member as plain data; the border colour as four floats or integers, by the final word 0."""
    if name in MASKS:
        return _SHOWN[name][(draft.word & MASKS[name]) >> SHIFTS[name]]
    value = getattr(draft, name)
    if name == "border_color":
        integer = final & MASKS["border_color_is_integer"]
        return list(unpack("<4i" if integer else "<4f", pack("<4I", *value)))
    return pipe_format(value).name if name == "border_color_format" else value


def _origins(sampler: Sampler, first: RecordDraft, final: int) -> Iterator[MemberStep]:
    for name in FIELD_NAMES:
        attribute = _ORIGINS.get(name, name)
        if attribute in _PARAMETERS:
            parameter, family = _PARAMETERS[attribute]
            value = getattr(sampler, attribute)
            because = f"{parameter} is {_gl_name(value, family) if family else text(value)}"
        elif name == "border_color":
            unused = "" if final & BORDER_USED else "; no wrap mode reads it, or it is all zero"
            because = f"GL_TEXTURE_BORDER_COLOR, bit for bit{unused}"
        elif name == "border_color_format":
            because = "set only for a driver that requests it"
        else:
            because = "off unless a rule sets it"
        yield MemberStep(name, None, _value(first, name, final), "from-gl", "embedded", because)
