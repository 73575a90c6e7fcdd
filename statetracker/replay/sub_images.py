"""Calls that write a part of an image: with GENERATE_MIPMAP on, the base level's fill the chain.

Source: docs/streams.md (GL 4.6 compatibility, 8.14.4; recorded live).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.combiner import TEXTURE0
from statetracker.gl.enums import Target
from statetracker.gl.targets import FACE_TARGETS, POSITIVE_X

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl import Context, Texture

_CUBE: Final = int(Target.TEXTURE_CUBE_MAP)
_PARTS: Final = (("xoffset", "width"), ("yoffset", "height"), ("zoffset", "depth"))

#: The calls; those of EXT_direct_state_access, whose names are not the plain ones with a suffix, too.
SUB_IMAGES: Final = tuple(
    f"gl{kind}{of}SubImage{n}D{suffix}"
    for kind in ("", "Copy", "Compressed")
    for of, suffix in (("Tex", ""), ("Texture", ""), ("Texture", "EXT"), ("MultiTex", "EXT"))
    for n in (1, 2, 3)
)


def refilled(context: Context, args: Mapping[str, object]) -> bool:
    """Fill the mipmap chain of the texture that a call writes; whether it was filled.

    args   its arguments by the names that GL gives them
    """
    numbers = {name: value for name, value in args.items() if isinstance(value, int)}
    texture, level = _meant(context, numbers), numbers.get("level")
    if texture is None or not texture.generate_mipmap or level != texture.base_level:
        return False
    base = texture.base_image()
    if base is None or not _inside(numbers, (base.width, base.height, base.depth), texture.target):
        return False
    for face in _faces(numbers, texture.target):
        texture.generate(face)
    return True


def _meant(context: Context, args: Mapping[str, int]) -> Texture | None:
    if args.get("texture"):
        return context.textures.get(args["texture"])
    target = args.get("target", 0)
    if target not in context.availability.targets | FACE_TARGETS:
        return None
    unit = args["texunit"] - TEXTURE0 if "texunit" in args else None
    return context.bound(_CUBE if target in FACE_TARGETS else target, unit)


def _inside(args: Mapping[str, int], size: tuple[int, int, int], target: int) -> bool:
    """Whether some texels are meant and all of them are in the image; a cube's faces count as its depth."""
    most = (*size[:2], 6) if target == _CUBE else size
    starts = ((args.get(start, 0), args.get(count, 1)) for start, count in _PARTS)
    return all(n > 0 and start >= 0 and start + n <= end for (start, n), end in zip(starts, most, strict=True))


def _faces(args: Mapping[str, int], target: int) -> range:
    if target != _CUBE:
        return range(1)
    where = args.get("target", _CUBE)
    if where in FACE_TARGETS:
        return range(where - POSITIVE_X, where - POSITIVE_X + 1)
    first = args.get("zoffset", 0)
    return range(first, first + args.get("depth", 1))
