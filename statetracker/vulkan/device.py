"""A device as the translation and the valid-usage rules read it, derived once from a `Screen`.

A screen without `VulkanFacts` stands for a driver whose device is not known: zink's recordings were made over lavapipe,
so that is its device; others are taken to have everything, with the screen's anisotropy. A limit that is not reported
counts as the least that Vulkan allows. Source: Vulkan 1.3, "Limits" (required limits), "Features".
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps.facts import EXTENSIONS, FEATURES, VulkanFacts
from statetracker.caps.vulkan_formats import REPLACED
from statetracker.caps.webgpu import WEBGPU
from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps import Screen

# fmt: off
#: The least that Vulkan lets a device report, for limits that are not reported.
REQUIRED_LIMITS: Final[Mapping[str, float]] = {
    "maxSamplerAllocationCount":    4000,
    "maxSamplerLodBias":               2,
    "maxSamplerAnisotropy":           16,  # with feature samplerAnisotropy
    "maxCustomBorderColorSamplers":    0,  # reports with the feature and no number count as none
}
# fmt: on

_NOT_EVERYWHERE: Final = frozenset(
    {"VK_KHR_portability_subset", "VK_EXT_fragment_density_map", "VK_EXT_descriptor_heap"}
    | {name for name in EXTENSIONS if name.startswith("VK_QCOM_")}
)


def limit_of(facts: VulkanFacts, name: str) -> float:
    """Return a limit as reported, or the least that Vulkan allows."""
    value = facts.limits.get(name)
    return REQUIRED_LIMITS[name] if value is None else value


def shown_limit(facts: VulkanFacts, name: str) -> str:
    """Return the same in as many digits as it has: who keeps to it must not be over it."""
    return str(limit_of(facts, name)).removesuffix(".0")


def facts_of(screen: Screen | VulkanFacts) -> VulkanFacts:
    """Return the facts of a screen's Vulkan device; see the module's docstring for screens without one.

    Args:
        screen: The screen, or facts, which are given back.

    Raises:
        ArgumentError: Anything that is neither a screen nor facts.
    """
    if isinstance(screen, VulkanFacts):
        return screen
    facts = getattr(screen, "vulkan", screen)
    if isinstance(facts, VulkanFacts):
        return facts
    if facts is not None:
        raise ArgumentError("screen", screen, accepted="a Screen or VulkanFacts")
    return _lavapipe() if screen.storage == "zink" else _capable(screen.max_anisotropy)


@cache
def _lavapipe() -> VulkanFacts:
    from statetracker.caps import Screen

    return facts_of(Screen.named("zink-lavapipe"))


@cache
def _capable(anisotropy: float) -> VulkanFacts:
    limits = {
        "maxSamplerAllocationCount": 32768,
        "maxSamplerLodBias": 16,
        "maxSamplerAnisotropy": anisotropy,
        "maxCustomBorderColorSamplers": 32768,
    }
    return VulkanFacts(
        device="a device that has everything",
        api=(1, 4, 363),
        limits=limits,
        features=frozenset(FEATURES),
        extensions=EXTENSIONS - _NOT_EVERYWHERE,
    )


class Device:
    """A device's facts as the rules need them. Make one with `device_of`, which keeps them.

    Args:
        facts: Where they come from.
        swizzled_before: The front end has put the colour through the texture's swizzle already.

    Attributes:
        lod_bias: maxSamplerLodBias, levels.
        bias_fixed: A portability subset that cannot bias.
        anisotropy: The maximum; 0 without the feature.
        mirror_edge: MIRROR_CLAMP_TO_EDGE: feature or extension.
        minmax: Reduction modes: feature or extension.
        seams_extension: VK_EXT_non_seamless_cube_map.
        seams_feature: Its feature.
        custom_extension: VK_EXT_custom_border_color.
        custom_feature: Its feature.
        without_format: Custom colours need no format.
        custom_slots: maxCustomBorderColorSamplers.
        swizzle_wanted: The sampler needs the border's swizzle: borderColorSwizzle without FromImage.
        swizzle_known: The border goes through the view's swizzle for sure: from the sampler or the image.
        lacks_d24s8: D24_UNORM_S8_UINT is kept as floats.
        replaced: VkFormats of 24-bit depth that are kept as floats.
        webgpu: It is WebGPU: no border at all, anisotropy with linear filters alone, levels of detail that are finite
            and not negative, depth filtered where it is compared.
    """

    def __init__(self, facts: VulkanFacts, *, swizzled_before: bool = False) -> None:
        self.swizzled_before = swizzled_before
        features, extensions = facts.features, facts.extensions
        self.facts = facts
        self.lod_bias = float(limit_of(facts, "maxSamplerLodBias"))
        portable = "VK_KHR_portability_subset" in extensions
        self.bias_fixed = portable and "samplerMipLodBias" not in features
        self.anisotropy = float(limit_of(facts, "maxSamplerAnisotropy")) if "samplerAnisotropy" in features else 0.0
        self.mirror_edge = "samplerMirrorClampToEdge" in features or "VK_KHR_sampler_mirror_clamp_to_edge" in extensions
        self.minmax = "samplerFilterMinmax" in features or "VK_EXT_sampler_filter_minmax" in extensions
        self.seams_extension = "VK_EXT_non_seamless_cube_map" in extensions
        self.seams_feature = "nonSeamlessCubeMap" in features
        self.custom_extension = "VK_EXT_custom_border_color" in extensions
        self.custom_feature = "customBorderColors" in features
        self.without_format = "customBorderColorWithoutFormat" in features
        self.turnip = facts.is_turnip
        self.webgpu = facts.driver == WEBGPU
        self.custom_slots = int(limit_of(facts, "maxCustomBorderColorSamplers"))
        from_image = "borderColorSwizzleFromImage" in features
        self.swizzle_wanted = "borderColorSwizzle" in features and not from_image
        self.swizzle_known = "borderColorSwizzle" in features or from_image
        lacks = () if facts.formats is None else tuple(name for name in REPLACED if name not in facts.formats)
        self.replaced = frozenset(lacks)
        self.lacks_d24s8 = "D24_UNORM_S8_UINT" in lacks


def device_of(screen: Screen | VulkanFacts) -> Device:
    """Return the device of a screen; made once and kept with the screen."""
    if isinstance(screen, VulkanFacts):
        return Device(screen)
    kept = getattr(screen, "derived", None)
    if kept is None:
        raise ArgumentError("screen", screen, accepted="a Screen, or the VulkanFacts of one")
    device = kept.get(Device)
    if not isinstance(device, Device):
        before = bool(getattr(screen, "apply_texture_swizzle_to_border_color", False))
        device = kept[Device] = Device(facts_of(screen), swizzled_before=before)
    return device


_UNKNOWN: Final = (
    "Vulkan cannot be asked what a device was made with. Give HostDevice enabled=(...) by name, () for nothing, "
    "or enabled=enabled_by(the VkDeviceCreateInfo); docs/host_vulkan.md lists what samplers read."
)


def screen_of(device: Any) -> Screen:  # noqa: ANN401 (of bindings, whose types this package does not import)
    """Return the screen of a device: its physical device's facts, without the features and extensions that are off.

    Args:
        device: A `statetracker.bindings.vulkan.Device` or `statetracker.bindings.vulkan.HostDevice`.

    Raises:
        ArgumentError: The host gave no physical device to ask, or did not say what is enabled.
    """
    from statetracker.bindings.vulkan import report_of
    from statetracker.caps import Screen
    from statetracker.caps.reports import read_report

    if device.physical is None:
        hint = (
            "With vkGetDeviceProcAddr alone nothing can be asked: give instance, physical and get_instance_proc_addr."
        )
        raise ArgumentError("screen", None, accepted="a Screen of the device", hint=hint)
    if device.enabled is None:
        raise ArgumentError("enabled", None, accepted="names of features and extensions", hint=_UNKNOWN)
    facts = read_report(report_of(device.physical), file="this machine's Vulkan").facts
    on = facts._replace(
        api=min(facts.api, (*device.physical.usable_api, facts.api[2])),
        features=facts.features & device.enabled,
        extensions=facts.extensions & device.enabled,
    )
    return Screen.from_vulkan(on)
