"""A use of described stencil, rewritten: the requested coordinates, level and layer, then the texels.

A texel is moved by the offset, wrapped, and found by the layout functions of `statetracker.surface`: all of it in 32
bits, signed where a coordinate may be negative, unsigned once it is inside. Source: OpenGL 4.6, 8.14; docs/stencil.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.shader.sample_ops import SAMPLES, operands_of
from statetracker.spirv import Editor, Emitter, Instruction, Kind, Word
from statetracker.spirv.names import Dim, ExecutionModel, ImageOperands, Op
from statetracker.surface.override import View
from statetracker.surface.stencil import encode_sample, image_place, w_to_block, w_to_y

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.surface.override import Override

#: Execution models in which a derivative exists.
STAGES_WITH_DERIVATIVES: Final = {ExecutionModel.Fragment}
#: Queries, which are answered from the uniform block.
QUERIES: Final = {Op.ImageQuerySizeLod, Op.ImageQuerySize, Op.ImageQueryLevels, Op.ImageQuerySamples}
#: Wraps of an axis that the rewrite knows.
WRAPS: Final = ("clamp-to-edge", "repeat", "mirrored-repeat", "clamp-to-border", "mirror-clamp-to-edge")
_FAR: Final = float(1 << 24)  # beyond it a float does not count single texels, and its integer may not exist


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


class DescribedImage(NamedTuple):
    """An image as the rewritten module has it: ids, and what is known of it.

    Attributes:
        at: Its first vector of four in the uniform block.
        variable: What it is loaded from: a sampled image where ``combined``, else an image.
        derivatives: The module's stage has them.
        image_type: Of the image; shared by all images.
        sampled_type: Of the sampled image; shared likewise.
        uniforms: The block; shared likewise.
        pointer: Type of a pointer into it; shared likewise.
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


def _floored(value: Word) -> Word:
    return value.floor().clamp(-_FAR, _FAR).to(Kind.INT)


def _within(value: Word, count: Word) -> Word:
    return value.clamp(0, (count - 1).to(Kind.INT)).to(Kind.UINT)


def _modulo(texel: Word, period: Word) -> Word:
    """Return a texel modulo a period; moved up first, since Vulkan leaves remainders of negative numbers undefined."""
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
    return _within(texel, extent)


class NotRewritten(Exception):
    """A reason why an instruction cannot be rewritten. It does not leave `lower_stencil`."""


def rewrite(
    editor: Editor, one: Instruction, image: DescribedImage, kind: Instruction
) -> tuple[list[Instruction], list[str]]:
    """Return the instructions for one use of the image, the last of which has its result id, and the steps in words.

    ``kind`` is the OpTypeImage that the image had. What cannot be rewritten is a `NotRewritten` with the reason.
    """
    work = _Use(editor, image, kind)
    work.end(one, work.query(one) if one.opcode in QUERIES else work.sample(one))
    return work.emit.out, work.steps


