"""Declarations of a SPIR-V geometry shader: primitives, invocations, inputs, outputs, constants; their slots.

`Types` measures types in vec4: the columns a value has, and where a part of it begins.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError, ModuleError, NotLowered
from statetracker.geometry.payload import HEADER_SLOTS, MAX_INPUT_COMPONENTS, check_input_components
from statetracker.spirv import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.spirv import Instruction, Module

_WIDTH: Final = 32
_MOST_COLUMNS: Final = 1 << 16


class Storage:
    """Storage classes, by SPIR-V's numbers."""

    UNIFORM_CONSTANT, INPUT, UNIFORM, OUTPUT, PRIVATE, FUNCTION = 0, 1, 2, 3, 6, 7
    PUSH_CONSTANT, STORAGE_BUFFER = 9, 12


class Types:
    """Types of a module, measured in columns: vec4 or less, each in a register of its own."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._columns: dict[int, tuple[int, ...]] = {}

    def of(self, type_id: int) -> Instruction:
        """Return the declaration of a type."""
        return self.module.definitions[type_id]

    def name(self, type_id: int) -> str:
        """``OpTypeVector``."""
        return self.of(type_id).name

    def value_type(self, value_id: int) -> int:
        """Return the type of a value."""
        return self.module.definitions[value_id].words[0]

    def pointee(self, pointer_type: int) -> int:
        """Return what a pointer type points to."""
        return self.of(pointer_type).words[2]

    def length(self, array: int) -> int:
        """Elements, columns, components or members of a composite type; a run-time array counts as one."""
        one = self.of(array)
        if one.name == "OpTypeArray":
            size = self.of(one.words[2])
            if size.name not in {"OpConstant", "OpSpecConstant"}:
                raise NotLowered(one.offset, "its length is computed from specialisation constants",
                                 instruction=one.name, hint="Give the array a length that is a number.")  # fmt: skip
            return size.words[2]
        return {"OpTypeRuntimeArray": 1, "OpTypeStruct": len(one.words) - 1}.get(one.name) or one.words[2]

    def element(self, type_id: int, index: int = 0) -> int:
        """Return the type of a member, an element, a column or a component."""
        one = self.of(type_id)
        if one.name == "OpTypeStruct":
            if index >= len(one.words) - 1:
                raise one.error(f"has no member {index}")
            return one.words[1 + index]
        return one.words[1]

    def columns(self, type_id: int) -> tuple[int, ...]:
        """Components of each column of a type, in order: 1 to 4. Opaque types and void have none.

        Args:
            type_id: Id of the type.

        Raises:
            NotLowered: Values that are not of 32 bits.
        """
        if type_id not in self._columns:
            self._columns[type_id] = self._measure(self.of(type_id))
        return self._columns[type_id]

    def _measure(self, one: Instruction) -> tuple[int, ...]:
        if one.name in {"OpTypeFloat", "OpTypeInt"} and one.words[1] != _WIDTH:
            raise NotLowered(one.offset, f"values of {one.words[1]} bits have no place in a vec4 of 32-bit channels",
                             instruction=one.name, hint="Use float, int, uint or bool.")  # fmt: skip
        if one.name in {"OpTypeFloat", "OpTypeInt", "OpTypeBool"}:
            return (1,)
        if one.name == "OpTypeVector":
            self.columns(one.words[1])
            return (one.words[2],)
        if one.name == "OpTypeStruct":
            return tuple(count for member in one.words[1:] for count in self.columns(member))
        if one.name in {"OpTypeMatrix", "OpTypeArray", "OpTypeRuntimeArray"}:
            element, length = self.columns(one.words[1]), self.length(one.words[0])
            if len(element) * length > _MOST_COLUMNS:
                raise NotLowered(one.offset, f"{len(element) * length} vectors are more than any register file holds",
                                 instruction=one.name, hint=f"Use at most {_MOST_COLUMNS}.")  # fmt: skip
            return element * length
        return ()

    def start(self, type_id: int, index: int) -> int:
        """Return the column at which a member, an element or a column of a composite begins."""
        if self.name(type_id) == "OpTypeStruct":
            return sum(len(self.columns(member)) for member in self.of(type_id).words[1 : 1 + index])
        return index * len(self.columns(self.element(type_id)))

    def part(self, type_id: int, indices: Sequence[int]) -> tuple[int, int | None, int]:
        """Return where a part of a composite begins: its first column, the component of a vector, the part's type."""
        start, component, at = 0, None, type_id
        for index in indices:
            if self.name(at) == "OpTypeVector":
                component = index
            else:
                start += self.start(at, index)
            at = self.element(at, index)
        return start, component, at

    def opaque(self, type_id: int) -> bool:
        """Return whether a type is an image, a sampler, or an array of them."""
        one = self.of(type_id)
        while one.name in {"OpTypeArray", "OpTypeRuntimeArray"}:
            one = self.of(one.words[1])
        return one.name in {"OpTypeImage", "OpTypeSampler", "OpTypeSampledImage", "OpTypeAccelerationStructureKHR"}


