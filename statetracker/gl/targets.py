"""Texture targets and the shapes of textures: calls, contexts and views of each target; images, sizes, mipmap chains.

One row a target. Misuse raises `ArgumentError` with the argument's name. Source:
docs/textures.md (GL 4.6, tables 8.15, 8.20 and 8.22, sections 8.5 to 8.19, and 8.14.3 for the size of each level; GLES
3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.gl import enums as e
from statetracker.gl.limits import ALWAYS, DESKTOP, MODERN, Gate
from statetracker.gl.names import enum_value, kebab

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl.formats import InternalFormat

T = e.Target

#: Fixed function: which enabled target wins on a unit. Source: docs/textures.md (GL 4.6 compatibility, 16.1.1).
FIXED_PRIORITY: Final = (T.TEXTURE_CUBE_MAP, T.TEXTURE_3D, T.TEXTURE_RECTANGLE, T.TEXTURE_2D, T.TEXTURE_1D)

#: Faces of a cube map; every other target has one.
FACES: Final = 6
#: The first cube face; the others follow.
POSITIVE_X: Final = 0x8515
FACE_TARGETS: Final = frozenset(range(POSITIVE_X, POSITIVE_X + FACES))


class TargetRule(NamedTuple):
    """The calls that take a target.

    Attributes:
        gate: Contexts that have it.
        image: Dimensions of the glTexImage and glTexStorage calls that take it (for a cube, glTexImage takes its
            faces); 0: none.
        multisample: Dimensions of the multisample calls that take it; 0: none.
        proxy: Its proxy target; 0: none.
        binding: The question for what is bound to it.
        glsl: GLSL's sampler type that reads it, without ``sampler``.
        views: Targets that a view of such a texture can have.
    """

    gate: Gate
    image: int
    multisample: int
    proxy: int
    binding: int
    glsl: str
    views: tuple[int, ...]

    @property
    def named(self) -> bool:
        """True where its textures can be set and asked by name."""
        return bool(self.image or self.multisample)


_CUBE_ARRAY: Final = Gate(gles=32, gles_extensions=("GL_OES_texture_cube_map_array", "GL_EXT_texture_cube_map_array"))
_BUFFER: Final = Gate(gles=32, gles_extensions=("GL_OES_texture_buffer", "GL_EXT_texture_buffer"))
_EXTERNAL: Final = Gate(
    desktop=None, gles=99, gles_extensions=("GL_OES_EGL_image_external", "GL_OES_EGL_image_external_essl3")
)
_SAMPLES: Final = Gate(gles=31)
_SAMPLES_ARRAY: Final = Gate(gles=32, gles_extensions=("GL_OES_texture_storage_multisample_2d_array",))
_CUBE: Final = Gate(gles=20, gles_extensions=("GL_OES_texture_cube_map",))
_VOLUME: Final = Gate(gles=30, gles_extensions=("GL_OES_texture_3D",))

_1D: Final = (T.TEXTURE_1D, T.TEXTURE_1D_ARRAY)
_2D: Final = (T.TEXTURE_2D, T.TEXTURE_2D_ARRAY)
_3D: Final = (T.TEXTURE_3D,)
_RECT: Final = (T.TEXTURE_RECTANGLE,)
_LAYERS: Final = (*_2D, T.TEXTURE_CUBE_MAP, T.TEXTURE_CUBE_MAP_ARRAY)
_MS: Final = (T.TEXTURE_2D_MULTISAMPLE, T.TEXTURE_2D_MULTISAMPLE_ARRAY)
#: Targets whose texels have several samples; no filter reads them.
MULTISAMPLE: Final = frozenset(map(int, _MS))
#: Wraps by the axes that a texture has; layers are none.
_WRAPS: Final = ("wrap_s", "wrap_t", "wrap_r")

# fmt: off
TARGETS: Final[Mapping[int, TargetRule]] = {
    #                                          gate            image samples proxy   bound   glsl            views
    T.TEXTURE_1D:                   TargetRule(DESKTOP,        1,    0,      0x8063, 0x8068, "1D",            _1D),
    T.TEXTURE_2D:                   TargetRule(ALWAYS,         2,    0,      0x8064, 0x8069, "2D",            _2D),
    T.TEXTURE_3D:                   TargetRule(_VOLUME,        3,    0,      0x8070, 0x806A, "3D",            _3D),
    T.TEXTURE_RECTANGLE:            TargetRule(DESKTOP,        2,    0,      0x84F7, 0x84F6, "2DRect",        _RECT),
    T.TEXTURE_CUBE_MAP:             TargetRule(_CUBE,          2,    0,      0x851B, 0x8514, "Cube",          _LAYERS),
    T.TEXTURE_1D_ARRAY:             TargetRule(DESKTOP,        2,    0,      0x8C19, 0x8C1C, "1DArray",       _1D),
    T.TEXTURE_2D_ARRAY:             TargetRule(MODERN,         3,    0,      0x8C1B, 0x8C1D, "2DArray",       _LAYERS),
    T.TEXTURE_BUFFER:               TargetRule(_BUFFER,        0,    0,      0,      0x8C2C, "Buffer",        ()),
    T.TEXTURE_EXTERNAL_OES:         TargetRule(_EXTERNAL,      0,    0,      0,      0x8D67, "ExternalOES",   ()),
    T.TEXTURE_CUBE_MAP_ARRAY:       TargetRule(_CUBE_ARRAY,    3,    0,      0x900B, 0x900A, "CubeArray",     _LAYERS),
    T.TEXTURE_2D_MULTISAMPLE:       TargetRule(_SAMPLES,       0,    2,      0x9101, 0x9104, "2DMS",          _MS),
    T.TEXTURE_2D_MULTISAMPLE_ARRAY: TargetRule(_SAMPLES_ARRAY, 0,    3,      0x9103, 0x9105, "2DMSArray",     _MS),
}
# fmt: on

#: Proxy target -> the target it stands for. Calls on proxies change nothing.
PROXIES: Final[Mapping[int, int]] = {rule.proxy: int(target) for target, rule in TARGETS.items() if rule.proxy}


def wraps_of(target: int) -> tuple[str, ...]:
    """Return the wrap fields that a texture has axes for: two for a cube's faces, one for 1D arrays."""
    return _WRAPS[: 1 if target in _1D else 3 if target in _3D else 2]


