"""What GL reported of a program's uniforms since it was linked: locations, and the list of active uniforms.

A report goes before what the sources look like: a location of -1 is no use, any other is one, and a complete list of
active uniforms leaves nothing open. Source: docs/glsl.md (GL 4.6 compatibility, 7.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.registry import number

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["SAMPLER_TYPES", "ReportedUniforms"]

#: Shapes that samplers of all three kinds have, then those of float samplers alone.
_SHAPES: Final = (
    *("1D", "2D", "3D", "CUBE", "2D_RECT", "1D_ARRAY", "2D_ARRAY", "BUFFER", "CUBE_MAP_ARRAY"),
    *("2D_MULTISAMPLE", "2D_MULTISAMPLE_ARRAY"),
)
_FLOAT_SHAPES: Final = (
    *("1D_SHADOW", "2D_SHADOW", "CUBE_SHADOW", "2D_RECT_SHADOW", "1D_ARRAY_SHADOW", "2D_ARRAY_SHADOW"),
    *("CUBE_MAP_ARRAY_SHADOW", "EXTERNAL_OES"),
)
#: Types that glGetActiveUniform gives for samplers.
SAMPLER_TYPES: Final = frozenset(
    {
        *(number(f"GL_SAMPLER_{shape}") for shape in (*_SHAPES, *_FLOAT_SHAPES)),
        *(number(f"GL_{kind}_SAMPLER_{shape}") for kind in ("INT", "UNSIGNED_INT") for shape in _SHAPES),
    }
)


class ReportedUniforms:
    """The reports since a link.

    locations  queried names, with the reported locations
    inactive   names without a location, of elements too
    active     names that are active though their source was not seen to use them
    confirmed  every name that is active
    """

    def __init__(self) -> None:
        """Start at a link: nothing was queried."""
        self.locations: dict[str, int] = {}
        self.inactive: set[str] = set()
        self.active: set[str] = set()
        self.confirmed: set[str] = set()
        self._counted = False
        self._listed: dict[int, str] = {}
        self._count: int | None = None

    def locate(self, name: str, location: int) -> None:
        """Keep a result of ``glGetUniformLocation``."""
        self.locations[name] = location
        if location >= 0:
            self.confirmed.add(name)

    def list_active(self, index: int, name: str, size: int) -> str:
        """Keep a result of ``glGetActiveUniform``; gives the last element's name."""
        base = name.removesuffix("[0]")
        self._listed[index] = base
        last = base if size <= 1 else f"{base}[{size - 1}]"
        self.confirmed |= {base, last}
        return last

    def count(self, uniforms: int) -> None:
        """Keep how many active uniforms there are."""
        self._count = uniforms

    def unlisted(self, samplers: Iterable[str]) -> set[str]:
        """The samplers that are not in the list of active uniforms, once that is complete."""
        if self._count is None or not self._listed.keys() >= set(range(self._count)):
            return set()
        return set(samplers).difference(self._listed.values())

    def open(self, taken: Iterable[str]) -> list[str]:
        """The samplers taken as used that no report confirms; empty after the first time."""
        if self._counted:
            return []
        self._counted = True
        return [name for name in taken if name not in self.confirmed]
