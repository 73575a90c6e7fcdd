"""GL states for every device: a boundary set in which every pair of values meets.

An axis is one thing that a program can set, with the values at which something changes. Axes are padded to lengths
that have no factor in common; state number n takes value n modulo the length on each. Two axes of lengths p and q then
show each of their pairs once in p times q states. `BOUNDARY` states are enough for the two longest, and short axes,
padded to many times their length, meet all others long before: a test looks.
"""

from __future__ import annotations

import struct
from math import gcd, inf, nan, prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.gl import MinFilter, Sampler, Target, Texture, TextureFacts, Wrap
from statetracker.vulkan import gl_formats

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["AXES", "BOUNDARY", "LENGTHS", "GlState", "boundary_state"]

_WRAPS: Final = tuple(wrap.name.removesuffix("_EXT") for wrap in Wrap)
_TARGETS: Final = tuple(
    target for target in Target if target.name != "TEXTURE_BUFFER" and "MULTISAMPLE" not in target.name
)
_IDENTITY: Final = ("red", "green", "blue", "alpha")
_FUNCS: Final = ("never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always")


def _words(kind: str, *four: float) -> tuple[int, ...]:
    return struct.unpack("<4I", struct.pack(f"<4{kind}", *four))


def _one_of_each_kind() -> tuple[str, ...]:
    """One internal format for each way in which a texture is kept and read."""
    seen: dict[object, str] = {}
    for row in gl_formats().values():
        facts = Texture("2d", row.internal_format).facts()
        seen.setdefault((row.pipe_format, facts.base_format, facts.is_integer), row.internal_format)
    return tuple(seen.values())


#: Border colours, as words: the predefined ones, and the edges of what channels of each type can hold.
_COLOURS: Final = (
    *(_words("f", *four) for four in ((0, 0, 0, 0), (0, 0, 0, 1), (1, 1, 1, 1), (-0.0, 0, -0.0, 1))),
    *(_words("i", *four) for four in ((0, 0, 0, 1), (1, 1, 1, 1), (1, 2, 3, 4), (-1, -1, -1, -1))),
    *(_words("f", *four) for four in ((0.2, 0.4, 0.6, 0.8), (0, 0.5, 0, 0), (1, 0, 0, 0), (-1, 1, -1, 1))),
    *(_words("f", *four) for four in ((1.0000001, -1.0000001, 2, -2), (0.99999994, 1e-45, 1e-38, 0.5))),
    *(
        _words("f", *four)
        for four in ((65504, -65504, 65505, 65520), (65024, 65025, 64512, 64513), (65408, 65409, 0, 0))
    ),
    *(_words("f", *four) for four in ((3.4028235e38, -3.4028235e38, 1, 1), (nan, 0, nan, 1), (inf, -inf, 0, 1))),
    *(_words("i", *four) for four in ((127, 128, -128, -129), (255, 256, 3, 4), (32767, 32768, -32768, -32769))),
    *(_words("I", *four) for four in ((65535, 65536, 1023, 1024), (0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0))),
    *(_words("i", *four) for four in ((511, 512, -512, -513), (1, 1, -2, -3), (0, 0, 0, 255))),
)

#: Levels: the largest bias of some device, a little more, and what no device has.
_BIASES: Final = (
    *(0.0, 2.0, 2.004, -2.0, -2.1, 4.0, -4.1, 14.0, 14.5, 15.0, -15.0, 15.5),
    *(15.99, 15.996, -15.996, 16.0, -16.0, 17.0, -20.0, 255.0, inf, -inf, nan),
)
_LODS: Final = (
    *((-1000.0, 1000.0), (0.0, 0.0), (0.25, 0.25), (3.0, 1.0), (-4.0, -2.0), (-2.0, -4.0), (0.0, 0.25), (0.0, 15.0)),
    *((nan, 1.0), (1.0, nan), (nan, nan), (-inf, inf), (inf, -inf), (inf, inf), (-0.0, 0.0), (1e9, -1e9)),
)
_SWIZZLES: Final = (
    *(_IDENTITY, ("blue", "green", "red", "alpha"), ("red", "red", "red", "one")),
    *(("zero", "zero", "zero", "red"), ("alpha", "one", "zero", "green"), ("one", "one", "one", "one")),
)

# fmt: off
#: What a program can set -> the values at which something changes.
AXES: Final[Mapping[str, Sequence[Any]]] = {
    "internal_format": _one_of_each_kind(),
    "colour":          _COLOURS,
    "lod_bias":        _BIASES,
    "lods":            _LODS,
    "wrap_s":          _WRAPS,
    "wrap_t":          _WRAPS,
    "wrap_r":          _WRAPS,
    "comparison":      ((False, "lequal"), (False, "always"), *((True, func) for func in _FUNCS)),
    "max_anisotropy":  (1.0, 1.5, 2.0, 4.0, 15.0, 15.9, 16.0, 17.0, 31.0, 32.0, inf, nan),
    "target":          _TARGETS,
    "min_filter":      tuple(MinFilter),
    "swizzle":         _SWIZZLES,
    "texture_mode":    (("luminance", False), ("intensity", False), ("alpha", False), ("red", False), ("red", True)),
    "seamless":        ((False, False), (False, True), (True, False), (True, True)),
    "reduction_mode":  ("weighted-average-arb", "min", "max"),
    "mag_filter":      ("nearest", "linear"),
    "glsl130":         (True, False),
}
# fmt: on


def _lengths() -> dict[str, int]:
    """The least length for each axis that holds its values and shares no factor with the longer ones."""
    lengths: dict[str, int] = {}
    for name in sorted(AXES, key=lambda name: -len(AXES[name])):
        length = len(AXES[name])
        while any(gcd(length, other) > 1 for other in lengths.values()):
            length += 1
        lengths[name] = length
    return lengths


LENGTHS: Final = _lengths()
#: How many states show every pair of values of any two axes.
BOUNDARY: Final = prod(sorted(map(len, AXES.values()))[-2:])


class GlState(NamedTuple):
    """What is converted: the arguments of `statetracker.convert`, without the screen."""

    sampler: Sampler
    texture: TextureFacts
    seamless: bool
    glsl130: bool


def boundary_state(number: int) -> GlState:
    """State ``number`` of the boundary set, from 0 to `BOUNDARY`."""
    values = {name: values[number % LENGTHS[name] % len(values)] for name, values in AXES.items()}
    compares, func = values["comparison"]
    depth_mode, stencil = values["texture_mode"]
    own, context = values["seamless"]
    low, high = values["lods"]
    sampler = Sampler(
        **{name: values[name] for name in ("wrap_s", "wrap_t", "wrap_r", "min_filter", "mag_filter", "lod_bias")},
        min_lod=low,
        max_lod=high,
        max_anisotropy=values["max_anisotropy"],
        compare_mode=compares,
        compare_func=func,
        border_color_bits=values["colour"],
        cube_map_seamless=own,
        reduction_mode=values["reduction_mode"],
    )
    texture = Texture(
        "2d", values["internal_format"], depth_mode=depth_mode, stencil_sampling=stencil, swizzle=values["swizzle"]
    )
    return GlState(sampler, texture.facts().replace(target=int(values["target"])), context, values["glsl130"])
