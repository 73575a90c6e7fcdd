"""GL's calls that give a texture all its images at once: glTexStorage*, multisample images, buffer textures.

Source: docs/textures.md (GL 4.6, sections 8.8, 8.9 and 8.19; the order of errors observed on Mesa 22.3.6).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.formats import has_samples
from statetracker.gl.image_rules import CUBES, ImageRules
from statetracker.gl.names import glenum, whole
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE
from statetracker.gl.targets import PROXIES, Image, chain_length, taking

if TYPE_CHECKING:
    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.texture import Texture

T = e.Target

_STORAGE_TARGETS: Final = {dims: taking("storage", dims) for dims in (1, 2, 3)}
_SAMPLES_TARGETS: Final = {dims: taking("multisample", dims) for dims in (2, 3)}
#: Names of internal formats that buffer textures can have, and of those that only compatibility contexts have.
#: Source: GL 4.6, table 8.16; ARB_texture_buffer_object; every format tried on Mesa 22.3.6.
_IN_BUFFERS: Final = re.compile(r"(R|RG|RGBA)(8|16|16F|32F|(8|16|32)U?I)|RGB32(F|U?I)")
_OLD: Final = re.compile(
    r"(ALPHA|LUMINANCE|INTENSITY|LUMINANCE_ALPHA)(8|16|(16F|32F)_ARB|(8|16|32)U?I_EXT)|LUMINANCE(8_ALPHA8|16_ALPHA16)"
)
_BUFFER: Final = frozenset({int(T.TEXTURE_BUFFER)})


class StorageCalls(ImageRules):
    """Storage, multisample images and buffer textures."""

    def sized_format(self, value: object, call: str) -> InternalFormat | None:
        """Read an internal format with a size, or record the error and give None."""
        known = self.image_format(value, call, INVALID_ENUM)
        if known is not None and not known.sized:
            self.fail(INVALID_ENUM, call, f"internalformat={known.name} is unsized; accepted: a sized format")
            return None
        return known

    def storable(self, texture: Texture, call: str) -> bool:
        """Whether a texture may get immutable storage, or record why not."""
        if not texture.label:
            message = "texture=0, the default texture, takes no storage; accepted: a texture from glGenTextures"
            self.fail(INVALID_OPERATION, call, message)
            return False
        return self.respecifiable(texture, call)

    def _store(
        self, call: str, texture: Texture | None, levels: int, fmt: object, size: tuple[int, ...], proxy: int = 0
    ) -> None:
        """Give a texture storage, or keep what the proxy target answers of it."""
        known = self.sized_format(fmt, call) if texture is not None else None
        if texture is None or known is None:
            return
        where = proxy or texture.target
        if not self._has_texels(call, where, levels, known, size) or not (proxy or self.storable(texture, call)):
            return
        fits = self._chain_fits(call, texture.target, levels, size, proxy=bool(proxy))
        if fits:
            width, height, depth = (*size, 1, 1)[:3]
            texture.allocate(self.made(known, where), (width, height, depth), levels, immutable=not proxy)
        elif fits is None:
            texture.images = {}

    def _has_texels(self, call: str, where: int, levels: int, known: InternalFormat, size: tuple[int, ...]) -> bool:
        """Whether there is a size, a level, and a target or proxy has the format; or record it, in Mesa's order."""
        whole(levels=levels, **dict(zip(("width", "height", "depth"), size, strict=False)))
        if min(size) >= 1 and not self.compression_fits(call, where, known):
            return False
        if levels >= 1 and min(size) >= 1:
            return self.depth_fits(call, PROXIES.get(where, where), known)
        self.fail(INVALID_VALUE, call, f"levels={levels}, size={_times(size)}; accepted: 1 or more of each")
        return False

    def _chain_fits(
        self, call: str, target: int, levels: int, size: tuple[int, ...], *, proxy: bool = False
    ) -> bool | None:
        """Whether a target can have a chain of images, as `size_fits` says it; False: the error is recorded."""
        full = min(chain_length(target, size[:1] if target in CUBES else size), self.last_level(target) + 1)
        if levels > full:
            self.fail(INVALID_OPERATION, call, f"levels={levels}; accepted: 1 to {full}, for size {_times(size)}")
            return False
        return self.size_fits(call, target, size, least=1, proxy=proxy)

    def _store_bound(self, call: str, target: object, levels: int, fmt: object, size: tuple[int, ...]) -> None:
        """Give the bound texture storage, or judge whether a proxy could have it."""
        where, allowed = glenum(target), _STORAGE_TARGETS[len(size)]
        if self.limits.desktop and PROXIES.get(where, 0) in allowed & self.availability.targets:
            self._store(call, self.proxy(where), levels, fmt, size, where)
        else:
            self._store(call, self._bound_to(where, call, allowed), levels, fmt, size)

    def _store_named(self, call: str, texture: int, levels: int, fmt: object, size: tuple[int, ...]) -> None:
        """Give a texture storage by name. The format is looked at before the name."""
        if self.sized_format(fmt, call) is not None:
            self._store(call, self.named(texture, call, _STORAGE_TARGETS[len(size)]), levels, fmt, size)

    def glTexStorage1D(self, target: object, levels: int, internalformat: object, width: int) -> None:
        """Give the bound texture immutable storage."""
        self._store_bound("glTexStorage1D", target, levels, internalformat, (width,))

    def glTexStorage2D(self, target: object, levels: int, internalformat: object, width: int, height: int) -> None:
        """Give the bound texture immutable storage."""
        self._store_bound("glTexStorage2D", target, levels, internalformat, (width, height))

    # Argument lists as GL has them, in rows.
    # fmt: off
    def glTexStorage3D(
        self, target: object, levels: int, internalformat: object, width: int, height: int, depth: int
    ) -> None:
        """Give the bound texture immutable storage."""
        call, size = "glTexStorage3D", (width, height, depth)
        self._store_bound(call, target, levels, internalformat, size)

    def glTextureStorage1D(self, texture: int, levels: int, internalformat: object, width: int) -> None:
        """Give a texture immutable storage by name."""
        self._store_named("glTextureStorage1D", texture, levels, internalformat, (width,))

    def glTextureStorage2D(self, texture: int, levels: int, internalformat: object, width: int, height: int) -> None:
        """Give a texture immutable storage by name."""
        self._store_named("glTextureStorage2D", texture, levels, internalformat, (width, height))

    def glTextureStorage3D(
        self, texture: int, levels: int, internalformat: object, width: int, height: int, depth: int
    ) -> None:
        """Give a texture immutable storage by name."""
        call, size = "glTextureStorage3D", (width, height, depth)
        self._store_named(call, texture, levels, internalformat, size)

    # fmt: on

    def _buffer(self, call: str, texture: Texture | None, fmt: object) -> None:
        known = self.sized_format(fmt, call) if texture is not None else None
        if texture is None or known is None:
            return
        if not (_IN_BUFFERS.fullmatch(known.name) or (self.limits.compatibility and _OLD.fullmatch(known.name))):
            message = f"internalformat={known.name} lies in no buffer; accepted: GL_RGBA8, GL_R32F and their like"
            self.fail(INVALID_ENUM, call, message)
        elif self.changeable(texture, call):
            texture.put_image(0, 0, Image(known, 1, 1, 1))

    def glTexBuffer(self, target: object, internalformat: object, buffer: int = 0) -> None:
        """Make a buffer object's store the texels of the bound buffer texture."""
        del buffer
        self._buffer("glTexBuffer", self._bound_to(target, "glTexBuffer", _BUFFER), internalformat)

    def glTextureBuffer(self, texture: int, internalformat: object, buffer: int = 0) -> None:
        """Make a buffer object's store the texels of a buffer texture by name."""
        del buffer
        self._buffer("glTextureBuffer", self.named(texture, "glTextureBuffer", _BUFFER), internalformat)

    def glTexBufferRange(
        self, target: object, internalformat: object, buffer: int = 0, offset: int = 0, size: int = 0
    ) -> None:
        """Make part of a buffer object's store the texels of the bound buffer texture."""
        del offset, size
        self.glTexBuffer(target, internalformat, buffer)

    def glTextureBufferRange(
        self, texture: int, internalformat: object, buffer: int = 0, offset: int = 0, size: int = 0
    ) -> None:
        """Make part of a buffer object's store the texels of a buffer texture by name."""
        del offset, size
        self.glTextureBuffer(texture, internalformat, buffer)

    # Argument lists as GL has them, in rows.
    # fmt: off
    def _by_target(
        self, call: str, target: object, samples: int, fmt: object, size: tuple[int, ...], fixed: object, *,
        immutable: bool,
    ) -> None:
        if not self._has_samples(call, samples, size, immutable=immutable):
            return
        where, allowed = glenum(target), _SAMPLES_TARGETS[len(size)]
        proxy = (immutable or self.limits.desktop) and PROXIES.get(where, 0) in allowed
        texture = self.proxy(where) if proxy else self._bound_to(where, call, allowed)
        if texture is not None:
            self._multisample(call, texture, samples, fmt, size, fixed, immutable=immutable)

    def _by_name(
        self, call: str, texture: int, samples: int, fmt: object, size: tuple[int, ...], fixed: object
    ) -> None:
        if texture in self.textures and not self._has_samples(call, samples, size, immutable=True):
            return
        named = self.named(texture, call, _SAMPLES_TARGETS[len(size)])
        if named is not None:
            self._multisample(call, named, samples, fmt, size, fixed, immutable=True)

    def _multisample(
        self, call: str, texture: Texture, samples: int, fmt: object, size: tuple[int, ...], fixed: object, *,
        immutable: bool,
    ) -> None:
        known = self.sized_format(fmt, call) if immutable else self.image_format(fmt, call, INVALID_ENUM)
        if known is not None and not has_samples(known, gles=bool(self.limits.gles)):
            message = f"internalformat={known.name} cannot be rendered to; accepted: colours, depth, stencil"
            self.fail(INVALID_ENUM, call, message)
        elif known is not None:
            width, height, depth = (*size, 1)[:3]
            image = Image(known, width, height, depth, samples, bool(fixed))
            if texture in self.proxies.values() and not immutable:
                self._judge(call, texture, image, size)
            elif self._fits(call, texture, samples, size, immutable=immutable):
                texture.allocate(known, (width, height, depth), 1, samples, fixed=bool(fixed), immutable=immutable)

    # fmt: on

    def _fits(self, call: str, texture: Texture, samples: int, size: tuple[int, ...], *, immutable: bool) -> bool:
        if samples > self.limits.max_samples:
            message = f"samples={samples} are too many; accepted: 1 to {self.limits.max_samples}"
            self.fail(INVALID_OPERATION, call, message)
            return False
        if immutable:
            return self.storable(texture, call) and bool(self.size_fits(call, texture.target, size))
        return bool(self.size_fits(call, texture.target, size)) and self.respecifiable(texture, call)

    def _has_samples(self, call: str, samples: int, size: tuple[int, ...], *, immutable: bool) -> bool:
        """Whether there is a sample, and in storage a texel, or record the error. Mesa looks at nothing before."""
        whole(samples=samples, **dict(zip(("width", "height", "depth"), size, strict=False)))
        if samples >= 1 and not (immutable and min(size) < 1):
            return True
        self.fail(INVALID_VALUE, call, f"samples={samples}, size={size}; accepted: 1 or more of each")
        return False

    def _judge(self, call: str, proxy: Texture, image: Image, size: tuple[int, ...]) -> None:
        """Keep what a proxy answers: the image, or none where it could not be."""
        fits = min(size) >= 0 and self.size_fits(call, proxy.target, size, proxy=True)
        proxy.images = {(0, 0): image} if fits and image.samples <= self.limits.max_samples else {}

    # fmt: off
    def glTexImage2DMultisample(
        self, target: object, samples: int, internalformat: object, width: int, height: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Give a 2D multisample texture its image."""
        call, size = "glTexImage2DMultisample", (width, height)
        self._by_target(call, target, samples, internalformat, size, fixedsamplelocations, immutable=False)

    def glTexImage3DMultisample(
        self, target: object, samples: int, internalformat: object, width: int, height: int, depth: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Give a 2D multisample array texture its image."""
        call, size = "glTexImage3DMultisample", (width, height, depth)
        self._by_target(call, target, samples, internalformat, size, fixedsamplelocations, immutable=False)

    def glTexStorage2DMultisample(
        self, target: object, samples: int, internalformat: object, width: int, height: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Give a 2D multisample texture immutable storage."""
        call, size = "glTexStorage2DMultisample", (width, height)
        self._by_target(call, target, samples, internalformat, size, fixedsamplelocations, immutable=True)

    def glTexStorage3DMultisample(
        self, target: object, samples: int, internalformat: object, width: int, height: int, depth: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Give a 2D multisample array texture immutable storage."""
        call, size = "glTexStorage3DMultisample", (width, height, depth)
        self._by_target(call, target, samples, internalformat, size, fixedsamplelocations, immutable=True)

    def glTextureStorage2DMultisample(
        self, texture: int, samples: int, internalformat: object, width: int, height: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Give a 2D multisample texture immutable storage by name."""
        call, size = "glTextureStorage2DMultisample", (width, height)
        self._by_name(call, texture, samples, internalformat, size, fixedsamplelocations)

    def glTextureStorage3DMultisample(
        self, texture: int, samples: int, internalformat: object, width: int, height: int, depth: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Give a 2D multisample array texture immutable storage by name."""
        call, size = "glTextureStorage3DMultisample", (width, height, depth)
        self._by_name(call, texture, samples, internalformat, size, fixedsamplelocations)

    # fmt: on


def _times(size: tuple[int, ...]) -> str:
    return "x".join(map(str, size))
