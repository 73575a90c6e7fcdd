"""`StateMemo`: the state of a sampler, a texture and a unit's LOD bias, remembered by their contents.

A parameter that is set back, a sampler object or a texture made anew for every frame, give a state that was worked
out before, in whichever objects it was met.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.cso.driver import ReentrancyGuard
from statetracker.errors import ArgumentError
from statetracker.frontend.bounded_memo import BoundedMemo
from statetracker.frontend.vulkan_view import WHOLE_ANISOTROPY, is_vulkan, whole_screen
from statetracker.gl.enums import MagFilter, MinFilter, SrgbDecode, Target
from statetracker.gl.facts import TextureFacts, UnitFacts
from statetracker.gl.floats import f32
from statetracker.gl.sampler import Sampler
from statetracker.gl.texture import Texture
from statetracker.gl.units import Unit
from statetracker.pipe import SamplerState
from statetracker.sampler.conversion import converter, lowering
from statetracker.sampler.situation import with_default_view

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.frontend.policy import Policy
    from statetracker.pipe import Lowering
    from statetracker.sampler import Dialect

#: What a slot samples: (sampler or None, texture), and the unit or its LOD bias where that is not 0.
Bindable: TypeAlias = tuple[Sampler | None, Texture] | tuple[Sampler | None, Texture, Unit | float]

#: The sampler's content, the texture's facts, the flags, the unit's LOD bias.
Content: TypeAlias = tuple[bytes, TextureFacts, int, float]

SEAMLESS: Final = 2
GLSL130: Final = 1

_ACCEPTED: Final = "(sampler or None, texture), or (sampler or None, texture, unit or its LOD bias)"
_BUFFER: Final = Target.TEXTURE_BUFFER
_SKIPS: Final = SrgbDecode.SKIP_DECODE_EXT
_NAN: Final = float("nan")  # one object, which equals itself where it is part of a key
NO_UNIT: Final = Unit()  # in place of one; it never changes
#: Flags -> the facts of a unit without a LOD bias.
_UNITS: Final = [UnitFacts.of(0.0, seamless=bool(n & SEAMLESS), glsl130=bool(n & GLSL130)) for n in range(4)]
#: Min and mag filter -> the one tuple of them, which all states share.
_FILTERS: Final = {pair: pair for pair in product(map(int, MinFilter), map(int, MagFilter))}


class SlotState:
    """The needs of a slot, of the driver and of the shader.

    Args:
        record: 36 bytes, the policy applied; None where GL binds no sampler: a buffer texture.
        lowering: What the shader must do for the slot. What the handle's sampler lacks comes on top.
        facts: Of the texture.
        screen: The one that it was made for.
        filters: GL's min and mag filter, which the record has not where the format cannot be filtered.
        glsl130: The program is GLSL 1.30 or later.
        skip_decode: The sampler's: sRGB is not decoded.
        asked: ``record`` before the policy's overrides of records.
        anisotropy: What the record would have from a driver that has anisotropy, on a device that has less.

    Attributes:
        bound: The `BoundSlot` of its last handle, which `frontend.slot_lowering` keeps here.
    """

    __slots__ = (
        *("anisotropy", "asked", "bound", "facts", "filters", "glsl130", "lowering", "record", "screen"),
        "skip_decode",
    )

    def __init__(
        self,
        record: bytes | None,
        lowering: Lowering,
        facts: TextureFacts,
        screen: Screen,
        filters: tuple[int, int],
        *,
        glsl130: bool,
        skip_decode: bool = False,
        asked: bytes | None = None,
        anisotropy: int = 0,
    ) -> None:
        self.record, self.asked, self.lowering, self.anisotropy = record, asked, lowering, anisotropy
        self.facts, self.screen, self.filters = facts, screen, filters
        self.glsl130, self.skip_decode = glsl130, skip_decode
        self.bound: Any = None


class StateMemo:
    """States of one screen, policy and dialect.

    Args:
        screen: What the hardware can do.
        policy: A user's overrides.
        dialect: Whose rules.
        most: How many conversions are kept, and as many older ones.
        guard: Busy while a user's hook runs.

    Attributes:
        made: How many conversions were made.
    """

    def __init__(
        self, screen: Screen, policy: Policy, dialect: Dialect, most: int, *, guard: ReentrancyGuard | None = None
    ) -> None:
        self.screen, self.policy, self.dialect = screen, policy, dialect
        self.most, self.made = most, 0
        self._guard = guard or ReentrancyGuard()
        self._convert = converter(screen, dialect).record
        whole = is_vulkan(screen) and screen.max_anisotropy < WHOLE_ANISOTROPY
        self._whole = converter(whole_screen(screen), dialect).record if whole else None
        self._buffers = screen.texture_buffer_sampler and dialect.buffer_samplers
        self._override = policy.changes_samplers
        self._contents: BoundedMemo[Content, SlotState] = BoundedMemo(most)
        self._samplers: BoundedMemo[tuple[bytes, TextureFacts], Sampler] = BoundedMemo(most)

    def state(self, sampler: Sampler, texture: Texture, flags: int, bias: float) -> SlotState:
        """Return the state of a sampler (the texture's own too) and a texture, at a unit's LOD bias."""
        facts = texture.known_facts
        if facts is None or texture.examined is None:
            facts = texture.content()[0]
        content = sampler.content(), facts, flags, bias
        state = self._contents.newer.get(content) or self._contents.promote(content)
        if state is None:
            state = self._made(sampler, facts, flags, bias)
            self._contents.put(content, state)
        return state

    def _made(self, sampler: Sampler, facts: TextureFacts, flags: int, bias: float) -> SlotState:
        if self._override:
            sampler = self._overridden(sampler, facts)
        self.made += 1
        unit = _UNITS[flags]._replace(lod_bias=bias) if bias else _UNITS[flags]
        record, asked, anisotropy = None, None, 0
        if self._buffers or facts.target != _BUFFER:
            seen = with_default_view(facts, self.dialect, glsl130=unit.glsl130)
            asked = self._convert(sampler, seen, unit)
            record = self.policy.apply(asked)
            if self._whole is not None and sampler.max_anisotropy > 1.0:
                whole = self.policy.apply(self._whole(sampler, seen, unit))
                anisotropy = SamplerState.from_bytes(whole).max_anisotropy
        return SlotState(
            record,
            lowering(sampler, facts, self.screen),
            facts,
            self.screen,
            _FILTERS[sampler.min_filter, sampler.mag_filter],
            glsl130=unit.glsl130,
            skip_decode=asked is not None and sampler.srgb_decode == _SKIPS,
            asked=asked,
            anisotropy=anisotropy,
        )

    def _overridden(self, sampler: Sampler, facts: TextureFacts) -> Sampler:
        """Return the policy's sampler; its function is called once per content of sampler and texture."""
        content = sampler.content(), facts
        made = self._samplers.get(content)
        if made is None:
            made = self._guard.call(self.policy.overridden, sampler, facts).aside()
            self._samplers.put(content, made)
        return made


def parts(pair: Any) -> tuple[Sampler, Texture, Unit, float]:  # noqa: ANN401 (looked at here)
    """Return the sampler (the texture's own too), the texture, the unit or `NO_UNIT`, the LOD bias as GL keeps it."""
    unit: object = NO_UNIT
    try:
        if len(pair) == 2:
            sampler, texture = pair
        else:
            sampler, texture, unit = pair
    except (TypeError, ValueError):
        raise ArgumentError("slot", pair, accepted=_ACCEPTED) from None
    if sampler is not None and not isinstance(sampler, Sampler):
        raise ArgumentError("sampler", sampler, accepted="a Sampler, or None for the texture's own")
    if not isinstance(texture, Texture):
        raise ArgumentError("texture", texture, accepted="a Texture")
    if sampler is None:
        sampler = texture.sampler
    if unit is NO_UNIT:
        return sampler, texture, NO_UNIT, 0.0
    bias = _bias(unit)
    return sampler, texture, unit if isinstance(unit, Unit) else NO_UNIT, bias


def _bias(unit: object) -> float:
    bias = unit.lod_bias if isinstance(unit, Unit) else unit
    if isinstance(bias, bool) or not isinstance(bias, int | float):
        raise ArgumentError("unit", unit, accepted="a gl.Unit, or its LOD bias in levels")
    bias = f32(bias)
    return bias + 0.0 if bias == bias else _NAN  # noqa: PLR0124 (the test for NaN)
