"""`statetracker.frontend.slot_lowering`: what slots need, by descriptor set and binding."""

from __future__ import annotations

import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.frontend import clamp_request
from statetracker.pipe import Lowering
from tests.shader.compiled import MODULES

CLAMP_ST = Lowering("st")
MIXED = Lowering("r", "s")


def test_slots_are_bindings_of_set_0_unless_places_say_otherwise() -> None:
    assert clamp_request({1: CLAMP_ST, 4: MIXED}) == {(0, 1): Lowering("st"), (0, 4): Lowering("r", "s")}


def test_an_array_takes_one_entry_an_element() -> None:
    request = clamp_request({2: CLAMP_ST, 3: MIXED}, {(1, 0): (1, 2, 3), (1, 1): 2, (1, 2): 7, (1, 3): [0, 1]})
    assert request == {(1, 0): (Lowering(), Lowering("st"), Lowering("r", "s")), (1, 1): Lowering("st")}


@pytest.mark.parametrize("slot", [-1, "0", True])
def test_a_slot_that_is_none_is_refused(slot: int) -> None:
    with pytest.raises(ArgumentError, match="slot"):
        clamp_request({0: CLAMP_ST}, {(0, 0): [slot]})


def test_slots_without_need_are_left_out_and_the_module_stays() -> None:
    request = clamp_request({1: Lowering(texel_coords=True)})
    assert request == {}
    assert st.lower(MODULES["implicit_2d.frag"], request).module == MODULES["implicit_2d.frag"]


def test_a_tracker_s_lowerings_rewrite_a_module() -> None:
    """From GL state to the shader: what a bind says is what `st.lower` takes."""
    state = st.Sampler(wrap_s="clamp", wrap_t="mirror-clamp-ext", min_filter="linear")
    result = st.convert(state, st.Texture(size=(4, 4)), st.Screen.named("zink-lavapipe"))
    request = clamp_request({1: result.lowering})
    assert request == {(0, 1): result.lowering}
    assert (result.lowering.clamp, result.lowering.mirror) == ("s", "t")
    lowered = st.lower(MODULES["implicit_2d.frag"], request, values=(0, 9))
    assert len(lowered.rewritten) == 1
