"""States as programs get them, as descriptions, and as GL calls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from statetracker.conformance import strategies
from statetracker.conformance.states import State

#: A description -> the calls that it is shown as.
CALLS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing": ({}, []),
    "an enum": (
        {"sampler": {"compare_mode": "GL_COMPARE_REF_TO_TEXTURE"}},
        ["glSamplerParameteri(sampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE)"],
    ),
    "a float": ({"sampler": {"min_lod": -0.0}}, ["glSamplerParameterf(sampler, GL_TEXTURE_MIN_LOD, -0.0)"]),
    "a border of floats": (
        {"sampler": {"border_color": [0.5, 0.0, 0.0, 1.0]}},
        ["glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, {0.5, 0.0, 0.0, 1.0})"],
    ),
    "a border of integers": (
        {"sampler": {"border_color_i": [1, 0, 0, -1]}},
        ["glSamplerParameterIiv(sampler, GL_TEXTURE_BORDER_COLOR, {1, 0, 0, -1})"],
    ),
    "a texture": (
        {"texture": {"target": "GL_TEXTURE_2D_ARRAY", "internal_format": "R8"}},
        ["glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R8, ...)"],
    ),
    "a unit": (
        {"unit": {"lod_bias": 1.5, "seamless": True, "glsl130": False}},
        [
            "glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 1.5)",
            "glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS)",
            "glUseProgram(a program of GLSL 1.20)",
        ],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_only_what_is_not_the_default_of_gl_is_shown(name: str) -> None:
    description, calls = CALLS[name]
    assert State.of(description).calls() == calls
    again = State.of(description).description()
    assert json.loads(json.dumps(again)) == description


@given(strategies.states())
def test_a_state_is_read_back_from_its_description(state: State) -> None:
    written = json.dumps(state.description(), allow_nan=False)
    assert State.of(json.loads(written)).to_dict() == state.to_dict()


def test_a_program_gets_the_numbers_of_gl_and_every_member() -> None:
    line = State.of({"texture": {"internal_format": "STENCIL_INDEX8"}}).to_dict()
    assert line["sampler"]["wrap_s"] == 0x2901
    assert line["sampler"]["border_color"] == [0, 0, 0, 0]
    assert line["texture"]["target"] == 0x0DE1
    assert (line["texture"]["internal_format"], line["texture"]["base_format"]) == (
        "GL_STENCIL_INDEX8",
        "GL_STENCIL_INDEX",
    )
    assert line["unit"] == {"unit_lod_bias": 0.0, "seamless": False, "glsl130": True}
    names = [name for part in line.values() for name in part]
    assert len(names) == len(set(names)), "a program may look a name up without regard to where it stands"
