"""GL's calls on images of a texture: those that specify one, make images of others, and ask for one.

They are glTexImage*, glCompressedTexImage*, glCopyTexImage*; mipmap generation and texture views; queries of a level.
No texel is kept. Checks are those that decide whether the images change: target, level, size, border, internal format,
pixels, immutability. Source: docs/textures.md (GL 4.6, sections 8.5 to 8.8, 8.11, 8.14.4, 8.18).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.completeness import ViewOf
from statetracker.gl.formats import family_of, has_copies, has_mipmaps
from statetracker.gl.getters import get_level
from statetracker.gl.image_rules import ImageRules
from statetracker.gl.names import gl_name, glenum, listing, whole_size
from statetracker.gl.object_names import listed
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE, Refusal
from statetracker.gl.pixels import PIXEL_FORMATS, misfit, mismatch
from statetracker.gl.state import BIND_TARGETS
from statetracker.gl.targets import (
    FACE_TARGETS,
    POSITIVE_X,
    PROXIES,
    TARGETS,
    Image,
    compatible,
    layers_problem,
    view_size,
)

if TYPE_CHECKING:
    from statetracker.gl.floats import Number
    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.texture import Texture

T = e.Target

_FLOAT_TYPES: Final = {0x1406: "is_float", 0x140B: "is_half_float", 0x8D61: "is_half_float"}

#: Targets that have YCbCr images.
_YCBCR: Final = (T.TEXTURE_2D, T.TEXTURE_RECTANGLE)
_MIPMAPPED: Final = frozenset(int(t) for t in T if t.mip_dimensions)
_WITH_LEVELS: Final = (frozenset(TARGETS) - {int(T.TEXTURE_CUBE_MAP), int(T.TEXTURE_EXTERNAL_OES)}) | FACE_TARGETS


class ImageCalls(ImageRules):
    """Images of textures, mipmaps, views, and what one level is."""

    def _image(
        self, where: int, level: int, fmt: InternalFormat, size: tuple[int, ...], border: int, *, copied: bool = False
    ) -> Texture | None:
        """Put an image where it belongs; None: a proxy keeps it, or nothing where it could not have it."""
        proxy, target = where in PROXIES, PROXIES.get(where, where)
        own = int(T.TEXTURE_CUBE_MAP) if target in FACE_TARGETS else target
        texture = self.proxy(where) if proxy else self.respecifiable(self.bound(own))
        fits = self.size_fits(target, size, level=level, border=border, proxy=proxy)
        image = Image(self.made(fmt, own), *_stripped(own, size, 0 if proxy else border, copied=copied))
        if not fits:
            texture.images.pop((0, level), None)
            return None
        face = target - POSITIVE_X if target in FACE_TARGETS else 0
        texture.put_image(face, level, image)
        if texture.generate_mipmap and level == texture.base_level:
            texture.generate(face)
        return None if proxy else texture

    def _filled(self, where: int, internalformat: object, border: int, pixels: tuple[int, int]) -> InternalFormat:
        """Return the internal format that a call means, if its pixels are some and fill it, and the target has it."""
        gles = not self.limits.desktop
        problem = mismatch(*pixels, gles=gles)
        if problem is not None:
            raise Refusal(*problem)
        known = self.image_format(internalformat, INVALID_VALUE)
        problem = misfit(known, *pixels, gles=gles)
        if problem is None or (not gles and PIXEL_FORMATS[pixels[0]].holds == "integer"):  # refused after the target
            self.check_compression(where, known)
            self.check_depth(where, known)
        if problem is not None:
            raise Refusal(*problem)
        self.check_online(known)
        self.check_border(known, border)
        target = PROXIES.get(where, where)
        if known.base_format == "YCBCR" and (target not in _YCBCR or border):
            given = f"internalformat={known.name} for target={gl_name(target, T)}, border={border}"
            error = INVALID_VALUE if target in _YCBCR else INVALID_ENUM
            raise Refusal(error, f"{given}; accepted: 2D or rectangle textures, border 0")
        return known

    def _specify(
        self,
        target: object,
        level: int,
        internalformat: object,
        size: tuple[int, ...],
        border: int,
        pixels: tuple[object, object],
    ) -> None:
        where = self.aimed_image(len(size), target)
        self.check_place(PROXIES.get(where, where), level, border)
        self._check_counts(where, level, size, border)
        fmt, kind = glenum(pixels[0]), glenum(pixels[1])
        known = self._filled(where, internalformat, border, (fmt, kind))
        texture = self._image(where, level, known, size, border)
        if texture is not None and self.limits.gles and known.number == fmt and kind in _FLOAT_TYPES:
            texture.store(_FLOAT_TYPES[kind], value=True)

    def _check_counts(self, where: int, level: int, size: tuple[int, ...], border: int) -> None:
        """Check that no size is below 0."""
        whole_size(size, border=border)
        if min(size) < 0:
            self.size_fits(PROXIES.get(where, where), size, level=level, border=border)

    def _compress(self, target: object, level: int, fmt: object, size: tuple[int, ...], border: int) -> None:
        """Set an image that is compressed already. Mesa looks at the format first, and then for a border."""
        where = self.aimed_image(len(size), target)
        known = self.image_format(fmt, INVALID_ENUM)
        if len(size) == 1 or family_of(known) is None:
            message = f"internalformat={known.name}; accepted: a specific compressed format, in 2 or 3 dimensions"
            raise Refusal(INVALID_ENUM, message)
        self.check_compression(where, known)
        self.check_depth(where, known)
        self.check_place(PROXIES.get(where, where), level, 0 if self.limits.desktop else border)
        self.check_border(known, border)
        self._check_counts(where, level, size, border)
        self._image(where, level, known, size, border)

    def _copy(self, target: object, level: int, fmt: object, size: tuple[int, ...], border: int) -> None:
        where = self.aimed_image(len(size), target, copies=True)
        self.check_place(where, level, border)
        whole_size(size, border=border)
        known = self.image_format(fmt, INVALID_ENUM)
        if known.number <= 4:
            raise Refusal(INVALID_ENUM, f"internalformat={known.name}; accepted: an internal format with a name")
        if not has_copies(known, gles=bool(self.limits.gles)):
            message = f"internalformat={known.name} cannot be copied to; accepted: what a framebuffer can hold"
            raise Refusal(INVALID_OPERATION, message)
        self.check_compression(where, known)
        self.check_depth(where, known)
        self.check_online(known)
        self.check_border(known, border)
        self._image(where, level, known, size, border, copied=True)

    # Argument lists as GL has them, in rows.
    # fmt: off
    def glTexImage1D(
        self, target: object, level: int, internalformat: object, width: int, border: int, format: object,
        type: object, pixels: object = None,
    ) -> None:
        """Set one level's image of a 1D texture."""
        self._specify(target, level, internalformat, (width,), border, (format, type))

    def glTexImage2D(
        self, target: object, level: int, internalformat: object, width: int, height: int, border: int,
        format: object, type: object, pixels: object = None,
    ) -> None:
        """Set one level's image of a 2D, rectangle or 1D-array texture, or of a cube face."""
        self._specify(target, level, internalformat, (width, height), border, (format, type))

    def glTexImage3D(
        self, target: object, level: int, internalformat: object, width: int, height: int, depth: int, border: int,
        format: object, type: object, pixels: object = None,
    ) -> None:
        """Set one level's image of a 3D, 2D-array or cube-array texture."""
        self._specify(target, level, internalformat, (width, height, depth), border, (format, type))

    def glCompressedTexImage1D(
        self, target: object, level: int, internalformat: object, width: int, border: int = 0, imageSize: int = 0,
        data: object = None,
    ) -> None:
        """Refuse: no compressed format is one-dimensional."""
        self._compress(target, level, internalformat, (width,), border)

    def glCompressedTexImage2D(
        self, target: object, level: int, internalformat: object, width: int, height: int, border: int = 0,
        imageSize: int = 0, data: object = None,
    ) -> None:
        """Set one level's image in a compressed format."""
        self._compress(target, level, internalformat, (width, height), border)

    def glCompressedTexImage3D(
        self, target: object, level: int, internalformat: object, width: int, height: int, depth: int,
        border: int = 0, imageSize: int = 0, data: object = None,
    ) -> None:
        """Set one level's image in a compressed format."""
        self._compress(target, level, internalformat, (width, height, depth), border)

    def glCopyTexImage1D(
        self, target: object, level: int, internalformat: object, x: int, y: int, width: int, border: int = 0
    ) -> None:
        """Set one level's image from the framebuffer."""
        self._copy(target, level, internalformat, (width,), border)

    def glCopyTexImage2D(
        self, target: object, level: int, internalformat: object, x: int, y: int, width: int, height: int,
        border: int = 0,
    ) -> None:
        """Set one level's image from the framebuffer."""
        self._copy(target, level, internalformat, (width, height), border)

    # fmt: on

    def glGenerateMipmap(self, target: object) -> None:
        """Fill the chain above the base level of the bound texture."""
        self._generate(self.bound_to(target, _MIPMAPPED))

    def glGenerateTextureMipmap(self, texture: int) -> None:
        """Fill the chain above the base level of a texture."""
        named = self._targeted(texture)
        self.target_named(named.target, _MIPMAPPED)
        self._generate(named)

    def _targeted(self, texture: int) -> Texture:
        """Return the texture of a name; one that got no target yet has a wrong one."""
        if texture in self.textures and self.textures[texture] is None:
            raise Refusal(INVALID_ENUM, f"texture={texture} has no target yet; accepted: {listed(self.textures)}")
        return self.named(texture, BIND_TARGETS)

    def _generate(self, texture: Texture) -> None:
        if texture.max_level <= texture.base_level:
            return  # before anything is looked at, as Mesa does
        base, given = texture.base_image(), f"texture={texture.label or 0}"
        if base is not None and not has_mipmaps(base.format, gles=bool(self.limits.gles)):
            message = f"{given} is {base.format.name}; accepted: a format that can be filtered"
            raise Refusal(INVALID_OPERATION, message)
        if base is not None and not (base.width and base.height and base.depth):
            return  # Mesa has nothing to do, and says nothing
        problem = texture.examine().base
        if base is None or problem:
            why = problem or f"there is no image at BASE_LEVEL {texture.base_level}"
            raise Refusal(INVALID_OPERATION, f"{given}: {why}; accepted: a complete base level")
        self.changeable(texture)
        for face in range(texture.faces):
            texture.generate(face)

    # An argument list as GL has it, in rows.
    # fmt: off
    def glTextureView(
        self, texture: int, target: object, origtexture: int, internalformat: object, minlevel: int,
        numlevels: int, minlayer: int, numlayers: int,
    ) -> None:
        """Make a name a view of part of another texture. It starts with a new object's sampler and parameters."""
        parent = self._view_parent(texture, origtexture)
        where = self._view_target(parent, target)
        levels = min(numlevels, parent.immutable_levels - minlevel)
        layers = min(numlayers, parent.layers - minlayer)
        _check_shown("level", minlevel, levels, parent.immutable_levels)
        _check_shown("layer", minlayer, layers, parent.layers)
        known, own = self.image_format(internalformat, INVALID_OPERATION), parent.images[0, 0].format
        if not compatible(known, own):
            message = f"internalformat={known.name}; accepted: {own.name} or a format of its view class"
            raise Refusal(INVALID_OPERATION, message)
        source = parent.images[0, minlevel]
        problem = layers_problem(where, numlayers, layers, (source.width, source.height))
        if problem is not None:
            raise Refusal(*problem)
        view = self.become(texture, where, by_bind=False)
        size = view_size(where, parent.target, source, layers)
        view.allocate(known, size, levels, source.samples, immutable=True)
        above = parent.view or ViewOf(0, 0, 0, parent.immutable_levels)
        view.view = ViewOf(above.min_level + minlevel, above.min_layer + minlayer, layers, above.parent_levels)

    # fmt: on

    def _view_parent(self, texture: int, origtexture: int) -> Texture:
        parent = self.textures.get(origtexture)
        if parent is None and origtexture not in self.textures:
            raise Refusal(INVALID_VALUE, self._no_texture(f"origtexture={origtexture}"))
        if parent is None or not parent.immutable_levels:
            message = f"origtexture={origtexture} has no immutable storage; accepted: a texture from glTexStorage"
            raise Refusal(INVALID_OPERATION, message)
        if texture == 0:
            raise Refusal(INVALID_VALUE, "texture=0; accepted: a name from glGenTextures")
        if texture not in self.textures or self.textures[texture] is not None:
            message = f"texture={texture} is not a name without a texture; accepted: a new name from glGenTextures"
            raise Refusal(INVALID_OPERATION, message)
        return parent

    def _view_target(self, parent: Texture, target: object) -> int:
        where = glenum(target)
        accepted = self.availability.targets.intersection(TARGETS[parent.target].views)
        if where not in accepted:
            message = f"target={gl_name(where)} for a view of a GL_{T(parent.target).name}"
            raise Refusal(INVALID_OPERATION, f"{message}; accepted: {listing(accepted, T)}")
        return where

    def _level(self, texture: Texture, face: int, level: int, pname: object) -> list[Number]:
        absent = 0x1908
        if texture.target == T.TEXTURE_BUFFER:
            absent = 0x8040 if self.limits.compatibility else 0x8229  # LUMINANCE8, R8
        return get_level(texture, face, level, glenum(pname), self.last_level(texture.target), absent)

    def _level_at(self, target: object, level: int, pname: object) -> list[Number]:
        where = glenum(target)
        if self.limits.desktop and PROXIES.get(where, 0) in self.availability.targets:
            return self._level(self.proxy(where), 0, level, pname)
        if self.target_named(where, _WITH_LEVELS) in FACE_TARGETS:
            return self._level(self.bound(T.TEXTURE_CUBE_MAP), where - POSITIVE_X, level, pname)
        return self._level(self.bound(where), 0, level, pname)

    def glGetTextureLevelParameteriv(self, texture: int, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples by name."""
        return self._level(self._targeted(texture), 0, level, pname)

    def glGetTextureLevelParameterfv(self, texture: int, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples by name, as floats."""
        return list(map(float, self._level(self._targeted(texture), 0, level, pname)))

    def glGetTexLevelParameteriv(self, target: object, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples."""
        return self._level_at(target, level, pname)

    def glGetTexLevelParameterfv(self, target: object, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples, as floats."""
        return list(map(float, self._level_at(target, level, pname)))


def _stripped(target: int, size: tuple[int, ...], border: int, *, copied: bool) -> tuple[int, int, int]:
    """Take the border off, as Mesa does: samplers never see it.

    In a ``copied`` image every axis has one, layers too; otherwise heights and depths of 2 have none to take off.
    """
    edges = len(size) if copied else T(target).mip_dimensions
    inner = [max(n - 2 * border, 0) if i < edges and (copied or n > 2 or i == 0) else n for i, n in enumerate(size)]
    width, height, depth = (*inner, 1, 1)[:3]
    return width, height, depth


def _check_shown(name: str, first: int, count: int, most: int) -> None:
    """Check that a view shows some of its parent's levels, or layers."""
    if first < 0 or count < 1:
        shown = f"min{name}={first}, num{name}s={count} show nothing"
        raise Refusal(INVALID_VALUE, f"{shown}; accepted: some of {name}s 0 to {most - 1}")
