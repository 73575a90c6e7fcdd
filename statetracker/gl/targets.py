"""Texture targets: which calls take each, which contexts have it, which views it can be given.

One row a target. Source: docs/textures.md (GL 4.6, tables 8.20 and 8.15 and sections 8.5 to 8.19; GLES 3.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import enums as e
from statetracker.gl.availability import ALWAYS, DESKTOP, MODERN, Gate

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FACE_TARGETS", "MULTISAMPLE", "POSITIVE_X", "PROXIES", "TARGETS", "TargetRule", "taking"]

T = e.Target

#: The first cube face; the others follow.
POSITIVE_X: Final = 0x8515
FACE_TARGETS: Final = frozenset(range(POSITIVE_X, POSITIVE_X + 6))


class TargetRule(NamedTuple):
    """What calls a target is for.

    gate         contexts that have it
    image        dimensions of the glTexImage call that takes it (for a cube: takes its faces); 0: none
    storage      dimensions of the glTexStorage call that takes it; 0: none
    multisample  dimensions of the multisample calls that take it; 0: none
    named        whether its textures can be set and asked by name
    proxy        its proxy target; 0: none
    views        targets that a view of such a texture can have
    """

    gate: Gate
    image: int
    storage: int
    multisample: int
    named: bool
    proxy: int
    views: tuple[int, ...]


_CUBE_ARRAY: Final = Gate(gles=32, gles_extensions=("GL_OES_texture_cube_map_array", "GL_EXT_texture_cube_map_array"))
_BUFFER: Final = Gate(gles=32, gles_extensions=("GL_OES_texture_buffer", "GL_EXT_texture_buffer"))
_EXTERNAL: Final = Gate(
    desktop=None, gles=99, gles_extensions=("GL_OES_EGL_image_external", "GL_OES_EGL_image_external_essl3")
)
_SAMPLES: Final = Gate(gles=31)
_SAMPLES_ARRAY: Final = Gate(gles=32, gles_extensions=("GL_OES_texture_storage_multisample_2d_array",))
_CUBE: Final = Gate(gles=20, gles_extensions=("GL_OES_texture_cube_map",))
_VOLUME: Final = Gate(gles=30, gles_extensions=("GL_OES_texture_3D",))

_1D: Final = (T.TEXTURE_1D, T.TEXTURE_1D_ARRAY)
_2D: Final = (T.TEXTURE_2D, T.TEXTURE_2D_ARRAY)
_3D: Final = (T.TEXTURE_3D,)
_RECTANGLE: Final = (T.TEXTURE_RECTANGLE,)
_LAYERS: Final = (*_2D, T.TEXTURE_CUBE_MAP, T.TEXTURE_CUBE_MAP_ARRAY)
#: Targets whose texels have several samples; no filter reads them.
MULTISAMPLE: Final = frozenset(int(target) for target in T if target.is_multisample)

_MS: Final = (T.TEXTURE_2D_MULTISAMPLE, T.TEXTURE_2D_MULTISAMPLE_ARRAY)

# fmt: off
TARGETS: Final[Mapping[int, TargetRule]] = {
    #                                          gate            image storage samples named  proxy   views
    T.TEXTURE_1D:                   TargetRule(DESKTOP,        1,    1,      0,      True,  0x8063, _1D),
    T.TEXTURE_2D:                   TargetRule(ALWAYS,         2,    2,      0,      True,  0x8064, _2D),
    T.TEXTURE_3D:                   TargetRule(_VOLUME,        3,    3,      0,      True,  0x8070, _3D),
    T.TEXTURE_RECTANGLE:            TargetRule(DESKTOP,        2,    2,      0,      True,  0x84F7, _RECTANGLE),
    T.TEXTURE_CUBE_MAP:             TargetRule(_CUBE,          2,    2,      0,      True,  0x851B, _LAYERS),
    T.TEXTURE_1D_ARRAY:             TargetRule(DESKTOP,        2,    2,      0,      True,  0x8C19, _1D),
    T.TEXTURE_2D_ARRAY:             TargetRule(MODERN,         3,    3,      0,      True,  0x8C1B, _LAYERS),
    T.TEXTURE_BUFFER:               TargetRule(_BUFFER,        0,    0,      0,      False, 0,      ()),
    T.TEXTURE_EXTERNAL_OES:         TargetRule(_EXTERNAL,      0,    0,      0,      False, 0,      ()),
    T.TEXTURE_CUBE_MAP_ARRAY:       TargetRule(_CUBE_ARRAY,    3,    3,      0,      True,  0x900B, _LAYERS),
    T.TEXTURE_2D_MULTISAMPLE:       TargetRule(_SAMPLES,       0,    0,      2,      True,  0x9101, _MS),
    T.TEXTURE_2D_MULTISAMPLE_ARRAY: TargetRule(_SAMPLES_ARRAY, 0,    0,      3,      True,  0x9103, _MS),
}
# fmt: on

#: Proxy target -> the target it stands for. Calls on proxies change nothing.
PROXIES: Final[Mapping[int, int]] = {rule.proxy: int(target) for target, rule in TARGETS.items() if rule.proxy}


def taking(column: str, dims: int) -> frozenset[int]:
    """Give the targets that calls of one family (``image``, ``storage``, ``multisample``) and dimension take."""
    targets = frozenset(int(target) for target, rule in TARGETS.items() if getattr(rule, column) == dims)
    cube = frozenset({int(T.TEXTURE_CUBE_MAP)})
    return (targets - cube) | FACE_TARGETS if column == "image" and targets & cube else targets
