"""`statetracker.caps.devices`: the corpus, and how a device is looked up in it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker import events
from statetracker.caps import Screen, corpus, devices, matching, searching
from statetracker.caps.devices import DeviceRow, choose, device_facts, newest_row, row_differences
from statetracker.errors import AmbiguousName, ArgumentError, UnknownName

ADRENO: Final = "Adreno (TM) 640"
FILE: Final = Path(__file__).parents[2] / "caps" / "vulkan_devices.json.gz"


def test_corpus_is_all_there_with_its_attribution() -> None:
    data = json.loads(gzip.decompress(FILE.read_bytes()))
    assert len(corpus()) == len(data["devices"]) == 7003
    assert (len(data["vectors"]), data["license"]) == (754, "CC BY 4.0")
    words = FILE.with_name("vulkan_devices.README.md").read_text(encoding="utf-8")
    assert "CC BY 4.0" in words
    assert "kainino0x/gpuinfo-vulkan-reports-mirror" in words


def test_a_device_is_had_without_the_vectors_of_others() -> None:
    devices._vector.cache_clear()
    assert Screen.device("#38162").vulkan
    assert devices._vector.cache_info().misses == 1


def test_every_row_makes_a_screen_with_what_it_says() -> None:
    """Features, extensions, limits and every format's four bits come out as they stand in the file."""
    data = json.loads(gzip.decompress(FILE.read_bytes()))
    seen: set[int] = set()
    for row, raw in zip(corpus(), data["devices"], strict=True):
        screen = Screen.from_vulkan(device_facts(row))
        vector = data["vectors"][raw["vector"]]
        facts = screen.vulkan
        assert facts is not None
        assert (facts.device, facts.vendor_id, facts.device_id) == (raw["name"], raw["vendor_id"], raw["device_id"])
        assert ".".join(map(str, facts.api)) == raw["api"]
        if raw["vector"] in seen:
            continue
        seen.add(raw["vector"])
        assert facts.features == set(vector["features"])
        assert facts.extensions == set(vector["extensions"])
        assert facts.limits == {name: value for name, value in vector["limits"].items() if value is not None}
        assert sorted([m.optimal, m.linear] for m in (facts.formats or {}).values()) == sorted(
            vector["formats"].values()
        )
        assert screen.max_anisotropy >= (1.0 if "samplerAnisotropy" not in facts.features else 0.0)
    assert len(seen) == 754


def newest(*rows: tuple[str, str, int]) -> int:
    """The report of the row that `newest_row` takes, of one device's (Vulkan version, drivers, report)."""
    made = [DeviceRow("A", 1, 1, 0, 1, report, api, tuple(drivers.split())) for api, drivers, report in rows]
    return newest_row(made).newest_report


def test_the_newest_row_has_the_newest_vulkan_then_driver_then_report() -> None:
    """Numbers, not text; an old driver that was reported last is still old."""
    assert newest(("1.1.216", "0.2.1918", 9), ("1.3.313", "0.2.2108", 5), ("1.3.99", "0.2.2108", 8)) == 5
    assert newest(("1.2.0", "1.9 1.10", 1), ("1.2.0", "1.9", 3), ("1.2.0", "1.10", 2)) == 2


def test_drivers_of_two_kinds_do_not_compare() -> None:
    """Then the newest report decides between them, and the driver among its kind."""
    assert newest(("1.2.0", "23.1.0", 1), ("1.2.0", "2.0.0.1", 3), ("1.2.0", "2.0.0.2", 2)) == 2
    assert newest(("1.2.0", "", 1), ("1.2.0", "9.1", 2)) == 2
    other = DeviceRow("B", 1, 1, 0, 1, 7, "1.2.0", ("1.1",))
    assert newest_row([other, other._replace(name="C", drivers=("9.9",), newest_report=3)]) == other


def test_a_name_is_its_usual_vendors() -> None:
    """Another's driver that gives the name, an emulator's, is newer than it, and is not it."""
    assert choose(ADRENO).row.vendor_id == 0x5143
    assert {row.vendor_id for row in choose(ADRENO).others} == {0x5143, 0x1002}
    assert (choose("Adreno (TM) 740").row.vendor_id, choose("mali g610 panfrost").row.vendor_id) == (0x5143, 0x13B5)


