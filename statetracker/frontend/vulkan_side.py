"""Where the sampler's side and Vulkan's meet: a texture's view, what is checked with it, what is left to shaders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.enums import Target
from statetracker.pipe.formats import sampler_view_format
from statetracker.sampler.situation import composed_swizzle

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.sampler import Lowering
    from statetracker.vulkan import Needs, SamplerCreateInfo, View, Violation

__all__ = ["is_vulkan", "vulkan_view", "vulkan_violations", "with_vulkan"]

_LETTERS: Final = "XYZW01"
_CUBES: Final = (Target.TEXTURE_CUBE_MAP, Target.TEXTURE_CUBE_MAP_ARRAY)

#: Members that the two sides call the same.
_SAME: Final = (
    *("saturate_s", "saturate_t", "saturate_r", "fold_s", "fold_t", "fold_r"),
    *("cube_edges", "second_sampler"),
)


def is_vulkan(screen: Screen) -> bool:
    """Whether a screen stands for a Vulkan device: made from one, or zink's."""
    return screen.vulkan is not None or screen.storage == "zink"


def vulkan_view(facts: TextureFacts, screen: Screen, glsl130: bool) -> View:  # noqa: FBT001 (a fact of the program)
    """The image view through which a program samples a texture on a screen."""
    from statetracker.vulkan import View

    found = sampler_view_format(
        facts.storage_format or screen.stores(facts.internal_format),
        base_format=facts.base_format,
        stencil_sampling=facts.stencil_sampling,
        skip_decode=False,
        surface=facts.surface_format,
    )
    letters = "".join(_LETTERS[part] for part in composed_swizzle(facts, glsl130=glsl130))
    return View(found.name, letters, cube=facts.target in _CUBES)


def vulkan_violations(
    info: SamplerCreateInfo,
    facts: TextureFacts,
    screen: Screen,
    glsl130: bool,  # noqa: FBT001 (as above)
) -> list[Violation]:
    """Check an info, and the second sampler that may belong to it, with the view that they sample."""
    from statetracker.caps.vulkan_pipe import vulkan_format
    from statetracker.vulkan import facts_of, violations

    view = vulkan_view(facts, screen, glsl130)
    name = vulkan_format(view.format, facts_of(screen))
    found = violations(info, screen, view_format=name)
    if info.depth_border_sampler is not None and info.needs.second_sampler:
        found += [one for one in violations(info.depth_border_sampler, screen, view_format=name) if one not in found]
    return found


def with_vulkan(lowering: Lowering, needs: Needs) -> Lowering:
    """Add what a create info could not say to what the record could not."""
    added = {name: True for name in _SAME if getattr(needs, name)}
    if needs.normalize:
        added["normalize_rect"] = True
    if needs.lod_bias:
        added["add_lod_bias"] = True
    return lowering._replace(**added) if added else lowering
