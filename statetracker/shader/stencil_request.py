"""The request and the result of the stencil rewrite, and the uniform block that describes a tree to the shader."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.shader.origin import descriptor_of, free_place
from statetracker.shader.request import descriptor
from statetracker.spirv.names import Op, StorageClass
from statetracker.surface.override import Override, View

if TYPE_CHECKING:
    from statetracker.spirv import Module

#: Levels that the uniform block can hold.
MAX_LEVELS: Final = 15
#: Vectors of four that each image has in the uniform block.
VEC4S: Final = 2 + MAX_LEVELS
#: Wraps of an axis that the rewrite knows.
WRAPS: Final = ("clamp-to-edge", "repeat", "mirrored-repeat", "clamp-to-border", "mirror-clamp-to-edge")
_SAMPLES: Final = (1, 2, 4, 8, 16)
_BORDER_MAX: Final = 255
_FIRST_BINDING: Final = 15  # the block's, where it is free: compilers and programs count from 0
_RESOURCES: Final = {StorageClass.UniformConstant, StorageClass.Uniform, StorageClass.StorageBuffer}


class StencilKey(NamedTuple):
    """The key of a shader variant, for one image.

    Attributes:
        samples: 1, 2, 4, 8 or 16.
        view: How the sampler sees the bytes.
        wrap_s: Of normalised coordinates.
        wrap_t: Of normalised coordinates.
        border: What lies beyond an axis that wraps to the border.
    """

    samples: int = 1
    view: View = View.BYTE
    wrap_s: str = "clamp-to-edge"
    wrap_t: str = "clamp-to-edge"
    border: int = 0

    @classmethod
    def of(cls, described: Override, samples: int, **wraps: Any) -> StencilKey:  # noqa: ANN401 (fields of the key)
        """Take view and samples from an override."""
        return cls(samples=samples, view=described.view, **wraps)


class StencilNote(NamedTuple):
    """An instruction: the word at which it stood, its name, and what was done or why it could not be."""

    offset: int
    instruction: str
    said: str


class StencilLowered(NamedTuple):
    """The rewritten module.

    Attributes:
        module: Bytes; the given ones where nothing was rewritten.
        rewritten: What was replaced, with the steps inserted.
        unresolved: What could not be rewritten, each with its reason; then the module must not be used.
        block: (set, binding) of the uniform block, std140: for each image, in the order of ``images``, what
            `uniform_bytes` gives.
        images: The images' (set, binding), in the block's order.
    """

    module: bytes
    rewritten: tuple[StencilNote, ...]
    unresolved: tuple[StencilNote, ...]
    block: tuple[int, int]
    images: tuple[tuple[int, int], ...]


def uniform_bytes(described: Override, *, base_level: int = 0) -> bytes:
    """Return one image's part of the uniform block: base_w, base_h, layer_count, level_count; base_level; the offsets.

    Args:
        described: How the image is described to the sampler.
        base_level: The texture's.

    Raises:
        ArgumentError: More levels than `MAX_LEVELS`.
    """
    values = described.uniforms
    if not described.needed or len(values["offsets"]) > MAX_LEVELS:
        raise ArgumentError("override", described, accepted=f"one that is needed, of at most {MAX_LEVELS} levels")
    words = [values["base_w"], values["base_h"], values["layer_count"], values["level_count"], base_level, 0, 0, 0]
    for x, y, rows in values["offsets"]:
        words += [x, y, rows, 0]
    words += [0] * (4 * VEC4S - len(words))
    return struct.pack(f"<{len(words)}I", *words)


def checked(images: Mapping[tuple[int, int], StencilKey]) -> dict[tuple[int, int], StencilKey]:
    """Check a request; every view becomes a `View`. Raises `ArgumentError`."""
    if not isinstance(images, Mapping):
        raise ArgumentError("images", images, accepted="a mapping: (set, binding) -> StencilKey")
    keys = {}
    for at, key in images.items():
        if not isinstance(key, StencilKey):
            raise ArgumentError(f"images[{at!r}]", key, accepted="a StencilKey")
        members = (("samples", key.samples, _SAMPLES), ("view", key.view, tuple(View)), ("wrap", key.wrap_s, WRAPS))
        for name, value, known in (*members, ("wrap", key.wrap_t, WRAPS)):
            if value not in known:
                raise ArgumentError(name, value, accepted=", ".join(map(str, known)))
        if not isinstance(key.border, int) or not 0 <= key.border <= _BORDER_MAX:
            raise ArgumentError("border", key.border, accepted=f"0 to {_BORDER_MAX}: stencil has 8 bits")
        keys[descriptor("images", at)] = key._replace(view=View(key.view))
    return keys


def free_block(module: Module, asked: tuple[int, int] | None) -> tuple[int, int]:
    """Return the uniform block's place, where no variable of the module is; raises `ArgumentError` where one is."""
    variables = (one for one in module.instructions if one.opcode == Op.Variable and one.words[2] in _RESOURCES)
    taken = {descriptor_of(module, one) for one in variables}
    if asked is None:
        return free_place(taken, first=_FIRST_BINDING)
    if descriptor("block", asked) in taken:
        accepted = "a (set, binding) that no variable of the module has"
        raise ArgumentError("block", asked, accepted=accepted, hint="Leave it out to have a free one chosen.")
    return descriptor("block", asked)
