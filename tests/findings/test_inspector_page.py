"""The page: one file, everything in it escaped, readable where it is narrow."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import statetracker as st
from statetracker.findings import Inspection, inspect
from statetracker.findings.inspector import as_page
from statetracker.findings.rules import RULES, SEVERITIES, Finding

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def tour() -> Inspection:
    return inspect(str(DATA / "programs" / "sampler-tour.dump.txt.gz"))


def test_it_has_every_finding_and_every_state(tour: Inspection) -> None:
    page = as_page(tour, st.Screen.named("webgpu"), ["It looks right somewhere."])
    for kind, means in SEVERITIES.items():
        assert f"<b>{len(tour.severities[kind])}</b>{kind}<br><small>{means}" in page
    assert all(one.subject in page for one in tour.findings)
    assert page.count("<figure>") == len(tour.uses)
    assert page.count("data:image/png;base64,") == len(tour.uses)
    assert "It looks right somewhere." in page
    assert "on webgpu: <b>" in page


def test_it_says_that_nothing_has_to_be_changed_only_of_what_looks_right_on_the_device(tour: Inspection) -> None:
    words, webgpu = "Nothing has to be changed for the picture to be right", st.Screen.named("webgpu")
    right = inspect(str(DATA / "faults" / "right.dump.txt.gz"))
    stretched = right.uses[0].sampler.copy(filter=("nearest", "linear"), max_anisotropy=16.0)
    assert words in as_page(right)
    assert words in as_page(right, webgpu)
    assert words not in as_page(tour)
    assert words not in as_page(right._replace(uses=(replace(right.uses[0], sampler=stretched),)), webgpu)


def test_nothing_is_loaded_from_elsewhere_and_all_is_escaped(tour: Inspection) -> None:
    evil = Finding("incomplete", "<script>alert(1)</script>", '"&', 0, 1, 1)
    page = as_page(tour._replace(findings=(evil,), uses=()))
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=\"(?!data:)", page)


def test_frames_are_drawn_where_there_are_several(tour: Inspection) -> None:
    quiet = dict.fromkeys(tour.frames[0], 0)
    frames = tuple({**quiet, "binds": number % 7} for number in range(1000))
    page = as_page(tour._replace(frames=frames, uses=()))
    assert "changes of what units sample with, at most 6 a frame" in page
    assert "GL errors, at most" not in page
    assert page.count("<rect") <= 240
    assert "<svg" not in as_page(tour._replace(frames=(quiet,), uses=()))


def test_many_findings_of_a_rule_are_counted(tour: Inspection) -> None:
    many = tuple(Finding("in-vain", f"call {number}", "again", None, number, 1) for number in range(80))
    page = as_page(tour._replace(findings=many, uses=()))
    assert "and 30 more" in page
    assert RULES["in-vain"].advice in page
