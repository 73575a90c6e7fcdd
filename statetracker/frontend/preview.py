"""What a state samples, in pictures: `statetracker.reference.picture` for a `Result`.

The request is what the conversion would be if the hardware had every wrap and filtered every format; beside it stands
what the hardware has, without and with the shader's share. Needs the extra ``batch``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.frontend.vulkan_view import is_vulkan, whole_screen

if TYPE_CHECKING:
    from statetracker.frontend.result import Result
    from statetracker.reference.lowered import LoweredUnit
    from statetracker.reference.picture import Preview


def preview_of(result: Result, *, size: int = 240) -> Preview:
    """Draw a conversion's pictures, ``size`` pixels along an edge, 3 to 4096.

    Raises `ArgumentError` for another size, `MissingExtra` without NumPy.
    """
    from statetracker.reference.picture import preview

    sampler, facts, screen = result._inputs  # noqa: SLF001 (of this room)
    requested = result._state(sampler, facts, whole_screen(screen))  # noqa: SLF001
    asked = requested.replace(border_color=result.lowering_values.border)
    return preview(asked, lowered_of(result), size=size)


def lowered_of(result: Result) -> LoweredUnit:
    """What hardware gets, with the shader's share: on a Vulkan device the create info's sampler.

    Raises `MissingExtra` without NumPy.
    """
    from statetracker.reference.lowered import LoweredUnit
    from statetracker.reference.picture import default_texels
    from statetracker.vulkan import record_of

    state, values = result.pipe, result.lowering_values
    if is_vulkan(result._inputs[2]):  # noqa: SLF001 (of this room)
        state = record_of(result.vulkan)
        if result.vulkan.custom_border_color is not None:  # as the view shows it
            state = state.replace(border_color=values.border)
    return LoweredUnit(state, result.lowering, values, default_texels())
