"""GL's calls that make images out of other images: multisample storage, buffer textures, views, mipmap generation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.gl import enums as e
from statetracker.gl.image_calls import _MULTISAMPLE_TARGETS, ImageCalls
from statetracker.gl.state import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE
from statetracker.gl.texture import FACES, Image

if TYPE_CHECKING:
    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.texture import Texture

__all__ = ["ViewCalls"]

T = e.Target
_SINGLE = (T.TEXTURE_CUBE_MAP, T.TEXTURE_2D, T.TEXTURE_1D, T.TEXTURE_RECTANGLE, T.TEXTURE_2D_MULTISAMPLE)


class ViewCalls(ImageCalls):
    """Multisample and buffer textures, views, generated mipmaps."""

    def _multisample(  # noqa: PLR0913 (GL's arguments)
        self, call: str, texture: Texture | None, samples: int, fmt: object, size: tuple[int, ...], *, fixed: bool
    ) -> None:
        if texture is None:
            return
        image_format = self._format(fmt, call, INVALID_ENUM)
        if image_format is None:
            return
        if samples < 1 or any(n < 1 for n in size):
            self.fail(INVALID_VALUE, call, f"samples={samples} and size {size} must all be at least 1")
        elif texture.immutable_levels:
            self.fail(INVALID_OPERATION, call, "the texture's storage is immutable")
        else:
            width, height, depth = (*size, 1)[:3]
            texture.allocate(image_format, (width, height, depth), 1, samples, immutable=fixed)

    def _multisample_target(self, call: str, dims: int, target: object) -> Texture | None:
        known = self.target_named(target, call, _MULTISAMPLE_TARGETS[dims], "a multisample target")
        return None if known is None else self.bound(known)

    def glTexImage2DMultisample(  # noqa: PLR0913
        self, target: object, samples: int, internalformat: object, width: int, height: int,
        fixedsamplelocations: object = True,  # noqa: FBT002 (GL's argument)
    ) -> None:
        """Give a 2D multisample texture its image."""
        del fixedsamplelocations
        call = "glTexImage2DMultisample"
        texture = self._multisample_target(call, 2, target)
        self._multisample(call, texture, samples, internalformat, (width, height), fixed=False)

    def glTexImage3DMultisample(  # noqa: PLR0913
        self, target: object, samples: int, internalformat: object, width: int, height: int, depth: int,
        fixedsamplelocations: object = True,  # noqa: FBT002
    ) -> None:
        """Give a 2D multisample array texture its image."""
        del fixedsamplelocations
        call = "glTexImage3DMultisample"
        texture = self._multisample_target(call, 3, target)
        self._multisample(call, texture, samples, internalformat, (width, height, depth), fixed=False)

    def glTexStorage2DMultisample(  # noqa: PLR0913
        self, target: object, samples: int, internalformat: object, width: int, height: int,
        fixedsamplelocations: object = True,  # noqa: FBT002
    ) -> None:
        """Give a 2D multisample texture immutable storage."""
        del fixedsamplelocations
        call = "glTexStorage2DMultisample"
        texture = self._multisample_target(call, 2, target)
        self._multisample(call, texture, samples, internalformat, (width, height), fixed=True)

    def glTexStorage3DMultisample(  # noqa: PLR0913
        self, target: object, samples: int, internalformat: object, width: int, height: int, depth: int,
        fixedsamplelocations: object = True,  # noqa: FBT002
    ) -> None:
        """Give a 2D multisample array texture immutable storage."""
        del fixedsamplelocations
        call = "glTexStorage3DMultisample"
        texture = self._multisample_target(call, 3, target)
        self._multisample(call, texture, samples, internalformat, (width, height, depth), fixed=True)

    def glTexBuffer(self, target: object, internalformat: object, buffer: int = 0) -> None:
        """Make a buffer object's store the texels of the bound buffer texture."""
        del buffer
        known = self.target_named(target, "glTexBuffer", frozenset({int(T.TEXTURE_BUFFER)}), "TEXTURE_BUFFER")
        image_format = self._format(internalformat, "glTexBuffer", INVALID_ENUM) if known is not None else None
        if known is not None and image_format is not None:
            self.bound(known).put_image(0, 0, Image(image_format, 1, 1, 1))

    def glGenerateMipmap(self, target: object) -> None:
        """Fill the chain above the base level of the bound texture."""
        allowed = frozenset(int(t) for t in T if t.mip_dimensions)
        known = self.target_named(target, "glGenerateMipmap", allowed, "a target with mipmaps")
        if known is not None:
            self._generate("glGenerateMipmap", self.bound(known))

    def glGenerateTextureMipmap(self, texture: int) -> None:
        """Fill the chain above the base level of a texture."""
        found = self.named(texture, "glGenerateTextureMipmap")
        if found is not None:
            self._generate("glGenerateTextureMipmap", found)

    def _generate(self, call: str, texture: Texture) -> None:
        base = texture.base_image()
        if base is None or texture.examine().base:
            self.fail(INVALID_OPERATION, call, f"the texture has no complete base level: {texture.examine().base}")
            return
        dimensions = T(texture.target).mip_dimensions
        size = (base.width, base.height, base.depth)
        last = min(texture.max_level, texture.base_level + max(size[:dimensions]).bit_length() - 1)
        if texture.immutable_levels:
            last = min(last, texture.immutable_levels - 1)
        for level in range(texture.base_level + 1, last + 1):
            size = tuple(max(1, n // 2) if i < dimensions else n for i, n in enumerate(size))  # type: ignore[assignment]
            for face in range(texture.faces):
                texture.put_image(face, level, Image(base.format, *size))

    def glTextureView(  # noqa: PLR0913
        self, texture: int, target: object, origtexture: int, internalformat: object, minlevel: int,
        numlevels: int, minlayer: int, numlayers: int,
    ) -> None:
        """Make a name a view of part of another texture. It starts with a new object's sampler and parameters."""
        call = "glTextureView"
        parent = self.textures.get(origtexture)
        if texture not in self.textures:
            self.fail(INVALID_VALUE, call, f"texture={texture} was never generated")
        elif self.textures[texture] is not None:
            self.fail(INVALID_OPERATION, call, f"texture={texture} is a texture already")
        elif parent is None or not parent.immutable_levels:
            self.fail(INVALID_OPERATION, call, f"origtexture={origtexture} has no immutable storage")
        elif minlevel >= parent.immutable_levels or numlevels < 1 or numlayers < 1:
            self.fail(INVALID_VALUE, call, f"levels {minlevel}+{numlevels}, layers {minlayer}+{numlayers} are not there")
        else:
            view_format = self._format(internalformat, call, INVALID_ENUM)
            known = self.target_named(target, call, frozenset(int(t) for t in T), "a texture target")
            if view_format is not None and known is not None:
                levels = min(numlevels, parent.immutable_levels - minlevel)
                view = self.new_texture(known, by_bind=False)
                _fill_view(view, parent, view_format, (minlevel, levels), (minlayer, numlayers))
                view.label = texture
                self.textures[texture] = view


def _fill_view(
    view: Texture, parent: Texture, fmt: InternalFormat, levels: tuple[int, int], layers: tuple[int, int]
) -> None:
    source = parent.images[0, levels[0]]
    flat = parent.target == T.TEXTURE_1D_ARRAY
    total = {T.TEXTURE_CUBE_MAP: FACES, T.TEXTURE_1D_ARRAY: source.height}.get(T(parent.target), source.depth)
    count = source.depth if parent.target == T.TEXTURE_3D else max(1, min(layers[1], total - layers[0]))
    height = 1 if flat else source.height
    if view.target == T.TEXTURE_1D_ARRAY:
        size = (source.width, count, 1)
    elif view.target in _SINGLE:
        size = (source.width, height, 1)
    else:
        size = (source.width, height, count)
    view.allocate(fmt, size, levels[1], source.samples, immutable=True)
