"""The report as a reader sees it: in headless Chromium, on a desk and on a phone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.conformance.generate import cases_from
from statetracker.conformance.live import Failure
from statetracker.conformance.run import conform
from statetracker.conformance.tally import render
from tests.conformance import browser

if TYPE_CHECKING:
    from pathlib import Path

    from statetracker.conformance.tally import Tally

pytestmark = pytest.mark.live("chromium")

PHONE, DESK = 390, 1280
#: What `tallies` asks for.
LIVE_RUNS = pytest.mark.live("egl:llvmpipe", "egl:zink", "capture")
CRASH = Failure("crash", "the driver's process ended with signal 11 (segmentation fault)")


@pytest.fixture(scope="module")
def tallies() -> list[Tally]:
    """One run that agrees, one by the rules of another release that differs, and a case that was lost."""
    agrees = conform("llvmpipe", count=100, seed=12)
    differs = conform("zink", count=3, seed=2028, dialect="mesa21", cases=list(cases_from(2028, 13))[10:])
    assert differs.infos
    differs.failures.append((next(cases_from(12, 1)), CRASH))
    differs.cases += 1
    assert (agrees.differ, differs.differ, len(differs.mismatches)) == (0, 3, 3)
    assert "VkSamplerCreateInfo.unnormalizedCoordinates" in differs.members_differ, "the longest name there is"
    return [agrees, differs]


@pytest.fixture(scope="module")
def page(tallies: list[Tally]) -> str:
    return render(tallies, seed=12)


@pytest.fixture(scope="module", params=[PHONE, DESK])
def seen(request: pytest.FixtureRequest, page: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return browser.look(page, tmp_path_factory.mktemp("report"), width=request.param) | {"asked": request.param}


@LIVE_RUNS
def test_nothing_is_wider_than_the_window(seen: dict[str, Any]) -> None:
    """Closed as it comes, and with every part opened; what is wide scrolls by itself."""
    assert seen["width"] == seen["asked"]
    assert (seen["closed"], seen["open"]) == (seen["width"], seen["width"])
    assert seen["wide_closed"] + seen["wide_open"] == []


@LIVE_RUNS
def test_nothing_is_fetched_and_no_script_fails(seen: dict[str, Any], page: str) -> None:
    assert (seen["fetched"], seen["refused"], seen["errors"]) == ([], [], [])
    assert re.findall(r"(?:src|href|action)\s*=|url\(|@import|https?:", page) == []


@LIVE_RUNS
def test_totals_are_there(seen: dict[str, Any], tallies: list[Tally]) -> None:
    text = " ".join(seen["text"].split())
    agrees, differs = tallies
    assert f"cases {agrees.cases} in " in text
    assert "agree 100 (100.000%) differ 0 lost 0" in text
    assert f"cases {differs.cases} in " in text
    assert "3 differ, 1 lost" in text
    assert f"{CRASH.kind} in case 12/0: {CRASH.detail}" in text


@LIVE_RUNS
def test_heat_map_has_every_case_and_colours_what_differs(seen: dict[str, Any], tallies: list[Tally]) -> None:
    counts = [count for tally in tallies for count in tally.cells.values()]
    assert sorted(count for count, _ in seen["cells"] if count) == sorted(counts)
    colours = {colour.replace(" ", "") for count, colour in seen["cells"] if count}
    assert [one for one in colours if one.startswith("rgba(46,125,50")]
    assert [one for one in colours if one.startswith(("rgb(198,40,40", "rgba(198,40,40"))]
    assert len(colours) == len({one for one in colours if "46,125,50" in one or "198,40,40" in one})


@LIVE_RUNS
def test_a_mismatch_is_explained_and_can_be_pasted(seen: dict[str, Any], tallies: list[Tally]) -> None:
    text = " ".join(seen["text"].split())
    for mismatch in tallies[1].mismatches:
        assert " ".join(mismatch.explanation.split()) in text
        assert " ".join(mismatch.test.split()) in text
        for part in mismatch.differences:
            assert part.what in text


# That the browser would have noticed

EMPTY = "<!doctype html><html><head></head><body>{}</body></html>"


@pytest.mark.parametrize(
    ("body", "noticed"),
    [
        ("<img src='http://192.0.2.1/a.png'>", "refused"),
        ("<script>nothing.there()</script>", "errors"),
        ("<div style='width: 600px'>wide</div>", "wide_closed"),
        ("<details><summary>more</summary><div style='width: 600px'>wide</div></details>", "wide_open"),
    ],
)
def test_a_bad_page_is_noticed(tmp_path: Path, body: str, noticed: str) -> None:
    seen = browser.look(EMPTY.format(body), tmp_path, width=PHONE)
    assert seen[noticed]
    clean = {"refused", "errors", "wide_closed", "wide_open"} - {noticed}
    if noticed.startswith("wide"):
        assert seen["open"] > PHONE
        clean -= {"wide_open"}
    if noticed == "refused":
        clean -= {"errors"}
    assert [name for name in clean if seen[name]] == []
