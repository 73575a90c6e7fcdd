"""`statetracker.survey.report`: portability, held against plain loops over the corpus as it stands in its file."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

import statetracker as st
from statetracker.caps.devices import corpus, device_facts
from statetracker.errors import ArgumentError
from statetracker.survey import KINDS, Portability, as_page, outcome
from tests.conformance import browser

if TYPE_CHECKING:
    from collections.abc import Callable

FILE: Final = Path(__file__).parents[2] / "caps" / "vulkan_devices.json.gz"
SAMPLED: Final = 0x1  # of VkFormatFeatureFlags
LINEAR: Final = 0x1000
D32: Final = "126"  # VK_FORMAT_D32_SFLOAT

PLAIN: Final = st.Sampler(wrap="clamp-to-edge", min_filter="linear", mag_filter="linear")
SHADOW: Final = PLAIN.copy(wrap="clamp", compare_mode=True, max_anisotropy=4.0, border_color=(1, 1, 1, 1))
RGBA8: Final = st.Texture("2d", "RGBA8")
DEPTH: Final = st.Texture("2d", "DEPTH_COMPONENT24")


@cache
def raw() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(gzip.decompress(FILE.read_bytes()))
    return data


def reports(holds: Callable[[dict[str, Any]], bool]) -> int:
    """Reports of devices whose vector in the file is like that."""
    return sum(row["reports"] for row in raw()["devices"] if holds(raw()["vectors"][row["vector"]]))


def with_work(seen: Portability, name: str) -> int:
    return sum(group.share.reports for group in seen.groups if name in dict(group.outcome.work))


def test_depth_of_32_bits_that_is_not_filtered_is_counted_as_in_the_file() -> None:
    seen = st.portability(PLAIN, st.Texture("2d", "DEPTH_COMPONENT32F"), changes=False)
    unfiltered = reports(lambda vector: not vector["formats"].get(D32, [0, 0])[0] & LINEAR)
    unsampled = reports(lambda vector: not vector["formats"].get(D32, [0, 0])[0] & SAMPLED)
    assert (unfiltered, unsampled) == (6709, 21)
    assert with_work(seen, "filter_texels") == unfiltered
    assert seen.kinds["impossible"].reports == unsampled
    assert seen.kinds["shader"].reports == unfiltered - unsampled


def test_devices_without_custom_border_colours_are_counted_as_in_the_file() -> None:
    """38.5 % lack the feature; the shader's are these, and those without the extension or a single colour."""
    sampler = PLAIN.copy(wrap="clamp-to-border", border_color=(0.25, 0.5, 0.75, 1.0))
    seen = st.portability(sampler, RGBA8, changes=False)
    without = reports(lambda vector: "customBorderColors" not in vector["features"])
    assert (without, round(without / 36461, 3)) == (14050, 0.385)

    def cannot(vector: dict[str, Any]) -> bool:
        gone = "customBorderColors" not in vector["features"] or not vector["limits"]["maxCustomBorderColorSamplers"]
        return gone or "VK_EXT_custom_border_color" not in vector["extensions"]

    assert with_work(seen, "border") == reports(cannot) == 15028


def test_devices_whose_lod_bias_ends_below_16_are_counted_as_in_the_file() -> None:
    seen = st.portability(PLAIN.copy(lod_bias=16.0), RGBA8, changes=False)

    def short(vector: dict[str, Any]) -> bool:
        fixed = "VK_KHR_portability_subset" in vector["extensions"] and "samplerMipLodBias" not in vector["features"]
        return fixed or vector["limits"]["maxSamplerLodBias"] < 16

    assert reports(lambda vector: vector["limits"]["maxSamplerLodBias"] < 16) == 24752
    assert with_work(seen, "add_lod_bias") == reports(short) == 24752


def test_every_row_of_the_corpus_is_in_one_group_and_shares_add_up() -> None:
    seen = st.portability(SHADOW, DEPTH, changes=False)
    assert sorted(row for group in seen.groups for row in group.rows) == sorted(corpus())
    assert sum(share.reports for share in seen.kinds.values()) == 36461
    assert sum(share.devices for share in seen.kinds.values()) == 7003
    assert sum(sum(kinds.values()) for kinds in seen.vendors.values()) == 36461
    assert [group.outcome.rank for group in seen.groups] == sorted(group.outcome.rank for group in seen.groups)
    assert (seen.best.outcome.kind, seen.worst.outcome.kind) == ("shader", "impossible")
    assert seen.classes < 754


