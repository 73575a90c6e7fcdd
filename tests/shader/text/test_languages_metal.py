"""Printed MSL, run on the CPU: compiled by g++ with a stub of Metal's library; the reference unit answers samples.

No more than that: no Metal compiler and no Metal device is at hand.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path
from shutil import which
from typing import Any, Final

import numpy as np
import pytest

import statetracker as st
from statetracker.pipe import Func, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import Texels, TextureUnit
from statetracker.shader.text import TARGETS, SampleFunction
from tests.shader.sampled import state
from tests.shader.text.drawn import Case, called, details, lesser, place_of, printed, quads
from tools.proofs.pixels.formats import FORMATS
from tools.proofs.pixels.lacking import Device
from tools.proofs.pixels.scene import GL_TARGETS

STUB: Final = Path(__file__).with_name("metal_stub.h")
LINEAR, NEAREST = TexFilter.LINEAR, TexFilter.NEAREST
COUNT: Final = 120
MAIN: Final = """
#include "{stub}"
{text}
extern "C" void run(int count, const float4* places, const float4* details, const SamplerValues* given, float4* texels,
                    void (*how)(const Asked*, float*)) {{
    answer = how;
    {image};
    sampler image_sampler;
    for (int at = 0; at < count; at++) {{
        float4 c = places[at], d = details[at];
        const SamplerValues& values = *given;
        texels[at] = float4({expression});
    }}
}}
"""
COMPARES: Any = {"compare_mode": 1, "compare_func": Func.LEQUAL}
CASES: Final = [
    Case(
        target,
        form,
        state(wrap, image, min_mip_filter=mip, **extra),
        device,
        3 if mip == TexMipfilter.LINEAR else 1,
        texels,
    )
    for target, form, extra, texels in (
        ("2d", "level", {}, "RGBA32F"),
        ("3d", "level", {}, "RGBA32F"),
        ("2d-array", "level", {}, "RGBA32F"),
        ("2d", "gather", {}, "RGBA32F"),
        ("2d", "compare_level", COMPARES, "DEPTH32F"),
        ("2d", "compare_gather", COMPARES, "DEPTH32F"),
    )
    for wrap in (TexWrap.CLAMP_TO_BORDER, TexWrap.CLAMP, TexWrap.MIRROR_CLAMP)
    for image, mip in ((LINEAR, TexMipfilter.NONE), (LINEAR, TexMipfilter.LINEAR))
    for device in (Device(), Device(filters=False))
    if "gather" not in form or mip == TexMipfilter.NONE
]


class Asked(ctypes.Structure):
    _fields_ = (
        ("place", ctypes.c_float * 4),
        ("lod", ctypes.c_float),
        ("reference", ctypes.c_float),
        ("component", ctypes.c_int),
        ("gathers", ctypes.c_int),
    )


ANSWER: Final = ctypes.CFUNCTYPE(None, ctypes.POINTER(Asked), ctypes.POINTER(ctypes.c_float))


def source(case: Case, function: SampleFunction) -> str:
    """C++ of a loop that calls the function, its swizzles turned into calls."""
    name = "depth" if case.form.startswith("compare") else "texture"
    kind = f"{name}{case.target.replace('-', '_')}<float> image"
    expression = called(case, function, place_of(case), ("image", "image_sampler"))
    text = MAIN.format(stub=STUB, text=function.text, image=kind, expression=expression)
    head, _, tail = text.partition("#include")
    return head + "#include" + re.sub(r"(?<=[\w)])\.([xyzw]{1,4})\b(?!\.h)", r".\1()", tail)


def texels_of(case: Case) -> tuple[Texels, tuple[int, ...]]:
    """The texels that `Scene` would upload."""
    row, full, layered = FORMATS[case.texel_format], GL_TARGETS[case.target].size, TARGETS[case.target].arrayed
    levels = []
    for level in range(case.levels):
        spatial = tuple(max(1, part >> level) for part in (full[:-1] if layered else full))
        outer = (full[-1],) if layered else ()
        levels.append(row.seen(row.random((*outer, *spatial[::-1]), 7 + level)))
    return Texels(case.target, levels, kind=row.kind), full


def run(case: Case, folder: Path) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """What the text samples on the lesser device, and the reference unit natively."""
    function = printed(case, "msl")
    file, made = folder / "text.cpp", folder / "text.so"
    file.write_text(source(case, function), encoding="utf-8")
    flags = ["-std=c++20", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-w"]
    command = [str(which("g++")), *flags, str(file), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[:2000] + function.text
    less, _, values = lesser(case)
    texels, full = texels_of(case)
    unit = TextureUnit(less, texels)
    width = TARGETS[case.target].spatial + TARGETS[case.target].arrayed

    def answered(asked: Any, texel: Any) -> None:
        one = asked.contents
        given: dict[str, Any] = {"reference": one.reference} if unit.compares else {}
        at = np.array([one.place[:width]])
        read = unit.gather(at, one.component, **given) if one.gathers else unit.sample(at, lod=one.lod, **given)
        for channel, value in enumerate(read[0]):
            texel[channel] = float(value)

    answer = ANSWER(answered)
    library = ctypes.CDLL(str(made))
    spatial = full[:-1] if TARGETS[case.target].arrayed else full
    (ctypes.c_int * 4).in_dll(library, "sizes")[:] = [*spatial, *[1] * (3 - len(spatial)), case.levels]
    given = quads(case, full)[:COUNT].astype(np.float32)
    wide = np.zeros((COUNT, 4), np.float32)
    wide[:, : given.shape[1]] = given
    more = details()[:COUNT].copy()
    texel = np.zeros((COUNT, 4), np.float32)
    block = ctypes.create_string_buffer(st.border_values([values]))
    places, given_details, drawn = (ctypes.c_void_p(one.ctypes.data) for one in (wide, more, texel))
    library.run(COUNT, places, given_details, block, drawn, answer)
    _, _, numbers = lesser(case)
    asked = TextureUnit(case.state.replace(border_color=numbers.border), texels)
    arguments: dict[str, Any] = {"reference": more[:, 0]} if asked.compares else {}
    if case.form.endswith("gather"):
        return texel, asked.gather(given, case.component, **arguments)
    return texel, asked.sample(given, lod=more[:, 1], **arguments)


@pytest.mark.live("c++")
@pytest.mark.parametrize("case", CASES, ids=[str(at) for at in range(len(CASES))])
def test_msl_on_the_cpu_samples_as_the_reference_unit_does(case: Case, tmp_path: Path) -> None:
    got, wanted = run(case, tmp_path)
    channels = 1 if case.form == "compare_level" else 4
    error = np.abs(got[:, :channels] - wanted[:, :channels])
    near = np.abs(error) < 1e-5
    assert near.all(axis=1).mean() > (0.97 if "gather" in case.form else 0.999), float(error.max())
