"""Faults planted in the rule tables show in a live run and shrunk to a few calls."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def seen(*arguments: str) -> Any:
    """What a live run saw of a fault that is planted so."""
    done = subprocess.run(
        [sys.executable, str(PLANTED), *arguments], capture_output=True, text=True, check=True, timeout=120
    )
    outcome = json.loads(done.stdout)
    assert outcome["differ"] == 1
    (shown,) = outcome["shown"]
    return shown


@pytest.mark.parametrize(
    "fault", [pytest.param(row, marks=pytest.mark.live(*needs_of(row)), id="-".join(row[:3])) for row in FAULTS]
)
def test_one_wrong_row_is_seen_and_shrunk_to_few_calls(fault: tuple[str, str, str, str, str]) -> None:
    """Besides the frame of every case: create, bind, give storage, draw; integers take two more to be complete."""
    *arguments, member = fault
    shown = seen(*arguments)
    assert len(shown["extra"]) <= 4
    assert [what for what in shown["what"] if what.startswith(member)]
    assert [what for what in shown["what"] if not what.startswith((member, ALSO.get(member, member)))] == []
    compile(shown["test"], "pasted", "exec")


#: Module, its text, what it becomes, what shows it.
CODE_FAULTS = [
    ("gl.getters", "number = round_to_int(value)", "number = int(value)", "texture.forms."),
    ("gl.getters", 'word(number) if suffix == "Iuiv" else', "", "texture.forms.min_lod.Iuiv"),
    (
        "gl.getters",
        'float_to_int(value) if suffix == "Iiv"',
        'round_to_int(value) if suffix == "Iiv"',
        "_object.forms.",
    ),
    ("gl.getters", "signed(low_word(half_away(value)))", "signed(low_word(value))", "sampler_object.forms."),
    ("gl.getters", "[normalized_int(v) for v", "[int(v) for v", "border_color.iv"),
    ("gl.floats", "f32(f32(2.0 * f32(value)) + 1.0) *", "f32(2.0 * f32(value)) *", "border_color"),
    ("gl.floats", "return min(value, 1.0) if value > 0.0 else 0.0", "return min(value, 1.0)", "border_color"),
    ("gl.getters", "texture.swizzle[first : first + 1]", "texture.swizzle[:1]", "swizzle_"),
    ("gl.setters", "max(texture.base_level, value)", "value", "max_level"),
    ("gl.setters", "if value < 1.0:", "if value <= 0.0:", "Parameter"),
    ("gl.setters", "form.as_enum(given) != 0", "True", "generate_mipmap"),
    ("sampler.situation", '"DEPTH_STENCIL" and not facts.stencil_sampling)', '"DEPTH_STENCIL")', "compare_mode"),
    ("sampler.situation", "= facts.is_integer or stencil_counts", "= facts.is_integer", "border_color_is_integer"),
    (
        "sampler.rules",
        'mip":\n        return lambda word: word & ~(MIN |',
        'mip":\n        return lambda word: word & ~(',
        "filter",
    ),
    ("sampler.rules", "word | SEAMLESS if word & inputs.CONTEXT_SEAMLESS else word", "word", "seamless_cube_map"),
    ("sampler.rules", 'lambda word: word | MASKS["unnormalized_coords"]', "None", "unnormalized_coords"),
    ("sampler.gl_side", "scaled = bias * 256.0", "scaled = bias * 128.0", "lod_bias"),
    ("sampler.memo", "low = low if low > 0.0 else 0.0", "low = low", "min_lod"),
]


@pytest.mark.live("egl:llvmpipe")
@pytest.mark.parametrize("fault", CODE_FAULTS, ids=[f"{row[0]}-{row[3]}" for row in CODE_FAULTS])
def test_one_wrong_line_is_seen_within_500_cases(fault: tuple[str, str, str, str]) -> None:
    """Setters, getters in all their forms, and rules."""
    *arguments, shows = fault
    assert [what for what in seen("llvmpipe", *arguments)["what"] if shows in what]
