"""Which texels an axis reads under each wrap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.pipe import TexWrap
from statetracker.reference.wraps import BORDER, WRAPS, linear_taps, nearest_tap

B = BORDER
#: Wrap -> texels that nearest filtering of four reads at u = -5.5, -4.5, ... 9.5 (four texels: 0 to 3).
NEAREST = {
    "REPEAT": [2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1],
    "CLAMP": [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3],
    "CLAMP_TO_EDGE": [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3],
    "CLAMP_TO_BORDER": [B, B, B, B, B, B, 0, 1, 2, 3, B, B, B, B, B, B],
    "MIRROR_REPEAT": [2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1],
    "MIRROR_CLAMP": [3, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3],
    "MIRROR_CLAMP_TO_EDGE": [3, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3],
    "MIRROR_CLAMP_TO_BORDER": [B, B, 3, 2, 1, 0, 0, 1, 2, 3, B, B, B, B, B, B],
}
places = some.floats(-100, 100, width=32)
sizes = some.integers(1, 17)


def test_every_wrap_has_a_row() -> None:
    """None can hide in a default."""
    assert set(WRAPS) == set(TexWrap) == {TexWrap[name] for name in NEAREST}


@pytest.mark.parametrize("wrap", NEAREST)
def test_nearest_texels_of_four(wrap: str) -> None:
    assert nearest_tap(TexWrap[wrap], np.arange(-5.5, 10), 4).tolist() == NEAREST[wrap]


@pytest.mark.parametrize("wrap", TexWrap)
@given(u=places, size=sizes)
def test_linear_reads_neighbours_with_a_fraction(wrap: TexWrap, u: float, size: int) -> None:
    """Indices are texels or the border; the weight is at least 0 and below 1."""
    taps = linear_taps(wrap, np.array([u]), size)
    assert 0 <= taps.weight[0] < 1
    assert all(index[0] in range(BORDER, size) for index in (taps.first, taps.second))


@pytest.mark.parametrize("wrap", TexWrap)
@given(u=places, size=sizes)
def test_inside_all_wraps_read_the_same(wrap: TexWrap, u: float, size: int) -> None:
    """Between the outermost texel centres nothing wraps."""
    inside = 0.5 + abs(u) % 1 * (size - 1)
    taps, plain = (
        linear_taps(wrap, np.array([inside]), size),
        linear_taps(TexWrap.CLAMP_TO_EDGE, np.array([inside]), size),
    )
    assert taps.first == plain.first
    assert taps.weight == plain.weight
    assert taps.second == plain.second or plain.weight == 0


@pytest.mark.parametrize("wrap", TexWrap)
@pytest.mark.parametrize("u", [np.nan, np.inf, -np.inf])
def test_no_number_breaks_it(wrap: TexWrap, u: float) -> None:
    """NaN reads as 0, infinities as very large numbers."""
    assert nearest_tap(wrap, np.array([u]), 3)[0] in range(BORDER, 3)
    assert linear_taps(wrap, np.array([u]), 3).first[0] in range(BORDER, 3)
