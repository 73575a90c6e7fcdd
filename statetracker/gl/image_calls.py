"""GL's calls that specify one image of a texture: glTexImage*, glCompressedTexImage*, glCopyTexImage*.

No texel is kept. Checks are those that decide whether the images change: target, level, size, border, internal format,
pixels, immutability. Source: docs/textures.md (GL 4.6, sections 8.5 to 8.8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.compressed import family_of
from statetracker.gl.formats import internal_format
from statetracker.gl.names import gl_name, number
from statetracker.gl.parameter_calls import ParameterCalls
from statetracker.gl.pixels import misfit
from statetracker.gl.shapes import Image
from statetracker.gl.state import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE
from statetracker.gl.targets import FACE_TARGETS, POSITIVE_X, PROXIES, taking
from statetracker.gl.texture import FACES
from statetracker.gl.values import whole

if TYPE_CHECKING:
    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.texture import Texture

__all__ = ["CUBES", "ImageCalls"]

T = e.Target

#: Axes that an image has besides layers.
_PLANE: Final = 2
_IMAGE_TARGETS: Final = {dims: taking("image", dims) for dims in (1, 2, 3)}
#: Targets whose images are square.
CUBES: Final = FACE_TARGETS | {T.TEXTURE_CUBE_MAP, T.TEXTURE_CUBE_MAP_ARRAY}
_LEGACY_BASES: Final = ("ALPHA", "LUMINANCE", "LUMINANCE_ALPHA", "INTENSITY", "YCBCR")
_FLOAT_TYPES: Final = {0x1406: "is_float", 0x140B: "is_half_float", 0x8D61: "is_half_float"}


class ImageCalls(ParameterCalls):
    """Images of textures."""

    def image_format(self, value: object, call: str, error: str) -> InternalFormat | None:
        """Read an internal format that this context has, or record the error and give None."""
        given = number(value)
        fmt = internal_format(given)
        if fmt is None:
            self.fail(error, call, f"internalformat={gl_name(given)} is unknown; accepted: an internal format")
        elif not self._profile_has(fmt):
            profile = f"profile={self.limits.profile}"
            self.fail(error, call, f"internalformat={fmt.name} does not exist with {profile}; accepted: compatibility")
        elif fmt.extensions and not self.limits.has(*fmt.extensions) and self.limits.desktop:
            needs = " or ".join(fmt.extensions)
            self.fail(error, call, f"internalformat={fmt.name} does not exist in this context; it needs {needs}")
        else:
            return fmt
        return None

    def _profile_has(self, known: InternalFormat) -> bool:
        if self.limits.compatibility:
            return True
        if known.number <= 4 or known.base_format == "INTENSITY":
            return False
        return bool(self.limits.gles) or known.base_format not in _LEGACY_BASES

    def most(self, target: int) -> int:
        """Texels along an edge that the largest image of a target has."""
        if target == T.TEXTURE_3D:
            return self.limits.max_3d_size
        return self.limits.max_cube_size if target in CUBES else self.limits.max_texture_size

    def last_level(self, target: int) -> int:
        """The last level that images of a target can have."""
        levelled = target in FACE_TARGETS or T(target).mip_dimensions
        return self.most(target).bit_length() - 1 if levelled else 0

    def _bounds(self, target: int, level: int, least: int, border: int) -> list[tuple[int, int]]:
        """The smallest and the largest width, height, depth. Layers have no border and are alike on every level."""
        shrinking = 2 if target in FACE_TARGETS else T(target).mip_dimensions
        flat = not shrinking
        most = self.most(target) >> (0 if target == T.TEXTURE_CUBE_MAP_ARRAY else level)  # as Mesa does
        edge = least + 2 * border, most + 2 * border
        layers = least, self.limits.max_layers
        return [edge if axis < shrinking or (flat and axis < _PLANE) else layers for axis in range(3)]

    def size_fits(
        self,
        call: str,
        target: int,
        size: tuple[int, ...],
        *,
        level: int = 0,
        least: int = 0,
        border: int = 0,
        proxy: bool = False,
    ) -> bool | None:
        """Whether an image of a target can have a size; False: not, and the error is recorded.

        proxy   the call asks a proxy; None: the size is too large or of the wrong shape, which is no error there
        """
        names = ("width", "height", "depth")[: len(size)]
        whole(border=border, **dict(zip(names, size, strict=True)))
        for name, n, (low, high) in zip(names, size, self._bounds(target, level, least, border), strict=False):
            if n > high and proxy:
                return None
            if not low <= n <= high:
                self.fail(INVALID_VALUE, call, f"{name}={n} is out of range; accepted: {low} to {high}")
                return False
        if proxy:
            square = target not in CUBES or size[0] == size[1]
            return (square and (target != T.TEXTURE_CUBE_MAP_ARRAY or not size[2] % FACES)) or None
        if target in CUBES and size[0] != size[1]:
            self.fail(INVALID_VALUE, call, f"width={size[0]}, height={size[1]}; accepted: equal ones, for a cube")
            return False
        if target == T.TEXTURE_CUBE_MAP_ARRAY and size[2] % FACES:
            self.fail(INVALID_VALUE, call, f"depth={size[2]}; accepted: a multiple of {FACES}, for an array of cubes")
            return False
        return True

    def _place_fits(self, call: str, target: int, level: int, border: int) -> bool:
        """Whether images of a target can have a level and a border, or record the error."""
        rectangle = target == T.TEXTURE_RECTANGLE
        last = self.last_level(target)
        whole(level=level)
        if not 0 <= level <= last:
            self.fail(INVALID_VALUE, call, f"level={level} is no mipmap level; accepted: 0 to {last}")
            return False
        borders = (0, 1) if self.limits.compatibility and not rectangle else (0,)
        if border not in borders:
            self.fail(INVALID_VALUE, call, f"border={border}; accepted: {' or '.join(map(str, borders))}")
            return False
        return True

    def format_fits(self, call: str, target: int, fmt: InternalFormat) -> bool:
        """Whether a target has images in a format, or record the error."""
        family = family_of(fmt)
        if target == T.TEXTURE_3D and fmt.kind in ("depth", "ds", "stencil"):
            accepted = "a colour format"
        elif family is not None and not family.has(target):
            accepted = "a format without compression, or another target"
        else:
            return True
        message = f"internalformat={fmt.name} for target={gl_name(target, e.Target)}; accepted: {accepted}"
        self.fail(INVALID_OPERATION, call, message)
        return False

    def _made_of_texels(self, call: str, fmt: InternalFormat) -> bool:
        """Whether GL itself brings texels into a format, or record the error."""
        family = family_of(fmt)
        if family is None or family.online:
            return True
        message = f"internalformat={fmt.name} is not compressed to by GL; accepted there: glCompressedTexImage"
        self.fail(INVALID_OPERATION, call, message)
        return False

    def _image(
        self, call: str, dims: int, target: object, level: int, fmt: InternalFormat, size: tuple[int, ...], border: int
    ) -> Texture | None:
        where = number(target)
        proxied = PROXIES.get(where, where)
        proxy = where in PROXIES
        known = proxy and self._is_proxy(where, dims)
        if not known and self.target_named(where, call, _IMAGE_TARGETS[dims]) is None:
            return None
        if not self._place_fits(call, proxied, level, border):
            return None
        fits = self.size_fits(call, proxied, size, level=level, border=border, proxy=proxy)
        if fits is False or not self.format_fits(call, proxied, fmt):
            return None
        if proxy:
            self._answer(self.proxy(where), level, Image(fmt, *_stripped(proxied, size, border)) if fits else None)
            return None
        texture = self.bound(T.TEXTURE_CUBE_MAP if where in FACE_TARGETS else where)
        if not self.respecifiable(texture, call):
            return None
        self._put(texture, where, level, Image(fmt, *_stripped(texture.target, size, border)))
        return texture

    def _is_proxy(self, target: int, dims: int) -> bool:
        """Whether a proxy target belongs to a glTexImage call of that dimension. GLES has no proxies."""
        proxied = PROXIES[target]
        taken = proxied in _IMAGE_TARGETS[dims] or (proxied == T.TEXTURE_CUBE_MAP and dims == _PLANE)
        return self.limits.desktop and taken and proxied in self.gates.targets

    def proxy(self, target: int) -> Texture:
        """The texture that keeps what a proxy target answers."""
        texture = self.proxies.get(target)
        if texture is None:
            texture = self.proxies[target] = self.new_texture(PROXIES[target], by_bind=False)
        return texture

    def _answer(self, proxy: Texture, level: int, image: Image | None) -> None:
        """Give a proxy's level an image, or none: it could not have it."""
        if image is None:
            proxy.images.pop((0, level), None)
        else:
            proxy.put_image(0, level, image)

    def respecifiable(self, texture: Texture, call: str) -> bool:
        """Whether a texture may get new images, or record why not."""
        if texture.immutable_levels:
            message = f"texture={texture.label} has immutable storage; accepted: a texture without glTexStorage"
            self.fail(INVALID_OPERATION, call, message)
            return False
        return self.changeable(texture, call)

    def _put(self, texture: Texture, target: int, level: int, image: Image) -> None:
        face = target - POSITIVE_X if target in FACE_TARGETS else 0
        texture.put_image(face, level, image)
        if texture.generate_mipmap and level == texture.base_level:
            texture.generate(face)

    def _specify(
        self,
        call: str,
        dims: int,
        target: object,
        level: int,
        internalformat: object,
        size: tuple[int, ...],
        border: int,
        pixels: tuple[object, object],
    ) -> None:
        known = self.image_format(internalformat, call, INVALID_VALUE)
        if known is None:
            return
        fmt, kind = number(pixels[0]), number(pixels[1])
        problem = misfit(known, fmt, kind, gles=not self.limits.desktop)
        if problem is not None:
            self.fail(problem[0], call, problem[1])
            return
        if not self._made_of_texels(call, known):
            return
        texture = self._image(call, dims, target, level, known, size, border)
        if texture is not None and self.limits.gles and known.number == fmt and kind in _FLOAT_TYPES:
            texture.store(_FLOAT_TYPES[kind], value=True)

    def _compress(
        self, call: str, dims: int, target: object, level: int, fmt: object, size: tuple[int, ...], border: int
    ) -> None:
        known = self.image_format(fmt, call, INVALID_ENUM)
        if known is None:
            return
        if dims == 1 or family_of(known) is None:
            message = f"internalformat={known.name}; accepted: a specific compressed format, in 2 or 3 dimensions"
            self.fail(INVALID_ENUM, call, message)
            return
        self._image(call, dims, target, level, known, size, border)

    def _copy(
        self, call: str, dims: int, target: object, level: int, fmt: object, size: tuple[int, ...], border: int
    ) -> None:
        known = self.image_format(fmt, call, INVALID_ENUM)
        if known is not None and known.number <= 4:
            self.fail(INVALID_ENUM, call, f"internalformat={known.name}; accepted: an internal format with a name")
        elif known is not None and self._made_of_texels(call, known):
            self._image(call, dims, target, level, known, size, border)

    # Argument lists as GL has them, in rows.
    # fmt: off
    def glTexImage1D(
        self, target: object, level: int, internalformat: object, width: int, border: int, format: object,
        type: object, pixels: object = None,
    ) -> None:
        """Give a 1D texture one level's image."""
        del pixels
        self._specify("glTexImage1D", 1, target, level, internalformat, (width,), border, (format, type))

    def glTexImage2D(
        self, target: object, level: int, internalformat: object, width: int, height: int, border: int,
        format: object, type: object, pixels: object = None,
    ) -> None:
        """Give a 2D, rectangle or 1D-array texture, or one cube face, one level's image."""
        del pixels
        self._specify("glTexImage2D", 2, target, level, internalformat, (width, height), border, (format, type))

    def glTexImage3D(
        self, target: object, level: int, internalformat: object, width: int, height: int, depth: int, border: int,
        format: object, type: object, pixels: object = None,
    ) -> None:
        """Give a 3D, 2D-array or cube-array texture one level's image."""
        del pixels
        size = (width, height, depth)
        self._specify("glTexImage3D", 3, target, level, internalformat, size, border, (format, type))

    def glCompressedTexImage1D(
        self, target: object, level: int, internalformat: object, width: int, border: int = 0, imageSize: int = 0,
        data: object = None,
    ) -> None:
        """Refuse: no compressed format is one-dimensional."""
        del imageSize, data
        self._compress("glCompressedTexImage1D", 1, target, level, internalformat, (width,), border)

    def glCompressedTexImage2D(
        self, target: object, level: int, internalformat: object, width: int, height: int, border: int = 0,
        imageSize: int = 0, data: object = None,
    ) -> None:
        """Give one level's image in a compressed format."""
        del imageSize, data
        self._compress("glCompressedTexImage2D", 2, target, level, internalformat, (width, height), border)

    def glCompressedTexImage3D(
        self, target: object, level: int, internalformat: object, width: int, height: int, depth: int,
        border: int = 0, imageSize: int = 0, data: object = None,
    ) -> None:
        """Give one level's image in a compressed format."""
        del imageSize, data
        self._compress("glCompressedTexImage3D", 3, target, level, internalformat, (width, height, depth), border)

    def glCopyTexImage1D(
        self, target: object, level: int, internalformat: object, x: int, y: int, width: int, border: int = 0
    ) -> None:
        """Give one level's image from the framebuffer."""
        del x, y
        self._copy("glCopyTexImage1D", 1, target, level, internalformat, (width,), border)

    def glCopyTexImage2D(
        self, target: object, level: int, internalformat: object, x: int, y: int, width: int, height: int,
        border: int = 0,
    ) -> None:
        """Give one level's image from the framebuffer."""
        del x, y
        self._copy("glCopyTexImage2D", 2, target, level, internalformat, (width, height), border)

    # fmt: on


def _stripped(target: int, size: tuple[int, ...], border: int) -> tuple[int, int, int]:
    """Take the border off: samplers never see it, and the size that counts is the one within."""
    shrinking = T(target).mip_dimensions
    inner = [n - 2 * border if i < shrinking else n for i, n in enumerate(size)]
    width, height, depth = (*inner, 1, 1)[:3]
    return width, height, depth
