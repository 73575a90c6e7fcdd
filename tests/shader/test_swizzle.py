"""`Lowering.swizzle`: what is rewritten for it, and what stays; tests/shader/test_lower.py has its texels."""

from __future__ import annotations

from typing import Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.pipe import Lowering
from statetracker.shader import Lowered
from statetracker.shader.sample_ops import SAMPLES
from statetracker.spirv import Instruction, Module
from statetracker.spirv.names import Decoration, Op
from tests.shader.compiled import MODULES
from tests.shader.modules import SIMPLE, Sample, module

GATHER = SIMPLE._replace(level="gather")


def lowered(name: str, swizzle: str) -> Lowered:
    """Rewrite a compiled module for a swizzle alone, without values."""
    return st.lower(MODULES[name], {(0, 1): Lowering(swizzle=swizzle)})


def reads(code: bytes) -> list[Instruction]:
    return [one for one in Module.read(code).instructions if one.opcode in {*SAMPLES, Op.ImageFetch}]


@pytest.mark.parametrize(
    ("name", "swizzle"),
    [
        ("implicit_2d.frag", "RGBA"),
        ("shadow_2d.frag", "R001"),
        ("gather_shadow_2d.frag", "R111"),
        ("query_size_2d.frag", "RRR1"),
    ],
)
def test_what_a_swizzle_does_not_change_stays(name: str, swizzle: str) -> None:
    """The module's own bytes, and a note."""
    result = lowered(name, swizzle)
    assert (result.module, result.rewritten, result.unresolved) == (MODULES[name], (), ())
    assert result.left


@pytest.mark.parametrize("name", ["implicit_int.frag", "fetch_2d.frag", "fetch_buffer.frag", "fetch_multisample.frag"])
def test_fetches_and_integers_are_swizzled_and_named(name: str) -> None:
    result = lowered(name, "RRR1")
    assert [note.reason for note in result.rewritten] == ["swizzle RRR1"] * len(reads(MODULES[name]))
    shuffles = [one for one in Module.read(result.module).instructions if one.name == "OpVectorShuffle"]
    assert [0, 0, 0, 5] in [one.words[4:] for one in shuffles]
    assert len(reads(result.module)) == len(reads(MODULES[name]))


def test_fetches_without_a_swizzle_are_none_of_its_business() -> None:
    assert st.lower(MODULES["fetch_2d.frag"], {(0, 1): Lowering("st")}).rewritten == ()


def test_notes_say_it_after_the_other_work() -> None:
    (note,) = st.lower(MODULES["implicit_2d.frag"], {(0, 1): Lowering("s", swizzle="000R")}).rewritten
    assert note.reason == "clamped on s; swizzle 000R"


@pytest.mark.parametrize(
    "form",
    [SIMPLE, GATHER._replace(sparse=True), SIMPLE._replace(sparse=True), SIMPLE._replace(elements=3, dynamic=True)],
)
def test_the_parts_of_a_relaxed_texel_are_relaxed(form: Sample) -> None:
    made, (ident,) = module([form._replace(relaxed=True)])
    request: Any = (
        [Lowering(swizzle=one) for one in ("RRR1", "0GBA", "")] if form.elements else Lowering(swizzle="GRR1")
    )
    after = Module.read(st.lower(made, {(0, 0): request}).module)
    old = Module.read(made).definitions
    kinds = {old[ident].words[0]} | {one.words[0] for one in after.instructions if one.name == "OpVectorShuffle"}
    new = [
        one.result for one in after.instructions if one.shape.typed and one.words[0] in kinds and one.result not in old
    ]
    new = [one for one in new if not after.definitions[one].name.startswith("OpConstant")]
    relaxed = [[key for key in after.decorations.get(one, {}) if key == Decoration.RelaxedPrecision] for one in new]
    assert new
    assert relaxed == [[Decoration.RelaxedPrecision]] * len(new)


@pytest.mark.parametrize("swizzle", ["RGB", "RGBX", "rgba", "RGBA1", None, 4])
def test_a_swizzle_is_four_letters(swizzle: Any) -> None:
    with pytest.raises(ArgumentError, match="swizzle of 0:1"):
        lowered("implicit_2d.frag", swizzle)
