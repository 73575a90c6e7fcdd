"""`unread`: which settings of a sampler make no difference to a texture that it samples, and why.

Each row leaves the samples as they are, whatever the setting is: tests hold that against the reference unit.
Source: GL 4.6, 8.14 (texture minification), 8.15 (magnification), 8.17 (completeness), 8.23 (comparison).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import enums as e
from statetracker.gl.targets import MULTISAMPLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.gl import Sampler
    from statetracker.gl.facts import TextureFacts

_T: Final = e.Target
#: Targets with faces.
CUBES: Final = frozenset({int(_T.TEXTURE_CUBE_MAP), int(_T.TEXTURE_CUBE_MAP_ARRAY)})
_LINES: Final = frozenset({int(_T.TEXTURE_1D), int(_T.TEXTURE_1D_ARRAY)})
#: Without filters, wraps and levels: texels are fetched.
_FETCHED: Final = frozenset({int(_T.TEXTURE_BUFFER), *map(int, MULTISAMPLE)})
_BORDERED: Final = frozenset({int(e.Wrap.CLAMP_TO_BORDER), int(e.Wrap.MIRROR_CLAMP_TO_BORDER_EXT)})
#: Half of a linear filter's weight comes from the border.
_HALF: Final = frozenset({int(e.Wrap.CLAMP), int(e.Wrap.MIRROR_CLAMP_EXT)})
_LINEAR: Final = 1


class Sampled(NamedTuple):
    """What a lookup samples: a sampler, its texture's facts, how many levels that shows, the context's seamless switch."""

    sampler: Sampler
    facts: TextureFacts
    levels: int
    seamless: bool

    @property
    def wraps(self) -> tuple[str, ...]:
        """The wrap fields that are read."""
        if self.facts.target in CUBES:
            return () if self.seamless or self.sampler.cube_map_seamless else ("wrap_s", "wrap_t")
        dimensions = 3 if self.facts.target == _T.TEXTURE_3D else 1 if self.facts.target in _LINES else 2
        return ("wrap_s", "wrap_t", "wrap_r")[:dimensions]

    @property
    def linear(self) -> bool:
        """Whether an image filter is LINEAR."""
        return bool((self.sampler.mag_filter | self.sampler.min_filter) & _LINEAR)

    @property
    def one_filter(self) -> bool:
        """Whether it makes no difference which level of detail is computed."""
        mipmaps = self.levels > 1 and self.sampler.uses_mipmaps
        return not mipmaps and (self.sampler.mag_filter ^ self.sampler.min_filter) & _LINEAR == 0

    @property
    def depth(self) -> bool:
        """Whether depth is sampled, which alone is compared."""
        return self.facts.base_format.startswith("DEPTH") and not self.facts.stencil_sampling

    def reads_border(self) -> bool:
        """Whether a wrap that is read leads to the border."""
        modes = {getattr(self.sampler, name) for name in self.wraps}
        return not modes.isdisjoint(_BORDERED | (_HALF if self.linear else frozenset()))


# fmt: off
#: Field -> (what makes it unread, why), the first that holds.
ROWS: Final[dict[str, tuple[tuple[Callable[[Sampled], bool], str], ...]]] = {
    "wrap_s":            ((lambda s: "wrap_s" not in s.wraps,                  "a seamless cube goes on at the next face"),),
    "wrap_t":            ((lambda s: s.facts.target in _LINES,                 "the texture has no T axis"),
                          (lambda s: "wrap_t" not in s.wraps,                  "a seamless cube goes on at the next face")),
    "wrap_r":            ((lambda s: "wrap_r" not in s.wraps,                  "the texture has no R axis"),),
    "border_color":      ((lambda s: not s.reads_border(),                     "no wrap mode that is read leads to the border"),),
    "min_lod":           ((lambda s: s.one_filter,                             "one level and one filter are read at every level of detail"),),
    "max_lod":           ((lambda s: s.one_filter,                             "one level and one filter are read at every level of detail"),),
    "lod_bias":          ((lambda s: s.one_filter,                             "one level and one filter are read at every level of detail"),),
    "compare_mode":      ((lambda s: not s.depth,                              "the texture has no depth to compare"),),
    "compare_func":      ((lambda s: not s.depth,                              "the texture has no depth to compare"),
                          (lambda s: not s.sampler.compare_mode,               "COMPARE_MODE is NONE")),
    "cube_map_seamless": ((lambda s: s.facts.target not in CUBES,             "the texture is no cube"),
                          (lambda s: s.seamless,                               "GL_TEXTURE_CUBE_MAP_SEAMLESS is enabled for all cubes")),
    "srgb_decode":       ((lambda s: "SRGB" not in s.facts.internal_format,    "the format is not sRGB"),),
    "reduction_mode":    ((lambda s: not s.linear and not s.sampler.uses_mipmaps, "nearest filters read one texel"),),
    "mipmap filter":     ((lambda s: s.levels == 1 and s.sampler.uses_mipmaps, "the texture shows one level"),),
}
# fmt: on
#: All of these where texels are fetched, filters too.
_ALL: Final = (*ROWS, "min_filter", "mag_filter", "max_anisotropy")


def unread(sampled: Sampled) -> dict[str, str]:
    """Return the fields of a sampler that make no difference here, each with why; empty: all are read.

    sampled   what samples what

    ``mipmap filter`` is that part of ``min_filter``.
    """
    if sampled.facts.target in _FETCHED:
        return dict.fromkeys(_ALL, "its texels are fetched, without a filter")
    found = ((name, next((why for holds, why in rows if holds(sampled)), "")) for name, rows in ROWS.items())
    return {name: why for name, why in found if why}