@pytest.mark.parametrize(
    ("name", "api", "report"),
    [("Apple M1", "1.3.313", 38614), ("NVIDIA GeForce GTX 860M", "1.4.303", 37324), ("GeForce 840M", "1.2.175", 12492)],
)
def test_a_device_by_name_has_the_newest_vulkan_that_was_reported(name: str, api: str, report: int) -> None:
    choice = choose(name)
    assert (choice.row.api, choice.row.newest_report) == (api, report)
    assert f"Vulkan {api}" in str(choice.row)
    assert max(row.newest_report for row in choice.others) > report


def test_device_by_name_is_its_newest_row() -> None:
    """And says which others there are."""
    heard: list[tuple[str, str, dict[str, Any]]] = []
    events.listen(lambda *event: heard.append(event))
    try:
        screen = Screen.device(ADRENO)
    finally:
        events.quiet()
    choice = screen.corpus
    assert choice is not None
    assert (screen.name, choice.row.newest_report) == (ADRENO, 35402)
    assert {row.name for row in choice.others} == {ADRENO}
    assert [row.newest_report for row in choice.others] == sorted(
        (row.newest_report for row in choice.others), reverse=True
    )
    assert heard == [
        (
            "caps",
            "device-row-chosen",
            {"device": str(choice.row), "report": 35402, "others": [row.newest_report for row in choice.others]},
        )
    ]


@pytest.mark.parametrize("name", ["adreno 640", "ADRENO(TM) 640", " adreno  (tm) 640 "])
def test_case_marks_and_blanks_do_not_matter(name: str) -> None:
    assert Screen.device(name) == Screen.device(ADRENO)


@pytest.mark.parametrize(
    "asked",
    [
        {"name": ADRENO, "vendor_id": 0x5143, "device_id": 0x6040001},
        {"name": ADRENO, "vendor_id": 0x5143},
        {"report": 38434},
        {"name": ADRENO, "report": 38434},
    ],
)
def test_ids_and_report_numbers_find_a_device(asked: dict[str, Any]) -> None:
    row = choose(**asked).row
    assert (row.name, row.newest_report) == (ADRENO, asked.get("report", 35402))


@pytest.mark.parametrize("asked", [{"name": "5143:6040001"}, {"vendor_id": 0x5143, "device_id": 0x6040001}])
def test_ids_are_one_device_whatever_its_drivers_call_it(asked: dict[str, Any]) -> None:
    """Mesa's driver has the newest Vulkan."""
    choice = choose(**asked)
    assert (choice.row.name, choice.row.newest_report) == ("Turnip Adreno (TM) 640", 37367)
    assert ADRENO in {row.name for row in choice.others}


def test_ids_distinguish_two_devices_of_one_name() -> None:
    """A name is one device, whatever ids it was reported with; ids narrow it down."""
    row = choose(ADRENO, vendor_id=0x1002).row
    assert (row.vendor_id, row.newest_report) == (0x1002, 37190)


def test_driver_takes_another_row() -> None:
    """To the letter, or by its beginning: of the rows that fit, the newest one."""
    assert choose(ADRENO, driver="512.530.0").row.newest_report == 33479
    begun = choose(ADRENO, driver="512.4").row
    assert begun.newest_report == 38434
    assert all(row.newest_report != 33479 for row in [begun])
    assert choose(ADRENO, driver="512.415.0").row.newest_report == 23626
    assert choose("turnip adreno 640", driver="22.3.1").row.newest_report == 19410


def test_name_that_fits_several_devices_lists_them() -> None:
    """The text names the first, the error's attribute has all."""
    with pytest.raises(AmbiguousName) as caught:
        Screen.device("GeForce RTX 30")
    assert len(caught.value.candidates) > 12
    assert "NVIDIA GeForce RTX 3080" in caught.value.candidates
    assert str(caught.value).startswith("device: 'GeForce RTX 30' fits ")
    assert " more" in str(caught.value)
    with pytest.raises(AmbiguousName):
        choose(vendor_id=0x5143)


def test_unknown_device_is_met_with_the_nearest_names() -> None:
    with pytest.raises(UnknownName) as caught:
        Screen.device("Adrenno 640")
    assert "Adreno (TM) 640" in str(caught.value)
    with pytest.raises(UnknownName, match="screens --device TEXT"):
        Screen.device("zzzzzzzz")
    with pytest.raises(UnknownName):
        Screen.device("")


