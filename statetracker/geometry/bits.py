"""Sets of registers as integers, a bit for each, and a count for every register as planes of such bits.

Where a thousand values are alive at once, neighbours in lists are a million entries; as bits, a set is a few hundred
bytes, and one operation adds to the counts of all its members. Source: docs/geometry.md, Growth.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Counts", "members", "together", "union"]

_SHIFTS: Final = ((), (0,), (1,), (0, 1))  # of a weight, the bits that are set


def members(bits: int) -> list[int]:
    """Numbers of the bits that are set, increasing; ``bits`` is not negative."""
    text = f"{bits:b}"[::-1]
    found = []
    at = text.find("1")
    while at >= 0:
        found.append(at)
        at = text.find("1", at + 1)
    return found


def together(numbers: Iterable[int]) -> int:
    """The set of some numbers, each 0 or more."""
    octets = bytearray()
    for number in numbers:
        at = number >> 3
        if at >= len(octets):
            octets += bytes(at + 1 - len(octets))
        octets[at] |= 1 << (number & 7)
    return int.from_bytes(octets, "little")


def union(sets: Iterable[int]) -> int:
    """All bits of some sets."""
    return reduce(or_, sets, 0)


class Counts:
    """A count, 0 or more, for every register.

    planes   bit n of ``planes[i]`` is bit i of the count of register n
    """

    def __init__(self, counts: Sequence[int] = ()) -> None:
        """Begin with the counts of registers 0, 1, ..."""
        self.planes = [
            int("".join(str(count >> at & 1) for count in reversed(counts)), 2)
            for at in range(max(counts, default=0).bit_length())
        ]

    def __getitem__(self, node: int) -> int:
        """The count of a register."""
        return sum((plane >> node & 1) << at for at, plane in enumerate(self.planes))

    def __setitem__(self, node: int, count: int) -> None:
        """Let a register have a count."""
        planes, bit = self.planes, 1 << node
        planes += [0] * (count.bit_length() - len(planes))
        for at, plane in enumerate(planes):
            if (plane >> node ^ count >> at) & 1:
                planes[at] = plane ^ bit

    def add(self, bits: int, weight: int = 1) -> None:
        """Add a weight of up to 3 to the counts of all registers of a set."""
        planes = self.planes
        for shift in _SHIFTS[weight]:
            at, carry = shift, bits
            while carry:
                planes += [0] * (at + 1 - len(planes))
                plane = planes[at]
                planes[at] = plane ^ carry
                carry &= plane
                at += 1

    def subtract(self, bits: int, weight: int = 1) -> None:
        """Take a weight of up to 3 from the counts of all registers of a set; none of them is less."""
        planes = self.planes
        for shift in _SHIFTS[weight]:
            at, borrow = shift, bits
            while borrow:
                planes[at] = plane = planes[at] ^ borrow
                borrow &= plane
                at += 1

    def at_least(self, least: int, bits: int) -> int:
        """Those of a set whose count is ``least`` or more."""
        if least >> len(self.planes):
            return 0
        more = 0
        for at in range(len(self.planes) - 1, -1, -1):
            plane = self.planes[at]
            if least >> at & 1:
                bits &= plane
            else:
                more |= bits & plane
                bits &= ~plane
        return more | bits

    def most(self, bits: int) -> int:
        """The greatest count in a set; 0 for none."""
        count = 0
        for at in range(len(self.planes) - 1, -1, -1):
            some = bits & self.planes[at]
            if some:
                bits, count = some, count | 1 << at
        return count
