"""Images that a context's textures can have: internal formats, levels, sizes, borders; and what proxies answer.

Source: docs/textures.md (GL 4.6, sections 8.5 to 8.8 and 8.22; sizes and the order of errors observed on Mesa 22.3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.formats import family_of, internal_format, internal_format_named
from statetracker.gl.names import gl_name, glenum, whole
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE, Refusal
from statetracker.gl.state import ContextState
from statetracker.gl.targets import FACE_TARGETS, FACES, PROXIES, taking

if TYPE_CHECKING:
    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.texture import Texture

T = e.Target

#: Axes that an image has besides layers.
_PLANE: Final = 2
_IMAGE_TARGETS: Final = {dims: taking("image", dims) for dims in (1, 2, 3)}
#: Targets without compressed images; those of one dimension get plain images where they ask for generic ones.
_LINES: Final = frozenset({T.TEXTURE_1D, T.TEXTURE_1D_ARRAY})
_FLAT: Final = _LINES | {T.TEXTURE_RECTANGLE}
#: Targets whose images are square.
CUBES: Final = FACE_TARGETS | {T.TEXTURE_CUBE_MAP, T.TEXTURE_CUBE_MAP_ARRAY}
#: Proxies that GLES contexts have, as Mesa's do; no getter answers them there.
_GLES_PROXIES: Final = (0x900B,)
_AXES: Final = ("width", "height", "depth")
#: Base formats that core contexts lack.
_NOT_CORE: Final = ("ALPHA", "LUMINANCE", "LUMINANCE_ALPHA", "INTENSITY")
#: Extensions of desktop GL whose formats GLES lacks.
_NOT_GLES: Final = (
    *("GL_S3_s3tc", "GL_3DFX_texture_compression_FXT1", "GL_ATI_texture_compression_3dc"),
    *("GL_EXT_texture_compression_latc", "GL_MESA_ycbcr_texture"),
)


def _shrinking(target: int) -> int:
    """Return how many axes of an image shrink from level to level."""
    return T(T.TEXTURE_CUBE_MAP if target in FACE_TARGETS else target).mip_dimensions


class ImageRules(ContextState):
    """Rules of images. Each raises `Refusal` for what does not fit.

    ``fmt`` is the image's internal format, ``where`` a target or a proxy (a GLenum), ``level`` its mipmap level from 0,
    ``border`` 0 or 1 texels on each side.
    """

    def image_format(self, value: object, error: str) -> InternalFormat:
        """Read an internal format that this context has.

        ``error`` is the name of the error for a format that there is not.
        """
        given = glenum(value)
        fmt = internal_format(given)
        if fmt is None:
            raise Refusal(error, f"internalformat={gl_name(given)} is unknown; accepted: an internal format")
        if not self._profile_has(fmt):
            lacks = f"does not exist with profile={self.limits.profile}; accepted: compatibility"
            raise Refusal(error, f"internalformat={fmt.name} {lacks}")
        if self.limits.desktop and not self._driver_has(fmt):
            needs = " or ".join(fmt.extensions)
            raise Refusal(error, f"internalformat={fmt.name} does not exist in this context; it needs {needs}")
        return fmt

    def made(self, fmt: InternalFormat, where: int) -> InternalFormat:
        """Return the format that an image made in one has: of a generic compressed one a specific or a plain one.

        One-dimensional images are never compressed.
        """
        if not fmt.compressed:
            return fmt
        other = internal_format_named(fmt.specific or fmt.name)
        has = not self.limits.desktop or self._driver_has(other)
        if family_of(other) is not None and has and PROXIES.get(where, where) not in _LINES:
            return other
        return fmt if family_of(fmt) is not None else internal_format_named(fmt.base_format)

    def _driver_has(self, known: InternalFormat) -> bool:
        if known.name == "BGRA" and self.limits.release.bgra_images:
            return True
        return not known.extensions or self.limits.has(*known.extensions)

    def _profile_has(self, known: InternalFormat) -> bool:
        if self.limits.compatibility:
            return True
        if self.limits.gles:
            return not known.extensions or known.extensions[0] not in _NOT_GLES
        return not known.name.isdigit() and known.base_format not in _NOT_CORE

    def most(self, target: int) -> int:
        """Texels along an edge that the largest image of a target has."""
        if target == T.TEXTURE_3D:
            return self.limits.max_3d_size
        return self.limits.max_cube_size if target in CUBES else self.limits.max_texture_size

    def last_level(self, target: int) -> int:
        """Return the last level that images of a target can have."""
        return self.most(target).bit_length() - 1 if _shrinking(target) else 0

    def _bounds(self, target: int, dims: int, level: int, least: int, border: int) -> list[tuple[int, int]]:
        """Return the least and the largest width, height, depth. Layers have no border and are alike on every level."""
        edges = _shrinking(target) or _PLANE
        most = self.most(target) >> (0 if target == T.TEXTURE_CUBE_MAP_ARRAY else level)  # as Mesa does
        edge = least + 2 * border, most + 2 * border
        layers = least, self.limits.max_layers
        return [edge if axis < edges else layers for axis in range(dims)]

    def size_fits(
        self,
        target: int,
        size: tuple[int, ...],
        *,
        level: int = 0,
        least: int = 0,
        border: int = 0,
        proxy: bool = False,
    ) -> bool:
        """Check that an image of a target can have a size, in texels.

        ``level`` and ``border`` are the image's, as glTexImage has them. Each edge is at least ``least``: 0, or 1 for
        storage. With ``proxy`` a size that is too large or of the wrong shape is no error: the answer is False.
        """
        bounds = self._bounds(target, len(size), level, least, border)
        rows = zip(_AXES, size, bounds, strict=False)
        outside = [
            f"{name}={n} is out of range; accepted: {low} to {high}"
            for name, n, (low, high) in rows
            if not low <= n <= high
        ]
        if outside:
            problem = outside[0]
        elif target in CUBES and size[0] != size[1]:
            problem = f"width={size[0]}, height={size[1]}; accepted: equal ones, for a cube"
        elif target == T.TEXTURE_CUBE_MAP_ARRAY and size[2] % FACES:
            problem = f"depth={size[2]}; accepted: a multiple of {FACES}, for an array of cubes"
        else:
            return True
        if proxy and min(size) >= 0:
            return False
        raise Refusal(INVALID_VALUE, problem)

    def check_place(self, target: int, level: int, border: int) -> None:
        """Check that images of a target can have a level and a border."""
        last = self.last_level(target)
        whole(level=level)
        if not 0 <= level <= last:
            raise Refusal(INVALID_VALUE, f"level={level} is no mipmap level; accepted: 0 to {last}")
        borders = (0, 1) if self.limits.compatibility and target != T.TEXTURE_RECTANGLE else (0,)
        if border not in borders:
            raise Refusal(INVALID_VALUE, f"border={border}; accepted: {' or '.join(map(str, borders))}")

    def check_compression(self, where: int, fmt: InternalFormat) -> None:
        """Check that a target, or a proxy, has images in a format, where that is compressed."""
        family, target = family_of(fmt), PROXIES.get(where, where)
        if family is None or (target not in _FLAT and (target != T.TEXTURE_3D or (family.volumes and where == target))):
            return  # PROXY_TEXTURE_3D never has one
        accepted = "a format without compression, or another target"
        message = f"internalformat={fmt.name} for target={gl_name(where, e.Target)}; accepted: {accepted}"
        raise Refusal(INVALID_OPERATION if self.limits.gles and family.gles else INVALID_ENUM, message)

    def check_depth(self, where: int, fmt: InternalFormat) -> None:
        """Check that a target, or a proxy, has images in a format, where that is depth or stencil."""
        target = PROXIES.get(where, where)
        if target == T.TEXTURE_3D and fmt.kind in ("depth", "ds", "stencil"):
            message = f"internalformat={fmt.name} for target={gl_name(target, e.Target)}; accepted: a colour format"
            raise Refusal(INVALID_OPERATION, message)

    def check_border(self, fmt: InternalFormat, border: int) -> None:
        """Check that images in a format can have a border."""
        if border and family_of(fmt) is not None:
            raise Refusal(INVALID_OPERATION, f"border={border}, internalformat={fmt.name}; accepted: 0")

    def check_online(self, fmt: InternalFormat) -> None:
        """Check that GL itself brings texels into a format."""
        family = family_of(fmt)
        if family is not None and not family.online:
            message = f"internalformat={fmt.name} is not compressed to by GL; accepted there: glCompressedTexImage"
            raise Refusal(INVALID_OPERATION, message)

    def aimed_image(self, dims: int, target: object, *, copies: bool = False) -> int:
        """Read the target, or a proxy, of a call of that dimension; GLES has one proxy.

        ``dims`` are axes of the function's images, 1 to 3; ``copies``: it is glCopyTexImage, which takes no proxy.
        """
        where = glenum(target)
        proxied = PROXIES.get(where)
        if proxied is not None and not copies:
            taken = proxied in _IMAGE_TARGETS[dims] or (proxied == T.TEXTURE_CUBE_MAP and dims == _PLANE)
            if taken and (self.limits.desktop or (where in _GLES_PROXIES and proxied in self.availability.targets)):
                return where  # desktop contexts have every target that has a proxy
        return self.target_named(where, _IMAGE_TARGETS[dims])

    def respecifiable(self, texture: Texture) -> Texture:
        """Return the texture itself, if it may get new images."""
        if texture.immutable_levels:
            message = f"texture={texture.label} has immutable storage; accepted: a texture without glTexStorage"
            raise Refusal(INVALID_OPERATION, message)
        return self.changeable(texture)
