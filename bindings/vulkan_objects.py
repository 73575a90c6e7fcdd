"""`DeviceObjects`: objects on a Vulkan device that are counted and destroyed, on a device of our own or a host's.

Handles are numbers. Every object that was made here and not yet destroyed is known; anything else is refused.
``created`` and ``destroyed`` count by kind (``VkSampler``), for good.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings.libraries import Closing
from statetracker.bindings.vulkan_calls import HINTS, TITLE, Calls, structs
from statetracker.errors import ArgumentError, DeviceLost, InvalidCallOrder

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Kinds whose create function or info is not called after them.
_CREATE: Final[Mapping[str, tuple[str, str, str]]] = {
    "VkDeviceMemory": ("vkAllocateMemory", "VkMemoryAllocateInfo", "vkFreeMemory"),
}


class DeviceObjects(Closing):
    """What can be made on a device. The classes over it say what becomes of the device itself.

    ``lost`` is True once a call returned VK_ERROR_DEVICE_LOST; then objects can only be destroyed.
    """

    calls: Calls

    def __init__(self) -> None:
        self._handle: Any = None
        self.lost = False
        self.created: Counter[str] = Counter()
        self.destroyed: Counter[str] = Counter()
        self._live: dict[tuple[str, int], None] = {}  # in the order of creation
        self._functions: dict[str, tuple[str, Any, Any, str]] = {}

    @property
    def _ffi(self) -> Any:
        return self.calls.ffi

    @property
    def handle(self) -> Any:
        """The device's handle as cffi has it; raises `InvalidCallOrder` after `close`."""
        if self._handle is None:
            raise InvalidCallOrder("the device", "it is closed", hint="Make a new one")
        return self._handle

    def live(self, kind: str) -> int:
        """How many objects of a kind exist now."""
        return self.created[kind] - self.destroyed[kind]

    def create(self, kind: str, info: Mapping[str, Any]) -> int:
        """Make an object of its create info in plain data; gives its handle.

        kind   ``VkSampler``, ``VkImage``; info as `statetracker.bindings.structs` takes it

        Raises `DeviceLost`, `CallFailed`, and `UnknownName` or `ArgumentError` for an info that makes no sense.
        """
        call, create, out, struct = self._functions.get(kind) or self._load(kind)
        device = self._handle or self.handle
        if self.lost:
            raise DeviceLost(TITLE, call, "VK_ERROR_DEVICE_LOST before", hint=HINTS["VK_ERROR_DEVICE_LOST"])
        keep: list[Any] = []  # everything the info points to, until the call returns
        made = structs().new(struct, info, keep)
        self.check(call, create(device, made, self._ffi.NULL, out))
        return self._born(kind, out[0])

    def destroy(self, kind: str, handle: int) -> None:
        """Destroy an object of this device; raises `ArgumentError` for one that is not, or not any more."""
        if (kind, handle) not in self._live:
            raise ArgumentError(kind, handle, accepted=f"one of the {self.live(kind)} that exist on this device")
        self._destroy(kind, handle)

    def create_sampler(self, info: Mapping[str, Any]) -> int:
        """Make a ``VkSampler`` of a ``VkSamplerCreateInfo`` with its chain; see `create`."""
        return self.create("VkSampler", info)

    def destroy_sampler(self, handle: int) -> None:
        """Destroy a ``VkSampler``; see `destroy`."""
        self.destroy("VkSampler", handle)

    def destroy_all(self) -> None:
        """Destroy what is left, the youngest first."""
        for kind, handle in reversed(list(self._live)):
            self._destroy(kind, handle)

    def check(self, call: str, result: int) -> None:
        """Do nothing for success; raises `DeviceLost` and remembers it, or `CallFailed`."""
        if result >= 0:
            return
        try:
            self.calls.check(call, result)
        except DeviceLost:
            self.lost = True
            raise

    def _born(self, kind: str, handle: int) -> int:
        self._live[kind, handle] = None
        self.created[kind] += 1
        return handle

    def _destroy(self, kind: str, handle: int) -> None:
        del self._live[kind, handle]
        self.destroyed[kind] += 1
        name = _CREATE[kind][2] if kind in _CREATE else f"vkDestroy{kind[2:]}"
        getattr(self.calls, name)(self.handle, handle, self._ffi.NULL)

    def _load(self, kind: str) -> tuple[str, Any, Any, str]:
        """The create function's name, the function, where it writes the handle, and the struct of its info."""
        call, struct, _ = _CREATE.get(kind, (f"vkCreate{kind[2:]}", f"{kind}CreateInfo", ""))
        entry = call, getattr(self.calls, call), self._ffi.new(f"{kind} *"), struct
        self._functions[kind] = entry
        return entry
