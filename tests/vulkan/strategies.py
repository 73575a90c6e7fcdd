"""Hypothesis: any device, any that offers more, any record, any view."""

from __future__ import annotations

import struct
from math import inf, nan, nextafter
from random import Random
from typing import TYPE_CHECKING, Final

from hypothesis import strategies as some

from statetracker.caps import VulkanFacts
from statetracker.caps.devices import device_facts
from statetracker.caps.facts import EXTENSIONS, FEATURES, FILTER_LINEAR, FILTER_MINMAX, SAMPLED_IMAGE, FormatMasks
from statetracker.caps.vulkan_formats import table
from statetracker.vulkan import EDITIONS, View
from tests.vulkan.devices import newest_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["devices", "pairs_of_devices", "records", "views"]

_FORMATS: Final = tuple(sorted(set(table().values())))
_ALL: Final = SAMPLED_IMAGE | FILTER_LINEAR | FILTER_MINMAX
_BITS: Final = (SAMPLED_IMAGE, SAMPLED_IMAGE | FILTER_LINEAR, SAMPLED_IMAGE | FILTER_MINMAX, _ALL)

#: Features and extensions on which samplers depend.
_FEATURES: Final = tuple(sorted(FEATURES))
_EXTENSIONS: Final = tuple(sorted(EXTENSIONS))
#: That takes away more than it gives.
_TAKES: Final = "VK_KHR_portability_subset"