_GEOMETRY_MODEL: Final = 3
_MAX_LOCATIONS: Final = MAX_INPUT_COMPONENTS // 4
_INVOCATIONS, _OUTPUT_VERTICES = 0, 26
_BUILT_IN, _COMPONENT, _LOCATION = 11, 31, 30
#: Execution mode -> input primitive; -> output primitive.
_INPUTS: Final = {19: "points", 20: "lines", 21: "lines_adjacency", 22: "triangles", 23: "triangles_adjacency"}
_OUTPUTS: Final = {27: "points", 28: "line_strip", 29: "triangle_strip"}


class BuiltIn:
    """Built-in variables, by SPIR-V's numbers."""

    POSITION, POINT_SIZE, CLIP_DISTANCE, CULL_DISTANCE, PRIMITIVE_ID, INVOCATION_ID = 0, 1, 3, 4, 7, 8
    LAYER, VIEWPORT_INDEX = 9, 10


_KNOWN: Final = {
    Storage.INPUT: {BuiltIn.POSITION, BuiltIn.POINT_SIZE, BuiltIn.CLIP_DISTANCE, BuiltIn.CULL_DISTANCE,
                    BuiltIn.PRIMITIVE_ID, BuiltIn.INVOCATION_ID},
    Storage.OUTPUT: {BuiltIn.POSITION, BuiltIn.POINT_SIZE, BuiltIn.CLIP_DISTANCE, BuiltIn.CULL_DISTANCE,
                     BuiltIn.PRIMITIVE_ID, BuiltIn.LAYER, BuiltIn.VIEWPORT_INDEX},
}  # fmt: skip
_DISTANCES: Final = (BuiltIn.CLIP_DISTANCE, BuiltIn.CULL_DISTANCE)
#: What makes a pointer of another.
CHAINS: Final = frozenset({"OpAccessChain", "OpInBoundsAccessChain"})


class Varying(NamedTuple):
    """A variable, or a member of a block, that crosses a stage, without the array over input vertices.

    Attributes:
        start: Its first column within the variable (within one vertex).
        location: None for a built-in; ``component`` the first channel there.
    """

    variable: int
    start: int
    type_id: int
    location: int | None
    component: int
    built_in: int | None
    name: str


