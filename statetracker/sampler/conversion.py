"""The conversion: a sampler, a texture's facts and a unit become 36 bytes, by every rule in turn.

`applied` is the whole of it. A `Converter` belongs to one screen and one dialect; its results are remembered in
`statetracker.sampler.memo`, and the bytes are the same without that. See docs/rules/conversion.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.gl.enums import Target
from statetracker.gl.facts import UNIT, TextureFacts, UnitFacts
from statetracker.pipe.state import SamplerState
from statetracker.sampler.dialects import Dialect, dialect
from statetracker.sampler.gl_side import RecordDraft
from statetracker.sampler.memo import Memo
from statetracker.sampler.rules import WORD_RULES, Rule, steps
from statetracker.sampler.situation import ConversionKey
from statetracker.sampler.tail_rules import TAIL_RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from statetracker.caps import Screen
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture

#: Every rule, in order. Nothing else decides a bit of the record.
RULES: Final[tuple[Rule[Any], ...]] = WORD_RULES + TAIL_RULES


def applied(s: ConversionKey, draft: RecordDraft) -> Iterator[tuple[Rule[Any], RecordDraft]]:
    """Run every rule that has something to do, and give it with the draft as it leaves it."""
    for word_rule, on_word in steps(WORD_RULES, s):
        draft = draft._replace(word=on_word(draft.word))
        yield word_rule, draft
    for rule, on_draft in steps(TAIL_RULES, s):
        draft = on_draft(draft)
        yield rule, draft


class Converter:
    """The conversion for one screen and one dialect. Make one with `converter`, which keeps them.

    Args:
        screen: What the hardware can do.
        dialect: Whose rules.
        fast: False: ``record`` remembers nothing and runs every rule each time.

    Attributes:
        record: (sampler, texture's facts, `UnitFacts`) -> 36 bytes; no unit: `UNIT`.
        memo: The remembered results.
    """

    __slots__ = ("dialect", "memo", "record", "screen")

    def __init__(self, screen: Screen, dialect: Dialect, *, fast: bool = True) -> None:
        self.screen = screen
        self.dialect = dialect
        self.memo = Memo(screen, dialect)
        self.record: Callable[..., bytes] = self.memo.record if fast else self._record

    def _record(self, sampler: Sampler, facts: TextureFacts, unit: UnitFacts = UNIT) -> bytes:
        situation = ConversionKey(self.screen, self.dialect, facts, unit)
        *_, (_, draft) = applied(situation, RecordDraft.of(sampler, unit))
        return draft.record


def converter(screen: Screen, name: str | Dialect = "mesa22") -> Converter:
    """Return the converter of a screen and a dialect, by name; each is made once and kept with the screen.

    Raises `UnknownName` for what is no dialect.
    """
    try:
        kept = screen.derived.get(name)
    except TypeError:  # a list, for example
        kept = None
    if not isinstance(kept, Converter):
        chosen = dialect(name)
        # A name and its dialect share one converter; the name is the key that costs less to look up.
        kept = Converter(screen, chosen) if chosen is name else converter(screen, chosen)
        screen.derived[name] = kept
    return kept


def has_state(facts: TextureFacts, unit: UnitFacts) -> bool:
    """Return whether there is a record to make; a bindless handle of a buffer texture has zeros."""
    return not (unit.bindless and facts.target == Target.TEXTURE_BUFFER)


def sampler_state(
    sampler: Sampler,
    texture: Texture | TextureFacts,
    screen: Screen,
    *,
    dialect: str | Dialect = "mesa22",
    unit: UnitFacts = UNIT,
) -> SamplerState:
    """Convert a sampler and the current texture into the record that a driver receives.

    A pure function.

    Source: docs/rules/conversion.md (Mesa 22.3.6, recorded live; the other dialects as docs/dialects.md says).

    Args:
        sampler: The sampler that applies.
        texture: The current texture (complete, or the fallback), or its facts.
        screen: What the hardware can do.
        dialect: A name of `DIALECTS`, or one of its values.
        unit: The unit's facts; `UnitFacts.of` makes them of any numbers.

    Raises:
        UnknownName: An unknown dialect.
    """
    facts = texture if isinstance(texture, TextureFacts) else texture.facts()
    if not has_state(facts, unit):
        return SamplerState()
    return SamplerState.from_bytes(converter(screen, dialect).record(sampler, facts, unit))