def test_unknown_driver_report_and_ids_are_met_with_what_there_is() -> None:
    with pytest.raises(UnknownName, match=r"driver: '1\.0' is not known; accepted: 512\.490\.0"):
        choose(ADRENO, driver="1.0", vendor_id=0x5143)
    with pytest.raises(UnknownName, match="report: 1 is not known; accepted: the newest report of a row: 38434"):
        choose(ADRENO, report=1)
    with pytest.raises(UnknownName, match="near are"):
        choose(ADRENO, vendor_id=1)
    with pytest.raises(UnknownName):
        choose(ADRENO, driver="")
    with pytest.raises(ArgumentError, match="a name, vendor_id, device_id or report"):
        choose()
    with pytest.raises(ArgumentError):
        choose(driver="512.490.0")


@given(st.sampled_from(corpus()))
def test_every_row_is_looked_up_by_its_report_and_among_those_of_its_name(row: Any) -> None:
    assert choose(report=row.newest_report).row == row
    if row.name.strip():
        choice = choose(row.name, driver=None)
        assert row in (choice.row, *choice.others)
        kin = [one for one in (choice.row, *choice.others) if one.vendor_id == choice.row.vendor_id]
        assert choice.row.api == max((one.api for one in kin), key=lambda api: [*map(int, api.split("."))])
    assert row in matching(f"{row.vendor_id:x}:{row.device_id:x}")


@pytest.mark.parametrize(
    "asked", [{"name": 38434}, {"vendor_id": "0x5143"}, {"name": "Adreno (TM) 640", "driver": 512}]
)
def test_numbers_and_texts_do_not_change_places(asked: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=r"accepted: (text|a whole number)"):
        Screen.device(**asked)


@pytest.mark.parametrize("text", ["(((", "#", "\u2122", "(TM)", " - "])
def test_marks_alone_name_no_device(text: str) -> None:
    """One row of the corpus has no name."""
    with pytest.raises(UnknownName) as caught:
        Screen.device(text)
    assert "Did you mean ?" not in str(caught.value)


def test_search_finds_a_row_by_its_report() -> None:
    for row in corpus()[:20]:
        assert [match.newest_report for match in searching(f" #{row.newest_report}")] == [row.newest_report]
    assert searching("#999999999") == []


def test_search_is_broader_than_a_match() -> None:
    """Every word, as a part of the name; newest first."""
    rows = searching("adreno 640")
    assert {"Adreno (TM) 640", "Turnip Adreno (TM) 640"} <= {row.name for row in rows}
    assert {row.name for row in matching("adreno 640")} == {"Adreno (TM) 640"}
    assert [row.newest_report for row in rows] == sorted((row.newest_report for row in rows), reverse=True)
    assert {row.vendor_id for row in searching("5143:6040001")} == {0x5143}
    assert searching("zzzz") == searching("") == []


def test_row_says_what_it_is_in_one_line() -> None:
    assert str(choose(ADRENO).row) == (
        "Adreno (TM) 640 [5143:6040001], Vulkan 1.1.276, report 35402, driver 512.744.16, 512.757.0, 512.777.0"
    )


def test_corpus_is_not_read_before_it_is_asked_for() -> None:
    program = "import statetracker as st; from statetracker.caps import devices; st.Screen.named('zink');"
    program += "print(devices._loaded.cache_info().currsize)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "0\n"


def test_what_was_asked_for_is_not_kept_for_good() -> None:
    """A service passes on what its users write; the names of all rows are kept."""
    assert len(corpus()) < (devices._plain.cache_info().maxsize or 0)


def test_a_choice_says_what_the_other_rows_offer_otherwise() -> None:
    """Held against the file: row 35402 has no custom border colours."""
    choice = choose(report=38434)
    assert set(choice.differences) == {row.newest_report for row in choice.others}
    named = choice.differences[35402]
    assert {"customBorderColors", "VK_EXT_custom_border_color", "maxCustomBorderColorSamplers"} <= set(named)
    assert named[-1] == "25 formats"
    assert row_differences(choice.row, choice.row) == ()
