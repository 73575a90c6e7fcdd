"""Hypothesis strategies for other projects' tests, too: samplers, textures, screens, calls, cases, draws, devices.

They are weighted so that every row of the rule tables comes up, and shrink to what GL starts with. Cases are made by
the generator that live runs use, fed by hypothesis, so that they shrink.

Needs the extra ``conformance`` (hypothesis).
"""

from __future__ import annotations

from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps import PROFILES, Screen
from statetracker.conformance.generate import allocatable, case
from statetracker.conformance.states import UNIT_OPTIONS, State
from statetracker.conformance.weights import BIASES, BORDERS, LODS
from statetracker.errors import MissingExtra
from statetracker.gl import Sampler, Texture
from statetracker.gl.enums import CompareFunc, CompareMode, MagFilter, MinFilter, ReductionMode, SrgbDecode, Wrap
from statetracker.gl.sampler import DEFAULTS

try:
    from hypothesis import strategies as some
except ImportError as error:
    raise MissingExtra("statetracker.conformance.strategies", "hypothesis", "conformance") from error

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypothesis.strategies import SearchStrategy

#: Target -> how many numbers its size has.
_TARGETS: Final = {
    "2d": 2,
    "1d": 1,
    "3d": 3,
    "rectangle": 2,
    "cube-map": 2,
    "1d-array": 2,
    "2d-array": 3,
    "cube-map-array": 3,
}


def first(default: Any, values: Iterable[Any]) -> SearchStrategy[Any]:
    """Any of some values; shrinks to one of them."""
    return some.sampled_from([default, *(value for value in values if value != default)])


def floats(usual: tuple[float | str, ...], default: float = 0.0, *, finite: bool = False) -> SearchStrategy[float]:
    """Usual values, values on their edges, and any float32; NaN and infinities too, unless all shall be finite."""
    values = [value for value in map(float, usual) if isfinite(value) or not finite]
    return some.one_of(
        some.just(default),
        some.sampled_from(values),
        some.floats(width=32, allow_nan=not finite, allow_infinity=not finite),
    )


def samplers(*, finite: bool = False) -> SearchStrategy[Sampler]:
    """Sampler objects: every wrap, filter, comparison and reduction, and borders of every kind.

    finite   no NaN and no infinity, whose results GL leaves open
    """

    def one(field: str, family: Iterable[Any]) -> SearchStrategy[Any]:
        return first(DEFAULTS[field], map(int, family))

    words = some.tuples(*[some.integers(-(2**31), 2**31 - 1)] * 4)
    border = some.one_of(
        some.just((0.0, 0.0, 0.0, 0.0)),
        some.tuples(*[floats(BORDERS, finite=finite)] * 4),
        words,
    )
    return some.builds(
        Sampler,
        wrap_s=one("wrap_s", Wrap),
        wrap_t=one("wrap_t", Wrap),
        wrap_r=one("wrap_r", Wrap),
        min_filter=one("min_filter", MinFilter),
        mag_filter=one("mag_filter", MagFilter),
        compare_mode=one("compare_mode", CompareMode),
        compare_func=one("compare_func", CompareFunc),
        reduction_mode=one("reduction_mode", ReductionMode),
        srgb_decode=one("srgb_decode", SrgbDecode),
        cube_map_seamless=some.booleans(),
        min_lod=floats(LODS, -1000.0, finite=finite),
        max_lod=floats(LODS, 1000.0, finite=finite),
        lod_bias=floats(BIASES, finite=finite),
        max_anisotropy=some.sampled_from([1.0, 1.5, 2.0, 3.0, 8.0, 16.0]),
        border_color=border,
    )


@cache
def formats() -> SearchStrategy[str]:
    """Names of internal formats that are neither compressed nor YCbCr; each kind as often as any other."""
    kinds: dict[str, list[str]] = {}
    for row in allocatable():
        kinds.setdefault(row.kind, []).append(row.name)
    most = max(map(len, kinds.values()))
    return first("RGBA8", [name for names in kinds.values() for name in (names * most)[:most]])


@cache
def _depth_formats() -> SearchStrategy[str]:
    return some.sampled_from([row.name for row in allocatable() if row.kind in ("depth", "ds")])


@some.composite
def textures(draw: Any, *, target: str | None = None, depth: bool = False) -> Texture:
    """Textures of one level or all levels, any format that their target can hold, depth sampled as stencil too.

    depth   only formats with depth, where the target has them
    """
    chosen = draw(some.sampled_from(list(_TARGETS))) if target is None else target
    width = draw(some.sampled_from([1, 2, 4, 8, 5]))
    others = [draw(some.sampled_from([1, 2, 3, 8])) for _ in range(2)]  # as many for all: shrinking likes what is short
    size = (width, *others[: _TARGETS[chosen] - 1])
    if chosen.startswith("cube"):
        size = (width, width, *((6,) if chosen.endswith("array") else ()))
    name = draw(_depth_formats() if depth else formats())
    if chosen == "3d" and name.startswith(("DEPTH", "STENCIL")):
        name = "RGBA8"
    spatial = size[:-1] if chosen.endswith("array") else size
    full = 1 if chosen == "rectangle" else max(spatial).bit_length()
    levels = draw(some.sampled_from([1, full]))
    stencil = draw(some.booleans()) and name.startswith("DEPTH") and "STENCIL" in name
    mode = "stencil-index" if stencil else "depth-component"
    return Texture(chosen, name, size=size, levels=levels, stencil_mode=mode)


def states(options: Iterable[str] = UNIT_OPTIONS) -> SearchStrategy[State]:
    """What a conversion under test is given: finite numbers; of a unit only these options, others as they start.

    Half of the samplers that compare have a texture with depth: with others nothing is compared.
    """
    unit = {
        "unit_lod_bias": floats(BIASES, finite=True),
        "seamless": some.booleans(),
        "glsl130": some.sampled_from([True, False]),
    }
    chosen = some.fixed_dictionaries({name: unit[name] for name in unit if name in set(options)})
    return some.builds(lambda pair, unit: State(pair[0], pair[1], unit), _pairs(), chosen)


@some.composite
def _pairs(draw: Any) -> tuple[Sampler, Texture]:
    sampler = draw(samplers(finite=True))
    comparing = sampler.compare_mode != CompareMode.NONE
    return sampler, draw(textures(depth=comparing and draw(some.booleans())))


def screens() -> SearchStrategy[Screen]:
    """Embedded screens."""
    return first("llvmpipe", sorted(PROFILES)).map(Screen.named)


def cases() -> SearchStrategy[dict[str, Any]]:
    """Whole cases as live runs use them: calls, unit, shader (`statetracker.conformance.generate.case`)."""
    return some.randoms(use_true_random=False).map(case)


def call_sequences() -> SearchStrategy[list[tuple[str, list[Any]]]]:
    """GL calls as (name, arguments), in the order in which a program would make them."""
    return cases().map(lambda case: [(call["fn"], call["args"]) for call in case["calls"]])


def draws() -> SearchStrategy[dict[str, Any]]:
    """What a draw needs: ``unit``, ``seamless``, ``unit_lod_bias``, ``glsl130`` and ``stage``."""
    return some.fixed_dictionaries(
        {
            "unit": some.sampled_from([0, 1, 2, 3, 7, 15]),
            "seamless": some.booleans(),
            "unit_lod_bias": floats(BIASES),
            "glsl130": some.sampled_from([True, False]),
            "stage": some.sampled_from(["fragment", "vertex", "geometry", "tess-ctrl", "tess-eval", "compute"]),
        }
    )
