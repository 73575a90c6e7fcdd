"""Sets of registers as integers, a bit for each: one operation joins, cuts or counts hundreds of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["members", "together"]


def members(bits: int) -> list[int]:
    """Numbers of the bits that are set, increasing; ``bits`` is not negative."""
    text = f"{bits:b}"[::-1]
    positions = []
    at = text.find("1")
    while at >= 0:
        positions.append(at)
        at = text.find("1", at + 1)
    return positions


def together(numbers: Iterable[int]) -> int:
    """The set of some numbers, each 0 or more."""
    octets = bytearray()
    for number in numbers:
        at = number >> 3
        if at >= len(octets):
            octets += bytes(at + 1 - len(octets))
        octets[at] |= 1 << (number & 7)
    return int.from_bytes(octets, "little")
