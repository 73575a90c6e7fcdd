"""Plain data to C structs and back, by the members' names.

Written: enums by name or number, masks as a number or a list of names, booleans as such or as 0 and 1, structs as
dicts, arrays as lists, strings as text, handles as given, ``pNext`` as None or the next struct with its ``sType``; what
is left out is 0. Read: the same forms, names where they are known, and no pointers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from statetracker.bindings.libraries import Definitions

    Writer = Callable[[Any, Any, list[Any]], None]
    Reader = Callable[[Any], Any]

_STYPE: Final = "VK_STRUCTURE_TYPE_"
_BOOL: Final = "VkBool32"
_NUMBERS: Final = (ValueError, TypeError, OverflowError, AttributeError, RecursionError)


class Structs:
    """Writes and reads the structs of one interface."""

    __slots__ = ("_definitions", "_ffi", "_numbered", "_readers", "_types", "_writers")

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._ffi = definitions.ffi
        self._writers: dict[str, dict[str, Writer]] = {}
        self._numbered: dict[str, int] = {}
        self._readers: dict[str, list[tuple[str, Reader]]] = {}
        # VkSamplerCreateInfo and VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO are one word without case and underscores
        self._types = {
            name.removeprefix("Vk").lower(): name for name, members in definitions.members.items() if "sType" in members
        }

    def struct_of(self, structure_type: str) -> str:
        """Name the struct of a structure type; raises `UnknownName`."""
        key = str(structure_type).removeprefix(_STYPE).replace("_", "").lower()
        if not str(structure_type).startswith(_STYPE) or key not in self._types:
            raise UnknownName("sType", structure_type, accepted="a structure type of bindings/vulkan.cdef")
        return self._types[key]

    def structure_type(self, struct: str) -> str | None:
        """Name the structure type of a struct; None for one that has none."""
        wanted = struct.removeprefix("Vk").lower()
        names = self._definitions.values("VkStructureType")
        return next((n for n in names if n.removeprefix(_STYPE).replace("_", "").lower() == wanted), None)

    def new(self, struct: str, data: Mapping[str, Any], keep: list[Any]) -> Any:
        """Make a struct, by its name, of plain data; everything it points to goes into ``keep``, and so does itself.

        The caller holds ``keep`` for as long as C may look. ``sType`` may be left out. Raises `UnknownName` for a
        member, enum or structure type that does not exist, `ArgumentError` for a value that does not fit.
        """
        made = self._ffi.new(f"{struct} *")
        keep.append(made)
        self._fill(struct, made, data, keep)
        return made

    def array(self, struct: str, items: Sequence[Mapping[str, Any]], keep: list[Any]) -> Any:
        """Make an array of structs."""
        made = self._ffi.new(f"{struct}[]", len(items))
        keep.append(made)
        for n, item in enumerate(items):
            self._fill(struct, made[n], item, keep)
        return made

    def plain(self, struct: str, made: Any) -> dict[str, Any]:
        """Read a struct as plain data, without its pointers and its structure type."""
        readers = self._readers.get(struct)
        if readers is None:
            readers = self._readers[struct] = self._make_readers(struct)
        return {member: read(getattr(made, member)) for member, read in readers}

    def names_of(self, mask: int, bits: str) -> list[str]:
        """Name the bits of a mask, lowest first; bits without a name are left out."""
        return [name for bit, name in sorted(self._definitions.names(bits).items()) if bit and mask & bit == bit]

    def _fill(self, struct: str, made: Any, data: Mapping[str, Any], keep: list[Any]) -> None:
        """Write a struct, with its structure type where it has one and the data gives none."""
        if not hasattr(data, "items"):
            raise ArgumentError(struct, data, accepted="a mapping of its members")
        if "sType" not in data and "sType" in self._definitions.members[struct]:
            made.sType = self._type_number(struct)
        writers = self._writers.get(struct)
        if writers is None:
            writers = self._writers[struct] = self._make_writers(struct)
        for member, value in data.items():
            writer = writers.get(member)
            if writer is None:
                raise UnknownName(f"member of {struct}", member, accepted=", ".join(writers))
            try:
                writer(made, value, keep)
            except ArgumentError:
                raise
            except _NUMBERS as error:
                raise ArgumentError(f"{struct}.{member}", value, hint=str(error)) from None

    def _type_number(self, struct: str) -> int:
        number = self._numbered.get(struct)
        if number is None:
            name = self.structure_type(struct) or ""
            number = self._numbered[struct] = self._definitions.values("VkStructureType")[name]
        return number

    # writers

    def _make_writers(self, struct: str) -> dict[str, Writer]:
        fields = dict(self._ffi.typeof(struct).fields)
        declared = self._definitions.members[struct]
        return {name: self._writer(name, declared[name], field.type) for name, field in fields.items()}

    def _writer(self, name: str, declared: str, kind: Any) -> Writer:
        if name == "pNext":
            return self._write_chain
        if kind.kind == "pointer":
            return self._pointer_writer(name, kind.item)
        if kind.kind in ("struct", "union"):
            return lambda made, value, keep: self._fill(declared, getattr(made, name), value, keep)
        names = self._definitions.values(declared) or self._definitions.values(_bits(declared))
        if not names:
            return lambda made, value, _keep: setattr(made, name, value)

        def named(made: Any, value: Any, keep: list[Any]) -> None:  # noqa: ARG001 (a writer like the others)
            if value.__class__ is str:
                value = _number(name, value, names)
            elif value.__class__ in (list, tuple):
                value = sum({_number(name, part, names) for part in value})
            setattr(made, name, value)

        return named

    def _pointer_writer(self, name: str, item: Any) -> Writer:
        make = self._pointed(item)

        def pointer(made: Any, value: Any, keep: list[Any]) -> None:
            if value is None:
                value = self._ffi.NULL
            elif not isinstance(value, self._ffi.CData):
                value = make(value, keep)
                keep.append(value)
            setattr(made, name, value)

        return pointer

    def _pointed(self, item: Any) -> Callable[[Any, list[Any]], Any]:
        """Return what makes the thing that a pointer to ``item`` points to."""
        ffi = self._ffi
        if item.kind == "struct":
            return lambda value, keep: (
                self.array(item.cname, value, keep)
                if isinstance(value, list | tuple)
                else self.new(item.cname, value, keep)
            )
        if item.cname == "char":
            return lambda value, _keep: ffi.new("char[]", value.encode() if isinstance(value, str) else value)
        if item.cname == "char *":

            def texts(value: Any, keep: list[Any]) -> Any:
                made = [ffi.new("char[]", text.encode()) for text in value]
                keep.extend(made)
                return ffi.new("char *[]", made)

            return texts
        if item.kind == "enum":
            values = self._definitions.values(item.cname)
            return lambda value, _keep: ffi.new(
                f"{item.cname}[]", [_number(item.cname, v, values) if isinstance(v, str) else v for v in value]
            )
        if item.kind == "void":
            return lambda value, _keep: ffi.from_buffer(value)
        return lambda value, _keep: (
            ffi.from_buffer(f"{item.cname}[]", value) if isinstance(value, bytes) else ffi.new(f"{item.cname}[]", value)
        )

    def _write_chain(self, made: Any, value: Any, keep: list[Any]) -> None:
        made.pNext = self._ffi.NULL if value is None else self.new(self.struct_of(_type_of(value)), value, keep)

    # readers

    def _make_readers(self, struct: str) -> list[tuple[str, Reader]]:
        declared = self._definitions.members[struct]
        return [
            (name, self._reader(declared[name], field.type))
            for name, field in self._ffi.typeof(struct).fields
            if name != "sType" and field.type.kind != "pointer"
        ]

    def _reader(self, declared: str, kind: Any) -> Reader:  # noqa: PLR0911 (one a kind of member)
        if kind.kind == "array":
            if kind.item.cname == "char":
                return lambda value: self._ffi.string(value).decode("utf-8", "replace")
            read = self._reader(declared, kind.item)
            return lambda value: [read(part) for part in value]
        if kind.kind in ("struct", "union"):
            return lambda value: self.plain(declared, value)
        if declared == _BOOL:
            return bool
        if (names := self._definitions.names(declared)) and kind.kind == "enum":
            return lambda value: names.get(value, value)
        bits = _bits(declared)
        if self._definitions.names(bits):
            return lambda value: self.names_of(value, bits)
        return lambda value: value


def _bits(declared: str) -> str:
    """``VkSampleCountFlags`` -> ``VkSampleCountFlagBits``."""
    return declared.replace("Flags", "FlagBits")


def _type_of(value: Mapping[str, Any]) -> str:
    structure_type = value.get("sType") if hasattr(value, "get") else None
    if not isinstance(structure_type, str):
        raise ArgumentError("pNext", value, accepted="None, or a struct with its sType by name")
    return structure_type


def _number(field: str, name: str, names: Mapping[str, int]) -> int:
    number = names.get(name)
    if number is None:
        raise UnknownName(field, name, accepted=", ".join(names))
    return number
