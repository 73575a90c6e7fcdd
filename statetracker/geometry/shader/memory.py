"""Variables: pointers, loads and stores.

A variable of a function holds places, not a register: what was stored is read where it was made. Registers come into
it where control flow meets (`flow`). What an index chooses at run time is read by predicated moves, or from memory.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from statetracker.geometry.program import Destination
from statetracker.geometry.shader.code import UNDEFINED, Code, Column, Place, Value, immediate, moves, places, swizzle
from statetracker.geometry.shader.types import Storage

if TYPE_CHECKING:
    from statetracker.geometry.shader.types import Types

_LOCAL = {Storage.FUNCTION, Storage.PRIVATE, Storage.OUTPUT}
#: Kind (variable, phi, return), id, column.
Key = tuple[str, int, int]
State = dict[Key, Column]


class InScratch(Exception):
    """A variable of a function turns out to be indexed at run time: lowering begins anew, with it in scratch memory."""

    def __init__(self, variable: int) -> None:
        super().__init__(variable)
        self.variable = variable


class Index(NamedTuple):
    """An index known only at run time: where it lies, the columns that one step skips, the elements there are."""

    place: Place
    stride: int
    elements: int


class Pointer(NamedTuple):
    """A place in a variable: its column, the indices at run time, and the component of a vector if one is chosen."""

    variable: int
    storage: int
    type_id: int
    column: int = 0
    indices: tuple[Index, ...] = ()
    component: Place | None = None


class Memory:
    """Loads and stores."""

    def __init__(self, types: Types, code: Code, scratch: frozenset[int]) -> None:
        self.types, self.code, self.scratch = types, code, scratch
        self.state: State = {}
        self.bases: dict[int, int] = {}  # variable in scratch -> its first slot
        self.place_of: dict[tuple[int, int], Place] = {}  # (input variable, column) -> a built-in's own place

    def step(self, at: Pointer, index: Place) -> Pointer:
        """Go on to a member, an element, a column or a component."""
        known = index.at if index.file == "immediate" and isinstance(index.at, int) else None
        kind = self.types.name(at.type_id)
        inner = self.types.element(at.type_id, (known or 0) if kind == "OpTypeStruct" else 0)
        if kind == "OpTypeVector":
            return at._replace(type_id=inner, component=index)
        if known is not None:
            if kind not in {"OpTypeStruct", "OpTypeRuntimeArray"}:
                known = min(known, self.types.length(at.type_id) - 1)  # out of bounds: undefined, must not crash
            return at._replace(type_id=inner, column=at.column + self.types.start(at.type_id, known))
        count, stride = self.types.length(at.type_id), len(self.types.columns(inner))
        if at.storage in {Storage.FUNCTION, Storage.PRIVATE} and at.variable not in self.scratch:
            raise InScratch(at.variable)
        return at._replace(type_id=inner, indices=(*at.indices, Index(index, stride, count)))

    def load(self, at: Pointer) -> Value:
        """The value that lies at a pointer."""
        if at.component is None:
            return self._columns(at, self.types.columns(at.type_id))
        width = self._vector_width(at)
        (column,) = self._columns(at, (width,))
        return ((self.component(column, at.component),),)

    def _vector_width(self, at: Pointer) -> int:
        """Components of the vector that a pointer to one of them points into."""
        one = self.types.pointee(self.types.value_type(at.variable))
        widths = self.types.columns(one)
        return widths[at.column % len(widths)]

    def component(self, column: Column, index: Place) -> Place:
        """A component of a vector, chosen by an index."""
        if index.file == "immediate" and isinstance(index.at, int):
            return column[min(index.at, len(column) - 1)]
        reg = self.code.fresh()
        for n, one in enumerate(column):
            if n:
                self._test(index, n)
            source = swizzle((one,), 1)
            self.code.write("mov", Destination(reg, 1), [source], maybe=n > 0)
        return Place("vgrf", reg, 0)

    def replaced(self, column: Column, index: Place, value: Place) -> Column:
        """A vector with one component replaced."""
        if index.file == "immediate" and isinstance(index.at, int):
            n = min(index.at, len(column) - 1)
            return (*column[:n], value, *column[n + 1 :])
        made = self.code.copy(column)
        for n, one in enumerate(made):
            self._test(index, n)
            assert isinstance(one.at, int)  # noqa: S101 (a register: just made)
            self.code.write("mov", Destination(one.at, 1 << one.channel), [swizzle((value,), 1)], maybe=True)
        return made

    def _test(self, index: Place, number: int) -> None:
        """Set the flag where an index is a certain one."""
        self.code.write("cmp_flag", None, [self.code.read((index,), 1), self.code.read((immediate(number),), 1)])

    def _columns(self, at: Pointer, widths: tuple[int, ...]) -> Value:
        if at.storage in {Storage.FUNCTION, Storage.PRIVATE} and at.variable in self.scratch:
            return self._message("array_read", at, widths)
        if at.storage in {Storage.UNIFORM, Storage.STORAGE_BUFFER}:
            return self._message("pull_load", at, widths)
        if at.storage in {Storage.PUSH_CONSTANT, Storage.UNIFORM_CONSTANT} and at.indices:
            return self._message("pull_load", at, widths)
        if at.indices:
            return self._chosen(at, widths)
        return tuple(self._plain(at, n, width) for n, width in enumerate(widths))

    def _plain(self, at: Pointer, n: int, width: int) -> Column:
        slot = at.column + n
        if at.storage in _LOCAL:
            key = ("variable", at.variable, slot)
            held = self.state.get(key, (UNDEFINED,) * width)
            self.state[key] = self.code.gather(held)
            return self.state[key]
        file = "attribute" if at.storage == Storage.INPUT else "uniform"
        own = self.place_of.get((at.variable, slot))
        if own is not None:
            return tuple(own._replace(channel=own.channel + channel) for channel in range(width))
        return tuple(Place(file, (at.variable, slot), channel) for channel in range(width))

    def _choices(self, at: Pointer) -> list[tuple[int, tuple[int, ...]]]:
        """What run-time indices may choose, the first for indices of 0: the column, and the value of each index."""
        choices = []
        for chosen in product(*(range(one.elements) for one in at.indices)):
            steps = (n * one.stride for n, one in zip(chosen, at.indices, strict=True))
            choices.append((at.column + sum(steps), chosen))
        return choices

    def _match(self, at: Pointer, chosen: tuple[int, ...]) -> None:
        """Set the flag where indices are certain ones: of several, each after the first under the one before."""
        for number, (one, n) in enumerate(zip(at.indices, chosen, strict=True)):
            pair = [self.code.read((one.place,), 1), self.code.read((immediate(n),), 1)]
            self.code.write("cmp_flag", None, pair, maybe=number > 0)

    def _chosen(self, at: Pointer, widths: tuple[int, ...]) -> Value:
        """Predicated moves from every place that an index may choose."""
        regs = [self.code.fresh() for _ in widths]
        for number, (column, chosen) in enumerate(self._choices(at)):
            if number:
                self._match(at, chosen)
            for n, (reg, width) in enumerate(zip(regs, widths, strict=True)):
                held = self._plain(at._replace(column=column, indices=()), n, width)
                for line in moves(reg, held, self.code.note):
                    self.code.lines.append(line._replace(predicated=number > 0))
        return tuple(places(reg, width) for reg, width in zip(regs, widths, strict=True))

    def _message(self, op: str, at: Pointer, widths: tuple[int, ...]) -> Value:
        """A message for each column."""
        values = []
        for width in widths:
            for one in at.indices:
                self.code.put("mov_mrf", (one.place,))
            reg = self.code.fresh()
            self.code.write(op, Destination(reg, (1 << width) - 1))
            if op == "array_read":
                self._base(at)
                self.code.fixed.add(reg)
            values.append(places(reg, width))
        return tuple(values)

    def _base(self, at: Pointer) -> None:
        if at.variable not in self.bases:
            self.bases[at.variable] = self.code.array_slots
            type_id = self.types.pointee(self.types.value_type(at.variable))
            self.code.array_slots += len(self.types.columns(type_id))

    def store(self, at: Pointer, value: Value) -> None:
        """Put a value at a pointer."""
        if at.component is not None:
            width = self._vector_width(at)
            if at.storage in _LOCAL and at.variable not in self.scratch and not at.indices:
                key = ("variable", at.variable, at.column)
                held = self.state.get(key, (UNDEFINED,) * width)
                self.state[key] = self.replaced(held, at.component, value[0][0])
                return
            (held,) = self._columns(at, (width,))
            value = (self.replaced(held, at.component, value[0][0]),)
        if at.storage not in _LOCAL or at.variable in self.scratch:
            self._send(at, value)
        elif at.indices:
            self._scatter(at, value)
        else:
            for n, column in enumerate(value):
                self.state["variable", at.variable, at.column + n] = column

    def _send(self, at: Pointer, value: Value) -> None:
        """Store by message, column by column."""
        local = at.storage in {Storage.FUNCTION, Storage.PRIVATE}
        for column in value:
            for one in at.indices:
                self.code.put("mov_mrf", (one.place,))
            if local:
                self._base(at)
                made = self.code.copy(column)
                self.code.fixed.update(one.at for one in made if isinstance(one.at, int))
                self.code.put("array_write", made)
            else:
                self.code.put("mov_mrf", column)
                self.code.write("surface_write")

    def _scatter(self, at: Pointer, value: Value) -> None:
        """Predicated moves to every place that an index may choose."""
        for column, chosen in self._choices(at):
            for n, new in enumerate(value):
                held = self._plain(at._replace(column=column, indices=()), n, len(new))
                made = self.code.fresh()
                self.code.lines.extend(moves(made, held, self.code.note))
                self._match(at, chosen)
                for line in moves(made, new, self.code.note):
                    self.code.lines.append(line._replace(predicated=True))
                self.state["variable", at.variable, column + n] = places(made, len(new))