class Interface:
    """The entry point and what it uses. `ModuleError` for a module without a geometry shader."""

    def __init__(self, module: Module) -> None:
        self.module, self.types = module, Types(module)
        entry_points = [one for one in module.entry_points if one.model == _GEOMETRY_MODEL]
        if not entry_points:
            raise ModuleError(0, "no entry point is a geometry shader's", hint="Compile a file that ends in .geom.")
        self.entry = entry_points[0]
        modes = module.execution_modes.get(self.entry.function, {})
        self.input = next((_INPUTS[one] for one in modes if one in _INPUTS), "")
        self.output = next((_OUTPUTS[one] for one in modes if one in _OUTPUTS), "")
        if not self.input or not self.output:
            raise ModuleError(0, "the entry point declares no " + ("output" if self.input else "input") + " primitive")
        self.invocations = (modes.get(_INVOCATIONS) or (1,))[0]
        self.max_vertices = (modes.get(_OUTPUT_VERTICES) or (0,))[0]
        self.member_names = {
            (one.words[0], one.words[1]): text_of(one.words[2:])[0]
            for one in module.instructions if one.name == "OpMemberName"
        }  # fmt: skip
        self.variables = [one for one in module.instructions if one.name == "OpVariable"]
        self.used = self._used()
        self.unused: list[str] = []
        self.inputs = self._varyings(Storage.INPUT)
        self.outputs = self._varyings(Storage.OUTPUT)
        self._check_inputs()

    def _used(self) -> Mapping[int, set[int]]:
        """Variable -> its members that some instruction reaches; -1 for the variable as a whole."""
        members = defaultdict[int, set[int]](set)
        known = {one.words[1]: one for one in self.variables}
        for function in self.module.functions:
            for one in self.module.instructions[function.start : function.end]:
                chain = one.name in CHAINS and one.words[2] in known
                if chain:
                    members[one.words[2]].add(self._member(known[one.words[2]], one.words[3:]))
                for word in one.operands[chain:]:
                    if word in known and one.name != "OpVariable":
                        members[word].add(-1)
        return members

    def _member(self, variable: Instruction, indices: list[int]) -> int:
        """Return the member of a block that an access chain goes to; -1 for no block."""
        type_id = self.types.pointee(variable.words[0])
        rest = indices
        if self.types.name(type_id) == "OpTypeArray":
            type_id, rest = self.types.element(type_id), indices[1:]
        if self.types.name(type_id) != "OpTypeStruct" or not rest:
            return -1
        return self.module.constant_value(rest[0]) or 0

    def _varyings(self, storage: int) -> list[Varying]:
        """Return inputs (of one vertex) or outputs that are used, members of blocks one by one."""
        variables = [one for one in self.variables if one.words[2] == storage]
        parts = [part for one in variables for member, part in self._parts(one) if self._counts(part, member)]
        for part in parts:
            if part.built_in is not None and part.built_in not in _KNOWN[storage]:
                where = self.module.definitions[part.variable]
                raise NotLowered(where.offset, f"built-in {part.built_in} ({part.name}) does not exist on gen7",
                                 instruction="OpVariable", hint="Do without it.")  # fmt: skip
        return parts

    def _counts(self, part: Varying, member: int) -> bool:
        used = self.used.get(part.variable, set())
        if member in used or -1 in used:
            return True
        if part.built_in is None:
            self.unused.append(part.name)
        return False

    def _parts(self, variable: Instruction) -> list[tuple[int, Varying]]:
        ident = variable.words[1]
        of = self.module.decorations.get(ident, {})
        type_id = self.types.pointee(variable.words[0])
        built_in = of.get(_BUILT_IN, (None,))[0]
        arrayed = variable.words[2] == Storage.INPUT and built_in not in {BuiltIn.PRIMITIVE_ID, BuiltIn.INVOCATION_ID}
        if arrayed and self.types.name(type_id) == "OpTypeArray":
            type_id = self.types.element(type_id)
        name = self.module.names.get(ident, "")
        component = of.get(_COMPONENT, (0,))[0]
        at = of.get(_LOCATION, (None,))[0]
        struct = self.types.of(type_id)
        if struct.name != "OpTypeStruct":
            return [(-1, Varying(ident, 0, type_id, at, component, built_in, name or f"%{ident}"))]
        varyings = []
        next_at = at or 0
        for member, part in enumerate(struct.words[1:]):
            given = self.module.member_decorations.get((struct.words[0], member), {})
            built_in = given.get(_BUILT_IN, (None,))[0]
            next_at = given.get(_LOCATION, (next_at,))[0]
            label = self.member_names.get((struct.words[0], member), f"member {member}")
            label = f"{name}.{label}" if name and built_in is None else label
            start = self.types.start(struct.words[0], member)
            component = given.get(_COMPONENT, (0,))[0]
            location = next_at if built_in is None else None
            varyings.append((member, Varying(ident, start, part, location, component, built_in, label)))
            next_at += len(self.types.columns(part))
        return varyings

    def _check_inputs(self) -> None:
        read = [one for one in self.inputs if one.location is not None]
        check_input_components(sum(sum(self.types.columns(one.type_id)) for one in read))
        taken = len(self.locations(self.inputs))
        if taken > _MAX_LOCATIONS:
            raise ArgumentError(
                "input locations", taken, accepted=f"up to {_MAX_LOCATIONS}: {MAX_INPUT_COMPONENTS} components in vec4",
                hint="Pack several inputs into one vec4, or give them one location and components of it.",
            )  # fmt: skip

    def locations(self, of: list[Varying]) -> list[int]:
        """Locations that varyings take, in order."""
        locations: set[int] = set()
        for one in of:
            if one.location is not None:
                locations.update(range(one.location, one.location + len(self.types.columns(one.type_id))))
        return sorted(locations)

    def has(self, of: list[Varying], built_in: int) -> bool:
        """Return whether a built-in is among some varyings."""
        return any(one.built_in == built_in for one in of)

    def slots(self, of: list[Varying]) -> int:
        """VUE slots: header and position, clip distances four to a slot, one a location, the primitive id written."""
        distances = sum(len(self.types.columns(one.type_id)) for one in of if one.built_in in _DISTANCES)
        primitive_id = of is self.outputs and self.has(of, BuiltIn.PRIMITIVE_ID)
        return HEADER_SLOTS - (-distances // 4) + len(self.locations(of)) + primitive_id

    @property
    def uniforms(self) -> int:
        """Vec4 of constants in the payload: push constants, and uniforms outside of blocks, as far as they are used."""
        count = 0
        for one in self.variables:
            if one.words[2] in {Storage.PUSH_CONSTANT, Storage.UNIFORM_CONSTANT} and one.words[1] in self.used:
                type_id = self.types.pointee(one.words[0])
                count += 0 if self.types.opaque(type_id) else len(self.types.columns(type_id))
        return count
