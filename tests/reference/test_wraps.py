"""Which texels an axis reads under each wrap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.pipe import TexWrap
from statetracker.reference.wraps import (
    BORDER,
    FACES,
    WRAPS,
    across_the_edge,
    direction_of,
    face_of,
    linear_taps,
    nearest_tap,
)

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


# Faces of a cube map and the texels beyond their edges


AXES = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]


def across(face: int, x: int, y: int, size: int) -> tuple[int, int, int]:
    """One texel."""
    met, column, row = across_the_edge(np.array([face]), np.array([x]), np.array([y]), size)
    return int(met[0]), int(column[0]), int(row[0])


@pytest.mark.parametrize(("face", "axis"), list(enumerate(AXES)))
def test_axis_meets_its_face_in_the_middle(face: int, axis: tuple[int, int, int]) -> None:
    """+x, -x, +y, -y, +z, -z."""
    met, s, t = face_of(np.array([axis], np.float64))
    assert (met[0], s[0], t[0]) == (face, 0.5, 0.5)


@given(some.integers(0, 5), some.floats(0.001, 0.999), some.floats(0.001, 0.999))
def test_direction_of_a_place_meets_that_place(face: int, s: float, t: float) -> None:
    """The two functions are inverse to each other."""
    met, found_s, found_t = face_of(direction_of(np.array([face]), np.array([s]), np.array([t])))
    assert met[0] == face
    assert (found_s[0], found_t[0]) == pytest.approx((s, t), abs=1e-12)


def test_worked_direction_of_the_standard() -> None:
    """(rx, ry, rz) = (2, 1, -0.5): face +x, sc = -rz, tc = -ry, over 2."""
    met, s, t = face_of(np.array([[2, 1, -0.5]]))
    assert (met[0], s[0], t[0]) == (0, (0.5 / 2 + 1) / 2, (-1 / 2 + 1) / 2)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 16])
@pytest.mark.parametrize("face", range(6))
def test_beyond_an_edge_lies_the_edge_of_a_neighbour(face: int, size: int) -> None:
    """Never the own or the opposite face, and going back from there leads home."""
    for place in range(size):
        for x, y in ((-1, place), (size, place), (place, -1), (place, size)):
            met, column, row = across(face, x, y, size)
            assert met // 2 != face // 2
            assert {column, row} & {0, size - 1}
            around = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
            back = [across(met, near_x, near_y, size) for near_x, near_y in around]
            assert (face, min(max(x, 0), size - 1), min(max(y, 0), size - 1)) in back


def test_inside_nothing_moves() -> None:
    """Also for faces of one texel."""
    assert across(3, 0, 0, 1) == (3, 0, 0)


def test_no_direction_meets_some_face() -> None:
    """Zero and NaN do not break it."""
    assert face_of(np.zeros((1, 3)))[0][0] in range(len(FACES))
    assert face_of(np.full((1, 3), np.nan))[0][0] in range(len(FACES))
