"""The numbers of lowerings in a module: a uniform block of `LoweringValues`, or constants.

Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from struct import unpack
from typing import Final, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.pipe.lowering import ELEMENT_BYTES, SAMPLING, LoweringValues
from statetracker.spirv import Editor, Emitter, Instruction, Kind, Word
from statetracker.spirv.names import Decoration, StorageClass

Descriptor: TypeAlias = tuple[int, int]
Constants: TypeAlias = Mapping[Descriptor, LoweringValues | Sequence[LoweringValues]]


def uniform_block(editor: Editor, vectors: int, place: tuple[int, int]) -> tuple[int, int]:
    """Declare a block at a (set, binding), an array of vectors of four: its variable, the type of a pointer to one."""
    uint = editor.type_int(signed=False)
    vector = editor.type_vector(uint, 4)
    array = editor.declare("OpTypeArray", vector, editor.constant(uint, vectors))
    editor.decorate(array, Decoration.ArrayStride, 16)
    block = editor.declare("OpTypeStruct", array)
    editor.decorate(block, Decoration.Block)
    editor.decorate_member(block, 0, Decoration.Offset, 0)
    variable = editor.variable(editor.declare("OpTypePointer", StorageClass.Uniform, block), StorageClass.Uniform)
    editor.bind(variable, place)
    return variable, editor.declare("OpTypePointer", StorageClass.Uniform, vector)


_VECTORS: Final = ELEMENT_BYTES // 16
_ACCEPTED: Final = "results of convert, create infos, or LoweringValues"


def border_values(elements: Iterable[object]) -> bytes:
    """Return the bytes of the uniform block that `statetracker.shader.lower` reads, 48 an element, in the order given.

    Write them when a state changes; the module stays.

    Args:
        elements: What `Lowered.values` names, in that order: each a `LoweringValues`, or what has one as
            ``lowering_values``, such as the result of `statetracker.convert` and a create info.

    Raises:
        ArgumentError: Anything else, or values that no state has: see `LoweringValues.to_bytes`.
    """
    if isinstance(elements, LoweringValues) or not isinstance(elements, Iterable):
        raise ArgumentError("elements", elements, accepted=f"a sequence of {_ACCEPTED}")
    return b"".join(_of(one).to_bytes() for one in elements)


def _of(element: object) -> LoweringValues:
    values = element if isinstance(element, LoweringValues) else getattr(element, "lowering_values", None)
    if not isinstance(values, LoweringValues):
        raise ArgumentError("element", element, accepted=_ACCEPTED)
    return values


class BlockElements:
    """The place of each sampler's values: in the block at a (set, binding), or constants.

    Args:
        editor: Of the module.
        counts: Descriptor -> elements of its array.
        values: The block's place, the constants, or None.

    Attributes:
        order: (descriptor, array element) of each element of the block, once `finish` has declared it.
    """

    def __init__(self, editor: Editor, counts: Mapping[Descriptor, int], values: Descriptor | Constants | None) -> None:
        self.editor, self.counts = editor, counts
        self._constants: dict[Descriptor, Sequence[LoweringValues]] = {}
        self._place = None if isinstance(values, Mapping) else values
        self.order: tuple[tuple[Descriptor, int], ...] = ()
        self._pointers: list[tuple[Instruction, Instruction, Descriptor, int | None, int]] = []
        if isinstance(values, Mapping):
            self._constants = {place: _constants(values, place, count) for place, count in counts.items()}
        elif values is None and counts:
            place = next(iter(counts))
            hint = "Give values=(set, binding) of a uniform block, or the LoweringValues of each descriptor."
            raise ArgumentError(f"values of {place[0]}:{place[1]}", None, accepted="a place or numbers", hint=hint)

    def _pointer(self, emit: Emitter, place: Descriptor, element: int | Word, number: int) -> int:
        """Write a pointer to a vector of an element (None: it varies), but for its base and the index that ends it."""
        kind = emit.editor.declare("OpTypePointer", StorageClass.Uniform, emit.type_id(Kind.UINT, 4))
        known, index = (None, 0) if isinstance(element, Word) else (element, 0)
        if isinstance(element, Word):
            index = emit.op("OpIAdd", emit.type_id(Kind.UINT), (element * _VECTORS).id, 0)
        made = emit.op("OpAccessChain", kind, 0, emit.uint(0).id, index)
        self._pointers.append((emit.out[-1], emit.out[-1 - (known is None)], place, known, number))
        return made

    def finish(self, body: Iterable[Instruction]) -> None:
        """Declare the block with the elements that a module's instructions read, and set the pointers to them."""
        placed = {one.result for one in body} if self._pointers else set()
        pointers = [one for one in self._pointers if one[0].result in placed]
        read = {(place, element) for _, _, place, element, _ in pointers}
        every = ((place, element) for place, count in self.counts.items() for element in range(count))
        self.order = tuple(one for one in every if one in read or (one[0], None) in read)
        if self._place is not None and pointers:
            variable, _ = uniform_block(self.editor, len(self.order) * _VECTORS, self._place)
            first = {one: at * _VECTORS for at, one in enumerate(self.order)}
            for chain, indexed, place, element, number in pointers:
                index = first[place, element or 0] + number
                chain.words[2] = variable
                indexed.words[-1] = self.editor.constant(self.editor.type_int(signed=False), index)

    def of(self, emit: Emitter, place: Descriptor, element: int | Word) -> ElementValues | None:
        """Return the values of an array's element; None where they are constants and its index is not."""
        if isinstance(element, int) and element >= self.counts[place]:
            element = 0
        if place not in self._constants:
            return ElementValues(emit, partial(self._pointer, emit, place, element))
        if isinstance(element, Word):
            return None
        return ElementValues(emit, unpack("<12I", self._constants[place][element].to_bytes()))


