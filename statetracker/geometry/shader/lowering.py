"""A SPIR-V geometry shader as a back-end program, as far as registers are concerned.

Values are followed to where they lie: a component of a register, an input in the payload, a constant. A register is
written where something is computed, fetched, or where ways meet. At last unread values are removed (`tidy`), and so are
moves of values that are made for the move only. What is lowered only roughly is a remark; what cannot be lowered raises
`NotLowered`. See docs/geometry.md, Real shaders.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import NotLowered, StateTrackerError
from statetracker.geometry.dispatch import Shader
from statetracker.geometry.payload import VERTICES_IN
from statetracker.geometry.program import CONTROL_FLOW, READ_MASKS, Destination, Program, Source
from statetracker.geometry.program import Instruction as Line
from statetracker.geometry.shader.control_walk import Retry
from statetracker.geometry.shader.flow import Flow
from statetracker.geometry.shader.interface import BuiltIn, Interface
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
    scratch, found = None, frozenset[int]()
    while scratch != found:  # what turned out to lie in scratch memory does so from the beginning
        scratch, flow = found, Flow(interface, found)
        try:
            with _sound(lambda: flow.at):  # noqa: B023 (called before the next round)
                flow.write()
        except StateTrackerError:
            if flow.memory.scratch == scratch:
                raise
        found = flow.memory.scratch
    shader = _shader(interface, flow)
    return Lowered(shader, interface, _remarks(interface, flow, found))


@contextmanager
def _sound(at: Callable[[], Instruction]) -> Iterator[None]:
    """Return the error for types that do not fit: the reader checks forms and ids, not types as spirv-val does."""
    try:
        yield
    except StateTrackerError:
        raise
    except RecursionError as error:
        one = at()
        what = "calls and control flow nest too deeply"
        raise NotLowered(one.offset, what, instruction=one.name, hint="Flatten the shader.") from error
    except (LookupError, ValueError, AssertionError, Retry) as error:
        hint = "spirv-val (Debian: spirv-tools) says more."
        raise at().error("the module is not valid: types or control flow do not fit here", hint=hint) from error


def _flat(lines: list[Line | Edge]) -> list[Line]:
    return [one for line in lines for one in (line if isinstance(line, list) else [line])]


def _shader(interface: Interface, flow: Flow) -> Shader:
    code, inputs = flow.code, interface.inputs
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
        uses_end_primitive=flow.ends,
        array_slots=flow.memory.array_slots,
        point_size=interface.has(inputs, BuiltIn.POINT_SIZE),
    )


def _remarks(interface: Interface, flow: Flow, scratch: frozenset[int]) -> tuple[Remark, ...]:
    remarks = [Remark(*key, text) for key, text in flow.remarks.items()]
    module = interface.module
    for variable in sorted(scratch):
        where = module.definitions[variable]
        name = module.names.get(variable, f"%{variable}")
        remarks.append(Remark(where.offset, "OpVariable", f"{name} is indexed at run time: it lies in scratch memory"))
    remarks += [
        Remark(0, "OpVariable", f"{name} is declared and never used: it takes no slot") for name in interface.unused
    ]
    return tuple(sorted(remarks))


#: Instructions whose result is not made channel by channel: they write the channels they write.
_WHOLE: Final = frozenset({"tex", "surface", "pull_load", "array_read"})


def tidy(program: Program) -> Program:
    """Remove values that are never read, make values where they are moved to, and number the registers from 0."""
    lines = _coalesced(program, needed(program))
    return _numbered(program, needed(program._replace(instructions=tuple(lines))))


def needed(program: Program) -> list[Line]:
    """Return the instructions that something outside depends on, with only the channels that are read."""
    lines = program.instructions
    writers = defaultdict[int, list[int]](list)
    for ip, one in enumerate(lines):
        if one.dst is not None:
            writers[one.dst.reg].append(ip)
    read = defaultdict[int, int](int)
    keep: set[int] = set()
    work = [ip for ip, one in enumerate(lines) if one.dst is None]
    while work:
        ip = work.pop()
        if ip in keep:
            continue
        keep.add(ip)
        for reg, swizzle in lines[ip].srcs:
            new = READ_MASKS[swizzle] & ~read[reg]
            read[reg] |= new
            if new:
                work += [n for n in writers[reg] if (dst := lines[n].dst) is not None and dst.mask & new]
    return [_trimmed(one, read[one.dst.reg] if one.dst else 0) for ip, one in enumerate(lines) if ip in keep]


def _trimmed(one: Line, read: int) -> Line:
    """Without the channels that are never read; sources read no more than that."""
    if one.dst is None or one.op in _WHOLE or not one.dst.mask & ~read:
        return one
    mask = one.dst.mask & read
    if one.op.startswith("dp"):
        return one._replace(dst=Destination(one.dst.reg, mask))
    first = next(n for n in range(4) if mask >> n & 1)
    srcs = tuple(
        Source(reg, "".join(letters[n] if mask >> n & 1 else letters[first] for n in range(4)))
        for reg, letters in one.srcs
    )
    return one._replace(dst=Destination(one.dst.reg, mask), srcs=srcs)


class _Mentions:
    """The reads and writes of each register, and the control flow before each instruction."""

    def __init__(self, lines: list[Line]) -> None:
        self.uses, self.writes = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
        self.block: list[int] = []
        for ip, one in enumerate(lines):
            self.block.append(ip if one.op in CONTROL_FLOW else self.block[-1] if ip else -1)
            for src in one.srcs:
                self.uses[src.reg].append(ip)
            if one.dst is not None:
                self.writes[one.dst.reg].append(ip)

    def alone(self, ip: int, reg: int, to: int) -> bool:
        """Return whether a move is a register's only reader, in the block that made it, with ``to`` untouched since."""
        makers = self.writes[reg]
        if reg == to or self.uses[reg] != [ip] or not makers or not self.block[ip] < makers[0] <= makers[-1] < ip:
            return False
        return not any(makers[0] < n < ip for n in (*self.uses[to], *self.writes[to]))

    def moved(self, ip: int, reg: int, to: int) -> None:
        """Let the makers of a register write another one, and drop the move."""
        self.writes[to] = sorted([*(n for n in self.writes[to] if n != ip), *self.writes[reg]])
        self.writes[reg], self.uses[reg] = [], []


