"""Display lists of a stream: what is kept in them, and what is executed at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from statetracker.replay.calls import at_once
from tests.replay.conftest import TRIANGLE, texture

if TYPE_CHECKING:
    from tests.replay.conftest import Sampled

TEXTURED = texture(1), "glEnable(cap = GL_TEXTURE_2D)"
SAMPLER = (
    "glGenSamplers(count = 1, samplers = &3)\n"
    "glSamplerParameteri(sampler = 3, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR)\n"
    "glSamplerParameterf(sampler = 3, pname = GL_TEXTURE_MIN_LOD, param = 7)"
)
BASE = "pname = GL_TEXTURE_MIN_LOD, param = 5"


@pytest.mark.parametrize(
    ("call", "after_compiling", "after_calling"),
    [
        ("glBindTextures(first = 0, count = 1, textures = NULL)", [], []),
        ("glBindTextureUnit(unit = 0, texture = 0)", [], []),
        ("glBindSamplers(first = 0, count = 1, samplers = &3)", [7], [7]),
        (f"glTextureParameterf(texture = 1, {BASE})", [5], [5]),
        (f"glTextureParameterfEXT(texture = 1, target = GL_TEXTURE_2D, {BASE})", [1], [1, 5]),
        (f"glTexParameterf(target = GL_TEXTURE_2D, {BASE})", [1], [1, 5]),
        ("glBindSampler(unit = 0, sampler = 3)", [1], [1, 7]),
    ],
)
def test_calls_that_mesa_never_compiles_are_executed_at_once(
    sampled: Sampled, call: str, after_compiling: list[int], after_calling: list[int]
) -> None:
    compiled = (
        *TEXTURED,
        SAMPLER,
        "glNewList(list = 9, mode = GL_COMPILE)",
        call,
        "glEndList()",
        TRIANGLE,
        "glFlush()",
    )
    assert sampled(*compiled) == after_compiling
    assert sampled(*compiled, "glCallList(list = 9)", TRIANGLE) == after_calling


def test_all_forms_of_parameters_by_name_are_executed_at_once() -> None:
    for form in ("i", "f", "iv", "fv", "Iiv", "Iuiv"):
        assert at_once(f"glTextureParameter{form}")
        assert not at_once(f"glTextureParameter{form}EXT")
        assert not at_once(f"glTexParameter{form}")
