"""The choice: the hand-checkable cases, policies, limits."""

from __future__ import annotations

from typing import Any

import pytest

from statetracker.errors import ArgumentError, UnknownName
from statetracker.geometry import Decision, DispatchMode, Program, Shader, allocate, dispatch, explain, live_intervals

TINY = Program.parse([1], [["mov", "0.xyzw", []], ["mov_mrf", 0, ["0.xyzw"]]])


def live_together(count: int) -> Program:
    """Values all alive together, each then consumed once by an instruction that writes one never read."""
    lines: list[object] = [["mov", f"{n}.xyzw", []] for n in range(count)]
    lines += [["add", f"{count + n}.xyzw", [f"{n}.xyzw"]] for n in range(count)]
    return Program.parse([1] * (2 * count), lines)


def shader(program: Program, **facts: Any) -> Shader:
    given: dict[str, Any] = {
        "vertices_in": 3,
        "in_slots": 2,
        "output_type": "points",
        "max_vertices": 1,
        "out_slots": 2,
    }
    return Shader(program, **(given | facts))


def of_payload(program: Program, registers: int, **facts: Any) -> Decision:
    """One input vertex, so that the payload of DUAL_OBJECT is r0, constants and an even count of slots."""
    uniforms = 0 if registers % 2 else 2
    slots = registers - 1 - uniforms // 2
    seen = dispatch(shader(program, vertices_in=1, in_slots=slots, uniforms=uniforms, **facts))
    assert seen.shader.payload(1).registers == registers
    return seen


@pytest.mark.parametrize(
    ("payload", "mode"), [(40, "DUAL_OBJECT"), (52, "DUAL_OBJECT"), (53, "SINGLE"), (55, "SINGLE")]
)
def test_60_values_alive_together_fit_dual_object_up_to_a_payload_of_52(payload: int, mode: str) -> None:
    seen = of_payload(live_together(60), payload)
    assert seen.mode is DispatchMode[mode]
    assert seen.chosen.allocation.spills == []
    assert seen.chosen.allocation.total_grf == 112


def test_60_values_and_a_payload_of_55_are_interleaved_in_28_without_a_spill() -> None:
    seen = of_payload(live_together(60), 55)
    assert seen.dual_object is not None
    assert seen.dual_object.allocation.reason == "would_spill"
    assert seen.chosen.payload.registers == 28


@pytest.mark.parametrize("policy", ["series", "later"])
def test_two_invocations_are_dual_instance_in_both_policies_without_a_try(policy: str) -> None:
    seen = dispatch(shader(TINY, invocations=2), policy)
    assert seen.mode is DispatchMode.DUAL_INSTANCE
    assert seen.dual_object is None
    assert seen.instance_field == 1


def test_the_policies_differ_in_the_fallback_of_one_invocation() -> None:
    assert dispatch(shader(TINY), "series", dual_object=False).mode is DispatchMode.DUAL_INSTANCE
    assert dispatch(shader(TINY), "later", dual_object=False).mode is DispatchMode.SINGLE
    assert dispatch(shader(TINY), "series").mode is DispatchMode.DUAL_OBJECT


def test_a_payload_beyond_the_registers_refuses_even_an_empty_shader() -> None:
    seen = dispatch(shader(Program.parse([], []), vertices_in=6, in_slots=18, uniforms=8))
    assert seen.dual_object is not None
    assert (seen.dual_object.payload.registers, seen.dual_object.allocation.reason) == (113, "payload")
    assert seen.mode is DispatchMode.SINGLE


def test_a_payload_of_all_registers_holds_an_empty_shader_and_no_value() -> None:
    facts: dict[str, Any] = {"vertices_in": 6, "in_slots": 18, "uniforms": 6}
    assert dispatch(shader(Program.parse([], []), **facts)).mode is DispatchMode.DUAL_OBJECT
    seen = dispatch(shader(TINY, **facts))
    assert seen.dual_object is not None
    assert (seen.dual_object.payload.registers, seen.dual_object.allocation.reason) == (112, "would_spill")


def test_57_pairs_alive_together_cannot_be_helped() -> None:
    pairs: list[object] = [["mov", f"{n}.xyzw", []] for n in range(57)]
    pairs += [["mov_mrf", 0, [f"{n}.xyzw"]] for n in range(57)]
    seen = dispatch(shader(Program.parse([2] * 57, pairs)))
    assert seen.mode is None
    assert seen.chosen.allocation.reason == "no_register_to_spill"
    assert seen.chosen.allocation.spills == []


def test_a_value_defined_only_under_a_predicate_in_a_loop_is_alive_from_its_start() -> None:
    lines = [["mov", "0.x", []], ["do", 0, []], ["mov_mrf", 0, ["0.xxxx"]], ["mov", "1.x", [], 1], ["break", 0, [], 1],
             ["while", 0, []], ["mov_mrf", 0, ["1.xxxx"]]]  # fmt: skip
    assert live_intervals(Program.parse([1, 1], lines))[1] == (0, 6)  # undefined before: data flow reaches the entry
    lines[0] = ["mov", "1.x", []]
    lines[2] = ["nop", 0, []]
    assert live_intervals(Program.parse([1, 1], lines))[1] == (0, 6)


def test_a_value_that_is_too_much_goes_to_scratch_and_comes_back() -> None:
    seen = allocate(live_together(20), 0, count=16)
    assert seen.ok
    assert len(seen.spills) > 4
    assert seen.scratch_slots == len(seen.spills)
    assert {one.op for one in seen.program.instructions} == {"mov", "add", "scratch_read", "scratch_write"}


def test_arrays_in_scratch_do_not_reject_dual_object() -> None:
    seen = dispatch(shader(TINY, array_slots=40))
    assert seen.mode is DispatchMode.DUAL_OBJECT
    assert seen.scratch_bytes == 2048


def test_bad_policies_and_invocations_are_errors() -> None:
    with pytest.raises(UnknownName, match="series, later"):
        dispatch(shader(TINY), "newest")
    with pytest.raises(ArgumentError, match="invocations=33"):
        dispatch(shader(TINY, invocations=33))


def test_an_output_that_is_too_large_is_reported_and_the_rest_answered() -> None:
    seen = dispatch(shader(TINY, output_type="triangle_strip", max_vertices=1024, out_slots=32))
    assert not seen.urb.fits
    assert seen.mode is DispatchMode.DUAL_OBJECT
    assert explain(seen)[-1].value == "too large"


def test_the_explanation_names_the_numbers_it_follows_from() -> None:
    text = " ".join(" ".join(step) for step in explain(of_payload(live_together(60), 55)))
    for words in ("DUAL_OBJECT fails", "55 of payload and at most 60 alive at once, of 112", "policy later", "28"):
        assert words in text
