"""The request for one surface, checked when it is made.

See docs/surfaces.md.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.intel import generation
from statetracker.errors import ArgumentError, UnknownName
from statetracker.surface.formats import HIZ_FORMAT, format_named
from statetracker.surface.tilings import Tiling, tiling_named
from statetracker.surface.units import LARGEST_COUNT, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.caps.intel import Generation
    from statetracker.surface.formats import SurfaceFormat

_USAGE: Final = frozenset("TRND")
_LAID_OUT: Final = (60, 70, 75, 80)
_DEPTH: Final = ("R16_UNORM", "R24_UNORM_X8_TYPELESS", "R32_FLOAT")


class Kind(StrEnum):
    """What a surface is for."""

    STENCIL = "stencil"
    DEPTH = "depth"
    COLOR = "color"
    HIZ = "hiz"


class SurfaceRequest(NamedTuple):
    """A requested surface, in pixels; `surface_request` makes one from names. Members are as in `surface_request`.

    generation   of the hardware
    """

    generation: Generation
    kind: Kind
    format: SurfaceFormat
    width: int
    height: int
    levels: int
    array_len: int
    samples: int
    usage: frozenset[str]
    tilings: frozenset[Tiling]
    row_pitch_B: int

    @property
    def depth_like(self) -> bool:
        """Whether this is depth, stencil or HiZ."""
        return self.kind is not Kind.COLOR


def surface_request(
    gen: Generation | str | float,
    kind: Kind | str,
    format: str,  # noqa: A002 (the field's own word)
    width: int,
    height: int,
    *,
    levels: int = 1,
    array_len: int = 1,
    samples: int = 1,
    usage: str = "",
    tilings: str | Iterable[str | Tiling] = "ANY",
    row_pitch_B: int = 0,
) -> SurfaceRequest:
    """Check a request.

    gen            6, 7, 7.5 or 8
    kind           ``"stencil"`` (format R8_UINT), ``"depth"``, ``"color"``, ``"hiz"`` (format HIZ)
    width, height  of level 0, in pixels
    levels         mip levels, 1 to 32
    array_len      layers
    samples        a pixel: 1, or a count that the generation takes
    usage          letters: T sampled, R render target, N auxiliary surfaces disabled, D display
    tilings        ``"ANY"``, one name, or several
    row_pitch_B    wanted row pitch, physical; 0 chooses the smallest

    Raises `ArgumentError` or `UnknownName` for what no request may have; `SurfaceRefused` comes later, from `layout`.
    """
    row = generation(gen)
    if row.verx10 not in _LAID_OUT:
        raise ArgumentError(
            "generation",
            row.name,
            accepted="6, 7, 7.5, 8",
            hint="statetracker.surface.older lays out generations 4 to 7.",
        )
    kind = _kind(kind)
    chosen = format_named(format)
    _check_format(kind, chosen)
    for name, value, least, most in (
        ("width", width, 1, LARGEST_COUNT), ("height", height, 1, LARGEST_COUNT), ("levels", levels, 1, 32),
        ("array_len", array_len, 1, LARGEST_COUNT), ("row_pitch_B", row_pitch_B, 0, LARGEST_COUNT),
    ):  # fmt: skip
        whole_number(name, value, least, most)
    if type(samples) is not int or samples not in {1, 2, 4, 8, 16}:
        raise ArgumentError("samples", samples, accepted="1, 2, 4, 8, 16")
    if not isinstance(usage, str) or not _USAGE.issuperset(usage):
        raise ArgumentError("usage", usage, accepted="the letters T, R, N, D")
    return SurfaceRequest(
        row, kind, chosen, width, height, levels, array_len, samples, frozenset(usage), _allowed(tilings), row_pitch_B
    )


def _allowed(tilings: str | Iterable[str | Tiling]) -> frozenset[Tiling]:
    try:
        names = [tilings] if isinstance(tilings, str) else list(tilings)
    except TypeError:
        raise ArgumentError("tilings", tilings, accepted=f"ANY, or one or several of {', '.join(Tiling)}") from None
    return frozenset(Tiling) if names == ["ANY"] else frozenset(tiling_named(name) for name in names)


def _kind(name: Kind | str) -> Kind:
    try:
        return Kind(name)
    except ValueError:
        raise UnknownName("kind", name, accepted=", ".join(Kind)) from None


def _check_format(kind: Kind, chosen: SurfaceFormat) -> None:
    wanted = {Kind.STENCIL: ("R8_UINT",), Kind.DEPTH: _DEPTH, Kind.HIZ: (HIZ_FORMAT.name,)}.get(kind)
    if (wanted is None and chosen is HIZ_FORMAT) or (wanted is not None and chosen.name not in wanted):
        accepted = "any format but HIZ" if wanted is None else ", ".join(wanted)
        raise ArgumentError("format", chosen.name, accepted=f"{accepted} for a {kind} surface")
