"""`WgpuDriver`: a driver for the cache that makes real samplers on a device of wgpu-py.

wgpu is not imported here: the device is the host's, and so are bind groups, which read `WgpuDriver.bound`.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps import Screen
from statetracker.caps.webgpu import WEBGPU_FEATURES
from statetracker.errors import ArgumentError, CallFailed, DeviceLost
from statetracker.vulkan.driver import KeepsBound
from statetracker.vulkan.info import HasInfo
from statetracker.webgpu.conversion import descriptor
from statetracker.webgpu.validation import violations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.webgpu.conversion import SamplerDescriptor

#: What wgpu says of a device that was destroyed, or that its driver lost; the class is that of any other refusal.
_LOST: Final = re.compile(r"device (is |was )?lost", re.IGNORECASE)
_CORE: Final = "core-features-and-limits"
#: Features of wgpu -> the standard's that samplers and formats read.
_NATIVE: Final = {"texture-format16bit-norm": "texture-formats-tier1"}
#: Limits of wgpu-py -> Vulkan's.
_LIMITS: Final = {
    "max-texture-dimension-1d": "maxImageDimension1D",
    "max-texture-dimension-2d": "maxImageDimension2D",
    "max-texture-dimension-3d": "maxImageDimension3D",
    "max-texture-array-layers": "maxImageArrayLayers",
    "max-samplers-per-shader-stage": "maxPerStageDescriptorSamplers",
    "max-sampled-textures-per-shader-stage": "maxPerStageDescriptorSampledImages",
}


def screen_of(device: Any, *, compatibility: bool = False) -> Screen:  # noqa: ANN401 (wgpu-py's)
    """Return the screen of a device of wgpu-py: its features and limits.

    Args:
        device: A ``wgpu.GPUDevice``.
        compatibility: It is of the compatibility mode; wgpu-py's own devices never are.
    """
    features = {_NATIVE.get(name, name) for name in device.features} & WEBGPU_FEATURES.keys()
    limits = {ours: int(device.limits[name]) for name, ours in _LIMITS.items() if name in device.limits}
    return Screen.webgpu(features - {_CORE} if compatibility else features | {_CORE}, limits=limits)


@contextmanager
def lost_as_such(call: str) -> Iterator[None]:
    """Raise `DeviceLost` where wgpu says of a ``call`` that the device is lost; anything else stays as it is."""
    try:
        yield
    except Exception as error:
        if not _LOST.search(str(error)):
            raise
        hint = "Open a device, and give it to who draws: renderer.lost(device), tracker.device_lost(WgpuDriver(device))"
        raise DeviceLost("WebGPU", call, str(error).split("\n")[-1].strip(), hint=hint) from error


class WgpuHandle(HasInfo):
    """The result of a create: the ``GPUSampler``, its descriptor, and the create info of the same sampler.

    Args:
        made_of: The descriptor; the create info is that of it.
        sampler: The ``GPUSampler``, wgpu-py's object.
    """

    __slots__ = ("descriptor", "info", "sampler")

    def __init__(self, made_of: SamplerDescriptor, sampler: object) -> None:
        self.descriptor = made_of
        self.info = made_of.info
        self.sampler = sampler


class WgpuDriver(KeepsBound[WgpuHandle]):
    """A driver for `CsoContext` and `StateTracker` over one device of wgpu-py.

    ``bound`` holds what was bound last: stage -> handles; ``live`` is how many samplers there are. Descriptors are
    checked before the call: what breaks a rule raises `CallFailed` with it.

    Args:
        device: A ``wgpu.GPUDevice``.
        screen: What makes the records: of the device itself where it is left out; GL_CLAMP stays in them, for the
            descriptor has an answer to it.

    Raises:
        ArgumentError: Another kind of device.
    """

    def __init__(self, device: Any, screen: Screen | None = None) -> None:  # noqa: ANN401 (wgpu-py's)
        super().__init__()
        if not hasattr(device, "create_sampler"):
            raise ArgumentError("device", device, accepted="a wgpu.GPUDevice, as adapter.request_device_sync() gives")
        self.device = device
        self.screen = (screen_of(device) if screen is None else screen).replace(emulate_gl_clamp=False)
        self.live = 0

    def create_sampler_state(self, record: bytes) -> WgpuHandle:
        """Make a record's sampler; raises `CallFailed` with a rule that it breaks, `DeviceLost` as wgpu says."""
        made_of = descriptor(record, self.screen)
        for broken in violations(made_of, self.screen):
            raise CallFailed("WebGPU", "createSampler", str(broken))
        with lost_as_such("createSampler"):
            sampler = self.device.create_sampler(**made_of)
        self.live += 1
        return WgpuHandle(made_of, sampler)

    def delete_sampler_state(self, handle: WgpuHandle) -> None:
        """Let go of a handle's sampler: WebGPU frees it when no bind group holds it."""
        handle.sampler = None
        self.live -= 1
