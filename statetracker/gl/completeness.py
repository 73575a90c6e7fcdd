"""GL's completeness rules, in the order in which they decide whether a texture can be sampled, and which part.

`examine` decides base and mipmap completeness by the images alone; `missing` adds the sampler that applies.
`shown_part` says which levels and layers of its storage a texture shows. Source: docs/textures.md (GL 4.6, 8.14.3
"Mipmapping", 8.17, 8.18 "Texture Views"; recorded live on Mesa 22.3.6, and observed on its zink).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from statetracker.gl import enums as e
from statetracker.gl.limits import RELEASES
from statetracker.gl.targets import MULTISAMPLE, chain_length

if TYPE_CHECKING:
    from statetracker.gl.limits import Limits
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.targets import Image


class ViewRange(NamedTuple):
    """Levels and layers, counted from those of the storage: of a texture view, from its parent's.

    Attributes:
        first_level: The base level.
        levels: How many there are from it; None: all.
        first_layer: The first layer; faces of a cube are layers.
        layers: How many there are from it; None: all.
        of_view: It is a texture view: its parent has a format of its own.
    """

    first_level: int = 0
    levels: int | None = None
    first_layer: int = 0
    layers: int | None = None
    of_view: bool = False


class ViewOf(NamedTuple):
    """The part of its parent that a texture view shows, counted from the texture that owns the texels."""

    min_level: int
    min_layer: int
    layers: int
    parent_levels: int


def shown_part(texture: _Texture) -> ViewRange:
    """Return the part of a texture: all levels that are mipmap complete, else the base level alone.

    A view's base level may lie above its levels, though not above its parent's: its last level stands for it.
    """
    view, base, first = texture.view, texture.base_image(), texture.base_level
    levels = 1
    if texture.immutable_levels:
        first = min(first, texture.immutable_levels - 1)
    if base is not None and not texture.examine().mipmap:
        last = first + chain_length(texture.target, (base.width, base.height, base.depth)) - 1
        if texture.immutable_levels:
            last = min(last, texture.immutable_levels - 1)
        levels = min(last, texture.max_level) - first + 1
    if view is None:
        return ViewRange(first, levels, 0, texture.layers)
    return ViewRange(view.min_level + first, levels, view.min_layer, view.layers, of_view=True)


_NEAREST_ONLY: Final = (e.MinFilter.NEAREST, e.MinFilter.NEAREST_MIPMAP_NEAREST)
_AVERAGE: Final = e.ReductionMode.WEIGHTED_AVERAGE
_BUFFER: Final = int(e.Target.TEXTURE_BUFFER)


class _Texture(Protocol):
    """A `statetracker.gl.Texture`, as far as the rules read it."""

    target: int
    base_level: int
    max_level: int
    immutable_levels: int
    view: ViewOf | None
    images: dict[tuple[int, int], Image]
    sampler: Sampler
    is_integer: bool
    is_float: bool
    is_half_float: bool

    @property
    def faces(self) -> int: ...
    @property
    def layers(self) -> int: ...
    @property
    def stencil_sampling(self) -> bool: ...
    def base_image(self) -> Image | None: ...
    def examine(self) -> Completeness: ...


class Completeness(NamedTuple):
    """The verdict on a texture's images alone.

    Attributes:
        base: Why the texture is not base complete; empty where it is.
        mipmap: Why it is not mipmap complete; empty where it is.
        is_integer: Whether the base image holds integers; None where the test never looked at it.
    """

    base: str
    mipmap: str
    is_integer: bool | None


def examine(texture: _Texture) -> Completeness:
    """Decide base and mipmap completeness, stopping at the first rule that decides."""
    if texture.target == _BUFFER:
        return Completeness("", "", None)
    first, last = texture.base_level, texture.max_level
    if last < first:
        return Completeness("", f"MAX_LEVEL {last} is below BASE_LEVEL {first}", None)
    base = texture.base_image()
    if base is None:
        problem = f"there is no image at BASE_LEVEL {first}"
        return Completeness(problem, problem, None)
    if not (base.width and base.height and base.depth):
        problem = f"the base image is {base.width}x{base.height}x{base.depth}"
        return Completeness(problem, problem, None)
    is_integer = base.format.is_integer
    problem = _cube_problem(texture, base)
    if problem:
        return Completeness(problem, problem, is_integer)
    return Completeness("", _mipmap_problem(texture, base), is_integer)


def _cube_problem(texture: _Texture, base: Image) -> str:
    for face in range(1, texture.faces):
        if texture.images.get((face, texture.base_level)) != base:
            return f"face {face} of the cube has no base image like that of face 0"
    if texture.faces > 1 and base.width != base.height:
        return f"a cube's faces are {base.width}x{base.height}, not square"
    return ""


def _mipmap_problem(texture: _Texture, base: Image) -> str:
    dimensions = e.MIP_DIMENSIONS[texture.target]
    size = (base.width, base.height, base.depth)
    largest = max(size[:dimensions], default=1)
    last = min(texture.max_level, texture.base_level + largest.bit_length() - 1)
    if texture.immutable_levels:
        last = min(last, texture.immutable_levels - 1)
    find, fmt, faces = texture.images.get, base.format, range(texture.faces)
    width, height, depth = size
    for level in range(texture.base_level + 1, last + 1):
        width = width >> 1 or 1
        if dimensions > 1:
            height = height >> 1 or 1
        if dimensions > 2:
            depth = depth >> 1 or 1
        for face in faces:
            image = find((face, level))
            if image is None:
                return f"level {level} is missing (of {texture.base_level}..{last})"
            if image.format is not fmt:
                return f"level {level} is {image.format.name}, the base level {fmt.name}"
            if image.width != width or image.height != height or image.depth != depth:
                return f"level {level} is {image.width}x{image.height}x{image.depth}, not {width}x{height}x{depth}"
    return ""


def missing(texture: _Texture, sampler: Sampler, limits: Limits | None = None) -> str:
    """Return why a texture is incomplete with a sampler; empty where it is complete.

    ``limits`` are the context's release, profile and options; None: a desktop context of Mesa 22.3.
    """
    if texture.target == _BUFFER:
        return ""
    shape = texture.examine()
    base = texture.base_image()
    multisample = texture.target in MULTISAMPLE
    if not multisample:
        problem = _integer_problem(texture, base, sampler, limits)
        if problem:
            return problem
    if sampler.uses_mipmaps and not multisample and shape.mipmap:
        return shape.mipmap
    return shape.base or (_gles_float_problem(texture, limits) if limits is not None and limits.gles else "")


def _integer_problem(texture: _Texture, base: Image | None, sampler: Sampler, limits: Limits | None) -> str:
    """Apply the integer rule. That a texture holds integers stays known while there is no base image to look at."""
    stencil = texture.stencil_sampling and base is not None and base.format.base_format == "DEPTH_STENCIL"
    if not (texture.is_integer or stencil):
        return ""
    release = limits.release if limits else RELEASES["22.3"]
    if release.reduction_exempt and sampler.reduction_mode != _AVERAGE:
        return ""
    if sampler.mag_filter == e.MagFilter.NEAREST and sampler.min_filter in _NEAREST_ONLY:
        return ""
    if texture.is_integer and limits is not None and limits.force_integer_nearest:
        return ""
    name = "the texture" if base is None else base.format.name
    what = "the stencil part" if stencil else name
    return f"{what} holds integers, which only NEAREST and NEAREST_MIPMAP_NEAREST filters can read"


def _gles_float_problem(texture: _Texture, limits: Limits) -> str:
    sampler = texture.sampler
    if sampler.mag_filter == e.MagFilter.NEAREST and sampler.min_filter in _NEAREST_ONLY:
        return ""
    for flagged, kind in ((texture.is_float, "float"), (texture.is_half_float, "half_float")):
        extension = f"GL_OES_texture_{kind}_linear"
        if flagged and not limits.has(extension):
            return f"a {kind.replace('_', ' ')} texture is filtered linearly only with {extension}"
    return ""