# fmt: off
_LIMITS: Final = {
    "maxSamplerLodBias":            (0, 2, 14, 15.99609375, 16, 255),
    "maxSamplerAnisotropy":         (0, 1, 1.5, 2, 16),
    "maxCustomBorderColorSamplers": (0, 1, 2, 4096),
}
_FLOATS: Final = (0.0, -0.0, 1.0, 0.25, 0.5, -1.0, 2.5, 255.0, 65504.0, 65505.0, inf, -inf, nan)
_WORDS: Final = (0, 1, 2, 127, 128, 255, 256, 1023, 1024, 65535, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
# fmt: on
_PREDEFINED: Final = ((0, 0, 0, 0), (0, 0, 0, 1), (1, 1, 1, 1))


def _chosen(names: Sequence[str]) -> SearchStrategy[frozenset[str]]:
    """Any of some names: the bits of a number, which is one draw."""
    masks = some.integers(0, (1 << len(names)) - 1)
    return masks.map(lambda mask: frozenset(name for n, name in enumerate(names) if mask >> n & 1))


def _limits() -> SearchStrategy[dict[str, float]]:
    """Each limit, or that it is not known."""
    given = some.tuples(*(some.sampled_from((None, *values)) for values in _LIMITS.values()))
    return given.map(lambda most: {name: m for name, m in zip(_LIMITS, most, strict=True) if m is not None})


def _format_tables() -> SearchStrategy[dict[str, FormatMasks] | None]:
    """None; all formats alike; or what devices are like: some lacking, some less able."""
    alike = [dict.fromkeys(_FORMATS, FormatMasks(linear=bits, optimal=bits)) for bits in _BITS]
    rng = Random(1)  # noqa: S311 (the same in every run)
    uneven = []
    for share in (0.02, 0.1, 0.3, 0.7) * 8:
        there = [name for name in _FORMATS if rng.random() > share and (rng.random() < 0.5 or "D24" not in name)]
        bits = {name: rng.choice(_BITS) if rng.random() < share else _ALL for name in there}
        uneven.append({name: FormatMasks(linear=mask, optimal=mask) for name, mask in bits.items()})
    return some.sampled_from([None, *alike, *uneven])


_DEVICES: Final = some.builds(
    VulkanFacts,
    api=some.sampled_from([(1, 0, 0), (1, 1, 0), (1, 2, 0), *EDITIONS]),
    limits=_limits(),
    features=_chosen(_FEATURES),
    extensions=_chosen(_EXTENSIONS),
    formats=_format_tables(),
)


def _improved(
    less: VulkanFacts, features: frozenset[str], extensions: frozenset[str], limits: dict[str, float]
) -> tuple[VulkanFacts, VulkanFacts]:
    # What is not known counts as what every device has, and no custom colours: only these may come out of nothing.
    raised = {
        name: max(most, less.limits.get(name, 0))
        for name, most in limits.items()
        if name in less.limits or name == "maxCustomBorderColorSamplers"
    }
    more = less._replace(
        features=less.features | features,
        extensions=less.extensions | extensions - {_TAKES},
        limits={**less.limits, **raised},
    )
    return less, more


_PAIRS: Final = some.builds(_improved, _DEVICES, _chosen(_FEATURES), _chosen(_EXTENSIONS), _limits())
_ONE: Final = some.sampled_from(_FEATURES).map(lambda name: frozenset({name}))
_SINGLE: Final = some.builds(_improved, _DEVICES, _ONE, some.just(frozenset()), some.just({}))


#: By their own rules, or by the newest.
_REAL: Final = some.builds(
    lambda row, api: device_facts(row)._replace(**api),
    some.sampled_from(newest_rows()),
    some.sampled_from(({}, {"api": EDITIONS[-1]})),
)


def devices() -> SearchStrategy[VulkanFacts]:
    """Any device: each feature, extension, limit and format there or not, whatever else is; or one of the corpus."""
    return _DEVICES | _REAL


def pairs_of_devices() -> SearchStrategy[tuple[VulkanFacts, VulkanFacts]]:
    """A device, and one that offers the same and more: features and extensions switched on, limits raised."""
    return _PAIRS | _SINGLE


#: The largest biases of devices, and a little more.
_EDGES: Final = tuple(edge for most in (2.0, 14.0, 15.99609375, 16.0) for edge in (most, nextafter(most, inf), -most))
_NUMBER: Final = some.sampled_from((*_FLOATS, *_EDGES)) | some.floats(width=32)
_WORD: Final = some.sampled_from(_WORDS) | some.integers(0, 2**32 - 1)
_BORDERS: Final = some.one_of(
    some.sampled_from(_PREDEFINED).map(lambda four: struct.pack("<4f", *four)),
    some.sampled_from(_PREDEFINED).map(lambda four: struct.pack("<4i", *four)),
    some.tuples(_NUMBER, _NUMBER, _NUMBER, _NUMBER).map(lambda four: struct.pack("<4f", *four)),
    some.tuples(_WORD, _WORD, _WORD, _WORD).map(lambda four: struct.pack("<4I", *four)),
)
_READS_BORDER: Final = 0o333  # every wrap CLAMP_TO_BORDER


def _record(word: int, reads: bool, numbers: tuple[float, float, float], border: bytes, number: int) -> bytes:
    if reads:
        word = word & ~0o777 | _READS_BORDER
    return struct.pack("<I3f", word, *numbers) + border + struct.pack("<I", number)


_RECORDS: Final = some.builds(
    _record,
    some.integers(0, 2**27 - 1),
    some.booleans(),
    some.tuples(_NUMBER, _NUMBER, _NUMBER),
    _BORDERS,
    some.just(0) | some.integers(0, 350),
)
_SWIZZLES: Final = [f"{a}{b}{c}{d}" for a in "XYZW01" for b in "XYZW01" for c in "XYZW01" for d in "XYZW01"]
_VIEWS: Final = some.builds(
    View,
    some.sampled_from(sorted(table())),
    some.sampled_from(["XYZW", "ZYXW", "XXX1", "000X", "1111"]) | some.sampled_from(_SWIZZLES),
    some.sampled_from([None, False, True]),
)


def records() -> SearchStrategy[bytes]:
    """Any record in the 22.3 layout: reserved bits are 0, one in two reads its border on every axis."""
    return _RECORDS


def views() -> SearchStrategy[View]:
    """Any view of a format that Vulkan has a name for."""
    return _VIEWS
