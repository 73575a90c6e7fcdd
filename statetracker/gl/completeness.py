"""GL's completeness rules, in the order in which they decide whether a texture can be sampled, and which part.

`Images.examine` decides base and mipmap completeness by the images alone; `missing` adds the sampler that applies.
`Images.part` says which levels and layers of its storage a texture shows. Source: docs/textures.md (GL 4.6, 8.14.3
"Mipmapping", 8.17, 8.18 "Texture Views"; recorded live on Mesa 22.3.6, and observed on its zink).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import enums as e
from statetracker.gl.limits import RELEASES
from statetracker.gl.targets import FACES, MULTISAMPLE, chain_length

if TYPE_CHECKING:
    from statetracker.gl.facts import TextureFacts
    from statetracker.gl.limits import Limits
    from statetracker.gl.names import GLWord, Settable
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


_NEAREST_ONLY: Final = (e.MinFilter.NEAREST, e.MinFilter.NEAREST_MIPMAP_NEAREST)
_AVERAGE: Final = e.ReductionMode.WEIGHTED_AVERAGE
T = e.Target
_BUFFER: Final = int(T.TEXTURE_BUFFER)


def _reads_nearest(sampler: Sampler) -> bool:
    return sampler.mag_filter == e.MagFilter.NEAREST and sampler.min_filter in _NEAREST_ONLY


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


#: What completeness reads of a texture, and what it keeps.
_READ: Final = (
    *("target", "base_level", "max_level", "immutable_levels", "view", "images", "sampler", "stencil_mode"),
    *("is_integer", "is_float", "is_half_float", "examined", "known_facts", "view_range"),
)


class Images:
    """The images of a texture, and what of it decides whether they are complete."""

    __slots__ = (*_READ,)  # not one by one: else pyright takes no `Settable` for what it is

    target: Settable[int, GLWord]
    base_level: int
    max_level: int
    immutable_levels: int
    view: ViewOf | None
    images: dict[tuple[int, int], Image]
    sampler: Sampler
    stencil_mode: Settable[int, GLWord]
    is_integer: bool
    is_float: bool
    is_half_float: bool
    examined: Completeness | None
    known_facts: TextureFacts | None
    view_range: ViewRange | None

    @property
    def stencil_sampling(self) -> bool:
        """True where the stencil part is what shaders read."""
        return self.stencil_mode == e.DepthStencilMode.STENCIL_INDEX

    @property
    def faces(self) -> int:
        """6 for a cube map, else 1."""
        return FACES if self.target == T.TEXTURE_CUBE_MAP else 1

    @property
    def layers(self) -> int:
        """Array layers of the base image, or of the storage: those of an array texture, 6 for a cube map, else 1."""
        base = self.images.get((0, 0)) if self.immutable_levels else self.base_image()
        if base is None or self.target == T.TEXTURE_3D:
            return 1
        return FACES if self.faces == FACES else base.height if self.target == T.TEXTURE_1D_ARRAY else base.depth

    def base_image(self) -> Image | None:
        """Return the image at face 0 and the base level, if there is one."""
        return self.images.get((0, self.base_level))

    @property
    def size(self) -> tuple[int, int, int]:
        """Width, height, and depth or layers of the base level in texels; zeros without one."""
        base = self.base_image()
        return (base.width, base.height, base.depth) if base else (0, 0, 0)

    def examine(self) -> Completeness:
        """Test completeness as GL does before a draw, which also refreshes ``is_integer``."""
        if self.examined is None:
            self.examined = self._examine()
            integer = self.examined.is_integer
            if integer is not None and integer != self.is_integer:
                self.is_integer = integer
                self.known_facts = None
        return self.examined

    def _examine(self) -> Completeness:
        """Decide base and mipmap completeness, stopping at the first rule that decides."""
        if self.target == _BUFFER:
            return Completeness("", "", None)
        first, last = self.base_level, self.max_level
        if last < first:
            return Completeness("", f"MAX_LEVEL {last} is below BASE_LEVEL {first}", None)
        base = self.base_image()
        if base is None:
            problem = f"there is no image at BASE_LEVEL {first}"
            return Completeness(problem, problem, None)
        if not (base.width and base.height and base.depth):
            problem = f"the base image is {base.width}x{base.height}x{base.depth}"
            return Completeness(problem, problem, None)
        is_integer = base.format.is_integer
        problem = self._cube_problem(base)
        if problem:
            return Completeness(problem, problem, is_integer)
        return Completeness("", self._mipmap_problem(base), is_integer)

    def _cube_problem(self, base: Image) -> str:
        for face in range(1, self.faces):
            if self.images.get((face, self.base_level)) != base:
                return f"face {face} of the cube has no base image like that of face 0"
        if self.faces > 1 and base.width != base.height:
            return f"a cube's faces are {base.width}x{base.height}, not square"
        return ""

    def _mipmap_problem(self, base: Image) -> str:
        dimensions = e.MIP_DIMENSIONS[self.target]
        size = (base.width, base.height, base.depth)
        largest = max(size[:dimensions], default=1)
        last = min(self.max_level, self.base_level + largest.bit_length() - 1)
        if self.immutable_levels:
            last = min(last, self.immutable_levels - 1)
        find, fmt, faces = self.images.get, base.format, range(self.faces)
        width, height, depth = size
        for level in range(self.base_level + 1, last + 1):
            width = width >> 1 or 1
            if dimensions > 1:
                height = height >> 1 or 1
            if dimensions > 2:
                depth = depth >> 1 or 1
            for face in faces:
                image = find((face, level))
                if image is None:
                    return f"level {level} is missing (of {self.base_level}..{last})"
                if image.format is not fmt:
                    return f"level {level} is {image.format.name}, the base level {fmt.name}"
                if image.width != width or image.height != height or image.depth != depth:
                    return f"level {level} is {image.width}x{image.height}x{image.depth}, not {width}x{height}x{depth}"
        return ""

    def missing(self, sampler: Sampler | None = None, limits: Limits | None = None) -> str:
        """Return why the texture is incomplete with a sampler (None: its own); empty where it is complete.

        Args:
            sampler: None: the texture's own.
            limits: The context's release, profile and options; None: a desktop context of Mesa 22.3.
        """
        if self.target == _BUFFER:
            return ""
        sampler = self.sampler if sampler is None else sampler
        shape = self.examine()
        base = self.base_image()
        if self.target not in MULTISAMPLE:
            problem = self._integer_problem(base, sampler, limits) or (shape.mipmap if sampler.uses_mipmaps else "")
            if problem:
                return problem
        return shape.base or (self._gles_float_problem(limits) if limits is not None and limits.gles else "")

    def _integer_problem(self, base: Image | None, sampler: Sampler, limits: Limits | None) -> str:
        """Apply the integer rule. That a texture holds integers stays known while there is no base image to look at."""
        stencil = self.stencil_sampling and base is not None and base.format.base_format == "DEPTH_STENCIL"
        if not (self.is_integer or stencil) or _reads_nearest(sampler):
            return ""
        release = limits.release if limits else RELEASES["22.3"]
        if release.reduction_exempt and sampler.reduction_mode != _AVERAGE:
            return ""
        if self.is_integer and limits is not None and limits.force_integer_nearest:
            return ""
        name = "the texture" if base is None else base.format.name
        what = "the stencil part" if stencil else name
        return f"{what} holds integers, which only NEAREST and NEAREST_MIPMAP_NEAREST filters can read"

    def _gles_float_problem(self, limits: Limits) -> str:
        if _reads_nearest(self.sampler):
            return ""
        for flagged, kind in ((self.is_float, "float"), (self.is_half_float, "half_float")):
            extension = f"GL_OES_texture_{kind}_linear"
            if flagged and not limits.has(extension):
                return f"a {kind.replace('_', ' ')} texture is filtered linearly only with {extension}"
        return ""

    def part(self) -> ViewRange:
        """Return which levels and layers of its storage the texture shows.

        All levels that are mipmap complete, else the base level alone. A view's base level may lie above its levels,
        though not above its parent's: its last level stands for it.
        """
        if self.view_range is not None:
            return self.view_range
        view, first, end, levels = self.view, self.base_level, self.immutable_levels, 1
        if end:
            first = min(first, end - 1)
        if self.base_image() is not None and not self.examine().mipmap:
            last = first + chain_length(self.target, self.size) - 1
            levels = min(last, end - 1 if end else last, self.max_level) - first + 1
        if view is None:
            self.view_range = ViewRange(first, levels, 0, self.layers)
        else:
            self.view_range = ViewRange(view.min_level + first, levels, view.min_layer, view.layers, of_view=True)
        return self.view_range
