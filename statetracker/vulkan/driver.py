"""`VulkanDriver`: a driver for the cache that makes real samplers, and never more than the device allows.

A create makes a ``VkSampler`` of the record, or two, for 24-bit depth kept in floats. Beyond the budget it raises
`SamplerLimitExceeded` (a cache with ``max_size=driver.max_states`` evicts before); when custom border colours are
spent, the next is natively left to the shader. `statetracker.bindings` is loaded when a driver is opened.
"""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from statetracker import events
from statetracker.errors import ArgumentError, SamplerLimitExceeded
from statetracker.pipe.layout import LAYOUTS, KeyRule
from statetracker.vulkan.conversion import create_info
from statetracker.vulkan.device import device_of, facts_of, limit_of, screen_of
from statetracker.vulkan.dialects import vulkan_dialect
from statetracker.vulkan.enums import BorderFallback
from statetracker.vulkan.info import HasInfo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statetracker.caps import Screen
    from statetracker.vulkan.info import SamplerCreateInfo

Handle = TypeVar("Handle")
_SAMPLER: Final = "VkSampler"
#: Kept free for others on the device: an overlay, a debugger.
_RESERVED: Final = 16


class SamplerHandle(HasInfo):
    """The result of a create: the ``VkSampler``, the one to bind for 24-bit depth kept in floats, and the create info.

    Args:
        info: The create info of ``sampler``.
        sampler: The ``VkSampler``, a number.
        depth_sampler: The one to bind for 24-bit depth kept in floats; None: the same does.
    """

    __slots__ = ("depth_sampler", "info", "sampler")

    def __init__(self, info: SamplerCreateInfo, sampler: int, depth_sampler: int | None) -> None:
        self.info = info
        self.sampler = sampler
        self.depth_sampler = depth_sampler

    def __repr__(self) -> str:
        depth = "" if self.depth_sampler is None else f", depth {self.depth_sampler:#x}"
        return f"SamplerHandle({self.sampler:#x}{depth})"


class KeepsBound(Generic[Handle]):
    """A driver that keeps the handles bound last, as ``bound``: stage -> handles."""

    def __init__(self) -> None:
        self.bound: dict[str, list[Handle | None]] = {}

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[Handle | None]) -> None:
        """Keep a stage's handles in `bound`, from slot ``start`` on, for writing descriptors or bind groups."""
        slots = self.bound.setdefault(stage, [])
        slots.extend([None] * (start + len(handles) - len(slots)))
        slots[start : start + len(handles)] = handles


