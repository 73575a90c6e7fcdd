"""`Lowered.values` names what the rewritten module reads of its uniform block: nothing more, nothing less."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.pipe import Func, Lowering, TexFilter, TexMipfilter
from statetracker.pipe.lowering import ELEMENT_BYTES
from statetracker.shader import Lowered
from statetracker.spirv import Module
from statetracker.spirv.names import Op, StorageClass
from tests.shader.compiled import MODULES
from tests.shader.modules import SIMPLE, Sample, module, samples
from tests.shader.sampled import BLOCK
from tests.shader.test_lower import devices, states
from tools.proofs.pixels.lacking import Device, lacking, seamed

CLAMPED: Final = Lowering(half_border="st", route="edge", min_mip_filter=TexMipfilter.NONE)  # nearest: no work
FOLDED: Final = Lowering(fold="st")
BORDER: Final = Lowering(
    border="st", route="edge", min_img_filter=TexFilter.LINEAR, mag_img_filter=TexFilter.LINEAR,
    min_mip_filter=TexMipfilter.NONE,
)  # fmt: skip


def declared(result: Lowered) -> tuple[int, int]:
    """Elements of the block that a module declares, and how many instructions point into it."""
    read = Module.read(result.module)
    blocks = [one for one in read.instructions if one.opcode == Op.Variable and one.words[2] == StorageClass.Uniform]
    if not blocks:
        return 0, 0
    (variable,) = blocks
    array = read.definitions[read.definitions[read.definitions[variable.words[0]].words[2]].words[1]]
    used = [one for one in read.instructions if one.opcode == Op.AccessChain and one.words[2] == variable.words[1]]
    return read.definitions[array.words[2]].words[2] * 16 // ELEMENT_BYTES, len(used)


def exact(result: Lowered) -> bool:
    """The block has the elements that are named, and is declared where it is read."""
    elements, pointers = declared(result)
    return len(result.values) == elements and bool(elements) == bool(pointers)


@given(samples(rectangles=True), states(), devices(), some.booleans())
def test_values_are_what_any_module_declares(form: Sample, state: st.SamplerState, device: Device, query: bool) -> None:
    made = module([form, form], opengl=form.dim == 4)[0]
    lowering = (seamed if form.dim == 3 else lacking)(state, device)[1]
    assert exact(st.lower(made, {(0, 0): lowering, (0, 1): lowering}, values=BLOCK, lod_query=query, keep_going=True))


def test_a_sampler_whose_numbers_nobody_reads_has_no_element() -> None:
    """Of two, only the second mixes a border; of neither, there is no block."""
    request = {(0, 1): CLAMPED, (0, 2): BORDER}
    result = st.lower(MODULES["two_samplers.frag"], request, values=BLOCK)
    assert (result.values, declared(result)[0]) == ((((0, 2), 0),), 1)
    neither = st.lower(MODULES["two_samplers.frag"], dict.fromkeys(request, CLAMPED), values=BLOCK)
    assert (neither.values, declared(neither)) == ((), (0, 0))


def test_of_an_array_the_elements_that_are_read_have_one() -> None:
    constant = st.lower(MODULES["array_constant.frag"], {(0, 1): [BORDER] * 4}, values=BLOCK)
    assert constant.values == (((0, 1), 0), ((0, 1), 2))
    dynamic = st.lower(MODULES["array_dynamic.frag"], {(0, 1): [BORDER] * 4}, values=BLOCK)
    assert dynamic.values == tuple(((0, 1), element) for element in range(4))


def test_an_instruction_that_cannot_be_rewritten_reads_nothing() -> None:
    """The second element has no comparison: what was written for the first is given up, its loads too."""
    form = SIMPLE._replace(level="lod", dref=True, elements=3, dynamic=True)
    made = module([form, SIMPLE._replace(level="lod")])[0]
    request: Any = {(0, 0): [BORDER._replace(compare_func=Func.LESS), BORDER, BORDER], (0, 1): FOLDED}
    result = st.lower(made, request, values=BLOCK)
    assert (len(result.unresolved), len(result.rewritten)) == (1, 1)
    assert (result.values, declared(result)) == ((), (0, 0))
