"""Variables: pointers, loads and stores.

A variable of a function holds places, not a register: what was stored is read where it was made. Registers come into
it where control flow meets (`flow`). What an index chooses at run time is read by predicated moves, or from memory.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from statetracker.geometry.program import Destination
from statetracker.geometry.shader.code import (
    UNDEFINED,
    Code,
    Column,
    Place,
    Value,
    immediate,
    places,
    register,
    swizzle,
)
from statetracker.geometry.shader.interface import Storage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statetracker.geometry.shader.interface import Types

_LOCAL = {Storage.FUNCTION, Storage.PRIVATE, Storage.OUTPUT}
#: Kind (variable, phi, return), id, column.
Key = tuple[str, int, int]
State = dict[Key, Column]


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

    @property
    def places(self) -> list[Place]:
        """The places of its indices."""
        return [one.place for one in self.indices]


class Memory:
    """Loads and stores. A variable that is indexed at run time joins ``scratch``: then lowering begins anew."""

    def __init__(self, types: Types, code: Code, scratch: frozenset[int]) -> None:
        self.types, self.code, self.scratch = types, code, scratch
        self.state: State = {}
        self.arrays: set[int] = set()  # variables in scratch that were read or written
        self.place_of: dict[tuple[int, int], Place] = {}  # (input variable, column) -> a built-in's own place

    @property
    def array_slots(self) -> int:
        """Slots of the arrays in scratch."""
        return sum(len(self.types.columns(self._whole(one))) for one in self.arrays)

    def _whole(self, variable: int) -> int:
        """Return the type of a variable's content."""
        return self.types.pointee(self.types.value_type(variable))

    def step(self, at: Pointer, index: Place) -> Pointer:
        """Go on to a member, an element, a column or a component."""
        known = index.known
        kind = self.types.name(at.type_id)
        inner = self.types.element(at.type_id, (known or 0) if kind == "OpTypeStruct" else 0)
        if kind == "OpTypeVector":
            return at._replace(type_id=inner, component=index)
        if known is not None:
            if kind not in {"OpTypeStruct", "OpTypeRuntimeArray"}:
                known = min(known, self.types.length(at.type_id) - 1)  # out of bounds: undefined, must not crash
            return at._replace(type_id=inner, column=at.column + self.types.start(at.type_id, known))
        count, stride = self.types.length(at.type_id), len(self.types.columns(inner))
        if at.storage in {Storage.FUNCTION, Storage.PRIVATE}:
            self.scratch |= {at.variable}
        return at._replace(type_id=inner, indices=(*at.indices, Index(index, stride, count)))

    def component(self, column: Column, index: Place) -> Place:
        """Return a component of a vector, chosen by an index."""
        if index.known is not None:
            return column[min(index.known, len(column) - 1)]
        reg = self.code.fresh()
        for n, one in enumerate(column):
            if n:
                self._match([index], [n])
            self.code.write("mov", Destination(reg, 1), [swizzle((one,), 1)], maybe=n > 0)
        return Place("vgrf", reg, 0)

    def replaced(self, column: Column, index: Place, value: Place) -> Column:
        """Return a vector with one component replaced."""
        if index.known is not None:
            n = min(index.known, len(column) - 1)
            return (*column[:n], value, *column[n + 1 :])
        made = self.code.copy(column)
        for n, one in enumerate(made):
            self._match([index], [n])
            self.code.write("mov", Destination(register(one), 1 << one.channel), [swizzle((value,), 1)], maybe=True)
        return made

    def _match(self, indices: Sequence[Place], numbers: Sequence[int]) -> None:
        """Set the flag where indices are certain ones: of several, each after the first under the one before."""
        for at, (index, number) in enumerate(zip(indices, numbers, strict=True)):
            pair = [self.code.read((index,), 1), self.code.read((immediate(number),), 1)]
            self.code.write("cmp_flag", None, pair, maybe=at > 0)

    def load(self, at: Pointer) -> Value:
        """Return the value that lies at a pointer."""
        if at.component is None:
            return self._columns(at, self.types.columns(at.type_id))
        (column,) = self._columns(at, (self._vector_width(at),))
        return ((self.component(column, at.component),),)

    def _vector_width(self, at: Pointer) -> int:
        """Components of the vector that a pointer to one of them points into."""
        widths = self.types.columns(self._whole(at.variable))
        return widths[at.column % len(widths)]

    def _columns(self, at: Pointer, widths: tuple[int, ...]) -> Value:
        if at.variable in self.scratch:
            return self._message("array_read", at, widths)
        in_memory = {Storage.UNIFORM, Storage.STORAGE_BUFFER}
        if at.indices:
            in_memory |= {Storage.PUSH_CONSTANT, Storage.UNIFORM_CONSTANT}
        if at.storage in in_memory:
            return self._message("pull_load", at, widths)
        if at.indices:
            return self._chosen(at, widths)
        return tuple(self._plain(at, n, width) for n, width in enumerate(widths))

    def _plain(self, at: Pointer, n: int, width: int) -> Column:
        slot = at.column + n
        if at.storage in _LOCAL:
            key = ("variable", at.variable, slot)
            self.state[key] = self.code.gather(self.state.get(key, (UNDEFINED,) * width))
            return self.state[key]
        file = "attribute" if at.storage == Storage.INPUT else "uniform"
        own = self.place_of.get((at.variable, slot), Place(file, (at.variable, slot), 0))
        return tuple(own._replace(channel=own.channel + channel) for channel in range(width))

    def _choices(self, at: Pointer) -> Iterator[tuple[Pointer, tuple[int, ...]]]:
        """Return what run-time indices may choose, from indices of 0 on: the pointer, and the value of each index."""
        for chosen in product(*(range(one.elements) for one in at.indices)):
            steps = (n * one.stride for n, one in zip(chosen, at.indices, strict=True))
            yield at._replace(column=at.column + sum(steps), indices=()), chosen

    def _chosen(self, at: Pointer, widths: tuple[int, ...]) -> Value:
        """Predicated moves from every place that an index may choose."""
        regs = [self.code.fresh() for _ in widths]
        for number, (one, chosen) in enumerate(self._choices(at)):
            if number:
                self._match(at.places, chosen)
            for n, (reg, width) in enumerate(zip(regs, widths, strict=True)):
                self.code.move(reg, self._plain(one, n, width), maybe=number > 0)
        return tuple(places(reg, width) for reg, width in zip(regs, widths, strict=True))

    def _message(self, op: str, at: Pointer, widths: tuple[int, ...]) -> Value:
        """Return a message for each column."""
        values = []
        for width in widths:
            self.put_indices(at)
            reg = self.code.fresh()
            self.code.write(op, Destination(reg, (1 << width) - 1))
            if op == "array_read":
                self.arrays.add(at.variable)
                self.code.fixed.add(reg)
            values.append(places(reg, width))
        return tuple(values)

    def put_indices(self, at: Pointer) -> None:
        """Write a pointer's indices to message registers."""
        for one in at.places:
            self.code.put("mov_mrf", (one,))

    def store(self, at: Pointer, value: Value) -> None:
        """Put a value at a pointer."""
        local = at.storage in _LOCAL and at.variable not in self.scratch
        if at.component is not None:
            width = self._vector_width(at)
            if local and not at.indices:
                held = self.state.get(("variable", at.variable, at.column), (UNDEFINED,) * width)
            else:
                (held,) = self._columns(at, (width,))
            value = (self.replaced(held, at.component, value[0][0]),)
        if not local:
            self._send(at, value)
        elif at.indices:
            self._scatter(at, value)
        else:
            for n, column in enumerate(value):
                self.state["variable", at.variable, at.column + n] = column

    def _send(self, at: Pointer, value: Value) -> None:
        """Store by message, column by column."""
        for column in value:
            self.put_indices(at)
            if at.variable in self.scratch:
                self.arrays.add(at.variable)
                made = self.code.copy(column)
                self.code.fixed.update(register(one) for one in made)
                self.code.put("array_write", made)
            else:
                self.code.put("mov_mrf", column)
                self.code.write("surface_write")

    def _scatter(self, at: Pointer, value: Value) -> None:
        """Predicated moves to every place that an index may choose."""
        for one, chosen in self._choices(at):
            for n, new in enumerate(value):
                held = self._plain(one, n, len(new))
                made = self.code.fresh()
                self.code.move(made, held)
                self._match(at.places, chosen)
                self.code.move(made, new, maybe=True)
                self.state["variable", at.variable, one.column + n] = places(made, len(new))
