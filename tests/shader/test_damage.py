"""Damaged modules and every kind of work: an error with a place, or a module."""

from __future__ import annotations

import random
from typing import Any

import pytest

import statetracker as st
from statetracker.errors import ModuleError
from statetracker.pipe import Func, Lowering, TexFilter, TexMipfilter
from statetracker.spirv import Module
from tests.shader.sampled import MODULES

MIPS: Any = {
    "min_img_filter": TexFilter.LINEAR, "min_mip_filter": TexMipfilter.LINEAR, "compare_func": Func.LEQUAL
}  # fmt: skip
WORK = {
    "letters": Lowering("s", "t"),
    "border": Lowering(border="s", half_border="t", route="edge", fixed_depth=True, **MIPS),
    "predefined": Lowering(border="st", route="predefined", reflect="s", fold="s", limit_lod=True, **MIPS),
    "filtered": Lowering(filter_texels=True, add_lod_bias=True, **MIPS),
    "cube": Lowering(cube_edges=True, repeat="s", half_border="t", route="edge", **MIPS),
    "rectangle": Lowering(normalize=True, border="st", route="edge", **MIPS),
}
NAMES = (
    "function_array_element.frag",
    "offset_2d.frag",
    "gather_offsets_2d.frag",
    "shadow_2d.frag",
    "rect.gl.frag",
    "implicit_cube.frag",
)


def lowered(module: bytes, work: Lowering) -> None:
    """Lower; an error says where."""
    request = {(0, 1): [work, Lowering(), work, work]}
    try:
        result = st.lower(module, request, values=(6, 6), keep_going=True)
    except ModuleError as error:
        assert 0 <= error.offset <= len(module) // 4  # noqa: PT017
    else:
        Module.read(result.module)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_flipped_bytes_give_an_error_with_an_offset_or_a_module(name: str, work: Lowering) -> None:
    chance, good = random.Random(name), MODULES[name]  # noqa: S311
    for _ in range(250):
        flipped = bytearray(good)
        flipped[chance.randrange(len(good))] ^= chance.randrange(1, 256)
        lowered(bytes(flipped), work)


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_a_module_cut_anywhere_gives_an_error_with_an_offset_or_a_module(work: Lowering) -> None:
    good = MODULES["offset_2d.frag"]
    for words in range(5, len(good) // 4):
        lowered(good[: words * 4], work)
