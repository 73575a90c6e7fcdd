"""Devices that differ in what is enabled, all made from one physical device; and the facts that go with each.

A rule that needs a feature can only be broken where the feature is off, so the driver's features are not enough: each
variant enables a part of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.bindings.vulkan import SAMPLER_EXTENSIONS, Device, report_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.bindings.vulkan import PhysicalDevice

__all__ = ["QUIET", "VARIANTS", "Variant", "made"]

_CORE: Final = "VkPhysicalDeviceFeatures"
_12: Final = "VkPhysicalDeviceVulkan12Features"
_CUSTOM: Final = "VkPhysicalDeviceCustomBorderColorFeaturesEXT"
_SEAMLESS: Final = "VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT"
_SWIZZLE: Final = "VkPhysicalDeviceBorderColorSwizzleFeaturesEXT"

_MIRROR_EXT: Final = "VK_KHR_sampler_mirror_clamp_to_edge"
_MINMAX_EXT: Final = "VK_EXT_sampler_filter_minmax"
_CUSTOM_EXT: Final = "VK_EXT_custom_border_color"


class Variant(NamedTuple):
    """The features and extensions that a device has enabled.

    Attributes:
        extensions: Of `SAMPLER_EXTENSIONS`; those that the physical device lacks are left out.
        features: Struct -> members that are on; other members and structs are off.
    """

    extensions: tuple[str, ...]
    features: Mapping[str, tuple[str, ...]]


_ANISOTROPY: Final = {_CORE: ("samplerAnisotropy",)}
_BOTH_COLORS: Final = {_CUSTOM: ("customBorderColors", "customBorderColorWithoutFormat")}
_SWIZZLES: Final = {_SWIZZLE: ("borderColorSwizzle", "borderColorSwizzleFromImage")}
_SEAMS: Final = {_SEAMLESS: ("nonSeamlessCubeMap",)}
_ALL_12: Final = {_12: ("samplerMirrorClampToEdge", "samplerFilterMinmax")}

#: The devices. With Vulkan 1.2 an extension whose feature bit is there and off may not be enabled
#: (VUID-VkDeviceCreateInfo-ppEnabledExtensionNames-02832), so such variants leave the struct of bits out.
VARIANTS: Final[Mapping[str, Variant]] = {
    "everything": Variant(SAMPLER_EXTENSIONS, {**_ANISOTROPY, **_BOTH_COLORS, **_SWIZZLES, **_SEAMS, **_ALL_12}),
    "nothing": Variant((), {_CORE: (), _12: ()}),
    "colours with format": Variant((_CUSTOM_EXT,), {**_ANISOTROPY, _CUSTOM: ("customBorderColors",), **_ALL_12}),
    "extensions without features": Variant(
        tuple(name for name in SAMPLER_EXTENSIONS if name not in (_MIRROR_EXT, _MINMAX_EXT)), {_CORE: ()}
    ),
    "min/max by extension": Variant((_MINMAX_EXT, _CUSTOM_EXT), {**_BOTH_COLORS}),
    "mirror by extension": Variant((_MIRROR_EXT,), {**_ANISOTROPY}),
    "features without extensions": Variant((), {**_ANISOTROPY, **_ALL_12}),
}


#: Variants on which the layer reports nothing of its own: with the min/max extension alone it asks for a feature bit
#: that the standard does not (see `tools.proofs.vulkan_live.layer`).
QUIET: Final = tuple(name for name in VARIANTS if name != "min/max by extension")


def made(physical: PhysicalDevice, variant: Variant) -> tuple[Device, dict[str, Any]]:
    """Make the device of a variant, and the report of a machine that offers no more than what is enabled."""
    offered = report_of(physical)["capabilities"]["device"]
    extensions = tuple(name for name in variant.extensions if name in offered["extensions"])
    features = {
        struct: {member: member in names and value for member, value in offered["features"][struct].items()}
        for struct, names in variant.features.items()
        if struct in offered["features"]
    }
    device = Device(physical, extensions=extensions, features=features)
    report = {
        "extensions": dict.fromkeys(extensions, 1),
        "features": features,
        "properties": offered["properties"],
        "formats": offered["formats"],
    }
    return device, {"capabilities": {"device": report}}
