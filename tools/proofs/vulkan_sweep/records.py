"""Records for one device, past what a front end would make: any bits, at the device's own limits, and arguments.

A record goes straight into `create_info`, with a view or without, with custom colours left or not, with unnormalised
coordinates that fit or do not.
"""

from __future__ import annotations

import struct
from math import inf, nan, nextafter
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps.vulkan_pipe import table
from statetracker.vulkan import View
from statetracker.vulkan.device import limit_of
from tools.proofs.vulkan_live.records import random_record

if TYPE_CHECKING:
    from random import Random

    from statetracker.caps import VulkanFacts

__all__ = ["random_question"]

_FORMATS: Final = tuple(table())
_ANISO: Final = 18  # the first bit of max_anisotropy in the record's first word
_SWIZZLES: Final = ("XYZW", "ZYXW", "XXX1", "000X", "WZYX", "1111", "X001")


def _bias(facts: VulkanFacts, rng: Random) -> float:
    limit = float(limit_of(facts, "maxSamplerLodBias"))
    return rng.choice((-1.0, 1.0)) * rng.choice((0.0, limit, nextafter(limit, inf), limit + 0.01, 2 * limit, inf, nan))


def random_question(facts: VulkanFacts, rng: Random) -> tuple[bytes, dict[str, Any]]:
    """Give a record, and the keywords of `create_info` to go with it."""
    record = random_record(rng)
    word, _, *rest = struct.unpack("<I3f5I", record)
    if rng.random() < 0.5:
        most = int(limit_of(facts, "maxSamplerAnisotropy"))
        aniso = min(31, max(0, rng.choice((0, 1, most - 1, most, most + 1, 31))))
        word = word & ~(31 << _ANISO) | aniso << _ANISO
        record = struct.pack("<I3f5I", word, _bias(facts, rng), *rest)
    asked: dict[str, Any] = {
        "free_slots": rng.choice((None, None, 0, 1)),
        "unnormalized_fits": rng.random() < 0.5,
    }
    if rng.random() < 0.5:
        asked["view"] = View(rng.choice(_FORMATS), rng.choice(_SWIZZLES), rng.choice((None, False, True)))
    return record, asked
