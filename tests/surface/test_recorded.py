"""Every recorded answer, in every member."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from statetracker.errors import ArgumentError
from statetracker.surface import answer
from statetracker.surface.recorded import ANSWERS, kind_of_record

DATA = Path(__file__).parents[1] / "data" / "isl"


ALIGNMENT = {"gen": "6", "target": "2D", "format": "Z16", "width": 4, "height": 4}
SURFACE = {"verx10": 60, "kind": "depth", "format": "R32_FLOAT", "width": 4, "height": 4}


def records(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


@pytest.mark.parametrize(("name", "lines"), [("surf", 1030), ("tiling", 1753), ("depthstencil_alignment", 463)])
def test_every_recorded_line_is_answered_as_it_was(name: str, lines: int) -> None:
    got = records(name)
    assert len(got) == lines
    assert [record for record in got if answer(record) != record] == []


def test_a_record_is_known_by_its_content() -> None:
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
        *({"in": ALIGNMENT | wrong} for wrong in (
            {"clear_depth": 1}, {"format": ["Z16"]}, {"layers": 10**12, "target": "2D_ARRAY"},
            {"layers": "TRND", "target": "2D_ARRAY"}, {"level": -1}, {"level": 0.0}, {"layer": 1},
            {"levels": 1, "level": 1}, {"width": 0},
        )),
        *({"in": SURFACE | wrong} for wrong in ({"tilings": 5}, {"usage": 5}, {"samples": [1]}, {"width": "x"})),
        {"q": "ims_px_size", "samples": 3},
        {"q": "ims_px_size", "samples": [4]},
        {"q": [1]},
        {"q": {}},
        {"q": "addr", "tiling": "X", "x": "0", "y": 0, "row_pitch_B": 512, "bit6_swizzle": False},
        {"q": "addr", "tiling": "X", "x": 0, "y": 0, "row_pitch_B": 512, "bit6_swizzle": 0},
    ],
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_an_argument_error(record: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError) as caught:
        answer(record)
    said = str(caught.value)
    assert [word for word in ("argument", "unhashable", "object is", "shift", "'int'") if word in said] == []


@pytest.mark.parametrize("name", ["surf", "tiling", "depthstencil_alignment"])
def test_members_beyond_the_question_are_kept_and_not_looked_at(name: str) -> None:
    for record in records(name)[:40]:
        more = {"id": 77, **record, "note": ["x"], "samples_seen": {"q": 1}}
        if "in" in more:
            more["in"] = {**record["in"], "note": "x", "in": {}}
        assert answer(more) == more


def test_answers_that_were_there_are_not_kept() -> None:
    stencil = next(record for record in records("surf") if record["in"]["kind"] == "stencil" and record["ok"])
    assert answer({**stencil, "hiz_ok": True, "hiz": {}}) == stencil


@pytest.mark.parametrize("name", ["surf", "tiling", "depthstencil_alignment"])
def test_the_members_of_an_answer_are_named_once(name: str) -> None:
    seen: dict[str, set[str]] = {}
    for record in records(name):
        seen.setdefault(kind_of_record(record), set()).update(set(record) & set(ANSWERS[kind_of_record(record)]))
    assert seen == {kind: set(ANSWERS[kind]) for kind in seen}


@pytest.mark.parametrize("layers", [10**6, 2**32 - 1])
def test_a_question_of_very_many_layers_is_answered_at_once(layers: int) -> None:
    asked = {"gen": "6", "target": "2D_ARRAY", "format": "Z24S8", "width": 4, "height": 4}
    got: Any = answer({"in": {**asked, "layers": layers, "layer": layers - 1, "attach": "same_texture"}})
    assert got["layout"]["qpitch"] == 4 + 4 + 11 * 4
    assert got["layout"]["offsets"] == [[0, layer, 0, layer * 52] for layer in (0, 1, layers - 1)]
