"""Shapes of textures: `Image`, how a caller writes a size, how long a mipmap chain is, how large each level.

Misuse raises `ArgumentError` with the argument's name. Source: GL 4.6, 8.14.3 (mipmapping: the size of each level).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.gl import enums as e
from statetracker.gl.formats import internal_format, internal_format_named
from statetracker.gl.names import choose, kebab

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl.formats import InternalFormat

T = e.Target

_LAST_SELECTOR: Final = 5


class Image(NamedTuple):
    """One image of a texture: its internal format and its size: width, height and depth in texels (depth: also layers).

    samples   of each texel; 0: it is no multisample image
    fixed     of several samples, whether they lie alike in every texel
    """

    format: InternalFormat
    width: int
    height: int
    depth: int
    samples: int = 0
    fixed: bool = True


def given_format(value: int | str) -> InternalFormat:
    """Read an internal format: a name in any spelling, or a GLenum."""
    if isinstance(value, str):
        return internal_format_named(value)
    fmt = internal_format(value)
    if fmt is None:
        raise ArgumentError("internal_format", value, accepted="an internal format of textures")
    return fmt


def given_size(target: int, size: int | Sequence[int]) -> tuple[int, int, int]:
    """Read a size of one to three numbers; one suffices for a cube map, and where the target has but a width."""
    numbers = [size] if isinstance(size, int) else list(size)
    if not 1 <= len(numbers) <= 3 or any(not isinstance(n, int) or n < 0 for n in numbers):
        raise ArgumentError("size", size, accepted="one to three sizes in texels, none negative")
    wanted = e.SIZE_NUMBERS[target]
    if len(numbers) == 1 < wanted and target != T.TEXTURE_CUBE_MAP:
        meant = (*numbers * 2, 1)[:wanted]
        kind = kebab(T(target).name.removeprefix("TEXTURE_"))
        raise ArgumentError("size", size, accepted=f"{wanted} numbers for a texture of target {kind}: {meant}")
    width, height, depth = (*numbers, 1, 1)[:3]
    return width, (width if target == T.TEXTURE_CUBE_MAP and len(numbers) == 1 else height), depth


def chain_length(target: int, size: tuple[int, ...]) -> int:
    """Count the levels of a whole mipmap chain; array layers do not count as a size."""
    return max(max(size[: e.MIP_DIMENSIONS[target]], default=1).bit_length(), 1)


def level_size(target: int, size: tuple[int, int, int], level: int) -> tuple[int, int, int]:
    """Give the size of a level above one of that size; layers and empty dimensions stay."""
    shrinking = e.MIP_DIMENSIONS[target]
    width, height, depth = (max(1, n >> level) if i < shrinking and n else n for i, n in enumerate(size))
    return width, height, depth


@lru_cache(maxsize=1024)
def chain(
    fmt: InternalFormat, target: int, size: tuple[int, int, int], faces: int, levels: int, samples: int, *, fixed: bool
) -> Mapping[tuple[int, int], Image]:
    """Return the images of a mipmap chain by face and level; textures of one shape share them."""
    images = [Image(fmt, *level_size(target, size, level), samples, fixed) for level in range(levels)]
    return {(face, level): image for level, image in enumerate(images) for face in range(faces)}


def given_levels(target: int, size: tuple[int, int, int], levels: int | None) -> int:
    """Read a number of levels; None means the whole chain."""
    full = chain_length(target, size)
    if levels is None:
        return full
    if not isinstance(levels, int) or not 0 <= levels <= full:
        raise ArgumentError("levels", levels, accepted=f"0 to {full} for {'x'.join(map(str, size))}, or None for all")
    return levels


def given_count(field: str, value: int) -> int:
    """Read a number that is 0 or more."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ArgumentError(field, value, accepted="an integer, 0 or more")
    return value


def given_selectors(field: str, parts: Sequence[int]) -> tuple[int, ...]:
    """Read four selectors: 0 to 3 a component, 4 zero, 5 one."""
    selectors = tuple(parts) if isinstance(parts, Sequence) else ()
    if len(selectors) != 4 or any(not isinstance(part, int) or not 0 <= part <= _LAST_SELECTOR for part in selectors):
        raise ArgumentError(field, parts, accepted="four selectors, 0 to 5")
    return selectors


def given_swizzle(parts: Sequence[int | str]) -> tuple[int, ...]:
    """Read four swizzle words, or four letters of RGBA01."""
    if not isinstance(parts, (tuple, Sequence)) or len(parts) != 4:
        raise ArgumentError(
            "swizzle", parts, accepted="four words of red, green, blue, alpha, zero, one, or letters of RGBA01"
        )
    return tuple([choose(part, e.Swizzle, "swizzle") for part in parts])
