"""Vulkan's functions, looked up by name on first use, and what their results mean.

The library gives one symbol, ``vkGetInstanceProcAddr``; every other function comes from it or from
``vkGetDeviceProcAddr``, so an extension's functions are called like any other. `CStruct` is a struct with its chain in
C memory, for calls that others make.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from statetracker.bindings.libraries import Library, definitions
from statetracker.bindings.structs import Structs
from statetracker.errors import CallFailed, DeviceLost, NoDevice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

#: Where the loader is looked for, and the declarations of what is called.
VULKAN: Final = Library(
    "Vulkan",
    ("libvulkan.so.1", "libvulkan.so", "libvulkan.1.dylib", "libMoltenVK.dylib", "vulkan-1.dll"),
    "STATETRACKER_VULKAN_LIB",
    "libvulkan1",
    "vkGetInstanceProcAddr",
)

TITLE: Final = VULKAN.title
DRIVER_HINT: Final = (
    "Debian, Ubuntu: apt-get install mesa-vulkan-drivers (lavapipe needs no GPU); "
    "if a driver is installed, look at VK_DRIVER_FILES and VK_ICD_FILENAMES"
)

#: VkResult -> what to try. VK_ERROR_DEVICE_LOST and a missing driver are exceptions of other classes.
HINTS: Final[Mapping[str, str]] = {
    "VK_ERROR_OUT_OF_HOST_MEMORY": "Free memory of this process, or make less",
    "VK_ERROR_OUT_OF_DEVICE_MEMORY": "Destroy what is not needed, or make less",
    "VK_ERROR_TOO_MANY_OBJECTS": "Destroy some first; the limit is in the device's properties",
    "VK_ERROR_INITIALIZATION_FAILED": "The driver could not start: run vulkaninfo to see what it says",
    "VK_ERROR_LAYER_NOT_PRESENT": "Debian, Ubuntu: apt-get install vulkan-validationlayers",
    "VK_ERROR_EXTENSION_NOT_PRESENT": "Enable only what extensions() lists",
    "VK_ERROR_FEATURE_NOT_PRESENT": "Enable only what features() has as true",
    "VK_ERROR_VALIDATION_FAILED_EXT": "The validation layer's message names the rule; the driver was not called",
    "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS": "Drop the capture-replay data",
    "VK_ERROR_DEVICE_LOST": "Close this device and make a new one; if it is lost again, look into the kernel's log",
    "VK_ERROR_FORMAT_NOT_SUPPORTED": "Ask formats() for what the device offers",
}


@cache
def structs() -> Structs:
    """Return what writes and reads Vulkan's structs."""
    return Structs(definitions())


def open_vulkan(library: str | None = None) -> Calls:
    """Open Vulkan's library and give the functions that need no instance.

    Args:
        library: Overrides STATETRACKER_VULKAN_LIB and the system's names.

    Raises:
        LibraryMissing: There is no Vulkan.
        WrongLibrary: What was found is another library.
        MissingExtra: cffi is not installed.
    """
    ffi = definitions().ffi
    chosen = VULKAN if library is None else VULKAN._replace(names=(library,), variable="")
    opened = chosen.open(ffi)
    return Calls(lambda function: opened.vkGetInstanceProcAddr(ffi.NULL, function), opened)


class Calls:
    """Functions as attributes, ``calls.vkCreateSampler``, and the check of their answers.

    Args:
        find: Gives the address of a function by its name as bytes.
        library: What must stay open; cffi closes it with its owner.
    """

    def __init__(self, find: Callable[[bytes], Any], library: Any) -> None:
        self._find = find
        self.library = library
        self.ffi = definitions().ffi

    def __getattr__(self, name: str) -> Any:
        """Find a function; raises `CallFailed` for one that this Vulkan lacks."""
        if not name.startswith("vk"):
            raise AttributeError(name)
        address = self._find(name.encode())
        if address == self.ffi.NULL:
            raise CallFailed(TITLE, name, "no such function", hint="This Vulkan, or what was enabled, lacks it")
        function = self.ffi.cast(f"PFN_{name}", address)
        setattr(self, name, function)
        return function

    def has(self, name: str) -> bool:
        """Return whether a function is there."""
        return bool(self._find(name.encode()) != self.ffi.NULL)

    def check(self, call: str, result: int) -> None:
        """Do nothing for success (0 and above); raises `DeviceLost`, `NoDevice` or `CallFailed` for an error."""
        if result >= 0:
            return
        name = definitions().names("VkResult").get(result, str(result))
        if name == "VK_ERROR_DEVICE_LOST":
            raise DeviceLost(TITLE, call, name, hint=HINTS[name])
        if name == "VK_ERROR_INCOMPATIBLE_DRIVER":
            raise NoDevice(TITLE, f"no driver could be loaded ({call} answered {name})", hint=DRIVER_HINT)
        raise CallFailed(TITLE, call, name, hint=HINTS.get(name, ""))

    def several(self, call: str, kind: str, *before: Any) -> tuple[list[Any], Any]:
        """Call a function that fills an array: once for the count, then for the items; again if they grew.

        ``before`` is what it takes before the count. Gives the items, and the array that owns them.
        """
        function, count = getattr(self, call), self.ffi.new("uint32_t *")
        while True:
            self.check(call, function(*before, count, self.ffi.NULL) or 0)
            items = self.ffi.new(f"{kind}[]", count[0])
            result = function(*before, count, items) or 0
            self.check(call, result)
            if result == 0:
                return [items[n] for n in range(count[0])], items


#: A copy that another cffi owns -> the structs whose chains it points to.
_KEPT: Final[WeakKeyDictionary[Any, Any]] = WeakKeyDictionary()


class CStruct:
    """A struct of plain data in C memory: it and all that it points to stay for as long as this object lives.

    ``bytes()`` of it are the struct's own bytes; addresses in them are true while it lives.

    Args:
        info: A mapping in Vulkan's own names with its ``sType``, as `statetracker.bindings.structs` takes it.

    Attributes:
        pointer: ``VkSamplerCreateInfo *`` of cffi.
        address: The same as an integer, for ctypes and for C.

    Raises:
        UnknownName: A name in the plain data does not exist.
        ArgumentError: A value in it does not fit.
        MissingExtra: cffi is not installed.
    """

    __slots__ = ("__weakref__", "_keep", "pointer", "struct")

    def __init__(self, info: Mapping[str, Any]) -> None:
        self._keep: list[Any] = []
        self.struct = structs().struct_of(info["sType"])
        self.pointer: Any = structs().new(self.struct, info, self._keep)

    @property
    def address(self) -> int:
        """Its address."""
        return int(definitions().ffi.cast("uintptr_t", self.pointer))

    def __bytes__(self) -> bytes:
        return bytes(definitions().ffi.buffer(self.pointer))

    def __repr__(self) -> str:
        return f"CStruct({self.struct} at {self.address:#x})"


def copied(ffi: Any, source: CStruct) -> Any:
    """Return another cffi's own struct with the same bytes; what it points to lives as long as it does."""
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