def _constants(values: Constants, place: Descriptor, count: int) -> Sequence[LoweringValues]:
    given = values.get(place)
    each = [given] if isinstance(given, LoweringValues) else given
    whole = isinstance(each, Sequence) and all(isinstance(one, LoweringValues) for one in each)
    if each is None or not whole or len(each) < count:
        raise ArgumentError(f"values of {place[0]}:{place[1]}", given, accepted=f"LoweringValues, {count} of them")
    return each


class ElementValues:
    """One element's values, loaded where they are first read.

    It is made of constants, or of what writes a pointer to a vector by its number.
    """

    def __init__(self, emit: Emitter, source: Callable[[int], int] | tuple[int, ...]) -> None:
        self.emit, self._source = emit, source
        self._vectors: dict[tuple[int, Kind], Word] = {}
        self._said: dict[tuple[str, int], Word] = {}

    def _vector(self, number: int, kind: Kind) -> Word:
        """One vector of four, as a kind of words."""
        if (number, kind) not in self._vectors:
            emit = self.emit
            if kind is not Kind.UINT:
                made = self._vector(number, Kind.UINT).bits(kind)
            elif isinstance(self._source, tuple):
                words = [emit.uint(word).id for word in self._source[number * 4 : number * 4 + 4]]
                made = Word(emit, emit.editor.composite(emit.type_id(Kind.UINT, 4), words), kind, 4)
            else:
                made = emit.make(kind, "OpLoad", self._source(number), count=4)
            self._vectors[number, kind] = made
        return self._vectors[number, kind]

    def _float(self, number: int, word: int) -> Word:
        return self.emit.component(self._vector(number, Kind.FLOAT), word)

    def border(self, kind: Kind) -> Word:
        """Return the border colour, as the texels are."""
        return self._vector(0, kind)

    def shares(self, count: int) -> Word:
        """Return the least weights of the edge texel on the first axes."""
        return self.emit.head(self._vector(1, Kind.FLOAT), count)

    def says(self, name: str, count: int = 1) -> Word:
        """Return whether ``sampling`` says something, of `SAMPLING`; of wraps for the first axes, a vector."""
        if (name, count) not in self._said:
            emit, first = self.emit, SAMPLING[name]
            word = emit.component(self._vector(2, Kind.UINT), 3).spread(count)
            bits = [emit.uint(1 << first + axis).id for axis in range(count)]
            mask = emit.editor.composite(emit.type_id(Kind.UINT, count), bits) if count > 1 else bits[0]
            self._said[name, count] = (word & Word(emit, mask, Kind.UINT, count)).differs(0)
        return self._said[name, count]

    @property
    def lod_bias(self) -> Word:
        """The LOD bias that the device's sampler has."""
        return self._float(1, 3)

    @property
    def rest(self) -> Word:
        """The rest of the LOD bias."""
        return self._float(2, 0)

    @cached_property
    def limits(self) -> tuple[Word, Word]:
        """The least and the greatest level of detail."""
        return self._float(2, 1), self._float(2, 2)
