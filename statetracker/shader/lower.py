"""`lower`: what sampler state cannot express, written into a module at every instruction that samples.

Rectangle images become 2D images for a device without rectangles. Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError
from statetracker.shader import clamp
from statetracker.shader.blend import rewrite
from statetracker.shader.block_values import BlockElements, Constants, Descriptor
from statetracker.shader.flat_images import as_2d, rectangles
from statetracker.shader.levels import sampled_level
from statetracker.shader.origin import (
    Unknown,
    dynamic_index,
    image_type,
    leaf,
    origin,
    place_of,
    resources,
    rows_meant,
    selected,
)
from statetracker.shader.request import Elements, Lowered, Note, Request, descriptor, wanted
from statetracker.shader.sample_ops import LEFT, SAMPLES
from statetracker.shader.site import CannotRewrite, SamplerUse
from statetracker.shader.sizes import Sizes
from statetracker.shader.specialise import specialise
from statetracker.shader.swizzle import FETCHES, swizzled
from statetracker.spirv import Editor, Emitter, Instruction, Kind, Module, Word
from statetracker.spirv.names import Capability, Dim, ExecutionMode, ExecutionModel, Op

if TYPE_CHECKING:
    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.origin import Origin

#: Image dimension -> spatial axes that wrap; cubes wrap within a face, buffers and subpasses not at all.
_AXES: Final = {Dim.Dim1D: 1, Dim.Dim2D: 2, Dim.Dim3D: 3, Dim.Rect: 2}
#: Types of variables that a request may name; a structure of samplers is unresolved where it is sampled.
_SAMPLERS: Final = frozenset({Op.TypeSampler, Op.TypeSampledImage, Op.TypeStruct})
#: Invocations in groups of four, which have derivatives; of SPV_KHR_compute_shader_derivatives too.
_GROUPS: Final = frozenset({ExecutionMode.DerivativeGroupQuadsNV, ExecutionMode.DerivativeGroupLinearNV})
#: Work that is not of the axes: the only work on cubes.
_works_on_cubes: Final = attrgetter("cube_edges", "add_lod_bias", "limit_lod", "fixed_depth", "filter_texels")


def lower(
    module: bytes | bytearray | memoryview,
    request: Request,
    *,
    values: Descriptor | Constants | None = None,
    keep_going: bool = False,
    lod_query: bool = True,
) -> Lowered:
    """Rewrite a SPIR-V module so that it makes up for what the samplers that it samples with lack.

    Source: docs/shader_lowering.md; docs/shader_clamp.md for letters.

    Args:
        module: A module's bytes, for Vulkan or OpenGL.
        request: (descriptor set, binding) -> a `Lowering`, such as ``statetracker.convert(...).lowering``; or letters
            of ``str``, the axes that wrap with GL_CLAMP on a sampler with CLAMP_TO_BORDER, which alone read no values;
            for an array of samplers a sequence of these, one an element.
        values: The (set, binding) of a uniform block that the module gets: `border_values` makes its bytes, of the
            elements that `Lowered.values` names. Or (set, binding) -> `LoweringValues`, a sequence for an array: they
            become constants.
        keep_going: List descriptors that the module lacks as `Lowered.unmatched`, in place of an error.
        lod_query: OpImageQueryLod may be written; without it levels come of derivatives, within the device's precision.

    Returns:
        The new module, with what was rewritten, inexact, left and unresolved.

    Raises:
        ModuleError: A broken module.
        ArgumentError: It is no module, a lowering is malformed or reads values where there are none, the module lacks a
            descriptor, or the place of the block is taken.
    """
    read = Module.read(module)
    made, notes = lower_read(read, request, values, keep_going=keep_going, lod_query=lod_query)
    return Lowered(bytes(module) if made is read else made.to_bytes(), *notes)


def lower_read(
    read: Module, request: Request, values: Descriptor | Constants | None, *, keep_going: bool, lod_query: bool
) -> tuple[Module, tuple[Any, ...]]:
    """Rewrite a module that was read, as `lower` does with its bytes; the other arguments are the same.

    It gives the new module, or the one given where there is nothing to do, and the members of `Lowered` after it.
    """
    asked = wanted(request)
    bound = list(resources(read))
    samplers = dict.fromkeys(place for place, one in bound if leaf(read, one).opcode in _SAMPLERS)
    unmatched = tuple(key for key in asked if key not in samplers)
    if unmatched and not keep_going:
        have = ", ".join(f"{place[0]}:{place[1]}" for place in samplers) or "none"
        hint = "keep_going (--keep-going) lists it as unmatched in place of this error."
        first = "{}:{}".format(*unmatched[0])
        raise ArgumentError("request", first, accepted=f"samplers of the module: {have}", hint=hint)
    asked = {key: elements for key, elements in asked.items() if key in samplers}
    if values is not None and not isinstance(values, Mapping) and descriptor("values", values) in dict(bound):
        raise ArgumentError("values", values, accepted="a (set, binding) that the module does not use")
    if not asked:
        return read, ((), (), (), (), (), unmatched)
    work = _Pass(specialise(_flattened(read, asked)), asked, values, lod_query=lod_query)
    work.run()
    made = work.editor.finish(work.body) if work.rewritten else read
    notes = map(tuple, (work.rewritten, work.inexact, work.left, work.unresolved))
    return made, (*notes, work.block.order, unmatched)


def _flattened(module: Module, asked: dict[Descriptor, Elements]) -> Module:
    """Rectangles that are normalised as 2D images, but where others that are not share their type."""
    kinds = rectangles(module)
    flat = {key for key in kinds if key in asked and any(row.normalize for row in asked[key].rows)}
    images = {kinds[key] for key in flat} - {kinds[key] for key in kinds.keys() - flat}
    return as_2d(module, images, check=True) if images else module


class _Pass:
    """One pass over a module's instructions."""

    def __init__(
        self,
        module: Module,
        request: dict[Descriptor, Elements],
        values: Descriptor | Constants | None,
        *,
        lod_query: bool,
    ) -> None:
        self.module, self.request, self.lod_query = module, request, lod_query
        self.editor = Editor(module)
        counts = {key: len(elements.rows) for key, elements in request.items() if elements.reads_values}
        self.block = BlockElements(self.editor, counts, values)
        self.body: list[Instruction] = []
        self.named = False  # some sample that is rewritten has a debug name: so get the steps of a rewrite
        self.rewritten, self.inexact, self.left, self.unresolved = (list[Note]() for _ in range(4))
        self.swizzles = any(row.swizzle for elements in request.values() for row in elements.rows)
        self.imported = {one.id for one in module.functions if not one.blocks}
        entries, modes = module.entry_points, module.execution_modes
        self.derivatives = not entries or any(
            one.model == ExecutionModel.Fragment or not _GROUPS.isdisjoint(modes.get(one.function, ()))
            for one in entries
        )

    def run(self) -> None:
        """Visit everything; ids of the wrong sort, which only a damaged module has, are an error at the instruction."""
        for one in self.module.instructions:
            try:
                self.visit(one)
            except ArgumentError:  # of constants
                raise
            except (KeyError, IndexError, ValueError) as error:
                raise one.error("its operands do not fit together") from error
        if not self.named:
            self.editor.names.clear()
        self.block.finish(self.body)

    def visit(self, one: Instruction) -> None:
        at = len(self.body)
        self.body.append(one)
        reads = one.opcode in SAMPLES or (one.opcode in FETCHES and self.swizzles)
        if not reads and one.opcode not in LEFT:
            if one.opcode == Op.FunctionCall and one.words[2] in self.imported:
                self.imported_call(one)
            return
        source = origin(one.words[2], self.module.definitions, self.module)
        if isinstance(source, Unknown):
            if reads:
                self.unresolved.append(Note(one.offset, one.name, None, source.reason))
            return
        elements = self.request.get(source.descriptor)
        if elements is None:
            return
        note = partial(Note, one.offset, one.name, source.descriptor)
        index, rows = rows_meant(source, elements, self.module)
        swizzles, rows = [row.swizzle for row in rows], [row.unswizzled for row in rows]
        try:
            use = self.use(one, source, rows)
            placed, remarks, done = ([], [], use) if isinstance(use, str) else self.written(use, index, rows)
            through = swizzled(self.editor, one, placed or [one], source, swizzles)
        except CannotRewrite as error:
            self.unresolved.append(note(str(error)))
            return
        if through:
            words = f"swizzle {' or '.join(dict.fromkeys(filter(None, swizzles)))}"
            placed, done = through, f"{done}; {words}" if placed else words
        if not placed:
            self.left.append(note(done))
            return
        self.body[at:] = placed
        self.named |= one.result in self.module.names
        self.rewritten.append(note(done))
        self.inexact += map(note, remarks)

    def written(
        self, use: SamplerUse, index: int | None, rows: list[Lowering]
    ) -> tuple[list[Instruction], list[str], str]:
        """Return the instructions in place of one, remarks, and what was done; no instructions: there was no need."""
        if not any(row.reads_values or row.normalize or row.fixed_depth for row in rows):
            modes = clamp.axis_modes(rows)[: use.axes]
            axes = "".join(letter for letter, each in zip("str", modes, strict=False) if any(each))
            if not axes:
                return [], [], "none of its axes is clamped"
            return *clamp.rewrite(self.editor, use, modes), f"clamped on {axes}"
        if use.one.opcode == Op.ImageQueryLod:
            return self.queried(use, index, rows), [], "adds what the sampler's LOD bias and limits lack"
        if SAMPLES[use.one.opcode].implicit and not self.derivatives:
            raise CannotRewrite("its level of detail is implicit: only a fragment stage and derivative groups have one")
        return rewrite(self.editor, self.block, use, index, rows, lod_query=self.lod_query)

    def imported_call(self, one: Instruction) -> None:
        """Record samplers of the request that go to a function of another module, which may sample with them."""
        for argument in one.words[3:]:
            place = place_of(argument, self.module.definitions, self.module)
            if place in self.request:
                reason = "the sampler goes to a function that is imported"
                self.unresolved.append(Note(one.offset, one.name, place, reason))

    def use(self, one: Instruction, source: Origin, rows: list[Lowering]) -> SamplerUse | str:
        changed = any(row.changes_levels for row in rows)
        asks = one.opcode == Op.ImageQueryLod and changed
        if one.opcode in FETCHES:
            return "fetches texels, which have no swizzle"
        if one.opcode in LEFT and not asks:
            return LEFT[one.opcode]
        image = image_type(one.words[2], self.module.definitions)
        if image is None:
            raise one.error(f"its operand {one.words[2]} on {source.descriptor} is no sampled image")
        count = _AXES.get(image.words[2])
        if image.words[5] or (count is None and image.words[2] != Dim.Cube):
            return "its image does not wrap"
        if count is None and not asks and not any(any(_works_on_cubes(row)) for row in rows):
            return "a cube wraps within a face"
        return SamplerUse(one, image, count or 0, source, self.module.decorations)

    def queried(self, use: SamplerUse, index: int | None, rows: list[Lowering]) -> list[Instruction]:
        """Return the instructions in place of a query of levels: the rest of the LOD bias added, the state's limits."""
        emit = Emitter(self.editor)
        filters = {(row.min_mip_filter, row.dynamic): row for row in rows if row.changes_levels}
        element = dynamic_index(emit, use.source) if index is None and len(rows) > 1 else index or 0
        if len(filters) > 1 or element is None:
            raise CannotRewrite(
                "it asks for levels of an array whose elements have other mipmap filters, or a wide index"
            )
        values = self.block.of(emit, use.source.descriptor, element)
        if values is None:
            raise CannotRewrite("its values are constants, and its array index is none")
        kind, _result, image, coordinate = use.one.words[:4]
        asked = emit.parts(emit.op("OpImageQueryLod", kind, image, coordinate))
        lod = asked[1] + values.rest
        limited = lod.finite_clamp(*values.limits)
        last = Sizes(emit, image, use.image, use.axes or 2, use.decorations).last_level().to(Kind.FLOAT)
        sampled = sampled_level(limited, last, next(iter(filters.values())), values)
        if isinstance(element, Word):  # whatever the mipmap filter of the others: the device answers for them
            changed = selected(element, [row.changes_levels for row in rows])
            sampled = changed.select(sampled, asked[0])
            if len(rows) > self.block.counts[use.source.descriptor]:  # some have no values
                lod = changed.select(lod, asked[1])
        self.editor.capability(Capability.ImageQuery)
        emit.result(use.one, "OpCompositeConstruct", sampled.id, lod.id)
        return emit.out
