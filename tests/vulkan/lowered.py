"""Create infos for the tests of what is left to the shader, by short names of wraps."""

from __future__ import annotations

from typing import Any, Final

import statetracker as st
from statetracker.vulkan import SamplerCreateInfo, View, create_info
from tests.vulkan.devices import NO_COLOURS, WHOLE

__all__ = ["COMPARED", "LINEAR", "NO_COLOURS", "ODD", "WHOLE", "made"]

ODD: Final = (0.25, 0.5, 0.75, 0.5)
LINEAR: Final[dict[str, Any]] = {"min_img_filter": "LINEAR", "mag_img_filter": "LINEAR", "min_mip_filter": "LINEAR"}
COMPARED: Final[dict[str, Any]] = {"compare_mode": "R_TO_TEXTURE", "compare_func": "GEQUAL"}
_ASKED: Final = ("dialect", "unnormalized_fits", "filter_in_shader")
_WRAPS: Final = {
    "R": "REPEAT",
    "C": "CLAMP",
    "E": "CLAMP_TO_EDGE",
    "B": "CLAMP_TO_BORDER",
    "H": "MIRROR_CLAMP",
    "M": "MIRROR_CLAMP_TO_BORDER",
}


def made(screen: st.Screen = WHOLE, wraps: str = "RRR", view: View | None = None, **more: Any) -> SamplerCreateInfo:
    """The info of a seamless state with an odd border colour, by letters of its wraps."""
    asked = {name: more.pop(name) for name in _ASKED if name in more}
    members: dict[str, Any] = {f"wrap_{axis}": _WRAPS[letter] for axis, letter in zip("str", wraps, strict=True)}
    members |= {"border_color": ODD, "seamless_cube_map": True} | more
    return create_info(st.SamplerState(**members), screen, view=view, **asked)
