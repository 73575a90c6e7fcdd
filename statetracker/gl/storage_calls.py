"""GL's calls that give a texture all its images at once: glTexStorage*, multisample images, buffer textures.

Source: docs/textures.md (GL 4.6, sections 8.8, 8.9 and 8.19; ARB_texture_buffer_object; the order of errors observed on
Mesa 22.3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.formats import has_samples
from statetracker.gl.image_rules import CUBES, ImageRules
from statetracker.gl.names import glenum, whole_size
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE, Refusal
from statetracker.gl.targets import PROXIES, Image, chain_length, taking

if TYPE_CHECKING:
    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.texture import Texture

T = e.Target

_STORAGE_TARGETS: Final = {dims: taking("storage", dims) for dims in (1, 2, 3)}
_SAMPLES_TARGETS: Final = {dims: taking("multisample", dims) for dims in (2, 3)}
_BUFFER: Final = frozenset({int(T.TEXTURE_BUFFER)})


class StorageCalls(ImageRules):
    """Storage, multisample images and buffer textures."""

    def sized_format(self, value: object) -> InternalFormat:
        """Read an internal format with a size."""
        known = self.image_format(value, INVALID_ENUM)
        if not known.sized:
            raise Refusal(INVALID_ENUM, f"internalformat={known.name} is unsized; accepted: a sized format")
        return known

    def storable(self, texture: Texture) -> Texture:
        """Return the texture itself, if it may get immutable storage."""
        if not texture.label:
            message = "texture=0, the default texture, takes no storage; accepted: a texture from glGenTextures"
            raise Refusal(INVALID_OPERATION, message)
        return self.respecifiable(texture)

    def _store(self, texture: Texture, levels: int, fmt: object, size: tuple[int, ...], proxy: int = 0) -> None:
        """Allocate a texture's storage, or keep what the proxy target answers of it."""
        known = self.sized_format(fmt)
        where = proxy or texture.target
        whole_size(size, levels=levels)
        if min(size) >= 1:
            self.check_compression(where, known)
        if levels < 1 or min(size) < 1:
            raise Refusal(INVALID_VALUE, f"levels={levels}, size={_times(size)}; accepted: 1 or more of each")
        self.check_depth(where, known)
        if not proxy:
            self.storable(texture)
        edges = size[:1] if texture.target in CUBES else size
        full = min(chain_length(texture.target, edges), self.last_level(texture.target) + 1)
        if levels > full:
            message = f"levels={levels}; accepted: 1 to {full}, for size {_times(size)}"
            raise Refusal(INVALID_OPERATION, message)
        if self.size_fits(texture.target, size, least=1, proxy=bool(proxy)):
            width, height, depth = (*size, 1, 1)[:3]
            texture.allocate(self.made(known, where), (width, height, depth), levels, immutable=not proxy)
        else:
            texture.images = {}

    def _store_bound(self, target: object, levels: int, fmt: object, size: tuple[int, ...]) -> None:
        """Allocate the bound texture's storage, or judge whether a proxy could have it."""
        where, allowed = glenum(target), _STORAGE_TARGETS[len(size)]
        if self.limits.desktop and PROXIES.get(where, 0) in allowed & self.availability.targets:
            self._store(self.proxy(where), levels, fmt, size, where)
        else:
            self._store(self.bound_to(where, allowed), levels, fmt, size)

    def _store_named(self, texture: int, levels: int, fmt: object, size: tuple[int, ...]) -> None:
        """Allocate a texture's storage by name. The format is looked at before the name."""
        self.sized_format(fmt)
        self._store(self.named(texture, _STORAGE_TARGETS[len(size)]), levels, fmt, size)

    def glTexStorage1D(self, target: object, levels: int, internalformat: object, width: int) -> None:
        """Allocate immutable storage of the bound texture."""
        self._store_bound(target, levels, internalformat, (width,))

    def glTexStorage2D(self, target: object, levels: int, internalformat: object, width: int, height: int) -> None:
        """Allocate immutable storage of the bound texture."""
        self._store_bound(target, levels, internalformat, (width, height))

    # Argument lists as GL has them, in rows.
    # fmt: off
    def glTexStorage3D(
        self, target: object, levels: int, internalformat: object, width: int, height: int, depth: int
    ) -> None:
        """Allocate immutable storage of the bound texture."""
        self._store_bound(target, levels, internalformat, (width, height, depth))

    def glTextureStorage1D(self, texture: int, levels: int, internalformat: object, width: int) -> None:
        """Allocate immutable storage of a texture by name."""
        self._store_named(texture, levels, internalformat, (width,))

    def glTextureStorage2D(self, texture: int, levels: int, internalformat: object, width: int, height: int) -> None:
        """Allocate immutable storage of a texture by name."""
        self._store_named(texture, levels, internalformat, (width, height))

    def glTextureStorage3D(
        self, texture: int, levels: int, internalformat: object, width: int, height: int, depth: int
    ) -> None:
        """Allocate immutable storage of a texture by name."""
        self._store_named(texture, levels, internalformat, (width, height, depth))

    # fmt: on

    def _buffer(self, texture: Texture, fmt: object) -> None:
        known = self.sized_format(fmt)
        if "b" not in known.desktop and not (self.limits.compatibility and "o" in known.desktop):
            message = f"internalformat={known.name} lies in no buffer; accepted: GL_RGBA8, GL_R32F and their like"
            raise Refusal(INVALID_ENUM, message)
        self.changeable(texture).put_image(0, 0, Image(known, 1, 1, 1))

    def glTexBuffer(self, target: object, internalformat: object, buffer: int = 0) -> None:
        """Make a buffer object's store the texels of the bound buffer texture."""
        self._buffer(self.bound_to(target, _BUFFER), internalformat)

    def glTextureBuffer(self, texture: int, internalformat: object, buffer: int = 0) -> None:
        """Make a buffer object's store the texels of a buffer texture by name."""
        self._buffer(self.named(texture, _BUFFER), internalformat)

    def glTexBufferRange(
        self, target: object, internalformat: object, buffer: int = 0, offset: int = 0, size: int = 0
    ) -> None:
        """Make part of a buffer object's store the texels of the bound buffer texture."""
        self.glTexBuffer(target, internalformat, buffer)

    def glTextureBufferRange(
        self, texture: int, internalformat: object, buffer: int = 0, offset: int = 0, size: int = 0
    ) -> None:
        """Make part of a buffer object's store the texels of a buffer texture by name."""
        self.glTextureBuffer(texture, internalformat, buffer)

    def _by_target(
        self, target: object, samples: int, fmt: object, size: tuple[int, ...], fixed: object, *, immutable: bool
    ) -> None:
        _check_samples(samples, size, immutable=immutable)
        where, allowed = glenum(target), _SAMPLES_TARGETS[len(size)]
        proxy = (immutable or self.limits.desktop) and PROXIES.get(where, 0) in allowed
        texture = self.proxy(where) if proxy else self.bound_to(where, allowed)
        self._multisample(texture, samples, fmt, size, fixed, immutable=immutable)

    def _by_name(self, texture: int, samples: int, fmt: object, size: tuple[int, ...], fixed: object) -> None:
        if texture in self.textures:
            _check_samples(samples, size, immutable=True)
        named = self.named(texture, _SAMPLES_TARGETS[len(size)])
        self._multisample(named, samples, fmt, size, fixed, immutable=True)

    def _multisample(
        self, texture: Texture, samples: int, fmt: object, size: tuple[int, ...], fixed: object, *, immutable: bool
    ) -> None:
        known = self.sized_format(fmt) if immutable else self.image_format(fmt, INVALID_ENUM)
        if not has_samples(known, gles=bool(self.limits.gles)):
            message = f"internalformat={known.name} cannot be rendered to; accepted: colours, depth, stencil"
            raise Refusal(INVALID_ENUM, message)
        width, height, depth = (*size, 1)[:3]
        most = self.limits.max_samples
        if texture in self.proxies.values() and not immutable:  # it answers with the image, or none: it could not be
            fits = min(size) >= 0 and self.size_fits(texture.target, size, proxy=True) and samples <= most
            texture.images = {(0, 0): Image(known, width, height, depth, samples, bool(fixed))} if fits else {}
            return
        if samples > most:
            raise Refusal(INVALID_OPERATION, f"samples={samples} are too many; accepted: 1 to {most}")
        if immutable:
            self.storable(texture)
        self.size_fits(texture.target, size)
        self.respecifiable(texture)
        texture.allocate(known, (width, height, depth), 1, samples, fixed=bool(fixed), immutable=immutable)

    # fmt: off
    def glTexImage2DMultisample(
        self, target: object, samples: int, internalformat: object, width: int, height: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Set the image of a 2D multisample texture."""
        self._by_target(target, samples, internalformat, (width, height), fixedsamplelocations, immutable=False)

    def glTexImage3DMultisample(
        self, target: object, samples: int, internalformat: object, width: int, height: int, depth: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Set the image of a 2D multisample array texture."""
        self._by_target(target, samples, internalformat, (width, height, depth), fixedsamplelocations, immutable=False)

    def glTexStorage2DMultisample(
        self, target: object, samples: int, internalformat: object, width: int, height: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Allocate immutable storage of a 2D multisample texture."""
        self._by_target(target, samples, internalformat, (width, height), fixedsamplelocations, immutable=True)

    def glTexStorage3DMultisample(
        self, target: object, samples: int, internalformat: object, width: int, height: int, depth: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Allocate immutable storage of a 2D multisample array texture."""
        self._by_target(target, samples, internalformat, (width, height, depth), fixedsamplelocations, immutable=True)

    def glTextureStorage2DMultisample(
        self, texture: int, samples: int, internalformat: object, width: int, height: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Allocate immutable storage of a 2D multisample texture by name."""
        self._by_name(texture, samples, internalformat, (width, height), fixedsamplelocations)

    def glTextureStorage3DMultisample(
        self, texture: int, samples: int, internalformat: object, width: int, height: int, depth: int,
        fixedsamplelocations: object = 1,
    ) -> None:
        """Allocate immutable storage of a 2D multisample array texture by name."""
        self._by_name(texture, samples, internalformat, (width, height, depth), fixedsamplelocations)

    # fmt: on


def _check_samples(samples: int, size: tuple[int, ...], *, immutable: bool) -> None:
    """Check that there is a sample, and in storage a texel. Mesa looks at nothing before."""
    whole_size(size, samples=samples)
    if samples < 1 or (immutable and min(size) < 1):
        raise Refusal(INVALID_VALUE, f"samples={samples}, size={size}; accepted: 1 or more of each")


def _times(size: tuple[int, ...]) -> str:
    return "x".join(map(str, size))
