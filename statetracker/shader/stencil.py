"""Stencil sampled through a Y-tiled description of a W-tiled tree: every fetch, sample, gather and query rewritten.

For each texel the rewritten shader computes the level and its size, the texel, the sample's place, the level's and
layer's offset, and the coordinate under Y tiling; then it fetches from a plain 2D image of unsigned integers. Source:
docs/stencil.md; SPIR-V, unified 1, 3.49.10; OpenGL 4.6, 8.14.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final, NamedTuple

from statetracker.errors import ArgumentError, ModuleError
from statetracker.shader.block_values import uniform_block
from statetracker.shader.origin import ARRAYS, STEPS, descriptor_of, free_place
from statetracker.shader.request import descriptor
from statetracker.shader.sample_ops import SAMPLES
from statetracker.shader.specialise import specialise
from statetracker.shader.stencil_steps import (
    QUERIES,
    STAGES_WITH_DERIVATIVES,
    WRAPS,
    DescribedImage,
    NotRewritten,
    StencilKey,
    rewrite,
)
from statetracker.spirv import Editor, Instruction, Module, ids_in, text_of, without
from statetracker.spirv.names import Dim, Op, StorageClass
from statetracker.surface.override import Override, View

__all__ = ["MAX_LEVELS", "WRAPS", "StencilKey", "StencilLowered", "StencilNote", "lower_stencil", "uniform_bytes"]

#: Levels that the uniform block can hold.
MAX_LEVELS: Final = 15
#: Vectors of four that each image has in the uniform block.
_VEC4S: Final = 2 + MAX_LEVELS
_SAMPLES: Final = (1, 2, 4, 8, 16)
_BORDER_MAX: Final = 255
_FIRST_BINDING: Final = 15  # the block's, where it is free: compilers and programs count from 0
_RESOURCES: Final = {StorageClass.UniformConstant, StorageClass.Uniform, StorageClass.StorageBuffer}
_LOADS: Final = {Op.Load, Op.CopyObject, Op.SampledImage, Op.Image}  # what leads to the image
_SPARSE: Final = "sparse residency is not known of the described surface"
_NO_STENCIL: Final = {
    **{code: _SPARSE for code, op in SAMPLES.items() if op.sparse},
    Op.ImageSparseFetch: _SPARSE,
    **{code: "stencil is not compared with a reference" for code, op in SAMPLES.items() if op.third == "dref"},
    Op.ImageQueryLod: "the level of a coordinate is not computed for an overridden image",
}
_READS: Final = QUERIES | {Op.ImageFetch} | SAMPLES.keys() | _NO_STENCIL.keys()
_IMAGES: Final = {Op.TypeSampledImage, Op.TypeImage}
_DIMS: Final = {Dim.Dim2D, Dim.Rect}
_STORAGE: Final = 2  # the operand Sampled of an image that is read and written without a sampler


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
    words += [0] * (4 * _VEC4S - len(words))
    return struct.pack(f"<{len(words)}I", *words)


def checked(images: Mapping[tuple[int, int], StencilKey]) -> dict[tuple[int, int], StencilKey]:
    """Check a request; every view becomes a `View`. Raises `ArgumentError`."""
    if not isinstance(images, Mapping):
        raise ArgumentError("images", images, accepted="a mapping: (set, binding) -> StencilKey")
    keys = {}
    for at, key in images.items():
        if not isinstance(key, StencilKey):
            raise ArgumentError(f"images[{at!r}]", key, accepted="a StencilKey")
        rows = ("samples", key.samples, _SAMPLES), ("view", key.view, View), *(("wrap", one, WRAPS) for one in key[2:4])
        for name, value, known in rows:
            if value not in tuple(known):
                raise ArgumentError(name, value, accepted=", ".join(map(str, known)))
        if not isinstance(key.border, int) or not 0 <= key.border <= _BORDER_MAX:
            raise ArgumentError("border", key.border, accepted=f"0 to {_BORDER_MAX}: stencil has 8 bits")
        keys[descriptor("images", at)] = key._replace(view=View(key.view))
    return keys


def free_block(module: Module, asked: tuple[int, int] | None) -> tuple[int, int]:
    """Return the uniform block's place, where no variable of the module is; raises `ArgumentError` where one is."""
    taken = {descriptor_of(module, one) for one in module.variables if one.words[2] in _RESOURCES}
    if asked is None:
        return free_place(taken, first=_FIRST_BINDING)
    if descriptor("block", asked) in taken:
        accepted = "a (set, binding) that no variable of the module has"
        raise ArgumentError("block", asked, accepted=accepted, hint="Leave it out to have a free one chosen.")
    return descriptor("block", asked)


def lower_stencil(
    module: bytes | bytearray | memoryview,
    images: Mapping[tuple[int, int], StencilKey],
    *,
    block: tuple[int, int] | None = None,
) -> StencilLowered:
    """Rewrite all uses of some stencil images.

    Comparison, sparse instructions, level queries by coordinate, arrays of samplers, storage images and parameters of
    exported functions are named in ``unresolved``.

    Args:
        module: SPIR-V for Vulkan or OpenGL.
        images: (set, binding) of usampler2D, usampler2DArray, usampler2DMS, usampler2DMSArray, usampler2DRect -> its
            key.
        block: (set, binding) for the uniform block; None: (0, 15), or the next binding that is free.

    Raises:
        ModuleError: A broken module.
        ArgumentError: A key that makes no sense, or a block's place that a variable of the module has.
    """
    read = Module.read(module)
    module = bytes(module)
    keys = checked(images)
    place = free_block(read, block)
    if not keys:
        return StencilLowered(module, (), (), place, ())
    try:
        return _Pass(specialise(read), keys, place).run(module)
    except (KeyError, IndexError, ValueError) as error:
        if isinstance(error, ModuleError | ArgumentError):
            raise
        raise ModuleError(5, "its instructions do not fit together") from error


