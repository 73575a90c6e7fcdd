"""``make sweep``, short: every capability vector of the device corpus, some states of each kind; and its parts."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import pytest

from statetracker.caps.devices import corpus
from tools.proofs.vulkan_sweep.__main__ import main
from tools.proofs.vulkan_sweep.states import AXES, BOUNDARY, LENGTHS
from tools.proofs.vulkan_sweep.sweep import Counts, newest_rows, sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps.devices import DeviceRow

INFO: Final = "VUID-VkSamplerCreateInfo-"


def swept(rows: Sequence[DeviceRow], **options: Any) -> Counts:
    total = Counts.nothing()
    for row in rows:
        total.add(sweep(row, **options))
    return total


def test_no_rule_is_broken_on_any_device_of_the_corpus() -> None:
    counts = swept(newest_rows(), every=800, randoms=3, records=4, seed=1)
    assert counts.texts == {}
    assert counts.violations.total() == 0
    assert counts.states == {"boundary": counts.states["boundary"], "random": 754 * 3, "records": 754 * 4}
    assert counts.states["boundary"] >= 754 * 5
    assert set(counts.fallbacks) == {"predefined", "custom", "custom-format", "swizzle-corrected", "in-shader"}
    assert counts.unsupported.keys() <= {"anisotropy", "reduction", "comparison", "filtering", "conversion"}
    assert {"border", "half_border", "fold", "limit_lod", "filter_texels", "fixed_depth"} <= counts.lowering.keys()


def test_no_rule_of_the_newest_vulkan_is_broken_either() -> None:
    counts = swept(newest_rows()[::2], every=800, randoms=2, records=4, seed=2, newest=True)
    assert counts.texts == {}
    assert counts.states.total() > 377 * 10


def test_zink_without_its_front_end_breaks_what_is_written_of_it() -> None:
    """So a sweep can find something."""
    counts = swept(newest_rows()[::5], every=BOUNDARY, randoms=0, records=40, seed=1, dialect="zink22")
    bare = {
        *("anisotropyEnable-01070", "anisotropyEnable-01071", "addressModeU-01079", "compareEnable-01423"),
        *("maxLod-01973", "customBorderColors-04085", "samplerMipLodBias-04467", "pNext-06726"),
        "nonSeamlessCubeMap-06788",
    }
    assert {INFO + rule for rule in bare} <= set(counts.rules)


def test_there_is_a_row_for_each_of_the_vectors() -> None:
    rows = newest_rows()
    assert [row.vector for row in rows] == list(range(754))
    newest = {row.vector: row.newest_report for row in rows}
    assert all(row.newest_report <= newest[row.vector] for row in corpus())


def test_every_pair_of_values_meets_in_the_boundary_set() -> None:
    shown = {name: [n % LENGTHS[name] % len(values) for n in range(BOUNDARY)] for name, values in AXES.items()}
    for one, other in combinations(AXES, 2):
        met = set(zip(shown[one], shown[other], strict=True))
        assert len(met) == len(AXES[one]) * len(AXES[other]), (one, other)


def test_the_command_prints_its_counts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.proofs.vulkan_sweep.__main__.newest_rows", lambda: newest_rows()[:3])
    assert main(["--every", "1000", "--randoms", "1", "--records", "1", "--workers", "1"]) == 0
    printed = capsys.readouterr().out
    assert "all, on 3 vectors" in printed
    broken = main(["--every", "1000", "--randoms", "1", "--records", "40", "--workers", "1", "--dialect", "zink22"])
    printed = capsys.readouterr().out
    assert broken == 1
    assert "compareEnable-01423: reductionMode is VK_SAMPLER_REDUCTION_MODE_" in printed
    assert "on vector 0, AMD RADV NAVI10" in printed
