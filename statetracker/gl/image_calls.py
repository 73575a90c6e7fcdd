"""GL's calls that give a texture its images: glTexImage*, glTexStorage*, copies, views, mipmap generation.

No texel is kept. Checks are those that decide whether the images change: target, level, size, border, immutability,
and whether the context knows the internal format. Source: docs/textures.md (GL 4.6, sections 8.5 to 8.19).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.formats import InternalFormat, internal_format
from statetracker.gl.names import gl_name, number
from statetracker.gl.state import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE
from statetracker.gl.texture import FACES, Image, Texture
from statetracker.gl.parameter_calls import ParameterCalls

__all__ = ["ImageCalls"]

T = e.Target
POSITIVE_X: Final = 0x8515
PROXIES: Final = {0x8063: 1, 0x8064: 2, 0x8070: 3, 0x84F7: 2, 0x851B: 2, 0x8C19: 2, 0x8C1B: 3, 0x900B: 3}
_FACE_TARGETS: Final = frozenset(range(POSITIVE_X, POSITIVE_X + FACES))

#: Dimensions of the call -> targets it takes.
_IMAGE_TARGETS: Final = {
    1: frozenset({int(T.TEXTURE_1D)}),
    2: frozenset({int(T.TEXTURE_2D), int(T.TEXTURE_RECTANGLE), int(T.TEXTURE_1D_ARRAY)}) | _FACE_TARGETS,
    3: frozenset({int(T.TEXTURE_3D), int(T.TEXTURE_2D_ARRAY), int(T.TEXTURE_CUBE_MAP_ARRAY)}),
}
_STORAGE_TARGETS: Final = {1: _IMAGE_TARGETS[1], 2: _IMAGE_TARGETS[2] - _FACE_TARGETS | {0x8513}, 3: _IMAGE_TARGETS[3]}
_MULTISAMPLE_TARGETS: Final = {2: frozenset({0x9100}), 3: frozenset({0x9102})}

_FLOAT_TYPES: Final = {0x1406: "is_float", 0x140B: "is_half_float", 0x8D61: "is_half_float"}


class ImageCalls(ParameterCalls):
    """Images of textures."""

    def _texture_of(self, target: int) -> tuple[Texture, int]:
        if target in _FACE_TARGETS:
            return self.bound(T.TEXTURE_CUBE_MAP), target - POSITIVE_X
        return self.bound(target), 0

    def _format(self, value: object, call: str, error: str) -> InternalFormat | None:
        found = internal_format(number(value))
        if found is None:
            self.fail(error, call, f"internalformat={gl_name(number(value))} is no internal format of textures")
        elif found.extensions and not self.limits.has(*found.extensions) and self.limits.desktop:
            needs = " or ".join(found.extensions)
            self.fail(error, call, f"internalformat={found.name} needs {needs}, which this context lacks")
        else:
            return found
        return None

    def _image(  # noqa: PLR0911, PLR0913 (GL's arguments, one return a check)
        self, call: str, dims: int, target: object, level: int, fmt: object, size: tuple[int, ...], border: int = 0
    ) -> tuple[Texture, Image] | None:
        where = number(target)
        if where in PROXIES:
            return None
        if self.target_named(where, call, _IMAGE_TARGETS[dims], f"a target of a {dims}-dimensional image") is None:
            return None
        levels = 1 if where == T.TEXTURE_RECTANGLE else self.limits.max_texture_size.bit_length()
        if not 0 <= level < levels:
            self.fail(INVALID_VALUE, call, f"level={level} is not one of 0..{levels - 1}")
            return None
        border_allowed = self.limits.compatibility and where != T.TEXTURE_RECTANGLE
        if border not in ((0, 1) if border_allowed else (0,)):
            self.fail(INVALID_VALUE, call, f"border={border} is not accepted here")
            return None
        image_format = self._format(fmt, call, INVALID_VALUE)
        if image_format is None or not self._size_fits(call, where, size, border):
            return None
        if where == T.TEXTURE_3D and image_format.kind in ("depth", "ds"):
            self.fail(INVALID_OPERATION, call, f"internalformat={image_format.name}: no 3D texture holds depth")
            return None
        texture, face = self._texture_of(where)
        if texture.immutable_levels:
            self.fail(INVALID_OPERATION, call, "the texture's storage is immutable")
            return None
        width, height, depth = self._stripped(where, size, border)
        image = Image(image_format, width, height, depth)
        texture.put_image(face, level, image)
        return texture, image

    def _stripped(self, target: int, size: tuple[int, ...], border: int) -> tuple[int, int, int]:
        shrinks = e.Target(T.TEXTURE_CUBE_MAP if target in _FACE_TARGETS else target).mip_dimensions
        inner = [max(0, n - 2 * border) if i < shrinks else n for i, n in enumerate(size)]
        width, height, depth = (*inner, 1, 1)[:3]
        return width, height, depth

    def _size_fits(self, call: str, target: int, size: tuple[int, ...], border: int) -> bool:
        most = self.limits.max_texture_size + 2 * border
        for name, n in zip(("width", "height", "depth"), size, strict=False):
            if not 0 <= n <= most:
                self.fail(INVALID_VALUE, call, f"{name}={n} is not one of 0..{most}")
                return False
        if target in _FACE_TARGETS | {T.TEXTURE_CUBE_MAP, T.TEXTURE_CUBE_MAP_ARRAY} and size[0] != size[1]:
            self.fail(INVALID_VALUE, call, f"a cube's faces are square, not {size[0]}x{size[1]}")
            return False
        if target == T.TEXTURE_CUBE_MAP_ARRAY and size[2] % FACES:
            self.fail(INVALID_VALUE, call, f"depth={size[2]} is not a multiple of {FACES}")
            return False
        return True

    def _specify(  # noqa: PLR0913 (GL's arguments)
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
        fmt, kind = number(pixels[0]), number(pixels[1])
        known = internal_format(number(internalformat))
        if known is not None and not _pixels_fit(known, fmt):
            self.fail(INVALID_OPERATION, call, f"format={gl_name(fmt)} cannot fill internalformat={known.name}")
            return
        done = self._image(call, dims, target, level, internalformat, size, border)
        if done and self.limits.gles and number(internalformat) == fmt and kind in _FLOAT_TYPES:
            done[0].store(_FLOAT_TYPES[kind], value=True)

    def glTexImage1D(  # noqa: PLR0913 (GL's arguments, as below)
        self, target: object, level: int, internalformat: object, width: int, border: int, format: object,
        type: object, pixels: object = None,
    ) -> None:
        """Give a 1D texture one level's image."""
        del pixels
        self._specify("glTexImage1D", 1, target, level, internalformat, (width,), border, (format, type))

    def glTexImage2D(  # noqa: PLR0913
        self, target: object, level: int, internalformat: object, width: int, height: int, border: int,
        format: object, type: object, pixels: object = None,
    ) -> None:
        """Give a 2D, rectangle or 1D-array texture, or one cube face, one level's image."""
        del pixels
        self._specify("glTexImage2D", 2, target, level, internalformat, (width, height), border, (format, type))

    def glTexImage3D(  # noqa: PLR0913
        self, target: object, level: int, internalformat: object, width: int, height: int, depth: int, border: int,
        format: object, type: object, pixels: object = None,
    ) -> None:
        """Give a 3D, 2D-array or cube-array texture one level's image."""
        del pixels
        size = (width, height, depth)
        self._specify("glTexImage3D", 3, target, level, internalformat, size, border, (format, type))

    def glCompressedTexImage2D(  # noqa: PLR0913
        self, target: object, level: int, internalformat: object, width: int, height: int, border: int = 0,
        imageSize: int = 0, data: object = None,
    ) -> None:
        """Give one level's image in a compressed format."""
        del imageSize, data
        self._image("glCompressedTexImage2D", 2, target, level, internalformat, (width, height), border)

    def glCompressedTexImage3D(  # noqa: PLR0913
        self, target: object, level: int, internalformat: object, width: int, height: int, depth: int,
        border: int = 0, imageSize: int = 0, data: object = None,
    ) -> None:
        """Give one level's image in a compressed format."""
        del imageSize, data
        self._image("glCompressedTexImage3D", 3, target, level, internalformat, (width, height, depth), border)

    def glCopyTexImage1D(  # noqa: PLR0913
        self, target: object, level: int, internalformat: object, x: int, y: int, width: int, border: int = 0
    ) -> None:
        """Give one level's image from the framebuffer."""
        del x, y
        self._image("glCopyTexImage1D", 1, target, level, internalformat, (width,), border)

    def glCopyTexImage2D(  # noqa: PLR0913
        self, target: object, level: int, internalformat: object, x: int, y: int, width: int, height: int,
        border: int = 0,
    ) -> None:
        """Give one level's image from the framebuffer."""
        del x, y
        self._image("glCopyTexImage2D", 2, target, level, internalformat, (width, height), border)

    def _storage(  # noqa: PLR0911, PLR0913 (GL's arguments, one return a check)
        self, call: str, texture: Texture | None, levels: int, fmt: object, size: tuple[int, ...], samples: int = 0
    ) -> None:
        if texture is None:
            return
        image_format = self._format(fmt, call, INVALID_ENUM)
        if image_format is None:
            return
        if not image_format.sized:
            self.fail(INVALID_ENUM, call, f"internalformat={image_format.name} is unsized; storage needs a sized one")
            return
        if texture.immutable_levels or texture.label in (None, 0):
            self.fail(INVALID_OPERATION, call, "the texture is the default one, or its storage is immutable already")
            return
        dims = e.Target(texture.target).mip_dimensions
        if levels < 1 or any(n < 1 for n in size) or not self._size_fits(call, texture.target, size, 0):
            self.fail(INVALID_VALUE, call, f"levels={levels} and size {size} must all be at least 1")
            return
        full = max(size[:dims], default=1).bit_length()
        if levels > full:
            self.fail(INVALID_OPERATION, call, f"levels={levels} is more than the {full} that {size} has")
            return
        width, height, depth = (*size, 1, 1)[:3]
        texture.allocate(image_format, (width, height, depth), levels, samples, immutable=True)

    def _storage_target(self, call: str, dims: int, target: object) -> Texture | None:
        where = number(target)
        if where in PROXIES:
            return None
        known = self.target_named(where, call, _STORAGE_TARGETS[dims], f"a target of {dims}-dimensional storage")
        return None if known is None else self.bound(known)

    def glTexStorage1D(self, target: object, levels: int, internalformat: object, width: int) -> None:
        """Give the bound texture immutable storage."""
        texture = self._storage_target("glTexStorage1D", 1, target)
        self._storage("glTexStorage1D", texture, levels, internalformat, (width,))

    def glTexStorage2D(self, target: object, levels: int, internalformat: object, width: int, height: int) -> None:
        """Give the bound texture immutable storage."""
        texture = self._storage_target("glTexStorage2D", 2, target)
        self._storage("glTexStorage2D", texture, levels, internalformat, (width, height))

    def glTexStorage3D(  # noqa: PLR0913
        self, target: object, levels: int, internalformat: object, width: int, height: int, depth: int
    ) -> None:
        """Give the bound texture immutable storage."""
        texture = self._storage_target("glTexStorage3D", 3, target)
        self._storage("glTexStorage3D", texture, levels, internalformat, (width, height, depth))

    def glTextureStorage1D(self, texture: int, levels: int, internalformat: object, width: int) -> None:
        """Give a texture immutable storage by name."""
        found = self.named(texture, "glTextureStorage1D")
        self._storage("glTextureStorage1D", found, levels, internalformat, (width,))

    def glTextureStorage2D(self, texture: int, levels: int, internalformat: object, width: int, height: int) -> None:
        """Give a texture immutable storage by name."""
        found = self.named(texture, "glTextureStorage2D")
        self._storage("glTextureStorage2D", found, levels, internalformat, (width, height))

    def glTextureStorage3D(  # noqa: PLR0913
        self, texture: int, levels: int, internalformat: object, width: int, height: int, depth: int
    ) -> None:
        """Give a texture immutable storage by name."""
        found = self.named(texture, "glTextureStorage3D")
        self._storage("glTextureStorage3D", found, levels, internalformat, (width, height, depth))


def _pixels_fit(known: InternalFormat, fmt: int) -> bool:
    """Whether pixels of a format may fill an internal format: integers with integers, depth with depth."""
    name = gl_name(fmt).removeprefix("GL_")
    if known.kind in ("depth", "ds"):
        return name in ("DEPTH_COMPONENT", "DEPTH_STENCIL")
    if known.kind == "stencil":
        return name in ("STENCIL_INDEX", "DEPTH_STENCIL")
    if known.kind in ("int", "uint"):
        return "INTEGER" in name
    return "INTEGER" not in name and not name.startswith(("DEPTH", "STENCIL"))
