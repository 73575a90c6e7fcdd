"""`StateMemo`: what a sampler, a texture and a unit come to, remembered by their tokens and by their contents.

A token is never used twice and replaced on every change, so a remembered state needs no second look at the objects:
equal tokens, equal state. Entries live in two generations; when the newer one is full it becomes the older one, and
what was not asked for again goes with the one before that. Behind them stand the states by content: a parameter that
is set back, a sampler object or a texture made anew for every frame, come to a state that was worked out before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.gl.enums import MinFilter, Target
from statetracker.gl.facts import TextureFacts
from statetracker.gl.floats import f32
from statetracker.gl.sampler import Sampler
from statetracker.gl.state import Unit
from statetracker.gl.texture import Texture
from statetracker.sampler.conversion import converter, unit_kind
from statetracker.sampler.shader_needs import Lowering, lowering

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.frontend.policy import Policy
    from statetracker.sampler import Dialect

__all__ = ["Bindable", "Key", "SlotState", "StateMemo"]

#: What a slot samples: (sampler or None, texture), and the unit or its LOD bias where that is not 0.
Bindable: TypeAlias = tuple[Sampler | None, Texture] | tuple[Sampler | None, Texture, Unit | float]

#: The sampler's content, the texture's facts, the flags, the unit's LOD bias.
Content: TypeAlias = tuple[bytes, TextureFacts, int, float]

#: The sampler's token, the texture's, the flags; the unit's LOD bias where there is one.
Key: TypeAlias = tuple[int, int, int] | tuple[int, int, int, float]

SEAMLESS: Final = 2
GLSL130: Final = 1

_ACCEPTED: Final = "(sampler or None, texture), or (sampler or None, texture, unit or its LOD bias)"
_NAN: Final = float("nan")  # one object, which is found again where it is part of a key
_NEAREST: Final = int(MinFilter.NEAREST)
_NEAREST_FILTERS: Final = {
    number: _NEAREST if number <= MinFilter.LINEAR else int(MinFilter.NEAREST_MIPMAP_NEAREST)
    for number in map(int, MinFilter)
}


class SlotState:
    """What one slot was made from.

    record     36 bytes, the policy applied; None where GL binds no sampler: a buffer texture
    lowering   what the shader must do for the slot
    """

    __slots__ = ("lowering", "record")

    def __init__(self, record: bytes | None, lowering: Lowering) -> None:
        self.record = record
        self.lowering = lowering


class StateMemo:
    """States of one screen, policy and dialect.

    made   how many conversions were made
    most   entries of a generation, and states by content; those start over when there are so many
    find   asks for a key among the newer entries; None: ask `make`
    """

    __slots__ = (
        "_buffers",
        "_contents",
        "_convert",
        "_newer",
        "_older",
        "dialect",
        "find",
        "made",
        "most",
        "policy",
        "screen",
    )

    def __init__(self, screen: Screen, policy: Policy, dialect: Dialect, most: int, made: int = 0) -> None:
        self.screen = screen
        self.policy = policy
        self.dialect = dialect
        self.most = most
        self.made = made
        self._convert = converter(screen, dialect).record
        self._buffers = screen.texture_buffer_sampler and not dialect.seamless_edge
        self._newer: dict[Key, SlotState] = {}
        self._older: dict[Key, SlotState] = {}
        self._contents: dict[Content, SlotState] = {}
        self.find = self._newer.get

    def __len__(self) -> int:
        """How many entries there are; those asked for in both generations count twice."""
        return len(self._newer) + len(self._older)

    def key(self, pair: Bindable, flags: int) -> Key:
        """The key of any pair or triple; raises `ArgumentError` for anything else."""
        sampler, texture, bias = _parts(pair)
        tokens = ((texture.sampler if sampler is None else sampler).token, texture.token, flags)
        return (*tokens, bias) if bias else tokens

    def make(self, key: Key, pair: Bindable) -> SlotState:
        """Give the state of a key that is not among the newer entries; ``pair`` is what the key was made of."""
        state = self._older.get(key)
        if state is None:
            state = self._by_content(key[2], pair)
        if len(self._newer) >= self.most:
            self._older = self._newer
            self._newer = {}
            self.find = self._newer.get
        self._newer[key] = state
        return state

    def _by_content(self, flags: int, pair: Bindable) -> SlotState:
        sampler, texture, bias = _parts(pair)
        facts, own = texture.content()
        sampler = own if sampler is None else sampler
        content = sampler.content(), facts, flags, bias
        state = self._contents.get(content)
        if state is None:
            state = self._made(sampler, facts, flags, bias)
            if len(self._contents) >= self.most:
                self._contents.clear()
            self._contents[content] = state
        return state

    def _made(self, sampler: Sampler, facts: TextureFacts, flags: int, bias: float) -> SlotState:
        needs = lowering(sampler, facts, self.screen)
        self.made += 1
        if facts.target == Target.TEXTURE_BUFFER and not self._buffers:
            return SlotState(None, needs)
        kind = unit_kind(glsl130=bool(flags & GLSL130), bindless=False)
        if self.policy.force_nearest:
            sampler = _nearest(sampler)
        record = self._convert(sampler, facts, bias, bool(flags & SEAMLESS), kind)
        return SlotState(self.policy.apply(record), needs)


def _nearest(sampler: Sampler) -> Sampler:
    """Copy a sampler with nearest filters: where GL_CLAMP is emulated, the wrap it becomes follows the filters."""
    return sampler.copy(min_filter=_NEAREST_FILTERS[sampler.min_filter], mag_filter=_NEAREST)


def _parts(pair: Bindable) -> tuple[Sampler | None, Texture, float]:
    """Sampler, texture and the unit's LOD bias as GL keeps it."""
    try:
        sampler, texture, *more = pair
    except (TypeError, ValueError):
        raise ArgumentError("slot", pair, accepted=_ACCEPTED) from None
    if len(more) > 1:
        raise ArgumentError("slot", pair, accepted=_ACCEPTED)
    if sampler is not None and not isinstance(sampler, Sampler):
        raise ArgumentError("sampler", sampler, accepted="a Sampler, or None for the texture's own")
    if not isinstance(texture, Texture):
        raise ArgumentError("texture", texture, accepted="a Texture")
    return sampler, texture, _bias(more[0]) if more else 0.0


def _bias(unit: object) -> float:
    bias = unit.lod_bias if isinstance(unit, Unit) else unit
    if isinstance(bias, bool) or not isinstance(bias, int | float):
        raise ArgumentError("unit", unit, accepted="a gl.Unit, or its LOD bias in levels")
    bias = f32(bias)
    return bias + 0.0 if bias == bias else _NAN  # noqa: PLR0124 (the test for NaN)
