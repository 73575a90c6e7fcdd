"""Registers by the place where they stand, so that all that stand before a place are found as one set."""

from __future__ import annotations

from itertools import chain
from typing import Final

from statetracker.geometry.bits import together

__all__ = ["Places"]

_FEW: Final = 16  # places of a step; so many steps are a stride
_MANY: Final = _FEW * _FEW


class Places:
    """Registers at places 0 and up, each at one place at most.

    at   the registers of each place
    """

    def __init__(self, count: int = 0) -> None:
        """Begin with a number of places, all empty; `add` makes more."""
        self.at: list[list[int]] = [[] for _ in range(count)]
        self._strides = [0] * (count // _MANY + 1)  # what stands before each stride
        self._steps = [0] * (count // _FEW + 1)  # what stands before each step in its stride

    def add(self, node: int, at: int) -> None:
        """Put a register at a place, which may be the first behind the last."""
        if at == len(self.at):
            self._grow()
        self.at[at].append(node)
        self._turn(node, at)

    def remove(self, node: int, at: int) -> None:
        """Take a register from its place."""
        self.at[at].remove(node)
        self._turn(node, at)

    def _grow(self) -> None:
        self.at.append([])
        count = len(self.at)
        if count % _FEW == 0:
            before = self._steps[-1] ^ together(chain.from_iterable(self.at[-_FEW:]))
            if count % _MANY == 0:
                self._strides.append(self._strides[-1] ^ before)
            self._steps.append(before if count % _MANY else 0)

    def _turn(self, node: int, at: int) -> None:
        """Put a register into the sets where it is missing, or take it away where it is not."""
        bit, stride = 1 << node, at // _MANY + 1
        for sets, first, end in (
            (self._strides, stride, len(self._strides)),
            (self._steps, at // _FEW + 1, min(stride * _FEW, len(self._steps))),
        ):
            for number in range(first, end):
                sets[number] ^= bit

    def before(self, end: int) -> int:
        """The set of registers that stand before a place."""
        found = self._strides[end // _MANY] ^ self._steps[end // _FEW]
        for nodes in self.at[end - end % _FEW : end]:
            for node in nodes:
                found ^= 1 << node
        return found

    def between(self, first: int, end: int) -> int:
        """The set of registers at a place and those behind it, before an end."""
        if end - first > _FEW:
            return self.before(end) ^ self.before(first)
        found = 0
        for nodes in self.at[first:end]:
            for node in nodes:
                found |= 1 << node
        return found
