"""Cube maps: which face a direction meets and where, and which texel lies beyond a face's edge.

Source: OpenGL 4.6, 8.13 (table 8.19) and 8.13.1 (seamless cube map filtering).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from statetracker.reference.wraps import Floats, Indices

#: Face -> (the major axis and its sign, then the axis and sign of s and of t). Source: GL 4.6, table 8.19.
# fmt: off
FACES: Final = (
    #   major       s           t
    ((0, 1.0),  (2, -1.0),  (1, -1.0)),   # +x
    ((0, -1.0), (2, 1.0),   (1, -1.0)),   # -x
    ((1, 1.0),  (0, 1.0),   (2, 1.0)),    # +y
    ((1, -1.0), (0, 1.0),   (2, -1.0)),   # -y
    ((2, 1.0),  (0, 1.0),   (1, -1.0)),   # +z
    ((2, -1.0), (0, -1.0),  (1, -1.0)),   # -z
)
# fmt: on
_MAJOR_AXIS: Final = np.array([row[0][0] for row in FACES])
_S_AXIS, _S_SIGN = (np.array([row[1][part] for row in FACES]) for part in (0, 1))
_T_AXIS, _T_SIGN = (np.array([row[2][part] for row in FACES]) for part in (0, 1))


def face_of(direction: Floats) -> tuple[Indices, Floats, Floats]:
    """Return the face that each direction (n, 3) meets, and s and t on it, in [0, 1].

    Where two components are equally large z wins over y, and y over x. A direction of length 0 gives face +z at
    (0.5, 0.5).
    """
    size = np.abs(direction)
    axis = np.where(
        (size[:, 2] >= size[:, 0]) & (size[:, 2] >= size[:, 1]), 2, np.where(size[:, 1] >= size[:, 0], 1, 0)
    )
    rows = np.arange(len(direction))
    major = direction[rows, axis]
    face = 2 * axis + (major < 0)
    scale = np.where(major == 0, 1.0, np.abs(major))
    s = _S_SIGN[face] * direction[rows, _S_AXIS[face]] / scale
    t = _T_SIGN[face] * direction[rows, _T_AXIS[face]] / scale
    return face, (s + 1) / 2, (t + 1) / 2


def direction_of(face: Indices, s: Floats, t: Floats) -> Floats:
    """Return a direction (n, 3) that meets a face at (s, t); the inverse of `face_of` inside a face."""
    rows = np.arange(len(face))
    direction = np.zeros((len(face), 3))
    direction[rows, _MAJOR_AXIS[face]] = np.where(face % 2, -1.0, 1.0)
    direction[rows, _S_AXIS[face]] = _S_SIGN[face] * (2 * s - 1)
    direction[rows, _T_AXIS[face]] = _T_SIGN[face] * (2 * t - 1)
    return direction


def across_the_edge(face: Indices, x: Indices, y: Indices, size: int) -> tuple[Indices, Indices, Indices]:
    """Return the texel (face, x, y) that continues a face at indices one beyond its edge; those inside stay.

    At a corner, where both indices are outside, three faces meet and no texel continues: the result is one of the
    two that share an edge with the corner, and callers must not use it.
    """
    outside = (x < 0) | (x >= size) | (y < 0) | (y >= size)
    if not outside.any():
        return face, x, y
    met, s, t = face_of(direction_of(face, (x + 0.5) / size, (y + 0.5) / size))
    column = np.clip(np.floor(s * size), 0, size - 1).astype(np.int64)
    row = np.clip(np.floor(t * size), 0, size - 1).astype(np.int64)
    return np.where(outside, met, face), np.where(outside, column, x), np.where(outside, row, y)
