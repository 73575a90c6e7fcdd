"""The conversion: a sampler, a texture's facts and a unit become 36 bytes, by every rule in turn.

`applied` is the whole of it. A `Converter` belongs to one screen and one dialect; its results are remembered in
`statetracker.sampler.memo`, and the bytes are the same without that. `stage_records` converts a whole stage: which
slots get a record, which get NULL, and which extra slots multi-plane images need; `lowering` says what is left for the
shader. Source: docs/rules/conversion.md; docs/rules/slots.md; docs/rules/lowering.md.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.gl.enums import Target
from statetracker.gl.facts import UNIT, TextureFacts, UnitFacts
from statetracker.pipe.layout import RECORD_BYTES
from statetracker.pipe.lowering import AXES, Lowering
from statetracker.pipe.state import SamplerState
from statetracker.pipe.wraps import WRAPS
from statetracker.sampler.dialects import Dialect, dialect
from statetracker.sampler.gl_side import RecordDraft
from statetracker.sampler.memo import Memo
from statetracker.sampler.rules import TAIL_RULES, WORD_RULES, Rule, steps
from statetracker.sampler.situation import ConversionKey
from statetracker.sampler.tables import WRAP
from statetracker.spellings import looked_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from statetracker.caps import Screen
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture

#: Every rule, in order. Nothing else decides a bit of the record.
RULES: Final[tuple[Rule[Any], ...]] = WORD_RULES + TAIL_RULES

_RECTANGLE: Final = int(Target.TEXTURE_RECTANGLE)
_BUFFER: Final = int(Target.TEXTURE_BUFFER)
#: PIPE_MAX_SAMPLERS.
MOST_SAMPLERS: Final = 32

# fmt: off
#: Multi-plane view format -> (extra slots, resource formats that need none). Later releases add some.
_EXTRA: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = {
    "NV12": (1, ("R8_G8B8_420_UNORM",)),
    **dict.fromkeys(("P010", "P012", "P016", "Y210", "Y212", "Y216"), (1, ())),
    **dict.fromkeys(("YUYV", "UYVY"), (1, ("R8G8_R8B8_UNORM", "G8R8_B8R8_UNORM"))),
    "IYUV": (2, ()),
}
_EXTRA_24: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = dict.fromkeys(("NV21", "P030", "YVYU", "VYUY"), (1, ()))
_EXTRA_25: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = {"NV16": (1, ("R8_G8B8_422_UNORM",))}
#: Release from which on -> the whole list.
EXTRA_SLOTS: Final = {
    "22.3": _EXTRA,
    "24.1": {**_EXTRA, **_EXTRA_24},
    "25.0": {**_EXTRA, **_EXTRA_24, **_EXTRA_25},
}
# fmt: on


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
    return not (unit.bindless and facts.target == _BUFFER)


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


class SlotInput(NamedTuple):
    """The input of one used slot.

    Attributes:
        slot: The program's sampler index, 0 to 31.
        sampler: The sampler that applies.
        facts: The current texture's facts.
        unit: Its unit's facts.
        bindless: A bindless uniform bound to a unit: it converts as others do, but a buffer texture gives zeros.
    """

    slot: int
    sampler: Sampler
    facts: TextureFacts
    unit: UnitFacts = UNIT
    bindless: bool = False


def stage_records(chosen: Converter, used: Sequence[SlotInput]) -> list[bytes | None]:
    """Convert a stage's slots: one entry for each slot up to the last, None where the driver gets NULL.

    An empty list means that no sampler is used: nothing is emitted, and what was bound stays bound.

    Args:
        chosen: The converter; its screen and dialect decide whether buffer textures get a record.
        used: The slots in use, in any order.

    Returns:
        36 bytes or None for each slot; an extra slot of a multi-plane image repeats its primary's record.
    """
    if not used:
        return []
    records: list[bytes | None] = [None] * (max(item.slot for item in used) + 1)
    buffers = chosen.screen.texture_buffer_sampler and chosen.dialect.buffer_samplers
    for item in used:
        if item.facts.target != _BUFFER or (buffers and not item.bindless):
            records[item.slot] = chosen.record(item.sampler, item.facts, item.unit)
        elif item.bindless:
            records[item.slot] = bytes(RECORD_BYTES)
    for primary, extras in external_slots(used, release=chosen.dialect.extra_slots).items():
        for extra in extras:
            records += [None] * (extra + 1 - len(records))
            records[extra] = records[primary]
    return records


def external_slots(used: Sequence[SlotInput], *, release: str = "22.3") -> dict[int, list[int]]:
    """Return the extra slots of multi-plane external images: primary slot -> slots that repeat its record.

    Extra slots are the lowest numbers that no sampler uses, handed out in ascending order of the primary slot. Where
    all 32 are taken, none is left to hand out.

    Args:
        used: The slots in use, in any order.
        release: Whose list of formats counts: 22.3, 24.1, 25.0.

    Raises:
        UnknownName: Another release.
    """
    table = looked_up("release", release, EXTRA_SLOTS)
    taken = {item.slot for item in used}
    free = (slot for slot in range(MOST_SAMPLERS) if slot not in taken)
    extras: dict[int, list[int]] = {}
    for item in sorted(used, key=lambda item: item.slot):
        facts = item.facts
        if facts.target != Target.TEXTURE_EXTERNAL_OES or facts.surface_format == facts.storage_format:
            continue
        count, native = table.get(str(facts.surface_format), (0, ()))
        if count and facts.storage_format not in native:
            extras[item.slot] = list(islice(free, count))
    return extras


def lowering(sampler: Sampler, facts: TextureFacts, screen: Screen) -> Lowering:
    """Say what the shader must do; the clamped axes follow GL's wrap modes, whatever they became in the record.

    Of the sampler its wraps count alone, of the texture its target: the rewrite ignores surplus axes. The screen says
    whether it emulates GL_CLAMP, and what it lowers; a buffer texture has no sampler unless it says so.
    """
    rectangle = facts.target == _RECTANGLE
    normalize = rectangle and screen.lower_rect_tex
    if not screen.emulate_gl_clamp or (facts.target == _BUFFER and not screen.texture_buffer_sampler):
        return _lowering(rectangle, normalize)
    return _lowering(rectangle, normalize, sampler.wrap_s, sampler.wrap_t, sampler.wrap_r)


@cache
def _lowering(rectangle: bool, normalize: bool, *wraps: int) -> Lowering:  # noqa: FBT001 (a cache's key)
    """Return the work for three GL wraps: the axes that are GL_CLAMP, and those that mirror it; or no such work."""
    clamp = mirror = 0
    for axis, wrap in enumerate(wraps):
        facts = WRAPS[WRAP[wrap]]
        clamp |= (facts.clamps and not facts.mirrors) << axis
        mirror |= (facts.clamps and facts.mirrors) << axis
    return Lowering(AXES[clamp], AXES[mirror], texel_coords=rectangle, normalize=normalize)
