"""`as_page`: the page itself, and in a browser: as wide as a phone and a desk, filtered, alone."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import statetracker as st
from statetracker.survey import KINDS, as_page
from tests.conformance import browser

if TYPE_CHECKING:
    from pathlib import Path

TITLE = "<b>&shadow.toml"
PHONE, DESK = 390, 1280


@cache
def page() -> str:
    sampler = st.Sampler(wrap="clamp", min_filter="linear", compare_mode=True, max_anisotropy=4.0, lod_bias=3.0)
    got = st.portability(sampler, st.Texture("2d", "DEPTH_COMPONENT24"), changes=False)
    return as_page(got, title=TITLE, state="sampler wrap = clamp")


def look(tmp_path: Path, *, width: int, script: str = "") -> dict[str, Any]:
    """Open the page after a script has used its filter."""
    acted = page().replace("</body>", f"<script>{script}</script></body>") if script else page()
    return browser.look(acted, tmp_path, width=width)


def chose(**values: str) -> str:
    lines = (f"{name}.value = {json.dumps(value)};" for name, value in values.items())
    return f"{' '.join(lines)} words.dispatchEvent(new Event('input'));"


def test_texts_of_others_are_no_markup() -> None:
    assert TITLE not in page()
    assert "&lt;b&gt;&amp;shadow.toml" in page()
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page())
    assert "<" not in data
    assert len(json.loads(data)["rows"]) == 7003
    assert json.loads(data)["kinds"] == list(KINDS)


def test_it_asks_for_nothing_from_elsewhere() -> None:
    assert re.findall(r"""(?:src|href|@import|url)\s*[=(]""", page()) == []


@pytest.mark.live("chromium")
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_it_fits_and_says_no_error(tmp_path: Path, width: int) -> None:
    seen = look(tmp_path, width=width)
    assert (seen["errors"], seen["refused"], seen["fetched"]) == ([], [], [])
    assert seen["width"] == seen["closed"] == seen["open"] == width
    assert seen["wide_closed"] == []
    assert "7,003 rows, 36,461 reports; the 100 with most reports below" in seen["text"]
    assert "NVIDIA" in seen["text"]


@pytest.mark.live("chromium")
def test_the_filter_narrows_rows_and_chart(tmp_path: Path) -> None:
    one = look(tmp_path, width=DESK, script=chose(words="GPU a12 apple"))["text"]
    listed = one.partition("Devices")[2].partition("Outcomes")[0]
    rows = re.findall(r"^(.*)\n(?:.*\n)?.*#\d+", listed, re.MULTILINE)
    assert re.search(r"^(\d+) rows, \d+ reports$", listed, re.MULTILINE)
    assert "Apple A12 GPU" in listed
    assert "Adreno" not in listed
    assert rows


@pytest.mark.live("chromium")
def test_the_filter_takes_an_outcome_and_a_vendor_and_may_leave_nothing(tmp_path: Path) -> None:
    both = look(tmp_path, width=DESK, script=chose(kind="impossible", vendor="Intel"))["text"]
    assert "11 rows, 19 reports" in both
    none = look(tmp_path, width=PHONE, script=chose(words="no such device"))
    assert "0 rows, 0 reports" in none["text"]
    assert none["errors"] == []
