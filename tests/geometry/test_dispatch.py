"""The choice: the hand-checkable cases, policies, limits."""

from __future__ import annotations

from typing import Any

import pytest

from statetracker.errors import ArgumentError, UnknownName
from statetracker.geometry import Decision, DispatchMode, Program, Shader, dispatch, explain

TINY = Program.parse([1], [["mov", "0.xyzw", []], ["mov_mrf", 0, ["0.xyzw"]]])


def live_together(count: int) -> Program:
    """Values all alive together, each then consumed once by an instruction that writes one never read."""
    lines: list[object] = [["mov", f"{n}.xyzw", []] for n in range(count)]
    lines += [["add", f"{count + n}.xyzw", [f"{n}.xyzw"]] for n in range(count)]
    return Program.parse([1] * (2 * count), lines)


def shader(program: Program, **facts: Any) -> Shader:
    given: dict[str, Any] = {"vertices_in": 3, "in_slots": 2, "output_type": "points", "max_vertices": 1}
    return Shader(program, **(given | {"out_slots": 2} | facts))


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
    assert (seen.chosen.allocation.spills, seen.chosen.allocation.total_grf) == ([], 112)
    if payload == 55:
        assert seen.dual_object is not None
        assert (seen.dual_object.allocation.reason, seen.chosen.payload.registers) == ("would_spill", 28)


@pytest.mark.parametrize(
    ("facts", "options", "mode"),
    [
        ({"invocations": 2}, {"policy": "series"}, "DUAL_INSTANCE"),
        ({"invocations": 2}, {"policy": "later"}, "DUAL_INSTANCE"),
        ({}, {"policy": "series", "dual_object": False}, "DUAL_INSTANCE"),
        ({}, {"policy": "later", "dual_object": False}, "SINGLE"),
        ({}, {"policy": "series"}, "DUAL_OBJECT"),
        ({"array_slots": 40}, {}, "DUAL_OBJECT"),
        ({"invocations": 0}, {}, "DUAL_OBJECT"),
    ],
)
def test_the_mode_follows_invocations_and_policy(facts: Any, options: Any, mode: str) -> None:
    seen = dispatch(shader(TINY, **facts), **options)
    assert seen.mode is DispatchMode[mode]
    assert (seen.dual_object is None) == bool(seen.not_tried) == (mode != "DUAL_OBJECT")
    assert seen.instance_field == (facts.get("invocations", 1) or 1) - 1


@pytest.mark.parametrize(
    ("program", "uniforms", "registers", "reason"),
    [(Program.parse([], []), 8, 113, "payload"), (Program.parse([], []), 6, 112, None), (TINY, 6, 112, "would_spill")],
)
def test_a_payload_of_all_registers_holds_an_empty_shader_and_no_value(
    program: Program, uniforms: int, registers: int, reason: str | None
) -> None:
    seen = dispatch(shader(program, vertices_in=6, in_slots=18, uniforms=uniforms))
    assert seen.dual_object is not None
    assert (seen.dual_object.payload.registers, seen.dual_object.allocation.reason) == (registers, reason)
    assert seen.mode is (DispatchMode.SINGLE if reason else DispatchMode.DUAL_OBJECT)


def test_57_pairs_alive_together_cannot_be_helped() -> None:
    pairs: list[object] = [["mov", f"{n}.xyzw", []] for n in range(57)]
    pairs += [["mov_mrf", 0, [f"{n}.xyzw"]] for n in range(57)]
    seen = dispatch(shader(Program.parse([2] * 57, pairs)))
    assert (seen.mode, seen.chosen.allocation.reason, seen.chosen.allocation.spills) == (
        None,
        "no_register_to_spill",
        [],
    )


@pytest.mark.parametrize(
    ("facts", "options", "error", "said"),
    [
        ({}, {"policy": "newest"}, UnknownName, "series, later"),
        ({"invocations": 33}, {}, ArgumentError, "invocations=33"),
        ({"invocations": True}, {}, ArgumentError, "invocations=True"),
        ({}, {"count": 1}, ArgumentError, "count=1"),
    ],
)
def test_bad_policies_and_counts_are_errors(facts: Any, options: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        dispatch(shader(TINY, **facts), **options)


def test_an_output_that_is_too_large_is_reported_and_the_rest_answered() -> None:
    seen = dispatch(shader(TINY, output_type="triangle_strip", max_vertices=1024, out_slots=32))
    assert not seen.urb.fits
    assert seen.mode is DispatchMode.DUAL_OBJECT
    assert explain(seen)[-1].value == "too large"


def test_the_explanation_names_the_numbers_it_follows_from() -> None:
    text = " ".join(" ".join(step) for step in explain(of_payload(live_together(60), 55)))
    for words in ("DUAL_OBJECT fails", "55 of payload and at most 60 alive at once, of 112", "policy later", "28"):
        assert words in text
