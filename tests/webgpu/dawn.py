"""Dawn's judgement of sampler descriptors, by PyPI's dawn-python, where it is installed.

Dawn is what Chromium runs. The package is old (Chromium 133) and has no wheels for some machines, so nothing needs it.
"""

from __future__ import annotations

import ctypes
import os
import re
from typing import Any

__all__ = ["Dawn"]

_SAMPLERS = 1_500
_KINDS = {
    **dict.fromkeys(("address_mode_u", "address_mode_v", "address_mode_w"), "AddressMode"),
    **dict.fromkeys(("mag_filter", "min_filter"), "FilterMode"),
    "mipmap_filter": "MipmapFilterMode",
    "compare": "CompareFunction",
}


class Dawn:
    """Dawn on this machine's Vulkan.

    Samplers are freed late, and a driver has only so many (4,000 on NVIDIA's): every `_SAMPLERS` there is a new device.
    """

    def __init__(self) -> None:
        os.environ.setdefault("BACKEND_TYPE", "Vulkan")
        from pydawn import utils, webgpu

        self._utils, self._api = utils, webgpu
        self._made = 0
        self._numbers = {
            member: {_word(name): number for number, name in getattr(webgpu, f"WGPU{kind}__enumvalues").items()}
            for member, kind in _KINDS.items()
        }

    def create_sampler(self, **members: Any) -> None:
        """Make a sampler of wgpu-py's members, and release it; raises `ValueError` with Dawn's reason."""
        api = self._api
        if self._made % _SAMPLERS == 0:
            adapter = self._utils.request_adapter_sync(api.WGPUPowerPreference_LowPower)
            self._device = self._utils.request_device_sync(adapter)
        self._made += 1
        descriptor = api.WGPUSamplerDescriptor()
        for key, value in members.items():
            name = re.sub("_(.)", lambda match: match[1].upper(), key)
            numbers = self._numbers.get(key)
            setattr(descriptor, name, (numbers[value] if value else 0) if numbers else value)
        api.wgpuDevicePushErrorScope(self._device, api.WGPUErrorFilter_Validation)
        sampler = api.wgpuDeviceCreateSampler(self._device, ctypes.byref(descriptor))
        api.wgpuSamplerRelease(sampler)
        reason = self._utils.pop_error(self._device)
        if reason:
            raise ValueError(reason)


def _word(name: str) -> str:
    """``WGPUAddressMode_ClampToEdge`` as ``clamp-to-edge``."""
    return re.sub("(?<!^)([A-Z])", r"-\1", name.partition("_")[2]).lower()