def _coalesced(program: Program, lines: list[Line]) -> list[Line]:
    """Remove moves of values that are made in the same block and for nothing else: they are made where they go."""
    kept: list[Line | None] = list(lines)
    mentions = _Mentions(lines)
    for ip in range(len(lines)):
        move = kept[ip]
        if move is None or move.op != "mov" or move.predicated or len(move.srcs) != 1 or move.dst is None:
            continue
        (reg, letters), to = move.srcs[0], move.dst
        if {reg, to.reg} & program.relative or not mentions.alone(ip, reg, to.reg):
            continue
        makers = mentions.writes[reg]
        made = _moved([kept[n] for n in makers], to, letters)
        if made is not None:
            for n, new in zip(makers, made, strict=True):
                kept[n] = new
            kept[ip] = None
            mentions.moved(ip, reg, to.reg)
    return [one for one in kept if one is not None]


def _moved(makers: list[Line | None], to: Destination, letters: str) -> list[Line] | None:
    """Makers of a value that write where it is moved to; None where they cannot."""
    channels = [n for n in range(4) if to.mask >> n & 1]
    same = all("xyzw"[n] == letters[n] for n in channels)
    moved = []
    for one in makers:
        if one is None or one.dst is None or one.predicated:
            return None
        if same and not one.dst.mask & ~to.mask:
            moved.append(one._replace(dst=Destination(to.reg, one.dst.mask)))
            continue
        alone = len(makers) == len(channels) == one.dst.mask.bit_count() == 1
        if not alone or one.op in _WHOLE:
            return None
        at = one.dst.mask.bit_length() - 1
        srcs = one.srcs if one.op.startswith("dp") else tuple(Source(reg, text[at] * 4) for reg, text in one.srcs)
        moved.append(one._replace(dst=Destination(to.reg, to.mask), srcs=srcs))
    return moved


def _numbered(program: Program, lines: list[Line]) -> Program:
    """Assign numbers to registers in the order of their first mention."""
    number: dict[int, int] = {}
    for one in lines:
        for reg in (*((one.dst.reg,) if one.dst else ()), *(src.reg for src in one.srcs)):
            number.setdefault(reg, len(number))
    made = tuple(
        one._replace(
            dst=one.dst and Destination(number[one.dst.reg], one.dst.mask),
            srcs=tuple(Source(number[src.reg], src.swizzle) for src in one.srcs),
        )
        for one in lines
    )
    sizes = sorted(number, key=lambda reg: number[reg])
    relative = frozenset(number[reg] for reg in program.relative if reg in number)
    return Program(tuple(program.vgrf_sizes[reg] for reg in sizes), made, relative)
