"""Recorded calls with arguments changed at random, on random screens: an answer or a clear error, nothing else."""

from __future__ import annotations

import copy
import itertools
from pathlib import Path
from random import Random
from typing import Any

import pytest

from statetracker.caps.files import screen_from
from statetracker.errors import ArgumentError, StateTrackerError
from statetracker.gl import Context
from statetracker.replay import Replayer
from statetracker.sampler import DIALECTS, converter
from statetracker.trace import Case, open_cases

FILE = Path(__file__).parents[1] / "data" / "mesa" / "zink.jsonl.gz"
# fmt: off
CAPS = [
    "GL_CLAMP", "TEXRECT", "TEXTURE_BUFFER_SAMPLER", "TEXTURE_FLOAT_LINEAR", "TEXTURE_MIRROR_CLAMP",
    "TEXTURE_MIRROR_CLAMP_TO_EDGE", "SEAMLESS_CUBE_MAP", "SEAMLESS_CUBE_MAP_PER_TEXTURE", "SAMPLER_REDUCTION_MINMAX",
    "ANISOTROPIC_FILTER", "TEXTURE_SHADOW_MAP", "TEXTURE_SWIZZLE",
]
# fmt: on
VALUES: list[Any] = [
    0,
    1,
    -1,
    2**31 - 1,
    -(2**31),
    2**32 - 1,
    1e40,
    -1e40,
    "nan",
    "inf",
    "-inf",
    "GL_CLAMP",
    "GL_RED",
    3.5,
    [1, 2, 3, 4],
    [1.5, -2.5, 1e30, "nan"],
    [],
    [1],
    "GL_LINEAR_MIPMAP_LINEAR",
    None,
    "GL_TEXTURE_3D",
    10**9,
    {},
]  # fmt: skip  # fmt: skip


def cases() -> list[dict[str, Any]]:
    with open_cases(FILE) as file:
        return [case.data for case in itertools.islice(file, 300) if isinstance(case, Case) and "shader" in case.data]


def screen(random: Random) -> Any:
    caps = {f"PIPE_CAP_{name}": random.randint(0, 1) for name in CAPS}
    caps["PIPE_CAP_TEXTURE_BORDER_COLOR_QUIRK"] = random.randint(0, 15)
    context = random.choice(["compatibility", "core", "gles2", "gles32"])
    return screen_from({"caps": caps, "context": context, "gallium_driver": random.choice(["zink", "softpipe"])})


@pytest.mark.parametrize("seed", range(8))
def test_damaged_calls_are_answered_or_refused_with_an_error_of_ours(seed: int) -> None:
    random = Random(seed)  # noqa: S311 (the same damage in every run)
    replayer = Replayer(converter(screen(random), random.choice(list(DIALECTS))))
    answered = 0
    for data in copy.deepcopy(cases()):
        for call in random.sample(data["calls"], min(2, len(data["calls"]))):
            call["args"][random.randrange(len(call["args"]))] = random.choice(VALUES)
        try:
            result = replayer.run(data)
        except StateTrackerError:
            continue
        answered += 1
        if result.record is not None:
            assert bytes(replayer.explain(result).state) == result.record
    assert answered > 50


@pytest.mark.parametrize("size", [(2.5, 4), (4, "big"), (True, 4)])
def test_a_size_that_is_no_whole_number_is_refused_before_anything_is_kept(size: tuple[Any, Any]) -> None:
    context = Context()
    with pytest.raises(ArgumentError, match="a whole number"):
        context.glTexImage2D("GL_TEXTURE_2D", 0, "GL_RGBA8", *size, 0, "GL_RGBA", "GL_UNSIGNED_BYTE")
    assert not context.bound(0x0DE1).images
