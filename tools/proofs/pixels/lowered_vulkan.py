"""`statetracker.shader.lower` with the create infos that belong to it, on this machine's Vulkan.

Native are the same device's own custom border colours and mirrored clamps: pictures with them are what is right.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from statetracker.bindings.vulkan import report_of
from statetracker.caps import Screen
from statetracker.caps.reports import read_report
from statetracker.pipe import TexMipfilter
from statetracker.reference import TARGETS
from statetracker.shader import border_values, lower
from statetracker.vulkan import View, create_info
from tools.environment import environment
from tools.proofs.pixels.clamp_forms import SIDE, fragment, size_of
from tools.proofs.pixels.clamp_run import Comparison, compiled
from tools.proofs.pixels.formats import FORMATS
from tools.proofs.pixels.lowered_run import asked_for
from tools.proofs.pixels.vulkan_draw import combined, draw, uniform
from tools.proofs.pixels.vulkan_memory import texture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from statetracker.bindings.vulkan_device import Device
    from statetracker.caps import VulkanFacts
    from statetracker.vulkan import SamplerCreateInfo
    from tools.proofs.pixels.clamp_forms import Form

__all__ = [
    "LACKS",
    "SWIFTSHADER",
    "compare_on_vulkan",
    "driver_file",
    "facts_lacking",
    "facts_of_device",
    "is_drawn",
    "random_levels",
    "random_texture",
]

_BORDER: Final = "VK_EXT_custom_border_color"
_MIRROR: Final = "VK_KHR_sampler_mirror_clamp_to_edge"
_FILTER_LINEAR: Final = 1 << 12
#: What a lesser device lacks, by name.
LACKS: Final = ("custom borders", "mirror clamps", "LOD bias", "filtering", "everything")
#: The driver that Debian's chromium brings.
SWIFTSHADER: Final = Path("/usr/lib/chromium/vk_swiftshader_icd.json")
_BLOCK: Final = (1, 0)
_NO_MIPS: Final = TexMipfilter.NONE
#: Form's texels -> (Vulkan's format, pipe's).
_FORMATS: Final = {
    False: ("VK_FORMAT_R32G32B32A32_SFLOAT", "R32G32B32A32_FLOAT"),
    True: ("VK_FORMAT_D32_SFLOAT", "Z32_FLOAT"),
}


def driver_file(file: Path | None) -> AbstractContextManager[None]:
    """Instances made inside load the driver of a manifest alone; None: what the loader has anyway."""
    return environment(dict.fromkeys(("VK_DRIVER_FILES", "VK_ICD_FILENAMES"), str(file)) if file else {})


def is_drawn(form: Form, *, on_swiftshader: bool = False) -> bool:
    """Return whether a form can be compared: no rectangles, nor nested arrays, which lavapipe reads by the last index.

    SwiftShader has no ImageGatherExtended, mirrors coordinates in gathers where Vulkan mirrors indices, and scales an
    offset on mipmaps.
    """
    if form.target == "rect" or "nested" in form.name:
        return False
    return not on_swiftshader or not ("gather" in form.name or ("offset" in form.name and form.levels > 1))


def facts_of_device(device: Device) -> VulkanFacts:
    """Return what the device reports."""
    return read_report(report_of(device.physical), file="this machine's Vulkan").facts


def facts_lacking(facts: VulkanFacts, lack: str) -> VulkanFacts:
    """Return a device's facts without one of `LACKS`."""
    every = lack == "everything"
    if every or lack == "custom borders":
        facts = facts._replace(extensions=facts.extensions - {_BORDER})
    if every or lack == "mirror clamps":
        facts = facts._replace(
            extensions=facts.extensions - {_MIRROR}, features=facts.features - {"samplerMirrorClampToEdge"}
        )
    if every or lack == "LOD bias":
        facts = facts._replace(limits={**facts.limits, "maxSamplerLodBias": 2.0})
    if every or lack == "filtering":
        masks = {
            name: one._replace(optimal=one.optimal & ~_FILTER_LINEAR) for name, one in (facts.formats or {}).items()
        }
        facts = facts._replace(formats=masks)
    return facts


def compare_on_vulkan(
    device: Device, facts: VulkanFacts, form: Form, wraps: Sequence[str], lack: str, **members: Any
) -> Comparison:
    """Draw a form natively, lowered for the device without something, and with the lesser samplers alone.

    ``facts``: `facts_of_device` of the device. ``wraps``: letters of `WRAPS` for each of the form's samplers, of those
    that Vulkan has. ``**members``: more of the states' members.
    """
    # Without the view: the device compares depth linearly although it reports no linear filter for it. No form is a
    # cube, and for one without seams limits of the level of detail may be opened.
    states = [asked_for(form, one, **{"seamless_cube_map": True} | members) for one in wraps]
    states = [one.replace(min_lod=0.0, max_lod=0.25) if one.min_mip_filter == _NO_MIPS else one for one in states]
    view = View(_FORMATS[form.shadow][1], cube=False)
    native = [create_info(state, Screen.from_vulkan(facts)) for state in states]
    lesser = [create_info(state, Screen.from_vulkan(facts_lacking(facts, lack)), view=view) for state in states]
    lowerings = [info.lowering for info in lesser]
    original = compiled(fragment(form), target="-V")
    request = lowerings if len(lowerings) > 1 else lowerings[0]
    result = lower(original, {(0, 0): request}, values=_BLOCK)
    block = {_BLOCK: border_values([lesser[element] for _, element in result.values])} if result.values else {}
    with ExitStack() as stack:
        views = [stack.enter_context(random_texture(device, form, 7 + element)) for element in range(len(wraps))]
        right = _picture(device, original, views, native, {})
        ours = _picture(device, result.module, views, lesser, block)
        alone = _picture(device, original, views, lesser, {})
    largest, apart = (float(np.abs(picture - right).max()) for picture in (ours, alone))
    return Comparison(largest, apart, len(result.unresolved))


def random_levels(form: Form, seed: int) -> list[NDArray[Any]]:
    """Random texels of each level of a form's texture."""
    size, axes = size_of(form), TARGETS[form.target].axes
    texels = FORMATS["DEPTH32F" if form.shadow else "RGBA32F"]
    return [
        texels.random((*size[axes:], *(max(1, part >> level) for part in size[:axes][::-1])), seed + level)
        for level in range(form.levels)
    ]


def random_texture(device: Device, form: Form, seed: int) -> AbstractContextManager[int]:
    """Return a view of `random_levels`."""
    size, axes = size_of(form), TARGETS[form.target].axes
    levels = [array.tobytes() for array in random_levels(form, seed)]
    layers = size[axes] if size[axes:] else 1
    format_name = _FORMATS[form.shadow][0]
    return texture(device, form.target, format_name, size[:axes], levels, layers=layers, depth=form.shadow)


def _picture(
    device: Device,
    module: bytes,
    views: Sequence[int],
    infos: Sequence[SamplerCreateInfo],
    block: Mapping[tuple[int, int], bytes],
) -> NDArray[Any]:
    handles = [device.create_sampler(info) for info in infos]
    resources = {(0, 0): combined(*zip(views, handles, strict=True))}
    resources |= {place: uniform(content) for place, content in block.items()}
    texels = draw(device, module, (SIDE, SIDE), resources)
    for handle in handles:
        device.destroy_sampler(handle)
    return np.frombuffer(texels, np.float32).reshape(SIDE, SIDE, 4)
