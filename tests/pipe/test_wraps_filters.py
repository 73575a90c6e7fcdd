"""Which image filters a state without mipmaps can use."""

from __future__ import annotations

import itertools

import pytest

import statetracker as st
from statetracker.pipe.wraps import image_filters, with_image_filters

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
