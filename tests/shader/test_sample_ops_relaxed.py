"""RelaxedPrecision: new arithmetic is relaxed where the coordinate was, the parts of a result where it was."""

from __future__ import annotations

import pytest

import statetracker as st
from statetracker.spirv import Instruction, Module
from tests.shader.modules import SIMPLE, module

#: Forms, and how many new float instructions each axis asked for needs at least.
FORMS = {
    "implicit": SIMPLE,
    "bias": SIMPLE._replace(bias=True),
    "projection": SIMPLE._replace(project=True),
    "offset": SIMPLE._replace(offset="const"),
    "four offsets": SIMPLE._replace(level="gather", offset="four"),
    "array": SIMPLE._replace(elements=3, dynamic=True),
}
REQUEST = ["st", "s", "t"]
FLOAT_ARITHMETIC = {
    "OpExtInst", "OpFAdd", "OpFSub", "OpFMul", "OpFDiv", "OpVectorTimesScalar", "OpDPdx", "OpDPdy"
}  # fmt: skip


def rewritten(name: str, *, relaxed: bool) -> tuple[Module, list[Instruction], int]:
    """The new module, its instructions that the old one lacks, and the result's id."""
    form = FORMS[name]._replace(relaxed=relaxed)
    made, (result,) = module([form])
    after = Module.read(st.lower(made, {(0, 0): REQUEST if form.elements else "st"}).module)
    old = Module.read(made).definitions
    return after, [one for one in after.instructions if one.shape.defines and one.result not in old], result


def is_relaxed(module: Module, one: Instruction) -> bool:
    return 0 in module.decorations.get(one.result, {})


def is_float(module: Module, one: Instruction) -> bool:
    kind = module.definitions[one.type_id]
    return "OpTypeFloat" in {kind.name, module.definitions[kind.words[1]].name if kind.name == "OpTypeVector" else ""}


@pytest.mark.parametrize("name", FORMS)
def test_new_arithmetic_is_relaxed_where_the_coordinate_is(name: str) -> None:
    """But for sizes and levels, and the result, which keeps its own decorations."""
    after, new, result = rewritten(name, relaxed=True)
    seen = [one for one in new if one.name in FLOAT_ARITHMETIC]
    assert len([one for one in seen if one.name == "OpExtInst"]) >= 2
    assert [one for one in seen if is_float(after, one) and not is_relaxed(after, one)] == []
    exact = [one for one in new if one.name.startswith(("OpConvert", "OpImageQuery", "OpShift", "OpI", "OpBitwise"))]
    samples = [one for one in exact if one.name.startswith(("OpImageSample", "OpImageGather"))]
    assert not [one for one in exact if one not in samples and is_relaxed(after, one)]
    assert [one.words[1] for one in after.instructions if one.name == "OpDecorate" and one.words[0] == result] == [0]
    after, new, _ = rewritten(name, relaxed=False)
    assert not [one for one in new if is_relaxed(after, one)]


@pytest.mark.parametrize("name", ["offset", "four offsets"])
@pytest.mark.parametrize("coordinate", [True, False])
def test_a_precise_result_is_not_put_together_from_relaxed_parts(name: str, coordinate: bool) -> None:
    """The coordinate alone relaxed, or the result alone."""
    made, (result,) = module([FORMS[name]._replace(relaxed=True)])
    before = Module.read(made)
    out = [one for one in before.instructions if one.name != "OpDecorate" or one.words[1] or
           (one.words[0] == result) != coordinate]  # fmt: skip
    one_relaxed = Module(out, version=before.version, bound=before.bound).to_bytes()
    after = Module.read(st.lower(one_relaxed, {(0, 0): "st"}).module)
    samples = [one for one in after.instructions if one.name in {"OpImageSampleExplicitLod", "OpImageGather"}]
    assert len(samples) == (2 if name == "offset" else 4)
    assert [is_relaxed(after, one) for one in samples] == [not coordinate] * len(samples)
    clamps = [one for one in after.instructions if one.name == "OpExtInst" and one.words[3] == 43]
    assert clamps
    assert [is_relaxed(after, one) for one in clamps] == [coordinate] * len(clamps)
