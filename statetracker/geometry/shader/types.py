"""Types of a module measured in vec4: the columns a value has, and where a part of it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import NotLowered

if TYPE_CHECKING:
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

    def opaque(self, type_id: int) -> bool:
        """Return whether a type is an image, a sampler, or an array of them."""
        one = self.of(type_id)
        while one.name in {"OpTypeArray", "OpTypeRuntimeArray"}:
            one = self.of(one.words[1])
        return one.name in {"OpTypeImage", "OpTypeSampler", "OpTypeSampledImage", "OpTypeAccelerationStructureKHR"}
