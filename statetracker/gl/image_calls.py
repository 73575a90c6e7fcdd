"""GL's calls that specify one image of a texture: glTexImage*, glCompressedTexImage*, glCopyTexImage*.

No texel is kept. Checks are those that decide whether the images change: target, level, size, border, internal format,
pixels, immutability. Source: docs/textures.md (GL 4.6, sections 8.5 to 8.8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.formats import family_of, has_copies
from statetracker.gl.image_rules import ImageRules
from statetracker.gl.names import glenum, whole
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE
from statetracker.gl.pixels import PIXEL_FORMATS, misfit, mismatch
from statetracker.gl.targets import FACE_TARGETS, POSITIVE_X, PROXIES, Image

if TYPE_CHECKING:
    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.texture import Texture

T = e.Target

_FLOAT_TYPES: Final = {0x1406: "is_float", 0x140B: "is_half_float", 0x8D61: "is_half_float"}


class ImageCalls(ImageRules):
    """Images of textures."""

    def _image(
        self, call: str, where: int, level: int, fmt: InternalFormat, size: tuple[int, ...], border: int
    ) -> Texture | None:
        target = PROXIES.get(where, where)
        own = int(T.TEXTURE_CUBE_MAP) if target in FACE_TARGETS else target
        if where not in PROXIES and not self.respecifiable(self.bound(own), call):
            return None
        fits = self.size_fits(call, target, size, level=level, border=border, proxy=where in PROXIES)
        if fits is False:
            return None
        taken_off = 0 if where in PROXIES else border
        image = Image(self.made(fmt, own), *_stripped(own, size, taken_off, copied=call.startswith("glCopy")))
        if where in PROXIES:
            self._answer(self.proxy(where), level, image if fits else None)
            return None
        texture = self.bound(own)
        self._put(texture, where, level, image)
        return texture

    def _answer(self, proxy: Texture, level: int, image: Image | None) -> None:
        """Give a proxy's level an image, or none: it could not have it."""
        if image is None:
            proxy.images.pop((0, level), None)
        else:
            proxy.put_image(0, level, image)

    def _put(self, texture: Texture, target: int, level: int, image: Image) -> None:
        face = target - POSITIVE_X if target in FACE_TARGETS else 0
        texture.put_image(face, level, image)
        if texture.generate_mipmap and level == texture.base_level:
            texture.generate(face)

    def _place(self, call: str, dims: int, target: object, level: int, border: int) -> int | None:
        """The target that a call means, where it has such a level and border."""
        where = self.aimed_image(call, dims, target)
        fits = where is not None and self.place_fits(call, PROXIES.get(where, where), level, border)
        return where if fits else None

    def _filled(
        self, call: str, where: int, internalformat: object, border: int, pixels: tuple[int, int]
    ) -> InternalFormat | None:
        """The internal format that a call means, where its pixels are some and fill it, and the target has it."""
        gles = not self.limits.desktop
        problem = mismatch(*pixels, gles=gles)
        known = self.image_format(internalformat, call, INVALID_VALUE) if problem is None else None
        if known is not None:
            problem = misfit(known, *pixels, gles=gles)
            whole_numbers = not gles and PIXEL_FORMATS[pixels[0]].holds == "integer"  # refused after the target
            if (problem is None or whole_numbers) and not self.format_fits(call, where, known):
                return None
        if problem is not None:
            self.fail(problem[0], call, problem[1])
        elif known is not None and self.made_of_texels(call, known) and self.border_fits(call, known, border):
            return known if self.ycbcr_fits(call, PROXIES.get(where, where), known, border) else None
        return None

    def _specify(
        self,
        call: str,
        target: object,
        level: int,
        internalformat: object,
        size: tuple[int, ...],
        border: int,
        pixels: tuple[object, object],
    ) -> None:
        where = self._place(call, len(size), target, level, border)
        if where is None or not self._counts(call, PROXIES.get(where, where), level, size, border):
            return
        fmt, kind = glenum(pixels[0]), glenum(pixels[1])
        known = self._filled(call, where, internalformat, border, (fmt, kind))
        if known is None:
            return
        texture = self._image(call, where, level, known, size, border)
        if texture is not None and self.limits.gles and known.number == fmt and kind in _FLOAT_TYPES:
            texture.store(_FLOAT_TYPES[kind], value=True)

    def _counts(self, call: str, target: int, level: int, size: tuple[int, ...], border: int) -> bool:
        """Whether no size is below 0, or record the error."""
        whole(border=border, **dict(zip(("width", "height", "depth"), size, strict=False)))
        return min(size) >= 0 or bool(self.size_fits(call, target, size, level=level, border=border))

    def _compress(self, call: str, target: object, level: int, fmt: object, size: tuple[int, ...], border: int) -> None:
        """Give an image that is compressed already. Mesa looks at the format first, and then for a border."""
        where = self.aimed_image(call, len(size), target)
        known = None if where is None else self.image_format(fmt, call, INVALID_ENUM)
        if where is None or known is None:
            return
        of = PROXIES.get(where, where)
        if len(size) == 1 or family_of(known) is None:
            message = f"internalformat={known.name}; accepted: a specific compressed format, in 2 or 3 dimensions"
            self.fail(INVALID_ENUM, call, message)
        elif (
            self.format_fits(call, where, known)
            and self.place_fits(call, of, level, 0 if self.limits.desktop else border)
            and self.border_fits(call, known, border)
            and self._counts(call, of, level, size, border)
        ):
            self._image(call, where, level, known, size, border)

    def _copy(self, call: str, target: object, level: int, fmt: object, size: tuple[int, ...], border: int) -> None:
        where = self._place(call, len(size), target, level, border)
        whole(border=border, **dict(zip(("width", "height"), size, strict=False)))
        known = None if where is None else self.image_format(fmt, call, INVALID_ENUM)
        if where is None or known is None:
            return
        if known.number <= 4:
            self.fail(INVALID_ENUM, call, f"internalformat={known.name}; accepted: an internal format with a name")
        elif not has_copies(known, gles=bool(self.limits.gles)):
            message = f"internalformat={known.name} cannot be copied to; accepted: what a framebuffer can hold"
            self.fail(INVALID_OPERATION, call, message)
        elif (
            self.format_fits(call, where, known)
            and self.made_of_texels(call, known)
            and self.border_fits(call, known, border)
        ):
            self._image(call, where, level, known, size, border)

    # Argument lists as GL has them, in rows.
    # fmt: off
    def glTexImage1D(
        self, target: object, level: int, internalformat: object, width: int, border: int, format: object,
        type: object, pixels: object = None,
    ) -> None:
        """Give a 1D texture one level's image."""
        del pixels
        self._specify("glTexImage1D", target, level, internalformat, (width,), border, (format, type))

    def glTexImage2D(
        self, target: object, level: int, internalformat: object, width: int, height: int, border: int,
        format: object, type: object, pixels: object = None,
    ) -> None:
        """Give a 2D, rectangle or 1D-array texture, or one cube face, one level's image."""
        del pixels
        self._specify("glTexImage2D", target, level, internalformat, (width, height), border, (format, type))

    def glTexImage3D(
        self, target: object, level: int, internalformat: object, width: int, height: int, depth: int, border: int,
        format: object, type: object, pixels: object = None,
    ) -> None:
        """Give a 3D, 2D-array or cube-array texture one level's image."""
        del pixels
        size = (width, height, depth)
        self._specify("glTexImage3D", target, level, internalformat, size, border, (format, type))

    def glCompressedTexImage1D(
        self, target: object, level: int, internalformat: object, width: int, border: int = 0, imageSize: int = 0,
        data: object = None,
    ) -> None:
        """Refuse: no compressed format is one-dimensional."""
        del imageSize, data
        self._compress("glCompressedTexImage1D", target, level, internalformat, (width,), border)

    def glCompressedTexImage2D(
        self, target: object, level: int, internalformat: object, width: int, height: int, border: int = 0,
        imageSize: int = 0, data: object = None,
    ) -> None:
        """Give one level's image in a compressed format."""
        del imageSize, data
        self._compress("glCompressedTexImage2D", target, level, internalformat, (width, height), border)

    def glCompressedTexImage3D(
        self, target: object, level: int, internalformat: object, width: int, height: int, depth: int,
        border: int = 0, imageSize: int = 0, data: object = None,
    ) -> None:
        """Give one level's image in a compressed format."""
        del imageSize, data
        self._compress("glCompressedTexImage3D", target, level, internalformat, (width, height, depth), border)

    def glCopyTexImage1D(
        self, target: object, level: int, internalformat: object, x: int, y: int, width: int, border: int = 0
    ) -> None:
        """Give one level's image from the framebuffer."""
        del x, y
        self._copy("glCopyTexImage1D", target, level, internalformat, (width,), border)

    def glCopyTexImage2D(
        self, target: object, level: int, internalformat: object, x: int, y: int, width: int, height: int,
        border: int = 0,
    ) -> None:
        """Give one level's image from the framebuffer."""
        del x, y
        self._copy("glCopyTexImage2D", target, level, internalformat, (width, height), border)

    # fmt: on


def _stripped(target: int, size: tuple[int, ...], border: int, *, copied: bool) -> tuple[int, int, int]:
    """Take the border off, as Mesa does: samplers never see it.

    copied   every axis has one, layers too; otherwise heights and depths of 2 have none to take off
    """
    edges = len(size) if copied else T(target).mip_dimensions
    inner = [max(n - 2 * border, 0) if i < edges and (copied or n > 2 or i == 0) else n for i, n in enumerate(size)]
    width, height, depth = (*inner, 1, 1)[:3]
    return width, height, depth
