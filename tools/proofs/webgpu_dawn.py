"""Dawn's judgement of sampler descriptors, by PyPI's dawn-python, where it is installed.

Dawn is what Chromium runs. The package is old (Chromium 133) and has no wheels for some machines, so nothing needs it;
``make webgpu`` asks it where it is: ``.venv/bin/pip install dawn-python``.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

__all__ = ["Dawn"]


class Dawn:
    """Dawn on this machine's Vulkan; raises `ImportError` without dawn-python.

    Samplers are freed late, and a driver has only so many (4,000 on NVIDIA's): every `_SAMPLERS` there is a new device.
    """

    def __init__(self) -> None:
        os.environ.setdefault("BACKEND_TYPE", "Vulkan")
        from pydawn import utils, webgpu

        self._utils, self._api = utils, webgpu
        self._made = 0
        self._numbers = {
            member: dict(_words(getattr(webgpu, f"WGPU{kind}__enumvalues"))) for member, kind in _KINDS.items()
        }

    def create_sampler(self, **members: Any) -> None:  # noqa: ANN401 (a descriptor's)
        """Make a sampler of wgpu-py's members, and release it; raises `ValueError` with Dawn's reason."""
        api = self._api
        if self._made % _SAMPLERS == 0:
            adapter = self._utils.request_adapter_sync(api.WGPUPowerPreference_LowPower)
            self._device = self._utils.request_device_sync(adapter)
        self._made += 1
        descriptor = api.WGPUSamplerDescriptor()
        for key, value in members.items():
            name = "".join(part.title() if place else part for place, part in enumerate(key.split("_")))
            numbers = self._numbers.get(key)
            setattr(descriptor, name, (numbers[value] if value else 0) if numbers else value)
        api.wgpuDevicePushErrorScope(self._device, api.WGPUErrorFilter_Validation)
        sampler = api.wgpuDeviceCreateSampler(self._device, ctypes.byref(descriptor))
        api.wgpuSamplerRelease(sampler)
        reason = self._utils.pop_error(self._device)
        if reason:
            raise ValueError(reason)


_SAMPLERS = 1_500
_KINDS = {
    **dict.fromkeys(("address_mode_u", "address_mode_v", "address_mode_w"), "AddressMode"),
    **dict.fromkeys(("mag_filter", "min_filter"), "FilterMode"),
    "mipmap_filter": "MipmapFilterMode",
    "compare": "CompareFunction",
}


def _words(values: dict[int, str]) -> list[tuple[str, int]]:
    """``WGPUAddressMode_ClampToEdge`` as ``clamp-to-edge``."""
    rows = []
    for number, name in values.items():
        word = name.partition("_")[2]
        rows.append(("".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in word)[1:], number))
    return rows