def taking(column: str, dims: int) -> frozenset[int]:
    """Return the targets that calls of one family (``image``, ``storage``, ``multisample``) and dimension take."""
    read = "multisample" if column == "multisample" else "image"
    targets = frozenset(int(target) for target, rule in TARGETS.items() if getattr(rule, read) == dims)
    cube = frozenset({int(T.TEXTURE_CUBE_MAP)})
    return (targets - cube) | FACE_TARGETS if column == "image" and targets & cube else targets


_ONE_LAYER: Final = (T.TEXTURE_1D, T.TEXTURE_2D, T.TEXTURE_3D, T.TEXTURE_RECTANGLE, T.TEXTURE_2D_MULTISAMPLE)


def compatible(one: InternalFormat, other: InternalFormat) -> bool:
    """Return whether texels of one format may be viewed as the other."""
    return (one.view_class or one.name) == (other.view_class or other.name)


def layers_problem(target: int, asked: int, layers: int, size: tuple[int, int]) -> tuple[str, str] | None:
    """Say what is wrong with the layers of a view, as error and message.

    ``asked`` is how many the call names, ``layers`` how many the parent has, ``size`` width and height of a layer.
    """
    error = "GL_INVALID_VALUE"
    if target in _ONE_LAYER and asked != 1:
        return error, f"numlayers={asked}; accepted: 1, for a GL_{T(target).name}"
    if target == T.TEXTURE_CUBE_MAP and layers != FACES:
        return error, f"numlayers={layers}; accepted: {FACES}, for a GL_TEXTURE_CUBE_MAP"
    if target == T.TEXTURE_CUBE_MAP_ARRAY and layers % FACES:
        return error, f"numlayers={layers}; accepted: a multiple of {FACES}, for a GL_TEXTURE_CUBE_MAP_ARRAY"
    if T(target).is_cube and size[0] != size[1]:
        return (
            "GL_INVALID_OPERATION",
            f"target=GL_{T(target).name} of {size[0]}x{size[1]} layers; accepted: square ones",
        )
    return None


def view_size(target: int, parent: int, source: Image, layers: int) -> tuple[int, int, int]:
    """Return the size of a view's base image, by both targets and the parent's image."""
    if target == T.TEXTURE_3D:
        return source.width, source.height, source.depth
    if target == T.TEXTURE_1D_ARRAY:
        return source.width, layers, 1
    height = 1 if parent == T.TEXTURE_1D_ARRAY else source.height
    depth = 1 if target == T.TEXTURE_CUBE_MAP else layers
    return source.width, height, depth


_LAST_SELECTOR: Final = 5


class Image(NamedTuple):
    """One image of a texture: its internal format and its size: width, height and depth in texels (depth: also layers).

    Attributes:
        samples: Of each texel; 0: it is no multisample image.
        fixed: Of several samples, whether they lie alike in every texel.
    """

    format: InternalFormat
    width: int
    height: int
    depth: int
    samples: int = 0
    fixed: bool = True


def given_size(target: int, size: int | Sequence[int]) -> tuple[int, int, int]:
    """Read a size of one to three numbers; one suffices for a cube map, and where the target has but a width."""
    try:
        numbers = list(size)  # type: ignore[arg-type]  # one number is none
    except TypeError:
        numbers = [size]  # type: ignore[list-item]  # looked at below
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
    """Return the size of a level above one of that size; layers and empty dimensions stay."""
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
    if not hasattr(value, "__index__") or isinstance(value, bool) or value < 0:
        raise ArgumentError(field, value, accepted="an integer, 0 or more")
    return int(value)


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
    return tuple([enum_value(part, e.Swizzle, "swizzle") for part in parts])
