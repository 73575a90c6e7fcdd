"""The macros of every recorded version, profile and driver are those that Mesa defines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from statetracker.replay.glsl import stage_samplers
from statetracker.replay.glsl_preprocess import default_version, predefined, preprocess

RECORDED = Path(__file__).parents[1] / "data" / "glsl" / "macros.jsonl"
#: The profile of the context, not an extension; GL_ES follows the version.
PROFILES = {"GL_core_profile", "GL_compatibility_profile", "GL_ES"}
CASES: list[dict[str, Any]] = [case for case in map(json.loads, RECORDED.read_text().splitlines()) if "macros" in case]


def recorded() -> list[Any]:
    return [
        pytest.param(case, version, id=f"{case['driver']}-{case['context']}-{version}")
        for case in CASES
        for version in case["versions"]
    ]


@pytest.mark.parametrize(("case", "version"), recorded())
def test_macros_are_those_mesa_defines(case: dict[str, Any], version: int) -> None:
    gles = case["context"] == "gles"
    spelled = "es" if gles and version >= 300 else ""
    profile = "gles2" if gles else case["context"]
    seen = predefined(version, spelled, profile=profile, driver=case["driver"])
    assert sorted(seen - PROFILES) == case["macros"]
    assert ("GL_ES" in seen) == gles


def words(source: str, **more: Any) -> str:
    return " ".join(preprocess(source, **more).tokens)


def which(name: str, version: str, **more: Any) -> bool:
    return words(f"#version {version}\n#ifdef {name}\nyes\n#endif", **more) == "yes"


@pytest.mark.parametrize(
    ("version", "core", "compatibility"),
    [("140", False, False), ("150", True, False), ("330 core", True, False), ("330 compatibility", False, True)],
)
def test_one_profile_is_a_macro_from_150_on(version: str, core: bool, compatibility: bool) -> None:
    assert which("GL_core_profile", version) == core
    assert which("GL_compatibility_profile", version) == compatibility


def test_high_precision_is_a_macro_of_desktop_glsl_from_130_on() -> None:
    assert not which("GL_FRAGMENT_PRECISION_HIGH", "120")
    assert which("GL_FRAGMENT_PRECISION_HIGH", "130")
    assert which("GL_FRAGMENT_PRECISION_HIGH", "100")


def test_the_contexts_profile_decides_not_the_sources() -> None:
    assert which("GL_EXT_gpu_shader4", "330 core")
    assert not which("GL_EXT_gpu_shader4", "330", profile="core")
    assert which("GL_ARB_gpu_shader_int64", "330", profile="core")
    assert not which("GL_ARB_gpu_shader_int64", "330")


def test_a_shader_without_a_version_is_of_the_contexts_language() -> None:
    source = "#ifdef GL_ES\nes\n#endif\n__VERSION__"
    assert words(source) == "110"
    assert words(source, profile="gles2") == "es 100"
    assert (default_version("core"), default_version("gles32")) == (110, 100)
    assert stage_samplers(["void main() {}"], profile="gles3").version == 100
