"""Every recorded program: verdicts, spill order, final registers, sizes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from statetracker.errors import ArgumentError
from statetracker.geometry import answer

RECORDING = Path(__file__).parents[1] / "data" / "isl" / "gs_dispatch.jsonl.gz"


def records() -> list[dict[str, Any]]:
    with gzip.open(RECORDING, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def test_every_recorded_program_is_answered_as_it_was_member_for_member() -> None:
    seen = records()
    assert len(seen) == 66
    assert [record["id"] for record in seen if answer({"id": record["id"], "in": record["in"]}) != record] == []


def test_the_recording_has_every_outcome() -> None:
    outs = [record["out"] for record in records()]
    assert {out["mode"]["later"] for out in outs if out["ok"]} == {"DUAL_OBJECT", "DUAL_INSTANCE", "SINGLE"}
    assert {out["reason"] for out in outs if not out["ok"]} == {"no_register_to_spill"}
    assert max(len(out["spills"]) for out in outs) > 20


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("vertices_in", 7), ("vertices_in", "3"), ("in_slots", -1), ("output_type", "quads"), ("invocations", 33),
        ("primitive_id", 1), ("vgrf_sizes", [3]), ("vgrf_sizes", 5), ("vgrf_sizes", [1] * 65537),
        ("vgrf_sizes", [1.0]), ("max_vertices", 1 << 32), ("out_slots", 1 << 64),
        ("instructions", [["mov", "99.x", []]]), ("instructions", [["mov", 5000 * "9" + ".x", []]]),
        ("instructions", [["endif", 0, []]]), ("instructions", [["do", 0, []]]),
        ("instructions", [["mov", "0.yx", []]]),
        ("instructions", [["mov", "0.x", ["0.xy"]]]), ("instructions", [["mov"]]), ("instructions", [["break", 0, []]]),
    ],
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_reported_by_its_member(member: str, value: object) -> None:
    asked = {**records()[0]["in"], member: value}
    with pytest.raises(ArgumentError, match=member):
        answer({"in": asked})
    del asked[member]
    with pytest.raises(ArgumentError, match=member):
        answer({"in": asked})


@pytest.mark.parametrize(
    ("member", "value"),
    [("array_slots", -1), ("array_slots", 1 << 64), ("relative", [-1]), ("relative", [True])],
)
def test_scratch_that_makes_no_sense_is_reported_by_its_member(member: str, value: object) -> None:
    with pytest.raises(ArgumentError, match=member):
        answer({"in": {**records()[0]["in"], member: value}})
