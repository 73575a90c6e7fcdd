"""`BoundSampler`: what a GPUSamplerDescriptor says, where the shader does the sampler's work."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.pipe.enums import Func, TexFilter, TexMipfilter
from statetracker.pipe.lowering import Lowering, LoweringValues

if TYPE_CHECKING:
    from collections.abc import Collection

    from statetracker.shader.block_values import Descriptor

_FUNCS: Final = {
    "never": Func.NEVER,
    "less": Func.LESS,
    "equal": Func.EQUAL,
    "less-equal": Func.LEQUAL,
    "greater": Func.GREATER,
    "not-equal": Func.NOTEQUAL,
    "greater-equal": Func.GEQUAL,
    "always": Func.ALWAYS,
}
_WRAPS: Final = ("repeat", "mirror-repeat", "clamp-to-edge")
_FILTERS: Final = ("nearest", "linear")


class BoundSampler(NamedTuple):
    """What a GPUSamplerDescriptor says that will be bound: what the shader has to know where it does its work.

    wraps     address modes of u, v and w
    filters   magnification, minification, between levels: whether they are linear
    limits    the least and the greatest level of detail
    compare   the comparison; None: there is none
    fixed     the texture's depth is of fixed point: references are clamped to [0, 1]
    """

    wraps: tuple[str, ...]
    filters: tuple[bool, ...]
    limits: tuple[float, float]
    compare: Func | None
    fixed: bool

    @classmethod
    def of(cls, place: Descriptor, members: object) -> BoundSampler:
        """Read a descriptor of wgpu-py's names, such as ``result.webgpu``; raises `ArgumentError`."""
        name = f"samplers of {place[0]}:{place[1]}"
        if not isinstance(members, Mapping):
            raise ArgumentError(name, members, accepted="a GPUSamplerDescriptor, such as result.webgpu")

        def word(key: str, default: str, words: Collection[Any]) -> Any:  # noqa: ANN401 (one of the words)
            value = members.get(key, default)
            if value not in words:
                raise ArgumentError(f"{key} of {name}", value, accepted=", ".join(map(str, words)))
            return value

        limits = [members.get("lod_min_clamp", 0.0), members.get("lod_max_clamp", 32.0)]
        for key, value in zip(("lod_min_clamp", "lod_max_clamp"), limits, strict=True):
            if not isinstance(value, int | float) or not isfinite(value):
                raise ArgumentError(f"{key} of {name}", value, accepted="a finite number of levels")
        func = word("compare", None, (*_FUNCS, None))  # type: ignore[arg-type]
        texture = getattr(getattr(members, "texture", None), "name", "")
        return cls(
            wraps=tuple(word(f"address_mode_{axis}", "clamp-to-edge", _WRAPS) for axis in "uvw"),
            filters=tuple(word(f"{part}_filter", "nearest", _FILTERS) == "linear" for part in ("mag", "min", "mipmap")),
            limits=(float(limits[0]), float(limits[1])),
            compare=None if func is None else _FUNCS[func],
            fixed=texture.startswith(("depth16", "depth24")),
        )

    @property
    def lowering(self) -> Lowering | None:
        """The work of filtering its comparisons texel by texel; None where all filters are nearest."""
        if not any(self.filters):
            return None
        mag, least, mip = self.filters
        return Lowering(
            filter_texels=True,
            mag_img_filter=TexFilter.LINEAR if mag else TexFilter.NEAREST,
            min_img_filter=TexFilter.LINEAR if least else TexFilter.NEAREST,
            min_mip_filter=TexMipfilter.LINEAR if mip else TexMipfilter.NEAREST,
            compare_func=self.compare,
            fixed_depth=self.fixed,
        )

    @property
    def values(self) -> LoweringValues:
        """The numbers of `lowering`."""
        return LoweringValues(min_lod=self.limits[0], max_lod=self.limits[1])
