"""`statetracker.pipe.enums`: the C names without their prefixes, with the C values."""

from __future__ import annotations

from enum import IntEnum

import pytest

from statetracker import pipe

# fmt: off
VALUES: dict[str, str] = {
    "TexWrap":      "REPEAT CLAMP CLAMP_TO_EDGE CLAMP_TO_BORDER MIRROR_REPEAT MIRROR_CLAMP MIRROR_CLAMP_TO_EDGE "
                    "MIRROR_CLAMP_TO_BORDER",
    "TexFilter":    "NEAREST LINEAR",
    "TexMipfilter": "NEAREST LINEAR NONE",
    "TexCompare":   "NONE R_TO_TEXTURE",
    "Func":         "NEVER LESS EQUAL LEQUAL GREATER NOTEQUAL GEQUAL ALWAYS",
    "TexReduction": "WEIGHTED_AVERAGE MIN MAX",
    "SwizzleSelector": "X Y Z W ZERO ONE",
}
# fmt: on


@pytest.mark.parametrize("name", VALUES)
def test_members_count_from_zero_in_gallium_s_order(name: str) -> None:
    family = getattr(pipe, name)
    assert issubclass(family, IntEnum)
    assert [(member.name, int(member)) for member in family] == [(n, i) for i, n in enumerate(VALUES[name].split())]
