"""The cheapest change of a sampler that makes it portable: one member, or two, to what is nearest to the request.

See docs/portability.md.
"""

from __future__ import annotations

from itertools import combinations
from math import ceil, floor, isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.gl.enums import MagFilter, MinFilter, ReductionMode, Wrap
from statetracker.vulkan.border import PREDEFINED
from statetracker.vulkan.device import REQUIRED_LIMITS
from statetracker.vulkan.ranges import values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from enum import IntEnum

    from statetracker.gl import Sampler

_AXES: Final = ("wrap_s", "wrap_t", "wrap_r")

# fmt: off
_WRAPS: Final[Mapping[IntEnum, Sequence[IntEnum]]] = {
    Wrap.CLAMP:                      (Wrap.CLAMP_TO_EDGE, Wrap.CLAMP_TO_BORDER),
    Wrap.CLAMP_TO_BORDER:            (Wrap.CLAMP_TO_EDGE,),
    Wrap.MIRROR_CLAMP_EXT:           (Wrap.MIRROR_CLAMP_TO_EDGE, Wrap.MIRRORED_REPEAT),
    Wrap.MIRROR_CLAMP_TO_EDGE:       (Wrap.MIRRORED_REPEAT,),
    Wrap.MIRROR_CLAMP_TO_BORDER_EXT: (Wrap.MIRROR_CLAMP_TO_EDGE, Wrap.MIRRORED_REPEAT),
}
_MEAN: Final = (ReductionMode.WEIGHTED_AVERAGE,)
#: Member -> its value -> what may stand in, nearest first; members in the order in which they are tried. Of the others,
#: numbers, `_numbers` has the same. A comparison stays: without it a sample is another thing.
NEAR: Final[Mapping[str, Mapping[IntEnum, Sequence[IntEnum]]]] = {
    **dict.fromkeys(_AXES, _WRAPS),
    "reduction_mode": {ReductionMode.MIN: _MEAN, ReductionMode.MAX: _MEAN},
    "min_filter": {
        MinFilter.NEAREST_MIPMAP_LINEAR: (MinFilter.NEAREST_MIPMAP_NEAREST,),
        MinFilter.LINEAR:                (MinFilter.NEAREST,),
        MinFilter.LINEAR_MIPMAP_NEAREST: (MinFilter.NEAREST_MIPMAP_NEAREST,),
        MinFilter.LINEAR_MIPMAP_LINEAR:  (MinFilter.NEAREST_MIPMAP_NEAREST,),
    },
    "mag_filter": {MagFilter.LINEAR: (MagFilter.NEAREST,)},
}
# fmt: on


class Change(NamedTuple):
    """A change of a sampler.

    Attributes:
        members: What `Sampler.copy` takes: ``sampler.copy(**change.members)`` is the changed one.
        aim: ``native``, or ``exact``: native, or with the shader's help.
        missed: Reports of devices on which it still is not that, of those that can sample the texture.
    """

    members: Mapping[str, Any]
    aim: str
    missed: int

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {**self._asdict(), "members": dict(self.members)}

    def __str__(self) -> str:
        """Write it as ``wrap_s clamp-to-edge, max_anisotropy 1``."""
        return ", ".join(f"{name} {value}" for name, value in self.members.items())


def cheapest(sampler: Sampler, missed: Callable[[Sampler, int], int], *, aim: str, integer: bool) -> Change | None:
    """Search changes of one member, then of two, for the one that misses the fewest reports.

    ``missed`` gives the reports that miss the aim for (sampler, stop), and may stop counting at ``stop``. ``integer``:
    the texture's border colour is read as integers.

    A wrap is changed on all axes that have it, as one member. Fewer members win, then the nearer values. None where no
    change misses fewer reports than the sampler itself.
    """
    steps = list(_steps(sampler, integer=integer))
    best, least = None, missed(sampler, 1 << 30)
    for count in (1, 2):
        for chosen in combinations(steps, count):
            if len({what for what, _ in chosen}) < count:
                continue
            members = {name: value for _, change in chosen for name, value in change.items()}
            left = missed(sampler.copy(**members), least)
            if left < least:
                best, least = Change(members, aim, left), left
        if not least:
            break
    return best


def _steps(sampler: Sampler, *, integer: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every change of one member, nearest first: what is changed, and its new values."""
    yield from _numbers(sampler, integer=integer)
    for name, near in NEAR.items():
        value = getattr(sampler, name)
        members = [axis for axis in _AXES if getattr(sampler, axis) == value] if name in _AXES else [name]
        if members[0] == name:
            for other in near.get(value, ()):
                yield name, dict.fromkeys(members, _short_name(other))
    if not sampler.cube_map_seamless:
        yield "cube_map_seamless", {"cube_map_seamless": True}


def _short_name(value: IntEnum) -> str:
    return value.name.lower().replace("_", "-")


def _numbers(sampler: Sampler, *, integer: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is nearest of numbers: whole levels, limits that Vulkan requires, the predefined border colours."""
    for name, whole in (("min_lod", floor), ("max_lod", ceil)):
        level = getattr(sampler, name)
        if isfinite(level) and level != whole(level):
            yield name, {name: float(whole(level))}
    least = REQUIRED_LIMITS["maxSamplerLodBias"]
    for bias in (max(-least, min(least, sampler.lod_bias)), 0.0):
        if bias != sampler.lod_bias:
            yield "lod_bias", {"lod_bias": bias}
    for most in (REQUIRED_LIMITS["maxSamplerAnisotropy"], 1.0):
        if most < sampler.max_anisotropy:
            yield "max_anisotropy", {"max_anisotropy": most}
    name = "border_color_i" if integer else "border_color"
    now = sampler.border_color if integer else values(sampler.border_color, "float")
    for colour in sorted(
        (colour for colour, _ in PREDEFINED), key=lambda one: sum(abs(a - b) for a, b in zip(one, now, strict=True))
    ):
        if colour != now:
            yield "border_color", {name: colour}