def test_a_class_stands_for_its_rows() -> None:
    """Random rows, each converted on a screen of its own."""
    rng = Random(4)  # noqa: S311 (the same in every run)
    states = ((SHADOW, DEPTH), (PLAIN.copy(wrap="mirror-clamp-ext", lod_bias=14.5), st.Texture("2d", "RGBA4")))
    for sampler, texture in states:
        seen = st.portability(sampler, texture, changes=False)
        where = {row: group.outcome for group in seen.groups for row in group.rows}
        for row in rng.sample(corpus(), 300):
            screen = st.Screen.from_vulkan(device_facts(row))
            assert where[row] == outcome(st.convert(sampler, texture, screen), screen), row


def test_the_cheapest_change_does_what_it_says() -> None:
    """Without anisotropy the shadow map is exact wherever its format is; native it can be on two in three."""
    seen = st.portability(SHADOW, DEPTH)
    assert seen.exact is not None
    assert seen.native is not None
    assert (dict(seen.exact.members), seen.exact.missed) == ({"max_anisotropy": 1.0}, 0)
    assert seen.native.members["wrap_s"] == "clamp-to-edge"
    for change, kinds in ((seen.exact, ("native", "shader")), (seen.native, ("native",))):
        after = st.portability(SHADOW.copy(**change.members), DEPTH, changes=False).kinds
        missed = 36461 - sum(after[kind].reports for kind in kinds)
        assert missed == change.missed + after["impossible"].reports * ("shader" in kinds or 1)
    assert seen.lacking == "Z24X8_UNORM"
    assert str(seen).endswith("wherever Z24X8_UNORM can be sampled with max_anisotropy 1.0.")


def test_advice_counts_what_it_does_not_reach_beside_what_cannot_be_sampled() -> None:
    """One report is no 0.00 %, and those without the format are not reached either."""
    seen = st.portability(PLAIN.copy(max_anisotropy=16), st.Texture("2d", "RGB565"))
    assert seen.native is not None
    assert seen.native.missed == 1
    said = "It is native wherever B5G6R5_UNORM can be sampled, but for 1 of 36,461 reports, with max_anisotropy 1.0."
    assert seen.advice[0] == said


def test_what_is_native_wherever_it_is_a_texture_needs_no_change() -> None:
    seen = st.portability(PLAIN.copy(min_filter="nearest", mag_filter="nearest"), RGBA8)
    assert seen.native is seen.exact is None
    assert seen.advice[0] == "It is native wherever R8G8B8A8_UNORM can be sampled."
    assert {kind: share.reports for kind, share in seen.kinds.items()} == dict(
        zip(KINDS, (36459, 0, 0, 2), strict=True)
    )


def test_a_device_is_looked_up_by_its_name() -> None:
    seen = st.portability(PLAIN.copy(wrap="clamp-to-border", border_color=(1, 0, 0.6, 1)), RGBA8, changes=False)
    ((row, became),) = seen.of("#38162")
    assert (row.name, became.kind, dict(became.work)) == ("Apple A12 GPU", "shader", {"border": "str"})


def test_it_is_plain_data_and_text() -> None:
    seen = st.portability(None, DEPTH, seamless=True, unit_lod_bias=-20.0)
    data = json.loads(json.dumps(seen.to_dict()))
    assert data["all"] == {"vectors": 754, "devices": 7003, "reports": 36461}
    assert sum(group["reports"] for group in data["groups"]) == 36461
    assert {"add_lod_bias"} <= {name for group in data["groups"] for name in group["shader"]}
    assert f"{data['kinds']['shader']['reports']:,}" in str(seen)


def test_what_is_no_sampler_is_refused() -> None:
    with pytest.raises(ArgumentError, match="a Sampler, or None"):
        st.portability(None, RGBA8.facts())


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
