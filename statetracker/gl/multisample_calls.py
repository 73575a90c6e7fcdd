"""GL's calls that give a texture images whose texels have several samples.

Source: docs/textures.md (GL 4.6, section 8.8; the order of errors observed on Mesa 22.3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.image_formats import has_samples
from statetracker.gl.names import glenum, whole
from statetracker.gl.state import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE
from statetracker.gl.storage_calls import StorageCalls
from statetracker.gl.targets import PROXIES, Image, taking

if TYPE_CHECKING:
    from statetracker.gl.texture import Texture

_SAMPLES_TARGETS: Final = {dims: taking("multisample", dims) for dims in (2, 3)}


class MultisampleCalls(StorageCalls):
    """Multisample images."""

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
        texture = self.proxy(where) if proxy else self.aimed(call, where, allowed)
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
