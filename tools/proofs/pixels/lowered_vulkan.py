"""`statetracker.shader.lower` with the create infos that belong to it, on this machine's Vulkan.

Native are the same device's own custom border colours and mirrored clamps: pictures with them are what is right.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unittest.mock import patch

import numpy as np

from statetracker.bindings.vulkan import report_of
from statetracker.caps import Screen
from statetracker.caps.reports import read_report
from statetracker.pipe import TexMipfilter
from statetracker.reference import EXACT, TARGETS, Texels, TextureUnit, bounds
from statetracker.shader import border_values, lower
from statetracker.vulkan import View, create_info
from tools.proofs.pixels.clamp_forms import SIDE, Form, fragment, size_of
from tools.proofs.pixels.clamp_run import Comparison, sides
from tools.proofs.pixels.formats import random_levels
from tools.proofs.pixels.gl_draw import compiled
from tools.proofs.pixels.lowered_run import asked_for
from tools.proofs.pixels.scene import GL_TARGETS
from tools.proofs.pixels.unit_cases import places
from tools.proofs.pixels.vulkan_draw import combined, draw, placed_module, storage, texture, uniform, wide

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from statetracker.bindings.vulkan_device import Device
    from statetracker.caps import VulkanFacts
    from statetracker.vulkan import SamplerCreateInfo
    from tools.proofs.pixels.vulkan_draw import Resource

__all__ = [
    "LACKS",
    "PLACED",
    "SWIFTSHADER",
    "Placed",
    "Verdict",
    "compare_on_vulkan",
    "driver_file",
    "facts_lacking",
    "facts_of_device",
    "is_drawn",
    "place",
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


def driver_file(file: Path | None) -> AbstractContextManager[Any]:
    """Instances made inside load the driver of a manifest alone; None: what the loader has anyway."""
    return patch.dict(os.environ, dict.fromkeys(("VK_DRIVER_FILES", "VK_ICD_FILENAMES"), str(file)) if file else {})


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
    gone = LACKS[:-1] if lack == "everything" else (lack,)
    if "custom borders" in gone:
        facts = facts._replace(extensions=facts.extensions - {_BORDER})
    if "mirror clamps" in gone:
        features = facts.features - {"samplerMirrorClampToEdge"}
        facts = facts._replace(extensions=facts.extensions - {_MIRROR}, features=features)
    if "LOD bias" in gone:
        facts = facts._replace(limits={**facts.limits, "maxSamplerLodBias": 2.0})
    if "filtering" in gone:
        masks = (facts.formats or {}).items()
        formats = {name: one._replace(optimal=one.optimal & ~_FILTER_LINEAR) for name, one in masks}
        facts = facts._replace(formats=formats)
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
    values = [lesser[element] for _, element in result.values]
    block = {_BLOCK: uniform(border_values(values))} if values else {}
    with ExitStack() as stack:
        views = [stack.enter_context(random_texture(device, form, 7 + element)) for element in range(len(wraps))]
        right = _picture(device, original, views, native, {})
        ours = _picture(device, result.module, views, lesser, block)
        alone = _picture(device, original, views, lesser, {})
    return Comparison.of((right, ours, alone), result)


def random_texture(device: Device, form: Form, seed: int) -> AbstractContextManager[int]:
    """Return a view of `random_levels`."""
    size, axes = size_of(form), TARGETS[form.target].axes
    arrays = random_levels(form.target, size, form.levels, "DEPTH32F" if form.shadow else "RGBA32F", seed)
    (layers,) = size[axes:] or (1,)
    texels = [array.tobytes() for array in arrays]
    name = _FORMATS[form.shadow][0]
    return texture(device, form.target, name, size[:axes], texels, layers=layers, depth=form.shadow)


def _picture(
    device: Device,
    module: bytes,
    views: Sequence[int],
    infos: Sequence[SamplerCreateInfo],
    read: Mapping[tuple[int, int], Resource],
) -> NDArray[Any]:
    handles = [device.create_sampler(info) for info in infos]
    texels = draw(device, module, (SIDE, SIDE), {(0, 0): combined(*zip(views, handles, strict=True)), **read})
    for handle in handles:
        device.destroy_sampler(handle)
    return np.frombuffer(texels, np.float32).reshape(SIDE, SIDE, 4)


_PRECISION: Final = EXACT._replace(lod_bits=8, lod_absolute=2.0**-9)


class Placed(NamedTuple):
    """One form at given places: a target, an expression, the wraps, and further arguments of the reference unit."""

    name: str
    target: str
    expression: str = "textureLod(image, AT, {lod})"
    wraps: str = "ccc"
    offset: tuple[int, ...] = ()
    lod: float = 0.0
    levels: int = 1
    gather: int | None = None
    nearest: bool = False


_OFFSET: Final = "textureLodOffset(image, AT, {lod}, ivec2(2, -3))"
_PLACED: Final = (
    *(
        row
        for target in ("1d", "1d-array", "2d", "2d-array", "3d")
        for row in (
            *(Placed(f"{target} {wraps}", target, wraps=wraps) for wraps in ("ccc", "crc", "mmm", "mcr")),
            Placed(f"{target} nearest", target, nearest=True),
        )
    ),
    Placed("offset", "2d", _OFFSET, offset=(2, -3)),
    Placed("offset, one axis", "2d", _OFFSET, "crr", (2, -3)),
    Placed("offset, level 1", "2d", _OFFSET, offset=(2, -3), lod=1.0, levels=3),
    Placed("offset, between levels", "2d", _OFFSET, offset=(2, -3), lod=0.75, levels=3),
    Placed("projection", "2d", "textureProjLod(image, vec3(c.xy, 1.0) * 1.75, {lod})"),
    Placed("gather", "2d", "textureGather(image, AT, 1)", gather=1),
    Placed("between levels", "2d", lod=1.25, levels=3),
)
#: Name -> form.
PLACED: Final = {one.name: one for one in _PLACED}


class Verdict(NamedTuple):
    """How many samples lay outside, rewritten and not, and the largest difference from the exact value."""

    samples: int
    outside: int
    outside_alone: int
    largest: float


def place(device: Device, one: Placed) -> Verdict:
    """Draw a form at random places, rewritten and not, and compare with native GL_CLAMP, as the reference unit has it.

    The unit has the state that GL's calls make, the device the rewritten module and the state that `st.convert` chose.
    Places are explicit, a level too: what derivatives make of a picture is compared on GL (`clamp_run`).
    """
    of = GL_TARGETS[one.target]
    image_filter = "nearest" if one.nearest else "linear"
    minify = f"{image_filter}-mipmap-{image_filter}" if one.levels > 1 else image_filter
    form = Form(one.name, one.target, "", (one.wraps,), levels=one.levels, size=of.size)
    ((native, other),) = sides(form, min_filter=minify, mag_filter=image_filter)
    module = placed_module(f"sampler{of.suffix}", SIDE, one.expression.replace("AT", of.taken).format(lod=one.lod))
    lowered = lower(module, {(0, 0): other.lowering})
    points = places(one.target, of.size, SIDE)
    # A mirrored clamp to the border is a clamp to it here: the rewrite has mirrored the coordinate already.
    info = create_info(other.pipe, Screen.from_vulkan(facts_of_device(device)))
    read = {(0, binding): storage(wide(points, SIDE)) for binding in (1, 2)}
    with random_texture(device, form, 7) as view:
        seen = [_picture(device, code, [view], [info], read).reshape(-1, 4) for code in (lowered.module, module)]
    unit = TextureUnit(native.pipe, Texels(one.target, random_levels(one.target, of.size, one.levels)))
    if one.gather is not None:
        exact = unit.gather(points, one.gather)
        inside = [(np.abs(picture - exact) <= 1e-6).all(axis=1) for picture in seen]
        # A rounding away from a texel's centre is another footprint.
        inside = [part if part.mean() < 0.995 else np.ones_like(part) for part in inside]
    else:
        exact = unit.sample(points, lod=one.lod, offset=one.offset)
        limits = bounds(unit, points, _PRECISION, lod=one.lod, offset=one.offset)
        inside = [limits.hold(picture) for picture in seen]
    ours, alone = (int((~part).sum()) for part in inside)
    return Verdict(len(points), ours, alone, float(np.abs(seen[0] - exact).max()))
