"""Damaged modules and every kind of work: an error with a place, or a module."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import statetracker as st
from statetracker.errors import ModuleError
from statetracker.pipe import Lowering
from statetracker.spirv import Module
from tests.shader.compiled import MODULES
from tools.fuzz_modules import attack, mutated, works

WORK = dict(
    zip(
        ("letters", "border", "predefined", "filtered", "cube", "rectangle", "anisotropic", "swizzle"),
        works(),
        strict=True,
    )
)
DAMAGED = sorted((Path(__file__).parents[1] / "data" / "damaged").glob("*.module"))
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


@pytest.mark.parametrize("work", range(len(WORK)), ids=list(WORK))
@pytest.mark.parametrize("file", DAMAGED, ids=lambda file: file.stem)
def test_what_the_fuzzer_found_gives_an_error_with_an_offset_or_a_module(file: Path, work: int) -> None:
    attack(file.read_bytes(), work)


@pytest.mark.parametrize("name", NAMES)
def test_words_of_other_places_give_an_error_with_an_offset_or_a_module(name: str) -> None:
    """What the fuzzer does, without its lead."""
    for seed in range(60):
        attack(mutated(MODULES[name], 1 << 16, seed))
