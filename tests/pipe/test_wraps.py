"""`statetracker.pipe.wraps`: every wrap has its row, and the rows are right."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import statetracker as st
from statetracker.pipe import READS_BORDER, WRAPS, SamplerState, TexWrap
from statetracker.pipe.wraps import image_filters, with_image_filters
from statetracker.reference import wraps as reference


def test_every_wrap_has_a_row() -> None:
    """In the order of the enum."""
    assert list(WRAPS) == list(TexWrap)


@pytest.mark.parametrize("wrap", TexWrap)
def test_wraps_to_lower_are_those_that_clamp_halfway(wrap: TexWrap) -> None:
    """CLAMP and MIRROR_CLAMP go to their own border and edge."""
    facts = WRAPS[wrap]
    assert facts.clamps is wrap.name.endswith("CLAMP")
    if facts.clamps:
        assert (facts.border.name, facts.edge.name) == (f"{wrap.name}_TO_BORDER", f"{wrap.name}_TO_EDGE")


@pytest.mark.parametrize("wrap", TexWrap)
def test_odd_wraps_read_the_border(wrap: TexWrap) -> None:
    """Those that clamp, but not to the edge; so one mask over word 0 finds them."""
    reads = WRAPS[wrap].reads_border
    assert reads is ("CLAMP" in wrap.name and "EDGE" not in wrap.name) is bool(wrap & 1)
    for axis in ("wrap_s", "wrap_t", "wrap_r"):
        fields: dict[str, Any] = {axis: wrap}
        word = int.from_bytes(bytes(SamplerState(**fields))[:4], "little")
        assert bool(word & READS_BORDER) is reads


@pytest.mark.parametrize("wrap", TexWrap)
def test_the_reference_unit_reads_the_border_where_the_table_says(wrap: TexWrap) -> None:
    """With linear filtering; with nearest GL_CLAMP is its own edge form."""
    facts, rule = WRAPS[wrap], reference.WRAPS[wrap]
    assert (rule.linear is reference.WRAPS[TexWrap.CLAMP_TO_BORDER].linear) is facts.reads_border
    assert (rule.nearest is rule.linear) is not facts.clamps


@pytest.mark.parametrize("wrap", TexWrap)
def test_a_mirrored_clamp_folds_to_the_wrap_of_its_name(wrap: TexWrap) -> None:
    folded = WRAPS[wrap].folded
    mirrored = wrap.name.startswith("MIRROR_CLAMP")
    assert WRAPS[wrap].mirrors is mirrored
    assert (folded is not None and folded.name == wrap.name.removeprefix("MIRROR_")) is mirrored


@pytest.mark.parametrize("wrap", TexWrap)
def test_a_wrap_without_border_is_its_own_form_and_one_with_it_ends_at_its_edge(wrap: TexWrap) -> None:
    """MIRROR_CLAMP_TO_BORDER ends at MIRROR_CLAMP_TO_EDGE."""
    facts = WRAPS[wrap]
    if not facts.reads_border:
        assert facts.border is facts.edge is wrap
    else:
        assert facts.edge.name == wrap.name.removesuffix("_TO_BORDER") + "_TO_EDGE"


NAN, INFINITE = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("low", "high", "both"),
    [
        (0.0, 1000.0, (0, 1)),
        (-1.0, 0.25, (0, 1)),
        (0.25, 1000.0, (0, 0)),  # never magnified
        (1.0, 0.0, (0, 0)),  # the lower limit decides
        (0.0, 0.0, (1, 1)),  # never minified
        (-5.0, -1.0, (1, 1)),
        (NAN, NAN, (0, 1)),
        (INFINITE, INFINITE, (0, 0)),
    ],
)
def test_limits_that_leave_out_a_filter(low: float, high: float, both: tuple[int, int]) -> None:
    assert image_filters(0, 1, 2, low, high) == both
    assert image_filters(1, 0, 2, low, high) == tuple(1 - one for one in both)


@pytest.mark.parametrize("mips", [0, 1])
def test_with_mipmaps_the_limits_are_the_devices(mips: int) -> None:
    assert image_filters(0, 1, mips, 1.0, 2.0) == (0, 1)


def test_a_state_keeps_all_else() -> None:
    for low, mips in itertools.product((0.0, 0.5), ("NONE", "LINEAR")):
        state = st.SamplerState(
            wrap_s="CLAMP", min_img_filter="NEAREST", mag_img_filter="LINEAR", min_mip_filter=mips, min_lod=low,
            max_lod=4.0,
        )  # fmt: skip
        changed = low > 0 and mips == "NONE"
        assert with_image_filters(state) == state.replace(mag_img_filter="NEAREST" if changed else "LINEAR")
