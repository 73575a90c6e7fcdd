"""What a stream itself says of a program's uniforms: locations and active uniforms that the program asked GL for.

It is the truth, whatever the sources look like: a location of -1 is no use, any other is one, and a list of all active
uniforms leaves nothing open. Source: docs/glsl.md (GL 4.6 compatibility, 7.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["SAMPLER_TYPES", "Said"]

#: GL_SAMPLER_*, GL_INT_SAMPLER_* and GL_UNSIGNED_INT_SAMPLER_*.
SAMPLER_TYPES: Final = frozenset(
    (
        *range(0x8B5D, 0x8B65),  # 1D to CUBE, 1D_SHADOW to 2D_RECT_SHADOW
        *range(0x8DC0, 0x8DC6),  # arrays, BUFFER, CUBE_SHADOW
        *range(0x8DC9, 0x8DD9),  # whole numbers, with and without a sign
        *range(0x900C, 0x9010),  # CUBE_MAP_ARRAY
        *range(0x9108, 0x910E),  # multisample
        0x8D66,  # EXTERNAL_OES
    )
)


class Said:
    """What GL said since a link.

    locations  names that were asked for, with the answers
    inactive   names that GL has no location for, of elements too
    active     names that are active though their source was not seen to use them
    confirmed  every name that is active
    counted    whether the samplers that nothing was said of were counted already
    """

    def __init__(self) -> None:
        """Start at a link: nothing was asked."""
        self.locations: dict[str, int] = {}
        self.inactive: set[str] = set()
        self.active: set[str] = set()
        self.confirmed: set[str] = set()
        self.counted = False
        self._listed: dict[int, str] = {}
        self._count: int | None = None

    def located(self, name: str, location: int) -> None:
        """Keep the answer of ``glGetUniformLocation``."""
        self.locations[name] = location
        if location >= 0:
            self.confirmed.add(name)

    def listed(self, index: int, name: str, size: int) -> str:
        """Keep the answer of ``glGetActiveUniform``; gives the last element's name."""
        base = name.removesuffix("[0]")
        self._listed[index] = base
        self.confirmed.add(base)
        if size <= 1:
            return base
        last = f"{base}[{size - 1}]"
        self.confirmed.add(last)
        return last

    def count(self, uniforms: int) -> None:
        """Keep how many active uniforms there are."""
        self._count = uniforms

    def unlisted(self, samplers: Iterable[str]) -> Iterator[str]:
        """The samplers that are not in the list of active uniforms, once all of it is known."""
        if self._count is not None and self._listed.keys() >= set(range(self._count)):
            names = set(self._listed.values())
            yield from (name for name in samplers if name not in names)

    def open(self, taken: Iterable[str]) -> list[str]:
        """The samplers taken as used that GL was not heard to confirm; each list is given out once."""
        if self.counted:
            return []
        self.counted = True
        return [name for name in taken if name not in self.confirmed]
