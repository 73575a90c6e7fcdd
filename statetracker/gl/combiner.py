"""Fixed function: which units' textures the texture environments really read, and in which slots they end up.

A unit's environment combines its texture with the result of the unit before. A texture whose colour and alpha never
reach the fragment is not sampled, so it gets no slot. `read_units` walks the chain backwards with the question "is the
colour, is the alpha of the result so far still needed". Source: docs/textures.md (fixed function; observed live), GL
4.6 compatibility profile, section 16.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["DEFAULTS", "EnvUnit", "read_units"]

# GL's numbers.
ADD, BLEND, MODULATE, REPLACE, DECAL, COMBINE = 0x0104, 0x0BE2, 0x2100, 0x1E01, 0x2101, 0x8570
ENV_MODE, COMBINE_RGB, COMBINE_ALPHA = 0x2200, 0x8571, 0x8572
SRC0_RGB, SRC0_ALPHA, OPERAND0_RGB, OPERAND0_ALPHA = 0x8580, 0x8588, 0x8590, 0x8598
TEXTURE, PREVIOUS, TEXTURE0 = 0x1702, 0x8578, 0x84C0
CONSTANT, PRIMARY_COLOR = 0x8576, 0x8577
SRC_COLOR, SRC_ALPHA, ONE_MINUS_SRC_ALPHA = 0x0300, 0x0302, 0x0303
INTERPOLATE, DOT3_RGBA, DOT3_RGBA_EXT = 0x8575, 0x86AF, 0x8741
LAST_TEXTURE: Final = TEXTURE0 + 31

#: What a unit's texture environment starts as.
DEFAULTS: Final[Mapping[int, int]] = {
    ENV_MODE: MODULATE,
    COMBINE_RGB: MODULATE,
    COMBINE_ALPHA: MODULATE,
    SRC0_RGB: TEXTURE,
    SRC0_RGB + 1: PREVIOUS,
    SRC0_RGB + 2: CONSTANT,
    SRC0_ALPHA: TEXTURE,
    SRC0_ALPHA + 1: PREVIOUS,
    SRC0_ALPHA + 2: CONSTANT,
    OPERAND0_RGB: SRC_COLOR,
    OPERAND0_RGB + 1: SRC_COLOR,
    OPERAND0_RGB + 2: SRC_ALPHA,
    OPERAND0_ALPHA: SRC_ALPHA,
    OPERAND0_ALPHA + 1: SRC_ALPHA,
    OPERAND0_ALPHA + 2: SRC_ALPHA,
}

#: Combiner functions that do not take two sources.
_SOURCES: Final[Mapping[int, int]] = {REPLACE: 1, INTERPOLATE: 3}

_NO_COLOUR: Final = ("ALPHA",)
_NO_ALPHA: Final = ("RGB", "LUMINANCE", "RED", "RG")


class EnvUnit(NamedTuple):
    """One enabled unit with a complete texture.

    number       of the unit
    base_format  of its texture; a depth texture counts as what DEPTH_TEXTURE_MODE makes of it
    env          its texture environment: parameter -> value, without those that were never set
    """

    number: int
    base_format: str
    env: Mapping[int, int]

    def get(self, parameter: int) -> int:
        """A parameter's value."""
        return self.env.get(parameter, DEFAULTS[parameter])


class _Reads(NamedTuple):
    """What one unit reads to give what is needed of it: textures (in order), and the result before it."""

    textures: list[int]
    colour: bool
    alpha: bool


def read_units(units: Sequence[EnvUnit]) -> list[int]:
    """Give the units whose texture is read, in slot order: the one first read last has slot 0.

    units   enabled units with complete textures, ascending
    """
    there = {unit.number for unit in units}
    colour = alpha = True
    order: list[int] = []
    for unit in reversed(units):
        reads = _combine(unit, colour, alpha) if unit.get(ENV_MODE) == COMBINE else _plain(unit, colour, alpha)
        order = [number for number in reads.textures if number in there] + order
        colour, alpha = reads.colour, reads.alpha
    return list(reversed(list(dict.fromkeys(order))))


def _plain(unit: EnvUnit, colour: bool, alpha: bool) -> _Reads:  # noqa: FBT001 (what is needed)
    mode = unit.get(ENV_MODE)
    gives_colour = unit.base_format not in _NO_COLOUR
    gives_alpha = unit.base_format not in _NO_ALPHA
    if mode == DECAL:
        return _Reads([unit.number] if colour else [], colour, alpha)
    reads = (colour and gives_colour) or (alpha and gives_alpha)
    if mode == REPLACE:
        return _Reads([unit.number] if reads else [], colour and not gives_colour, alpha and not gives_alpha)
    return _Reads([unit.number] if reads else [], colour, alpha)


def _combine(unit: EnvUnit, colour: bool, alpha: bool) -> _Reads:  # noqa: FBT001 (what is needed)
    textures: list[int] = []
    before = {"colour": False, "alpha": False}
    function = unit.get(COMBINE_RGB)
    dot3 = function in (DOT3_RGBA, DOT3_RGBA_EXT)
    if colour or (dot3 and alpha):
        _sources(unit, function, (SRC0_RGB, OPERAND0_RGB), textures, before)
    if alpha and not dot3:
        _sources(unit, unit.get(COMBINE_ALPHA), (SRC0_ALPHA, OPERAND0_ALPHA), textures, before)
    return _Reads(textures, before["colour"], before["alpha"])


def _sources(
    unit: EnvUnit, function: int, first: tuple[int, int], textures: list[int], before: dict[str, bool]
) -> None:
    for n in range(_SOURCES.get(function, 2)):
        source = unit.get(first[0] + n)
        if source == TEXTURE:
            textures.append(unit.number)
        elif TEXTURE0 <= source <= LAST_TEXTURE:
            textures.append(source - TEXTURE0)
        elif source == PREVIOUS:
            of_alpha = unit.get(first[1] + n) in (SRC_ALPHA, ONE_MINUS_SRC_ALPHA)
            before["alpha" if of_alpha else "colour"] = True
