"""Every recorded answer, in every member."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from statetracker.errors import ArgumentError
from statetracker.surface import answer
from statetracker.surface.recorded import kind_of_record

DATA = Path(__file__).parents[1] / "data" / "isl"


def records(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


@pytest.mark.parametrize(("name", "lines"), [("surf", 1030), ("tiling", 1753), ("depthstencil_alignment", 463)])
def test_every_recorded_line_is_answered_as_it_was(name: str, lines: int) -> None:
    found = records(name)
    assert len(found) == lines
    assert [record for record in found if answer(record) != record] == []


def test_an_answer_follows_from_the_question_alone() -> None:
    for record in [*records("surf")[:40], *records("depthstencil_alignment")[:40]]:
        assert answer({"in": record["in"]}) == record


def test_a_record_is_told_by_its_content() -> None:
    assert kind_of_record(records("surf")[0]) == "surf"
    assert kind_of_record(records("depthstencil_alignment")[0]) == "alignment"
    assert {kind_of_record(record) for record in records("tiling")} == {"addr", "w_to_y", "intratile", "ims_px_size"}


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"in": 3},
        {"q": "other"},
        {"q": "addr", "tiling": "X"},
        {"in": {"verx10": 60}},
        {"in": {"gen": "6", "target": "2D", "format": "Z16", "width": 4, "height": 4, "colour": 1}},
        {"in": {"gen": "6", "target": "2D", "format": "Z16", "width": 4, "height": 4, "levels": 1, "level": 1}},
        {"in": {"gen": "6", "target": "2D", "format": "Z16", "width": 0, "height": 4}},
        {"in": {"verx10": 60, "kind": "depth", "format": "R32_FLOAT", "width": "x", "height": 4}},
        {"q": "ims_px_size", "samples": 3},
    ],
)
def test_a_question_that_makes_no_sense_is_an_argument_error(record: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        answer(record)
