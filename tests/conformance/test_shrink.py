"""Faults planted in the rule tables are found by a live run and shrunk to a few calls."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PLANTED = Path(__file__).parent / "planted.py"

#: Driver, table, row, what is written into it, the member that shows it.
FAULTS = [
    ("llvmpipe", "WRAP", "'GL_CLAMP_TO_EDGE'", "3", "wrap_"),
    ("llvmpipe", "WRAP", "'GL_MIRRORED_REPEAT'", "6", "wrap_"),
    ("llvmpipe", "WRAP", "'GL_CLAMP'", "3", "wrap_"),
    ("llvmpipe", "MIN_FILTER", "'GL_LINEAR'", "(1, 0)", "min_mip_filter"),
    ("llvmpipe", "MIN_FILTER", "'GL_NEAREST_MIPMAP_LINEAR'", "(0, 0)", "min_mip_filter"),
    ("llvmpipe", "REDUCTION", "'GL_MIN'", "2", "reduction_mode"),
    ("llvmpipe", "BORDER_TRANSLATION", "'RED'", "(0, 1, 4, 5)", "border_color"),
    ("llvmpipe", "BORDER_TRANSLATION", "'RGB'", "(0, 1, 2, 3)", "border_color"),
    ("llvmpipe", "BORDER_TRANSLATION", "'ALPHA'", "(0, 4, 4, 3)", "border_color"),
    ("llvmpipe", "BORDER_TRANSLATION", "'LUMINANCE'", "(0, 0, 0, 3)", "border_color"),
    ("llvmpipe", "BORDER_TRANSLATION", "'LUMINANCE_ALPHA'", "(0, 0, 0, 5)", "border_color"),
    ("zink", "WRAPS", "1", "{'border': 2}", "wrap_"),
    ("zink", "REDUCTION", "'GL_MIN'", "2", "VkSamplerReductionModeCreateInfo.reductionMode"),
]


def needs_of(fault: tuple[str, ...]) -> list[str]:
    """The driver, and what sees create infos where they show the fault."""
    return [f"egl:{fault[0]}", *(["capture"] if fault[-1].startswith("Vk") else [])]


#: Beside the member itself, what it becomes in the create info may differ.
ALSO = {"wrap_": "VkSamplerCreateInfo."}


@pytest.mark.parametrize(
    "fault", [pytest.param(row, marks=pytest.mark.live(*needs_of(row)), id="-".join(row[:3])) for row in FAULTS]
)
def test_one_wrong_row_is_found_and_shrunk_to_three_calls(fault: tuple[str, str, str, str, str]) -> None:
    """Besides the frame of every case: create, bind, give storage, draw."""
    *arguments, member = fault
    command = [sys.executable, str(PLANTED), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    outcome = json.loads(done.stdout)
    assert outcome["differ"] == 1
    (shown,) = outcome["shown"]
    assert len(shown["extra"]) <= 3
    assert [what for what in shown["what"] if what.startswith(member)]
    assert [what for what in shown["what"] if not what.startswith((member, ALSO.get(member, member)))] == []
    compile(shown["test"], "pasted", "exec")
