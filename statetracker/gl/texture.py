"""`Texture`: what GL keeps for one texture object, as far as samplers and completeness read it.

No texels: an image is its size and internal format. Source: docs/textures.md (GL 4.6, chapter 8; recorded live).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, Never

from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import enums as e
from statetracker.gl.completeness import Images
from statetracker.gl.facts import SWIZZLE_SELECTORS, TextureFacts, next_token
from statetracker.gl.formats import given_format
from statetracker.gl.names import enum_value
from statetracker.gl.sampler import Sampler
from statetracker.gl.targets import (
    Image,
    chain,
    chain_length,
    given_count,
    given_levels,
    given_selectors,
    given_size,
    given_swizzle,
    level_size,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.names import GLWord, Settable

_put = object.__setattr__

T = e.Target


def own_sampler(target: int, *, by_bind: bool) -> Sampler:
    """Make the sampler a new texture object starts with.

    ``by_bind``: the object got its target at its first bind; else it was created with it. Only multisample textures
    that were bound take CLAMP_TO_EDGE and NEAREST.
    """
    if target in (T.TEXTURE_RECTANGLE, T.TEXTURE_EXTERNAL_OES):
        return Sampler(wrap="clamp-to-edge", min_filter="linear")
    if by_bind and target in (T.TEXTURE_2D_MULTISAMPLE, T.TEXTURE_2D_MULTISAMPLE_ARRAY):
        return Sampler(wrap="clamp-to-edge", min_filter="nearest", mag_filter="nearest")
    return Sampler()


def _four_selectors(value: Sequence[int] | None) -> tuple[int, ...] | None:
    return None if value is None else given_selectors("view_swizzle", value)


def _format_name(field: str, value: str | None) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ArgumentError(field, value, accepted="the name of a pipe format, or None")
    return value


_target: Final = partial(enum_value, family=T, field="target", prefix="TEXTURE_")

#: Field -> what checks and converts a given value; None: it is taken as it is. Setting one of these takes a new token.
_STATE: Final[dict[str, Callable[[Any], Any] | None]] = {
    "target": _target,
    "base_level": partial(given_count, "base_level"),
    "max_level": partial(given_count, "max_level"),
    "depth_mode": partial(enum_value, family=e.DepthTextureMode, field="depth_mode"),
    "stencil_mode": partial(enum_value, family=e.DepthStencilMode, field="stencil_mode"),
    "swizzle": given_swizzle,
    **dict.fromkeys(("sampler", "images", "immutable_levels", "view")),
    "is_float": bool,
    "is_half_float": bool,
    "storage_format": partial(_format_name, "storage_format"),
    "view_swizzle": _four_selectors,
    "surface_format": partial(_format_name, "surface_format"),
}

_COPIED: Final = (*_STATE, "generate_mipmap", "priority", "is_integer")
_OWN: Final = tuple(name for name in _COPIED if name not in Images.__slots__)

#: What no argument of the constructor sets.
_START: Final = {
    **dict.fromkeys(("generate_mipmap", "is_integer", "is_half_float"), False),
    **dict.fromkeys(("handles", "immutable_levels"), 0),
    **dict.fromkeys(("label", "view")),
    "priority": 1.0,
}


class Texture(Images):
    """One texture's GL state.

    ``target`` and the arguments from ``base_level`` on, but for ``immutable``, are attributes too, and checked as here;
    `facts` has the format of the images. ``token`` is a new integer after every change; ``images`` is changed by
    `put_image` or `allocate`, not in place. Without an internal format it has no image yet.

    Args:
        target: ``"2d"``, ``"cube-map"``, ``"rectangle"`` ... or a GLenum.
        internal_format: ``"RGBA8"``, ``"GL_DEPTH_COMPONENT24"``, a GLenum.
        size: Texels (width[, height[, depth or layers]]).
        levels: Mip levels given, from 0; None: the whole chain.
        samples: Of a multisample texture.
        base_level: The first level that is sampled.
        max_level: The last one.
        depth_mode: DEPTH_TEXTURE_MODE.
        stencil_mode: DEPTH_STENCIL_TEXTURE_MODE.
        stencil_sampling: True is the short form of ``stencil_mode="stencil-index"``.
        swizzle: Four words, or four letters (``"RGB1"``).
        sampler: The texture's own sampler; None: the default of its target.
        immutable: As glTexStorage makes it.
        is_float: The GLES quirk of `TextureFacts`.
        storage_format: As in `TextureFacts`.
        view_swizzle: As in `TextureFacts`.
        surface_format: As in `TextureFacts`.
        **unknown: Is refused.

    Attributes:
        priority: 0.0 to 1.0; no conversion reads it.

    Raises:
        UnknownName: A word or an argument that there is not.
        ArgumentError: A value does not fit.
    """

    __slots__ = (*_OWN, "handles", "label", "token")  # not one by one, as those of `Images`

    depth_mode: Settable[int, GLWord]
    swizzle: Settable[tuple[int, ...], Sequence[GLWord]]
    generate_mipmap: bool
    priority: float
    storage_format: str | None
    view_swizzle: Settable[tuple[int, ...] | None, Sequence[int] | None]
    surface_format: str | None
    label: int | None
    handles: int
    token: int

    def __init__(
        self,
        target: GLWord = "2d",
        internal_format: GLWord | None = None,
        size: int | Sequence[int] = (1, 1),
        *,
        levels: int | None = None,
        samples: int = 0,
        base_level: int = 0,
        max_level: int = 1000,
        depth_mode: GLWord = "luminance",
        stencil_mode: GLWord = "depth-component",
        stencil_sampling: bool = False,
        swizzle: Sequence[GLWord] = ("red", "green", "blue", "alpha"),
        sampler: Sampler | None = None,
        immutable: bool = False,
        is_float: bool = False,
        storage_format: str | None = None,
        view_swizzle: Sequence[int] | None = None,
        surface_format: str | None = None,
        **unknown: Never,
    ) -> None:
        for name in unknown:
            code = Texture.__init__.__code__
            known = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
            raise UnknownName("argument of Texture", name, accepted=", ".join(known))
        for name, start in _START.items():
            _put(self, name, start)
        _put(self, "target", _target(target))
        _put(self, "images", {})
        _put(self, "sampler", sampler if sampler is not None else own_sampler(self.target, by_bind=False))
        given: dict[str, Any] = {
            "base_level": base_level,
            "max_level": max_level,
            "depth_mode": depth_mode,
            "stencil_mode": "stencil-index" if stencil_sampling else stencil_mode,
            "swizzle": swizzle,
            "is_float": is_float,
            "storage_format": storage_format,
            "view_swizzle": view_swizzle,
            "surface_format": surface_format,
        }
        for name, value in given.items():
            check = _STATE[name]
            _put(self, name, check(value) if check else value)
        self.changed()
        if internal_format is not None:
            shape, fmt = given_size(self.target, size), given_format(internal_format)
            count, samples = given_levels(self.target, shape, levels), given_count("samples", samples or 0)
            self.allocate(fmt, shape, count, samples, immutable=immutable)
            self.examine()

    @classmethod
    def from_moderngl(cls, texture: Any) -> Texture:  # noqa: ANN401 (another package's object)
        """Make a texture with what a ``moderngl`` texture says of itself: its sampler, format, size, levels, swizzle.

        docs/hosts.md has what moderngl does not say.

        Args:
            texture: Any of moderngl's textures.

        Raises:
            ArgumentError: It is no texture of moderngl.
        """
        from statetracker.hosts.moderngl_fields import sampler_fields, texture_arguments

        arguments = texture_arguments(texture)
        own = own_sampler(_target(arguments["target"]), by_bind=True)
        if not arguments["samples"]:
            own.update(**sampler_fields(texture))
        return cls(**arguments, sampler=own)

    def copy(self) -> Texture:
        """Make another texture with the same state, its own sampler and images too; without name and handles."""
        return _restored(self._state())

    def __copy__(self) -> Texture:
        """As `copy`: a token belongs to one object."""
        return self.copy()

    def __deepcopy__(self, memo: object) -> Texture:
        return self.copy()

    def __reduce__(self) -> tuple[object, tuple[dict[str, object]]]:
        """Unpickle as another texture with the same state, and a token of the process that does."""
        return _restored, (self._state(),)

    def _state(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in _COPIED}

    def _set(self, name: str, value: object) -> None:
        """Check and `store` a field of the state; anything else is set as it is."""
        if name in _STATE:
            check = _STATE[name]
            self.store(name, check(value) if check else value)
        else:
            _put(self, name, value)

    if not TYPE_CHECKING:  # a checker that saw it would take any attribute
        __setattr__ = _set

    def changed(self) -> None:
        """Forget what was derived and take a new token."""
        _put(self, "examined", None)
        _put(self, "known_facts", None)
        _put(self, "view_range", None)
        _put(self, "token", next_token())

    def store(self, field: str, value: object) -> None:
        """Set a parameter to a value that is known to be good; of an equal number nothing is seen.

        Args:
            field: Its name, as among the arguments of `Texture`.
            value: As the attribute reads.
        """
        if isinstance(value, int) and value == getattr(self, field, None):
            return
        self.changed()
        _put(self, field, value)

    def put_image(self, face: int, level: int, image: Image) -> None:
        """Set one image.

        Args:
            face: Of a cube map, 0 to 5; else 0.
            level: Mipmap level, from 0.
            image: Its format and size.
        """
        self.changed()
        self.images[face, level] = image

    def allocate(
        self,
        fmt: InternalFormat,
        size: tuple[int, int, int],
        levels: int | None,
        samples: int = 0,
        *,
        fixed: bool = True,
        immutable: bool = False,
    ) -> None:
        """Allocate a chain of images, each level half the one before; None: down to one texel.

        Images that it had of higher levels stay, as Mesa has it.

        Args:
            fmt: The internal format of all.
            size: Texels of level 0: width, height, depth or layers.
            levels: How many; None: down to one texel.
            samples: Of a multisample texture; 0 for every other.
            fixed: Its samples lie alike in every texel.
            immutable: No call may change format and size any more, as after glTexStorage.
        """
        count = chain_length(self.target, size) if levels is None else levels
        made = chain(fmt, self.target, size, self.faces, count, samples, fixed=fixed)
        self.changed()
        self.images.update(made)
        if immutable:
            self.immutable_levels = count

    def generate(self, face: int) -> None:
        """Fill the chain of one face above the base level with images like its base image.

        Args:
            face: Of a cube map, 0 to 5; else 0.
        """
        base = self.images.get((face, self.base_level))
        if base is None or not (base.width and base.height and base.depth):
            return
        size = (base.width, base.height, base.depth)
        last = min(self.max_level, self.base_level + chain_length(self.target, size) - 1)
        if self.immutable_levels:
            last = min(last, self.immutable_levels - 1)
        self.changed()
        for level in range(self.base_level + 1, last + 1):
            self.images[face, level] = Image(base.format, *level_size(self.target, size, level - self.base_level))

    def facts(self) -> TextureFacts:
        """Return what conversion reads of this texture, as of the last completeness test."""
        if self.known_facts is None:
            base = self.base_image()
            self.known_facts = TextureFacts.of(
                target=self.target,
                base_format=base.format.base_format if base else "RGBA",
                internal_format=base.format.name if base else "RGBA8",
                is_integer=self.is_integer,
                is_float=self.is_float,
                stencil_sampling=self.stencil_sampling,
                depth_mode=self.depth_mode,
                swizzle=tuple(SWIZZLE_SELECTORS[part] for part in self.swizzle),
                storage_format=self.storage_format,
                view_swizzle=self.view_swizzle,
                surface_format=self.surface_format,
            )
        return self.known_facts

    def content(self) -> tuple[TextureFacts, Sampler]:
        """Return the facts after a completeness test, and the texture's sampler, for caches that compare by value.

        The sampler's fields are compared by its own `Sampler.content`.
        """
        self.examine()
        return self.facts(), self.sampler

    def __repr__(self) -> str:
        base = self.base_image()
        shape = f"{base.format.name}, {base.width}x{base.height}x{base.depth}" if base else "no base image"
        return f"Texture({T(self.target).name}, {shape}, {len(self.images)} images)"


def _restored(state: dict[str, Any]) -> Texture:
    texture = Texture(state["target"])
    for name, value in state.items():
        _put(texture, name, value)
    _put(texture, "images", dict(texture.images))
    _put(texture, "sampler", texture.sampler.copy())
    texture.changed()
    return texture


def fallback_texture(target: int, *, depth: bool = False) -> Texture:
    """Make the texture that GL samples in place of an incomplete one: 1x1, black, opaque, never filtered.

    Args:
        target: Of the incomplete one, a GLenum.
        depth: A depth texture, which can be compared: newer Mesa has one for shadow samplers.

    Raises:
        UnknownName: It is no target.
    """
    texture = Texture(target, "DEPTH_COMPONENT32" if depth else "RGBA8", (1, 1, 1), levels=1)
    if depth:
        texture.storage_format = "Z32_UNORM"
    texture.sampler.update(min_filter="nearest", mag_filter="nearest")
    return texture
