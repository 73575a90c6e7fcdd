"""`statetracker.survey.classes`: devices that rules cannot distinguish."""

from __future__ import annotations

import statetracker as st
from statetracker.caps.devices import corpus
from statetracker.survey.classes import class_key, device_classes, reports_of, samples
from statetracker.vulkan import View

RGBA8 = View("R8G8B8A8_UNORM", cube=False)


def test_every_row_is_in_one_class_most_reports_first() -> None:
    classes = device_classes(RGBA8)
    assert sorted(row for one in classes for row in one.rows) == sorted(corpus())
    assert 100 < len(classes) < 300
    assert [reports_of(one.rows) for one in classes] == sorted((reports_of(one.rows) for one in classes), reverse=True)
    assert len({class_key(one.screen, RGBA8) for one in classes}) == len(classes)


def test_turnip_is_a_class_of_its_own() -> None:
    """Its name decides, so rows of one vector may be in two classes."""
    turnip = [{row.name.startswith("Turnip") for row in one.rows} for one in device_classes(RGBA8)]
    assert {True} in turnip
    assert all(len(kinds) == 1 for kinds in turnip)


def test_a_format_that_a_device_lacks_is_not_sampled() -> None:
    apple = st.Screen.device("#38162")
    assert samples(apple, RGBA8)
    assert not samples(apple, View("DXT1_RGB"))
    assert not samples(apple, View("NONE"))