class _Pass:
    """One pass over a module."""

    def __init__(self, module: Module, images: Mapping[tuple[int, int], StencilKey], block: tuple[int, int]) -> None:
        self.module, self.images, self.block = module, images, block
        self.order = tuple(sorted(images))
        self.rewritten, self.unresolved = list[StencilNote](), list[StencilNote]()
        self.gone: set[int] = set()
        self.variables = self._variables()
        self.described: dict[int, DescribedImage] = {}

    def run(self, given: bytes) -> StencilLowered:
        """Rewrite everything; the given bytes come back where nothing concerns the images."""
        if not self.variables or self.unresolved:
            return self._answer(given)
        self.editor = editor = Editor(self.module)
        image = editor.declare("OpTypeImage", editor.type_int(signed=False), Dim.Dim2D, 0, 0, 0, 1, 0)
        types = {Op.TypeSampledImage: editor.declare("OpTypeSampledImage", image), Op.TypeImage: image}
        pointers = {code: editor.declare("OpTypePointer", StorageClass.UniformConstant, types[code]) for code in types}
        block = uniform_block(editor, _VEC4S * len(self.order), self.block)
        derivatives = any(entry.model in STAGES_WITH_DERIVATIVES for entry in self.module.entry_points)
        for variable, (place, kind) in self.variables.items():
            new = editor.variable(pointers[kind], StorageClass.UniformConstant)
            for decoration, literals in self.module.decorations.get(variable, {}).items():
                editor.decorate(new, decoration, *literals)
            at, combined = self.order.index(place) * _VEC4S, kind == Op.TypeSampledImage
            shared = image, types[Op.TypeSampledImage], *block
            self.described[variable] = DescribedImage(self.images[place], at, new, combined, derivatives, *shared)
        body = without([new for one in editor.body for new in self._visit(one)], self.gone)
        for one in body:
            if not self.gone.isdisjoint(one.words[at] for at in ids_in(editor.definitions, one)):
                self._leave(one, "it uses the image in a way that is not known")
        return self._answer(given if self.unresolved else editor.finish(body).to_bytes())

    def _answer(self, module: bytes) -> StencilLowered:
        rewritten = () if self.unresolved else tuple(self.rewritten)
        return StencilLowered(module, rewritten, tuple(self.unresolved), self.block, self.order)

    def _leave(self, one: Instruction, reason: str) -> None:
        self.unresolved.append(StencilNote(one.offset, one.name, reason))

    def _variables(self) -> dict[int, tuple[tuple[int, int], int]]:
        """Variables of the images: id -> descriptor, and the opcode of its type."""
        variables = {}
        for one in self.module.variables:
            place = descriptor_of(self.module, one)
            if one.words[2] != StorageClass.UniformConstant or place not in self.images:
                continue
            kind = self.module.held(one)
            if kind.opcode in ARRAYS:
                self._leave(one, "its image is an element of an array")
            elif kind.opcode in _IMAGES:
                variables[one.words[1]] = (place, kind.opcode)
                image = self._image_type(kind)
                if not self._is_integers(image):
                    self._leave(one, "the image is no 2D image of integers")
                elif image.words[6] == _STORAGE:
                    self._leave(one, "the image is a storage image: only what a sampler reads is described otherwise")
        return variables

    def _is_integers(self, image: Instruction) -> bool:
        return image.words[2] in _DIMS and self.module.definitions[image.words[1]].opcode == Op.TypeInt

    def _image_type(self, kind: Instruction) -> Instruction:
        """Return the image type, or another, that a pointer or a sampled image leads to."""
        for code, at in ((Op.TypePointer, 2), (Op.TypeSampledImage, 1)):
            kind = self.module.definitions[kind.words[at]] if kind.opcode == code else kind
        return kind

    def _visit(self, one: Instruction) -> list[Instruction]:
        if one.opcode == Op.EntryPoint:
            start = 2 + text_of(one.words[2:])[1]
            listed = [self.described[word].variable if word in self.described else word for word in one.words[start:]]
            return [one.copy([*one.words[:start], *listed])]
        source = self._source(one.words[2]) if one.opcode in _LOADS or one.opcode in _READS else one
        if one.result in self.variables or (source.result in self.variables and one.opcode in _LOADS):
            self.gone.add(one.result)
            return []
        if source.result not in self.variables:
            if one.opcode in _READS and self._is_parameter(source):
                self._leave(one, "the image is a parameter of an exported function")
            return [one]
        if one.opcode in _NO_STENCIL:
            self._leave(one, _NO_STENCIL[one.opcode])
            return []
        try:
            image = self._image_type(self.module.held(source))
            made, steps = rewrite(self.editor, one, self.described[source.result], image)
        except NotRewritten as error:
            self._leave(one, str(error))
            return []
        self.rewritten.append(StencilNote(one.offset, one.name, ", ".join(dict.fromkeys(steps))))
        return made

    def _source(self, ident: int) -> Instruction:
        """Return what an image is loaded from: of an OpSampledImage the image counts here, not the sampler."""
        one = self.module.definitions[ident]
        for _ in range(STEPS):
            if one.opcode not in _LOADS:
                break
            one = self.module.definitions[one.words[2]]
        return one

    def _is_parameter(self, source: Instruction) -> bool:
        """Return whether another module may give it our image: `specialise` keeps parameters of exported functions."""
        if source.opcode != Op.FunctionParameter:
            return False
        image = self._image_type(self.module.definitions[source.words[0]])
        return image.opcode == Op.TypeImage and image.words[6] != _STORAGE and self._is_integers(image)
