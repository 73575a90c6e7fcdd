"""`Unit`: one texture unit of a context; and which units' textures fixed function really reads, in which slots.

A texture whose colour and alpha never reach the fragment gets no slot. `read_units` walks the chain of units backwards:
is the colour, is the alpha of the result so far still needed? Source: GL 4.6, 8.1 and 8.2; GL 4.6 compatibility, 16.1;
docs/textures.md (fixed function; observed live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from statetracker.gl.facts import next_token
from statetracker.gl.floats import f32

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture

#: MAX_TEXTURE_UNITS of Mesa: fixed function has that many units, whatever programs have.
FIXED_UNITS: Final = 8

# GL's numbers.
ADD, BLEND, MODULATE, REPLACE, DECAL, COMBINE = 0x0104, 0x0BE2, 0x2100, 0x1E01, 0x2101, 0x8570
ENV_MODE, COMBINE_RGB, COMBINE_ALPHA = 0x2200, 0x8571, 0x8572
SRC0_RGB, SRC0_ALPHA, OPERAND0_RGB, OPERAND0_ALPHA = 0x8580, 0x8588, 0x8590, 0x8598
TEXTURE, PREVIOUS, TEXTURE0 = 0x1702, 0x8578, 0x84C0
CONSTANT, PRIMARY_COLOR = 0x8576, 0x8577
SRC_COLOR, ONE_MINUS_SRC_COLOR, SRC_ALPHA, ONE_MINUS_SRC_ALPHA = 0x0300, 0x0301, 0x0302, 0x0303
INTERPOLATE, DOT3_RGBA, DOT3_RGBA_EXT = 0x8575, 0x86AF, 0x8741
ZERO, ONE, COMBINE4_NV = 0, 1, 0x8503
ADD_SIGNED, SUBTRACT, DOT3_RGB, DOT3_RGB_EXT = 0x8574, 0x84E7, 0x86AE, 0x8740
MODULATE_ADD_ATI, MODULATE_SIGNED_ADD_ATI, MODULATE_SUBTRACT_ATI = 0x8744, 0x8745, 0x8746
SRC_COLORS: Final = (SRC_COLOR, ONE_MINUS_SRC_COLOR)
SRC_ALPHAS: Final = (SRC_ALPHA, ONE_MINUS_SRC_ALPHA)
LAST_TEXTURE: Final = TEXTURE0 + FIXED_UNITS - 1

_SOURCES_FIRST: Final = (TEXTURE, PREVIOUS, CONSTANT, ZERO)
_FIRST: Final = {
    SRC0_RGB: _SOURCES_FIRST,
    SRC0_ALPHA: _SOURCES_FIRST,
    OPERAND0_RGB: (SRC_COLOR, SRC_COLOR, SRC_ALPHA, ONE_MINUS_SRC_COLOR),
    OPERAND0_ALPHA: (SRC_ALPHA, SRC_ALPHA, SRC_ALPHA, ONE_MINUS_SRC_ALPHA),
}
#: What a unit's texture environment starts as.
DEFAULTS: Final[Mapping[int, int]] = {
    **dict.fromkeys((ENV_MODE, COMBINE_RGB, COMBINE_ALPHA), MODULATE),
    **{first + n: value for first, values in _FIRST.items() for n, value in enumerate(values)},
}

_THREE: Final = (INTERPOLATE, MODULATE_ADD_ATI, MODULATE_SIGNED_ADD_ATI, MODULATE_SUBTRACT_ATI)
#: Combiner functions that do not take two sources.
_SOURCES: Final[Mapping[int, int]] = {REPLACE: 1, **dict.fromkeys(_THREE, 3)}
#: Those of COMBINE4_NV that take four.
_FOUR: Final = (ADD, ADD_SIGNED)

_ALPHA_FUNCTIONS: Final = frozenset({REPLACE, MODULATE, ADD, ADD_SIGNED, SUBTRACT, *_THREE})
_RGB_FUNCTIONS: Final = _ALPHA_FUNCTIONS | {DOT3_RGB, DOT3_RGB_EXT, DOT3_RGBA, DOT3_RGBA_EXT}
_TEXTURES: Final = frozenset({TEXTURE, *range(TEXTURE0, LAST_TEXTURE + 1)})
_ANY_SOURCE: Final = _TEXTURES | {PREVIOUS, CONSTANT, PRIMARY_COLOR, ZERO, ONE}
#: What each parameter may be; anything else is an error and changes nothing.
#: Source: GL 4.6 compatibility, 16.1; ATI_texture_env_combine3; NV_texture_env_combine4.
ACCEPTED: Final[Mapping[int, frozenset[int]]] = {
    ENV_MODE: frozenset({ADD, BLEND, MODULATE, REPLACE, DECAL, COMBINE, COMBINE4_NV}),
    COMBINE_RGB: _RGB_FUNCTIONS,
    COMBINE_ALPHA: _ALPHA_FUNCTIONS,
    **dict.fromkeys(range(SRC0_RGB, SRC0_RGB + 4), _ANY_SOURCE),
    **dict.fromkeys(range(SRC0_ALPHA, SRC0_ALPHA + 4), _ANY_SOURCE),
    **dict.fromkeys(range(OPERAND0_RGB, OPERAND0_RGB + 4), frozenset(SRC_COLORS + SRC_ALPHAS)),
    **dict.fromkeys(range(OPERAND0_ALPHA, OPERAND0_ALPHA + 4), frozenset(SRC_ALPHAS)),
}

_NO_COLOUR: Final = ("ALPHA",)
#: Formats that DECAL puts in place of the colour, and the one that it lays over it; with others it does nothing.
_COVERING: Final = ("RGB", "RED", "RG")
_OVERLAID: Final = ("RGBA",)
_NO_ALPHA: Final = ("RGB", "LUMINANCE", "RED", "RG")


class Unit:
    """One texture unit: a texture per target, a sampler object, the LOD bias, fixed function's enables and environment.

    ``lod_bias`` is what the application set, as float32. ``environment`` has what was set of TEXTURE_ENV, by parameter.
    ``token`` is a new integer after every change of the bias and of what is bound, ``switches`` after every change of
    the enables and the environment; so change them with the methods here.
    At first it has the default textures and no bias.
    """

    __slots__ = ("enabled", "environment", "lod_bias", "sampler", "switches", "textures", "token")

    def __init__(self) -> None:
        self.textures: dict[int, Texture] = {}
        self.sampler: Sampler | None = None
        self.lod_bias = 0.0
        self.enabled: set[int] = set()
        self.environment: dict[int, int] = {}
        self.token = self.switches = next_token()

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        """Restore another unit, with tokens of its own, from a copy or a pickle."""
        for name, value in state[1].items():
            setattr(self, name, value)
        self.token = self.switches = next_token()

    def set_lod_bias(self, bias: float) -> None:
        """Keep a bias; an equal one changes nothing (NaN never equals)."""
        bias = f32(bias)
        if bias != self.lod_bias:
            self.token = next_token()
            self.lod_bias = bias

    def bind(self, target: int, texture: Texture | None) -> None:
        """Bind a texture for a target, a GLenum; None: the default one."""
        if self.textures.get(target) is not texture:
            self.token = next_token()
            if texture is None:
                del self.textures[target]
            else:
                self.textures[target] = texture

    def bind_sampler(self, sampler: Sampler | None) -> None:
        """Bind a sampler object, or none."""
        if self.sampler is not sampler:
            self.token = next_token()
            self.sampler = sampler

    def switch(self, target: int, *, on: bool) -> None:
        """Switch a fixed-function target on or off."""
        if (target in self.enabled) != on:
            self.switches = next_token()
            (self.enabled.add if on else self.enabled.remove)(target)

    def set_environment(self, environment: dict[int, int]) -> None:
        """Replace what was set of TEXTURE_ENV.

        Args:
            environment: Pname -> value, GLenum numbers.
        """
        if environment != self.environment:
            self.switches = next_token()
            self.environment = environment


class EnvUnit(NamedTuple):
    """One enabled unit with a complete texture.

    Attributes:
        number: Of the unit.
        base_format: Of its texture; a depth texture counts as what DEPTH_TEXTURE_MODE makes of it.
        env: Its texture environment: parameter -> value, without those that were never set.
    """

    number: int
    base_format: str
    env: Mapping[int, int]

    def get(self, parameter: int) -> int:
        """Return a parameter's value."""
        return self.env.get(parameter, DEFAULTS[parameter])


