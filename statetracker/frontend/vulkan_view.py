"""GL's side and Vulkan's together: a texture's image view, the border colour through it, create infos as plain data.

A program sees the border colour clamped to the format, then by base format and swizzle. Source: OpenGL 4.6
compatibility profile, 8.14.2 ("the border colour is clamped"), 15.2.1 (base formats, swizzle).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps.fields import FIELDS
from statetracker.gl.enums import Target
from statetracker.pipe import formats
from statetracker.pipe.enums import TexCompare
from statetracker.pipe.lowering import LoweringValues
from statetracker.pipe.wraps import with_image_filters
from statetracker.sampler.dialects import dialect as dialect_named
from statetracker.sampler.situation import composed_swizzle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.pipe import SamplerState
    from statetracker.vulkan import SamplerCreateInfo, View, Violation, VulkanDialect

    Words = tuple[int, int, int, int]

#: The most anisotropy of a capable driver.
WHOLE_ANISOTROPY: Final = float(FIELDS["max_anisotropy"])
_CUBES: Final = (Target.TEXTURE_CUBE_MAP, Target.TEXTURE_CUBE_MAP_ARRAY)


def is_vulkan(screen: Screen) -> bool:
    """Return whether a screen stands for a Vulkan device: made from one, or zink's."""
    return screen.vulkan is not None or screen.storage == "zink"


def is_webgpu(screen: Screen) -> bool:
    """Return whether a screen stands for a WebGPU device."""
    return screen.storage == "webgpu"


def is_native(screen: Screen, dialect: str | VulkanDialect) -> bool:
    """Return whether create infos are made of what GL asks for, and the shader makes up for what they lack.

    So on a screen made from a device, by a dialect that leaves it to the shader; zink's recorded profile, which has no
    float caps, stands for Mesa's own driver, whose records have GL_CLAMP as a clamped coordinate.
    """
    from statetracker.vulkan import vulkan_dialect

    return screen.vulkan is not None and bool(screen.capsf) and vulkan_dialect(dialect).clamp == "coverage"


def whole_screen(screen: Screen) -> Screen:
    """Return the screen as if its driver had every wrap, every filter and anisotropy; kept with the screen."""
    kept: Screen | None = screen.derived.get(whole_screen)
    if kept is None:
        anisotropy = max(screen.max_anisotropy, WHOLE_ANISOTROPY)
        kept = screen.replace(emulate_gl_clamp=False, linear_filtering=None, max_anisotropy=anisotropy)
        screen.derived[whole_screen] = kept
    return kept


def as_device_filters(state: SamplerState, screen: Screen) -> SamplerState:
    """Return the state with the image filters that the device's sampler has: on WebGPU, by `image_filters`."""
    return with_image_filters(state) if is_webgpu(screen) else state


def vulkan_view(
    facts: TextureFacts,
    screen: Screen,
    glsl130: bool,  # noqa: FBT001 (a fact of the program)
    *,
    skip_decode: bool = False,
) -> View:
    """Return the view through which a program samples a texture; ``skip_decode``: sRGB is not decoded."""
    from statetracker.vulkan.views import SELECTORS, View

    fmt = formats.sampler_view_format(
        facts.storage_format or screen.stores(facts.internal_format),
        base_format=facts.base_format,
        stencil_sampling=facts.stencil_sampling and facts.base_format != "DEPTH_COMPONENT",  # it has no stencil
        skip_decode=skip_decode,
        surface=facts.surface_format,
    )
    letters = "".join(SELECTORS[part] for part in composed_swizzle(facts, glsl130=glsl130))
    return View(fmt.name, letters, cube=facts.target in _CUBES)


def vulkan_violations(info: SamplerCreateInfo, view: View, screen: Screen) -> list[Violation]:
    """Check an info, and the second sampler that may belong to it, with the view that they sample."""
    from statetracker.caps.vulkan_formats import vulkan_format
    from statetracker.vulkan import facts_of, violations

    name = vulkan_format(view.format, facts_of(screen))
    broken = violations(info, screen, view_format=name)
    if info.depth_border_sampler is not None and info.lowering.second_sampler:
        broken += [one for one in violations(info.depth_border_sampler, screen, view_format=name) if one not in broken]
    return broken


def shown_border(words: Sequence[int], facts: TextureFacts, screen: Screen, *, glsl130: bool, compares: bool) -> Words:
    """Return the four words that a sample of the border gives.

    Args:
        words: The border colour, bits of floats or integers.
        facts: Of the texture that is sampled.
        screen: The device.
        glsl130: The program is GLSL 1.30 or later, which changes one depth mode.
        compares: Depth is compared: all words are the border's depth.

    Returns:
        Words of the texture's type; floats of float formats as they are, NaN and infinities too.
    """
    view = vulkan_view(facts, screen, glsl130)
    return formats.shown_border(words, view.format, "XXXX" if compares else view.swizzle)


def state_values(state: SamplerState, facts: TextureFacts, screen: Screen, *, glsl130: bool) -> LoweringValues:
    """Return the numbers of a record whose sampler has all of it: the border as it is seen, nothing left to add."""
    words = state.border_color
    if screen.apply_texture_swizzle_to_border_color:
        words = _unswizzled(words, vulkan_view(facts, screen, glsl130).swizzle)
    compares = state.compare_mode == TexCompare.R_TO_TEXTURE
    border = shown_border(words, facts, screen, glsl130=glsl130, compares=compares)
    return LoweringValues(border, lod_bias=state.lod_bias, min_lod=state.min_lod, max_lod=state.max_lod)


def _unswizzled(words: Sequence[int], swizzle: str) -> Words:
    """Return a colour whose swizzle is that of a record; components that the swizzle leaves out are 0."""
    x, y, z, w = (next((words[at] for at, one in enumerate(swizzle) if one == part), 0) for part in "XYZW")
    return x, y, z, w


def vulkan_dialect_of(dialect: str) -> str:
    """Return zink's dialect of the same release as a dialect of the GL side; the newest known where there is none."""
    return "zink21" if dialect_named(dialect).name.startswith("21.") else "zink22"


def plain(info: dict[str, Any]) -> dict[str, Any]:
    """Spell a create info from `SamplerCreateInfo.to_dict` so that JSON can hold it and equal bits are equal text.

    Of a colour only the words are kept; a float that is no number becomes text.
    """
    made: dict[str, Any] = {}
    for name, value in info.items():
        if name == "customBorderColor":
            made[name] = {"uint32": list(value["uint32"])}
        elif isinstance(value, dict):
            made[name] = plain(value)
        else:
            made[name] = str(value) if isinstance(value, float) and not math.isfinite(value) else value
    return made


def our_infos(record: bytes, screen: Screen, dialect: str) -> list[dict[str, Any]]:
    """Return the create infos of a record, as `plain` spells them: the sampler's, then the second's if any."""
    from statetracker.vulkan import create_info

    info = create_info(record, screen, dialect=dialect)
    both = [info] if info.depth_border_sampler is None else [info, info.depth_border_sampler]
    return [plain(one.to_dict()) for one in both]
