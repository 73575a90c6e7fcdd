"""Dawn's judgement of sampler descriptors and modules, by PyPI's dawn-python, where it is installed.

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
        self._device: Any = None
        self._numbers = {
            member: {_word(name): number for number, name in getattr(webgpu, f"WGPU{kind}__enumvalues").items()}
            for member, kind in _KINDS.items()
        }

    def create_sampler(self, **members: Any) -> None:
        """Make a sampler of wgpu-py's members, and release it; raises `ValueError` with Dawn's reason."""
        api = self._api
        if self._made % _SAMPLERS == 0:
            self._open()
        self._made += 1
        descriptor = api.WGPUSamplerDescriptor()
        for key, value in members.items():
            name = re.sub("_(.)", lambda match: match[1].upper(), key)
            numbers = self._numbers.get(key)
            setattr(descriptor, name, (numbers[value] if value else 0) if numbers else value)
        self._make("Sampler", descriptor)

    def create_shader_module(self, code: bytes) -> None:
        """Make a module of SPIR-V, with derivatives anywhere; raises `ValueError` with Dawn's reason."""
        api = self._api
        if self._device is None:
            self._open()
        words = (ctypes.c_uint32 * (len(code) // 4)).from_buffer_copy(code)
        anywhere = api.WGPUDawnShaderModuleSPIRVOptionsDescriptor()
        anywhere.chain.sType = api.WGPUSType_DawnShaderModuleSPIRVOptionsDescriptor
        anywhere.allowNonUniformDerivatives = 1
        source = api.WGPUShaderSourceSPIRV()
        source.chain.sType = api.WGPUSType_ShaderSourceSPIRV
        source.chain.next = ctypes.pointer(anywhere.chain)
        source.codeSize, source.code = len(words), ctypes.cast(words, ctypes.POINTER(ctypes.c_uint32))
        descriptor = api.WGPUShaderModuleDescriptor()
        descriptor.nextInChain = ctypes.cast(ctypes.pointer(source), ctypes.POINTER(api.WGPUChainedStruct))
        self._make("ShaderModule", descriptor)

    def _make(self, kind: str, descriptor: Any) -> None:
        self._api.wgpuDevicePushErrorScope(self._device, self._api.WGPUErrorFilter_Validation)
        made = getattr(self._api, f"wgpuDeviceCreate{kind}")(self._device, ctypes.byref(descriptor))
        getattr(self._api, f"wgpu{kind}Release")(made)
        reason = self._utils.pop_error(self._device)
        if reason:
            raise ValueError(reason)

    def _open(self) -> None:
        adapter = self._utils.request_adapter_sync(self._api.WGPUPowerPreference_LowPower)
        self._device = self._utils.request_device_sync(adapter)


def _word(name: str) -> str:
    """``WGPUAddressMode_ClampToEdge`` as ``clamp-to-edge``."""
    return re.sub("(?<!^)([A-Z])", r"-\1", name.partition("_")[2]).lower()
