"""What `split_samplers` writes before it splits: the table, sparse samples, least levels, capabilities."""

from __future__ import annotations

import pytest

import statetracker as st
from statetracker.shader import wgsl
from statetracker.shader.split_plan import JUDGES
from statetracker.spirv import Editor, Instruction, Module, words_of
from statetracker.spirv.names import Capability, Op
from tests.shader.beside import Texture, apart, state
from tests.shader.compiled import MODULES
from tests.shader.test_wgsl import ONE as ONE_2D
from tests.shader.test_wgsl import compiled, taken_by_wgpu
from tests.shader.validator import assert_valid

LIVE = pytest.mark.live("wgpu", "lavapipe", "glslangValidator", "spirv-val")
ONE = Texture("2d", (64, 64), state("LLL"), levels=6)


def test_rows_name_steps_and_judges() -> None:
    steps = {"resident", "halves", "switches", "elements", "flat", "samples", "stages", wgsl.UNUSED}
    assert {row.step for row in wgsl.RULES} == {*steps, ""}
    for row in wgsl.RULES:
        assert set(row.judges) <= set(JUDGES)
        assert bool(row.rewrite) is (row.step not in {"", wgsl.UNUSED})
    assert len({row.lacks for row in wgsl.RULES}) == len(wgsl.RULES)


@LIVE
@pytest.mark.parametrize(
    ("call", "plain"),
    [
        ("sparseTextureARB(s, c.xy, t)", "t = texture(s, c.xy)"),
        ("sparseTextureLodARB(s, c.xy, d.y, t)", "t = textureLod(s, c.xy, d.y)"),
        ("sparseTexelFetchARB(s, ivec2(c.xy * 20), 1, t)", "t = texelFetch(s, ivec2(c.xy * 20), 1)"),
        ("sparseTextureGatherARB(s, c.xy, t, 2)", "t = textureGather(s, c.xy, 2)"),
    ],
)
def test_sparse_samples_are_plain_and_resident(call: str, plain: str) -> None:
    whole = "sampler2D s; vec4 t; vec4 read(vec4 c, vec4 d) {{ {}; return t; }} const int unused = 0"
    residency = whole.format(f"int code = {call}; if (!sparseTexelsResidentARB(code)) t = vec4(9)")
    right = whole.format(plain)
    wrong = apart(residency, "read(c, d)", ONE, smooth=True, right_declared=right)
    assert wrong.max() <= 2.0**-7


@LIVE
@pytest.mark.parametrize("least", ["0.0", "1.5", "3.25"])
def test_a_least_level_is_in_force(least: str) -> None:
    level = f"max(textureQueryLod(s, c.xy).y, {least})"
    wrong = apart("sampler2D s", f"textureClampARB(s, c.xy, {least})", ONE, smooth=True,
                  right=f"textureLod(s, c.xy, {level})")  # fmt: skip
    assert wrong.max() <= 0.05


def test_capabilities_of_what_is_gone_are_gone() -> None:
    lost = {
        "sparse_2d.frag": Capability.SparseResidency,
        "min_lod_2d.frag": Capability.MinLod,
        "gather_offsets_2d.frag": Capability.ImageGatherExtended,
        "fetch_buffer.frag": Capability.SampledBuffer,
    }
    for name, capability in lost.items():
        before, after = MODULES[name], st.split_samplers(MODULES[name]).module
        has = [
            {one.words[0] for one in Module.read(data).instructions if one.opcode == Op.Capability}
            for data in (before, after)
        ]
        assert (capability in has[0], capability in has[1]) == (True, False)


@pytest.mark.live("glslangValidator", "wgpu")
def test_what_nothing_needs_or_means_is_left_out() -> None:
    """Capabilities of HLSL's compiler, a debugger's instructions and the names of HLSL's semantics."""
    module = Editor(Module.read(compiled("c = texture(one, vec2(0));", ONE_2D)))
    first = next(n for n, one in enumerate(module.body) if one.opcode == Op.ExtInstImport)
    silent, void = module.new_id(), next(one.result for one in module.body if one.name == "OpTypeVoid")
    module.body[first:first] = [
        Instruction(Op.Capability, [Capability.SampledBuffer]),
        Instruction(Op.Extension, words_of("SPV_GOOGLE_hlsl_functionality1")),
        Instruction(Op.Extension, words_of("SPV_KHR_non_semantic_info")),
        Instruction(Op.ExtInstImport, [silent, *words_of("NonSemantic.DebugPrintf")]),
    ]
    last = next(n for n, one in enumerate(module.body) if one.opcode == Op.Return)
    module.body.insert(last, Instruction(Op.ExtInst, [void, module.new_id(), silent, 1, 1]))
    made = st.split_samplers(module.finish().to_bytes())
    assert (made.unresolved, made.rewritten) == ((), ())
    assert taken_by_wgpu(made.module) == ""


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("before", [Op.Function, Op.Return])
def test_an_undefined_value_is_0_in_and_out_of_functions(before: int) -> None:
    module = Editor(Module.read(MODULES["implicit_2d.frag"]))
    at = next(n for n, one in enumerate(module.body) if one.opcode == before)
    module.body.insert(at, Instruction(Op.Undef, [module.type_float(), module.new_id()]))
    made = st.split_samplers(module.finish().to_bytes())
    assert made.unresolved == ()
    assert "undefined values" in made.rewritten[0].reason
    assert Op.Undef not in {one.opcode for one in Module.read(made.module).instructions}
    assert_valid(made.module)


@pytest.mark.live("glslangValidator")
def test_a_capability_is_named_where_nothing_else_is() -> None:
    body = "#extension GL_EXT_demote_to_helper_invocation : enable"
    (note,) = st.split_samplers(compiled("c = texture(one, vec2(0)); demote;", body, ONE_2D)).unresolved[:1]
    assert note.instruction == "OpCapability DemoteToHelperInvocation"
    assert note.reason.startswith("WebGPU has nothing for this capability")
