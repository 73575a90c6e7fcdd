"""`statetracker.gl.parameters`: the columns of the table of parameters, each as the specification has it."""

from __future__ import annotations

from typing import Final

import pytest

from statetracker.gl import Limits
from statetracker.gl import enums as e
from statetracker.gl.limits import (
    ALWAYS,
    ANISOTROPIC,
    COMPATIBILITY,
    DESKTOP,
    GLES_1_TOO,
    MINMAX,
    MODERN,
    NOT_GLES_1,
    SEAMLESS,
    SHADOW,
    SRGB_DECODE,
    STENCIL_TEXTURING,
    SWIZZLE,
)
from statetracker.gl.parameters import PARAMETERS, WRAP_GATES

ROWS: Final = {e.TextureParameter(number).name: row for number, row in PARAMETERS.items()}
SWIZZLES: Final = ("SWIZZLE_R", "SWIZZLE_G", "SWIZZLE_B", "SWIZZLE_A", "SWIZZLE_RGBA")
OF_TEXTURES: Final = {
    *("BASE_LEVEL", "MAX_LEVEL", "DEPTH_TEXTURE_MODE", "DEPTH_STENCIL_TEXTURE_MODE", "GENERATE_MIPMAP", "PRIORITY"),
    *SWIZZLES,
}


def named(column: str, value: object) -> set[str]:
    """Give the parameters with a value in a column."""
    return {name for name, row in ROWS.items() if getattr(row, column) == value}


def test_numbers_are_those_of_the_registry() -> None:
    """No row stands under another's number."""
    assert set(ROWS) == {member.name for member in e.TextureParameter}
    assert all(row.pname == e.TextureParameter[name] for name, row in ROWS.items())


def test_only_comparison_is_ignored_in_silence() -> None:
    """All others are refused where they are missing."""
    assert named("silent", True) == {"COMPARE_MODE", "COMPARE_FUNC"}


def test_parameters_of_textures_alone_are_those_that_filter_nothing() -> None:
    assert named("on_sampler", False) == named("filtering", False) == OF_TEXTURES


def test_all_but_a_few_are_compared_before_they_are_looked_at() -> None:
    """Borders and swizzles are never compared, four texture parameters are looked at first."""
    validated = {"CUBE_MAP_SEAMLESS", "SRGB_DECODE", "REDUCTION_MODE", "DEPTH_STENCIL_TEXTURE_MODE"}
    assert named("compares_first", False) == {"BORDER_COLOR", *SWIZZLES} | validated


def test_bad_values_are_bad_enums_but_for_numbers() -> None:
    """LODs, anisotropy and, on sampler objects, seamless; on textures, levels."""
    numbers = {"MIN_LOD", "MAX_LOD", "LOD_BIAS", "MAX_ANISOTROPY"}
    assert named("sampler_error", "GL_INVALID_VALUE") == numbers | {"CUBE_MAP_SEAMLESS"}
    assert named("texture_error", "GL_INVALID_VALUE") == numbers | {"BASE_LEVEL", "MAX_LEVEL"}


def test_only_enums_and_swizzles_have_a_family() -> None:
    families = {name: row.family for name, row in ROWS.items() if row.family is not None}
    assert families == {
        "MAG_FILTER": e.MagFilter,
        "MIN_FILTER": e.MinFilter,
        **dict.fromkeys(("WRAP_S", "WRAP_T", "WRAP_R"), e.Wrap),
        "COMPARE_MODE": e.CompareMode,
        "COMPARE_FUNC": e.CompareFunc,
        "SRGB_DECODE": e.SrgbDecode,
        "REDUCTION_MODE": e.ReductionMode,
        "DEPTH_TEXTURE_MODE": e.DepthTextureMode,
        "DEPTH_STENCIL_TEXTURE_MODE": e.DepthStencilMode,
        **dict.fromkeys(SWIZZLES, e.Swizzle),
    }
    assert {name for name, row in ROWS.items() if row.kind in ("enum", "swizzle", "swizzles")} == set(families)


def test_gates_are_those_of_the_specification() -> None:
    """What is not named here is always there."""
    both = {
        "COMPARE_MODE": SHADOW,
        "COMPARE_FUNC": SHADOW,
        "MAX_ANISOTROPY": ANISOTROPIC,
        "CUBE_MAP_SEAMLESS": SEAMLESS,
        "SRGB_DECODE": SRGB_DECODE,
        "REDUCTION_MODE": MINMAX,
    }
    assert {name: row.sampler_gate for name, row in ROWS.items()} == dict.fromkeys(ROWS, ALWAYS) | both
    assert {name: row.texture_gate for name, row in ROWS.items()} == dict.fromkeys(ROWS, ALWAYS) | both | {
        "BORDER_COLOR": NOT_GLES_1,
        **dict.fromkeys(("MIN_LOD", "MAX_LOD", "BASE_LEVEL"), MODERN),
        "LOD_BIAS": DESKTOP,
        "DEPTH_TEXTURE_MODE": COMPATIBILITY,
        "DEPTH_STENCIL_TEXTURE_MODE": STENCIL_TEXTURING,
        "GENERATE_MIPMAP": GLES_1_TOO,
        "PRIORITY": COMPATIBILITY,
        **dict.fromkeys(SWIZZLES, SWIZZLE),
    }


@pytest.mark.parametrize("name", ROWS)
def test_value_is_kept_under_the_parameters_own_name(name: str) -> None:
    """But for three that textures keep under shorter ones, and the five swizzles that share one."""
    short = {"DEPTH_TEXTURE_MODE": "depth_mode", "DEPTH_STENCIL_TEXTURE_MODE": "stencil_mode"}
    expected = "swizzle" if name in SWIZZLES else short.get(name, name.lower())
    assert ROWS[name].field == expected


def test_every_wrap_mode_has_a_gate() -> None:
    """And clamping asks for the compatibility profile, which is no extension."""
    assert set(WRAP_GATES) == set(e.Wrap)
    assert Limits(profile="core").profile not in (WRAP_GATES[e.Wrap.CLAMP].sampler or ())
