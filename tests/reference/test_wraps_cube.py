"""Faces of a cube map and the texels beyond their edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.reference.wraps import FACES, across_the_edge, direction_of, face_of

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
