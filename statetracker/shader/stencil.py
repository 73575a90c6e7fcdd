"""Stencil sampled through a Y-tiled description of a W-tiled tree: every fetch, sample, gather and query rewritten.

The image becomes a plain 2D one of unsigned integers. Where the shader asked for a texel, the rewritten one finds the
level and its size, the texel (with the wrap of each axis), the sample's place, the level's and layer's offset, and last
the coordinate under Y tiling; then it fetches. What it needs to know of the tree comes in a uniform block.

Source: docs/stencil.md; SPIR-V, unified 1, 3.49.10; OpenGL 4.6, 8.14.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError, ModuleError
from statetracker.shader.origin import Unknown, origin
from statetracker.shader.specialise import specialise
from statetracker.shader.stencil_steps import STAGES_WITH_DERIVATIVES, NotRewritten, Steps
from statetracker.spirv import Editor, Module, text_of
from statetracker.surface.stencil import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.spirv import Instruction
    from statetracker.surface.stencil import Override

__all__ = ["MAX_LEVELS", "WRAPS", "StencilKey", "StencilLowered", "StencilNote", "lower_stencil", "uniform_bytes"]

#: Levels that the uniform block has room for.
MAX_LEVELS: Final = 15
#: Wraps of an axis that the rewrite knows.
WRAPS: Final = ("clamp-to-edge", "repeat", "mirrored-repeat", "clamp-to-border", "mirror-clamp-to-edge")
_VEC4S: Final = 2 + MAX_LEVELS

_LOADS: Final = {61, 83, 86, 100}  # OpLoad, OpCopyObject, OpSampledImage, OpImage: what leads to the image
_USES: Final = {87, 88, 91, 92, 95, 96, 103, 104, 106, 107}
_NO_STENCIL: Final = {
    **dict.fromkeys((89, 90, 93, 94, 97, 307, 308, 315), "stencil is not compared with a reference"),
    **dict.fromkeys((305, 306, 313, 314), "sparse residency is not known of the described surface"),
    105: "the level of a coordinate is not computed for an overridden image",
}
_TOUCHED: Final = _LOADS | _USES | set(_NO_STENCIL)
_ENTRY_POINT, _VARIABLE = 15, 59
_ARRAYS: Final = {28, 29}
_UNIFORM_CONSTANT, _UNIFORM, _POINTER, _SAMPLED_IMAGE, _IMAGE = 0, 2, 32, 27, 25
_NAMES: Final = {5, 71}  # OpName, OpDecorate: of what is taken away they must go, too


class StencilKey(NamedTuple):
    """What a shader variant depends on, for one image.

    samples        1, 2, 4, 8 or 16
    view           how the sampler sees the bytes
    wrap_s, wrap_t   of normalised coordinates
    border         what lies beyond an axis that wraps to the border
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

    module       bytes; the given ones where nothing was rewritten
    rewritten    what was replaced, with the steps inserted
    unresolved   what could not be rewritten, each with its reason; then the module must not be used
    block        (set, binding) of the uniform block, std140: for each image, in the order of ``images``, what
                 `uniform_bytes` gives
    images       the images' (set, binding), in the block's order
    """

    module: bytes
    rewritten: tuple[StencilNote, ...]
    unresolved: tuple[StencilNote, ...]
    block: tuple[int, int]
    images: tuple[tuple[int, int], ...]


def uniform_bytes(described: Override, *, base_level: int = 0) -> bytes:
    """Give one image's part of the uniform block: base_w, base_h, layer_count, level_count; base_level; the offsets.

    Raises `ArgumentError` for more levels than `MAX_LEVELS`.
    """
    values = described.uniforms
    if not described.needed or len(values["offsets"]) > MAX_LEVELS:
        raise ArgumentError("override", described, accepted=f"one that is needed, of at most {MAX_LEVELS} levels")
    words = [values["base_w"], values["base_h"], values["layer_count"], values["level_count"], base_level, 0, 0, 0]
    for x, y, rows in values["offsets"]:
        words += [x, y, rows, 0]
    words += [0] * (4 * _VEC4S - len(words))
    return struct.pack(f"<{len(words)}I", *words)


def lower_stencil(
    module: bytes, images: Mapping[tuple[int, int], StencilKey], *, block: tuple[int, int] = (0, 15)
) -> StencilLowered:
    """Rewrite all uses of some stencil images.

    module   SPIR-V for Vulkan or OpenGL
    images   (set, binding) of usampler2D, usampler2DArray, usampler2DMS, usampler2DMSArray, usampler2DRect -> its key
    block    (set, binding) for the uniform block

    Raises `ModuleError` for a broken module, `ArgumentError` for a key that makes no sense. Comparison, sparse
    instructions, level queries by coordinate, and arrays of samplers are named in ``unresolved``.
    """
    for key in images.values():
        _check(key)
    read = Module.read(module)
    if not images:
        return StencilLowered(module, (), (), block, ())
    try:
        work = _Pass(specialise(read), images, block)
        return work.run(module)
    except (KeyError, IndexError, ValueError) as error:
        if isinstance(error, ModuleError | ArgumentError):
            raise
        raise ModuleError(5, "its instructions do not fit together") from error


def _check(key: StencilKey) -> None:
    if key.samples not in {1, 2, 4, 8, 16}:
        raise ArgumentError("samples", key.samples, accepted="1, 2, 4, 8, 16")
    for wrap in (key.wrap_s, key.wrap_t):
        if wrap not in WRAPS:
            raise ArgumentError("wrap", wrap, accepted=", ".join(WRAPS))


class _Pass:
    """One pass over a module."""

    def __init__(self, module: Module, images: Mapping[tuple[int, int], StencilKey], block: tuple[int, int]) -> None:
        self.module, self.images, self.block = module, images, block
        self.order = tuple(sorted(images))
        self.rewritten: list[StencilNote] = []
        self.unresolved: list[StencilNote] = []
        self.gone: set[int] = set()
        self.variables = self._variables()
        self.derivatives = self._derivatives()

    def run(self, given: bytes) -> StencilLowered:
        """Rewrite everything; the given bytes come back where nothing concerns the images."""
        if not self.variables or self.unresolved:
            return StencilLowered(given, (), tuple(self.unresolved), self.block, self.order)
        self.editor = editor = Editor(self.module)
        uint = editor.type_int(signed=False)
        image = editor.declare("OpTypeImage", uint, 1, 0, 0, 0, 1, 0)
        sampled = editor.declare("OpTypeSampledImage", image)
        pointers = {27: editor.declare("OpTypePointer", 0, sampled), 25: editor.declare("OpTypePointer", 0, image)}
        steps = Steps(editor, image=image, sampled=sampled, uniforms=self._uniforms(uint))
        new: dict[int, int] = {}
        for variable, (_, kind) in self.variables.items():
            new[variable] = editor.variable(pointers[kind], _UNIFORM_CONSTANT)
            for decoration, literals in self.module.decorations.get(variable, {}).items():
                editor.decorate(new[variable], decoration, *literals)
        body = []
        for one in editor.body:
            body += self._visit(one, steps, new)
        editor.body = [one for one in body if not self._names_gone(one)]
        if self.unresolved:
            return StencilLowered(given, (), tuple(self.unresolved), self.block, self.order)
        return StencilLowered(editor.finish().to_bytes(), tuple(self.rewritten), (), self.block, self.order)

    def _variables(self) -> dict[int, tuple[tuple[int, int], int]]:
        """Variables of the images: id -> descriptor, and 27 for a combined sampler or 25 for an image alone."""
        found = {}
        for one in self.module.instructions:
            if one.opcode != _VARIABLE or one.words[2] != _UNIFORM_CONSTANT:
                continue
            said = self.module.decorations.get(one.words[1], {})
            descriptor = (said.get(34, (0,))[0], said.get(33, (0,))[0])
            kind = self.module.definitions[self.module.definitions[one.words[0]].words[2]]
            if descriptor in self.images and kind.opcode in _ARRAYS:
                self.unresolved.append(StencilNote(one.offset, one.name, "its image is an element of an array"))
            if descriptor in self.images and kind.opcode in {_SAMPLED_IMAGE, _IMAGE}:
                found[one.words[1]] = (descriptor, kind.opcode)
                self._check_type(one, kind)
        return found

    def _check_type(self, one: Instruction, kind: Instruction) -> None:
        image = kind if kind.opcode == _IMAGE else self.module.definitions[kind.words[1]]
        of = self.module.definitions[image.words[1]]
        if of.opcode != 21 or image.words[2] not in {1, 4}:
            self.unresolved.append(StencilNote(one.offset, one.name, "the image is no 2D image of integers"))

    def _derivatives(self) -> bool:
        return any(entry.model in STAGES_WITH_DERIVATIVES for entry in self.module.entry_points)

    def _uniforms(self, uint: int) -> int:
        """The uniform block: an array of vectors of four, `_VEC4S` for each image; the variable's id."""
        editor = self.editor
        vector = editor.type_vector(uint, 4)
        length = editor.constant(uint, _VEC4S * len(self.order))
        array = editor.declare("OpTypeArray", vector, length)
        editor.decorate(array, 6, 16)  # ArrayStride
        block = editor.declare("OpTypeStruct", array)
        editor.decorate(block, 2)  # Block
        editor.decorate_member(block, 0, 35, 0)  # Offset
        variable = editor.variable(editor.declare("OpTypePointer", _UNIFORM, block), _UNIFORM)
        editor.decorate(variable, 34, self.block[0])
        editor.decorate(variable, 33, self.block[1])
        return variable

    def _visit(self, one: Instruction, steps: Steps, new: dict[int, int]) -> list[Instruction]:
        """Keep an instruction, take it away, or put others in its place."""
        if one.opcode == _ENTRY_POINT:
            start = 2 + text_of(one.words[2:])[1]
            return [one.copy([*one.words[:start], *(new.get(word, word) for word in one.words[start:])])]
        if one.opcode == _VARIABLE and one.words[1] in self.variables:
            self.gone.add(one.words[1])
            return []
        found = self._source(one) if one.opcode in _TOUCHED else None
        if found is None:
            return [one]
        if one.opcode in _LOADS:
            self.gone.add(one.result)
            return []
        try:
            return self._replaced(one, *found, steps, new)
        except NotRewritten as error:
            self.unresolved.append(StencilNote(one.offset, one.name, str(error)))
            return []

    def _replaced(
        self, one: Instruction, descriptor: tuple[int, int], variable: int, steps: Steps, new: dict[int, int]
    ) -> list[Instruction]:
        if one.opcode in _NO_STENCIL:
            raise NotRewritten(_NO_STENCIL[one.opcode])
        steps.begin(self.images[descriptor], self.order.index(descriptor) * _VEC4S, derivatives=self.derivatives)
        combined = self.variables[variable][1] == _SAMPLED_IMAGE
        made = steps.rewrite(one, self._image_of(variable), new[variable], combined=combined)
        self.rewritten.append(StencilNote(one.offset, one.name, ", ".join(dict.fromkeys(steps.told))))
        return made

    def _source(self, one: Instruction) -> tuple[tuple[int, int], int] | None:
        """The descriptor and variable that an instruction reads an image of ours from; None for any other."""
        start = one.words[2]
        if one.opcode in _LOADS and one.opcode != 86 and not self._leads_to_image(one):
            return None
        source = origin(self._image_operand(start), self.module.definitions, self.module)
        if isinstance(source, Unknown):
            return None
        variable = self._variable(start)
        if variable not in self.variables:
            return None
        return source.descriptor, variable

    def _leads_to_image(self, one: Instruction) -> bool:
        kind = self.module.definitions.get(one.words[0])
        return kind is not None and kind.opcode in {_SAMPLED_IMAGE, _IMAGE, _POINTER}

    def _image_operand(self, ident: int) -> int:
        """Of an OpSampledImage the image counts here, not the sampler; of OpImage what it is taken from."""
        one = self.module.definitions[ident]
        while one.opcode in {86, 100}:
            ident = one.words[2]
            one = self.module.definitions[ident]
        return ident

    def _variable(self, ident: int) -> int:
        one = self.module.definitions[ident]
        while one.opcode in _LOADS:
            ident = one.words[2]
            one = self.module.definitions[ident]
        return ident

    def _image_of(self, variable: int) -> Instruction:
        pointer = self.module.definitions[self.module.definitions[variable].words[0]]
        kind = self.module.definitions[pointer.words[2]]
        return kind if kind.opcode == _IMAGE else self.module.definitions[kind.words[1]]

    def _names_gone(self, one: Instruction) -> bool:
        return one.opcode in _NAMES and one.words[0] in self.gone