#: Reads of one unit, for what is needed of it: textures (in order), and of the result before it colour and alpha.
_Reads: TypeAlias = "tuple[list[int], bool, bool]"


def read_units(units: Sequence[EnvUnit]) -> list[int]:
    """Return the units whose texture is read, in slot order: the one first read last has slot 0.

    Args:
        units: Enabled units with complete textures, ascending.
    """
    there = {unit.number for unit in units}
    colour = alpha = True
    order: list[int] = []
    for unit in reversed(units):
        combines = unit.get(ENV_MODE) in (COMBINE, COMBINE4_NV)
        textures, colour, alpha = (_combine if combines else _plain)(unit, colour, alpha)
        order = [number for number in textures if number in there] + order
    return list(reversed(list(dict.fromkeys(order))))


def _plain(unit: EnvUnit, colour: bool, alpha: bool) -> _Reads:  # noqa: FBT001 (what is needed)
    mode = unit.get(ENV_MODE)
    gives_colour = unit.base_format not in _NO_COLOUR
    gives_alpha = unit.base_format not in _NO_ALPHA
    if mode == DECAL:
        covers = unit.base_format in _COVERING
        textures = [unit.number] if colour and (covers or unit.base_format in _OVERLAID) else []
        return (textures, colour and not covers, alpha)
    reads = (colour and gives_colour) or (alpha and gives_alpha)
    if mode == REPLACE:
        return ([unit.number] if reads else [], colour and not gives_colour, alpha and not gives_alpha)
    return ([unit.number] if reads else [], colour, alpha)


def _combine(unit: EnvUnit, colour: bool, alpha: bool) -> _Reads:  # noqa: FBT001 (what is needed)
    sources: list[tuple[int, int]] = []
    function = unit.get(COMBINE_RGB)
    dot3 = function in (DOT3_RGBA, DOT3_RGBA_EXT)
    if colour or (dot3 and alpha):
        sources += _sources(unit, function, SRC0_RGB, OPERAND0_RGB)
    if alpha and not dot3:
        sources += _sources(unit, unit.get(COMBINE_ALPHA), SRC0_ALPHA, OPERAND0_ALPHA)
    textures = [unit.number if one == TEXTURE else one - TEXTURE0 for one, _ in sources if one in _TEXTURES]
    before = {operand in SRC_ALPHAS for one, operand in sources if one == PREVIOUS}
    return textures, False in before, True in before


def _sources(unit: EnvUnit, function: int, source: int, operand: int) -> list[tuple[int, int]]:
    """Return what a function reads, each with what of it."""
    four = unit.get(ENV_MODE) == COMBINE4_NV and function in _FOUR
    return [(unit.get(source + n), unit.get(operand + n)) for n in range(4 if four else _SOURCES.get(function, 2))]
