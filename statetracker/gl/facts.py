"""Keys of memos: `TextureFacts` and `UnitFacts`, frozen values; and tokens, integers that are never used twice.

Equal facts of textures are the same object. Every sampler, texture and unit takes a new token before every change, so a
result that is kept with tokens is right while they are equal; an interrupt leaves nothing that is wrong. `changes` has
the newest token, so that one compare shows that no object at all has changed.
"""

from __future__ import annotations

from itertools import count
from math import copysign
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.gl.floats import f32

if TYPE_CHECKING:
    from collections.abc import Callable

Selectors = tuple[int, int, int, int]

#: GL swizzle value -> selector: 0..3 component, 4 zero, 5 one.
SWIZZLE_SELECTORS: Final = {0x1903: 0, 0x1904: 1, 0x1905: 2, 0x1906: 3, 0: 4, 1: 5}

IDENTITY_SWIZZLE: Final[Selectors] = (0, 1, 2, 3)


class TextureFacts:
    """The facts of a texture that conversion reads.

    Attributes:
        target: GLenum.
        base_format: RED, RG, RGB, RGBA, ALPHA, LUMINANCE, LUMINANCE_ALPHA, INTENSITY, DEPTH_COMPONENT, DEPTH_STENCIL,
            STENCIL_INDEX or YCBCR: that of the base level's internal format.
        internal_format: The base level's internal format, without GL_.
        is_integer: GL has seen that the base image holds unnormalised integers.
        is_float: An unsized float texture of a GLES context.
        stencil_sampling: DEPTH_STENCIL_TEXTURE_MODE is STENCIL_INDEX.
        depth_mode: DEPTH_TEXTURE_MODE, GLenum.
        swizzle: The user's swizzle as selectors.
        storage_format: The pipe format that the driver chose, without prefix, or None: ask the screen's table.
        view_swizzle: The current sampler view's swizzle as selectors, or None without a view (older dialects read it).
        surface_format: The surface's pipe format where the texture is surface-based, else None.
    """

    base_format: str
    depth_mode: int
    internal_format: str
    is_float: bool
    is_integer: bool
    stencil_sampling: bool
    storage_format: str | None
    surface_format: str | None
    swizzle: Selectors
    target: int
    view_swizzle: Selectors | None

    __slots__ = tuple(__annotations__)

    @classmethod
    def of(cls, **values: object) -> TextureFacts:
        """Return the one object with these values; raises `ArgumentError` for a list among them, or another name."""
        if values.keys() != _NAMES:
            raise ArgumentError("facts", sorted(values.keys() ^ _NAMES), accepted=f"each of {', '.join(cls.__slots__)}")
        key = tuple([values[name] for name in cls.__slots__])
        try:
            facts = _INTERNED.get(key)
        except TypeError:
            raise ArgumentError("facts", values, accepted="values that never change: numbers, text, tuples") from None
        if facts is None:
            if len(_INTERNED) >= _MOST:
                _INTERNED.clear()
            facts = cls()
            for name in cls.__slots__:
                object.__setattr__(facts, name, values[name])
            _INTERNED[key] = facts
        return facts

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: facts never change."""
        raise AttributeError(f"TextureFacts never change: {name}={value!r}")

    def __reduce__(self) -> tuple[Callable[[dict[str, object]], TextureFacts], tuple[dict[str, object]]]:
        """Copy and pickle as the one object with these values."""
        return _facts_of, (self.to_dict(),)

    def replace(self, **values: object) -> TextureFacts:
        """Return the facts with some of them changed; names and values are as for `TextureFacts`."""
        return TextureFacts.of(**{name: getattr(self, name) for name in self.__slots__} | values)

    def to_dict(self) -> dict[str, object]:
        """All facts by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return f"TextureFacts({', '.join(f'{k}={v!r}' for k, v in self.to_dict().items())})"


class UnitFacts(NamedTuple):
    """The facts of a texture unit, its context and the sampling program that conversion reads.

    Attributes:
        lod_bias: Levels, a float32 value.
        seamless: The context's switch for seamless cubes.
        glsl130: The program is GLSL 1.30 or later.
        bindless: A bindless handle, not a unit; sRGB decoding counts for handles alone, so it needs no member of its
            own.
    """

    lod_bias: float = 0.0
    seamless: bool = False
    glsl130: bool = True
    bindless: bool = False

    @classmethod
    def of(
        cls, unit_lod_bias: float = 0.0, *, seamless: bool = False, glsl130: bool = True, bindless: bool = False
    ) -> UnitFacts:
        """Return the facts of what a user asks for.

        Args:
            unit_lod_bias: Levels, any float; rounded to float32; ignored with ``bindless``.
            seamless: The context's switch for seamless cubes; ignored with ``bindless``.
            glsl130: The program is GLSL 1.30 or later.
            bindless: Through a bindless handle.
        """
        if bindless:
            return cls(0.0, False, bool(glsl130), True)
        if glsl130 and not (unit_lod_bias or seamless) and copysign(1.0, unit_lod_bias) > 0.0:
            return UNIT
        return cls(f32(unit_lod_bias), bool(seamless), bool(glsl130))


#: A unit without a LOD bias, seamless switch off, GLSL 1.30: by far the most. `unit is UNIT` is the quickest test.
UNIT: Final = UnitFacts()


_NAMES: Final = frozenset(TextureFacts.__slots__)


def _facts_of(values: dict[str, object]) -> TextureFacts:
    return TextureFacts.of(**values)


_INTERNED: dict[tuple[object, ...], TextureFacts] = {}
_MOST: Final = 1 << 16

_next: Final = count(1).__next__


class _Changes:
    """``last`` is the newest token of the process."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last = 0


#: ``changes.last``: as long as it is the same integer, no sampler, texture or unit was made or changed.
changes = _Changes()


def next_token() -> int:
    """Return an integer never given before."""
    changes.last = token = _next()
    return token
