"""Create infos in the forms in which others take them: C memory, and the objects of the `vulkan` package of PyPI.

Both take any create info in plain data with its ``sType``: a `SamplerCreateInfo`, an image view's. See
docs/host_vulkan.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statetracker.errors import ArgumentError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["c_struct", "pyvulkan_struct"]


def c_struct(info: Mapping[str, Any]) -> Any:  # noqa: ANN401 (of bindings, whose types this package does not import)
    """Write a create info and its chain into C memory, which stays for as long as what is given back lives.

    return   a `statetracker.bindings.c_struct.CStruct`: ``pointer`` is cffi's, ``address`` an integer for ctypes and C

    Raises `ArgumentError` for what is no info.
    """
    from statetracker.bindings.c_struct import CStruct

    if "sType" not in info:
        raise ArgumentError("info", info, accepted="a create info with its sType, such as Result.vulkan")
    return CStruct(info)


def pyvulkan_struct(info: Mapping[str, Any]) -> Any:  # noqa: ANN401 (the package's own)
    """Give a create info as the `vulkan` package has it: ``vulkan.vkCreateSampler(device, this, None)``.

    Its chain stays for as long as the object. Raises `MissingExtra` without the package.
    """
    try:
        from vulkan import ffi
    except ModuleNotFoundError:
        raise MissingExtra("an object of the vulkan package", "vulkan", "pyvulkan") from None
    from statetracker.bindings.c_struct import copied

    return copied(ffi, c_struct(info))
