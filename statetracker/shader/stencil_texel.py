"""One texel of described stencil: the offset, the wraps, then the layout functions of `statetracker.surface`.

All of it is 32-bit: signed where a coordinate may be negative, unsigned once it is inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.spirv import Kind
from statetracker.spirv.names import ImageOperands
from statetracker.surface.override import View
from statetracker.surface.w_tiles import encode_sample, image_place, w_to_block, w_to_y

if TYPE_CHECKING:
    from statetracker.shader.stencil_request import StencilKey
    from statetracker.spirv import Emitter, Word

_FAR: Final = float(1 << 24)  # beyond it a float does not count single texels, and its integer may not exist


class DescribedImage(NamedTuple):
    """An image as the rewritten module has it: ids, and what is known of it.

    at            its first vector of four in the uniform block
    variable      that it is loaded from: a sampled image where ``combined``, else an image
    derivatives   the module's stage has them
    image_type, sampled_type, uniforms, pointer   types and variable that all images share
    """

    key: StencilKey
    at: int
    variable: int
    combined: bool
    derivatives: bool
    image_type: int
    sampled_type: int
    uniforms: int
    pointer: int


def minified(extent: Word, level: Word) -> Word:
    """The size of a level."""
    return (extent >> level).max(1)


def floored(value: Word) -> Word:
    """A float rounded down, as an integer."""
    return value.floor().clamp(-_FAR, _FAR).to(Kind.INT)


def within(value: Word, count: Word) -> Word:
    """The nearest of 0 to ``count`` - 1 to a signed value."""
    return value.clamp(0, (count - 1).to(Kind.INT)).to(Kind.UINT)


def _modulo(texel: Word, period: Word) -> Word:
    """A texel modulo a period; moved up first, since Vulkan leaves remainders of negative numbers undefined."""
    times = period.like(2 * int(_FAR)) // period + 1
    return (texel.to(Kind.UINT) + times * period) % period


def _wrap(texel: Word, extent: Word, wrap: str) -> Word:
    """Bring a texel inside; for the border, to the nearest one inside."""
    if wrap == "repeat":
        return _modulo(texel, extent)
    if wrap == "mirrored-repeat":
        twice = extent + extent
        turned = _modulo(texel, twice)
        return (turned < extent).select(turned, twice - 1 - turned)
    if wrap == "mirror-clamp-to-edge":
        texel = (texel < 0).select(~texel, texel)
    return within(texel, extent)


class Texels:
    """Reads texels of one level and layer; ``steps`` collects in words what is done."""

    def __init__(self, emit: Emitter, image: DescribedImage, steps: list[str]) -> None:
        self.emit, self.image, self.steps = emit, image, steps

    def begin(self, size: list[Word], level: Word, layer: Word, sample: Word) -> None:
        """Set where the texels are: a level of a size, a layer, a sample."""
        self.size, self.layer, self.sample = size, layer, sample
        self.place = self.uniform(level + (self.image.at + 2), 3)

    def read(self, texels: list[Word], offset: list[Word], *, wrapped: bool) -> Word:
        """Fetch one texel: offset, wrap, sample, place in the tree, tiling."""
        key = self.image.key
        if offset:
            texels = [part + by for part, by in zip(texels, offset, strict=False)]
        inside: list[Word] = []
        placed = []
        wraps = (key.wrap_s, key.wrap_t) if wrapped else ("clamp-to-edge",) * 2
        for part, extent, wrap in zip(texels, self.size, wraps, strict=True):
            self.steps.append(wrap)
            placed.append(_wrap(part, extent, wrap))
            if wrap == "clamp-to-border":
                inside.append(placed[-1].equals(part.to(Kind.UINT)))
        x, y = placed
        if key.samples > 1:
            self.steps.append(f"sample of {key.samples}")
            x, y = encode_sample(x, y, self.sample, key.samples)
        self.steps.append("place of level and layer")
        value = self.fetched(*image_place(x, y, self.place, self.layer))
        for flag in inside:
            value = flag.select(value, key.border)
        return value

    def fetched(self, x: Word, y: Word) -> Word:
        """Translate to the Y tile and fetch; the byte, of a block its channel."""
        emit, image = self.emit, self.image
        block = image.key.view is View.BLOCK
        self.steps.append("W to Y, block" if block else "W to Y")
        channel = None
        if block:
            x, y, channel = w_to_block(x, y)
        else:
            x, y = w_to_y(x, y)
        at = emit.joined([x, y])
        unsigned = emit.type_id(Kind.UINT)
        source = emit.op("OpLoad", image.sampled_type if image.combined else image.image_type, image.variable)
        if image.combined:
            source = emit.op("OpImage", image.image_type, source)
        level = emit.number(Kind.INT, 0).id
        kind = emit.editor.type_vector(unsigned, 4)
        texel = emit.op("OpImageFetch", kind, source, at, ImageOperands.Lod, level)
        if channel is None:
            return emit.make(Kind.UINT, "OpCompositeExtract", texel, 0)
        return emit.make(Kind.UINT, "OpVectorExtractDynamic", texel, channel.id)

    def uniform(self, index: Word, count: int) -> list[Word]:
        """The first words of a vector of four of the uniform block."""
        emit = self.emit
        vector = emit.editor.type_vector(emit.type_id(Kind.UINT), 4)
        chain = emit.op("OpAccessChain", self.image.pointer, self.image.uniforms, emit.uint(0).id, index.id)
        return emit.parts(emit.op("OpLoad", vector, chain), count)
