"""The arithmetic of a stencil fetch, step by step, written as SPIR-V. One object serves a whole module.

All of it is 32-bit: signed where a coordinate may be negative, unsigned once it is inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.shader.emitter import FLOOR, Emitter
from statetracker.shader.forms import BIAS, CONST_OFFSET, CONST_OFFSETS, GRAD, LOD, OFFSET, OFFSETS, split
from statetracker.surface.stencil import View

if TYPE_CHECKING:
    from statetracker.shader.stencil_request import StencilKey
    from statetracker.spirv import Editor, Instruction

__all__ = ["STAGES_WITH_DERIVATIVES", "NotRewritten", "Steps"]

#: Execution models in which a derivative exists: fragment.
STAGES_WITH_DERIVATIVES: Final = {4}
_LOG2, _CEIL, _FMAX, _FCLAMP, _UMIN, _SCLAMP, _UMAX, _SABS = 30, 9, 40, 43, 38, 45, 41, 5
_SAMPLE: Final = 64
_RECT: Final = 4
_FAR: Final = float(1 << 24)  # beyond it a float does not count single texels, and its integer may not exist


class NotRewritten(Exception):
    """Why an instruction cannot be rewritten. It does not leave `lower_stencil`."""


class Steps:
    """Writes the instructions that stand in for one."""

    def __init__(self, editor: Editor, *, image: int, sampled: int, uniforms: int) -> None:
        """Take the types of the described image and the block's variable."""
        self.editor = editor
        self.image_type, self.sampled_type, self.uniforms = image, sampled, uniforms
        self.int = editor.type_int(signed=True)
        self.unsigned = editor.type_int(signed=False)
        self.bool = editor.type_bool()
        self.pointer = editor.declare("OpTypePointer", 2, editor.type_vector(self.unsigned, 4))
        self.told: list[str] = []

    def begin(self, key: StencilKey, at: int, *, derivatives: bool) -> None:
        """Turn to another instruction: its key, its image's place in the block, whether derivatives exist."""
        self.e = Emitter(self.editor)
        self.key, self.at, self.derivatives = key, at, derivatives
        self.told = []

    def rewrite(self, one: Instruction, image: Instruction, variable: int, *, combined: bool) -> list[Instruction]:
        """Give the instructions for one use of the image, the last of which has its result id.

        Raises `NotRewritten`, with the reason, for what cannot be rewritten.
        """
        self.image, self.variable, self.combined = image, variable, combined
        self.rect, self.arrayed, self.multisampled = image.words[2] == _RECT, bool(image.words[4]), bool(image.words[5])
        if one.opcode in {103, 104, 106, 107}:
            self._query(one)
        else:
            self._sample(one)
        return self.e.out

    # -- queries

    def _query(self, one: Instruction) -> None:
        size = self._word(0)
        if one.opcode == 107:
            self._end(one, [self.e.uint(self.key.samples)])
            self.told.append("answered from the key")
            return
        base_level = self._parts(self._word(1))[0]
        base_w, base_h, layers, levels = self._parts(size)
        if one.opcode == 106:
            self._end(one, [self.e.uop("OpISub", levels, base_level)])
        else:
            level = base_level
            if one.opcode == 103:
                last = self.e.uop("OpISub", levels, self.e.uint(1))
                level = self._whole_level(one.words[3], last, base_level)
            answer = [self._minified(base_w, level), self._minified(base_h, level)]
            self._end(one, answer + [layers] * self.arrayed)
        self.told.append("answered from base_w, base_h")

    # -- texels

    def _sample(self, one: Instruction) -> None:
        fetch, gather = one.opcode == 95, one.opcode == 96
        project = one.opcode in {91, 92}
        operands = split(one.words[5:] if gather else one.words[4:])
        parts = self.e.parts(one.words[3])
        axes = self._axes(parts, project=project) if not fetch else [self._signed(part) for part in parts[:2]]
        layer_part = parts[2] if self.arrayed else 0
        self._size()
        level = self._level(one, operands, axes, fetch=fetch)
        size = [self._minified(self.base_w, level), self._minified(self.base_h, level)]
        layer = self._layer(layer_part, fetch=fetch)
        sample = self._unsigned(operands[_SAMPLE][0]) if _SAMPLE in operands else self.e.uint(0)
        if gather:
            self._gather(one, axes, size, operands, (level, layer, sample))
            return
        texels = axes if fetch else [self._floor(axis, extent) for axis, extent in zip(axes, size, strict=True)]
        value = self._texel(texels, size, self._offset(operands), (level, layer, sample), clamp=fetch)
        zero, one_ = self.e.uint(0), self.e.uint(1)
        self._end(one, [value, zero, zero, one_])

    def _offset(self, operands: dict[int, list[int]]) -> list[int] | None:
        """The offset, as integers; None without one."""
        moved = operands.get(CONST_OFFSET) or operands.get(OFFSET)
        return [self._signed(part) for part in self.e.parts(moved[0])] if moved else None

    def _four_offsets(self, array: int) -> list[list[int] | None]:
        """The offset of each fetch of a gather: from an array, a constant of any kind or not."""
        self.told.append("four offsets")
        kind = self.editor.definitions[self.e.type_of(array)].words[1]
        each = [self.e.op("OpCompositeExtract", kind, array, at) for at in range(4)]
        return [[self._signed(part) for part in self.e.parts(one)] for one in each]

    def _gather(
        self,
        one: Instruction,
        axes: list[int],
        size: list[int],
        operands: dict[int, list[int]],
        where: tuple[int, int, int],
    ) -> None:
        """Four fetches around the coordinate: (i0, j1), (i1, j1), (i1, j0), (i0, j0).

        With four offsets each is of (i0, j0), moved by its own.
        """
        component = self.editor.definitions[one.words[4]]
        if component.opcode not in {43, 46}:
            raise NotRewritten("the component of the gather is no constant")
        if component.words[2:] and component.words[2]:
            value = self.e.uint(1 if component.words[2] == 3 else 0)
            self._end(one, [value] * 4)
            return
        low = []
        for axis, extent in zip(axes, size, strict=True):
            scaled = axis if self.rect else self.e.fop("OpFMul", axis, self._float(extent))
            low.append(self._to_int(self.e.fop("OpFSub", scaled, self.editor.float_constant(0.5))))
        high = [self.e.op("OpIAdd", self.int, part, self._number(1)) for part in low]
        corners = ((low[0], high[1]), (high[0], high[1]), (high[0], low[1]), (low[0], low[1]))
        four = operands.get(CONST_OFFSETS) or operands.get(OFFSETS)
        if four:
            corners, offsets = (corners[3],) * 4, self._four_offsets(four[0])
        else:
            offsets = [self._offset(operands)] * 4
        fetches = zip(corners, offsets, strict=True)
        self._end(one, [self._texel(list(corner), size, by, where, clamp=False) for corner, by in fetches])

    def _texel(
        self, texels: list[int], size: list[int], offset: list[int] | None, where: tuple[int, int, int], *, clamp: bool
    ) -> int:
        """Fetch one texel: offset, wrap, sample, place in the tree, tiling."""
        level, layer, sample = where
        if offset is not None:
            texels = [self.e.op("OpIAdd", self.int, part, by) for part, by in zip(texels, offset, strict=False)]
        wraps = ("clamp-to-edge",) * 2 if clamp else (self.key.wrap_s, self.key.wrap_t)
        inside: list[int] = []
        placed = []
        for part, extent, wrap in zip(texels, size, wraps, strict=True):
            placed.append(self._wrap(part, extent, wrap))
            if wrap == "clamp-to-border" and not clamp:
                inside.append(self.e.op("OpIEqual", self.bool, placed[-1], self._bits(part)))
        x, y = self._encoded(placed, sample)
        x, y = self._moved(x, y, level, layer)
        value = self._fetched(x, y)
        for flag in inside:
            value = self.e.uop("OpSelect", flag, value, self.e.uint(self.key.border))
        return value

    # -- steps

    def _size(self) -> None:
        self.base_w, self.base_h, self.layers, self.levels = self._parts(self._word(0))
        self.base_level = self._parts(self._word(1))[0]

    def _axes(self, parts: list[int], *, project: bool) -> list[int]:
        axes = [self.e.as_float32(part) for part in parts[:2]]
        if project:
            by = self.e.as_float32(parts[2])
            self.told.append("divided by q")
            return [self.e.fop("OpFDiv", axis, by) for axis in axes]
        return axes

    def _level(self, one: Instruction, operands: dict[int, list[int]], axes: list[int], *, fetch: bool) -> int:
        """The level that is read, at least 0 and below the number of levels."""
        last = self.e.uop("OpISub", self.levels, self.e.uint(1))
        if fetch and LOD in operands:
            self.told.append("level")
            return self._whole_level(operands[LOD][0], last, self.base_level)
        none = fetch or one.opcode == 96 or self.rect
        asked = self.e.uint(0) if none else self._nearest_level(operands, axes, last)
        self.told.append("level")
        return self.e.glsl(_UMIN, self.unsigned, self.e.uop("OpIAdd", asked, self.base_level), last)

    def _whole_level(self, lod: int, last: int, base: int) -> int:
        """A level asked for by number, and the base level, brought to those there are; no sum overflows."""
        if self.e.type_of(lod) == self.unsigned:
            lod = self.e.glsl(_UMIN, self.unsigned, lod, last)
        base = self._signed(self.e.glsl(_UMIN, self.unsigned, base, last))
        low = self.e.op("OpSNegate", self.int, base)
        high = self.e.op("OpISub", self.int, self._signed(last), base)
        inside = self.e.glsl(_SCLAMP, self.int, self._signed(lod), low, high)
        return self._bits(self.e.op("OpIAdd", self.int, inside, base))

    def _nearest_level(self, operands: dict[int, list[int]], axes: list[int], last: int) -> int:
        if LOD in operands:
            lod = self.e.as_float32(operands[LOD][0])
        elif GRAD in operands:
            lod = self._lod_of(*[self.e.parts(self.e.as_float32(part)) for part in operands[GRAD]])
        elif self.derivatives:
            dx, dy = ([self.e.fop(name, axis) for axis in axes] for name in ("OpDPdx", "OpDPdy"))
            lod = self._lod_of(dx, dy)
        else:
            lod = self.editor.float_constant(0.0)
        if BIAS in operands:
            lod = self.e.fop("OpFAdd", lod, self.e.as_float32(operands[BIAS][0]))
        zero = self.editor.float_constant(0.0)
        limited = self.e.glsl(_FCLAMP, self.e.float, lod, zero, self._float(last))
        half = self.e.fop("OpFAdd", limited, self.editor.float_constant(0.5))
        up = self.e.glsl(_CEIL, self.e.float, half)
        return self.e.uop("OpConvertFToU", self.e.fop("OpFSub", up, self.editor.float_constant(1.0)))

    def _lod_of(self, dx: list[int], dy: list[int]) -> int:
        """Half the logarithm of the longer footprint's square, in texels of the base level that is viewed."""
        size = [self._minified(extent, self.base_level) for extent in (self.base_w, self.base_h)]
        squares = []
        for parts in (dx, dy):
            scaled = [
                self.e.fop("OpFMul", part, self._float(extent)) for part, extent in zip(parts, size, strict=False)
            ]
            first, second = (self.e.fop("OpFMul", part, part) for part in scaled)
            squares.append(self.e.fop("OpFAdd", first, second))
        longest = self.e.glsl(_FMAX, self.e.float, *squares)
        return self.e.fop("OpFMul", self.e.glsl(_LOG2, self.e.float, longest), self.editor.float_constant(0.5))

    def _layer(self, part: int, *, fetch: bool) -> int:
        """The layer, rounded and limited; 0 without layers."""
        if not part:
            return self.e.uint(0)
        if not fetch:
            half = self.e.fop("OpFAdd", self.e.as_float32(part), self.editor.float_constant(0.5))
            part = self._to_int(half)
        last = self.e.uop("OpISub", self.layers, self.e.uint(1))
        self.told.append("layer")
        return self._clamped(self._signed(part), last)

    def _floor(self, axis: int, extent: int) -> int:
        """The texel of a coordinate: floor(s * w), or floor(s) of a rectangle's."""
        return self._to_int(axis if self.rect else self.e.fop("OpFMul", axis, self._float(extent)))

    def _to_int(self, value: int) -> int:
        low, high = self.editor.float_constant(-_FAR), self.editor.float_constant(_FAR)
        floor = self.e.glsl(FLOOR, self.e.float, value)
        return self.e.op("OpConvertFToS", self.int, self.e.glsl(_FCLAMP, self.e.float, floor, low, high))

    def _wrap(self, texel: int, extent: int, wrap: str) -> int:
        """Bring a texel inside; for the border, to the nearest one inside."""
        self.told.append(wrap)
        last = self.e.uop("OpISub", extent, self.e.uint(1))
        if wrap == "repeat":
            return self._modulo(texel, extent)
        if wrap == "mirrored-repeat":
            twice = self.e.uop("OpIAdd", extent, extent)
            turned = self._modulo(texel, twice)
            back = self.e.uop("OpISub", self.e.uop("OpISub", twice, self.e.uint(1)), turned)
            return self.e.uop("OpSelect", self.e.op("OpULessThan", self.bool, turned, extent), turned, back)
        if wrap == "mirror-clamp-to-edge":
            below = self.e.op("OpSLessThan", self.bool, texel, self._number(0))
            mirrored = self.e.op("OpISub", self.int, self._number(-1), texel)
            texel = self.e.op("OpSelect", self.int, below, mirrored, texel)
        return self._clamped(texel, last)

    def _modulo(self, texel: int, period: int) -> int:
        """A texel modulo a period; moved up first, since Vulkan leaves remainders of negative numbers undefined."""
        times = self.e.uop("OpIAdd", self.e.uop("OpUDiv", self.e.uint(2 * int(_FAR)), period), self.e.uint(1))
        above = self.e.uop("OpIAdd", self._bits(texel), self.e.uop("OpIMul", times, period))
        return self.e.uop("OpUMod", above, period)

    def _clamped(self, value: int, last: int) -> int:
        limit = self._signed(last)
        return self._bits(self.e.glsl(_SCLAMP, self.int, value, self._number(0), limit))

    def _encoded(self, placed: list[int], sample: int) -> tuple[int, int]:
        """The place of a sample of a pixel: interleaved."""
        x, y = placed
        samples = self.key.samples
        if samples == 1:
            return x, y
        self.told.append(f"sample of {samples}")
        low = self._shifted(self._and(sample, 1), 1)
        if samples in {2, 4}:
            x = self._or(self._shifted(self._and(x, ~1), 1), low, self._and(x, 1))
        else:
            x = self._or(self._shifted(self._and(x, ~1), 2), self._and(sample, 4), low, self._and(x, 1))
        if samples in {4, 8}:
            y = self._or(self._shifted(self._and(y, ~1), 1), self._and(sample, 2), self._and(y, 1))
        elif samples == 16:
            high = self._shifted(self._and(sample, 8), -1)
            y = self._or(self._shifted(self._and(y, ~1), 2), high, self._and(sample, 2), self._and(y, 1))
        return x, y

    def _moved(self, x: int, y: int, level: int, layer: int) -> tuple[int, int]:
        """Add the place of level and layer in the tree."""
        self.told.append("place of level and layer")
        left, top, rows, _ = self._parts(self._word_at(self.e.uop("OpIAdd", level, self.e.uint(self.at + 2))))
        down = self.e.uop("OpIAdd", top, self.e.uop("OpIMul", layer, rows))
        return self.e.uop("OpIAdd", x, left), self.e.uop("OpIAdd", y, down)

    def _fetched(self, x: int, y: int) -> int:
        """Translate to the Y tile and fetch; the byte, of a block its channel."""
        block = self.key.view is View.BLOCK
        self.told.append("W to Y, block" if block else "W to Y")
        if block:
            column = self._or(
                self._shifted(self._shifted(x, -3), 2),
                self._shifted(self._and(self._shifted(y, -1), 1), 1),
                self._and(self._shifted(x, -1), 1),
            )
            row = self._or(self._shifted(self._shifted(y, -2), 1), self._and(self._shifted(x, -2), 1))
        else:
            column = self._or(
                self._shifted(self._and(x, ~5), 1),
                self._shifted(self._and(y, 2), 2),
                self._shifted(self._and(y, 1), 1),
                self._and(x, 1),
            )
            row = self._or(self._shifted(self._and(y, ~3), -1), self._shifted(self._and(x, 4), -2))
        vector = self.editor.type_vector(self.unsigned, 4)
        at = self.e.vector([column, row], self.unsigned)
        kind = self.sampled_type if self.combined else self.image_type
        image = self.e.op("OpLoad", kind, self.variable)
        if self.combined:
            image = self.e.op("OpImage", self.image_type, image)
        texel = self.e.op("OpImageFetch", vector, image, at, LOD, self._number(0))
        if not block:
            return self.e.op("OpCompositeExtract", self.unsigned, texel, 0)
        channel = self._or(self._shifted(self._and(y, 1), 1), self._and(x, 1))
        return self.e.op("OpVectorExtractDynamic", self.unsigned, texel, channel)

    # -- words

    def _word(self, place: int) -> int:
        return self._word_at(self.e.uint(self.at + place))

    def _word_at(self, index: int) -> int:
        chain = self.e.op("OpAccessChain", self.pointer, self.uniforms, self.e.uint(0), index)
        return self.e.op("OpLoad", self.editor.type_vector(self.unsigned, 4), chain)

    def _parts(self, vector: int) -> list[int]:
        return self.e.parts(vector)

    def _minified(self, extent: int, level: int) -> int:
        return self.e.glsl(_UMAX, self.unsigned, self.e.uop("OpShiftRightLogical", extent, level), self.e.uint(1))

    def _number(self, value: int) -> int:
        return self.editor.constant(self.int, value)

    def _float(self, value: int) -> int:
        return self.e.fop("OpConvertUToF", value)

    def _signed(self, value: int) -> int:
        return value if self.e.type_of(value) == self.int else self.e.op("OpBitcast", self.int, value)

    def _unsigned(self, value: int) -> int:
        return value if self.e.type_of(value) == self.unsigned else self._bits(value)

    def _bits(self, value: int) -> int:
        return self.e.uop("OpBitcast", value) if self.e.type_of(value) != self.unsigned else value

    def _and(self, value: int, mask: int) -> int:
        return self.e.uop("OpBitwiseAnd", value, self.e.uint(mask & 0xFFFFFFFF))

    def _or(self, *values: int) -> int:
        found = values[0]
        for value in values[1:]:
            found = self.e.uop("OpBitwiseOr", found, value)
        return found

    def _shifted(self, value: int, left: int) -> int:
        name = "OpShiftLeftLogical" if left > 0 else "OpShiftRightLogical"
        return self.e.uop(name, value, self.e.uint(abs(left)))

    def _end(self, one: Instruction, values: list[int]) -> None:
        """Give the result the form and the id that the instruction had."""
        kind = self.editor.definitions[one.words[0]]
        component = self.editor.definitions[kind.words[1]] if kind.opcode == 23 else kind
        if component.opcode != 21:
            raise NotRewritten("its result is no vector of integers")
        values = [
            value if component.words[2] == 0 else self.e.op("OpBitcast", component.words[0], value) for value in values
        ]
        if kind.opcode == 23:
            last = self.editor.build("OpCompositeConstruct", one.words[0], *values[: kind.words[2]])
        else:
            last = self.editor.build("OpCopyObject", one.words[0], values[0])
        last.words[1] = one.words[1]
        self.e.out.append(last)
