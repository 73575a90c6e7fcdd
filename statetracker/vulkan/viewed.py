"""`with_view`: the lowering of a create info that was made without a view, for a view that its sampler reads.

A cache keys samplers by record, so that one serves many textures; what the shader must do depends on the texture too.
See docs/vulkan_samplers.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.vulkan.device import facts_of
from statetracker.vulkan.enums import SamplerAddressMode
from statetracker.vulkan.formats import channels_of_one
from statetracker.vulkan.shader_rules import NON_SEAMLESS, clamps_depth

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.pipe.lowering import Lowering
    from statetracker.vulkan.info import SamplerCreateInfo
    from statetracker.vulkan.views import View

__all__ = ["with_view"]


def with_view(info: SamplerCreateInfo, view: View, screen: Screen) -> Lowering:
    """Give ``info.lowering`` with what the shader must know of the view, and without what is for other views.

    info     made without a view
    screen   the device it was made for

    What depends on the view and is not the shader's stays as the info has it: filters, and a border colour that the
    device may or may not put through the view's swizzle.
    """
    work = info.lowering
    if "Z24" not in view.format:
        work = work._replace(second_sampler=False)
    if info.dialect.clamp == "coordinate":
        return work if view.cube is not False else work._replace(cube_edges=False)
    facts = facts_of(screen)
    if view.cube is False:
        work = work._replace(cube_edges=False, repeat="")
    elif view.cube:
        work = _on_cube(work, info)
    if work.route == "predefined" and not info.compare_enable:
        work = work._replace(ones=channels_of_one(view.format, view.swizzle, facts))
    mixed = bool(work.covered) or work.filter_texels
    return work._replace(fixed_depth=info.compare_enable and clamps_depth(view.format, facts, mixed=mixed))


def _on_cube(work: Lowering, info: SamplerCreateInfo) -> Lowering:
    """The faces of a cube one by one, borders too: also where the sampler has the seams, but not all of the border."""
    if not (work.cube_edges or (info.flags & NON_SEAMLESS and work.covered)):
        return work
    axes = dict(zip("str", (info.address_mode_u, info.address_mode_v, info.address_mode_w), strict=True))
    border = "".join(a for a, mode in axes.items() if a in work.border or mode == SamplerAddressMode.CLAMP_TO_BORDER)
    repeat = "".join(a for a in "st" if axes[a] == SamplerAddressMode.REPEAT)
    route = work.route or ("predefined" if border else "")
    return work._replace(cube_edges=True, border=border, repeat=repeat, route=route)
