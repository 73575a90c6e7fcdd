"""The getters, against what Mesa's getters answered in every recorded case.

The recordings' ``gl_readback`` member was read back by the recorder after the calls of a case, before the draw. It was
made by Mesa 22.3.6; tests/data/README.md says how.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from statetracker.caps.files import screen_from
from statetracker.gl import Context
from statetracker.gl.names import glenum
from statetracker.replay import Replayer
from statetracker.sampler import converter
from statetracker.trace import Case, open_cases

DATA = Path(__file__).parents[1] / "data" / "mesa"
FILES = sorted(DATA.glob("*.jsonl.gz"))
FLOATS = ("min_lod", "max_lod", "lod_bias", "max_anisotropy")
FORMS = ("fv", "iv", "Iiv", "Iuiv")
SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def wanted(value: Any) -> Any:
    """Turn a recorded value into numbers; None where the getter raised an error."""
    if isinstance(value, list):
        return [wanted(part) for part in value]
    if isinstance(value, str):
        return SPECIAL[value] if value in SPECIAL else glenum(value)
    return value


def answers(gl: Context, getter: str, name: object, recorded: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Ask for everything that was recorded: what -> (recorded, ours)."""
    seen: dict[str, tuple[Any, Any]] = {}
    for field, value in recorded.items():
        plain = field if field == "depth_texture_mode" or field.startswith("depth_stencil") else f"texture_{field}"
        if field == "border_color":
            for form in FORMS:
                got = gl.call(f"{getter}{form}", name, "GL_TEXTURE_BORDER_COLOR")
                seen[f"border {form}"] = (wanted(value[form]), got)
        elif field == "swizzle":
            seen[field] = (wanted(value), gl.call(f"{getter}iv", name, "GL_TEXTURE_SWIZZLE_RGBA"))
        elif field != "base_level_image":
            got = gl.call(f"{getter}{'fv' if field in FLOATS else 'iv'}", name, f"GL_{plain.upper()}")
            expected = wanted(value)
            seen[field] = (None if expected is None else [expected], got)
    return seen


def image(gl: Context, target: str, recorded: dict[str, Any], level: int) -> dict[str, tuple[Any, Any]]:
    """Ask for the base level's size and format."""
    face = "GL_TEXTURE_CUBE_MAP_POSITIVE_X" if target == "GL_TEXTURE_CUBE_MAP" else target
    names = ("width", "height", "depth", "internal_format")
    return {
        name: ([wanted(recorded[name])], gl.glGetTexLevelParameteriv(face, level, f"GL_TEXTURE_{name.upper()}"))
        for name in names
    }


def differences(gl: Context, data: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Compare all answers of one case."""
    recorded = data["gl_readback"]
    target = data["texture"]["target"]
    pairs = answers(gl, "glGetTexParameter", target, recorded["texture"])
    base = recorded["texture"].get("base_level_image")
    if base:
        pairs |= image(gl, target, base, recorded["texture"]["base_level"])
    if recorded["sampler_object"]:
        of_sampler = answers(gl, "glGetSamplerParameter", 1, recorded["sampler_object"])
        pairs |= {f"sampler {name}": pair for name, pair in of_sampler.items()}
    pairs["unit bias"] = (
        [wanted(recorded["unit_lod_bias"])],
        gl.glGetTexEnvfv("GL_TEXTURE_FILTER_CONTROL", "GL_TEXTURE_LOD_BIAS"),
    )
    pairs["seamless"] = (recorded["global_seamless"], gl.glIsEnabled("GL_TEXTURE_CUBE_MAP_SEAMLESS"))
    return [(what, old, new) for what, (old, new) in pairs.items() if repr_of(old) != repr_of(new)]


def repr_of(value: Any) -> str:
    """Spell a value so that -0.0, NaN and 1 == 1.0 compare as they should."""
    if isinstance(value, list):
        return ", ".join(repr_of(part) for part in value)
    return repr(float(value)) if isinstance(value, int | float) else repr(value)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_every_getter_answers_as_mesa_did(path: Path) -> None:
    """Parameters of texture and sampler object, the border in four forms, base image, unit bias, seamless switch."""
    bad = []
    with open_cases(path) as cases:
        replayer = Replayer(converter(screen_from(cases.header.data), "mesa22"))
        for case in cases:
            assert isinstance(case, Case)
            replayer.start(case.place)
            result = replayer.run({**case.data, "shader": None})
            if "gl_readback" in case.data:
                bad += [(case.data["id"], *one) for one in differences(result.context, case.data)]
    assert bad == []


def test_the_recordings_are_there() -> None:
    assert len(FILES) == 11