class _Use:
    """The steps, in the order in which they run."""

    def __init__(self, editor: Editor, image: DescribedImage, kind: Instruction) -> None:
        self.editor, self.emit, self.image = editor, Emitter(editor), image
        self.rect, self.arrayed = kind.words[2] == Dim.Rect, bool(kind.words[4])
        self.steps: list[str] = []

    def query(self, one: Instruction) -> list[Word]:
        """Return the answer of a query: of the tree, never of the described surface."""
        if one.opcode == Op.ImageQuerySamples:
            self.steps.append("answered from the key")
            return [self.emit.uint(self.image.key.samples)]
        self.steps.append("answered from base_w, base_h")
        self.uniforms()
        if one.opcode == Op.ImageQueryLevels:
            return [self.levels - self.base_level]
        with_level = one.opcode == Op.ImageQuerySizeLod
        level = self.whole_level(self.emit.word(one.words[3])) if with_level else self.base_level
        return self.size(level) + [self.layers] * self.arrayed

    def sample(self, one: Instruction) -> list[Word]:
        fetch, gather, operands = one.opcode == Op.ImageFetch, one.opcode == Op.ImageGather, operands_of(one)
        parts = self.emit.parts(self.emit.as_float32(one.words[3]))
        axes = [part.to(Kind.INT) for part in parts[:2]] if fetch else parts[:2]
        if not fetch and SAMPLES[one.opcode].project:
            self.steps.append("divided by q")
            axes = [axis / parts[2] for axis in axes]
        self.uniforms()
        level = self.level(operands, axes, fetch=fetch, base=gather or self.rect)
        size = self.size(level)
        layer = self.layer(parts[2], fetch=fetch) if self.arrayed else self.emit.uint(0)
        index = operands.get(ImageOperands.Sample)
        sample = self.emit.word(index[0]).to(Kind.UINT) if index else self.emit.uint(0)
        self.within, self.at_layer, self.at_sample = size, layer, sample
        self.place = self.uniform(level + (self.image.at + 2), 3)
        if gather:
            return self.gather(one, axes, size, operands)
        texels = axes if fetch else [_floored(axis) for axis in self.scaled(axes, size)]
        value = self.read(texels, self.offset(operands), wrapped=not fetch)
        return [value, self.emit.uint(0), self.emit.uint(0), self.emit.uint(1)]

    def gather(
        self, one: Instruction, axes: list[Word], size: list[Word], operands: dict[int, list[int]]
    ) -> list[Word]:
        """Four fetches around the coordinate: (i0, j1), (i1, j1), (i1, j0), (i0, j0).

        With four offsets each is (i0, j0) moved by one of them.
        """
        component = self.editor.definitions[one.words[4]]
        if component.opcode not in {Op.Constant, Op.ConstantNull}:
            raise NotRewritten("the component of the gather is no constant")
        if component.words[2:] and component.words[2]:
            return [self.emit.uint(1 if component.words[2] == 3 else 0)] * 4
        low = [_floored(axis - 0.5) for axis in self.scaled(axes, size)]
        high = [part + 1 for part in low]
        corners = [[low[0], high[1]], high, [high[0], low[1]], low]
        offsets: Sequence[list[Word]] = [self.offset(operands)] * 4
        four = operands.get(ImageOperands.ConstOffsets) or operands.get(ImageOperands.Offsets)
        if four:
            corners, offsets = [low] * 4, self.four_offsets(four[0])
        return [self.read(corner, by, wrapped=True) for corner, by in zip(corners, offsets, strict=True)]

    def offset(self, operands: dict[int, list[int]]) -> list[Word]:
        moved = operands.get(ImageOperands.ConstOffset) or operands.get(ImageOperands.Offset)
        return [part.to(Kind.INT) for part in self.emit.parts(moved[0])] if moved else []

    def four_offsets(self, array: int) -> list[list[Word]]:
        """Return the offset of each fetch of a gather: from an array, a constant of any kind or not."""
        self.steps.append("four offsets")
        kind = self.editor.definitions[self.emit.type_of(array)].words[1]
        each = [self.emit.op("OpCompositeExtract", kind, array, at) for at in range(4)]
        return [[part.to(Kind.INT) for part in self.emit.parts(one)] for one in each]

    def uniforms(self) -> None:
        """Read what the uniform block says of the base level, and which level that is."""
        self.base_w, self.base_h, self.layers, self.levels = self.uniform(self.emit.uint(self.image.at), 4)
        self.base_level = self.uniform(self.emit.uint(self.image.at + 1), 1)[0]

    def size(self, level: Word) -> list[Word]:
        return [(extent >> level).max(1) for extent in (self.base_w, self.base_h)]

    def scaled(self, axes: list[Word], size: list[Word]) -> list[Word]:
        """Coordinates in texels; those of a rectangle are."""
        return axes if self.rect else [axis * part.to(Kind.FLOAT) for axis, part in zip(axes, size, strict=True)]

    def level(self, operands: dict[int, list[int]], axes: list[Word], *, fetch: bool, base: bool) -> Word:
        """Return the level that is read, at least 0 and below the number of levels; ``base``: always the base level."""
        self.steps.append("level")
        lod = operands.get(ImageOperands.Lod)
        if fetch and lod:
            return self.whole_level(self.emit.word(lod[0]))
        asked = self.emit.uint(0) if fetch or base else self.nearest_level(operands, axes)
        return (asked + self.base_level).min(self.levels - 1)

    def whole_level(self, lod: Word) -> Word:
        """Return a level given by number, plus the base level, clamped to the levels that exist; no sum overflows."""
        last = self.levels - 1
        if lod.kind is Kind.UINT:
            lod = lod.min(last)
        base = self.base_level.min(last).to(Kind.INT)
        return (lod.to(Kind.INT).clamp(-base, last.to(Kind.INT) - base) + base).to(Kind.UINT)

    def nearest_level(self, operands: dict[int, list[int]], axes: list[Word]) -> Word:
        """Return the level, counted from the base level, that the level of detail is nearest to."""
        last = (self.levels - 1).to(Kind.FLOAT)
        lod = self.lod(operands, axes)
        if ImageOperands.Bias in operands:
            lod = lod + self.emit.float32(operands[ImageOperands.Bias][0])
        return ((lod.clamp(0.0, last) + 0.5).ceil() - 1.0).to(Kind.UINT)

    def lod(self, operands: dict[int, list[int]], axes: list[Word]) -> Word:
        """Return the level of detail: given, or half the logarithm of the longer footprint's square, in texels."""
        if ImageOperands.Lod in operands:
            return self.emit.float32(operands[ImageOperands.Lod][0])
        if ImageOperands.Grad in operands:
            given = operands[ImageOperands.Grad]
            footprint = [self.emit.parts(self.emit.as_float32(part)) for part in given]
        elif self.image.derivatives:
            footprint = [[self.emit.make(Kind.FLOAT, name, axis.id) for axis in axes] for name in ("OpDPdx", "OpDPdy")]
        else:
            return self.emit.number(Kind.FLOAT, 0.0)
        width, height = (part.to(Kind.FLOAT) for part in self.size(self.base_level))
        texels = ((parts[0] * width, parts[1] * height) for parts in footprint)
        across, up = (x * x + y * y for x, y in texels)
        return across.max(up).log2() * 0.5

    def layer(self, part: Word, *, fetch: bool) -> Word:
        self.steps.append("layer")
        return _within(part.to(Kind.INT) if fetch else _floored(part + 0.5), self.layers)

    def end(self, one: Instruction, values: list[Word]) -> None:
        component, count = self.editor.components(one.words[0])
        if component.opcode != Op.TypeInt:
            raise NotRewritten("its result is no vector of integers")
        ids = [value.to(Kind.INT if component.words[2] else Kind.UINT).id for value in values]
        self.emit.result(one, "OpCompositeConstruct" if count > 1 else "OpCopyObject", *ids[:count])

    def read(self, texels: list[Word], offset: list[Word], *, wrapped: bool) -> Word:
        """Fetch one texel: offset, wrap, sample, place in the tree, tiling."""
        key = self.image.key
        if offset:
            texels = [part + by for part, by in zip(texels, offset, strict=False)]
        inside, placed = list[Word](), list[Word]()
        wraps = (key.wrap_s, key.wrap_t) if wrapped else ("clamp-to-edge",) * 2
        for part, extent, wrap in zip(texels, self.within, wraps, strict=True):
            self.steps.append(wrap)
            placed.append(_wrap(part, extent, wrap))
            if wrap == "clamp-to-border":
                inside.append(placed[-1].equals(part.to(Kind.UINT)))
        x, y = placed
        if key.samples > 1:
            self.steps.append(f"sample of {key.samples}")
            x, y = encode_sample(x, y, self.at_sample, key.samples)
        self.steps.append("place of level and layer")
        value = self.fetched(*image_place(x, y, self.place, self.at_layer))
        for flag in inside:
            value = flag.select(value, key.border)
        return value

    def fetched(self, x: Word, y: Word) -> Word:
        """Translate to the Y tile and fetch; the byte, of a block its channel."""
        emit, image = self.emit, self.image
        block = image.key.view is View.BLOCK
        self.steps.append("W to Y, block" if block else "W to Y")
        x, y, *channel = w_to_block(x, y) if block else w_to_y(x, y)
        at = emit.joined([x, y])
        kind = emit.type_id(Kind.UINT, 4)
        source = emit.op("OpLoad", image.sampled_type if image.combined else image.image_type, image.variable)
        if image.combined:
            source = emit.op("OpImage", image.image_type, source)
        level = emit.number(Kind.INT, 0).id
        texel = emit.op("OpImageFetch", kind, source, at, ImageOperands.Lod, level)
        if not channel:
            return emit.make(Kind.UINT, "OpCompositeExtract", texel, 0)
        return emit.make(Kind.UINT, "OpVectorExtractDynamic", texel, channel[0].id)

    def uniform(self, index: Word, count: int) -> list[Word]:
        """Return the first words of a vector of four of the uniform block."""
        emit, vector = self.emit, self.emit.type_id(Kind.UINT, 4)
        chain = emit.op("OpAccessChain", self.image.pointer, self.image.uniforms, emit.uint(0).id, index.id)
        return emit.parts(emit.op("OpLoad", vector, chain), count)
