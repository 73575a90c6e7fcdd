"""Create infos as plain data."""

from __future__ import annotations

import json

from statetracker.caps import Screen
from statetracker.frontend.vulkan_view import plain, vulkan_dialect_of
from statetracker.pipe import SamplerState
from statetracker.vulkan import create_info

ZINK = Screen.named("zink-lavapipe")


def test_plain_is_json_of_equal_bits() -> None:
    """A colour of NaNs and infinities, too."""
    words = (0x7FC00000, 0x7FC00001, 0xFF800000, 1)
    state = SamplerState(wrap_s="CLAMP_TO_BORDER", border_color=words)
    info = plain(create_info(state, ZINK, dialect="zink22").to_dict())
    assert info["pNext"]["customBorderColor"] == {"uint32": list(words)}
    assert json.loads(json.dumps(info, allow_nan=False)) == info


def test_a_dialect_of_gl_has_zinks_of_the_same_release() -> None:
    assert [vulkan_dialect_of(name) for name in ("mesa21", "mesa22", "mesa24")] == ["zink21", "zink22", "zink22"]
