"""A SPIR-V geometry shader as a back-end program, as far as registers are concerned.

Values are followed to where they lie: a component of a register, an input in the payload, a constant. A register is
written where something is computed, fetched, or where ways meet. What is lowered only roughly is a remark; what cannot
be lowered raises `NotLowered`. See docs/geometry.md, Real shaders.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from statetracker.errors import StateTrackerError
from statetracker.geometry.dispatch import Shader
from statetracker.geometry.payload import VERTICES_IN
from statetracker.geometry.program import Instruction as Line
from statetracker.geometry.program import Program
from statetracker.geometry.shader.blocks import Blocks
from statetracker.geometry.shader.code import Code
from statetracker.geometry.shader.control_walk import Retry
from statetracker.geometry.shader.interface import BuiltIn, Interface
from statetracker.geometry.shader.memory import InScratch
from statetracker.geometry.shader.tidy import tidy
from statetracker.spirv import Module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from statetracker.geometry.shader.code import Edge
    from statetracker.spirv import Instruction


class Remark(NamedTuple):
    """Something to know about the way a shader was lowered.

    Attributes:
        offset: The word where it stands; 0: none.
        instruction: Its name.
        text: What to know.
    """

    offset: int
    instruction: str
    text: str


class Lowered(NamedTuple):
    """The shader for the back end, its interface, which is what it declares, and remarks."""

    shader: Shader
    interface: Interface
    remarks: tuple[Remark, ...]


def shader_of_module(data: bytes | Module) -> Lowered:
    """Lower a SPIR-V geometry shader: data of a file, or a module.

    Args:
        data: Of a file, or a module that was read.

    Raises:
        ModuleError: A broken module or one without a geometry shader.
        NotLowered: It has what cannot be lowered; the error has the instruction, its offset and what to do. It is a
            `ModuleError` too.
        ArgumentError: More than 64 input components.
    """
    module = data if isinstance(data, Module) else Module.read(data)
    with _sound(lambda: module.instructions[0]):
        interface = Interface(module)
    scratch: frozenset[int] = frozenset()
    while True:
        blocks = Blocks(interface, Code(), scratch)
        try:
            with _sound(lambda: blocks.at):  # noqa: B023 (called before the next round)
                blocks.write()
            break
        except InScratch as error:
            scratch |= {error.variable}
    shader = _shader(interface, blocks)
    return Lowered(shader, interface, _remarks(interface, blocks, scratch))


@contextmanager
def _sound(at: Callable[[], Instruction]) -> Iterator[None]:
    """Return the error for types that do not fit: the reader checks forms and ids, not types as spirv-val does."""
    try:
        yield
    except StateTrackerError:
        raise
    except (LookupError, ValueError, AssertionError, Retry) as error:
        hint = "spirv-val (Debian: spirv-tools) says more."
        raise at().error("the module is not valid: types or control flow do not fit here", hint=hint) from error


def _flat(lines: list[Line | Edge]) -> list[Line]:
    return [one for line in lines for one in (line if isinstance(line, list) else [line])]


def _shader(interface: Interface, blocks: Blocks) -> Shader:
    code, inputs = blocks.code, interface.inputs
    program = tidy(Program(tuple(code.sizes), tuple(_flat(code.lines)), frozenset(code.fixed)))
    program.check()
    return Shader(
        program,
        vertices_in=VERTICES_IN[interface.input],
        in_slots=interface.slots(inputs),
        output_type=interface.output,
        max_vertices=interface.max_vertices,
        out_slots=interface.slots(interface.outputs),
        uniforms=interface.uniforms,
        primitive_id=interface.has(inputs, BuiltIn.PRIMITIVE_ID),
        invocations=interface.invocations,
        uses_end_primitive=blocks.ends,
        array_slots=blocks.memory.array_slots,
        point_size=interface.has(inputs, BuiltIn.POINT_SIZE),
    )


def _remarks(interface: Interface, blocks: Blocks, scratch: frozenset[int]) -> tuple[Remark, ...]:
    remarks = [Remark(*key, text) for key, text in blocks.remarks.items()]
    module = interface.module
    for variable in sorted(scratch):
        where = module.definitions[variable]
        name = module.names.get(variable, f"%{variable}")
        remarks.append(Remark(where.offset, "OpVariable", f"{name} is indexed at run time: it lies in scratch memory"))
    remarks += [
        Remark(0, "OpVariable", f"{name} is declared and never used: it takes no slot") for name in interface.unused
    ]
    return tuple(sorted(remarks))
