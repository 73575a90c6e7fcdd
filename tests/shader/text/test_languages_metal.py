"""Printed MSL, run on the CPU: compiled by g++ with a stub of Metal's library; the reference unit answers samples.

No more than that: no Metal compiler and no Metal device is at hand. Wider with ``make texts``.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from itertools import islice
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

import statetracker as st
from statetracker.reference import EXACT, TextureUnit
from statetracker.shader.text import TARGETS, SampleFunction
from tests.shader.text.cases import (
    Case,
    called,
    detail_by,
    details,
    every_case,
    lesser,
    place_of,
    printed,
    quads,
    said,
    steps_of,
    texels_of,
    within,
)  # fmt: skip

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytestmark = pytest.mark.live("c++")

STUB: Final = Path(__file__).with_name("metal_stub.h")
#: Of one text; the cases that one program has.
_ASKS: Final = 64
PART: Final = 64
MAIN: Final = """
namespace case_{at} {{
{text}
extern "C" int run_{at}(int count, const float4* places, const float4* details, const SamplerValues* given,
                        float4* texels, Asked* asks, const float (*how)[4]) {{
    asked = asks, answers = how;
    {image};
    sampler image_sampler;
    for (int at = 0; at < count; at++) {{
        float4 c = places[at], d = details[at];
        const SamplerValues& values = *given;
        texels[at] = float4({expression});
    }}
    return asked - asks;
}}
}}
"""
IMPLICIT, BIAS, LEVEL, GRAD, GATHER, ALONG_X, ALONG_Y = range(7)
ASKED: Final = np.dtype([
    ("place", "f4", 4), ("along", "f4", (2, 3)), ("lod", "f4"), ("reference", "f4"), ("offset", "i4", 3),
    ("component", "i4"), ("way", "i4"),
])  # fmt: skip


def source(case: Case, function: SampleFunction, at: int) -> str:
    """C++ of a loop that calls the function, its swizzles turned into calls."""
    name = "depth" if case.form.startswith("compare") else "texture"
    kind = f"{name}{case.target.replace('-', '_')}<float> image"
    expression = called(
        case, function, place_of(case).replace("vec", "float").replace("1.5", "1.5f"), ("image", "image_sampler")
    )
    text = MAIN.format(at=at, text=function.text, image=kind, expression=expression)
    if not function.values:
        text = text.replace("const SamplerValues", "const float4")
    return re.sub(r"(?<=[\w)])\.([xyzw]{1,4})\b", r".\1()", text)


def compiled(cases: list[tuple[Case, SampleFunction]], folder: Path) -> ctypes.CDLL:
    """The texts of cases, one after another."""
    file, made = folder / "text.cpp", folder / "text.so"
    texts = [source(*each, at) for at, each in enumerate(cases)]
    file.write_text("".join([f'#include "{STUB}"\n', *texts]), encoding="utf-8")
    flags = ["-std=c++20", "-O0", "-ffp-contract=off", "-shared", "-fPIC", "-w"]
    done = subprocess.run(
        [str(which("g++")), *flags, str(file), "-o", str(made)], capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr[:3000]
    return ctypes.CDLL(str(made))


def answer(unit: TextureUnit, asked: NDArray[Any], target: str) -> NDArray[Any]:
    """Return what fragments get that all ask the same way."""
    shape, way = TARGETS[target], asked["way"][0]
    if way in {ALONG_X, ALONG_Y}:
        return steps_of(asked["place"])[int(way == ALONG_Y)]
    places = asked["place"][:, : shape.spatial + shape.arrayed].astype(np.float64)
    given: dict[str, Any] = {} if shape.cube else {"offset": tuple(asked["offset"][0, : shape.axes].tolist())}
    if unit.compares:
        given["reference"] = asked["reference"]
    if way == GATHER:
        return unit.gather(places, int(asked["component"][0]), **given)
    lod = asked["lod"].astype(np.float64)
    if way != LEVEL:
        spatial, along = places[:, : shape.spatial], asked["along"][:, :, : shape.spatial].astype(np.float64)
        lod = lod + detail_by(spatial, (along[:, 0], along[:, 1]) if way == GRAD else steps_of(spatial), unit.texels)
    return unit.sample(places, lod=lod, **given)


def run(library: ctypes.CDLL, at: int, case: Case) -> NDArray[Any]:
    """What a text samples on the lesser device: it asks anew with each round of answers, until it asks the same."""
    less, _, values = lesser(case)
    texels, size = texels_of(case)
    unit, given = TextureUnit(less, texels), quads(case, size)
    spatial = [*texels.size(0), 1, 1][:3]
    (ctypes.c_int * 4).in_dll(library, "sizes")[:] = [*spatial, case.levels]
    count, more = len(given), details()
    wide, texel = np.zeros((count, 4), np.float32), np.zeros((count, 4), np.float32)
    wide[:, : given.shape[1]] = given
    asks, answers, before = np.zeros(count * _ASKS, ASKED), np.zeros((count * _ASKS, 4), np.float32), b""
    block = np.frombuffer(st.border_values([values]), np.float32)
    arrays = [ctypes.c_void_p(one.ctypes.data) for one in (wide, more, block, texel, asks, answers)]
    while True:
        asked = asks[: getattr(library, f"run_{at}")(count, *arrays)].reshape(count, -1)
        if asked.tobytes() == before:
            return texel
        before = asked.tobytes()
        replies = answers[: asked.size].reshape(count, -1, 4)
        for number in range(asked.shape[1]):
            got = answer(unit, asked[:, number], case.target)
            replies[:, number, : got.shape[1]] = got


def test_msl_on_the_cpu_lies_within_the_bounds_of_the_reference_unit(tmp_path: Path, whole: bool) -> None:
    cases = list(said(islice(every_case(), 0, None, 2 if whole else 41), "msl"))
    for start in range(0, len(cases), PART):
        part = cases[start : start + PART]
        folder = tmp_path / str(start)
        folder.mkdir()
        library = compiled([(one, printed(one, "msl")) for one in part], folder)
        for at, case in enumerate(part):
            assert within(case, run(library, at, case), EXACT).all(), case.name
