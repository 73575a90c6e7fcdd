"""GL_CLAMP and GL_MIRROR_CLAMP_EXT written into a module: all sampling with the samplers of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import ModuleError
from statetracker.shader.modes import axis_modes
from statetracker.shader.origin import Unknown, image_type, origin
from statetracker.shader.request import Lowered, Note, wanted
from statetracker.shader.sample_ops import LEFT, SAMPLES
from statetracker.shader.sampling import CannotRewrite, Site, rewrite
from statetracker.shader.specialise import specialise
from statetracker.spirv import Editor, Module
from statetracker.spirv.names import Dim, Op

if TYPE_CHECKING:
    from statetracker.shader.request import Elements, Request
    from statetracker.spirv import Instruction

__all__ = ["lower"]

#: Image dimension -> spatial axes that wrap; cubes wrap within a face, buffers and subpasses not at all.
_AXES: Final = {Dim.Dim1D: 1, Dim.Dim2D: 2, Dim.Dim3D: 3, Dim.Rect: 2}


def lower(module: bytes | bytearray | memoryview, clamp: Request) -> Lowered:
    """Rewrite a SPIR-V module so that samplers set to CLAMP_TO_BORDER sample as with GL_CLAMP.

    module  a module's bytes, for Vulkan or OpenGL
    clamp   (descriptor set, binding) -> the axes that wrap with GL_CLAMP: letters of ``str``, or a `Lowering`, of
            which ``clamp`` and ``mirror`` count; for an array of samplers a sequence of these, one an element
    return  the new module, with what was rewritten, left and unresolved; unchanged without such samplers

    Raises `ModuleError` for a broken module, `ArgumentError` for axes that are none or what is no module.

    Source: docs/shader_clamp.md.
    """
    request = wanted(clamp)
    read = Module.read(module)
    module = bytes(module)
    if not request:
        return Lowered(module, (), (), (), ())
    work = _Pass(_specialised(read), request)
    for one in work.module.instructions:
        work.guarded(one)
    work.editor.body = work.body
    made = work.editor.finish().to_bytes() if work.rewritten else module
    return Lowered(made, tuple(work.rewritten), tuple(work.inexact), tuple(work.left), tuple(work.unresolved))


def _specialised(module: Module) -> Module:
    """Copies of functions for their samplers; a damaged module's calls may not fit: an error."""
    try:
        return specialise(module)
    except (KeyError, IndexError) as error:
        raise ModuleError(5, "its function calls do not fit its functions") from error


class _Pass:
    """One pass over a module's instructions."""

    def __init__(self, module: Module, request: dict[tuple[int, int], Elements]) -> None:
        self.module, self.request = module, request
        self.editor = Editor(module)
        self.body: list[Instruction] = []
        self.rewritten: list[Note] = []
        self.inexact: list[Note] = []
        self.left: list[Note] = []
        self.unresolved: list[Note] = []
        self.imported = {one.id for one in module.functions if not one.blocks}

    def guarded(self, one: Instruction) -> None:
        """Visit; ids of the wrong sort, which only a damaged module has, are an error at the instruction."""
        try:
            self.visit(one)
        except (KeyError, IndexError, ValueError) as error:
            raise one.error("its operands do not fit together") from error

    def visit(self, one: Instruction) -> None:
        """Rewrite an instruction, or keep it."""
        if one.opcode not in SAMPLES and one.opcode not in LEFT:
            self.body.append(one)
            if one.opcode == Op.FunctionCall and one.words[2] in self.imported:
                self.imported_call(one)
            return
        at = len(self.body)
        self.body.append(one)
        source = origin(one.words[2], self.module.definitions, self.module)
        if isinstance(source, Unknown):
            if one.opcode in SAMPLES:
                self.unresolved.append(Note(one.offset, one.name, None, source.reason))
            return
        elements = self.request.get(source.descriptor)
        if elements is None:
            return
        site = self.site(one, source.descriptor)
        if isinstance(site, str):
            self.left.append(Note(one.offset, one.name, source.descriptor, site))
            return
        image, count = site
        modes = axis_modes(source, elements, self.module)[:count]
        if not any(mode.any for mode in modes):
            self.left.append(Note(one.offset, one.name, source.descriptor, "none of its axes is clamped"))
            return
        try:
            placed, remarks = rewrite(self.editor, Site(one, image, modes, source, self.module.decorations))
        except CannotRewrite as error:
            self.unresolved.append(Note(one.offset, one.name, source.descriptor, str(error)))
            return
        self.body[at:] = placed
        axes = "".join(letter for letter, mode in zip("str", modes, strict=False) if mode.any)
        self.rewritten.append(Note(one.offset, one.name, source.descriptor, f"clamped on {axes}"))
        self.inexact += [Note(one.offset, one.name, source.descriptor, remark) for remark in remarks]

    def imported_call(self, one: Instruction) -> None:
        """A sampler of the request that goes to a function of another module may be sampled with there."""
        for argument in one.words[3:]:
            source = origin(argument, self.module.definitions, self.module)
            if not isinstance(source, Unknown) and source.descriptor in self.request:
                reason = "the sampler goes to a function that is imported"
                self.unresolved.append(Note(one.offset, one.name, source.descriptor, reason))

    def site(self, one: Instruction, descriptor: tuple[int, int]) -> tuple[Instruction, int] | str:
        """The image type and its axes, or why the instruction is left alone."""
        if one.opcode in LEFT:
            return LEFT[one.opcode]
        image = image_type(one.words[2], self.module.definitions)
        if image is None:
            raise one.error(f"its operand {one.words[2]} on {descriptor} is no sampled image")
        count = _AXES.get(image.words[2])
        if count is None or image.words[5]:
            return "a cube wraps within a face" if image.words[2] == Dim.Cube else "its image does not wrap"
        return image, count
