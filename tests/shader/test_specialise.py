"""Functions copied for their samplers: what that costs, and where it ends."""

from __future__ import annotations

import gc
from time import process_time

import pytest

import statetracker as st
from statetracker.errors import ModuleError
from statetracker.spirv import Instruction, Module, opcode
from tests.shader.writer import Writer


def called(samplers: int, adds: int, *, empty: int = 0, rounds: int = 1) -> bytes:
    """A fragment shader whose function, of some additions, is called with each of its samplers; and empty functions.

    ``rounds``: functions that call one another, each with the samplers that it was given.
    """
    w = Writer()
    void, vec4 = w.known("OpTypeVoid"), w.vector(w.float, 4)
    sampled = w.known("OpTypeSampledImage", w.known("OpTypeImage", w.float, 1, 0, 0, 0, 1, 0))
    point = w.known("OpConstantNull", w.vector(w.float, 2), typed=True)
    nothing, takes = w.known("OpTypeFunction", void), w.known("OpTypeFunction", vec4, sampled)
    variables = [w.variable(0, sampled) for _ in range(samplers)]
    for at, ident in enumerate(variables):
        w.decorate(ident, 34, 0)
        w.decorate(ident, 33, at)
    main, functions = w.new(), [w.new() for _ in range(rounds)]

    def begin(kind: int, ident: int, of: int) -> None:
        w.body.append(Instruction(opcode("OpFunction"), [kind, ident, 0, of]))

    begin(void, main, nothing)
    w.plain("OpLabel", w.new())
    for one in variables:
        w.op("OpFunctionCall", vec4, functions[0], w.op("OpLoad", sampled, one))
    w.plain("OpReturn")
    w.plain("OpFunctionEnd")
    for ident, following in zip(functions, [*functions[1:], 0], strict=True):
        begin(vec4, ident, takes)
        given = w.op("OpFunctionParameter", sampled)
        w.plain("OpLabel", w.new())
        value = w.op("OpImageSampleExplicitLod", vec4, given, point, 2, w.number(0.0))
        for _ in range(adds):
            value = w.op("OpFAdd", vec4, value, value)
        if following:
            value = w.op("OpFunctionCall", vec4, following, given)
        w.plain("OpReturnValue", value)
        w.plain("OpFunctionEnd")
    for _ in range(empty):
        begin(void, w.new(), nothing)
        w.plain("OpLabel", w.new())
        w.plain("OpReturn")
        w.plain("OpFunctionEnd")
    name = [0x6E69616D, 0]
    head = [("OpCapability", [1]), ("OpMemoryModel", [0, 1]), ("OpEntryPoint", [4, main, *name])]
    mode = Instruction(opcode("OpExecutionMode"), [main, 7])
    laid = [*(Instruction(opcode(code), words) for code, words in head), mode, *w.annotations, *w.globals, *w.body]
    return Module(laid, version=0x10300, bound=w.bound).to_bytes()


def seconds(module: bytes) -> float:
    """Processor time of a rewrite, without a pass of the garbage collector over what other tests left."""
    gc.collect()
    gc.disable()
    begun = process_time()
    try:
        st.lower(module, {(0, 0): "st"})
    finally:
        gc.enable()
    return process_time() - begun


def test_functions_cost_what_they_cost_alone() -> None:
    """16,000 of them took 25 seconds."""
    once, eight = (called(1, 1, empty=2000 * times) for times in (1, 8))
    seconds(once)
    assert min(seconds(eight) for _ in range(2)) < 24 * seconds(once)


@pytest.mark.parametrize("samplers", [2, 40])
def test_a_function_is_copied_for_each_of_its_samplers(samplers: int) -> None:
    result = st.lower(called(samplers, 20), {(0, at): "st" for at in range(samplers)})
    assert len(result.rewritten) == samplers
    assert len(Module.read(result.module).functions) == 1 + samplers


@pytest.mark.parametrize(("samplers", "adds", "rounds"), [(900, 7000, 1), (3000, 800, 1), (200, 100, 100)])
def test_copies_that_make_a_large_module_of_a_small_one_are_refused(samplers: int, adds: int, rounds: int) -> None:
    """900 of them made 1.6 gigabytes of 153 kilobytes."""
    module = called(samplers, adds, rounds=rounds)
    assert len(module) < 300_000
    with pytest.raises(ModuleError, match="would be larger than") as caught:
        st.lower(module, {(0, 0): "st"}) if rounds == 1 else st.split_samplers(module)
    assert "fewer samplers" in caught.value.hint
    assert 0 < caught.value.offset < len(module) // 4


def test_what_is_written_in_place_of_samples_has_the_same_limit() -> None:
    """Filtered texel by texel, a sample is hundreds of instructions."""
    texture = st.Texture("2d", "RGBA32F", size=(8, 8), levels=4)
    filtered = st.convert(st.Sampler(min_filter="linear-mipmap-linear"), texture, st.Screen.named("webgpu")).lowering
    assert filtered.filter_texels
    with pytest.raises(ModuleError, match="would be larger than"):
        st.lower(called(1500, 0), {(0, at): filtered for at in range(1500)}, values=(1, 0))
    assert len(st.lower(called(100, 0), {(0, at): filtered for at in range(100)}, values=(1, 0)).rewritten) == 100
