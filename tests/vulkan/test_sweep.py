"""``make sweep``, short: every capability vector of the device corpus, some states of each kind; and its parts."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import pytest

import statetracker as st
from statetracker.caps.devices import corpus
from statetracker.frontend.vulkan_view import vulkan_view
from statetracker.survey.classes import class_key
from tools.proofs.vulkan_sweep.__main__ import main
from tools.proofs.vulkan_sweep.boundary import boundary, screen_of
from tools.proofs.vulkan_sweep.states import AXES, BOUNDARY, LENGTHS, boundary_state
from tools.proofs.vulkan_sweep.sweep import Counts, newest_rows, sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps.devices import DeviceRow

INFO: Final = "VUID-VkSamplerCreateInfo-"


def swept(rows: Sequence[DeviceRow], **options: Any) -> Counts:
    total = Counts()
    for row in rows:
        total.add(sweep(row, **options))
    return total


def test_no_rule_is_broken_on_any_device_of_the_corpus() -> None:
    counts = swept(newest_rows(), randoms=2, records=2, seed=1)
    assert counts.texts == {}
    assert counts.violations.total() == 0
    assert counts.states == {"random": 754 * 2, "records": 754 * 2}
    assert set(counts.fallbacks) == {"predefined", "custom", "custom-format", "swizzle-corrected", "in-shader"}
    assert counts.unsupported.keys() <= {"anisotropy", "reduction", "comparison", "filtering", "conversion"}
    assert {"border", "half_border", "fold", "limit_lod", "filter_texels", "fixed_depth"} <= counts.lowering.keys()


def test_no_rule_of_the_newest_vulkan_is_broken_either() -> None:
    counts = swept(newest_rows()[::4], randoms=5, records=4, seed=2, newest=True)
    assert counts.texts == {}
    assert counts.states.total() > 188 * 8


def test_nor_by_the_boundary_set_which_converts_without_loss_but_by_anisotropy_and_of_integers() -> None:
    counts = Counts()
    for number in range(0, BOUNDARY, 1000):
        counts.add(boundary(number, newest_rows()))
    assert counts.texts == {}
    assert counts.states["boundary"] == 754 * 5
    assert counts.unsupported.keys() <= {"anisotropy", "filtering"}


def test_zink_without_its_front_end_breaks_what_is_written_of_it() -> None:
    """So a sweep can find something."""
    counts = swept(newest_rows()[::10], randoms=0, records=40, seed=1, dialect="zink22")
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


def test_devices_that_share_a_conversion_convert_alike() -> None:
    shared = 0
    for number in range(7, BOUNDARY, 900):
        state = boundary_state(number)
        groups: dict[object, list[st.Screen]] = defaultdict(list)
        for row in newest_rows()[::3]:
            screen = screen_of(row)
            groups[class_key(screen_of(row), vulkan_view(state.texture, screen, state.glsl130))].append(screen)
        for first, *others in groups.values():
            alone = converted(number, first)
            assert all(converted(number, other) == alone for other in others), number
            shared += len(others)
    assert shared > 500


def converted(number: int, screen: st.Screen) -> tuple[object, ...]:
    sampler, texture, seamless, glsl130 = boundary_state(number)
    result = st.convert(sampler, texture, screen, seamless=seamless, glsl130=glsl130)
    return result.vulkan, result.lowering, str(result.lowering_values), result.vulkan.unsupported


def test_the_command_prints_its_counts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.proofs.vulkan_sweep.__main__.newest_rows", lambda: newest_rows()[:3])
    asked = ["--every", "1000", "--randoms", "1", "--workers", "1"]
    assert main([*asked, "--records", "1"]) == 0
    printed = capsys.readouterr().out
    assert "all, on 3 vectors" in printed
    assert "what is left" in printed
    broken = main([*asked, "--records", "40", "--dialect", "zink22"])
    printed = capsys.readouterr().out
    assert broken == 1
    assert "compareEnable-01423: reductionMode is VK_SAMPLER_REDUCTION_MODE_" in printed
    assert "on vector 0, AMD RADV NAVI10" in printed