class VulkanDriver(KeepsBound[SamplerHandle]):
    """A driver for `CsoContext` and `StateTracker` over one Vulkan device.

    ``bound`` holds what was bound last: stage -> handles. ``lost`` is whether the device is. One thread at a time.

    Args:
        device: A `statetracker.bindings.vulkan.Device`, or a host's: `statetracker.bindings.vulkan.HostDevice`.
        screen: What the translation may rely on: no more than is enabled on the device; None: `screen_of` the device.
            Take the driver's own ``screen`` for what makes records: natively GL_CLAMP stays in them, for the create
            info has an answer to it.
        dialect: Of the translation: ``native``, ``zink22``, ``zink21``.
        budget: The most samplers; None: the device's maxSamplerAllocationCount but a few.
        deferred: Destroy at `retire`, not at a delete.

    Raises:
        ArgumentError: A budget that the device does not have.
        UnknownName: An unknown dialect.
    """

    def __init__(
        self,
        device: Any,  # noqa: ANN401 (of bindings, which are not imported here)
        screen: Screen | None = None,
        *,
        dialect: str = "native",
        budget: int | None = None,
        deferred: bool = False,
    ) -> None:
        super().__init__()
        screen = screen_of(device) if screen is None else screen
        allowed, most_custom = _limits(device, screen)
        self.device = device
        self.screen = screen.replace(emulate_gl_clamp=False) if dialect == "native" else screen
        vulkan_dialect(dialect)  # any other word is refused now
        self.dialect = dialect
        self.budget = _checked(budget, allowed)
        self.custom_budget = min(most_custom, self.budget)
        self.live = self.live_custom = self.peak = self.refused = self.fallbacks = 0
        self._deferred = deferred
        self._waiting: deque[SamplerHandle] = deque()

    @classmethod
    @contextmanager
    def open(
        cls,
        device: int | str = 0,
        *,
        library: str | None = None,
        validation: bool = False,
        messages: Any = None,  # noqa: ANN401 (of bindings, which are not imported here)
        dialect: str = "native",
        budget: int | None = None,
        deferred: bool = False,
    ) -> Iterator[VulkanDriver]:
        """Open Vulkan, a device and a driver on it for the length of a ``with`` block; afterwards all are closed.

        Args:
            device: Which: a number, or a part of the name.
            library: Overrides STATETRACKER_VULKAN_LIB.
            validation: As for `statetracker.bindings.vulkan.Instance`.
            messages: As for `statetracker.bindings.vulkan.Instance`.
            dialect: As for `VulkanDriver`.
            budget: As for `VulkanDriver`.
            deferred: As for `VulkanDriver`.

        Raises:
            LiveError: There is no such device; the error says what to install or try.
        """
        from statetracker.bindings.vulkan import Device, Instance

        with (
            Instance(library=library, validation=validation, messages=messages) as instance,
            Device(instance.device(device)) as opened,
        ):
            yield cls(opened, dialect=dialect, budget=budget, deferred=deferred)

    def close(self) -> None:
        """Destroy every sampler that is left, and let a host's device go; a device of our own is closed with them.

        A host calls it before it destroys its device, when no command may still read a sampler.
        """
        self.device.close()
        self.live = self.live_custom = 0
        self.bound.clear()
        self._waiting.clear()

    @property
    def max_states(self) -> int:
        """The most states that a cache over it may keep: half the budget where a state may take two samplers."""
        return max(1, self.budget // 2 if device_of(self.screen).replaced else self.budget)

    @property
    def key(self) -> KeyRule:
        """The bytes that a cache over it must compare: the border colour's format too, where the device needs it."""
        layout = LAYOUTS["22.3"]
        return KeyRule(layout.name, layout.size if self.screen.use_format_with_border_color else layout.size - 4)

    @property
    def lost(self) -> bool:
        """Return whether the device is lost: creates then fail, and `close` destroys what is left."""
        return bool(self.device.lost)

    def create_sampler_state(self, record: bytes) -> SamplerHandle:
        """Make the sampler of a record.

        Args:
            record: 36 bytes.

        Raises:
            SamplerLimitExceeded: The budget is used up; the driver is not called.
            DeviceLost: Vulkan refuses.
            CallFailed: Vulkan refuses.
        """
        free = self.custom_budget - self.live_custom
        info = create_info(record, self.screen, dialect=self.dialect, free_slots=free)
        second = info.depth_border_sampler
        self._refuse_beyond("samplers", 1 if second is None else 2, self.live, self.budget)
        colours = sum(part is not None and part.custom_border_color is not None for part in (info, second))
        self._refuse_beyond("custom border colours", colours, self.live_custom, self.custom_budget)
        sampler = self._make(info)
        try:
            depth_sampler = None if second is None else self._make(second)
        except BaseException:
            self._destroy(sampler, info)
            raise
        if not free and info.border.fallback >= BorderFallback.IN_SHADER:
            self.fallbacks += 1
            events.emit("vulkan", "custom-colours-spent", live=self.live_custom, budget=self.custom_budget)
        return SamplerHandle(info, sampler, depth_sampler)

    def delete_sampler_state(self, handle: SamplerHandle) -> None:
        """Destroy a handle's samplers, at once or at the next `retire`."""
        if self._deferred:
            self._waiting.append(handle)
        else:
            self._give_up(handle)

    def retire(self) -> int:
        """Destroy what was deleted; call it when the commands that may read it have finished. Returns how many."""
        count = len(self._waiting)
        for _ in range(count):
            self._give_up(self._waiting.popleft())
        return count

    def _refuse_beyond(self, what: str, wanted: int, live: int, budget: int) -> None:
        if live + wanted > budget:
            self.refused += 1
            raise SamplerLimitExceeded(what, live, budget)

    def _make(self, info: SamplerCreateInfo) -> int:
        handle: int = self.device.create_sampler(info.to_dict())
        self.live += 1
        self.live_custom += info.custom_border_color is not None
        self.peak = max(self.peak, self.live)
        return handle

    def _give_up(self, handle: SamplerHandle) -> None:
        self._destroy(handle.sampler, handle.info)
        if handle.depth_sampler is not None and handle.info.depth_border_sampler is not None:
            self._destroy(handle.depth_sampler, handle.info.depth_border_sampler)

    def _destroy(self, sampler: int, info: SamplerCreateInfo) -> None:
        self.device.destroy(_SAMPLER, sampler)
        self.live -= 1
        self.live_custom -= info.custom_border_color is not None


def _limits(device: Any, screen: Screen) -> tuple[int, int]:  # noqa: ANN401 (as above)
    """Return the most samplers that may exist on a device, and the most of them with a custom border colour."""
    facts = facts_of(screen)
    names = ("maxSamplerAllocationCount", "maxCustomBorderColorSamplers")
    samplers, custom = (int(limit_of(facts, name)) for name in names)
    if device.physical is not None:
        properties = device.physical.properties()
        samplers = int(properties["VkPhysicalDeviceProperties"]["limits"][names[0]])
        border = properties.get("VkPhysicalDeviceCustomBorderColorPropertiesEXT", {})
        custom = min(custom, int(border.get(names[1], 0)))
    return samplers or 1 << 32, custom


def _checked(budget: int | None, allowed: int) -> int:
    if budget is None:
        return max(1, allowed - _RESERVED)
    if not hasattr(budget, "__index__") or not 1 <= budget <= allowed:
        raise ArgumentError("budget", budget, accepted=f"1 to {allowed}, the device's maxSamplerAllocationCount")
    return budget
