"""Offsets folded into coordinates: however the constant is written, what is left of it is a constant like it."""

from __future__ import annotations

import pytest

import statetracker as st
from statetracker.shader.sample_ops import operands_of
from statetracker.spirv import Instruction, Module
from statetracker.spirv.names import ImageOperands
from tests.shader.compiled import MODULES
from tests.shader.modules import FOUR_OFFSETS, SIMPLE, Sample, module

ZERO = (43, 46)
LEVELS = ("implicit", "lod", "grad", "gather")
LEFT = {"const": 44, "spec": 51, "spec op": 51, "spec part": 44}  # the t axis of the last is no specialised one


def sampled(name: str, level: str, axes: str) -> tuple[Module, list[Instruction]]:
    """The rewritten module, and what samples in it."""
    made, _ = module([SIMPLE._replace(level=level, offset=name)])
    after = Module.read(st.lower(made, {(0, 0): axes}).module)
    return after, [one for one in after.instructions if one.opcode in {87, 88, 96}]


def offset_of(one: Instruction) -> int:
    """The id of its constant offset; 0 without one."""
    return operands_of(one).get(ImageOperands.ConstOffset, [0])[0]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_of_an_offset_has_a_zero_on_the_folded_axis(name: str, level: str) -> None:
    after, seen = sampled(name, level, "s")
    assert seen
    for one in seen:
        left = after.definitions[offset_of(one)]
        assert left.opcode == LEFT[name]
        folded, kept = (after.definitions[part] for part in left.words[2:])
        assert folded.opcode in ZERO
        assert not any(folded.words[2:])
        assert kept.opcode == {"spec": 50, "spec op": 52}.get(name, 43)


@pytest.mark.parametrize("name", [*LEFT, *FOUR_OFFSETS])
def test_an_offset_folded_on_every_axis_is_gone(name: str) -> None:
    seen = sampled(name, "gather", "st")[1]
    assert len(seen) == (4 if name in FOUR_OFFSETS else 1)
    assert not any(offset_of(one) for one in seen)


def test_a_null_offset_adds_nothing_to_the_coordinate() -> None:
    after, (one,) = sampled("null", "implicit", "st")
    assert not [one for one in after.instructions if one.name == "OpImageQuerySizeLod"]
    assert after.definitions[offset_of(one)].opcode == 46


def test_specialised_offsets_are_added_as_they_are_when_the_module_is_specialised() -> None:
    after, _ = sampled("spec", "gather", "st")
    converted = [after.definitions[one.words[2]] for one in after.instructions if one.name == "OpConvertSToF"]
    assert [one.words[2] for one in converted if one.opcode == 50] == [1, 2]


LINEAR, NEAREST = "for a mipmap filter of LINEAR", "for a mipmap filter of NEAREST"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (SIMPLE, ""),
        (SIMPLE._replace(bias=True), LINEAR),
        (SIMPLE._replace(min_lod=True), LINEAR),
        (SIMPLE._replace(level="lod"), "for a mipmap filter of LINEAR or NEAREST"),
    ],
    ids=["implicit", "bias", "min lod", "constant lod of 1"],
)
def test_the_mipmap_filter_that_a_folded_offset_needs_is_reported(form: Sample, said: str) -> None:
    """An implicit LOD is asked of the sampler itself, and right with every filter."""
    made, _ = module([form._replace(offset="const")])
    (note,) = st.lower(made, {(0, 0): "s"}).inexact
    assert "LOD bias of 0" in note.reason
    assert note.reason.endswith(said)
    assert ("mipmap filter" in note.reason) == bool(said)


def test_the_mipmap_filter_is_reported_of_compiled_shaders_too() -> None:
    """A LOD that only the shader knows; and integer texels, of which one level is taken."""
    for name, said in (
        ("offset_dynamic_lod_2d", LINEAR),
        ("offset_bias_2d", LINEAR),
        ("offset_int_2d", f"{NEAREST} or NONE"),
    ):
        (note,) = st.lower(MODULES[f"{name}.frag"], {(0, 1): "s"}).inexact
        assert note.reason.endswith(said)
