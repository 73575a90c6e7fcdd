"""`CStruct`: a Vulkan struct in C memory, with its chain, for calls that others make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from statetracker.bindings.libraries import definitions
from statetracker.bindings.vulkan_calls import structs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: A copy that another cffi owns -> the structs whose chains it points to.
_KEPT: Final[WeakKeyDictionary[Any, Any]] = WeakKeyDictionary()


class CStruct:
    """A struct of plain data in C memory: it and all that it points to stay for as long as this object lives.

    info   a mapping in Vulkan's own names with its ``sType``, as `statetracker.bindings.structs` takes it

    pointer   ``VkSamplerCreateInfo *`` of cffi
    address   the same as an integer, for ctypes and for C
    ``bytes()`` of it are the struct's own bytes; addresses in them are true while it lives.

    Raises `UnknownName` and `ArgumentError` for what makes no struct, `MissingExtra` without cffi.
    """

    __slots__ = ("__weakref__", "_keep", "pointer", "struct")

    def __init__(self, info: Mapping[str, Any]) -> None:
        self._keep: list[Any] = []
        self.struct = structs().struct_of(info["sType"])
        self.pointer: Any = structs().new(self.struct, info, self._keep)

    @property
    def address(self) -> int:
        """Where it lies."""
        return int(definitions("vulkan").ffi.cast("uintptr_t", self.pointer))

    def __bytes__(self) -> bytes:
        return bytes(definitions("vulkan").ffi.buffer(self.pointer))

    def __repr__(self) -> str:
        return f"CStruct({self.struct} at {self.address:#x})"


def copied(ffi: Any, source: CStruct) -> Any:
    """Give another cffi's own struct with the same bytes; what it points to lives as long as it does."""
    made = ffi.new(f"{source.struct} *")[0]
    ffi.memmove(ffi.addressof(made), bytes(source), len(bytes(source)))
    _KEPT[made] = source
    return made


def copied_array(ffi: Any, struct: str, sources: Sequence[CStruct]) -> Any:
    """Return another cffi's own array of structs of one kind, as `copied` does one."""
    made = ffi.new(f"{struct}[]", len(sources))
    ffi.buffer(made)[:] = b"".join(map(bytes, sources))
    _KEPT[made] = sources
    return made
